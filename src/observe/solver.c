/* The solver of a stepper that solves for its contacts: sweeps, what they left, and what reduction to aggregates
 * (Servin & Wang 2015) spares. Sums since the last row come from world->tally. */
#include "observe/solver.h"

#include <string.h>

#include "step/report.h"

static const scr_column columns[] = {
    {"time", "s", "time"},
    {0},
};

static bool sample(const scr_scene_view *view, const void *def, double *row)
{
    (void)def;
    scree_stats stats = {0};
    scr_step_report_fill(view->step, &stats);
    *row++ = view->world->clock.time;
    for (const scr_reported *r = scr_reports_of(view->step->stepper); r->name; r++)
        if (r->column) *row++ = scr_reported_value(r, &stats);
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
static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    (void)world;
    const scr_items *items = scr_scene_items(scene, "observers");
    for (const scr_item *other = items->items; other < item; other++)
        if (other->variant == item->variant)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, NULL),
                     "observers.%s is a second observer of the solver, beside %s: there can be one", item->name,
                     other->name);
}

const scr_observer scr_solver_observer = {
    .variant = {"solver",
                "Convergence of the contact solver, of integrators that have one: sweeps, residual, overlap, and the "
                "savings by reduction to aggregates. Present by default with such an integrator.",
                NULL, 0},
    .columns = columns,
    .reports = true,
    .check = check,
    .sample = sample,
    .mark = mark,
};
