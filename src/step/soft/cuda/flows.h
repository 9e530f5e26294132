/* Passages through planes (world/flow.h) on a device: the sides of grains live there while steps run. After each drift
 * a thread for each row looks at all planes; those that have passed are noted, and the host counts them when a batch is
 * over, in the order of steps, planes and rows, which is that of the CPU. There is room for all grains to pass all
 * planes in each step of a batch. */
#ifndef SCREE_STEP_SOFT_CUDA_FLOWS_H
#define SCREE_STEP_SOFT_CUDA_FLOWS_H

#include "step/soft/cuda/tile.h"
#include "world/flow.h"
#include "world/flow_text.h"

/* One grain has passed one plane. */
typedef struct {
    int32_t node; /* of the batch */
    uint16_t plane, against;
    uint32_t row;
    uint32_t unused;
    double place[3], mass;
} soft_passage;

typedef struct {
    uint32_t bodies;
    int planes;
    scr_flow_plane plane[SCR_MOST_FLOWS];
    const double *place, *mass;
    const int32_t *image, *group;
    int32_t *side;
    int node;
    const soft_control *control;
    soft_passage *passage;
    uint32_t *count;
} soft_flows;

#ifdef __cplusplus
extern "C" {
#endif

void scr_soft_flows_pass(void *stream, const soft_flows *flows);

#ifdef __cplusplus
}
#endif

#endif
