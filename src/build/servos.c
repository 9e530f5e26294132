#include "build/servos.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "build/origin.h"
#include "build/signals.h"

static int wall_index(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->wall_count; k++)
        if (!strcmp(w->walls[k].name, name)) return k;
    return -1;
}

/* ---- the area between walls ---- */

static scree_status refuse_wall(const scr_world *w, const scr_scene *scene, const scr_item *item, const char *name,
                                scree_report *report)
{
    scr_nearest nearest = {.wanted = name};
    for (int k = 0; k < w->wall_count; k++) scr_nearest_offer(&nearest, w->walls[k].name);
    return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "servo"),
                    "walls.%s.servo.between names '%.60s', which is not defined under walls%s%s%s", item->name, name,
                    nearest.found ? ", did you mean '" : "", nearest.found ? nearest.found : "",
                    nearest.found ? "'?" : "");
}

static bool is_flat(const scr_wall *wall)
{
    return !strcmp(wall->shape, "plane") || !strcmp(wall->shape, "rectangle");
}

// one pair of walls: its faces
static scree_status find_pair(const scr_world *w, const scr_scene *scene, const scr_item *item, char *const names[2],
                              int faces[2], scree_report *report)
{
    for (int k = 0; k < 2; k++) {
        int wall = wall_index(w, names[k]);
        if (wall < 0) return refuse_wall(w, scene, item, names[k], report);
        if (!is_flat(&w->walls[wall]))
            return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "servo"),
                            "walls.%s.servo.between names %s, which is a %s: it must be a plane or a rectangle",
                            item->name, names[k], w->walls[wall].shape);
        faces[k] = w->walls[wall].first_face;
    }
    if (v3_norm(v3_cross(w->faces[faces[0]].axis, w->faces[faces[1]].axis)) > 1e-9)
        return scr_fail(
            report, SCREE_E_INPUT, scr_item_place(scene, item, "servo"),
            "walls.%s.servo.between: %s and %s are not parallel, so the distance between them is not defined",
            item->name, names[0], names[1]);
    return SCREE_OK;
}

static scree_status check_area(const scr_scene *scene, const scr_item *item, const scr_wall_servo_def *d,
                               scree_report *report)
{
    const scr_texts *walls = &d->between;
    scree_place at = scr_item_place(scene, item, "servo");
    if (walls->count != 2 && walls->count != 4)
        return scr_fail(report, SCREE_E_INPUT, at, "walls.%s.servo.between names %d walls, it takes two or four",
                        item->name, walls->count);
    if (isnan(d->pressure))
        return scr_fail(report, SCREE_E_INPUT, at,
                        "walls.%s.servo.between gives the area on which a pressure acts, but no pressure is given",
                        item->name);
    if (!isnan(d->area))
        return scr_fail(report, SCREE_E_INPUT, at, "walls.%s.servo has area and between, give one of them", item->name);
    if ((walls->count == 2) == isnan(d->width))
        return scr_fail(report, SCREE_E_INPUT, at,
                        walls->count == 2
                            ? "walls.%s.servo.between names one pair of walls: it needs width, the length "
                              "of the area across them"
                            : "walls.%s.servo.width is given, but between names two pairs of walls",
                        item->name);
    return SCREE_OK;
}

static scree_status set_area(scr_world *w, const scr_scene *scene, const scr_item *item, scr_servo *servo,
                             const scr_wall_servo_def *d, scree_report *report)
{
    scree_status status = SCREE_OK;
    if (!d->between.count && isnan(d->width)) return SCREE_OK;
    if (!d->between.count)
        return scr_fail(
            report, SCREE_E_INPUT, scr_item_place(scene, item, "servo"),
            "walls.%s.servo.width is given without between, the two walls whose distance times width is the area",
            item->name);
    status = check_area(scene, item, d, report);
    servo->pairs = d->between.count / 2;
    servo->width = d->width;
    for (int k = 0; k < servo->pairs && !status; k++)
        status = find_pair(w, scene, item, d->between.items + 2 * k, servo->between[k], report);
    return status;
}

/* ---- servos ---- */

static scree_status set_servo(scr_world *w, const scr_scene *scene, const scr_item *item, scr_wall *wall,
                              const scr_wall_servo_def *d, scree_report *report)
{
    scr_servo *s = &wall->motion.control;
    double origin = scr_origin(w, scene, "walls", item->name);
    char path[160];
    snprintf(path, sizeof path, "walls.%.100s.servo.signal", item->name);
    scree_status status =
        scr_signal_read(scene, &((const scr_wall_def *)item->def)->servo, &d->signal, path, origin, &s->signal, report);
    if (!status) status = set_area(w, scene, item, s, d, report);
    if (!status && d->ramp > 0 && d->signal.variant)
        status = scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "servo"),
                          "walls.%s.servo has ramp and signal, give one of them", item->name);
    if (status) return status;
    s->axis = v3_unit(d->axis);
    s->target = !isnan(d->force) ? d->force : s->pairs ? d->pressure : d->pressure * d->area;
    s->most = d->max_speed;
    if (d->ramp > 0) s->signal = (scr_signal){.kind = SCR_SIGNAL_RAMP, .start = origin, .duration = d->ramp};
    s->integral = isnan(d->integral_time) ? INFINITY : d->integral_time;
    return SCREE_OK;
}

// full speed where all of the largest force is missing
static double auto_gain(const scr_servo *s, const scr_servo_state *state)
{
    double most = s->target * state->area * scr_signal_most(&s->signal);
    return most > 0 ? s->most / most : s->most;
}

// in any stage
static bool is_governed(const scr_scene *scene, const char *name)
{
    int count = scr_scene_stage_count(scene);
    for (int k = 0; k < count; k++) {
        const scr_item *wall = scr_scene_find(scr_scene_stage(scene, k), "walls", name);
        if (wall && ((const scr_wall_def *)wall->def)->servo.def) return true;
    }
    return false;
}

scree_status scr_build_servos(scr_world *w, const scr_scene *scene, scree_report *report)
{
    const scr_items *items = scr_scene_items(scene, "walls");
    scree_status status = SCREE_OK;
    for (int k = 0; k < items->count; k++) {
        const scr_wall_def *def = items->items[k].def;
        scr_wall *wall = &w->walls[k];
        wall->governed = def->servo.def || is_governed(scene, wall->name);
        if (!def->servo.def) continue;
        wall->motion.servo = true;
        scree_status one = set_servo(w, scene, &items->items[k], wall, def->servo.def, report);
        if (one) status = one;
    }
    if (!status) scr_servos_measure(w);
    for (int k = 0; k < items->count && !status; k++) {
        scr_wall *wall = &w->walls[k];
        if (!wall->motion.servo) continue;
        const scr_wall_servo_def *d = ((const scr_wall_def *)items->items[k].def)->servo.def;
        wall->motion.control.gain = isnan(d->gain) ? auto_gain(&wall->motion.control, &wall->held) : d->gain;
        scr_wall_init(wall, w->clock.time);
    }
    return status;
}
