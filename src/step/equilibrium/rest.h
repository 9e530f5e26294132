/* Equilibria of grains, one load step after the other: the stepper behind `scree equilibrate` where there are no
 * elastic solids; see rest.c. */
#ifndef SCREE_STEP_EQUILIBRIUM_REST_H
#define SCREE_STEP_EQUILIBRIUM_REST_H

#include "step/stepper.h"

extern const scr_stepper scr_rest_stepper;

#endif
