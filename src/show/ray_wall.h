/* Rays against walls, in closed form. */
#ifndef SCREE_SHOW_RAY_WALL_H
#define SCREE_SHOW_RAY_WALL_H

#include "show/picture.h"
#include "show/ray.h"

typedef struct {
    double distance;
    vec3 point;
    vec3 normal; /* unit; plane, ring: as given; box: into the box; frustum: outward */
} scr_wall_hit;

/* All crossings of the ray's line with the wall in front of the origin and within the limit: at
 * most two, in no order. Normals of planes and rings must have unit length. */
int scr_wall_hits(const scr_picture_wall *wall, const scr_ray *ray, scr_wall_hit hit[2]);

#endif
