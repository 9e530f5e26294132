/* Downhill by motion: FIRE (Bitzek et al. 2006, Phys. Rev. Lett. 97; the order of its parts as Guenole et al. 2020).
 * For the way from far off, where Newton's method has little to go by; it needs gradients only.
 *
 *   P = F.v, the power of all forces together.
 *   P > 0 for a while: longer steps, less steering;    P <= 0: all stop, half a step back, shorter steps
 *   v <- v + dt F/M,  v <- (1 - a) v + a |v| F/|F|,  x <- x + dt v                                            (1)
 *
 * All rows have one mass M, a stiffness: dt is then a number, and (1) is stable below about a half where a row has a
 * handful of springs of that stiffness. Displacements move, rotations do not. */
#ifndef SCREE_SOLVE_FIRE_H
#define SCREE_SOLVE_FIRE_H

#include "solve/minimise.h"

typedef struct {
    double stiffness;   /* M */
    double cap;         /* how far a row moves in a step at most */
    double enough;      /* largest force on a row, of the strongest (scr_value), */
    double few;         /* or so many rows that have more: the end, too */
    double most_moved2; /* as in scr_minimise_options */
    int64_t steps;      /* at most */
} scr_fire_options;

/* Carried from call to call: one ends where contacts must be looked for again. Zero at first. */
typedef struct {
    double dt, steer;
    int downhill;     /* steps since the last stop */
    int64_t steps;    /* so far */
    double left;      /* largest force on a row, of the strongest */
    double strongest; /* force */
} scr_fire;

/* From x, into x. Velocities are in minimiser->p, on entry and on return. */
scr_outcome scr_fire_run(scr_fire *fire, scr_minimiser *minimiser, const scr_objective *objective,
                         double *x, const scr_fire_options *options);

#endif
