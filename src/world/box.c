#include "world/box.h"

#include <string.h>

#include "math/elementary.h"
#include "world/world.h"

const char *const scr_box_names[SCR_BOX_PARTS] = {"xx", "yy", "zz", "xy", "xz", "yz"};

void scr_box_plan_deinit(scr_box_plan *plan)
{
    scr_signal_deinit(&plan->signal);
    for (int k = 0; k < SCR_BOX_PARTS; k++) scr_servo_deinit(&plan->servo[k]);
}

void scr_box_edges(const scr_world *w, double edges[SCR_BOX_PARTS])
{
    v3_store(edges, v3_sub(w->domain.upper, w->domain.lower));
    memcpy(edges + 3, w->domain.box.tilt, 3 * sizeof *edges);
}

void scr_box_gradient(const double e[SCR_BOX_PARTS], const double s[SCR_BOX_PARTS], double g[SCR_BOX_PARTS])
{
    for (int d = 0; d < 3; d++) g[d] = s[d] / e[d];
    g[3] = (s[3] - g[0] * e[3]) / e[1];
    g[5] = (s[5] - g[1] * e[5]) / e[2];
    g[4] = (s[4] - g[0] * e[4] - g[3] * e[5]) / e[2];
}

void scr_box_speed(const double e[SCR_BOX_PARTS], const double g[SCR_BOX_PARTS], double s[SCR_BOX_PARTS])
{
    for (int d = 0; d < 3; d++) s[d] = g[d] * e[d];
    s[3] = g[0] * e[3] + g[3] * e[1];
    s[4] = g[0] * e[4] + g[3] * e[5] + g[4] * e[2];
    s[5] = g[1] * e[5] + g[5] * e[2];
}

void scr_box_gradient_now(const scr_world *w, double gradient[SCR_BOX_PARTS])
{
    double edges[SCR_BOX_PARTS];
    scr_box_edges(w, edges);
    scr_box_gradient(edges, w->domain.box.speed, gradient);
}

double scr_box_volume(const scr_world *w)
{
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    return size.x * size.y * size.z;
}

vec3 scr_box_centre(const scr_world *w)
{
    return v3_scale(0.5, v3_add(w->domain.lower, w->domain.upper));
}

void scr_box_strain(const scr_world *w, double strain[SCR_BOX_PARTS])
{
    double edges[SCR_BOX_PARTS];
    scr_box_edges(w, edges);
    for (int d = 0; d < 3; d++) {
        strain[d] = w->box.now.start[d] > 0 ? scr_log(edges[d] / w->box.now.start[d]) : 0;
        strain[3 + d] = w->box.now.shear[d];
    }
}

double scr_box_power(const scr_world *w)
{
    double gradient[SCR_BOX_PARTS], power = 0;
    scr_box_gradient_now(w, gradient);
    for (int k = 0; k < SCR_BOX_PARTS; k++) power += gradient[k] * w->box.now.sides[k];
    return power;
}

// the box moves straight on; shears are counted with the gradient half-way
void scr_box_move(scr_world *w, double dt)
{
    scr_domain *d = &w->domain;
    const double *speed = d->box.speed;
    double edges[SCR_BOX_PARTS], gradient[SCR_BOX_PARTS];
    scr_box_edges(w, edges);
    for (int k = 0; k < SCR_BOX_PARTS; k++) edges[k] += 0.5 * dt * speed[k];
    scr_box_gradient(edges, speed, gradient);
    for (int k = 0; k < 3; k++) {
        (&d->lower.x)[k] -= 0.5 * dt * speed[k];
        (&d->upper.x)[k] += 0.5 * dt * speed[k];
        d->box.tilt[k] += dt * speed[3 + k];
        w->box.now.shear[k] += dt * gradient[3 + k];
    }
}

bool scr_box_governed(const scr_box_plan *plan)
{
    bool any = false;
    for (int k = 0; k < SCR_BOX_PARTS; k++) any |= plan->how[k] == SCR_BOX_STRESS;
    return any;
}

// servos push with a pressure: where it is too high the box grows
static double answer(scr_world *w, int k, double stress, double dt)
{
    const scr_box_plan *plan = &w->box.plan;
    scr_servo_state *held = &w->box.held[k];
    held->area = 1;
    double u = scr_servo_step(&plan->servo[k], held, v3(-plan->sign[k] * stress, 0, 0), w->clock.time, dt);
    // on the way to its first meeting with the target all is missing, and there is nothing to make up for
    if (!(held->reached > 0)) held->push = 0;
    return -plan->sign[k] * u;
}

void scr_box_wish(scr_world *w, const double stress[SCR_BOX_PARTS], double dt, double gradient[SCR_BOX_PARTS])
{
    const scr_box_plan *plan = &w->box.plan;
    // in the middle of it; the ends of the window may lie on a step but for rounding
    double time = w->clock.time + 0.5 * dt;
    bool on = plan->given && time >= plan->since && time <= plan->until;
    for (int k = 0; k < SCR_BOX_PARTS; k++) {
        gradient[k] = 0;
        if (on && plan->how[k] == SCR_BOX_RATE) gradient[k] = plan->rate[k] * scr_signal_at(&plan->signal, time);
        if (on && plan->how[k] == SCR_BOX_STRESS) gradient[k] = answer(w, k, stress[k], dt);
    }
}

void scr_box_begin(scr_world *w)
{
    v3_store(w->box.now.start, v3_sub(w->domain.upper, w->domain.lower));
    memset(w->box.now.shear, 0, sizeof w->box.now.shear);
    memset(w->box.held, 0, sizeof w->box.held);
}

void scr_box_adopt(scr_world *w, const scr_world *from)
{
    if (!from->domain.box.deforms) return;
    w->domain.lower = from->domain.lower, w->domain.upper = from->domain.upper;
    w->domain.box = from->domain.box;
    w->box.now = from->box.now;
    memcpy(w->box.held, from->box.held, sizeof w->box.held);
}
