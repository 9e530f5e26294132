/* One convex polyhedron in its place, and what touches it.
 *
 * Overlap of two convex bodies is the least displacement that parts them (for a sphere: radius minus distance of
 * its centre from the polyhedron, negative distances inside counted along the nearest allowed face). All contacts
 * are given as points with a unit normal from the second body to the first and an overlap, positive where they
 * touch.
 *
 * Faces that are glued to a neighbour cannot be touched. Corners and edges between a glued and a free face belong
 * to the surface of the whole body; a caller that handles several of its polyhedra takes care that they count once
 * (collide/cell_touch.h).
 *
 * Where several points together make one contact each has a share of it: it presses with this part of the
 * contact law. The shares of a face that lies flat on another add up to the part of the smaller one that is
 * covered, and the corners of a polygon share by their exterior angles, whose sum is 2 pi. So the force does not
 * jump when a corner of the overlap splits in two, or when a face slides from one to the next. */
#ifndef SCREE_SHAPE_CONVEX_H
#define SCREE_SHAPE_CONVEX_H

#include <stdbool.h>
#include <stdint.h>

#include "math/pose.h"
#include "math/vec3.h"
#include "shape/face.h"

#define SCR_MOST_CORNERS 128 /* of one polyhedron; more cannot touch */
#define SCR_MOST_FACES   96
#define SCR_MOST_EDGES   (SCR_MOST_CORNERS + SCR_MOST_FACES) /* Euler: corners + faces - 2 */

typedef struct {
    uint16_t corner[2]; /* the first face has them in this order */
    uint16_t face[2];
} scr_convex_edge;

/* A view: the caller owns the arrays. Faces point outward. */
typedef struct {
    int corner_count, face_count, edge_count;
    const vec3 *corners;
    const vec3 *normal;     /* of each face, unit */
    const double *offset;   /* normal . x = offset on the face */
    const double *top;      /* the largest normal . x of all corners: the offset, where faces are flat */
    const uint16_t *first;  /* face_count + 1: where the corners of a face begin in `around` */
    const uint16_t *around; /* corners of each face, counter-clockwise from outside */
    const scr_convex_edge *edges;
    const uint8_t *free; /* of each face: it may be touched, 0: it is glued to a neighbour */
    const double *share; /* of each corner, on a plane; 0: no free face has it */
    vec3 centre;
    double radius; /* of the sphere around `centre` that holds all corners */
    bool flat;     /* all faces are, and lie on the hull of the corners */
} scr_convex;

/* Arrays for one polyhedron. */
typedef struct {
    vec3 corners[SCR_MOST_CORNERS], normal[SCR_MOST_FACES];
    double offset[SCR_MOST_FACES], top[SCR_MOST_FACES], share[SCR_MOST_CORNERS];
    uint16_t first[SCR_MOST_FACES + 1], around[2 * SCR_MOST_EDGES];
    scr_convex_edge edges[SCR_MOST_EDGES];
    uint8_t free[SCR_MOST_FACES];
    int corner_count, face_count, edge_count;
} scr_convex_room;

/* Normals, edges and shares from corners, faces and what is free of a room; the view of it. An edge where a face is
 * missing has the one that is there twice. False when there are more than SCR_MOST_EDGES. */
bool scr_convex_build(scr_convex_room *room, scr_convex *body);
/* The same in another place. The lists are those of `body`, points and normals go to the room. */
void scr_convex_moved(const scr_convex *body, const pose *place, scr_convex_room *room, scr_convex *moved);
/* Likewise, to arrays of the caller with room for its corners and faces. */
void scr_convex_move(const scr_convex *body, const pose *place, vec3 *corners, vec3 *normal, double *offset,
                     double *top, scr_convex *moved);
/* Shares of the corners, after `free` has changed; `share` has room for all corners. */
void scr_convex_share(const scr_convex *body, double *share);

/* Features: faces, edges (of `edges`) and corners by number. */
typedef enum { SCR_FEATURE_FACE, SCR_FEATURE_EDGE, SCR_FEATURE_CORNER } scr_feature_class;
static inline int scr_feature(int kind, int number)
{
    return kind << 16 | number;
}
static inline int scr_feature_kind(int feature)
{
    return feature >> 16;
}
static inline int scr_feature_number(int feature)
{
    return feature & 0xffff;
}
/* The faces that have this feature, at most `most` of them; how many. */
int scr_convex_faces_at(const scr_convex *body, int feature, int *faces, int most);

typedef struct {
    double distance; /* negative inside */
    vec3 point;      /* of the surface, nearest to x */
    vec3 normal;     /* unit, from the point towards x (inside: out of the face) */
    int feature;
    bool shared; /* the feature belongs to a glued face too */
} scr_convex_spot;

/* The point of the surface nearest to x; inside: of the free face that is nearest. False when no free face has it:
 * then the contact is a neighbour's. */
bool scr_convex_nearest(const scr_convex *body, vec3 x, scr_convex_spot *spot);
/* The normal towards x as if the body had this feature only: it is smooth where the nearest point passes from one
 * feature to the next. */
vec3 scr_convex_normal(const scr_convex *body, int feature, vec3 x);

typedef struct {
    vec3 point;     /* in the middle of the overlap */
    vec3 normal;    /* unit, from the second to the first */
    double overlap; /* [m]; negative: a gap */
    double share;   /* of the contact law */
    int feature[2]; /* the same numbers while it is the same contact */
} scr_meeting_point;

#define SCR_MOST_MEETING 32

/* Contacts of a polyhedron (first) with a face of a wall (second), nearer than `reach` [m]; how many.
 *
 * Plane: the corners. Shell, sphere, triangle: corners whose nearest point lies inside the face, behind it as seen
 * from the polyhedron's centre; the face is meant to be large and little bent against the polyhedron. A triangle's
 * edges, those that stick out of their wall (bits of `sharp`: ab, bc, ca), meet edges between free faces. Corners and
 * rims of walls that stick into a face of the polyhedron are not seen. Features: of the polyhedron; of the wall's
 * face. */
int scr_convex_wall(const scr_convex *body, const scr_face *face, unsigned sharp, double reach,
                    scr_meeting_point *points);

/* Contacts of two polyhedra nearer than `reach`, by separating axes (Gottschalk et al. 1996): normals of faces and
 * cross products of those edges that are foremost along them, which where faces are flat is told by the faces on both
 * sides of each: their normals, as arcs on a sphere, cross. The axis of least overlap among those of free faces and of
 * edges between free faces tells the normal. A face: the opposite face of the other is clipped by its sides (Sutherland
 * & Hodgman 1974), each corner of what is left is a contact. None where a glued face or edge is nearer and the overlap
 * is more than three tenths of the smaller radius. Edges: one contact, preferred only where its overlap is less by a
 * tenth, so that faces that lie flat on each other stay so. */
int scr_convex_convex(const scr_convex *a, const scr_convex *b, double reach, scr_meeting_point *points);
/* A face of `a`, or SCR_MOST_FACES + a face of `b`, that parts them by `reach` or more, so that they have no contact;
 * or -1. Whether this one does: a caller that remembers it has the answer sooner. */
int scr_convex_parting(const scr_convex *a, const scr_convex *b, double reach);
bool scr_convex_parted(const scr_convex *a, const scr_convex *b, double reach, int face);

#endif
