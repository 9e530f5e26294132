/* The link between two cells of an elastic solid: energy, forces and torques, its exact gradient (Monasse & Mariotti
 * 2012, section 2, corrected; docs/theory-elastic.md).
 *
 * Cells a and b have displacements u and turns q (matrix R) since the reference state, in which the face between them
 * has area S, centre P, unit normal n_0 from a to b and principal axes s, t = n_0 x s; r_a, r_b are the arms from the
 * centres to P. D_0 = distance of the centres, or of the cells' pivots (world/cells.h), then. With
 *
 *   Du = u_b - u_a + (R_b - 1) r_b - (R_a - 1) r_a                                              (1)
 *   n  = (x_b - x_a)/|x_b - x_a|    (centre line)   or   (R_a n_0 + R_b n_0)/2    (face normal)  (2)
 *   eps = sum over the cell's links of (S/2) Du.n / Vt                                          (3)
 *
 * or, with face normals, with vectors of the link in place of (S/2) n, which turn as n does, N = (R_a + R_b)/2,
 *
 *   eps = sum of Du.N g / Vt,   g_a = S (c n_0 + t),   g_b = S ((1 - c) n_0 - t);                         (3')
 *
 * where c = 1/2 and t = 0 is (3), and the sum is S n_0, so that a uniform pressure is in equilibrium whatever they are,
 * the energy is, k = 2 mu S/D_0 and b_n, b_s, b_t = alpha S/D_0,
 *
 *   U_t = k |Du|^2/2,   U_d = lambda Vt eps^2/2 per cell,  U_f = sum over a = n, s, t of b_a (1 - R_a a . R_b a).  (4)
 *
 * Force F and torque M on a; -F and M_b on b; P = S lambda (eps_a + eps_b)/2, f = k Du + P n, q = R r:
 *
 *   centre line:  F = f + P (Du - (Du.n) n)/|x_b - x_a|,   M_a = q_a x f,   M_b = -q_b x f       (5)
 *   face normal:  F = f = k Du + N h,   M_a = q_a x f - (R_a h) x Du/2,   M_b = -q_b x f - (R_b h) x Du/2,
 *                 h = lambda (eps_a g_a + eps_b g_b)                                             (6)
 *
 * and the flexion torque T on a, -T on b. The three axes need not be turned one by one: with the relative turn
 * conj(q_a) q_b = (p_0, p) and p = (p_n, p_s, p_t) in the triad,
 *
 *   U_f = 2 [(b_s + b_t) p_n^2 + (b_n + b_t) p_s^2 + (b_n + b_s) p_t^2]                           (7)
 *   R_a^-1 T = 2 [(b_s + b_t) p_0 p_n + (b_s - b_t) p_s p_t,  ... cyclic].                        (8)
 *
 * Nothing is the small difference of large numbers: R - 1 comes from the quaternion, p from small vectors.
 *
 * Shells one cell thick add, with a director d through the thickness of each cell,
 *
 *   kap = sum of (S/2)(Dd.n - Dd_0.n_0) / Vk,   Dd = R_b d_b - R_a d_a,   U_k = Kb kap^2/2 per cell       (9)
 *   M_a += m [(R_a d_a) x n - (R_a n_0) x Dd/2],   M_b += m [-(R_b d_b) x n - (R_b n_0) x Dd/2],
 *   m = (S/2)(Kb kap/Vk of a + of b),   n the face normal.                                        (10)
 *
 * A broken link has S = k = b = 0: neither force nor energy, wherever its cells are. */
#ifndef SCREE_KERNEL_LINK_H
#define SCREE_KERNEL_LINK_H

#include <stdbool.h>

#include "kernel/lanes.h"

/* What is constant. */
typedef struct {
    rvec arm[2];  /* r_a, r_b [m] */
    rvec n, s;    /* n_0, s */
    real k;       /* [N/m] */
    real b[3];    /* b_n, b_s, b_t [N m] */
    real half;    /* S/2 [m^2] */
    real part;    /* c, of face normals */
    rvec skew;    /* t, likewise */
    rvec d[2];    /* directors, of shells */
    bool centred; /* the normal is the line of centres */
    bool shell;
} link_shape;

/* One of its cells. */
typedef struct {
    rvec u; /* [m] */
    real w; /* turn: real part, */
    rvec q; /* vector */
} link_end;

/* R, as the quaternion it comes from: a product with R - 1 costs less so than by a matrix that serves twice. */
typedef struct {
    real w;
    rvec q, twice; /* vector, and twice of it */
} link_turn;

/* Where it is now. */
typedef struct {
    link_turn turn[2]; /* of both cells */
    rvec less[3][2];   /* (R - 1) r, (R - 1) n_0, (R - 1) d of both cells */
    rvec gap;          /* Du [m] */
    rvec normal;       /* n */
    rvec face;         /* the face normal */
    real per_distance; /* 1/|x_b - x_a| [1/m] */
} link_state;

typedef struct {
    rvec pull;      /* f: what goes through the face [N] */
    rvec force;     /* on a; its opposite acts on b [N] */
    rvec torque[2]; /* on a, on b [N m] */
    real energy;    /* U_t + U_f [J] */
} link_result;

SCR_INLINE link_turn link_turn_of(real w, rvec q)
{
    return (link_turn){w, q, rv_add(q, q)};
}

/* (R - 1) a = 2 q x (q x a + w a). */
SCR_INLINE rvec link_turned(const link_turn *t, rvec a)
{
    return rv_fcross(t->twice, rv_fcross_add(t->q, a, rv_scale(t->w, a)));
}

/* R^T a - a. */
SCR_INLINE rvec link_turned_back(const link_turn *t, rvec a)
{
    return rv_fcross(t->twice, rv_fcross_add(t->q, a, rv_scale(-t->w, a)));
}

/* 1/sqrt(x) of a positive number to about one unit in the last place: half the bits, which are nearly a logarithm, then
 * y <- y (1 - h)^-1/2, h = 1 - x y^2, by its series. A root and a division keep one unit of the processor six times as
 * long. */
SCR_INLINE real link_inverse_root(real x)
{
    real y = r_of_bits(0x5fe6eb50c7b537a9 - (r_bits(x) >> 1)); // off by less than 3.5 %
    real h = r_fnma(x * y, y, r_of(1.0));
    real series = r_fma(h, r_fma(h, r_fma(h, r_of(35.0 / 128), r_of(5.0 / 16)), r_of(3.0 / 8)), r_of(0.5));
    y = r_fma(y, h * series, y);
    h = r_fnma(x * y, y, r_of(1.0));
    return r_fma(y, h * r_fma(h, r_of(3.0 / 8), r_of(0.5)), y);
}

/* (1), (2). */
SCR_INLINE link_state link_state_of(const link_shape *s, const link_end *a, const link_end *b)
{
    link_turn ta = link_turn_of(a->w, a->q), tb = link_turn_of(b->w, b->q);
    link_state l = {.turn = {ta, tb}, .per_distance = r_of(0.0)};
    rvec way = rv_sub(b->u, a->u);
    if (s->centred) {
        rvec d = rv_add(way, rv_sub(s->arm[0], s->arm[1]));
        // cells of a broken link may be anywhere
        real d2 = r_select(r_less(r_of(0.0), s->half), rv_fdot(d, d), r_of(1.0));
        l.per_distance = link_inverse_root(d2);
        l.normal = rv_scale(l.per_distance, d);
    }
    l.less[0][0] = link_turned(&ta, s->arm[0]);
    l.less[0][1] = link_turned(&tb, s->arm[1]);
    l.gap = rv_add(way, rv_sub(l.less[0][1], l.less[0][0]));
    if (!s->centred || s->shell) {
        l.less[1][0] = link_turned(&ta, s->n);
        l.less[1][1] = link_turned(&tb, s->n);
        l.face = rv_fma(s->n, r_of(0.5), rv_add(l.less[1][0], l.less[1][1]));
        if (!s->centred) l.normal = l.face;
    }
    if (s->shell) {
        l.less[2][0] = link_turned(&ta, s->d[0]);
        l.less[2][1] = link_turned(&tb, s->d[1]);
    }
    return l;
}

/* Of a gap, or of its rate: what it adds to the sums in (3) or (3') of its two cells [m^3]. */
typedef struct {
    real of[2];
} link_volumes;

SCR_INLINE link_volumes link_swell(const link_shape *s, const link_state *l, rvec gap)
{
    if (s->centred) {
        real both = s->half * rv_fdot(gap, l->normal);
        return (link_volumes){{both, both}};
    }
    rvec back = rv_add(link_turned_back(&l->turn[0], gap), link_turned_back(&l->turn[1], gap));
    back = rv_fma(gap, r_of(0.5), back);
    real along = rv_fdot(s->n, back), first = r_fma(s->part, along, rv_fdot(s->skew, back));
    return (link_volumes){{(s->half + s->half) * first, (s->half + s->half) * (along - first)}};
}

/* What the pressures lambda eps of a and of b push the face with [N]: P n, or h of (6) as both cells have turned it,
 * half of each being the push. */
typedef struct {
    rvec whole, of[2];
} link_push;

SCR_INLINE link_push link_push_of(const link_shape *s, const link_state *l, real pa, real pb)
{
    link_push p = {.whole = rv_scale(s->half * (pa + pb), l->normal)};
    if (s->centred) return p;
    real area = s->half + s->half, less = pa - pb;
    rvec h = rv_scale(area * r_fma(s->part, less, pb), s->n);
    h = rv_fma(h, area * less, s->skew);
    p.of[0] = rv_add(h, link_turned(&l->turn[0], h));
    p.of[1] = rv_add(h, link_turned(&l->turn[1], h));
    p.whole = rv_scale(r_of(0.5), rv_add(p.of[0], p.of[1]));
    return p;
}

/* What it adds to the sum in (9) of both its cells [m^2]. */
SCR_INLINE real link_bend(const link_shape *s, const link_state *l)
{
    rvec change = rv_sub(l->less[2][1], l->less[2][0]), start = rv_sub(s->d[1], s->d[0]);
    rvec tilt = rv_sub(l->face, s->n);
    return s->half * (rv_fdot(change, l->face) + rv_fdot(start, tilt));
}

/* p of (7): half the angle, where that is small. */
SCR_INLINE rvec link_turn_between(const link_end *a, const link_end *b)
{
    rvec p = rv_fnma(rv_scale(a->w, b->q), b->w, a->q);
    return rv_fcross_add(b->q, a->q, p);
}

/* (7), (8): torque on a, in space. */
SCR_INLINE rvec link_flexion(const link_shape *s, const link_end *a, const link_end *b, real *energy)
{
    real p0 = r_fma(a->w, b->w, rv_fdot(a->q, b->q));
    rvec p = link_turn_between(a, b);
    rvec third = rv_fcross(s->n, s->s);
    real pn = rv_fdot(p, s->n), ps = rv_fdot(p, s->s), pt = rv_fdot(p, third);
    const real *c = s->b;
    real en = (c[1] + c[2]) * pn, es = (c[0] + c[2]) * ps, et = (c[0] + c[1]) * pt;
    *energy = r_fma(r_of(2.0), r_fma(en, pn, r_fma(es, ps, et * pt)), *energy);
    real tn = r_fma(p0, en, (c[1] - c[2]) * (ps * pt));
    real ts = r_fma(p0, es, (c[2] - c[0]) * (pn * pt));
    real tt = r_fma(p0, et, (c[0] - c[1]) * (pn * ps));
    rvec half = rv_fma(rv_fma(rv_scale(tn, s->n), ts, s->s), tt, third);
    link_turn ta = link_turn_of(a->w, a->q);
    return rv_scale(r_of(2.0), rv_add(half, link_turned(&ta, half)));
}

/* (10); moment = Kb kap/Vk of a + of b [N/m]. */
SCR_INLINE void link_shell_torque(const link_shape *s, const link_state *l, real moment, link_result *r)
{
    real m = s->half * moment;
    rvec da = rv_add(s->d[0], l->less[2][0]), db = rv_add(s->d[1], l->less[2][1]);
    rvec half = rv_scale(r_of(0.5), rv_sub(db, da));
    rvec na = rv_add(s->n, l->less[1][0]), nb = rv_add(s->n, l->less[1][1]);
    rvec ma = rv_sub(rv_fcross(da, l->face), rv_fcross(na, half));
    rvec mb = rv_add(rv_fcross(db, l->face), rv_fcross(nb, half));
    r->torque[0] = rv_fma(r->torque[0], m, ma);
    r->torque[1] = rv_fnma(r->torque[1], m, mb);
}

/* (5) to (8); pa, pb = lambda eps of a and of b [Pa]. */
SCR_INLINE link_result link_force(const link_shape *s, const link_end *a, const link_end *b, const link_state *l,
                                  real pa, real pb)
{
    link_result r = {.energy = 0.5 * s->k * rv_fdot(l->gap, l->gap)};
    rvec t = link_flexion(s, a, b, &r.energy);
    rvec qa = rv_add(s->arm[0], l->less[0][0]), qb = rv_add(s->arm[1], l->less[0][1]);
    link_push push = link_push_of(s, l, pa, pb);
    r.pull = r.force = rv_fma(push.whole, s->k, l->gap);
    r.torque[0] = rv_fcross_add(qa, r.pull, t);
    r.torque[1] = rv_fcross_add(r.pull, qb, rv_scale(r_of(-1.0), t));
    if (s->centred) {
        rvec across = rv_fnma(l->gap, rv_fdot(l->gap, l->normal), l->normal);
        r.force = rv_fma(r.pull, s->half * (pa + pb) * l->per_distance, across);
    } else {
        rvec half = rv_scale(r_of(0.5), l->gap);
        r.torque[0] = rv_fcross_add(half, push.of[0], r.torque[0]);
        r.torque[1] = rv_fcross_add(half, push.of[1], r.torque[1]);
    }
    return r;
}

#endif
