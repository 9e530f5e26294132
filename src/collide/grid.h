/* The hierarchical grid: bodies live in the level of their size, cells of all levels live in one
 * hash table.
 *
 * Level l has cells of edge s_l = s_top / 2^(levels - 1 - l); s_top holds the largest body plus the
 * skin. A body belongs to the finest level whose cell is at least the largest diameter of its size class plus
 * the skin, so that two bodies of one level that may touch are in adjacent cells, and a body meets larger ones
 * in at most 27 cells of each coarser level (Ogarko & Luding 2012). Bodies of one size class are in one level.
 * Where there are not many more cells than bodies each has a place of its own in the table; else only occupied cells
 * are stored, by hash: memory follows the number of bodies, not the volume of the domain.
 * Coordinates along periodic axes count modulo the box. Where its images are shifted (world/box.h) cells lean with it:
 * bodies are entered where they would be if it stood upright, and there are as many cells as their width allows. */
#ifndef SCREE_COLLIDE_GRID_H
#define SCREE_COLLIDE_GRID_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "world/world.h"

#define SCR_GRID_LEVELS     16        /* size ratios up to 2^16 */
#define SCR_GRID_AXIS_CELLS (1 << 20) /* per axis and level */
#define SCR_GRID_NONE       UINT32_MAX
#define SCR_SIZE_CLASSES    64 /* a power of two */

/* The size class of a radius: its power of two, modulo SCR_SIZE_CLASSES. */
static inline int scr_size_class(double radius)
{
    uint64_t bits;
    memcpy(&bits, &radius, sizeof bits);
    return (int)(bits >> 52 & (SCR_SIZE_CLASSES - 1));
}

/* Of two bodies, given as radius and row, the first is that of the smaller size class, then that of the lower row:
 * its block owns the pair, and the pair is computed with it first. */
static inline bool scr_is_first(double ri, uint32_t i, double rj, uint32_t j)
{
    uint64_t a, b;
    memcpy(&a, &ri, sizeof a), memcpy(&b, &rj, sizeof b);
    a >>= 52, b >>= 52;
    return a == b ? i < j : a < b;
}

/* The radii of all bodies [m]. */
typedef struct {
    double least, most;
    double largest[SCR_SIZE_CLASSES]; /* of each size class; 0: it is empty */
} scr_radii;
scr_radii scr_radii_of(const double *place, size_t count);
/* Of all bodies of a world, those of other ranks too; `place` are rows of its own. */
scr_radii scr_world_radii(const scr_world *world, const double *place);

typedef struct {
    double edge;       /* least cell edge [m] */
    double reach;      /* largest radius in this level [m] */
    int cells[3];      /* per axis */
    double inverse[3]; /* cells per metre */
    uint32_t bodies;   /* in this level */
    bool mixed;        /* bodies of several size classes are in it */
    uint64_t first;    /* where its cells are in a table of all cells */
} scr_level;

typedef struct {
    vec3 origin;
    bool periodic[3];
    bool leans;        /* images are shifted: */
    double slope[3];   /* xy/Ly, xz/Lz, yz/Lz, */
    double stretch[3]; /* how much further a distance reaches along each axis, upright */
    double skin;
    int level_count;
    scr_level levels[SCR_GRID_LEVELS];
    int class_level[SCR_SIZE_CLASSES]; /* the level of each size class */

    /* buffers */
    uint32_t *table; /* table_mask + 1 cells by hash of their key, with open addressing; or all there are */
    bool dense;      /* all */
    uint64_t table_mask;
    uint64_t *cell_key; /* level and coordinates of each body's cell */
    uint32_t *start;    /* of each cell in members; a row that names no cell has none */
    uint32_t *members;  /* bodies by cell, within a cell in memory order */
    uint32_t *cell;     /* of each body. A cell's number is the row of its last body, so that a search knows at once
                       whether somebody in it comes after a row */
} scr_grid;

void scr_grid_deinit(scr_grid *grid);

/* Levels from the radii of the bodies, for this domain and skin. */
void scr_grid_layout(scr_grid *grid, const scr_domain *domain, const scr_radii *radii, double skin);

/* Room for `count` bodies in `members`, `cell` and `cell_key`; what they hold is lost. False when memory is exhausted.
 */
bool scr_grid_reserve(scr_grid *grid, size_t count);

/* Puts `count` bodies (rows x, y, z, radius) into cells. False when memory is exhausted. */
bool scr_grid_build(scr_grid *grid, const double *place, size_t count);

/* A row of a body as it is in a box that stands upright; `row` is room for it. */
static inline const double *scr_grid_upright(const scr_grid *grid, const double *place, double row[4])
{
    const double *s = grid->slope;
    double z = place[2] - grid->origin.z, y = place[1] - s[2] * z;
    row[2] = place[2], row[3] = place[3];
    row[1] = y;
    row[0] = place[0] - s[1] * z - s[0] * (y - grid->origin.y);
    return row;
}

/* The level a radius belongs to. */
static inline int scr_grid_level(const scr_grid *grid, double radius)
{
    return grid->class_level[scr_size_class(radius)];
}

static inline uint64_t scr_grid_key(int level, int x, int y, int z)
{
    return (uint64_t)level << 60 | (uint64_t)z << 40 | (uint64_t)y << 20 | (uint64_t)x;
}

static inline int scr_grid_coordinate(const scr_grid *grid, const scr_level *level, double x, int axis)
{
    const double origin[3] = {grid->origin.x, grid->origin.y, grid->origin.z};
    double c = (x - origin[axis]) * level->inverse[axis];
    int last = level->cells[axis] - 1, cells = last + 1;
    if (grid->periodic[axis] && !(c >= 0 && c < cells)) c -= cells * floor(c / cells);
    return !(c >= 0) ? 0 : c >= last ? last : (int)c; // not a number goes to the first cell
}

/* Key of a body's cell, and its level. */
static inline uint64_t scr_grid_body_key(const scr_grid *grid, uint32_t body)
{
    return grid->cell_key[body];
}
static inline int scr_grid_body_level(const scr_grid *grid, uint32_t body)
{
    return (int)(scr_grid_body_key(grid, body) >> 60);
}

static inline uint64_t scr_grid_axis(uint64_t key, int axis)
{
    return key >> (20 * axis) & (SCR_GRID_AXIS_CELLS - 1);
}

/* Slot of a key, or where the search for it starts: cells of one 4 x 4 x 4 tile are near each other in memory. */
static inline uint64_t scr_grid_slot(const scr_grid *grid, uint64_t key)
{
    const scr_level *l = &grid->levels[key >> 60];
    if (grid->dense)
        return l->first + scr_grid_axis(key, 0) +
               (uint64_t)l->cells[0] * (scr_grid_axis(key, 1) + (uint64_t)l->cells[1] * scr_grid_axis(key, 2));
    const uint64_t low = 3ull | 3ull << 20 | 3ull << 40;
    uint64_t local = (key & 3) | (key >> 18 & 12) | (key >> 36 & 48);
    uint64_t tile = (key & ~low) * 0x9e3779b97f4a7c15ull;
    return (tile >> 38 << 6 | local) & grid->table_mask; // the high bits depend on all of the key
}

/* The cell of a key, or SCR_GRID_NONE when it is empty. */
static inline uint32_t scr_grid_find(const scr_grid *grid, uint64_t key)
{
    for (uint64_t s = scr_grid_slot(grid, key);; s = (s + 1) & grid->table_mask) {
        uint32_t cell = grid->table[s];
        if (grid->dense || cell == SCR_GRID_NONE || grid->cell_key[cell] == key) return cell;
    }
}

#endif
