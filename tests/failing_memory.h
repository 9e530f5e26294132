/* An allocator that can be told to fail, in front of the C library's: base/memory.c gets its memory here. */
#ifndef SCREE_TESTS_FAILING_MEMORY_H
#define SCREE_TESTS_FAILING_MEMORY_H

#include <errno.h>
#include <malloc.h>

static int allocations, fail_at = -1; /* fail_at: the number of the allocation that fails, -1: none */

int posix_memalign(void **data, size_t alignment, size_t bytes);
int posix_memalign(void **data, size_t alignment, size_t bytes)
{
    if (allocations++ == fail_at) return ENOMEM;
    // a sanitizer would end the program
    *data = bytes < (size_t)1 << 40 ? memalign(alignment, bytes) : NULL;
    return *data ? 0 : ENOMEM;
}

#endif
