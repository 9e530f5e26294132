#include "run/servos.h"

#include <math.h>
#include <stdio.h>

/* A servo as messages name it. */
typedef struct {
    char name[120];
    const char *unit, *what, *bound; /* of the force, what moves, and its largest speed */
    const scr_servo *servo;
    const scr_servo_state *state;
} servo_name;

// what limits it: its speed, or a sample that yields as fast as the error drives it
static void remedy(const servo_name *n, char *words, size_t size)
{
    const scr_servo_state *s = n->state;
    if (s->worst_bound > 0.25 && fabs(s->worst_swing) < 0.5 * s->worst_bound)
        snprintf(words, size, "the %s oscillated at %s: a smaller gain steadies it", n->what, n->bound);
    else if (s->worst_bound > 0.5)
        snprintf(words, size, "the %s moved at %s most of that time: a larger one helps, or a slower process", n->what,
                 n->bound);
    else if (isinf(n->servo->integral))
        snprintf(words, size,
                 "integral_time removes the error that a yielding sample leaves; a larger gain reduces it");
    else
        snprintf(words, size, "a shorter integral_time helps, a larger gain, or a slower process");
}

static void judge(const servo_name *n, double time, scree_report *report)
{
    const scr_servo_state *s = n->state;
    double target = scr_servo_target(n->servo, s, time);
    char words[160];
    remedy(n, words, sizeof words);
    if (s->missed > 0)
        scr_warn(report, SCR_NOWHERE,
                 "%s missed its target by more than %g %% during %.3g %% of the time since it was first "
                 "reached; at %.6g s it held %.4g %s on average instead of %.4g %s (%+.3g %%); %s",
                 n->name, 100 * SCR_SERVO_MISS, 100 * s->missed / s->held, s->worst_time, s->worst_force, n->unit,
                 s->worst_target, n->unit, 100 * (s->worst_force / s->worst_target - 1), words);
    if (!s->reached && target > 0 && !(s->strongest > 0))
        scr_warn(report, SCR_NOWHERE,
                 "%s never reached its target, %.4g %s: nothing pushed against it. Check that `axis` is the direction "
                 "in which it presses; else use a longer run or a larger %s",
                 n->name, target, n->unit, n->bound);
    else if (!s->reached && target > 0)
        scr_warn(report, SCR_NOWHERE,
                 "%s never reached its target, %.4g %s: the largest %s was %.4g %s. Use a longer run or a larger %s",
                 n->name, target, n->unit, *n->unit == 'N' ? "force" : "stress", s->strongest, n->unit, n->bound);
}

void scr_servos_judge(const scr_world *world, scree_report *report)
{
    for (int k = 0; k < world->wall_count; k++) {
        const scr_wall *wall = &world->walls[k];
        if (!wall->motion.servo || !wall->active) continue;
        servo_name n = {
            .unit = "N", .what = "wall", .bound = "max_speed", .servo = &wall->motion.control, .state = &wall->held};
        snprintf(n.name, sizeof n.name, "walls.%.100s.servo", wall->name);
        judge(&n, world->clock.time, report);
    }
    for (int k = 0; k < SCR_BOX_PARTS; k++) {
        if (world->box.plan.how[k] != SCR_BOX_STRESS) continue;
        servo_name n = {.unit = "Pa",
                        .what = "box",
                        .bound = "max_rate",
                        .servo = &world->box.plan.servo[k],
                        .state = &world->box.held[k]};
        snprintf(n.name, sizeof n.name, "domain.deform.stress.%s", scr_box_names[k]);
        judge(&n, world->clock.time, report);
    }
}
