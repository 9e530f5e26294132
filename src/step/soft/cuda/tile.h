/* One step on a device: what its kernels are given.
 *
 * Rows of bodies are taken in tiles of at most SOFT_TILE, which lie within blocks (world/blocks.h). A tile computes the
 * pairs that some row of it takes part in: those within the tile once, those that leave it here and in the other tile,
 * each with a history of its own. Both find the same numbers, for a pair is computed with its first body first. Then
 * each row adds up its share, in the order of scr_pairs: pairs that its own block owns, walls, one part sum for each
 * other block, bonds. So nothing is sent from tile to tile, and a body's sum is that of a CPU.
 *
 * Rows with more than SOFT_HEAVY partners are not part of their tile's sums: each has a block of threads to itself
 * (heavy.cu), and a list of its own, in the order of its sum. */
#ifndef SCREE_STEP_SOFT_CUDA_TILE_H
#define SCREE_STEP_SOFT_CUDA_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/law/state.h"

#define SOFT_TILE        128
#define SOFT_HEAVY       64
#define SOFT_AHEAD_WORDS 6 /* words of a thread that are on their way at once */

/* A word of the list: the partner's row, whether they touched at the last evaluation, whether the row itself is the
 * pair's second. */
#define SOFT_ROW    0x3fffffffu
#define SOFT_TOUCH  0x40000000u
#define SOFT_SECOND 0x80000000u
#define SOFT_NOBODY SOFT_ROW

/* A tag: the row within the tile; for rows of their own: whether a part sum begins. */
#define SOFT_TAG_ROW    0x007fu
#define SOFT_TAG_BEGINS 0x0100u
/* A term of a row's sum: which word of the tile, whether a part sum begins, whether the row is the pair's second. */
#define SOFT_SUM_WORD   0x1fffu
#define SOFT_SUM_BEGINS 0x2000u
#define SOFT_SUM_SECOND 0x4000u
/* Where a row's terms begin: it has none, for it has a list of its own. */
#define SOFT_SUM_ELSEWHERE 0x80000000u

/* Numbers that kernels add up, each tile, warp or block in a place of its own: what was lost since somebody looked, and
 * what is there now. The first of both are those of contacts. */
enum {
#define F(loss, NAME) SOFT_LOST_##NAME,
    CONTACT_LOSSES(F, F)
#undef F
        SOFT_PAIR_LOSSES,
    SOFT_LOST_APPEARED = SOFT_PAIR_LOSSES, /* brought by walls that have come: a gain */
    SOFT_LOST_BROKEN,
    SOFT_LOST_GROUPS, /* work of groups that move as prescribed: a gain */
    SOFT_LOST_LOADS,  /* of gravity that changes: a gain */
    SOFT_LOSSES
};
/* How many of them contacts of every kind have: the first. */
#define F(loss, NAME) +1
#define G(loss, NAME)
enum { SOFT_USUAL_LOSSES = CONTACT_LOSSES(F, G) };
#undef F
#undef G
enum {
    SOFT_STORED_NORMAL,
    SOFT_STORED_TANGENTIAL,
    SOFT_STORED_EXCESS,
    SOFT_STORED_ROLLING,
    SOFT_STORED_EXCESS_ROLLING,
    SOFT_STORED_CONTACTS, /* that touch */
    SOFT_PAIR_STORED,
    SOFT_STORED_BOND = SOFT_PAIR_STORED,
    SOFT_STORED
};

/* Some body is to leave, or astray; the list is too old. */
enum { SOFT_IS_OUT = 1, SOFT_IS_OLD = 2 };

/* What kernels tell the host. Those of a later number than `stop` have done nothing. */
typedef struct {
    int stop;                     /* the list is too old for the kernels after this one */
    int deep;                     /* in this one some overlap was beyond the smaller radius */
    unsigned most;                /* contacts of a tile */
    unsigned watched;             /* what ended a batch where bodies are watched: SOFT_IS_OUT, SOFT_IS_OLD */
    unsigned long long worst;     /* bits of the largest overlap over the smaller radius, of the last evaluation */
    unsigned long long broken[2]; /* bonds, by tension and by shear */
} soft_control;

typedef struct {
    uint32_t bodies, tiles;
    const uint32_t *tile_row; /* first row of each, and the end; NULL: all are full but the last */
    /* rows of bodies before and after */
    const double *place, *motion, *spin;
    double *place_to, *motion_to, *spin_to;
    const int32_t *spot; /* 4 per row: place in units of 2^-32 of the domain, modulo that, and the radius as float */
    int32_t *spot_to;
    const int32_t *anchor; /* 4 per row: spot when the list was built, and the x of the drift as float */
    const float *drift;    /* 2 per row: y and z of the drift */
    double *load;          /* 8 per row */
    const double *mass;
    /* the list: `stride` words per tile */
    uint32_t stride, room; /* room: contacts of a tile that the block's own memory holds */
    uint32_t *word;
    const uint16_t *tag, *law; /* law: NULL where there is one */
    double *history, *wide;    /* 4 and 8 per word; wide NULL: none */
    double *record;            /* 8 per word; NULL: not wanted */
    const uint32_t *row_sums;  /* of each row: where its terms begin in the tile, and how many (the low 8 bits) */
    uint32_t sum_stride;       /* terms per tile */
    const uint16_t *sum;
    double *spill; /* results of contacts beyond the room */
    /* rows with a list of their own */
    uint32_t heavy_count, heavy_from; /* heavy_from: its words begin there in the arrays of words */
    const uint32_t *heavy_row, *heavy_start;
    /* loads of walls and bonds, to be added; NULL: there are none */
    const uint32_t *wall_of;    /* 1 + number of the row among those near walls, or 0 */
    const uint32_t *wall_start; /* places in wall_load */
    const uint32_t *wall_count;
    const double *wall_load; /* 6 each */
    const uint32_t *bond_start, *bond_entry;
    const double *bond_load; /* 12 per bond */
    /* laws */
    const scr_law *laws;
    scr_law one;
    contact_sizes sizes; /* of the usual pair */
    int kind, improved, lammps, held, spent;
    /* space */
    double length[3], inverse[3]; /* of periodic axes */
    double scale[3];              /* of spots */
    float unit[3], margin;
    /* time */
    double dt, opening; /* as in soft_task */
    double step;        /* that bodies move by */
    double gravity[3];
    /* groups that move as prescribed, and gravity that changes: what is needed for both, where `works` */
    int works;
    const struct scr_drive_step *drive; /* of each group, over the step that begins; NULL: none */
    const uint8_t *driven;              /* of each group */
    const int32_t *group, *image;       /* of rows */
    double size[3], change[3];          /* of the domain; of gravity, which is booked at the present places */
    float age, slack2;                  /* of the list at the end of the drift */
    int watch;                          /* who is to leave at the end of the drift, or is astray then, ends the batch */
    double lower[3], upper[3];
    bool periodic[3];
    int kicks;  /* 0: none, 1: to the end of the step, 2: and on to the next place */
    int look;   /* energies, and forces of contacts where they are wanted */
    int node;   /* number of this kernel */
    bool early; /* its blocks may be there before the kernel before it has ended */
    soft_control *control;
    double *lost, *stored; /* SOFT_LOSSES and SOFT_STORED per tile, then per row with a list of its own */
} soft_tile;

#ifdef __cplusplus
extern "C" {
#endif

/* Half a kick, with the loads that are there, and a drift, in place. */
void scr_soft_tile_begin(void *stream, const soft_tile *tile);
/* Forces at the present places, then as `kicks` says. */
void scr_soft_tile_forces(void *stream, const soft_tile *tile);
/* Spots of the present places; as anchors, too. */
void scr_soft_tile_spots(void *stream, const soft_tile *tile, int32_t *anchor, float *drift);
/* Bytes of a block's own memory for so much room; the most that the kernels can have, and whether one may be launched
 * before the one before it has ended. */
size_t scr_soft_tile_shared(int kind, uint32_t stride, uint32_t room);
bool scr_soft_tile_prepare(size_t most, bool *early);
/* The same as scr_soft_tile_forces for rows with a list of their own; after it, for it writes over their rows. */
void scr_soft_heavy_forces(void *stream, const soft_tile *tile);

#ifdef __cplusplus
}
#endif

#endif
