/* What the blocks of bodies of a soft step add up, whoever computes them. */
#ifndef SCREE_STEP_SOFT_SUMS_H
#define SCREE_STEP_SOFT_SUMS_H

#include <stdint.h>

#include "kernel/law/losses.h"

/* What a block's force loop adds up. */
typedef struct {
#define F(loss, NAME) double loss; /* [J] */
    CONTACT_LOSSES(F, F)
#undef F
    double elastic_normal, elastic_tangential, elastic_rolling; /* [J] */
    double excess_damping, excess_rolling;                      /* [J], kernel/contact.h */
    double appeared;                                            /* [J]: brought by walls that have just come */
    double worst;                                               /* largest overlap over the smaller radius */
    uint32_t worst_pair; /* where: pair number, or pair count + wall pair number */
    int64_t contacts;
    unsigned stray; /* where some bodies are beside where the list expects them */
} soft_sums;

#define SOFT_WALL_SUMS 6 /* force and torque about the wall's reference point */

/* Of the bonds whose first body is in a block. */
typedef struct {
    double damping, elastic, broken; /* [J] */
} soft_bond_sums;

/* Those of all blocks, as they are in memory; NULL where there are none. */
typedef struct {
    const soft_sums *of_blocks;
    const double *on_walls; /* SOFT_WALL_SUMS for each wall, block after block */
    const soft_bond_sums *of_bonds;
} soft_books;

#endif
