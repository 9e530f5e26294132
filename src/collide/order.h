/* The order of bodies in memory: along a Morton curve through the cells, so that neighbours in space are
 * neighbours in memory. */
#ifndef SCREE_COLLIDE_ORDER_H
#define SCREE_COLLIDE_ORDER_H

#include "world/world.h"

typedef struct {
    uint64_t *key[2];
    uint32_t *order[2];
    size_t capacity[4];
} scr_order;

void scr_order_deinit(scr_order *o);

/* Fills o->order[0] with the rows of the bodies in Morton order of cells of this edge; rows of one cell keep
 * their order. False when memory is exhausted. */
bool scr_order_morton(scr_order *o, const scr_domain *domain, const double *place, size_t count,
                      double edge);

#endif
