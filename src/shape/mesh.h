/* Triangle meshes: from the bytes of a file to welded vertices and facets, and what is wrong with
 * them. Pure: it opens nothing and prints nothing. */
#ifndef SCREE_SHAPE_MESH_H
#define SCREE_SHAPE_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/vec3.h"

typedef struct {
    /* buffers, owned */
    vec3 *vertices;
    uint32_t (*facet)[3]; /* numbers of vertices, counter-clockwise seen from outside */
    uint32_t *source;     /* number of each facet in the file, from 1 */
    uint32_t vertex_count, facet_count;
} scr_mesh;

void scr_mesh_deinit(scr_mesh *mesh);

/* Why a file cannot be read. */
typedef struct {
    int line;       /* of a text file, 0: none */
    char what[160]; /* "vertex 3 has 2 numbers, must have 3" */
    bool no_memory;
} scr_mesh_error;

/* What is wrong at a line; false, so that a caller can write `return scr_mesh_refuse(...)`. */
__attribute__((format(printf, 3, 4))) bool scr_mesh_refuse(scr_mesh_error *error, int line, const char *format, ...);
/* The same where memory is exhausted. */
bool scr_mesh_no_memory(scr_mesh_error *error, int line);

typedef enum { SCR_MESH_STL, SCR_MESH_OBJ, SCR_MESH_TRIANGLES } scr_mesh_format;

/* Reads STL (text or binary, told apart by their bytes), Wavefront OBJ, whose polygons are cut into
 * triangles, or lines of nine numbers. `bytes` is followed by a zero. False when it cannot be read; the mesh is then
 * empty. */
bool scr_mesh_read(const char *bytes, size_t size, scr_mesh_format format, scr_mesh *mesh, scr_mesh_error *error);

/* What was found, in numbers of facets or edges. */
typedef struct {
    uint32_t welded;        /* vertices that were others again: expected of STL, which repeats them */
    uint32_t degenerate;    /* facets without area: dropped */
    uint32_t duplicates;    /* facets that were there already: dropped */
    uint32_t flipped;       /* facets turned round to agree with their neighbours */
    uint32_t slivers;       /* kept: height less than a thousandth of the longest edge */
    uint32_t first_sliver;  /* facet number in the file */
    uint32_t open_edges;    /* of one facet only */
    uint32_t many_edges;    /* of more than two facets */
    uint32_t twisted_edges; /* neighbours that cannot agree which side is out */
    uint32_t pieces;        /* parts that hang together by edges */
    bool closed;            /* no open edge: it has an inside */
    double area, volume;    /* volume only of a closed mesh */
    vec3 lower, upper;
} scr_mesh_report;

/* Welds vertices that are nearer than a millionth of a percent of the mesh's size, drops facets that
 * are degenerate or there twice, turns facets so that neighbours agree. False when memory is
 * exhausted. */
bool scr_mesh_repair(scr_mesh *mesh, scr_mesh_report *report);

#endif
