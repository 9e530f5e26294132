/* Bonds as the search for neighbours and the steppers see them: where their bodies are now. */
#ifndef SCREE_COLLIDE_BONDS_H
#define SCREE_COLLIDE_BONDS_H

#include "collide/pairs.h"
#include "kernel/law/bond.h"

/* Everything that the law needs to know of bond k. */
bond_state scr_bond_state(const scr_world *world, const scr_images *images, size_t k);

bond_history scr_bond_history(const scr_bonds *bonds, size_t k);
void scr_bond_remember(scr_bonds *bonds, size_t k, const bond_history *history);

/* The force of bond k on its first body, as of the last evaluation, and the way from the second centre to
 * the first; zero where it is broken. */
vec3 scr_bond_force(const scr_world *world, const scr_images *images, size_t k, vec3 *branch);

/* Bonds follow their bodies to their new rows, or vanish with them (UINT32_MAX), and what they held
 * leaves with them. Between steps. */
void scr_bonds_renumber(scr_world *world, const uint32_t *new_row);

#endif
