/* A simulation at work: steps, with grains that come and leave. */
#ifndef SCREE_RUN_SIMULATION_H
#define SCREE_RUN_SIMULATION_H

#include "build/simulation.h"
#include "run/ports.h"

/* Builds it and checks it; the stepper is not opened yet. Where ranks make its world together (build/divided.h), on all
 * ranks at the same time, with one report. */
scree_status scr_simulation_prepare(const scr_scene *scene, const scree_simulation_def *def,
                                    scree_simulation *simulation, scree_report *report);
/* The simulation of the next stage, in place of one that has come to the end of its own. */
scree_status scr_simulation_next(scree_simulation **simulation, const scree_simulation_def *def, scree_report *report);

/* Of so many steps, those before grains come or leave again. */
int64_t scr_simulation_stride(const scree_simulation *simulation, int64_t most);
/* Grains come and leave, then `most` steps, at most a stride; with the forces of contacts of the last one kept where
 * they will be asked for. *done as in scr_stepper.advance. */
scree_status scr_simulation_advance(scree_simulation *simulation, int64_t most, bool contacts, int64_t *done,
                                    scree_report *report);

#endif
