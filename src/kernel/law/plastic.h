/* Linear hysteretic plasticity (Walton & Braun 1986): a contact is loaded along kn. From where it was deepest it
 * unloads, and loads again, along a stiffer spring k2, and an overlap delta_0 remains, which is its history.
 *
 *   delta_0 <- max(delta_0, y delta),   y = 1 - kn/k2                                              (1)
 *   F = k2 (delta - delta_0), not below 0: kn delta while (1) grows                                 (2)
 *   V = F^2/(2 k2);   lost so far  W = kn delta_0^2/(2 y)                                           (3)
 *
 * W is a function of the history alone: what a step loses is the difference of two of them. A head-on impact gives back
 * V/(V + W) = kn/k2 of its energy whatever its speed, so restitution is sqrt(kn/k2), and needs no damper. It takes a
 * quarter of a period with each spring. The dent is forgotten when the overlap is gone. */
#ifndef SCREE_KERNEL_LAW_PLASTIC_H
#define SCREE_KERNEL_LAW_PLASTIC_H

#include "kernel/law/hooke.h"

SCR_INLINE mask plastic_is(const contact_law *p)
{
    return r_is(p->normal, r_of(SCR_NORMAL_PLASTIC));
}

SCR_INLINE void plastic_lanes(const contact_law *p, const contact_state *c, const contact_depth *d, contact_normal *n,
                              int ledger)
{
    mask is = plastic_is(p);
    if (!r_any(is)) return;
    real k2 = r_select(is, p->unloading, r_of(1.0)), yield = 1.0 - p->kn / k2;
    real old = r_where(c->was, n->residual), rest = r_max(old, yield * d->inside);
    real out = r_max(d->inside - rest, r_of(0.0));
    n->residual = r_where(is, rest);
    n->push = r_select(is, k2 * out, n->push);
    n->loose |= is & ~r_less(r_of(0.0), out);
    n->loosened |= is & ~r_less(old, d->before);
    if (!ledger) return;
    mask yields = is & r_less(r_of(0.0), yield);
    real half = 0.5 * p->kn / r_select(yields, yield, r_of(1.0));
    n->stored = r_select(is, 0.5 * n->push * out, n->stored);
    n->load_before = r_select(is, k2 * r_max(d->before - old, r_of(0.0)), n->load_before);
    n->yielded = r_where(yields, half * (rest * rest - old * old));
}

/* ---- one contact: the first loading is that of Hooke ---- */

#define plastic_power     hooke_power
#define plastic_potential hooke_potential
#define plastic_load      hooke_load
#define plastic_secant    hooke_secant
#define plastic_gap       hooke_gap
#define plastic_overlap   hooke_overlap
#define plastic_depth     hooke_depth
#define plastic_key       hooke_key
#define plastic_needed    hooke_needed
#define plastic_elastic   hooke_elastic
#define plastic_choose    hooke_choose

static inline double plastic_time(const scr_law *law, double mass, double radius)
{
    (void)radius;
    return 0.5 * M_PI * (sqrt(mass / law->kn) + sqrt(mass / law->unloading));
}

static inline double plastic_shortest(const scr_law *law, double mass, double radius)
{
    (void)radius;
    return M_PI * sqrt(mass / law->unloading);
}

#define plastic_rebound_key "unloading_stiffness"
#define plastic_rebound_at  offsetof(scr_contact_def, unloading_stiffness)
static inline double plastic_rebound(const scr_law *law, const scr_contact_def *said)
{
    return sqrt(law->kn / said->unloading_stiffness);
}

static inline void plastic_bounce(scr_law *law, double e, double z)
{
    (void)z;
    law->unloading = law->kn / (e * e);
}

static inline void plastic_describe(const scr_law *law, char *text, size_t size)
{
    snprintf(text, size, "plastic, kn %.4g N/m, unloading %.4g N/m", law->kn, law->unloading);
}

#endif
