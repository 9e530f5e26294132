/* Parts, joints and clumps from their definitions, and what a continued run keeps of them. */
#ifndef SCREE_BUILD_RIGIDS_H
#define SCREE_BUILD_RIGIDS_H

#include "scene/generate.h"
#include "scene/scene.h"
#include "world/world.h"

/* Parts and joints of the scene into the world, which has its walls. */
scree_status scr_build_parts(scr_world *world, const scr_scene *scene, scree_report *report);

/* The shape of a group's grains, of a grain of radius 1: spheres in the frame of the principal axes, from the
 * centre of mass. */
typedef struct {
    int count; /* of spheres; 0: grains are single spheres */
    double spheres[SCR_MOST_CLUMP][4];
    double smallest; /* radius of the smallest sphere */
    double volume;
    vec3 centre;  /* of mass, in the coordinates of the scene */
    vec3 moments; /* of inertia, of density 1 */
    quat turn;    /* principal axes to the coordinates of the scene */
    bool aligned;
    uint64_t key; /* of the random stream of orientations */
} scr_clump_form;
/* False when memory is exhausted. */
bool scr_clump_form_of(scr_clump_form *form, const scr_scene *scene, const scr_item *group);
/* Volume over that of the sphere around it; 1 of a single sphere. */
double scr_clump_fill(const scr_clump_form *form);

/* Room for so many more grains; false when memory is exhausted. */
bool scr_build_reserve(scr_world *world, const scr_clump_form *form, size_t grains);
/* A grain, for which there is room: one body, or a clump with its members. `number` counts the grains of the group:
 * it draws the orientation. The first row; ids of clumps are given from the clock when `ids` is true, else left 0. */
size_t scr_build_grain(scr_world *world, const scr_clump_form *form, const scr_grain *grain, int group, uint64_t number,
                       bool ids);

/* Rigid bodies go on from those of another world, whose bodies have been taken over: parts and joints by name, clumps
 * with their group; carriers of bodies become those of this world. `from` still has its walls and groups. */
scree_status scr_adopt_rigids(scr_world *world, const scr_scene *scene, scr_world *from, scree_report *report);

#endif
