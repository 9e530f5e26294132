/* Piles seen in columns: the mean profile of a pile's flanks, and the line through the tops of columns. Defined in
 * pile.c. */
#ifndef SCREE_OBSERVE_PILE_H
#define SCREE_OBSERVE_PILE_H

#include "observe/observer.h"

extern const scr_observer scr_pile_observer, scr_tops_observer;

#endif
