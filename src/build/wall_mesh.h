/* Meshes of walls: read, repaired, placed; what was found is said aloud. */
#ifndef SCREE_BUILD_WALL_MESH_H
#define SCREE_BUILD_WALL_MESH_H

#include "scene/scene.h"
#include "shape/face.h"

/* The facets of a wall of shape mesh as faces, a buffer of the caller, and the middle of their box. */
scree_status scr_wall_mesh_faces(const scr_scene *scene, const scr_item *item, scr_face **faces, int *count,
                                 vec3 *middle, scree_report *report);

#endif
