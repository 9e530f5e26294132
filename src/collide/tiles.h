/* A grid that is never rebuilt: bodies enter, move and leave one by one. Each carrier (world/carrier.h) has
 * cells of its own, in its own coordinates, so that bodies which move with it stay where they are.
 *
 * Bodies live in the level of their size. Cells are grouped in tiles of 4 x 4 x 4, which a hash table finds
 * by carrier, level and place; the bodies of a cell are a linked list. Lists are in no particular order: callers
 * sort the result if they need one. */
#ifndef SCREE_COLLIDE_TILES_H
#define SCREE_COLLIDE_TILES_H

#include <stdbool.h>
#include <stdint.h>

#include "world/world.h"

#define SCR_TILE_LEVELS 16
#define SCR_NO_ROW      UINT32_MAX

typedef struct {
    double edge; /* least edge of a cell [m] */
    double inverse[3];
    int32_t count[3]; /* cells of a periodic axis; 0: endless */
    double reach;     /* largest radius of a body that ever lived here [m] */
    size_t bodies;    /* in all carriers */
} scr_tile_level;

typedef struct {
    double lower[3], length[3]; /* of the domain; length 0: not periodic */
    int level_count;
    scr_tile_level levels[SCR_TILE_LEVELS];

    /* buffers */
    uint32_t *table; /* tiles by hash; mask + 1 entries, SCR_NO_ROW: empty */
    uint64_t mask;
    uint64_t *tile_key;
    uint32_t *head; /* 64 per tile: first body of each cell */
    size_t tile_count;

    uint32_t *next, *previous, *cell; /* of each body: links, and its cell (SCR_NO_ROW: nowhere) */
    size_t rows;
} scr_tiles;

void scr_tiles_deinit(scr_tiles *tiles);

/* Empties the grid and lays out levels for bodies of these radii. False when memory is exhausted. */
bool scr_tiles_init(scr_tiles *tiles, const scr_domain *domain, double radius_min, double radius_max);
/* Room for rows up to `count`. */
bool scr_tiles_reserve(scr_tiles *tiles, size_t count);

/* Puts row i, which is nowhere, into a carrier's cells at x (in the carrier's coordinates); false when memory
 * is exhausted. */
bool scr_tiles_enter(scr_tiles *tiles, uint32_t i, int carrier, vec3 x, double radius);
void scr_tiles_leave(scr_tiles *tiles, uint32_t i, double radius);
/* The same for a body that moved within its carrier. */
bool scr_tiles_move(scr_tiles *tiles, uint32_t i, int carrier, vec3 x, double radius);
/* Whether that would change nothing. */
bool scr_tiles_stays(const scr_tiles *tiles, uint32_t i, int carrier, vec3 x, double radius);

/* Each of the first `count` rows, all of which are somewhere, becomes new_row[row]. Scratch: one entry each. */
void scr_tiles_renumber(scr_tiles *tiles, const uint32_t *new_row, size_t count, uint32_t *scratch);

/* Rows of a carrier that may be nearer to x than their radius plus r, into `found`. Returns how many there are: when
 * more than `room`, only so many were written. */
size_t scr_tiles_near(const scr_tiles *tiles, int carrier, vec3 x, double r, uint32_t *found, size_t room);
/* The same of a box around x, of these half lengths. */
size_t scr_tiles_in_box(const scr_tiles *tiles, int carrier, vec3 x, vec3 half, uint32_t *found, size_t room);

/* Rows of a tile and of the cells next to it, of the same carrier and level: SCR_REGION_AXIS cells along each axis, the
 * tile's own being 1 to 4, number (z SCR_REGION_AXIS + y) SCR_REGION_AXIS + x; those of a cell begin at start[cell].
 * Around a short periodic axis a cell can be there twice. Returns how many, as scr_tiles_near. */
#define SCR_REGION_AXIS  6
#define SCR_REGION_CELLS (SCR_REGION_AXIS * SCR_REGION_AXIS * SCR_REGION_AXIS)
size_t scr_tiles_region(const scr_tiles *tiles, uint32_t tile, uint32_t start[SCR_REGION_CELLS + 1], uint32_t *found,
                        size_t room);
/* Carrier of a tile; the middle of its region; whether it is empty. */
int scr_tile_carrier(const scr_tiles *tiles, uint32_t tile);
bool scr_tile_is_empty(const scr_tiles *tiles, uint32_t tile);
vec3 scr_tile_middle(const scr_tiles *tiles, uint32_t tile);
/* Whether there is one level, and regions are less than half of a periodic axis: all that is in them is nearest to
 * their middle by the same image as to each other. */
bool scr_tiles_are_plain(const scr_tiles *tiles);
/* Two rows of one level that are nearer than this are in the same cell or in two that are next to each other. */
double scr_tiles_edge(const scr_tiles *tiles, int level);

#endif
