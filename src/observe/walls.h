#ifndef SCREE_OBSERVE_WALLS_H
#define SCREE_OBSERVE_WALLS_H

#include "observe/observer.h"

extern const scr_observer scr_walls_observer;

#endif
