#include "world/servo.h"

#include <math.h>

#include "base/digest.h"
#include "world/servo_text.h"
#include "world/world.h"

uint64_t scr_servo_digest(uint64_t h, const scr_servo *s)
{
    const scr_signal *f = &s->signal;
    const double numbers[] = {s->axis.x, s->axis.y, s->axis.z,   s->target,    s->gain,  s->most,  s->integral, f->kind,
                              f->start,  f->until,  f->duration, f->frequency, f->phase, s->pairs, s->width};
    h = scr_digest_bytes(h, numbers, sizeof numbers);
    if (s->pairs) h = scr_digest_bytes(h, s->between, sizeof s->between);
    return f->rows ? scr_digest_bytes(h, f->table, 2 * (size_t)f->rows * sizeof *f->table) : h;
}

void scr_servo_deinit(scr_servo *servo)
{
    scr_signal_deinit(&servo->signal);
}

double scr_servo_target(const scr_servo *s, const scr_servo_state *state, double time)
{
    return servo_target(s, state, scr_signal_at(&s->signal, time));
}

double scr_servo_force(const scr_servo *s, vec3 force)
{
    return servo_force(s, force);
}

double scr_servo_step(const scr_servo *s, scr_servo_state *state, vec3 force, double time, double dt)
{
    return servo_step(s, state, force, scr_signal_at(&s->signal, time), dt);
}

/* ---- all servos of a world ---- */

void scr_servos_measure(scr_world *w)
{
    for (int k = 0; k < w->wall_count; k++)
        if (w->walls[k].motion.servo)
            w->walls[k].held.area = servo_area(w->faces, w->walls, &w->walls[k].motion.control);
}

static void look(scr_servo_state *s, double time)
{
    double mean = s->force_sum, wanted = s->target_sum, worst = fabs(s->worst_force - s->worst_target);
    // the interval in which it was reached does not count
    if (s->reached > 1 && wanted > 0) {
        s->held += s->span;
        if (fabs(mean - wanted) > SCR_SERVO_MISS * wanted) {
            s->missed += s->span;
            // by most, each measured by its own target
            if (fabs(mean - wanted) * s->worst_target >= worst * wanted) {
                s->worst_force = mean / s->span, s->worst_target = wanted / s->span;
                s->worst_time = time, s->worst_bound = s->bound / s->span;
                s->worst_swing = s->swing / s->span;
            }
        }
    }
    if (s->reached > 0) s->reached = 2;
    s->span = s->force_sum = s->target_sum = s->bound = s->swing = 0;
}

void scr_servos_look(scr_world *w)
{
    for (int k = 0; k < w->wall_count; k++)
        if (w->walls[k].motion.servo && w->walls[k].held.span > 0) look(&w->walls[k].held, w->clock.time);
    for (int k = 0; k < SCR_BOX_PARTS; k++)
        if (w->box.plan.how[k] == SCR_BOX_STRESS && w->box.held[k].span > 0) look(&w->box.held[k], w->clock.time);
}
