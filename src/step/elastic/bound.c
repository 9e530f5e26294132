/* The longest stable time step of the links of elastic solids, never above the true one.
 *
 * The step of a harmonic system is stable below 2/omega_max. The energy of a link is a quadratic form of the
 * motions of its two cells, at most twice the sum of what each does alone; so
 *
 *   omega_max^2 <= 2 max over cells of the largest eigenvalue of M^-1 K,                              (1)
 *
 * with, in the reference state, M = diag(m, m, m, J) and the 6 x 6 matrix of a cell against links that end at fixed
 * points, G = [1, -(r x)]:
 *
 *   K = sum over links of G^T [k + k_a + k_b] G + [(b_s + b_t) n n^T + (b_n + b_t) s s^T + (b_n + b_s) t t^T]   (2)
 *   k_a = (S/D_0) max(lambda, 0) B_a/(Vt_a g_a^2) g_a g_a^T,   B = sum over links of g^2 D_0/S:        (3)
 *
 * Cauchy's inequality for the sum in eps, to which the link adds g.Du, g = (S/2) n or (3') of kernel/link.h. Likewise
 * for the shell term, with v = d(Dd.n)/d(turn of the cell),
 *
 *   K += k_k v v^T for the turns,   k_k = (S/4 D_0)(Kb_a C_a/Vk_a^2 + Kb_b C_b/Vk_b^2),   C = sum of S D_0,   (4)
 *
 * without the negative Kb of a negative Poisson's ratio.
 *
 * The largest eigenvalue of a symmetric matrix A without negative ones is at most (tr A^p)^(1/p), and by squaring
 * p = 1024 is soon reached: above it by less than 0.2 %. Stiffness damping B asks for dt <= 2/(B omega^2)
 * (damping.c). */
#include <math.h>

#include "base/arena.h"
#include "exec/cpu/threads.h"
#include "math/elementary.h"
#include "step/elastic/work.h"

typedef struct {
    double a[6][6];
} matrix6;

static void add_outer(matrix6 *m, double weight, const double g[6])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) m->a[i][j] += weight * g[i] * g[j];
}

// what a displacement of the face's point along n is, in motions of the cell
static void add_point(matrix6 *m, double weight, vec3 n, vec3 arm)
{
    vec3 turn = v3_cross(arm, n);
    add_outer(m, weight, (double[6]){n.x, n.y, n.z, turn.x, turn.y, turn.z});
}

static void add_turn(matrix6 *m, double weight, vec3 axis)
{
    add_outer(m, weight, (double[6]){0, 0, 0, axis.x, axis.y, axis.z});
}

static double largest_eigenvalue(matrix6 m)
{
    double log_scale = 0, power = 1;
    for (int round = 0; round < 10; round++) {
        double trace = 0;
        for (int i = 0; i < 6; i++) trace += m.a[i][i];
        if (!(trace > 0)) return 0;
        matrix6 square;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                double sum = 0;
                for (int k = 0; k < 6; k++) sum += m.a[i][k] * m.a[k][j];
                square.a[i][j] = sum / (trace * trace);
            }
        log_scale += scr_log(trace) / power;
        power *= 2;
        m = square;
    }
    double trace = 0;
    for (int i = 0; i < 6; i++) trace += m.a[i][i];
    return scr_exp(log_scale + scr_log(trace) / power);
}

// S/D_0 [m]
static double slenderness(const scr_world *w, size_t link)
{
    const scr_material *m = &w->materials[w->solids[w->cells.solid[w->links.cell[2 * link]]].material];
    return w->links.stiff[4 * link] / scr_lame_twice_mu(m->young, m->poisson);
}

// B and C of a cell [m^3]
typedef struct {
    double swelling, bending;
} sums;

typedef struct {
    vec3 n, s, t;
} triad;

static triad triad_of(const scr_world *w, size_t link)
{
    const double *frame = w->links.frame + 6 * link;
    triad f = {.n = v3_load(frame), .s = v3_load(frame + 3)};
    f.t = v3_cross(f.n, f.s);
    return f;
}

// g over S of one of its cells: what its gap adds to the change of volume
static vec3 swelling(const scr_world *w, size_t link, int side)
{
    const scr_links *l = &w->links;
    const double *arm = l->arm + 6 * link, *share = l->share + 4 * link;
    vec3 n = v3_load(l->frame + 6 * link), first = v3_axpy(v3_load(share), share[3], n);
    if (w->solids[w->cells.solid[l->cell[2 * link]]].normal == SCR_LINK_CENTRE_LINE)
        return v3_scale(0.5, v3_unit(v3_sub(v3_load(arm), v3_load(arm + 3))));
    return side ? v3_sub(n, first) : first;
}

// Kb C/Vk^2 of a cell of a shell; where Kb is negative the term only takes energy away
static double shell_part(const scr_world *w, size_t cell, double c)
{
    double vk = w->shells.bend[2 * cell];
    return fmax(w->shells.director[4 * cell + 3], 0) * c / (vk * vk);
}

// (2) to (4): what a link adds to the matrix of one of its cells
static void add_link(const scr_world *w, size_t link, int side, const sums *of, matrix6 *m)
{
    const double *stiff = w->links.stiff + 4 * link;
    size_t a = (size_t)w->links.cell[2 * link], c = (size_t)w->links.cell[2 * link + 1];
    triad f = triad_of(w, link);
    vec3 arm = v3_load(w->links.arm + 6 * link + 3 * (size_t)side);
    double slender = slenderness(w, link), lambda = fmax(scr_cell_lambda(w, a), 0);
    add_point(m, stiff[0], v3(1, 0, 0), arm);
    add_point(m, stiff[0], v3(0, 1, 0), arm);
    add_point(m, stiff[0], v3(0, 0, 1), arm);
    for (int k = 0; k < 2; k++) {
        size_t cell = k ? c : a;
        double stiffness = slender * lambda * of[cell].swelling / w->cells.bulk[2 * cell];
        add_point(m, stiffness, v3_unit(swelling(w, link, k)), arm);
    }
    add_turn(m, stiff[2] + stiff[3], f.n);
    add_turn(m, stiff[1] + stiff[3], f.s);
    add_turn(m, stiff[1] + stiff[2], f.t);
    if (!(w->solids[w->cells.solid[a]].thickness > 0)) return;
    vec3 d[2] = {v3_load(w->shells.director + 4 * a), v3_load(w->shells.director + 4 * c)};
    vec3 g = v3_scale(side ? 1 : -1, v3_cross(d[side], f.n));
    g = v3_axpy(g, 0.5, v3_cross(f.n, v3_sub(d[1], d[0])));
    double bending = shell_part(w, a, of[a].bending) + shell_part(w, c, of[c].bending);
    add_turn(m, 0.25 * slender * bending, g);
}

// M^-1/2 K M^-1/2 in principal axes has the eigenvalues of M^-1 K
static double fastest2(const scr_world *w, size_t k, const matrix6 *m)
{
    const double *inertia = w->cells.inertia + 4 * k;
    quat q = quat_load(w->cells.axes + 4 * k);
    vec3 axis[3];
    double scale[6];
    for (int i = 0; i < 3; i++) {
        axis[i] = quat_turn(q, v3(i == 0, i == 1, i == 2));
        scale[i] = 1 / sqrt(scr_cell_mass(&w->cells, k));
        scale[3 + i] = 1 / sqrt(inertia[i]);
    }
    double basis[6][6] = {{0}};
    for (int i = 0; i < 3; i++) {
        basis[i][i] = scale[i];
        v3_store(&basis[3 + i][3], v3_scale(scale[3 + i], axis[i]));
    }
    matrix6 half = {0}, whole = {0};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int l = 0; l < 6; l++) half.a[i][j] += basis[i][l] * m->a[l][j];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int l = 0; l < 6; l++) whole.a[i][j] += half.a[i][l] * basis[j][l];
    return largest_eigenvalue(whole);
}

/* Links of each cell: those it is the first of are a run, those it is the second of are listed. */
typedef struct {
    const scr_world *world;
    sums *of;        // one per cell
    uint32_t *start; // cells + 1: of its run
    uint32_t *first; // cells + 1: of its list
    uint32_t *list;
    double *steps; // the longest of each block, and its cell
    int64_t *cells;
    scr_arena arena;
} bound_work;

static bool list_links(bound_work *k)
{
    const scr_world *w = k->world;
    const scr_links *l = &w->links;
    size_t cells = w->cells.table.count, blocks = (cells + SCR_BLOCK - 1) / SCR_BLOCK;
    k->of = SCR_TAKE(&k->arena, sums, cells);
    k->start = SCR_TAKE(&k->arena, uint32_t, cells + 1);
    k->first = SCR_TAKE(&k->arena, uint32_t, cells + 2);
    k->list = SCR_TAKE(&k->arena, uint32_t, l->table.count);
    k->steps = SCR_TAKE(&k->arena, double, blocks);
    k->cells = SCR_TAKE(&k->arena, int64_t, blocks);
    if (k->arena.failed) return false;
    for (size_t i = 0; i < l->table.count; i++) {
        k->start[l->cell[2 * i] + 1]++;
        k->first[l->cell[2 * i + 1] + 2]++;
        // S D_0 = S^2/(S/D_0)
        double add = l->area[i] * l->area[i] / slenderness(w, i);
        for (int side = 0; side < 2; side++) {
            vec3 g = swelling(w, i, side);
            sums *of = &k->of[l->cell[2 * i + (size_t)side]];
            of->swelling += add * v3_dot(g, g);
            of->bending += add;
        }
    }
    for (size_t c = 0; c < cells; c++) {
        k->start[c + 1] += k->start[c];
        k->first[c + 2] += k->first[c + 1];
    }
    for (size_t i = 0; i < l->table.count; i++) k->list[k->first[l->cell[2 * i + 1] + 1]++] = (uint32_t)i;
    return true;
}

static void bound_block(void *work, size_t block)
{
    bound_work *k = work;
    const scr_world *w = k->world;
    size_t end = (block + 1) * SCR_BLOCK, count = w->cells.table.count;
    k->steps[block] = INFINITY, k->cells[block] = -1;
    for (size_t c = block * SCR_BLOCK; c < (end < count ? end : count); c++) {
        matrix6 m = {0};
        for (size_t i = k->start[c]; i < k->start[c + 1]; i++) add_link(w, i, 0, k->of, &m);
        for (size_t i = k->first[c]; i < k->first[c + 1]; i++) add_link(w, k->list[i], 1, k->of, &m);
        double omega2 = 2 * fastest2(w, c, &m);
        double damping = w->solids[w->cells.solid[c]].stiffness_damping;
        double step = fmin(2 / sqrt(omega2), damping > 0 ? 2 / (damping * omega2) : INFINITY);
        if (step < k->steps[block]) k->steps[block] = step, k->cells[block] = (int64_t)c;
    }
}

double scr_elastic_bound(const scr_world *w, int64_t *cell)
{
    size_t blocks = (w->cells.table.count + SCR_BLOCK - 1) / SCR_BLOCK;
    bound_work k = {.world = w};
    double shortest = NAN;
    *cell = -1;
    if (list_links(&k)) {
        scr_each(blocks, NULL, bound_block, &k);
        shortest = INFINITY;
        for (size_t i = 0; i < blocks; i++)
            if (k.steps[i] < shortest) shortest = k.steps[i], *cell = k.cells[i];
    }
    scr_arena_deinit(&k.arena);
    return shortest;
}
