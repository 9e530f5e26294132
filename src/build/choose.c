/* Time step and skin: derived from the scene where it says auto, and said aloud. */
#include <math.h>

#include "base/log.h"
#include "base/memory.h"
#include "build/bonds.h"
#include "build/build.h"
#include "collide/grid.h"
#include "comm/share.h"
#include "math/elementary.h"
#include "step/stepper.h"

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "the choice of a time step");
}

// of the points of a wall, at any time
static double wall_speed2(const scr_world *w, const scr_wall *wall)
{
    vec3 lower, upper;
    scr_world_wall_box(w, wall, &lower, &upper);
    double speed = scr_wall_fastest(wall, lower, upper, -INFINITY, INFINITY);
    // a servo runs at full speed only until it meets grains
    if (wall->motion.servo) speed -= wall->motion.control.most;
    return speed * speed;
}

// of bodies that move as prescribed, at any time
static double driven_speed(const scr_world *w)
{
    double fastest = 0;
    for (size_t i = 0; i < w->bodies.table.count; i++) {
        const scr_drive *drive = &w->groups[w->bodies.group[i]].drive;
        if (!drive->moves) continue;
        vec3 at = v3_load(w->bodies.place + 4 * i);
        fastest = fmax(fastest, scr_drive_fastest(drive, w->clock.time, at));
    }
    scr_share_most(w->share, &fastest, 1);
    return fastest;
}

// of the grains now, and of those that move as prescribed at any time
static double grain_speed2(const scr_world *w)
{
    double driven = driven_speed(w), fastest2 = driven * driven;
    for (size_t i = 0; i < w->bodies.table.count; i++) {
        vec3 v = v3_load(w->bodies.motion + 4 * i);
        fastest2 = fmax(fastest2, v3_dot(v, v));
    }
    for (size_t k = 0; k < w->cells.table.count; k++) {
        vec3 v = v3_load(w->cells.velocity + 4 * k);
        fastest2 = fmax(fastest2, v3_dot(v, v));
    }
    scr_share_most(w->share, &fastest2, 1);
    return fastest2;
}

// of two bodies against each other, about; also where ranks have a part of them each
static double relative_speed(const scr_world *w)
{
    if (!w->share) return scr_world_fastest(w).speed;
    double rest = w->wall_count ? 0 : INFINITY, most = 0;
    double low[6] = {rest, rest, rest, rest, rest, rest}; // of velocities, and of those turned round
    for (size_t i = 0; i < w->bodies.table.count; i++)
        for (int d = 0; d < 3; d++) {
            double v = w->bodies.motion[4 * i + (size_t)d];
            low[d] = fmin(low[d], v), low[3 + d] = fmin(low[3 + d], -v);
        }
    scr_share_least(w->share, low, 6);
    for (int d = 0; d < 3; d++) most = fmax(most, -low[3 + d] - low[d]);
    return most;
}

double scr_expected_speed(const scr_world *w, const char **reason)
{
    double fastest2 = grain_speed2(w);
    vec3 size = v3_sub(w->domain.upper, w->domain.lower), g = scr_gravity_extent(w);
    // a fall through the domain: 2 g.H along the open axes
    double fall2 = 0;
    if (!w->domain.periodic[0]) fall2 += 2 * fabs(g.x) * size.x;
    if (!w->domain.periodic[1]) fall2 += 2 * fabs(g.y) * size.y;
    if (!w->domain.periodic[2]) fall2 += 2 * fabs(g.z) * size.z;
    for (int k = 0; k < w->inlet_count; k++) fastest2 = fmax(fastest2, w->inlets[k].speed * w->inlets[k].speed);
    for (int k = 0; k < w->wall_count; k++) fastest2 = fmax(fastest2, wall_speed2(w, &w->walls[k]));
    *reason = fall2 > fastest2 ? "a fall through the domain" : "the fastest grain or wall now";
    return sqrt(fmax(fall2, fastest2));
}

// a step that divides the time between frames, so that frames fall on their times; within bounds, if there are some
static double fit_step(double step, const scr_step *s, const scr_scene *scene)
{
    const scr_stepper_traits *t = &s->traits;
    double most = t->most > 0 ? t->most : INFINITY;
    step = fmax(fmin(step, most), t->least);
    const scr_time_def *time = scr_scene_def(scene, "time");
    const scr_output_def *output = scr_scene_def(scene, "output");
    double span = isnan(output->every) ? (time->end - time->start) / 100 : output->every;
    if (!(span > 0)) return step;
    double parts = ceil(span / step * (1 - 1e-12));
    if (parts > 1 && span / parts < t->least && span / (parts - 1) <= most) parts--;
    return span / parts;
}

/* What limits the step: the shortest contact, or half a period of the fastest bond; and what the stepper alone
 * knows. */
typedef struct {
    double time; /* [s]; INFINITY: nothing does */
    char kind[64], what[256];
    double bound, advised; /* of the stepper: longest stable step, step to take [s]; INFINITY: any */
    char words[256];
} limit;

static limit shortest(const scr_step *step, const scr_sizes *sizes)
{
    const scr_world *w = step->world;
    scr_shortest s = scr_shortest_contact(w, sizes);
    limit l = {.time = s.time, .bound = INFINITY, .advised = INFINITY};
    if (step->stepper->limit) l.bound = step->stepper->limit(step, &l.advised, l.words, sizeof l.words);
    if (!isinf(s.time)) {
        char meeting[96];
        scr_meeting_name(&s.meeting, meeting, sizeof meeting);
        snprintf(l.kind, sizeof l.kind, "shortest %s", s.what);
        snprintf(l.what, sizeof l.what, "%.70s/%.70s, %s", w->materials[s.materials[0]].name,
                 w->materials[s.materials[1]].name, meeting);
    }
    size_t bond;
    int mode;
    double half_period = scr_shortest_bond(w, &bond, &mode);
    if (!(half_period < l.time)) return l;
    l.time = half_period;
    snprintf(l.kind, sizeof l.kind, "half period of the fastest bond");
    scr_bond_text(w, bond, mode, l.what, sizeof l.what);
    return l;
}

// a step must be short against the shortest contact or swing
static scree_status judge_step(const scr_world *w, const scr_scene *scene, const limit *l, scree_report *report)
{
    const scr_item *item = &scr_scene_items(scene, "time")->items[0];
    double dt = w->clock.dt;
    if (dt > l->bound)
        return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "step"),
                        "the time step %.4g s is above %.4g s, the %s; %.4g s is the default", dt, l->bound, l->words,
                        l->advised);
    // the explicit step of an undamped spring is unstable above 2/pi of its contact time
    if (dt > 0.5 * l->time)
        return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "step"),
                        "the time step %.4g s is longer than half the %s, %.4g s (%s): at most a "
                        "tenth of it makes sense, a fortieth is the default",
                        dt, l->kind, l->time, l->what);
    // a contact adds its stiffness to that of the links; chosen steps, 1/40 of it or 0.8 of the bound, are far below
    double links = dt / l->bound, contact = 0.5 * M_PI * dt / l->time;
    double together = sqrt(links * links + contact * contact);
    if (!isinf(l->bound) && together >= 1)
        return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "step"),
                        "the time step %.4g s is above %.4g s, which links and contacts together "
                        "allow: %.4g s is the %s, and the %s is %.4g s (%s); %.4g s is the default",
                        dt, dt / together, l->bound, l->words, l->kind, l->time, l->what,
                        fmin(l->advised, l->time / 40));
    if (dt > l->time / 10)
        scr_warn(report, scr_item_place(scene, item, "step"),
                 "the time step %.4g s is larger than a tenth of the %s, %.4g s (%s); a fortieth, "
                 "%.4g s, is the default",
                 dt, l->kind, l->time, l->what, l->time / 40);
    return SCREE_OK;
}

/* ---- steps in which contacts are solved for: what limits them is how far grains get ---- */

#define FALL 0.14 /* of the time in which a grain falls its own diameter, times sqrt(2) */

// the fastest that a wall comes towards grains: one that moves along itself meets no grain
static double closing_speed(const scr_world *w, const scr_wall *wall)
{
    const scr_motion *m = &wall->motion;
    if (m->table_rows || (m->turns && !wall->in_place)) return sqrt(wall_speed2(w, wall));
    double swing = 2 * M_PI * fabs(m->frequency * m->amplitude), most = 0;
    for (int k = 0; k < wall->face_count; k++) {
        const scr_face *face = &w->faces[wall->first_face + k];
        bool plane = face->kind == SCR_FACE_PLANE;
        double along = plane ? fabs(v3_dot(m->velocity, face->axis)) : v3_norm(m->velocity);
        double across = plane ? swing * fabs(v3_dot(m->direction, face->axis)) : swing;
        most = fmax(most, along + across);
    }
    return most;
}

static double smallest_radius(const scr_world *w, const scr_sizes *sizes)
{
    double smallest = INFINITY;
    for (int k = 0; k < w->material_count; k++)
        if (sizes[k].count) smallest = fmin(smallest, sizes[k].radius[0]);
    return smallest;
}

// the speed that the laws are made for, as the scene says or as expected
static double law_speed(const scr_world *w, const char **reason)
{
    double expected = scr_expected_speed(w, reason), most = 0;
    for (int k = 0; k < w->material_count * w->material_count; k++)
        if (w->laws[k].kn > 0) most = fmax(most, w->laws[k].speed);
    if (most > 0 && most != expected) *reason = "contacts.speed";
    return most > 0 ? most : expected;
}

// what moves how fast, and how far in the step: too far for the smallest grain
static scree_status judge_way(const scr_scene *scene, double dt, int substeps, double radius, double speed,
                              const char *who, bool sure, scree_report *report)
{
    const scr_item *item = &scr_scene_items(scene, "time")->items[0];
    scree_place at = scr_item_place(scene, item, "step");
    double way = speed * dt / substeps;
    const char *step = substeps > 1 ? "sub-step" : "step";
    if (sure && way > 2 * radius)
        return scr_fail(report, SCREE_E_INPUT, at,
                        "time.step is %.4g s: %s, %.3g m/s, moves %.3g m in a %s, more than the "
                        "smallest diameter, %.3g m: grains would pass through each other; at most "
                        "%.3g s is possible, %.3g s keeps it within the radius",
                        dt, who, speed, way, step, 2 * radius, 2 * radius / speed * substeps,
                        radius / speed * substeps);
    if (way > radius)
        scr_warn(report, at,
                 "time.step is %.4g s: %s, %.3g m/s, moves %.3g m in a %s, more than the "
                 "smallest radius, %.3g m: contacts are found late and overlap deeply; %.3g s keeps "
                 "it within the radius",
                 dt, who, speed, way, step, radius, radius / speed * substeps);
    return SCREE_OK;
}

// gravity alone: from rest, in one step, it must not move a grain through others
static scree_status judge_fall(const scr_world *w, const scr_scene *scene, double radius, int substeps,
                               scree_report *report)
{
    const scr_item *item = &scr_scene_items(scene, "time")->items[0];
    double dt = w->clock.dt, h = dt / substeps, g = scr_gravity_most(w), way = g * h * h;
    if (!(way > radius)) return SCREE_OK;
    bool far = way > 2 * radius;
    char words[400];
    snprintf(words, sizeof words,
             "time.step is %.4g s: gravity, %.4g m/s^2, gives a grain %.3g m/s in a %s and moves "
             "it by %.3g m, more than the smallest %s, %.3g m: %s; at most %.3g s is possible, "
             "%.3g s is the default",
             dt, g, g * h, substeps > 1 ? "sub-step" : "step", way, far ? "diameter" : "radius",
             far ? 2 * radius : radius, far ? "grains would pass through each other" : "contacts are found late",
             substeps * sqrt(2 * radius / g), FALL * sqrt(2 * radius / g));
    scree_place at = scr_item_place(scene, item, "step");
    if (far) return scr_fail(report, SCREE_E_INPUT, at, "%s", words);
    scr_warn(report, at, "%s", words);
    return SCREE_OK;
}

static bool adapts(const scr_step *s, char *words, size_t size)
{
    return s->stepper->adapts && s->stepper->adapts(s->def, s->world->clock.dt, s->auto_step, words, size);
}

void scr_say_adapted(const scr_step *s)
{
    char words[160];
    if (adapts(s, words, sizeof words)) scr_say("%s", words);
}

// grains that come from results were good enough for the run that moved them so
static scree_status judge_ways(const scr_step *s, const scr_scene *scene, const scr_sizes *sizes, bool adopted,
                               scree_report *report)
{
    const scr_world *w = s->world;
    int substeps = s->traits.substeps;
    double radius = smallest_radius(w, sizes), dt = w->clock.dt, known = sqrt(grain_speed2(w));
    char who[96] = "the fastest grain now", words[160];
    // lists of explicit steps follow the motion: what moves together may be as fast as it likes
    if (s->traits.contacts == SCR_CONTACTS_RESOLVED) {
        known = fmax(relative_speed(w), driven_speed(w));
        snprintf(who, sizeof who, "the fastest grain, against others or walls");
    }
    if (adapts(s, words, sizeof words)) return SCREE_OK;
    scree_status status = judge_fall(w, scene, radius, substeps, report);
    if (!status) status = judge_way(scene, dt, substeps, radius, known, who, !adopted, report);
    for (int k = 0; k < w->inlet_count && !status; k++) {
        known = fmax(known, w->inlets[k].speed);
        snprintf(who, sizeof who, "a grain of the inlet %.60s", w->inlets[k].name);
        status = judge_way(scene, dt, substeps, radius, w->inlets[k].speed, who, true, report);
    }
    for (int k = 0; k < w->wall_count && !status; k++) {
        double speed = closing_speed(w, &w->walls[k]);
        known = fmax(known, speed);
        snprintf(who, sizeof who, "the wall %.60s", w->walls[k].name);
        status = judge_way(scene, dt, substeps, radius, speed, who, true, report);
    }
    const char *reason;
    double expected = law_speed(w, &reason);
    if (status || known * dt > substeps * radius) return status;
    // what only may happen is not an error
    snprintf(who, sizeof who, "a grain at the speed to expect (%s)", reason);
    return judge_way(scene, dt, substeps, radius, expected, who, false, report);
}

static scree_status choose_long_dt(scr_step *s, const scr_scene *scene, const scr_sizes *sizes, bool adopted,
                                   scree_report *report)
{
    scr_world *w = s->world;
    const scr_time_def *def = scr_scene_def(scene, "time");
    double radius = smallest_radius(w, sizes), g = scr_gravity_most(w);
    const char *reason;
    double speed = law_speed(w, &reason);
    int substeps = s->traits.substeps;
    if (!isnan(def->step)) {
        w->clock.dt = def->step;
        scr_say("time step %.4g s: given", w->clock.dt);
        return judge_ways(s, scene, sizes, adopted, report);
    }
    double fall = FALL * sqrt(2 * radius / g), most = substeps * radius / speed;
    double least = s->traits.least;
    if (isinf(radius) || (!(g > 0) && !(speed > 0))) {
        w->clock.dt = (def->end - def->start) / 1000;
        scr_say("time step %.4g s: a thousandth of the duration, since nothing moves", w->clock.dt);
    } else if (least > fmin(fall, most)) {
        w->clock.dt = fit_step(least, s, scene);
        scr_say("time step %.4g s: stepper.step_least, rounded so that output times coincide with steps; %.4g s would "
                "have been chosen",
                w->clock.dt, fmin(fall, most));
    } else if (!(g > 0)) {
        w->clock.dt = fit_step(fmin(most / 4, def->end - def->start), s, scene);
        scr_say("time step %.4g s: the smallest radius, %.4g m, in four%s at %.3g m/s (%s), "
                "rounded so that output times coincide with steps",
                w->clock.dt, radius, substeps > 1 ? " sub-steps" : "", speed, reason);
    } else if (fall <= most) {
        w->clock.dt = fit_step(fmin(fall, def->end - def->start), s, scene);
        scr_say("time step %.4g s: %g sqrt(d/g) of the smallest diameter, %.4g m, is %.4g s, "
                "rounded so that output times coincide with steps",
                w->clock.dt, FALL, 2 * radius, fall);
    } else {
        w->clock.dt = fit_step(fmin(most, def->end - def->start), s, scene);
        scr_say("time step %.4g s: the smallest radius, %.4g m, at %.3g m/s (%s) takes %.4g s, "
                "rounded so that output times coincide with steps",
                w->clock.dt, radius, speed, reason, most);
    }
    return SCREE_OK;
}

/* ---- implicit steps ---- */

// one that resolves contacts where it would not be right otherwise, or the longest; false: the process alone decides
static bool choose_implicit_dt(scr_step *s, const scr_scene *scene, const limit *l)
{
    scr_world *w = s->world;
    const scr_stepper_traits *t = &s->traits;
    if (t->resolves && !isinf(l->time)) {
        w->clock.dt = fit_step(l->time / t->resolves, s, scene);
        scr_say("time step %.4g s: %s %.4g s (%s) / %.1f, rounded so that output times coincide with steps; theta "
                "above 0.5 allows longer steps",
                w->clock.dt, l->kind, l->time, l->what, l->time / w->clock.dt);
    } else if (t->most > 0) {
        w->clock.dt = fit_step(t->most, s, scene);
        scr_say("time step %.4g s: stepper.step_most, rounded so that output times coincide with steps", w->clock.dt);
    } else {
        return false;
    }
    return true;
}

/* ---- either ---- */

static scree_status choose_dt(scr_step *s, const scr_scene *scene, const scr_sizes *sizes, bool adopted,
                              scree_report *report)
{
    const scr_time_def *def = scr_scene_def(scene, "time");
    scr_world *w = s->world;
    scr_contact_treatment contacts = s->traits.contacts;
    limit l = shortest(s, sizes);
    if (isnan(l.bound)) return no_memory(report);
    bool chosen = isnan(def->step);
    if (contacts == SCR_CONTACTS_IMPLICIT && chosen && choose_implicit_dt(s, scene, &l)) return SCREE_OK;
    if (contacts != SCR_CONTACTS_RESOLVED) return choose_long_dt(s, scene, sizes, adopted, report);
    if (isinf(l.time) && isinf(l.bound)) {
        w->clock.dt = chosen ? (def->end - def->start) / 1000 : def->step;
        scr_say("time step %.4g s: %s", w->clock.dt, chosen ? "nothing can touch" : "given");
        return SCREE_OK;
    }
    if (l.advised < l.time / 40) {
        w->clock.dt = chosen ? fit_step(l.advised, s, scene) : def->step;
        scr_say("time step %.4g s: %s%.3g times %.4g s, the %s%s", w->clock.dt, chosen ? "" : "given; ",
                w->clock.dt / l.bound, l.bound, l.words,
                chosen ? "; rounded so that output times coincide with steps" : "");
    } else {
        w->clock.dt = chosen ? fit_step(l.time / 40, s, scene) : def->step;
        scr_say("time step %.4g s: %s%s %.4g s (%s) / %.1f%s", w->clock.dt, chosen ? "" : "given; ", l.kind, l.time,
                l.what, l.time / w->clock.dt, chosen ? ", rounded so that output times coincide with steps" : "");
    }
    scree_status status = judge_step(w, scene, &l, report);
    if (status || isinf(l.time)) return status;
    return judge_ways(s, scene, sizes, adopted, report);
}

scree_status scr_check_step(const scr_step *s, const scr_scene *scene, scree_report *report)
{
    const scr_world *w = s->world;
    scr_sizes *sizes = scr_sizes_of(w);
    if (!sizes) return no_memory(report);
    scree_status status;
    if (s->traits.contacts == SCR_CONTACTS_RESOLVED) {
        limit l = shortest(s, sizes);
        status = isnan(l.bound) ? no_memory(report) : judge_step(w, scene, &l, report);
        if (!status && isfinite(l.time)) status = judge_ways(s, scene, sizes, true, report);
    } else {
        status = judge_ways(s, scene, sizes, true, report);
    }
    scr_memory_free(sizes);
    return status;
}

static void choose_skin(scr_step *s, const scr_sizes *sizes)
{
    scr_world *w = s->world;
    double smallest = INFINITY;
    for (int k = 0; k < w->material_count; k++)
        if (sizes[k].count) smallest = fmin(smallest, 2 * sizes[k].radius[0]);
    if (isinf(smallest) && w->share)
        smallest = 2 * scr_world_radii(w, w->bodies.place).least;
    else if (isinf(smallest))
        smallest = w->bodies.table.count ? 2 * w->bodies.place[3] : 1;
    // lists follow the motion: what the skin must hold is how far grains stray from their way
    w->clock.skin = !s->traits.lists ? 0 : isnan(s->traits.skin) ? smallest / 16 : s->traits.skin;
}

scree_status scr_choose_step(scr_step *s, const scr_scene *scene, bool adopted, scree_report *report)
{
    scr_sizes *sizes = scr_sizes_of(s->world);
    if (!sizes) return no_memory(report);
    scree_status status = choose_dt(s, scene, sizes, adopted, report);
    if (!status) choose_skin(s, sizes);
    if (!status) scr_say_adapted(s);
    scr_memory_free(sizes);
    return status;
}

// nothing but rest matters: a contact need not be resolved as one of a run
#define REST 20

scree_status scr_choose_motion(scr_step *s, const scr_scene *scene, scree_report *report)
{
    scr_world *w = s->world;
    const scr_time_def *def = scr_scene_def(scene, "time");
    scr_sizes *sizes = scr_sizes_of(w);
    if (!sizes) return no_memory(report);
    limit l = shortest(s, sizes);
    choose_skin(s, sizes);
    scr_memory_free(sizes);
    // of links and contacts together
    double contact = l.time / REST, rate = scr_hypot(1 / l.advised, 1 / contact);
    w->clock.dt = !isnan(def->step) ? def->step : rate > 0 ? 1 / rate : (def->end - def->start) / 1000;
    return judge_step(w, scene, &l, report);
}
