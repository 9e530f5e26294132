/* What the nonsmooth stepper reports (scree/reports.h). */
#include "step/report.h"
#include "step/nonsmooth/nonsmooth.h"

const scr_reported scr_nonsmooth_reports[] = {
    SCREE_CONTACT_REPORTS(SCR_REPORTED) SCREE_SOLVER_REPORTS(SCR_REPORTED) SCREE_NONSMOOTH_REPORTS(SCR_REPORTED){0},
};

const scr_report_line scr_nonsmooth_lines[] = {
    {"candidates", "contacts {contacts}, {candidates} candidates"},
    {"all_sweeps", "solver {sweeps} sweeps, residual {residual:.3g} m/s, at most "
                   "{worst_residual:.3g} m/s; {unconverged} steps not converged"},
    {"doubled", "sweeps {sweeps_mean:.4g} a step, at most {sweeps_most}: doubled {doubled} times, "
                "halved {halved} times"},
    {"deepest", "overlap at most {deepest%:.3g} % of the smaller diameter, at {deepest_time:.6g} s"},
    {"merges", "reduction {reduction:.4f}: {merged} grains in {aggregates} aggregates; "
               "{swept_part:.4g} of all contact sweeps done"},
    {0},
};

// contact sweeps done over what they would have been without reduction; 1 when there were none
static double active_part(double solved, double all)
{
    return all > 0 ? solved / all : 1;
}

void scr_nonsmooth_report(const scr_step *s, scree_stats *stats)
{
    const scr_step_report *last = &s->last;
    const scr_tally *t = &s->world->tally;
    double grains = (double)s->world->bodies.table.count;
    double span = s->world->clock.time - t->mark_time, rate = span > 0 ? 1 / span : 0;
    stats->sweeps = last->sweeps, stats->residual = last->residual;
    stats->unconverged = t->unconverged, stats->worst_residual = t->worst_residual;
    stats->candidates = last->candidates;
    stats->deepest = t->deepest, stats->deepest_time = t->deepest_time;
    stats->sweeps_mean = t->swept_steps ? (double)t->step_sweeps / (double)t->swept_steps : 0;
    stats->sweeps_most = t->most_sweeps;
    stats->doubled = t->doubled, stats->halved = t->halved;
    stats->unforeseen = t->unforeseen, stats->unsolved = t->unsolved;
    stats->merged = last->merged, stats->aggregates = last->aggregates;
    stats->reduction = grains > 0 ? (double)(last->merged - last->aggregates) / grains : 0;
    stats->solved = last->solved;
    stats->active = active_part(t->solved_sweeps - t->mark_solved_sweeps, t->all_sweeps - t->mark_all_sweeps);
    stats->merges_per_second = rate * (double)(t->merges - t->mark_merges);
    stats->splits_per_second = rate * (double)(t->splits - t->mark_splits);
    stats->merges = t->merges, stats->splits = t->splits;
    stats->solved_sweeps = t->solved_sweeps, stats->all_sweeps = t->all_sweeps;
    stats->swept_part = active_part(t->solved_sweeps, t->all_sweeps);
}

#define MUCH 0.01 /* overlap over the smaller diameter */

// contacts that are solved for should not overlap more than springs would: how much they did, and what helps
void scr_nonsmooth_judge(const scr_step *s, scree_report *report)
{
    const scr_world *w = s->world;
    static const char *const words[] = {
        [SCR_DEPTH_LATE] = "it was found late: a shorter time.step helps, or stepper.anticipation: "
                           "auto where another one is given",
        [SCR_DEPTH_SOFT] =
            "this is the overlap of a contact of this stiffness under its force: stiffer contacts overlap less",
        [SCR_DEPTH_LEFT] = "sweeps ended before it was solved: more stepper.sweeps or a shorter "
                           "time.step help"};
    int64_t kind = w->tally.deepest_kind;
    if (!(w->tally.deepest > MUCH) || kind > SCR_DEPTH_LEFT) return;
    scr_warn(report, SCR_NOWHERE,
             "the largest overlap was %.3g %% of the smaller diameter, at %.6g s; %s (now step "
             "%.4g s)",
             100 * w->tally.deepest, w->tally.deepest_time, words[kind], w->clock.dt);
}
