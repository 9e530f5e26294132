/* Energies of one body [J]; one that is frozen or moves as prescribed has none. Those of the spheres of a
 * clump are not theirs but the clump's: see scr_world_energies. */
#ifndef SCREE_WORLD_ENERGY_H
#define SCREE_WORLD_ENERGY_H

#include "world/frame.h"

static inline double scr_body_translation(const scr_bodies *b, size_t i)
{
    const double *v = b->motion + 4 * i;
    if (v[3] == 0) return 0;
    return 0.5 * b->mass[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* A solid sphere: I = 2/5 m r^2. */
static inline double scr_body_rotation(const scr_bodies *b, size_t i)
{
    const double *w = b->spin + 4 * i;
    if (w[3] == 0) return 0;
    double r = b->place[4 * i + 3];
    return 0.2 * b->mass[i] * r * r * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

/* -m g.x, with x counted through periodic boundaries. */
static inline double scr_body_potential(const scr_world *w, size_t i)
{
    const scr_bodies *b = &w->bodies;
    if (b->motion[4 * i + 3] == 0) return 0;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    const double *x = b->place + 4 * i;
    const int32_t *n = b->image + 4 * i;
    vec3 at = v3(x[0] + n[0] * size.x, x[1] + n[1] * size.y, x[2] + n[2] * size.z);
    return -b->mass[i] * v3_dot(w->gravity, at);
}

/* Energies of all bodies, clumps, parts and cells. Aggregates have those of their members. */
static inline void scr_world_energies(const scr_world *w, double *translation, double *rotation, double *potential)
{
    *translation = *rotation = *potential = 0;
    for (size_t i = w->bodies.low; i < scr_bodies_end(&w->bodies); i++) {
        if (scr_frame_is_clump(w, w->bodies.frame[i])) continue;
        *translation += scr_body_translation(&w->bodies, i);
        *rotation += scr_body_rotation(&w->bodies, i);
        *potential += scr_body_potential(w, i);
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
