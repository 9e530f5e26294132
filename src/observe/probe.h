#ifndef SCREE_OBSERVE_PROBE_H
#define SCREE_OBSERVE_PROBE_H

#include "observe/observer.h"

extern const scr_observer scr_probe_observer;

#endif
