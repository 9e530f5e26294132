/* The observer `fragments`: what hangs together by bonds. */
#ifndef SCREE_OBSERVE_FRAGMENTS_H
#define SCREE_OBSERVE_FRAGMENTS_H

#include "observe/observer.h"

extern const scr_observer scr_fragments_observer;

#endif
