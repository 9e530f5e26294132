/* Time step and skin: derived from the scene where it says auto, and said aloud. */
#include <math.h>

#include "base/log.h"
#include "base/memory.h"
#include "run/bonds.h"
#include "run/build.h"
#include "step/soft/soft.h"

// of the points of a wall, at any time
static double wall_speed2(const scr_world *w, const scr_wall *wall)
{
    vec3 lower, upper;
    scr_world_wall_box(w, wall, &lower, &upper);
    double speed = scr_wall_fastest(wall, lower, upper);
    // a servo runs at full speed only until it meets grains
    if (wall->motion.servo) speed -= wall->motion.most;
    return speed * speed;
}

double scr_expected_speed(const scr_world *w, const char **reason)
{
    double fastest2 = 0;
    for (size_t i = 0; i < w->bodies.table.count; i++) {
        vec3 v = v3_load(w->bodies.motion + 4 * i);
        const scr_drive *drive = &w->groups[w->bodies.group[i]].drive;
        double driven =
            drive->moves ? scr_drive_fastest(drive, w->clock.time, v3_load(w->bodies.place + 4 * i))
                         : 0;
        fastest2 = fmax(fastest2, fmax(v3_dot(v, v), driven * driven));
    }
    vec3 size = v3_sub(w->domain.upper, w->domain.lower), g = w->gravity;
    // a fall through the domain: 2 g.H along the open axes
    double fall2 = 0;
    if (!w->domain.periodic[0]) fall2 += 2 * fabs(g.x) * size.x;
    if (!w->domain.periodic[1]) fall2 += 2 * fabs(g.y) * size.y;
    if (!w->domain.periodic[2]) fall2 += 2 * fabs(g.z) * size.z;
    for (int k = 0; k < w->inlet_count; k++)
        fastest2 = fmax(fastest2, w->inlets[k].speed * w->inlets[k].speed);
    for (int k = 0; k < w->wall_count; k++) fastest2 = fmax(fastest2, wall_speed2(w, &w->walls[k]));
    *reason = fall2 > fastest2 ? "a fall through the domain" : "the fastest grain or wall now";
    return sqrt(fmax(fall2, fastest2));
}

// a step that divides the time between frames, so that frames fall on their times
static double fit_step(double step, const scr_scene *scene)
{
    const scr_time_def *time = scr_scene_def(scene, "time");
    const scr_output_def *output = scr_scene_def(scene, "output");
    double span = isnan(output->every) ? time->end / 100 : output->every;
    return span > step ? span / ceil(span / step * (1 - 1e-12)) : step;
}

/* What limits the step: the shortest contact, or half a period of the fastest bond. */
typedef struct {
    double time; /* [s]; INFINITY: nothing does */
    char kind[64], what[256];
} limit;

static limit shortest(const scr_world *w, const scr_sizes *sizes)
{
    scr_shortest s = scr_shortest_contact(w, sizes);
    limit l = {.time = s.time};
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
static scree_status judge_step(const scr_world *w, const scr_scene *scene, const limit *l,
                               scree_report *report)
{
    const scr_item *item = &scr_scene_items(scene, "time")->items[0];
    double dt = w->clock.dt;
    // the explicit step of an undamped spring is unstable above 2/pi of its contact time
    if (dt > 0.5 * l->time)
        return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "step"),
                        "the time step %.4g s is longer than half the %s, %.4g s (%s): at most a "
                        "tenth of it makes sense, a fortieth is the default",
                        dt, l->kind, l->time, l->what);
    if (dt > l->time / 10)
        scr_warn(report, scr_item_place(scene, item, "step"),
                 "the time step %.4g s is larger than a tenth of the %s, %.4g s (%s); a fortieth, "
                 "%.4g s, is the default",
                 dt, l->kind, l->time, l->what, l->time / 40);
    return SCREE_OK;
}

static scree_status choose_dt(scr_world *w, const scr_scene *scene, const scr_sizes *sizes,
                              scree_report *report)
{
    const scr_time_def *def = scr_scene_def(scene, "time");
    limit l = shortest(w, sizes);
    if (isinf(l.time)) {
        w->clock.dt = isnan(def->step) ? def->end / 1000 : def->step;
        scr_say("time step %.4g s: %s", w->clock.dt,
                isnan(def->step) ? "nothing can touch" : "given");
        return SCREE_OK;
    }
    bool chosen = isnan(def->step);
    w->clock.dt = chosen ? fit_step(l.time / 40, scene) : def->step;
    scr_say("time step %.4g s: %s%s %.4g s (%s) / %.1f%s", w->clock.dt, chosen ? "" : "given; ",
            l.kind, l.time, l.what, l.time / w->clock.dt,
            chosen ? ", so that frames fall on steps" : "");
    return judge_step(w, scene, &l, report);
}

scree_status scr_check_step(const scr_world *w, const scr_scene *scene, scree_report *report)
{
    scr_sizes *sizes = scr_sizes_of(w);
    if (!sizes) return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory");
    limit l = shortest(w, sizes);
    scr_memory_free(sizes);
    return judge_step(w, scene, &l, report);
}

static void choose_skin(scr_world *w, const scr_scene *scene, const scr_sizes *sizes)
{
    const scr_soft_def *soft = scr_scene_items(scene, "stepper")->items[0].variant_def;
    double smallest = INFINITY;
    for (int k = 0; k < w->material_count; k++)
        if (sizes[k].count) smallest = fmin(smallest, 2 * sizes[k].radius[0]);
    if (isinf(smallest)) smallest = w->bodies.table.count ? 2 * w->bodies.place[3] : 1;
    if (!isnan(soft->skin)) {
        w->clock.skin = soft->skin;
        return;
    }
    // lists follow the motion: what the skin must hold is how far grains stray from their way
    w->clock.skin = smallest / 16;
}

scree_status scr_choose_step(scr_world *w, const scr_scene *scene, scree_report *report)
{
    scr_sizes *sizes = scr_sizes_of(w);
    if (!sizes) return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory");
    scree_status status = choose_dt(w, scene, sizes, report);
    if (!status) choose_skin(w, scene, sizes);
    scr_memory_free(sizes);
    return status;
}
