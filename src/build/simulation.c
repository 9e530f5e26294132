/* A simulation from a scene, stage by stage: stepper, stage, the state of earlier results, bodies, bonds, laws, time
 * step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "build/adopt_solids.h"
#include "build/bonds.h"
#include "build/build.h"
#include "build/frame_state.h"
#include "build/schema.h"
#include "build/simulation.h"
#include "observe/observer.h"
#include "observe/results.h"
#include "step/equilibrium/statics.h"
#include "world/frame.h"
#include "world/ledger.h"

/* What is being built, and from what. */
typedef struct {
    scree_simulation *s;
    const scr_scene *scene;
    const scree_simulation_def *def;
    bool *taken; /* groups, then kinds of bonds, that come from the results */
    scree_report *report;
    int errors; /* in the report when it began */
} plan;

/* ---- the state of earlier results ---- */

// a run can be continued with other materials, walls or output, not in another space
static scree_status check_same_domain(const scree_simulation *s, const scr_world *past, scree_report *report)
{
    const scr_domain *a = &s->world.domain, *b = &past->domain;
    if (!memcmp(&a->lower, &b->lower, sizeof a->lower) && !memcmp(&a->upper, &b->upper, sizeof a->upper) &&
        !memcmp(a->periodic, b->periodic, sizeof a->periodic))
        return SCREE_OK;
    return scr_fail(report, SCREE_E_INPUT,
                    scr_item_place(s->scene, &scr_scene_items(s->scene, "domain")->items[0], NULL),
                    "the domain is not that of the results: is it the same scene? a new run in another domain "
                    "starts with --from");
}

// a resumed run may say other things than before; then it is not the same run any more, and that is said
static bool warn_of_changes(const scree_simulation *s, const scr_archive *archive, scree_report *report)
{
    static const char *const sections[] = {"materials", "contacts",         "bodies",  "bonds",    "walls", "parts",
                                           "joints",    "solids",           "patches", "supports", "loads", "sponges",
                                           "outlets",   "resolved_regions", "stepper"};
    scree_report ignored;
    scree_report_init(&ignored);
    scr_scene *past = scr_scene_parse(scr_archive_scene_text(archive), scr_archive_scene_path(archive),
                                      scr_schema_get(), NULL, 0, &ignored);
    scree_report_deinit(&ignored);
    char changed[256] = "";
    for (size_t k = 0; past && k < sizeof sections / sizeof *sections; k++)
        if (!scr_scene_same(s->scene, past, sections[k]))
            snprintf(changed + strlen(changed), sizeof changed - strlen(changed), "%s%s", *changed ? ", " : "",
                     sections[k]);
    if (past && !(scr_scene_same_key(s->scene, past, "", "gravity") &&
                  scr_scene_same_key(s->scene, past, "", "gravity_signal") &&
                  scr_scene_same_key(s->scene, past, "", "gravity_table")))
        snprintf(changed + strlen(changed), sizeof changed - strlen(changed), "%sgravity", *changed ? ", " : "");
    scr_scene_destroy(past);
    if (!*changed) return false;
    scr_warn(report, (scree_place){.file = scr_scene_path(s->scene)},
             "not as in the results: %s. The run continues with the present scene (grains stay "
             "as they are); it "
             "is no longer the same run",
             changed);
    return true;
}

// bodies, contacts and clock of a results file's last checkpoint into the stage built from the scene
static scree_status adopt(scree_simulation *s, const scree_simulation_def *def, bool *taken, scree_report *report)
{
    const char *path = def->resume ? def->resume : def->from;
    scr_archive *archive = scr_archive_open(path, report);
    if (!archive) return SCREE_E_INPUT;
    scr_world past;
    scr_world_init(&past);
    scree_status status = def->from && def->at_frame ? scr_frame_state_read(archive, def->frame, &past, report)
                                                     : scr_archive_world(archive, -1, &past, report);
    if (!status && def->resume) status = check_same_domain(s, &past, report);
    if (!status && def->resume) {
        s->changed = warn_of_changes(s, archive, report);
        s->closure = scr_ledger_energies(&past).closure;
    }
    if (!status) status = scr_build_adopt(&s->world, s->scene, &past, taken, report);
    if (!status) status = scr_adopt_solids(&s->world, s->scene, &past, def->resume != NULL, report);
    if (!status) status = scr_adopt_bonds(&s->world, s->scene, &past, taken + s->world.group_count, report);
    if (!status && def->resume && past.law_source == scr_laws_source(s->scene, &s->step.traits) &&
        past.material_count == s->world.material_count) {
        // same definitions: the very same laws, whatever has left the domain since
        s->world.laws = past.laws;
        s->world.law_source = past.law_source;
        past.laws = NULL;
    }
    char cells[32] = "";
    if (past.cells.table.count) snprintf(cells, sizeof cells, ", %zu cells", past.cells.table.count);
    if (!status)
        scr_say("%s %s: step %lld, time %.9g s, %zu grains, %zu contacts%s",
                def->resume ? "continuing" : "starting from", path, (long long)s->world.clock.step, s->world.clock.time,
                s->world.bodies.table.count, s->world.contacts.table.count, cells);
    scr_world_deinit(&past);
    scr_archive_close(archive);
    return status;
}

// aggregates form anew; clumps stay what they are
static void dissolve(scr_world *w)
{
    for (size_t i = 0; i < w->bodies.table.count; i++)
        if (!scr_frame_is_clump(w, w->bodies.frame[i])) w->bodies.frame[i] = SCR_FRAME_NONE;
    for (size_t k = 0; k < w->rigids.table.count; k++)
        if (w->rigids.kind[k] == SCR_RIGID_AGGREGATE) w->rigids.source[k] = SCR_RIGID_GONE;
    scr_rigids_drop(w);
}

// a run that starts from another's state begins its own time and ledger
static void begin_anew(scr_world *w, double start)
{
    w->clock.time = w->clock.base_time = start;
    w->clock.step = w->clock.base_step = 0;
    w->clock.rebuilds = 0;
    w->clock.curve = 0;
    w->clock.removed_count = 0;
    w->clock.broken_tension = w->clock.broken_shear = 0;
    w->ledger = (scr_ledger){0};
    w->tally = (scr_tally){0};
    scr_flows_deinit(w);
    scr_loads_begin(w);
    scr_ports_continue(w, NULL);
    scr_clear(w->bodies.side, w->bodies.table.count * sizeof *w->bodies.side);
    for (int k = 0; k < w->wall_count; k++) {
        w->walls[k].force = w->walls[k].torque = v3(0, 0, 0);
        if (!w->walls[k].carried) scr_wall_rebase(&w->walls[k], start);
    }
    dissolve(w);
}

static void turn_round(double *rows, size_t count)
{
    for (size_t k = 0; k < count; k++)
        for (int d = 0; d < 3; d++) rows[4 * k + (size_t)d] *= -1;
}

// what moved goes back
static void reverse(scr_world *w)
{
    turn_round(w->bodies.motion, w->bodies.table.count);
    turn_round(w->bodies.spin, w->bodies.table.count);
    turn_round(w->rigids.velocity, w->rigids.table.count);
    turn_round(w->rigids.momentum, w->rigids.table.count);
    turn_round(w->cells.velocity, w->cells.table.count);
    turn_round(w->cells.momentum, w->cells.table.count);
}

// a resumed run has the grains and bonds of its results and no others
static scree_status refuse_new_groups(const scr_scene *scene, const bool *taken, scree_report *report)
{
    const scr_items *groups = scr_scene_items(scene, "bodies");
    scree_status status = SCREE_OK;
    for (int g = 0; g < groups->count; g++)
        if (!taken[g])
            status = scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &groups->items[g], NULL),
                              "bodies.%s is not in the results: a resumed run cannot add grains, a new run "
                              "that starts --from them can",
                              groups->items[g].name);
    const scr_items *bonds = scr_scene_items(scene, "bonds");
    for (int k = 0; k < bonds->count; k++)
        if (!taken[groups->count + k])
            status = scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &bonds->items[k], NULL),
                              "bonds.%s is not in the results: a resumed run cannot add bonds, a new run "
                              "that starts --from them can",
                              bonds->items[k].name);
    return status;
}

/* ---- the time step ---- */

// the time step of a resumed run: as before unless the scene gives another; checked against the
// laws as they are now
static scree_status keep_step(scree_simulation *s, scree_report *report)
{
    const scr_time_def *time = scr_scene_def(s->scene, "time");
    const scr_item *item = &scr_scene_items(s->scene, "time")->items[0];
    scr_clock *clock = &s->world.clock;
    const scr_stepper_traits *traits = &s->step.traits;
    double skin = traits->skin;
    // another kind of stepper has steps of another size
    if ((skin == 0) != (clock->skin == 0)) {
        clock->base_time = clock->time;
        clock->base_step = clock->step;
        return scr_choose_step(&s->step, s->scene, true, report);
    }
    double most = traits->most, given = time->step;
    if (isnan(given) && most > 0 && most < clock->dt) given = most;
    if (!isnan(given) && given != clock->dt) {
        scr_warn(report, scr_item_place(s->scene, item, "step"), "the time step changes from %.9g s to %.9g s",
                 clock->dt, given);
        clock->base_time = clock->time;
        clock->base_step = clock->step;
        clock->dt = given;
    } else {
        scr_say("time step %.4g s, as before", clock->dt);
    }
    if (!isnan(skin) && skin != clock->skin)
        scr_say("skin %.4g m, as before: it cannot change in a resumed run", clock->skin);
    scr_say_adapted(&s->step);
    return scr_check_step(&s->step, s->scene, report);
}

// statics: a step is a load step, and the last one is at the end
static scree_status choose_load_step(scree_simulation *s, scree_report *report)
{
    const scr_time_def *time = scr_scene_def(s->scene, "time");
    const scr_statics_def *statics = scr_scene_def(s->scene, "statics");
    double dt = (time->end - time->start) / (double)statics->steps;
    if (s->resumed && s->world.clock.dt != dt)
        return scr_fail(report, SCREE_E_INPUT,
                        scr_item_place(s->scene, &scr_scene_items(s->scene, "time")->items[0], NULL),
                        "load steps of the results are %.9g s of time, here they are %.9g s: they "
                        "cannot change on the way",
                        s->world.clock.dt, dt);
    // what touches need not be held: it moves until it rests
    if (s->step.traits.moves_to_rest) {
        scree_status status = scr_choose_motion(&s->step, s->scene, report);
        s->step.inner_dt = s->world.clock.dt;
        s->world.clock.dt = dt;
        return status;
    }
    s->world.clock.dt = dt;
    // grains choose theirs, and keep it
    if (!s->resumed) s->world.clock.skin = 0;
    return SCREE_OK;
}

/* ---- stages ---- */

// auto, cpu, gpu, gpu:1
static scree_status read_device(const char *text, const scr_step *s, scr_device_choice *device, scree_report *report)
{
    static const char *const kinds[] = {[SCR_DEVICE_AUTO] = "auto", [SCR_DEVICE_CPU] = "cpu", [SCR_DEVICE_GPU] = "gpu"};
    if (!text) return SCREE_OK;
    device->given = true, device->kind = -1;
    for (int k = 0; k < 3; k++)
        if (!strcmp(text, kinds[k])) device->kind = k;
    char *end;
    long number = strncmp(text, "gpu:", 4) ? -1 : strtol(text + 4, &end, 10);
    if (number >= 0 && number < 4096 && end > text + 4 && !*end)
        device->kind = SCR_DEVICE_GPU, device->number = (int)number;
    if (device->kind < 0)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "device '%s': auto, cpu, gpu, or gpu:N with its number N from 0", text);
    if (device->kind == SCR_DEVICE_GPU && !s->traits.gpu)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "device '%s': the integrator %s is for the CPU; leave it out, or use the integrator soft", text,
                        s->stepper->variant.name);
    return SCREE_OK;
}

static scree_status choose_stepper(const plan *p)
{
    scree_simulation *s = p->s;
    const scr_time_def *time = scr_scene_def(p->scene, "time");
    const scr_output_def *output = scr_scene_def(p->scene, "output");
    s->step = scr_step_choose(p->scene, p->def->statics);
    s->step.world = &s->world;
    s->step.no_ledger = p->def->no_ledger;
    scree_status asked = read_device(p->def->device, &s->step, &s->step.device, p->report);
    if (asked) return asked;
    s->step.auto_step = isnan(time->step);
    s->step.keep_spent = output->contacts;
    s->wants_contacts = output->contacts || scr_observers_need_contacts(p->scene);
    scr_check_ranks(&s->step, p->scene, p->report);
    if (s->step.stepper->check)
        s->step.stepper->check(p->scene, &scr_scene_items(p->scene, "stepper")->items[0], p->report);
    return SCREE_OK;
}

// domain, materials, groups, walls, solids; all errors up to here are told at once
static scree_status build_stage(const plan *p)
{
    scree_status status = scr_build_stage(&p->s->step, p->scene, p->report);
    if (!status) scr_step_meet(&p->s->step, p->scene, p->report);
    return status ? status : p->report->errors > p->errors ? SCREE_E_INPUT : SCREE_OK;
}

static scree_status adopt_state(const plan *p)
{
    const scr_time_def *time = scr_scene_def(p->scene, "time");
    scr_world *w = &p->s->world;
    scree_status status = SCREE_OK;
    if (p->s->adopted) status = adopt(p->s, p->def, p->taken, p->report);
    if (status) return status;
    if (p->def->from) begin_anew(w, time->start);
    if (p->def->from && time->reverse) reverse(w);
    w->gravity = scr_gravity_at(&w->gravity_law, w->clock.time);
    if (p->s->changed) dissolve(w); // frames are numbered by walls
    return SCREE_OK;
}

static scree_status build_bodies(const plan *p)
{
    scr_world *w = &p->s->world;
    scree_status status = p->s->resumed ? refuse_new_groups(p->scene, p->taken, p->report)
                                        : scr_build_bodies(w, p->scene, p->taken, p->report);
    if (!status && (!p->s->resumed || p->s->changed)) scr_build_drives(w);
    scr_build_curve(w);
    return status;
}

static scree_status build_bonds(const plan *p)
{
    return scr_build_bonds(&p->s->world, p->scene, p->taken + scr_scene_items(p->scene, "bodies")->count, p->report);
}

static scree_status build_laws(const plan *p)
{
    return scr_build_laws(&p->s->step, p->scene, p->report);
}

static scree_status choose_step(const plan *p)
{
    if (p->s->step.traits.load_steps) return choose_load_step(p->s, p->report);
    if (p->s->resumed) return keep_step(p->s, p->report);
    return scr_choose_step(&p->s->step, p->scene, p->s->adopted, p->report);
}

static scree_status check_world(const plan *p)
{
    const scr_stepper *stepper = p->s->step.stepper;
    if (!stepper->check_world) return SCREE_OK;
    return stepper->check_world(&p->s->world, p->scene, p->report);
}

static scree_status (*const stages[])(const plan *plan) = {
    choose_stepper, build_stage, adopt_state, build_bodies, build_bonds, build_laws, choose_step, check_world,
};

scree_status scr_simulation_stage(const scr_scene *scene, scree_simulation *s, scree_report *report)
{
    const scree_simulation_def def = {0};
    plan p = {s, scene, &def, NULL, report, report->errors};
    s->scene = scene;
    scr_world_init(&s->world);
    scree_status status = choose_stepper(&p);
    return status ? status : build_stage(&p);
}

scree_status scr_simulation_build(const scr_scene *scene, const scree_simulation_def *def, scree_simulation *s,
                                  scree_report *report)
{
    s->scene = scene;
    s->resumed = def->resume != NULL;
    s->adopted = def->resume || def->from;
    s->list_every = def->list_every;
    scr_world_init(&s->world);
    int named = scr_scene_items(scene, "bodies")->count + scr_scene_items(scene, "bonds")->count;
    plan p = {s, scene, def, calloc((size_t)named + 1, sizeof *p.taken), report, report->errors};
    if (!p.taken) return scr_no_memory(report, "the start of a run");
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < sizeof stages / sizeof *stages && !status; k++) status = stages[k](&p);
    free(p.taken);
    return status;
}
