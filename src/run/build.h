/* From a scene to a world: materials, groups, walls, bodies; then laws and the numbers derived from
 * them. */
#ifndef SCREE_RUN_BUILD_H
#define SCREE_RUN_BUILD_H

#include "scene/scene.h"
#include "world/world.h"

/* Domain, gravity, materials, groups, walls and faces; no bodies, no laws. */
scree_status scr_build_stage(scr_world *world, const scr_scene *scene, scree_report *report);
/* Generates the bodies of the groups that are not marked in `skip_group`, clear of those already there. */
scree_status scr_build_bodies(scr_world *world, const scr_scene *scene, const bool *skip_group,
                              scree_report *report);
/* Takes bodies and contacts from the world of a checkpoint: materials, groups and walls are matched
 * by name. Groups found there are marked in `taken`, others of the scene remain to be generated. */
scree_status scr_build_adopt(scr_world *world, const scr_scene *scene, scr_world *from, bool *taken,
                             scree_report *report);

/* What is known of the bodies of one material: the defaults are derived from it. */
typedef struct {
    size_t count;              /* moving bodies */
    double radius[2], mass[2]; /* smallest and largest of the moving bodies [m], [kg] */
    bool infinite;             /* there are frozen bodies or walls of it */
} scr_sizes;

/* One per material; the caller frees it with scr_memory_free. */
scr_sizes *scr_sizes_of(const scr_world *world);

/* Whether bodies of materials a and b can meet. */
bool scr_sizes_meet(const scr_sizes *sizes, int a, int b);

/* Laws of all pairs that can meet and have none yet, from `contacts` and `materials`; says what it chose. */
scree_status scr_build_laws(scr_world *world, const scr_scene *scene, scree_report *report);
/* Digest of the definitions that scr_build_laws reads. */
uint64_t scr_laws_source(const scr_scene *scene);

/* The shortest contact time of the world [s] and the two materials it belongs to; INFINITY when
 * nothing can meet. */
double scr_shortest_contact(const scr_world *world, const scr_sizes *sizes, int materials[2]);

/* Largest speed to expect [m/s]: a fall through the domain, or the fastest body now. */
double scr_expected_speed(const scr_world *world, const char **reason);

/* The step in the clock against the shortest contact: a warning above a tenth of it, an error above
 * all of it. */
scree_status scr_check_step(const scr_world *world, const scr_scene *scene, scree_report *report);

/* Time step and skin into the clock, where the scene says auto; says what it chose. */
scree_status scr_choose_step(scr_world *world, const scr_scene *scene, scree_report *report);

#endif
