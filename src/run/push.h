/* Forces from outside (world/pushes.h): half a kick before a step and half a kick after it,
 *
 *   v <- v + h F/m,   w <- w + h T/I,   h = dt/2,                                                    (1)
 *
 * which with the step in between is a velocity-Verlet step in which F acts beside all other forces, and so it is with
 * implicit steps of second order. The work of a kick is what it changes of the kinetic energy; it is added up in the
 * order in which forces were given. Where contacts are solved for a kick would be an impact: such an integrator takes
 * the forces itself, beside gravity (step/nonsmooth/pushes.c). */
#ifndef SCREE_RUN_PUSH_H
#define SCREE_RUN_PUSH_H

#include "build/simulation.h"

/* (1) before a step and after it, with forces as scree_step_calls.push sets them. */
scree_status scr_pushes_begin(scree_simulation *simulation, scree_report *report);
scree_status scr_pushes_end(scree_simulation *simulation, scree_report *report);

#endif
