/* Two bodies alone: a scene of its own, made as text, with the law and the step of the run (see
 * impact.h). The second body rests at the origin's left, the first comes from the right; where both
 * can move, the centre of mass rests. */
#include "run/impact.h"

#include <math.h>

#include "base/log.h"
#include "base/memory.h"
#include "build/laws.h"
#include "build/schema.h"
#include "math/elementary.h"

#define MOST_STEPS  1e6 /* of one impact */
#define MOST_TRIALS 60  /* of pairs of bodies */
#define FINE        2e4 /* steps of a contact above which there is nothing to find out */

typedef struct {
    const scree_simulation *run;
    const scr_law *law;
    double mass[2], radius[2]; /* the first one moves */
    double speed, reach;       /* gap beyond which they do not feel each other [m] */
    double time;               /* of an undamped contact [s] */
    scree_report *report;
} stage;

static double density_of(double mass, double radius)
{
    return isinf(mass) ? 1 : mass / (4.0 / 3 * M_PI * radius * radius * radius);
}

static void write_scene(const stage *s, double gap, char *text, size_t size)
{
    const double *m = s->mass, *r = s->radius;
    bool wall = isinf(r[1]), fixed = isinf(m[1]);
    double share = fixed ? 1 : m[1] / (m[0] + m[1]);
    double reach = wall ? r[0] : r[0] + r[1], box = 4 * (reach + gap);
    char second[400];
    if (wall)
        snprintf(second, sizeof second,
                 "walls: {b: {shape: plane, material: b, point: [0, 0, 0], normal: [1, 0, 0]}}\n");
    else
        snprintf(second, sizeof second,
                 "  b: {from: positions, material: b, radius: %.17g, positions: [[%.17g, 0, 0]],\n"
                 "      velocity: [%.17g, 0, 0], frozen: %s}\n",
                 r[1], -r[1], (1 - share) * s->speed, fixed ? "yes" : "no");
    snprintf(text, size,
             "scree: 1\n"
             "gravity: [0, 0, 0]\n"
             "domain: {box: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]}\n"
             "materials: {a: {density: %.17g}, b: {density: %.17g}}\n"
             "contacts: {any: {stiffness: 1e-300, restitution: 1, friction: 0}}\n"
             "bodies:\n"
             "  a: {from: positions, material: a, radius: %.17g, positions: [[%.17g, 0, 0]],\n"
             "      velocity: [%.17g, 0, 0]}\n"
             "%s"
             "stepper: %s\n"
             "time: {end: 1e300 s, step: 1e-300 s}\n",
             -box, -box, -box, box, box, box, density_of(m[0], r[0]), density_of(m[1], r[1]), r[0], r[0] + gap,
             -share * s->speed, second, s->run->step.stepper->variant.name);
}

// along the line of impact: the gap and the speed of parting
static double gap_of(const stage *s, const scr_world *w, double *parting)
{
    const scr_bodies *b = &w->bodies;
    double x[2] = {0, 0}, v[2] = {0, 0};
    for (size_t i = 0; i < b->table.count; i++) {
        x[b->group[i]] = b->place[4 * i], v[b->group[i]] = b->motion[4 * i];
    }
    *parting = v[0] - v[1];
    return x[0] - x[1] - s->radius[0] - (isinf(s->radius[1]) ? 0 : s->radius[1]);
}

typedef struct {
    double e, duration, overlap, push, pull;
    bool sticks, lost;
} outcome;

static void watch(const scr_step *step, double gap, outcome *o)
{
    const scr_bodies *b = &step->world->bodies;
    o->overlap = fmax(o->overlap, -gap);
    for (size_t i = 0; i < b->table.count; i++) {
        if (b->group[i] != 0) continue;
        o->push = fmax(o->push, b->load[8 * i]);
        o->pull = fmax(o->pull, -b->load[8 * i]);
    }
}

// steps until they have parted beyond reach; bodies still together after many contact times stick
static outcome collide(const stage *s, scr_step *step, double gap)
{
    outcome o = {.sticks = true};
    const scr_world *w = step->world;
    double dt = w->clock.dt, arrival = (gap - s->reach) / s->speed, parting;
    double slow = isnan(s->law->restitution) ? 1 : fmax(s->law->restitution, 0.02);
    double most = fmin((100 * s->time + 4 * gap / s->speed) / (slow * dt), MOST_STEPS);
    scree_report report;
    scree_report_init(&report);
    for (double k = 1; k < most && o.sticks && !o.lost; k++) {
        o.lost = step->stepper->step(step, &report) != SCREE_OK;
        double now = gap_of(s, w, &parting);
        watch(step, now, &o);
        if (!(now > s->reach && parting > 0) || o.lost) continue;
        o.sticks = false;
        o.e = parting / s->speed;
        o.duration = k * dt - (now - s->reach) / parting - arrival;
    }
    scree_report_deinit(&report);
    return o;
}

static scree_status try_start(const stage *s, double phase, outcome *o)
{
    char text[2048];
    double gap = s->reach + s->speed * s->run->world.clock.dt * (1 + phase);
    write_scene(s, gap, text, sizeof text);
    scree_simulation pair = {0};
    scr_scene *scene = scr_scene_parse(text, "two-body test", scr_schema_get(), NULL, 0, s->report);
    if (!scene) return SCREE_E_INPUT;
    bool quiet = scr_log_is_quiet();
    scr_log_quiet(true);
    scree_simulation_def def = scree_simulation_def_default();
    scree_status status = scr_simulation_build(scene, &def, &pair, s->report);
    if (!status) {
        for (int k = 0; k < 4; k++) pair.world.laws[k] = *s->law;
        pair.world.clock.dt = s->run->world.clock.dt;
        if (scr_world_lists(&pair.world)) pair.world.clock.skin = 0.2 * fmin(s->radius[0], s->radius[1]);
        pair.step.def = s->run->step.def;
        pair.step.no_ledger = true;
        status = pair.step.stepper->open(&pair.step, false, s->report);
        if (!status) *o = collide(s, &pair.step, gap);
        pair.step.stepper->close(&pair.step);
    }
    scr_log_quiet(quiet);
    scr_pairs_deinit(&pair.step.pairs);
    scr_world_deinit(&pair.world);
    scr_scene_destroy(scene);
    return status;
}

static stage prepare(const scree_simulation *run, const scr_law *law, const scr_meeting *m, double speed,
                     scree_report *report)
{
    stage s = {.run = run, .law = law, .speed = speed, .report = report};
    int first = isinf(m->mass[0]);
    for (int k = 0; k < 2; k++) {
        s.mass[k] = m->mass[first ? 1 - k : k];
        s.radius[k] = m->radius[first ? 1 - k : k];
    }
    scr_law here = *law;
    here.speed = speed;
    const char *what;
    s.time = scr_law_contact_time(&here, scr_meeting_mass(m), scr_meeting_radius(m));
    s.time = fmax(s.time, scr_meeting_time(&here, m, &what));
    s.reach = scr_law_range(law, scr_meeting_radius(m));
    return s;
}

scree_status scr_impact_try(const scree_simulation *run, const scr_law *law, const scr_meeting *m, double speed,
                            scr_impact *impact, scree_report *report)
{
    stage s = prepare(run, law, m, speed, report);
    double e[SCR_IMPACT_STARTS];
    // where within a step the contact begins does not matter when there are many
    int starts = s.time > 1000 * run->world.clock.dt ? 1 : SCR_IMPACT_STARTS;
    *impact = (scr_impact){0};
    for (int k = 0; k < starts; k++) {
        outcome o;
        scree_status status = try_start(&s, (k + 0.5) / starts, &o);
        if (status) return status;
        e[k] = o.e;
        impact->e += o.e / starts;
        impact->duration += o.duration / starts;
        impact->overlap = fmax(impact->overlap, o.overlap / (2 * scr_meeting_smaller(m)));
        impact->push = fmax(impact->push, o.push);
        impact->pull = fmax(impact->pull, o.pull);
        impact->sticks |= o.sticks && !o.lost;
        impact->lost |= o.lost;
    }
    for (int k = 0; k < starts; k++) impact->scatter = fmax(impact->scatter, fabs(e[k] - impact->e));
    return SCREE_OK;
}

/* ---- saying it ---- */

typedef struct {
    const scree_simulation *run;
    const char *pair; /* of materials */
    const scr_law *law;
    const scr_meeting *meeting;
    scree_report *report;
    bool *off; /* some restitution is not as asked, as it is with long steps */
} trial;

static void say(const trial *t, double speed, const scr_impact *i)
{
    char asked[40] = "";
    if (!isnan(t->law->restitution)) snprintf(asked, sizeof asked, " (requested %.4g)", t->law->restitution);
    if (i->lost)
        scr_say("    at %.3g m/s: too soft, they go through each other", speed);
    else if (i->sticks && i->e == 0)
        scr_say("    at %.3g m/s: they stick%s, overlap up to %.2g %%", speed, asked, 100 * i->overlap);
    else if (i->overlap > 0)
        scr_say("    at %.3g m/s: e %.4f +- %.4f%s, contact %.3g s, overlap up to %.2g %%", speed, i->e, i->scatter,
                asked, i->duration, 100 * i->overlap);
    else
        scr_say("    at %.3g m/s: e %.4f +- %.4f%s, within a step, without an overlap", speed, i->e, i->scatter, asked);
}

// a restitution that is off by more than this is worth a word
#define WRONG 0.05

static void judge(const trial *t, double speed, const scr_impact *i)
{
    bool cohesive = scr_law_attracts(t->law);
    char name[96];
    scr_meeting_name(t->meeting, name, sizeof name);
    if (i->lost && t->run->step.traits.contacts == SCR_CONTACTS_RESOLVED)
        scr_warn(t->report, SCR_NOWHERE,
                 "the contact %s (%s) is too soft: at the expected speed of %.3g m/s the bodies pass through "
                 "each other; increase the stiffness, or set contacts.speed if they are slower",
                 t->pair, name, speed);
    if (cohesive || isnan(t->law->restitution) || i->lost) return;
    if (fabs(i->e - t->law->restitution) < WRONG) return;
    if (t->run->step.traits.contacts != SCR_CONTACTS_RESOLVED) {
        *t->off |= !i->sticks;
        return;
    }
    scr_warn(t->report, SCR_NOWHERE,
             "the contact %s (%s) at %.3g m/s has restitution %.3g with this time step, requested "
             "is %.3g",
             t->pair, name, speed, i->e, t->law->restitution);
}

scree_status scr_impact_sticking(const scree_simulation *run, const scr_law *law, const scr_meeting *m, double *speed,
                                 scree_report *report)
{
    double e = isnan(law->restitution) ? 1 : fmax(law->restitution, 0.1);
    double work = scr_law_cohesion(law)->work(law, scr_meeting_radius(m));
    double guess = sqrt(2 * work / scr_meeting_mass(m)) / e;
    // from the guess, by factors of two until both sides are known, then by bisection
    double low = 0, high = INFINITY, tried = guess;
    for (int k = 0; k < 14; k++) {
        stage s = prepare(run, law, m, tried, report);
        outcome o;
        scree_status status = try_start(&s, 0.5, &o);
        if (status) return status;
        *(o.sticks ? &low : &high) = tried;
        if (low == 0 && tried < guess / 10) break;
        tried = low == 0 ? high / 2 : isinf(high) ? 2 * low : sqrt(low * high);
    }
    *speed = low > 0 ? sqrt(low * high) : 0;
    return SCREE_OK;
}

static scree_status try_meeting(const trial *t)
{
    const scr_law *law = t->law;
    char name[96];
    scr_meeting_name(t->meeting, name, sizeof name);
    scr_say("  %s, %s:", t->pair, name);
    double mass = scr_meeting_mass(t->meeting), radius = scr_meeting_radius(t->meeting);
    double speed = law->speed;
    if (!(speed > 0) || !isfinite(speed)) {
        // nothing moves yet: one at which the overlap is a thousandth of the smaller diameter
        double unit = scr_law_overlap(law, mass, radius, 1);
        double part = 2e-3 * scr_meeting_smaller(t->meeting) / unit;
        // m V^2 grows as the overlap to the power of the force and one more
        speed = scr_pow(part, 0.5 * (scr_law_normal(law)->power + 1));
    }
    double steps = scr_law_contact_time(law, mass, radius) / t->run->world.clock.dt;
    if (!(steps < FINE)) {
        scr_say("    not tested: a contact is resolved by %.2g steps", steps);
        return SCREE_OK;
    }
    for (int k = 0; k < 2; k++, speed /= 10) {
        scr_impact impact;
        scree_status status = scr_impact_try(t->run, law, t->meeting, speed, &impact, t->report);
        if (status) return status;
        say(t, speed, &impact);
        judge(t, speed, &impact);
        if (impact.lost) break; // a tenth as fast it may be well, but that is not what is expected
    }
    if (!scr_law_attracts(law)) return SCREE_OK;
    scree_status status = scr_impact_sticking(t->run, law, t->meeting, &speed, t->report);
    if (!status && speed > 0)
        scr_say("    pull-off force %.3g N; they stick below %.2g m/s", scr_pull_off(law, t->meeting), speed);
    else if (!status)
        scr_say("    pull-off force %.3g N; they never stick", scr_pull_off(law, t->meeting));
    return status;
}

scree_status scr_impacts_say(const scree_simulation *run, scree_report *report)
{
    const scr_world *w = &run->world;
    scr_sizes *sizes = scr_sizes_of(w);
    if (!sizes) return scr_no_memory(report, "sizes of grains");
    scree_status status = SCREE_OK;
    scr_meeting meetings[SCR_MEETINGS];
    int tried = 0;
    bool off = false;
    for (int a = 0; a < w->material_count; a++)
        for (int b = a; b < w->material_count; b++) {
            char name[160];
            snprintf(name, sizeof name, "%.70s/%.70s", w->materials[a].name, w->materials[b].name);
            int count = scr_meetings_of(sizes, a, b, meetings);
            for (int k = 0; k < count && !status; k++) {
                if (!tried) scr_say("two-body impact test at this time step (%d sub-step phases):", SCR_IMPACT_STARTS);
                if (tried == MOST_TRIALS) scr_say("  and so on, for further pairs");
                if (++tried > MOST_TRIALS) continue;
                trial t = {run, name, scr_world_law(w, a, b), &meetings[k], report, &off};
                status = try_meeting(&t);
            }
        }
    if (off)
        scr_say("  restitution differs from the requested value: contacts found late also push their overlap apart; "
                "a shorter step reduces this");
    scr_memory_free(sizes);
    return status;
}
