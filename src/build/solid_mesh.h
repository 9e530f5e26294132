/* The mesh of an elastic solid, as the scene describes it. */
#ifndef SCREE_BUILD_SOLID_MESH_H
#define SCREE_BUILD_SOLID_MESH_H

#include "scene/scene.h"
#include "shape/polyhedra.h"

/* Into `mesh`, which is empty: in place (turned and moved), cells sorted, checked. Errors name the item. */
scree_status scr_solid_mesh(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh, scree_report *report);

/* Meshes of variants `voronoi` and `plate` (solid_voronoi.c); *volume is what the cells must add up to. */
scree_status scr_solid_voronoi(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh, double *volume,
                               scree_report *report);
scree_status scr_solid_plate(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh, double *volume,
                             scree_report *report);
/* Variant `file` (solid_file.c). */
scree_status scr_solid_file(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh, double *volume,
                            scree_report *report);

/* Of random numbers: from the scene's seed and the item's name. */
uint64_t scr_solid_seed(const scr_scene *scene, const scr_item *item);
/* Whether a box may be periodic along these axes. */
scree_status scr_solid_periodic(const scr_scene *scene, const scr_item *item, const vec3 *box, const bool periodic[3],
                                scree_report *report);

#endif
