/* Groups of prescribed motion in a step, and the work they do on the others. */
#ifndef SCREE_STEP_SOFT_CPU_GROUPS_H
#define SCREE_STEP_SOFT_CPU_GROUPS_H

#include "step/soft/cpu/loops.h"

typedef struct {
    scr_drive_step *steps; /* buffers: one per group */
    double *work;          /* of each block, at the end of a step and then at the beginning of the next [W] */
    bool any;              /* some group moves as prescribed */
} soft_groups;

/* Room for the present list; to be called when the list is new. */
scree_status scr_soft_groups_reserve(soft_groups *groups, const soft_task *task, scree_report *report);
void scr_soft_groups_deinit(soft_groups *groups);

/* A force acts in the half steps before and after its time. */
typedef enum { SOFT_GROUPS_END, SOFT_GROUPS_BEGIN } soft_groups_half;

/* How groups move in the step that begins at the clock's time. */
void scr_soft_groups_aim(soft_groups *groups, const soft_task *task);
/* The work of the forces on a block's bodies, when all are known. At the beginning of a step, before the drift, bodies
 * first get the velocities that carry them to their next place on the path. */
void scr_soft_groups_block(soft_groups *groups, const soft_task *task, size_t block, soft_groups_half half);
/* The work of all blocks into the ledger. */
void scr_soft_groups_book(soft_groups *groups, const soft_task *task, soft_groups_half half);

#endif
