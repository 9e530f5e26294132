/* Walls as programs see and move them (scree/live.h). */
#include <math.h>
#include <string.h>

#include "run/simulation.h"

int scree_simulation_wall_count(const scree_simulation *s)
{
    return s->world.wall_count;
}

int scree_simulation_wall_find(const scree_simulation *s, const char *name)
{
    for (int k = 0; k < s->world.wall_count; k++)
        if (!strcmp(s->world.walls[k].name, name)) return k;
    return -1;
}

scree_wall scree_simulation_wall(const scree_simulation *s, int wall)
{
    const scr_wall *w = &s->world.walls[wall];
    const scr_motion *m = &w->motion;
    scree_wall out = {.name = w->name,
                      .shape = w->shape,
                      .material = s->world.materials[w->material].name,
                      .active = w->active,
                      .servo = m->servo,
                      .target = m->servo ? scr_servo_target(&m->control, &w->held, s->world.clock.time) : 0,
                      .measured = m->servo ? scr_servo_force(&m->control, w->force) : 0,
                      .travel = w->travel,
                      .own_rate = m->rate};
    v3_store(out.position, scr_wall_reference(w));
    v3_store(out.velocity, w->velocity);
    v3_store(out.spin, w->spin);
    v3_store(out.force, w->force);
    v3_store(out.torque, w->torque);
    v3_store(out.own_velocity, m->velocity);
    return out;
}

// the wall that is to be changed, or NULL and a message
static scr_wall *to_change(scree_simulation *s, int wall, bool finite, scree_report *report)
{
    scr_wall *w = wall >= 0 && wall < s->world.wall_count ? &s->world.walls[wall] : NULL;
    const char *why = !w ? NULL : w->carried ? "moves with a part" : !finite ? "got a number that is not finite" : NULL;
    if (!w)
        scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no wall of number %d, only 0 to %d", wall,
                 s->world.wall_count - 1);
    if (why) scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "wall %s cannot be set: it %s", w->name, why);
    if (w && !why && scr_wall_rests(w)) scr_wall_set_load(w); // it may do work from now on
    return why ? NULL : w;
}

// the motion goes on from where the wall is; lists that were made for another motion serve no longer
static scree_status go_on(scree_simulation *s, scr_wall *w)
{
    scr_wall_rebase(w, s->world.clock.time);
    w->motion_source = scr_motion_digest(&w->motion);
    s->world.clock.horizon = -1;
    return SCREE_OK;
}

scree_status scree_simulation_wall_velocity(scree_simulation *s, int wall, const double velocity[3],
                                            scree_report *report)
{
    scr_wall *w = to_change(s, wall, isfinite(velocity[0] + velocity[1] + velocity[2]), report);
    if (!w) return SCREE_E_INPUT;
    w->motion.velocity = v3_load(velocity);
    return go_on(s, w);
}

scree_status scree_simulation_wall_rate(scree_simulation *s, int wall, double rate, scree_report *report)
{
    scr_wall *w = to_change(s, wall, isfinite(rate), report);
    if (!w) return SCREE_E_INPUT;
    if (!w->motion.turns)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "wall %s has no axis of rotation: give it one in the scene",
                        w->name);
    w->motion.rate = rate;
    return go_on(s, w);
}

scree_status scree_simulation_wall_target(scree_simulation *s, int wall, double target, scree_report *report)
{
    scr_wall *w = to_change(s, wall, isfinite(target), report);
    if (!w) return SCREE_E_INPUT;
    if (!w->motion.servo)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "wall %s has no servo: give it one in the scene", w->name);
    // a force, whatever the scene gave: of a pressure its area is taken as it is now
    w->motion.control.target = target / (w->held.area > 0 ? w->held.area : 1);
    w->motion_source = scr_motion_digest(&w->motion);
    return SCREE_OK;
}
