#ifndef SCREE_OBSERVE_STRESS_H
#define SCREE_OBSERVE_STRESS_H

#include "observe/observer.h"

extern const scr_observer scr_stress_observer;

#endif
