/* What the soft stepper keeps on a GPU, and how it gets there and back. */
#ifndef SCREE_STEP_SOFT_CUDA_STATE_H
#define SCREE_STEP_SOFT_CUDA_STATE_H

#include "exec/cuda/device.h"
#include "step/soft/cpu/phases.h"
#include "step/soft/cpu/walls.h"
#include "step/soft/cuda/others.h"
#include "step/soft/cuda/pack.h"
#include "step/soft/ops.h"

/* Parts of the world beside soft_parts. */
enum {
    SOFT_PAIRS = 8,          /* histories, of the list in step->pairs */
    SOFT_LOSSES_SO_FAR = 16, /* what was lost, into the ledger */
    SOFT_RECORDS = 32        /* forces of contacts */
};

typedef struct {
    scr_device *device;
    soft_work cpu;  /* the list, and phases where the GPU has none */
    soft_pack pack; /* the list as tiles have it */
    soft_tile tile; /* what the next kernel is given */
    soft_others others;
    uint32_t places; /* of sums */
    /* arrays of the device; those of bodies before and after a step */
    double *place[2], *motion[2], *spin[2], *load, *mass;
    int32_t *spot[2], *anchor;
    float *drift;
    int now; /* which of the two is current */
    uint32_t *word, *tile_row, *sum_start, *heavy_row, *heavy_start;
    uint16_t *tag, *law, *sum;
    double *history, *wide, *record, *spill, *lost, *stored;
    scr_law *laws;
    soft_control *control;
    size_t capacity[40];
    uint32_t most; /* contacts of a tile, so far */
    int batch;     /* steps that are launched at once */
    double next_opening;
    unsigned current; /* parts that the world has */
    soft_control told;
    scr_clock *saved; /* before each step of a batch */
    scr_wall *saved_walls;
} soft_cuda;

/* These parts into the world, or from there. */
scree_status scr_soft_cuda_fetch(scr_step *step, soft_cuda *state, unsigned parts, scree_report *report);
scree_status scr_soft_cuda_push(scr_step *step, soft_cuda *state, unsigned parts, scree_report *report);
/* Room for the forces of contacts, where they are wanted. */
bool scr_soft_cuda_reserve_record(scr_step *step, soft_cuda *state, scree_report *report);
void scr_soft_cuda_free(soft_cuda *state);

/* The two copies of bodies change their roles: those that were written are current; and the tile is given them. */
void scr_soft_cuda_turn(soft_cuda *state);
void scr_soft_cuda_aim(soft_cuda *state);
/* Contacts that a block's own memory shall hold, when a tile had so many. */
uint32_t scr_soft_cuda_room(soft_cuda *state, uint32_t most);
/* Some overlap was too deep; `unfinished`: bodies have moved on. */
scree_status scr_soft_cuda_deep(scr_step *step, bool unfinished, scree_report *report);

#endif
