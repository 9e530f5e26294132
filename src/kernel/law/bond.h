/* The parallel bond: an elastic beam from centre to centre of two grains, which acts beside their
 * contact. Springs against stretch, shear, bending and twist, each with a damper (Potyondy & Cundall
 * 2004, section 2.2, with the lever arm of a beam: half the distance for both grains).
 *
 * n points from the partner j to the body i, d is the distance of the centres, L the distance at the
 * start; forces and moments are on i. Velocities are those of the half step, where the normal is n'
 * and the distance d' (in the standard scheme n and d instead). Q(a, n, n') turns a from the plane of n
 * into that of n' by the shortest way, S(a) turns it about n' by half of what the pair spins about its
 * own axis in a step: a bond that tumbles as a whole keeps its shape exactly.
 *
 *   v_n = dv.n',  v_s = dv - v_n n' + n' x d'/2 (w_i + w_j),  w_t = dw.n',  w_b = dw - w_t n'        (1)
 *   s <- Q(S(S(Q(s, n_old, n')) + dt v_s), n', n),  b with w_b likewise,  t <- t + dt w_t            (2)
 *   F_n = -k_n (d - L) - e_n v_n,  F_s = -k_s s - e_s v_s,  M_b = -k_b b - e_b w_b,  M_t alike       (3)
 *   force F_n n + F_s;  torque on i: -d/2 n x F_s + M_b + M_t n,  on j: -d/2 n x F_s - M_b - M_t n   (4)
 *   breaks where  k_n (d - L)/A + k_b |b| R/I > tensile strength
 *             or  k_s |s|/A + k_t |t| R/J > shear strength                                           (5)
 *   A = pi R^2,  I = pi R^4/4,  J = 2 I
 *
 * Arms of d/2 add up to the distance: angular momentum is conserved to rounding. (5) has elastic
 * parts only, since the dampers stand for losses in the material and not for a load on the bond.
 *
 * Energy: between two evaluations the bodies receive dt/2 (F_old + F_new).v, so the dampers take
 * dt/2 e (v_old + v_new).v_new, for which the rates of the last evaluation are kept. A bond that breaks
 * gives no new force: what it held half-way, k/2 s_old.s_new, is gone. */
#ifndef SCREE_KERNEL_LAW_BOND_H
#define SCREE_KERNEL_LAW_BOND_H

#include "kernel/lanes.h"

/* One number per way to deform: springs [N/m, N/m, N m, N m] or dampers [N s/m, ..., N m s]. */
typedef struct {
    real normal, shear, bend, twist;
} bond_modes;

typedef struct {
    rvec d;                /* x_i - x_j now, nearest image */
    rvec dv;               /* v_i - v_j at the half step */
    rvec spin, dw;         /* w_i + w_j, w_i - w_j at the half step */
    real rest;             /* distance at the start */
    real radius;           /* of the bond's section */
    real tensile, sheared; /* strengths [Pa], infinite: never breaks */
    bond_modes k, e;       /* springs and dampers */
} bond_state;

/* What a bond remembers: springs, and the rates of the last evaluation. */
typedef struct {
    rvec shear, bend; /* [m], [rad] */
    real twist;       /* [rad] */
    rvec shear_rate, bend_rate;
    real twist_rate, normal_rate;
} bond_history;

typedef struct {
    rvec force;           /* on i */
    rvec lever;           /* -d/2 n x F_s: torque on both */
    rvec couple;          /* M_b + M_t n: torque on i, its opposite on j */
    mask tension, shear;  /* why it broke, neither: it holds */
    real elastic;         /* energy stored now */
    real damping, broken; /* dissipated, and lost in breaking, since the last evaluation */
} bond_result;

/* a, in the plane of `from`, turned into the plane of `to` by the rotation that turns one normal into the other. */
SCR_INLINE rvec bond_swing(rvec a, rvec from, rvec to)
{
    rvec sum = rv_add(from, to);
    rvec b = rv_axpy(a, -rv_dot(a, to) / (1.0 + rv_dot(from, to)), sum);
    // rounding would let it leave the plane in the course of time
    return rv_axpy(b, -rv_dot(b, to), to);
}

/* a, in the plane of n, turned about n by the angle 2 atan(q). */
SCR_INLINE rvec bond_roll(rvec a, rvec n, real q)
{
    real s = 1.0 / (1.0 + q * q);
    return rv_axpy(rv_scale((1.0 - q * q) * s, a), 2.0 * q * s, rv_cross(n, a));
}

SCR_INLINE real bond_energy(const bond_modes *k, real stretch, rvec shear, rvec bend, real twist)
{
    return 0.5 * (k->normal * stretch * stretch + k->shear * rv_dot(shear, shear) + k->bend * rv_dot(bend, bend) +
                  k->twist * twist * twist);
}

// half of dt times the power of a damper: its force now and at the last evaluation, against the rates between
SCR_INLINE real bond_spent(const bond_modes *e, const bond_history *force, const bond_history *now)
{
    return e->normal * force->normal_rate * now->normal_rate + e->shear * rv_dot(force->shear_rate, now->shear_rate) +
           e->bend * rv_dot(force->bend_rate, now->bend_rate) + e->twist * force->twist_rate * now->twist_rate;
}

/* dt is the time since the last evaluation. */
SCR_INLINE bond_result bond_force(int improved, real dt, const bond_state *c, bond_history *h)
{
    real distance = r_sqrt(rv_dot(c->d, c->d));
    rvec n = rv_scale(1.0 / distance, c->d);
    rvec before = rv_axpy(c->d, -dt, c->dv), middle = rv_axpy(c->d, -0.5 * dt, c->dv);
    rvec n_old = rv_scale(1.0 / r_sqrt(rv_dot(before, before)), before), n_half = n;
    real arm = 0.5 * distance;
    if (improved) {
        real between = r_sqrt(rv_dot(middle, middle));
        n_half = rv_scale(1.0 / between, middle);
        arm = 0.5 * between;
    }

    // (1) rates of deformation
    bond_history now = {.twist_rate = rv_dot(c->dw, n_half), .normal_rate = rv_dot(c->dv, n_half)};
    now.shear_rate = rv_add(rv_axpy(c->dv, -now.normal_rate, n_half), rv_scale(arm, rv_cross(n_half, c->spin)));
    now.bend_rate = rv_axpy(c->dw, -now.twist_rate, n_half);

    // (2) springs follow the bond and its deformation
    real q = 0.125 * dt * rv_dot(c->spin, n_half);
    rvec shear = bond_roll(bond_swing(h->shear, n_old, n_half), n_half, q);
    rvec bend = bond_roll(bond_swing(h->bend, n_old, n_half), n_half, q);
    shear = bond_roll(rv_axpy(shear, dt, now.shear_rate), n_half, q);
    bend = bond_roll(rv_axpy(bend, dt, now.bend_rate), n_half, q);
    if (improved) {
        shear = bond_swing(shear, n_half, n), bend = bond_swing(bend, n_half, n);
        now.shear_rate = bond_swing(now.shear_rate, n_half, n);
        now.bend_rate = bond_swing(now.bend_rate, n_half, n);
    }
    real stretch = distance - c->rest, twist = h->twist + dt * now.twist_rate;
    now.shear = shear, now.bend = bend, now.twist = twist;

    // (5) strength
    bond_result r;
    real section = 1.0 / (M_PI * c->radius * c->radius); // 1/A; R/I = 4/(A R), R/J = 2/(A R)
    real bent = 4.0 * c->k.bend * r_sqrt(rv_dot(bend, bend)) / c->radius;
    real twisted = 2.0 * c->k.twist * r_max(twist, -twist) / c->radius;
    r.tension = r_less(c->tensile, (c->k.normal * stretch + bent) * section);
    r.shear = r_less(c->sheared, (c->k.shear * r_sqrt(rv_dot(shear, shear)) + twisted) * section);
    r.shear = r.shear & ~r.tension;
    mask gone = r.tension | r.shear;

    // (3), (4) forces
    real pull = -c->k.normal * stretch - c->e.normal * now.normal_rate;
    rvec fs = rv_axpy(rv_scale(-c->k.shear, shear), -c->e.shear, now.shear_rate);
    rvec mb = rv_axpy(rv_scale(-c->k.bend, bend), -c->e.bend, now.bend_rate);
    real mt = -c->k.twist * twist - c->e.twist * now.twist_rate;
    r.force = rv_where(~gone, rv_axpy(fs, pull, n));
    r.lever = rv_where(~gone, rv_scale(-0.5 * distance, rv_cross(n, fs)));
    r.couple = rv_where(~gone, rv_axpy(mb, mt, n));

    // energy; the spring energy of a bond that broke is that of half-way
    real held = bond_energy(&c->k, stretch, shear, bend, twist);
    real rest = c->k.normal * stretch * now.normal_rate + c->k.shear * rv_dot(shear, now.shear_rate) +
                c->k.bend * rv_dot(bend, now.bend_rate) + c->k.twist * twist * now.twist_rate;
    r.elastic = r_where(~gone, held);
    r.broken = r_where(gone, held - 0.5 * dt * rest);
    r.damping = 0.5 * dt * (bond_spent(&c->e, h, &now) + r_where(~gone, bond_spent(&c->e, &now, &now)));
    *h = now;
    return r;
}

#endif
