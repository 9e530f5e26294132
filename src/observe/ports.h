/* What has come through inlets and left through outlets. */
#ifndef SCREE_OBSERVE_PORTS_H
#define SCREE_OBSERVE_PORTS_H

#include "observe/observer.h"

extern const scr_observer scr_ports_observer;

#endif
