/* Equilibria of elastic solids, one load step after the other: the stepper behind `scree equilibrate`; see statics.c.
 * It is not among those that a scene's `stepper` names: any scene with solids can be put to rest. */
#ifndef SCREE_STEP_ELASTIC_STATICS_H
#define SCREE_STEP_ELASTIC_STATICS_H

#include "step/stepper.h"

typedef enum { SCR_STATICS_NEWTON, SCR_STATICS_RELAXATION } scr_statics_method;

typedef struct {
    int64_t steps; /* load steps */
    double tolerance;
    int method; /* scr_statics_method */
    bool ramp;
    int64_t iterations; /* of dynamic relaxation, most per load step */
    double memory;      /* for the factor of the tangent [B]; NAN: half of the machine's */
    bool stability;     /* lowest eigenvalue at the end */
} scr_statics_def;

/* Motions that no support prevents, of every part that hangs together: errors that name them. */
scree_status scr_check_rigid_motions(const scr_world *world, const scr_scene *scene,
                                     scree_report *report);

/* Bytes that a factor may take. */
double scr_statics_memory(const scr_statics_def *def);

extern const scr_section scr_section_statics;
extern const scr_stepper scr_statics_stepper;

#endif
