/* Groups of prescribed motion in a step, and the work they do on the others. */
#ifndef SCREE_STEP_SOFT_GROUPS_H
#define SCREE_STEP_SOFT_GROUPS_H

#include "step/soft/loops.h"

typedef struct {
    scr_drive_step *steps; /* one per group */
    double *work;          /* one per block [J] */
    size_t step_capacity, work_capacity;
    bool any; /* some group moves as prescribed */
} soft_groups;

/* Room for the present list; to be called when the list is new. */
scree_status scr_soft_groups_reserve(soft_groups *groups, const soft_task *task, scree_report *report);
void scr_soft_groups_deinit(soft_groups *groups);

/* Velocities that carry the bodies to their next place on the path, and the work of the forces known
 * so far: before the drift, with the clock at the start of the step. */
void scr_soft_groups_begin(soft_groups *groups, const soft_task *task);
/* The work of the forces at the end of the step. */
void scr_soft_groups_end(soft_groups *groups, const soft_task *task);

#endif
