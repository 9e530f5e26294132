#include "collide/bonds.h"

#include <math.h>

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
    scr_total_add(&w->ledger.booked.removed, bond_energy(&c.k, stretch, h.shear, h.bend, h.twist));
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
