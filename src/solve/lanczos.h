/* The largest eigenvalue of a symmetric operator by Lanczos' method (Parlett 1980), with full orthogonalisation.
 * The start is the same each time, and all is done by one thread. */
#ifndef SCREE_SOLVE_LANCZOS_H
#define SCREE_SOLVE_LANCZOS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    void *context;
    size_t size;
    /* y = A x; false: it failed. */
    bool (*apply)(void *context, const double *x, double *y);
} scr_operator;

/* To a relative error of about `tolerance`, or as near as `steps` products bring it; NAN: it failed, or there is no
 * memory. */
double scr_largest_eigenvalue(const scr_operator *operator, int steps, double tolerance);

#endif
