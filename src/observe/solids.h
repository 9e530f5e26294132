/* Elastic solids as wholes, and what supports and loads do to them. */
#ifndef SCREE_OBSERVE_SOLIDS_H
#define SCREE_OBSERVE_SOLIDS_H

#include "observe/observer.h"

extern const scr_observer scr_solid_observer, scr_supports_observer, scr_loads_observer;

#endif
