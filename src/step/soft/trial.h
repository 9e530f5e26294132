/* Which device is faster: `auto` takes the first steps of a run on the CPU, the next ones on the GPU, and goes on where
 * a step took less time. All of them count, for the state is the same to the last bit wherever they are taken. */
#ifndef SCREE_STEP_SOFT_TRIAL_H
#define SCREE_STEP_SOFT_TRIAL_H

#include "step/soft/ops.h"

/* Parts of a trial, one after the other. */
typedef enum { SOFT_TRIAL_OVER, SOFT_TRIAL_CPU, SOFT_TRIAL_WARMING, SOFT_TRIAL_GPU } soft_trial_part;

/* The table that does the work, and what it keeps. */
typedef struct {
    const soft_ops *ops;
    void *state;
    soft_trial_part part;
    int64_t steps;  /* of this part so far */
    double seconds; /* that they took */
    double cpu;     /* seconds of a step on the CPU */
} soft_run;

/* Between two steps: the next part, on its device, where this one is over. A GPU that cannot be opened ends the
 * trial. */
scree_status scr_soft_trial_go_on(scr_step *step, soft_run *run, scree_report *report);
/* How many of `most` steps to do before that is asked again. */
int64_t scr_soft_trial_most(const soft_run *run, int64_t most);
/* The time [s] by the clock of the device that does the work, and what steps took by it. */
double scr_soft_trial_clock(const soft_run *run);
void scr_soft_trial_count(soft_run *run, int64_t steps, double seconds);

#endif
