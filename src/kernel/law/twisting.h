/* Resistance to turning about the normal: a couple against the rate dw.n', on a spring that slips as friction does
 * (law/history.h).
 *
 *   sds       k R*^2, eta R*^2 and mu_tw R* F_g of its own numbers
 *   marshall  from the tangential law and the contact radius (Marshall 2009): k a^2/2, eta a^2/2, 2/3 a mu F_g */
#ifndef SCREE_KERNEL_LAW_TWISTING_H
#define SCREE_KERNEL_LAW_TWISTING_H

#include "kernel/law/history.h"

#define TWISTING_ARM (2.0 / 3.0) /* of friction on a disc, in radii of it */

SCR_INLINE void twisting_couple(contact_options o, real dt, real opening, const contact_state *c, const contact_law *p,
                                const contact_normal *n, real load, real load_before, contact_history *history,
                                contact_result *r)
{
    mask any = r_less(r_of(0.5), p->twisting);
    history->twist = r_where(any, history->twist);
    if (!r_any(any)) return;
    real radius = c->radius;
    mask scales = contact_hertz_radius(p);
    real scale = r_select(scales, n->radius, r_of(1.0));
    real growth = r_select(scales, n->stiffening, r_of(1.0));
    real scale_before = r_select(scales, n->radius_before, r_of(1.0));

    mask marshall = r_is(p->twisting, r_of(SCR_TWISTING_MARSHALL));
    real a2 = 0.5 * n->radius * n->radius, r2 = radius * radius;
    real before2 = 0.5 * n->radius_before * n->radius_before;
    real tangential = tangential_stiffness(p, n->radius);
    real tangential_before = tangential_stiffness(p, n->radius_before);
    real own = p->twisting_mu * radius, shared = TWISTING_ARM * p->mu;
    contact_link link, past;
    link.k = r_select(marshall, tangential * a2, p->twisting_k * scale * r2);
    link.eta = n->eta * r_select(marshall, p->zeta * a2, p->twisting_zeta * r2);
    link.limit = r_where(c->touch, load * r_select(marshall, shared * n->radius, own));
    past.k = r_select(marshall, tangential_before * before2, p->twisting_k * scale_before * r2);
    past.eta = n->eta_before * r_select(marshall, p->zeta * before2, p->twisting_zeta * r2);
    past.limit = load_before * r_select(marshall, shared * n->radius_before, own);
    link = (contact_link){r_where(any, link.k), r_where(any, link.eta), r_where(any, link.limit)};
    past = (contact_link){r_where(any, past.k), r_where(any, past.eta), r_where(any, past.limit)};
    growth = r_select(marshall, growth * n->stiffening * n->stiffening, growth);
    rvec angle = {history->twist, r_of(0.0), r_of(0.0)};
    rvec rate = {rv_fdot(c->dw, c->n_half), r_of(0.0), r_of(0.0)};
    contact_spring s = contact_spring_of(o, dt, opening, c, p, angle, rate, growth, &link, &past);
    history->twist = r_where(any, s.h.x);
    r->couple = rv_select(any, rv_fma(r->couple, s.force.x, c->n), r->couple);
    r->rolling += s.damped + s.rubbed, r->elastic_rolling += s.stored;
    r->excess_rolling += s.excess;
}

/* ---- one contact: `radius` is its own, `scale` the same where the normal law grows with it, else 1, `size` R* ---- */

/* The most torque over the normal force [m]. */
static inline double twisting_limit(const scr_law *law, double size, double radius)
{
    if (law->twisting == SCR_TWISTING_MARSHALL) return TWISTING_ARM * radius * law->mu;
    return law->twisting == SCR_TWISTING_SDS ? law->twisting_mu * size : 0;
}

/* That of marshall is slower than the tangential spring it is made of: a is less than R*. */
static inline double twisting_time(const scr_law *law, double scale, double size, double inverse_inertia)
{
    return contact_turning_time(scale * law->twisting_k, size, inverse_inertia);
}

/* Its numbers, for people; nothing where there is none. `solved`: as a constraint, without a spring. */
static inline void twisting_describe(const scr_law *law, int solved, char *text, size_t size)
{
    *text = 0;
    if (law->twisting == SCR_TWISTING_SDS && solved)
        snprintf(text, size, "twisting friction %.4g", law->twisting_mu);
    else if (law->twisting == SCR_TWISTING_SDS)
        contact_turning_describe(law, "twisting", law->twisting_mu, law->twisting_k, law->twisting_zeta, text, size);
    else if (law->twisting == SCR_TWISTING_MARSHALL && !solved)
        snprintf(text, size, "twisting: marshall, from the tangential law and the contact radius");
}

/* What its spring holds at a turn, of a contact with the tangential spring `kt`. */
static inline double twisting_stored(const scr_law *law, double kt, double radius, double scale, double size,
                                     double load, double twist)
{
    int marshall = law->twisting == SCR_TWISTING_MARSHALL;
    double k = marshall ? 0.5 * kt * radius * radius : law->twisting_k * scale * size * size;
    return contact_spring_stored(law, k, twist * twist, load * twisting_limit(law, size, radius));
}

#endif
