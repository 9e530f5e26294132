/* The loop: step, observe, write frames and checkpoints at their cadence, show progress, stop in
 * order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"
#include "observe/ledger.h"
#include "observe/results.h"
#include "run/progress.h"
#include "run/simulation.h"

/* An observer of this run: its series and how often it looks. */
typedef struct {
    const scr_observer *observer;
    const void *def;
    int64_t every; /* steps */
} watch;

typedef struct {
    scree_simulation *sim;
    scr_results *results;
    watch *watches;
    scr_series *series;
    int watch_count;
    const char **fields;
    int field_count;
    int64_t end, frame_every, checkpoint_every; /* steps */
    int64_t last_frame, last_checkpoint;        /* steps, -1: none yet */
    double published;                           /* clock when the index was last written [s] */
    scree_report *report;
} journey;

scree_run_def scree_run_def_default(void)
{
    return (scree_run_def){.simulation = scree_simulation_def_default()};
}

/* ---- preparation ---- */

static int64_t steps_of(double span, double dt)
{
    double steps = rint(span / dt);
    return steps < 1 ? 1 : steps > 9e15 ? (int64_t)9e15 : (int64_t)steps;
}

static void set_cadence(journey *j)
{
    const scr_time_def *time = scr_scene_def(j->sim->scene, "time");
    const scr_output_def *output = scr_scene_def(j->sim->scene, "output");
    const scr_clock *clock = &j->sim->world.clock;
    double dt = clock->dt;
    double frames = isnan(output->every) ? time->end / 100 : output->every;
    double checkpoints = isnan(output->checkpoint) ? time->end / 10 : output->checkpoint;
    double steps = ceil((time->end - clock->base_time) / dt * (1 - 1e-12));
    j->end = steps > 9e15 ? (int64_t)9e15 : clock->base_step + (int64_t)steps;
    j->frame_every = steps_of(frames, dt);
    j->checkpoint_every = steps_of(checkpoints, dt);
    j->last_frame = j->last_checkpoint = -1;
    double off = fabs((double)j->frame_every * dt / frames - 1);
    if (off > 1e-6 && j->end > j->frame_every)
        scr_say("frames every %lld steps, %.6g s: %.6g s is not a whole number of steps",
                (long long)j->frame_every, (double)j->frame_every * dt, frames);
}

// views of the scene's output.fields; `id` is always written and need not be asked for
static scree_status set_fields(journey *j)
{
    const scr_output_def *output = scr_scene_def(j->sim->scene, "output");
    j->fields = calloc((size_t)output->fields.count + 1, sizeof *j->fields);
    if (!j->fields) return scr_fail(j->report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory");
    for (int k = 0; k < output->fields.count; k++)
        j->fields[j->field_count++] = output->fields.items[k];
    return SCREE_OK;
}

static scree_status add_watch(journey *j, const char *name, const char *type, const void *def,
                              double every)
{
    int k = j->watch_count;
    j->watches[k].observer = scr_observer_find(type);
    j->watches[k].def = def;
    double dt = j->sim->world.clock.dt;
    j->watches[k].every = isnan(every) ? j->frame_every : steps_of(every, dt);
    double real = (double)j->watches[k].every * dt;
    if (!isnan(every) && fabs(real / every - 1) > 1e-6)
        scr_say("observer %s looks every %lld steps, %.6g s: %.6g s is not a whole number of steps",
                name, (long long)j->watches[k].every, real, every);
    if (!scr_series_init(&j->series[k], name, type, j->watches[k].observer->columns))
        return scr_fail(j->report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for observers");
    j->watch_count++;
    return SCREE_OK;
}

// the observers of the scene; the ledger is always among them
static scree_status set_watches(journey *j)
{
    const scr_items *items = scr_scene_items(j->sim->scene, "observers");
    j->watches = calloc((size_t)items->count + 1, sizeof *j->watches);
    j->series = calloc((size_t)items->count + 1, sizeof *j->series);
    if (!j->watches || !j->series)
        return scr_fail(j->report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for observers");
    bool ledger = false;
    scree_status status = SCREE_OK;
    for (int k = 0; k < items->count && !status; k++) {
        const scr_item *item = &items->items[k];
        const scr_observer_def *def = item->def;
        ledger |= !strcmp(item->variant->name, "ledger");
        status = add_watch(j, item->name, item->variant->name, item->variant_def, def->every);
    }
    // under its own name, or another if someone has that
    const char *name =
        scr_scene_find(j->sim->scene, "observers", "ledger") ? "energy_ledger" : "ledger";
    if (!status && !ledger) status = add_watch(j, name, "ledger", NULL, NAN);
    return status;
}

/* ---- on the way ---- */

static scree_status look(journey *j, bool all)
{
    int64_t step = j->sim->world.clock.step - j->sim->world.clock.base_step;
    scr_scene_view view = {&j->sim->world, j->sim->step.last.contacts};
    double row[SCR_SERIES_WIDTH];
    for (int k = 0; k < j->watch_count; k++) {
        scr_series *s = &j->series[k];
        if (!all && step % j->watches[k].every) continue;
        if (s->count && s->rows[(s->count - 1) * (size_t)s->width] == j->sim->world.clock.time)
            continue;
        j->watches[k].observer->sample(&view, j->watches[k].def, row);
        if (!scr_series_add(s, row))
            return scr_fail(j->report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for the series %s",
                            s->name);
    }
    return SCREE_OK;
}

static scree_status write_frame(journey *j)
{
    if (j->last_frame == j->sim->world.clock.step) return SCREE_OK;
    j->last_frame = j->sim->world.clock.step;
    return scr_results_frame(j->results, &j->sim->world, j->fields, j->field_count, j->report);
}

static scree_status write_checkpoint(journey *j)
{
    if (j->last_checkpoint == j->sim->world.clock.step) return SCREE_OK;
    scree_status status = scr_pairs_save(&j->sim->step.pairs, &j->sim->world, j->report);
    if (!status) status = scr_results_checkpoint(j->results, &j->sim->world, j->report);
    if (!status) j->last_checkpoint = j->sim->world.clock.step;
    return status;
}

static scree_status publish(journey *j)
{
    j->published = scr_seconds();
    return scr_results_publish(j->results, &j->sim->world, j->series, j->watch_count, j->report);
}

// what is due at this step; at the end everything is
static scree_status write_due(journey *j, bool all)
{
    int64_t step = j->sim->world.clock.step - j->sim->world.clock.base_step;
    scree_status status = look(j, all);
    bool frame = all || step % j->frame_every == 0;
    bool checkpoint = all || step % j->checkpoint_every == 0;
    if (!status && frame) status = write_frame(j);
    if (!status && checkpoint) status = write_checkpoint(j);
    // the index holds all links and series: with every checkpoint, for frames alone at most once a second
    bool due = checkpoint || (frame && scr_seconds() - j->published > 1);
    if (!status && due) status = publish(j);
    return status;
}

// the run failed: frames since the last index are good; if this fails too, the first message says enough
static void publish_rest(journey *j)
{
    scree_report unheard;
    scree_report_init(&unheard);
    if (j->published > 0)
        scr_results_publish(j->results, &j->sim->world, j->series, j->watch_count, &unheard);
    scree_report_deinit(&unheard);
}

static bool state_is_finite(const scr_world *w)
{
    for (size_t k = 0; k < 4 * w->bodies.table.count; k++)
        if (!isfinite(w->bodies.place[k]) || !isfinite(w->bodies.motion[k]) ||
            !isfinite(w->bodies.spin[k]))
            return false;
    return true;
}

// the run failed: keep the state for the person who will look, if it is one. Only a step that was finished leaves
// one: after other failures the last checkpoint stands
static void keep_failed_state(journey *j, scree_status why)
{
    if (why != SCREE_E_RUN) return;
    bool finite = state_is_finite(&j->sim->world);
    if (!finite) {
        scr_say("the state is not finite: the last good checkpoint is that of step %lld",
                (long long)j->last_checkpoint);
        return;
    }
    if (!write_due(j, true))
        scr_say("state written as checkpoint of step %lld", (long long)j->sim->world.clock.step);
}

static scree_status travel(journey *j, scree_run_result *result)
{
    scr_progress progress = scr_progress_start(j->sim->world.clock.step, j->end);
    scree_status status = SCREE_OK;
    const scr_clock *clock = &j->sim->world.clock;
    while (clock->step < j->end && !status) {
        status = j->sim->step.stepper->step(&j->sim->step, j->report);
        result->particle_steps += (double)j->sim->world.bodies.table.count;
        if (status) {
            scr_progress_end(&progress);
            keep_failed_state(j, status);
            return status;
        }
        status = write_due(j, clock->step == j->end);
        scr_progress_update(&progress, &j->sim->world);
        result->signal = clock->step < j->end ? scr_signal_pending() : 0;
        if (result->signal) break;
    }
    scr_progress_end(&progress);
    if (!status && result->signal) {
        status = write_due(j, true);
        if (!status)
            status = scr_fail(
                j->report, SCREE_E_INTERRUPT, SCR_NOWHERE,
                "stopped by signal %d at step %lld; the checkpoint is written, continue with "
                "--resume",
                result->signal, (long long)clock->step);
    }
    return status;
}

/* ---- the run ---- */

// results.h5 beside us, named after the scene
static void default_output(const char *scene_path, char *out, size_t size)
{
    const char *base = strrchr(scene_path, '/');
    base = base ? base + 1 : scene_path;
    const char *dot = strrchr(base, '.');
    int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    snprintf(out, size, "%.*s.h5", length, base);
}

static scree_status open_results(journey *j, const scree_run_def *def, const char *path)
{
    const scr_scene *scene = j->sim->scene;
    const scr_clock *clock = &j->sim->world.clock;
    const scr_head_def *head = scr_scene_def(scene, "");
    scr_results_scene kept = {scr_scene_path(scene), scr_scene_text(scene), head->title};
    if (!def->simulation.resume) return scr_results_create(path, &kept, &j->results, j->report);
    j->last_checkpoint = clock->step;
    return scr_results_continue(path, &kept, clock->step, j->series, j->watch_count, &j->results,
                                j->report);
}

static scree_status prepare(journey *j, const scree_run_def *def, scree_run_result *result)
{
    set_cadence(j);
    scree_status status = set_fields(j);
    if (!status) status = set_watches(j);
    if (status) return status;
    if (def->output)
        snprintf(result->output, sizeof result->output, "%s", def->output);
    else if (def->simulation.resume)
        snprintf(result->output, sizeof result->output, "%s", def->simulation.resume);
    else
        default_output(scr_scene_path(j->sim->scene), result->output, sizeof result->output);
    if (def->simulation.resume && strcmp(result->output, def->simulation.resume))
        return scr_fail(
            j->report, SCREE_E_INPUT, SCR_NOWHERE,
            "a resumed run continues its own results: leave out the output, or use from");
    if (def->simulation.from && !strcmp(result->output, def->simulation.from))
        return scr_fail(
            j->report, SCREE_E_INPUT, SCR_NOWHERE,
            "the results that the run starts from, %s, would be replaced by its own: give another "
            "output",
            def->simulation.from);
    if (!def->simulation.resume && !access(result->output, F_OK))
        scr_say("replacing the results in %s", result->output);
    status = open_results(j, def, result->output);
    // the first frame and checkpoint stand before the first step
    if (!status && !def->simulation.resume) status = write_due(j, true);
    return status;
}

static void leave(journey *j)
{
    scr_results_destroy(j->results);
    for (int k = 0; k < j->watch_count; k++) scr_series_deinit(&j->series[k]);
    free(j->watches);
    free(j->series);
    free(j->fields);
    scree_simulation_destroy(j->sim);
}

scree_status scree_run(const scree_scene *scene, const scree_run_def *def, scree_run_result *result,
                       scree_report *report)
{
    double start = scr_seconds();
    *result = (scree_run_result){0};
    journey j = {.report = report};
    scree_status status = scree_simulation_create(scene, &def->simulation, &j.sim, report);
    if (status) return status;
    // until now there was nothing to keep: a signal simply ended the program
    scr_signals_catch();
    status = prepare(&j, def, result);
    // warnings are of use now, not after the run
    if (!status && !def->simulation.quiet) scree_report_print(report, stderr);
    result->start_seconds = scr_seconds() - start;
    int64_t left = j.end - j.sim->world.clock.step;
    if (!status) {
        scr_say("%lld steps to %.6g s; results in %s (ready in %.2f s)",
                (long long)(left > 0 ? left : 0),
                j.sim->world.clock.time + (double)left * j.sim->world.clock.dt, result->output,
                result->start_seconds);
        if (left <= 0)
            scr_say("nothing to do: the results are at %.6g s already", j.sim->world.clock.time);
        status = travel(&j, result);
        if (status && status != SCREE_E_INTERRUPT) publish_rest(&j);
    }
    result->seconds = scr_seconds() - start - result->start_seconds;
    result->stats = scree_simulation_stats(j.sim);
    result->energies = scree_simulation_energies(j.sim);
    if (!status || status == SCREE_E_INTERRUPT)
        result->digest = scree_simulation_digest(j.sim, report);
    leave(&j);
    scr_signals_release();
    return status;
}
