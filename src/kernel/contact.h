/* The soft contact with history: Hooke normal force, viscous damping, tangential spring with Coulomb
 * limit, and the improved treatment of velocities known at the half step (Vyas et al. 2025).
 *
 * n points from the partner j to the body i; forces are on i. Velocities are those of the half step.
 * n' is n in the standard scheme, and the normal at the half step, where dv belongs, in the improved
 * one. P(a, n) turns a vector into the plane of n: projected, its length kept.
 *
 *   v_n = dv.n',   v_t = dv - v_n n' + n' x (a_i w_i + a_j w_j),   a = r - delta/2              (1)
 *   F_n = max(0, k_n delta - eta_n v_n)                                                        (2)
 *   h  <- P(P(h, n') + dt v_t, n),   v_t <- P(v_t, n)                                          (3)
 *   F_t = -k_t h - eta_t v_t;  where |F_t| > mu F_n:                                           (4)
 *         F_t *= mu F_n/|F_t|,  h = -(F_t + eta_t v_t)/k_t
 *   torque on i: -a_i n x F_t,  on j: -a_j n x F_t                                             (5)
 *
 * Energy, as velocity-Verlet does work: a force F acts in the half steps before and after its time,
 * so between two evaluations the bodies receive dt/2 (F_old + F_new).v. The viscous part of the last
 * normal force is kept in the history for that. F_t = -k_t h - eta_t v_t holds in stick and slip
 * alike, so the tangential force takes from the bodies
 *
 *   k_t/2 (h_new^2 - h_old^2) + k_t/2 (h_old + h_new).(h_trial - h_new) + dt eta_t v_t^2       (6)
 *
 * The last term is dt/2 eta_t (v_old + v_new).v_new; to the order of the scheme it telescopes to weight 1
 * (3/4 in the first evaluation of a contact, 1/4 after its last, 5/4 in the first step of a run for
 * contacts that were there before: `opening`) less dt/4 eta_t v_t^2 of the contacts that are there now.
 * In fast sliding (4) stretches h far beyond what the Coulomb limit could hold, only to cancel the
 * damper. That is no stored energy: the spring is booked with at most (mu F_n)^2/(2 k_t), and the rest
 * of k_t h^2/2 belongs to what was lost. Both corrections are functions of the present state (`excess`):
 * their sums over all contacts are added to friction where the contact slides, to damping where it
 * sticks, and need no history. */
#ifndef SCREE_KERNEL_CONTACT_H
#define SCREE_KERNEL_CONTACT_H

#include "kernel/lanes.h"
#include "kernel/law.h"

/* Constant at each call, so that the compiler makes one loop per combination. */
typedef struct {
    int improved; /* n' is the half-step normal */
    int lammps;   /* conventions of LAMMPS' gran/hooke/history: arm = radius, no clip, h projected
                     only */
    int ledger;   /* count energies */
} contact_options;

typedef struct {
    rvec n, n_half;
    real delta;        /* overlap [m]; contact where > 0 */
    mask touch;        /* delta > 0 */
    mask was;          /* it was in contact at the last evaluation */
    rvec dv;           /* velocity of i minus that of j, at the half step */
    rvec turning;      /* a_i w_i + a_j w_j */
    real inverse_mass; /* 1/m_i + 1/m_j */
} contact_state;

typedef struct {
    real kn, kt, kt_inverse, mu, eta_root, eta_mass, zeta;
} contact_law;

typedef struct {
    rvec h;       /* tangential spring, seen from i */
    real viscous; /* viscous part of the normal force at the last evaluation */
} contact_history;

typedef struct {
    rvec force;                              /* on i */
    rvec twist;                              /* n x F_t: torque is -a times this, for both */
    real damping, friction;                  /* energy dissipated since the last evaluation */
    real elastic_normal, elastic_tangential; /* stored now */
    real excess_friction, excess_damping;    /* to be added to what was lost, as things are now */
} contact_result;

/* a turned into the plane of the unit normal n: projected, length kept. */
SCR_INLINE rvec contact_turn(rvec a, rvec n)
{
    rvec b = rv_axpy(a, -rv_dot(a, n), n);
    real b2 = rv_dot(b, b), a2 = rv_dot(a, a);
    mask some = r_less(r_of(0.0), b2);
    return rv_scale(r_select(some, r_sqrt(a2 / r_select(some, b2, r_of(1.0))), r_of(1.0)), b);
}

SCR_INLINE rvec contact_project(rvec a, rvec n)
{
    return rv_axpy(a, -rv_dot(a, n), n);
}

/* Energy in the springs of a contact of overlap delta > 0; `limit` is mu F_n. */
SCR_INLINE real contact_normal_energy(const contact_law *p, real delta)
{
    return 0.5 * p->kn * delta * delta;
}

SCR_INLINE real contact_tangential_energy(const contact_law *p, real h2, real limit)
{
    return r_min(0.5 * p->kt * h2, 0.5 * p->kt_inverse * limit * limit);
}

/* dt is the time since the last evaluation, `opening` a quarter of it in the first step of a run, else 0. */
SCR_INLINE contact_result contact_force(contact_options o, real dt, real opening,
                                        const contact_state *c, const contact_law *p,
                                        contact_history *history)
{
    // (1) relative velocity at the contact point
    real vn = rv_dot(c->dv, c->n_half);
    rvec vt = rv_add(rv_axpy(c->dv, -vn, c->n_half), rv_cross(c->n_half, c->turning));

    // (2) normal force
    real mass = 1.0 / c->inverse_mass;
    real eta = p->eta_root * r_sqrt(mass) + p->eta_mass * mass;
    real elastic = r_where(c->touch, p->kn * c->delta);
    real normal = r_where(c->touch, elastic - eta * vn);
    if (!o.lammps) normal = r_max(normal, r_of(0.0));
    real viscous = normal - elastic;

    // (3) the spring follows the contact plane and the motion in it
    rvec trial;
    if (o.improved) {
        trial = contact_turn(rv_axpy(contact_turn(history->h, c->n_half), dt, vt), c->n);
        vt = contact_turn(vt, c->n);
    } else if (o.lammps) {
        trial = rv_axpy(contact_project(history->h, c->n), dt, vt);
    } else {
        trial = rv_axpy(contact_turn(history->h, c->n), dt, vt);
    }

    // (4) Coulomb limit on the sum of spring and damper
    real eta_t = p->zeta * eta;
    rvec ft = rv_axpy(rv_scale(-p->kt, trial), -eta_t, vt);
    real limit = p->mu * (o.lammps ? r_max(normal, -normal) : normal);
    real ft2 = rv_dot(ft, ft);
    mask slip = r_less(limit * limit, ft2);
    rvec h = trial;
    if (r_any(slip)) {
        real scale = r_select(slip, limit / r_sqrt(r_select(slip, ft2, r_of(1.0))), r_of(1.0));
        ft = rv_scale(scale, ft);
        rvec slid = rv_scale(-p->kt_inverse, rv_axpy(ft, eta_t, vt));
        h = (rvec){r_select(slip, slid.x, h.x), r_select(slip, slid.y, h.y),
                   r_select(slip, slid.z, h.z)};
    }
    h = rv_where(c->touch, h);

    contact_result r = {.force = rv_axpy(ft, normal, c->n), .twist = rv_cross(c->n, ft)};
    if (o.ledger) {
        rvec old = rv_axpy(trial, -dt, vt);
        real weight = r_select(c->touch, r_select(c->was, r_of(1.0), r_of(0.75)), r_of(0.25));
        real lost = (weight * dt + r_where(c->was, opening)) * eta_t * rv_dot(vt, vt) +
                    0.5 * p->kt * rv_dot(rv_add(old, h), rv_sub(trial, h));
        r.friction = r_where(slip, lost);
        r.damping = r_where(~slip, lost) - 0.5 * dt * (history->viscous + viscous) * vn;
        real h2 = rv_dot(h, h);
        r.elastic_normal = r_where(c->touch, contact_normal_energy(p, c->delta));
        r.elastic_tangential = contact_tangential_energy(p, h2, limit);
        real excess = 0.5 * p->kt * h2 - r.elastic_tangential -
                      r_where(c->touch, 0.25 * dt * eta_t * rv_dot(vt, vt));
        r.excess_friction = r_where(slip, excess);
        r.excess_damping = r_where(~slip, excess);
    }
    history->h = h;
    history->viscous = viscous;
    return r;
}

#endif
