/* Fragments of bonded grains (world/fragments.h): how many there are, and the largest of them, by mass. The id of a
 * fragment is the smallest id of its grains; `scree render --color fragment` uses the same. A grain without bonds is a
 * fragment of one. */
#include "observe/fragments.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "world/fragments.h"

typedef struct {
    char *group;
    int64_t largest;
} fragments_def;

static const scr_column columns[] = {
    {"fragments", "", "sets of grains connected by bonds, single grains included"},
    {"singles", "", "grains without a bond that holds"},
    {"mass", "kg", "mass of all grains considered"},
    {"largest_mass", "kg", "mass of the heaviest fragment"},
    {"largest_share", "", "mass of the heaviest fragment over that of all"},
    {0},
};
static const scr_column ranked[] = {
    {"id", "",
     "of the fragments in order of decreasing mass: smallest id of a grain; NaN where there are fewer fragments"},
    {"grains", "", "of the fragments in order of decreasing mass: number of grains"},
    {"fragment_mass", "kg", "of the fragments in order of decreasing mass: mass"},
    {0},
};

static bool layout(const scr_world *world, const void *def, scr_series *series)
{
    (void)world;
    static const scr_column time_column = {"time", "s", "time"};
    int count = (int)((const fragments_def *)def)->largest;
    double *rank = malloc(((size_t)count + 1) * sizeof *rank);
    if (!rank) return false;
    for (int k = 0; k < count; k++) rank[k] = k + 1;
    scr_series_axis axis = {"rank", "", "1 is the heaviest fragment", count, 1, rank};
    bool ok = scr_series_bins(series, &axis) && scr_series_column_add(series, &time_column, false) &&
              scr_series_columns_add(series, columns, false) && scr_series_columns_add(series, ranked, true);
    free(rank);
    return ok;
}

typedef struct {
    int64_t id;
    double mass, grains; /* grains 0: none */
} fragment;

static int heaviest_first(const void *a, const void *b)
{
    const fragment *x = a, *y = b;
    if (x->mass != y->mass) return x->mass > y->mass ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Fragments of the group, in no order, in all[]: bodies are taken in the order of ids, so that sums do not depend on
 * rows. order, place: body by rank of its id, and the other way round. */
static size_t gather(const scr_world *w, int group, const uint32_t *order, uint32_t *place, uint32_t *tree,
                     fragment *all)
{
    const scr_bodies *b = &w->bodies;
    size_t n = b->table.count, count = 0;
    for (size_t k = 0; k < n; k++) place[order[k]] = (uint32_t)k;
    scr_forest_begin(tree, n);
    for (size_t k = 0; k < w->bonds.table.count; k++)
        if (w->bonds.fate[k] == SCR_BOND_HOLDS)
            scr_forest_join(tree, place[w->bonds.row[2 * k]], place[w->bonds.row[2 * k + 1]]);
    scr_forest_end(tree, n);
    for (size_t k = 0; k < n; k++) {
        size_t i = order[k];
        if (!scr_observer_sees(w, group, i)) continue;
        fragment *f = &all[tree[k]];
        if (f->grains == 0) f->id = b->id[i];
        f->grains += 1, f->mass += b->mass[i];
    }
    for (size_t k = 0; k < n; k++)
        if (all[k].grains > 0) all[count++] = all[k];
    return count;
}

static void put(const fragment *all, size_t count, int64_t largest, double *row)
{
    double mass = 0, singles = 0;
    for (size_t k = 0; k < count; k++) mass += all[k].mass, singles += all[k].grains == 1;
    row[1] = (double)count, row[2] = singles;
    row[3] = mass, row[4] = count ? all[0].mass : 0;
    row[5] = count ? all[0].mass / mass : NAN;
    double *out = row + 6;
    for (int64_t k = 0; k < largest; k++) {
        bool is = (size_t)k < count;
        out[k] = is ? (double)all[k].id : NAN;
        out[largest + k] = is ? all[k].grains : 0;
        out[2 * largest + k] = is ? all[k].mass : 0;
    }
}

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    const scr_world *w = view->world;
    const fragments_def *d = def;
    size_t n = w->bodies.table.count;
    uint32_t *order = scr_memory_new(3 * n, sizeof *order);
    fragment *all = scr_memory_new(n, sizeof *all);
    bool ok = order && all;
    row[0] = w->clock.time;
    if (ok) {
        scr_bodies_by_id(&w->bodies, order);
        size_t count = gather(w, scr_observer_group(w, d->group), order, order + n, order + 2 * n, all);
        qsort(all, count, sizeof *all, heaviest_first);
        put(all, count, d->largest, row);
    }
    scr_memory_free(order);
    scr_memory_free(all);
    return ok;
}

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    scr_observer_check_group(world, scene, item, ((const fragments_def *)item->variant_def)->group, report);
    if (!world->bonds.table.count)
        scr_warn(report, scr_item_place(scene, item, NULL),
                 "observers.%s: there are no bonds, so every grain is a fragment of one", item->name);
}

static const scr_param params[] = {
    SCR_OBSERVER_GROUP(fragments_def),
    {"largest", NULL, SCR_INT, NULL, "10", "[1, 1000000]", offsetof(fragments_def, largest),
     "Number of fragments, in order of decreasing mass, whose id, number of grains and mass are written.", NULL},
    {0},
};

const scr_observer scr_fragments_observer = {
    .variant = {"fragments",
                "Fragments of bonded grains: sets connected by intact bonds. Their number, and id, number "
                "of grains and mass of the heaviest. The id is the smallest id of a fragment's grains.",
                params, sizeof(fragments_def)},
    .layout = layout,
    .check = check,
    .sample = sample,
};
