/* Elastic solids that come from results. */
#ifndef SCREE_BUILD_ADOPT_SOLIDS_H
#define SCREE_BUILD_ADOPT_SOLIDS_H

#include "scene/scene.h"
#include "world/world.h"

/* The solids of `world`, built as the scene has them, get the state of those of the same name in `from`: where
 * cells are and how they move, which links have broken, and what supports and loads have felt. Their meshes must be
 * the same. `resume`: all of the scene's solids must be there. */
scree_status scr_adopt_solids(scr_world *world, const scr_scene *scene, const scr_world *from, bool resume,
                              scree_report *report);
/* Supports and loads have felt nothing yet: the start of a new run. */
void scr_loads_begin(scr_world *world);

#endif
