/* The turn of free rigid cells in one step: RATTLE, which for rotations is the discrete Moser-Veselov scheme in vector
 * form (docs/theory-elastic.md). With the angular momentum L in space at the half step, principal axes P (from axes
 * to space) and moments I_1, I_2, I_3, let a = dt P^-1 L. The turn of the step is the unit quaternion e with
 *
 *   2 I_1 e_0 e_1 + 2 (I_3 - I_2) e_2 e_3 = a_1    and cyclic,                                      (1)
 *
 * found by the fixed point e_1 <- (a_1 - 2 (I_3 - I_2) e_2 e_3) y/(2 I_1), ... y <- y (3 - (1 - e_1^2 - e_2^2 - e_3^2)
 * y^2)/2 from (1, 0, 0, 0), to round-off: less would let the energy drift. y is Newton's way to 1/e_0, without a root
 * and a division in each round. It converges where the step turns a cell by less than about half a radian. */
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
    rvec v = rv_fma(rv_scale(a.w, b.v), b.w, a.v);
    return (rquat){r_fma(a.w, b.w, -rv_fdot(a.v, b.v)), rv_fcross_add(a.v, b.v, v)};
}

SCR_INLINE rquat rq_conjugate(rquat a)
{
    return (rquat){a.w, {-a.v.x, -a.v.y, -a.v.z}};
}

SCR_INLINE rvec rq_turn(rquat q, rvec a)
{
    rvec c = rv_fcross(q.v, a), t = rv_add(c, c);
    return rv_fcross_add(q.v, t, rv_fma(a, q.w, t));
}

/* Of one that is nearly so: by what round-off has left, its square is lost. */
SCR_INLINE rquat rq_unit(rquat q)
{
    real s = r_fnma(r_of(0.5), r_fma(q.w, q.w, rv_fdot(q.v, q.v)), r_of(1.5));
    return (rquat){s * q.w, rv_scale(s, q.v)};
}

/* e of (1); lanes that do not converge are set in `failed` and do not turn. A lane that has converged waits for the
 * others unchanged, so that it does not matter which they are. */
SCR_INLINE rquat rattle_turn(rvec a, rvec moments, mask *failed)
{
    // one division for three
    real yz = moments.y * moments.z, half = 0.5 / (moments.x * yz);
    real half1 = half * yz, half2 = half * (moments.x * moments.z), half3 = half * (moments.x * moments.y);
    rvec b = {a.x * half1, a.y * half2, a.z * half3};
    rvec g = {2.0 * half1 * (moments.z - moments.y), 2.0 * half2 * (moments.x - moments.z),
              2.0 * half3 * (moments.y - moments.x)};
    // after the first round from (1, 0, 0, 0)
    rvec v = b;
    real per = r_fma(rv_fdot(b, b), r_of(0.5), r_of(1.0)), rest = 1.0 - rv_fdot(b, b);
    mask good = r_less(r_of(0.0), rest), active = good, lost = ~good;
    for (int round = 0; round < RATTLE_ROUNDS; round++) {
        rvec next = {r_fnma(g.x, v.y * v.z, b.x) * per, r_fnma(g.y, v.x * v.z, b.y) * per,
                     r_fnma(g.z, v.x * v.y, b.z) * per};
        real left = 1.0 - rv_fdot(next, next);
        real inverse = per * r_fnma(0.5 * left, per * per, r_of(1.5));
        real change = r_abs(next.x - v.x) + r_abs(next.y - v.y) + r_abs(next.z - v.z) + r_abs(inverse - per);
        good = r_less(r_of(0.0), left) & active;
        lost |= active & ~good;
        v = rv_select(good, next, v), per = r_select(good, inverse, per), rest = r_select(good, left, rest);
        active = good & ~r_less(change, r_of(RATTLE_CHANGE));
        if (!r_any(active)) break;
    }
    *failed = lost | active;
    return (rquat){r_select(*failed, r_of(1.0), rest * per), rv_where(~*failed, v)};
}

#endif
