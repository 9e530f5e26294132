/* Inlets and outlets at work: between two steps, every `ports_every` of its stepper, grains that are due
 * are put into the regions of inlets, and grains that rest in an outlet are taken out (those that
 * move are taken out whenever the neighbour list is built, see collide/tidy.c).
 *
 * What is due depends on the clock and the world alone, the size of the n-th grain on the seed and
 * n, places and velocities on the seed and how many numbers were drawn: so a resumed run pours the
 * very same grains. */
#ifndef SCREE_RUN_PORTS_H
#define SCREE_RUN_PORTS_H

#include "build/build.h"
#include "step/stepper.h"

typedef struct scr_ports scr_ports; /* scratch: nothing that a later step depends on */

/* NULL where the world has none, or when memory is exhausted (then the report says so). */
scr_ports *scr_ports_create(const scr_step *step, const scr_scene *scene, scree_report *report);
void scr_ports_destroy(scr_ports *ports);

/* Before a step; does nothing at most steps. */
scree_status scr_ports_update(scr_ports *ports, scr_step *step, scree_report *report);

/* What came and what left, at the end of a run. */
void scr_ports_say(const scr_world *world, const scr_scene *scene);

#endif
