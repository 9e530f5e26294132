/* Gravity, which may follow a function of time: full times a signal, or a table of vectors.
 *
 * A step has one or two values of it. Its potential energy is -m g.x with the present g; when g changes by dg while
 * bodies stay where they are, that energy changes by -m dg.x, which is booked as load_work. */
#ifndef SCREE_WORLD_GRAVITY_H
#define SCREE_WORLD_GRAVITY_H

#include <stdbool.h>

#include "math/vec3.h"
#include "world/signal.h"

struct scr_world;

typedef struct {
    vec3 full; /* that the signal multiplies [m/s^2] */
    scr_signal signal;
    double *table; /* rows of t, x, y, z in place of both [s, m/s^2]; owned; NULL: none */
    int rows;
} scr_gravity;

void scr_gravity_deinit(scr_gravity *gravity);

bool scr_gravity_varies(const scr_gravity *gravity);
vec3 scr_gravity_at(const scr_gravity *gravity, double time);
/* The largest it becomes; largest sizes of its components, with signs where it does not vary [m/s^2]. */
double scr_gravity_most(const struct scr_world *world);
vec3 scr_gravity_extent(const struct scr_world *world);

/* Makes it another, and books the change; bodies stay. */
void scr_gravity_change(struct scr_world *world, vec3 next);
/* Makes it that of a time. */
void scr_gravity_set(struct scr_world *world, double time);
/* Around a drift from the clock's time to the next: `begin` before it, `end` when the clock has ticked, after which it
 * is that of the new time. The change is booked half at each end, which is of second order. */
void scr_gravity_begin(struct scr_world *world);
void scr_gravity_end(struct scr_world *world);

#endif
