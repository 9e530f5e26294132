/* Items put into bins by many threads, with the same result for any number of them: bodies into cells, contacts to
 * their bodies. */
#ifndef SCREE_COLLIDE_BINS_H
#define SCREE_COLLIDE_BINS_H

#include <stddef.h>
#include <stdint.h>

/* The bin of an item. */
typedef uint32_t scr_bin_of(const void *context, uint32_t item);

/* The items of bin b become items[start[b]] to items[start[b + 1] - 1], in ascending order. Room for bins + 2 starts
 * and `count` items. Bins hold few items each. */
void scr_bins_fill(uint32_t *start, size_t bins, uint32_t *items, size_t count, scr_bin_of *bin_of,
                   const void *context);

#endif
