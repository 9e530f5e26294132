/* A box that deforms, in a soft step. */
#ifndef SCREE_STEP_SOFT_CPU_BOX_H
#define SCREE_STEP_SOFT_CPU_BOX_H

#include "step/soft/cpu/phases.h"

/* Room for its sums; after a new list. */
scree_status scr_soft_box_reserve(soft_work *work, scree_report *report);
/* Before a step: the speed of the box changes, if it is time. */
void scr_soft_box_begin(scr_step *step, soft_work *work);
/* The clock has ticked: the box moves. True when the list is too old. */
bool scr_soft_box_move(soft_work *work);
/* After the forces: what goes through the sides, with its work. */
void scr_soft_box_book(soft_work *work);

#endif
