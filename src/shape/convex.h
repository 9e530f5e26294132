/* One convex polyhedron in its place, and who touches it.
 *
 * Overlap of two convex bodies is the least displacement that parts them (for a sphere: radius minus distance of
 * its centre from the polyhedron, negative distances inside counted along the nearest allowed face). All contacts
 * are given as points with a unit normal from the second body to the first and an overlap, positive where they
 * touch. */
#ifndef SCREE_SHAPE_CONVEX_H
#define SCREE_SHAPE_CONVEX_H

#include <stdbool.h>
#include <stdint.h>

#include "math/vec3.h"
#include "shape/face.h"

#define SCR_MOST_CORNERS 128 /* of one polyhedron; more cannot touch */
#define SCR_MOST_FACES   64

/* Faces point outward. `free` says which of them may be touched: the others are glued to a neighbour. */
typedef struct {
    int corner_count, face_count;
    vec3 corners[SCR_MOST_CORNERS];
    vec3 normal[SCR_MOST_FACES];   /* unit */
    double offset[SCR_MOST_FACES]; /* normal . x = offset on the face */
    uint16_t first[SCR_MOST_FACES + 1];
    uint16_t
        around[4 * SCR_MOST_CORNERS]; /* corners of each face, counter-clockwise from outside */
    bool free[SCR_MOST_FACES];
    vec3 centre;
    double radius; /* of the sphere around `centre` that holds all corners */
} scr_convex;

typedef struct {
    vec3 point;     /* in the middle of the overlap */
    vec3 normal;    /* unit, from the second to the first */
    double overlap; /* [m]; negative: a gap */
    int feature
        [2]; /* of the first and the second: face, edge, corner; the same number while it is the same one */
} scr_meeting_point;

/* Nearest point of the free faces to x: distance, negative inside. False when no free face is nearer than any
 * glued one: then the contact is a neighbour's. `feature` is unique within the polyhedron. */
bool scr_convex_nearest(const scr_convex *body, vec3 x, double *distance, vec3 *point, vec3 *normal,
                        int *feature);

#define SCR_MOST_MEETING 8
/* Contacts of a polyhedron (first) with a face of a wall (second), nearer than `reach` [m]; how many. */
int scr_convex_wall(const scr_convex *body, const scr_face *face, double reach,
                    scr_meeting_point *points);
/* Contacts of two polyhedra nearer than `reach`. */
int scr_convex_convex(const scr_convex *a, const scr_convex *b, double reach,
                      scr_meeting_point *points);

#endif
