/* The neighbour list of tiles, made on the device: cells, near pairs of each row in the order of its sum, words with
 * their histories from the list before. As collide/pairs.c, whose order and whose rule of what is near it
 * has; rows stay as they are. */
#ifndef SCREE_STEP_SOFT_CUDA_LIST_H
#define SCREE_STEP_SOFT_CUDA_LIST_H

#include "step/soft/cuda/tile.h"

/* What kernels tell the host. */
typedef struct {
    unsigned long long low[3], high[3]; /* of velocities, in the order of whole numbers */
    unsigned long long far2;            /* bits of the square of the largest, from a middle */
    unsigned lost;                      /* some place is not a number */
    unsigned crowded;                   /* some row has more than SOFT_HEAVY partners */
    unsigned words, sums;               /* of the tile with most of them */
} soft_list_told;

/* Instead of the number of a row's words: it has a list of its own, the number before. */
#define SOFT_WORDS_ELSEWHERE 255

/* Words of a list, and where those of each row are. */
typedef struct {
    uint32_t stride, sum_stride;
    uint32_t *word, *row_words, *row_sums; /* of a row: where they begin in the tile, and how many (the low 8 bits) */
    uint16_t *tag, *law, *sum;
    double *history, *wide;
    uint32_t heavies, *heavy_row, *heavy_start; /* as in soft_tile */
} soft_words;

/* Cells of bodies whose radii are within a factor of two, or of all. */
#define SOFT_LEVELS 8
typedef struct {
    int cells[3];
    double per[3];  /* cells per metre */
    uint32_t first; /* of its cells, among those of all levels */
} soft_level;

typedef struct soft_list {
    uint32_t bodies, tiles;
    const uint32_t *tile_row, *tile_of;          /* NULL: all tiles are full but the last */
    const uint32_t *tile_block, *tile_block_end; /* rows of the block that each tile is part of */
    const double *place, *motion;
    const int32_t *spot;
    int32_t *anchor;
    float *drift;
    const int32_t *group, *material;
    const uint8_t *meet; /* of each two groups: bit 0: they act on each other, bit 1: though nothing can push them */
    int groups, materials;
    double length[3], inverse[3]; /* of periodic axes */
    double lower[3];
    bool periodic[3], halted; /* bodies are expected to rest */
    int levels, exponent;     /* exponent: of the radii of the first level */
    soft_level level[SOFT_LEVELS];
    uint32_t cells; /* of all levels */
    double reach, far, horizon;
    double largest, drift_most;      /* radius, and speed */
    float unit[3], screen;           /* of spots; `far` and what is rounded */
    uint32_t *cell_start, *cell_sum; /* cells + 1; sums of runs of cells */
    uint32_t *cell, *rank, *member;  /* of each row; rows by cell */
    int32_t *cell_spot;              /* spots by cell */
    uint32_t *found, *count; /* SOFT_HEAVY partners per row, one after the other for all rows; how many, and words */
    uint32_t *tile_words;
    soft_words from, to;
    const uint32_t *order; /* rows that those of now had in the list before; NULL: the same. All tiles were full then */
    bool had_heavies;      /* the list before had rows with lists of their own */
    /* rows that have partners of smaller levels, or more than SOFT_HEAVY: NULL where there are none */
    uint32_t *given;                 /* partners that smaller ones have found */
    uint32_t *heavy_at, *heavy_from; /* how many rows of that kind are before each, and how many words they have */
    unsigned long long *heavy_key;
    soft_list_told *told;
} soft_list;

/* Contacts that touch, one after the other: rows of both bodies, histories, forces. */
typedef struct {
    uint32_t room, *number, *rows;
    double *history, *wide, *record;
} soft_collection;

#ifdef __cplusplus
extern "C" {
#endif

/* One after the other: the box of velocities, and the largest from its middle; cells and near pairs; how many words
 * tiles have; words of tiles. */
void scr_soft_list_speeds(void *stream, const soft_list *list);
void scr_soft_list_find(void *stream, const soft_list *list);
void scr_soft_list_tiles(void *stream, const soft_list *list);
void scr_soft_list_fill(void *stream, const soft_list *list);
/* Each number becomes the sum of those before it, and the one after the last that of all; `sums` is scratch. */
void scr_soft_list_starts(void *stream, uint32_t *values, uint32_t count, uint32_t *sums);
/* Where sizes are of several levels or some row has many partners (many.cu), between pairs and tiles: which rows have a
 * list of their own; then all partners, in their order; and after the words of tiles theirs. */
void scr_soft_many_rows(void *stream, const soft_list *list);
void scr_soft_many_find(void *stream, const soft_list *list);
void scr_soft_many_fill(void *stream, const soft_list *list);
/* Of all words of a list, so many; `number` counts those beyond the room too. */
void scr_soft_list_collect(void *stream, const soft_tile *tile, const soft_collection *to, size_t words);
/* A double as told. */
double scr_soft_list_value(unsigned long long told);

#ifdef __cplusplus
}
#endif

#endif
