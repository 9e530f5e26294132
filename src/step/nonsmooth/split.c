/* Splitting: grains leave their aggregate when something moves against them, when a trial solve finds that it would
 * not hold them, when they are in a region that stays resolved, or when nothing carries them any more (Servin & Wang
 * 2015, section 3). A grain that splits off goes on as it did; its contacts become active with the impulses they
 * carried. */
#include <math.h>

#include "base/buffer.h"
#include "step/nonsmooth/work.h"

// a member of an aggregate that can be set free
bool scr_ns_is_member(const scr_world *w, uint32_t body)
{
    return !(body & NS_WALL) && w->bodies.carrier[body] != SCR_CARRIER_NONE &&
           !scr_carrier_is_clump(w, w->bodies.carrier[body]) && w->bodies.motion[4 * (size_t)body + 3] > 0;
}

bool scr_ns_mark(ns_work *k, const scr_world *w, uint32_t body)
{
    if (!scr_ns_is_member(w, body) || k->split.marked[body]) return false;
    k->split.marked[body] = 1;
    k->split.rows[k->split.count++] = body;
    return true;
}

// contacts that move too fast, and so many layers behind them
static void mark_by_contacts(ns_work *k, const scr_world *w)
{
    const ns_settings *set = &k->set;
    for (size_t n = 0; n < k->contacts.count; n++) {
        const ns_contact *c = &k->contacts.all[n];
        if (-c->normal_before > set->split_approach || c->normal_before > set->split_separation ||
            c->sliding_before > set->split_sliding || c->spin_before > set->split_spin) {
            scr_ns_mark(k, w, ns_first(c));
            scr_ns_mark(k, w, ns_second(c));
        }
    }
    size_t from = 0;
    for (int layer = 1; layer < set->split_depth; layer++) {
        size_t to = k->split.count;
        for (; from < to; from++) {
            uint32_t i = k->split.rows[from];
            const scr_frozen *f = &k->growth.frozen;
            for (uint32_t e = f->first[i]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, i))
                scr_ns_mark(k, w, scr_frozen_other(f, e, i));
        }
    }
}

static void mark_resolved(ns_work *k, const scr_world *w)
{
    for (size_t i = 0; w->resolved_count && i < w->bodies.table.count; i++) {
        if (w->bodies.carrier[i] == SCR_CARRIER_NONE) continue;
        vec3 x = v3_load(w->bodies.place + 4 * i);
        for (int n = 0; n < w->resolved_count; n++)
            if (scr_resolved_holds(w, &w->resolved[n], x)) scr_ns_mark(k, w, (uint32_t)i);
    }
}

// members that touched a wall which is gone
static void mark_by_walls(ns_work *k, scr_world *w)
{
    scr_frozen *f = &k->growth.frozen;
    for (uint32_t e = 0; e < f->used; e++) {
        const scr_frozen_edge *edge = &f->edges[e];
        if (edge->end[0] == SCR_FROZEN_NONE || !(edge->end[1] & SCR_FROZEN_WALL)) continue;
        if (w->walls[w->faces[edge->end[1] & ~SCR_FROZEN_WALL].wall].active) continue;
        scr_ns_mark(k, w, edge->end[0]);
    }
    for (size_t i = 0; i < w->bodies.table.count; i++) {
        int carrier = w->bodies.carrier[i];
        if (carrier > SCR_CARRIER_REST && carrier < k->space.carrier_count && !k->space.carriers[carrier].there)
            scr_ns_mark(k, w, (uint32_t)i);
    }
}

// takes a row's edges out of the graph; their impulses are kept, neighbours may have lost what carries them
bool scr_ns_thaw(ns_work *k, const scr_world *w, uint32_t i, bool others)
{
    scr_frozen *f = &k->growth.frozen;
    for (uint32_t e = f->first[i], next; e != SCR_FROZEN_NONE; e = next) {
        const scr_frozen_edge edge = f->edges[e];
        next = scr_frozen_next(f, e, i);
        uint32_t other = scr_frozen_other(f, e, i);
        if (others && (other & SCR_FROZEN_WALL)) continue;
        if (others && w->bodies.carrier[other] == w->bodies.carrier[i]) continue;
        ns_memory start = {
            .key = (uint64_t)edge.end[0] << 32 | edge.end[1], .ln = edge.ln, .lt = edge.lt, .lr = edge.lr};
        if (!scr_push(k->split.thawed, k->split.thawed_count, (ns_thawed){start, edge.energy})) return false;
        if (!(other & SCR_FROZEN_WALL)) k->growth.queue[k->split.lost_count++] = other;
        scr_frozen_remove(f, e);
        if (!scr_reserve(&k->growth.queue, k->split.lost_count + 2)) return false;
    }
    return true;
}

bool scr_ns_set_free(ns_work *k, scr_world *w, uint32_t i)
{
    if (!scr_ns_thaw(k, w, i, false)) return false;
    if (scr_ns_in_aggregate(w, i)) k->rigids.touched[ns_rigid(w, i)] = 1;
    scr_ns_displace(k, w, i);
    w->bodies.carrier[i] = SCR_CARRIER_NONE;
    k->growth.frozen.level[i] = -1;
    w->tally.splits++;
    return scr_ns_place(k, w, i);
}

// thawed impulses to those of the last step, in the order of keys; energies add up in this order too, whatever the
// order of edges
bool scr_ns_remember_thawed(ns_work *k, scr_ledger *ledger)
{
    size_t old = k->contacts.memory_count, fresh = k->split.thawed_count;
    if (!scr_reserve(&k->contacts.memory, old + fresh) ||
        !scr_sort(&k->contacts.sorter, k->split.thawed, fresh, sizeof *k->split.thawed, scr_by_u64))
        return false;
    for (size_t n = 0; n < fresh; n++) ledger->frozen -= k->split.thawed[n].energy;
    for (size_t at = old + fresh; fresh;)
        k->contacts.memory[--at] = old && k->contacts.memory[old - 1].key > k->split.thawed[fresh - 1].start.key
                                       ? k->contacts.memory[--old]
                                       : k->split.thawed[--fresh].start;
    k->contacts.memory_count += k->split.thawed_count;
    return true;
}

// all marked rows, and those that nothing carries then
static bool set_marked_free(ns_work *k, scr_world *w)
{
    k->split.thawed_count = k->split.lost_count = 0;
    for (size_t n = 0; n < k->split.count; n++)
        if (!scr_ns_set_free(k, w, k->split.rows[n])) return false;
    size_t orphans;
    if (!scr_frozen_unsupported(&k->growth.frozen, k->growth.queue, k->split.lost_count, &orphans)) return false;
    size_t done = k->split.count;
    for (size_t n = 0; n < orphans; n++)
        if (scr_ns_is_member(w, k->growth.frozen.orphans[n])) scr_ns_mark(k, w, k->growth.frozen.orphans[n]);
    for (size_t n = done; n < k->split.count; n++)
        if (!scr_ns_set_free(k, w, k->split.rows[n])) return false;
    return scr_ns_free_rebuild(k, w) && scr_ns_remember_thawed(k, &w->ledger);
}

static const char what[] = "aggregates that split";

scree_status scr_ns_split(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    size_t count = w->bodies.table.count;
    scree_status status = scr_reserve_all(report, what, SCR_ROOM(k->split.marked, count),
                                          SCR_ROOM(k->split.rows, count), SCR_ROOM(k->growth.queue, count + 64));
    if (status) return status;
    k->split.count = 0;
    for (size_t n = 0; n < k->split.pending; n++) scr_ns_mark(k, w, k->growth.frozen.orphans[n]);
    k->split.pending = 0;
    for (size_t n = 0; n < k->split.struck_count; n++) scr_ns_mark(k, w, k->split.struck[n]);
    if (!scr_ns_watch(k, w)) return scr_no_memory(report, "%s", what);
    if (k->sub.walls_changed) mark_by_walls(k, w);
    k->sub.walls_changed = false;
    mark_by_contacts(k, w);
    mark_resolved(k, w);
    scr_ns_mark_by_belts(k, w);
    if (k->set.trial_sweeps && k->growth.frozen.count && k->sub.first && w->clock.step % k->set.trial_every == 0)
        status = scr_ns_try(s, report);
    if (k->problem.row_count || k->split.count) k->trial.balanced = false;
    if (!status && !k->problem.row_count && !k->split.count && k->growth.frozen.count && k->sub.first)
        status = scr_ns_balance(s, report);
    if (status || !k->split.count) return status;

    bool ok = set_marked_free(k, w);
    scr_ns_measure_ways(k, w, false);
    for (size_t n = 0; n < k->split.count && ok; n++) {
        ok = scr_ns_look(k, w, k->split.rows[n]);
        k->split.marked[k->split.rows[n]] = 0;
    }
    for (size_t n = 0; n < k->growth.joined_count && ok; n++) ok = scr_ns_look(k, w, k->growth.joined[n]);
    if (!ok) return scr_no_memory(report, "%s", what);
    return scr_ns_gather(s, true, report);
}
