/* Walls as generators of grains see them: surfaces near a point, at the start of a run. */
#ifndef SCREE_BUILD_OBSTACLES_H
#define SCREE_BUILD_OBSTACLES_H

#include "scene/generate.h"
#include "shape/face_tree.h"
#include "world/world.h"

typedef struct {
    scr_obstacles given; /* for the generators */
    const scr_world *world;
    scr_face_tree *trees; /* of walls with many faces; others have none */
} scr_wall_obstacles;

/* The walls that are there now; the world must stay. False when memory is exhausted; deinit in any case. */
bool scr_wall_obstacles_init(scr_wall_obstacles *obstacles, const scr_world *world);
void scr_wall_obstacles_deinit(scr_wall_obstacles *obstacles);

#endif
