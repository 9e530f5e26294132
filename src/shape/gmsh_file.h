/* What a gmsh file holds, as it stands there (gmsh_file.c), before it becomes a mesh (gmsh.c). */
#ifndef SCREE_SHAPE_GMSH_FILE_H
#define SCREE_SHAPE_GMSH_FILE_H

#include "shape/mesh.h"

typedef struct {
    uint64_t tag; /* number in the file */
    vec3 x;
    int line;
} scr_gmsh_node;

/* Triangles 2, quadrangles 3, tetrahedra 4, hexahedra 5, prisms 6, pyramids 7: gmsh's numbers. */
enum {
    SCR_GMSH_TRIANGLE = 2,
    SCR_GMSH_QUADRANGLE,
    SCR_GMSH_TETRAHEDRON,
    SCR_GMSH_HEXAHEDRON,
    SCR_GMSH_PRISM,
    SCR_GMSH_PYRAMID
};

typedef struct {
    uint64_t tag;
    int64_t physical; /* 0: none */
    uint64_t nodes[8];
    int type, line;
} scr_gmsh_element;

typedef struct {
    int dimension;
    int64_t tag;
    char name[24];    /* physical names */
    int64_t physical; /* entities */
} scr_gmsh_tag;

/* All arrays are from scr_memory_reserve. */
typedef struct {
    scr_gmsh_node *nodes;
    scr_gmsh_element *elements;
    scr_gmsh_tag *names, *entities;
    size_t node_count, element_count, name_count, entity_count;
} scr_gmsh_file;

/* Number of corners of an element of this type; 0: not one of those above. */
int scr_gmsh_corners(int type);

/* False with an error; the file is to be freed in any case. */
bool scr_gmsh_file_read(const char *bytes, size_t size, scr_gmsh_file *file, scr_mesh_error *error);
void scr_gmsh_file_deinit(scr_gmsh_file *file);

#endif
