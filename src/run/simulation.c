#include "run/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os.h"
#include "exec/cpu/threads.h"
#include "observe/cell_views.h"
#include "observe/results.h"
#include "observe/solver.h"
#include "run/adopt_solids.h"
#include "run/bonds.h"
#include "run/build.h"
#include "run/schema.h"
#include "run/sides.h"
#include "run/watch.h"
#include "step/elastic/statics.h"
#include "step/variational/rest.h"
#include "world/frame.h"
#include "world/ledger.h"

scree_simulation_def scree_simulation_def_default(void)
{
    return (scree_simulation_def){0};
}

// a run can be continued with other materials, walls or output, not in another space
static scree_status check_same_domain(const scree_simulation *s, const scr_world *past,
                                      scree_report *report)
{
    const scr_domain *a = &s->world.domain, *b = &past->domain;
    if (!memcmp(&a->lower, &b->lower, sizeof a->lower) &&
        !memcmp(&a->upper, &b->upper, sizeof a->upper) &&
        !memcmp(a->periodic, b->periodic, sizeof a->periodic))
        return SCREE_OK;
    return scr_fail(
        report, SCREE_E_INPUT,
        scr_item_place(s->scene, &scr_scene_items(s->scene, "domain")->items[0], NULL),
        "the domain is not that of the results: is it the same scene? a new run in another domain "
        "starts with --from");
}

// a resumed run may say other things than before; then it is not the same run any more, and that is said
static bool warn_of_changes(const scree_simulation *s, const scr_archive *archive,
                            scree_report *report)
{
    static const char *const sections[] = {
        "materials", "contacts",         "bodies",  "bonds",    "walls", "parts",
        "joints",    "solids",           "patches", "supports", "loads", "sponges",
        "outlets",   "resolved_regions", "stepper"};
    scree_report ignored;
    scree_report_init(&ignored);
    scr_scene *past =
        scr_scene_parse(scr_archive_scene_text(archive), scr_archive_scene_path(archive),
                        scr_schema_get(), NULL, 0, &ignored);
    scree_report_deinit(&ignored);
    char changed[256] = "";
    for (size_t k = 0; past && k < sizeof sections / sizeof *sections; k++)
        if (!scr_scene_same(s->scene, past, sections[k]))
            snprintf(changed + strlen(changed), sizeof changed - strlen(changed), "%s%s",
                     *changed ? ", " : "", sections[k]);
    if (past && !(scr_scene_same_key(s->scene, past, "", "gravity") &&
                  scr_scene_same_key(s->scene, past, "", "gravity_signal") &&
                  scr_scene_same_key(s->scene, past, "", "gravity_table")))
        snprintf(changed + strlen(changed), sizeof changed - strlen(changed), "%sgravity",
                 *changed ? ", " : "");
    scr_scene_destroy(past);
    if (!*changed) return false;
    scr_warn(report, (scree_place){.file = scr_scene_path(s->scene)},
             "not as in the results: %s. The run goes on with what the scene says now (grains stay "
             "as they are); it "
             "is no longer the same run",
             changed);
    return true;
}

// bodies, contacts and clock of a results file's last checkpoint into the stage built from the scene
static scree_status adopt(scree_simulation *s, const scree_simulation_def *def, bool *taken,
                          scree_report *report)
{
    const char *path = def->resume ? def->resume : def->from;
    scr_archive *archive = scr_archive_open(path, report);
    if (!archive) return SCREE_E_INPUT;
    scr_world past;
    scr_world_init(&past);
    scree_status status = scr_archive_world(archive, -1, &past, report);
    if (!status && def->resume) status = check_same_domain(s, &past, report);
    if (!status && def->resume) {
        s->changed = warn_of_changes(s, archive, report);
        s->closure = scr_ledger_energies(&past).closure;
    }
    if (!status) status = scr_build_adopt(&s->world, s->scene, &past, taken, report);
    if (!status) status = scr_adopt_solids(&s->world, s->scene, &past, def->resume != NULL, report);
    if (!status)
        status = scr_adopt_bonds(&s->world, s->scene, &past, taken + s->world.group_count, report);
    if (!status && def->resume && past.law_source == scr_laws_source(s->scene) &&
        past.material_count == s->world.material_count) {
        // same definitions: the very same laws, whatever has left the domain since
        s->world.laws = past.laws;
        s->world.law_source = past.law_source;
        past.laws = NULL;
    }
    char cells[32] = "";
    if (past.cells.table.count)
        snprintf(cells, sizeof cells, ", %zu cells", past.cells.table.count);
    if (!status)
        scr_say("%s %s: step %lld, time %.9g s, %zu grains, %zu contacts%s",
                def->resume ? "continuing" : "starting from", path, (long long)s->world.clock.step,
                s->world.clock.time, s->world.bodies.table.count, s->world.contacts.table.count,
                cells);
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
static void begin_anew(scr_world *w)
{
    w->clock.time = w->clock.base_time = 0;
    w->clock.step = w->clock.base_step = 0;
    w->clock.rebuilds = 0;
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
        if (!w->walls[k].carried) scr_wall_rebase(&w->walls[k], 0);
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
static scree_status refuse_new_groups(const scr_scene *scene, const bool *taken,
                                      scree_report *report)
{
    const scr_items *groups = scr_scene_items(scene, "bodies");
    scree_status status = SCREE_OK;
    for (int g = 0; g < groups->count; g++)
        if (!taken[g])
            status = scr_fail(
                report, SCREE_E_INPUT, scr_item_place(scene, &groups->items[g], NULL),
                "bodies.%s is not in the results: a resumed run cannot add grains, a new run "
                "that starts --from them can",
                groups->items[g].name);
    const scr_items *bonds = scr_scene_items(scene, "bonds");
    for (int k = 0; k < bonds->count; k++)
        if (!taken[groups->count + k])
            status = scr_fail(
                report, SCREE_E_INPUT, scr_item_place(scene, &bonds->items[k], NULL),
                "bonds.%s is not in the results: a resumed run cannot add bonds, a new run "
                "that starts --from them can",
                bonds->items[k].name);
    return status;
}

// the time step of a resumed run: as before unless the scene gives another; checked against the
// laws as they are now
static scree_status keep_step(scree_simulation *s, scree_report *report)
{
    const scr_time_def *time = scr_scene_def(s->scene, "time");
    const scr_item *item = &scr_scene_items(s->scene, "time")->items[0];
    scr_clock *clock = &s->world.clock;
    double skin = scr_stepper_traits_of(s->scene).skin;
    // another kind of stepper has steps of another size
    if ((skin == 0) != (clock->skin == 0)) {
        clock->base_time = clock->time;
        clock->base_step = clock->step;
        return scr_choose_step(&s->world, s->scene, true, report);
    }
    double most = scr_stepper_traits_of(s->scene).most, given = time->step;
    if (isnan(given) && most > 0 && most < clock->dt) given = most;
    if (!isnan(given) && given != clock->dt) {
        scr_warn(report, scr_item_place(s->scene, item, "step"),
                 "the time step changes from %.9g s to %.9g s", clock->dt, given);
        clock->base_time = clock->time;
        clock->base_step = clock->step;
        clock->dt = given;
    } else {
        scr_say("time step %.4g s, as before", clock->dt);
    }
    if (!isnan(skin) && skin != clock->skin)
        scr_say("skin %.4g m, as before: it cannot change in a resumed run", clock->skin);
    scr_say_adapted(&s->world, s->scene);
    return scr_check_step(&s->world, s->scene, report);
}

// statics: a step is a load step, and the last one is at the end
static scree_status choose_load_step(scree_simulation *s, scree_report *report)
{
    const scr_time_def *time = scr_scene_def(s->scene, "time");
    const scr_statics_def *statics = scr_scene_def(s->scene, "statics");
    double dt = time->end / (double)statics->steps;
    if (s->resumed && s->world.clock.dt != dt)
        return scr_fail(
            report, SCREE_E_INPUT,
            scr_item_place(s->scene, &scr_scene_items(s->scene, "time")->items[0], NULL),
            "load steps of the results are %.9g s of time, here they are %.9g s: they "
            "cannot change on the way",
            s->world.clock.dt, dt);
    // what touches need not be held: it moves until it rests
    if (s->step.stepper == &scr_settle_stepper) {
        scree_status status = scr_choose_motion(&s->world, s->scene, report);
        s->step.inner_dt = s->world.clock.dt;
        s->world.clock.dt = dt;
        return status;
    }
    s->world.clock.dt = dt;
    // grains choose theirs, and keep it
    if (!s->resumed) s->world.clock.skin = 0;
    return scr_check_rigid_motions(&s->world, s->scene, report);
}

scree_status scr_simulation_build(const scr_scene *scene, const scree_simulation_def *def,
                                  scree_simulation *s, scree_report *report)
{
    s->scene = scene;
    s->resumed = def->resume != NULL;
    s->list_every = def->list_every;
    s->adopted = def->resume || def->from;
    scr_world_init(&s->world);
    const scr_item *stepper = &scr_scene_items(scene, "stepper")->items[0];
    bool statics = s->statics = def->statics;
    s->step = (scr_step){.stepper = !statics ? scr_stepper_of(scene)
                                    : scr_scene_items(scene, "solids")->count ? &scr_statics_stepper
                                                                              : &scr_rest_stepper,
                         .def = statics ? scr_scene_def(scene, "statics") : stepper->variant_def,
                         .world = &s->world,
                         .last = {.statics = {.lowest = NAN}},
                         .no_ledger = def->no_ledger};
    const scr_time_def *time = scr_scene_def(scene, "time");
    s->step.auto_step = isnan(time->step);
    const scr_output_def *output = scr_scene_def(scene, "output");
    s->wants_contacts = output->contacts || scr_observers_need_contacts(scene);
    s->step.keep_spent = output->contacts;

    // groups, then kinds of bonds, that come from the results
    int groups = scr_scene_items(scene, "bodies")->count;
    int bonds = scr_scene_items(scene, "bonds")->count;
    bool *taken = calloc((size_t)(groups + bonds) + 1, sizeof *taken);
    if (!taken) return scr_no_memory(report, "the start of a run");
    int errors = report->errors;
    if (s->step.stepper->check) s->step.stepper->check(scene, stepper, report);
    scree_status status = scr_build_stage(&s->world, scene, report);
    if (!status && s->step.stepper == &scr_statics_stepper)
        s->step.stepper = scr_statics_stepper_of(s->step.def, &s->world);
    if (s->step.stepper == &scr_settle_stepper) s->step.stepper->check(scene, stepper, report);
    if (!status && report->errors > errors) status = SCREE_E_INPUT;
    if (!status && (def->resume || def->from)) status = adopt(s, def, taken, report);
    if (!status && def->from) begin_anew(&s->world);
    if (!status && def->from && time->reverse) reverse(&s->world);
    if (!status) s->world.gravity = scr_gravity_at(&s->world.gravity_law, s->world.clock.time);
    if (!status && s->changed) dissolve(&s->world); // frames are numbered by walls
    if (!status && def->resume) status = refuse_new_groups(scene, taken, report);
    if (!status && !def->resume) status = scr_build_bodies(&s->world, scene, taken, report);
    if (!status && (!def->resume || s->changed)) scr_build_drives(&s->world);
    if (!status) status = scr_build_bonds(&s->world, scene, taken + groups, report);
    free(taken);
    if (!status) status = scr_build_laws(&s->world, scene, report);
    if (status) return status;
    if (statics) return choose_load_step(s, report);
    return def->resume ? keep_step(s, report)
                       : scr_choose_step(&s->world, scene, s->adopted, report);
}

static void say_stage(const scree_simulation *s)
{
    const scr_grid *g = &s->step.pairs.grid;
    vec3 gravity = s->world.gravity;
    scr_say("gravity (%.4g, %.4g, %.4g) m/s^2%s; %s; %d threads, %s vectors", gravity.x, gravity.y,
            gravity.z, scr_gravity_varies(&s->world.gravity_law) ? " now" : "",
            s->step.stepper->traits(s->step.def).words, scr_threads(),
            scr_vectors_name(scr_cpu_vectors()));
    size_t grains = s->world.bodies.table.count, cells = s->world.cells.table.count;
    if (cells) scr_say("%zu cells of elastic solids, %zu links", cells, s->world.links.table.count);
    if (!grains && cells) return;
    if (s->world.clock.skin == 0) {
        scr_say("%zu grains, %lld contacts", grains, (long long)s->step.last.contacts);
        return;
    }
    scr_say("%zu grains, %lld contacts; grid of %d level%s, cells of %.3g to %.3g m; skin %.3g m",
            s->world.bodies.table.count, (long long)s->step.last.contacts, g->level_count,
            g->level_count == 1 ? "" : "s", g->levels[0].edge, g->levels[g->level_count - 1].edge,
            s->world.clock.skin);
}

scree_status scree_simulation_create(const scree_scene *scene, const scree_simulation_def *def,
                                     scree_simulation **simulation, scree_report *report)
{
    *simulation = NULL;
    if (def->resume && def->from)
        return scr_fail(
            report, SCREE_E_INPUT, SCR_NOWHERE,
            "resume and from exclude each other: the first continues a run, the second starts a "
            "new one");
    scr_log_quiet(def->quiet);
    scr_threads_set(def->threads);
    scree_simulation *s = calloc(1, sizeof *s);
    if (!s) return scr_no_memory(report, "a simulation");
    scree_status status = scr_simulation_build(scene->scene, def, s, report);
    if (!status) status = scr_check_world(s, report);
    if (!status) status = scr_check_sides(s, false, report);
    if (!status) status = scr_observers_open(s, report);
    if (!status) {
        int errors = report->errors;
        s->ports = scr_ports_create(&s->world, scene->scene, report);
        if (report->errors > errors) status = SCREE_E_MEMORY;
    }
    if (!status) {
        s->opened = true;
        s->step.want_contacts = s->wants_contacts;
        s->contacts_known = s->wants_contacts && !(s->resumed && !s->changed);
        // with other laws or walls the forces are not those of the results any more
        status = s->step.stepper->open(&s->step, s->resumed && !s->changed, report);
    }
    if (status) {
        scree_simulation_destroy(s);
        return status;
    }
    // the books open with what is there; a change of the scene is no error of the time stepping
    if (!s->resumed || s->changed)
        s->world.ledger.initial += scr_ledger_energies(&s->world).closure - s->closure;
    say_stage(s);
    *simulation = s;
    return SCREE_OK;
}

void scree_simulation_destroy(scree_simulation *s)
{
    if (!s) return;
    if (s->opened) s->step.stepper->close(&s->step);
    scr_pairs_deinit(&s->step.pairs);
    scr_ports_destroy(s->ports);
    scr_world_deinit(&s->world);
    free(s);
}

scree_status scr_simulation_step(scree_simulation *s, bool contacts, scree_report *report)
{
    scree_status status = scr_ports_update(s->ports, &s->step, report);
    if (status) {
        s->contacts_known = false; // those kept are of the list before
        return status;
    }
    s->step.want_contacts = contacts;
    status = s->step.stepper->step(&s->step, report);
    // a step that ended a run is a whole one, or its stepper knows no contacts; after other failures nobody looks
    s->contacts_known = s->step.want_contacts && (!status || status == SCREE_E_RUN);
    scr_flows_update(&s->world);
    return status;
}

scree_status scree_simulation_advance(scree_simulation *s, int64_t steps, scree_report *report)
{
    for (int64_t k = 0; k < steps; k++) {
        bool contacts = s->wants_contacts && k == steps - 1;
        // a list that serves no longer is built anew by the stepper
        if (s->list_every && k % s->list_every == 0) s->world.clock.horizon = -1;
        scree_status status = scr_simulation_step(s, contacts, report);
        if (status) return status;
    }
    return SCREE_OK;
}

scree_energies scree_simulation_energies(const scree_simulation *s)
{
    return scr_ledger_energies(&s->world);
}

static int64_t holding_bonds(const scr_bonds *b)
{
    int64_t count = 0;
    for (size_t k = 0; k < b->table.count; k++) count += b->fate[k] == SCR_BOND_HOLDS;
    return count;
}

static int64_t broken_links(const scr_links *l)
{
    int64_t count = 0;
    for (size_t k = 0; k < l->table.count; k++) count += l->fate[k] != SCR_LINK_HOLDS;
    return count;
}

static int64_t fragments(const scr_cells *c)
{
    int64_t count = 0;
    for (size_t k = 0; k < c->table.count; k++) count += c->fragment[k] == (int32_t)k;
    return count;
}

scree_stats scree_simulation_stats(const scree_simulation *s)
{
    const scr_clock *c = &s->world.clock;
    // counting takes a pass over all contacts, and is left until somebody asks; it changes the report alone
    if (s->step.stepper->count) s->step.stepper->count((scr_step *)&s->step);
    int64_t broken = broken_links(&s->world.links);
    const scr_tally *t = &s->world.tally;
    return (scree_stats){
        .time = c->time,
        .dt = c->dt,
        .step = c->step,
        .bodies = (int64_t)s->world.bodies.table.count,
        .contacts = s->step.last.contacts,
        .candidates = s->step.last.candidates,
        .pairs = (int64_t)(s->step.pairs.count + s->step.pairs.walls.count),
        .rebuilds = c->rebuilds,
        .bonds = holding_bonds(&s->world.bonds),
        .broken_tension = c->broken_tension,
        .broken_shear = c->broken_shear,
        .cells = (int64_t)s->world.cells.table.count,
        .links = (int64_t)s->world.links.table.count - broken,
        .broken_links = broken,
        .fragments = fragments(&s->world.cells),
        .halo = (int64_t)s->step.pairs.halo_count,
        .levels = s->step.pairs.grid.level_count,
        .seconds_integrate = s->step.times.integrate,
        .seconds_neighbours = s->step.times.neighbours,
        .seconds_forces = s->step.times.forces,
        .worst_overlap = s->step.last.worst_overlap,
        .sweeps = s->step.last.sweeps,
        .inner = s->step.last.inner,
        .residual = s->step.last.residual,
        .worst_residual = t->worst_residual,
        .unconverged = t->unconverged,
        .deepest = t->deepest,
        .deepest_time = t->deepest_time,
        .sweeps_mean = t->swept_steps ? (double)t->step_sweeps / (double)t->swept_steps : 0,
        .sweeps_most = t->most_sweeps,
        .doubled = t->doubled,
        .halved = t->halved,
        .halvings = t->halvings,
        .rejected = t->rejected,
        .parts = t->parts,
        .part_least = t->part_least,
        .part_mean = t->parts ? t->part_sum / (double)t->parts : 0,
        .part_most = t->part_most,
        .merged = s->step.last.merged,
        .aggregates = s->step.last.aggregates,
        .solved = s->step.last.solved,
        .merges = t->merges,
        .splits = t->splits,
        .reduction = scr_reduction_level(&s->step.last, s->world.bodies.table.count),
        .solved_sweeps = t->solved_sweeps,
        .all_sweeps = t->all_sweeps,
        .statics = {.load = s->step.last.statics.load,
                    .left = s->step.last.statics.left,
                    .iterations = s->step.last.statics.iterations,
                    .factored = s->step.last.statics.factored,
                    .halved = s->step.last.statics.halved,
                    .unknowns = s->step.last.statics.unknowns,
                    .factor_bytes = s->step.last.statics.factor_bytes,
                    .direct = s->step.last.statics.direct,
                    .stable = s->step.last.statics.stable,
                    .lowest = s->step.last.statics.lowest},
        .vectors = scr_vectors_name(scr_cpu_vectors())};
}

uint64_t scree_simulation_digest(scree_simulation *s, scree_report *report)
{
    if (s->step.stepper->save(&s->step, report)) return 0;
    return scr_world_digest(&s->world);
}

static scree_status read_cells(const scr_world *w, const char *view, double **data, int64_t *cells,
                               int *width, scree_report *report)
{
    const scr_cell_view *v = scr_cell_view_find(view);
    if (!v)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no view '%s' of cells", view);
    double *out = malloc((w->cells.table.count * (size_t)v->width + 1) * sizeof *out);
    if (!out || !v->fill(w, out)) {
        free(out);
        return scr_no_memory(report, "%s", view);
    }
    *data = out, *cells = (int64_t)w->cells.table.count, *width = v->width;
    return SCREE_OK;
}

scree_status scree_simulation_read(const scree_simulation *s, const char *view, double **data,
                                   int64_t *bodies, int *width, scree_report *report)
{
    static const char of_cells[] = "cells.";
    if (!strncmp(view, of_cells, strlen(of_cells)))
        return read_cells(&s->world, view + strlen(of_cells), data, bodies, width, report);
    const scr_bodies *b = &s->world.bodies;
    const scr_view *v = scr_body_view(view);
    if (!v) return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no view '%s'", view);
    size_t n = b->table.count;
    const scr_field *f = scr_table_field(&b->table, v->field);
    const char *rows = scr_table_array(&b->table, f);
    uint32_t *order = scr_memory_new(n, sizeof *order);
    double *out = malloc((n * (size_t)v->width + 1) * sizeof *out);
    if (!order || !out) {
        scr_memory_free(order);
        free(out);
        return scr_no_memory(report, "%s", view);
    }
    scr_bodies_by_id(b, order);
    for (size_t k = 0; k < n; k++)
        for (int d = 0; d < v->width; d++) {
            size_t at = (size_t)order[k] * (size_t)f->width + (size_t)(v->first + d);
            out[k * (size_t)v->width + (size_t)d] =
                f->type == SCR_F64   ? ((const double *)rows)[at]
                : f->type == SCR_I64 ? (double)((const int64_t *)rows)[at]
                : f->type == SCR_I32 ? (double)((const int32_t *)rows)[at]
                                     : (double)((const uint8_t *)rows)[at];
        }
    scr_memory_free(order);
    *data = out;
    *bodies = (int64_t)n;
    *width = v->width;
    return SCREE_OK;
}

uint64_t scree_peak_memory(void)
{
    return scr_peak_memory();
}
