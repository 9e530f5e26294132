/* The longest stable time step of the links of elastic solids, never above the true one.
 *
 * The step of a harmonic system is stable below 2/omega_max. The energy is bounded by a sum of one quadratic form for
 * each cell, so
 *
 *   omega_max^2 <= max over cells of the largest eigenvalue of M^-1 K,                                (1)
 *
 * with M = diag(m, m, m, J) and 6 x 6 matrices K in the reference state. What a link stores in its gap and its flexion
 * is a form of a difference, at most twice the sum of what each cell does alone against fixed points, G = [1, -(r x)]:
 *
 *   K = 2 sum over links of G^T k G + [(b_s + b_t) n n^T + (b_n + b_t) s s^T + (b_n + b_s) t t^T] + ...         (2)
 *
 * The change of volume of a cell, Vt eps = sum over links of g.Du with g = (S/2) n or (3') of kernel/link.h, is taken
 * as the sum over its members, which are its neighbours and the cell itself: what the cell's own displacement adds to
 * one face it takes from the opposite one, and a cell that is closed has h = 0. With
 * h_i = G_i^T g for a neighbour and the sum of all for the cell itself, Cauchy's inequality with the weights
 * a_i = h_i^T M_i^-1 h_i gives each member
 *
 *   K_i += max(lambda, 0) A/(Vt a_i) h_i h_i^T,   A = sum over members of a_i,                         (3)
 *
 * which is exact for the cell alone. It needs all links of the cell. In solids that can break it must hold for whatever
 * is left of them, and Cauchy's inequality is taken for the sum over links, both cells of each getting
 *
 *   K += 2 G^T (S/D_0) max(lambda, 0) B/(Vt g^2) g g^T G,   B = sum over links of g^2 D_0/S.            (4)
 *
 * Likewise for the shell term, with v = d(Dd.n)/d(turn of the cell),
 *
 *   K += 2 k_k v v^T for the turns,   k_k = (S/4 D_0)(Kb_a C_a/Vk_a^2 + Kb_b C_b/Vk_b^2),   C = sum of S D_0,   (5)
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

// of a cell: B and C [m^3]; A [m^4/kg]; h of the cell itself [m^2, m^3]
typedef struct {
    double swelling, bending, members;
    double self[6];
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

/* ---- masses ---- */

// M^-1/2 in principal axes, as rows: A = R K R^T has the eigenvalues of M^-1 K
typedef struct {
    double mass;
    vec3 turn[3];
} inverse_roots;

static inverse_roots inverse_roots_of(const scr_world *w, size_t k)
{
    const double *inertia = w->cells.inertia + 4 * k;
    quat q = quat_load(w->cells.axes + 4 * k);
    inverse_roots r = {.mass = 1 / sqrt(scr_cell_mass(&w->cells, k))};
    for (int i = 0; i < 3; i++) r.turn[i] = v3_scale(1 / sqrt(inertia[i]), quat_turn(q, v3(i == 0, i == 1, i == 2)));
    return r;
}

// h^T M^-1 h
static double norm2(const inverse_roots *r, const double h[6])
{
    vec3 turn = v3_load(h + 3);
    double sum = r->mass * r->mass * (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    for (int i = 0; i < 3; i++) sum += v3_dot(r->turn[i], turn) * v3_dot(r->turn[i], turn);
    return sum;
}

/* ---- links ---- */

static bool can_break(const scr_world *w, size_t cell)
{
    const scr_solid *s = &w->solids[w->cells.solid[cell]];
    return isfinite(s->tensile_strength) || isfinite(s->shear_strength) || isfinite(s->fracture_energy);
}

// G^T g of a member, whose arm is that of side `at`, of the cell on side `of`
static void member(const scr_world *w, size_t link, int of, int at, double h[6])
{
    vec3 g = v3_scale(w->links.area[link], swelling(w, link, of));
    v3_store(h, g);
    v3_store(h + 3, v3_cross(v3_load(w->links.arm + 6 * link + 3 * (size_t)at), g));
}

// (3) or (4): what the changes of volume of both cells add to the matrix of the cell on one side
static void add_swelling(const scr_world *w, size_t link, int side, const sums *of, matrix6 *m)
{
    double slender = slenderness(w, link);
    vec3 arm = v3_load(w->links.arm + 6 * link + 3 * (size_t)side);
    inverse_roots roots = inverse_roots_of(w, (size_t)w->links.cell[2 * link + (size_t)side]);
    for (int k = 0; k < 2; k++) {
        size_t cell = (size_t)w->links.cell[2 * link + (size_t)k];
        double per_volume = fmax(scr_cell_lambda(w, cell), 0) / w->cells.bulk[2 * cell], h[6];
        if (can_break(w, cell)) {
            add_point(m, 2 * slender * per_volume * of[cell].swelling, v3_unit(swelling(w, link, k)), arm);
        } else if (k != side && w->links.fate[link] == SCR_LINK_HOLDS) {
            member(w, link, k, side, h);
            add_outer(m, per_volume * of[cell].members / norm2(&roots, h), h);
        }
    }
}

// the cell as a member of its own
static void add_self(const scr_world *w, size_t cell, const sums *of, matrix6 *m)
{
    inverse_roots roots = inverse_roots_of(w, cell);
    double size2 = norm2(&roots, of->self), per_volume = fmax(scr_cell_lambda(w, cell), 0) / w->cells.bulk[2 * cell];
    if (!can_break(w, cell) && size2 > 0) add_outer(m, per_volume * of->members / size2, of->self);
}

// what a link adds to the matrix of one of its cells
static void add_link(const scr_world *w, size_t link, int side, const sums *of, matrix6 *m)
{
    const double *stiff = w->links.stiff + 4 * link;
    size_t a = (size_t)w->links.cell[2 * link], c = (size_t)w->links.cell[2 * link + 1];
    triad f = triad_of(w, link);
    vec3 arm = v3_load(w->links.arm + 6 * link + 3 * (size_t)side);
    add_point(m, 2 * stiff[0], v3(1, 0, 0), arm);
    add_point(m, 2 * stiff[0], v3(0, 1, 0), arm);
    add_point(m, 2 * stiff[0], v3(0, 0, 1), arm);
    add_swelling(w, link, side, of, m);
    add_turn(m, 2 * (stiff[2] + stiff[3]), f.n);
    add_turn(m, 2 * (stiff[1] + stiff[3]), f.s);
    add_turn(m, 2 * (stiff[1] + stiff[2]), f.t);
    if (!(w->solids[w->cells.solid[a]].thickness > 0)) return;
    vec3 d[2] = {v3_load(w->shells.director + 4 * a), v3_load(w->shells.director + 4 * c)};
    vec3 g = v3_scale(side ? 1 : -1, v3_cross(d[side], f.n));
    g = v3_axpy(g, 0.5, v3_cross(f.n, v3_sub(d[1], d[0])));
    double bending = shell_part(w, a, of[a].bending) + shell_part(w, c, of[c].bending);
    add_turn(m, 0.5 * slenderness(w, link) * bending, g);
}

static double fastest2(const scr_world *w, size_t k, const matrix6 *m)
{
    inverse_roots roots = inverse_roots_of(w, k);
    double basis[6][6] = {{0}};
    for (int i = 0; i < 3; i++) {
        basis[i][i] = roots.mass;
        v3_store(&basis[3 + i][3], roots.turn[i]);
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

// B, C, A and h of all cells
static void sum_up(bound_work *k)
{
    const scr_world *w = k->world;
    const scr_links *l = &w->links;
    double h[6];
    for (size_t i = 0; i < l->table.count; i++) {
        // S D_0 = S^2/(S/D_0)
        double add = l->area[i] * l->area[i] / slenderness(w, i);
        for (int side = 0; side < 2; side++) {
            vec3 g = swelling(w, i, side);
            sums *of = &k->of[l->cell[2 * i + (size_t)side]];
            of->swelling += add * v3_dot(g, g);
            of->bending += add;
            if (l->fate[i] != SCR_LINK_HOLDS) continue;
            inverse_roots roots = inverse_roots_of(w, (size_t)l->cell[2 * i + (size_t)!side]);
            member(w, i, side, !side, h);
            of->members += norm2(&roots, h);
            member(w, i, side, side, h);
            for (int d = 0; d < 6; d++) of->self[d] += side ? h[d] : -h[d];
        }
    }
    for (size_t c = 0; c < w->cells.table.count; c++) {
        inverse_roots roots = inverse_roots_of(w, c);
        k->of[c].members += norm2(&roots, k->of[c].self);
    }
}

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
    }
    for (size_t c = 0; c < cells; c++) {
        k->start[c + 1] += k->start[c];
        k->first[c + 2] += k->first[c + 1];
    }
    sum_up(k);
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
        add_self(w, c, &k->of[c], &m);
        double omega2 = fastest2(w, c, &m);
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
