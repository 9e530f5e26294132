/* How well contacts were solved for, and how much of them. */
#ifndef SCREE_OBSERVE_SOLVER_H
#define SCREE_OBSERVE_SOLVER_H

#include "observe/observer.h"

extern const scr_observer scr_solver_observer;

#endif
