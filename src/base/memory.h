/* Aligned memory, and how it is said that there is none. Arrays that grow are in base/buffer.h, what is taken bit by
 * bit and given back at once in base/arena.h. */
#ifndef SCREE_BASE_MEMORY_H
#define SCREE_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/status.h"

/* Alignment of every array: a cache line, and enough for any vector register. */
#define SCR_ALIGN 64

/* Room for `count` items of `size` bytes, zero; NULL when memory is exhausted. */
void *scr_memory_new(size_t count, size_t size);
void scr_memory_free(void *data);

/* The one message about memory: "no memory for ..." (the rest is the caller's, as printf) and how many bytes could not
 * be had, where this thread asked for them here. Returns SCREE_E_MEMORY. */
scree_status scr_no_memory(scree_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of a file. */
scree_status scr_no_memory_in(scree_report *report, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Grows *data to hold at least `count` items of `size` bytes, keeping the first `used` of them;
 * never shrinks. The first time it takes what is asked, later an eighth more. New memory is zero.
 * Returns false when memory is exhausted (then nothing has changed). *capacity is in items. Free
 * with scr_memory_free. */
bool scr_memory_reserve(void *data_pointer, size_t *capacity, size_t count, size_t used, size_t size);

/* memcpy and memset for arrays that may be empty, and then may be NULL, which the originals forbid. */
static inline void scr_copy(void *to, const void *from, size_t bytes)
{
    if (bytes) memcpy(to, from, bytes);
}
static inline void scr_clear(void *data, size_t bytes)
{
    if (bytes) memset(data, 0, bytes);
}

#endif
