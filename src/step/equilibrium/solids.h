/* Equilibria of elastic solids, one load step after the other: the stepper behind `scree equilibrate`; see statics.c.
 * It is not among those that a scene's `stepper` names: any scene with solids can be put to rest. */
#ifndef SCREE_STEP_EQUILIBRIUM_SOLIDS_H
#define SCREE_STEP_EQUILIBRIUM_SOLIDS_H

#include "step/equilibrium/statics.h"
#include "step/stepper.h"

/* Motions that no support prevents, of every part that hangs together: errors that name them. */
scree_status scr_check_rigid_motions(const scr_world *world, const scr_scene *scene, scree_report *report);

/* Without contacts (statics.c), and with them (settle.c): the first hands over to the second where solids touch. */
extern const scr_stepper scr_statics_stepper, scr_settle_stepper;

#endif
