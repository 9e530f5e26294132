/* What a contact is given, what it remembers and what it returns, on lanes.
 *
 * n points from the partner j to the body i; forces are on i, and act at the point of contact. Velocities are those of
 * the half step; n' is n in the standard scheme, and the normal at the half step, where they belong, in the improved
 * one. Where the point of contact is on a body, and what arm a force has there, is that body's business (kernel/pair.h
 * for spheres). */
#ifndef SCREE_KERNEL_LAW_STATE_H
#define SCREE_KERNEL_LAW_STATE_H

#include "kernel/lanes.h"
#include "kernel/law.h"
#include "kernel/law/losses.h"

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
                     stiffness changes, (6) of law/history.h */
    int ledger;   /* count energies */
} contact_options;

typedef struct {
    rvec n, n_half;
    real delta;           /* overlap [m] */
    mask touch;           /* in contact: contact_touch() */
    mask was;             /* it was in contact at the last evaluation */
    real vn;              /* velocity of i against j at the point of contact: along n', ... */
    rvec vt;              /* ... and in its plane */
    rvec dw;              /* w_i - w_j */
    real inverse_mass;    /* 1/m_i + 1/m_j */
    real radius;          /* R* = 1/(1/r_i + 1/r_j) */
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
    rvec h;        /* tangential spring, seen from i */
    real viscous;  /* viscous part of the normal force at the last evaluation */
    rvec roll;     /* rolling spring, or force of the constant law, seen from i (CONTACT_ANY) */
    real twist;    /* twisting angle (CONTACT_ANY) */
    real residual; /* of the normal law: overlap that remains (CONTACT_ANY) */
} contact_history;

typedef struct {
    rvec force;                  /* on i, at the point of contact */
    rvec tangential;             /* its part in the plane of n */
    rvec couple;                 /* of rolling and twisting: on i, its opposite on j */
#define F(loss, NAME) real loss; /* energy dissipated since the last evaluation */
    CONTACT_LOSSES(F, F)
#undef F
    real jump; /* of damping: at once, as an adhesive contact begins or ends (CONTACT_ANY) */
    real elastic_normal, elastic_tangential; /* stored now */
    real elastic_rolling;
    real excess_damping, excess_rolling; /* to be added to what was lost, as things are now */
} contact_result;

/* Numbers of a pair of sizes, which often are those of the pair before. */
typedef struct {
    real inverse_mass, mass, root_mass;
    real first, second, radius; /* radii of the two, and R* */
} contact_sizes;

SCR_INLINE void contact_sizes_update(contact_sizes *s, real inverse_mass)
{
    if (!r_any(~r_is(s->inverse_mass, inverse_mass))) return;
    s->inverse_mass = inverse_mass;
    s->mass = 1.0 / inverse_mass;
    s->root_mass = r_sqrt(s->mass);
}

SCR_INLINE real contact_sizes_radius(contact_sizes *s, real first, real second)
{
    if (!r_any(~(r_is(s->first, first) & r_is(s->second, second)))) return s->radius;
    s->first = first, s->second = second;
    return s->radius = first * second / (first + second);
}

/* Lanes whose normal law has SCR_WORD_HERTZ_RADIUS. */
SCR_INLINE mask contact_hertz_radius(const contact_law *p)
{
    mask does = {0};
#define W(CHOICE, NAME, word, traits, ...) \
    if ((traits)&SCR_WORD_HERTZ_RADIUS) does |= r_is(p->normal, r_of(SCR_NORMAL_##NAME));
    SCR_LAW_NORMAL(W)
#undef W
    return does;
}

/* How deep a contact is, and was a step ago, to the order of the scheme. */
typedef struct {
    real inside;       /* overlap, 0 where there is none */
    real past, before; /* overlap a step ago, and the same not below 0 */
} contact_depth;

/* What the normal law says. */
typedef struct {
    real push, pull;    /* repulsion and attraction [N], both >= 0 */
    real eta;           /* normal damping [kg/s] */
    real radius;        /* of the contact, a [m]; 1 where CONTACT_HOOKE does not need it */
    real stiffening;    /* a_old/a: how the contact radius grew since the last evaluation; 1 for
                        CONTACT_HOOKE */
    real radius_before; /* a, its damping and its load without the viscous part a step ago */
    real eta_before, load_before;
    real grip;              /* added to F_n it is what friction feels */
    real stored;            /* energy [J] */
    real jump;              /* energy lost at once when a contact of JKR begins or ends [J] */
    real residual, yielded; /* overlap that remains, and energy lost by yielding [J] */
    mask loose, loosened;   /* nothing presses, now and a step ago: no damper, no friction */
} contact_normal;

#endif
