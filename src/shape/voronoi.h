/* Voronoi meshes in a box or a convex body that planes cut out, by voro++ (Rycroft 2009): a cell is what is nearer
 * to its seed than to any other. All arithmetic is in units of the mean distance of seeds.
 *
 * voro++ makes each cell by itself, and the two cells of a face see it with different rounding, or not at all where
 * it is very small. So corners nearer to each other than a millionth of the distance of seeds become one (one that
 * is on more walls wins, so that walls stay where they are), faces that have lost all but two corners vanish, and of
 * a face that two cells see the one of the lower cell counts. Cells then are closed exactly.
 *
 * Bodies with round surfaces are given many planes: a face cut by two different tangent planes would not fit. */
#ifndef SCREE_SHAPE_VORONOI_H
#define SCREE_SHAPE_VORONOI_H

#include "shape/polyhedra.h"

#define SCR_MOST_CUTS 512

/* Keeps normal . x <= offset; `normal` is a unit vector. Its faces are on the side of this name. */
typedef struct {
    vec3 normal;
    double offset;
    const char *side;
} scr_cut;

/* A pyramid's frustum with `facets` planes, or a polyhedron of that many planes on a spiral: of the volume of the
 * round frustum or sphere. Rooms for facets + 2 and facets cuts; how many. A radius may be 0: there is no side
 * there. Sides: outside, bottom (at `from`), top. */
int scr_cuts_frustum(vec3 from, vec3 to, double radius_from, double radius_to, int facets, scr_cut *cuts);
int scr_cuts_sphere(vec3 centre, double radius, int facets, scr_cut *cuts);

/* The body that planes leave. False when there is none: `why` says so. */
typedef struct {
    vec3 lower, upper, inside; /* bounds, and a point within */
    double volume;
    const char *why;
} scr_cuts_body;
bool scr_cuts_measure(const scr_cut *cuts, int count, scr_cuts_body *body);

typedef enum {
    SCR_SEEDS_RANDOM, /* anywhere */
    SCR_SEEDS_GRID,   /* a cubic grid, each moved by up to `jitter` of its distance along each axis */
    SCR_SEEDS_GIVEN
} scr_seeding;

typedef struct {
    vec3 lower, upper;   /* box; not used with cuts */
    bool periodic[3];    /* not with cuts: opposite sides of the box are one */
    const scr_cut *cuts; /* NULL: the box, with sides x-, x+, ... */
    int cut_count;
    scr_seeding seeding;
    size_t count;        /* seeds; of a grid: about that many */
    double jitter;       /* of a grid, below 0.5; none along an axis with one layer */
    const double *given; /* 3 each */
    uint64_t seed;       /* of random numbers */
    int lloyd;           /* times that seeds go to the centres of their cells */
    bool flat;           /* all seeds at the mean of the lower and the upper z */
} scr_voronoi_def;

/* Makes the mesh, with its seeds, and the volume it must have. False with a fault in words (`cell` is the number of
 * a seed). */
bool scr_voronoi_build(const scr_voronoi_def *def, scr_polyhedra *mesh, double *volume, scr_mesh_fault *fault);

#endif
