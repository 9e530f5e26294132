/* Forces from outside, as a program sets them (scree_simulation_push): they belong to grains by id, so that rows may
 * change. */
#ifndef SCREE_WORLD_PUSHES_H
#define SCREE_WORLD_PUSHES_H

#include "world/bodies.h"

#define SCR_PUSHES_NOBODY UINT32_MAX

typedef struct scr_pushes {
    size_t count;
    int64_t *id;
    double *load;  /* six each: force [N], torque [N m] */
    uint32_t *row; /* where they are as long as `moves` is that of the bodies; SCR_PUSHES_NOBODY: gone */
    uint64_t moves;
} scr_pushes;

void scr_pushes_destroy(scr_pushes *pushes);
/* Rows of all, found again after bodies have moved. False: memory is exhausted. */
bool scr_pushes_find(scr_pushes *pushes, const scr_bodies *bodies);

#endif
