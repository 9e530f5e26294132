/* The mesh of an elastic solid, as the scene describes it. */
#ifndef SCREE_RUN_SOLID_MESH_H
#define SCREE_RUN_SOLID_MESH_H

#include "scene/scene.h"
#include "shape/polyhedra.h"

/* Into `mesh`, which is empty: in place (turned and moved), cells sorted, checked. Errors name the item. */
scree_status scr_solid_mesh(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh,
                            scree_report *report);

#endif
