/* Regions that stay resolved, from the scene into the world. */
#ifndef SCREE_BUILD_RESOLVED_H
#define SCREE_BUILD_RESOLVED_H

#include "scene/scene.h"
#include "step/stepper.h"

/* After the walls. One that lies outside the domain is an error; where nothing is reduced they do nothing, and that
 * is said. */
scree_status scr_build_resolved(scr_step *step, const scr_scene *scene, scree_report *report);

#endif
