/* The part of the neighbour list that pairs bodies with wall faces. */
#ifndef SCREE_COLLIDE_WALL_PAIRS_H
#define SCREE_COLLIDE_WALL_PAIRS_H

#include "shape/face_tree.h"
#include "world/world.h"

struct scr_pairs;

/* Where a wall's faces are in its rest frame, and a tree over them where they are many. */
typedef struct {
    vec3 lower, upper;  /* endless planes: as far as the domain goes */
    bool endless;       /* it has a plane */
    scr_face_tree tree; /* without nodes: look at all */
} scr_wall_extent;

/* Arrays but `extents` are buffers. */
typedef struct {
    size_t count;
    uint32_t *body, *face;    /* rows and faces of the world; those of a body follow each other */
    uint16_t *law;            /* index into world->laws */
    float *gap;               /* of face and body when the list was built, a little less [m] */
    uint8_t *touch;           /* was in contact at the last force evaluation */
    double *history;          /* 4 per pair, as in scr_contacts */
    double *wide, *record;    /* 8 per pair, as in scr_pairs */
    scr_wall_extent *extents; /* one per wall */
    int extent_count;
} scr_wall_pairs;

void scr_wall_pairs_deinit(scr_wall_pairs *pairs);
bool scr_wall_pairs_reserve(scr_wall_pairs *pairs, size_t count, bool wide);

/* Extents and trees, once for all lists; false when memory is exhausted. */
bool scr_wall_pairs_prepare(scr_wall_pairs *pairs, const scr_world *world);

/* What one thread finds. */
typedef struct {
    uint32_t body, face;
    float gap;
} scr_wall_found;

typedef struct {
    scr_wall_found *found; /* a buffer */
    size_t count;
} scr_wall_finder;

/* Adds the faces that body i, were it at `place` (x, y, z, radius) and walls where they were anchored, may
 * touch while the list lasts: those nearer than `reach` to its surface; false when memory is exhausted. */
bool scr_walls_search(scr_wall_finder *finder, const scr_wall_pairs *pairs, const scr_world *world, uint32_t i,
                      const double *place, double reach);

/* Copies what a thread found into the list, from pair number `first` on, with the histories of
 * world->contacts. */
void scr_wall_pairs_place(struct scr_pairs *pairs, const scr_world *world, const scr_wall_finder *finder,
                          uint32_t first);

#endif
