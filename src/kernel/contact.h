/* The soft contact with history, and the improved treatment of velocities known at the half step
 * (Vyas et al. 2025).
 *
 * n points from the partner j to the body i; forces are on i. Velocities are those of the half step.
 * n' is n in the standard scheme, and the normal at the half step, where dv belongs, in the improved
 * one. P(a, n) turns a vector into the plane of n: projected, its length kept. Q(a) takes a vector of
 * the plane of n' to that of n by the smallest rotation.
 *
 *   v_n = dv.n',   v_t = dv - v_n n' + n' x (a_i w_i + a_j w_j),   a_i = r_i - delta/2          (1)
 *   F_n = max(0, push - eta_n v_n) - pull;  with `pull: allowed` without the max                (2)
 *   h  <- Q(P(h, n')),   v_t <- Q(v_t)                                                         (3)
 *   f = -k_t (h + dt v_t) - eta_t v_t;  where |f| > mu F_g the contact slips at the velocity      (4)
 *         s = -f (1 - mu F_g/|f|)/(k_t dt + eta_t),  else s = 0:
 *         u = v_t - s,  h <- h + dt u,  F_t = -k_t h - eta_t u, whose size is then mu F_g
 *   torque on i: -a_i n x F_t,  on j: -a_j n x F_t                                             (5)
 *
 * push, pull, eta_n and k_t come from the normal law (contact_normal below); F_g, the force that
 * friction feels, is F_n without the pull. Rolling and twisting springs obey (3) and (4) with the
 * pseudo-velocity R* dw x n' and the rate dw.n' in place of v_t, dw = w_i - w_j (contact_turning).
 *
 * (4) is a slider in series with the spring and the damper beside it, which both feel only the part u of
 * the motion that stretches the spring, stepped implicitly. With `slip: damper` (Luding 2008; LAMMPS) the
 * damper feels all of v_t while the contact slips, and the spring is set so that both give the limit:
 *
 *   |f| > mu F_g:   F_t = f mu F_g/|f|,   h = -(F_t + eta_t v_t)/k_t                                (6)
 *
 * A stiffness that depends on the contact radius changes while a spring is stretched. While it grows
 * the force is kept (what is laid on is stress-free), while it falls the stretch is kept: neither makes
 * energy. With G = k_old/k_new this is h *= g, g = min(G, 1).
 *
 * Energy, as velocity-Verlet does work: a force F acts in the half steps before and after its time,
 * so between two evaluations the bodies receive dt/2 (F_old + F_new).v. The viscous part of the last
 * normal force is kept in the history for that. Of what the bodies give to a spring with (4),
 *
 *   dt eta u^2  is lost in the damper,
 *   dt/2 (limit_old + limit_new) |s|  is lost by sliding, and                                     (7)
 *   1/2 (k_old - g k) h_old.h + 1/2 k_old (1 - g) h_old^2  where the stiffness changes,
 *
 * all of them >= 0, and the rest is stored, k h^2/2. (Where a contact slips that stuck before, limit_old is more than its
 * force was. Twice what spring and damper can have had bounds it, for limits far beyond all forces that end at once.)
 * The first stands for dt/2 eta (u_old + u).u; to the
 * order of the scheme that telescopes to weight 1 (3/4 in the first evaluation of a contact and in the one
 * that finds it gone, 5/4 in the first step of a run for contacts that were there before: `opening`) less
 * dt/4 eta u^2 of the contacts that are there now. This is `excess`, a function of the present state: its
 * sum over all contacts is added to what was lost in dampers, and needs no history. What a spring holds
 * when its contact ends is lost by sliding.
 *
 * With (6) the spring is stretched in fast sliding far beyond what the limit could hold, only to cancel the
 * damper. That is no stored energy: it is booked with at most limit^2/(2 k), and the rest belongs to what
 * was lost (contact_keep_work). */
#ifndef SCREE_KERNEL_CONTACT_H
#define SCREE_KERNEL_CONTACT_H

#include <stdbool.h>

#include "kernel/lanes.h"
#include "kernel/law.h"

/* Which laws a loop must know: the usual ones have loops of their own. */
typedef enum {
    CONTACT_HOOKE, /* linear springs */
    CONTACT_HERTZ, /* Hertz and Mindlin */
    CONTACT_ANY,   /* each lane its own, with cohesion, rolling and twisting */
    CONTACT_KINDS
} contact_kind;

/* Constant at each call, so that the compiler makes one loop per combination. */
typedef struct {
    int kind;     /* contact_kind */
    int improved; /* n' is the half-step normal */
    int lammps;   /* conventions of LAMMPS: arm = radius, no clip, h projected only, h kept when the
                     stiffness changes, (6) */
    int ledger;   /* count energies */
} contact_options;

typedef struct {
    rvec n, n_half;
    real delta;           /* overlap [m] */
    mask touch;           /* in contact: contact_touch() */
    mask was;             /* it was in contact at the last evaluation */
    rvec dv;              /* velocity of i minus that of j, at the half step */
    rvec turning;         /* a_i w_i + a_j w_j */
    rvec dw;              /* w_i - w_j */
    real inverse_mass;    /* 1/m_i + 1/m_j */
    real inverse_radius;  /* 1/r_i + 1/r_j */
    real inverse_inertia; /* 1/I_i + 1/I_j */
} contact_state;

#if SCR_LANES == 1
typedef scr_law contact_law;
#else
typedef struct {
#    define F(member, unit, doc) real member;
    SCR_LAW_NUMBERS(F)
#    undef F
} contact_law;
#endif

typedef struct {
    rvec h;       /* tangential spring, seen from i */
    real viscous; /* viscous part of the normal force at the last evaluation */
    rvec roll;    /* rolling spring, or force of the constant law, seen from i (CONTACT_ANY) */
    real twist;   /* twisting angle (CONTACT_ANY) */
} contact_history;

typedef struct {
    rvec force;                              /* on i */
    rvec twist;                              /* n x F_t: torque is -a times this, for both */
    rvec couple;                             /* of rolling and twisting: on i, its opposite on j */
    real damping, friction, rolling;         /* energy dissipated since the last evaluation */
    real elastic_normal, elastic_tangential; /* stored now */
    real elastic_rolling;
    real excess_damping, excess_rolling; /* to be added to what was lost, as things are now */
} contact_result;

/* ---- turning springs ---- */

SCR_INLINE rvec contact_project(rvec a, rvec n)
{
    return rv_axpy(a, -rv_dot(a, n), n);
}

// sqrt(1 + x); a contact turns little in a step, and then the series has all digits
SCR_INLINE real contact_root(real x)
{
    real series = 1.0 + x * (0.5 + x * (-0.125 + x * (0.0625 - 0.0390625 * x)));
    mask large = r_less(r_of(1e-3), x);
    if (r_any(large)) series = r_select(large, r_sqrt(1.0 + x), series);
    return series;
}

/* P: a turned into the plane of the unit normal n: projected, length kept. */
SCR_INLINE rvec contact_turn(rvec a, rvec n)
{
    real along = rv_dot(a, n);
    rvec b = rv_axpy(a, -along, n);
    real b2 = rv_dot(b, b);
    mask some = r_less(r_of(0.0), b2);
    real x = r_where(some, along * along / r_select(some, b2, r_of(1.0)));
    return rv_scale(contact_root(x), b);
}

/* Q: a vector of the plane of n_half, rotated into that of n; `middle` is (n + n')/(1 + n.n'). */
SCR_INLINE rvec contact_rotate(rvec a, rvec n, rvec middle)
{
    return rv_axpy(a, -rv_dot(a, n), middle);
}

/* ---- normal ---- */

typedef struct {
    real push, pull;    /* repulsion and attraction [N], both >= 0 */
    real eta;           /* normal damping [kg/s] */
    real radius;        /* of the contact, a [m]; 1 where CONTACT_HOOKE does not need it */
    real stiffening;    /* a_old/a: how the contact radius grew since the last evaluation; 1 for
                        CONTACT_HOOKE */
    real radius_before; /* a, its damping and its load without the viscous part a step ago */
    real eta_before, load_before;
    real grip;   /* added to F_n it is what friction feels */
    real stored; /* energy [J] */
    real jump;   /* energy lost at once when a contact of JKR begins or ends [J] */
} contact_normal;

/* Numbers of a pair of sizes, which often are those of the pair before. */
typedef struct {
    real inverse_mass, mass, root_mass;
} contact_sizes;

SCR_INLINE void contact_sizes_update(contact_sizes *s, real inverse_mass)
{
    if (!r_any((mask)(s->inverse_mass != inverse_mass))) return;
    s->inverse_mass = inverse_mass;
    s->mass = 1.0 / inverse_mass;
    s->root_mass = r_sqrt(s->mass);
}

/* JKR (Johnson, Kendall & Roberts 1971) with work of adhesion w = 2 gamma, in s = sqrt(a):
 *
 *   delta = s^4/R* - c s,   c = sqrt(2 pi w/E*)                                                (8)
 *   F_n = 4/3 E* a^3/R* - sqrt(8 pi w E* a^3)                                                  (9)
 *
 * A contact begins at delta = 0, where s^3 = c R*, and ends where delta is least: s^3 is a quarter
 * of that. */
SCR_INLINE real jkr_c(const contact_law *p)
{
    // 2 pi w/E* with w = 2 gamma
    mask is = r_less(r_of(0.0), p->surface_energy);
    return r_where(
        is, r_sqrt(12.566370614359172 * p->surface_energy / r_select(is, 0.75 * p->kn, r_of(1.0))));
}

// the overlap (negative) at which a contact ends
SCR_INLINE real jkr_tear(real c, real radius)
{
    return -0.75 * c * r_cbrt(0.25 * c * radius);
}

// (8) solved for s by Newton's method from above, where the function is convex; no contact is smaller than the one that
// tears
SCR_INLINE real jkr_root(real c, real radius, real delta, int steps)
{
    real quarter = r_sqrt(r_sqrt(2.0 * radius * r_max(delta, r_of(0.0))));
    real s = r_max(r_cbrt(2.0 * c * radius), quarter);
    for (int k = 0; k < steps; k++) {
        real cube = s * s * s / radius;
        s -= (cube * s - c * s - delta) / (4.0 * cube - c);
    }
    return r_max(s, r_cbrt(0.25 * c * radius));
}

// integral of (9) along (8), zero for a = 0
SCR_INLINE real jkr_energy(real kn, real c, real pull, real radius, real s)
{
    real a = s * s, seven = a * a * a * s;
    return 0.4 * kn * a * a * a * a * a / (radius * radius) -
           (kn * c + 4.0 * pull) * seven / (7.0 * radius) + 0.25 * pull * c * a * a;
}

/* Whether the bodies are in contact: `was` tells whether they were. */
SCR_INLINE mask contact_touch(contact_options o, const contact_law *p, real delta,
                              real inverse_radius, mask was)
{
    if (o.kind != CONTACT_ANY) return r_less(r_of(0.0), delta);
    real reach = -p->range;
    mask jkr = r_less(r_of(0.0), p->surface_energy) & was;
    if (r_any(jkr)) reach = r_select(jkr, jkr_tear(jkr_c(p), 1.0 / inverse_radius), reach);
    return r_less(reach, delta);
}

// JKR in the lanes that have it
SCR_INLINE void normal_jkr(const contact_law *p, const contact_state *c, real radius, real before,
                           contact_normal *n, int ledger)
{
    mask is = r_less(r_of(0.0), p->surface_energy);
    real k = jkr_c(p), tear = jkr_tear(k, radius);
    real s = jkr_root(k, radius, r_max(c->delta, tear), 24), a = s * s;
    // where it was a step ago: less precisely, for the work of springs whose stiffness changes
    real t = jkr_root(k, radius, r_max(before, tear), 10);
    // sqrt(8 pi w E*) = sqrt(12 pi gamma 4/3 E*)
    real pull = r_sqrt(37.69911184307752 * r_where(is, p->surface_energy * p->kn));
    n->push = r_select(is, p->kn * a * a * a / radius, n->push);
    n->pull = r_select(is, pull * a * s, n->pull);
    n->radius = r_select(is, a, n->radius);
    n->radius_before = r_select(is, t * t, n->radius_before);
    // Thornton: friction acts as if the load were F_n + 2 F_pull-off, F_pull-off = 3 pi gamma R*
    n->grip = r_select(is, 18.849555921538759 * p->surface_energy * radius, n->grip);
    if (!ledger) return;
    n->stored = r_select(is, jkr_energy(p->kn, k, pull, radius, s), n->stored);
    real first = jkr_energy(p->kn, k, pull, radius, r_cbrt(k * radius));
    real last = jkr_energy(p->kn, k, pull, radius, r_cbrt(0.25 * k * radius));
    n->load_before = p->kn * t * t * t * t * t * t / radius - pull * t * t * t + n->grip;
    n->jump = r_where(is & c->touch & ~c->was, -first) + r_where(is & ~c->touch & c->was, last);
}

// damping and load of a step ago, for the work that its forces did
SCR_INLINE void contact_before(contact_options o, const contact_law *p, const contact_sizes *sizes,
                               real before, contact_normal *n)
{
    real scale = n->radius_before;
    real load = p->kn * n->radius_before * before;
    if (o.kind == CONTACT_ANY) {
        mask hooke = r_less(p->hertz, r_of(0.5)), jkr = r_less(r_of(0.0), p->surface_energy);
        scale = r_select(hooke, r_of(1.0), scale);
        load = r_select(jkr, n->load_before, r_select(hooke, p->kn * before, load));
    }
    n->load_before = load;
    n->eta_before = p->eta_root * r_sqrt(sizes->mass * scale) +
                    (p->eta_mass + p->eta_area * n->radius_before) * sizes->mass;
    // bodies that attract each other over a gap have no damper in it
    if (o.kind == CONTACT_ANY) {
        mask gap = r_less(r_of(0.0), p->range) & ~r_less(r_of(0.0), before);
        n->eta_before = r_where(~gap, n->eta_before);
    }
}

/* Hooke: push = kn delta. Hertz: push = 4/3 E* a delta, a = sqrt(R* delta). Linear cohesion: pull =
 * adhesion, fading to zero over a gap of `range`. Damping as kernel/law.h says. */
SCR_INLINE contact_normal contact_normal_of(contact_options o, real dt, real vn,
                                            const contact_state *c, const contact_law *p,
                                            const contact_sizes *sizes)
{
    contact_normal n = {.radius = r_of(1.0),
                        .stiffening = r_of(1.0),
                        .radius_before = r_of(1.0),
                        .eta_before = r_of(0.0),
                        .load_before = r_of(0.0),
                        .pull = r_of(0.0),
                        .grip = r_of(0.0),
                        .jump = r_of(0.0)};
    if (o.kind == CONTACT_HOOKE) {
        n.push = p->kn * c->delta;
        n.eta = p->eta_root * sizes->root_mass + p->eta_mass * sizes->mass;
        n.stored = 0.5 * n.push * c->delta;
        return n;
    }
    real inside = r_max(c->delta, r_of(0.0)), radius = 1.0 / c->inverse_radius;
    n.radius = r_sqrt(radius * inside);
    n.push = p->kn * n.radius * inside;
    n.stored = 0.4 * n.push * inside;
    if (o.kind == CONTACT_ANY) {
        mask hooke = r_less(p->hertz, r_of(0.5));
        n.push = r_select(hooke, p->kn * inside, n.push);
        n.stored = r_select(hooke, 0.5 * n.push * inside, n.stored);
        mask apart = r_less(c->delta, r_of(0.0));
        mask fades = r_less(r_of(0.0), p->range);
        real fade = r_where(fades, (c->delta + p->range) / r_select(fades, p->range, r_of(1.0)));
        n.pull = p->adhesion * r_select(apart, fade, r_of(1.0));
        real deep = p->adhesion * (inside + 0.5 * p->range);
        n.stored -= r_select(apart, 0.5 * p->adhesion * p->range * fade * fade, deep);
        n.grip = n.pull;
        mask jkr = r_less(r_of(0.0), p->surface_energy);
        if (r_any(jkr)) normal_jkr(p, c, radius, c->delta + dt * vn, &n, o.ledger);
        real scale = r_select(hooke, r_of(1.0), n.radius);
        n.eta = p->eta_root * r_sqrt(sizes->mass * scale) +
                (p->eta_mass + p->eta_area * n.radius) * sizes->mass;
        n.eta = r_where(r_less(r_of(0.0), n.push), n.eta);
    } else {
        n.eta = p->eta_root * r_sqrt(sizes->mass * n.radius) +
                (p->eta_mass + p->eta_area * n.radius) * sizes->mass;
    }
    // the overlap a step ago, to the order of the scheme
    mask deep = r_less(r_of(0.0), inside);
    real before = r_max(c->delta + dt * vn, r_of(0.0));
    real reached = r_sqrt(radius * before);
    n.stiffening = r_select(deep, r_sqrt(before / r_select(deep, inside, r_of(1.0))), r_of(1.0));
    if (o.kind == CONTACT_ANY) {
        mask jkr = r_less(r_of(0.0), p->surface_energy);
        n.stiffening = r_select(jkr, n.radius_before / n.radius, n.stiffening);
        n.radius_before = r_select(jkr, n.radius_before, reached);
    } else {
        n.radius_before = reached;
    }
    if (o.ledger) contact_before(o, p, sizes, before, &n);
    return n;
}

/* ---- springs with a limit ---- */

/* A spring, its damper and its limit; as they were at the last evaluation where the ledger needs it. */
typedef struct {
    real k, eta, limit;
} contact_link;

typedef struct {
    rvec force, h;
    real damped, rubbed; /* energy lost in the damper and by sliding since the last evaluation */
    real excess;         /* to be added to `damped`, as things are now */
    real stored;
} contact_spring;

/* (7): `old` is the spring as it was, turned into the present plane, `rate` u, `sliding` |s| times the forces
 * before and now; `held` is what its stretch, `s->h`, holds. */
SCR_INLINE void contact_spring_work(contact_options o, real dt, real opening,
                                    const contact_state *c, rvec old, rvec rate, real sliding,
                                    real kept, const contact_link *l, const contact_link *past,
                                    contact_spring *s)
{
    mask first = c->touch & ~c->was, last = c->was & ~c->touch, lasts = c->touch & c->was;
    real lost = l->eta * rv_dot(rate, rate), held = 0.5 * l->k * rv_dot(s->h, s->h);
    real weight = r_where(lasts, dt + opening) + r_where(first | last, 0.75 * dt);
    s->damped = weight * lost;
    s->rubbed = 0.5 * dt * sliding + r_where(last, held);
    s->stored = r_where(c->touch, held);
    s->excess = r_where(c->touch, -0.25 * dt * lost);
    if (o.kind == CONTACT_HOOKE) return;
    // stiffness and damping that change
    real growth = past->k - kept * l->k;
    s->rubbed += 0.5 * r_where(c->was, growth * rv_dot(old, s->h) +
                                           past->k * (1.0 - kept) * rv_dot(old, old));
    s->damped += r_where(lasts, 0.25 * dt * (past->eta - l->eta) * rv_dot(rate, rate));
}

/* (4): `v` is the velocity along the spring. */
SCR_INLINE contact_spring contact_stretch(contact_options o, real dt, real opening,
                                          const contact_state *c, rvec old, rvec v, real kept,
                                          contact_link l, const contact_link *past)
{
    // a contact that has just ended loses what it held with the numbers that it had
    if (o.ledger && o.kind != CONTACT_HOOKE) {
        l.k = r_select(c->touch, l.k, past->k);
        l.eta = r_select(c->touch, l.eta, past->eta);
    }
    rvec from = o.kind == CONTACT_HOOKE ? old : rv_scale(kept, old);
    rvec f = rv_axpy(rv_scale(-l.k, rv_axpy(from, dt, v)), -l.eta, v);
    real f2 = rv_dot(f, f), sliding = r_of(0.0);
    mask slip = r_less(l.limit * l.limit, f2);
    contact_spring s = {.force = f};
    rvec rate = v;
    if (r_any(slip)) {
        real size = r_sqrt(r_select(slip, f2, r_of(1.0))), give = l.k * dt + l.eta, most = give;
        give = r_select(slip & r_less(r_of(0.0), give), give, r_of(1.0));
        real inverse = 1.0 / (size * give), yield = (size - l.limit) * inverse;
        s.force = rv_scale(r_select(slip, l.limit * give * inverse, r_of(1.0)), f);
        rate = rv_select(slip, rv_axpy(v, yield, f), v);
        if (o.ledger) {
            most = 2.0 * (size + most * (r_max(v.x, -v.x) + r_max(v.y, -v.y) + r_max(v.z, -v.z)));
            sliding = r_where(slip, (l.limit + r_min(past->limit, most)) * yield * size);
        }
    }
    s.h = rv_axpy(from, dt, rate);
    if (o.ledger) contact_spring_work(o, dt, opening, c, old, rate, sliding, kept, &l, past, &s);
    s.h = rv_where(c->touch, s.h);
    return s;
}

/* The work that the forces of (6) did: the last one is -k h - eta v, up to the change of velocity, in stick
 * and slip alike. */
SCR_INLINE void contact_keep_work(real dt, real opening, const contact_state *c, rvec old, rvec v,
                                  mask slip, const contact_link *l, const contact_link *past,
                                  contact_spring *s)
{
    mask spring = r_less(r_of(0.0), l->k), some = r_less(r_of(0.0), past->k);
    mask first = c->touch & ~c->was, last = c->was & ~c->touch, lasts = c->touch & c->was;
    rvec g = rv_axpy(rv_scale(-past->k, old), -past->eta, v);
    real full = 0.5 * past->k * rv_dot(old, old), limit2 = past->limit * past->limit;
    real held = r_where(some, r_min(full, 0.5 * limit2 / r_select(some, past->k, r_of(1.0))));
    real most = 0.5 * l->limit * l->limit / r_select(spring, l->k, r_of(1.0));
    s->stored = r_where(spring, r_min(0.5 * l->k * rv_dot(s->h, s->h), most));
    real v2 = rv_dot(v, v), lost = r_where(c->was, held - 0.5 * dt * rv_dot(g, v)) - s->stored -
                                   r_where(c->touch, 0.5 * dt * rv_dot(s->force, v));
    lost += v2 * (r_where(first, 0.25 * dt * l->eta) - r_where(last, 0.25 * dt * past->eta) +
                  r_where(lasts, opening * l->eta + 0.25 * dt * (l->eta - past->eta)));
    s->damped = r_where(~slip, lost), s->rubbed = r_where(slip, lost);
    s->excess = r_where(c->touch, -0.25 * dt * l->eta * v2);
}

/* (6). */
SCR_INLINE contact_spring contact_keep(contact_options o, real dt, real opening,
                                       const contact_state *c, rvec old, rvec v, real kept,
                                       const contact_link *l, const contact_link *past)
{
    rvec from = o.kind == CONTACT_HOOKE || o.lammps ? old : rv_scale(kept, old);
    contact_spring s = {.h = rv_axpy(from, dt, v)};
    rvec f = rv_axpy(rv_scale(-l->k, s.h), -l->eta, v);
    real f2 = rv_dot(f, f);
    mask slip = r_less(l->limit * l->limit, f2);
    if (r_any(slip)) {
        mask spring = r_less(r_of(0.0), l->k);
        real size = r_sqrt(r_select(slip, f2, r_of(1.0)));
        real k = r_select(spring, l->k, r_of(1.0)), inverse = 1.0 / (size * k);
        f = rv_scale(r_select(slip, l->limit * k * inverse, r_of(1.0)), f);
        rvec slid = rv_scale(r_where(spring, -size * inverse), rv_axpy(f, l->eta, v));
        s.h = rv_select(slip, slid, s.h);
    }
    s.h = rv_where(c->touch, s.h);
    s.force = f;
    if (o.ledger) contact_keep_work(dt, opening, c, old, v, slip, l, past, &s);
    return s;
}

/* (4) or (6), as the law says; `growth` is k_old/k. */
SCR_INLINE contact_spring contact_spring_of(contact_options o, real dt, real opening,
                                            const contact_state *c, const contact_law *p, rvec old,
                                            rvec v, real growth, const contact_link *l,
                                            const contact_link *past)
{
    real kept = r_min(growth, r_of(1.0));
    if (o.lammps) return contact_keep(o, dt, opening, c, old, v, kept, l, past);
    contact_spring s = contact_stretch(o, dt, opening, c, old, v, kept, *l, past);
    if (o.kind != CONTACT_ANY) return s;
    mask damper = r_less(r_of(0.5), p->slip);
    if (!r_any(damper)) return s;
    contact_spring t = contact_keep(o, dt, opening, c, old, v, kept, l, past);
    s.force = rv_select(damper, t.force, s.force), s.h = rv_select(damper, t.h, s.h);
    if (!o.ledger) return s;
    s.damped = r_select(damper, t.damped, s.damped);
    s.rubbed = r_select(damper, t.rubbed, s.rubbed);
    s.excess = r_select(damper, t.excess, s.excess);
    s.stored = r_select(damper, t.stored, s.stored);
    return s;
}

/* Rolling and twisting: couples on i. Rolling: pseudo-velocity R* dw x n', its spring and slider
 * (`sds`) or a constant torque against it that cannot turn the motion round within a step. Twisting:
 * the rate dw.n' about the normal; `marshall` takes stiffness, damping and limit from the tangential
 * law and the contact radius (Marshall 2009): k a^2/2, eta a^2/2, 2/3 a mu F_g. */
SCR_INLINE void contact_turning(contact_options o, real dt, real opening, const contact_state *c,
                                const contact_law *p, const contact_normal *n, real load,
                                real load_before, rvec middle, contact_history *history,
                                contact_result *r)
{
    real radius = 1.0 / c->inverse_radius;
    mask hertz = r_less(r_of(0.5), p->hertz);
    real scale = r_select(hertz, n->radius, r_of(1.0));
    real growth = r_select(hertz, n->stiffening, r_of(1.0));

    rvec v = rv_scale(radius, rv_cross(c->dw, c->n_half));
    rvec old = contact_turn(history->roll, c->n_half);
    if (o.improved) v = contact_rotate(v, c->n, middle), old = contact_rotate(old, c->n, middle);
    mask sds = r_less(r_of(0.5), p->rolling) & r_less(p->rolling, r_of(1.5));
    mask constant = r_less(r_of(1.5), p->rolling);
    // a damper that stops the rolling within the step, limited: a constant torque
    real stop = radius * radius * c->inverse_inertia * dt;
    mask moving = r_less(r_of(0.0), stop);
    real scale_before = r_select(hertz, n->radius_before, r_of(1.0));
    contact_link link = {.k = r_where(sds, p->rolling_k * scale),
                         .eta = r_where(sds, p->rolling_zeta * n->eta) +
                                r_where(constant & moving, 1.0 / r_select(moving, stop, r_of(1.0))),
                         .limit = r_where((sds | constant) & c->touch, p->rolling_mu * load)};
    contact_link past = {.k = r_where(sds, p->rolling_k * scale_before),
                         .eta = r_where(sds, p->rolling_zeta * n->eta_before),
                         .limit = r_where(sds, p->rolling_mu * load_before)};
    contact_spring s = contact_spring_of(o, dt, opening, c, p, old, v, growth, &link, &past);
    history->roll = s.h;
    if (r_any(constant)) {
        // no spring: its place in the history keeps the force, and the work is what the force does
        history->roll = rv_select(constant, s.force, s.h);
        real work = -0.5 * dt * rv_dot(rv_add(old, s.force), v);
        s.rubbed = r_select(constant, work, s.rubbed), s.damped = r_where(~constant, s.damped);
        s.stored = r_where(~constant, s.stored), s.excess = r_where(~constant, s.excess);
    }
    r->couple = rv_scale(radius, rv_cross(c->n, s.force));
    r->rolling = s.damped + s.rubbed, r->elastic_rolling = s.stored, r->excess_rolling = s.excess;

    mask marshall = r_less(r_of(1.5), p->twisting), any = r_less(r_of(0.5), p->twisting);
    mask mindlin = r_less(r_of(0.5), p->mindlin);
    real a2 = 0.5 * n->radius * n->radius, r2 = radius * radius;
    real before2 = 0.5 * n->radius_before * n->radius_before;
    real tangential = p->kt * r_select(mindlin, n->radius, r_of(1.0));
    real tangential_before = p->kt * r_select(mindlin, n->radius_before, r_of(1.0));
    real own = p->twisting_mu * radius, shared = 2.0 / 3.0 * p->mu;
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
    rvec rate = {rv_dot(c->dw, c->n_half), r_of(0.0), r_of(0.0)};
    s = contact_spring_of(o, dt, opening, c, p, angle, rate, growth, &link, &past);
    history->twist = s.h.x;
    r->couple = rv_axpy(r->couple, s.force.x, c->n);
    r->rolling += s.damped + s.rubbed, r->elastic_rolling += s.stored;
    r->excess_rolling += s.excess;
}

/* What friction feels of a normal force. Where contacts may pull it is the size of the force, as in codes
 * whose contacts do. */
SCR_INLINE real contact_load(contact_options o, const contact_law *p, real force)
{
    if (o.lammps) return r_max(force, -force);
    real load = r_max(force, r_of(0.0));
    if (o.kind != CONTACT_ANY) return load;
    return r_select(r_less(r_of(0.5), p->pull), r_max(force, -force), load);
}

/* ---- the contact ---- */

/* dt is the time since the last evaluation, `opening` a quarter of it in the first step of a run, else
 * 0. */
SCR_INLINE contact_result contact_force(contact_options o, real dt, real opening,
                                        const contact_state *c, const contact_law *p,
                                        const contact_sizes *sizes, contact_history *history)
{
    // (1) relative velocity at the contact point
    real vn = rv_dot(c->dv, c->n_half);
    rvec vt = rv_add(rv_axpy(c->dv, -vn, c->n_half), rv_cross(c->n_half, c->turning));

    // (2) normal force
    contact_normal n = contact_normal_of(o, dt, vn, c, p, sizes);
    real elastic = r_where(c->touch, n.push - n.pull);
    real normal = n.push - n.eta * vn, pushing = r_max(normal, r_of(0.0));
    if (o.kind == CONTACT_ANY) pushing = r_select(r_less(r_of(0.5), p->pull), normal, pushing);
    normal = r_where(c->touch, (o.lammps ? normal : pushing) - n.pull);
    real viscous = normal - elastic;

    // (3) the spring follows the contact plane
    rvec old, middle = c->n;
    if (o.improved) {
        rvec sum = rv_add(c->n, c->n_half);
        middle = rv_scale(1.0 / (1.0 + rv_dot(c->n, c->n_half)), sum);
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
        mask mindlin = r_less(r_of(0.5), p->mindlin);
        link.k *= r_select(mindlin, n.radius, r_of(1.0));
        past.k *= r_select(mindlin, n.radius_before, r_of(1.0));
        growth = r_select(mindlin, growth, r_of(1.0));
        load = r_where(c->touch, normal + n.grip);
    }
    load = contact_load(o, p, load);
    link.limit = p->mu * load;
    if (o.ledger) {
        if (o.kind == CONTACT_HOOKE) n.load_before = p->kn * (c->delta + dt * vn);
        if (o.kind != CONTACT_HOOKE) past.eta = p->zeta * n.eta_before;
        load_before = contact_load(o, p, r_where(c->was, n.load_before + history->viscous));
        past.limit = p->mu * load_before;
    }
    // where bodies attract each other over a gap nothing slides, rolls or twists any more
    contact_state grip = *c;
    if (o.kind == CONTACT_ANY) {
        mask reach = r_less(r_of(0.0), p->range);
        grip.touch &= ~reach | r_less(r_of(0.0), c->delta);
        grip.was &= ~reach | r_less(r_of(0.0), c->delta + dt * vn);
    }
    contact_spring s = contact_spring_of(o, dt, opening, &grip, p, old, vt, growth, &link, &past);

    contact_result r = {.force = rv_axpy(s.force, normal, c->n), .twist = rv_cross(c->n, s.force)};
    if (o.kind == CONTACT_ANY)
        contact_turning(o, dt, opening, &grip, p, &n, load, load_before, middle, history, &r);
    if (o.ledger) {
        r.friction = s.rubbed;
        r.damping = s.damped - 0.5 * dt * (history->viscous + viscous) * vn;
        if (o.kind == CONTACT_ANY) r.damping += n.jump;
        r.elastic_normal = r_where(c->touch, n.stored);
        r.elastic_tangential = s.stored;
        r.excess_damping = s.excess;
    }
    history->h = s.h;
    history->viscous = viscous;
    return r;
}

/* What a contact holds, for one that vanishes. Scalar text only. */
#if SCR_LANES == 1
// a spring of (6) counts with what its limit allows
static inline double contact_spring_stored(const scr_law *law, double k, double h2, double limit)
{
    if (!(k > 0)) return 0;
    double full = 0.5 * k * h2;
    return law->slip > 0 ? fmin(full, 0.5 * limit * limit / k) : full;
}

static inline double contact_stored(const scr_law *law, double delta, double inverse_mass,
                                    double inverse_radius, const contact_history *history)
{
    // without time passing, the contact's own evaluation says what it holds
    contact_options o = {.kind = CONTACT_ANY, .ledger = 1};
    contact_state c = {.n = {1, 0, 0},
                       .n_half = {1, 0, 0},
                       .delta = delta,
                       .was = -1,
                       .inverse_mass = inverse_mass,
                       .inverse_radius = inverse_radius};
    c.touch = contact_touch(o, law, delta, inverse_radius, c.was);
    contact_sizes sizes = {.inverse_mass = 0};
    contact_sizes_update(&sizes, inverse_mass);
    contact_normal n = contact_normal_of(o, 0, 0, &c, law, &sizes);
    double load = contact_load(o, law, n.push - n.pull + history->viscous + n.grip);
    double radius = 1 / inverse_radius;
    double kt = law->kt * (law->mindlin > 0 ? n.radius : 1), scale = law->hertz > 0 ? n.radius : 1;
    double stored = c.touch ? n.stored : 0;
    stored += contact_spring_stored(law, kt, rv_dot(history->h, history->h), law->mu * load);
    stored += contact_spring_stored(law, law->rolling_k * scale,
                                    rv_dot(history->roll, history->roll), law->rolling_mu * load);
    bool marshall = law->twisting == SCR_TWISTING_MARSHALL;
    double k =
        marshall ? 0.5 * kt * n.radius * n.radius : law->twisting_k * scale * radius * radius;
    double most = load * (marshall ? 2.0 / 3 * n.radius * law->mu : law->twisting_mu * radius);
    return stored + contact_spring_stored(law, k, history->twist * history->twist, most);
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

/* The loop that a law needs. A damper alone needs one that knows the force of the last step. */
static inline contact_kind contact_kind_of(const scr_law *law)
{
    if (law->adhesion > 0 || law->surface_energy > 0 || law->rolling > 0 || law->twisting > 0)
        return CONTACT_ANY;
    if (law->kt == 0 && contact_drags(law)) return CONTACT_ANY;
    if (law->hertz > 0) return law->mindlin > 0 || law->kt == 0 ? CONTACT_HERTZ : CONTACT_ANY;
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
