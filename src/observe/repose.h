#ifndef SCREE_OBSERVE_REPOSE_H
#define SCREE_OBSERVE_REPOSE_H

#include "observe/observer.h"

extern const scr_observer scr_heap_observer;  /* a cone */
extern const scr_observer scr_slope_observer; /* a plane */

#endif
