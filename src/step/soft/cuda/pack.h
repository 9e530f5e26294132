/* The list of a CPU as tiles have it (tile.h): which words each tile has, and in what order rows add them up. */
#ifndef SCREE_STEP_SOFT_CUDA_PACK_H
#define SCREE_STEP_SOFT_CUDA_PACK_H

#include "collide/pairs.h"
#include "step/soft/cuda/list.h"

typedef struct {
    uint32_t tiles, stride, sum_stride, heavy_count;
    bool full;                      /* all tiles but the last are full, in the order of rows */
    size_t words, sums;             /* of all tiles, and of rows with lists of their own after them */
    uint32_t *tile_row;             /* tiles + 1 */
    uint32_t *tile_of;              /* of each row */
    uint32_t *row_start, *row_pair; /* pairs of each row, in the order of the list */
    uint32_t *at;                   /* of each pair: where the word of its first body is */
    uint32_t *word;
    uint16_t *tag, *law, *sum;
    double *history, *wide;
    uint32_t *heavy_row, *heavy_start;
    uint32_t *row_words, *row_sums; /* as in soft_words and soft_tile */
    uint32_t *tile_words, *tile_sums;
    size_t capacity[20];
} soft_pack;

/* False when memory is exhausted. */
bool scr_soft_pack_make(soft_pack *pack, const scr_pairs *pairs, const scr_world *world);
void scr_soft_pack_deinit(soft_pack *pack);

#endif
