/* The order of bodies in memory: along a Morton curve through the cells, so that neighbours in
 * space are neighbours in memory. */
#ifndef SCREE_COLLIDE_ORDER_H
#define SCREE_COLLIDE_ORDER_H

#include "world/world.h"

/* Arrays the sort works in, lent by the caller: `count` entries each. */
typedef struct {
    uint64_t *key[2];
    uint32_t *order[2];
} scr_order;

/* Fills o->order[0] with the rows of the bodies in Morton order of cells of this edge; those of one cell are in the
 * order of ids. */
void scr_order_morton(scr_order *o, const scr_domain *domain, const scr_bodies *bodies, double edge);

#endif
