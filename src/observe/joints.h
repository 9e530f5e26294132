/* Joints: where they are, and what they carry. */
#ifndef SCREE_OBSERVE_JOINTS_H
#define SCREE_OBSERVE_JOINTS_H

#include "observe/observer.h"

extern const scr_observer scr_joints_observer;

#endif
