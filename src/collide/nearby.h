/* The cells around a cell, remembered: bodies that follow each other are near each other, and each looks at 27 cells.
 *
 * A tile is 4 x 4 x 4 cells; it is kept with the cells that adjoin it. Each cell is looked up in the grid when it is
 * asked for the first time, so a body costs a few look-ups where bodies are dense and 27 where they are alone. Tiles
 * have 64 places by their coordinates modulo 4: those of a neighbourhood do not drive each other out. */
#ifndef SCREE_COLLIDE_NEARBY_H
#define SCREE_COLLIDE_NEARBY_H

#include "collide/grid.h"

#define SCR_NEARBY_TILES 64
#define SCR_NEARBY_EDGE  6 /* cells of a tile along an axis, and one more on both sides */
#define SCR_NEARBY_CELLS (SCR_NEARBY_EDGE * SCR_NEARBY_EDGE * SCR_NEARBY_EDGE)

typedef struct {
    uint32_t cell; /* SCR_GRID_NONE: it is empty, or has not been looked up yet */
    uint32_t last; /* nobody in it that is second to a body of its level is in a higher row; 0: nobody is, UINT32_MAX
                      before somebody has asked */
} scr_nearby_cell;

typedef struct {
    uint64_t key;                      /* level and coordinates of the tile's first cell */
    uint64_t part[3][SCR_NEARBY_EDGE]; /* of the keys of cells, by axis */
    scr_nearby_cell cells[SCR_NEARBY_CELLS];
} scr_nearby_tile;

typedef struct {
    const scr_grid *grid;
    scr_nearby_tile *tiles; /* a buffer: SCR_NEARBY_TILES of them */
    /* the cell that was asked for last: its tile, and the first of the tile's cells around it */
    uint32_t cell;
    scr_nearby_tile *tile;
    int first;
    bool mixed; /* its level holds several size classes */
} scr_nearby;

/* Nothing is remembered of an earlier grid. False when memory is exhausted. */
bool scr_nearby_begin(scr_nearby *nearby, const scr_grid *grid);
void scr_nearby_deinit(scr_nearby *nearby);

/* The cells around a cell of the grid and itself that may hold a second body for the body in row i of that cell: their
 * number. */
int scr_nearby_find(scr_nearby *nearby, uint32_t cell, uint32_t i, uint32_t found[27]);

#endif
