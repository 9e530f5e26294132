#include "world/servo.h"

#include <math.h>

#include "base/digest.h"
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
    return s->target * state->area * scr_signal_at(&s->signal, time);
}

double scr_servo_force(const scr_servo *s, vec3 force)
{
    return -v3_dot(force, s->axis);
}

double scr_servo_step(const scr_servo *s, scr_servo_state *state, vec3 force, double time, double dt)
{
    double target = scr_servo_target(s, state, time), f = scr_servo_force(s, force), error = target - f;
    double u = s->gain * (error + state->push);
    bool high = u > s->most, low = u < -s->most;
    bool met = f > 0 || state->strongest > 0;
    if (met && !(high && error > 0) && !(low && error < 0)) state->push += error * (dt / s->integral);
    if (f > state->strongest) state->strongest = f;
    if (target > 0 && f >= (1 - SCR_SERVO_MISS) * target && !(state->reached > 0)) state->reached = 1;
    state->span += dt, state->force_sum += f * dt, state->target_sum += target * dt;
    if (high || low) state->bound += dt, state->swing += high ? dt : -dt;
    return high ? s->most : low ? -s->most : u;
}

/* ---- all servos of a world ---- */

// between two planes, along the normal of the first
static double distance(const scr_world *w, const int faces[2])
{
    const scr_face *a = &w->faces[faces[0]], *b = &w->faces[faces[1]];
    const pose *p = &w->walls[a->wall].pose, *q = &w->walls[b->wall].pose;
    return fabs(v3_dot(pose_vector(p, a->axis), v3_sub(pose_point(q, b->point), pose_point(p, a->point))));
}

static double area_of(const scr_world *w, const scr_servo *s)
{
    if (!s->pairs) return 1;
    return distance(w, s->between[0]) * (s->pairs > 1 ? distance(w, s->between[1]) : s->width);
}

void scr_servos_measure(scr_world *w)
{
    for (int k = 0; k < w->wall_count; k++)
        if (w->walls[k].motion.servo) w->walls[k].held.area = area_of(w, &w->walls[k].motion.control);
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
