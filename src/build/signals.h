/* Functions of time, from the scene. */
#ifndef SCREE_BUILD_SIGNALS_H
#define SCREE_BUILD_SIGNALS_H

#include "scene/scene.h"
#include "world/world.h"

/* The nested item `signal` of a load, support or servo, or of the top level (gravity); constant when it is absent.
 * `path` names it in messages; NULL: from the item. Its times count from `origin`. */
scree_status scr_signal_read(const scr_scene *scene, const scr_item *item, const scr_item *nested, const char *path,
                             double origin, scr_signal *signal, scree_report *report);
/* Gravity and how it varies; the present one is that of time zero. */
scree_status scr_build_gravity(scr_world *world, const scr_scene *scene, scree_report *report);

#endif
