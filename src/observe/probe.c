/* A probe follows one grain. */
#include "observe/observer.h"

#include <math.h>

#include "observe/probe.h"

static const scr_column columns[] = {
    {"time", "s", "time"},
    {"x", "m", "position, counted through periodic boundaries"},
    {"y", "m", "position"},
    {"z", "m", "position"},
    {"vx", "m/s", "velocity"},
    {"vy", "m/s", "velocity"},
    {"vz", "m/s", "velocity"},
    {"wx", "rad/s", "angular velocity"},
    {"wy", "rad/s", "angular velocity"},
    {"wz", "rad/s", "angular velocity"},
    {"fx", "N", "force of the contacts"},
    {"fy", "N", "force of the contacts"},
    {"fz", "N", "force of the contacts"},
    {"tx", "N m", "torque of the contacts"},
    {"ty", "N m", "torque of the contacts"},
    {"tz", "N m", "torque of the contacts"},
    {0},
};

typedef struct {
    int64_t id;
} probe_def;

// a grain that has left gives NaN
static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    const scr_bodies *b = &view->world->bodies;
    int64_t id = ((const probe_def *)def)->id;
    vec3 size = v3_sub(view->world->domain.upper, view->world->domain.lower);
    const double length[3] = {size.x, size.y, size.z};
    row[0] = view->world->clock.time;
    for (int k = 1; k < 16; k++) row[k] = NAN;
    for (size_t i = 0; i < b->table.count; i++) {
        if (b->id[i] != id) continue;
        for (int d = 0; d < 3; d++) {
            row[1 + d] = b->place[4 * i + d] + b->image[4 * i + d] * length[d];
            row[4 + d] = b->motion[4 * i + d];
            row[7 + d] = b->spin[4 * i + d];
            row[10 + d] = b->load[8 * i + d];
            row[13 + d] = b->load[8 * i + 4 + d];
        }
        break;
    }
    return true;
}

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    int64_t id = ((const probe_def *)item->variant_def)->id;
    for (size_t i = 0; i < world->bodies.table.count; i++)
        if (world->bodies.id[i] == id) return;
    scr_warn(report, scr_item_place(scene, item, "id"),
             "there is no grain %lld to follow: its columns will be not-a-number until there is one", (long long)id);
}

static const scr_param params[] = {
    {"id", NULL, SCR_INT, "", NULL, ">= 1", offsetof(probe_def, id), "Id of the grain to follow.", NULL},
    {0},
};

const scr_observer scr_probe_observer = {
    .variant = {"probe", "Follows one grain: position, velocity, spin, force and torque of the contacts.", params,
                sizeof(probe_def)},
    .columns = columns,
    .check = check,
    .sample = sample,
};
