/* Wall faces: the surfaces a sphere can touch, and their nearest point. Given in the rest frame of
 * their wall (world/wall.h).
 *
 *   plane     the half-space behind `point`; grains are on the side of the unit vector `axis`;
 *   shell     the surface swept by turning the segment from (0, radius[0]) to (length, radius[1])
 *             (distance along `axis` from `point`, distance from the axis) about the axis: a
 *             cylinder when the radii are equal, a ring or disc when length is 0;
 *   sphere    of radius[0] around `point`;
 *   triangle  point, point + edge[0], point + edge[1], with the unit normal `axis`.
 *
 * All but the plane, and shells and triangles that are `solid`, have no thickness and two sides. The nearest point lies
 * inside the face or on a part of its border, the feature: a rim of a shell, an edge or a corner of a triangle. */
#ifndef SCREE_SHAPE_FACE_H
#define SCREE_SHAPE_FACE_H

#include "math/pose.h"
#include "math/vec3.h"

typedef enum { SCR_FACE_PLANE, SCR_FACE_SHELL, SCR_FACE_SPHERE, SCR_FACE_TRIANGLE, SCR_FACE_KINDS } scr_face_kind;

typedef struct {
    int kind;         /* scr_face_kind */
    int wall;         /* the wall it belongs to */
    int material;     /* of that wall */
    vec3 point, axis; /* unit axis */
    double length, radius[2];
    vec3 edge[2]; /* of a triangle */
    int solid;    /* of a shell: 1 when all outside it is solid, -1 when all inside; of a triangle: 1 when all
                * behind it is; 0: a thin sheet */
} scr_face;

/* Features of a face: its inside, then the parts of its border. */
enum {
    SCR_INSIDE,
    SCR_RIM_FROM, /* of a shell: at `point`, at point + length axis */
    SCR_RIM_TO,
    SCR_EDGE_AB = 1, /* of a triangle with corners a = point, b, c */
    SCR_EDGE_BC,
    SCR_EDGE_CA,
    SCR_CORNER_A,
    SCR_CORNER_B,
    SCR_CORNER_C
};

typedef struct {
    double distance; /* negative behind a plane, and within what is solid */
    vec3 normal;     /* unit, from the nearest point towards x */
    vec3 point;      /* the nearest point */
    int feature;
} scr_near;

scr_near scr_face_nearest(const scr_face *face, vec3 x);

/* The part of a grain's radius by which it can overlap the face and stay on its side. A thin wall has no inside: a
 * centre that comes near it is about to pass through. */
static inline double scr_face_limit(const scr_face *face)
{
    return face->kind == SCR_FACE_PLANE || face->solid ? 1 : 0.9;
}

/* The normal towards x as if the face had this feature only: an endless plane, cone, line or point.
 * It is smooth where the nearest point passes from one feature to the next. */
vec3 scr_face_normal(const scr_face *face, int feature, vec3 x);

/* How the normal turns as x moves: the second derivative of the distance is first a a + second b b with unit vectors
 * a and b = normal x a. Zero where x is so near that it turns without bound. */
typedef struct {
    vec3 a;
    double first, second; /* [1/m] */
} scr_bend;

/* `near` is that of x. */
scr_bend scr_face_bend(const scr_face *face, const scr_near *near, vec3 x);

/* Distance from x to the face (negative behind a plane) and the unit normal from the face towards
 * x. */
static inline double scr_face_distance(const scr_face *face, vec3 x, vec3 *normal)
{
    scr_near near = scr_face_nearest(face, x);
    *normal = near.normal;
    return near.distance;
}

/* The box that holds the face; endless for a plane. */
void scr_face_box(const scr_face *face, vec3 *lower, vec3 *upper);

/* The face of a wall in this pose. */
scr_face scr_face_moved(const scr_face *face, const pose *pose);

#endif
