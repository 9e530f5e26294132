/* How long implicit steps are: between two bounds, and such that no grain gets further in one than a part of the
 * smallest radius.
 *
 * The step of the clock is the longest; it is divided into parts of h = dt/2^level. A part begins with the lowest level
 * that keeps
 *
 *   v h + a h^2 <= motion r,                                                                                   (1)
 *
 * v being the speed of the fastest grain or wall and a the largest acceleration, but no more than gravity: a grain that
 * lies is held, one that is loose falls; what contacts do in an impact is over before a long step is. (1) is a guess; a
 * part in which a grain gets further than twice as far is not taken. All of it follows from the present state, so that
 * restarts need no memory of it. */
#include <math.h>
#include <stdio.h>

#include "step/variational/work.h"

#define MOTION 0.04 /* where the step is left to us */
#define BEYOND 2    /* times the motion that was asked for: the part is done again */

double scr_var_motion(const scr_variational_def *def, bool chosen)
{
    if (isnan(def->motion)) return chosen ? MOTION : 0;
    return def->motion < 0 ? 0 : def->motion;
}

int64_t scr_var_most_level(const scr_variational_def *def, double dt)
{
    double least = isnan(def->step_least) ? 0 : def->step_least * (1 - 1e-12);
    int64_t level = 0;
    while (level < def->halvings && ldexp(dt, (int)-level - 1) >= least) level++;
    return level;
}

bool scr_variational_adapts(const void *variational, double dt, bool chosen, char *words, size_t size)
{
    const scr_variational_def *def = variational;
    double motion = scr_var_motion(def, chosen);
    if (motion > 0)
        snprintf(words, size,
                 "steps of %.4g to %.4g s: divided where grains would move further than %g of the smallest radius",
                 ldexp(dt, (int)-scr_var_most_level(def, dt)), dt, motion);
    return motion > 0;
}

static double fastest_wall(const scr_world *world, double from, double span)
{
    double most = 0;
    for (int k = 0; k < world->wall_count; k++) {
        const scr_wall *wall = &world->walls[k];
        if (!wall->active || scr_wall_rests(wall)) continue;
        vec3 lower, upper;
        scr_world_wall_box(world, wall, &lower, &upper);
        double speed = scr_wall_fastest(wall, lower, upper, from, from + span);
        // a servo runs at full speed only until it meets grains
        if (wall->motion.servo) speed += v3_norm(wall->velocity) - wall->motion.control.most;
        most = fmax(most, speed);
    }
    return most;
}

int64_t scr_var_wanted_level(const var_work *w, double time, double way)
{
    const scr_world *world = w->world;
    const scr_bodies *b = &world->bodies;
    double speed2 = 0, pull2 = 0, most = v3_norm(world->gravity), h = world->clock.dt;
    for (size_t i = 0; i < b->table.count; i++) {
        const double *v = b->motion + 4 * i;
        speed2 = fmax(speed2, v3_dot(v3_load(v), v3_load(v)));
        vec3 a = v3_axpy(world->gravity, v[3], v3_load(b->load + 8 * i));
        if (v[3] > 0) pull2 = fmax(pull2, v3_dot(a, a));
    }
    double speed = fmax(sqrt(speed2), fastest_wall(world, time, h)), pull = fmin(sqrt(pull2), most);
    int64_t level = 0, last = scr_var_most_level(w->def, h);
    while (level < last && (speed + pull * h) * h > way) h *= 0.5, level++;
    return level;
}

bool scr_var_got_too_far(const var_work *w, double way)
{
    double most2 = 0;
    for (size_t i = 0; i < w->world->bodies.table.count; i++) {
        vec3 u = v3_load(w->rows.u + SCR_ROW * i);
        most2 = fmax(most2, v3_dot(u, u));
    }
    return w->sub.over * sqrt(most2) > BEYOND * way;
}

void scr_var_count_part(scr_tally *t, double h)
{
    t->part_least = t->parts ? fmin(t->part_least, h) : h;
    t->part_most = fmax(t->part_most, h);
    t->part_sum += h, t->parts++;
}
