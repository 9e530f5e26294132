/* Sparse symmetric linear systems A x = b, for Newton's method: the places of entries are given once, values and
 * right-hand sides many times.
 *
 * Solved by Cholesky's factorisation: ordered and analysed once (CHOLMOD; Chen, Davis, Hager & Rajamanickam 2008),
 * then factored anew for each set of values (solve/supernodes.h). When the factor would not fit into the memory that is
 * given for it, by conjugate gradients with symmetric Gauss-Seidel as preconditioner instead. Either way A is scaled to
 * a unit diagonal first,
 *
 *   S A S + shift 1,   S = |diag A|^(-1/2),                                                          (1)
 *
 * so that a shift has the same weight for numbers of all units.
 *
 * All is done by one thread and without BLAS: the same bits for any number of threads, and on all machines. */
#ifndef SCREE_SOLVE_SPARSE_H
#define SCREE_SOLVE_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct scr_sparse scr_sparse;

typedef struct {
    size_t size, entries; /* of the matrix: unknowns, numbers of the lower triangle */
    bool direct;          /* factored, rather than conjugate gradients */
    double factor_bytes;  /* that the factor takes, or would take */
    double flops;         /* of one factorisation */
    int64_t factored;     /* factorisations so far */
    int64_t iterations;   /* of conjugate gradients so far */
} scr_sparse_report;

/* `first` has size + 1 entries; the rows of column c are rows[first[c]] to rows[first[c + 1] - 1], rising, from c on:
 * the lower triangle, and all of the diagonal. Both are copied. `memory` [bytes] is the most that a factor may take. */
scree_status scr_sparse_create(size_t size, const int64_t *first, const int64_t *rows, double memory,
                               scr_sparse **sparse, scree_report *report);
void scr_sparse_destroy(scr_sparse *sparse);

/* Where the caller puts the values, in the order of `rows`, before scr_sparse_factor. */
double *scr_sparse_values(scr_sparse *sparse);

typedef enum {
    SCR_SPARSE_READY,
    SCR_SPARSE_INDEFINITE, /* some pivot is not positive (with conjugate gradients: found in scr_sparse_solve) */
    SCR_SPARSE_NO_MEMORY,
    SCR_SPARSE_SLOW,   /* conjugate gradients did not converge */
    SCR_SPARSE_STOPPED /* a signal asks the program to end: nothing long is begun */
} scr_sparse_state;

/* The matrix (1) made ready to solve with; the values are used up. */
scr_sparse_state scr_sparse_factor(scr_sparse *sparse, double shift);
/* The same without a shift for a matrix that need not be positive: L D L^T without pivoting. It is slower, and
 * SCR_SPARSE_INDEFINITE is returned where a pivot is zero, or where conjugate gradients are used. */
scr_sparse_state scr_sparse_factor_signs(scr_sparse *sparse);
/* Solves for x after one of these has returned SCR_SPARSE_READY; x and b may be the same. */
scr_sparse_state scr_sparse_solve(scr_sparse *sparse, const double *b, double *x);

scr_sparse_report scr_sparse_tell(const scr_sparse *sparse);

#endif
