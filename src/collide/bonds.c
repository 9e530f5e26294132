#include "collide/bonds.h"

#include <math.h>

#include "base/buffer.h"
#include "collide/order.h"
#include "exec/cpu/threads.h"
#include "exec/reduce.h"

#define PARTS 64 /* that bonds are gone through in */

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

/* ---- bonds whose bodies change rows ---- */

/* Those that stay first, then those that are released, each in their order. */
typedef struct {
    scr_bonds *bonds;
    const uint32_t *new_row;
    uint32_t *order;
    size_t kept[PARTS + 1]; /* before each part of them */
} renumbering;

static bool stays(const renumbering *r, size_t k)
{
    const int32_t *row = r->bonds->row + 2 * k;
    return r->new_row[row[0]] != UINT32_MAX && r->new_row[row[1]] != UINT32_MAX;
}

static void count_kept(void *context, size_t part)
{
    renumbering *r = context;
    size_t n = r->bonds->table.count, kept = 0;
    for (size_t k = n * part / PARTS, end = n * (part + 1) / PARTS; k < end; k++) kept += stays(r, k);
    r->kept[part + 1] = kept;
}

static void divide_part(void *context, size_t part)
{
    const renumbering *r = context;
    size_t n = r->bonds->table.count, from = n * part / PARTS, end = n * (part + 1) / PARTS;
    size_t kept = r->kept[part], lost = r->kept[PARTS] + from - kept;
    for (size_t k = from; k < end; k++) r->order[stays(r, k) ? kept++ : lost++] = (uint32_t)k;
}

static void renumber_rows(void *context, size_t from, size_t to)
{
    const renumbering *r = context;
    for (size_t e = 2 * from; e < 2 * to; e++) r->bonds->row[e] = (int32_t)r->new_row[r->bonds->row[e]];
}

static void release_lost(scr_world *w, const renumbering *r)
{
    scr_images images = scr_images_of(&w->domain);
    const int32_t *row = w->bonds.row;
    for (size_t n = r->kept[PARTS]; n < w->bonds.table.count; n++) {
        size_t k = r->order[n];
        release(w, &images, k, r->new_row[row[2 * k]] != UINT32_MAX, r->new_row[row[2 * k + 1]] != UINT32_MAX);
    }
}

// arrays of the list that are not in use between two lists; NULL: no memory
static double *borrow_rows(scr_pairs *p, size_t count)
{
    size_t room = SCR_ORDER_ROW / sizeof(double) * count;
    if (!p->stay && scr_room_of(p->history) >= room) return p->history;
    return scr_reserve_kept(&p->sort_row, room, 0) ? p->sort_row : NULL;
}

bool scr_bonds_renumber(scr_pairs *p, scr_world *w, const uint32_t *new_row)
{
    scr_table *bonds = &w->bonds.table;
    renumbering r = {.bonds = &w->bonds, .new_row = new_row};
    scr_each(PARTS, NULL, count_kept, &r);
    for (int k = 0; k < PARTS; k++) r.kept[k + 1] += r.kept[k];
    if (r.kept[PARTS] < bonds->count) {
        double *scratch = borrow_rows(p, bonds->count);
        if (!scratch || !scr_reserve_kept(&p->row_entry, bonds->count, 0)) return false;
        r.order = p->row_entry;
        scr_each(PARTS, NULL, divide_part, &r);
        release_lost(w, &r);
        bonds->count = r.kept[PARTS];
        scr_order_apply(r.order, bonds, scratch);
    }
    scr_each_rows(bonds->count, renumber_rows, &r);
    return true;
}
