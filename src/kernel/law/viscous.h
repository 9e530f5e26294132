/* Dampers beside the normal spring, of an effective mass m* and the contact radius a, which is 1 [m] where the normal
 * law does not grow with it:
 *
 *   eta = eta_root sqrt(m* a) + (eta_mass + eta_area a) m*                                          (1)
 *
 * The first gives the restitution that was asked for (the normal law's `bounce`), the second is `damping: viscous`, the
 * third `viscoelastic`, where a is the contact radius in any case. */
#ifndef SCREE_KERNEL_LAW_VISCOUS_H
#define SCREE_KERNEL_LAW_VISCOUS_H

#include <math.h>
#include <stdio.h>

#include "kernel/law/state.h"

SCR_INLINE real viscous_eta(const contact_law *p, const contact_sizes *sizes, real scale, real radius)
{
    real eta = r_fma(p->eta_area, radius, p->eta_mass) * sizes->mass;
    if (!r_any(~r_is(p->eta_root, r_of(0.0)))) return eta;
    return r_fma(p->eta_root, r_sqrt(sizes->mass * scale), eta);
}

/* The same of linear springs alone. */
SCR_INLINE real viscous_eta_linear(const contact_law *p, const contact_sizes *sizes)
{
    return r_fma(p->eta_root, sizes->root_mass, p->eta_mass * sizes->mass);
}

/* ---- one contact: words of `damping` ---- */

/* Their number from what is said; the key that it lacks, NULL: none. */
static inline const char *restitution_rate(scr_law *law, const scr_contact_def *said)
{
    (void)law, (void)said;
    return NULL;
}

static inline const char *viscous_rate(scr_law *law, const scr_contact_def *said)
{
    law->eta_mass = said->damping_rate;
    return isnan(law->eta_mass) ? "damping_rate" : NULL;
}

static inline const char *viscoelastic_rate(scr_law *law, const scr_contact_def *said)
{
    law->eta_area = said->area_damping_rate;
    return isnan(law->eta_area) ? "area_damping_rate" : NULL;
}

/* Whether a law has it. */
static inline int restitution_damps(const scr_law *law)
{
    return law->eta_root > 0;
}

static inline int viscous_damps(const scr_law *law)
{
    return law->eta_mass > 0;
}

static inline int viscoelastic_damps(const scr_law *law)
{
    return law->eta_area > 0;
}

/* The rate, for people. */
static inline void restitution_said_rate(const scr_law *law, char *text, size_t size)
{
    snprintf(text, size, "damping, rate %.4g of the root of the effective mass", law->eta_root);
}

static inline void viscous_said_rate(const scr_law *law, char *text, size_t size)
{
    snprintf(text, size, "viscous damping, rate %.4g 1/s of the effective mass", law->eta_mass);
}

static inline void viscoelastic_said_rate(const scr_law *law, char *text, size_t size)
{
    snprintf(text, size, "viscoelastic damping, rate %.4g 1/(m s) of effective mass and contact radius", law->eta_area);
}

#endif
