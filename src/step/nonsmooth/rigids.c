/* Rigid bodies in the step: rows of the solver after those of the grains, members and carried walls that
 * follow them. The angular momentum takes what the solver gave the angular velocity, at the inertia of the
 * step's beginning. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "step/nonsmooth/joints.h"
#include "step/nonsmooth/work.h"

bool scr_ns_rigids_reserve(ns_work *k, const scr_world *w)
{
    return scr_reserve(&k->rigids.inverse, w->rigids.table.count) && scr_ns_loads_reserve(k, w) &&
           scr_ns_free_reserve(k, w) && scr_ns_joints_reserve(k, w);
}

void scr_ns_rigids_load(ns_work *k, const scr_world *w)
{
    const scr_rigids *r = &w->rigids;
    k->rigids.count = r->table.count;
    scr_ns_loads_weigh(k, w);
    for (size_t n = 0; n < k->rigids.count; n++) {
        const ns_loaded *l = &k->rigids.loaded[n];
        vec3 spin = scr_rigid_spin(r, n), v = v3_load(r->velocity + 4 * n);
        if (ns_is_gone(w, n)) {
            k->problem.bodies[k->problem.row_count + n] = (scr_pgs_body){0};
            memset(k->rigids.inverse[n], 0, sizeof k->rigids.inverse[n]);
            continue;
        }
        sym3 inverse = l->members ? sym3_inverse(l->inertia) : scr_rigid_inverse_inertia(r, n);
        const double six[6] = {inverse.xx, inverse.yy, inverse.zz, inverse.xy, inverse.xz, inverse.yz};
        for (int d = 0; d < 6; d++) k->rigids.inverse[n][d] = six[d];
        if (l->members) v = v3_sub(v, v3_cross(spin, l->offset));
        k->problem.bodies[k->problem.row_count + n] = (scr_pgs_body){.v = v, .inverse_mass = 1 / l->mass, .w = spin};
    }
}

double scr_ns_rigids_loss(const ns_work *k, const scr_world *w)
{
    double loss = 0;
    for (size_t n = 0; n < k->rigids.count; n++) {
        const scr_pgs_body *now = &k->problem.bodies[k->problem.row_count + n],
                           *then = &k->problem.before[k->problem.row_count + n];
        vec3 dv = v3_sub(now->v, then->v), dw = v3_sub(now->w, then->w);
        if (ns_is_gone(w, n)) continue;
        loss += 0.5 * k->rigids.loaded[n].mass * v3_dot(dv, dv);
        loss += 0.5 * v3_dot(dw, sym3_times(k->rigids.loaded[n].inertia, dw));
    }
    return loss;
}

// force and torque on the spheres of clumps are those of their own contacts
static void load_members(const ns_work *k, scr_world *w)
{
    scr_bodies *b = &w->bodies;
    for (size_t n = 0; n < k->rigids.member_count; n++)
        for (int d = 0; d < 8; d++) b->load[8 * (size_t)k->rigids.members[n] + (size_t)d] = 0;
    for (size_t n = 0; n < k->contacts.count; n++) {
        const ns_contact *c = &k->contacts.all[n];
        vec3 force, couple;
        if (!c->general) continue;
        ns_impulse(k, n, &force, &couple);
        force = v3_scale(1 / k->sub.h, force), couple = v3_scale(1 / k->sub.h, couple);
        for (int e = 0; e < 2; e++) {
            uint32_t i = e ? ns_second(c) : ns_first(c);
            if ((i & NS_WALL) || !ns_in_clump(w, i)) continue;
            double *load = b->load + 8 * (size_t)i, s = e ? 1 : -1;
            vec3 arm = v3_scale(-s * b->place[4 * (size_t)i + 3], c->normal);
            vec3 torque = v3_add(v3_cross(arm, force), couple);
            v3_store(load, v3_axpy(v3_load(load), s, force));
            v3_store(load + 4, v3_axpy(v3_load(load + 4), s, torque));
        }
    }
}

void scr_ns_rigids_store(const ns_work *k, scr_world *w)
{
    scr_rigids *r = &w->rigids;
    if (k->rigids.count) load_members(k, w);
    for (size_t n = 0; n < k->rigids.count; n++) {
        const scr_pgs_body *b = &k->problem.bodies[k->problem.row_count + n];
        if (ns_is_gone(w, n)) continue;
        vec3 v = k->rigids.loaded[n].members ? v3_add(b->v, v3_cross(b->w, k->rigids.loaded[n].offset)) : b->v;
        vec3 dv = v3_sub(v, v3_load(r->velocity + 4 * n));
        vec3 dl = sym3_times(scr_rigid_inertia(r, n), v3_sub(b->w, scr_rigid_spin(r, n)));
        vec3 a = v3_sub(v3_scale(1 / k->sub.h, dv), w->gravity);
        v3_store(r->load + 8 * n, v3_scale(r->centre[4 * n + 3], a));
        v3_store(r->load + 8 * n + 4, v3_scale(1 / k->sub.h, dl));
        if (k->problem.pushed) scr_ns_push_leave(k, k->problem.row_count + n, r->load + 8 * n);
        v3_store(r->velocity + 4 * n, v);
        v3_store(r->momentum + 4 * n, v3_add(v3_load(r->momentum + 4 * n), dl));
    }
}

bool scr_ns_rigids_advance(ns_work *k, scr_world *w)
{
    scr_rigids *r = &w->rigids;
    scr_bodies *b = &w->bodies;
    if (!r->table.count) return true;
    for (size_t n = 0; n < r->table.count; n++) {
        if (ns_is_gone(w, n)) continue;
        if (k->rigids.loaded[n].members) {
            scr_ns_loads_advance(k, w, n);
            continue;
        }
        double before = scr_rigid_rotation(r, n);
        scr_rigid_advance(r, n, k->sub.h);
        w->ledger.numerical += before - scr_rigid_rotation(r, n);
        if (r->kind[n] != SCR_RIGID_PART) scr_ns_wrap(w, r->centre + 4 * n, r->image + 4 * n);
    }
    scr_rigids_carry(w);
    scr_ns_joints_measure(k, w);
    bool ok = true;
    for (size_t n = 0; n < k->rigids.member_count; n++) {
        uint32_t i = k->rigids.members[n];
        double *x = b->place + 4 * (size_t)i;
        if (!ns_in_clump(w, i)) continue; // it has joined another carrier
        scr_ns_wrap(w, x, b->image + 4 * (size_t)i);
        k->sub.leaving |= scr_ns_in_aggregate(w, i) && scr_ns_is_outside(w, x);
        ok &= scr_tiles_move(&k->space.tiles, i, SCR_CARRIER_NONE, v3_load(x), x[3]);
    }
    for (size_t n = 0; n < k->rigids.rider_count; n++)
        k->sub.leaving |= scr_ns_is_outside(w, b->place + 4 * (size_t)k->rigids.riders[n]);
    for (size_t n = 0; n < r->table.count; n++)
        k->sub.leaving |= r->kind[n] == SCR_RIGID_CLUMP && scr_ns_is_outside(w, r->centre + 4 * n);
    return ok;
}

/* ---- contacts ---- */

int scr_ns_rigid_of(const scr_world *w, const ns_contact *c, int end)
{
    uint32_t body = end ? ns_second(c) : ns_first(c);
    if (body & NS_WALL) {
        const scr_wall *wall = &w->walls[w->faces[ns_face(c)].wall];
        return wall->carried ? wall->carrier : -1;
    }
    return ns_rigid(w, body);
}

// from the centre of what moves to the point of contact
vec3 scr_ns_lever(const ns_work *k, const scr_world *w, const ns_contact *c, int end)
{
    const scr_bodies *b = &w->bodies;
    uint32_t body = end ? ns_second(c) : ns_first(c);
    int rigid = scr_ns_rigid_of(w, c, end);
    if (body & NS_WALL) {
        const double *x = b->place + 4 * (size_t)ns_first(c);
        vec3 point = v3_axpy(v3_load(x), x[3] - c->overlap, c->normal);
        if (rigid < 0) return v3(0, 0, 0);
        return v3_add(v3_sub(point, v3_load(w->rigids.centre + 4 * (size_t)rigid)), k->rigids.loaded[rigid].offset);
    }
    double r = b->place[4 * (size_t)body + 3];
    vec3 own = v3_scale(end ? -r : r, c->normal);
    if (rigid < 0) return own;
    quat turn = quat_load(w->rigids.turn + 4 * (size_t)rigid);
    own = v3_add(own, k->rigids.loaded[rigid].offset);
    return v3_add(quat_turn(turn, v3_load(b->anchor + 4 * (size_t)body)), own);
}
