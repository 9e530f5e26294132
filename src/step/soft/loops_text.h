/* Text of the loops, included once per instruction set with SCR_LANES lanes of doubles and SOFT_LOOPS
 * naming the table.
 *
 * The force loop goes through a block's pairs in chunks: a first pass finds those that touch (or
 * touched before), a second computes SCR_LANES of them at a time from full lanes. Sums are taken
 * contact by contact in the order of the list, so that they do not depend on the number of lanes. */
#include <string.h>

#include "kernel/contact.h"
#include "kernel/kick.h"
#include "kernel/pair.h"
#include "step/soft/loops.h"
#include "step/soft/rows.h"

#define CHUNK 256

// a law is rows of four numbers, of which the usual kinds need the first
#define USUAL_ROWS 2
SCR_INLINE contact_law law_lanes(contact_options o, const scr_law *laws, const uint16_t *law, const uint32_t *at)
{
    enum { ROWS = sizeof(scr_law) / sizeof(row4) };
    real m[ROWS][4];
    for (int k = 0; k < ROWS; k++) {
        if (o.kind != CONTACT_ANY && k >= USUAL_ROWS) continue;
        row4 row[LANES];
        for (int l = 0; l < LANES; l++) row[l] = load4(&laws[law[at[l]]].kn + 4 * k);
        to_lanes(m[k], row);
    }
    contact_law p;
#define AT(member) (offsetof(scr_law, member) / sizeof(double))
#define F(member, unit, doc) \
    if (o.kind == CONTACT_ANY || AT(member) < 4 * USUAL_ROWS) p.member = m[AT(member) / 4][AT(member) % 4];
    SCR_LAW_NUMBERS(F)
#undef F
#undef AT
    return p;
}

/* Sums of a block, in rows of four numbers. */
typedef struct {
    row4 energy; // damping, friction, elastic normal, elastic tangential
    row4 more;   // excess of damping, rolling, elastic rolling, excess of rolling
    real worst;
    double worst_value, appeared, plastic;
    uint32_t worst_pair;
    int64_t contacts;
} block_sums;

// lanes that neither touch nor touched before have nothing to add
SCR_INLINE void add_sums(block_sums *s, contact_options o, const contact_result *r, int live)
{
    row4 row[LANES];
    to_rows(row, r->damping, r->friction, r->elastic_normal, r->elastic_tangential);
    for (int l = 0; l < live; l++) s->energy += row[l];
    const real none = r_of(0.0);
    if (o.kind == CONTACT_ANY)
        to_rows(row, r->excess_damping, r->rolling, r->elastic_rolling, r->excess_rolling);
    else
        to_rows(row, r->excess_damping, none, none, none);
    for (int l = 0; l < live; l++) s->more += row[l];
    if (o.kind == CONTACT_ANY && r_any(r_less(r_of(0.0), r->plastic)))
        for (int l = 0; l < live; l++) s->plastic += r->plastic[l];
}

// the deepest overlap of these lanes over what each may be, if it is the block's deepest
SCR_INLINE void note_worst(block_sums *s, real delta, real most, mask live, const uint32_t *pair, uint32_t base)
{
    if (!r_any(r_less(s->worst * most, delta) & live)) return;
    real depth = r_where(live, delta / most);
    for (int l = 0; l < LANES; l++)
        if (depth[l] > s->worst_value) s->worst_value = depth[l], s->worst_pair = base + pair[l];
    s->worst = r_of(s->worst_value);
}

// flags of 0 or 1, one byte each, as bits
SCR_INLINE unsigned touched_bits(const uint8_t *touch)
{
    unsigned bits = 0;
    for (int part = 0; part < LANES; part += 4) {
        uint32_t four;
        memcpy(&four, touch + part, 4);
        bits |= (four * 0x10204080u) >> 28 << part;
    }
    return bits;
}

// first pass: which of the pairs [from, to) touch now or did at the last evaluation
SCR_INLINE int touching(const soft_task *t, bool images, uint32_t from, uint32_t to, uint32_t *list)
{
    const scr_pairs *p = t->pairs;
    const double *place = t->world->bodies.place;
    const irow4 last = {0, 0, 0, -1};
    int n = 0;
    for (uint32_t k = from; k < to; k += LANES) {
        // rows of differences, with the sum of the radii in the fourth place
        row4 row[LANES];
        for (uint32_t l = 0; l < LANES; l++) {
            row4 a = load4(place + 4 * (size_t)p->first[k + l]);
            row4 b = load4(place + 4 * (size_t)p->second[k + l]);
            row[l] = (row4)(((irow4)(a + b) & last) | ((irow4)(a - b) & ~last));
        }
        real m[4];
        to_lanes(m, row);
        rvec d = {m[0], m[1], m[2]};
        if (images) pair_nearest(t->images.length, t->images.inverse, &d);
        real reach = m[3] + p->range;
        unsigned bits = bits_of(r_less(rv_dot(d, d), reach * reach)) | touched_bits(p->touch + k);
        // beyond the end are pairs of the next block
        if (to - k < LANES) bits &= (1u << (to - k)) - 1;
        pack(list + n, k, bits);
        n += __builtin_popcount(bits);
    }
    return n;
}

// two bodies that nothing can push have their own masses, so that dampers between them are finite. Apart from the loop,
// which keeps its state in registers
static __attribute__((noinline, cold)) void set_held(const soft_task *t, const uint32_t *at, real *inverse_mass,
                                                     real *inverse_inertia)
{
    const scr_bodies *b = &t->world->bodies;
    for (int l = 0; l < LANES; l++) {
        size_t i = t->pairs->first[at[l]], j = t->pairs->second[at[l]];
        if ((*inverse_mass)[l] > 0) continue;
        double mi = b->mass[i], mj = b->mass[j], ri = b->place[4 * i + 3], rj = b->place[4 * j + 3];
        (*inverse_mass)[l] = 1 / mi + 1 / mj;
        (*inverse_inertia)[l] = 2.5 / (mi * ri * ri) + 2.5 / (mj * rj * rj);
    }
}

// geometry of pairs of bodies
SCR_INLINE void pair_state(const soft_task *t, contact_options o, bool images, const uint32_t *at, contact_state *c,
                           real arm[2], real *most)
{
    const scr_pairs *p = t->pairs;
    const scr_bodies *all = &t->world->bodies;
    uint32_t i[LANES], j[LANES];
    real xi[4], xj[4], vi[4], vj[4], wi[4], wj[4];
    for (int l = 0; l < LANES; l++) i[l] = p->first[at[l]], j[l] = p->second[at[l]];
    load_rows(xi, all->place, i), load_rows(xj, all->place, j);
    load_rows(vi, all->motion, i), load_rows(vj, all->motion, j);
    load_rows(wi, all->spin, i), load_rows(wj, all->spin, j);

    pair_body a = {{xi[0], xi[1], xi[2]}, {vi[0], vi[1], vi[2]}, {wi[0], wi[1], wi[2]}, xi[3], vi[3], wi[3]};
    pair_body b = {{xj[0], xj[1], xj[2]}, {vj[0], vj[1], vj[2]}, {wj[0], wj[1], wj[2]}, xj[3], vj[3], wj[3]};
    rvec d = rv_sub(a.x, b.x);
    if (images) pair_nearest(t->images.length, t->images.inverse, &d);
    pair_contact(o, t->dt, &a, &b, d, c, arm);
    if (t->held) {
        real mass = c->inverse_mass, inertia = c->inverse_inertia;
        set_held(t, at, &mass, &inertia);
        c->inverse_mass = mass, c->inverse_inertia = inertia;
    }
    *most = r_min(a.radius, b.radius);
}

// histories are rows of four; the wide ones, where there are any, rows of eight
SCR_INLINE contact_history load_history(contact_options o, const contact_law *law, const double *history,
                                        const double *wide, const uint32_t *at)
{
    real m[4];
    load_rows(m, history, at);
    contact_history h = {.h = {m[0], m[1], m[2]}, .viscous = m[3]};
    if (o.kind != CONTACT_ANY) return h;
    load_lanes(m, wide, 8, at);
    h.roll = (rvec){m[0], m[1], m[2]};
    h.twist = m[3];
    h.residual = r_of(0.0);
    if (r_any(contact_remembers(law)))
        for (int l = 0; l < LANES; l++) h.residual[l] = wide[8 * (size_t)at[l] + 5];
    return h;
}

SCR_INLINE void store_history(contact_options o, const contact_law *law, double *history, double *wide, uint8_t *touch,
                              const uint32_t *at, int live, const contact_history *h, mask touches)
{
    row4 row[LANES];
    unsigned bits = bits_of(touches);
    to_rows(row, h->h.x, h->h.y, h->h.z, h->viscous);
    for (int l = 0; l < live; l++) {
        store4(history + 4 * (size_t)at[l], row[l]);
        touch[at[l]] = (uint8_t)(bits >> l & 1);
    }
    if (o.kind != CONTACT_ANY) return;
    to_rows(row, h->roll.x, h->roll.y, h->roll.z, h->twist);
    for (int l = 0; l < live; l++) store4(wide + 8 * (size_t)at[l], row[l]);
    if (r_any(contact_remembers(law)))
        for (int l = 0; l < live; l++) wide[8 * (size_t)at[l] + 5] = h->residual[l];
}

// what each contact has dissipated, in the fifth number of its wide history: from zero when it begins
SCR_INLINE void add_spent(double *wide, const uint32_t *at, int live, const contact_result *r, const contact_state *c,
                          contact_options o)
{
    real lost = r->damping + r->friction;
    if (o.kind == CONTACT_ANY) lost += r->rolling + r->plastic;
    for (int l = 0; l < live; l++) {
        double *spent = wide + 8 * (size_t)at[l] + 4;
        *spent = c->touch[l] ? (c->was[l] ? *spent : 0) + lost[l] : 0;
    }
}

// forces for observers: force and what is lost beyond `spent`, couple
SCR_INLINE void record(double *to, const uint32_t *at, int live, const contact_result *r, contact_options o)
{
    real excess = r->excess_damping;
    if (o.kind == CONTACT_ANY) excess += r->excess_rolling;
    if (!o.ledger) excess = r_of(0.0);
    rvec couple = {r_of(0.0), r_of(0.0), r_of(0.0)};
    if (o.kind == CONTACT_ANY) couple = r->couple;
    row4 f[LANES], m[LANES];
    to_rows(f, r->force.x, r->force.y, r->force.z, excess);
    to_rows(m, couple.x, couple.y, couple.z, r_of(0.0));
    for (int l = 0; l < live; l++) {
        store4(to + 8 * (size_t)at[l], f[l]);
        store4(to + 8 * (size_t)at[l] + 4, m[l]);
    }
}

// force on the first bodies, its opposite on the second, torques on both
SCR_INLINE void scatter_pairs(const soft_task *t, contact_options o, const uint32_t *at, int live,
                              const contact_state *c, const contact_result *r, const real arm[2])
{
    const scr_pairs *p = t->pairs;
    size_t bodies = t->world->bodies.table.count;
    double *rows = t->world->bodies.load, *halo = p->halo;
    rvec torque[2];
    pair_torques(o, c, r, arm, torque);
    row4 f[LANES], ti[LANES], tj[LANES];
    to_rows(f, r->force.x, r->force.y, r->force.z, r_of(0.0));
    to_rows(ti, torque[0].x, torque[0].y, torque[0].z, r_of(0.0));
    to_rows(tj, torque[1].x, torque[1].y, torque[1].z, r_of(0.0));
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

// what the second pass will read, on its way while the first pairs are worked off
SCR_INLINE void fetch_ahead(const soft_task *t, const uint32_t *list, int n)
{
    const scr_pairs *p = t->pairs;
    const scr_bodies *b = &t->world->bodies;
    for (int l = 0; l < n; l++) {
        size_t j = p->second[list[l]];
        __builtin_prefetch(p->history + 4 * (size_t)list[l], 1);
        __builtin_prefetch(b->motion + 4 * j);
        __builtin_prefetch(b->spin + 4 * j);
    }
}

SCR_INLINE void body_pairs(const soft_task *t, contact_options o, size_t block, block_sums *sums)
{
    const scr_pairs *p = t->pairs;
    bool one_law = t->world->material_count == 1, images = p->block_images[block];
    const uint32_t zeros[LANES] = {0};
    contact_law law = law_lanes(o, t->world->laws, (const uint16_t[1]){0}, zeros);
    contact_sizes sizes = {.inverse_mass = r_of(0.0)};
    real dt = r_of(t->dt);
    uint32_t list[CHUNK + 2 * LANES];

    uint32_t end = p->block_pairs[block + 1];
    for (uint32_t from = p->block_pairs[block]; from < end; from += CHUNK) {
        int n = touching(t, images, from, from + CHUNK < end ? from + CHUNK : end, list);
        // a last group that is not full repeats its last pair in lanes that do not count
        for (int l = 0; l < LANES; l++) list[n + l] = list[n > 0 ? n - 1 : 0];
        fetch_ahead(t, list, n);
        for (int g = 0; g < n; g += LANES) {
            const uint32_t *at = list + g;
            int live = n - g < LANES ? n - g : LANES;
            contact_state c;
            real arm[2], most;
            pair_state(t, o, images, at, &c, arm, &most);
            if (!one_law) law = law_lanes(o, t->world->laws, p->law, at);
            c.was = flags(p->touch, at);
            c.touch = contact_touch(o, &law, c.delta, c.inverse_radius, c.was);
            contact_sizes_update(&sizes, c.inverse_mass);
            contact_history h = load_history(o, &law, p->history, p->wide, at);
            contact_result r = contact_force(o, dt, r_of(t->opening), &c, &law, &sizes, &h);
            scatter_pairs(t, o, at, live, &c, &r, arm);
            store_history(o, &law, p->history, p->wide, p->touch, at, live, &h, c.touch);
            if (o.ledger) add_sums(sums, o, &r, live);
            if (o.ledger && t->spent) add_spent(p->wide, at, live, &r, &c, o);
            if (t->record) record(p->record, at, live, &r, o);
            note_worst(sums, c.delta, most, live_lanes(live), at, 0);
            sums->contacts += __builtin_popcount(bits_of(c.touch) & ((1u << live) - 1));
        }
    }
}

#include "step/soft/walls_text.h"

static size_t block_first(const soft_task *t, size_t block)
{
    return scr_block_first(&t->world->blocks, block);
}

static size_t block_end(const soft_task *t, size_t block)
{
    return scr_block_end(&t->world->blocks, block);
}

SCR_INLINE void forces_with(const soft_task *t, contact_options o, size_t block)
{
    const scr_pairs *p = t->pairs;
    size_t first = block_first(t, block), end = block_end(t, block);
    for (size_t k = 8 * first; k < 8 * end; k += 4) store4(t->world->bodies.load + k, (row4){0});
    for (size_t k = 8 * (size_t)p->block_halo[block]; k < 8 * (size_t)p->block_halo[block + 1]; k += 4)
        store4(p->halo + k, (row4){0});
    size_t wall_loads = SOFT_WALL_SUMS * (size_t)t->world->wall_count;
    for (size_t k = 0; k < wall_loads; k++) t->wall_loads[block * wall_loads + k] = 0;
    size_t walls = t->wall_exact ? 3 * (size_t)t->world->wall_count : 0;
    for (size_t k = 0; k < walls; k++) t->wall_exact[block * walls + k] = 0;

    block_sums s = {0};
    body_pairs(t, o, block, &s);
    wall_pairs(t, o, block, &s);
    t->sums[block] = (soft_sums){.damping = s.energy[0],
                                 .friction = s.energy[1],
                                 .elastic_normal = s.energy[2],
                                 .elastic_tangential = s.energy[3],
                                 .excess_damping = s.more[0],
                                 .rolling = s.more[1],
                                 .elastic_rolling = s.more[2],
                                 .excess_rolling = s.more[3],
                                 .plastic = s.plastic,
                                 .appeared = s.appeared,
                                 .worst = s.worst_value,
                                 .worst_pair = s.worst_pair,
                                 .contacts = s.contacts};
}

// One loop per combination of options, so that none is asked inside; the general one asks.
#define FORCES(name, k, a, b, c)                                                                      \
    static void name(const soft_task *t, size_t block)                                                \
    {                                                                                                 \
        forces_with(t, (contact_options){.kind = k, .improved = a, .lammps = b, .ledger = c}, block); \
    }
#define FORCES_OF(kind)                                     \
    FORCES(standard_##kind, CONTACT_##kind, 0, 0, 1)        \
    FORCES(improved_##kind, CONTACT_##kind, 1, 0, 1)        \
    FORCES(standard_##kind##_bare, CONTACT_##kind, 0, 0, 0) \
    FORCES(improved_##kind##_bare, CONTACT_##kind, 1, 0, 0) \
    FORCES(lammps_##kind, CONTACT_##kind, 0, 1, 1)          \
    FORCES(improved_lammps_##kind, CONTACT_##kind, 1, 1, 1)
FORCES_OF(HOOKE)
FORCES_OF(HERTZ)
FORCES(forces_any, CONTACT_ANY, t->improved, t->lammps, t->ledger)

#define LOOPS_OF(kind)                                                                                 \
    {                                                                                                  \
        standard_##kind##_bare, standard_##kind, lammps_##kind, lammps_##kind, improved_##kind##_bare, \
            improved_##kind, improved_lammps_##kind, improved_lammps_##kind                            \
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
SCR_INLINE void kick_body(const scr_bodies *b, size_t i, double half, row4 gravity)
{
    row4 v = load4(b->motion + 4 * i), w = load4(b->spin + 4 * i);
    v = kick_velocity(v, half, v[3], load4(b->load + 8 * i), gravity);
    w = kick_spin(w, half, w[3], load4(b->load + 8 * i + 4));
    store4(b->motion + 4 * i, v);
    store4(b->spin + 4 * i, w);
}

// frozen bodies stay where they are: the loops below leave them out
SCR_INLINE size_t first_mover(const soft_task *t, size_t block)
{
    return t->movers ? t->block_movers[block] : block_first(t, block);
}

SCR_INLINE size_t end_of_movers(const soft_task *t, size_t block)
{
    return t->movers ? t->block_movers[block + 1] : block_end(t, block);
}

static void kick(const soft_task *t, size_t block)
{
    const scr_bodies *b = &t->world->bodies;
    vec3 g = t->world->gravity;
    for (size_t k = first_mover(t, block), end = end_of_movers(t, block); k < end; k++) {
        size_t i = t->movers ? t->movers[k] : k;
        if (b->motion[4 * i + 3] != 0) kick_body(b, i, 0.5 * t->dt, (row4){g.x, g.y, g.z, 0});
    }
}

static bool kick_drift(const soft_task *t, size_t block)
{
    const scr_bodies *b = &t->world->bodies;
    vec3 g = t->world->gravity;
    const double dt = t->dt;
    const row4 step = {dt, dt, dt, 0};
    double slack2 = scr_pairs_slack2(t->world), since = scr_pairs_age(&t->world->clock);
    const row4 age = {since, since, since, 0};
    bool stale = since > t->world->clock.horizon;
    for (size_t k = first_mover(t, block), end = end_of_movers(t, block); k < end; k++) {
        size_t i = t->movers ? t->movers[k] : k;
        if (b->motion[4 * i + 3] != 0) kick_body(b, i, 0.5 * dt, (row4){g.x, g.y, g.z, 0});
        row4 x = kick_drift_place(load4(b->place + 4 * i), step, load4(b->motion + 4 * i));
        row4 d = x - (load4(b->anchor + 4 * i) + age * load4(b->drift + 4 * i));
        store4(b->place + 4 * i, x);
        // not a number compares false and asks for a rebuild, which reports it
        stale |= !(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= slack2);
    }
    return stale;
}

const soft_loops SOFT_LOOPS = {kick_drift, forces, collect, kick};
