/* Rows that a device found in any order are put into that of their keys: qsort(rows, n, sizeof *rows, by_key). */
#ifndef SCREE_STEP_SOFT_CUDA_NUMBERED_H
#define SCREE_STEP_SOFT_CUDA_NUMBERED_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t key;
    size_t at; /* where it was found */
} numbered;

static inline int by_key(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

#endif
