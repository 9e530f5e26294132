#include "collide/bonds.h"

#include <math.h>

#define VECTOR(row) ((rvec){(row)[0], (row)[1], (row)[2]})
#define MODES(row)  ((bond_modes){(row)[0], (row)[1], (row)[2], (row)[3]})

bond_state scr_bond_state(const scr_world *w, const scr_images *images, size_t k)
{
    const scr_bonds *bonds = &w->bonds;
    const scr_bodies *b = &w->bodies;
    const scr_bond_law *law = &w->bond_laws[bonds->law[k]];
    size_t i = (size_t)bonds->row[2 * k], j = (size_t)bonds->row[2 * k + 1];
    double d[3];
    for (int a = 0; a < 3; a++) d[a] = scr_nearest_image(images, a, b->place[4 * i + a] - b->place[4 * j + a]);
    rvec wi = VECTOR(b->spin + 4 * i), wj = VECTOR(b->spin + 4 * j);
    return (bond_state){.d = VECTOR(d),
                        .dv = rv_sub(VECTOR(b->motion + 4 * i), VECTOR(b->motion + 4 * j)),
                        .spin = rv_add(wi, wj),
                        .dw = rv_sub(wi, wj),
                        .rest = bonds->shape[2 * k],
                        .radius = bonds->shape[2 * k + 1],
                        .tensile = law->tensile_strength,
                        .sheared = law->shear_strength,
                        .k = MODES(bonds->spring + 4 * k),
                        .e = MODES(bonds->damper + 4 * k)};
}

bond_history scr_bond_history(const scr_bonds *bonds, size_t k)
{
    const double *shear = bonds->shear + 4 * k, *bend = bonds->bend + 4 * k;
    const double *rate = bonds->rate + 8 * k;
    return (bond_history){VECTOR(shear), VECTOR(bend), shear[3], VECTOR(rate), VECTOR(rate + 4), rate[3], rate[7]};
}

static void store(double *row, rvec v, double fourth)
{
    row[0] = v.x, row[1] = v.y, row[2] = v.z, row[3] = fourth;
}

void scr_bond_remember(scr_bonds *bonds, size_t k, const bond_history *h)
{
    store(bonds->shear + 4 * k, h->shear, h->twist);
    store(bonds->bend + 4 * k, h->bend, 0);
    store(bonds->rate + 8 * k, h->shear_rate, h->twist_rate);
    store(bonds->rate + 8 * k + 4, h->bend_rate, h->normal_rate);
}

// what it does now: the force on the first body, the torque on both, the torque on the first alone
typedef struct {
    rvec force, lever, couple;
} action;

static action action_of(const bond_state *c, const bond_history *h)
{
    double distance = sqrt(rv_dot(c->d, c->d));
    rvec n = rv_scale(1 / distance, c->d);
    double pull = -c->k.normal * (distance - c->rest) - c->e.normal * h->normal_rate;
    double twist = -c->k.twist * h->twist - c->e.twist * h->twist_rate;
    rvec fs = rv_axpy(rv_scale(-c->k.shear, h->shear), -c->e.shear, h->shear_rate);
    rvec mb = rv_axpy(rv_scale(-c->k.bend, h->bend), -c->e.bend, h->bend_rate);
    return (action){rv_axpy(fs, pull, n), rv_scale(-0.5 * distance, rv_cross(n, fs)), rv_axpy(mb, twist, n)};
}

vec3 scr_bond_force(const scr_world *w, const scr_images *images, size_t k, vec3 *branch)
{
    bond_state c = scr_bond_state(w, images, k);
    bond_history h = scr_bond_history(&w->bonds, k);
    *branch = v3(c.d.x, c.d.y, c.d.z);
    if (w->bonds.fate[k] != SCR_BOND_HOLDS) return v3(0, 0, 0);
    rvec f = action_of(&c, &h).force;
    return v3(f.x, f.y, f.z);
}

static void add(double *row, double sign, rvec v)
{
    row[0] += sign * v.x, row[1] += sign * v.y, row[2] += sign * v.z;
}

// the bond acts no more: what it holds is gone, and the body that stays does not feel it in its next half step
static void release(scr_world *w, const scr_images *images, size_t k, bool first_stays, bool second_stays)
{
    if (w->bonds.fate[k] != SCR_BOND_HOLDS) return;
    bond_state c = scr_bond_state(w, images, k);
    bond_history h = scr_bond_history(&w->bonds, k);
    action a = action_of(&c, &h);
    double *i = w->bodies.load + 8 * (size_t)w->bonds.row[2 * k];
    double *j = w->bodies.load + 8 * (size_t)w->bonds.row[2 * k + 1];
    if (first_stays) add(i, -1, a.force), add(i + 4, -1, rv_add(a.lever, a.couple));
    if (second_stays) add(j, 1, a.force), add(j + 4, -1, rv_sub(a.lever, a.couple));
    double stretch = sqrt(rv_dot(c.d, c.d)) - c.rest;
    w->ledger.removed += bond_energy(&c.k, stretch, h.shear, h.bend, h.twist);
}

void scr_bonds_renumber(scr_world *w, const uint32_t *new_row)
{
    scr_bonds *b = &w->bonds;
    scr_images images = scr_images_of(&w->domain);
    size_t n = 0;
    for (size_t k = 0; k < b->table.count; k++) {
        uint32_t i = new_row[b->row[2 * k]], j = new_row[b->row[2 * k + 1]];
        if (i == UINT32_MAX || j == UINT32_MAX) {
            release(w, &images, k, i != UINT32_MAX, j != UINT32_MAX);
            continue;
        }
        scr_table_copy(&b->table, n, k);
        b->row[2 * n] = (int32_t)i, b->row[2 * n + 1] = (int32_t)j;
        n++;
    }
    b->table.count = n;
}
