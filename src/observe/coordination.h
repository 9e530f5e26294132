#ifndef SCREE_OBSERVE_COORDINATION_H
#define SCREE_OBSERVE_COORDINATION_H

#include "observe/observer.h"

extern const scr_observer scr_coordination_observer;

#endif
