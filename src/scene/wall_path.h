/* The table of places that a wall follows (key `path`). */
#ifndef SCREE_SCENE_WALL_PATH_H
#define SCREE_SCENE_WALL_PATH_H

#include "scene/scene.h"

/* Rows of time [s], x, y, z [m], angle [rad], times increasing; *table is a buffer. */
scree_status scr_wall_path_read(const scr_scene *scene, const scr_item *wall, double **table, int *rows,
                                scree_report *report);

#endif
