#include "world/resolved.h"

#include <stdlib.h>

#include "world/world.h"

bool scr_resolved_holds(const scr_world *w, const scr_resolved *resolved, vec3 x)
{
    if (resolved->wall >= 0) {
        const scr_wall *wall = &w->walls[resolved->wall];
        if (!wall->active) return false;
        x = pose_point_back(&wall->pose, x);
    }
    return scr_region_holds(&resolved->region, x, 0, 0);
}

void scr_resolved_deinit(scr_world *w)
{
    for (int k = 0; k < w->resolved_count; k++) free(w->resolved[k].name);
    free(w->resolved);
    w->resolved = NULL;
    w->resolved_count = 0;
}
