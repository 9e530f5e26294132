/* How well contacts were solved for, and how much of them. */
#ifndef SCREE_OBSERVE_SOLVER_H
#define SCREE_OBSERVE_SOLVER_H

#include "observe/observer.h"

/* Part of the grains that reduction spares: 1 - (free grains + aggregates)/grains. */
double scr_reduction_level(const scr_step_report *report, size_t grains);
/* Contact sweeps done over what they would have been without reduction; 1 when there were none. */
static inline double scr_active_part(double solved, double all)
{
    return all > 0 ? solved / all : 1;
}

extern const scr_observer scr_solver_observer;

#endif
