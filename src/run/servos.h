/* Servos that did not hold what was asked. */
#ifndef SCREE_RUN_SERVOS_H
#define SCREE_RUN_SERVOS_H

#include "base/status.h"
#include "world/world.h"

/* At the end of a run: a warning for each servo whose target was missed, or never reached. */
void scr_servos_judge(const scr_world *world, scree_report *report);

#endif
