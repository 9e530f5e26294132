/* What implicit steps report (scree/reports.h), of motion and on the way to rest. */
#include "step/report.h"
#include "step/variational/variational.h"

const scr_reported scr_variational_reports[] = {
    SCREE_CONTACT_REPORTS(SCR_REPORTED) SCREE_SOLVER_REPORTS(SCR_REPORTED) SCREE_VARIATIONAL_REPORTS(SCR_REPORTED){0},
};

const scr_reported scr_rest_reports[] = {
    SCREE_CONTACT_REPORTS(SCR_REPORTED) SCREE_SOLVER_REPORTS(SCR_REPORTED)
        SCREE_STATICS_REPORTS(SCR_REPORTED_STATICS){0},
};

const scr_report_line scr_variational_lines[] = {
    {"implicit_steps", "implicit {implicit_steps} steps of {step_least:.4g} to {step_most:.4g} s, mean {step_mean:.4g} "
                       "s; {halvings} halvings, {rejected} where grains moved too far"},
    {0},
};

void scr_variational_report(const scr_step *s, scree_stats *stats)
{
    const scr_step_report *last = &s->last;
    const scr_tally *t = &s->world->tally;
    stats->sweeps = last->sweeps, stats->residual = last->residual;
    stats->unconverged = t->unconverged;
    stats->inner = last->inner, stats->substeps = last->substeps;
    stats->implicit_steps = t->parts;
    stats->halvings = t->halvings, stats->rejected = t->rejected;
    stats->step_least = t->part_least, stats->step_most = t->part_most;
    stats->step_mean = t->parts ? t->part_sum / (double)t->parts : 0;
}
