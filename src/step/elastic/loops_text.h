/* Text of the loops, included once per instruction set with SCR_LANES lanes of doubles and ELASTIC_LOOPS naming the
 * table.
 *
 * Links are taken SCR_LANES at a time in their order, and what they add to cells is added link by link in that order.
 * Energies are summed in eight columns whatever the number of lanes. So all widths give the same bits. */
#include <math.h>

#include "kernel/link.h"
#include "step/elastic/loops.h"
#include "step/elastic/rattle.h"
#include "step/soft/cpu/rows.h"

#define AHEAD   64 /* links: what is needed so much later is asked for now, a tenth faster */
#define COLUMNS (8 / LANES)

typedef double row4_anywhere __attribute__((vector_size(32), may_alias, aligned(8)));

static size_t block_end(const elastic_task *t, size_t block)
{
    size_t end = (block + 1) * SCR_BLOCK, count = t->world->cells.table.count;
    return end < count ? end : count;
}

/* ---- links ---- */

typedef double real_anywhere __attribute__((vector_size(8 * LANES), may_alias, aligned(8)));

// four numbers of each of LANES rows of `width` numbers, one row after the other
SCR_INLINE void load_next(real m[4], const double *rows, size_t width)
{
    row4 row[LANES];
    for (int l = 0; l < LANES; l++) row[l] = *(const row4_anywhere *)(rows + width * (size_t)l);
    to_lanes(m, row);
}

SCR_INLINE real load_column(const double *rows, size_t width, size_t column, const uint32_t *at)
{
    real m;
    for (int l = 0; l < LANES; l++) m[l] = rows[width * at[l] + column];
    return m;
}

typedef struct {
    uint32_t first, a[LANES], b[LANES];
    int live;
    link_shape shape;
    link_end end[2];
} link_lanes;

SCR_INLINE link_end load_end(const scr_cells *c, const uint32_t *at)
{
    real u[4], q[4];
    load_rows(u, c->displacement, at);
    load_rows(q, c->turn, at);
    return (link_end){{u[0], u[1], u[2]}, q[0], {q[1], q[2], q[3]}};
}

// asking for memory that is not there does no harm
SCR_INLINE void fetch_ahead(const scr_links *links, size_t at, bool centred, bool whole)
{
    for (size_t l = 0; l < 6 * LANES; l += 8) {
        __builtin_prefetch(links->arm + 6 * at + l);
        if (whole) __builtin_prefetch(links->frame + 6 * at + l);
        if (whole && l < 4 * LANES) __builtin_prefetch(links->stiff + 4 * at + l);
        if (!centred && l < 4 * LANES) __builtin_prefetch(links->share + 4 * at + l);
    }
    __builtin_prefetch(links->area + at);
    __builtin_prefetch(links->cell + 2 * at);
}

// links from k on; lanes of a last group that is not full have the next ones, or rows of zeros behind the table, and
// do not count
SCR_INLINE link_lanes load_links(const scr_world *w, uint32_t k, uint32_t end, bool centred, bool shell, bool whole)
{
    const scr_links *links = &w->links;
    const size_t at = k;
    link_lanes g = {
        .first = k, .live = end - k < LANES ? (int)(end - k) : LANES, .shape = {.centred = centred, .shell = shell}};
    for (size_t l = 0; l < LANES; l++) {
        g.a[l] = (uint32_t)links->cell[2 * (at + l)];
        g.b[l] = (uint32_t)links->cell[2 * (at + l) + 1];
    }
    fetch_ahead(links, at + AHEAD, centred, whole);
    g.end[0] = load_end(&w->cells, g.a);
    g.end[1] = load_end(&w->cells, g.b);
    real m[4];
    load_next(m, links->arm + 6 * at, 6);
    g.shape.arm[0] = (rvec){m[0], m[1], m[2]};
    load_next(m, links->arm + 6 * at + 2, 6);
    g.shape.arm[1] = (rvec){m[1], m[2], m[3]};
    g.shape.half = 0.5 * *(const real_anywhere *)(links->area + at);
    if (whole || shell || !centred) {
        load_next(m, links->frame + 6 * at, 6);
        g.shape.n = (rvec){m[0], m[1], m[2]};
    }
    if (!centred) {
        load_next(m, links->share + 4 * at, 4);
        g.shape.skew = (rvec){m[0], m[1], m[2]};
        g.shape.part = m[3];
    }
    if (whole) {
        load_next(m, links->frame + 6 * at + 2, 6);
        g.shape.s = (rvec){m[1], m[2], m[3]};
        load_next(m, links->stiff + 4 * at, 4);
        g.shape.k = m[0];
        for (int d = 0; d < 3; d++) g.shape.b[d] = m[d + 1];
    }
    for (int side = 0; shell && side < 2; side++) {
        load_rows(m, w->shells.director, side ? g.b : g.a);
        g.shape.d[side] = (rvec){m[0], m[1], m[2]};
    }
    return g;
}

// sums of cells are in the second number of their rows, those of slots in `column` of two
SCR_INLINE void add_strain(const elastic_task *t, const link_lanes *g, double *rows, size_t column, real xa, real xb)
{
    size_t cells = t->world->cells.table.count;
    for (int l = 0; l < g->live; l++) {
        size_t sink = t->plan.sink[g->first + (uint32_t)l];
        double *b = sink < cells ? rows + 2 * sink + 1 : t->plan.halo_strain + 2 * (sink - cells) + column;
        rows[2 * (size_t)g->a[l] + 1] += xa[l];
        *b += xb[l];
    }
}

SCR_INLINE void run_strains(const elastic_task *t, const elastic_run *run, bool centred, bool shell)
{
    scr_world *w = t->world;
    for (uint32_t k = run->first; k < run->end; k += LANES) {
        link_lanes g = load_links(w, k, run->end, centred, shell, false);
        link_state s = link_state_of(&g.shape, &g.end[0], &g.end[1]);
        link_volumes v = link_swell(&g.shape, &s, s.gap);
        add_strain(t, &g, w->cells.bulk, 0, v.of[0], v.of[1]);
        if (!shell) continue;
        real bend = link_bend(&g.shape, &s);
        add_strain(t, &g, w->shells.bend, 1, bend, bend);
    }
}

static void strains(const elastic_task *t, size_t block)
{
    scr_world *w = t->world;
    const elastic_plan *p = &t->plan;
    for (size_t k = block * SCR_BLOCK, end = block_end(t, block); k < end; k++) {
        w->cells.bulk[2 * k + 1] = 0;
        if (w->shells.table.count) w->shells.bend[2 * k + 1] = 0;
    }
    for (size_t s = 2 * (size_t)p->block_slots[block]; s < 2 * (size_t)p->block_slots[block + 1]; s++)
        p->halo_strain[s] = 0;
    for (uint32_t r = p->block_runs[block]; r < p->block_runs[block + 1]; r++) {
        const elastic_run *run = &p->runs[r];
        const scr_solid *solid = &w->solids[run->solid];
        bool centred = solid->normal == SCR_LINK_CENTRE_LINE, shell = solid->thickness > 0;
        if (centred && !shell) run_strains(t, run, true, false);
        if (!centred && !shell) run_strains(t, run, false, false);
        if (centred && shell) run_strains(t, run, true, true);
        if (!centred && shell) run_strains(t, run, false, true);
    }
}

// force on the first cells, its opposite on the second, torques on both
SCR_INLINE void add_forces(const elastic_task *t, const link_lanes *g, const link_result *r)
{
    size_t cells = t->world->cells.table.count;
    double *rows = t->world->cells.load, *halo = t->plan.halo;
    row8 of_a[LANES], of_b[LANES];
    to_rows8(of_a, r->force, r->torque[0]);
    to_rows8(of_b, r->force, rv_scale(r_of(-1.0), r->torque[1]));
    for (int l = 0; l < g->live; l++) {
        size_t sink = t->plan.sink[g->first + (uint32_t)l];
        add8(rows + 8 * (size_t)g->a[l], of_a[l]);
        subtract8(sink < cells ? rows + 8 * sink : halo + 8 * (sink - cells), of_b[l]);
    }
}

// Kb kap/Vk of cells
SCR_INLINE real load_moment(const scr_shells *s, const uint32_t *at)
{
    return load_column(s->director, 4, 3, at) * load_column(s->bend, 2, 1, at) / load_column(s->bend, 2, 0, at);
}

/* What tells which links of a solid are far from breaking by (1) or (2) of fracture.c, from above.
 *
 * Strength: s and t are each at most |f|/S + E/D |turn| sqrt(w_s^2 + w_t^2), and its square is at most twice the sum of
 * the squares: 2 (f^2 + 12 (1 + nu) (2 b_n + b_s + b_t) k turn^2) (1/sigma^2 + 1/tau^2) < S^2. A fifth is left for what
 * is not in f. Energy: what breaking releases is at most all that the link and both cells have. */
typedef struct {
    double weak;  // 1/sigma^2 + 1/tau^2 [1/Pa^2]
    double bent;  // 12 (1 + nu)
    double tough; // 0.8 of the fracture energy [J/m^2], INFINITY
} calm_numbers;

static calm_numbers calm_of(const scr_world *w, const elastic_run *run)
{
    const scr_solid *s = &w->solids[run->solid];
    calm_numbers n = {.weak =
                          1 / (s->tensile_strength * s->tensile_strength) + 1 / (s->shear_strength * s->shear_strength),
                      .bent = 12 * (1 + w->materials[s->material].poisson),
                      .tough = 0.8 * s->fracture_energy};
    // energies that may be negative are not a bound
    if (isfinite(n.tough) && (run->lambda < 0 || s->thickness > 0)) n.tough = 0;
    return n;
}

// both cells' lambda Vt eps^2/2
SCR_INLINE real swelling_energy(const scr_world *w, const elastic_run *run, const link_lanes *g)
{
    real ea = load_column(w->cells.bulk, 2, 1, g->a), eb = load_column(w->cells.bulk, 2, 1, g->b);
    real va = load_column(w->cells.bulk, 2, 0, g->a), vb = load_column(w->cells.bulk, 2, 0, g->b);
    return 0.5 * run->lambda * (va * ea * ea + vb * eb * eb);
}

// marks those that are not far from breaking; how many
SCR_INLINE int doubt(const elastic_task *t, const elastic_run *run, const calm_numbers *n, const link_lanes *g,
                     const link_result *r)
{
    rvec turn = link_turn_between(&g->end[0], &g->end[1]);
    real area = g->shape.half + g->shape.half, soft = r_of(2.0) * g->shape.b[0] + g->shape.b[1] + g->shape.b[2];
    real bent = n->bent * soft * g->shape.k * rv_fdot(turn, turn);
    mask calm = r_less(2.0 * n->weak * (rv_fdot(r->pull, r->pull) + bent), 0.8 * area * area);
    if (isfinite(n->tough)) calm &= r_less(r->energy + swelling_energy(t->world, run, g), n->tough * area);
    unsigned left = bits_of(~calm & live_lanes(g->live));
    for (int l = 0; l < g->live; l++)
        t->verdict[g->first + (uint32_t)l] = left >> l & 1 ? ELASTIC_DOUBTFUL : SCR_LINK_HOLDS;
    return __builtin_popcount(left);
}

// the energy of the links of a run
SCR_INLINE double run_forces(const elastic_task *t, const elastic_run *run, bool centred, bool shell, int64_t *doubtful)
{
    scr_world *w = t->world;
    calm_numbers calm = calm_of(w, run);
    bool breaks = t->verdict && (calm.weak > 0 || isfinite(calm.tough));
    real energy[COLUMNS];
    for (int c = 0; c < COLUMNS; c++) energy[c] = r_of(0.0);
    int column = 0;
    for (uint32_t k = run->first; k < run->end; k += LANES) {
        link_lanes g = load_links(w, k, run->end, centred, shell, true);
        link_state s = link_state_of(&g.shape, &g.end[0], &g.end[1]);
        real pa = run->lambda * load_column(w->cells.bulk, 2, 1, g.a);
        real pb = run->lambda * load_column(w->cells.bulk, 2, 1, g.b);
        link_result r = link_force(&g.shape, &g.end[0], &g.end[1], &s, pa, pb);
        if (shell) link_shell_torque(&g.shape, &s, load_moment(&w->shells, g.a) + load_moment(&w->shells, g.b), &r);
        if (breaks) *doubtful += doubt(t, run, &calm, &g, &r);
        add_forces(t, &g, &r);
        energy[column] += r_where(live_lanes(g.live), r.energy);
        column = (column + 1) % COLUMNS;
    }
    double sum = 0;
    for (int c = 0; c < COLUMNS; c++)
        for (int l = 0; l < LANES; l++) sum += energy[c][l];
    return sum;
}

static void forces(const elastic_task *t, size_t block)
{
    scr_world *w = t->world;
    const elastic_plan *p = &t->plan;
    for (size_t k = 8 * block * SCR_BLOCK; k < 8 * block_end(t, block); k += 4) store4(w->cells.load + k, (row4){0});
    for (size_t k = 8 * (size_t)p->block_slots[block]; k < 8 * (size_t)p->block_slots[block + 1]; k += 4)
        store4(p->halo + k, (row4){0});
    double energy = 0;
    int64_t doubtful = 0;
    for (uint32_t r = p->block_runs[block]; r < p->block_runs[block + 1]; r++) {
        const elastic_run *run = &p->runs[r];
        const scr_solid *solid = &w->solids[run->solid];
        bool centred = solid->normal == SCR_LINK_CENTRE_LINE, shell = solid->thickness > 0;
        if (centred && !shell) energy += run_forces(t, run, true, false, &doubtful);
        if (!centred && !shell) energy += run_forces(t, run, false, false, &doubtful);
        if (centred && shell) energy += run_forces(t, run, true, true, &doubtful);
        if (!centred && shell) energy += run_forces(t, run, false, true, &doubtful);
    }
    t->sums[block].links = energy;
    t->sums[block].doubtful = doubtful;
}

/* ---- cells ---- */

typedef struct {
    double half;  // dt/2
    row4 gravity; // dt/2 g
} kick_numbers;

static kick_numbers kick_of(const elastic_task *t)
{
    vec3 g = v3_scale(0.5 * t->dt, t->world->gravity);
    return (kick_numbers){0.5 * t->dt, {g.x, g.y, g.z, 0}};
}

// the fourth lane of a velocity, the inverse mass, sees no force and stays
SCR_INLINE row4 kicked_velocity(const scr_cells *c, size_t k, const kick_numbers *n)
{
    row4 v = load4(c->velocity + 4 * k);
    return v + (n->half * v[3]) * load4(c->load + 8 * k) + n->gravity;
}

SCR_INLINE row4 kicked_momentum(const scr_cells *c, size_t k, const kick_numbers *n)
{
    return load4(c->momentum + 4 * k) + n->half * load4(c->load + 8 * k + 4);
}

static void kick(const elastic_task *t, size_t block)
{
    const scr_cells *c = &t->world->cells;
    kick_numbers n = kick_of(t);
    for (size_t k = block * SCR_BLOCK, end = block_end(t, block); k < end; k++) {
        store4(c->velocity + 4 * k, kicked_velocity(c, k, &n));
        store4(c->momentum + 4 * k, kicked_momentum(c, k, &n));
    }
}

SCR_INLINE rquat load_quats(const double *rows)
{
    real m[4];
    load_next(m, rows, 4);
    return (rquat){m[0], {m[1], m[2], m[3]}};
}

// cells from k on whose turn was not found, as bits
SCR_INLINE unsigned turn_cells(const scr_cells *c, size_t k, int live, const row4 *momentum, double dt, bool round)
{
    real l[4], m[4];
    to_lanes(l, momentum);
    load_next(m, c->inertia + 4 * k, 4);
    rquat q = load_quats(c->turn + 4 * k), axes = q;
    if (!round) axes = load_quats(c->axes + 4 * k);
    rquat principal = round ? q : rq_mul(q, axes);
    rvec a = rv_scale(r_of(dt), rq_turn(rq_conjugate(principal), (rvec){l[0], l[1], l[2]}));
    mask failed;
    rquat e = rattle_turn(a, (rvec){m[0], m[1], m[2]}, &failed);
    q = rq_mul(principal, e);
    if (!round) q = rq_mul(q, rq_conjugate(axes));
    q = rq_unit(q);
    row4 row[LANES];
    to_rows(row, q.w, q.v.x, q.v.y, q.v.z);
    for (int i = 0; i < live; i++) store4(c->turn + 4 * (k + (size_t)i), row[i]);
    return bits_of(failed & live_lanes(live));
}

// lanes behind the last cell have rows of zeros and do not count
SCR_INLINE void drift_cells(const elastic_task *t, size_t block, bool round)
{
    const scr_cells *c = &t->world->cells;
    kick_numbers n = kick_of(t);
    const row4 step = {t->dt, t->dt, t->dt, 0};
    t->sums[block].lost = -1;
    for (size_t k = block * SCR_BLOCK, end = block_end(t, block); k < end; k += LANES) {
        int live = end - k < LANES ? (int)(end - k) : LANES;
        row4 momentum[LANES];
        for (size_t l = 0; l < LANES; l++) momentum[l] = kicked_momentum(c, k + l, &n);
        for (size_t i = k; i < k + (size_t)live; i++) {
            row4 v = kicked_velocity(c, i, &n);
            store4(c->velocity + 4 * i, v);
            store4(c->momentum + 4 * i, momentum[i - k]);
            store4(c->displacement + 4 * i, load4(c->displacement + 4 * i) + step * v);
        }
        unsigned lost = turn_cells(c, k, live, momentum, t->dt, round);
        if (lost && t->sums[block].lost < 0) t->sums[block].lost = (int64_t)k + __builtin_ctz(lost);
    }
}

static void kick_drift(const elastic_task *t, size_t block)
{
    if (t->plan.block_round[block])
        drift_cells(t, block, true);
    else
        drift_cells(t, block, false);
}

#include "step/elastic/meet_text.h"

const elastic_loops ELASTIC_LOOPS = {kick_drift, strains, forces, kick, meet};
