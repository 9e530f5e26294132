/* Bonds in a step: first the forces of all bonds, in fixed chunks of them, each into a place of its
 * own; then each body collects from its bonds in their order. No two threads write to one place and
 * every sum has one order. */
#ifndef SCREE_STEP_SOFT_CPU_BONDS_H
#define SCREE_STEP_SOFT_CPU_BONDS_H

#include "step/soft/cpu/loops.h"

/* Bonds that broke. */
typedef struct {
    int64_t pulled, sheared;
} soft_bond_counts;

typedef struct {
    /* buffers */
    double *load; /* 12 per bond: force on the first, torque on both, torque on the first alone, soft_bond_sums */
    uint32_t *start, *entry;  /* bonds of each body: 2 * bond, + 1 where it is the second */
    soft_bond_counts *counts; /* one per chunk */
    soft_bond_sums *sums;     /* one per block */
} soft_bonds;

/* Which bonds each body has; to be called when bodies have changed rows. */
scree_status scr_soft_bonds_index(soft_bonds *bonds, const scr_world *world, scree_report *report);
void scr_soft_bonds_deinit(soft_bonds *bonds);

/* Forces of all bonds where their bodies are now; histories and counts follow. */
void scr_soft_bonds_forces(soft_bonds *bonds, const soft_task *task);
/* Adds them to the bodies of a block. */
void scr_soft_bonds_collect(soft_bonds *bonds, const soft_task *task, size_t block);
/* The blocks' sums into the ledger. */
void scr_soft_bonds_add_up(const soft_bonds *bonds, soft_task *task);

#endif
