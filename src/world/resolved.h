/* Regions that stay resolved (the sensors of Servin & Wang 2015): aggregates are split there. They come from the scene,
 * so checkpoints do not hold them. */
#ifndef SCREE_WORLD_RESOLVED_H
#define SCREE_WORLD_RESOLVED_H

#include "scene/region.h"

struct scr_world;

typedef struct {
    char *name;
    scr_region region; /* in the rest frame of its wall: as the scene writes both */
    int wall;          /* that it moves with, -1: none */
} scr_resolved;

/* Whether a point is inside now. One that moves with a wall is there while the wall is. */
bool scr_resolved_holds(const struct scr_world *world, const scr_resolved *resolved, vec3 x);

void scr_resolved_deinit(struct scr_world *world);

#endif
