/* Bodies brought back into the periodic domain and into the order of the curve, on the device: as scr_world_wrap and
 * scr_order_morton of collide/, to the last bit and row. */
#ifndef SCREE_STEP_SOFT_CUDA_SORT_H
#define SCREE_STEP_SOFT_CUDA_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scene/region.h"

#define SOFT_SORT_PART 4096 /* rows that a block of threads takes */

/* Some body is to leave or is nowhere, or is a diameter outside of a periodic domain. */
enum { SOFT_LEAVING = 1, SOFT_ASTRAY = 2 };

typedef struct soft_sort_told {
    unsigned leaving;        /* of these */
    unsigned lost;           /* one has crossed the domain too often to count */
    unsigned long long used; /* bits of all keys */
} soft_sort_told;

/* As scr_outlet. */
typedef struct {
    scr_region region;
    double start, until;
} soft_outlet;

typedef struct {
    uint32_t bodies, parts;
    double *place;
    const double *motion;
    const soft_outlet *outlet;
    int outlets;
    double time;
    int32_t *image;
    const int64_t *id;
    double lower[3], upper[3], inverse; /* inverse: cells of the curve per metre */
    bool periodic[3];
    uint64_t *key[2];
    uint32_t *order[2];
    uint32_t *start; /* 256 per part, and sums of runs of them */
    uint32_t *start_sum;
    int shift;
    soft_sort_told *told;
} soft_sort;

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a body leaves or is astray. */
void scr_soft_sort_look(void *stream, const soft_sort *sort);
/* Places into the domain; keys of all rows. */
void scr_soft_sort_keys(void *stream, const soft_sort *sort);
/* One pass, from key[0] and order[0] to the others. */
void scr_soft_sort_pass(void *stream, const soft_sort *sort);
/* Those of equal keys in the order of ids. */
void scr_soft_sort_ties(void *stream, const soft_sort *sort);
/* Row k of `to` becomes row order[k] of `from`; rows of 4, 8, 16, 32 or 64 bytes. */
void scr_soft_sort_gather(void *stream, uint32_t bodies, const uint32_t *order, const void *from, void *to,
                          size_t bytes);
/* Numbers from zero. */
void scr_soft_sort_count(void *stream, uint32_t bodies, uint32_t *rows);

#ifdef __cplusplus
}
#endif

#endif
