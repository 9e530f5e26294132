/* Force and torque of the grains on each wall, and where the wall is. */
#include "observe/walls.h"

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
    {"x", "m", "how far the wall has moved since the start"},
    {"y", "m", "how far the wall has moved"},
    {"z", "m", "how far the wall has moved"},
    {0},
};

static bool is_watched(const walls_def *def, const scr_wall *wall)
{
    return !def->wall || !strcmp(def->wall, wall->name);
}

// of one wall the columns are fx, ...; of all they are called floor.fx, ...
static bool layout(const scr_world *world, const void *def, scr_series *series)
{
    const walls_def *d = def;
    if (!scr_series_column_add(series, &time_column, false)) return false;
    for (int k = 0; k < world->wall_count; k++) {
        if (!is_watched(d, &world->walls[k])) continue;
        for (const scr_column *c = wall_columns; c->name; c++) {
            char name[256];
            scr_column column = *c;
            snprintf(name, sizeof name, "%.240s.%s", world->walls[k].name, c->name);
            if (!d->wall) column.name = name;
            if (!scr_series_column_add(series, &column, false)) return false;
        }
    }
    return true;
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
    }
    return true;
}

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const walls_def *d = item->variant_def;
    scr_nearest nearest = {.wanted = d->wall ? d->wall : ""};
    if (!d->wall && !world->wall_count)
        scr_warn(report, scr_item_place(scene, item, NULL),
                 "observers.%s: there are no walls, its rows will hold the time alone", item->name);
    if (!d->wall) return;
    for (int k = 0; k < world->wall_count; k++) {
        if (is_watched(d, &world->walls[k])) return;
        scr_nearest_offer(&nearest, world->walls[k].name);
    }
    scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "wall"),
             "observers.%s.wall is '%.60s', which is not a wall of this scene%s%s%s", item->name, d->wall,
             nearest.found ? ", did you mean '" : "", nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
}

static const scr_param params[] = {
    {"wall", NULL, SCR_TEXT, NULL, "", NULL, offsetof(walls_def, wall),
     "Name of one wall. Default: all walls, each column prefixed with the name of its wall.", NULL},
    {0},
};

const scr_observer scr_walls_observer = {
    .variant = {"walls", "Force and torque of the grains on the walls, and how far each has moved.", params,
                sizeof(walls_def)},
    .layout = layout,
    .check = check,
    .sample = sample,
};
