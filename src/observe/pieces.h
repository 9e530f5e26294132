/* What all ranks of a divided world do with their shares for output: frames and checkpoints that are written by
 * several ranks, one for each machine, and quantities that are sums. No rank has all bodies.
 *
 * A frame's bodies go to writers by id, ids divided evenly, contacts by the smaller id; a checkpoint's in the order of
 * rows, which is that of ranks. So the files of a frame or checkpoint, one after the other, have the order of one. */
#ifndef SCREE_OBSERVE_PIECES_H
#define SCREE_OBSERVE_PIECES_H

#include "observe/results.h"
#include "step/stepper.h"

typedef enum {
    SCR_PIECES_FRAME,      /* result: scr_piece of each writer */
    SCR_PIECES_CHECKPOINT, /* likewise */
    SCR_PIECES_DIGEST,     /* result: uint64_t, the share of bodies and their contacts in the digest */
    SCR_PIECES_LOOK,       /* whether all bodies are where they may be; no result */
    SCR_PIECES_FINITE      /* result: bool, all places and velocities are numbers */
} scr_pieces_kind;

#define SCR_PIECES_FIELDS 64

typedef struct {
    scr_pieces_kind kind;
    bool contacts, single, compress; /* of a frame */
    int64_t ids;                     /* those that were given are below */
    int field_count;
    char fields[SCR_PIECES_FIELDS][32]; /* views of bodies that a frame has beside the id */
    char path[4096];                    /* of the file that the pieces belong to */
} scr_pieces_order;

/* An order for a frame with these fields. */
void scr_pieces_order_fields(scr_pieces_order *order, const char *const *fields, int field_count);
/* What it needs of the ranks: scr_rank_needs. */
unsigned scr_pieces_needs(const scr_pieces_order *order);
/* scr_step.rank_work: carries out such an order, on all ranks. `result` is of rank 0. */
scr_rank_work scr_pieces_carry_out;

#endif
