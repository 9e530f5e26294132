/* Contacts that stay in the list while it is built anew.
 *
 * Pairs of the new list are in the order of those of the old one where rows do not change, and else contacts can be
 * put into that order first: their histories need no second array. Those that touch are packed to the front; when the
 * new pairs are known, and with them the place of each, they are spread from the back. Both go through the list in
 * windows of one chunk a thread: all read theirs before one of them writes, and none writes where a later window will
 * read, since a packed contact is never behind its old place, nor before its new one. */
#ifndef SCREE_COLLIDE_STAY_H
#define SCREE_COLLIDE_STAY_H

#include "collide/pairs.h"

#define SCR_STAY_GONE UINT32_MAX /* a contact that is not in the new list */

/* Rows and histories of the pairs that touch come first, pairs->packed of them, and pairs->stay is set until the list
 * is built. Nothing else of the old one is left. Not where histories are wide. */
void scr_stay_pack(scr_pairs *pairs);

/* The packed contacts follow bodies into other rows, of which each has one: they are put into the order of these, and
 * seen from the body that comes first now. Called before the bodies move. The anchors serve as scratch and are lost; so
 * are sinks. False when memory is exhausted. */
bool scr_stay_move(scr_pairs *pairs, scr_world *world, const uint32_t *new_row);

/* Packed contact k becomes pair pairs->sink[k], or none; `gone`: whether there are such. All others begin at zero. */
void scr_stay_spread(scr_pairs *pairs, bool gone);

#endif
