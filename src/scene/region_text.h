/* What a region holds, in one text for CPUs and GPUs. */
#ifndef SCREE_SCENE_REGION_TEXT_H
#define SCREE_SCENE_REGION_TEXT_H

#include "scene/region.h"

static inline bool region_box_holds(const scr_region *region, vec3 center, double margin)
{
    const double *p = &center.x, *low = &region->low.x, *high = &region->high.x;
    for (int k = 0; k < 3; k++)
        if (!region->endless[k] && (p[k] < low[k] + margin || p[k] > high[k] - margin)) return false;
    return true;
}

static inline bool region_frustum_holds(const scr_region *region, vec3 center, double margin)
{
    vec3 d = v3_sub(center, region->from);
    double s = v3_dot(d, region->axis);
    if (s < margin || s > region->length - margin) return false;
    double slope = (region->radius[1] - region->radius[0]) / region->length;
    double across = v3_norm(v3_axpy(d, -s, region->axis));
    return (region->radius[0] + slope * s - across) >= margin * sqrt(1 + slope * slope);
}

/* As scr_region_holds. */
static inline bool region_holds(const scr_region *region, vec3 center, double radius, double slack)
{
    double margin = radius - slack;
    switch (region->kind) {
    case SCR_REGION_BOX: return region_box_holds(region, center, margin);
    case SCR_REGION_FRUSTUM: return region_frustum_holds(region, center, margin);
    case SCR_REGION_BEYOND: return v3_dot(v3_sub(center, region->from), region->axis) >= margin;
    case SCR_REGION_SPHERE: return v3_norm(v3_sub(center, region->center)) + margin <= region->radius[0];
    }
    return false;
}

#endif
