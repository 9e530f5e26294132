/* Parts of space that several ranks look after while they insert grains together: slabs of equal width along the
 * longest axis of a region. Every rank knows the balls that can touch one of its own slab, and answers for the points
 * in it. With one rank the slab is all of space. */
#ifndef SCREE_SCENE_SLABS_H
#define SCREE_SCENE_SLABS_H

#include "scene/generate.h"
#include "scene/region.h"
#include "scene/space.h"

typedef struct {
    const scr_grains_ranks *ranks; /* NULL: one */
    int axis;
    double low, width;     /* of the first one [m] */
    double period;         /* of the axis, 0: none [m] */
    double from[3], to[3]; /* beyond these no ball matters; infinite along periodic axes [m] */
} scr_slabs;

scr_slabs scr_slabs_of(const scr_grains_ranks *ranks, const scr_space *space, const scr_region *region);

/* Whether this rank answers for a point, which is wrapped: one of them does. */
bool scr_slabs_own(const scr_slabs *slabs, vec3 point);
/* Whether what is nearer than `reach` to this point can be a point of that rank. */
bool scr_slabs_meet(const scr_slabs *slabs, int rank, vec3 point, double reach);
/* The same of this rank. */
bool scr_slabs_near(const scr_slabs *slabs, vec3 point, double reach);

/* Balls that this rank has, of which each rank gets those that meet its slab, the reach of a ball being its radius and
 * `reach`; *in is a buffer. How many have come. */
size_t scr_slabs_deal(const scr_slabs *slabs, const double *balls, size_t count, double reach, scr_ball **in);

/* What one rank has answered for each of `count` tries, 0 to 3, and the others have as 0, becomes known to all. */
void scr_slabs_agree(const scr_slabs *slabs, uint8_t *answers, size_t count);

#endif
