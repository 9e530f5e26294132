/* Text of the loops, included once per instruction set with SCR_LANES lanes of doubles and SOFT_LOOPS
 * naming the table.
 *
 * The force loop goes through a block's pairs in chunks: a first pass finds those that touch (or
 * touched before), a second computes SCR_LANES of them at a time from full lanes; what is left waits for the next
 * chunk. Forces are added contact by contact in the order of the list, energies in eight columns, contact k of the
 * block in column k mod 8: neither depends on the number of lanes, nor on pairs that do not touch. */
#include <string.h>

#include "kernel/contact.h"
#include "kernel/kick.h"
#include "kernel/pair.h"
#include "step/soft/cpu/loops.h"
#include "step/soft/cpu/rows.h"

#define CHUNK 1024 /* pairs */
#define AHEAD 2    /* vectors of contacts whose rows are asked for before they are computed, */
#define MANY  4096 /* where there are more bodies than the nearer caches hold */

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

/* Sums of a block: accounts in eight columns. */
#define ACCOUNTS(A, B)   \
    CONTACT_LOSSES(A, B) \
    A(elastic_normal) A(elastic_tangential) A(excess_damping) B(elastic_rolling) B(excess_rolling)
#define COLUMNS (8 / LANES)
typedef struct {
#define A(account, ...) real account[COLUMNS];
    ACCOUNTS(A, A)
#undef A
    real worst;
    double worst_value, appeared;
    uint32_t worst_pair;
    int64_t contacts;
    unsigned groups; // of LANES contacts, so far
} block_sums;

// lanes beyond the last contact have nothing to add; most groups are full, and are not asked lane by lane
SCR_INLINE void add_sums(block_sums *s, contact_options o, const contact_result *r, int live)
{
    unsigned column = s->groups++ % COLUMNS;
    mask own = live_lanes(live);
#define B(account, ...) \
    if (o.kind == CONTACT_ANY) A(account)
    if (live == LANES) {
#define A(account, ...) s->account[column] += r->account;
        ACCOUNTS(A, B)
#undef A
    } else {
#define A(account, ...) s->account[column] += r_where(own, r->account);
        ACCOUNTS(A, B)
#undef A
    }
#undef B
}

static double add_columns(const real *account)
{
    double sum = 0;
    for (int l = 0; l < 8; l++) sum += account[l / LANES][l % LANES];
    return sum;
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

/* Whether pairs may be near through a periodic side; in a box that deforms images move, and there is a loop of its own,
 * for all kinds of contacts, so that others need not ask. */
typedef enum { IMAGES_NONE, IMAGES_REST, IMAGES_MOVE } images_kind;

// the nearest image in a box that deforms, and its velocity: as scr_image_deformed
SCR_INLINE void deformed_image(const scr_images *m, rvec *d, rvec *v)
{
    const double *length = m->length, *tilt = m->tilt, *speed = m->speed;
    real n = pair_round(d->z * m->inverse[2]);
    d->x -= n * tilt[1], d->y -= n * tilt[2], d->z -= n * length[2];
    v->x -= n * speed[4], v->y -= n * speed[5], v->z -= n * speed[2];
    n = pair_round(d->y * m->inverse[1]);
    d->x -= n * tilt[0], d->y -= n * length[1];
    v->x -= n * speed[3], v->y -= n * speed[1];
    n = pair_round(d->x * m->inverse[0]);
    d->x -= n * length[0];
    v->x -= n * speed[0];
}

// which of these pairs are within reach of each other, as bits
SCR_INLINE unsigned near(const soft_task *t, images_kind images, const uint32_t *at)
{
    const scr_pairs *p = t->pairs;
    uint32_t i[LANES], j[LANES];
    for (int l = 0; l < LANES; l++) i[l] = p->first[at[l]], j[l] = p->second[at[l]];
    real m[4];
    load_between(m, t->world->bodies.place, i, j);
    rvec d = {m[0], m[1], m[2]}, unasked = d;
    if (images == IMAGES_REST) pair_nearest(t->images.length, t->images.inverse, &d);
    if (images == IMAGES_MOVE) deformed_image(&t->images, &d, &unasked);
    real reach = m[3] + p->range;
    return bits_of(r_less(rv_fdot(d, d), reach * reach));
}

// first pass: which of the pairs [from, to) touch now or did at the last evaluation. Only pairs that did not are
// looked at.
SCR_INLINE int touching(const soft_task *t, images_kind images, uint32_t from, uint32_t to, uint32_t *list)
{
    uint32_t apart[CHUNK + 2 * LANES];
    uint8_t bits[CHUNK / LANES];
    int open = 0, n = 0;
    for (uint32_t k = from; k < to; k += LANES) {
        // beyond the end are pairs of the next block
        unsigned all = to - k < LANES ? (1u << (to - k)) - 1 : (1u << LANES) - 1;
        unsigned was = touched_bits(t->pairs->touch + k) & all, other = all & ~was;
        bits[(k - from) / LANES] = (uint8_t)was;
        pack(apart + open, k, other);
        open += __builtin_popcount(other);
    }
    for (int l = 0; l < LANES; l++) apart[open + l] = from;
    for (int g = 0; g < open; g += LANES) {
        unsigned now = near(t, images, apart + g);
        if (open - g < LANES) now &= (1u << (open - g)) - 1;
        for (; now; now &= now - 1) {
            uint32_t k = apart[g + __builtin_ctz(now)] - from;
            bits[k / LANES] |= (uint8_t)(1u << k % LANES);
        }
    }
    for (uint32_t k = from; k < to; k += LANES) {
        unsigned now = bits[(k - from) / LANES];
        pack(list + n, k, now);
        n += __builtin_popcount(now);
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
SCR_INLINE void pair_state(const soft_task *t, contact_options o, images_kind images, const uint32_t *at,
                           contact_state *c, contact_sizes *sizes, real arm[2], real *most)
{
    const scr_pairs *p = t->pairs;
    const scr_bodies *all = &t->world->bodies;
    uint32_t i[LANES], j[LANES];
    real xi[4], xj[4], v[4], wi[4], wj[4];
    for (int l = 0; l < LANES; l++) i[l] = p->first[at[l]], j[l] = p->second[at[l]];
    load_rows(xi, all->place, i), load_rows(xj, all->place, j);
    load_between(v, all->motion, i, j);
    load_rows(wi, all->spin, i), load_rows(wj, all->spin, j);

    pair_body a = {{wi[0], wi[1], wi[2]}, xi[3], wi[3]}, b = {{wj[0], wj[1], wj[2]}, xj[3], wj[3]};
    rvec d = {xi[0] - xj[0], xi[1] - xj[1], xi[2] - xj[2]}, dv = {v[0], v[1], v[2]};
    if (images == IMAGES_REST) pair_nearest(t->images.length, t->images.inverse, &d);
    if (images == IMAGES_MOVE) deformed_image(&t->images, &d, &dv);
    pair_contact(o, t->dt, &a, &b, d, dv, sizes, c, arm);
    c->inverse_mass = v[3];
    if (t->held) {
        real mass = c->inverse_mass, inertia = c->inverse_inertia;
        set_held(t, at, &mass, &inertia);
        c->inverse_mass = mass, c->inverse_inertia = inertia;
    }
    *most = r_min(a.radius, b.radius);
}

// histories are rows of four; the wide ones, where there are any, rows of eight
SCR_INLINE void load_history(contact_options o, const contact_law *law, const double *history, const double *wide,
                             const uint32_t *at, contact_history *h)
{
    real m[4];
    load_rows(m, history, at);
    h->h = (rvec){m[0], m[1], m[2]};
    h->viscous = m[3];
    if (o.kind != CONTACT_ANY) return;
    load_lanes(m, wide, 8, at);
    h->roll = (rvec){m[0], m[1], m[2]};
    h->twist = m[3];
    h->residual = r_of(0.0);
    if (r_any(contact_remembers(law)))
        for (int l = 0; l < LANES; l++) h->residual[l] = wide[8 * (size_t)at[l] + 5];
}

SCR_INLINE void store_history(contact_options o, const contact_law *law, double *history, double *wide, uint8_t *touch,
                              const uint32_t *at, int live, const contact_history *h, const contact_state *c)
{
    row4 row[LANES];
    unsigned bits = bits_of(c->touch);
    to_rows(row, h->h.x, h->h.y, h->h.z, h->viscous);
    for (int l = 0; l < live; l++) store4(history + 4 * (size_t)at[l], row[l]);
    if (bits != bits_of(c->was))
        for (int l = 0; l < live; l++) touch[at[l]] = (uint8_t)(bits >> l & 1);
    if (o.kind != CONTACT_ANY) return;
    to_rows(row, h->roll.x, h->roll.y, h->roll.z, h->twist);
    for (int l = 0; l < live; l++) store4(wide + 8 * (size_t)at[l], row[l]);
    // of those who remember alone: a contact's history must not depend on the lanes beside it
    unsigned remember = bits_of(contact_remembers(law));
    for (int l = 0; remember && l < live; l++)
        if (remember >> l & 1) wide[8 * (size_t)at[l] + 5] = h->residual[l];
}

// what each contact has dissipated, in the fifth number of its wide history: from zero when it begins
SCR_INLINE void add_spent(double *wide, const uint32_t *at, int live, const contact_result *r, const contact_state *c,
                          contact_options o)
{
    real lost = r_of(0.0), other = r_of(0.0);
#define F(loss, NAME) lost += r->loss;
#define G(loss, NAME) other += r->loss;
    CONTACT_LOSSES(F, G)
#undef F
#undef G
    if (o.kind == CONTACT_ANY) lost += other;
    unsigned touch = bits_of(c->touch), was = bits_of(c->was);
    for (int l = 0; l < live; l++) {
        double *spent = wide + 8 * (size_t)at[l] + 4;
        *spent = touch >> l & 1 ? (was >> l & 1 ? *spent : 0) + lost[l] : 0;
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
    row8 gain[LANES], loss[LANES];
    to_rows8(gain, r->force, torque[0]);
    to_rows8(loss, r->force, torque[1]);
    for (int l = 0; l < live; l++) {
        size_t sink = p->sink[at[l]];
        add8(rows + 8 * (size_t)p->first[at[l]], gain[l]);
        subtract8(sink < bodies ? rows + 8 * sink : halo + 8 * (sink - bodies), loss[l]);
    }
}

// asks for what contacts to come need and what is not beside what was just read: rows of the second bodies, histories
SCR_INLINE void fetch_ahead(const soft_task *t, const uint32_t *at)
{
    const scr_pairs *p = t->pairs;
    const scr_bodies *all = &t->world->bodies;
    for (int l = 0; l < LANES; l++) {
        size_t j = p->second[at[l]];
        __builtin_prefetch(all->place + 4 * j);
        __builtin_prefetch(all->motion + 4 * j);
        __builtin_prefetch(all->spin + 4 * j);
        __builtin_prefetch(p->history + 4 * (size_t)at[l], 1);
    }
}

SCR_INLINE void body_pairs(const soft_task *t, contact_options o, bool deforms, size_t block, block_sums *sums)
{
    const scr_pairs *p = t->pairs;
    bool one_law = t->world->material_count == 1, many = t->world->bodies.table.count > MANY;
    images_kind images = deforms ? IMAGES_MOVE : p->block_images[block] ? IMAGES_REST : IMAGES_NONE;
    const uint32_t zeros[LANES] = {0};
    contact_law law = law_lanes(o, t->world->laws, (const uint16_t[1]){0}, zeros);
    contact_sizes sizes = {.inverse_mass = r_of(0.0), .first = r_of(0.0)};
    real dt = r_of(t->dt);
    uint32_t list[CHUNK + 3 * LANES];

    uint32_t end = p->block_pairs[block + 1];
    int n = 0;
    for (uint32_t from = p->block_pairs[block]; from < end; from += CHUNK) {
        bool last = end - from <= CHUNK;
        n += touching(t, images, from, last ? end : from + CHUNK, list + n);
        // a last group that is not full repeats its last pair in lanes that do not count
        for (int l = 0; last && l < LANES; l++) list[n + l] = list[n > 0 ? n - 1 : 0];
        int g = 0, ready = last ? n : n - n % LANES;
        for (; g < ready; g += LANES) {
            const uint32_t *at = list + g;
            int live = n - g < LANES ? n - g : LANES;
            contact_state c;
            real arm[2], most;
            if (many && g + (AHEAD + 1) * LANES <= n) fetch_ahead(t, at + AHEAD * LANES);
            pair_state(t, o, images, at, &c, &sizes, arm, &most);
            if (!one_law) law = law_lanes(o, t->world->laws, p->law, at);
            c.was = flags(p->touch, at);
            c.touch = contact_touch(o, &law, c.delta, c.radius, c.was);
            contact_sizes_update(&sizes, c.inverse_mass);
            contact_history h;
            load_history(o, &law, p->history, p->wide, at, &h);
            contact_result r = contact_force(o, dt, r_of(t->opening), &c, &law, &sizes, &h);
            scatter_pairs(t, o, at, live, &c, &r, arm);
            store_history(o, &law, p->history, p->wide, p->touch, at, live, &h, &c);
            if (o.ledger) add_sums(sums, o, &r, live);
            if (o.ledger && t->spent) add_spent(p->wide, at, live, &r, &c, o);
            if (t->record) record(p->record, at, live, &r, o);
            note_worst(sums, c.delta, most, live_lanes(live), at, 0);
            sums->contacts += __builtin_popcount(bits_of(c.touch) & ((1u << live) - 1));
        }
        n -= ready;
        for (int l = 0; l < LANES; l++) list[l] = list[ready + l];
    }
}

#include "step/soft/cpu/walls_text.h"

static size_t block_first(const soft_task *t, size_t block)
{
    return scr_block_first(&t->world->blocks, block);
}

static size_t block_end(const soft_task *t, size_t block)
{
    return scr_block_end(&t->world->blocks, block);
}

SCR_INLINE void forces_with(const soft_task *t, contact_options o, bool deforms, size_t block)
{
    const scr_pairs *p = t->pairs;
    size_t first = block_first(t, block), end = block_end(t, block);
    size_t slot = p->block_halo[block], slots = p->block_halo[block + 1] - slot;
    memset(t->world->bodies.load + 8 * first, 0, 8 * sizeof(double) * (end - first));
    if (slots) memset(p->halo + 8 * slot, 0, 8 * sizeof(double) * slots);
    size_t wall_loads = SOFT_WALL_SUMS * (size_t)t->world->wall_count;
    for (size_t k = 0; k < wall_loads; k++) t->wall_loads[block * wall_loads + k] = 0;
    size_t walls = t->wall_exact ? 3 * (size_t)t->world->wall_count : 0;
    for (size_t k = 0; k < walls; k++) t->wall_exact[block * walls + k] = 0;

    block_sums s = {0};
    body_pairs(t, o, deforms, block, &s);
    s.groups = 0;
    wall_pairs(t, o, block, &s);
    t->sums[block] = (soft_sums){
#define A(account, ...) .account = add_columns(s.account),
        ACCOUNTS(A, A)
#undef A
            .appeared = s.appeared,
        .worst = s.worst_value, .worst_pair = s.worst_pair, .contacts = s.contacts};
}

// One loop per combination of options, so that none is asked inside; the general ones ask.
#define FORCES(name, k, a, b, c, deforms)                                                                      \
    static void name(const soft_task *t, size_t block)                                                         \
    {                                                                                                          \
        forces_with(t, (contact_options){.kind = k, .improved = a, .lammps = b, .ledger = c}, deforms, block); \
    }
#define FORCES_OF(kind)                                            \
    FORCES(standard_##kind, CONTACT_##kind, 0, 0, 1, false)        \
    FORCES(improved_##kind, CONTACT_##kind, 1, 0, 1, false)        \
    FORCES(standard_##kind##_bare, CONTACT_##kind, 0, 0, 0, false) \
    FORCES(improved_##kind##_bare, CONTACT_##kind, 1, 0, 0, false) \
    FORCES(lammps_##kind, CONTACT_##kind, 0, 1, 1, false)          \
    FORCES(improved_lammps_##kind, CONTACT_##kind, 1, 1, 1, false)
FORCES_OF(HOOKE)
FORCES_OF(HERTZ)
FORCES(forces_any, CONTACT_ANY, t->improved, t->lammps, t->ledger, false)
FORCES(forces_deformed, CONTACT_ANY, t->improved, t->lammps, t->ledger, true)

#define LOOPS_OF(kind)                                                                                 \
    {                                                                                                  \
        standard_##kind##_bare, standard_##kind, lammps_##kind, lammps_##kind, improved_##kind##_bare, \
            improved_##kind, improved_lammps_##kind, improved_lammps_##kind                            \
    }

static void forces(const soft_task *t, size_t block)
{
    static void (*const loop[2][8])(const soft_task *, size_t) = {LOOPS_OF(HOOKE), LOOPS_OF(HERTZ)};
    if (t->images.deforms)
        forces_deformed(t, block);
    else if (t->kind == CONTACT_ANY)
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

// frozen bodies stay where they are: the loops below leave them out
SCR_INLINE size_t end_of_movers(const soft_task *t, size_t block)
{
    return t->movers ? t->movers_end[block] : block_end(t, block);
}

// half a step of acceleration, so many times; the fourth lanes (inverse mass and inertia) see zero force and stay
SCR_INLINE row4 kick_body(const scr_bodies *b, size_t i, row4 v, double half, row4 gravity, int times)
{
    row4 w = load4(b->spin + 4 * i), force = load4(b->load + 8 * i), torque = load4(b->load + 8 * i + 4);
    double inverse_mass = v[3], inverse_inertia = w[3];
    if (inverse_mass == 0) return v;
    for (int k = 0; k < times; k++) {
        v = kick_velocity(v, half, inverse_mass, force, gravity);
        w = kick_spin(w, half, inverse_inertia, torque);
    }
    store4(b->motion + 4 * i, v);
    store4(b->spin + 4 * i, w);
    return v;
}

static void kick(const soft_task *t, size_t block)
{
    const scr_bodies *b = &t->world->bodies;
    vec3 g = t->world->gravity;
    for (size_t k = block_first(t, block), end = end_of_movers(t, block); k < end; k++) {
        size_t i = t->movers ? t->movers[k] : k;
        kick_body(b, i, load4(b->motion + 4 * i), 0.5 * t->dt, (row4){g.x, g.y, g.z, 0}, 1);
    }
}

/* Looking at bodies, in a step or in several at once. A body at e from where the list expects it, with a velocity that
 * differs by u from the expected one, is at e + k dt u after k more steps, and at most dt dv k (k + 1)/2 from there if
 * each step changes its velocity by at most dv. So where e and e + (SOFT_AHEAD - 1) dt u are within 3/4 of the slack,
 * and dt dv within a part of the rest, it stays within its slack for SOFT_AHEAD - 1 steps. */
typedef struct {
    row4 age, ahead; /* [s] */
    double slack2, near2;
    row4 jolt2; /* of each component of dv [m^2/s^2] */
} lookout;

SCR_INLINE lookout look_out(const soft_task *t)
{
    double since = scr_pairs_age(&t->world->clock), ahead = (SOFT_AHEAD - 1) * t->dt;
    double slack2 = scr_pairs_slack2(t->world), steps = SOFT_AHEAD * (SOFT_AHEAD - 1) / 2,
           part = 0.25 / (steps * t->dt);
    double jolt2 = slack2 * part * part / 3;
    const row4 along = {1, 1, 1, 0};
    return (lookout){.age = since * along,
                     .ahead = ahead * along,
                     .slack2 = slack2,
                     .near2 = 0.5625 * slack2,
                     .jolt2 = {jolt2, jolt2, jolt2, jolt2}};
}

SCR_INLINE double length2(row4 d)
{
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

// not a number compares false and asks for a rebuild, which reports it
SCR_INLINE unsigned stray_of(const lookout *l, const scr_bodies *b, size_t i, row4 x, row4 v)
{
    row4 drift = load4(b->drift + 4 * i), e = x - (load4(b->anchor + 4 * i) + l->age * drift);
    double now2 = length2(e), soon2 = length2(e + l->ahead * (v - drift));
    return (now2 <= l->slack2 ? 0 : SOFT_STALE) | (now2 <= l->near2 && soon2 <= l->near2 ? 0 : SOFT_NEAR);
}

SCR_INLINE unsigned outlived(const soft_task *t)
{
    return scr_pairs_age(&t->world->clock) > t->world->clock.horizon ? SOFT_STALE : 0;
}

// so many half kicks, and the drift of a whole step
SCR_INLINE unsigned kicks_drift(const soft_task *t, size_t block, int kicks, bool calm)
{
    const scr_bodies *b = &t->world->bodies;
    const lookout l = look_out(t);
    vec3 g = t->world->gravity;
    const double dt = t->dt;
    const row4 step = dt * (row4){1, 1, 1, 0}, gravity = {g.x, g.y, g.z, 0};
    unsigned stray = outlived(t);
    irow4 slow = {-1, -1, -1, -1};
    for (size_t k = block_first(t, block), end = end_of_movers(t, block); k < end; k++) {
        size_t i = t->movers ? t->movers[k] : k;
        row4 from = load4(b->motion + 4 * i), v = kick_body(b, i, from, 0.5 * dt, gravity, kicks), dv = v - from;
        row4 x = kick_drift_place(load4(b->place + 4 * i), step, v);
        store4(b->place + 4 * i, x);
        if (calm)
            slow &= (irow4)(dv * dv <= l.jolt2);
        else
            stray |= stray_of(&l, b, i, x, v);
    }
    bool jolted = !(slow[0] & slow[1] & slow[2]);
    return stray | (calm && jolted ? SOFT_JOLTED : 0);
}

static unsigned begin(const soft_task *t, size_t block)
{
    return kicks_drift(t, block, 1, false);
}

static unsigned turn(const soft_task *t, size_t block)
{
    return t->calm ? kicks_drift(t, block, 2, true) : kicks_drift(t, block, 2, false);
}

static unsigned watch(const soft_task *t, size_t block)
{
    const scr_bodies *b = &t->world->bodies;
    const lookout l = look_out(t);
    unsigned stray = outlived(t);
    for (size_t k = block_first(t, block), end = end_of_movers(t, block); k < end; k++) {
        size_t i = t->movers ? t->movers[k] : k;
        stray |= stray_of(&l, b, i, load4(b->place + 4 * i), load4(b->motion + 4 * i));
    }
    return stray;
}

const soft_loops SOFT_LOOPS = {forces, collect, kick, begin, turn, watch};
