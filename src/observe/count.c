/* Counts grains whose centres lie in a region, with their mass: all, then group by group. Places in a periodic domain
 * are brought back into it; a region that covers a periodic axis has no border there. */
#include "observe/count.h"

#include <math.h>
#include <stdio.h>

#include "scene/region.h"

typedef struct {
    scr_item region; /* def NULL: the whole domain */
} count_def;

static const scr_column first_columns[] = {
    {"time", "s", "time"},
    {"count", "", "grains whose centres are in the region"},
    {"mass", "kg", "their mass"},
    {0},
};
static const scr_column group_columns[] = {
    {"count", "", "grains of the group whose centres are in the region"},
    {"mass", "kg", "their mass"},
    {0},
};

// after the sums sand.count, sand.mass, ... of each group
static bool layout(const scr_world *world, const void *def, scr_series *series)
{
    (void)def;
    if (!scr_series_columns_add(series, first_columns, false)) return false;
    for (int g = 0; g < world->group_count; g++)
        for (const scr_column *c = group_columns; c->name; c++) {
            char name[256];
            scr_column column = *c;
            snprintf(name, sizeof name, "%.240s.%s", world->groups[g].name, c->name);
            column.name = name;
            if (!scr_series_column_add(series, &column, false)) return false;
        }
    return true;
}

static bool region_of(const scr_world *world, const count_def *def, scr_region *region)
{
    scr_domain_def domain = {.box = {world->domain.lower, world->domain.upper}};
    for (int d = 0; d < 3; d++) domain.periodic[d] = world->domain.periodic[d];
    return scr_region_init_in(region, &domain, &def->region);
}

static vec3 wrapped(const scr_domain *domain, const double *place)
{
    double x[3];
    for (int d = 0; d < 3; d++) {
        double low = (&domain->lower.x)[d], size = (&domain->upper.x)[d] - low;
        x[d] = domain->periodic[d] ? place[d] - size * floor((place[d] - low) / size) : place[d];
    }
    return v3_load(x);
}

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    const scr_world *w = view->world;
    const scr_bodies *b = &w->bodies;
    scr_region region;
    bool known = region_of(w, def, &region);
    for (int k = 0; k < 3 + 2 * w->group_count; k++) row[k] = 0;
    row[0] = w->clock.time;
    for (size_t i = 0; known && i < b->table.count; i++) {
        if (!scr_region_holds(&region, wrapped(&w->domain, b->place + 4 * i), 0, 0)) continue;
        double *of_group = row + 3 + 2 * b->group[i];
        row[1] += 1, row[2] += b->mass[i];
        of_group[0] += 1, of_group[1] += b->mass[i];
    }
    return true;
}

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    scr_region region;
    if (!region_of(world, item->variant_def, &region)) {
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "region"),
                 "the region of observers.%s has no volume, or is too large", item->name);
        return;
    }
    for (int d = 0; d < 3; d++)
        if ((&region.high.x)[d] < (&world->domain.lower.x)[d] || (&region.low.x)[d] > (&world->domain.upper.x)[d])
            scr_warn(report, scr_item_place(scene, item, "region"),
                     "the region of observers.%s lies outside the domain along %c: its counts will be zero", item->name,
                     "xyz"[d]);
}

static const scr_param params[] = {
    {"region", NULL, SCR_NESTED, NULL, "", NULL, offsetof(count_def, region),
     "Where centres are counted. Default: the whole domain.", &scr_section_region},
    {0},
};

const scr_observer scr_count_observer = {
    .variant = {"count",
                "Number and mass of grains whose centres are in a region: of all, and of each group (`sand.count`, "
                "`sand.mass`).",
                params, sizeof(count_def)},
    .layout = layout,
    .check = check,
    .sample = sample,
};
