/* Bonds as the search for neighbours and the steppers see them: where their bodies are now. */
#ifndef SCREE_COLLIDE_BONDS_H
#define SCREE_COLLIDE_BONDS_H

#include "collide/pairs.h"
#include "kernel/law/bond.h"

#define SCR_BOND_VECTOR(row) ((rvec){(row)[0], (row)[1], (row)[2]})
#define SCR_BOND_MODES(row)  ((bond_modes){(row)[0], (row)[1], (row)[2], (row)[3]})

/* Everything that the law needs to know of bond k. */
static inline bond_state scr_bond_state(const scr_world *w, const scr_images *images, size_t k)
{
    const scr_bonds *bonds = &w->bonds;
    const scr_bodies *b = &w->bodies;
    const scr_bond_law *law = &w->bond_laws[bonds->law[k]];
    size_t i = (size_t)bonds->row[2 * k], j = (size_t)bonds->row[2 * k + 1];
    double d[3], dv[3];
    for (int a = 0; a < 3; a++) {
        d[a] = b->place[4 * i + (size_t)a] - b->place[4 * j + (size_t)a];
        dv[a] = b->motion[4 * i + (size_t)a] - b->motion[4 * j + (size_t)a];
    }
    scr_image_nearest(images, d, dv);
    rvec wi = SCR_BOND_VECTOR(b->spin + 4 * i), wj = SCR_BOND_VECTOR(b->spin + 4 * j);
    return (bond_state){.d = SCR_BOND_VECTOR(d),
                        .dv = SCR_BOND_VECTOR(dv),
                        .spin = rv_add(wi, wj),
                        .dw = rv_sub(wi, wj),
                        .rest = bonds->shape[2 * k],
                        .radius = bonds->shape[2 * k + 1],
                        .tensile = law->tensile_strength,
                        .sheared = law->shear_strength,
                        .k = SCR_BOND_MODES(bonds->spring + 4 * k),
                        .e = SCR_BOND_MODES(bonds->damper + 4 * k)};
}

/* What it remembers. */
static inline bond_history scr_bond_history(const scr_bonds *bonds, size_t k)
{
    const double *shear = bonds->shear + 4 * k, *bend = bonds->bend + 4 * k;
    const double *rate = bonds->rate + 8 * k;
    return (bond_history){SCR_BOND_VECTOR(shear),
                          SCR_BOND_VECTOR(bend),
                          shear[3],
                          SCR_BOND_VECTOR(rate),
                          SCR_BOND_VECTOR(rate + 4),
                          rate[3],
                          rate[7]};
}

static inline void bond_store(double *row, rvec v, double fourth)
{
    row[0] = v.x, row[1] = v.y, row[2] = v.z, row[3] = fourth;
}

static inline void scr_bond_remember(scr_bonds *bonds, size_t k, const bond_history *h)
{
    bond_store(bonds->shear + 4 * k, h->shear, h->twist);
    bond_store(bonds->bend + 4 * k, h->bend, 0);
    bond_store(bonds->rate + 8 * k, h->shear_rate, h->twist_rate);
    bond_store(bonds->rate + 8 * k + 4, h->bend_rate, h->normal_rate);
}

/* The force of bond k on its first body, as of the last evaluation, and the way from the second centre to
 * the first; zero where it is broken. */
vec3 scr_bond_force(const scr_world *world, const scr_images *images, size_t k, vec3 *branch);

/* Bonds follow their bodies to their new rows, or vanish with them (UINT32_MAX), and what they held
 * leaves with them. Between steps, when the histories of `pairs`, whose arrays it works in, are in world->contacts.
 * False when memory is exhausted. */
bool scr_bonds_renumber(scr_pairs *pairs, scr_world *world, const uint32_t *new_row);

#endif
