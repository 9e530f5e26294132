#include "build/divided.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "comm/share.h"
#include "observe/results.h"

/* ---- what ranks can make together ---- */

static bool is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names)) names++;
    return *names;
}

// groups that come from results need not be made
static bool comes_from(const char *results, const char *group)
{
    scree_report unheard;
    int count = 0;
    bool found = false;
    if (!results) return false;
    scree_report_init(&unheard);
    scr_archive *a = scr_archive_open(results, &unheard);
    const scr_group *groups = a ? scr_archive_groups(a, &count) : NULL;
    for (int k = 0; k < count; k++) found |= !strcmp(groups[k].name, group);
    scr_archive_close(a);
    scree_report_deinit(&unheard);
    return found;
}

const char *scr_divided_lack(const scr_scene *scene, const scree_simulation_def *def, char *text, size_t size)
{
    static const char *const known[] = {"lattice", "positions", "table", "lammps", "inlet", "random", "packing", NULL};
    const scr_items *groups = scr_scene_items(scene, "bodies");
    const scr_step step = scr_step_choose(scene, def->statics);
    *text = 0;
    // solids are on all ranks
    if (!step.stepper->on_rank || step.traits.moves_solids)
        snprintf(text, size, "the integrator %s", step.stepper->variant.name);
    if (scr_scene_items(scene, "bonds")->count) snprintf(text, size, "bonds");
    if (def->at_frame) snprintf(text, size, "the state of a frame");
    for (int k = 0; k < groups->count && !*text && !def->resume; k++) {
        const char *from = groups->items[k].variant->name, *name = groups->items[k].name;
        if (!is_among(from, known) && !comes_from(def->from, name))
            snprintf(text, size, "bodies.%.60s (from: %s)", name, from);
    }
    return *text ? text : NULL;
}

bool scr_divided_begin(scr_world *w)
{
    scr_share *share = scr_memory_new(1, sizeof *share);
    if (!share || !scr_share_init(share, scr_comm_world())) return false;
    share->renewed = false;
    w->share = share;
    return true;
}

void scr_divided_end(scr_world *w)
{
    if (!w->share) return;
    scr_share_deinit(w->share);
    scr_memory_free(w->share);
    w->share = NULL;
}

/* ---- how generators talk to those of other ranks ---- */

static void need(bool room)
{
    scr_comm_need(room, "grains");
}

static void gather(void *share, const void *own, size_t bytes, void *all)
{
    scr_comm_gather_all(((scr_share *)share)->comm, own, bytes, all);
}

static size_t trade(void *share, const char *items, const uint64_t *counts, size_t size, char **in)
{
    return scr_share_trade(share, items, counts, size, in, NULL);
}

static void add(void *share, int64_t *values, int count)
{
    scr_comm_add(((scr_share *)share)->comm, values, count);
}

static size_t collect(void *share, const void *own, size_t count, size_t size, void *all)
{
    return scr_share_collect_all(share, own, count, size, all);
}

/* ---- ids ---- */

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// of those without an id from a file, which have the number in their group, as if all had been made here: after all
// that files give, group by group
static void number_bodies(scr_world *w, const int64_t *made)
{
    scr_bodies *b = &w->bodies;
    size_t groups = (size_t)w->group_count;
    double *without = NULL, next = (double)w->clock.next_id;
    int64_t *first = NULL;
    need(scr_reserve(&without, groups + 1) && scr_reserve(&first, groups + 1));
    for (size_t i = 0; i < b->table.count; i++)
        if (b->id[i] < 0) without[b->group[i]] = 1;
    scr_share_most(w->share, without, (int)groups);
    scr_share_most(w->share, &next, 1);
    w->clock.next_id = (int64_t)next;
    for (size_t g = 0; g < groups; g++) {
        first[g] = w->clock.next_id;
        if (without[g] > 0) w->clock.next_id += made[g];
    }
    for (size_t i = 0; i < b->table.count; i++)
        if (b->id[i] < 0) b->id[i] = first[b->group[i]] - 1 - b->id[i];
    scr_free_all(without, first);
}

// those of bodies that are there, for files that give ids: each to the rank that looks at it
static void tell_ids(scr_share *share, const scr_bodies *b, scr_grains *grains)
{
    size_t size = (size_t)share->comm->size, own = scr_bodies_own(b), *at = NULL;
    uint64_t *counts = NULL;
    int64_t *out = NULL;
    char *in = NULL;
    need(scr_reserve(&at, size + 1) && scr_reserve(&counts, size) && scr_reserve(&out, own + 1));
    for (size_t k = 0; k < own; k++) counts[b->id[b->low + k] % (int64_t)size]++;
    for (size_t r = 0; r < size; r++) at[r + 1] = at[r] + counts[r];
    for (size_t k = 0; k < own; k++) out[at[b->id[b->low + k] % (int64_t)size]++] = b->id[b->low + k];
    grains->id_count = scr_share_trade(share, (const char *)out, counts, sizeof *out, &in, NULL);
    need(scr_reserve(&grains->ids, grains->id_count + 1));
    scr_copy(grains->ids, in, grains->id_count * sizeof *grains->ids);
    qsort(grains->ids, grains->id_count, sizeof *grains->ids, by_number);
    scr_free_all(at, counts, out, in);
}

scree_status scr_divided_build(scr_world *w, const scr_scene *scene, const bool *skip_group, scr_grains *grains,
                               scr_group_builder *builder, scree_report *report)
{
    const scr_comm *c = w->share->comm;
    const scr_grains_ranks ranks = {c->rank, c->size, gather, trade, add, collect, need, w->share};
    int64_t *made = NULL;
    scree_status status = SCREE_OK;
    need(scr_reserve(&made, (size_t)w->group_count + 1));
    grains->ranks = &ranks;
    if (scr_share_bodies(w)) tell_ids(w->share, &w->bodies, grains);
    for (int g = 0; g < w->group_count && !status; g++) {
        if (skip_group && skip_group[g]) continue;
        grains->count = 0; // those of earlier groups are in the world
        grains->there = w->bodies.place + 4 * w->bodies.low, grains->there_count = scr_bodies_own(&w->bodies);
        status = scr_share_agree(w->share, builder(w, scene, g, grains, report));
        made[g] = grains->made;
    }
    if (!status) number_bodies(w, made);
    scr_buffer_free(made);
    scr_grains_deinit(grains);
    size_t all = status ? 0 : scr_share_bodies(w);
    if (all > SCR_MOST_BODIES)
        status = scr_fail(report, SCREE_E_INPUT, (scree_place){.file = scr_scene_path(scene)},
                          "there are %zu grains, at most %zu are possible", all, (size_t)SCR_MOST_BODIES);
    return status;
}
