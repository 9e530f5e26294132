#include "collide/bonds.h"

#include <math.h>

#include "exec/reduce.h"

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

typedef struct {
    scr_bonds *bonds;
    const uint32_t *new_row;
} renumbering;

// the first bond with a body that leaves
static void first_released(void *context, size_t from, size_t to, void *part)
{
    const renumbering *r = context;
    const int32_t *row = r->bonds->row;
    size_t k = from;
    while (k < to && r->new_row[row[2 * k]] != UINT32_MAX && r->new_row[row[2 * k + 1]] != UINT32_MAX) k++;
    if (k < to) *(size_t *)part = k;
}

static void take_first(void *all, const void *part)
{
    size_t *first = all, one = *(const size_t *)part;
    if (one < *first) *first = one;
}

static void renumber_rows(void *context, size_t from, size_t to)
{
    const renumbering *r = context;
    for (size_t e = 2 * from; e < 2 * to; e++) r->bonds->row[e] = (int32_t)r->new_row[r->bonds->row[e]];
}

void scr_bonds_renumber(scr_world *w, const uint32_t *new_row)
{
    scr_bonds *b = &w->bonds;
    renumbering r = {b, new_row};
    size_t n = b->table.count;
    scr_reduce(b->table.count, first_released, take_first, &r, &n, sizeof n);
    scr_each_rows(n, renumber_rows, &r);
    // from the first that a body leaves on they close up
    scr_images images = scr_images_of(&w->domain);
    for (size_t k = n; k < b->table.count; k++) {
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
