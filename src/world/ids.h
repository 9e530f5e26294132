/* From ids to rows: a hash table over the bodies, valid as long as rows do not change. */
#ifndef SCREE_WORLD_IDS_H
#define SCREE_WORLD_IDS_H

#include "world/bodies.h"

typedef struct {
    const int64_t *id; /* of the bodies */
    uint32_t *row;     /* by hash of the id: open addressing, mask + 1 entries */
    uint64_t mask;
    bool twice; /* some id is there twice */
} scr_ids;

/* False when memory is exhausted. */
bool scr_ids_init(scr_ids *ids, const scr_bodies *bodies);
void scr_ids_deinit(scr_ids *ids);
/* The row of a body, -1: there is none of this id. */
int64_t scr_ids_row(const scr_ids *ids, int64_t id);

#endif
