/* Energies of one sphere by its rows [J]: the text of world/energy.h, and of what adds them up on a device. A body
 * whose inverse mass is zero is frozen or moves as prescribed, and has none. */
#ifndef SCREE_WORLD_ENERGY_TEXT_H
#define SCREE_WORLD_ENERGY_TEXT_H

#include <stdint.h>

/* Rows whose energies are added up one after the other; then these sums are. */
#define SCR_ENERGY_RUN 1024

static inline double scr_row_translation(const double *v, double mass)
{
    if (v[3] == 0) return 0;
    return 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* A solid sphere: I = 2/5 m r^2. */
static inline double scr_row_rotation(const double *w, double radius, double mass)
{
    if (w[3] == 0) return 0;
    return 0.2 * mass * radius * radius * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

/* -m g.x, with x counted through periodic boundaries; `size` is that of the domain. */
static inline double scr_row_potential(const double *v, const double *x, const int32_t *image, const double *size,
                                       const double *gravity, double mass)
{
    if (v[3] == 0) return 0;
    double at[3];
    for (int d = 0; d < 3; d++) at[d] = x[d] + image[d] * size[d];
    return -mass * (gravity[0] * at[0] + gravity[1] * at[1] + gravity[2] * at[2]);
}

#endif
