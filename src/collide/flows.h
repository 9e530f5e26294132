/* Passages through the planes of world/flow.h, after every step. */
#ifndef SCREE_COLLIDE_FLOWS_H
#define SCREE_COLLIDE_FLOWS_H

#include "world/world.h"

/* Counts all grains where they are now. */
void scr_flows_update(scr_world *world);

#endif
