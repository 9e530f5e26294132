/* The loop: step, observe, write frames and checkpoints at their cadence, show progress, stop in
 * order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os.h"
#include "collide/pairs.h"
#include "exec/cuda/device.h"
#include "observe/balance.h"
#include "observe/results.h"
#include "observe/results_files.h"
#include "observe/until.h"
#include "run/pieces.h"
#include "run/progress.h"
#include "run/servos.h"
#include "run/watch.h"

typedef struct {
    scree_simulation *sim;
    scr_results *results;
    scr_watches watches;
    const char **fields;
    int field_count;
    bool contacts;                              /* frames hold the contacts */
    int64_t end, frame_every, checkpoint_every; /* steps */
    int64_t last_frame, last_checkpoint;        /* steps, -1: none yet */
    bool last;                                  /* the run ends with this stage, or it has none */
    double published;                           /* clock when the index was last written [s] */
    scr_spent spent;                            /* on steps, and on looking at them */
    scr_spent mark;                             /* clocks since when that is counted */
    double held;                                /* the clock while steps waited for output [s] */
    int64_t pace;                               /* steps that are done in a moment */
    int noted;                                  /* messages of the report that are kept with the results */
    scr_log_lines said;
    scree_report *report;
} journey;

scree_run_def scree_run_def_default(void)
{
    return (scree_run_def){.simulation = scree_simulation_def_default()};
}

/* ---- preparation ---- */

static int64_t steps_to(double span, double dt)
{
    double steps = ceil(span / dt * (1 - 1e-12));
    return steps > 9e15 ? (int64_t)9e15 : (int64_t)steps;
}

// where the run ends, or its stage: in a scene with stages `time.end` is a limit for all of them, if it is written
static void set_end(journey *j)
{
    const scr_scene *scene = j->sim->scene;
    const scr_item *item = &scr_scene_items(scene, "time")->items[0];
    const scr_world *w = &j->sim->world;
    const scr_clock *clock = &w->clock;
    int64_t limit = clock->base_step + steps_to(((const scr_time_def *)item->def)->end - clock->base_time, clock->dt);
    int count = scr_scene_stage_count(scene), stage = scr_scene_stage_number(scene);
    j->end = limit;
    j->last = stage + 1 >= count;
    if (!count) return;
    const scr_stage_def *def = scr_scene_items(scene, "stages")->items[stage].def;
    j->end = w->stages[stage].step + steps_to(def->end, clock->dt);
    if (!scr_item_has(item, "end") || j->end < limit) return;
    j->last |= j->end > limit;
    j->end = limit;
}

static void set_cadence(journey *j)
{
    const scr_time_def *time = scr_scene_def(j->sim->scene, "time");
    const scr_output_def *output = scr_scene_def(j->sim->scene, "output");
    const scr_clock *clock = &j->sim->world.clock;
    double dt = clock->dt;
    double frames = isnan(output->every) ? (time->end - time->start) / 100 : output->every;
    double checkpoints = isnan(output->checkpoint) ? (time->end - time->start) / 10 : output->checkpoint;
    set_end(j);
    j->frame_every = scr_steps_of(frames, dt);
    j->checkpoint_every = scr_steps_of(checkpoints, dt);
    if (j->sim->step.traits.load_steps) {
        j->frame_every = 1; // a frame for every load step
        return;
    }
    double off = fabs((double)j->frame_every * dt / frames - 1);
    if (off > 1e-6 && j->end > j->frame_every)
        scr_say("frames every %lld steps, %.6g s: %.6g s is not a whole number of steps", (long long)j->frame_every,
                (double)j->frame_every * dt, frames);
}

// views of the scene's output.fields; `id` is always written and need not be asked for
static scree_status set_fields(journey *j)
{
    const scr_output_def *output = scr_scene_def(j->sim->scene, "output");
    j->contacts = output->contacts;
    j->fields = calloc((size_t)output->fields.count + 1, sizeof *j->fields);
    if (!j->fields) return scr_no_memory(j->report, "names of fields");
    for (int k = 0; k < output->fields.count; k++) j->fields[j->field_count++] = output->fields.items[k];
    return SCREE_OK;
}

/* ---- on the way ---- */

// whether what is due at this step needs the forces of contacts; at the end everything is due
static bool needs_contacts(const journey *j, int64_t step, bool all)
{
    const scr_clock *clock = &j->sim->world.clock;
    all = all || scr_watches_end_due(&j->watches, clock, step); // it may turn out to be the last one
    bool frame = all || (step - clock->base_step) % j->frame_every == 0;
    return (j->contacts && frame) || scr_watches_need_contacts(&j->watches, clock, step, all);
}

static scree_status write_frame(journey *j)
{
    if (j->last_frame == j->sim->world.clock.step) return SCREE_OK;
    j->last_frame = j->sim->world.clock.step;
    scr_frame_contacts contacts = {0};
    scr_contact_row *rows = NULL;
    bool known = j->contacts && j->sim->contacts_known;
    scree_status status = SCREE_OK;
    if (scr_step_is_divided(&j->sim->step))
        return scr_pieces_frame(j->sim, j->results, j->fields, j->field_count, known, j->report);
    scr_step_catch_up(&j->sim->step);
    if (known) status = j->sim->step.stepper->contacts(&j->sim->step, &rows, &contacts.count, j->report);
    contacts.rows = rows;
    if (!status)
        status = scr_results_frame(j->results, &j->sim->world, j->fields, j->field_count, known ? &contacts : NULL,
                                   j->report);
    scr_memory_free(rows);
    return status;
}

static scree_status write_checkpoint(journey *j)
{
    if (j->last_checkpoint == j->sim->world.clock.step) return SCREE_OK;
    bool divided = scr_step_is_divided(&j->sim->step);
    scree_status status = divided ? scr_pieces_checkpoint(j->sim, j->results, j->report)
                                  : j->sim->step.stepper->save(&j->sim->step, j->report);
    if (!status && !divided) status = scr_results_checkpoint(j->results, &j->sim->world, j->report);
    if (!status) j->last_checkpoint = j->sim->world.clock.step;
    return status;
}

// what was said, and what was warned of since
static void keep_words(journey *j)
{
    for (; j->noted < j->report->count; j->noted++) {
        const scree_message *m = &j->report->messages[j->noted];
        if (m->severity == SCREE_WARNING) scr_log_note("warning: %s", m->text);
    }
    scr_results_words_set(j->results, j->said.text);
}

static void keep_device(journey *j)
{
    const scr_device_choice *d = &j->sim->step.device;
    char words[160] = "";
    if (d->on_gpu) snprintf(words, sizeof words, "gpu:%d, %s", d->number, scr_device_info_of(d->number).name);
    scr_results_device_set(j->results, words);
}

static scree_status publish(journey *j)
{
    keep_words(j);
    keep_device(j);
    scr_results_balance_set(j->results, j->sim->step.balance);
    scree_status status =
        scr_results_publish(j->results, &j->sim->world, j->watches.series, j->watches.count, j->report);
    j->published = scr_seconds();
    return status;
}

// of all processors but that of the thread that writes
static scr_spent clocks(const journey *j)
{
    // the writer may run between the two readings: what it does then must not count as negative time of the run
    double writer = 0, all = 0;
    for (int tries = 0; tries < 8; tries++) {
        writer = scr_results_thread_seconds(j->results);
        all = scr_processor_seconds();
        if (scr_results_thread_seconds(j->results) - writer < 1e-5) break;
    }
    return (scr_spent){scr_seconds(), all - writer};
}

// the index holds all links and series: for frames alone it is written at most once a second, and never more than a
// twentieth of the time
static bool publishing_pays(const journey *j)
{
    return scr_seconds() - j->published > fmax(1, 20 * scr_results_publishing(j->results));
}

// counts what was spent since the mark. Not at every step: asking the clocks takes as long as a step of few grains
static void count_spent(journey *j)
{
    scr_spent now = clocks(j);
    j->spent.seconds += now.seconds - j->mark.seconds;
    j->spent.processor += now.processor - j->mark.processor;
    j->mark = now;
    scr_results_spent_set(j->results, j->spent);
}

// load steps take long, and a signal in the midst of one leaves what the last checkpoint has
static bool long_ago(const journey *j)
{
    return j->sim->step.traits.load_steps && publishing_pays(j);
}

// what is due at this step; at the end everything is. What fails may have been due at an earlier one
static scree_status write_due(journey *j, bool all)
{
    int64_t step = j->sim->world.clock.step - j->sim->world.clock.base_step;
    scree_status status = scr_results_look(j->results, j->report);
    if (!status) status = scr_watches_look(&j->watches, j->sim, all, j->report);
    if (step % j->frame_every == 0) scr_servos_look(&j->sim->world);
    bool frame = all || step % j->frame_every == 0;
    bool checkpoint = all || step % j->checkpoint_every == 0 || long_ago(j);
    if (frame || checkpoint) count_spent(j);
    if (!status && frame) status = write_frame(j);
    if (!status && checkpoint) status = write_checkpoint(j);
    if (!status && (checkpoint || (frame && publishing_pays(j)))) status = publish(j);
    if (frame || checkpoint) {
        scr_spent now = clocks(j);
        j->held += now.seconds - j->mark.seconds;
        j->mark = now;
    }
    return status;
}

// everything there is, and it stands
static scree_status write_all(journey *j)
{
    scree_status status = write_due(j, true);
    return status ? status : scr_results_wait(j->results, j->report);
}

// the run failed: frames since the last index are good; if this fails too, the first message says enough. What could
// not be written before is said
static void publish_rest(journey *j)
{
    scree_report unheard;
    scr_results_wait(j->results, j->report);
    scree_report_init(&unheard);
    keep_words(j);
    if (j->published > 0)
        scr_results_publish(j->results, &j->sim->world, j->watches.series, j->watches.count, &unheard);
    scr_results_wait(j->results, &unheard);
    scree_report_deinit(&unheard);
}

static bool state_is_finite(const scr_world *w, bool bodies)
{
    for (size_t k = 0; bodies && k < 4 * w->bodies.table.count; k++)
        if (!isfinite(w->bodies.place[k]) || !isfinite(w->bodies.motion[k]) || !isfinite(w->bodies.spin[k]))
            return false;
    for (size_t k = 0; k < 4 * w->cells.table.count; k++)
        if (!isfinite(w->cells.displacement[k]) || !isfinite(w->cells.velocity[k]) || !isfinite(w->cells.momentum[k]) ||
            !isfinite(w->cells.turn[k]))
            return false;
    return true;
}

// the run failed: keep the state for inspection, if it is one. Only a step that was finished leaves
// one: after other failures the last checkpoint stands
static void keep_failed_state(journey *j, scree_status why)
{
    if (j->sim->step.last.unfinished) {
        publish_rest(j);
        scr_say("the step was not finished: the last checkpoint is that of step %lld",
                (long long)scr_results_standing(j->results));
        return;
    }
    if (why != SCREE_E_RUN && why != SCREE_E_INTERRUPT) return;
    bool divided = scr_step_is_divided(&j->sim->step);
    if (!divided) scr_step_catch_up(&j->sim->step);
    bool finite = state_is_finite(&j->sim->world, !divided) && (!divided || scr_pieces_are_finite(j->sim, j->report));
    if (!finite) {
        scr_results_wait(j->results, j->report);
        scr_say("the state is not finite: the last good checkpoint is that of step %lld",
                (long long)scr_results_standing(j->results));
        return;
    }
    if (!write_all(j)) scr_say("state written as checkpoint of step %lld", (long long)j->sim->world.clock.step);
}

static void judge(const journey *j)
{
    const scr_step *s = &j->sim->step;
    if (s->stepper->judge) s->stepper->judge(s, j->report);
    scr_servos_judge(&j->sim->world, j->report);
}

// steps that can be done without looking: until an observer, a frame, a checkpoint, an inlet, or the end is due; and no
// more than are done in a moment, so that signals are heard
static int64_t stride(const journey *j)
{
    const scr_clock *clock = &j->sim->world.clock;
    int64_t step = clock->step - clock->base_step;
    const int64_t ahead[] = {j->end - clock->step, j->frame_every - step % j->frame_every,
                             j->checkpoint_every - step % j->checkpoint_every};
    int64_t most = j->sim->step.traits.load_steps ? 1 : j->pace;
    for (int k = 0; k < 3; k++)
        if (ahead[k] < most) most = ahead[k];
    return scr_simulation_stride(j->sim, scr_watches_ahead(&j->watches, clock, most));
}

// [s]: signals are heard as soon. Steps that follow each other save a pass over the bodies, and ranks three questions
#define MOMENT 0.25

static void keep_pace(journey *j, int64_t done, double seconds)
{
    if (seconds > MOMENT && j->pace > 1) j->pace /= 2;
    if (seconds < 0.4 * MOMENT && done == j->pace && j->pace < 1 << 20) j->pace *= 2;
}

// the run ends here if what it waits for has come
static scree_status ask_for_end(journey *j)
{
    const scr_clock *clock = &j->sim->world.clock;
    if (!scr_watches_end_due(&j->watches, clock, clock->step)) return SCREE_OK;
    scree_status status = scr_watches_look(&j->watches, j->sim, false, j->report);
    if (status || !scr_watches_end(&j->watches, j->sim)) return status;
    const scr_scene *scene = j->sim->scene;
    const char *stage =
        scr_scene_stage_count(scene) ? scr_scene_stage_name(scene, scr_scene_stage_number(scene)) : NULL;
    if (clock->step < j->end)
        scr_say("%s%s%sends at %.6g s: %s", stage ? "stage " : "", stage ? stage : "", stage ? " " : "", clock->time,
                scr_until_text(scene));
    // it ends before the limit of the run
    if (clock->step < j->end && stage) j->last = scr_scene_stage_number(scene) + 1 >= scr_scene_stage_count(scene);
    j->end = clock->step;
    return SCREE_OK;
}

// at the end all bodies are where they may be. From a device they come for the last frame too: steps wait for output
static scree_status look_at_bodies(journey *j)
{
    if (scr_step_is_divided(&j->sim->step)) return scr_pieces_look(j->sim, j->report);
    double start = scr_seconds();
    scr_step_catch_up(&j->sim->step);
    j->held += scr_seconds() - start;
    return scr_bodies_look(&j->sim->world, j->report);
}

static scree_status travel(journey *j, scree_run_result *result)
{
    scr_progress progress = scr_progress_start(j->sim->world.clock.step, j->end);
    j->mark = clocks(j);
    j->held = 0;
    scree_status status = SCREE_OK;
    const scr_clock *clock = &j->sim->world.clock;
    while (clock->step < j->end && !status) {
        // one step more after a signal: at its end all that is wanted can be known; a load step takes long, and each
        // one is such a last one
        int64_t most = result->signal ? 1 : stride(j), to = clock->step + most, done;
        bool last = result->signal || to == j->end;
        bool contacts = needs_contacts(j, to, last || j->sim->step.traits.load_steps);
        double start = scr_seconds();
        status = scr_simulation_advance(j->sim, most, contacts, &done, j->report);
        if (!status) status = ask_for_end(j);
        if (!status && clock->step == j->end) status = look_at_bodies(j);
        keep_pace(j, done, scr_seconds() - start);
        result->particle_steps += (double)done * scr_moving_count(&j->sim->world);
        if (status) {
            scr_progress_end(&progress);
            // in the middle of a load step: the last checkpoint has its beginning
            if (status == SCREE_E_INTERRUPT) result->signal = scr_signal_pending();
            keep_failed_state(j, status);
            return status;
        }
        if (j->sim->step.traits.load_steps && clock->step < j->end) result->signal = scr_signal_pending();
        if (clock->step == j->end && j->last) judge(j);
        status = write_due(j, last || result->signal || clock->step == j->end);
        scr_progress_update(&progress, &j->sim->step, done);
        if (result->signal) break;
        result->signal = clock->step < j->end ? scr_signal_pending() : 0;
    }
    scr_progress_end(&progress);
    double start = scr_seconds();
    if (!status) status = scr_results_wait(j->results, j->report);
    j->held += scr_seconds() - start;
    if (!status && result->signal)
        status = scr_fail(j->report, SCREE_E_INTERRUPT, SCR_NOWHERE,
                          "stopped by signal %d at step %lld; the checkpoint is written, continue with "
                          "--resume",
                          result->signal, (long long)clock->step);
    return status;
}

/* ---- stages ---- */

static void say_stage(const journey *j)
{
    const scr_scene *scene = j->sim->scene;
    const scr_clock *clock = &j->sim->world.clock;
    int stage = scr_scene_stage_number(scene), count = scr_scene_stage_count(scene);
    if (!count) return;
    scr_say("stage %s (%d of %d) from %.6g s, step %lld: %s%lld steps to %.6g s", scr_scene_stage_name(scene, stage),
            stage + 1, count, clock->time, (long long)clock->step, scr_until_text(scene) ? "at most " : "",
            (long long)(j->end - clock->step), clock->time + (double)(j->end - clock->step) * clock->dt);
}

// the next stage begins with a checkpoint, which stays
static scree_status next_stage(journey *j, const scree_run_def *def)
{
    scree_status status = scr_results_wait(j->results, j->report);
    if (!status) status = scr_simulation_next(&j->sim, &def->simulation, j->report);
    if (status) return status;
    set_cadence(j);
    scr_watches_stage(&j->watches, j->sim, j->frame_every);
    say_stage(j);
    j->last_checkpoint = -1;
    status = write_checkpoint(j);
    if (!status) status = publish(j);
    j->mark = clocks(j);
    return status;
}

static scree_status travel_all(journey *j, const scree_run_def *def, scree_run_result *result)
{
    say_stage(j);
    scree_status status = travel(j, result);
    while (!status && !j->last) {
        status = next_stage(j, def);
        if (!status) status = travel(j, result);
    }
    return status;
}

/* ---- the run ---- */

// with what the ledger has seen since the start, before this run was resumed too
static void say_balance(const journey *j, scree_run_result *result)
{
    for (int k = 0; k < j->watches.count; k++) {
        if (strcmp(j->watches.series[k].kind, "ledger")) continue;
        const scr_step *step = &j->sim->step;
        const char *finer = scr_balance_finer(step->traits.load_steps, step->world->tally.swept_steps > 0);
        scr_balance balance = scr_balance_of_series(&j->watches.series[k], finer);
        scr_balance_text(&balance, result->balance);
        result->turned_over = balance.turned;
        return;
    }
}

// kept, not printed: the user of a program knows where
static void note_machine(void)
{
    char name[128];
    scr_processor_name(name, sizeof name);
    scr_log_note("Scree %s on %s, %ld processors", SCREE_VERSION, name, sysconf(_SC_NPROCESSORS_ONLN));
}

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
    if (!def->simulation.resume)
        return (def->force ? scr_results_force : scr_results_create)(path, &kept, &j->results, j->report);
    j->last_checkpoint = clock->step;
    return scr_results_continue(path, &kept, clock->step, j->watches.series, j->watches.count, &j->results, j->report);
}

static bool holds_results(const char *path)
{
    char *folder = scr_data_of(path);
    free(folder);
    return folder != NULL;
}

// where results go, and whether those of an earlier run may go
static scree_status choose_output(const journey *j, const scree_run_def *def, scree_run_result *result)
{
    if (def->output)
        snprintf(result->output, sizeof result->output, "%s", def->output);
    else if (def->simulation.resume)
        snprintf(result->output, sizeof result->output, "%s", def->simulation.resume);
    else
        default_output(scr_scene_path(j->sim->scene), result->output, sizeof result->output);
    if (def->simulation.resume && strcmp(result->output, def->simulation.resume))
        return scr_fail(j->report, SCREE_E_INPUT, SCR_NOWHERE,
                        "a resumed run continues its own results: leave out the output, or use from");
    if (def->simulation.from && !strcmp(result->output, def->simulation.from))
        return scr_fail(j->report, SCREE_E_INPUT, SCR_NOWHERE,
                        "the results that the run starts from, %s, would be replaced by its own: give another "
                        "output",
                        def->simulation.from);
    bool asks = !def->simulation.resume && !def->force && def->replace && holds_results(result->output);
    if (asks && !def->replace(result->output))
        return scr_fail(j->report, SCREE_E_INPUT, (scree_place){.file = result->output},
                        "contains results of an earlier run: --force replaces them, --output gives another name, "
                        "--resume continues them");
    return SCREE_OK;
}

static scree_status prepare(journey *j, const scree_run_def *def, scree_run_result *result)
{
    set_cadence(j);
    scree_status status = set_fields(j);
    if (!status) status = scr_watches_init(&j->watches, j->sim, j->frame_every, j->report);
    if (status) return status;
    bool replaced = !def->simulation.resume && !access(result->output, F_OK);
    status = open_results(j, def, result->output);
    if (status) return status;
    if (replaced) scr_say("replacing %s", result->output);
    j->spent = scr_results_spent(j->results);
    // rows of the end of the stage before stay
    if (def->simulation.resume && j->end > j->sim->world.clock.step &&
        scr_stage_step(&j->sim->world) != j->sim->world.clock.step)
        scr_watches_continue(&j->watches, &j->sim->world.clock);
    // what it waited for had come
    if (def->simulation.resume && scr_watches_end(&j->watches, j->sim)) j->end = j->sim->world.clock.step;
    const scr_output_def *output = scr_scene_def(j->sim->scene, "output");
    scr_results_store_set(j->results, output->precision == SCR_OUTPUT_SINGLE, output->compress == SCR_OUTPUT_FAST);
    scr_results_thread(j->results);
    j->mark = clocks(j);
    // the first frame and checkpoint stand before the first step
    return def->simulation.resume ? SCREE_OK : write_all(j);
}

static void leave(journey *j)
{
    scr_results_destroy(j->results);
    scr_watches_deinit(&j->watches);
    free(j->fields);
    scree_simulation_destroy(j->sim);
    scr_log_keep(NULL);
}

// `from` may name a stage of the scene: then its own results are continued from the start of that stage
static scree_run_def meant(const scree_scene *scene, const scree_run_def *def, char *output, size_t size)
{
    scree_run_def d = *def;
    const char *from = def->simulation.from;
    if (!from || def->simulation.stage || scr_scene_stage_find(scene->scene, from) < 0 || !access(from, F_OK)) return d;
    if (def->output)
        snprintf(output, size, "%s", def->output);
    else
        default_output(scr_scene_path(scene->scene), output, size);
    d.simulation.stage = from;
    d.simulation.from = NULL;
    d.simulation.resume = output;
    return d;
}

static scree_status run_as(const scree_scene *scene, const scree_run_def *def, scree_run_result *result,
                           scree_report *report)
{
    double start = scr_seconds();
    *result = (scree_run_result){0};
    journey j = {.report = report, .pace = 1, .last_frame = -1, .last_checkpoint = -1};
    scr_log_keep(&j.said);
    note_machine();
    scree_status status = scree_simulation_create(scene, &def->simulation, &j.sim, report);
    if (status) return scr_log_keep(NULL), status;
    status = choose_output(&j, def, result);
    if (status) return leave(&j), status;
    // until now there was nothing to keep: a signal simply ended the program
    scr_signals_catch();
    status = prepare(&j, def, result);
    // warnings are of use now, not after the run
    if (!status && !def->simulation.quiet) scree_report_print(report, stderr);
    if (!status && def->ready) def->ready(def->context, result->output);
    result->start_seconds = scr_seconds() - start;
    int64_t left = j.end - j.sim->world.clock.step;
    if (!status) {
        scr_say("%lld steps to %.6g s; results in %s (ready in %.2f s)", (long long)(left > 0 ? left : 0),
                j.sim->world.clock.time + (double)left * j.sim->world.clock.dt, result->output, result->start_seconds);
        if (left <= 0 && j.last) scr_say("nothing to do: the results are at %.6g s already", j.sim->world.clock.time);
        status = travel_all(&j, def, result);
        scr_ports_say(&j.sim->world, j.sim->scene);
        if (status && status != SCREE_E_INTERRUPT) publish_rest(&j);
    }
    result->seconds = scr_seconds() - start - result->start_seconds;
    result->output_seconds = j.held;
    result->writer_seconds = j.results ? scr_results_thread_seconds(j.results) : 0;
    result->stats = scree_simulation_stats(j.sim);
    result->energies = scree_simulation_energies(j.sim);
    say_balance(&j, result);
    if (!status || status == SCREE_E_INTERRUPT) result->digest = scree_simulation_digest(j.sim, report);
    leave(&j);
    scr_signals_release();
    return status;
}

scree_status scree_run(const scree_scene *scene, const scree_run_def *def, scree_run_result *result,
                       scree_report *report)
{
    char output[4096];
    scree_run_def as_meant = meant(scene, def, output, sizeof output);
    return run_as(scene, &as_meant, result, report);
}
