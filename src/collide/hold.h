/* A list that another one fills: pairs that touch, for what is saved and observed. */
#ifndef SCREE_COLLIDE_HOLD_H
#define SCREE_COLLIDE_HOLD_H

#include "collide/pairs.h"

/* Makes it `count` pairs and no more, for others to fill in which bodies they are, whether they touch, and their
 * histories. The next list is built as after any other. False when memory is exhausted. */
bool scr_pairs_hold(scr_pairs *pairs, size_t count, bool wide);

#endif
