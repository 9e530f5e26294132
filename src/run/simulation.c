#include "run/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/os.h"
#include "build/divided.h"
#include "build/sides.h"
#include "comm/reports.h"
#include "comm/share.h"
#include "exec/cpu/threads.h"
#include "observe/cell_views.h"
#include "observe/pieces.h"
#include "run/edit.h"
#include "run/push.h"
#include "run/ranks.h"
#include "run/watch.h"
#include "step/report.h"
#include "world/ledger.h"
#include "world/pushes.h"

scree_simulation_def scree_simulation_def_default(void)
{
    return (scree_simulation_def){0};
}

static void say_stage(const scree_simulation *s)
{
    const scr_grid *g = &s->step.pairs.grid;
    vec3 gravity = s->world.gravity;
    scr_say("gravity (%.4g, %.4g, %.4g) m/s^2%s; %s; %d thread%s, %s vectors", gravity.x, gravity.y, gravity.z,
            scr_gravity_varies(&s->world.gravity_law) ? " now" : "", s->step.traits.words, scr_threads(),
            scr_threads() == 1 ? "" : "s", scr_vectors_name(scr_cpu_vectors()));
    if (scr_comm_world()->size > 1)
        scr_say("%d ranks, of which %d write%s the results; threads are those of each", scr_comm_world()->size,
                scr_comm_world()->writers, scr_comm_world()->writers == 1 ? "s" : "");
    size_t grains = s->world.bodies.table.count, cells = s->world.cells.table.count;
    if (cells) scr_say("%zu cells of elastic solids, %zu links", cells, s->world.links.table.count);
    if (!grains && cells) return;
    if (!scr_world_lists(&s->world)) {
        scr_say("%zu grains, %lld contacts", grains, (long long)s->step.last.contacts);
        return;
    }
    scr_say("%zu grains, %lld contacts; grid of %d level%s, grid cells of %.3g to %.3g m; skin %.3g m",
            s->world.bodies.table.count, (long long)s->step.last.contacts, g->level_count,
            g->level_count == 1 ? "" : "s", g->levels[0].edge, g->levels[g->level_count - 1].edge, s->world.clock.skin);
}

static scree_status check_simulation(scree_simulation *s, const scree_simulation_def *def, scree_report *report)
{
    s->wants_contacts |= def->contacts && s->step.stepper && s->step.stepper->contacts;
    scree_status status = scr_check_world(s, report);
    if (!status) status = scr_check_sides(s, false, report);
    return status ? status : scr_observers_open(s, report);
}

scree_status scr_simulation_prepare(const scr_scene *scene, const scree_simulation_def *def, scree_simulation *s,
                                    scree_report *report)
{
    int before = report->count;
    scree_status status = scr_simulation_build(scene, def, s, report);
    if (!status) status = check_simulation(s, def, report);
    if (!s->world.share) return status;
    // warnings too
    status = scr_share_agree(s->world.share, status);
    scr_comm_report(s->world.share->comm, report, before);
    return status;
}

// what was built and checked becomes ready to step
static scree_status open_simulation(scree_simulation *s, scree_report *report)
{
    int errors = report->errors;
    s->ports = scr_ports_create(&s->step, s->scene, report);
    if (report->errors > errors) return SCREE_E_MEMORY;
    s->opened = true;
    s->step.divide = s->scene;
    s->step.rank_work = scr_pieces_carry_out;
    s->step.want_contacts = s->wants_contacts;
    s->contacts_known = s->wants_contacts && !(s->resumed && !s->changed);
    // with other laws or walls the forces are not those of the results any more
    scree_status status = s->step.stepper->open(&s->step, s->resumed && !s->changed, report);
    if (status) return status;
    // the books open with what is there; a change of the scene is not an error of the time stepping
    scree_energies now = scr_step_is_divided(&s->step) ? scr_step_energies(&s->step) : scr_ledger_energies(&s->world);
    if (!s->resumed || s->changed) s->world.ledger.initial += now.closure - s->closure;
    say_stage(s);
    return SCREE_OK;
}

scree_status scree_simulation_create(const scree_scene *scene, const scree_simulation_def *def,
                                     scree_simulation **simulation, scree_report *report)
{
    *simulation = NULL;
    if (def->resume && def->from)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "resume and from exclude each other: the first continues a run, the second starts a "
                        "new one");
    if (def->at_frame && !def->from)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "`frame` is a frame of the results that `from` names: give both");
    scr_log_quiet(def->quiet);
    scr_threads_set(def->threads ? def->threads : scr_ranks_threads());
    scree_simulation *s = calloc(1, sizeof *s);
    if (!s) return scr_no_memory(report, "a simulation");
    s->threads = def->threads;
    scr_ranks_start(scene->scene, def, s);
    scree_status status = scr_simulation_prepare(scene->scene, def, s, report);
    if (!status) status = open_simulation(s, report);
    if (status) {
        scree_simulation_destroy(s);
        return status;
    }
    *simulation = s;
    return SCREE_OK;
}

scree_status scr_simulation_next(scree_simulation **simulation, const scree_simulation_def *def, scree_report *report)
{
    scree_simulation *before = *simulation, *s = calloc(1, sizeof *s);
    if (!s) return scr_no_memory(report, "the next stage");
    s->threads = before->threads;
    scree_status status = before->step.stepper->save(&before->step, report);
    before->step.stepper->close(&before->step);
    before->opened = false;
    if (!status) status = scr_simulation_build_next(before, def, s, report);
    if (!status) status = check_simulation(s, def, report);
    if (!status) status = open_simulation(s, report);
    scree_simulation_destroy(before);
    *simulation = s;
    return status;
}

void scree_simulation_destroy(scree_simulation *s)
{
    if (!s) return;
    if (s->opened) s->step.stepper->close(&s->step);
    scr_pairs_deinit(&s->step.pairs);
    scr_ports_destroy(s->ports);
    scr_pushes_destroy(s->pushes);
    scr_divided_end(&s->world);
    scr_world_deinit(&s->world);
    scr_buffer_free(s->members);
    free(s->view_names);
    free(s);
}

int64_t scr_simulation_stride(const scree_simulation *s, int64_t most)
{
    int64_t every = s->step.traits.ports_every, left = every - s->world.clock.step % every;
    return s->ports && left < most ? left : most;
}

scree_status scr_simulation_advance(scree_simulation *s, int64_t most, bool contacts, int64_t *done,
                                    scree_report *report)
{
    *done = 0;
    scree_status status = scr_ports_update(s->ports, &s->step, report);
    if (status) {
        s->contacts_known = false; // those kept are of the list before
        return status;
    }
    s->step.want_contacts = contacts;
    status = scr_step_advance(&s->step, most, done, report);
    // a step that ended a run is a whole one, or its stepper knows no contacts; after other failures they are not read
    s->contacts_known = s->step.want_contacts && (!status || status == SCREE_E_RUN);
    return status;
}

// one step, with the callbacks of each and with external forces
static scree_status step_attended(scree_simulation *s, bool contacts, scree_report *report)
{
    const scree_step_calls *c = &s->calls;
    int64_t done;
    scree_status status = c->before ? c->before(c->context, s, report) : SCREE_OK;
    if (!status) status = scree_simulation_renew(s, report);
    if (!status) status = scr_pushes_begin(s, report);
    if (!status) status = scr_simulation_advance(s, 1, contacts, &done, report);
    if (!status) status = scr_pushes_end(s, report);
    return status || !c->after ? status : c->after(c->context, s, report);
}

static scree_status advance_attended(scree_simulation *s, int64_t steps, scree_report *report)
{
    scree_status status = SCREE_OK;
    for (int64_t k = 0; k < steps && !status; k++)
        status = step_attended(s, s->wants_contacts && (s->calls.after || k + 1 == steps), report);
    return status;
}

scree_status scree_simulation_advance(scree_simulation *s, int64_t steps, scree_report *report)
{
    int64_t done;
    scr_threads_set(s->threads ? s->threads : scr_ranks_threads());
    scree_status renewed = scree_simulation_renew(s, report);
    if (renewed) return renewed;
    if (s->calls.before || s->calls.push || s->calls.after || s->pushes) return advance_attended(s, steps, report);
    for (int64_t k = 0; k < steps; k += done) {
        int64_t most = steps - k, every = s->list_every;
        // a list that serves no longer is built anew by the stepper
        if (every && k % every == 0) s->world.clock.horizon = -1;
        if (every && every - k % every < most) most = every - k % every;
        most = scr_simulation_stride(s, most);
        bool contacts = s->wants_contacts && k + most == steps;
        scree_status status = scr_simulation_advance(s, most, contacts, &done, report);
        if (status) return status;
    }
    return SCREE_OK;
}

int64_t scree_simulation_steps_until(const scree_simulation *s, double time)
{
    const scr_clock *c = &s->world.clock;
    double steps = ceil((time - c->base_time) / c->dt * (1 - 1e-12)) - (double)(c->step - c->base_step);
    return steps > 9e15 ? (int64_t)9e15 : steps > 0 ? (int64_t)steps : 0;
}

scree_clock scree_simulation_clock(const scree_simulation *s)
{
    return (scree_clock){s->world.clock.time, s->world.clock.dt, s->world.clock.step};
}

double scree_simulation_end(const scree_simulation *s)
{
    return ((const scr_time_def *)scr_scene_def(s->scene, "time"))->end;
}

double scree_simulation_every(const scree_simulation *s)
{
    double every = ((const scr_output_def *)scr_scene_def(s->scene, "output"))->every;
    return isnan(every) ? scree_simulation_end(s) / 100 : every;
}

scree_status scree_simulation_advance_until(scree_simulation *s, double time, scree_report *report)
{
    if (!isfinite(time))
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "time to advance to is %g s, must be finite", time);
    return scree_simulation_advance(s, scree_simulation_steps_until(s, time), report);
}

// callers that only read see the world as the last step left it; bringing it up to date casts const away
static scr_step *step_of(const scree_simulation *s)
{
    return (scr_step *)(uintptr_t)&s->step;
}

static void look(const scree_simulation *s)
{
    scr_step_catch_up(step_of(s));
}

scree_energies scree_simulation_energies(const scree_simulation *s)
{
    return scr_step_energies(step_of(s));
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
    // sums are enough, unless bonds are counted
    if (scr_step_is_divided(&s->step) && !s->world.bond_law_count)
        scree_simulation_energies(s);
    else
        look(s);
    int64_t broken = broken_links(&s->world.links);
    scree_stats stats = {.time = c->time,
                         .dt = c->dt,
                         .step = c->step,
                         .bodies = (int64_t)s->world.bodies.table.count,
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
                         .vectors = scr_vectors_name(scr_cpu_vectors()),
                         .device = s->step.device.on_gpu ? "gpu" : "cpu"};
    // counting takes a pass over all contacts, and is done on demand; it changes the report alone
    if (s->step.stepper->count) s->step.stepper->count((scr_step *)&s->step);
    scr_step_report_fill(&s->step, &stats);
    return stats;
}

// ranks add up what theirs have, rank 0 the rest
static uint64_t digest_in_pieces(scree_simulation *s, scree_report *report)
{
    scr_pieces_order order = {.kind = SCR_PIECES_DIGEST};
    uint64_t sum = 0;
    if (s->step.stepper->everywhere(&s->step, &order, sizeof order, scr_pieces_needs(&order), &sum, report)) return 0;
    scr_world rest = s->world;
    rest.bodies.table.count = rest.contacts.table.count = 0;
    return sum + scr_world_digest(&rest);
}

uint64_t scree_simulation_digest(scree_simulation *s, scree_report *report)
{
    if (scr_step_is_divided(&s->step)) return digest_in_pieces(s, report);
    if (scree_simulation_renew(s, report) || s->step.stepper->save(&s->step, report)) return 0;
    return scr_world_digest(&s->world);
}

static scree_status read_cells(const scr_world *w, const char *view, double **data, int64_t *cells, int *width,
                               scree_report *report)
{
    const scr_cell_view *v = scr_cell_view_find(view);
    if (!v) return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no view '%s' of cells", view);
    double *out = malloc((w->cells.table.count * (size_t)v->width + 1) * sizeof *out);
    if (!out || !v->fill(w, out)) {
        free(out);
        return scr_no_memory(report, "%s", view);
    }
    *data = out, *cells = (int64_t)w->cells.table.count, *width = v->width;
    return SCREE_OK;
}

scree_status scree_simulation_read(const scree_simulation *s, const char *view, double **data, int64_t *bodies,
                                   int *width, scree_report *report)
{
    static const char of_cells[] = "cells.";
    if (!strncmp(view, of_cells, strlen(of_cells)))
        return read_cells(&s->world, view + strlen(of_cells), data, bodies, width, report);
    const scr_bodies *b = &s->world.bodies;
    const scr_view *v = scr_body_view(view);
    look(s);
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
            out[k * (size_t)v->width + (size_t)d] = f->type == SCR_F64   ? ((const double *)rows)[at]
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
