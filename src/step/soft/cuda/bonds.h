/* Bonds on a device: a thread for each finds its force; the kernel of tiles adds them to those of contacts. */
#ifndef SCREE_STEP_SOFT_CUDA_BONDS_H
#define SCREE_STEP_SOFT_CUDA_BONDS_H

#include "step/soft/cuda/tile.h"

struct scr_world;

typedef struct {
    uint32_t count;
    const struct scr_world *world; /* as it is in this step, with arrays of the device */
    double *load;                  /* 12 per bond, as soft_bonds has them */
    uint32_t place;                /* of sums: from here on, one per warp */
} soft_bond_rows;

#ifdef __cplusplus
extern "C" {
#endif

void scr_soft_bonds_launch(void *stream, const soft_tile *tile, const soft_bond_rows *rows);

#ifdef __cplusplus
}
#endif

#endif
