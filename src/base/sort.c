#include "base/sort.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"

typedef int comparison(const void *, const void *);

// two sorted runs that follow each other into one
static void merge(const char *from, size_t left, size_t right, size_t size, comparison *compare, char *to)
{
    const char *a = from, *middle = from + left * size, *b = middle, *end = middle + right * size;
    for (; a < middle && b < end; to += size) {
        const char **least = compare(a, b) <= 0 ? &a : &b;
        memcpy(to, *least, size);
        *least += size;
    }
    memcpy(to, a, (size_t)(middle - a));
    memcpy(to + (middle - a), b, (size_t)(end - b));
}

bool scr_sort(scr_sorter *sorter, void *data, size_t count, size_t size, comparison *compare)
{
    bool sorted = true;
    char *from = data;
    for (size_t n = 1; n < count && sorted; n++) sorted = compare(from + (n - 1) * size, from + n * size) <= 0;
    if (sorted) return true;
    if (!scr_memory_reserve(&sorter->room, &sorter->capacity, count * size, 0, 1)) return false;
    char *to = sorter->room;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t n = 0; n < count; n += 2 * run) {
            size_t left = count - n < run ? count - n : run;
            size_t right = count - n - left < run ? count - n - left : run;
            merge(from + n * size, left, right, size, compare, to + n * size);
        }
        char *swap = from;
        from = to, to = swap;
    }
    if (from != data) memcpy(data, from, count * size);
    return true;
}

int scr_by_u64(const void *a, const void *b)
{
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return p < q ? -1 : p > q;
}

int scr_by_u32(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return p < q ? -1 : p > q;
}

int scr_by_f64(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}
