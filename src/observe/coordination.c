/* How many contacts a grain has: mean, mean without rattlers, distribution.
 *
 * A rattler is a grain with fewer contacts than `rattler`. It carries nothing, so its contacts do not count for
 * its neighbours either: rattlers are taken out until no more turn up (Thornton, Geotechnique 50 (2000) 43, takes
 * out once those with 0 or 1). Means are over grains that can move, of the group asked for; contacts with walls,
 * frozen grains and other groups count. A packing without friction is isostatic where it has three contacts per grain
 * that is not a rattler, those with walls included: `contacts` counts each once. */
#include "observe/coordination.h"

#include <math.h>

#include "base/memory.h"

#define MOST 12 /* the last class is this many or more */

typedef struct {
    char *group;
    int64_t rattler;
    bool walls;
} coordination_def;

static const scr_column columns[] = {
    {"time", "s", "time"},
    {"mean", "", "mean number of contacts of a grain"},
    {"without_rattlers", "", "mean number of contacts of a grain that is not a rattler"},
    {"rattlers", "", "fraction of grains that are rattlers"},
    {"grains", "", "number of grains considered"},
    {"contacts", "", "contacts of grains that are not rattlers, with each other and with walls, each counted once"},
    {0},
};
static const scr_column fraction_column = {"fraction", "", "fraction of grains with z contacts; the last: 12 or more"};

static bool layout(const scr_world *world, const void *def, scr_series *series)
{
    (void)world, (void)def;
    double z[MOST + 1];
    for (int k = 0; k <= MOST; k++) z[k] = k;
    scr_series_axis axis = {"z", "", "number of contacts", MOST + 1, 1, z};
    return scr_series_bins(series, &axis) && scr_series_columns_add(series, columns, false) &&
           scr_series_column_add(series, &fraction_column, true);
}

typedef struct {
    const scr_scene_view *view;
    const coordination_def *def;
    int group;
    int32_t *z;      // contacts of each grain, without those of rattlers
    uint8_t *loose;  // it is a rattler
    uint8_t *absent; // contact k counts no more
} census;

static bool counts(const census *c, const scr_contact_row *row)
{
    return row->body[1] >= 0 || c->def->walls;
}

static bool looks_at(const census *c, size_t i)
{
    return scr_observer_sees(c->view->world, c->group, i) && c->view->world->bodies.motion[4 * i + 3] > 0;
}

static void count(census *c)
{
    for (size_t k = 0; k < c->view->row_count; k++) {
        const scr_contact_row *row = &c->view->rows[k];
        c->absent[k] = !counts(c, row);
        if (c->absent[k]) continue;
        c->z[row->body[0]]++;
        if (row->body[1] >= 0) c->z[row->body[1]]++;
    }
}

// takes out rattlers until no more turn up; what cannot move is none
static void remove_rattlers(census *c)
{
    const scr_bodies *b = &c->view->world->bodies;
    bool more = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < b->table.count; i++) {
            if (c->loose[i] || b->motion[4 * i + 3] == 0 || c->z[i] >= c->def->rattler) continue;
            c->loose[i] = 1;
            more = true;
        }
        for (size_t k = 0; more && k < c->view->row_count; k++) {
            const scr_contact_row *row = &c->view->rows[k];
            bool second = row->body[1] >= 0;
            if (c->absent[k] || !(c->loose[row->body[0]] || (second && c->loose[row->body[1]]))) continue;
            c->absent[k] = 1;
            c->z[row->body[0]]--;
            if (second) c->z[row->body[1]]--;
        }
    }
}

// a contact that is left without rattlers, of a grain that is looked at
static bool sees_contact(const census *c, size_t k)
{
    const scr_contact_row *row = &c->view->rows[k];
    return !c->absent[k] && (looks_at(c, row->body[0]) || (row->body[1] >= 0 && looks_at(c, row->body[1])));
}

static void add_up(census *c, double *row)
{
    size_t n = c->view->world->bodies.table.count;
    double grains = 0, sum = 0, firm = 0, firm_sum = 0, *fraction = row + 6;
    for (int k = 0; k <= MOST; k++) fraction[k] = 0;
    for (size_t i = 0; i < n; i++) {
        if (!looks_at(c, i)) continue;
        grains++;
        sum += c->z[i];
        fraction[c->z[i] < MOST ? c->z[i] : MOST]++;
    }
    remove_rattlers(c);
    for (size_t i = 0; i < n; i++) {
        if (!looks_at(c, i) || c->loose[i]) continue;
        firm++;
        firm_sum += c->z[i];
    }
    row[0] = c->view->world->clock.time;
    row[1] = grains > 0 ? sum / grains : NAN;
    row[2] = firm > 0 ? firm_sum / firm : NAN;
    row[3] = grains > 0 ? 1 - firm / grains : NAN;
    row[4] = grains;
    row[5] = 0;
    for (size_t k = 0; k < c->view->row_count; k++) row[5] += sees_contact(c, k);
    for (int k = 0; k <= MOST; k++) fraction[k] = grains > 0 ? fraction[k] / grains : NAN;
}

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    const coordination_def *d = def;
    size_t n = view->world->bodies.table.count;
    census c = {.view = view,
                .def = d,
                .group = scr_observer_group(view->world, d->group),
                .z = scr_memory_new(n + 1, sizeof *c.z),
                .loose = scr_memory_new(n + 1, 1),
                .absent = scr_memory_new(view->row_count + 1, 1)};
    bool ok = c.z && c.loose && c.absent;
    if (ok) {
        count(&c);
        add_up(&c, row);
    }
    scr_memory_free(c.z), scr_memory_free(c.loose), scr_memory_free(c.absent);
    return ok;
}

static bool needs_contacts(const void *def)
{
    (void)def;
    return true;
}

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const coordination_def *d = item->variant_def;
    scr_observer_check_group(world, scene, item, d->group, report);
}

static const scr_param params[] = {
    {"rattler", NULL, SCR_INT, NULL, "2", "[0, 12]", offsetof(coordination_def, rattler),
     "A grain with fewer contacts than this is a rattler: 2 where there is friction, 4 without.", NULL},
    {"walls", NULL, SCR_BOOL, NULL, "true", NULL, offsetof(coordination_def, walls),
     "Whether contacts with walls are counted.", NULL},
    SCR_OBSERVER_GROUP(coordination_def),
    {0},
};

const scr_observer scr_coordination_observer = {
    .variant = {"coordination",
                "Number of contacts of a grain: mean, without rattlers, distribution. With the integrator "
                "nonsmooth contacts are those that carry an impulse.",
                params, sizeof(coordination_def)},
    .layout = layout,
    .needs_contacts = needs_contacts,
    .check = check,
    .sample = sample,
};
