/* Elastic solids as wholes: where they are, momenta, energies by kind, mean stress, what has broken; force, torque and
 * work of supports; factor and work of loads. */
#include "observe/solids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/cell_views.h"

/* One item by its name, or all of them. */
typedef struct {
    char *name;
} one_def;

static const scr_column time_column = {"time", "s", "time"};

static bool is_watched(const one_def *def, const char *name)
{
    return !def->name || !strcmp(def->name, name);
}

// of one item the columns are x, ...; of all they are called NAME.x, ...
static bool add_columns(const one_def *def, const char *item, const scr_column *columns, scr_series *series)
{
    if (!is_watched(def, item)) return true;
    for (const scr_column *c = columns; c->name; c++) {
        char name[256];
        scr_column column = *c;
        snprintf(name, sizeof name, "%.240s.%s", item, c->name);
        if (!def->name) column.name = name;
        if (!scr_series_column_add(series, &column, false)) return false;
    }
    return true;
}

// items begin with their names, `stride` bytes from one to the next
static void check_name(const scr_scene *scene, const scr_item *item, const char *key, const void *items, size_t stride,
                       int count, scree_report *report)
{
    const one_def *d = item->variant_def;
    scr_nearest nearest = {.wanted = d->name ? d->name : ""};
    if (!d->name && !count)
        scr_warn(report, scr_item_place(scene, item, NULL),
                 "observers.%s: there is no %s, its rows will contain only the time", item->name, key);
    if (!d->name) return;
    for (int k = 0; k < count; k++) {
        const char *name = *(char *const *)((const char *)items + (size_t)k * stride);
        if (is_watched(d, name)) return;
        scr_nearest_offer(&nearest, name);
    }
    scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, key),
             "observers.%s.%s is '%.60s', which is not defined under %ss%s%s%s", item->name, key, d->name, key,
             nearest.found ? ", did you mean '" : "", nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
}

/* ---- solids ---- */

static const scr_column solid_columns[] = {
    {"x", "m", "centre of mass"},
    {"y", "m", "centre of mass"},
    {"z", "m", "centre of mass"},
    {"px", "N s", "momentum"},
    {"py", "N s", "momentum"},
    {"pz", "N s", "momentum"},
    {"lx", "N m s", "angular momentum about the origin"},
    {"ly", "N m s", "angular momentum about the origin"},
    {"lz", "N m s", "angular momentum about the origin"},
    {"translation", "J", "kinetic energy of the cells' centres"},
    {"rotation", "J", "kinetic energy of the cells' rotation"},
    {"gravity", "J", "potential energy"},
    {"elastic", "J", "stored in links and cells"},
    {"sxx", "Pa", "mean stress; tension is positive"},
    {"syy", "Pa", "mean stress"},
    {"szz", "Pa", "mean stress"},
    {"sxy", "Pa", "mean stress"},
    {"sxz", "Pa", "mean stress"},
    {"syz", "Pa", "mean stress"},
    {"displacement", "m", "largest displacement of a cell"},
    {"speed", "m/s", "largest speed of a cell"},
    {"fragments", "", "connected parts"},
    {"broken", "", "links that have broken"},
    {0},
};
enum { CENTRE, MOMENTUM = 3, ANGULAR = 6, KINETIC = 9, ELASTIC = 12, STRESS, LARGEST = 19, PARTS = 21, SOLID = 23 };

static bool solids_layout(const scr_world *world, const void *def, scr_series *series)
{
    bool good = scr_series_column_add(series, &time_column, false);
    for (int k = 0; good && k < world->solid_count; k++)
        good = add_columns(def, world->solids[k].name, solid_columns, series);
    return good;
}

static void add3(double *sum, double factor, vec3 v)
{
    sum[0] += factor * v.x, sum[1] += factor * v.y, sum[2] += factor * v.z;
}

// `room`: 7 numbers per cell of the world, stress and energy
static void sum_solid(const scr_world *w, int solid, const double *room, double *row)
{
    const scr_cells *c = &w->cells;
    const scr_solid *s = &w->solids[solid];
    const double *energy = room + 6 * c->table.count;
    double mass = 0, volume = 0;
    memset(row, 0, SOLID * sizeof *row);
    for (int n = 0; n < s->cell_count; n++) {
        size_t k = (size_t)(s->first_cell + n);
        double m = scr_cell_mass(c, k), v = scr_cell_volume(c, k);
        vec3 x = scr_cell_centre(c, k), speed = v3_load(c->velocity + 4 * k);
        mass += m, volume += v;
        add3(row + CENTRE, m, x);
        add3(row + MOMENTUM, m, speed);
        add3(row + ANGULAR, 1, v3_axpy(v3_load(c->momentum + 4 * k), m, v3_cross(x, speed)));
        row[KINETIC] += scr_cell_translation(c, k);
        row[KINETIC + 1] += scr_cell_rotation(c, k);
        row[KINETIC + 2] += scr_cell_potential(w, k);
        row[ELASTIC] += energy[k];
        for (int d = 0; d < 6; d++) row[STRESS + d] += v * room[6 * k + (size_t)d];
        row[LARGEST] = fmax(row[LARGEST], v3_norm(v3_load(c->displacement + 4 * k)));
        row[LARGEST + 1] = fmax(row[LARGEST + 1], v3_norm(speed));
        row[PARTS] += c->fragment[k] == (int32_t)k;
    }
    for (int d = 0; d < 3; d++) row[CENTRE + d] /= mass;
    for (int d = 0; d < 6; d++) row[STRESS + d] /= volume;
    for (size_t k = 0; k < w->links.table.count; k++)
        row[PARTS + 1] += w->links.fate[k] != SCR_LINK_HOLDS && c->solid[w->links.cell[2 * k]] == solid;
}

static bool solids_sample(const scr_scene_view *view, const void *def, double *row)
{
    const scr_world *w = view->world;
    double *room = malloc((7 * w->cells.table.count + 1) * sizeof *room);
    if (!room || !scr_cells_stress(w, room)) {
        free(room);
        return false;
    }
    scr_cells_energy(w, room + 6 * w->cells.table.count);
    *row++ = w->clock.time;
    for (int k = 0; k < w->solid_count; k++) {
        if (!is_watched(def, w->solids[k].name)) continue;
        sum_solid(w, k, room, row);
        row += SOLID;
    }
    free(room);
    return true;
}

static void solids_check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    check_name(scene, item, "solid", world->solids, sizeof *world->solids, world->solid_count, report);
}

static const scr_param solid_params[] = {
    {"solid", NULL, SCR_TEXT, NULL, "", NULL, offsetof(one_def, name),
     "Name of one solid. Default: all, each column prefixed with the name of its solid.", NULL},
    {0},
};

const scr_observer scr_solid_observer = {
    .variant = {"solid",
                "Elastic solids as wholes: centre, momentum, angular momentum, energies, mean "
                "stress, largest displacement, fragments, broken links.",
                solid_params, sizeof(one_def)},
    .layout = solids_layout,
    .check = solids_check,
    .sample = solids_sample,
};

/* ---- supports ---- */

static const scr_column support_columns[] = {
    {"fx", "N", "force of the support on the cells"},
    {"fy", "N", "force of the support on the cells"},
    {"fz", "N", "force of the support on the cells"},
    {"tx", "N m", "torque of the support on the cells, about its point"},
    {"ty", "N m", "torque of the support on the cells"},
    {"tz", "N m", "torque of the support on the cells"},
    {"work", "J", "done by the support since the start"},
    {0},
};

static bool supports_layout(const scr_world *world, const void *def, scr_series *series)
{
    bool good = scr_series_column_add(series, &time_column, false);
    for (int k = 0; good && k < world->support_count; k++)
        good = add_columns(def, world->supports[k].name, support_columns, series);
    return good;
}

static bool supports_sample(const scr_scene_view *view, const void *def, double *row)
{
    const scr_world *w = view->world;
    *row++ = w->clock.time;
    for (int k = 0; k < w->support_count; k++) {
        const scr_support *s = &w->supports[k];
        if (!is_watched(def, s->name)) continue;
        for (int d = 0; d < SCR_FELT_SUMS; d++) *row++ = scr_total_value(&s->felt[d]);
    }
    return true;
}

static void supports_check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    check_name(scene, item, "support", world->supports, sizeof *world->supports, world->support_count, report);
}

static const scr_param support_params[] = {
    {"support", NULL, SCR_TEXT, NULL, "", NULL, offsetof(one_def, name),
     "Name of one support. Default: all, each column prefixed with the name of its support.", NULL},
    {0},
};

const scr_observer scr_supports_observer = {
    .variant = {"supports", "Force, torque and work of supports of elastic solids.", support_params, sizeof(one_def)},
    .layout = supports_layout,
    .check = supports_check,
    .sample = supports_sample,
};

/* ---- loads ---- */

static const scr_column load_columns[] = {
    {"factor", "", "value of its signal; in statics, for a constant signal, the fraction of the load that acts"},
    {"work", "J", "done by the load since the start"},
    {0},
};

static bool loads_layout(const scr_world *world, const void *def, scr_series *series)
{
    bool good = scr_series_column_add(series, &time_column, false);
    for (int k = 0; good && k < world->load_count; k++)
        good = add_columns(def, world->loads[k].name, load_columns, series);
    return good;
}

static bool loads_sample(const scr_scene_view *view, const void *def, double *row)
{
    const scr_world *w = view->world;
    *row++ = w->clock.time;
    for (int k = 0; k < w->load_count; k++) {
        const scr_load *load = &w->loads[k];
        if (!is_watched(def, load->name)) continue;
        *row++ = scr_signal_now(w, &load->signal);
        *row++ = scr_total_value(&load->work);
    }
    return true;
}

static void loads_check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    check_name(scene, item, "load", world->loads, sizeof *world->loads, world->load_count, report);
}

static const scr_param load_params[] = {
    {"load", NULL, SCR_TEXT, NULL, "", NULL, offsetof(one_def, name),
     "Name of one load. Default: all, each column prefixed with the name of its load.", NULL},
    {0},
};

const scr_observer scr_loads_observer = {
    .variant = {"loads", "Signal and work of loads on elastic solids.", load_params, sizeof(one_def)},
    .layout = loads_layout,
    .check = loads_check,
    .sample = loads_sample,
};
