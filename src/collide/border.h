/* A new list in a part of a divided world: which ghosts it names, and which blocks need none of them. */
#ifndef SCREE_COLLIDE_BORDER_H
#define SCREE_COLLIDE_BORDER_H

#include "collide/pairs.h"

/* Ghosts without a pair are not heard of while the list lasts; scr_share.turns. */
void scr_pairs_border(const scr_pairs *pairs, scr_world *world);

#endif
