#include "world/rigids.h"

#include <math.h>
#include <string.h>

#include "world/carrier.h"
#include "world/world.h"

static const scr_field rigid_fields[] = {
#define F(member, type, width, unit, flags, doc) \
    {#member, SCR_FIELD_TYPE(type), width, unit, flags, offsetof(scr_rigids, member), doc},
    SCR_RIGID_FIELDS(F)
#undef F
};

void scr_rigids_init(scr_rigids *rigids)
{
    *rigids = (scr_rigids){0};
    rigids->table.fields = rigid_fields;
    rigids->table.field_count = sizeof rigid_fields / sizeof *rigid_fields;
}

size_t scr_rigid_add(scr_rigids *r, scr_rigid_kind kind, int source, vec3 centre, double mass, vec3 moments, quat turn)
{
    size_t k = scr_table_add(&r->table);
    v3_store(r->centre + 4 * k, centre);
    r->centre[4 * k + 3] = mass;
    r->velocity[4 * k + 3] = 1 / mass;
    v3_store(r->inertia + 4 * k, moments);
    quat_store(r->turn + 4 * k, turn);
    r->kind[k] = (int32_t)kind;
    r->source[k] = source;
    return k;
}

/* ---- angular velocity (1) ---- */

static vec3 divide(vec3 a, const double *moments)
{
    return v3(a.x / moments[0], a.y / moments[1], a.z / moments[2]);
}

static vec3 spin_at(const scr_rigids *r, size_t k, quat turn)
{
    vec3 l = quat_turn_back(turn, v3_load(r->momentum + 4 * k));
    return quat_turn(turn, divide(l, r->inertia + 4 * k));
}

vec3 scr_rigid_spin(const scr_rigids *r, size_t k)
{
    return spin_at(r, k, quat_load(r->turn + 4 * k));
}

void scr_rigid_set_spin(scr_rigids *r, size_t k, vec3 spin)
{
    quat q = quat_load(r->turn + 4 * k);
    const double *m = r->inertia + 4 * k;
    vec3 w = quat_turn_back(q, spin);
    v3_store(r->momentum + 4 * k, quat_turn(q, v3(w.x * m[0], w.y * m[1], w.z * m[2])));
}

static sym3 in_world(const scr_rigids *r, size_t k, vec3 values)
{
    quat q = quat_load(r->turn + 4 * k);
    const vec3 axes[3] = {quat_turn(q, v3(1, 0, 0)), quat_turn(q, v3(0, 1, 0)), quat_turn(q, v3(0, 0, 1))};
    return sym3_of_axes(axes, values);
}

sym3 scr_rigid_inertia(const scr_rigids *r, size_t k)
{
    return in_world(r, k, v3_load(r->inertia + 4 * k));
}

sym3 scr_rigid_inverse_inertia(const scr_rigids *r, size_t k)
{
    return in_world(r, k, divide(v3(1, 1, 1), r->inertia + 4 * k));
}

/* ---- a step ---- */

// (2): the fixed point is reached in a few rounds, since h w is small
static quat turned(const scr_rigids *r, size_t k, quat q, double h)
{
    vec3 w = spin_at(r, k, q);
    for (int n = 0; n < 30; n++) {
        vec3 next = spin_at(r, k, quat_mul(quat_exp(v3_scale(0.5 * h, w)), q));
        double change = v3_norm(v3_sub(next, w));
        w = next;
        if (change <= 1e-15 * v3_norm(w)) break;
    }
    return quat_unit(quat_mul(quat_exp(v3_scale(h, w)), q));
}

void scr_rigid_advance(scr_rigids *r, size_t k, double h)
{
    double *x = r->centre + 4 * k;
    const double *l = r->momentum + 4 * k;
    v3_store(x, v3_axpy(v3_load(x), h, v3_load(r->velocity + 4 * k)));
    if (l[0] == 0 && l[1] == 0 && l[2] == 0) return;
    quat_store(r->turn + 4 * k, turned(r, k, quat_load(r->turn + 4 * k), h));
}

/* ---- leaving ---- */

void scr_rigids_drop(scr_world *w)
{
    scr_rigids *r = &w->rigids;
    size_t kept = 0;
    // new rows wait in the unused place of `image`
    for (size_t k = 0; k < r->table.count; k++) {
        r->image[4 * k + 3] = (int32_t)kept;
        kept += r->source[k] != SCR_RIGID_GONE;
    }
    if (kept < r->table.count)
        for (size_t i = 0; i < w->bodies.table.count; i++) {
            int k = scr_carrier_rigid(w, w->bodies.carrier[i]);
            if (k >= 0) w->bodies.carrier[i] = scr_carrier_of_rigid(w, r->image[4 * (size_t)k + 3]);
        }
    size_t n = 0;
    for (size_t k = 0; k < r->table.count; k++) {
        r->image[4 * k + 3] = 0;
        if (r->source[k] != SCR_RIGID_GONE) scr_table_copy(&r->table, n++, k);
    }
    r->table.count = kept;
}

/* ---- energy ---- */

double scr_rigid_translation(const scr_rigids *r, size_t k)
{
    vec3 v = v3_load(r->velocity + 4 * k);
    return 0.5 * r->centre[4 * k + 3] * v3_dot(v, v);
}

double scr_rigid_rotation(const scr_rigids *r, size_t k)
{
    return 0.5 * v3_dot(v3_load(r->momentum + 4 * k), scr_rigid_spin(r, k));
}

double scr_rigid_potential(const scr_world *w, size_t k)
{
    const scr_rigids *r = &w->rigids;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    const double *x = r->centre + 4 * k;
    const int32_t *n = r->image + 4 * k;
    vec3 at = v3(x[0] + n[0] * size.x, x[1] + n[1] * size.y, x[2] + n[2] * size.z);
    return -x[3] * v3_dot(w->gravity, at);
}

/* ---- what is carried ---- */

// a member keeps the periodic image it is in
static void carry_body(scr_world *w, size_t i, size_t k, vec3 size)
{
    scr_bodies *b = &w->bodies;
    const scr_rigids *r = &w->rigids;
    const int32_t *n = b->image + 4 * i, *m = r->image + 4 * k;
    vec3 arm = quat_turn(quat_load(r->turn + 4 * k), v3_load(b->anchor + 4 * i));
    vec3 x = v3_add(v3_load(r->centre + 4 * k), arm), spin = scr_rigid_spin(r, k);
    if (r->kind[k] == SCR_RIGID_AGGREGATE) // its grains were in any images: each stays near where it was
        for (int d = 0; d < 3; d++) {
            double length = w->domain.periodic[d] ? (&size.x)[d] : INFINITY;
            (&x.x)[d] += length < INFINITY ? length * round((b->place[4 * i + (size_t)d] - (&x.x)[d]) / length) : 0;
        }
    else
        x = v3_sub(x, v3((n[0] - m[0]) * size.x, (n[1] - m[1]) * size.y, (n[2] - m[2]) * size.z));
    v3_store(b->place + 4 * i, x);
    v3_store(b->motion + 4 * i, v3_add(v3_load(r->velocity + 4 * k), v3_cross(spin, arm)));
    v3_store(b->spin + 4 * i, spin);
}

void scr_rigids_carry_bodies(scr_world *w, size_t first, size_t end)
{
    if (!w->rigids.table.count) return;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    for (size_t i = first; i < end; i++) {
        int k = scr_carrier_rigid(w, w->bodies.carrier[i]);
        if (k >= 0) carry_body(w, i, (size_t)k, size);
    }
}

void scr_rigids_carry(scr_world *w)
{
    scr_rigids_carry_bodies(w, 0, w->bodies.table.count);
    for (int k = 0; k < w->wall_count; k++) {
        scr_wall *wall = &w->walls[k];
        if (!wall->carried) continue;
        size_t r = (size_t)wall->carrier;
        pose part = scr_rigid_pose(&w->rigids, r);
        wall->pose = pose_after(&part, &wall->base);
        wall->velocity = v3_load(w->rigids.velocity + 4 * r);
        wall->spin = scr_rigid_spin(&w->rigids, r);
    }
}
