/* Several steps at once. */
#include "step/stepper.h"

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

scree_status scr_step_advance(scr_step *s, int64_t most, int64_t *done, scree_report *report)
{
    return (s->stepper->advance ? s->stepper->advance : scr_step_each)(s, most, done, report);
}
