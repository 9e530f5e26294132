#ifndef SCREE_OBSERVE_PROFILE_H
#define SCREE_OBSERVE_PROFILE_H

#include "observe/observer.h"

extern const scr_observer scr_profile_observer; /* on a line */
extern const scr_observer scr_grid_observer;
extern const scr_observer scr_fields_observer; /* on a grid, with a kernel */

#endif
