/* Edges of a mesh that are worth a line: where facets meet at an angle, and where the mesh ends. */
#ifndef SCREE_SHOW_RENDER_EDGES_H
#define SCREE_SHOW_RENDER_EDGES_H

#include <stddef.h>

#include "shape/face.h"

/* Six numbers each, from and to, malloc'ed into *edges (NULL when there are none or memory is exhausted); how many.
 * Corners nearer than a millionth of the mesh's size are one. */
size_t scr_mesh_edges(const scr_face *faces, size_t count, double **edges);

#endif
