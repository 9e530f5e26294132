/* The inner loops of the elastic stepper, one block of cells at a time. Built from one text (loops_text.h) for several
 * instruction sets; all give the same bits and the machine chooses at start. */
#ifndef SCREE_STEP_ELASTIC_LOOPS_H
#define SCREE_STEP_ELASTIC_LOOPS_H

#include "step/elastic/plan.h"
#include "world/world.h"

/* What a block adds up. */
typedef struct {
    double links; /* U_t + U_f [J] */
    double cells; /* U_d + U_k [J] */
    double taken; /* by damping [J] */
    int64_t lost; /* first cell whose turn was not found, or -1 */
} elastic_sums;

typedef struct {
    scr_world *world;
    elastic_plan plan;
    double dt;
    elastic_sums *sums; /* one per block */
} elastic_task;

typedef struct {
    /* v += dt/2 a, L += dt/2 M, u += dt v, q turns; without a hitch, or sums.lost says where */
    void (*kick_drift)(const elastic_task *task, size_t block);
    /* sums in the changes of volume, and of curvature, of the block's links into rows and halo slots */
    void (*strains)(const elastic_task *task, size_t block);
    /* forces and torques of the block's links into rows and halo slots; their energy */
    void (*forces)(const elastic_task *task, size_t block);
    /* v += dt/2 a, L += dt/2 M */
    void (*kick)(const elastic_task *task, size_t block);
} elastic_loops;

extern const elastic_loops scr_elastic_loops_portable, scr_elastic_loops_avx2, scr_elastic_loops_avx512;

#endif
