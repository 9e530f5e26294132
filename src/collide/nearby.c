#include "collide/nearby.h"

#include "base/buffer.h"

#define PLANE   (SCR_NEARBY_EDGE * SCR_NEARBY_EDGE)
#define NO_TILE UINT64_MAX
#define NO_CELL UINT64_MAX /* beyond a side of the domain */

void scr_nearby_deinit(scr_nearby *near)
{
    scr_buffer_free(near->tiles);
    *near = (scr_nearby){0};
}

bool scr_nearby_begin(scr_nearby *near, const scr_grid *grid)
{
    if (!scr_reserve(&near->tiles, SCR_NEARBY_TILES)) return false;
    for (int k = 0; k < SCR_NEARBY_TILES; k++) near->tiles[k].key = NO_TILE;
    near->grid = grid;
    near->cell = SCR_GRID_NONE;
    return true;
}

static int coordinate(uint64_t key, int axis)
{
    return (int)(key >> (20 * axis) & (SCR_GRID_AXIS_CELLS - 1));
}

// a tile whose cells have not been looked up yet
static void begin_tile(scr_nearby_tile *tile, const scr_grid *g, uint64_t key)
{
    const scr_level *level = &g->levels[key >> 60];
    tile->key = key;
    memset(tile->cells, 0xff, sizeof tile->cells);
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < SCR_NEARBY_EDGE; k++) {
            int c = coordinate(key, d) + k - 1, n = level->cells[d];
            // of one or two cells around a periodic axis each is beside the other already
            if (g->periodic[d] && n > 2) c += c < 0 ? n : c >= n ? -n : 0;
            tile->part[d][k] = c >= 0 && c < n ? (uint64_t)c << (20 * d) : NO_CELL;
        }
}

// from now on the cells around this one are wanted
static void enter(scr_nearby *near, uint32_t cell)
{
    const uint64_t low = 3ull | 3ull << 20 | 3ull << 40;
    uint64_t key = near->grid->cell_key[cell], place = (key >> 2 & 3) | (key >> 20 & 12) | (key >> 38 & 48);
    scr_nearby_tile *tile = &near->tiles[(place ^ 21 * (key >> 60)) % SCR_NEARBY_TILES];
    if (tile->key != (key & ~low)) begin_tile(tile, near->grid, key & ~low);
    near->cell = cell;
    near->tile = tile;
    near->first = (int)((key & 3) + SCR_NEARBY_EDGE * ((key >> 20 & 3) + SCR_NEARBY_EDGE * (key >> 40 & 3)));
    near->mixed = near->grid->levels[key >> 60].mixed;
}

static scr_nearby_cell cell_of(const scr_nearby *near, int at)
{
    const scr_grid *g = near->grid;
    const uint64_t(*part)[SCR_NEARBY_EDGE] = near->tile->part;
    uint64_t key =
        part[0][at % SCR_NEARBY_EDGE] | part[1][at / SCR_NEARBY_EDGE % SCR_NEARBY_EDGE] | part[2][at / PLANE];
    uint32_t cell = key == NO_CELL ? SCR_GRID_NONE : scr_grid_find(g, key | near->tile->key >> 60 << 60);
    if (cell == SCR_GRID_NONE) return (scr_nearby_cell){cell, 0};
    return (scr_nearby_cell){cell, near->mixed ? UINT32_MAX : cell};
}

int scr_nearby_find(scr_nearby *near, uint32_t cell, uint32_t i, uint32_t found[27])
{
    if (cell != near->cell) enter(near, cell);
    scr_nearby_cell *cells = near->tile->cells + near->first;
    int some[27], candidates = 0, count = 0;
    // which they are cannot be foreseen: no branches
    for (int z = 0; z < 3 * PLANE; z += PLANE)
        for (int y = z; y < z + 3 * SCR_NEARBY_EDGE; y += SCR_NEARBY_EDGE)
            for (int x = y; x < y + 3; x++) {
                some[candidates] = x;
                candidates += cells[x].last > i;
            }
    for (int k = 0; k < candidates; k++) {
        scr_nearby_cell *c = &cells[some[k]];
        if (c->cell == SCR_GRID_NONE) *c = cell_of(near, near->first + some[k]);
        found[count] = c->cell;
        count += c->last > i;
    }
    return count;
}
