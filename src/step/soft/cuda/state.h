/* What the soft stepper keeps on a GPU, and how it gets there and back. */
#ifndef SCREE_STEP_SOFT_CUDA_STATE_H
#define SCREE_STEP_SOFT_CUDA_STATE_H

#include "exec/cuda/device.h"
#include "step/soft/cpu/phases.h"
#include "step/soft/cpu/walls.h"
#include "step/soft/cuda/flows.h"
#include "step/soft/cuda/others.h"
#include "step/soft/cuda/pack.h"
#include "step/soft/cuda/sort.h"
#include "step/soft/cuda/totals.h"
#include "step/soft/ops.h"

/* Parts of the world beside soft_parts. */
enum {
    SOFT_PAIRS = 8,          /* histories, of the list in step->pairs */
    SOFT_LOSSES_SO_FAR = 16, /* what was lost, into the ledger */
    SOFT_RECORDS = 32        /* forces of contacts */
};

typedef struct {
    scr_device *device;
    size_t free;    /* memory that it had at first [bytes] */
    soft_work cpu;  /* the list, and phases where the GPU has none */
    soft_pack pack; /* the list as tiles have it */
    soft_tile tile; /* what the next kernel is given */
    soft_others others;
    uint32_t places; /* of sums */
    /* arrays of the device; those of bodies before and after a step */
    double *place[2], *motion[2], *spin[2], *load, *mass;
    int32_t *spot[2], *anchor;
    float *drift;
    int now;             /* which of the two is current */
    soft_words words[2]; /* the list, and the one before while it is made */
    int which;
    size_t heavy_words[2]; /* of rows with lists of their own, in both */
    uint32_t *tile_row, *tile_of, *tile_block, *tile_block_end;
    double *record, *lost, *stored;
    double *sums;  /* of runs, on their way to the host */
    double *spill; /* of steps; lists are found in it, and keys sorted */
    /* of lists that are made on the device */
    uint32_t *cell_start, *cell_sum, *cell, *rank, *member, *count, *tile_words, *given, *heavy_at, *heavy_from;
    unsigned long long *heavy_key;
    int32_t *group, *material;
    uint8_t *meet;
    soft_list_told *told_list;
    bool own_list;          /* it can make them */
    bool own_anchors;       /* the present one is its own, and the world does not know its anchors */
    double listed, horizon; /* as in scr_clock, of the present list */
    double least, largest;  /* radii [m] */
    /* groups that move as prescribed, gravity that changes */
    bool drives, pulls;
    struct scr_drive_step *drive, *drive_at; /* of each group and step of a batch, on the device and here */
    uint8_t *driven;
    vec3 gravity_before; /* at the end of the step before */
    /* of sorts on the device */
    struct soft_sort_told *told_sort;
    soft_outlet *outlet;
    int64_t *id;
    int32_t *image;
    uint32_t *home, *order[2], *digit_start, *digit_sum;
    bool permuted, wrapped; /* rows have another order than in the world; places are brought back into the domain */
    /* planes that grains pass, and those that have passed */
    soft_flows flows;
    int32_t *side; /* as in scr_bodies */
    soft_passage *passages;
    uint32_t *passage_count;
    /* contacts that touch, one after the other */
    uint32_t *collected, *collected_rows;
    double *collected_history, *collected_wide, *collected_record;
    scr_law *laws;
    soft_control *control;
    size_t capacity[100];
    uint32_t most; /* contacts of a tile, so far */
    int batch;     /* steps that are launched at once */
    double next_opening;
    unsigned current;             /* parts that the world has */
    double motions[SOFT_MOTIONS]; /* energies of all bodies, where `summed` */
    bool summed;
    bool early; /* as in soft_tile */
    soft_control told;
    scr_clock *saved; /* before each step of a batch */
    scr_wall *saved_walls;
} soft_cuda;

/* These parts into the world, or from there. */
scree_status scr_soft_cuda_fetch(scr_step *step, soft_cuda *state, unsigned parts, scree_report *report);
scree_status scr_soft_cuda_push(scr_step *step, soft_cuda *state, unsigned parts, scree_report *report);
/* Energies of all bodies, added up on the device. */
scree_status scr_soft_cuda_sum_up(scr_step *step, soft_cuda *state, double sums[SOFT_MOTIONS], scree_report *report);
/* Room for the forces of contacts, where they are wanted. */
bool scr_soft_cuda_reserve_record(scr_step *step, soft_cuda *state, scree_report *report);
void scr_soft_cuda_free(soft_cuda *state);

/* Whether a body is about to leave, or is astray: SOFT_LEAVING, SOFT_ASTRAY. */
scree_status scr_soft_cuda_look(scr_step *step, soft_cuda *state, unsigned *leaving, scree_report *report);
/* Bodies into the domain and into order, and a list, on the device; *sorted false: it cannot, and the CPU shall. */
scree_status scr_soft_cuda_sort(scr_step *step, soft_cuda *state, bool *sorted, scree_report *report);
/* The world's tables follow; false: memory. */
bool scr_soft_cuda_follow(scr_step *step, soft_cuda *state);
bool scr_soft_cuda_push_order(scr_step *step, soft_cuda *state);
/* A list for bodies where they are now, made on the device, where `order` are their rows before (NULL: the same); *made
 * false: it cannot, and nothing was changed. */
scree_status scr_soft_cuda_relist(scr_step *step, soft_cuda *state, const uint32_t *order, bool *made,
                                  scree_report *report);
/* Places, velocities, spins and loads of the world, which has changed them. */
void scr_soft_cuda_push_bodies(scr_step *step, soft_cuda *state);
bool scr_soft_cuda_reserve_words(soft_cuda *state, int number, size_t words, size_t sums, bool law, bool wide);
bool scr_soft_cuda_reserve_heavies(soft_cuda *state, int number, size_t heavies);
/* Places for sums, all zero. */
bool scr_soft_cuda_push_sums(soft_cuda *state);
/* Planes that grains pass: all of it when the world was pushed; sides alone, to the device and back; who passes where
 * grains are in this kernel of a batch; and who has, at its end. False: memory. */
bool scr_soft_cuda_push_flows(scr_step *step, soft_cuda *state);
void scr_soft_cuda_push_sides(scr_step *step, soft_cuda *state);
void scr_soft_cuda_fetch_sides(scr_step *step, soft_cuda *state);
void scr_soft_cuda_pass(soft_cuda *state, int node);
bool scr_soft_cuda_book_passages(scr_step *step, soft_cuda *state);
/* Arrays for such lists, when the world was pushed. */
bool scr_soft_cuda_push_grid(scr_step *step, soft_cuda *state);
/* The tile is given the present words. */
bool scr_soft_cuda_use_words(soft_cuda *state);

/* The two copies of bodies change their roles: those that were written are current; and the tile is given them. */
void scr_soft_cuda_turn(soft_cuda *state);
void scr_soft_cuda_aim(soft_cuda *state);
/* Contacts that a block's own memory shall hold, when a tile had so many. */
uint32_t scr_soft_cuda_room(soft_cuda *state, uint32_t most);
/* Some overlap was too deep; `unfinished`: bodies have moved on. */
scree_status scr_soft_cuda_deep(scr_step *step, bool unfinished, scree_report *report);

#endif
