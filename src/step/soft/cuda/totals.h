/* Sums over all bodies, or over all places of sums, on the device: in runs, each one number after the other, so that
 * their order is fixed and that of energies is the one of scr_world_energies. The host adds up the runs. */
#ifndef SCREE_STEP_SOFT_CUDA_TOTALS_H
#define SCREE_STEP_SOFT_CUDA_TOTALS_H

#include <stddef.h>
#include <stdint.h>

#include "world/energy_text.h"

enum { SOFT_TRANSLATION, SOFT_ROTATION, SOFT_POTENTIAL, SOFT_MOTIONS };

typedef struct {
    uint32_t bodies;
    const double *place, *motion, *spin, *mass;
    const int32_t *image;
    double size[3], gravity[3];
    double *sums; /* SOFT_MOTIONS for each run of SCR_ENERGY_RUN rows */
} soft_motions;

#define SOFT_PLACES_RUN       512 /* of sums */
#define SOFT_RUNS(count, run) (((count) + (run)-1) / (run))

#ifdef __cplusplus
extern "C" {
#endif

void scr_soft_totals_motions(void *stream, const soft_motions *motions);
/* Of places with `width` numbers each, at most 8: as many sums for each run of SOFT_PLACES_RUN places. */
void scr_soft_totals_places(void *stream, const double *values, size_t count, uint32_t width, double *sums);

#ifdef __cplusplus
}
#endif

#endif
