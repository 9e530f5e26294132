/* Worlds that are divided while they are made: each rank makes or reads some of the bodies, and none ever has all.
 *
 * All ranks build the same scene at the same time, with scr_world.share set and rows of their own. What is derived from
 * all bodies (sizes, speeds, the curve) is a least, a most or a sum over ranks; each stage of building ends with the
 * worst status of all. Bodies may be made by any rank: the first sort (scr_check_world) brings them to their owners, in
 * the order of one rank. */
#ifndef SCREE_BUILD_DIVIDED_H
#define SCREE_BUILD_DIVIDED_H

#include "build/build.h"
#include "build/simulation.h"

/* Why the world of this run has to be made by one rank, in words; NULL: it need not. */
const char *scr_divided_lack(const scr_scene *scene, const scree_simulation_def *def, char *text, size_t size);

/* The world, which is still to be built, will be divided from the start; false: no memory. */
bool scr_divided_begin(scr_world *world);
/* It is not needed any more, or was not opened. */
void scr_divided_end(scr_world *world);

typedef scree_status scr_group_builder(scr_world *world, const scr_scene *scene, int group, scr_grains *grains,
                                       scree_report *report);
/* Of scr_build_bodies where there are ranks: the groups that are not marked in `skip_group`, one after the other, by
 * `builder`; then ids as one rank gives them. `grains` is empty. */
scree_status scr_divided_build(scr_world *world, const scr_scene *scene, const bool *skip_group, scr_grains *grains,
                               scr_group_builder *builder, scree_report *report);

#endif
