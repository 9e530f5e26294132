/* What several pictures show together, so that all can have the same view: the outermost points in many directions. */
#ifndef SCREE_SHOW_PICTURE_HULL_H
#define SCREE_SHOW_PICTURE_HULL_H

#include "show/picture.h"

#define SCR_HULL_WAYS 96

struct scr_picture_hull {
    bool any;
    double reach[SCR_HULL_WAYS]; /* along each direction [m] */
    vec3 point[SCR_HULL_WAYS];   /* of the body that reaches as far, */
    double radius[SCR_HULL_WAYS];
};

/* Adds what the content shows; infinite planes do not count, nor of many grains the outermost 0.2 % in each direction;
 * those outside of the domain count as if they lay on its surface. False when memory is exhausted. */
bool scr_hull_add(scr_picture_hull *hull, const scr_picture_content *content);

#endif
