/* The texts of a step as device code, where each thread is a lane: pairs and walls with every law and ledger, kicks,
 * bonds. */
#define SCR_LANES 1
#include "kernel/contact.h"
#include "kernel/kick.h"
#include "kernel/law/bond.h"
#include "kernel/wall.h"

struct body {
    rvec x, v;
    double inverse_mass;
    pair_body p;
};

template <int KIND, int IMPROVED, int LAMMPS, int LEDGER>
__global__ void pairs(const body *b, const scr_law *law, contact_history *history, double *load, const double *period,
                      double dt)
{
    constexpr contact_options o = {KIND, IMPROVED, LAMMPS, LEDGER};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const body *one = b + 2 * i, *two = one + 1;
    rvec d = rv_sub(one->x, two->x), torque[2];
    pair_nearest(period, period + 3, &d);
    contact_state c;
    double arm[2];
    contact_sizes sizes = {0, 0, 0, 0, 0, 0};
    pair_contact(o, dt, &one->p, &two->p, d, rv_sub(one->v, two->v), &sizes, &c, arm);
    c.inverse_mass = one->inverse_mass + two->inverse_mass;
    c.was = r_is(history[i].viscous, 0.0);
    c.touch = contact_touch(o, law, c.delta, c.radius, c.was);
    contact_sizes_update(&sizes, c.inverse_mass);
    contact_result r = contact_force(o, dt, 0.0, &c, law, &sizes, &history[i]);
    pair_torques(o, &c, &r, arm, torque);
    load[8 * i] = kick_velocity(one->v.x, 0.5 * dt, one->inverse_mass, r.force.x, 0.0);
    load[8 * i + 1] = kick_spin(one->p.w.x, 0.5 * dt, one->p.inverse_inertia, torque[0].x);
    load[8 * i + 2] = kick_drift_place(one->x.x, dt, load[8 * i]) + torque[1].x + r.force.y + r.force.z;
    load[8 * i + 3] = LEDGER ? r.damping + r.friction : 0;
    if (LEDGER && KIND == CONTACT_ANY) load[8 * i + 3] += r.rolling + r.plastic;
    load[8 * i + 4] = LEDGER ? r.elastic_normal + r.elastic_tangential + r.excess_damping : 0;
}

template <int KIND, int IMPROVED, int LAMMPS, int LEDGER>
__global__ void walls(const body *b, const scr_law *law, contact_history *history, double *load, double dt)
{
    constexpr contact_options o = {KIND, IMPROVED, LAMMPS, LEDGER};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    contact_state c = {b[i].x, b[i].x, b[i].p.radius - b[i].x.z, -1, -1};
    c.inverse_mass = b[i].inverse_mass;
    double arm = wall_contact(o, b[i].v, b[i].p.w, b[i].x, b[i].p.inverse_inertia, b[i].p.radius, &c);
    contact_sizes sizes = {0, 0, 0, 0, 0, 0};
    contact_sizes_update(&sizes, c.inverse_mass);
    contact_result r = contact_force(o, dt, 0.0, &c, law, &sizes, &history[i]);
    rvec torque = wall_torque(o, &c, &r, arm);
    load[8 * i] = r.force.x + torque.x;
}

__global__ void bonds(const bond_state *c, bond_history *h, double *load, double dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bond_result r = bond_force(1, dt, &c[i], &h[i]);
    load[8 * i] = r.force.x + r.lever.x + r.couple.x + r.elastic + r.damping + r.broken;
}

#define LOOP(KIND, IMPROVED, LAMMPS, LEDGER)                                                                         \
    template __global__ void pairs<KIND, IMPROVED, LAMMPS, LEDGER>(const body *, const scr_law *, contact_history *, \
                                                                   double *, const double *, double);                \
    template __global__ void walls<KIND, IMPROVED, LAMMPS, LEDGER>(const body *, const scr_law *, contact_history *, \
                                                                   double *, double);
#define LOOPS(KIND) LOOP(KIND, 1, 0, 1) LOOP(KIND, 0, 1, 1) LOOP(KIND, 1, 0, 0)
LOOPS(CONTACT_HOOKE)
LOOPS(CONTACT_HERTZ)
LOOPS(CONTACT_ANY)
