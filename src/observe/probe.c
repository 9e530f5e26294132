/* A probe follows one grain, or the centre of mass of a group. */
#include "observe/observer.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "comm/share.h"

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
    char *group;
} probe_def;

static bool is_followed(const scr_world *w, const probe_def *def, int group, size_t i)
{
    return def->group ? w->bodies.group[i] == group : w->bodies.id[i] == def->id;
}

// what is added up, weighted with mass: place and velocities; plain: force and torque
static void add(const scr_world *w, size_t i, double sum[15])
{
    const scr_bodies *b = &w->bodies;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    for (int d = 0; d < 3; d++) {
        sum[d] += b->mass[i] * (b->place[4 * i + d] + b->image[4 * i + d] * (&size.x)[d]);
        sum[3 + d] += b->mass[i] * b->motion[4 * i + d];
        sum[6 + d] += b->mass[i] * b->spin[4 * i + d];
        sum[9 + d] += b->load[8 * i + d];
        sum[12 + d] += b->load[8 * i + 4 + d];
    }
}

// one grain: its numbers as they are
static void take(const scr_world *w, size_t i, double row[15])
{
    const scr_bodies *b = &w->bodies;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    for (int d = 0; d < 3; d++) {
        row[d] = b->place[4 * i + d] + b->image[4 * i + d] * (&size.x)[d];
        row[3 + d] = b->motion[4 * i + d];
        row[6 + d] = b->spin[4 * i + d];
        row[9 + d] = b->load[8 * i + d];
        row[12 + d] = b->load[8 * i + 4 + d];
    }
}

// grains in the order of ids, so that sums do not depend on rows; those that have left give NaN
static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    const scr_world *w = view->world;
    const probe_def *d = def;
    size_t n = w->bodies.table.count, count = 0, last = 0;
    int group = scr_observer_group(w, d->group);
    double mass = 0, sum[15] = {0};
    row[0] = w->clock.time;
    for (int k = 1; k < 16; k++) row[k] = NAN;
    for (size_t i = 0; i < n; i++)
        if (is_followed(w, d, group, i)) last = i, count++;
    if (count == 1) take(w, last, row + 1);
    if (count < 2) return true;
    uint32_t *order = scr_memory_new(n, sizeof *order);
    if (!order) return false;
    scr_bodies_by_id(&w->bodies, order);
    for (size_t k = 0; k < n; k++)
        if (is_followed(w, d, group, order[k])) add(w, order[k], sum), mass += w->bodies.mass[order[k]];
    for (int k = 0; k < 15; k++) row[1 + k] = k < 9 ? sum[k] / mass : sum[k];
    scr_memory_free(order);
    return true;
}

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const probe_def *d = item->variant_def;
    if (!d->id == !d->group) {
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, d->id ? "group" : NULL), "observers.%s: give %s",
                 item->name, d->id ? "id or group, not both" : "the id of a grain, or a group of bodies");
        return;
    }
    int errors = report->errors;
    scr_observer_check_group(world, scene, item, d->group, report);
    if (report->errors > errors) return;
    int group = scr_observer_group(world, d->group);
    bool found = false;
    for (size_t i = 0; i < world->bodies.table.count && !found; i++) found = is_followed(world, d, group, i);
    if (scr_share_any(world->share, found)) return;
    char what[100];
    if (d->group)
        snprintf(what, sizeof what, "no grain of group %.60s", d->group);
    else
        snprintf(what, sizeof what, "no grain %lld", (long long)d->id);
    scr_warn(report, scr_item_place(scene, item, d->group ? "group" : "id"),
             "there is %s to follow: its columns will be not-a-number until there is one", what);
}

static const scr_param params[] = {
    {"id", NULL, SCR_INT, "", "", ">= 1", offsetof(probe_def, id), "Id of the grain to follow. Give id or group.",
     NULL},
    {"group", NULL, SCR_TEXT, NULL, "", NULL, offsetof(probe_def, group),
     "Group of bodies to follow. Of several grains: centre of mass, mean velocities weighted with mass, and the sums "
     "of forces and torques.",
     NULL},
    {0},
};

const scr_observer scr_probe_observer = {
    .variant = {"probe", "Follows one grain, or a group: position, velocity, spin, force and torque of the contacts.",
                params, sizeof(probe_def)},
    .columns = columns,
    .check = check,
    .sample = sample,
};
