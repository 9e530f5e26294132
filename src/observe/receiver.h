/* Receivers: seismograms of elastic solids. */
#ifndef SCREE_OBSERVE_RECEIVER_H
#define SCREE_OBSERVE_RECEIVER_H

#include "observe/observer.h"

extern const scr_observer scr_receiver_observer;

#endif
