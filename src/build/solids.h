/* Elastic solids: from the scene to cells and links; and what acts on them. */
#ifndef SCREE_BUILD_SOLIDS_H
#define SCREE_BUILD_SOLIDS_H

#include "scene/scene.h"
#include "step/stepper.h"

/* Solids with their mesh, cells, links and shells, in the reference state and moving as they are told to at the
 * start. Needs the materials. */
scree_status scr_build_solids(scr_step *step, const scr_scene *scene, scree_report *report);
/* Patches, supports, loads and sponges (loads.c). Needs the solids. */
scree_status scr_build_loads(scr_world *world, const scr_scene *scene, scree_report *report);

#endif
