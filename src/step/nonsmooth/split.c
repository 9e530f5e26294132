/* Splitting: grains leave their aggregate when something moves against them, when a trial solve finds that it would
 * not hold them, when they are in a sensor, or when nothing carries them any more (Servin & Wang 2015, section 3). A
 * grain that splits off goes on as it did; its contacts become active with the impulses they carried. */
#include <math.h>

#include "base/memory.h"
#include "step/nonsmooth/work.h"

// a member of an aggregate that can be set free
bool ns_is_member(const scr_world *w, uint32_t body)
{
    return !(body & NS_WALL) && w->bodies.frame[body] != SCR_FRAME_NONE &&
           !scr_frame_is_clump(w, w->bodies.frame[body]) &&
           w->bodies.motion[4 * (size_t)body + 3] > 0;
}

bool ns_mark(ns_work *k, const scr_world *w, uint32_t body)
{
    if (!ns_is_member(w, body) || k->marked[body]) return false;
    k->marked[body] = 1;
    k->split[k->split_count++] = body;
    return true;
}

// contacts that move too fast, and so many layers behind them
static void mark_by_contacts(ns_work *k, const scr_world *w)
{
    const ns_settings *set = &k->set;
    for (size_t n = 0; n < k->contact_count; n++) {
        const ns_contact *c = &k->contacts[n];
        if (-c->normal_before > set->split_approach || c->normal_before > set->split_separation ||
            c->sliding_before > set->split_sliding || c->spin_before > set->split_spin) {
            ns_mark(k, w, ns_first(c));
            ns_mark(k, w, ns_second(c));
        }
    }
    size_t from = 0;
    for (int layer = 1; layer < set->split_depth; layer++) {
        size_t to = k->split_count;
        for (; from < to; from++) {
            uint32_t i = k->split[from];
            const scr_frozen *f = &k->frozen;
            for (uint32_t e = f->first[i]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, i))
                ns_mark(k, w, scr_frozen_other(f, e, i));
        }
    }
}

static void mark_by_sensors(ns_work *k, const scr_world *w)
{
    for (size_t i = 0; w->sensor_count && i < w->bodies.table.count; i++) {
        if (w->bodies.frame[i] == SCR_FRAME_NONE) continue;
        vec3 x = v3_load(w->bodies.place + 4 * i);
        for (int n = 0; n < w->sensor_count; n++)
            if (scr_sensor_holds(w, &w->sensors[n], x)) ns_mark(k, w, (uint32_t)i);
    }
}

// members that touched a wall which is gone
static void mark_by_walls(ns_work *k, scr_world *w)
{
    scr_frozen *f = &k->frozen;
    for (uint32_t e = 0; e < f->used; e++) {
        const scr_frozen_edge *edge = &f->edges[e];
        if (edge->end[0] == SCR_FROZEN_NONE || !(edge->end[1] & SCR_FROZEN_WALL)) continue;
        if (w->walls[w->faces[edge->end[1] & ~SCR_FROZEN_WALL].wall].active) continue;
        ns_mark(k, w, edge->end[0]);
    }
    for (size_t i = 0; i < w->bodies.table.count; i++) {
        int frame = w->bodies.frame[i];
        if (frame > SCR_FRAME_REST && frame < k->frame_count && !k->frames[frame].there)
            ns_mark(k, w, (uint32_t)i);
    }
}

// takes a row's edges out of the graph; their impulses are kept, neighbours may have lost what carries them
bool ns_thaw(ns_work *k, const scr_world *w, uint32_t i, bool others)
{
    scr_frozen *f = &k->frozen;
    for (uint32_t e = f->first[i], next; e != SCR_FROZEN_NONE; e = next) {
        const scr_frozen_edge edge = f->edges[e];
        next = scr_frozen_next(f, e, i);
        uint32_t other = scr_frozen_other(f, e, i);
        if (others && (other & SCR_FROZEN_WALL)) continue;
        if (others && w->bodies.frame[other] == w->bodies.frame[i]) continue;
        if (k->thawed_count == k->thawed_capacity &&
            !scr_memory_reserve(&k->thawed, &k->thawed_capacity, 2 * k->thawed_count + 256,
                                k->thawed_count, sizeof *k->thawed))
            return false;
        k->thawed[k->thawed_count++] =
            (ns_thawed){.start = {.key = (uint64_t)edge.end[0] << 32 | edge.end[1],
                                  .ln = edge.ln,
                                  .lt = edge.lt,
                                  .lr = edge.lr},
                        .energy = edge.energy};
        if (!(other & SCR_FROZEN_WALL)) k->queue[k->lost_count++] = other;
        scr_frozen_remove(f, e);
        if (k->lost_count + 1 >= k->queue_capacity &&
            !scr_memory_reserve(&k->queue, &k->queue_capacity, 2 * k->lost_count + 64,
                                k->lost_count, sizeof *k->queue))
            return false;
    }
    return true;
}

bool ns_set_free(ns_work *k, scr_world *w, uint32_t i)
{
    if (!ns_thaw(k, w, i, false)) return false;
    if (ns_in_aggregate(w, i)) k->touched[ns_rigid(w, i)] = 1;
    ns_displace(k, w, i);
    w->bodies.frame[i] = SCR_FRAME_NONE;
    k->frozen.level[i] = -1;
    w->tally.splits++;
    return ns_place(k, w, i);
}

// thawed impulses to those of the last step, in the order of keys; energies add up in this order too, whatever the
// order of edges
bool ns_remember_thawed(ns_work *k, scr_ledger *ledger)
{
    size_t old = k->memory_count, fresh = k->thawed_count;
    if (!scr_memory_reserve(&k->memory, &k->memory_capacity, old + fresh, old, sizeof *k->memory) ||
        !scr_sort(&k->sorter, k->thawed, fresh, sizeof *k->thawed, scr_by_u64))
        return false;
    for (size_t n = 0; n < fresh; n++) ledger->frozen -= k->thawed[n].energy;
    for (size_t at = old + fresh; fresh;)
        k->memory[--at] = old && k->memory[old - 1].key > k->thawed[fresh - 1].start.key
                              ? k->memory[--old]
                              : k->thawed[--fresh].start;
    k->memory_count += k->thawed_count;
    return true;
}

// all marked rows, and those that nothing carries then
static bool set_marked_free(ns_work *k, scr_world *w)
{
    k->thawed_count = k->lost_count = 0;
    for (size_t n = 0; n < k->split_count; n++)
        if (!ns_set_free(k, w, k->split[n])) return false;
    size_t orphans;
    if (!scr_frozen_unsupported(&k->frozen, k->queue, k->lost_count, &orphans)) return false;
    size_t done = k->split_count;
    for (size_t n = 0; n < orphans; n++)
        if (ns_is_member(w, k->frozen.orphans[n])) ns_mark(k, w, k->frozen.orphans[n]);
    for (size_t n = done; n < k->split_count; n++)
        if (!ns_set_free(k, w, k->split[n])) return false;
    return ns_free_rebuild(k, w) && ns_remember_thawed(k, &w->ledger);
}

scree_status ns_split(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    size_t count = w->bodies.table.count;
    scree_status no_memory = SCREE_OK;
    if (!scr_memory_reserve(&k->marked, &k->marked_capacity, count, k->marked_capacity,
                            sizeof *k->marked) ||
        !scr_memory_reserve(&k->split, &k->split_capacity, count, 0, sizeof *k->split) ||
        !scr_memory_reserve(&k->queue, &k->queue_capacity, count + 64, 0, sizeof *k->queue))
        return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory to split");
    k->split_count = 0;
    for (size_t n = 0; n < k->pending; n++) ns_mark(k, w, k->frozen.orphans[n]);
    k->pending = 0;
    for (size_t n = 0; n < k->struck_count; n++) ns_mark(k, w, k->struck[n]);
    if (!ns_watch(k, w)) return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory to split");
    if (k->walls_changed) mark_by_walls(k, w);
    k->walls_changed = false;
    mark_by_contacts(k, w);
    mark_by_sensors(k, w);
    ns_mark_by_belts(k, w);
    if (k->set.trial_sweeps && k->frozen.count && k->first &&
        w->clock.step % k->set.trial_every == 0)
        no_memory = ns_try(s, report);
    if (k->row_count || k->split_count) k->balanced = false;
    if (!no_memory && !k->row_count && !k->split_count && k->frozen.count && k->first)
        no_memory = ns_balance(s, report);
    if (no_memory || !k->split_count) return no_memory;

    bool ok = set_marked_free(k, w);
    ns_measure_ways(k, w, false);
    for (size_t n = 0; n < k->split_count && ok; n++) {
        ok = ns_look(k, w, k->split[n]);
        k->marked[k->split[n]] = 0;
    }
    for (size_t n = 0; n < k->joined_count && ok; n++) ok = ns_look(k, w, k->joined[n]);
    if (!ok) return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory to split");
    scree_status status = ns_gather(s, report);
    if (!status && !ns_set_up(s))
        status = scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory to split");
    return status;
}
