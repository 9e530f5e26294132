/* Two spheres: from where they are and how they move to their contact, and from its force to theirs.
 *
 *   n = d/|d|,  d = x_i - x_j,   delta = r_i + r_j - |d|,   n' at d - dt/2 dv in the improved scheme
 *   v_n = dv.n',   v_t = dv - v_n n' + n' x (a_i w_i + a_j w_j),   a = r - delta/2                      (1)
 *   torque on i: -a_i n x F_t,  on j: -a_j n x F_t,  and the couple on i, its opposite on j             (2)
 *
 * The arms are those of a point half-way through the overlap: a_i + a_j = |d|, and angular momentum is conserved. With
 * conventions of LAMMPS they are the radii. */
#ifndef SCREE_KERNEL_PAIR_H
#define SCREE_KERNEL_PAIR_H

#include "kernel/law/history.h"

/* Of a sphere: what the contact needs beside differences of places and velocities. */
typedef struct {
    rvec w;
    real radius, inverse_inertia;
} pair_body;

// to nearest even, as rint does: adding 1.5 * 2^52 leaves no room for a fraction
SCR_INLINE real pair_round(real x)
{
    const double big = 0x1.8p52;
    return (x + big) - big;
}

SCR_INLINE void pair_nearest(const double *length, const double *inverse, rvec *d)
{
    d->x = r_fnma(r_of(length[0]), pair_round(d->x * inverse[0]), d->x);
    d->y = r_fnma(r_of(length[1]), pair_round(d->y * inverse[1]), d->y);
    d->z = r_fnma(r_of(length[2]), pair_round(d->z * inverse[2]), d->z);
}

/* (1) of surfaces that turn at `turning`, the sum of arms times spins. */
SCR_INLINE void pair_velocity(contact_state *c, rvec dv, rvec turning)
{
    c->vn = rv_fdot(dv, c->n_half);
    c->vt = rv_fcross_add(c->n_half, turning, rv_fnma(dv, c->vn, c->n_half));
}

/* The contact of i and j that are `d` apart and move at dv against each other, but for `touch`, `was` and the inverse
 * mass; dt since the last evaluation. */
SCR_INLINE void pair_contact(contact_options o, double dt, const pair_body *i, const pair_body *j, rvec d, rvec dv,
                             contact_sizes *sizes, contact_state *c, real arm[2])
{
    real distance = r_sqrt(rv_fdot(d, d)), inverse = 1.0 / distance;
    c->n = rv_scale(inverse, d);
    c->delta = i->radius + j->radius - distance;
    c->dw = rv_sub(i->w, j->w);
    c->inverse_inertia = i->inverse_inertia + j->inverse_inertia;
    if (o.kind != CONTACT_HOOKE) c->radius = contact_sizes_radius(sizes, i->radius, j->radius);

    real part = r_of(o.lammps ? 0.0 : 0.5);
    arm[0] = r_fnma(part, c->delta, i->radius), arm[1] = r_fnma(part, c->delta, j->radius);
    c->n_half = c->n;
    if (o.improved) {
        rvec back = rv_fma(c->n, -0.5 * dt * inverse, dv);
        c->n_half = rv_scale(contact_inverse_root(rv_fdot(back, back)), back);
    }
    // not fused: it must not matter which of the two is called i
    pair_velocity(c, dv, rv_add(rv_scale(arm[0], i->w), rv_scale(arm[1], j->w)));
}

/* (2): what i gains, and what j loses. */
SCR_INLINE void pair_torques(contact_options o, const contact_state *c, const contact_result *r, const real arm[2],
                             rvec torque[2])
{
    rvec twist = rv_fcross(c->n, r->tangential);
    torque[0] = rv_scale(-arm[0], twist), torque[1] = rv_scale(arm[1], twist);
    if (o.kind != CONTACT_ANY) return;
    torque[0] = rv_add(torque[0], r->couple);
    torque[1] = rv_add(torque[1], r->couple);
}

#endif
