/* Meshes of simple bodies, made of hexahedra and what hexahedra become where edges shrink to points (wedges at an
 * axis, pyramids at a pole): blocks, cylinders and tubes, spheres and spherical shells; and plates of prisms.
 * Numbers must make sense (asserted); calls return false when memory is exhausted. The mesh is empty before. */
#ifndef SCREE_SHAPE_POLYHEDRA_MAKE_H
#define SCREE_SHAPE_POLYHEDRA_MAKE_H

#include "shape/polyhedra.h"
#include "shape/voronoi.h"

/* Sides: x-, x+, y-, y+, z-, z+, but where it is periodic. Cells with x fastest. */
typedef struct {
    vec3 lower, upper; /* [m] */
    int count[3];      /* cells along x, y, z */
    double jitter;     /* points move by up to this part of an edge along each axis; those on the border
                        * stay in it */
    uint64_t seed;
    bool periodic[3]; /* the last cell's neighbour is the first one */
} scr_block_def;
bool scr_polyhedra_block(const scr_block_def *def, scr_polyhedra *mesh);

/* A prism whose corners are on the cylinder; sides: outside, inside, bottom (at `from`), top. Without an inner
 * radius the innermost cells are wedges. Cells from the inside out, then around, then along. */
typedef struct {
    vec3 from, to;        /* [m], ends of the axis */
    vec3 zero;            /* direction (not along the axis) in which the centre of the first cell lies */
    double radius, inner; /* [m] */
    int across, around, along;
} scr_cylinder_def;
bool scr_polyhedra_cylinder(const scr_cylinder_def *def, scr_polyhedra *mesh);
/* The volume of the prism [m^3]. */
double scr_cylinder_def_volume(const scr_cylinder_def *def);

/* A polyhedron whose corners are on the sphere: rings around an axis. Sides: outside, inside, and where the polar
 * angle does not begin at 0 or end at pi: top, bottom. Cells from the inside out, then from the top down, then
 * around. */
typedef struct {
    vec3 centre;              /* [m] */
    vec3 axis;                /* direction of the polar angle 0 */
    vec3 zero;                /* direction (not along the axis) of the longitude of the first cells' centres */
    double radius, thickness; /* [m]; thickness == radius: solid */
    double top, bottom;       /* polar angles where it begins and ends [rad], 0 <= top < bottom <= pi */
    int radial, polar, around;
} scr_sphere_def;
bool scr_polyhedra_sphere(const scr_sphere_def *def, scr_polyhedra *mesh);
double scr_sphere_def_volume(const scr_sphere_def *def);

/* A convex outline in a plane, made thick along its normal (the thumb when fingers go round the outline): prisms on
 * the cells of a Voronoi mesh of the outline. Sides: bottom (the plane of the outline), top, edge. Cells of one
 * prism stand together. */
typedef struct {
    const vec3 *outline; /* corners [m] */
    int corner_count;
    double thickness; /* [m] */
    int layers;       /* cells through the thickness */
    scr_seeding seeding;
    size_t count;        /* seeds: prisms; of a grid about that many */
    double jitter;       /* of a grid */
    const double *given; /* 3 each; their place along the normal does not matter */
    uint64_t seed;
    int lloyd;
} scr_plate_def;
/* False with a fault in words: no memory, an outline that is not flat or not convex, what scr_voronoi_build finds. */
bool scr_polyhedra_plate(const scr_plate_def *def, scr_polyhedra *mesh, double *volume, scr_mesh_fault *fault);

#endif
