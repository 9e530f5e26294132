#include "run/servos.h"

#include <math.h>

// what limits it: its speed, or a sample that yields as fast as the error drives it
static const char *remedy(const scr_servo_state *s, bool integral)
{
    if (s->worst_bound > 0.25 && fabs(s->worst_swing) < 0.5 * s->worst_bound)
        return "the wall went to and fro at max_speed: a smaller gain steadies it";
    if (s->worst_bound > 0.5)
        return "the wall moved at max_speed most of that time: a larger one helps, or a slower process";
    if (!integral) return "integral_time removes the error that a yielding sample leaves; a larger gain reduces it";
    return "a shorter integral_time helps, a larger gain, or a slower process";
}

static void judge_mean(const scr_wall *wall, scree_report *report)
{
    const scr_servo_state *s = &wall->held;
    double part = s->missed / s->held, off = s->worst_force / s->worst_target - 1;
    scr_warn(report, SCR_NOWHERE,
             "walls.%s.servo missed its target by more than %g %% during %.3g %% of the time since it was first "
             "reached; at %.6g s it held %.4g N on average for %.4g N asked (%+.3g %%); %s",
             wall->name, 100 * SCR_SERVO_MISS, 100 * part, s->worst_time, s->worst_force, s->worst_target, 100 * off,
             remedy(s, isfinite(wall->motion.control.integral)));
}

void scr_servos_judge(const scr_world *world, scree_report *report)
{
    for (int k = 0; k < world->wall_count; k++) {
        const scr_wall *wall = &world->walls[k];
        if (!wall->motion.servo || !wall->active) continue;
        double target = scr_servo_target(&wall->motion.control, &wall->held, world->clock.time);
        if (wall->held.missed > 0) judge_mean(wall, report);
        if (!wall->held.reached && target > 0)
            scr_warn(report, SCR_NOWHERE,
                     "walls.%s.servo never reached its target, %.4g N: the largest force was %.4g N. A longer run, or "
                     "a larger max_speed",
                     wall->name, target, wall->held.strongest);
    }
}
