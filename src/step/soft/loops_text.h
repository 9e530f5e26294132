/* Text of the loops, included once per instruction set with SOFT_LOOPS naming the table. Four lanes
 * of doubles.
 *
 * The force loop goes through a block's pairs in chunks: a first pass finds those that touch (or
 * touched before), a second computes four of them at a time from full lanes. Body rows are four
 * doubles, so a 4 x 4 transpose turns four rows into lanes of x, y, z and radius. */
#define SCR_LANES 4
#include <string.h>

#include "kernel/contact.h"
#include "step/soft/loops.h"

#define CHUNK 256

SCR_INLINE real load4(const double *row)
{
    return *(const real *)row;
}

SCR_INLINE void store4(double *row, real v)
{
    *(real *)row = v;
}

SCR_INLINE void transpose(real m[4])
{
    real a = __builtin_shuffle(m[0], m[1], (mask){0, 4, 2, 6});
    real b = __builtin_shuffle(m[0], m[1], (mask){1, 5, 3, 7});
    real c = __builtin_shuffle(m[2], m[3], (mask){0, 4, 2, 6});
    real d = __builtin_shuffle(m[2], m[3], (mask){1, 5, 3, 7});
    m[0] = __builtin_shuffle(a, c, (mask){0, 1, 4, 5});
    m[1] = __builtin_shuffle(b, d, (mask){0, 1, 4, 5});
    m[2] = __builtin_shuffle(a, c, (mask){2, 3, 6, 7});
    m[3] = __builtin_shuffle(b, d, (mask){2, 3, 6, 7});
}

// rows of four bodies as lanes: m[0] = x of all four, ..., m[3] = the fourth number of all four
SCR_INLINE void load_rows(real m[4], const double *rows, const uint32_t *at)
{
    for (int l = 0; l < 4; l++) m[l] = load4(rows + 4 * (size_t)at[l]);
    transpose(m);
}

SCR_INLINE real round_nearest(real x)
{
    // adding 1.5 * 2^52 leaves no room for a fraction: round to nearest even, as rint does
    const double big = 0x1.8p52;
    return (x + big) - big;
}

SCR_INLINE void nearest_image(const scr_images *m, rvec *d)
{
    d->x -= m->length[0] * round_nearest(d->x * m->inverse[0]);
    d->y -= m->length[1] * round_nearest(d->y * m->inverse[1]);
    d->z -= m->length[2] * round_nearest(d->z * m->inverse[2]);
}

// a law is rows of four numbers; the compiler drops those that the kind of contact does not ask for
SCR_INLINE contact_law law_lanes(contact_options o, const scr_law *laws, const uint16_t *law,
                                 const uint32_t *at)
{
    real m[6][4];
    for (int row = 0; row < 6; row++) {
        if (o.kind != CONTACT_ANY && row > 1 && row < 5) continue;
        for (int l = 0; l < 4; l++) m[row][l] = load4(&laws[law[at[l]]].kn + 4 * row);
        transpose(m[row]);
    }
    contact_law p = {.kn = m[0][0],
                     .kt = m[0][1],
                     .mu = m[0][2],
                     .zeta = m[0][3],
                     .eta_root = m[1][0],
                     .eta_mass = m[1][1],
                     .eta_area = m[1][2],
                     .hertz = m[1][3],
                     .kt_inverse = m[5][1]};
    if (o.kind != CONTACT_ANY) return p;
    p.mindlin = m[2][0], p.adhesion = m[2][1], p.range = m[2][2], p.surface_energy = m[2][3];
    p.rolling = m[3][0], p.rolling_mu = m[3][1], p.rolling_k = m[3][2], p.rolling_zeta = m[3][3];
    p.twisting = m[4][0], p.twisting_mu = m[4][1], p.twisting_k = m[4][2];
    p.twisting_zeta = m[4][3];
    p.young = m[5][0];
    return p;
}

/* Sums over lanes, kept as vectors until the block is done. */
typedef struct {
    real damping, friction, rolling, elastic_normal, elastic_tangential, elastic_rolling,
        excess_damping, excess_friction, excess_rolling, worst;
    mask contacts; // lanes that touch, counted per lane
    uint32_t worst_pair;
    double worst_value;
    double appeared; // brought by walls that have just come
} lane_sums;

SCR_INLINE void add_sums(lane_sums *s, contact_options o, const contact_result *r, mask live)
{
    if (o.kind == CONTACT_ANY) {
        s->rolling += r_where(live, r->rolling);
        s->elastic_rolling += r_where(live, r->elastic_rolling);
        s->excess_rolling += r_where(live, r->excess_rolling);
    }
    s->damping += r_where(live, r->damping);
    s->friction += r_where(live, r->friction);
    s->elastic_normal += r_where(live, r->elastic_normal);
    s->elastic_tangential += r_where(live, r->elastic_tangential);
    s->excess_damping += r_where(live, r->excess_damping);
    s->excess_friction += r_where(live, r->excess_friction);
}

// the deepest overlap of these lanes over what each may be, if it is the block's deepest
SCR_INLINE void note_worst(lane_sums *s, real delta, real most, mask live, const uint32_t *pair,
                           uint32_t base)
{
    if (!r_any(r_less(s->worst * most, delta) & live)) return;
    real depth = r_where(live, delta / most);
    for (int l = 0; l < 4; l++)
        if (depth[l] > s->worst_value) s->worst_value = depth[l], s->worst_pair = base + pair[l];
    s->worst = r_of(s->worst_value);
}

static double lane_total(real v)
{
    return ((v[0] + v[1]) + v[2]) + v[3];
}

static const mask live_lanes[5] = {
    {0, 0, 0, 0}, {-1, 0, 0, 0}, {-1, -1, 0, 0}, {-1, -1, -1, 0}, {-1, -1, -1, -1}};

// the lanes whose bits are set, moved to the front
static const uint8_t packed_lanes[16][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 2, 3},
                                            {2, 0, 1, 3}, {0, 2, 1, 3}, {1, 2, 0, 3}, {0, 1, 2, 3},
                                            {3, 0, 1, 2}, {0, 3, 1, 2}, {1, 3, 0, 2}, {0, 1, 3, 2},
                                            {2, 3, 0, 1}, {0, 2, 3, 1}, {1, 2, 3, 0}, {0, 1, 2, 3}};

SCR_INLINE unsigned bits_of(mask m)
{
#if defined(__AVX__)
    return (unsigned)_mm256_movemask_pd((__m256d)m);
#else
    return (unsigned)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}

// first pass: which of the pairs [from, to) touch now or did at the last evaluation
SCR_INLINE int touching(const soft_task *t, uint32_t from, uint32_t to, uint32_t *list)
{
    const scr_pairs *p = t->pairs;
    const double *place = t->world->bodies.place;
    const mask last = {0, 0, 0, -1};
    bool images = t->periodic;
    int n = 0;
    for (uint32_t k = from; k < to; k += 4) {
        // rows of differences, with the sum of the radii in the fourth place
        real m[4];
        for (int l = 0; l < 4; l++) {
            real a = load4(place + 4 * (size_t)p->first[k + (uint32_t)l]);
            real b = load4(place + 4 * (size_t)p->second[k + (uint32_t)l]);
            m[l] = r_select(last, a + b, a - b);
        }
        transpose(m);
        rvec d = {m[0], m[1], m[2]};
        if (images) nearest_image(&t->images, &d);
        real reach = m[3] + p->range;
        uint32_t touched;
        memcpy(&touched, p->touch + k, 4);
        // the flags are bytes of 0 or 1: gathered into four bits
        unsigned bits =
            bits_of(r_less(rv_dot(d, d), reach * reach)) | (touched * 0x10204080u) >> 28;
        // beyond the end are pairs of the next block
        if (to - k < 4) bits &= (1u << (to - k)) - 1;
        for (uint32_t l = 0; l < 4; l++) list[n + (int)l] = k + packed_lanes[bits][l];
        n += __builtin_popcount(bits);
    }
    return n;
}

// geometry of four pairs of bodies
SCR_INLINE void pair_state(const soft_task *t, contact_options o, const uint32_t *at,
                           contact_state *c, real arm[2], real *most)
{
    const scr_pairs *p = t->pairs;
    const scr_bodies *b = &t->world->bodies;
    uint32_t i[4], j[4];
    real xi[4], xj[4], vi[4], vj[4], wi[4], wj[4];
    for (int l = 0; l < 4; l++) i[l] = p->first[at[l]], j[l] = p->second[at[l]];
    load_rows(xi, b->place, i), load_rows(xj, b->place, j);
    load_rows(vi, b->motion, i), load_rows(vj, b->motion, j);
    load_rows(wi, b->spin, i), load_rows(wj, b->spin, j);

    rvec d = {xi[0] - xj[0], xi[1] - xj[1], xi[2] - xj[2]};
    if (t->periodic) nearest_image(&t->images, &d);
    real distance = r_sqrt(rv_dot(d, d));
    c->n = rv_scale(1.0 / distance, d);
    c->delta = xi[3] + xj[3] - distance;
    c->dv = (rvec){vi[0] - vj[0], vi[1] - vj[1], vi[2] - vj[2]};
    c->dw = (rvec){wi[0] - wj[0], wi[1] - wj[1], wi[2] - wj[2]};
    c->inverse_mass = vi[3] + vj[3];
    c->inverse_inertia = wi[3] + wj[3];
    if (o.kind != CONTACT_HOOKE) c->inverse_radius = (xi[3] + xj[3]) / (xi[3] * xj[3]);

    real half_overlap = o.lammps ? r_of(0.0) : 0.5 * c->delta;
    arm[0] = xi[3] - half_overlap, arm[1] = xj[3] - half_overlap;
    c->turning = (rvec){arm[0] * wi[0] + arm[1] * wj[0], arm[0] * wi[1] + arm[1] * wj[1],
                        arm[0] * wi[2] + arm[1] * wj[2]};
    c->n_half = c->n;
    if (o.improved) {
        rvec back = rv_axpy(d, r_of(-0.5 * t->dt), c->dv);
        c->n_half = rv_scale(1.0 / r_sqrt(rv_dot(back, back)), back);
    }
    *most = r_min(xi[3], xj[3]);
}

// histories are rows of four; the wide ones, where there are any, rows of eight
SCR_INLINE contact_history load_history(contact_options o, const double *history,
                                        const double *wide, const uint32_t *at)
{
    real m[4];
    load_rows(m, history, at);
    contact_history h = {.h = {m[0], m[1], m[2]}, .viscous = m[3]};
    if (o.kind != CONTACT_ANY) return h;
    for (int l = 0; l < 4; l++) m[l] = load4(wide + 8 * (size_t)at[l]);
    transpose(m);
    h.roll = (rvec){m[0], m[1], m[2]};
    h.twist = m[3];
    return h;
}

SCR_INLINE void store_history(contact_options o, double *history, double *wide, uint8_t *touch,
                              const uint32_t *at, int live, const contact_history *h, mask touches)
{
    real m[4] = {h->h.x, h->h.y, h->h.z, h->viscous};
    transpose(m);
    for (int l = 0; l < live; l++) {
        store4(history + 4 * (size_t)at[l], m[l]);
        touch[at[l]] = (uint8_t)(touches[l] != 0);
    }
    if (o.kind != CONTACT_ANY) return;
    real w[4] = {h->roll.x, h->roll.y, h->roll.z, h->twist};
    transpose(w);
    for (int l = 0; l < live; l++) store4(wide + 8 * (size_t)at[l], w[l]);
}

// what each contact has dissipated, in the fifth number of its wide history: from zero when it begins
SCR_INLINE void add_spent(double *wide, const uint32_t *at, int live, const contact_result *r,
                          const contact_state *c, contact_options o)
{
    real lost = r->damping + r->friction;
    if (o.kind == CONTACT_ANY) lost += r->rolling;
    for (int l = 0; l < live; l++) {
        double *spent = wide + 8 * (size_t)at[l] + 4;
        *spent = c->touch[l] ? (c->was[l] ? *spent : 0) + lost[l] : 0;
    }
}

// forces for observers: force and what is lost beyond `spent`, couple
SCR_INLINE void record(double *to, const uint32_t *at, int live, const contact_result *r,
                       contact_options o)
{
    real excess = r->excess_damping + r->excess_friction;
    if (o.kind == CONTACT_ANY) excess += r->excess_rolling;
    if (!o.ledger) excess = r_of(0.0);
    rvec couple = {r_of(0.0), r_of(0.0), r_of(0.0)};
    if (o.kind == CONTACT_ANY) couple = r->couple;
    real f[4] = {r->force.x, r->force.y, r->force.z, excess};
    real m[4] = {couple.x, couple.y, couple.z, r_of(0.0)};
    transpose(f), transpose(m);
    for (int l = 0; l < live; l++) {
        store4(to + 8 * (size_t)at[l], f[l]);
        store4(to + 8 * (size_t)at[l] + 4, m[l]);
    }
}

SCR_INLINE mask flags(const uint8_t *touch, const uint32_t *at)
{
    mask m;
    for (int l = 0; l < 4; l++) m[l] = -(int64_t)touch[at[l]];
    return m;
}

// force on the first bodies, its opposite on the second, torques on both
SCR_INLINE void scatter_pairs(const soft_task *t, contact_options o, const uint32_t *at, int live,
                              const contact_result *r, const real arm[2])
{
    const scr_pairs *p = t->pairs;
    size_t bodies = t->world->bodies.table.count;
    double *rows = t->world->bodies.load, *halo = p->halo;
    real f[4] = {r->force.x, r->force.y, r->force.z, r_of(0.0)};
    real ti[4] = {arm[0] * r->twist.x, arm[0] * r->twist.y, arm[0] * r->twist.z, r_of(0.0)};
    real tj[4] = {arm[1] * r->twist.x, arm[1] * r->twist.y, arm[1] * r->twist.z, r_of(0.0)};
    if (o.kind == CONTACT_ANY) {
        ti[0] -= r->couple.x, ti[1] -= r->couple.y, ti[2] -= r->couple.z;
        tj[0] += r->couple.x, tj[1] += r->couple.y, tj[2] += r->couple.z;
    }
    transpose(f), transpose(ti), transpose(tj);
    for (int l = 0; l < live; l++) {
        size_t sink = p->sink[at[l]];
        double *a = rows + 8 * (size_t)p->first[at[l]];
        double *b = sink < bodies ? rows + 8 * sink : halo + 8 * (sink - bodies);
        store4(a, load4(a) + f[l]);
        store4(a + 4, load4(a + 4) - ti[l]);
        store4(b, load4(b) - f[l]);
        store4(b + 4, load4(b + 4) - tj[l]);
    }
}

SCR_INLINE void body_pairs(const soft_task *t, contact_options o, size_t block, lane_sums *sums)
{
    const scr_pairs *p = t->pairs;
    bool one_law = t->world->material_count == 1;
    const uint32_t zeros[4] = {0};
    contact_law law = law_lanes(o, t->world->laws, (const uint16_t[4]){0}, zeros);
    contact_sizes sizes = {.inverse_mass = r_of(0.0)};
    real dt = r_of(t->dt);
    uint32_t list[CHUNK + 8];

    uint32_t end = p->block_pairs[block + 1];
    for (uint32_t from = p->block_pairs[block]; from < end; from += CHUNK) {
        int n = touching(t, from, from + CHUNK < end ? from + CHUNK : end, list);
        // a last group that is not full repeats its last pair in lanes that do not count
        for (int l = 0; l < 4; l++) list[n + l] = list[n > 0 ? n - 1 : 0];
        for (int g = 0; g < n; g += 4) {
            const uint32_t *at = list + g;
            int live = n - g < 4 ? n - g : 4;
            contact_state c;
            real arm[2], most;
            pair_state(t, o, at, &c, arm, &most);
            if (!one_law) law = law_lanes(o, t->world->laws, p->law, at);
            c.was = flags(p->touch, at);
            c.touch = contact_touch(o, &law, c.delta, c.inverse_radius, c.was);
            contact_sizes_update(&sizes, c.inverse_mass);
            contact_history h = load_history(o, p->history, p->wide, at);
            contact_result r = contact_force(o, dt, r_of(t->opening), &c, &law, &sizes, &h);
            scatter_pairs(t, o, at, live, &r, arm);
            store_history(o, p->history, p->wide, p->touch, at, live, &h, c.touch);
            if (o.ledger) add_sums(sums, o, &r, live_lanes[live]);
            if (o.ledger && t->spent) add_spent(p->wide, at, live, &r, &c, o);
            if (t->record) record(p->record, at, live, &r, o);
            note_worst(sums, c.delta, most, live_lanes[live], at, 0);
            sums->contacts -= c.touch & live_lanes[live];
        }
    }
}

#include "step/soft/walls_text.h"

static size_t block_end(const soft_task *t, size_t block)
{
    size_t end = (block + 1) * SCR_BLOCK, count = t->world->bodies.table.count;
    return end < count ? end : count;
}

SCR_INLINE void forces_with(const soft_task *t, contact_options o, size_t block)
{
    const scr_pairs *p = t->pairs;
    size_t first = block * SCR_BLOCK, end = block_end(t, block);
    for (size_t k = 8 * first; k < 8 * end; k += 4) store4(t->world->bodies.load + k, r_of(0.0));
    for (size_t k = 8 * (size_t)p->block_halo[block]; k < 8 * (size_t)p->block_halo[block + 1];
         k += 4)
        store4(p->halo + k, r_of(0.0));
    size_t wall_loads = SOFT_WALL_SUMS * (size_t)t->world->wall_count;
    for (size_t k = 0; k < wall_loads; k++) t->wall_loads[block * wall_loads + k] = 0;

    lane_sums s = {0};
    body_pairs(t, o, block, &s);
    wall_pairs(t, o, block, &s);
    t->sums[block] =
        (soft_sums){.damping = lane_total(s.damping),
                    .friction = lane_total(s.friction),
                    .rolling = lane_total(s.rolling),
                    .elastic_rolling = lane_total(s.elastic_rolling),
                    .excess_rolling = lane_total(s.excess_rolling),
                    .elastic_normal = lane_total(s.elastic_normal),
                    .elastic_tangential = lane_total(s.elastic_tangential),
                    .excess_damping = lane_total(s.excess_damping),
                    .excess_friction = lane_total(s.excess_friction),
                    .appeared = s.appeared,
                    .worst = s.worst_value,
                    .worst_pair = s.worst_pair,
                    .contacts = s.contacts[0] + s.contacts[1] + s.contacts[2] + s.contacts[3]};
}

// One loop per combination of options, so that none is asked inside; the general one asks.
#define FORCES(name, k, a, b, c)                                                                   \
    static void name(const soft_task *t, size_t block)                                             \
    {                                                                                              \
        forces_with(t, (contact_options){.kind = k, .improved = a, .lammps = b, .ledger = c},      \
                    block);                                                                        \
    }
#define FORCES_OF(kind)                                                                            \
    FORCES(standard_##kind, CONTACT_##kind, 0, 0, 1)                                               \
    FORCES(improved_##kind, CONTACT_##kind, 1, 0, 1)                                               \
    FORCES(standard_##kind##_bare, CONTACT_##kind, 0, 0, 0)                                        \
    FORCES(improved_##kind##_bare, CONTACT_##kind, 1, 0, 0)                                        \
    FORCES(lammps_##kind, CONTACT_##kind, 0, 1, 1)                                                 \
    FORCES(improved_lammps_##kind, CONTACT_##kind, 1, 1, 1)
FORCES_OF(HOOKE)
FORCES_OF(HERTZ)
FORCES(forces_any, CONTACT_ANY, t->improved, t->lammps, t->ledger)

#define LOOPS_OF(kind)                                                                             \
    {                                                                                              \
        standard_##kind##_bare, standard_##kind, lammps_##kind, lammps_##kind,                     \
            improved_##kind##_bare, improved_##kind, improved_lammps_##kind,                       \
            improved_lammps_##kind                                                                 \
    }

static void forces(const soft_task *t, size_t block)
{
    static void (*const loop[2][8])(const soft_task *, size_t) = {LOOPS_OF(HOOKE), LOOPS_OF(HERTZ)};
    if (t->kind == CONTACT_ANY)
        forces_any(t, block);
    else
        loop[t->kind][4 * t->improved + 2 * t->lammps + t->ledger](t, block);
}

static void collect(const soft_task *t, size_t block)
{
    const scr_pairs *p = t->pairs;
    for (uint32_t k = p->block_inbox[block]; k < p->block_inbox[block + 1]; k++) {
        const double *from = p->halo + 8 * (size_t)p->inbox[k];
        double *to = t->world->bodies.load + 8 * (size_t)p->halo_body[p->inbox[k]];
        store4(to, load4(to) + load4(from));
        store4(to + 4, load4(to + 4) + load4(from + 4));
    }
}

// half a step of acceleration; the fourth lanes (inverse mass and inertia) see zero force and stay
SCR_INLINE void kick_body(const scr_bodies *b, size_t i, double half, real gravity)
{
    real v = load4(b->motion + 4 * i), w = load4(b->spin + 4 * i);
    v += half * (v[3] * load4(b->load + 8 * i) + gravity);
    w += half * (w[3] * load4(b->load + 8 * i + 4));
    store4(b->motion + 4 * i, v);
    store4(b->spin + 4 * i, w);
}

static void kick(const soft_task *t, size_t block)
{
    const scr_bodies *b = &t->world->bodies;
    vec3 g = t->world->gravity;
    for (size_t i = block * SCR_BLOCK, end = block_end(t, block); i < end; i++)
        if (b->motion[4 * i + 3] != 0) kick_body(b, i, 0.5 * t->dt, (real){g.x, g.y, g.z, 0});
}

static bool kick_drift(const soft_task *t, size_t block)
{
    const scr_bodies *b = &t->world->bodies;
    vec3 g = t->world->gravity;
    const double dt = t->dt;
    const real step = {dt, dt, dt, 0};
    double slack2 = scr_pairs_slack2(t->world), since = scr_pairs_age(&t->world->clock);
    const real age = {since, since, since, 0};
    bool stale = since > t->world->clock.horizon;
    for (size_t i = block * SCR_BLOCK, end = block_end(t, block); i < end; i++) {
        if (b->motion[4 * i + 3] != 0) kick_body(b, i, 0.5 * dt, (real){g.x, g.y, g.z, 0});
        real x = load4(b->place + 4 * i) + step * load4(b->motion + 4 * i);
        real d = x - (load4(b->anchor + 4 * i) + age * load4(b->drift + 4 * i));
        store4(b->place + 4 * i, x);
        // not a number compares false and asks for a rebuild, which reports it
        stale |= !(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= slack2);
    }
    return stale;
}

const soft_loops SOFT_LOOPS = {kick_drift, forces, collect, kick};
