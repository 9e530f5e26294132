/* Bonds of a scene: their laws, which grains are bonded at the start, and how fast they swing. */
#ifndef SCREE_BUILD_BONDS_H
#define SCREE_BUILD_BONDS_H

#include "scene/scene.h"
#include "world/world.h"

scree_status scr_build_bond_laws(scr_world *world, const scr_scene *scene, scree_report *report);

/* Takes the bonds of the world of a checkpoint, whose bodies `world` has already; laws are matched by
 * name and are those of the scene. Laws found there are marked in `taken`. */
scree_status scr_adopt_bonds(scr_world *world, const scr_scene *scene, scr_world *from, bool *taken,
                             scree_report *report);

/* Bonds grains that are near each other, by the laws that are not marked in `skip_law`; says how many
 * and how stiff. Where some are made, bodies are wrapped into the domain and their anchors change. */
scree_status scr_build_bonds(scr_world *world, const scr_scene *scene, const bool *skip_law, scree_report *report);

/* Half a period of the fastest swing of a bonded pair [s], and which bond it is and which way it swings
 * (0 stretch, 1 shear, 2 bending, 3 twist); INFINITY when there is no bond. */
double scr_shortest_bond(const scr_world *world, size_t *bond, int *mode);
/* The same in words: "shear of the bond between grains 1 and 2 (bonds.cement)". */
void scr_bond_text(const scr_world *world, size_t bond, int mode, char *text, size_t size);

#endif
