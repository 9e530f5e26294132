/* Blocks of bodies: runs of rows that are worked off together, at most SCR_BLOCK of them, cut anew when bodies are
 * sorted. A body that leaves makes its block shorter, bodies that come make new blocks at the end: so who shares a
 * block with whom, and with it the order of all sums, changes at a sort only.
 *
 * The rule: a sum over bodies whose order shows in its bits, and that steps of a world take which ranks or a GPU may
 * divide, is taken block by block, then in the order of blocks; row / SCR_BLOCK is nobody's block. So step/soft loops
 * over blocks. Exempt, and why:
 *
 *   - what has no order: smallest, largest, whether any, whole numbers and exact sums (exec/reduce.h cuts rows by their
 *     number, and so may these), and what writes each row by itself (comm, collide, sorting, files);
 *   - energies of all bodies, in runs of SCR_ENERGY_RUN rows: ranks send the runs, and those who own rows of a run that
 *     is cut send row by row (step/soft/ranks.c); a box that deforms, which has one rank (build/box.c);
 *   - observers: of a divided world rank 0 has all rows in the order of one rank, or they are exact sums;
 *   - nonsmooth, variational and equilibrium, whose worlds are not divided: any cut will do that does not depend on
 *     threads (SCR_RUN of solve/minimise.h);
 *   - cells of elastic solids: they have their rows for life, so that row / SCR_BLOCK is the block of one, here and on
 *     every rank.
 *
 * tests/tree_blocks.sh holds it. */
#ifndef SCREE_WORLD_BLOCKS_H
#define SCREE_WORLD_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCR_BLOCK 1024 /* rows of a block, at most */

typedef struct {
    size_t count;
    uint32_t *start; /* a buffer: row of each, and the end of the last: count + 1 */
} scr_blocks;

void scr_blocks_deinit(scr_blocks *blocks);

/* How many rows the blocks hold. */
static inline size_t scr_blocks_rows(const scr_blocks *blocks)
{
    return blocks->count ? blocks->start[blocks->count] : 0;
}
/* The rows of block b: from the first to before the end. */
static inline size_t scr_block_first(const scr_blocks *blocks, size_t b)
{
    return blocks->start[b];
}
static inline size_t scr_block_end(const scr_blocks *blocks, size_t b)
{
    return blocks->start[b + 1];
}

/* Cuts `rows` rows anew; false when memory is exhausted. */
bool scr_blocks_cut(scr_blocks *blocks, size_t rows);
/* The same, with no border in a unit: `joined` tells whether a row is of the unit of the row before (NULL: none is). A
 * block ends before a unit that it cannot hold; one larger than SCR_BLOCK is cut all the same. */
typedef bool scr_blocks_joined(const void *context, size_t row);
bool scr_blocks_cut_units(scr_blocks *blocks, size_t rows, scr_blocks_joined *joined, const void *context);
/* New blocks for the rows beyond the last, as far as `rows`; with fewer rows than there were, all are cut anew. False
 * when memory is exhausted. */
bool scr_blocks_extend(scr_blocks *blocks, size_t rows);
/* Bodies have left, and the others have closed up without changing their order: new_row of each old row, UINT32_MAX for
 * those that left. A block that all have left is gone. */
void scr_blocks_shorten(scr_blocks *blocks, const uint32_t *new_row);

/* The block of a row. */
static inline size_t scr_block_of(const scr_blocks *blocks, uint32_t row)
{
    size_t low = 0, high = blocks->count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (blocks->start[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
