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
    {0},
};

typedef struct {
    int64_t id;
} probe_def;

// a grain that has left gives NaN
static void sample(const scr_scene_view *view, const void *def, double *row)
{
    const scr_bodies *b = &view->world->bodies;
    int64_t id = ((const probe_def *)def)->id;
    vec3 size = v3_sub(view->world->domain.upper, view->world->domain.lower);
    const double length[3] = {size.x, size.y, size.z};
    row[0] = view->world->clock.time;
    for (int k = 1; k < 13; k++) row[k] = NAN;
    for (size_t i = 0; i < b->table.count; i++) {
        if (b->id[i] != id) continue;
        for (int d = 0; d < 3; d++) {
            row[1 + d] = b->place[4 * i + d] + b->image[4 * i + d] * length[d];
            row[4 + d] = b->motion[4 * i + d];
            row[7 + d] = b->spin[4 * i + d];
            row[10 + d] = b->load[8 * i + d];
        }
    }
}

static void check(const scr_world *world, const void *def, scree_place at, scree_report *report)
{
    int64_t id = ((const probe_def *)def)->id;
    for (size_t i = 0; i < world->bodies.table.count; i++)
        if (world->bodies.id[i] == id) return;
    scr_warn(report, at, "there is no grain %lld to follow: its columns will be not-a-number",
             (long long)id);
}

static const scr_param params[] = {
    {"id", NULL, SCR_INT, "", NULL, ">= 1", offsetof(probe_def, id), "Id of the grain to follow.",
     NULL},
    {0},
};

const scr_observer scr_probe_observer = {
    .variant = {"probe", "Follows one grain: position, velocity, spin, contact force.", params,
                sizeof(probe_def)},
    .columns = columns,
    .check = check,
    .sample = sample,
};
