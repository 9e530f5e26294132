#include "base/sort.h"

#include <stdlib.h>
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

static int by_key(const void *a, const void *b, void *keys)
{
    int64_t x = ((int64_t *)keys)[*(const uint32_t *)a], y = ((int64_t *)keys)[*(const uint32_t *)b];
    return (x > y) - (x < y);
}

// each key has a slot; false where there are too few keys for the slots, or two of them for one
static bool order_by_slots(const int64_t *keys, size_t count, uint32_t *order)
{
    int64_t low = keys[0], high = keys[0];
    for (size_t k = 1; k < count; k++) {
        low = keys[k] < low ? keys[k] : low;
        high = keys[k] > high ? keys[k] : high;
    }
    uint64_t slots = (uint64_t)high - (uint64_t)low;
    uint32_t *slot = slots < 4 * (uint64_t)count ? calloc(slots + 1, sizeof *slot) : NULL;
    if (!slot) return false;
    // places from 1 on: 0 is an empty slot
    for (size_t k = 0; k < count; k++) slot[keys[k] - low] = (uint32_t)k + 1;
    size_t n = 0;
    for (uint64_t k = 0; k <= slots; k++)
        if (slot[k]) order[n++] = slot[k] - 1;
    free(slot);
    return n == count;
}

void scr_order_of(const int64_t *keys, size_t count, uint32_t *order)
{
    if (!count || order_by_slots(keys, count, order)) return;
    for (size_t k = 0; k < count; k++) order[k] = (uint32_t)k;
    qsort_r(order, count, sizeof *order, by_key, (void *)keys);
}
