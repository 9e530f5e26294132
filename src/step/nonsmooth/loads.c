/* Parts with a load: grains that move with a part of a machine are merged with it, and in the solver both are one
 * body. With members i at d_i from the common centre X, and the part p,
 *
 *   M = m_p + sum m_i,   M X = m_p x_p + sum m_i x_i,                                                  (1)
 *   I = I_p + m_p [d_p] + sum (2/5 m_i r_i^2 + m_i [d_i]),   [d] = d.d - d d,                          (2)
 *   M V = m_p v_p + sum m_i v_i,   I w = L_p + m_p d_p x v_p + sum (2/5 m_i r_i^2 w_i + m_i d_i x v_i) (3)
 *
 * (Servin & Wang 2015, equations (6) to (10), with the spins that (9) and (10) leave out.) State stays that of
 * the part and of each grain: v_p = V + w x d_p, L_p = I_p w. A grain that splits off keeps its velocity, so only
 * merging changes velocities, and by (3) neither momentum nor angular momentum. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "step/nonsmooth/work.h"

bool scr_ns_loads_reserve(ns_work *k, const scr_world *w)
{
    return scr_reserve_each(SCR_ROOM(k->rigids.loaded, w->rigids.table.count),
                            SCR_ROOM(k->rigids.was_loaded, (size_t)w->part_count),
                            SCR_ROOM(k->rigids.riders, w->part_count ? w->bodies.table.count : 0));
}

/* ---- mass ---- */

static size_t members_of_parts(const ns_work *k, const scr_world *w)
{
    size_t count = 0;
    for (int r = 0; r < w->part_count; r++) count += k->space.carriers[scr_carrier_of_rigid(w, r)].members;
    return count;
}

static bool is_rider(const scr_world *w, size_t i)
{
    int rigid = ns_rigid(w, (uint32_t)i);
    return rigid >= 0 && rigid < w->part_count;
}

static void list_riders(ns_work *k, const scr_world *w)
{
    size_t n = 0;
    if (members_of_parts(k, w))
        for (size_t i = 0; i < w->bodies.table.count; i++)
            if (is_rider(w, i)) k->rigids.riders[n++] = (uint32_t)i;
    k->rigids.rider_count = n;
}

static double own_inertia(const scr_bodies *b, size_t i)
{
    double r = b->place[4 * i + 3];
    return 0.4 * b->mass[i] * r * r;
}

void scr_ns_loads_weigh(ns_work *k, const scr_world *w)
{
    const scr_bodies *b = &w->bodies;
    const scr_rigids *r = &w->rigids;
    list_riders(k, w);
    for (size_t n = 0; n < r->table.count; n++) {
        ns_loaded *l = &k->rigids.loaded[n];
        l->members = 0;
        l->mass = r->centre[4 * n + 3];
        l->offset = l->offset_within = v3(0, 0, 0);
        const double *m = r->inertia + 4 * n;
        l->within = (sym3){.xx = m[0], .yy = m[1], .zz = m[2]};
        l->inertia = scr_rigid_inertia(r, n);
    }
    // (1): the centre, from that of the part in its frame
    for (size_t n = 0; n < k->rigids.rider_count; n++) {
        size_t i = k->rigids.riders[n];
        ns_loaded *l = &k->rigids.loaded[ns_rigid(w, (uint32_t)i)];
        l->members++;
        l->mass += b->mass[i];
        l->offset_within = v3_axpy(l->offset_within, -b->mass[i], v3_load(b->anchor + 4 * i));
    }
    for (int p = 0; p < w->part_count; p++) {
        ns_loaded *l = &k->rigids.loaded[p];
        if (!l->members) continue;
        l->offset_within = v3_scale(1 / l->mass, l->offset_within);
        l->within = sym3_add(l->within, sym3_point(r->centre[4 * (size_t)p + 3], l->offset_within));
    }
    // (2)
    for (size_t n = 0; n < k->rigids.rider_count; n++) {
        size_t i = k->rigids.riders[n];
        ns_loaded *l = &k->rigids.loaded[ns_rigid(w, (uint32_t)i)];
        double own = own_inertia(b, i);
        vec3 d = v3_add(v3_load(b->anchor + 4 * i), l->offset_within);
        l->within = sym3_add(l->within, sym3_point(b->mass[i], d));
        l->within = sym3_add(l->within, (sym3){.xx = own, .yy = own, .zz = own});
    }
    for (int p = 0; p < w->part_count; p++) {
        ns_loaded *l = &k->rigids.loaded[p];
        if (!l->members) continue;
        quat turn = quat_load(r->turn + 4 * (size_t)p);
        l->offset = quat_turn(turn, l->offset_within);
        l->inertia = quat_turn_sym3(turn, l->within);
    }
}

/* ---- contacts ---- */

bool scr_ns_loads_look(ns_work *k, scr_world *w)
{
    list_riders(k, w);
    for (size_t n = 0; n < k->rigids.rider_count; n++)
        if (!scr_ns_look(k, w, k->rigids.riders[n])) return false;
    return true;
}

/* ---- merging ---- */

static double energy_of(double mass, vec3 v, sym3 inertia, vec3 w)
{
    return 0.5 * (mass * v3_dot(v, v) + v3_dot(w, sym3_times(inertia, w)));
}

// one part: `before` is what it was with its old load
static void join(ns_work *k, scr_world *w, size_t p, const ns_loaded *before, const uint32_t *rows, size_t count)
{
    const scr_bodies *b = &w->bodies;
    scr_rigids *r = &w->rigids;
    const ns_loaded *l = &k->rigids.loaded[p];
    const scr_pgs_body *body = &k->problem.bodies[k->problem.row_count + p];
    vec3 own = v3_load(r->centre + 4 * p), centre = v3_sub(own, l->offset);
    // (3)
    vec3 momentum = v3_scale(before->mass, body->v);
    vec3 d = v3_sub(l->offset, before->offset);
    vec3 turning = v3_add(sym3_times(before->inertia, body->w), v3_cross(d, momentum));
    double energy = energy_of(before->mass, body->v, before->inertia, body->w);
    for (size_t n = 0; n < count; n++) {
        size_t i = rows[n];
        if (ns_rigid(w, (uint32_t)i) != (int)p) continue;
        vec3 v = v3_load(b->motion + 4 * i), spin = v3_load(b->spin + 4 * i);
        vec3 arm = v3_sub(v3_load(b->place + 4 * i), centre);
        double inertia = own_inertia(b, i);
        momentum = v3_axpy(momentum, b->mass[i], v);
        turning = v3_axpy(turning, b->mass[i], v3_cross(arm, v));
        turning = v3_axpy(turning, inertia, spin);
        energy += 0.5 * (b->mass[i] * v3_dot(v, v) + inertia * v3_dot(spin, spin));
    }
    vec3 v = v3_scale(1 / l->mass, momentum), spin = sym3_times(sym3_inverse(l->inertia), turning);
    v3_store(r->velocity + 4 * p, v3_add(v, v3_cross(spin, l->offset)));
    scr_rigid_set_spin(r, p, spin);
    w->ledger.merging += energy - energy_of(l->mass, v, l->inertia, spin);
}

void scr_ns_loads_join(ns_work *k, scr_world *w, const uint32_t *rows, size_t count)
{
    bool any = false;
    for (size_t n = 0; n < count && !any; n++) any = is_rider(w, rows[n]);
    if (!any) return;
    memcpy(k->rigids.was_loaded, k->rigids.loaded, (size_t)w->part_count * sizeof *k->rigids.loaded);
    scr_ns_loads_weigh(k, w);
    for (size_t p = 0; p < (size_t)w->part_count; p++)
        if (k->rigids.loaded[p].members != k->rigids.was_loaded[p].members)
            join(k, w, p, &k->rigids.was_loaded[p], rows, count);
}

/* ---- a step ---- */

void scr_ns_loads_advance(ns_work *k, scr_world *w, size_t p)
{
    scr_rigids *r = &w->rigids;
    const ns_loaded *l = &k->rigids.loaded[p];
    quat q = quat_load(r->turn + 4 * p);
    vec3 spin = scr_rigid_spin(r, p);
    vec3 v = v3_sub(v3_load(r->velocity + 4 * p), v3_cross(spin, l->offset));
    vec3 centre = v3_sub(v3_load(r->centre + 4 * p), l->offset);
    vec3 turning = sym3_times(l->inertia, spin);
    sym3 inverse = sym3_inverse(l->within);
    double before = 0.5 * v3_dot(turning, spin);
    // the turn in the middle of the step, as in world/rigids.h
    vec3 middle = spin;
    for (int n = 0; n < 30; n++) {
        quat half = quat_mul(quat_exp(v3_scale(0.5 * k->sub.h, middle)), q);
        vec3 next = quat_turn(half, sym3_times(inverse, quat_turn_back(half, turning)));
        double change = v3_norm(v3_sub(next, middle));
        middle = next;
        if (change <= 1e-15 * v3_norm(middle)) break;
    }
    q = quat_unit(quat_mul(quat_exp(v3_scale(k->sub.h, middle)), q));
    spin = quat_turn(q, sym3_times(inverse, quat_turn_back(q, turning)));
    vec3 offset = quat_turn(q, l->offset_within);
    quat_store(r->turn + 4 * p, q);
    v3_store(r->centre + 4 * p, v3_add(v3_axpy(centre, k->sub.h, v), offset));
    v3_store(r->velocity + 4 * p, v3_add(v, v3_cross(spin, offset)));
    scr_rigid_set_spin(r, p, spin);
    w->ledger.numerical += before - 0.5 * v3_dot(turning, spin);
}

bool scr_ns_loads_sway(const ns_work *k, const scr_world *w, int part)
{
    const double turns = 1e-3, gains = 0.02; // [rad/s]; of gravity
    vec3 spin, centre = v3_load(w->rigids.centre + 4 * (size_t)part);
    vec3 gain = scr_ns_loads_gain(k, w, scr_carrier_of_rigid(w, part), centre, &spin);
    return v3_norm(scr_rigid_spin(&w->rigids, (size_t)part)) > turns || v3_norm(spin) > turns ||
           v3_norm(gain) > gains * k->sub.h * v3_norm(w->gravity);
}

vec3 scr_ns_loads_swing(const scr_world *w, int carrier, vec3 x)
{
    int p = scr_carrier_rigid(w, carrier);
    if (p < 0 || p >= w->part_count) return v3(0, 0, 0);
    vec3 spin = scr_rigid_spin(&w->rigids, (size_t)p);
    vec3 arm = v3_sub(x, v3_load(w->rigids.centre + 4 * (size_t)p));
    return v3_cross(v3_cross(spin, arm), spin);
}

vec3 scr_ns_loads_gain(const ns_work *k, const scr_world *w, int carrier, vec3 x, vec3 *spin)
{
    const scr_rigids *r = &w->rigids;
    int p = scr_carrier_rigid(w, carrier);
    *spin = v3(0, 0, 0);
    if (p < 0 || p >= w->part_count) return *spin;
    size_t n = (size_t)p;
    vec3 force = v3_load(r->load + 8 * n), torque = v3_load(r->load + 8 * n + 4);
    vec3 gain = v3_axpy(v3_scale(k->sub.h, w->gravity), k->sub.h * r->velocity[4 * n + 3], force);
    *spin = v3_scale(k->sub.h, sym3_times(scr_rigid_inverse_inertia(r, n), torque));
    vec3 arm = v3_sub(x, v3_load(r->centre + 4 * n));
    return v3_add(gain, v3_cross(*spin, arm));
}
