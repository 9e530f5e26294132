/* Regions: where a generator may put grains. A grain belongs inside with its whole volume. */
#ifndef SCREE_SCENE_REGION_H
#define SCREE_SCENE_REGION_H

#include "base/random.h"
#include "scene/scene.h"

typedef enum {
    SCR_REGION_BOX,
    SCR_REGION_FRUSTUM,
    SCR_REGION_SPHERE,
    SCR_REGION_BEYOND /* a plane: of outlets only, it has no end */
} scr_region_kind;

typedef struct {
    scr_region_kind kind;
    vec3 low, high;   /* bounds [m] */
    bool endless[3];  /* box: the whole of a periodic axis, no border there */
    vec3 from, axis;  /* frustum: first end, unit direction; beyond: a point, unit normal */
    vec3 side[2];     /* frustum: unit vectors across the axis */
    double length;    /* frustum */
    double radius[2]; /* frustum: at both ends; sphere: the first */
    vec3 center;      /* sphere */
    double volume;    /* [m^3] */
} scr_region;

/* From the nested item; the whole domain when that was not given. Fails when the region's size is
 * beyond what numbers can hold. */
bool scr_region_init(scr_region *region, const scr_scene *scene, const scr_item *item);
/* The same in a domain. */
bool scr_region_init_in(scr_region *region, const scr_domain_def *domain, const scr_item *item);

/* Everything on the side of the normal. */
scr_region scr_region_beyond(vec3 point, vec3 normal);

/* Whether a sphere lies inside, up to `slack` beyond the border. */
bool scr_region_holds(const scr_region *region, vec3 center, double radius, double slack);

/* The border in sides: planes of a box where it is not endless, both ends and the mantle of a
 * frustum, the sphere. */
int scr_region_side_count(const scr_region *region);
/* Distance from a point inside to a side [m], and the unit vector that leads away from it;
 * INFINITY where there is no border. */
double scr_region_side(const scr_region *region, int side, vec3 point, vec3 *inward);

/* A random point, evenly spread over a simple shape around the region: the caller asks
 * scr_region_holds. False when no sphere of this radius fits at all. It draws SCR_REGION_DRAWS numbers; the point of a
 * sphere smaller by dr from the same numbers is nearer than 2 dr. */
#define SCR_REGION_DRAWS 3
bool scr_region_point(const scr_region *region, double radius, scr_random *random, vec3 *point);

#endif
