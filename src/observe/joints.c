/* Angle or distance of each joint, and the force, torque and power that it carries. */
#include "observe/joints.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    char *joint;
} joints_def;

static const scr_column time_column = {"time", "s", "time"};
static const scr_column joint_columns[] = {
    {"coordinate", "rad, m", "angle of a hinge, distance of a slider, since the start"},
    {"speed", "rad/s, m/s", "its rate over the last step"},
    {"fx", "N", "force of the joint on its second body"},
    {"fy", "N", "force of the joint on its second body"},
    {"fz", "N", "force of the joint on its second body"},
    {"tx", "N m", "torque of the joint on its second body, about the joint's point; with the motor's"},
    {"ty", "N m", "torque of the joint on its second body"},
    {"tz", "N m", "torque of the joint on its second body"},
    {"drive", "N m, N", "torque or force of the motor"},
    {"power", "W", "power of the motor"},
    {"error", "m", "distance of the two points that should be one"},
    {0},
};

static bool is_watched(const joints_def *def, const scr_joint *joint)
{
    return !def->joint || !strcmp(def->joint, joint->name);
}

// of one joint the columns are coordinate, ...; of all they are called elbow.coordinate, ...
static bool layout(const scr_world *world, const void *def, scr_series *series)
{
    const joints_def *d = def;
    if (!scr_series_column_add(series, &time_column, false)) return false;
    for (int k = 0; k < world->joint_count; k++) {
        if (!is_watched(d, &world->joints[k])) continue;
        for (const scr_column *c = joint_columns; c->name; c++) {
            char name[256];
            scr_column column = *c;
            snprintf(name, sizeof name, "%.240s.%s", world->joints[k].name, c->name);
            if (!d->joint) column.name = name;
            if (!scr_series_column_add(series, &column, false)) return false;
        }
    }
    return true;
}

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    const scr_world *w = view->world;
    *row++ = w->clock.time;
    for (int k = 0; k < w->joint_count; k++) {
        const scr_joint *j = &w->joints[k];
        if (!is_watched(def, j)) continue;
        *row++ = j->coordinate[0];
        *row++ = j->speed[0];
        for (int d = 0; d < 3; d++) *row++ = j->force[d];
        for (int d = 0; d < 3; d++) *row++ = j->torque[d];
        *row++ = j->drive[0];
        *row++ = j->power[0];
        *row++ = j->error[0];
    }
    return true;
}

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const joints_def *d = item->variant_def;
    scr_nearest nearest = {.wanted = d->joint ? d->joint : ""};
    if (!d->joint && !world->joint_count)
        scr_warn(report, scr_item_place(scene, item, NULL),
                 "observers.%s: there are no joints, its rows will contain only the time", item->name);
    if (!d->joint) return;
    for (int k = 0; k < world->joint_count; k++) {
        if (is_watched(d, &world->joints[k])) return;
        scr_nearest_offer(&nearest, world->joints[k].name);
    }
    scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "joint"),
             "observers.%s.joint is '%.60s', which is not defined under joints%s%s%s", item->name, d->joint,
             nearest.found ? ", did you mean '" : "", nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
}

static const scr_param params[] = {
    {"joint", NULL, SCR_TEXT, NULL, "", NULL, offsetof(joints_def, joint),
     "Name of one joint. Default: all joints, each column prefixed with the name of its joint.", NULL},
    {0},
};

const scr_observer scr_joints_observer = {
    .variant = {"joints", "Angle or distance of joints, their speed, and the forces and torques they carry.", params,
                sizeof(joints_def)},
    .layout = layout,
    .check = check,
    .sample = sample,
};
