/* What walls do in a step of the soft stepper. */
#ifndef SCREE_STEP_SOFT_CPU_WALLS_H
#define SCREE_STEP_SOFT_CPU_WALLS_H

#include "step/soft/cpu/loops.h"

/* Walls follow their motion from time `before` to the clock's; true when one has come, gone, or
 * moved so far that the list is too old. */
bool scr_soft_walls_move(scr_world *world, const scr_wall_pairs *pairs, double before);

/* The same of one of them, whose servo knows its area. */
bool scr_soft_wall_move(scr_world *world, const scr_wall_pairs *pairs, int wall, double before);

/* The blocks' sums of force and torque into the walls, and the work they did into the ledger. */
void scr_soft_walls_add_up(soft_task *task);

#endif
