/* The contact as an energy that is minimised over a step, with the gradient and the second derivative that Newton's
 * method needs. The numbers are those of kernel/contact.h: what is repeated here is only that it is a potential.
 *
 *   normal    V(delta) of the law (law/hooke.h, law/hertz.h), for delta > 0; force f = V', stiffness f' = V''. With
 *             n = d/|d| along the distance d of the centres, gradient -f n, second derivative
 *             f' n n - (f/|d|)(1 - n n)                                                                 (1)
 *   sliding   a spring k_t with the damper eta_t/s of a stage of length s, k' = k_t + eta_t/s, and the trial
 *             force q = k_t h + k' u: where |q| <= c the energy is |q|^2/(2 k'), else (c |q| - c^2/2)/k'
 *             (Huber's function: convex, with a continuous gradient). Force on the first body -q or -c q/|q|,
 *             second derivative k' (1 - n n) or k' (c/|q|)(1 - n n - t t), t = q/|q|                    (2)
 *
 * The limit c and the normal n of (2), and the damping, are those of the start of the step: with them an energy
 * exists. */
#ifndef SCREE_KERNEL_POTENTIAL_H
#define SCREE_KERNEL_POTENTIAL_H

#include "kernel/contact.h"

/* The normal law at delta > 0. */
SCR_INLINE contact_push contact_push_of(const scr_law *law, double delta, double inverse_radius)
{
    double radius = 1.0 / inverse_radius;
#define W(CHOICE, NAME, word, ...) \
    if (law->normal == SCR_NORMAL_##NAME) return word##_potential(law, radius, delta);
    SCR_LAW_NORMAL(W)
#undef W
    return (contact_push){0, 0, 0};
}

/* The force that takes just the energy V(b) - V(a) on the way from overlap a to b (the discrete gradient), and its
 * derivative with b, into `stiffness`:
 *
 *   f = (V(b) - V(a))/(b - a),   V = 0 below zero                                                       (3)
 *
 * Where both are positive the law writes it without the difference. */
SCR_INLINE contact_push contact_secant_of(const scr_law *law, double a, double b, double inverse_radius)
{
    if (!(a > 0) && !(b > 0)) return (contact_push){0, 0, 0};
    if (!(a > 0) || !(b > 0)) {
        contact_push p = contact_push_of(law, a > 0 ? a : b, inverse_radius);
        double way = fabs(b - a), force = p.energy / way;
        return (contact_push){.force = force, .stiffness = (a > 0 ? force : p.force - force) / way};
    }
#define W(CHOICE, NAME, word, ...) \
    if (law->normal == SCR_NORMAL_##NAME) return word##_secant(law, inverse_radius, a, b);
    SCR_LAW_NORMAL(W)
#undef W
    return (contact_push){0, 0, 0};
}

/* Springs of a contact at an overlap, without its dampers. */
typedef struct {
    double push;     /* elastic normal force [N] */
    double kt, roll; /* tangential spring, rolling spring on R* times the angle */
} contact_springs;

SCR_INLINE contact_springs contact_springs_of(const scr_law *law, double delta, double inverse_radius)
{
    double inside = delta > 0 ? delta : 0;
    contact_springs s = {.kt = law->kt, .roll = rolling_spring(law, 1)};
#define W(CHOICE, NAME, word, ...) \
    if (law->normal == SCR_NORMAL_##NAME) s.push = word##_load(law, inverse_radius, inside);
    SCR_LAW_NORMAL(W)
#undef W
    if (scr_law_hertz_radius(law) || law->mindlin > 0) {
        double radius = hertz_radius_of(inverse_radius, inside);
        if (scr_law_hertz_radius(law)) s.roll = rolling_spring(law, radius);
        s.kt = tangential_stiffness(law, radius);
    }
    return s;
}

/* What a step takes from the contact as it is expected to be: its dampers and springs. */
typedef struct {
    double push;        /* elastic normal force [N] */
    double eta;         /* normal damping [kg/s] */
    double kt, eta_t;   /* tangential spring and damper */
    double roll, eta_r; /* rolling spring and damper, on R* times the angle */
} contact_lagged;

SCR_INLINE contact_lagged contact_lagged_of(const scr_law *law, double delta, double inverse_radius,
                                            const contact_sizes *sizes)
{
    contact_state c = {.delta = delta, .radius = 1 / inverse_radius};
    contact_normal n;
    if (contact_kind_of(law) == CONTACT_HOOKE)
        n = contact_normal_of((contact_options){.kind = CONTACT_HOOKE}, 0, &c, law, sizes, 0);
    else
        n = contact_normal_of((contact_options){.kind = CONTACT_ANY}, 0, &c, law, sizes, 0);
    contact_lagged l = {.push = n.push, .eta = n.eta, .eta_t = law->zeta * n.eta};
    l.kt = tangential_stiffness(law, n.radius);
    l.roll = rolling_spring(law, scr_law_hertz_radius(law) ? n.radius : 1);
    l.eta_r = law->rolling_zeta * n.eta;
    return l;
}

/* (2), but for the vector: the force on the first body is -part q. */
typedef struct {
    double part, energy;
    double hold; /* second derivative along the plane, ... */
    double drop; /* ... less this times q q */
    bool slip;
} contact_hold;

SCR_INLINE contact_hold contact_hold_of(double q2, double k, double limit)
{
    if (!(q2 > limit * limit)) return (contact_hold){1, 0.5 * q2 / k, k, 0, false};
    double size = sqrt(q2), part = limit / size;
    return (contact_hold){part, (limit * size - 0.5 * limit * limit) / k, k * part, k * part / q2, true};
}

/* (2). */
typedef struct {
    rvec force; /* on the first body */
    double energy, hold, drop;
    bool slip;
} contact_slider;

SCR_INLINE contact_slider contact_slide(rvec q, double k, double limit)
{
    contact_hold h = contact_hold_of(rv_dot(q, q), k, limit);
    return (contact_slider){rv_scale(-h.part, q), h.energy, h.hold, h.drop, h.slip};
}

#endif
