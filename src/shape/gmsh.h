/* Meshes from gmsh: text files (.msh) of format 2.x and 4.1, with tetrahedra, hexahedra, prisms and pyramids of first
 * order. Physical surfaces become sides, physical volumes groups of cells; border faces in no physical surface are on
 * the side `rest`. Cells are in the order of the file. Pure: it opens nothing and prints nothing. */
#ifndef SCREE_SHAPE_GMSH_H
#define SCREE_SHAPE_GMSH_H

#include "shape/mesh.h"
#include "shape/polyhedra.h"

/* What was found and is worth a word. */
typedef struct {
    size_t turned;     /* elements whose nodes went round the wrong way: turned */
    size_t coincident; /* nodes at the same place as another: cells are not joined there */
    size_t inner;      /* triangles and quadrangles of physical surfaces that lie between two cells: no side */
    size_t stray;      /* ... that are not a face of any cell */
    size_t unused;     /* nodes of no cell */
} scr_gmsh_report;

/* `bytes` is followed by a zero. The mesh is empty before; checked after (polyhedra.h): errors name the element by its
 * number in the file. False when it cannot be read. */
bool scr_gmsh_read(const char *bytes, size_t size, scr_polyhedra *mesh, scr_gmsh_report *report, scr_mesh_error *error);

#endif
