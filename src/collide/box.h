/* A box that deforms (world/box.h) and its bodies: as they go through its sides, as it changes its speed, and what the
 * neighbour list expects of it.
 *
 * The list knows images by H as it was, and expects them to move on at dH/dt as it was. It serves while no image is
 * further than its slack from there, beside the slack of the bodies. */
#ifndef SCREE_COLLIDE_BOX_H
#define SCREE_COLLIDE_BOX_H

#include "math/exact.h"
#include "world/world.h"

#define SCR_BOX_EVERY 8 /* steps between two changes of its speed, of short steps */

/* The domain as it was when the list was built, with the speeds that were expected. */
scr_domain scr_box_listed(const scr_world *world);
/* The present box becomes that; `rest`: it is expected to stay as it is. */
void scr_box_list(scr_world *world, bool rest);
/* How far images may be from where the list expects them [m]; 0: the box does not deform. */
double scr_box_slack(const scr_world *world);
/* Whether some image is further away a time `ahead` after this one, at which the box is where it is. */
bool scr_box_strayed(const scr_world *world, double time, double ahead);
/* No image is expected to move faster than this [m/s]. */
double scr_box_rush(const scr_world *world);

/* Bodies that are outside go to the other side, with the velocity of their image there; offsets beyond half a length
 * are those of the next image. What they gain is work of the box. False: some body has crossed too often to count. */
bool scr_box_wrap(scr_world *world);

/* Whether speeds may change before the next step, of steps that are `every` apart. */
bool scr_box_due(const scr_world *world, int every);
/* The speeds that the plan asks for, for a time dt from now: all bodies get the difference, and it is work of the box.
 * True when they changed. */
bool scr_box_steer(scr_world *world, double dt);

/* Sums of products of vectors, xx, yy, zz, and the means of xy and yx, of xz and zx, of yz and zy: their order does not
 * matter. */
typedef struct {
    scr_exact part[SCR_BOX_PARTS];
} scr_box_sum;
void scr_box_sum_add(scr_box_sum *sum, vec3 a, vec3 b);
void scr_box_sum_join(scr_box_sum *sum, const scr_box_sum *other);
void scr_box_sum_values(const scr_box_sum *sum, double values[SCR_BOX_PARTS]);
/* Sum m u u^T over all bodies (world/box.h) [J]. */
void scr_box_kinetic(const scr_world *world, double kinetic[SCR_BOX_PARTS]);

#endif
