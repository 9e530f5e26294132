/* Cholesky's factorisation L L^T of a sparse positive matrix, by supernodes: columns with the same rows below the
 * diagonal are one dense block, so that nearly all work is products of dense matrices (Ng & Peyton 1993, left-looking).
 * Which columns belong together, and the order of unknowns, is given; CHOLMOD finds it.
 *
 * The numbers are made here rather than by BLAS, whose bits depend on which BLAS is installed and on the processor:
 * every entry is one sum in the order of columns, whatever the width of vectors. */
#ifndef SCREE_SOLVE_SUPERNODES_H
#define SCREE_SOLVE_SUPERNODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Supernode s has the columns first[s] to first[s + 1] - 1 and the rows row[begin[s]] to row[begin[s + 1] - 1], rising,
 * its own columns first. Its block begins at place[s] of all numbers, column by column, as many rows each. Row and
 * column k of the factor are order[k] of the matrix. Borrowed: the arrays must live as long as what is made from
 * them. */
typedef struct {
    size_t size, count, numbers;
    const int64_t *first, *begin, *place, *row, *order;
} scr_supernode_plan;

typedef struct scr_supernodes scr_supernodes;

/* For matrices of which these entries may differ from zero, as in scr_sparse_create. NULL when memory is exhausted. */
scr_supernodes *scr_supernodes_create(const scr_supernode_plan *plan, const int64_t *first, const int64_t *rows);
void scr_supernodes_destroy(scr_supernodes *nodes);

/* Of the matrix with these values, plus `shift` times the unit matrix. False where a pivot is not positive; or where
 * `stop` returned true, which is asked now and then. */
bool scr_supernodes_factor(scr_supernodes *nodes, const double *values, double shift, int (*stop)(void));
/* x and b may be the same. */
void scr_supernodes_solve(scr_supernodes *nodes, const double *b, double *x);

#endif
