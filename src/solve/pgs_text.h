/* Text of the sweeps, included once per instruction set and precision, with PGS_LANES lanes of floats (PGS_DOUBLE:
 * of doubles) and PGS_LOOPS naming the table. Symbols and units are those of pgs.h and pgs_loops.h.
 *
 * One contact, once (Servin & Wang 2015, with D of each block exact for spheres, so that this is the local
 * solution; for general bodies D_t and D_r are upper bounds):
 *
 *   ln <- max(0, ln - omega (n.u + target + S_n ln)/D_n)
 *   lt <- lt - (u_t + S_t lt)/D_t, shortened to mu ln
 *   lr <- lr - (w + S_r lr)/D_r,   shortened to roll ln
 *
 * each followed by its effect on the velocities. */
#include <stddef.h>

#include "solve/pgs_loops.h"
#include "solve/pgs_rows.h"

#define WAYS 2 /* blocks under way at a time */

/* What all kinds have. */
typedef struct {
    real offset, least; // see pgs_loops.h
    real over_t;        // 1/D_t
    real change;
    rvec lt, lr;
} impulses;

typedef struct {
    uint32_t a[LANES], b[LANES];
    rvec n;
    real arm_a, arm_b;
    impulses l;
} pair_block;

typedef struct {
    uint32_t a[LANES];
    rvec n;
    real arm;
    rvec u0, w0;
    real over_n, over_r;
    impulses l;
} alone_block;

typedef struct {
    real xx, yy, zz, xy, xz, yz;
} rsym;

typedef struct {
    uint32_t a[LANES], b[LANES];
    rvec n, lever_a, lever_b, u0, w0;
    rsym inverse_a, inverse_b; // inverse inertias
    real over_n, over_r;
    impulses l;
} general_block;

/* One array of blocks each, or one block for all. */
typedef struct {
    const real *of[PGS_COEFFICIENTS];
    size_t mask[PGS_COEFFICIENTS]; // all ones, or zero
} coefficients;

PGS_INLINE real coefficient(const coefficients *c, int which, size_t block)
{
    return c->of[which][block & c->mask[which]];
}

static inline double unit_of(const pgs_task *t, int which)
{
    return which == PGS_GIVE ? t->mass : which == PGS_MU ? 1 : t->over_length;
}

/* Constants of a sweep. */
typedef struct {
    real give_t, give_r, relaxation;
    bool check, twist;
} constants;

// empty lanes have 0
PGS_INLINE real over(real d)
{
    return r_of(1) / r_max(d, r_of(TINY));
}

// what to multiply the vector a with, so that it is not longer than `most`
PGS_INLINE real shortening(rvec a, real most)
{
    return r_min(most / r_sqrt(r_max(rv_dot(a, a), r_of(TINY))), r_of(1));
}

/* A block under way. New impulses are tried without their bounds first: a root and a quotient later they are cut
 * to size. What can be done for another block in the meantime is up to the caller. */
typedef struct {
    rbody a, b;
    real change, grown_n, ln;
    rvec lt, lr, grown_t;
    rvec slip; // velocity along the surfaces
    real cut;  // of the impulse tried last
    real twist;
} state;

// (1): the normal impulse, and by how much it grew
PGS_INLINE void solve_normal(state *s, const impulses *l, const constants *k, real give, real over_n, real un)
{
    real step = (un + l->offset + give * l->change) * over_n;
    s->change = r_max(l->change - k->relaxation * step, l->least);
    s->grown_n = s->change - l->change;
    s->ln = s->change - l->least;
}

// whether nobody carried anything, nor does now: then the rest of a sweep adds zeros (pgs_loops.h)
PGS_INLINE bool is_open(const state *s, const impulses *l)
{
    return r_is_zero(r_max(s->ln, l->change - l->least));
}

// (2)
PGS_INLINE void try_tangential(state *s, const impulses *l, const constants *k, real mu, rvec ut)
{
    s->lt = rv_less(l->lt, l->over_t, rv_axpy(ut, k->give_t, l->lt));
    s->cut = shortening(s->lt, mu * s->ln);
}

PGS_INLINE void cut_tangential(state *s, const impulses *l)
{
    s->lt = rv_scale(s->cut, s->lt);
    s->grown_t = rv_sub(s->lt, l->lt);
}

// (3)
PGS_INLINE void try_rolling(state *s, const impulses *l, const constants *k, const coefficients *c, size_t i,
                            real over_r, rvec n, rvec w)
{
    s->lr = rv_less(l->lr, over_r, rv_axpy(w, k->give_r, l->lr));
    if (k->twist) {
        real along = rv_dot(s->lr, n), most = coefficient(c, PGS_TWIST, i) * s->ln;
        s->lr = rv_less(s->lr, along, n);
        s->twist = r_max(r_min(along, most), -most);
    }
    s->cut = shortening(s->lr, coefficient(c, PGS_ROLL, i) * s->ln);
}

// gives by how much the angular impulse grew
PGS_INLINE rvec cut_rolling(state *s, const impulses *l, const constants *k, rvec n)
{
    s->lr = rv_scale(s->cut, s->lr);
    if (k->twist) s->lr = rv_axpy(s->lr, s->twist, n);
    return rv_sub(s->lr, l->lr);
}

PGS_INLINE void keep(const state *s, impulses *l)
{
    l->change = s->change, l->lt = s->lt, l->lr = s->lr;
}

PGS_INLINE real worst_of(real worst, const state *s, real response_n, real response_t)
{
    worst = r_max(worst, r_abs(s->grown_n * response_n));
    return r_max(worst, r_sqrt(rv_dot(s->grown_t, s->grown_t)) * response_t);
}

// ---- pairs of spheres ----

PGS_INLINE void begin_pair(state *s, number *rows, const pair_block *q, const coefficients *c, size_t i,
                           const constants *k)
{
    s->a = load_bodies(rows, q->a), s->b = load_bodies(rows, q->b);
    rvec turning = rv_axpy(rv_scale(q->arm_a, s->a.w), q->arm_b, s->b.w);
    rvec u = rv_sub(rv_sub(s->b.v, s->a.v), rv_cross(turning, q->n));
    real un = rv_dot(u, q->n);
    real give = coefficient(c, PGS_GIVE, i);
    solve_normal(s, &q->l, k, give, over(s->a.inverse_mass + s->b.inverse_mass + give), un);
    s->slip = rv_less(u, un, q->n);
}

PGS_INLINE void turn_pair(state *s, const pair_block *q, const coefficients *c, size_t i, const constants *k)
{
    rbody *a = &s->a, *b = &s->b;
    cut_tangential(s, &q->l);
    rvec p = rv_axpy(s->grown_t, s->grown_n, q->n), torque = rv_cross(q->n, s->grown_t);
    a->w = rv_less(a->w, a->inverse_inertia * q->arm_a, torque);
    b->w = rv_less(b->w, b->inverse_inertia * q->arm_b, torque);
    try_rolling(s, &q->l, k, c, i, over(a->inverse_inertia + b->inverse_inertia + k->give_r), q->n, rv_sub(b->w, a->w));
    a->v = rv_less(a->v, a->inverse_mass, p), b->v = rv_axpy(b->v, b->inverse_mass, p);
}

PGS_INLINE real end_pair(state *s, number *rows, pair_block *q, const constants *k, real worst)
{
    rbody *a = &s->a, *b = &s->b;
    rvec grown = cut_rolling(s, &q->l, k, q->n);
    a->w = rv_less(a->w, a->inverse_inertia, grown);
    b->w = rv_axpy(b->w, b->inverse_inertia, grown);
    store_bodies(rows, q->a, *a), store_bodies(rows, q->b, *b);
    keep(s, &q->l);
    if (!k->check) return worst;
    real response = a->inverse_mass + b->inverse_mass;
    return worst_of(worst, s, response,
                    response + q->arm_a * q->arm_a * a->inverse_inertia + q->arm_b * q->arm_b * b->inverse_inertia);
}

// `ways` blocks side by side, from number i on; `look`: they may be open
PGS_INLINE real sweep_pairs(number *rows, pair_block *blocks, const coefficients *c, size_t i, const constants *k,
                            size_t ways, bool look, real worst)
{
    state s[WAYS];
    pair_block *q = blocks + i;
    for (size_t j = 0; j < ways; j++) {
        begin_pair(&s[j], rows, q + j, c, i + j, k);
        if (!look) try_tangential(&s[j], &q[j].l, k, coefficient(c, PGS_MU, i + j), s[j].slip);
    }
    if (look) {
        bool open = true;
        for (size_t j = 0; j < ways; j++) open = open && is_open(&s[j], &q[j].l);
        if (open) return worst;
        for (size_t j = 0; j < ways; j++) try_tangential(&s[j], &q[j].l, k, coefficient(c, PGS_MU, i + j), s[j].slip);
    }
    for (size_t j = 0; j < ways; j++) turn_pair(&s[j], q + j, c, i + j, k);
    for (size_t j = 0; j < ways; j++) worst = end_pair(&s[j], rows, q + j, k, worst);
    return worst;
}

// ---- spheres against still partners ----

PGS_INLINE real sweep_alone(number *rows, alone_block *q, const coefficients *c, size_t i, const constants *k,
                            bool look, real worst)
{
    state s;
    rbody a = load_bodies(rows, q->a);
    rvec n = q->n;
    real arm = q->arm;
    rvec u = rv_sub(rv_sub(q->u0, a.v), rv_cross(rv_scale(arm, a.w), n));
    real un = rv_dot(u, n);
    solve_normal(&s, &q->l, k, coefficient(c, PGS_GIVE, i), q->over_n, un);
    if (look && is_open(&s, &q->l)) return worst;
    try_tangential(&s, &q->l, k, coefficient(c, PGS_MU, i), rv_less(u, un, n));
    cut_tangential(&s, &q->l);
    rvec p = rv_axpy(s.grown_t, s.grown_n, n), torque = rv_cross(n, s.grown_t);
    a.v = rv_less(a.v, a.inverse_mass, p);
    a.w = rv_less(a.w, a.inverse_inertia * arm, torque);
    try_rolling(&s, &q->l, k, c, i, q->over_r, n, rv_sub(q->w0, a.w));
    a.w = rv_less(a.w, a.inverse_inertia, cut_rolling(&s, &q->l, k, n));
    store_bodies(rows, q->a, a);
    keep(&s, &q->l);
    if (!k->check) return worst;
    return worst_of(worst, &s, a.inverse_mass, a.inverse_mass + arm * arm * a.inverse_inertia);
}

// ---- contacts of general bodies ----

PGS_INLINE rvec times(const rsym *m, rvec a)
{
    return (rvec){m->xx * a.x + m->xy * a.y + m->xz * a.z, m->xy * a.x + m->yy * a.y + m->yz * a.z,
                  m->xz * a.x + m->yz * a.y + m->zz * a.z};
}

// an impulse p at the point of contact, with + on b
PGS_INLINE void push(rbody *a, rbody *b, const general_block *g, rvec p)
{
    a->v = rv_less(a->v, a->inverse_mass, p);
    b->v = rv_axpy(b->v, b->inverse_mass, p);
    a->w = rv_sub(a->w, times(&g->inverse_a, rv_cross(g->lever_a, p)));
    b->w = rv_add(b->w, times(&g->inverse_b, rv_cross(g->lever_b, p)));
}

PGS_INLINE rvec slip(const rbody *a, const rbody *b, const general_block *g)
{
    rvec ua = rv_add(a->v, rv_cross(a->w, g->lever_a));
    rvec ub = rv_add(b->v, rv_cross(b->w, g->lever_b));
    return rv_add(rv_sub(ub, ua), g->u0);
}

PGS_INLINE real sweep_general(number *rows, general_block *q, const coefficients *c, size_t i, const constants *k,
                              bool look, real worst)
{
    state s;
    rbody a = load_bodies(rows, q->a), b = load_bodies(rows, q->b);
    rvec n = q->n;
    solve_normal(&s, &q->l, k, coefficient(c, PGS_GIVE, i), q->over_n, rv_dot(slip(&a, &b, q), n));
    if (look && is_open(&s, &q->l)) return worst;
    push(&a, &b, q, rv_scale(s.grown_n, n));
    // the normal impulse has changed the tangential velocity
    rvec u = slip(&a, &b, q);
    try_tangential(&s, &q->l, k, coefficient(c, PGS_MU, i), rv_less(u, rv_dot(u, n), n));
    cut_tangential(&s, &q->l);
    push(&a, &b, q, s.grown_t);
    try_rolling(&s, &q->l, k, c, i, q->over_r, n, rv_add(rv_sub(b.w, a.w), q->w0));
    rvec grown = cut_rolling(&s, &q->l, k, n);
    a.w = rv_sub(a.w, times(&q->inverse_a, grown));
    b.w = rv_add(b.w, times(&q->inverse_b, grown));
    store_bodies(rows, q->a, a), store_bodies(rows, q->b, b);
    keep(&s, &q->l);
    if (!k->check) return worst;
    // 1/D is 0 in empty lanes
    real d_n = over(q->over_n);
    real d_t = over(q->l.over_t);
    return worst_of(worst, &s, d_n - coefficient(c, PGS_GIVE, i), d_t - k->give_t);
}

PGS_INLINE double sweep_with(const pgs_task *t, int kind, size_t from, size_t open, size_t to, bool check, bool twist)
{
    const scr_pgs_problem *p = t->problem;
    const constants k = {r_of(p->give_tangential * t->mass), r_of(p->give_rolling * t->mass * t->length * t->length),
                         r_of(t->relaxation), check, twist};
    number *rows = t->rows;
    const scr_pgs_contact *first = &p->contacts[t->first[kind]];
    const double common[] = {first->give, first->mu, first->roll, first->twist};
    real broadcast[PGS_COEFFICIENTS];
    coefficients all, *c = &all;
    for (int f = 0; f < PGS_COEFFICIENTS; f++) {
        bool alike = t->alike[kind][f];
        broadcast[f] = r_of(common[f] * unit_of(t, f));
        all.of[f] = (const real *)t->coefficients[kind] + (size_t)f * t->block_count[kind];
        if (alike) all.of[f] = &broadcast[f];
        all.mask[f] = alike ? 0 : SIZE_MAX;
    }
    real worst = r_of(0);
    size_t i = from;
    if (kind == PGS_PAIR) {
        pair_block *q = t->blocks[kind];
        for (; i + WAYS <= open; i += WAYS) worst = sweep_pairs(rows, q, c, i, &k, WAYS, false, worst);
        for (; i < open; i++) worst = sweep_pairs(rows, q, c, i, &k, 1, false, worst);
        for (; i + WAYS <= to; i += WAYS) worst = sweep_pairs(rows, q, c, i, &k, WAYS, true, worst);
        for (; i < to; i++) worst = sweep_pairs(rows, q, c, i, &k, 1, true, worst);
    } else if (kind == PGS_ALONE) {
        alone_block *q = t->blocks[kind];
        for (; i < open; i++) worst = sweep_alone(rows, q + i, c, i, &k, false, worst);
        for (; i < to; i++) worst = sweep_alone(rows, q + i, c, i, &k, true, worst);
    } else {
        general_block *q = t->blocks[kind];
        for (; i < open; i++) worst = sweep_general(rows, q + i, c, i, &k, false, worst);
        for (; i < to; i++) worst = sweep_general(rows, q + i, c, i, &k, true, worst);
    }
    return check ? r_largest(worst) : 0;
}

static double sweep(const pgs_task *t, int kind, size_t from, size_t open, size_t to, bool check)
{
    bool twist = t->problem->twist_apart;
    switch (kind * 4 + check * 2 + twist) {
    case PGS_PAIR * 4: return sweep_with(t, PGS_PAIR, from, open, to, false, false);
    case PGS_PAIR * 4 + 1: return sweep_with(t, PGS_PAIR, from, open, to, false, true);
    case PGS_PAIR * 4 + 2: return sweep_with(t, PGS_PAIR, from, open, to, true, false);
    case PGS_PAIR * 4 + 3: return sweep_with(t, PGS_PAIR, from, open, to, true, true);
    case PGS_ALONE * 4: return sweep_with(t, PGS_ALONE, from, open, to, false, false);
    case PGS_ALONE * 4 + 1: return sweep_with(t, PGS_ALONE, from, open, to, false, true);
    case PGS_ALONE * 4 + 2: return sweep_with(t, PGS_ALONE, from, open, to, true, false);
    case PGS_ALONE * 4 + 3: return sweep_with(t, PGS_ALONE, from, open, to, true, true);
    case PGS_GENERAL * 4: return sweep_with(t, PGS_GENERAL, from, open, to, false, false);
    case PGS_GENERAL * 4 + 1: return sweep_with(t, PGS_GENERAL, from, open, to, false, true);
    case PGS_GENERAL * 4 + 2: return sweep_with(t, PGS_GENERAL, from, open, to, true, false);
    default: return sweep_with(t, PGS_GENERAL, from, open, to, true, true);
    }
}

#include "solve/pgs_pack.h"

const pgs_loops PGS_LOOPS = {
    .lanes = LANES,
    .number_bytes = sizeof(number),
    .block_bytes = {sizeof(pair_block), sizeof(alone_block), sizeof(general_block)},
    .coefficient_bytes = PGS_COEFFICIENTS * sizeof(real),
    .pack_bodies = pack_bodies,
    .pack = pack,
    .clear = clear,
    .sweep = sweep,
    .unpack = unpack,
#if LANES == 1
    .joint_bytes = sizeof(joint),
    .pack_joints = pack_joints,
    .sweep_joints = sweep_joints,
    .unpack_joints = unpack_joints,
#endif
};
