/* Extreme eigenvalues by Lanczos' method (Parlett 1980), with full orthogonalisation. The start is the same each time,
 * and all is done by one thread.
 *
 * The lowest eigenvalue lambda of
 *
 *   K v = lambda M v,                                                                                (1)
 *
 * K the second derivative of an energy and M the masses, is the square of the lowest angular frequency; below zero the
 * state is unstable. (K + tau M)^-1 M has the largest eigenvalue 1/(lambda + tau), and is symmetric in the product x.M
 * y. tau is zero where K is positive, and else raised until K + tau M is: then it is above -lambda, and by less than
 * ten times. */
#ifndef SCREE_SOLVE_LANCZOS_H
#define SCREE_SOLVE_LANCZOS_H

#include <stdbool.h>
#include <stddef.h>

#include "solve/sparse.h"

/* y = A x; false: it failed. */
typedef bool scr_apply(void *context, const double *x, double *y);

typedef struct {
    void *context;
    size_t size;
    scr_apply *apply; /* A, symmetric in x.M y */
    scr_apply *weigh; /* M, not negative */
} scr_operator;

/* To a relative error of about `tolerance`, or as near as `steps` products bring it; NAN: it failed, or there is no
 * memory. */
double scr_largest_eigenvalue(const scr_operator *operator, int steps, double tolerance);

typedef struct {
    void *context;
    scr_sparse *sparse; /* direct */
    double fastest;     /* about the largest lambda: further than ten times this tau is not raised */
    /* K + tau M into the values of `sparse`. */
    void (*fill)(void *context, double tau);
    scr_apply *weigh; /* M */
} scr_pencil;

/* Of (1). NAN: not found, for want of memory or because no tau makes K + tau M positive. */
double scr_lowest_eigenvalue(const scr_pencil *pencil);

#endif
