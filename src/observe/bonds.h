/* The observer `bonds`: how many hold, how many broke and why, and their energy. */
#ifndef SCREE_OBSERVE_BONDS_H
#define SCREE_OBSERVE_BONDS_H

#include "observe/observer.h"

extern const scr_observer scr_bonds_observer;

#endif
