/* Force and torque of the grains on each wall, and where the wall is. */
#include "observe/walls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    char *wall;
} walls_def;

static const scr_column time_column = {"time", "s", "time"};
static const scr_column wall_columns[] = {
    {"fx", "N", "force of the grains on the wall"},
    {"fy", "N", "force of the grains on the wall"},
    {"fz", "N", "force of the grains on the wall"},
    {"tx", "N m", "torque of the grains on the wall, about its reference point"},
    {"ty", "N m", "torque of the grains on the wall"},
    {"tz", "N m", "torque of the grains on the wall"},
    {"x", "m", "displacement of the wall since the start"},
    {"y", "m", "displacement of the wall"},
    {"z", "m", "displacement of the wall"},
    {0},
};

/* And of a wall with a servo. */
static const scr_column servo_columns[] = {
    {"force", "N", "force of the grains against the axis of the servo"},
    {"target", "N", "force that the servo holds"},
    {"error", "N", "force less target"},
    {0},
};

static bool is_watched(const walls_def *def, const scr_wall *wall)
{
    return !def->wall || !strcmp(def->wall, wall->name);
}

// of one wall the columns are fx, ...; of all they are called floor.fx, ...
static bool add_columns(const scr_column *columns, const char *wall, bool prefixed, scr_series *series)
{
    for (const scr_column *c = columns; c->name; c++) {
        char name[256];
        scr_column column = *c;
        snprintf(name, sizeof name, "%.240s.%s", wall, c->name);
        if (prefixed) column.name = name;
        if (!scr_series_column_add(series, &column, false)) return false;
    }
    return true;
}

static bool layout(const scr_world *world, const void *def, scr_series *series)
{
    const walls_def *d = def;
    bool ok = scr_series_column_add(series, &time_column, false);
    for (int k = 0; k < world->wall_count && ok; k++) {
        const scr_wall *wall = &world->walls[k];
        if (!is_watched(d, wall)) continue;
        ok = add_columns(wall_columns, wall->name, !d->wall, series);
        if (ok && wall->governed) ok = add_columns(servo_columns, wall->name, !d->wall, series);
    }
    return ok;
}

static void sample_servo(const scr_wall *wall, double time, double row[3])
{
    const scr_servo *servo = &wall->motion.control;
    row[0] = row[1] = row[2] = NAN; // in a stage without it
    if (!wall->motion.servo) return;
    row[0] = scr_servo_force(servo, wall->force);
    row[1] = scr_servo_target(servo, &wall->held, time);
    row[2] = row[0] - row[1];
}

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    const scr_world *w = view->world;
    *row++ = w->clock.time;
    for (int k = 0; k < w->wall_count; k++) {
        const scr_wall *wall = &w->walls[k];
        if (!is_watched(def, wall)) continue;
        v3_store(row, wall->force);
        v3_store(row + 3, wall->torque);
        v3_store(row + 6, v3_sub(scr_wall_reference(wall), wall->reference));
        row += 9;
        if (wall->governed) sample_servo(wall, w->clock.time, row), row += 3;
    }
    return true;
}

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const walls_def *d = item->variant_def;
    scr_nearest nearest = {.wanted = d->wall ? d->wall : ""};
    if (!d->wall && !world->wall_count)
        scr_warn(report, scr_item_place(scene, item, NULL),
                 "observers.%s: there are no walls, its rows will contain only the time", item->name);
    if (!d->wall) return;
    for (int k = 0; k < world->wall_count; k++) {
        if (is_watched(d, &world->walls[k])) return;
        scr_nearest_offer(&nearest, world->walls[k].name);
    }
    scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "wall"),
             "observers.%s.wall is '%.60s', which is not defined under walls%s%s%s", item->name, d->wall,
             nearest.found ? ", did you mean '" : "", nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
}

static const scr_param params[] = {
    {"wall", NULL, SCR_TEXT, NULL, "", NULL, offsetof(walls_def, wall),
     "Name of one wall. Default: all walls, each column prefixed with the name of its wall.", NULL},
    {0},
};

const scr_observer scr_walls_observer = {
    .variant = {"walls",
                "Force and torque of the grains on the walls, and the displacement of each; for walls with a servo "
                "also its target and error.",
                params, sizeof(walls_def)},
    .layout = layout,
    .check = check,
    .beside = true,
    .sample = sample,
};
