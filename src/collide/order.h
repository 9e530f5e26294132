/* The order of bodies in memory: along a Morton curve through cells, so that neighbours in space are neighbours in
 * memory. A cell is as wide as the smallest grain that the scene allows (world->clock.curve), not as those present, and
 * knows nothing of the neighbour list: so rows depend on the scene and the number of the step alone. */
#ifndef SCREE_COLLIDE_ORDER_H
#define SCREE_COLLIDE_ORDER_H

#include "world/world.h"

#define SCR_ORDER_ROW 32 /* bytes of a row of scratch */

/* Arrays the sort works in, lent by the caller: `count` entries each. They may change places. */
typedef struct {
    uint64_t *key[2];
    uint32_t *order[2];
} scr_order;

/* Fills o->order[0] with the rows of the bodies in the order of the curve; those of one cell are in the order of ids.
 * The spheres of a clump, whose ids follow each other, are where its centre is: they stay together. False: all are in
 * their rows already. */
bool scr_order_morton(scr_order *o, const scr_world *world);

/* Where a body is along the curve. */
uint64_t scr_order_key(const scr_world *world, size_t row);
/* Whether a row is of the clump of the row before: scr_blocks_joined. */
bool scr_order_joined(const void *world, size_t row);

/* The other array becomes order[0]. */
void scr_order_turn(scr_order *o);

/* Row k of the table becomes the old row order[k], for as many rows as the table counts now: all, or those that are
 * left where it counted more. Scratch: SCR_ORDER_ROW bytes for each; it may be the array of one of the fields, of which
 * nothing is left then. */
void scr_order_apply(const uint32_t *order, scr_table *table, void *scratch);

#endif
