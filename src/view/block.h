/* What the viewer's client gets as numbers: named arrays, one behind the other, little-endian.
 *
 *   8 bytes   "scview1" and a zero
 *   of each array: 16 bytes name, u32 type (0 f32, 1 u32, 2 f64), u32 width, u64 rows, the numbers, zeros up to a
 *   multiple of 8 bytes
 *
 * viewer/src/api.js reads it. */
#ifndef SCREE_VIEW_BLOCK_H
#define SCREE_VIEW_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { SCR_BLOCK_F32, SCR_BLOCK_U32, SCR_BLOCK_F64 } scr_block_type;

/* {0} at the start; `data` is malloc'ed and the caller's. */
typedef struct {
    unsigned char *data;
    size_t size, capacity;
    bool failed; /* no memory */
} scr_block;

/* One more array of rows x width numbers, to be filled before the next call: zeros, or NULL without memory. */
void *scr_block_add(scr_block *block, const char *name, scr_block_type type, int width, size_t rows);
/* The same as f32, from doubles less `origin` (width numbers; NULL: zeros). False without memory. */
bool scr_block_add_f32(scr_block *block, const char *name, int width, size_t rows, const double *values,
                       const double *origin);

#endif
