/* Wall faces: the surfaces a sphere can touch, and their nearest point.
 *
 * Two kinds suffice for planes, boxes, discs, tubes and funnels:
 *   plane  the half-space behind `point`; grains are on the side of the unit vector `axis`;
 *   shell  the surface swept by turning the segment from (0, radius[0]) to (length, radius[1])
 * (distance along `axis` from `point`, distance from the axis) about the axis: a cylinder when the
 * radii are equal, a ring or disc when length is 0. It has no thickness and two sides. */
#ifndef SCREE_SHAPE_FACE_H
#define SCREE_SHAPE_FACE_H

#include "math/vec3.h"

typedef enum { SCR_FACE_PLANE, SCR_FACE_SHELL } scr_face_kind;

typedef struct {
    int kind;         /* scr_face_kind */
    vec3 point, axis; /* where it is now */
    vec3 rest;        /* the point when its wall has not moved: point = rest + the wall's offset */
    double length, radius[2];
    int wall;     /* the wall it belongs to */
    int material; /* of that wall */
} scr_face;

/* Distance from x to the face (negative behind a plane) and the unit normal from the face towards
 * x. */
static inline double scr_face_distance(const scr_face *face, vec3 x, vec3 *normal)
{
    vec3 d = v3_sub(x, face->point);
    double along = v3_dot(d, face->axis);
    if (face->kind == SCR_FACE_PLANE) {
        *normal = face->axis;
        return along;
    }

    // in the half-plane through the axis and x: nearest point of the segment
    vec3 radial = v3_axpy(d, -along, face->axis);
    double away = v3_norm(radial);
    double ds = face->length, dr = face->radius[1] - face->radius[0];
    double span = ds * ds + dr * dr;
    double t = span > 0 ? (along * ds + (away - face->radius[0]) * dr) / span : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double gap_along = along - t * ds, gap_away = away - (face->radius[0] + t * dr);
    double distance = sqrt(gap_along * gap_along + gap_away * gap_away);

    // back to space; on the axis every radial direction is as good as another
    vec3 out = away > 0 ? v3_scale(1 / away, radial) : v3_perpendicular(face->axis);
    if (distance > 0)
        *normal = v3_axpy(v3_scale(gap_along / distance, face->axis), gap_away / distance, out);
    else
        *normal = v3_unit(v3_axpy(v3_scale(-dr, face->axis), ds, out));
    return distance;
}

#endif
