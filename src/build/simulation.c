/* A simulation from a scene, stage by stage: stepper, stage, the state of earlier results, bodies, bonds, laws, time
 * step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "build/adopt_solids.h"
#include "build/bonds.h"
#include "build/box.h"
#include "build/build.h"
#include "build/frame_state.h"
#include "build/schema.h"
#include "build/simulation.h"
#include "collide/box.h"
#include "comm/share.h"
#include "observe/observer.h"
#include "observe/results.h"
#include "observe/until.h"
#include "step/equilibrium/statics.h"
#include "world/carrier.h"
#include "world/energy.h"
#include "world/ledger.h"

/* What is being built, and from what. */
typedef struct {
    scree_simulation *s;
    const scr_scene *scene;
    const scree_simulation_def *def;
    scr_archive *archive; /* that the state comes from, or NULL */
    scr_world *past;      /* that state; NULL: there is none, a new run begins with what the scene says */
    scr_world read;       /* where it is, if it comes from the archive */
    bool next;            /* it is the end of the stage before this one */
    bool *taken;          /* groups, then kinds of bonds, that come from it */
    scree_report *report;
    int errors; /* in the report when it began */
} plan;

/* ---- the state of earlier results ---- */

// a run can be continued with other materials, walls or output, not in another space
static scree_status check_same_domain(const scree_simulation *s, const scr_world *past, scree_report *report)
{
    const scr_domain *a = &s->world.domain, *b = &past->domain;
    bool same = !memcmp(&a->lower, &b->lower, sizeof a->lower) && !memcmp(&a->upper, &b->upper, sizeof a->upper);
    // a box that deforms is where it has got to
    if ((same || b->box.deforms) && !memcmp(a->periodic, b->periodic, sizeof a->periodic)) return SCREE_OK;
    return scr_fail(report, SCREE_E_INPUT,
                    scr_item_place(s->scene, &scr_scene_items(s->scene, "domain")->items[0], NULL),
                    "the domain differs from that of the results: is it the same scene? A new run in another domain "
                    "starts with --from");
}

// the sections in which two scenes differ
static void list_changes(const scr_scene *a, const scr_scene *b, char changed[256])
{
    static const char *const sections[] = {"materials", "contacts",         "bodies",  "bonds",    "walls", "parts",
                                           "joints",    "solids",           "patches", "supports", "loads", "sponges",
                                           "outlets",   "resolved_regions", "stepper"};
    *changed = 0;
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        if (!scr_scene_same(a, b, sections[k]))
            snprintf(changed + strlen(changed), 256 - strlen(changed), "%s%s", *changed ? ", " : "", sections[k]);
    if (!(scr_scene_same_key(a, b, "", "gravity") && scr_scene_same_key(a, b, "", "gravity_signal") &&
          scr_scene_same_key(a, b, "", "gravity_table")))
        snprintf(changed + strlen(changed), 256 - strlen(changed), "%sgravity", *changed ? ", " : "");
    if (!scr_scene_same_key(a, b, "domain", "deform"))
        snprintf(changed + strlen(changed), 256 - strlen(changed), "%sdomain.deform", *changed ? ", " : "");
}

// the stage of a scene in which a state was; the scene itself where it has none of that name
static const scr_scene *stage_of(const scr_scene *scene, const scr_world *past)
{
    int stage = past->stage_count ? scr_scene_stage_find(scene, past->stages[past->stage_count - 1].name) : 0;
    return scr_scene_stage(scene, stage < 0 ? 0 : stage);
}

// a resumed run may say other things than before; then it is not the same run any more, and that is said
static bool warn_of_changes(const plan *p)
{
    scree_report ignored;
    scree_report_init(&ignored);
    scr_scene *past = scr_scene_parse(scr_archive_scene_text(p->archive), scr_archive_scene_path(p->archive),
                                      scr_schema_get(), NULL, 0, &ignored);
    scree_report_deinit(&ignored);
    const scree_simulation *s = p->s;
    scree_report *report = p->report;
    char changed[256] = "";
    if (past) list_changes(s->scene, stage_of(past, p->past), changed);
    scr_scene_destroy(past);
    if (!*changed) return false;
    scr_warn(report, (scree_place){.file = scr_scene_path(s->scene)},
             "changed since the results were written: %s. The run continues with the present scene (grains stay as "
             "they are); it is no longer the same run",
             changed);
    return true;
}

static void say_past(const plan *p)
{
    const scr_world *w = &p->s->world;
    char cells[32] = "", stage[100] = "";
    if (w->stage_count && p->s->resumed)
        snprintf(stage, sizeof stage, ", stage %.80s", w->stages[w->stage_count - 1].name);
    if (w->cells.table.count) snprintf(cells, sizeof cells, ", %zu cells", w->cells.table.count);
    scr_share *share = w->share;
    size_t grains = scr_share_bodies(w), contacts = share ? share->aside.table.count : w->contacts.table.count;
    contacts = (size_t)scr_share_sum(share, (int64_t)contacts);
    scr_say("%s %s: step %lld, time %.9g s%s, %zu grains, %zu contacts%s",
            p->s->resumed ? "continuing" : "starting from", p->s->resumed ? p->def->resume : p->def->from,
            (long long)w->clock.step, w->clock.time, stage, grains, contacts, cells);
}

// of the ledger; where ranks have a part each, of all of them
static double closure_of(const scr_world *past, scr_share *share)
{
    double own[3], sums[3] = {0}, *all = NULL;
    if (!share) return scr_ledger_energies(past).closure;
    scr_world_energies(past, &own[0], &own[1], &own[2]);
    size_t numbers = scr_share_collect_all(share, own, 3, sizeof *own, &all);
    for (size_t k = 0; k < numbers; k++) sums[k % 3] += all[k];
    scr_buffer_free(all);
    return scr_ledger_energies_of(past, sums).closure;
}

// whether the present scene is another one than that of the past, where the run goes on
static bool is_changed(const plan *p)
{
    char changed[256] = "";
    if (!p->next) return warn_of_changes(p);
    list_changes(p->scene, scr_scene_stage(p->scene, scr_scene_stage_number(p->scene) - 1), changed);
    return *changed;
}

// bodies, contacts and clock of the past into what was built from the scene
static scree_status adopt(const plan *p)
{
    scree_simulation *s = p->s;
    scr_world *past = p->past;
    scree_report *report = p->report;
    scree_status status = SCREE_OK;
    if (s->resumed) status = check_same_domain(s, past, report);
    if (!status && s->resumed) {
        s->changed = is_changed(p);
        s->closure = closure_of(past, s->world.share);
    }
    if (!status) status = scr_build_adopt(&s->world, s->scene, past, p->taken, report);
    status = scr_share_agree(s->world.share, status);
    if (!status && s->world.share) scr_share_adopt(s->world.share, &s->world);
    if (!status) scr_box_adopt(&s->world, past);
    if (!status) status = scr_adopt_solids(&s->world, s->scene, past, s->resumed, report);
    if (!status) status = scr_adopt_bonds(&s->world, s->scene, past, p->taken + s->world.group_count, report);
    if (!status && s->resumed && past->law_source == scr_laws_source(s->scene, &s->step.traits) &&
        past->material_count == s->world.material_count) {
        // same definitions: the very same laws, whatever has left the domain since
        s->world.laws = past->laws;
        s->world.law_source = past->law_source;
        past->laws = NULL;
    }
    if (!status && !p->next) say_past(p);
    return status;
}

// aggregates form anew; clumps stay what they are
static void dissolve(scr_world *w)
{
    for (size_t i = 0; i < w->bodies.table.count; i++)
        if (!scr_carrier_is_clump(w, w->bodies.carrier[i])) w->bodies.carrier[i] = SCR_CARRIER_NONE;
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
    scr_box_begin(w);
    scr_box_list(w, true);
    scr_flows_deinit(w);
    scr_loads_begin(w);
    scr_ports_continue(w, NULL);
    scr_clear(w->bodies.side, w->bodies.table.count * sizeof *w->bodies.side);
    for (int k = 0; k < w->wall_count; k++) {
        w->walls[k].force = w->walls[k].torque = v3(0, 0, 0);
        w->walls[k].held = (scr_servo_state){0};
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
            status = scr_fail(
                report, SCREE_E_INPUT, scr_item_place(scene, &groups->items[g], NULL),
                "bodies.%s is not in the results: a resumed run cannot add grains; start a new run with --from",
                groups->items[g].name);
    const scr_items *bonds = scr_scene_items(scene, "bonds");
    for (int k = 0; k < bonds->count; k++)
        if (!taken[groups->count + k])
            status =
                scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &bonds->items[k], NULL),
                         "bonds.%s is not in the results: a resumed run cannot add bonds; start a new run with --from",
                         bonds->items[k].name);
    return status;
}

/* ---- the time step ---- */

// the time step of a resumed run: as before unless the scene gives another; checked against the
// laws as they are now
static scree_status keep_step(scree_simulation *s, bool anew, scree_report *report)
{
    const scr_time_def *time = scr_scene_def(s->scene, "time");
    const scr_item *item = &scr_scene_items(s->scene, "time")->items[0];
    scr_clock *clock = &s->world.clock;
    const scr_stepper_traits *traits = &s->step.traits;
    // another kind of stepper has steps of another size, and so may other contacts in the next stage
    if (traits->lists != scr_world_lists(&s->world) || (anew && isnan(time->step))) {
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
    if (traits->lists && !isnan(traits->skin) && traits->skin != clock->skin)
        scr_say("skin %.4g m, as before: it cannot change in a resumed run", clock->skin);
    scr_say_adapted(&s->step);
    return scr_check_step(&s->step, s->scene, report);
}

// statics: a step is a load step, and the last one is at the end
static scree_status choose_load_step(scree_simulation *s, scree_report *report)
{
    const scr_time_def *time = scr_scene_def(s->scene, "time");
    const scr_statics_def *statics = scr_scene_def(s->scene, "statics");
    if (scr_scene_stage_count(s->scene))
        return scr_fail(report, SCREE_E_INPUT,
                        scr_item_place(s->scene, &scr_scene_items(s->scene, "stages")->items[0], NULL),
                        "equilibria have no stages: leave them out, or use `scree run`");
    double dt = (time->end - time->start) / (double)statics->steps;
    if (s->resumed && s->world.clock.dt != dt)
        return scr_fail(
            report, SCREE_E_INPUT, scr_item_place(s->scene, &scr_scene_items(s->scene, "time")->items[0], NULL),
            "load steps are %.9g s long in the results and %.9g s in the scene: they cannot change within a run",
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
    vec3 before = p->past ? p->past->gravity : v3(0, 0, 0);
    if (p->past) status = adopt(p);
    if (status) return status;
    if (p->def->from && !p->next) begin_anew(w, time->start);
    if (p->def->from && !p->next && time->reverse) reverse(w);
    w->gravity = scr_gravity_at(&w->gravity_law, w->clock.time);
    if (p->next) {
        // what another gravity does is booked as that of one that changes
        vec3 now = w->gravity;
        w->gravity = before;
        scr_gravity_change(w, now);
    }
    if (p->s->changed) dissolve(w); // carriers are numbered by walls
    scr_servos_measure(w);
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
    if (p->s->resumed) return keep_step(p->s, p->next && p->s->world.law_source != p->past->law_source, p->report);
    return scr_choose_step(&p->s->step, p->scene, p->s->adopted, p->report);
}

// of an earlier state of the same run they are what they were
static scree_status choose_box(const plan *p)
{
    scr_choose_box(&p->s->world, p->scene, p->s->resumed && !p->s->changed);
    return SCREE_OK;
}

static scree_status check_world(const plan *p)
{
    const scr_stepper *stepper = p->s->step.stepper;
    if (!stepper->check_world) return SCREE_OK;
    return stepper->check_world(&p->s->world, p->scene, p->report);
}

static scree_status (*const stages[])(const plan *plan) = {
    choose_stepper, build_stage, adopt_state, build_bodies, build_bonds,
    build_laws,     choose_step, choose_box,  check_world,
};

scree_status scr_simulation_stage(const scr_scene *scene, scree_simulation *s, scree_report *report)
{
    const scree_simulation_def def = {0};
    plan p = {.s = s, .scene = scene, .def = &def, .report = report, .errors = report->errors};
    s->scene = scene;
    scr_world_init(&s->world);
    scree_status status = choose_stepper(&p);
    return status ? status : build_stage(&p);
}

/* ---- where the state comes from ---- */

static scree_status refuse_stage(const plan *p, const char *name)
{
    scr_nearest nearest = {.wanted = name};
    for (int k = 0; k < scr_scene_stage_count(p->scene); k++)
        scr_nearest_offer(&nearest, scr_scene_stage_name(p->scene, k));
    return scr_fail(p->report, SCREE_E_INPUT, (scree_place){.file = scr_scene_path(p->scene)},
                    "the scene has no stage '%.60s'%s%s%s", name, nearest.found ? ", did you mean '" : "",
                    nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
}

// the checkpoint with which a stage begins; -1: the last one of all
static scree_status find_checkpoint(const plan *p, int64_t *step)
{
    int count;
    const scr_stage *begun = scr_archive_stages(p->archive, &count);
    *step = -1;
    if (!p->def->stage || !p->def->resume) return SCREE_OK;
    if (scr_scene_stage_find(p->scene, p->def->stage) < 0) return refuse_stage(p, p->def->stage);
    for (int k = 0; k < count; k++)
        if (!strcmp(begun[k].name, p->def->stage)) return *step = begun[k].step, SCREE_OK;
    return scr_fail(p->report, SCREE_E_INPUT, (scree_place){.file = p->def->resume},
                    "the run has not reached the stage '%.60s': its last one is %s", p->def->stage,
                    count ? begun[count - 1].name : "none");
}

static scree_status read_past(plan *p)
{
    const char *path = p->def->resume ? p->def->resume : p->def->from;
    int64_t step;
    if (!path) return SCREE_OK;
    p->archive = scr_archive_open(path, p->report);
    if (scr_share_agree(p->s->world.share, p->archive ? SCREE_OK : SCREE_E_INPUT)) return SCREE_E_INPUT;
    p->read.share = p->s->world.share;
    scree_status status = find_checkpoint(p, &step);
    if (!status)
        status = p->def->from && p->def->at_frame ? scr_frame_state_read(p->archive, p->def->frame, &p->read, p->report)
                                                  : scr_archive_world(p->archive, step, &p->read, p->report);
    if (!status) p->past = &p->read;
    p->read.share = NULL;
    return status;
}

// which stage it is: that of the past, the one after it, or the one that was asked for
static scree_status find_stage(const plan *p, int *stage)
{
    *stage = 0;
    if (p->next) {
        *stage = p->past->stage_count;
    } else if (p->s->resumed) {
        int count = p->past->stage_count;
        if (!count != !scr_scene_stage_count(p->scene))
            return scr_fail(p->report, SCREE_E_INPUT, (scree_place){.file = scr_scene_path(p->scene)},
                            "%s has stages and %s has none: is it the same scene?", count ? "the run" : "the scene",
                            count ? "the scene" : "the run");
        if (count) *stage = scr_scene_stage_find(p->scene, p->past->stages[count - 1].name);
        if (*stage < 0) return refuse_stage(p, p->past->stages[count - 1].name);
        if (count && *stage != count - 1)
            return scr_fail(p->report, SCREE_E_INPUT, (scree_place){.file = scr_scene_path(p->scene)},
                            "the stage '%.60s' is number %d of the scene, but number %d of the run: stages before it "
                            "cannot change in a resumed run",
                            p->past->stages[count - 1].name, *stage + 1, count);
    } else if (p->def->stage) {
        *stage = scr_scene_stage_find(p->scene, p->def->stage);
        if (*stage < 0) return refuse_stage(p, p->def->stage);
    }
    return SCREE_OK;
}

// the scene of the stage, and when it and those before it began
static scree_status enter_stage(plan *p)
{
    scr_world *w = &p->s->world;
    int stage = 0;
    scree_status status = find_stage(p, &stage);
    if (status) return status;
    p->scene = p->s->scene = scr_scene_stage(p->scene, stage);
    if (!scr_scene_stage_count(p->scene)) return SCREE_OK;
    bool ok = !p->s->resumed || scr_stages_copy(w, p->past);
    if (p->next)
        w->clock = p->past->clock;
    else
        w->clock.time = ((const scr_time_def *)scr_scene_def(p->scene, "time"))->start;
    while (ok && w->stage_count <= stage) ok = scr_stages_begin(w, scr_scene_stage_name(p->scene, w->stage_count));
    return ok ? SCREE_OK : scr_no_memory(p->report, "the stages of a run");
}

static scree_status build(plan *p)
{
    scree_status status = enter_stage(p);
    int named = scr_scene_items(p->scene, "bodies")->count + scr_scene_items(p->scene, "bonds")->count;
    if (!status && !(p->taken = calloc((size_t)named + 1, sizeof *p->taken)))
        status = scr_no_memory(p->report, "the start of a run");
    for (size_t k = 0; k < sizeof stages / sizeof *stages && !status; k++)
        status = scr_share_agree(p->s->world.share, stages[k](p));
    free(p->taken);
    return status;
}

scree_status scr_simulation_build(const scr_scene *scene, const scree_simulation_def *def, scree_simulation *s,
                                  scree_report *report)
{
    s->scene = scene;
    s->resumed = def->resume != NULL;
    s->adopted = def->resume || def->from;
    s->list_every = def->list_every;
    scr_share *share = s->world.share;
    scr_world_init(&s->world);
    s->world.share = share;
    plan p = {.s = s, .scene = scene, .def = def, .report = report, .errors = report->errors};
    scr_world_init(&p.read);
    scree_status status = scr_share_agree(share, read_past(&p));
    if (!status) status = build(&p);
    // what is wrong with later stages is said now, not when they begin; what is right was said
    if (!status && scr_scene_stage_count(scene)) {
        scr_log_quiet(true);
        status = scr_stages_try(scene, def, report);
        scr_log_quiet(def->quiet);
    }
    scr_world_deinit(&p.read);
    scr_archive_close(p.archive);
    return status;
}

scree_status scr_simulation_build_next(scree_simulation *before, const scree_simulation_def *def, scree_simulation *s,
                                       scree_report *report)
{
    s->scene = before->scene;
    s->resumed = s->adopted = true;
    s->list_every = before->list_every;
    scr_world_init(&s->world);
    plan p = {.s = s,
              .scene = before->scene,
              .def = def,
              .past = &before->world,
              .next = true,
              .report = report,
              .errors = report->errors};
    return build(&p);
}

scree_status scr_stages_try(const scr_scene *scene, const scree_simulation_def *def, scree_report *report)
{
    const char *stepper = scr_scene_items(scene, "stepper")->items[0].variant->name;
    scree_status status = SCREE_OK;
    for (int k = 1; k < scr_scene_stage_count(scene) && !status; k++) {
        scree_simulation s = {.scene = scr_scene_stage(scene, k)};
        scr_world_init(&s.world);
        plan p = {.s = &s, .scene = s.scene, .def = def, .report = report, .errors = report->errors};
        const scr_item *item = &scr_scene_items(s.scene, "stepper")->items[0];
        status = choose_stepper(&p);
        if (strcmp(item->variant->name, stepper) != 0)
            status = scr_fail(report, SCREE_E_INPUT, scr_item_place(s.scene, item, NULL),
                              "stages.%s changes the integrator from %s to %s: a stage can change its other keys only",
                              scr_scene_stage_name(scene, k), stepper, item->variant->name);
        if (!status) status = build_stage(&p);
        if (!status) scr_until_check(&s.step, s.scene, report);
        if (!status && report->errors > p.errors) status = SCREE_E_INPUT;
        scr_world_deinit(&s.world);
    }
    return status;
}
