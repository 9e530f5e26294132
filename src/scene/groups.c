/* Groups that move as prescribed, and groups that do not touch: the nested section `motion` of `bodies`
 * and what it and `ignores` say about other things. Keys are those of moving walls. */
#include <math.h>
#include <string.h>

#include "scene/scene_data.h"

#define AT(type, member) offsetof(type, member)

static const scr_param rotation_params[] = {
    {"point", NULL, SCR_VEC3, "m", "[0, 0, 0]", NULL, AT(scr_rotation_def, point),
     "A point of the axis; it travels with `velocity` and `oscillation`.", NULL},
    {"axis", NULL, SCR_VEC3, "", "[0, 0, 1]", NULL, AT(scr_rotation_def, axis),
     "Direction of the axis; need not be normalised.", NULL},
    {"rate", NULL, SCR_REAL, "rad/s", NULL, NULL, AT(scr_rotation_def, rate),
     "Angular velocity about the axis, right-handed.", NULL},
    {0}};

static const scr_param oscillation_params[] = {
    {"direction", NULL, SCR_VEC3, "", "[0, 0, 1]", NULL, AT(scr_oscillation_def, direction),
     "Direction of the motion; need not be normalised.", NULL},
    {"amplitude", NULL, SCR_REAL, "m", NULL, ">= 0", AT(scr_oscillation_def, amplitude),
     "Amplitude of the displacement.", NULL},
    {"frequency", NULL, SCR_REAL, "Hz", NULL, ">= 0", AT(scr_oscillation_def, frequency), "Frequency.", NULL},
    {"phase", NULL, SCR_REAL, "rad", "0", NULL, AT(scr_oscillation_def, phase),
     "Phase at the start; at 0 the displacement is zero and the speed largest.", NULL},
    {0}};

static const scr_section rotation = {.name = "rotation",
                                     .doc = "Rotation about an axis at a constant rate.",
                                     .params = rotation_params,
                                     .size = sizeof(scr_rotation_def)};
static const scr_section oscillation = {.name = "oscillation",
                                        .doc = "Sinusoidal oscillation.",
                                        .params = oscillation_params,
                                        .size = sizeof(scr_oscillation_def)};

static const scr_param motion_params[] = {
    {"velocity", NULL, SCR_VEC3, "m/s", "[0, 0, 0]", NULL, AT(scr_motion_def, velocity), "Velocity of the whole group.",
     NULL},
    {"rotation", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_motion_def, rotation),
     "Rotation of the group. Default: none.", &rotation},
    {"oscillation", NULL, SCR_NESTED, NULL, "", NULL, AT(scr_motion_def, oscillation),
     "Sinusoidal oscillation of the group. Default: none.", &oscillation},
    {"since", "from", SCR_REAL, "s", "0", ">= 0", AT(scr_motion_def, since),
     "The motion starts at this time; before it the grains are at rest.", NULL},
    {"until", NULL, SCR_REAL, "s", "", "> 0", AT(scr_motion_def, until),
     "The motion ends at this time; after it the grains are at rest. Default: never.", NULL},
    {0}};

const scr_section scr_section_motion = {
    .name = "motion",
    .doc = "Prescribed rigid-body motion of a group of grains: velocity, rotation and oscillation add "
           "up. Contacts do not deflect these grains; others bounce off them as off a moving wall.",
    .params = motion_params,
    .size = sizeof(scr_motion_def),
};

static void check_direction(const scr_scene *scene, const scr_item *item, const char *key, vec3 v, scree_report *report)
{
    if (v3_norm(v) > 0 && isfinite(v3_norm(v))) return;
    scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, key), "%s is [%g, %g, %g], must not be zero", key, v.x,
             v.y, v.z);
}

static void check_motion(const scr_scene *scene, const scr_item *group, scree_report *report)
{
    const scr_bodies_def *bodies = group->def;
    const scr_motion_def *motion = bodies->motion.def;
    if (!motion) return;
    if (bodies->frozen)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, group, "motion"),
                 "bodies.%s is frozen and has a motion, give one of them", group->name);
    if (motion->until <= motion->since)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &bodies->motion, "until"),
                 "bodies.%s.motion.until is %g s, must be later than since, %g s", group->name, motion->until,
                 motion->since);
    const scr_rotation_def *turn = motion->rotation.def;
    const scr_oscillation_def *swing = motion->oscillation.def;
    if (turn) check_direction(scene, &motion->rotation, "axis", turn->axis, report);
    if (swing) check_direction(scene, &motion->oscillation, "direction", swing->direction, report);
}

static void check_ignores(const scr_scene *scene, const scr_item *group, scree_report *report)
{
    const scr_texts *names = &((const scr_bodies_def *)group->def)->ignores;
    for (int k = 0; k < names->count; k++) {
        if (scr_scene_find(scene, "bodies", names->items[k])) continue;
        const scr_items *all = scr_scene_items(scene, "bodies");
        scr_nearest nearest = {.wanted = names->items[k]};
        for (int n = 0; n < all->count; n++)
            if (all->items[n].name) scr_nearest_offer(&nearest, all->items[n].name);
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, group, "ignores"),
                 "bodies.%s.ignores names %s, which is not defined under bodies%s%s%s", group->name,
                 scr_quote(names->items[k]).text, nearest.found ? ", did you mean '" : "",
                 nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
    }
}

void scr_groups_check(const scr_scene *scene, scree_report *report)
{
    const scr_items *groups = scr_scene_items(scene, "bodies");
    for (int k = 0; k < groups->count; k++) {
        if (!groups->items[k].name || !groups->items[k].def) continue;
        check_motion(scene, &groups->items[k], report);
        check_ignores(scene, &groups->items[k], report);
    }
}
