/* On which side of a plane of world/flow.h a grain is: one text for the CPU and for devices. */
#ifndef SCREE_WORLD_FLOW_TEXT_H
#define SCREE_WORLD_FLOW_TEXT_H

#include <math.h>
#include <stdint.h>

#include "math/vec3.h"

typedef struct {
    vec3 point, normal;
    double length; /* of the periodic axis */
    int periodic;  /* that axis, -1: none */
    int group;     /* only grains of this group; -1: all */
    int shift;     /* of its two bits in `side` */
} scr_flow_plane;

/* How many planes are behind a grain at x. */
static inline int64_t scr_flow_behind(const scr_flow_plane *f, const double *x, const int32_t *image)
{
    int d = f->periodic;
    if (d < 0) return v3_dot(v3_sub(v3_load(x), f->point), f->normal) >= 0;
    double p = (&f->point.x)[d], length = f->length;
    // the comparisons decide, not the rounding of the quotient
    int64_t k = (int64_t)floor((x[d] - p) / length);
    if (x[d] >= p + (double)(k + 1) * length) k++;
    if (x[d] < p + (double)k * length) k--;
    k += image[d];
    return (&f->normal.x)[d] > 0 ? k : -k;
}

/* Where a grain is now, into its two bits of *side. 0: it has not passed, or was not seen before; 1: it has passed
 * along the normal, 2: against it. */
static inline int scr_flow_cross(const scr_flow_plane *f, const double *x, const int32_t *image, int32_t *side)
{
    int now = (int)(scr_flow_behind(f, x, image) % 3), code = 1 + (now < 0 ? now + 3 : now),
        was = *side >> f->shift & 3;
    if (code == was) return 0;
    *side = (*side & ~(3 << f->shift)) | code << f->shift;
    return was ? 1 + ((code - was + 3) % 3 == 2) : 0;
}

#endif
