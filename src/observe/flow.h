#ifndef SCREE_OBSERVE_FLOW_H
#define SCREE_OBSERVE_FLOW_H

#include "observe/observer.h"

extern const scr_observer scr_flow_observer;

#endif
