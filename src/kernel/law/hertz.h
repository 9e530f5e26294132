/* Hertz: elastic spheres (Johnson 1985). With the contact radius a = sqrt(R* delta) and kn = 4/3 E*,
 *
 *   F = kn a delta,   V = 2/5 F delta,   F' = 3/2 kn a = 2 E* a                                     (1)
 *
 * An undamped impact at speed V goes as deep as delta^(5/2) = 5/4 m* V^2/(kn sqrt(R*)), and lasts
 * 2 int_0^1 dx/sqrt(1 - x^5/2) = 2.9432749... times delta/V. With a damper of ratio z beside it,
 * eta = sqrt(5) z sqrt(m* kn a), restitution depends on z alone as that of Hooke does (kernel/law.c). */
#ifndef SCREE_KERNEL_LAW_HERTZ_H
#define SCREE_KERNEL_LAW_HERTZ_H

#include "kernel/law/hooke.h"
#include "math/elementary.h"

SCR_INLINE real hertz_radius(real radius, real delta)
{
    return r_sqrt(radius * delta);
}

SCR_INLINE real hertz_push(real kn, real a, real delta)
{
    return kn * a * delta;
}

SCR_INLINE real hertz_energy(real push, real delta)
{
    return 0.4 * push * delta;
}

/* It is what lanes have where no other law is asked for (contact_normal_of). */
SCR_INLINE void hertz_lanes(const contact_law *p, const contact_state *c, const contact_depth *d, contact_normal *n,
                            int ledger)
{
    (void)p, (void)c, (void)d, (void)n, (void)ledger;
}

/* ---- one contact ---- */

#define hertz_power 1.5

/* The contact radius from 1/R*; hertz_load and implicit steps have it. */
static inline double hertz_radius_of(double inverse_radius, double delta)
{
    return sqrt(delta / inverse_radius);
}

#if SCR_LANES == 1
static inline contact_push hertz_potential(const scr_law *law, double radius, double delta)
{
    double a = hertz_radius(radius, delta), push = hertz_push(law->kn, a, delta);
    return (contact_push){push, hertz_power * law->kn * a, hertz_energy(push, delta)};
}

// the product in another order: the bits of implicit steps
static inline double hertz_load(const scr_law *law, double inverse_radius, double delta)
{
    return hertz_push(law->kn, delta, hertz_radius_of(inverse_radius, delta));
}
#endif

/* With p = sqrt(a), q = sqrt(b): 2/5 K (p^4 + p^3 q + p^2 q^2 + p q^3 + q^4)/(p + q), V = 2/5 K delta^5/2. */
static inline contact_push hertz_secant(const scr_law *law, double inverse_radius, double a, double b)
{
    double p = sqrt(a), q = sqrt(b), sum = p + q, k = 0.4 * law->kn / sqrt(inverse_radius);
    double force = a * a + a * p * q + a * b + p * q * b + b * b;
    double slope = 2 * a * p + 4 * a * q + 6 * p * b + 3 * q * b;
    return (contact_push){.force = k * force / sum, .stiffness = 0.5 * k * slope / (sum * sum)};
}

/* g = delta^(5/4). Contacts within aggregates may be open by rounding. */
static inline contact_gap hertz_gap(const scr_law *law, double radius, double overlap)
{
    double stiffness = law->kn * sqrt(radius);
    return (contact_gap){0.8 * overlap, 0.8 / (stiffness * sqrt(fmax(overlap, 1e-12)))};
}

static inline double hertz_overlap(const scr_law *law, double mass, double radius, double speed)
{
    return scr_pow(1.25 * mass * speed * speed / (law->kn * sqrt(radius)), 0.4);
}

static inline double hertz_depth(const scr_law *law, double radius, double force)
{
    return scr_pow(force / (law->kn * sqrt(radius)), 2.0 / 3);
}

static inline double hertz_time(const scr_law *law, double mass, double radius)
{
    return 2.943274974811447 * hertz_overlap(law, mass, radius, law->speed) / law->speed;
}

#define hertz_shortest    hertz_time
#define hertz_choose      hooke_choose
#define hertz_rebound     hooke_rebound
#define hertz_rebound_key hooke_rebound_key
#define hertz_rebound_at  hooke_rebound_at

static inline void hertz_bounce(scr_law *law, double e, double z)
{
    (void)e;
    law->eta_root = sqrt(5) * z * sqrt(law->kn);
}

static inline void hertz_describe(const scr_law *law, char *text, size_t size)
{
    snprintf(text, size, "hertz, E* %.4g Pa", scr_law_modulus(law));
}

/* 4/3 E* for which an impact at `speed` is `overlap` deep (Vyas et al. 2025, eq. 28). */
#define hertz_key normal_modulus

static inline double hertz_needed(double mass, double radius, double speed, double overlap)
{
    return 1.25 * (mass * speed * speed) / (sqrt(radius) * scr_pow(overlap, 2.5));
}

static inline double hertz_elastic(double mass, double radius, double speed, double modulus)
{
    (void)mass, (void)radius, (void)speed;
    return 4.0 / 3 * modulus;
}

#endif
