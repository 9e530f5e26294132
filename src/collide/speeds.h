/* How fast bodies drift: bounds for how long a neighbour list can look ahead. */
#ifndef SCREE_COLLIDE_SPEEDS_H
#define SCREE_COLLIDE_SPEEDS_H

#include "world/world.h"

/* The largest difference of a drift from this velocity [m/s]. */
double scr_fastest_from(const scr_world *world, vec3 velocity);

/* How far cells may grow for the sake of the horizon [m]: half a small grain, and no image may meet itself. */
double scr_room_to_sweep(const scr_world *world);

#endif
