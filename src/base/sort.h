/* Sorting that keeps the order of equals and allocates nothing once its room has grown: qsort does. */
#ifndef SCREE_BASE_SORT_H
#define SCREE_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room to sort in; {0} at the start, `room` is freed with scr_memory_free. */
typedef struct {
    char *room;
    size_t capacity;
} scr_sorter;

/* As qsort; false when memory is exhausted. */
bool scr_sort(scr_sorter *sorter, void *data, size_t count, size_t size, int (*compare)(const void *, const void *));

/* For items that begin with a uint64_t, a uint32_t, or a double: in its order. */
int scr_by_u64(const void *a, const void *b);
int scr_by_u32(const void *a, const void *b);
int scr_by_f64(const void *a, const void *b);

/* order[0], order[1], ... are the places of the keys, which are all different, from the smallest on. Fast where the
 * keys are dense, as ids are. */
void scr_order_of(const int64_t *keys, size_t count, uint32_t *order);

#endif
