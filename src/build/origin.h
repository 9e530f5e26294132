/* Times of a scene that count from the start of a stage. */
#ifndef SCREE_BUILD_ORIGIN_H
#define SCREE_BUILD_ORIGIN_H

#include "scene/scene.h"
#include "world/world.h"

/* When the stage began that last changed an item of a section, or a key of the top level (name "") [s]: its times are
 * counted from then. 0 without stages. */
static inline double scr_origin(const scr_world *world, const scr_scene *scene, const char *section, const char *name)
{
    int stage = scr_scene_changed_in(scene, section, name);
    return stage ? scr_stage_time(world, stage) : 0;
}

#endif
