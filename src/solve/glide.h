/* Downhill by motion that is damped a little. For the way from far off, where Newton's method has little to go by; it
 * needs gradients only.
 *
 *   w <- ((1 - b/2) w - (h^2/K) grad)/(1 + b/2),   x <- x + w                                                  (1)
 *
 * is Newton's law with a drag for rows of one mass: w is the way of a step, K a stiffness, h the step times the
 * frequency of that stiffness (stable below about 0.7 where a row has a handful of such springs), and b the drag times
 * the step. Displacements move, rotations do not; rows may be without them.
 *
 * The drag is the same all along, and small. Methods that stop everything where the power of all forces is negative
 * (FIRE: Bitzek et al. 2006) come sooner to where forces nearly balance, but in a heap without friction that is a
 * saddle as a rule: its way on begins exponentially slowly, and there are the more of them the more grains there are.
 * What still moves when it passes goes on. */
#ifndef SCREE_SOLVE_GLIDE_H
#define SCREE_SOLVE_GLIDE_H

#include "solve/minimise.h"

#define SCR_GLIDE_STEP 0.5 /* h */

typedef struct {
    double stiffness;   /* K */
    double drag;        /* b */
    double cap;         /* how far a row moves in a step at most */
    double enough;      /* largest force on a row, of the strongest (scr_value), */
    double few;         /* or so many rows that have more, */
    double least;       /* or the strongest that is less than this: the end, too */
    double most_moved2; /* as in scr_minimise_options */
    size_t row;         /* numbers of a row: SCR_ROW (also if it is 0), or 4 */
    int64_t steps;      /* at most */
} scr_glide_options;

/* Carried from call to call: one ends where contacts must be looked for again. Zero at first. */
typedef struct {
    int64_t steps;    /* so far */
    double left;      /* largest force on a row, of the strongest; NAN: some force is none */
    double strongest; /* force */
} scr_glide;

/* From x, into x. The ways of a step are in minimiser->p, on entry and on return. A signal ends it as too many steps
 * do: SCR_NOT_MINIMISED. */
scr_outcome scr_glide_run(scr_glide *glide, scr_minimiser *minimiser, const scr_objective *objective, double *x,
                          const scr_glide_options *options);

#endif
