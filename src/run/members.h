/* Spheres of clumps among the grains that programs change. A sphere moves with its clump alone: what is written to it
 * would be lost in the next step, so it is refused; clumps come and go as wholes. */
#ifndef SCREE_RUN_MEMBERS_H
#define SCREE_RUN_MEMBERS_H

#include "build/simulation.h"
#include "world/carrier.h"

/* Before views may be written: how spheres of clumps are now. False: no memory. */
bool scr_members_note(scree_simulation *simulation);
/* Whether they still are so; one that was written becomes what it was. */
scree_status scr_members_check(scree_simulation *simulation, scree_report *report);

static inline bool scr_is_member(const scr_world *w, size_t i)
{
    return scr_carrier_rigid(w, w->bodies.carrier[i]) >= 0;
}

/* Grains with new_row UINT32_MAX are to leave. Whether clumps leave with all their spheres or with none; */
scree_status scr_members_whole(scr_world *world, const uint32_t *new_row, scree_report *report);
/* then those that leave are marked, for scr_rigids_drop. */
void scr_members_leave(scr_world *world, const uint32_t *new_row);

#endif
