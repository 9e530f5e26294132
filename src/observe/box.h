/* The observer of a periodic domain that deforms. */
#ifndef SCREE_OBSERVE_BOX_H
#define SCREE_OBSERVE_BOX_H

#include "observe/observer.h"

extern const scr_observer scr_box_observer;

#endif
