#include "collide/bins.h"

#include <string.h>

#include "exec/cpu/threads.h"
#include "exec/reduce.h"

#define PARTS 64 /* that starts are summed in */

typedef struct {
    uint32_t *start, *items;
    size_t bins, count;
    scr_bin_of *bin_of;
    const void *context;
    uint32_t sums[PARTS]; /* of the counts before each part */
} filling;

static void clear_rows(void *context, size_t from, size_t to)
{
    const filling *f = context;
    memset(f->start + from, 0, (to - from) * sizeof *f->start);
}

// the end of the run of items from k on that are in one bin: one atomic operation will do for all of them
static size_t run_end(const filling *f, size_t k, size_t to, uint32_t bin, uint32_t *next)
{
    while (++k < to && (*next = f->bin_of(f->context, (uint32_t)k)) == bin) continue;
    return k;
}

// the items of bin b are counted in start[b + 2] ...
static void count_rows(void *context, size_t from, size_t to)
{
    const filling *f = context;
    uint32_t bin = f->bin_of(f->context, (uint32_t)from), next = 0;
    for (size_t end; from < to; from = end, bin = next) {
        end = run_end(f, from, to, bin, &next);
        __atomic_fetch_add(&f->start[bin + 2], (uint32_t)(end - from), __ATOMIC_RELAXED);
    }
}

static size_t part_start(const filling *f, size_t index)
{
    return 2 + f->bins * index / PARTS;
}

static void sum_part(void *context, size_t index)
{
    filling *f = context;
    uint32_t sum = 0;
    for (size_t b = part_start(f, index), end = part_start(f, index + 1); b < end; b++) sum += f->start[b];
    f->sums[index] = sum;
}

static void add_part(void *context, size_t index)
{
    const filling *f = context;
    uint32_t sum = f->sums[index];
    for (size_t b = part_start(f, index), end = part_start(f, index + 1); b < end; b++)
        f->start[b] = sum += f->start[b];
}

// ... so that after summing start[b + 1] is where bin b begins ...
static void sum_starts(filling *f)
{
    scr_each(PARTS, NULL, sum_part, f);
    for (uint32_t k = 0, sum = 0, own; k < PARTS; k++, sum += own) own = f->sums[k], f->sums[k] = sum;
    scr_each(PARTS, NULL, add_part, f);
}

// ... and after filling where it ends
static void fill_rows(void *context, size_t from, size_t to)
{
    const filling *f = context;
    uint32_t bin = f->bin_of(f->context, (uint32_t)from), next = 0;
    for (size_t end; from < to; bin = next) {
        end = run_end(f, from, to, bin, &next);
        uint32_t at = __atomic_fetch_add(&f->start[bin + 1], (uint32_t)(end - from), __ATOMIC_RELAXED);
        while (from < end) f->items[at++] = (uint32_t)from++;
    }
}

// threads came in any order
static void sort_rows(void *context, size_t from, size_t to)
{
    const filling *f = context;
    for (size_t b = from; b < to; b++)
        for (uint32_t k = f->start[b] + 1; k < f->start[b + 1]; k++) {
            uint32_t one = f->items[k], at = k;
            for (; at > f->start[b] && f->items[at - 1] > one; at--) f->items[at] = f->items[at - 1];
            f->items[at] = one;
        }
}

void scr_bins_fill(uint32_t *start, size_t bins, uint32_t *items, size_t count, scr_bin_of *bin_of, const void *context)
{
    filling f = {.start = start, .items = items, .bins = bins, .count = count, .bin_of = bin_of, .context = context};
    scr_each_rows(bins + 2, clear_rows, &f);
    if (count == 0) return;
    scr_each_rows(count, count_rows, &f);
    sum_starts(&f);
    scr_each_rows(count, fill_rows, &f);
    scr_each_rows(bins, sort_rows, &f);
}
