/* Carriers: what bodies can move with as one (their field `carrier`; in files it is called frame). Numbered:
 *
 *   0          none: the body moves by itself;
 *   1          what rests: walls that never move, frozen grains;
 *   2 + k      wall k, when it moves;
 *   2 + wall_count + r   rigid body r: a clump, a part of a machine with its load, a free aggregate. */
#ifndef SCREE_WORLD_CARRIER_H
#define SCREE_WORLD_CARRIER_H

#include "world/world.h"

#define SCR_CARRIER_NONE 0
#define SCR_CARRIER_REST 1

static inline int scr_carrier_of_wall(int wall)
{
    return 2 + wall;
}
static inline int scr_carrier_of_rigid(const scr_world *w, int rigid)
{
    return 2 + w->wall_count + rigid;
}
/* The rigid body that a carrier is; -1: it is another kind. */
static inline int scr_carrier_rigid(const scr_world *w, int carrier)
{
    int rigid = carrier - 2 - w->wall_count;
    return rigid < 0 ? -1 : rigid;
}
static inline int scr_carrier_count(const scr_world *w)
{
    return 2 + w->wall_count + (int)w->rigids.table.count;
}
/* Whether a body is a sphere of a clump: then mass, energy and momentum are the clump's. */
static inline bool scr_carrier_is_clump(const scr_world *w, int carrier)
{
    int rigid = scr_carrier_rigid(w, carrier);
    return rigid >= 0 && w->rigids.kind[rigid] == SCR_RIGID_CLUMP;
}
/* Where the unit is that a body belongs to, which leaves and is sorted as one: the centre of its clump, or its own. */
static inline vec3 scr_unit_place(const scr_world *w, size_t i)
{
    int carrier = w->bodies.carrier[i];
    if (carrier && scr_carrier_is_clump(w, carrier))
        return v3_load(w->rigids.centre + 4 * (size_t)scr_carrier_rigid(w, carrier));
    return v3_load(w->bodies.place + 4 * i);
}

#endif
