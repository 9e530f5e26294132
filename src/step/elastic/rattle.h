/* The turn of free rigid cells in one step: RATTLE, which for rotations is the discrete Moser-Veselov scheme in vector
 * form (docs/theory-elastic.md). With the angular momentum L in space at the half step, principal axes P (from axes
 * to space) and moments I_1, I_2, I_3, let a = dt P^-1 L. The turn of the step is the unit quaternion e with
 *
 *   2 I_1 e_0 e_1 + 2 (I_3 - I_2) e_2 e_3 = a_1    and cyclic,                                      (1)
 *
 * found by the fixed point e_1 <- (a_1 - 2 (I_3 - I_2) e_2 e_3)/(2 I_1 e_0), ... e_0 <- sqrt(1 - e_1^2 - e_2^2 - e_3^2)
 * from (1, 0, 0, 0), to round-off: less would let the energy drift. It converges where the step turns a cell by less
 * than about half a radian. */
#ifndef SCREE_STEP_ELASTIC_RATTLE_H
#define SCREE_STEP_ELASTIC_RATTLE_H

#include "kernel/lanes.h"

#define RATTLE_ROUNDS 100
#define RATTLE_CHANGE 1e-15

typedef struct {
    real w;
    rvec v;
} rquat;

SCR_INLINE rquat rq_mul(rquat a, rquat b)
{
    rquat c = {a.w * b.w - rv_dot(a.v, b.v), rv_cross(a.v, b.v)};
    c.v = rv_axpy(rv_axpy(c.v, a.w, b.v), b.w, a.v);
    return c;
}

SCR_INLINE rquat rq_conjugate(rquat a)
{
    return (rquat){a.w, {-a.v.x, -a.v.y, -a.v.z}};
}

SCR_INLINE rvec rq_turn(rquat q, rvec a)
{
    rvec c = rv_cross(q.v, a), t = rv_add(c, c);
    return rv_add(rv_axpy(a, q.w, t), rv_cross(q.v, t));
}

SCR_INLINE rquat rq_unit(rquat q)
{
    real s = 1.0 / r_sqrt(q.w * q.w + rv_dot(q.v, q.v));
    return (rquat){s * q.w, rv_scale(s, q.v)};
}

/* e of (1); lanes that do not converge are set in `failed` and have a turn that is not the solution. A lane that has
 * converged waits for the others unchanged, so that it does not matter who they are. */
SCR_INLINE rquat rattle_turn(rvec a, rvec moments, mask *failed)
{
    real half1 = 0.5 / moments.x, half2 = 0.5 / moments.y, half3 = 0.5 / moments.z;
    rvec b = {a.x * half1, a.y * half2, a.z * half3};
    rvec g = {2.0 * half1 * (moments.z - moments.y), 2.0 * half2 * (moments.x - moments.z),
              2.0 * half3 * (moments.y - moments.x)};
    rquat e = {r_of(1.0), {r_of(0.0), r_of(0.0), r_of(0.0)}};
    mask active = ~r_less(r_of(0.0), r_of(0.0)), lost = r_less(r_of(0.0), r_of(0.0));
    for (int round = 0; round < RATTLE_ROUNDS; round++) {
        real per = 1.0 / e.w;
        rvec v = {(b.x - g.x * (e.v.y * e.v.z)) * per, (b.y - g.y * (e.v.x * e.v.z)) * per,
                  (b.z - g.z * (e.v.x * e.v.y)) * per};
        real rest = 1.0 - rv_dot(v, v);
        mask good = r_less(r_of(0.0), rest) & active;
        lost |= active & ~good;
        real w = r_sqrt(r_select(good, rest, r_of(1.0)));
        real change = r_abs(v.x - e.v.x) + r_abs(v.y - e.v.y) + r_abs(v.z - e.v.z) + r_abs(w - e.w);
        e.w = r_select(good, w, e.w);
        e.v = (rvec){r_select(good, v.x, e.v.x), r_select(good, v.y, e.v.y), r_select(good, v.z, e.v.z)};
        active = good & ~r_less(change, r_of(RATTLE_CHANGE));
        if (!r_any(active)) break;
    }
    *failed = lost | active;
    return e;
}

#endif
