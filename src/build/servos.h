/* Servos of walls, from the scene. */
#ifndef SCREE_BUILD_SERVOS_H
#define SCREE_BUILD_SERVOS_H

#include "scene/scene.h"
#include "world/world.h"

/* How each wall with a servo is controlled. All walls are there, and have their faces. */
scree_status scr_build_servos(scr_world *world, const scr_scene *scene, scree_report *report);

#endif
