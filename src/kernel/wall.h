/* A sphere on a wall, which has neither mass nor radius: as kernel/pair.h with a partner that only moves. The normal,
 * the overlap and the velocity of the centre against the wall's matter at the point of contact are the wall's
 * business. */
#ifndef SCREE_KERNEL_WALL_H
#define SCREE_KERNEL_WALL_H

#include "kernel/pair.h"

/* The rest of the contact of a sphere whose n, n_half, delta and inverse mass are known; returns its arm. */
SCR_INLINE real wall_contact(contact_options o, rvec dv, rvec spin, rvec wall_spin, real inverse_inertia, real radius,
                             contact_state *c)
{
    c->dw = rv_sub(spin, wall_spin);
    c->inverse_inertia = inverse_inertia;
    c->radius = radius;
    real arm = r_fnma(r_of(o.lammps ? 0.0 : 0.5), c->delta, radius);
    pair_velocity(c, dv, rv_scale(arm, spin));
    return arm;
}

/* Torque on the sphere. */
SCR_INLINE rvec wall_torque(contact_options o, const contact_state *c, const contact_result *r, real arm)
{
    rvec torque = rv_scale(-arm, rv_fcross(c->n, r->tangential));
    return o.kind == CONTACT_ANY ? rv_add(torque, r->couple) : torque;
}

#endif
