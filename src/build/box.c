#include "build/box.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "build/origin.h"
#include "build/signals.h"
#include "collide/box.h"
#include "comm/comm.h"
#include "kernel/potential.h"

#define INERTIAL 1e-3 /* number of a process that is slow */
#define SLOW     20   /* contact times in which grains at rest answer at most, */
#define FAST     5    /* and at least */
#define INTEGRAL 10   /* answers in which the rest is made up for */

static const scr_deform_def *deform_of(const scr_scene *scene)
{
    return ((const scr_domain_def *)scr_scene_def(scene, "domain"))->deform.def;
}

typedef struct {
    const scr_scene *scene;
    const scr_item *item; /* deform */
    scree_report *report;
} asker;

#define FAIL(a, key, ...) scr_fail((a)->report, SCREE_E_INPUT, scr_item_place((a)->scene, (a)->item, key), __VA_ARGS__)

/* ---- what cannot be together with it ---- */

// whether some image may move along this axis
static bool moves_along(const scr_box_plan *plan, int axis)
{
    static const int parts[3][3] = {{0, 3, 4}, {1, 5, 5}, {2, 2, 2}};
    bool moves = false;
    for (int k = 0; k < 3; k++) moves |= plan->how[parts[axis][k]] != SCR_BOX_FREE;
    return moves;
}

static void refuse_gravity(const asker *a, const scr_world *w)
{
    const scr_box_plan *plan = &w->box.plan;
    vec3 g = scr_gravity_extent(w);
    for (int d = 0; d < 3; d++)
        if (moves_along(plan, d) && (&g.x)[d] != 0)
            FAIL(a, NULL,
                 "domain.deform moves periodic images along %c, but gravity has a component of %.4g m/s^2 there: "
                 "images would differ in height; use gravity: [0, 0, 0]",
                 "xyz"[d], (&g.x)[d]);
}

static void refuse_items(const asker *a, const char *section, const char *why)
{
    const scr_items *items = scr_scene_items(a->scene, section);
    if (items->count)
        scr_fail(a->report, SCREE_E_INPUT, scr_item_place(a->scene, &items->items[0], NULL),
                 "%s.%s cannot be used with domain.deform: %s", section, items->items[0].name, why);
}

static void refuse_groups(const asker *a, const scr_world *w)
{
    const scr_items *groups = scr_scene_items(a->scene, "bodies");
    for (int g = 0; g < w->group_count; g++)
        if (scr_group_held(&w->groups[g]))
            scr_fail(a->report, SCREE_E_INPUT, scr_item_place(a->scene, &groups->items[g], NULL),
                     "bodies.%s %s, but domain.deform carries all grains with the domain", w->groups[g].name,
                     w->groups[g].frozen ? "is frozen" : "moves as prescribed");
    for (int g = 0; g < groups->count; g++)
        if (groups->items[g].variant && !strcmp(groups->items[g].variant->name, "inlet"))
            scr_fail(a->report, SCREE_E_INPUT, scr_item_place(a->scene, &groups->items[g], "from"),
                     "bodies.%s is an inlet, which cannot be used with domain.deform", groups->items[g].name);
}

static void refuse_observers(const asker *a)
{
    const scr_items *items = scr_scene_items(a->scene, "observers");
    for (int k = 0; k < items->count; k++)
        if (items->items[k].variant && !strcmp(items->items[k].variant->name, "flow"))
            scr_fail(a->report, SCREE_E_INPUT, scr_item_place(a->scene, &items->items[k], NULL),
                     "observers.%s measures the flow through a fixed plane, which cannot be used with domain.deform; "
                     "the observers box, profile and fields follow the domain",
                     items->items[k].name);
}

static void refuse(const asker *a, const scr_step *step)
{
    const scr_world *w = step->world;
    if (!step->traits.deforms || step->traits.load_steps)
        FAIL(a, NULL, "domain.deform: the integrator %s does not support it; soft and variational do",
             step->traits.load_steps ? "of scree equilibrate" : step->stepper->variant.name);
    if (scr_comm_world()->size > 1)
        FAIL(a, NULL,
             "domain.deform runs on one rank only, but there are %d: start it without mpirun, with as many --threads "
             "as there are cores",
             scr_comm_world()->size);
    refuse_items(a, "walls", "the box replaces walls; for a sample between walls use servo walls");
    refuse_items(a, "outlets", "not supported");
    refuse_items(a, "solids", "cells have no images that move");
    refuse_groups(a, w);
    refuse_observers(a);
    refuse_gravity(a, w);
}

/* ---- what it shall do ---- */

// the axes of a part are periodic
static bool has_axes(const asker *a, const scr_world *w, const char *key, int k)
{
    for (const char *axis = scr_box_names[k]; *axis; axis++)
        if (!w->domain.periodic[*axis - 'x']) {
            FAIL(a, key, "domain.deform.%s.%s: the domain is not periodic along %c; give domain.periodic", key,
                 scr_box_names[k], *axis);
            return false;
        }
    return true;
}

static void set_parts(const asker *a, scr_world *w, const scr_deform_def *d)
{
    scr_box_plan *plan = &w->box.plan;
    const scr_tensor_def *rate = d->rate.def, *stress = d->stress.def;
    bool any = false;
    for (int k = 0; k < SCR_BOX_PARTS; k++) {
        bool rated = rate && !isnan(rate->part[k]), held = stress && !isnan(stress->part[k]);
        any |= rated || held;
        if (rated && held)
            FAIL(a, "stress", "domain.deform has %s in rate and in stress, give one of them", scr_box_names[k]);
        if ((rated && !has_axes(a, w, "rate", k)) || (held && !has_axes(a, w, "stress", k))) continue;
        plan->how[k] = rated ? SCR_BOX_RATE : held ? SCR_BOX_STRESS : SCR_BOX_FREE;
        plan->rate[k] = rated ? rate->part[k] : 0;
        if (!held) continue;
        plan->sign[k] = stress->part[k] < 0 ? -1 : 1;
        plan->servo[k].target = fabs(stress->part[k]);
        plan->servo[k].axis = v3(1, 0, 0);
    }
    if (!any) FAIL(a, NULL, "domain.deform names no component: give rate or stress, for example rate: {xz: 1 1/s}");
}

static scree_status set_signals(const asker *a, scr_world *w, const scr_deform_def *d, double origin)
{
    scr_box_plan *plan = &w->box.plan;
    scree_status status =
        scr_signal_read(a->scene, a->item, &d->signal, "domain.deform.signal", origin, &plan->signal, a->report);
    for (int k = 0; k < SCR_BOX_PARTS && !status; k++)
        if (plan->how[k] == SCR_BOX_STRESS)
            status = scr_signal_read(a->scene, a->item, &d->stress_signal, "domain.deform.stress_signal", origin,
                                     &plan->servo[k].signal, a->report);
    return status;
}

scree_status scr_build_box(scr_step *step, const scr_scene *scene, scree_report *report)
{
    scr_world *w = step->world;
    const scr_deform_def *d = deform_of(scene);
    scr_box_begin(w);
    if (!d) return SCREE_OK;
    const asker a = {scene, &((const scr_domain_def *)scr_scene_def(scene, "domain"))->deform, report};
    int before = report->errors;
    double origin = scr_origin(w, scene, "domain", "deform");
    scr_box_plan *plan = &w->box.plan;
    w->domain.box.deforms = plan->given = true;
    plan->since = d->since + origin, plan->until = isnan(d->until) ? INFINITY : d->until + origin;
    if (plan->until <= plan->since)
        FAIL(&a, "until", "domain.deform.until is %g s, must be after since, %g s", d->until, d->since);
    set_parts(&a, w, d);
    scree_status status = set_signals(&a, w, d, origin);
    refuse(&a, step);
    scr_box_list(w, true);
    return status ? status : report->errors > before ? SCREE_E_INPUT : SCREE_OK;
}

/* ---- what follows from the grains ---- */

/* Sums over all grains that do not depend on their order. */
typedef struct {
    double radius, mass, density; /* means */
} grain;

static grain mean_grain(const scr_world *w)
{
    const scr_bodies *b = &w->bodies;
    scr_exact radius = 0, mass = 0, volume = 0;
    double n = (double)b->table.count;
    for (size_t i = 0; i < b->table.count; i++) {
        double r = b->place[4 * i + 3];
        radius += scr_exact_of(r), mass += scr_exact_of(b->mass[i]), volume += scr_exact_of(4.0 / 3 * M_PI * r * r * r);
    }
    return (grain){scr_exact_value(radius) / n, scr_exact_value(mass) / n,
                   scr_exact_value(mass) / scr_exact_value(volume)};
}

// how the force of a contact grows with its overlap where it is as given
static double stiffness_at(const scr_law *law, double force, double radius)
{
    double low = 0, high = radius;
    for (int k = 0; k < 200; k++) {
        double middle = 0.5 * (low + high);
        if (contact_push_of(law, middle, 2 / radius).force < force)
            low = middle;
        else
            high = middle;
    }
    return (contact_push_of(law, 1.01 * high, 2 / radius).force - contact_push_of(law, high, 2 / radius).force) /
           (0.01 * high);
}

static double largest_stress(const scr_box_plan *plan)
{
    double most = 0;
    for (int k = 0; k < SCR_BOX_PARTS; k++)
        if (plan->how[k] == SCR_BOX_STRESS)
            most = fmax(most, plan->servo[k].target * scr_signal_most(&plan->servo[k].signal));
    return most;
}

// the modulus of a packing is about the stiffness of its contacts over their distance
static void choose(scr_world *w, const scr_deform_def *d, double chosen[3])
{
    grain mean = mean_grain(w);
    int material = w->bodies.material[0];
    const scr_law *law = scr_world_law(w, material, material);
    double stress = largest_stress(&w->box.plan), across = 2 * mean.radius;
    double modulus = stiffness_at(law, stress * across * across, mean.radius) / across;
    if (!(stress > 0)) stress = 1e-4 * modulus;
    double contact = M_PI * sqrt(0.5 * mean.mass / (modulus * across));
    double least = 4 * SCR_BOX_EVERY * w->clock.dt;
    double slow = 1 / (modulus * fmax(SLOW * contact, least)), fast = 1 / (modulus * fmax(FAST * contact, least));
    chosen[0] = isnan(d->max_rate) ? INERTIAL * sqrt(stress / mean.density) / across : d->max_rate;
    // the largest rate where all is missing, if that is neither too fast nor too slow
    chosen[1] = isnan(d->gain) ? fmin(fmax(chosen[0] / stress, slow), fast) : d->gain;
    chosen[2] = isnan(d->integral_time) ? INTEGRAL / (modulus * chosen[1]) : d->integral_time;
    scr_say("domain.deform: stresses are held with rates up to %.4g 1/s, gain %.4g 1/Pa/s, integral time %.4g s%s",
            chosen[0], chosen[1], chosen[2],
            isnan(d->max_rate) ? " (an inertial number of 1e-3; max_rate and gain change it)" : "");
}

void scr_choose_box(scr_world *w, const scr_scene *scene, bool keep)
{
    scr_box_plan *plan = &w->box.plan;
    double *chosen = w->box.now.chosen;
    if (!plan->given || !scr_box_governed(plan) || !w->bodies.table.count) return;
    if (!keep || !(chosen[0] > 0)) choose(w, deform_of(scene), chosen);
    for (int k = 0; k < SCR_BOX_PARTS; k++)
        plan->servo[k].most = chosen[0], plan->servo[k].gain = chosen[1], plan->servo[k].integral = chosen[2];
}
