/* The section `statics` of a scene: how `scree equilibrate` finds equilibria, of elastic solids
 * (step/equilibrium/solids.c) and of grains (step/equilibrium/rest.c) alike. */
#ifndef SCREE_STEP_EQUILIBRIUM_STATICS_H
#define SCREE_STEP_EQUILIBRIUM_STATICS_H

#include "step/stepper.h"

typedef enum { SCR_STATICS_AUTO, SCR_STATICS_NEWTON, SCR_STATICS_RELAXATION } scr_statics_method;

typedef struct {
    int64_t steps; /* load steps */
    double tolerance;
    int method; /* scr_statics_method */
    bool ramp;
    int64_t iterations; /* of dynamic relaxation, or implicit steps of grains: most per load step */
    double memory;      /* for the factor of the tangent [B]; NAN: half of the machine's */
    bool stability;     /* lowest eigenvalue at the end */
} scr_statics_def;

extern const scr_section scr_section_statics;

/* What equilibria of solids report. */
extern const scr_reported scr_statics_reports[];
extern const scr_report_line scr_statics_lines[];

/* Bytes that a factor may take. */
double scr_statics_memory(const scr_statics_def *def);
/* Walls with a servo have no equilibrium of their own: an error for each. */
void scr_statics_refuse_servos(const scr_scene *scene, scree_report *report);
/* Says what the lowest eigenvalue means; `none` is why there may be none. */
void scr_statics_say_stability(double lowest, const char *none, const char *aside);
/* A signal ended a load step, whose beginning `load` has; or the search for the eigenvalue at the end of the last one.
 * SCREE_E_INTERRUPT. */
scree_status scr_statics_stopped(const scr_clock *load, scree_report *report);
scree_status scr_statics_stopped_looking(scree_report *report);

#endif
