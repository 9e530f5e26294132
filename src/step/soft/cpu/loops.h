/* The inner loops of the soft stepper, one block of bodies at a time. Built from one text
 * (loops_text.h) for several instruction sets; all give the same bits and the machine chooses at
 * start. */
#ifndef SCREE_STEP_SOFT_CPU_LOOPS_H
#define SCREE_STEP_SOFT_CPU_LOOPS_H

#include "collide/pairs.h"
#include "math/exact.h"
#include "step/soft/sums.h"
#include "world/world.h"

/* Where bodies are beside where the list expects them. A body `near` the end of its slack may leave it within
 * SOFT_AHEAD - 1 steps. The others stay within it so long, unless one is `jolted`: gets another velocity than such a
 * step allows. */
typedef enum { SOFT_STALE = 1, SOFT_NEAR = 2, SOFT_JOLTED = 4 } soft_stray;
#define SOFT_AHEAD 6

typedef struct {
    scr_world *world;
    scr_pairs *pairs;
    double dt;      /* since the last force evaluation; 0 when the run opens */
    double opening; /* a quarter of dt in the very first step, else 0 (kernel/contact.h) */
    scr_images images;
    int kind; /* contact_kind of kernel/contact.h that serves all laws */
    bool improved, lammps, ledger;
    bool held;                /* some pairs may be of two bodies that nothing can push */
    bool spent;               /* count what each contact dissipates */
    bool record;              /* keep the forces of this evaluation for observers */
    bool calm;                /* turn looks for bodies that are jolted only */
    soft_sums *sums;          /* one per block */
    const uint32_t *movers;   /* rows of bodies that are not frozen, of each block from its first row on; NULL: all */
    const size_t *movers_end; /* where those of each block end */
    double *wall_loads;       /* SOFT_WALL_SUMS per wall and block: of the block's bodies on the walls */
    scr_exact *wall_exact; /* 3 per wall and block: the force on walls with a servo, which moves them; NULL: none has */
    const scr_exact *wall_push; /* SOFT_WALL_SUMS per wall, from elsewhere; NULL: none */
} soft_task;

typedef struct {
    /* contact forces and torques of the block's pairs into rows and halo slots */
    void (*forces)(const soft_task *task, size_t block);
    /* adds the halo slots of the block's bodies to their rows */
    void (*collect)(const soft_task *task, size_t block);
    /* v += dt/2 a, w += dt/2 alpha */
    void (*kick)(const soft_task *task, size_t block);
    /* kick, x += dt v; the soft_stray of the bodies */
    unsigned (*begin)(const soft_task *task, size_t block);
    /* kick of this step and begin of the next, in one pass */
    unsigned (*turn)(const soft_task *task, size_t block);
    /* the soft_stray of the bodies where they are at the end of the step that has begun */
    unsigned (*watch)(const soft_task *task, size_t block);
} soft_loops;

extern const soft_loops scr_soft_loops_portable, scr_soft_loops_avx2, scr_soft_loops_avx512;

#endif
