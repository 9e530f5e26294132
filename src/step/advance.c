/* Several steps at once, and what is known after them. */
#include "collide/flows.h"
#include "comm/comm.h"
#include "step/stepper.h"
#include "world/ledger.h"

// one after the other
scree_status scr_step_each(scr_step *s, int64_t most, int64_t *done, scree_report *report)
{
    bool contacts = s->want_contacts;
    scree_status status = SCREE_OK;
    for (*done = 0; *done < most && !status; ++*done) {
        s->want_contacts = contacts && *done + 1 == most;
        status = s->stepper->step(s, report);
        scr_flows_update(s->world);
    }
    return status;
}

void scr_step_catch_up(scr_step *s)
{
    if (s->stepper->catch_up) s->stepper->catch_up(s);
}

bool scr_step_leaves(scr_step *s)
{
    return s->stepper->leaves ? s->stepper->leaves(s) : scr_outlets_are_due(s->world);
}

bool scr_step_is_divided(const scr_step *s)
{
    const scr_comm *c = scr_comm_world();
    return s->divide && s->stepper->everywhere && c->size > 1 && c->writers > 1;
}

scree_energies scr_step_energies(scr_step *s)
{
    double sums[3];
    if (s->stepper->sum_up && s->stepper->sum_up(s, sums)) return scr_ledger_energies_of(s->world, sums);
    scr_step_catch_up(s);
    return scr_ledger_energies(s->world);
}

scree_status scr_step_advance(scr_step *s, int64_t most, int64_t *done, scree_report *report)
{
    return (s->stepper->advance ? s->stepper->advance : scr_step_each)(s, most, done, report);
}
