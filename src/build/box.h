/* A periodic domain that deforms, from the scene. */
#ifndef SCREE_BUILD_BOX_H
#define SCREE_BUILD_BOX_H

#include "scene/scene.h"
#include "step/stepper.h"

/* domain.deform: what the box shall do. What cannot be together with it is an error. All but the bodies is there. */
scree_status scr_build_box(scr_step *step, const scr_scene *scene, scree_report *report);
/* What follows from grains, laws and the time step: largest rates, gains and integral times of the stresses to hold.
 * `keep`: they are as in the state that the world came from. */
void scr_choose_box(scr_world *world, const scr_scene *scene, bool keep);

#endif
