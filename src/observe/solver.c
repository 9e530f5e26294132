/* The solver of a stepper that solves for its contacts: sweeps, what they left, and what reduction to aggregates
 * (Servin & Wang 2015) spares. Sums since the last row come from world->tally. */
#include "observe/solver.h"

#include <string.h>

static const scr_column columns[] = {
    {"time", "s", "time"},
    {"contacts", "", "number of contacts; nonsmooth: those that carry an impulse"},
    {"candidates", "", "nonsmooth: contacts that were looked at, open ones too"},
    {"sweeps", "", "sweeps of the last step"},
    {"residual", "m/s",
     "what the last sweep still changed at a contact, at most; implicit: forces left, "
     "relative to those that act"},
    {"worst_overlap", "", "largest overlap over the smaller radius"},
    {"deepest", "", "nonsmooth: largest overlap since the start, over the smaller diameter"},
    {"doubled", "", "nonsmooth: how often sweeps were doubled since the start"},
    {"halved", "", "nonsmooth: how often they were halved again"},
    {"unconverged", "", "steps since the start that have not converged"},
    {"reduction", "", "1 - (free grains + aggregates)/grains"},
    {"merged", "", "grains that are part of an aggregate"},
    {"aggregates", "", "number of aggregates"},
    {"solved", "", "contacts that were solved for"},
    {"active", "", "contact sweeps done since the last row, over those without reduction"},
    {"merges_per_second", "1/s", "grains merged since the last row, over the time since"},
    {"splits_per_second", "1/s", "grains split off since the last row, over the time since"},
    {"inner", "",
     "implicit: iterations of conjugate gradients in the last step; sweeps are Newton's"},
    {"parts", "", "implicit: sub-steps of the last step"},
    {"halvings", "", "implicit: halvings of steps that did not converge, since the start"},
    {"rejected", "", "implicit: halvings of steps in which grains got too far, since the start"},
    {"step_least", "s", "implicit: the shortest sub-step since the start"},
    {"step_mean", "s", "implicit: the mean of all sub-steps since the start"},
    {"step_most", "s", "implicit: the longest sub-step since the start"},
    {0},
};

double scr_reduction_level(const scr_step_report *report, size_t grains)
{
    return grains ? (double)(report->merged - report->aggregates) / (double)grains : 0;
}

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    (void)def;
    const scr_world *w = view->world;
    const scr_tally *t = &w->tally;
    const scr_step_report *last = view->last;
    double span = w->clock.time - t->mark_time, rate = span > 0 ? 1 / span : 0;
    const double values[] = {
        w->clock.time,
        (double)last->contacts,
        (double)last->candidates,
        (double)last->sweeps,
        last->residual,
        last->worst_overlap,
        t->deepest,
        (double)t->doubled,
        (double)t->halved,
        (double)t->unconverged,
        scr_reduction_level(last, w->bodies.table.count),
        (double)last->merged,
        (double)last->aggregates,
        (double)last->solved,
        scr_active_part(t->solved_sweeps - t->mark_solved_sweeps,
                        t->all_sweeps - t->mark_all_sweeps),
        rate * (double)(t->merges - t->mark_merges),
        rate * (double)(t->splits - t->mark_splits),
        (double)last->inner,
        (double)last->parts,
        (double)t->halvings,
        (double)t->rejected,
        t->part_least,
        t->parts ? t->part_sum / (double)t->parts : 0,
        t->part_most,
    };
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) row[k] = values[k];
    return true;
}

static void mark(scr_world *world, const char *name)
{
    (void)name;
    scr_tally *t = &world->tally;
    t->mark_time = world->clock.time;
    t->mark_merges = t->merges;
    t->mark_splits = t->splits;
    t->mark_solved_sweeps = t->solved_sweeps;
    t->mark_all_sweeps = t->all_sweeps;
}

// the world keeps one mark: where the last row was
static void check(const scr_world *world, const scr_scene *scene, const scr_item *item,
                  scree_report *report)
{
    (void)world;
    const scr_items *items = scr_scene_items(scene, "observers");
    for (const scr_item *other = items->items; other < item; other++)
        if (other->variant == item->variant)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, NULL),
                     "observers.%s is a second observer of the solver, beside %s: there can be one",
                     item->name, other->name);
    if (scr_stepper_of(scene)->is_explicit)
        scr_warn(report, scr_item_place(scene, item, "type"),
                 "observers.%s has nothing to tell: the stepper %s solves for no contacts",
                 item->name, scr_stepper_of(scene)->variant.name);
}

const scr_observer scr_solver_observer = {
    .variant =
        {"solver",
         "How contacts were solved for, by a stepper that does so: sweeps, residual, overlap, "
         "and what reduction to aggregates spares. It runs by default with such a stepper.",
         NULL, 0},
    .columns = columns,
    .check = check,
    .sample = sample,
    .mark = mark,
};
