#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20)

/* Bytes that this thread could not have, until it is said. */
static _Thread_local size_t missing;

static void *none(size_t bytes)
{
    missing = bytes;
    return NULL;
}

// all zero: pages that are given back are so when they are touched again, each by the thread that needs it
static void *clear_large(char *data, size_t bytes)
{
    madvise(data, bytes, MADV_HUGEPAGE); // gathers go anywhere in it: the machine finds large pages sooner
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = bytes / page * page;
    if (madvise(data, whole, MADV_DONTNEED)) whole = 0;
    memset(data + whole, 0, bytes - whole);
    return data;
}

void *scr_memory_new(size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - SCR_ALIGN) / size) return none(SIZE_MAX);
    size_t bytes = (count * size + SCR_ALIGN - 1) / SCR_ALIGN * SCR_ALIGN;
    if (bytes == 0) bytes = SCR_ALIGN;
    bool large = bytes >= 2 * HUGE_PAGE;
    void *data;
    if (posix_memalign(&data, large ? HUGE_PAGE : SCR_ALIGN, bytes)) return none(bytes);
    return large ? clear_large(data, bytes) : memset(data, 0, bytes);
}

void scr_memory_free(void *data)
{
    free(data);
}

static void refuse(scree_report *report, const char *file, const char *format, va_list args)
{
    char what[256], bytes[40] = "";
    vsnprintf(what, sizeof what, format, args);
    if (missing) snprintf(bytes, sizeof bytes, ": %zu bytes", missing);
    missing = 0;
    scr_fail(report, SCREE_E_MEMORY, (scree_place){.file = file}, "no memory for %s%s", what, bytes);
}

scree_status scr_no_memory(scree_report *report, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse(report, NULL, format, args);
    va_end(args);
    return SCREE_E_MEMORY;
}

scree_status scr_no_memory_in(scree_report *report, const char *file, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse(report, file, format, args);
    va_end(args);
    return SCREE_E_MEMORY;
}

bool scr_memory_reserve(void *data_pointer, size_t *capacity, size_t count, size_t used, size_t size)
{
    if (count <= *capacity) return true;
    // what is asked for at first; an eighth more when it grows again, so that growth stays rare
    size_t wanted = *capacity ? count + count / 8 + 64 : count;
    void *grown = scr_memory_new(wanted, size);
    if (!grown) return false;
    void *old;
    memcpy(&old, data_pointer, sizeof old);
    if (old) memcpy(grown, old, used * size);
    scr_memory_free(old);
    memcpy(data_pointer, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}
