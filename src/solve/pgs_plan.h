/* The plan of a solution: which rows are solved when, by which thread; and scratch.
 *
 * Rows are taken in chunks of consecutive ones. Contacts within a chunk are coloured by themselves: a chunk's rows stay
 * in the cache while its colours are worked off one after the other, and chunks do not touch each other, so that
 * threads take whole ones. Contacts between two chunks form a last part, in which threads divide each colour. Where
 * rows are few there are no chunks, and everything is in the last part.
 *
 * Each contact is at home in the chunk of its row a; it is away in that of row b, if this is another one. Chunks depend
 * on the number of rows alone, and so bits do not depend on the threads. */
#ifndef SCREE_SOLVE_PGS_PLAN_H
#define SCREE_SOLVE_PGS_PLAN_H

#include "solve/pgs_loops.h"

#define PGS_COLOURS 64

/* Slots of one colour of a part. Contacts that carried nothing when they were given come last, so that blocks of those
 * that stay open are found together. */
typedef struct {
    uint32_t first[PGS_KINDS], count[PGS_KINDS], open[PGS_KINDS];
} pgs_colour;

struct scr_pgs {
    size_t chunks, chunk_rows; /* the last part, between chunks, is number `chunks` */
    int shift;                 /* a chunk has 1 << shift rows */
    size_t homes;              /* chunks, but at least one */
    size_t contacts;           /* as prepared */
    bool some_carry;           /* of them; else blocks that stay open are not worth looking for */
    size_t slots[PGS_KINDS], serial[PGS_KINDS];
    int most_colours;
    uint32_t first[PGS_KINDS]; /* the first contact of each kind */
    uint32_t (*ends)[2];       /* rows of each contact */
    uint32_t *slot;
    uint8_t *kind, *colour;
    uint32_t *home, *away;             /* contacts by chunk, in their order, */
    uint32_t *home_first, *away_first; /* from here on; homes + 1 of each */
    uint32_t *counts;                  /* of contacts by part and chunk, while they are listed */
    uint64_t (*used)[2];               /* colours at each row: within its chunk, between chunks */
    pgs_colour (*ranges)[PGS_COLOURS]; /* of each part */
    int *colours;
    scr_pgs_body *start;
    /* what loops know the layout of */
    void *rows, *joints;
    void *blocks[PGS_KINDS], *coefficients[PGS_KINDS];
    void *serial_blocks[PGS_KINDS], *serial_coefficients[PGS_KINDS];
};

/* The loops for this machine, and those for contacts without a colour and joints. */
const pgs_loops *scr_pgs_loops_of(bool precise);
const pgs_loops *scr_pgs_serial_of(bool precise);

/* Room for blocks; false when memory is exhausted. */
bool scr_pgs_reserve_blocks(scr_pgs *pgs, const scr_pgs_problem *problem, const pgs_loops *loops,
                            const pgs_loops *serial);

#endif
