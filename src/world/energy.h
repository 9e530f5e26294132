/* Energies of one body [J]. Those of the spheres of a clump are not theirs but the clump's: see scr_world_energies. */
#ifndef SCREE_WORLD_ENERGY_H
#define SCREE_WORLD_ENERGY_H

#include "world/carrier.h"
#include "world/energy_text.h"

static inline double scr_body_translation(const scr_bodies *b, size_t i)
{
    return scr_row_translation(b->motion + 4 * i, b->mass[i]);
}

static inline double scr_body_rotation(const scr_bodies *b, size_t i)
{
    return scr_row_rotation(b->spin + 4 * i, b->place[4 * i + 3], b->mass[i]);
}

static inline double scr_body_potential(const scr_world *w, size_t i)
{
    const scr_bodies *b = &w->bodies;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    return scr_row_potential(b->motion + 4 * i, b->place + 4 * i, b->image + 4 * i, &size.x, &w->gravity.x, b->mass[i]);
}

/* Energies of all bodies, in runs of SCR_ENERGY_RUN rows, of clumps, parts and cells. Aggregates have those of their
 * members. */
static inline void scr_world_energies(const scr_world *w, double *translation, double *rotation, double *potential)
{
    *translation = *rotation = *potential = 0;
    for (size_t from = w->bodies.low, end = scr_bodies_end(&w->bodies); from < end; from += SCR_ENERGY_RUN) {
        double run[3] = {0};
        for (size_t i = from; i < end && i < from + SCR_ENERGY_RUN; i++) {
            if (scr_carrier_is_clump(w, w->bodies.carrier[i])) continue;
            run[0] += scr_body_translation(&w->bodies, i);
            run[1] += scr_body_rotation(&w->bodies, i);
            run[2] += scr_body_potential(w, i);
        }
        *translation += run[0], *rotation += run[1], *potential += run[2];
    }
    for (size_t k = 0; k < w->rigids.table.count; k++) {
        if (w->rigids.kind[k] == SCR_RIGID_AGGREGATE) continue;
        *translation += scr_rigid_translation(&w->rigids, k);
        *rotation += scr_rigid_rotation(&w->rigids, k);
        *potential += scr_rigid_potential(w, k);
    }
    for (size_t k = 0; k < w->cells.table.count; k++) {
        *translation += scr_cell_translation(&w->cells, k);
        *rotation += scr_cell_rotation(&w->cells, k);
        *potential += scr_cell_potential(w, k);
    }
}

#endif
