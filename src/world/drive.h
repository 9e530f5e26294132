/* Groups that move as prescribed: rigidly, whatever pushes them.
 *
 *   x(t) = p + R(n, w T) (x_0 - p) + s(t),   s(t) = v T + A d (sin(2 pi f T + phi) - sin(phi))      (1)
 *
 * with the time T that has passed since `from`, at most until `until`. A step needs no x_0:
 *
 *   x(t + dt) - p - s(t + dt) = R(n, w dT) (x(t) - p - s(t)),                                      (2)
 *
 * so the path does not depend on when a run was cut, and is exact but for rounding. */
#ifndef SCREE_WORLD_DRIVE_H
#define SCREE_WORLD_DRIVE_H

#include <stdbool.h>

#include "math/vec3.h"

typedef struct {
    bool moves;
    vec3 velocity;                      /* v [m/s] */
    vec3 point, axis;                   /* p [m], n (unit) */
    double rate;                        /* w [rad/s] */
    vec3 direction;                     /* d (unit) */
    double amplitude, frequency, phase; /* A [m], f [Hz], phi [rad] */
    double since, until;                /* [s] */
} scr_drive;

/* One step from time t to t + dt, for all bodies of a group. */
typedef struct scr_drive_step {
    vec3 centre[2]; /* p + s, before and after */
    vec3 row[3];    /* of R */
    vec3 spin;      /* [rad/s], over the step */
} scr_drive_step;

scr_drive_step scr_drive_over(const scr_drive *drive, double t, double dt);
/* Where a body at x is after it. */
static inline vec3 scr_drive_place(const scr_drive_step *step, vec3 x)
{
    vec3 r = v3_sub(x, step->centre[0]);
    return v3_add(step->centre[1], v3(v3_dot(step->row[0], r), v3_dot(step->row[1], r), v3_dot(step->row[2], r)));
}

/* Velocity of a body at x at time t, and the spin of all. */
vec3 scr_drive_velocity(const scr_drive *drive, double t, vec3 x);
vec3 scr_drive_spin(const scr_drive *drive, double t);
/* A bound for the speed of a body that is now at x, at time t, at any time [m/s]. */
double scr_drive_fastest(const scr_drive *drive, double t, vec3 x);

#endif
