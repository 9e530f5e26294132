/* Bodies that outlets (world/ports.h) would take now. */
#ifndef SCREE_WORLD_OUTLETS_H
#define SCREE_WORLD_OUTLETS_H

#include "world/world.h"

/* The first row from `body` on that some outlet would take, the number of bodies when there is none: one pass over them
 * for each outlet that is open. */
size_t scr_outlets_next(const scr_world *world, size_t body);

#endif
