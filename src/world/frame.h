/* Frames: what bodies can move with as one. Numbered:
 *
 *   0          none: the body moves by itself;
 *   1          what rests: walls that never move, frozen grains;
 *   2 + k      wall k, when it moves;
 *   2 + wall_count + r   rigid body r: a clump, a part of a machine with its load, a free aggregate. */
#ifndef SCREE_WORLD_FRAME_H
#define SCREE_WORLD_FRAME_H

#include "world/world.h"

#define SCR_FRAME_NONE 0
#define SCR_FRAME_REST 1

static inline int scr_frame_of_wall(int wall)
{
    return 2 + wall;
}
static inline int scr_frame_count(const scr_world *w)
{
    return 2 + w->wall_count;
}

#endif
