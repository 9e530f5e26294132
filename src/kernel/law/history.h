/* Springs with a limit, of friction, rolling and twisting: how they follow the contact plane, slip, and what they cost.
 *
 * P(a, n) turns a vector into the plane of n: projected, its length kept. Q(a) takes a vector of
 * the plane of n' to that of n by the smallest rotation. v_t is the velocity along the spring, mu F_g its limit.
 *
 *   h  <- Q(P(h, n')),   v_t <- Q(v_t)                                                         (3)
 *   f = -k_t (h + dt v_t) - eta_t v_t;  where |f| > mu F_g the contact slips at the velocity      (4)
 *         s = -f (1 - mu F_g/|f|)/(k_t dt + eta_t),  else s = 0:
 *         u = v_t - s,  h <- h + dt u,  F_t = -k_t h - eta_t u, whose size is then mu F_g
 *
 * (4) is a slider in series with the spring and the damper beside it, which both feel only the part u of
 * the motion that stretches the spring, stepped implicitly. With `slip: damper` (Luding 2008; LAMMPS) the
 * damper feels all of v_t while the contact slips, and the spring is set so that both give the limit:
 *
 *   |f| > mu F_g:   F_t = f mu F_g/|f|,   h = -(F_t + eta_t v_t)/k_t                                (6)
 *
 * A stiffness that depends on the contact radius changes while a spring is stretched. While it grows
 * the force is kept (what is laid on is stress-free), while it falls the stretch is kept: neither makes
 * energy. With G = k_old/k_new this is h *= g, g = min(G, 1).
 *
 * Energy, as velocity-Verlet does work: a force F acts in the half steps before and after its time,
 * so between two evaluations the bodies receive dt/2 (F_old + F_new).v. Of what they give to a spring with (4),
 *
 *   dt eta u^2  is lost in the damper,
 *   dt/2 (limit_old + limit_new) |s|  is lost by sliding, and                                     (7)
 *   1/2 (k_old - g k) h_old.h + 1/2 k_old (1 - g) h_old^2  where the stiffness changes,
 *
 * all of them >= 0, and the rest is stored, k h^2/2. (Where a contact slips that stuck before, limit_old is more than
 * its force was. Twice what spring and damper can have had bounds it, for limits far beyond all forces that end at
 * once.) The first stands for dt/2 eta (u_old + u).u; to the order of the scheme that telescopes to weight 1 (3/4 in
 * the first evaluation of a contact and in the one that finds it gone, 5/4 in the first step of a run for contacts that
 * were there before: `opening`) less dt/4 eta u^2 of the contacts that are there now. This is `excess`, a function of
 * the present state: its sum over all contacts is added to what was lost in dampers, and needs no history. What a
 * spring holds when its contact ends is lost by sliding.
 *
 * With (6) the spring is stretched in fast sliding far beyond what the limit could hold, only to cancel the
 * damper. That is not stored energy: it is booked with at most limit^2/(2 k), and the rest belongs to what
 * was lost (contact_keep_work). */
#ifndef SCREE_KERNEL_LAW_HISTORY_H
#define SCREE_KERNEL_LAW_HISTORY_H

#include <stdio.h>

#include "kernel/law/state.h"

SCR_INLINE rvec contact_project(rvec a, rvec n)
{
    return rv_fnma(a, rv_fdot(a, n), n);
}

/* Roots and quotients of numbers near 1: a contact turns little in a step, and then a series has all digits. */
// sqrt(1 + x), x >= 0
SCR_INLINE real contact_root(real x)
{
    real tail = r_fma(x, r_of(-0.0390625), r_of(0.0625));
    real series = r_fma(x, r_fma(x, r_fma(x, tail, r_of(-0.125)), r_of(0.5)), r_of(1.0));
    mask large = r_less(r_of(1e-3), x);
    if (r_any(large)) series = r_select(large, r_sqrt(1.0 + x), series);
    return series;
}

// 1/sqrt(square)
SCR_INLINE real contact_inverse_root(real square)
{
    real x = square - 1.0, tail = r_fma(x, r_of(0.2734375), r_of(-0.3125));
    real series = r_fma(x, r_fma(x, r_fma(x, tail, r_of(0.375)), r_of(-0.5)), r_of(1.0));
    mask large = r_less(r_of(5e-4), r_abs(x));
    if (r_any(large)) series = r_select(large, 1.0 / r_sqrt(square), series);
    return series;
}

// 1/(1 + c), c a cosine
SCR_INLINE real contact_inverse_sum(real c)
{
    real x = r_fnma(r_of(0.5), c, r_of(0.5)), tail = r_fma(x, r_of(0.5), r_of(0.5));
    real series = r_fma(x, r_fma(x, tail, r_of(0.5)), r_of(0.5));
    mask large = r_less(r_of(5e-5), x);
    if (r_any(large)) series = r_select(large, 1.0 / (1.0 + c), series);
    return series;
}

/* P: a turned into the plane of the unit normal n: projected, length kept. */
SCR_INLINE rvec contact_turn(rvec a, rvec n)
{
    real along = rv_fdot(a, n);
    rvec b = rv_fnma(a, along, n);
    real b2 = rv_fdot(b, b);
    mask some = r_less(r_of(0.0), b2);
    real x = r_where(some, along * along / r_select(some, b2, r_of(1.0)));
    return rv_scale(contact_root(x), b);
}

/* (n + n')/(1 + n.n') */
SCR_INLINE rvec contact_middle(rvec n, rvec n_half)
{
    return rv_scale(contact_inverse_sum(rv_fdot(n, n_half)), rv_add(n, n_half));
}

/* Q: a vector of the plane of n_half, rotated into that of n. */
SCR_INLINE rvec contact_rotate(rvec a, rvec n, rvec middle)
{
    return rv_fnma(a, rv_fdot(a, n), middle);
}

/* A spring, its damper and its limit; as they were at the last evaluation where the ledger needs it. */
typedef struct {
    real k, eta, limit;
} contact_link;

typedef struct {
    rvec force, h;
    real damped, rubbed; /* energy lost in the damper and by sliding since the last evaluation */
    real excess;         /* to be added to `damped`, as things are now */
    real stored;
} contact_spring;

/* (7): `old` is the spring as it was, turned into the present plane, `rate` u, `sliding` |s| times the forces
 * before and now; `held` is what its stretch, `s->h`, holds. */
SCR_INLINE void contact_spring_work(contact_options o, real dt, real opening, const contact_state *c, rvec old,
                                    rvec rate, real sliding, real kept, const contact_link *l, const contact_link *past,
                                    contact_spring *s)
{
    mask once = c->touch ^ c->was, last = c->was & ~c->touch, lasts = c->touch & c->was;
    real rate2 = rv_fdot(rate, rate), lost = l->eta * rate2, held = 0.5 * l->k * rv_fdot(s->h, s->h);
    real weight = r_select(lasts, dt + opening, r_where(once, 0.75 * dt));
    s->damped = weight * lost;
    s->rubbed = r_fma(0.5 * dt, sliding, r_where(last, held));
    s->stored = r_where(c->touch, held);
    s->excess = r_where(c->touch, -0.25 * dt * lost);
    if (o.kind == CONTACT_HOOKE) return;
    // stiffness and damping that change
    real growth = r_fnma(kept, l->k, past->k), rest = past->k * (1.0 - kept);
    real change = r_fma(growth, rv_fdot(old, s->h), rest * rv_fdot(old, old));
    s->rubbed += r_where(c->was, 0.5 * change);
    s->damped += r_where(lasts, 0.25 * dt * (past->eta - l->eta) * rate2);
}

/* (4): `v` is the velocity along the spring. */
SCR_INLINE contact_spring contact_stretch(contact_options o, real dt, real opening, const contact_state *c, rvec old,
                                          rvec v, real kept, contact_link l, const contact_link *past)
{
    // a contact that has just ended loses what it held with the numbers that it had
    if (o.ledger && o.kind != CONTACT_HOOKE) {
        l.k = r_select(c->touch, l.k, past->k);
        l.eta = r_select(c->touch, l.eta, past->eta);
    }
    rvec from = o.kind == CONTACT_HOOKE ? old : rv_scale(kept, old);
    real give = r_fma(l.k, dt, l.eta);
    rvec f = rv_fnma(rv_scale(-l.k, from), give, v);
    real f2 = rv_fdot(f, f), sliding = r_of(0.0);
    mask slip = r_less(l.limit * l.limit, f2);
    contact_spring s = {.force = f};
    rvec rate = v;
    if (r_any(slip)) {
        real size = r_sqrt(r_select(slip, f2, r_of(1.0)));
        real gives = r_select(slip & r_less(r_of(0.0), give), give, r_of(1.0));
        real inverse = 1.0 / (size * gives), yield = (size - l.limit) * inverse;
        s.force = rv_scale(r_select(slip, l.limit * gives * inverse, r_of(1.0)), f);
        rate = rv_select(slip, rv_fma(v, yield, f), v);
        if (o.ledger) {
            real most = 2.0 * r_fma(give, r_abs(v.x) + r_abs(v.y) + r_abs(v.z), size);
            sliding = r_where(slip, (l.limit + r_min(past->limit, most)) * yield * size);
        }
    }
    s.h = rv_fma(from, dt, rate);
    if (o.ledger) contact_spring_work(o, dt, opening, c, old, rate, sliding, kept, &l, past, &s);
    s.h = rv_where(c->touch, s.h);
    return s;
}

/* The work that the forces of (6) did: the last one is -k h - eta v, up to the change of velocity, in stick
 * and slip alike. */
SCR_INLINE void contact_keep_work(real dt, real opening, const contact_state *c, rvec old, rvec v, mask slip,
                                  const contact_link *l, const contact_link *past, contact_spring *s)
{
    mask spring = r_less(r_of(0.0), l->k), some = r_less(r_of(0.0), past->k);
    mask first = c->touch & ~c->was, last = c->was & ~c->touch, lasts = c->touch & c->was;
    rvec g = rv_fnma(rv_scale(-past->k, old), past->eta, v);
    real full = 0.5 * past->k * rv_fdot(old, old), limit2 = past->limit * past->limit;
    real held = r_where(some, r_min(full, 0.5 * limit2 / r_select(some, past->k, r_of(1.0))));
    real most = 0.5 * l->limit * l->limit / r_select(spring, l->k, r_of(1.0));
    s->stored = r_where(spring, r_min(0.5 * l->k * rv_fdot(s->h, s->h), most));
    real v2 = rv_fdot(v, v), lost = r_where(c->was, r_fnma(0.5 * dt, rv_fdot(g, v), held)) - s->stored -
                                    r_where(c->touch, 0.5 * dt * rv_fdot(s->force, v));
    lost += v2 * (r_where(first, 0.25 * dt * l->eta) - r_where(last, 0.25 * dt * past->eta) +
                  r_where(lasts, opening * l->eta + 0.25 * dt * (l->eta - past->eta)));
    s->damped = r_where(~slip, lost), s->rubbed = r_where(slip, lost);
    s->excess = r_where(c->touch, -0.25 * dt * l->eta * v2);
}

/* (6). */
SCR_INLINE contact_spring contact_keep(contact_options o, real dt, real opening, const contact_state *c, rvec old,
                                       rvec v, real kept, const contact_link *l, const contact_link *past)
{
    rvec from = o.kind == CONTACT_HOOKE || o.lammps ? old : rv_scale(kept, old);
    contact_spring s = {.h = rv_fma(from, dt, v)};
    rvec f = rv_fnma(rv_scale(-l->k, s.h), l->eta, v);
    real f2 = rv_fdot(f, f);
    mask slip = r_less(l->limit * l->limit, f2);
    if (r_any(slip)) {
        mask spring = r_less(r_of(0.0), l->k);
        real size = r_sqrt(r_select(slip, f2, r_of(1.0)));
        real k = r_select(spring, l->k, r_of(1.0)), inverse = 1.0 / (size * k);
        f = rv_scale(r_select(slip, l->limit * k * inverse, r_of(1.0)), f);
        rvec slid = rv_scale(r_where(spring, -size * inverse), rv_fma(f, l->eta, v));
        s.h = rv_select(slip, slid, s.h);
    }
    s.h = rv_where(c->touch, s.h);
    s.force = f;
    if (o.ledger) contact_keep_work(dt, opening, c, old, v, slip, l, past, &s);
    return s;
}

/* (4) or (6), as the law says; `growth` is k_old/k. */
SCR_INLINE contact_spring contact_spring_of(contact_options o, real dt, real opening, const contact_state *c,
                                            const contact_law *p, rvec old, rvec v, real growth, const contact_link *l,
                                            const contact_link *past)
{
    real kept = r_min(growth, r_of(1.0));
    if (o.lammps) return contact_keep(o, dt, opening, c, old, v, kept, l, past);
    contact_spring s = contact_stretch(o, dt, opening, c, old, v, kept, *l, past);
    if (o.kind != CONTACT_ANY) return s;
    mask damper = r_less(r_of(0.5), p->slip);
    if (!r_any(damper)) return s;
    contact_spring t = contact_keep(o, dt, opening, c, old, v, kept, l, past);
    s.force = rv_select(damper, t.force, s.force), s.h = rv_select(damper, t.h, s.h);
    if (!o.ledger) return s;
    s.damped = r_select(damper, t.damped, s.damped);
    s.rubbed = r_select(damper, t.rubbed, s.rubbed);
    s.excess = r_select(damper, t.excess, s.excess);
    s.stored = r_select(damper, t.stored, s.stored);
    return s;
}

/* What friction feels of a normal force. Where contacts may pull it is the size of the force, as in codes
 * whose contacts do. */
SCR_INLINE real contact_load(contact_options o, const contact_law *p, real force)
{
    if (o.lammps) return r_abs(force);
    real load = r_max(force, r_of(0.0));
    if (o.kind != CONTACT_ANY) return load;
    return r_select(r_less(r_of(0.5), p->pull), r_abs(force), load);
}

/* ---- one contact ---- */

/* Half a period of a spring of torque k R*^2 per angle between two bodies [s]; `size` is R*, inverse_inertia
 * 1/I_i + 1/I_j. */
static inline double contact_turning_time(double k, double size, double inverse_inertia)
{
    return k > 0 ? M_PI / (size * sqrt(k * inverse_inertia)) : INFINITY;
}

/* A spring that turns, for people. */
static inline void contact_turning_describe(const scr_law *law, const char *what, double mu, double k, double zeta,
                                            char *text, size_t size)
{
    snprintf(text, size, "%s: sds, friction %.4g, stiffness %.3g of normal, damping %.3g of normal", what, mu,
             k / (scr_law_normal(law)->power * law->kn), zeta);
}

// a spring of (6) counts with what its limit allows
static inline double contact_spring_stored(const scr_law *law, double k, double h2, double limit)
{
    if (!(k > 0)) return 0;
    double full = 0.5 * k * h2;
    return law->slip > 0 ? fmin(full, 0.5 * limit * limit / k) : full;
}

#endif
