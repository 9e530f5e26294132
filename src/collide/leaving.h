/* Bodies that leave, and those that stay into order, for those that do one of it at a time (others:
 * scr_bodies_tidy). */
#ifndef SCREE_COLLIDE_LEAVING_H
#define SCREE_COLLIDE_LEAVING_H

#include "collide/pairs.h"

/* The rows of those that leave, in outlets or beyond the domain, ascending, into `rows`, which has room for all.
 * `lost`: a body is where it may not be (scr_bodies_look says which). */
size_t scr_bodies_leaving(const scr_world *world, uint32_t *rows, bool *lost);
/* They are counted, with their energy: before they are taken out. */
void scr_bodies_count_out(scr_world *world, const uint32_t *rows, size_t count);

/* Whether any, of all ranks, is not where bodies stay: in an outlet, beyond the domain, not a number. */
bool scr_bodies_any_left(const scr_world *world);
/* Whether any is a diameter outside of a periodic domain. */
bool scr_bodies_any_astray(const scr_world *world);

/* Sorts bodies of which the caller knows that none leaves or is to be brought back into a periodic domain, and that
 * there are no clumps. Whatever names rows is the caller's, contacts too. *new_row: of each old row, in an array that
 * `pairs` lends; NULL: all were in order. False when memory is exhausted. */
bool scr_bodies_sort(scr_pairs *pairs, scr_world *world, const uint32_t **new_row);

#endif
