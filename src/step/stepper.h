/* Steppers: each is one table. A stepper owns its whole step() and calls shared phases (collide/);
 * all state is in the world, what it keeps in `work` is scratch. */
#ifndef SCREE_STEP_STEPPER_H
#define SCREE_STEP_STEPPER_H

#include "collide/pairs.h"
#include "scene/param.h"
#include "world/world.h"

/* What the last step found; part of the run's output. */
typedef struct {
    int64_t contacts;     /* that touch */
    double worst_overlap; /* largest overlap over the smaller radius */
} scr_step_report;

/* Where the time goes [s], since the stepper was opened. */
typedef struct {
    double integrate, neighbours, forces;
} scr_step_times;

struct scr_stepper;

typedef struct {
    const struct scr_stepper *stepper;
    const void *def; /* the stepper's parameters */
    scr_world *world;
    scr_pairs pairs;
    bool no_ledger; /* leave energies out: only to measure what they cost */
    scr_step_report last;
    scr_step_times times;
    void *work;
} scr_step;

typedef struct scr_stepper {
    scr_variant variant; /* name, doc, parameters */
    /* Makes the world ready for step(): neighbour list, forces at the present time. A resumed world
     * has its forces and anchors already and continues bit for bit. */
    scree_status (*open)(scr_step *step, bool resumed, scree_report *report);
    scree_status (*step)(scr_step *step, scree_report *report);
    void (*close)(scr_step *step);
} scr_stepper;

extern const scr_stepper *const scr_steppers[]; /* ends with NULL */
const scr_stepper *scr_stepper_find(const char *name);

#endif
