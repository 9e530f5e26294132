/* Bodies that leave, for steppers that take few of them out of the table at a time (others: scr_bodies_tidy). */
#ifndef SCREE_COLLIDE_LEAVING_H
#define SCREE_COLLIDE_LEAVING_H

#include "world/world.h"

/* The rows of those that leave, in outlets or beyond the domain, ascending, into `rows`, which has room for all.
 * `lost`: a body is where it may not be (scr_bodies_look says which). */
size_t scr_bodies_leaving(const scr_world *world, uint32_t *rows, bool *lost);
/* They are counted, with their energy: before they are taken out. */
void scr_bodies_count_out(scr_world *world, const uint32_t *rows, size_t count);

#endif
