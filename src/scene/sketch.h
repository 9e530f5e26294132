/* Roughly where equal balls are, to know of most points whether a ball has room there without a look at the others.
 *
 * The cells of a grid are at least as wide as two centres must be apart, so that those of 3 x 3 x 3 cells matter. A
 * cell has 32 bits, for two balls: where they are in it, to a 31st of its edges. So a distance is known up to `off`,
 * half the diagonal of such a part. One below the reach less `off` means that there is no room; if all are above the
 * reach and `off` there is some; in between, and beside cells with a third ball, it is not known. */
#ifndef SCREE_SCENE_SKETCH_H
#define SCREE_SCENE_SKETCH_H

#include "scene/region.h"
#include "scene/space.h"

typedef struct {
    uint32_t *cells;            /* lines of the cache with 4 x 2 x 2 of them each, and a border that stays empty */
    int64_t count[3];           /* of cells, without the border */
    bool periodic[3];           /* the first is beside the last */
    double low[3], per_cell[3]; /* where they begin [m]; cells in a metre */
    size_t across[2];           /* numbers in `cells` between lines along y and z */
    float edge[3];              /* of a cell, over the reach */
    float blocked2, free2;      /* squares of distances, over the reach: below and above is an answer */
} scr_sketch;

typedef enum { SCR_SKETCH_BLOCKED, SCR_SKETCH_FREE, SCR_SKETCH_UNSURE } scr_sketch_answer;

/* Of `count` balls of the radius at most, all of them within the region, wrapped and as far from each other as the
 * space asks for, which has none yet. Without cells, and of no use, where the region has too many for so few balls
 * or memory is exhausted. */
void scr_sketch_begin(scr_sketch *sketch, const scr_space *space, const scr_region *region, double radius,
                      size_t count);
void scr_sketch_deinit(scr_sketch *sketch);

/* One more ball; by several threads at a time, while nobody asks. */
void scr_sketch_put(scr_sketch *sketch, vec3 point);
/* Of points within the region, wrapped. */
void scr_sketch_ask(const scr_sketch *sketch, const vec3 *points, size_t count, uint8_t *answers);

#endif
