/* The tangent of elastic solids: how forces and torques on cells change with their motions (u, theta), spatial turns
 * theta, as a sparse symmetric matrix of the motions that no support holds.
 *
 *   K = sum over links of their second derivatives (kernel/link_hessian.h)
 *     + sum over cells of lambda/Vt g g^T, and of Kb/Vk^2 h h^T in shells,                           (1)
 *
 * g and h being the gradients of the sums inside eps and kap: so a cell is joined with its neighbours and with theirs.
 * Loads of constant direction f with a turned arm q add -B(f, q); those that follow add the symmetric half of theirs,
 * and so do torques that keep a cell in balance with a couple: there Newton's method converges, but not
 * quadratically. */
#ifndef SCREE_STEP_EQUILIBRIUM_TANGENT_H
#define SCREE_STEP_EQUILIBRIUM_TANGENT_H

#include "base/arena.h"
#include "kernel/link_hessian.h"
#include "solve/sparse.h"
#include "world/world.h"

typedef struct {
    const scr_world *world;
    size_t size;           /* motions that are free */
    int64_t *number;       /* 6 per cell: which of them, or -1: held */
    uint32_t *first, *of;  /* links that hold, by cell: of[first[k]] to of[first[k + 1] - 1] */
    uint32_t *block_first; /* blocks of each cell's columns: */
    uint32_t *block_cell;  /* the cell of their rows, rising, from the cell itself on */
    int64_t *block_at;     /* 6 per block, by column: place of an entry less its row's number */
    scr_sparse *sparse;
    double *swelling, *bending; /* 12 per link: gradients of (S/2) Du.n and (S/2) Dd.n */
    uint32_t *members;          /* cells that take part in the g or h of one cell, */
    double *gather;             /* and their 6 parts of it */
    scr_arena arena;            /* of all but block_cell, which is a buffer */
} scr_tangent;

/* For the links that hold and the motions that are held now; `memory` as in scr_sparse_create; less than zero: no
 * matrix, only row sums. */
scree_status scr_tangent_create(scr_tangent *tangent, const scr_world *world, double memory, scree_report *report);
void scr_tangent_deinit(scr_tangent *tangent);

/* Values at the present state, whose eps and kap are known, into tangent->sparse. `factor` has the value of each load's
 * signal. Where held motions are to move by `given` (6 per cell; NULL: they stay), what this does to the forces on the
 * free ones is added to `force`: force -= K given. */
void scr_tangent_assemble(scr_tangent *tangent, const double *factor, const double *given, double *force);

/* Masses and moments of inertia of the free motions, M: adds tau M to the values; y = M x. */
void scr_tangent_add_masses(scr_tangent *tangent, double tau);
void scr_tangent_weigh(const scr_tangent *tangent, const double *x, double *y);

/* sum[i] = sum of |K_ij| over the entries' parts, an upper bound, for each free motion. Needs no matrix. */
void scr_tangent_row_sums(scr_tangent *tangent, const double *factor, double *sum);

#endif
