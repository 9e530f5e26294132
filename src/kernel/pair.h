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

#include "kernel/law/state.h"

/* A sphere as the loops store it: centre and radius, velocity and 1/m, spin and 1/I. */
typedef struct {
    rvec x, v, w;
    real radius, inverse_mass, inverse_inertia;
} pair_body;

// to nearest even, as rint does: adding 1.5 * 2^52 leaves no room for a fraction
SCR_INLINE real pair_round(real x)
{
    const double big = 0x1.8p52;
    return (x + big) - big;
}

SCR_INLINE void pair_nearest(const double *length, const double *inverse, rvec *d)
{
    d->x -= length[0] * pair_round(d->x * inverse[0]);
    d->y -= length[1] * pair_round(d->y * inverse[1]);
    d->z -= length[2] * pair_round(d->z * inverse[2]);
}

/* (1) of surfaces that turn at `turning`, the sum of arms times spins. */
SCR_INLINE void pair_velocity(contact_state *c, rvec dv, rvec turning)
{
    c->vn = rv_dot(dv, c->n_half);
    c->vt = rv_add(rv_axpy(dv, -c->vn, c->n_half), rv_cross(c->n_half, turning));
}

/* The contact of i and j that are `d` apart, but for `touch` and `was`; dt since the last evaluation. */
SCR_INLINE void pair_contact(contact_options o, double dt, const pair_body *i, const pair_body *j, rvec d,
                             contact_state *c, real arm[2])
{
    real distance = r_sqrt(rv_dot(d, d));
    c->n = rv_scale(1.0 / distance, d);
    c->delta = i->radius + j->radius - distance;
    rvec dv = rv_sub(i->v, j->v);
    c->dw = rv_sub(i->w, j->w);
    c->inverse_mass = i->inverse_mass + j->inverse_mass;
    c->inverse_inertia = i->inverse_inertia + j->inverse_inertia;
    if (o.kind != CONTACT_HOOKE) c->inverse_radius = (i->radius + j->radius) / (i->radius * j->radius);

    real half_overlap = o.lammps ? r_of(0.0) : 0.5 * c->delta;
    arm[0] = i->radius - half_overlap, arm[1] = j->radius - half_overlap;
    c->n_half = c->n;
    if (o.improved) {
        rvec back = rv_axpy(d, r_of(-0.5 * dt), dv);
        c->n_half = rv_scale(1.0 / r_sqrt(rv_dot(back, back)), back);
    }
    pair_velocity(c, dv, rv_add(rv_scale(arm[0], i->w), rv_scale(arm[1], j->w)));
}

/* (2), with the sign turned: what the two bodies lose. */
SCR_INLINE void pair_torques(contact_options o, const contact_state *c, const contact_result *r, const real arm[2],
                             rvec torque[2])
{
    rvec twist = rv_cross(c->n, r->tangential);
    torque[0] = rv_scale(arm[0], twist), torque[1] = rv_scale(arm[1], twist);
    if (o.kind != CONTACT_ANY) return;
    torque[0] = rv_sub(torque[0], r->couple);
    torque[1] = rv_add(torque[1], r->couple);
}

#endif
