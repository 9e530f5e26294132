/* The observer `count`: grains whose centres are in a region, by group. */
#ifndef SCREE_OBSERVE_COUNT_H
#define SCREE_OBSERVE_COUNT_H

#include "observe/observer.h"

extern const scr_observer scr_count_observer;

#endif
