/* The soft contact: the parts of kernel/law/ put together.
 *
 *   F_n = max(0, push - eta_n v_n) - pull;  with `pull: allowed` without the max                (2)
 *   F_t, the friction: a spring in the plane that slips at mu F_g (law/history.h has (3) to (7)),
 *        with k_t or, with `mindlin`, k_t a, and eta_t = zeta eta_n
 *   couples of rolling and twisting (law/rolling.h, law/twisting.h)
 *
 * push, pull, eta_n and a come from the normal law (contact_normal_of below); F_g, the force that friction feels, is
 * F_n without the pull. v_n and v_t are the velocity at the point of contact (law/state.h), in the improved treatment
 * of velocities known at the half step (Vyas et al. 2025) with the normal that belongs there.
 *
 * Energy, as velocity-Verlet does work: a force F acts in the half steps before and after its time,
 * so between two evaluations the bodies receive dt/2 (F_old + F_new).v. The viscous part of the last
 * normal force is kept in the history for that. */
#ifndef SCREE_KERNEL_CONTACT_H
#define SCREE_KERNEL_CONTACT_H

#include <stdbool.h>

#include "kernel/law/parts.h"
#include "kernel/law/rolling.h"
#include "kernel/law/twisting.h"
#include "kernel/law/viscous.h"

/* The overlap above which the bodies are in contact, below zero where they attract: `was` tells whether they were. */
SCR_INLINE real contact_reach(const contact_law *p, real radius, mask was)
{
    real reach = r_of(0.0);
#define W(CHOICE, NAME, word, ...) reach = word##_reach(p, radius, was, reach);
    SCR_LAW_COHESION(W)
#undef W
    return reach;
}

SCR_INLINE mask contact_touch(contact_options o, const contact_law *p, real delta, real radius, mask was)
{
    if (o.kind != CONTACT_ANY) return r_less(r_of(0.0), delta);
    return r_less(contact_reach(p, radius, was), delta);
}

SCR_INLINE contact_depth contact_depth_of(real dt, const contact_state *c)
{
    contact_depth d = {.inside = r_max(c->delta, r_of(0.0)), .past = r_fma(dt, c->vn, c->delta)};
    d.before = r_max(d.past, r_of(0.0));
    return d;
}

/* Lanes whose normal law remembers something: `residual` of the history. */
SCR_INLINE mask contact_remembers(const contact_law *p)
{
    mask does = {0};
#define W(CHOICE, NAME, word, traits, ...) \
    if ((traits)&SCR_WORD_REMEMBERS) does |= r_is(p->normal, r_of(SCR_NORMAL_##NAME));
    SCR_LAW_NORMAL(W)
#undef W
    return does;
}

// each lane its own law: Hertz where no other is asked for, then what attracts
SCR_INLINE void contact_lanes(const contact_law *p, const contact_state *c, const contact_depth *d, contact_normal *n,
                              int ledger)
{
#define W(CHOICE, NAME, word, ...) word##_lanes(p, c, d, n, ledger);
    SCR_LAW_NORMAL(W)
    SCR_LAW_COHESION(W)
#undef W
}

// damping now and, for the work that the last forces did, a step ago; there is none where nothing pushes
SCR_INLINE void contact_dampers(contact_options o, const contact_law *p, const contact_sizes *sizes, contact_normal *n)
{
    real scale = n->radius, scale_before = n->radius_before;
    if (o.kind == CONTACT_ANY) {
        mask scales = contact_hertz_radius(p);
        scale = r_select(scales, scale, r_of(1.0));
        scale_before = r_select(scales, scale_before, r_of(1.0));
    }
    n->eta = viscous_eta(p, sizes, scale, n->radius);
    if (o.kind == CONTACT_ANY) n->eta = r_where(r_less(r_of(0.0), n->push), n->eta);
    if (!o.ledger) return;
    n->eta_before = viscous_eta(p, sizes, scale_before, n->radius_before);
    if (o.kind == CONTACT_ANY) n->eta_before = r_where(~n->loosened, n->eta_before);
}

/* `residual` is the overlap that remained at the last evaluation. */
SCR_INLINE contact_normal contact_normal_of(contact_options o, real dt, const contact_state *c, const contact_law *p,
                                            const contact_sizes *sizes, real residual)
{
    contact_normal n = {.pull = r_of(0.0),
                        .radius = r_of(1.0),
                        .stiffening = r_of(1.0),
                        .radius_before = r_of(1.0),
                        .eta_before = r_of(0.0),
                        .load_before = r_of(0.0),
                        .grip = r_of(0.0),
                        .jump = r_of(0.0),
                        .residual = residual,
                        .yielded = r_of(0.0)};
    if (o.kind == CONTACT_HOOKE) {
        n.push = hooke_push(p->kn, c->delta);
        n.eta = viscous_eta_linear(p, sizes);
        n.stored = hooke_energy(n.push, c->delta);
        if (o.ledger) n.load_before = hooke_push(p->kn, r_fma(dt, c->vn, c->delta));
        return n;
    }
    contact_depth d = contact_depth_of(dt, c);
    n.radius = hertz_radius(c->radius, d.inside);
    n.push = hertz_push(p->kn, n.radius, d.inside);
    n.stored = hertz_energy(n.push, d.inside);
    n.radius_before = hertz_radius(c->radius, d.before);
    mask deep = r_less(r_of(0.0), n.radius);
    n.stiffening = r_select(deep, n.radius_before / r_select(deep, n.radius, r_of(1.0)), r_of(1.0));
    if (o.ledger) n.load_before = hertz_push(p->kn, n.radius_before, d.before);
    if (o.kind == CONTACT_ANY) contact_lanes(p, c, &d, &n, o.ledger);
    contact_dampers(o, p, sizes, &n);
    return n;
}

/* dt is the time since the last evaluation, `opening` a quarter of it in the first step of a run, else
 * 0. */
SCR_INLINE contact_result contact_force(contact_options o, real dt, real opening, const contact_state *c,
                                        const contact_law *p, const contact_sizes *sizes, contact_history *history)
{
    // (2) normal force
    real vn = c->vn;
    rvec vt = c->vt;
    contact_normal n = contact_normal_of(o, dt, c, p, sizes, history->residual);
    real elastic = r_where(c->touch, n.push - n.pull);
    real normal = r_fnma(n.eta, vn, n.push), pushing = r_max(normal, r_of(0.0));
    if (o.kind == CONTACT_ANY) pushing = r_select(r_less(r_of(0.5), p->pull), normal, pushing);
    normal = r_where(c->touch, (o.lammps ? normal : pushing) - n.pull);
    real viscous = normal - elastic;

    // (3) the spring follows the contact plane
    rvec old, middle = c->n;
    if (o.improved) {
        middle = contact_middle(c->n, c->n_half);
        old = contact_rotate(contact_turn(history->h, c->n_half), c->n, middle);
        vt = contact_rotate(vt, c->n, middle);
    } else if (o.lammps) {
        old = contact_project(history->h, c->n);
    } else {
        old = contact_turn(history->h, c->n);
    }

    // (4) its stretch, and Coulomb's limit on the sum of spring and damper
    contact_link link = {.k = p->kt, .eta = p->zeta * n.eta}, past = {.k = p->kt, .eta = link.eta};
    real growth = n.stiffening, load = normal, load_before = r_of(0.0);
    if (o.kind == CONTACT_HERTZ) {
        link.k *= n.radius, past.k *= n.radius_before;
    } else if (o.kind == CONTACT_ANY) {
        link.k = tangential_stiffness(p, n.radius);
        past.k = tangential_stiffness(p, n.radius_before);
        growth = r_select(tangential_scales(p), growth, r_of(1.0));
        load = r_where(c->touch, normal + n.grip);
    }
    load = contact_load(o, p, load);
    link.limit = p->mu * load;
    if (o.ledger) {
        if (o.kind != CONTACT_HOOKE) past.eta = p->zeta * n.eta_before;
        load_before = contact_load(o, p, r_where(c->was, n.load_before + history->viscous));
        past.limit = p->mu * load_before;
    }
    // where nothing presses any more nothing slides, rolls or twists
    contact_state grip = *c;
    if (o.kind == CONTACT_ANY) grip.touch &= ~n.loose, grip.was &= ~n.loosened;
    contact_spring s = contact_spring_of(o, dt, opening, &grip, p, old, vt, growth, &link, &past);

    contact_result r; // accounts are not read where there is no ledger, couples only with CONTACT_ANY
    r.force = rv_fma(s.force, normal, c->n), r.tangential = s.force;
    if (o.kind == CONTACT_ANY) {
        rolling_couple(o, dt, opening, &grip, p, &n, load, load_before, middle, history, &r);
        twisting_couple(o, dt, opening, &grip, p, &n, load, load_before, history, &r);
    }
    if (o.ledger) {
        r.friction = s.rubbed;
        r.damping = r_fnma(0.5 * dt * (history->viscous + viscous), vn, s.damped);
        if (o.kind == CONTACT_ANY) r.damping += n.jump, r.jump = n.jump, r.plastic = n.yielded;
        r.elastic_normal = r_where(c->touch, n.stored);
        r.elastic_tangential = s.stored;
        r.excess_damping = s.excess;
    }
    history->h = s.h;
    history->viscous = viscous;
    if (o.kind == CONTACT_ANY) history->residual = r_where(c->touch, n.residual);
    return r;
}

/* What a contact holds, for one that vanishes. Scalar text only. */
#if SCR_LANES == 1
static inline double contact_stored(const scr_law *law, double delta, double inverse_mass, double inverse_radius,
                                    const contact_history *history)
{
    // without time passing, the contact's own evaluation says what it holds
    contact_options o = {.kind = CONTACT_ANY, .ledger = 1};
    contact_state c = {.n = {1, 0, 0},
                       .n_half = {1, 0, 0},
                       .delta = delta,
                       .was = -1,
                       .inverse_mass = inverse_mass,
                       .radius = 1 / inverse_radius};
    c.touch = contact_touch(o, law, delta, c.radius, c.was);
    contact_sizes sizes = {.inverse_mass = 0};
    contact_sizes_update(&sizes, inverse_mass);
    contact_normal n = contact_normal_of(o, 0, &c, law, &sizes, history->residual);
    double load = contact_load(o, law, n.push - n.pull + history->viscous + n.grip);
    double kt = tangential_stiffness(law, n.radius), scale = scr_law_hertz_radius(law) ? n.radius : 1;
    double stored = c.touch ? n.stored : 0;
    stored += contact_spring_stored(law, kt, rv_dot(history->h, history->h), law->mu * load);
    stored += rolling_stored(law, scale, load, history->roll);
    return stored + twisting_stored(law, kt, n.radius, scale, c.radius, load, history->twist);
}
#endif

/* Whether there is a tangential force: of a spring and its damper, or of a damper alone. */
static inline bool contact_drags(const scr_law *law)
{
    return law->mu > 0 && (law->kt > 0 || law->zeta > 0);
}

/* Whether it can hold something at rest. */
static inline bool contact_holds(const scr_law *law)
{
    return law->mu > 0 && law->kt > 0;
}

/* The loop that a law needs. */
static inline contact_kind contact_kind_of(const scr_law *law)
{
    if (parts_cohesion(law) != SCR_COHESION_NONE || law->rolling > 0 || law->twisting > 0) return CONTACT_ANY;
    if (law->normal == SCR_NORMAL_HERTZ) return law->mindlin > 0 || law->kt == 0 ? CONTACT_HERTZ : CONTACT_ANY;
    if (law->normal != SCR_NORMAL_HOOKE) return CONTACT_ANY;
    return law->mindlin > 0 || law->eta_area > 0 ? CONTACT_ANY : CONTACT_HOOKE;
}

/* The narrowest loop that serves all of them; a law without stiffness is of a pair that never meets. With
 * conventions of LAMMPS all loops slip and pull as these ask, else only the general one. */
static inline contact_kind contact_kind_of_all(const scr_law *laws, int count, bool lammps)
{
    int kind = -1;
    for (int k = 0; k < count; k++) {
        if (!(laws[k].kn > 0)) continue;
        bool asks = !lammps && (laws[k].slip > 0 || laws[k].pull > 0);
        int own = asks ? CONTACT_ANY : (int)contact_kind_of(&laws[k]);
        kind = kind < 0 || kind == own ? own : CONTACT_ANY;
    }
    return kind < 0 ? CONTACT_HOOKE : (contact_kind)kind;
}

#endif
