/* What may touch the cells of elastic solids before something has moved by half a margin: grains, faces of walls, other
 * cells. A list of what is near, from which contacts are found at each evaluation (collide/cell_touch.h). Contacts do
 * not depend on when it was made, so it is not state. */
#ifndef SCREE_COLLIDE_CELL_PAIRS_H
#define SCREE_COLLIDE_CELL_PAIRS_H

#include "collide/hulls.h"
#include "collide/pairs.h"
#include "collide/tiles.h"

/* Rows of one partner: items[first[k]] to items[first[k + 1] - 1] belong to owner[k]. */
typedef struct {
    size_t count;
    uint32_t *owner, *first, *items; /* buffers */
    size_t item_count;
} scr_near_list;

typedef struct {
    scr_hulls hulls;
    scr_near_list grains; /* rows of bodies; hulls, ascending */
    struct scr_ranked {
        uint64_t id;
        uint32_t at;     /* of `grains` */
    } * by_id;           /* a buffer, in the order of ids */
    scr_near_list walls; /* hulls; faces of walls, ascending */
    scr_near_list cells; /* hulls; hulls with larger numbers, ascending */
    uint8_t *sharp;      /* of each wall face: which edges of a triangle stick out */
    scr_images images;
    double reach; /* farther than this from each other none touch [m] */

    /* when it was made */
    double margin;                    /* [m] */
    double *grain_place, *hull_place; /* buffers, 4 each; x, y, z */
    size_t grain_count;
    pose *wall_pose;
    bool *wall_active;
    int64_t rebuilds; /* of the neighbour list of grains: their rows may have moved */

    scr_tiles tiles;
    uint64_t *found; /* a buffer: pairs, to be sorted */
    size_t found_count;
    uint32_t *near;             /* a buffer */
    struct scr_finding *sorter; /* scratch */
} scr_cell_pairs;

/* Extents of walls are those of the neighbour list of grains (collide/wall_pairs.h), prepared. */
scree_status scr_cell_pairs_build(scr_cell_pairs *pairs, const scr_world *world, const scr_wall_extent *extents,
                                  scree_report *report);
/* In a divided world a rank has the pairs in which its own cells and grains take part. Before ghosts are chosen: says
 * where its cells are. False when memory is exhausted. */
bool scr_cell_pairs_tell(scr_cell_pairs *pairs, const scr_world *world, scree_report *report);
/* Whether something has moved too far, or rows of bodies are others; on a rank, of what it moves. */
bool scr_cell_pairs_stale(const scr_cell_pairs *pairs, const scr_world *world, const scr_wall_extent *extents);
void scr_cell_pairs_deinit(scr_cell_pairs *pairs);

#endif
