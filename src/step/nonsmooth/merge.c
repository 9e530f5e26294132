/* Merging: grains that move with an aggregate, or with a wall, become part of it (Servin & Wang 2015, section 3).
 *
 * A contact qualifies when it carries force and friction, and its relative velocities, and their changes over the
 * step, are below the thresholds. Aggregates that rest on a wall or move with it grow through qualifying contacts, by
 * grains that are as slow against what carries the aggregate: a pile that shears slowly has contacts each of which
 * qualifies, and their velocities add up with its height. */
#include <math.h>

#include "base/buffer.h"
#include "step/nonsmooth/work.h"

static bool qualifies(const ns_settings *set, const ns_contact *c, const ns_outcome *o, const scr_pgs_contact *p)
{
    if (!(p->ln > 0) || !(p->mu > 0)) return false;
    double normal = v3_dot(o->u, p->normal);
    double sliding = v3_norm(v3_axpy(o->u, -normal, p->normal)), spin = v3_norm(o->w);
    return -normal <= set->merge_approach && normal <= set->merge_separation && sliding <= set->merge_sliding &&
           spin <= set->merge_spin && fabs(normal - c->normal_before) <= set->merge_normal_change &&
           fabs(sliding - c->sliding_before) <= set->merge_sliding_change &&
           fabs(spin - c->spin_before) <= set->merge_spin_change;
}

// the carrier that a contact's end can pass on, SCR_CARRIER_NONE: none; and its level
static int carrier_of(const ns_work *k, const scr_world *w, const ns_contact *c, int end, int32_t *level)
{
    uint32_t body = end ? ns_second(c) : ns_first(c);
    *level = 0;
    if (body & NS_WALL) {
        int carrier = ns_carrier_of_wall(w, w->faces[ns_face(c)].wall);
        return k->space.carriers[carrier].there ? carrier : SCR_CARRIER_NONE;
    }
    int carrier = w->bodies.carrier[body];
    if (carrier == SCR_CARRIER_NONE || ns_in_clump(w, body) || !k->space.carriers[carrier].there)
        return SCR_CARRIER_NONE;
    *level = k->growth.frozen.level[body];
    return carrier;
}

vec3 scr_ns_carrier_velocity(const ns_carrier *f, vec3 x)
{
    return v3_add(f->velocity, v3_cross(f->spin, v3_sub(x, f->reference)));
}

// A grain takes up the velocity of its carrier: the energy of its motion against it is lost, the rest of what changes
// is the work of what drives the carrier. It will not fall against the carrier as the step expected; and what holds it
// has worked already for its way with the carrier, which scr_ns_advance counts again.
static void adopt(const ns_work *k, const ns_carrier *f, scr_world *w, size_t i)
{
    scr_bodies *b = &w->bodies;
    double *v = b->motion + 4 * i, *spin = b->spin + 4 * i, r = b->place[4 * i + 3];
    vec3 u = scr_ns_carrier_velocity(f, v3_load(b->place + 4 * i));
    vec3 dv = v3_sub(u, v3_load(v)), dw = v3_sub(f->spin, v3_load(spin));
    double m = b->mass[i], inertia = 0.4 * m * r * r;
    w->ledger.merging += 0.5 * (m * v3_dot(dv, dv) + inertia * v3_dot(dw, dw));
    w->ledger.wall_work += m * v3_dot(dv, u) + inertia * v3_dot(dw, f->spin);
    double falls = -m * k->sub.h * v3_dot(w->gravity, dv);
    w->ledger.wall_work += m * k->sub.h * v3_dot(w->gravity, u);
    w->tally.unforeseen += falls;
    w->tally.halted += falls;
    v3_store(v, u);
    v3_store(spin, f->spin);
}

static bool join(ns_work *k, scr_world *w, uint32_t i, int carrier, int32_t level)
{
    scr_bodies *b = &w->bodies;
    const ns_carrier *f = &k->space.carriers[carrier];
    scr_ns_displace(k, w, i);
    w->tally.merges++;
    b->carrier[i] = carrier;
    k->growth.frozen.level[i] = level;
    v3_store(b->anchor + 4 * (size_t)i, pose_point_back(&f->now, scr_ns_unwrapped(w, i)));
    b->anchor[4 * (size_t)i + 3] = b->place[4 * (size_t)i + 3];
    if (ns_rigid(w, i) >= 0) return scr_ns_place(k, w, i); // momentum: when all have joined
    adopt(k, f, w, i);
    scr_ns_watch_row(k, i);
    return scr_ns_place(k, w, i);
}

// in a region that stays resolved no grain merges
static bool is_sensed(const scr_world *w, uint32_t i)
{
    vec3 x = v3_load(w->bodies.place + 4 * (size_t)i);
    for (int n = 0; n < w->resolved_count; n++)
        if (scr_resolved_holds(w, &w->resolved[n], x)) return true;
    return false;
}

uint32_t scr_ns_node_of(const ns_work *k, const scr_world *w, uint32_t body)
{
    if (body & NS_WALL) return UINT32_MAX;
    if (scr_ns_in_aggregate(w, body)) return (uint32_t)k->problem.row_count + (uint32_t)ns_rigid(w, body);
    return ns_is_free(w, body) && !is_sensed(w, body) ? k->problem.slot[body] : UINT32_MAX;
}

/* Qualifying contacts by the row of their free ends. */
static void link_contacts(ns_work *k, const scr_world *w)
{
    for (size_t n = 0; n < k->problem.row_count + k->rigids.count; n++) k->growth.link_first[n] = UINT32_MAX;
    for (size_t n = k->contacts.count; n-- > 0;) {
        ns_contact *c = &k->contacts.all[n];
        c->joins = qualifies(&k->set, c, &k->contacts.outcome[n], &k->contacts.problem[n]);
        if (!c->joins) continue;
        uint32_t ends[2] = {ns_first(c), ns_second(c)};
        for (int e = 0; e < 2; e++) {
            uint32_t node = scr_ns_node_of(k, w, ends[e]);
            if (node == UINT32_MAX) continue;
            k->growth.link_next[2 * n + (size_t)e] = k->growth.link_first[node];
            k->growth.link_first[node] = (uint32_t)(2 * n) + (uint32_t)e;
        }
    }
}

// velocity of a carrier at x when the step ends, and its spin
static vec3 end_velocity(const ns_work *k, const scr_world *w, int carrier, vec3 x, vec3 *spin)
{
    int part = scr_carrier_rigid(w, carrier);
    *spin = k->space.carriers[carrier].spin;
    if (part < 0) return scr_ns_carrier_velocity(&k->space.carriers[carrier], x);
    const scr_pgs_body *body = &k->problem.bodies[k->problem.row_count + (size_t)part];
    vec3 centre = v3_load(w->rigids.centre + 4 * (size_t)part);
    *spin = body->w;
    return v3_add(body->v, v3_cross(body->w, v3_add(v3_sub(x, centre), k->rigids.loaded[part].offset)));
}

// whether a body that may join is slow against the carrier, not only against its neighbour
static bool keeps_up(const ns_work *k, scr_world *w, uint32_t body, int carrier)
{
    const scr_bodies *b = &w->bodies;
    size_t i = body;
    vec3 spin;
    if (!(k->set.merge_drift < INFINITY)) return true;
    if (scr_ns_in_aggregate(w, body)) scr_ns_free_update(k, w, body);
    vec3 v = end_velocity(k, w, carrier, v3_load(b->place + 4 * i), &spin);
    return v3_norm(v3_sub(v3_load(b->motion + 4 * i), v)) <= k->set.merge_drift &&
           v3_norm(v3_sub(v3_load(b->spin + 4 * i), spin)) <= k->set.merge_spin;
}

// a grain, or all of a free aggregate, joins; its row of the problem is queued
static bool join_node(ns_work *k, scr_world *w, uint32_t node, uint32_t body, int carrier, int32_t level,
                      size_t *queued)
{
    uint32_t *rows = k->growth.joined + k->growth.joined_count;
    size_t count = 1;
    rows[0] = body;
    if (scr_ns_in_aggregate(w, body)) {
        count = scr_ns_free_leave(k, w, body, rows);
        w->tally.merges -= (int64_t)count; // they were merged before
        if (!count) return false;
    } else {
        k->growth.frozen.level[body] = 0;
    }
    for (size_t n = 0; n < count; n++)
        if (!join(k, w, rows[n], carrier, level + k->growth.frozen.level[rows[n]])) return false;
    k->growth.joined_count += count;
    k->growth.queue[(*queued)++] = node;
    return true;
}

// grows the aggregates; rows that joined are in k->growth.joined
static bool grow(ns_work *k, scr_world *w)
{
    size_t queued = 0;
    k->growth.joined_count = 0;
    for (size_t n = 0; n < k->contacts.count; n++) {
        const ns_contact *c = &k->contacts.all[n];
        if (!c->joins) continue;
        for (int e = 0; e < 2; e++) {
            uint32_t body = e ? ns_second(c) : ns_first(c), node = scr_ns_node_of(k, w, body);
            int32_t level;
            if (node == UINT32_MAX) continue;
            int carrier = carrier_of(k, w, c, !e, &level);
            if (carrier == SCR_CARRIER_NONE || !keeps_up(k, w, body, carrier)) continue;
            if (!join_node(k, w, node, body, carrier, level + 1, &queued)) return false;
        }
    }
    for (size_t at = 0; at < queued; at++)
        for (uint32_t l = k->growth.link_first[k->growth.queue[at]]; l != UINT32_MAX; l = k->growth.link_next[l]) {
            const ns_contact *c = &k->contacts.all[l / 2];
            uint32_t i = l % 2 ? ns_second(c) : ns_first(c);
            uint32_t j = l % 2 ? ns_first(c) : ns_second(c), node = scr_ns_node_of(k, w, j);
            if (node == UINT32_MAX || !keeps_up(k, w, j, w->bodies.carrier[i])) continue;
            int32_t level = k->growth.frozen.level[i] + 1;
            if (!join_node(k, w, node, j, w->bodies.carrier[i], level, &queued)) return false;
        }
    scr_ns_loads_join(k, w, k->growth.joined, k->growth.joined_count);
    return true;
}

static bool freeze(ns_work *k, scr_world *w)
{
    for (size_t n = 0; n < k->contacts.count; n++) {
        ns_contact *c = &k->contacts.all[n];
        const scr_pgs_contact *p = &k->contacts.problem[n];
        const ns_outcome *o = &k->contacts.outcome[n];
        double sign = c->turned ? -1 : 1;
        bool joins;
        c->froze = scr_ns_is_within(w, ns_first(c), ns_second(c), &joins);
        if (!c->froze) {
            // two that move with different carriers now must be found again
            if (scr_ns_is_member(w, ns_first(c))) scr_ns_watch_row(k, ns_first(c));
            if (scr_ns_is_member(w, ns_second(c))) scr_ns_watch_row(k, ns_second(c));
            continue;
        }
        scr_frozen_edge edge = {.end = {ns_first(c), ns_second(c)},
                                .joins = joins,
                                .ln = p->ln,
                                .lt = v3_scale(sign, p->lt),
                                .lr = v3_scale(sign, p->lr),
                                .energy = o->energy};
        // its bodies stay as they were to each other: what its spring was expected to take it does not
        w->tally.unforeseen -= o->taken;
        w->ledger.elastic_normal -= o->gain;
        w->ledger.frozen += edge.energy;
        if (scr_frozen_add(&k->growth.frozen, &edge) == SCR_FROZEN_NONE) return false;
    }
    return true;
}

scree_status scr_ns_merge(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    bool ok = scr_reserve_each(SCR_ROOM(k->growth.link_first, k->problem.row_count + k->rigids.count),
                               SCR_ROOM(k->growth.link_next, 2 * k->contacts.count),
                               SCR_ROOM(k->growth.queue, w->bodies.table.count)) &&
              scr_ns_free_reserve(k, w);
    if (ok) link_contacts(k, w);
    if (ok && grow(k, w) && scr_ns_free_merge(k, w) && freeze(k, w)) return SCREE_OK;
    return scr_no_memory(report, "aggregates that grow");
}
