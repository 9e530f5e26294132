/* Walls from their definitions: faces of each shape, motion, and what a continued run keeps. */
#ifndef SCREE_BUILD_WALLS_H
#define SCREE_BUILD_WALLS_H

#include "scene/scene.h"
#include "world/world.h"

/* Walls and faces of the scene into the world, at the start of time. */
scree_status scr_build_walls(scr_world *world, const scr_scene *scene, scree_report *report);

/* Walls go on from where those of the same name were in another world; contacts follow their faces,
 * and are forgotten where there is none. */
/* The face of this world that was face `old` of the other, or -1. */
int scr_adopt_face(const scr_world *world, const scr_world *from, int old);
void scr_adopt_walls(scr_world *world, const scr_world *from);

#endif
