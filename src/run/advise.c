/* Advice before a run: time scales, overlaps, sizes, cost. Nothing is written; the only steps done
 * are those that are timed, on a world that is thrown away.
 *
 *   Rayleigh time of the smallest grain  t_R = pi r sqrt(rho/G)/(0.1631 nu + 0.8766)
 *     (Ning & Ghadiri 2006), G = E/(2 (1 + nu))
 *   wave through the domain              t_w = L/(d sqrt(k/m)), a chain of the most common contact
 *   rest under a bed of height H         F = phi rho g H d^2 on a grain, phi = 0.6
 *   self-locking ratio of the standard scheme, R_c = 1/(sqrt(1 + mu^2) - 1)
 *     (Vyas et al. 2025, eq. 22) */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/json.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/os.h"
#include "build/build.h"
#include "build/schema.h"
#include "exec/cpu/threads.h"
#include "math/elementary.h"
#include "observe/cell_views.h"
#include "run/simulation.h"

typedef struct {
    scree_simulation *run;
    const scr_sizes *sizes;
    FILE *out;
    scr_shortest shortest;
    double small, large;  /* radii of all grains [m] */
    double moving, fixed; /* grains */
    double friction;      /* largest */
    double overlap;       /* expected, over the smaller diameter, */
    double speed;         /* in an impact at this speed [m/s] */
    double pressed;       /* of contacts under a bed as high as the domain, likewise */
    double rayleigh;      /* [s], NAN when no material has moduli */
    double wave;          /* [s] */
    double steps, frames, frame_bytes;
    double processor[2];      /* CPU time of a step [s]: as the scene starts; were all grains packed */
    const char *speed_reason; /* where that speed comes from */
    bool moduli;              /* a stiffness is that of the materials, young and poisson */
    bool fall;                /* a stiffness follows from the speed of a fall through the domain */
    double doubling;          /* of a stepper with sweeps: what as many again would add; else 0 */
    double later;             /* of steps that solve: CPU time of one at `reached` [s] */
    double reached;           /* time up to which steps that solve were timed [s] */
    double by_clock;          /* the clock's time over CPU time */
    double memory;            /* [bytes] */
    int advice;               /* lines given */
    bool json;                /* for a program */
} advice;

#define SAY(a, ...) fprintf((a)->out, __VA_ARGS__)

static void line(advice *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(advice *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char text[512];
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!a->json) {
        SAY(a, "%s  - %s\n", a->advice ? "" : "advice\n", text);
    } else {
        SAY(a, a->advice ? ",\n    " : "\n    ");
        scr_json_text(a->out, text);
    }
    a->advice++;
}

/* ---- what is known before any step ---- */

// whether a law has the stiffness of elastic spheres of its materials
static bool has_moduli(const scr_law *law, const scr_material *a, const scr_material *b)
{
    double soft = (1 - a->poisson * a->poisson) / a->young + (1 - b->poisson * b->poisson) / b->young;
    const scr_normal_law *n = scr_law_normal(law);
    return n->traits & SCR_WORD_ELASTIC && fabs(law->kn / n->elastic(1, 1, 1, 1 / soft) - 1) < 1e-6;
}

// whether the speed of grains is not given, and the stiffness that decides follows from that
static void look_at_speed(advice *a)
{
    const scr_world *w = &a->run->world;
    const scr_items *contacts = scr_scene_items(a->run->scene, "contacts");
    double expected = scr_expected_speed(w, &a->speed_reason);
    const int *m = a->shortest.materials;
    a->fall = !strncmp(a->speed_reason, "a fall", 6) && a->speed == expected && isfinite(a->shortest.time) &&
              !(scr_law_normal(scr_world_law(w, m[0], m[1]))->traits & SCR_WORD_ELASTIC);
    for (int k = 0; k < contacts->count; k++)
        if (!isnan(((const scr_contact_def *)contacts->items[k].def)->stiffness)) a->fall = false;
    if (a->speed != expected) a->speed_reason = "given";
}

// height of the domain along gravity, open axes only
static double height(const scr_world *w)
{
    vec3 size = v3_sub(w->domain.upper, w->domain.lower), g = scr_gravity_extent(w);
    const double length[3] = {size.x, size.y, size.z}, pull[3] = {g.x, g.y, g.z};
    double along = 0, all = v3_norm(g);
    for (int d = 0; d < 3 && all > 0; d++)
        if (!w->domain.periodic[d]) along += fabs(pull[d]) / all * length[d];
    return along;
}

static void look_at_meeting(advice *a, int material, const scr_law *law, const scr_meeting *m)
{
    const scr_world *w = &a->run->world;
    double mass = scr_meeting_mass(m), radius = scr_meeting_radius(m);
    double d = 2 * scr_meeting_smaller(m), delta = scr_law_overlap(law, mass, radius, law->speed);
    if (delta / d > a->overlap) a->overlap = delta / d, a->speed = law->speed;
    a->friction = fmax(a->friction, law->mu);
    double weight = 0.6 * w->materials[material].density * scr_gravity_most(w) * height(w) * d * d;
    double pressed = scr_law_normal(law)->depth(law, radius, weight);
    a->pressed = fmax(a->pressed, pressed / d);
    double k = scr_law_normal(law)->potential(law, radius, fmax(delta, pressed)).stiffness;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    double length = fmax(size.x, fmax(size.y, size.z));
    if (isfinite(m->radius[0]) && isfinite(m->radius[1]) && k > 0) {
        double across = length / ((m->radius[0] + m->radius[1]) * sqrt(k / mass));
        a->wave = fmax(a->wave, across);
    }
}

static void look_at_bodies(advice *a)
{
    const scr_world *w = &a->run->world;
    a->small = INFINITY;
    for (size_t i = 0; i < w->bodies.table.count; i++) *(w->bodies.motion[4 * i + 3] > 0 ? &a->moving : &a->fixed) += 1;
    for (int k = 0; k < w->material_count; k++) {
        const scr_sizes *s = &a->sizes[k];
        if (s->count) a->small = fmin(a->small, s->radius[0]), a->large = fmax(a->large, s->radius[1]);
        if (s->fixed) a->small = fmin(a->small, s->fixed_radius[0]), a->large = fmax(a->large, s->fixed_radius[1]);
        const scr_material *m = &w->materials[k];
        if (!s->count || isnan(m->young) || isnan(m->poisson)) continue;
        double shear = m->young / (2 * (1 + m->poisson));
        double t = M_PI * s->radius[0] * sqrt(m->density / shear) / (0.1631 * m->poisson + 0.8766);
        if (!(a->rayleigh < t)) a->rayleigh = t;
    }
    scr_meeting meetings[SCR_MEETINGS];
    for (int i = 0; i < w->material_count; i++)
        for (int j = i; j < w->material_count; j++) {
            int count = scr_meetings_of(a->sizes, i, j, meetings);
            for (int k = 0; k < count; k++)
                look_at_meeting(a, a->sizes[i].count ? i : j, scr_world_law(w, i, j), &meetings[k]);
            if (count && has_moduli(scr_world_law(w, i, j), &w->materials[i], &w->materials[j])) a->moduli = true;
        }
    a->shortest = scr_shortest_contact(w, a->sizes);
    look_at_speed(a);
}

static void look_at_output(advice *a)
{
    const scr_time_def *time = scr_scene_def(a->run->scene, "time");
    const scr_output_def *output = scr_scene_def(a->run->scene, "output");
    a->steps = ceil((time->end - time->start) / a->run->world.clock.dt * (1 - 1e-12));
    double every = isnan(output->every) ? (time->end - time->start) / 100 : output->every;
    a->frames = floor((time->end - time->start) / every * (1 + 1e-12)) + 1;
    double width = 1; // the id
    for (int k = 0; k < output->fields.count; k++) {
        const scr_view *view = scr_body_view(output->fields.items[k]);
        if (view) width += view->width;
    }
    const scr_world *w = &a->run->world;
    a->frame_bytes = 8 * width * (a->moving + a->fixed) +
                     (double)scr_cell_frame_size(w, (const char *const *)output->fields.items, output->fields.count);
}

/* ---- timing ---- */

// CPU time of a step [s], from a second of steps at most, in the cheapest hundred of them: threads that wait for one
// that other programs keep from its core take CPU time too. NAN when a step fails. *by_clock gets the clock's time over
// CPU time
static double time_steps(scr_step *step, double seconds, double *by_clock)
{
    scree_report report;
    scree_report_init(&report);
    scree_status status = SCREE_OK;
    double begin = scr_seconds(), now = begin, processor = scr_processor_seconds(), mark = processor, least = INFINITY;
    int done = 0;
    while (!status && done < 500 && (done < 5 || now - begin < seconds)) {
        status = step->stepper->step(step, &report);
        now = scr_seconds(), done++;
        if (done % 100) continue;
        double reached = scr_processor_seconds();
        least = fmin(least, (reached - mark) / 100);
        mark = reached;
    }
    scree_report_deinit(&report);
    processor = scr_processor_seconds() - processor;
    *by_clock = processor > 0 ? (now - begin) / processor : NAN;
    return status ? NAN : fmin(least, processor / done);
}

// steps that solve for their contacts are few, and dearer the more contacts there are: goes on for two seconds of CPU
// time, or half the way to the end, and gives the CPU time of a step in the last third of that [s]
static double time_on(advice *a)
{
    scree_report report;
    scree_report_init(&report);
    scree_status status = SCREE_OK;
    const scr_clock *clock = &a->run->world.clock;
    double begin = scr_processor_seconds(), each = NAN;
    int64_t most = clock->step + (int64_t)fmin(a->steps / 2, 1e6);
    for (int64_t chunk = 10; !status && scr_processor_seconds() - begin < 2 && clock->step < most; chunk += chunk / 2) {
        double mark = scr_processor_seconds();
        int64_t done = 0;
        while (!status && done < chunk && scr_processor_seconds() - begin < 3)
            status = a->run->step.stepper->step(&a->run->step, &report), done++;
        if (!status) each = (scr_processor_seconds() - mark) / (double)done;
    }
    scree_report_deinit(&report);
    a->reached = clock->time;
    return each;
}

#define PACKED 8000 /* grains of the packing that is timed */

// the same law and stepper on a close packing that moves, twelve neighbours each: CPU time per grain and step [s]
static double time_packing(const advice *a, scree_report *report)
{
    const scr_world *w = &a->run->world;
    char text[512];
    snprintf(text, sizeof text,
             "scree: 1\ngravity: [0, 0, 0]\n"
             "domain: {box: [[-1, -1, -1], [29, 29, 29]]}\n"
             "materials: {m: {density: 1, restitution: 1, friction: 0}}\n"
             "contacts: {any: {stiffness: 1}}\n"
             "bodies: {p: {from: lattice, kind: fcc, material: m, diameter: 1, count: %d}}\n"
             "time: {end: 1, step: 1e-6}\n",
             PACKED);
    scr_scene *scene = scr_scene_parse(text, "packing", scr_schema_get(), NULL, 0, report);
    scree_simulation s = {0};
    scree_simulation_def def = scree_simulation_def_default();
    double seconds = NAN, by_clock;
    if (scene && !scr_simulation_build(scene, &def, &s, report)) {
        const scr_law *law = scr_world_law(w, a->shortest.materials[0], a->shortest.materials[1]);
        *s.world.laws = *law;
        size_t n = s.world.bodies.table.count;
        // radii by chance within a thousandth: half of the neighbours touch, as in a bed
        for (size_t i = 0; i < n; i++)
            s.world.bodies.place[4 * i + 3] *= 0.9995 + 1e-3 * (double)(i * 2654435761u % 65536) / 65536;
        // grains of density 1 and size 1 with real stiffness: a step so short that no force matters. They move past
        // each other as far in a step as those of the run do at a tenth of the expected speed, in layers, so that
        // neighbour lists are made as often
        s.world.clock.dt = 1e-12;
        double way = 0.1 * a->speed * w->clock.dt / (2 * a->small), layers = 20;
        for (size_t i = 0; i < n && way > 0; i++)
            s.world.bodies.motion[4 * i] = fmin(way, 1e-3) * 1e12 * (s.world.bodies.place[4 * i + 2] / layers - 0.5);
        s.step.stepper = a->run->step.stepper, s.step.def = a->run->step.def;
        if (!s.step.stepper->open(&s.step, false, report)) seconds = time_steps(&s.step, 0.3, &by_clock) / (double)n;
        s.step.stepper->close(&s.step);
    }
    scr_pairs_deinit(&s.step.pairs);
    if (scene) scr_world_deinit(&s.world);
    scr_scene_destroy(scene);
    return seconds;
}

#define CONTACTS 3.0 /* per grain of a packing at rest, near ones too */

// steps that solve for contacts: what sweeps take grows with the contacts, the rest does not
static void scale_sweeps(advice *a, double seconds)
{
    const scr_step *s = &a->run->step;
    double grains = a->moving + a->fixed, solved = (double)s->last.solved;
    double all = s->times.forces + s->times.neighbours + s->times.integrate;
    if (!(solved > 0.1 * grains) || !(all > 0) || !(seconds > 0)) return;
    double packed = fmax(CONTACTS * grains / solved, 1);
    a->doubling = packed * seconds * s->times.forces / all;
    a->processor[1] = seconds + a->doubling * (1 - 1 / packed);
}

/* ---- saying it ---- */

static void duration_text(double seconds, char *text, size_t size)
{
    if (seconds < 90)
        snprintf(text, size, "%.2g s", seconds);
    else if (seconds < 2 * 3600)
        snprintf(text, size, "%.2g min", seconds / 60);
    else if (seconds < 3 * 86400)
        snprintf(text, size, "%.2g h", seconds / 3600);
    else
        snprintf(text, size, "%.2g days", seconds / 86400);
}

static void say_grains(const advice *a)
{
    const scr_world *w = &a->run->world;
    SAY(a, "grains\n  %.0f move, %.0f are fixed%s", a->moving, a->fixed,
        w->inlet_count ? ", more enter through inlets" : "");
    if (w->cells.table.count) SAY(a, ", beside %zu cells of solids", w->cells.table.count);
    if (isfinite(a->small))
        SAY(a, "; diameters %.4g to %.4g m, size ratio %.4g", 2 * a->small, 2 * a->large, a->large / a->small);
    SAY(a, "\n");
    if (!(a->friction > 0)) return;
    double self_locking = 1 / (sqrt(1 + a->friction * a->friction) - 1);
    SAY(a, "  with friction %.3g the standard scheme would trap grains above a ratio of %.3g\n", a->friction,
        self_locking);
}

static void say_times(const advice *a)
{
    const scr_world *w = &a->run->world;
    double dt = w->clock.dt, g = scr_gravity_most(w), fall = sqrt(2 * height(w) / g);
    SAY(a, "time scales\n");
    char meeting[96];
    scr_meeting_name(&a->shortest.meeting, meeting, sizeof meeting);
    bool springs = a->run->step.traits.contacts == SCR_CONTACTS_RESOLVED && isfinite(a->shortest.time);
    if (springs)
        SAY(a, "  shortest %s %.4g s (%s/%s, %s)\n", a->shortest.what, a->shortest.time,
            w->materials[a->shortest.materials[0]].name, w->materials[a->shortest.materials[1]].name, meeting);
    if (!isnan(a->rayleigh)) SAY(a, "  Rayleigh %.4g s (smallest grain, real moduli)\n", a->rayleigh);
    if (a->wave > 0) SAY(a, "  wave through the domain %.4g s\n", a->wave);
    if (g > 0 && height(w) > 0) SAY(a, "  fall through the domain %.4g s\n", fall);
    SAY(a, "  time step %.4g s", dt);
    if (springs) SAY(a, ": 1/%.1f of the shortest %s", a->shortest.time / dt, a->shortest.what);
    if (!isnan(a->rayleigh) && springs) SAY(a, ", %.3g %% of Rayleigh", 100 * dt / a->rayleigh);
    SAY(a, "\n");
}

static void say_overlaps(const advice *a)
{
    SAY(a, "overlaps, of the smaller diameter\n");
    if (a->overlap > 0 && a->run->step.traits.contacts == SCR_CONTACTS_RESOLVED)
        SAY(a, "  %.2g %% in an impact at the expected speed of %.3g m/s\n", 100 * a->overlap, a->speed);
    if (a->pressed > 0) SAY(a, "  %.2g %% at rest under a bed as high as the domain\n", 100 * a->pressed);
}

static void say_cost(const advice *a)
{
    char now[40], packed[40];
    double cells = (double)a->run->world.cells.table.count, grains = a->moving + a->fixed + cells;
    SAY(a, "cost\n  %.4g steps of %.0f %s: %.3g particle-steps\n", a->steps, grains,
        cells > 0 ? "grains and cells" : "grains", a->steps * grains);
    duration_text(a->steps * a->processor[0], now, sizeof now);
    duration_text(a->steps * a->processor[1], packed, sizeof packed);
    if (!isnan(a->processor[0]))
        SAY(a, "  CPU time %s if all steps cost as much as the first ones, %.3g particle-steps/s\n", now,
            grains / a->processor[0]);
    char more[40], later[40];
    duration_text(a->steps * a->doubling, more, sizeof more);
    duration_text(a->steps * a->later, later, sizeof later);
    if (a->doubling > 0)
        SAY(a,
            "  CPU time %s if every grain had six contacts; %s more each time sweeps are doubled, which the run does "
            "where "
            "too few of them add energy\n",
            packed, more);
    else if (!isnan(a->processor[1]))
        SAY(a,
            "  CPU time %s if all grains are packed and moving, timed on a packing of %d with "
            "twelve neighbours each, half of them in contact\n",
            packed, PACKED);
    if (!isnan(a->later))
        SAY(a, "  CPU time %s if steps cost as much as at %.3g s; --from times a later state\n", later, a->reached);
    if (!isnan(a->processor[0]))
        SAY(a, "  wall time %.2g times that with %d thread%s, timed just now\n", a->by_clock, scr_threads(),
            scr_threads() == 1 ? "" : "s");
    SAY(a, "  memory %.3g MB; %.0f frames of %.3g MB, before compression\n", a->memory / 1e6, a->frames,
        a->frame_bytes / 1e6);
}

static void give_advice(advice *a)
{
    const scr_world *w = &a->run->world;
    bool springs = a->run->step.traits.contacts == SCR_CONTACTS_RESOLVED;
    double self_locking = 1 / (sqrt(1 + a->friction * a->friction) - 1), dt = w->clock.dt;
    double per = springs ? a->shortest.time / dt : INFINITY;
    if (a->run->step.traits.traps && a->large / a->small > self_locking)
        line(a, "scheme: standard traps small grains at this size ratio; use scheme: improved");
    if (!springs && a->speed * dt > a->small)
        line(a,
             "at the expected speed of %.3g m/s a grain moves by more than the smallest radius in a step: contacts are "
             "found late; a step of %.3g s avoids this",
             a->speed, a->small / a->speed);
    if (springs && a->overlap > 0.01 && a->moduli)
        line(a,
             "with the given moduli, impacts at %.3g m/s (%s) overlap by more than 1 %%, as expected of grains "
             "this soft; if grains stay slower, set contacts.any.speed",
             a->speed, a->speed_reason);
    else if (springs && a->overlap > 0.01)
        line(a,
             "impacts overlap by more than 1 %%: stiffer contacts (or `overlap: 1 %%`) keep "
             "grains apart, with a step %.2g times as long as now",
             0.01 / a->overlap);
    else if (springs && a->overlap > 0 && a->overlap < 2e-4 && a->pressed < 2e-4 && a->moduli)
        line(a, "the given moduli keep overlaps below 0.02 %%: if only the flow matters, a lower young would allow "
                "longer steps");
    else if (springs && a->overlap > 0 && a->overlap < 2e-4 && a->pressed < 2e-4)
        line(a,
             "contacts are stiffer than 0.1 %% of overlap needs: softer ones would allow steps "
             "about %.2g times as long",
             1e-3 / a->overlap);
    if (springs && a->fall)
        line(a,
             "the expected speed of %.3g m/s, %s, determines stiffness and time step: if grains stay slower "
             "(a closed silo, a bed), set contacts.any.speed; half the speed doubles the time step",
             a->speed, a->speed_reason);
    if (a->pressed > 0.01) line(a, "in a bed as high as the domain, contacts would overlap by more than 1 %%");
    if (isfinite(per) && per < 20)
        line(a, "the step is long compared with the shortest contact: restitution will be off; the default is 1/40");
    if (isfinite(per) && per > 100)
        line(a,
             "the step is shorter than a hundredth of the shortest contact; 1/40 is the "
             "default, %.3g times as long",
             per / 40);
    if (a->frames > a->steps / 10)
        line(a, "frames are written every %.3g steps and will cost more than the steps themselves",
             a->steps / a->frames);
    if (a->frames * a->frame_bytes > 2e10)
        line(a, "frames take %.3g GB: write them less often or with fewer fields", a->frames * a->frame_bytes / 1e9);
}

static void say_all(advice *a)
{
    say_grains(a);
    say_times(a);
    say_overlaps(a);
    say_cost(a);
    give_advice(a);
    if (!a->advice) SAY(a, "advice\n  none: no problems found\n");
}

// the same numbers for a program; what does not apply is null
static void write_all(advice *a)
{
    const scr_world *w = &a->run->world;
    bool springs = a->run->step.traits.contacts == SCR_CONTACTS_RESOLVED && isfinite(a->shortest.time);
    double g = scr_gravity_most(w), fall = g > 0 && height(w) > 0 ? sqrt(2 * height(w) / g) : NAN;
    double cells = (double)w->cells.table.count, grains = a->moving + a->fixed + cells;
    const struct {
        const char *name;
        double value;
    } all[] = {
        {"grains_moving", a->moving},
        {"grains_fixed", a->fixed},
        {"cells", cells},
        {"diameter_min", isfinite(a->small) ? 2 * a->small : NAN},
        {"diameter_max", isfinite(a->small) ? 2 * a->large : NAN},
        {"friction_max", a->friction},
        {"time_step", w->clock.dt},
        {"shortest_contact", springs ? a->shortest.time : NAN},
        {"rayleigh_time", a->rayleigh},
        {"wave_time", a->wave > 0 ? a->wave : NAN},
        {"fall_time", fall},
        {"impact_speed", a->overlap > 0 ? a->speed : NAN},
        {"impact_overlap", a->overlap > 0 && springs ? a->overlap : NAN},
        {"rest_overlap", a->pressed > 0 ? a->pressed : NAN},
        {"steps", a->steps},
        {"particle_steps", a->steps * grains},
        {"cpu_seconds_as_first", a->steps * a->processor[0]},
        {"cpu_seconds_packed", a->steps * a->processor[1]},
        {"cpu_seconds_as_later", a->steps * a->later},
        {"wall_over_cpu", a->by_clock},
        {"threads", scr_threads()},
        {"memory_bytes", a->memory},
        {"frames", a->frames},
        {"frame_bytes", a->frame_bytes},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        scr_json_key_number(a->out, k ? ",\n  " : "{\n  ", all[k].name, all[k].value);
    scr_json_key(a->out, ",\n  ", "advice");
    SAY(a, "[");
    give_advice(a);
    SAY(a, "]\n}\n");
}

static scree_status advise(const scree_scene *scene, const scree_simulation_def *def, FILE *out, bool json,
                           scree_report *report)
{
    scree_simulation_def quiet = *def;
    quiet.quiet = true;
    advice a = {.out = out, .rayleigh = NAN, .json = json};
    scree_status status = scree_simulation_create(scene, &quiet, &a.run, report);
    if (status) return status;
    scr_sizes *sizes = scr_sizes_of(&a.run->world);
    a.sizes = sizes;
    if (!sizes) {
        status = scr_no_memory(report, "sizes of grains");
    } else {
        look_at_bodies(&a);
        look_at_output(&a);
        a.processor[0] = time_steps(&a.run->step, 1, &a.by_clock);
        a.processor[1] = NAN;
        a.memory = (double)scr_peak_memory();
        // the packing is timed with springs that a step resolves
        if (isfinite(a.shortest.time) && a.run->step.traits.contacts == SCR_CONTACTS_RESOLVED &&
            !a.run->world.cells.table.count)
            a.processor[1] = time_packing(&a, report) * (a.moving + a.fixed);
        if (a.run->step.last.sweeps && a.run->step.traits.contacts == SCR_CONTACTS_SOLVED)
            scale_sweeps(&a, a.processor[0]);
        a.later = a.run->step.traits.contacts == SCR_CONTACTS_RESOLVED ? NAN : time_on(&a);
        (json ? write_all : say_all)(&a);
    }
    scr_memory_free(sizes);
    scree_simulation_destroy(a.run);
    scr_log_quiet(def->quiet);
    return status;
}

scree_status scree_scene_advise(const scree_scene *scene, const scree_simulation_def *def, FILE *out,
                                scree_report *report)
{
    return advise(scene, def, out, false, report);
}

scree_status scree_scene_advise_json(const scree_scene *scene, const scree_simulation_def *def, FILE *out,
                                     scree_report *report)
{
    return advise(scene, def, out, true, report);
}
