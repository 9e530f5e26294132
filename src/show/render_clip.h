/* A plane across an axis; what lies on one side of it is not drawn. */
#ifndef SCREE_SHOW_RENDER_CLIP_H
#define SCREE_SHOW_RENDER_CLIP_H

#include <stdbool.h>

#include "math/vec3.h"

typedef struct {
    int axis; /* 0, 1, 2 */
    double at;
    int side; /* 1: above is left out, -1: below, 0: nothing */
} scr_clip;

static inline bool scr_clip_hides(const scr_clip *clip, vec3 p)
{
    double x = clip->axis == 0 ? p.x : clip->axis == 1 ? p.y : p.z;
    return clip->side * (x - clip->at) > 0;
}

#endif
