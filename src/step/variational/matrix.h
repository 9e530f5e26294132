/* The second derivative of the incremental potential as a sparse matrix, for directions of Newton's method by a factor
 * of it (rest.c) and for its lowest eigenvalue (stability.c).
 *
 * Three unknowns for each body that can move, its displacement, or six with its rotation times its radius where
 * something resists rotation: friction, rolling resistance or bonds. Every pair of the neighbour list has a block, so
 * that the pattern, its order and its analysis serve until there is another list. Blocks are made by the products of
 * evaluate.c and bonds.c with unit vectors: what is true of those is true of the matrix. */
#ifndef SCREE_STEP_VARIATIONAL_MATRIX_H
#define SCREE_STEP_VARIATIONAL_MATRIX_H

#include "solve/sparse.h"
#include "step/variational/work.h"

typedef struct var_matrix {
    int width;       /* unknowns of a body: 3 or 6 */
    size_t size;     /* unknowns */
    int64_t *number; /* first unknown of each body, -1: none */
    int64_t *first, *rows;
    uint32_t *start, *other; /* of each body: later ones that it shares a block with, rising */
    double *right;           /* scratch */
    scr_sparse *sparse;
    int64_t list;       /* that the pattern is of */
    double memory;      /* that a factor may take [B] */
    int64_t factored;   /* before the present pattern */
    bool positive;      /* the last one, with the turning of normals */
    bool still;         /* of what is at rest: dampers hold nothing */
    const uint8_t *out; /* of each body: left out, as if held; NULL: none */
} var_matrix;

void scr_var_matrix_deinit(var_matrix *matrix);
/* For the present list. False: no memory. */
bool scr_var_matrix_pattern(var_matrix *matrix, const var_work *work);
/* Values at the last evaluation; `turns`: with what the turning of normals takes, `inertia`: with masses over s^2. */
void scr_var_matrix_fill(var_matrix *matrix, const var_work *work, bool turns, bool inertia);
/* As scr_objective.solve. */
bool scr_var_matrix_solve(void *work, const double *gradient, double *way);

#endif
