/* `variational`: implicit DEM. A step is the minimum of an incremental potential (De Klerk et al. 2022, corrected).
 * Theory: docs/theory-variational.md. */
#ifndef SCREE_STEP_VARIATIONAL_VARIATIONAL_H
#define SCREE_STEP_VARIATIONAL_VARIATIONAL_H

#include "step/stepper.h"

/* Elastic forces: of the stage, or such that they keep the energy. */
typedef enum { SCR_ENERGY_STAGE, SCR_ENERGY_EXACT } scr_variational_energy;

typedef struct {
    int64_t order;                /* 1: elastic forces at the start of the step, 2: at its stage */
    double theta;                 /* where the stage is: 1/2 midpoint, 1 backward Euler; NAN: midpoint */
    double tolerance;             /* of the gradient, relative to forces that are there; NAN: auto */
    int64_t iterations;           /* of Newton's method at most */
    int64_t friction_passes;      /* solutions of a step, each with the normal forces of the last */
    int64_t halvings;             /* of a step that does not converge, at most */
    int energy;                   /* scr_variational_energy */
    double motion;                /* largest motion in a step over the smallest radius; NAN: auto, -1: none */
    double step_least, step_most; /* bounds of the step [s]; NAN: auto */
    double skin;                  /* [m]; NAN: chosen by run/ */
} scr_variational_def;

extern const scr_param scr_variational_params[];
extern const scr_stepper scr_variational_stepper;

/* For the table (check.c). */
void scr_variational_traits(const void *def, scr_stepper_traits *traits);
extern const scr_reported scr_variational_reports[], scr_rest_reports[];
extern const scr_report_line scr_variational_lines[];
void scr_variational_report(const scr_step *step, scree_stats *stats);
bool scr_variational_adapts(const void *def, double dt, bool chosen, char *words, size_t size);
/* Laws without a potential, and bodies other than spheres. */
const scr_law_word *scr_variational_refuses(const scr_world *world, int a, int b, const char **why);
void scr_variational_refuse(const scr_scene *scene, scree_report *report);
void scr_variational_check(const scr_scene *scene, const scr_item *item, scree_report *report);

#endif
