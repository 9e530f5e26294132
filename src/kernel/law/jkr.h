/* JKR: adhesive elastic spheres (Johnson, Kendall & Roberts 1971) with work of adhesion w = 2 gamma, in s = sqrt(a):
 *
 *   delta = s^4/R* - c s,   c = sqrt(2 pi w/E*)                                                (1)
 *   F_n = 4/3 E* a^3/R* - sqrt(8 pi w E* a^3)                                                  (2)
 *
 * A contact begins at delta = 0, where s^3 = c R*, and ends where delta is least: s^3 is a quarter
 * of that. Both are jumps of the energy, which is lost. At rest a_0^3 = 9 pi gamma R*^2/E* and dF/ddelta = 6/5 E*
 * a_0. */
#ifndef SCREE_KERNEL_LAW_JKR_H
#define SCREE_KERNEL_LAW_JKR_H

#include <stdio.h>

#include "kernel/law/state.h"
#include "math/elementary.h"

SCR_INLINE real jkr_c(const contact_law *p)
{
    // 2 pi w/E* with w = 2 gamma
    mask is = r_less(r_of(0.0), p->surface_energy);
    return r_where(is, r_sqrt(12.566370614359172 * p->surface_energy / r_select(is, 0.75 * p->kn, r_of(1.0))));
}

// the overlap (negative) at which a contact ends
SCR_INLINE real jkr_tear(real c, real radius)
{
    return -0.75 * c * r_cbrt(0.25 * c * radius);
}

// (1) solved for s by Newton's method from above, where the function is convex; no contact is smaller than the one that
// tears
SCR_INLINE real jkr_root(real c, real radius, real delta, int steps)
{
    real quarter = r_sqrt(r_sqrt(2.0 * radius * r_max(delta, r_of(0.0))));
    real s = r_max(r_cbrt(2.0 * c * radius), quarter);
    for (int k = 0; k < steps; k++) {
        real cube = s * s * s / radius;
        s -= (cube * s - c * s - delta) / (4.0 * cube - c);
    }
    return r_max(s, r_cbrt(0.25 * c * radius));
}

// integral of (2) along (1), zero for a = 0
SCR_INLINE real jkr_energy(real kn, real c, real pull, real radius, real s)
{
    real a = s * s, seven = a * a * a * s;
    return 0.4 * kn * a * a * a * a * a / (radius * radius) - (kn * c + 4.0 * pull) * seven / (7.0 * radius) +
           0.25 * pull * c * a * a;
}

/* The overlap beyond which a contact lasts, where it has begun. */
SCR_INLINE real jkr_reach(const contact_law *p, real radius, mask was, real reach)
{
    mask is = r_less(r_of(0.0), p->surface_energy) & was;
    if (!r_any(is)) return reach;
    return r_select(is, jkr_tear(jkr_c(p), radius), reach);
}

SCR_INLINE void jkr_lanes(const contact_law *p, const contact_state *c, const contact_depth *d, contact_normal *n,
                          int ledger)
{
    mask is = r_less(r_of(0.0), p->surface_energy);
    if (!r_any(is)) return;
    real radius = c->radius, k = jkr_c(p), tear = jkr_tear(k, radius);
    real s = jkr_root(k, radius, r_max(c->delta, tear), 24), a = s * s;
    // where it was a step ago: less precisely, for the work of springs whose stiffness changes
    real t = jkr_root(k, radius, r_max(d->past, tear), 10), before = t * t;
    // sqrt(8 pi w E*) = sqrt(12 pi gamma 4/3 E*)
    real pull = r_sqrt(37.69911184307752 * r_where(is, p->surface_energy * p->kn));
    n->push = r_select(is, p->kn * a * a * a / radius, n->push);
    n->pull = r_select(is, pull * a * s, n->pull);
    n->radius = r_select(is, a, n->radius);
    n->radius_before = r_select(is, before, n->radius_before);
    n->stiffening = r_select(is, before / a, n->stiffening);
    // Thornton: friction acts as if the load were F_n + 2 F_pull-off, F_pull-off = 3 pi gamma R*
    n->grip = r_select(is, 18.849555921538759 * p->surface_energy * radius, n->grip);
    if (!ledger) return;
    n->stored = r_select(is, jkr_energy(p->kn, k, pull, radius, s), n->stored);
    real first = jkr_energy(p->kn, k, pull, radius, r_cbrt(k * radius));
    real last = jkr_energy(p->kn, k, pull, radius, r_cbrt(0.25 * k * radius));
    real load = p->kn * t * t * t * t * t * t / radius - pull * t * t * t + n->grip;
    n->load_before = r_select(is, load, n->load_before);
    n->jump = r_where(is & c->touch & ~c->was, -first) + r_where(is & ~c->touch & c->was, last);
}

/* ---- one contact ---- */

static inline int jkr_acts(const scr_law *law)
{
    return law->surface_energy > 0;
}

static inline void jkr_choose(scr_law *law, const scr_contact_def *said, double smallest)
{
    (void)smallest;
    law->surface_energy = said->surface_energy;
}

static inline void jkr_said(const scr_law *law, const scr_contact_def *said, double low, double high, char *text,
                            size_t size)
{
    (void)said;
    if (high > low)
        snprintf(text, size, "jkr, surface energy %.4g J/m^2: pull-off forces %.3g to %.3g N", law->surface_energy, low,
                 high);
    else
        snprintf(text, size, "jkr, surface energy %.4g J/m^2: pull-off force %.3g N", law->surface_energy, high);
}

static inline double jkr_range(const scr_law *law, double radius)
{
    double c = sqrt(4 * M_PI * law->surface_energy / scr_law_modulus(law));
    return 0.75 * c * scr_cbrt(0.25 * c * radius);
}

static inline double jkr_pull_off(const scr_law *law, double radius)
{
    return 3 * M_PI * law->surface_energy * radius;
}

/* Thornton & Ning 1998: 7.09 (Gamma^5 R*^4 / E*^2)^(1/3), Gamma = 2 gamma. */
static inline double jkr_work(const scr_law *law, double radius)
{
    double g = 2 * law->surface_energy;
    return 7.09 * scr_cbrt(scr_pow(g, 5) * scr_pow(radius, 4) / (scr_law_modulus(law) * scr_law_modulus(law)));
}

/* Contact radius a_0 at rest [m]. */
static inline double jkr_rest(const scr_law *law, double radius)
{
    return scr_cbrt(9 * M_PI * law->surface_energy * radius * radius / scr_law_modulus(law));
}

static inline double jkr_time(const scr_law *law, double mass, double radius)
{
    return M_PI * sqrt(mass / (1.2 * scr_law_modulus(law) * jkr_rest(law, radius)));
}

#endif
