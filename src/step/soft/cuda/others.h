/* Walls and bonds of the soft stepper on a GPU: their arrays, and their part of each step. */
#ifndef SCREE_STEP_SOFT_CUDA_OTHERS_H
#define SCREE_STEP_SOFT_CUDA_OTHERS_H

#include "exec/cuda/device.h"
#include "step/soft/cpu/phases.h"
#include "step/soft/cuda/bonds.h"
#include "step/soft/cuda/list.h"
#include "step/soft/cuda/servos.h"
#include "step/soft/cuda/walls.h"

#define SOFT_BATCH 32 /* steps that are launched before the host asks */

typedef struct {
    bool any, walls, bonds, servo;
    /* what kernels are given */
    soft_wall_rows wall_rows;
    soft_bond_rows bond_rows;
    scr_world world;         /* with arrays of the device */
    scr_wall_pairs pairs[2]; /* likewise; the present ones, and those before while they are found */
    int which;
    struct pose *anchors;    /* of walls, when the present list was made */
    scr_wall *at;            /* walls in each step of a batch */
    char *stage;             /* worlds and their walls on their way to the device: before a batch, and in its steps */
    soft_wall_plan *plan;    /* of the step that comes next, where `servo` */
    bool planned;            /* it is there */
    unsigned long long *sum; /* of walls, in each step of a batch */
    bool *all;               /* of each step of a batch: the forces on all walls were asked for */
    uint32_t *host;          /* lists on their way to the device */
    size_t host_capacity;
    /* arrays of the device */
    char *stages;
    scr_wall_pairs *device_pairs;
    scr_face *faces;
    double *anchor, *load, *bond_load;
    void *room;
    uint32_t *start[2], *of[2], *count, *many, *found, *bond_start, *bond_entry; /* found: two, and of many */
    uint32_t *cell_start, *cell_fill, *entry, *everywhere; /* faces by cells, and those that all bodies know */
    uint8_t *wanted;                                       /* of walls that move, then of all */
    unsigned long long *exact;
    scr_bond_law *bond_laws;
    size_t capacity[64];
} soft_others;

void scr_soft_others_free(soft_others *others, scr_device *device);
/* Everything about the list that the world has now; `place` is the first for sums, and gets the next. False: memory. */
bool scr_soft_others_push(soft_others *others, scr_device *device, scr_step *step, const soft_work *work,
                          const double *anchor_rows, soft_tile *tile, uint32_t *place, const scr_law *laws);
/* Finds pairs with walls, for a list that reaches so far. False: memory. */
bool scr_soft_others_search(soft_others *others, scr_device *device, scr_step *step, soft_tile *tile, uint32_t place,
                            uint32_t *places, const struct soft_list *list);
/* Places for the sums of bonds, from this one on. */
void scr_soft_others_place_bonds(soft_others *others, uint32_t *place);
/* Histories of contacts with walls, with forces where `records`, and what bonds remember, into the world. */
void scr_soft_others_fetch(soft_others *others, scr_device *device, scr_step *step, bool pairs, bool records);
bool scr_soft_others_reserve_record(soft_others *others, scr_device *device, scr_step *step);

/* A batch begins; loads in one of its steps; so many steps were done, and their forces on walls are fetched; these are
 * booked, step by step. */
void scr_soft_others_begin(soft_others *others, scr_device *device, const scr_world *world);
void scr_soft_others_launch(soft_others *others, scr_device *device, scr_step *step, const soft_tile *tile, int number);
void scr_soft_others_fetch_sums(soft_others *others, scr_device *device, const scr_world *world, int steps);
void scr_soft_others_book(soft_others *others, scr_step *step, int number);
/* The walls are anchored again where the present list has them: a checkpoint anchors them where they are. */
void scr_soft_others_anchor(const soft_others *others, scr_world *world);
/* Where there are servos: as scr_soft_walls_move for other walls; servos are planned only. */
bool scr_soft_others_foresee(soft_others *others, scr_step *step, double before);

#endif
