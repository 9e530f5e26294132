/* Rays against many small bodies: spheres, rods (capsules) and triangles, in one tree of boxes.
 *
 * The tree has four children per node and four bodies per leaf, so that one step tests four boxes
 * or four bodies in plain loops of length four that the compiler turns into vector code. It is
 * built top down by splitting at the median of the longer side (a balanced tree, no surprises in
 * time or depth). Bodies are kept in single precision: the caller scales its scene to about unit
 * size around the origin. */
#ifndef SCREE_SHOW_RAY_H
#define SCREE_SHOW_RAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/vec3.h"

/* A sphere is a rod with both ends at the same point. A triangle has the corners from, to and third, and no radius. */
typedef struct {
    float from[3], to[3];
    float third[3];
    bool triangle;
    bool thin; /* hides nothing from the light */
    float radius;
    uint32_t id; /* of the caller; told back in a hit */
} scr_ray_body;

typedef struct scr_ray_node scr_ray_node;
typedef struct scr_ray_leaf scr_ray_leaf;

typedef struct {
    scr_ray_node *nodes; /* nodes[0] is the root; none when there are no bodies */
    scr_ray_leaf *leaves;
    size_t node_count, leaf_count;
} scr_ray_tree;

/* Builds the tree of `count` bodies, whose order it changes; the caller may free them afterwards.
 * False when memory is exhausted. At most 2^31 bodies. */
bool scr_ray_tree_init(scr_ray_tree *tree, scr_ray_body *bodies, size_t count);
void scr_ray_tree_deinit(scr_ray_tree *tree);

typedef struct {
    vec3 origin;
    vec3 direction; /* unit length */
    double limit;   /* hits beyond this distance do not count */
} scr_ray;

typedef struct {
    double distance;
    vec3 point, normal; /* on the surface; the normal points outward, of a triangle towards the origin */
    double radius;
    uint32_t id;
    bool triangle;
    double edge, height; /* of a triangle: distance of the point, and of the third corner, from the line from - to */
} scr_ray_hit;

/* The nearest hit within the ray's limit; bodies that contain the origin are not seen. */
bool scr_ray_nearest(const scr_ray_tree *tree, const scr_ray *ray, scr_ray_hit *hit);
/* Whether a body that is not thin lies on the ray within its limit. */
bool scr_ray_blocked(const scr_ray_tree *tree, const scr_ray *ray);

#endif
