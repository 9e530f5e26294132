/* Minimum of a smooth function of many rows of unknowns by Newton's method: directions from preconditioned
 * conjugate gradients, which end at negative curvature, or from a factor of the matrix; a bound on how far a row moves
 * in one iteration, and Armijo's condition on the way along the direction.
 *
 * A row is eight numbers: displacement x, y, z, 0 and rotation times radius x, y, z, 0 of a body. Rows are taken in
 * blocks of SCR_RUN, which are not those of the world (world/blocks.h): they are the same for the whole of a
 * minimisation. Every sum is taken block by block, so that it does not depend on the number of threads. */
#ifndef SCREE_SOLVE_MINIMISE_H
#define SCREE_SOLVE_MINIMISE_H

#include "collide/pairs.h"

#define SCR_ROW 8    /* numbers of a row */
#define SCR_RUN 1024 /* rows of a block */

/* What the function is at a point. */
typedef struct {
    double energy;
    double scale;     /* sum of the sizes of its terms: energies nearer than rounding of this are equal */
    double gradient2; /* square of the gradient's norm */
    double floor2;    /* square of what rounding leaves of it */
    double moved2;    /* square of the largest way from where contacts were looked for */
    double strongest; /* force of a contact */
} scr_value;

typedef struct {
    void *context;
    size_t rows;
    /* Value at x, and the gradient (zero in rows that are given). What `product` needs is that of the last point. */
    scr_value (*evaluate)(void *context, const double *x, double *gradient);
    /* q = second derivative times p; the sum of p.q. */
    double (*product)(void *context, const double *p, double *q);
    /* Makes ready to divide by the blocks of the second derivative on the diagonal, and does so for the rows from
     * `first` to `end`: z, and the sum of r.z. */
    void (*prepare)(void *context);
    double (*divide)(void *context, size_t first, size_t end, const double *r, double *z);
    /* Lays the second derivative of the last point on top of the function: told where a direction had to be cut
     * short. */
    void (*stiffen)(void *context);
    /* way = - gradient divided by the second derivative at the last point, or by one near it that is positive. NULL, or
     * false: not by this; conjugate gradients are used. */
    bool (*solve)(void *context, const double *gradient, double *way);
    /* The start x with all rows but those that are given at a part of the way expected; 0: at rest. */
    void (*start)(void *context, const double *x, double part, double *at);
} scr_objective;

typedef struct {
    double tolerance;      /* the gradient to be reached, relative to `scale` plus that of the start */
    double scale;          /* a norm that is large */
    double cap;            /* how far a row moves in an iteration at most */
    double most_moved2;    /* beyond this contacts must be looked for again; 0: never */
    bool first;            /* x is a guess: there may be better ones */
    int iterations, inner; /* at most */
    bool stops;            /* when a signal asks the program to end: then nothing is minimised */
    bool balance;          /* there is no energy and `product` is near the derivative: the gradient's norm shall fall */
} scr_minimise_options;

typedef enum { SCR_MINIMISED, SCR_MOVED_FAR, SCR_NOT_MINIMISED } scr_outcome;

typedef struct {
    scr_outcome outcome;
    int iterations, inner; /* of Newton's method and of conjugate gradients */
    double residual;       /* gradient left, relative as the tolerance */
    scr_value value;
} scr_minimum;

/* Scratch: vectors of rows. */
typedef struct {
    double *gradient, *trial, *way, *r, *z, *p, *q; /* one allocation */
    double *sums;                                   /* four per block */
} scr_minimiser;

bool scr_minimiser_reserve(scr_minimiser *minimiser, size_t rows);
void scr_minimiser_deinit(scr_minimiser *minimiser);

/* From x, into x. The objective's last evaluation is the one at the result. */
scr_minimum scr_minimise(scr_minimiser *minimiser, const scr_objective *objective, double *x,
                         const scr_minimise_options *options);

#endif
