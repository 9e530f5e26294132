/* Hooke: a linear spring.
 *
 *   F = kn delta,   V = kn delta^2/2,   pi sqrt(m* / kn) of contact                                 (1)
 *
 * With a damper of ratio z beside it, eta = 2 z sqrt(m* kn), restitution depends on z alone (kernel/law.c). */
#ifndef SCREE_KERNEL_LAW_HOOKE_H
#define SCREE_KERNEL_LAW_HOOKE_H

#include <stdio.h>

#include "kernel/law/state.h"
#include "math/elementary.h"

SCR_INLINE real hooke_push(real kn, real delta)
{
    return kn * delta;
}

SCR_INLINE real hooke_energy(real push, real delta)
{
    return 0.5 * push * delta;
}

/* In the lanes that have it. */
SCR_INLINE void hooke_lanes(const contact_law *p, const contact_state *c, const contact_depth *d, contact_normal *n,
                            int ledger)
{
    (void)c;
    mask is = r_is(p->normal, r_of(SCR_NORMAL_HOOKE));
    n->push = r_select(is, hooke_push(p->kn, d->inside), n->push);
    n->stored = r_select(is, hooke_energy(n->push, d->inside), n->stored);
    if (ledger) n->load_before = r_select(is, hooke_push(p->kn, d->before), n->load_before);
}

/* ---- one contact ---- */

#define hooke_power 1

static inline contact_push hooke_potential(const scr_law *law, double radius, double delta)
{
    (void)radius;
    double push = law->kn * delta;
    return (contact_push){push, law->kn, 0.5 * push * delta};
}

/* The force alone, from 1/R*: of springs as they were. */
static inline double hooke_load(const scr_law *law, double inverse_radius, double delta)
{
    (void)inverse_radius;
    return law->kn * delta;
}

/* (V(b) - V(a))/(b - a) for a, b > 0, and its derivative with b, into `stiffness`. */
static inline contact_push hooke_secant(const scr_law *law, double inverse_radius, double a, double b)
{
    (void)inverse_radius;
    return (contact_push){.force = 0.5 * law->kn * (a + b), .stiffness = 0.5 * law->kn};
}

static inline contact_gap hooke_gap(const scr_law *law, double radius, double overlap)
{
    (void)radius;
    return (contact_gap){overlap, 1 / law->kn};
}

static inline double hooke_overlap(const scr_law *law, double mass, double radius, double speed)
{
    (void)radius;
    return speed * sqrt(mass / law->kn);
}

static inline double hooke_depth(const scr_law *law, double radius, double force)
{
    (void)radius;
    return force / law->kn;
}

static inline double hooke_time(const scr_law *law, double mass, double radius)
{
    (void)radius;
    return M_PI * sqrt(mass / law->kn);
}

#define hooke_shortest hooke_time

// kn is its only number
static inline void hooke_choose(scr_law *law, const scr_contact_def *said)
{
    (void)law, (void)said;
}

#define hooke_rebound_key NULL
#define hooke_rebound_at  0
static inline double hooke_rebound(const scr_law *law, const scr_contact_def *said)
{
    (void)law, (void)said;
    return NAN;
}

static inline void hooke_bounce(scr_law *law, double e, double z)
{
    (void)e;
    law->eta_root = 2 * z * sqrt(law->kn);
}

static inline void hooke_describe(const scr_law *law, char *text, size_t size)
{
    snprintf(text, size, "hooke, kn %.4g N/m", law->kn);
}

/* The stiffness for which an impact at `speed` is `overlap` deep (Vyas et al. 2025, eq. 27). */
#define hooke_key stiffness

static inline double hooke_needed(double mass, double radius, double speed, double overlap)
{
    (void)radius;
    return mass * speed * speed / (overlap * overlap);
}

/* A contact that lasts as long as that of elastic spheres (hertz.h): the constant is (pi/2.94)^2 (16/15)^4/5. */
static inline double hooke_elastic(double mass, double radius, double speed, double modulus)
{
    return 1.2024 * scr_pow(sqrt(mass) * modulus * modulus * radius * speed, 0.4);
}

#endif
