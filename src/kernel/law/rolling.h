/* Resistance to rolling: a couple against the pseudo-velocity R* dw x n', dw = w_i - w_j (Luding 2008; Ai et al. 2011).
 *
 *   sds       a spring on R* times the angle with its damper, which slips at mu_r F_g as friction does (law/history.h)
 *   constant  the torque mu_r R* F_g against the motion, which cannot turn it round within a step: a damper that
 *             would stop it there, limited. Its force is kept in place of a spring, for the work that it does. */
#ifndef SCREE_KERNEL_LAW_ROLLING_H
#define SCREE_KERNEL_LAW_ROLLING_H

#include "kernel/law/history.h"

SCR_INLINE void rolling_couple(contact_options o, real dt, real opening, const contact_state *c, const contact_law *p,
                               const contact_normal *n, real load, real load_before, rvec middle,
                               contact_history *history, contact_result *r)
{
    r->couple = (rvec){r_of(0.0), r_of(0.0), r_of(0.0)};
    r->rolling = r->elastic_rolling = r->excess_rolling = r_of(0.0);
    mask any = r_less(r_of(0.5), p->rolling);
    history->roll = rv_where(any, history->roll);
    if (!r_any(any)) return;
    real radius = c->radius;
    mask scales = contact_hertz_radius(p);
    real scale = r_select(scales, n->radius, r_of(1.0));
    real growth = r_select(scales, n->stiffening, r_of(1.0));
    real scale_before = r_select(scales, n->radius_before, r_of(1.0));

    rvec v = rv_scale(radius, rv_fcross(c->dw, c->n_half));
    rvec old = contact_turn(history->roll, c->n_half);
    if (o.improved) v = contact_rotate(v, c->n, middle), old = contact_rotate(old, c->n, middle);
    mask sds = r_is(p->rolling, r_of(SCR_ROLLING_SDS));
    mask constant = r_is(p->rolling, r_of(SCR_ROLLING_CONSTANT));
    real stop = radius * radius * c->inverse_inertia * dt;
    mask moving = r_less(r_of(0.0), stop);
    contact_link link = {.k = r_where(sds, p->rolling_k * scale),
                         .eta = r_where(sds, p->rolling_zeta * n->eta) +
                                r_where(constant & moving, 1.0 / r_select(moving, stop, r_of(1.0))),
                         .limit = r_where((sds | constant) & c->touch, p->rolling_mu * load)};
    contact_link past = {.k = r_where(sds, p->rolling_k * scale_before),
                         .eta = r_where(sds, p->rolling_zeta * n->eta_before),
                         .limit = r_where(sds, p->rolling_mu * load_before)};
    contact_spring s = contact_spring_of(o, dt, opening, c, p, old, v, growth, &link, &past);
    history->roll = rv_where(any, s.h);
    if (r_any(constant)) {
        history->roll = rv_select(constant, s.force, history->roll);
        real work = -0.5 * dt * rv_fdot(rv_add(old, s.force), v);
        s.rubbed = r_select(constant, work, s.rubbed), s.damped = r_where(~constant, s.damped);
        s.stored = r_where(~constant, s.stored), s.excess = r_where(~constant, s.excess);
    }
    // zero of one sign in the lanes that have none, whatever the others have
    r->couple = rv_where(any, rv_scale(radius, rv_fcross(c->n, s.force)));
    r->rolling = s.damped + s.rubbed, r->elastic_rolling = s.stored, r->excess_rolling = s.excess;
}

/* ---- one contact: `size` is R*, `scale` the contact radius where the normal law grows with it, else 1 ---- */

/* Stiffness of the spring on R* times the angle [N/m]; 0: none. */
static inline double rolling_spring(const scr_law *law, double scale)
{
    return law->rolling == SCR_ROLLING_SDS ? law->rolling_k * scale : 0;
}

/* The most torque over the normal force [m]. */
static inline double rolling_limit(const scr_law *law, double size)
{
    return law->rolling != SCR_ROLLING_NONE ? law->rolling_mu * size : 0;
}

static inline double rolling_time(const scr_law *law, double scale, double size, double inverse_inertia)
{
    return contact_turning_time(rolling_spring(law, scale), size, inverse_inertia);
}

#if SCR_LANES == 1
/* What its spring holds under a load. */
static inline double rolling_stored(const scr_law *law, double scale, double load, rvec roll)
{
    return contact_spring_stored(law, rolling_spring(law, scale), rv_dot(roll, roll), law->rolling_mu * load);
}
#endif

/* Its numbers, for people; nothing where there is none. `solved`: as a constraint, without a spring. */
static inline void rolling_describe(const scr_law *law, int solved, char *text, size_t size)
{
    *text = 0;
    if (law->rolling == SCR_ROLLING_NONE) return;
    if (solved)
        snprintf(text, size, "rolling friction %.4g%s", law->rolling_mu,
                 law->twisting == SCR_TWISTING_SDS ? "" : ", which bounds rolling and twisting together");
    else if (law->rolling == SCR_ROLLING_CONSTANT)
        snprintf(text, size, "rolling: constant torque, friction %.4g", law->rolling_mu);
    else
        contact_turning_describe(law, "rolling", law->rolling_mu, law->rolling_k, law->rolling_zeta, text, size);
}

#endif
