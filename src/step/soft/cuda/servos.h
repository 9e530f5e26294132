/* Servos on a device: before the forces of a step, the walls that answer to those of the step before it.
 *
 * The host plans the steps of a batch ahead (world/servo_text.h), and the walls of the batch follow each other on the
 * device. When the forces have come back the host moves its own walls by them, in the same text. */
#ifndef SCREE_STEP_SOFT_CUDA_SERVOS_H
#define SCREE_STEP_SOFT_CUDA_SERVOS_H

#include "step/soft/cuda/tile.h"
#include "world/servo_text.h"

/* One step of one wall. */
typedef struct {
    scr_wall_plan plan;
    vec3 lower, upper; /* around its faces, in the rest frame */
} soft_wall_plan;

typedef struct {
    uint32_t walls;
    const scr_wall *before;     /* in the step before */
    scr_wall *now;              /* in this step; of those with a servo only the motion is known */
    const soft_wall_plan *plan; /* of each */
    const scr_face *faces;
    const unsigned long long *exact; /* forces in the step before, SOFT_WALL_EXACT per wall; NULL: those of `before` */
    double lag;                      /* as in scr_clock */
    double slack2;                   /* that a wall may stray from where the list has it, squared [m^2] */
    int node;                        /* number of the kernel of forces that follows */
    soft_control *control;
} soft_servos;

#ifdef __cplusplus
extern "C" {
#endif

void scr_soft_servos_move(void *stream, const soft_servos *servos);

#ifdef __cplusplus
}
#endif

#endif
