/* Text of the sweeps, included once per instruction set and precision, with PGS_LANES lanes of floats (PGS_DOUBLE:
 * of doubles) and PGS_LOOPS naming the table. Symbols and units are those of pgs.h and pgs_loops.h.
 *
 * One contact, once (Servin & Wang 2015, with D of each block exact for spheres, so that this is the local
 * solution; for general bodies D_t and D_r are upper bounds):
 *
 *   ln <- max(0, ln - (n.u + target + S_n ln)/D_n)
 *   lt <- lt - (u_t + S_t lt)/D_t, shortened to mu ln
 *   lr <- lr - (w + S_r lr)/D_r,   shortened to roll ln
 *
 * each followed by its effect on the velocities. */
#include <stddef.h>

#include "solve/pgs_lanes.h"
#include "solve/pgs_loops.h"

/* What all kinds have. */
typedef struct {
    real offset, least;          // see pgs_loops.h
    real over_n, over_t, over_r; // 1/D
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
    impulses l;
} alone_block;

typedef struct {
    real xx, yy, zz, xy, xz, yz;
} rsym;

typedef struct {
    uint32_t a[LANES], b[LANES];
    rvec n, lever_a, lever_b, u0, w0;
    rsym inverse_a, inverse_b; // inverse inertias
    impulses l;
} general_block;

typedef struct {
    real give, mu, roll, twist;
} coefficients;

/* Constants of a sweep. */
typedef struct {
    real give_t, give_r;
    bool check, twist;
} constants;

// the part of the vector a that is not longer than `most`
PGS_INLINE rvec shorten(rvec a, real most)
{
    real size = r_sqrt(r_max(rv_dot(a, a), r_of(TINY)));
    return rv_scale(r_min(most / size, r_of(1)), a);
}

// (1): the new normal impulse in *ln; by how much it grew
PGS_INLINE real solve_normal(impulses *l, real give, real un, real *ln)
{
    real change = r_max(l->change - (un + l->offset + give * l->change) * l->over_n, l->least);
    real grown = change - l->change;
    l->change = change;
    *ln = change - l->least;
    return grown;
}

// (2): by how much the tangential impulse grew
PGS_INLINE rvec solve_tangential(impulses *l, const constants *k, rvec ut, real most)
{
    rvec lt = rv_axpy(l->lt, -l->over_t, rv_axpy(ut, k->give_t, l->lt));
    lt = shorten(lt, most);
    rvec grown = rv_sub(lt, l->lt);
    l->lt = lt;
    return grown;
}

// (3): by how much the angular impulse grew
PGS_INLINE rvec solve_rolling(impulses *l, const constants *k, const coefficients *c, rvec n,
                              rvec w, real ln)
{
    rvec lr = rv_axpy(l->lr, -l->over_r, rv_axpy(w, k->give_r, l->lr));
    if (k->twist) {
        real along = rv_dot(lr, n), most = c->twist * ln;
        rvec across = shorten(rv_axpy(lr, -along, n), c->roll * ln);
        lr = rv_axpy(across, r_max(r_min(along, most), -most), n);
    } else {
        lr = shorten(lr, c->roll * ln);
    }
    rvec grown = rv_sub(lr, l->lr);
    l->lr = lr;
    return grown;
}

PGS_INLINE real worst_of(real worst, real grown_n, real response_n, rvec grown_t, real response_t)
{
    worst = r_max(worst, r_abs(grown_n * response_n));
    return r_max(worst, r_sqrt(rv_dot(grown_t, grown_t)) * response_t);
}

PGS_INLINE real sweep_pair(number *rows, pair_block *block, const coefficients *c,
                           const constants *k, real worst)
{
    rbody a = load_bodies(rows, block->a), b = load_bodies(rows, block->b);
    impulses l = block->l;
    rvec n = block->n;
    real arm_a = block->arm_a, arm_b = block->arm_b, ln;
    rvec turning = rv_axpy(rv_scale(arm_a, a.w), arm_b, b.w);
    rvec u = rv_sub(rv_sub(b.v, a.v), rv_cross(turning, n));
    real un = rv_dot(u, n);
    real grown_n = solve_normal(&l, c->give, un, &ln);
    rvec grown_t = solve_tangential(&l, k, rv_axpy(u, -un, n), c->mu * ln);
    rvec p = rv_axpy(grown_t, grown_n, n), torque = rv_cross(n, grown_t);
    a.v = rv_axpy(a.v, -a.inverse_mass, p), b.v = rv_axpy(b.v, b.inverse_mass, p);
    a.w = rv_axpy(a.w, -(a.inverse_inertia * arm_a), torque);
    b.w = rv_axpy(b.w, -(b.inverse_inertia * arm_b), torque);
    rvec grown_r = solve_rolling(&l, k, c, n, rv_sub(b.w, a.w), ln);
    a.w = rv_axpy(a.w, -a.inverse_inertia, grown_r);
    b.w = rv_axpy(b.w, b.inverse_inertia, grown_r);
    store_bodies(rows, block->a, a), store_bodies(rows, block->b, b);
    block->l.change = l.change, block->l.lt = l.lt, block->l.lr = l.lr;
    if (!k->check) return worst;
    real response = a.inverse_mass + b.inverse_mass;
    return worst_of(worst, grown_n, response, grown_t,
                    response + arm_a * arm_a * a.inverse_inertia +
                        arm_b * arm_b * b.inverse_inertia);
}

PGS_INLINE real sweep_alone(number *rows, alone_block *block, const coefficients *c,
                            const constants *k, real worst)
{
    rbody a = load_bodies(rows, block->a);
    impulses l = block->l;
    rvec n = block->n;
    real arm = block->arm, ln;
    rvec u = rv_sub(rv_sub(block->u0, a.v), rv_cross(rv_scale(arm, a.w), n));
    real un = rv_dot(u, n);
    real grown_n = solve_normal(&l, c->give, un, &ln);
    rvec grown_t = solve_tangential(&l, k, rv_axpy(u, -un, n), c->mu * ln);
    rvec p = rv_axpy(grown_t, grown_n, n), torque = rv_cross(n, grown_t);
    a.v = rv_axpy(a.v, -a.inverse_mass, p);
    a.w = rv_axpy(a.w, -(a.inverse_inertia * arm), torque);
    rvec grown_r = solve_rolling(&l, k, c, n, rv_sub(block->w0, a.w), ln);
    a.w = rv_axpy(a.w, -a.inverse_inertia, grown_r);
    store_bodies(rows, block->a, a);
    block->l.change = l.change, block->l.lt = l.lt, block->l.lr = l.lr;
    if (!k->check) return worst;
    return worst_of(worst, grown_n, a.inverse_mass, grown_t,
                    a.inverse_mass + arm * arm * a.inverse_inertia);
}

PGS_INLINE rvec times(const rsym *m, rvec a)
{
    return (rvec){m->xx * a.x + m->xy * a.y + m->xz * a.z, m->xy * a.x + m->yy * a.y + m->yz * a.z,
                  m->xz * a.x + m->yz * a.y + m->zz * a.z};
}

// an impulse p at the point of contact, with + on b
PGS_INLINE void push(rbody *a, rbody *b, const general_block *g, rvec p)
{
    a->v = rv_axpy(a->v, -a->inverse_mass, p);
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

PGS_INLINE real sweep_general(number *rows, general_block *block, const coefficients *c,
                              const constants *k, real worst)
{
    rbody a = load_bodies(rows, block->a), b = load_bodies(rows, block->b);
    impulses l = block->l;
    rvec n = block->n;
    real ln;
    real grown_n = solve_normal(&l, c->give, rv_dot(slip(&a, &b, block), n), &ln);
    push(&a, &b, block, rv_scale(grown_n, n));
    // the normal impulse has changed the tangential velocity
    rvec u = slip(&a, &b, block);
    rvec grown_t = solve_tangential(&l, k, rv_axpy(u, -rv_dot(u, n), n), c->mu * ln);
    push(&a, &b, block, grown_t);
    rvec w = rv_add(rv_sub(b.w, a.w), block->w0);
    rvec grown_r = solve_rolling(&l, k, c, n, w, ln);
    a.w = rv_sub(a.w, times(&block->inverse_a, grown_r));
    b.w = rv_add(b.w, times(&block->inverse_b, grown_r));
    store_bodies(rows, block->a, a), store_bodies(rows, block->b, b);
    block->l.change = l.change, block->l.lt = l.lt, block->l.lr = l.lr;
    if (!k->check) return worst;
    // 1/D is 0 in empty lanes
    real d_n = r_of(1) / r_max(l.over_n, r_of(TINY)), d_t = r_of(1) / r_max(l.over_t, r_of(TINY));
    return worst_of(worst, grown_n, d_n - c->give, grown_t, d_t - k->give_t);
}

PGS_INLINE double sweep_with(const pgs_task *t, int kind, size_t from, size_t to, bool check,
                             bool twist)
{
    const scr_pgs_problem *p = t->problem;
    const constants k = {r_of(p->give_tangential * t->mass),
                         r_of(p->give_rolling * t->mass * t->length * t->length), check, twist};
    number *rows = t->rows;
    const coefficients *c = t->coefficients[kind];
    size_t stride = t->alike[kind] ? 0 : 1;
    real worst = r_of(0);
    if (kind == PGS_PAIR) {
        pair_block *blocks = t->blocks[kind];
        for (size_t i = from; i < to; i++)
            worst = sweep_pair(rows, blocks + i, c + i * stride, &k, worst);
    } else if (kind == PGS_ALONE) {
        alone_block *blocks = t->blocks[kind];
        for (size_t i = from; i < to; i++)
            worst = sweep_alone(rows, blocks + i, c + i * stride, &k, worst);
    } else {
        general_block *blocks = t->blocks[kind];
        for (size_t i = from; i < to; i++)
            worst = sweep_general(rows, blocks + i, c + i * stride, &k, worst);
    }
    return check ? r_largest(worst) : 0;
}

static double sweep(const pgs_task *t, int kind, size_t from, size_t to, bool check)
{
    bool twist = t->problem->twist_apart;
    switch (kind * 4 + check * 2 + twist) {
    case PGS_PAIR * 4: return sweep_with(t, PGS_PAIR, from, to, false, false);
    case PGS_PAIR * 4 + 1: return sweep_with(t, PGS_PAIR, from, to, false, true);
    case PGS_PAIR * 4 + 2: return sweep_with(t, PGS_PAIR, from, to, true, false);
    case PGS_PAIR * 4 + 3: return sweep_with(t, PGS_PAIR, from, to, true, true);
    case PGS_ALONE * 4: return sweep_with(t, PGS_ALONE, from, to, false, false);
    case PGS_ALONE * 4 + 1: return sweep_with(t, PGS_ALONE, from, to, false, true);
    case PGS_ALONE * 4 + 2: return sweep_with(t, PGS_ALONE, from, to, true, false);
    case PGS_ALONE * 4 + 3: return sweep_with(t, PGS_ALONE, from, to, true, true);
    case PGS_GENERAL * 4: return sweep_with(t, PGS_GENERAL, from, to, false, false);
    case PGS_GENERAL * 4 + 1: return sweep_with(t, PGS_GENERAL, from, to, false, true);
    case PGS_GENERAL * 4 + 2: return sweep_with(t, PGS_GENERAL, from, to, true, false);
    default: return sweep_with(t, PGS_GENERAL, from, to, true, true);
    }
}

#include "solve/pgs_pack.h"

const pgs_loops PGS_LOOPS = {
    .lanes = LANES,
    .number_bytes = sizeof(number),
    .block_bytes = {sizeof(pair_block), sizeof(alone_block), sizeof(general_block)},
    .coefficient_bytes = sizeof(coefficients),
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
