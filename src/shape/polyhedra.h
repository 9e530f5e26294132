/* Meshes of polyhedral cells: points, faces that are each there once, and what their shapes weigh.
 *
 * A face is a polygon with three or more corners, seen counter-clockwise from outside its first cell. It lies
 * between two cells, or on the border, where it has a side. Warped faces are meant as a fan of triangles about
 * the mean of their corners, for both cells alike. Cells are convex, but for the warp of their faces.
 *
 * In a periodic mesh a face may lie between a cell and the copy of another: the copy stands at the other cell's
 * place plus the face's shift.
 *
 * Masses and moments are sums over tetrahedra from a point within the cell to the triangles (a, b, c) of its
 * faces, with det = a.(b x c) and s = a + b + c:
 *
 *   V = sum det/6,   x = sum det s/24 / V,   int x x^T = sum det/120 (s s^T + a a^T + b b^T + c c^T).      (1) */
#ifndef SCREE_SHAPE_POLYHEDRA_H
#define SCREE_SHAPE_POLYHEDRA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/quat.h"
#include "math/vec3.h"

#define SCR_MOST_SIDES    32
#define SCR_MOST_GROUPS   32
#define SCR_NO_CELL       (-1)
#define SCR_NO_SIDE       (-1)
#define SCR_NO_CELL_GROUP (-1)

/* All arrays are owned and freed by scr_polyhedra_deinit: buffers (base/buffer.h), but `group` and `seeds`, which never
 * grow (base/memory.h). */
typedef struct {
    double *points; /* 3 each [m] */
    size_t point_count;

    uint32_t *first;   /* face_count + 1: where the corners of a face begin */
    uint32_t *corners; /* points */
    size_t corner_count;
    int32_t *cells; /* 2 per face; the second SCR_NO_CELL on the border */
    int32_t *side;  /* per face: SCR_NO_SIDE between two cells, else one of `sides` */
    double *shift;  /* 3 per face, 0 but across a periodic border [m]; NULL: no mesh of that kind */
    size_t face_count;

    size_t cell_count; /* the highest number of a face's cell, plus one */
    int32_t *group;    /* per cell: one of `groups`, or SCR_NO_CELL_GROUP; NULL: no groups */
    double *seeds;     /* of a Voronoi mesh: 3 per cell; NULL: none. Not kept by scr_polyhedra_append */

    char sides[SCR_MOST_SIDES][24]; /* names of the parts of the border, as a scene calls them */
    int side_count;
    char groups[SCR_MOST_GROUPS][24]; /* names of groups of cells, of a mesh from a file */
    int group_count;
} scr_polyhedra;

void scr_polyhedra_init(scr_polyhedra *mesh);
void scr_polyhedra_deinit(scr_polyhedra *mesh);

/* Building: false when memory is exhausted. Room for so many in all; without it, room grows as it is needed. */
bool scr_polyhedra_reserve(scr_polyhedra *mesh, size_t points, size_t faces, size_t corners);
bool scr_polyhedra_add_point(scr_polyhedra *mesh, vec3 x, uint32_t *number);
bool scr_polyhedra_add_face(scr_polyhedra *mesh, const uint32_t *corners, int count, int cell, int other, int side);
/* The face is between its first cell and a copy of the second, `shift` away from it. */
bool scr_polyhedra_shift(scr_polyhedra *mesh, size_t face, vec3 shift);
/* The other mesh behind this one: its points, faces and cells are numbered on. Sides and groups are those of the same
 * name; names must have room. */
bool scr_polyhedra_append(scr_polyhedra *mesh, const scr_polyhedra *other);
/* The number of a side by name; it is added when it is not there, SCR_NO_SIDE when there is no more room. */
int scr_polyhedra_side(scr_polyhedra *mesh, const char *name);
/* The same of groups. */
int scr_polyhedra_group(scr_polyhedra *mesh, const char *name);

/* Faces of each cell: faces[first[c]] to faces[first[c + 1] - 1], in the order of faces. */
typedef struct {
    uint32_t *first, *faces;
} scr_cell_faces;
bool scr_cell_faces_build(const scr_polyhedra *mesh, scr_cell_faces *of);
void scr_cell_faces_deinit(scr_cell_faces *of);

typedef struct {
    double volume; /* [m^3] */
    vec3 centre;   /* [m] */
    vec3 moments;  /* principal moments of inertia for density 1 [m^5] */
    quat axes;     /* turns x, y, z into the principal axes; one where they are that already */
} scr_cell_shape;

typedef struct {
    double area;   /* [m^2] */
    vec3 centre;   /* [m] */
    vec3 normal;   /* unit, out of the first cell */
    vec3 s, t;     /* unit principal axes of the second moment, n x s = t */
    double is, it; /* int (x.s)^2 dA, int (x.t)^2 dA, x from the centre [m^4]; is <= it */
} scr_face_shape;

/* (1) for every cell and face; rooms for cell_count and face_count, `faces` may be NULL. False when memory is
 * exhausted. */
bool scr_polyhedra_shapes(const scr_polyhedra *mesh, scr_cell_shape *cells, scr_face_shape *faces);
/* Of one face: where a table of all would take more memory than the mesh. */
scr_face_shape scr_polyhedra_face(const scr_polyhedra *mesh, size_t face);

/* Cells in the order of a Morton curve through their centres, faces in the order of their cells (the lower number
 * first), points in the order of their first use: neighbours are near in memory.
 * False when memory is exhausted. */
bool scr_polyhedra_sort(scr_polyhedra *mesh);

/* What is wrong with a mesh, if anything: which cell or face, in words. */
typedef struct {
    int cell, face; /* -1: not this */
    char what[160];
} scr_mesh_fault;
/* Each cell closed (every edge there and back, areas add up to zero), convex (corners lie behind the faces they
 * are not on), of positive volume; each face with area, its normal from the first cell to the second; the volume
 * `expected` [m^3] (NAN: unknown) is the sum. True when all is well; also false when memory is exhausted. */
bool scr_polyhedra_check(const scr_polyhedra *mesh, const scr_cell_shape *cells, const scr_face_shape *faces,
                         double expected, scr_mesh_fault *fault);

#endif
