#include "run/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "comm/comm.h"
#include "observe/until.h"

int64_t scr_steps_of(double span, double dt)
{
    double steps = rint(span / dt);
    return steps < 1 ? 1 : steps > 9e15 ? (int64_t)9e15 : (int64_t)steps;
}

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "observers");
}

/* ---- setting up ---- */

scree_status scr_observers_open(scree_simulation *s, scree_report *report)
{
    const scr_items *items = scr_scene_items(s->scene, "observers");
    scree_status status = SCREE_OK;
    for (int k = 0; k < items->count && !status; k++) {
        const scr_item *item = &items->items[k];
        const scr_observer *observer = scr_observer_find(item->variant->name);
        if (observer->open) status = observer->open(&s->world, item->name, item->variant_def, report);
    }
    scr_flows_sweep(&s->world);
    return status;
}

// how often an item looks, in steps; said where that is not what was asked for
static int64_t cadence(const scr_item *item, double dt, int64_t frame_every)
{
    double every = item ? ((const scr_observer_def *)item->def)->every : NAN;
    if (isnan(every)) return frame_every;
    int64_t steps = scr_steps_of(every, dt);
    double real = (double)steps * dt;
    if (fabs(real / every - 1) > 1e-6)
        scr_say("observer %s samples every %lld steps, %.6g s: %.6g s is not a whole number of steps", item->name,
                (long long)steps, real, every);
    return steps;
}

static scree_status lay_out(scr_watches *w, const scree_simulation *s, const scr_observed *list, int64_t frame_every,
                            scree_report *report)
{
    size_t widest = 1;
    for (; list->observer; list++) {
        int k = w->count++;
        w->items[k] =
            (scr_watch){list->observer, list->def, list->item, cadence(list->item, s->world.clock.dt, frame_every)};
        if (!scr_observer_layout(list->observer, &s->step, list->def, list->name, &w->series[k]))
            return no_memory(report);
        if (w->series[k].width > widest) widest = w->series[k].width;
    }
    w->row = malloc(widest * sizeof *w->row);
    return w->row ? SCREE_OK : no_memory(report);
}

static void set_condition(scr_watches *w, const scree_simulation *s)
{
    const scr_clock *clock = &s->world.clock;
    int64_t begun = scr_stage_step(&s->world);
    w->since = begun > clock->base_step ? begun : clock->base_step;
    for (int k = 0; k < w->count; k++) w->ends[k] = false;
    if (scr_until_text(s->scene)) scr_until_names(s->scene, w->series, w->count, w->ends);
}

void scr_watches_stage(scr_watches *w, const scree_simulation *s, int64_t frame_every)
{
    for (int k = 0; k < w->count; k++) w->items[k].every = cadence(w->items[k].item, s->world.clock.dt, frame_every);
    set_condition(w, s);
}

scree_status scr_watches_init(scr_watches *w, const scree_simulation *s, int64_t frame_every, scree_report *report)
{
    size_t most = (size_t)scr_scene_items(s->scene, "observers")->count + SCR_OBSERVED_MORE + 1;
    scr_observed *list = calloc(most, sizeof *list);
    *w = (scr_watches){.items = calloc(most, sizeof *w->items),
                       .series = calloc(most, sizeof *w->series),
                       .ends = calloc(most, sizeof *w->ends)};
    scree_status status = SCREE_OK;
    if (list && w->items && w->series && w->ends) {
        scr_observed_list(s->scene, &s->step, list);
        status = lay_out(w, s, list, frame_every, report);
    } else {
        status = no_memory(report);
    }
    if (!status) set_condition(w, s);
    free(list);
    return status;
}

void scr_watches_deinit(scr_watches *w)
{
    for (int k = 0; k < w->count; k++) scr_series_deinit(&w->series[k]);
    free(w->items);
    free(w->series);
    free(w->row);
    free(w->ends);
    *w = (scr_watches){0};
}

/* ---- looking ---- */

static bool is_due(const scr_watch *watch, const scr_clock *clock, int64_t step)
{
    return (step - clock->base_step) % watch->every == 0;
}

void scr_watches_continue(scr_watches *w, const scr_clock *clock)
{
    for (int k = 0; k < w->count; k++) {
        const double *last = scr_series_last(&w->series[k]);
        if (last && *last == scr_number_meant(clock->time) && !is_due(&w->items[k], clock, clock->step))
            w->series[k].count--;
    }
}

int64_t scr_watches_ahead(const scr_watches *w, const scr_clock *clock, int64_t most)
{
    for (int k = 0; k < w->count; k++) {
        int64_t every = w->items[k].every, left = every - (clock->step - clock->base_step) % every;
        if (left < most) most = left;
    }
    return most;
}

bool scr_watches_need_contacts(const scr_watches *w, const scr_clock *clock, int64_t step, bool all)
{
    for (int k = 0; k < w->count; k++)
        if ((all || is_due(&w->items[k], clock, step)) &&
            scr_observer_needs_contacts(w->items[k].observer, w->items[k].def))
            return true;
    return false;
}

bool scr_watches_end_due(const scr_watches *w, const scr_clock *clock, int64_t step)
{
    for (int k = 0; k < w->count; k++)
        if (w->ends[k] && step > w->since && is_due(&w->items[k], clock, step)) return true;
    return false;
}

bool scr_watches_end(const scr_watches *w, const scree_simulation *s)
{
    const scr_clock *clock = &s->world.clock;
    return scr_watches_end_due(w, clock, clock->step) && scr_until_met(s->scene, w->series, w->count, clock);
}

// one row, unless this moment has one already
static scree_status look(scr_watches *w, int k, scree_simulation *s, scr_scene_view view, scree_report *report)
{
    scr_series *series = &w->series[k];
    const scr_watch *watch = &w->items[k];
    const scr_clock *clock = &s->world.clock;
    const double *last = scr_series_last(series);
    double time = scr_number_meant(clock->time);
    if (last && *last == time) return SCREE_OK;
    view.name = series->name;
    bool ok = watch->observer->sample(&view, watch->def, w->row);
    w->row[0] = time;
    if (!ok || !scr_series_add(series, w->row)) return scr_no_memory(report, "the series %s", series->name);
    // a row that only the end of a part of the run has written does not begin the next interval
    if (watch->observer->mark && is_due(watch, clock, clock->step)) watch->observer->mark(&s->world, series->name);
    return SCREE_OK;
}

scree_status scr_watches_look(scr_watches *w, scree_simulation *s, bool all, scree_report *report)
{
    const scr_clock *clock = &s->world.clock;
    bool rows = false, totals = false;
    // sums of all ranks have brought walls and planes, too
    bool divided = s->step.divide && scr_comm_world()->size > 1;
    for (int k = 0; k < w->count; k++) {
        const scr_observer *o = w->items[k].observer;
        bool due = all || is_due(&w->items[k], clock, clock->step), sums = o->totals || (o->beside && divided);
        rows |= due && !sums, totals |= due && sums;
    }
    if (!rows && !totals) return SCREE_OK;
    if (rows) scr_step_catch_up(&s->step);
    scr_scene_view view = {.world = &s->world, .step = &s->step};
    if (totals) view.energies = scr_step_energies(&s->step);
    view.contacts = s->step.last.contacts;
    scr_contact_row *contacts = NULL;
    scree_status status = SCREE_OK;
    if (s->contacts_known && scr_watches_need_contacts(w, clock, clock->step, all))
        status = s->step.stepper->contacts(&s->step, &contacts, &view.row_count, report);
    view.rows = contacts;
    for (int k = 0; k < w->count && !status; k++) {
        const scr_watch *watch = &w->items[k];
        if (!all && !is_due(watch, clock, clock->step)) continue;
        if (!s->contacts_known && scr_observer_needs_contacts(watch->observer, watch->def)) continue;
        status = look(w, k, s, view, report);
    }
    scr_memory_free(contacts);
    return status;
}

/* ---- one look, for programs ---- */

static scree_status take_column(const scr_series *series, const char *column, const double *row, double **values,
                                int *count, scree_report *report)
{
    for (int k = 0; k < series->column_count; k++) {
        const scr_series_column *c = &series->columns[k];
        if (strcmp(c->name, column)) continue;
        *values = malloc((size_t)c->width * sizeof **values);
        if (!*values) return no_memory(report);
        memcpy(*values, row + c->first, (size_t)c->width * sizeof **values);
        *count = c->width;
        return SCREE_OK;
    }
    return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "the observer %s has no column '%s'", series->name, column);
}

// all of them; `most` is how many there can be. NULL when memory is exhausted
static scr_observed *all_observed(const scree_simulation *s)
{
    size_t most = (size_t)scr_scene_items(s->scene, "observers")->count + SCR_OBSERVED_MORE + 1;
    scr_observed *list = calloc(most, sizeof *list);
    if (list) scr_observed_list(s->scene, &s->step, list);
    return list;
}

static scree_status find_observed(const scree_simulation *s, const char *name, scr_observed *found,
                                  scree_report *report)
{
    scr_observed *list = all_observed(s);
    if (!list) return no_memory(report);
    const scr_observed *o = list;
    while (o->observer && strcmp(o->name, name)) o++;
    *found = *o;
    free(list);
    if (found->observer) return SCREE_OK;
    return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "the scene has no observer '%s'", name);
}

const char *scree_simulation_observer(const scree_simulation *s, int number, const char **type)
{
    scr_observed *list = all_observed(s);
    int count = 0;
    while (list && list[count].observer) count++;
    bool there = number >= 0 && number < count;
    const char *name = there ? list[number].name : NULL;
    if (type) *type = there ? list[number].observer->variant.name : NULL;
    free(list);
    return name;
}

scree_status scree_simulation_columns(scree_simulation *s, const char *observer, scree_column **columns, int *count,
                                      scree_report *report)
{
    scr_observed o;
    scr_series series;
    *columns = NULL, *count = 0;
    scree_status status = find_observed(s, observer, &o, report);
    if (status) return status;
    bool good = scr_observer_layout(o.observer, &s->step, o.def, observer, &series);
    if (good) *columns = calloc((size_t)series.column_count + 1, sizeof **columns);
    for (; *columns && *count < series.column_count; ++*count) {
        const scr_series_column *from = &series.columns[*count];
        scree_column *to = &(*columns)[*count];
        snprintf(to->name, sizeof to->name, "%s", from->name);
        snprintf(to->unit, sizeof to->unit, "%s", from->unit ? from->unit : "");
        to->width = from->width;
    }
    scr_series_deinit(&series);
    return *columns ? SCREE_OK : no_memory(report);
}

scree_status scree_simulation_observe(scree_simulation *s, const char *observer, const char *column, double **values,
                                      int *count, scree_report *report)
{
    scr_observed o;
    *values = NULL, *count = 0;
    scree_status status = scree_simulation_renew(s, report);
    if (!status) status = find_observed(s, observer, &o, report);
    if (status) return status;
    const scr_observer *table = o.observer;
    bool contacts = scr_observer_needs_contacts(table, o.def);
    if (contacts && !s->contacts_known)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "the observer %s needs contact forces, which are known only after a step", observer);
    scr_step_catch_up(&s->step);
    scr_scene_view view = {.world = &s->world, .contacts = s->step.last.contacts, .step = &s->step, .name = observer};
    if (table->totals) view.energies = scr_step_energies(&s->step);
    scr_contact_row *rows = NULL;
    scr_series series;
    if (contacts) status = s->step.stepper->contacts(&s->step, &rows, &view.row_count, report);
    view.rows = rows;
    bool ok = scr_observer_layout(table, &s->step, o.def, observer, &series);
    double *row = ok ? malloc(series.width * sizeof *row) : NULL;
    if (!status && !(row && table->sample(&view, o.def, row))) status = no_memory(report);
    if (!status) status = take_column(&series, column, row, values, count, report);
    free(row);
    scr_series_deinit(&series);
    scr_memory_free(rows);
    return status;
}
