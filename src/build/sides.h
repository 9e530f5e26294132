/* Sides of the domain through which grains can get out, before the first step.
 *
 * From grains and inlets, rays go along the axes: a side is open where one gets there and neither a wall nor an outlet
 * nor a body that is held is in its way. Where the grain would get so far before the run ends, by gravity, its
 * velocity or walls that move, its run would end with an error: a warning. This is a look along straight lines: grains
 * that roll off an edge later are not foreseen. */
#ifndef SCREE_BUILD_SIDES_H
#define SCREE_BUILD_SIDES_H

#include "build/simulation.h"

/* Warns of sides through which grains will get out; `say`: says as well which others are open. Nothing where such
 * grains are removed, in equilibria, and in a run that continues. */
scree_status scr_check_sides(const scree_simulation *simulation, bool say, scree_report *report);

#endif
