/* Sorting: any number of items, runs, equals in their order. */
#include "base/sort.h"

#include "base/memory.h"
#include "base/random.h"
#include "check.h"

typedef struct {
    int key, number;
    char more[24];
} item;

static int by_key(const void *a, const void *b)
{
    return ((const item *)a)->key - ((const item *)b)->key;
}

int main(void)
{
    scr_sorter sorter = {0};
    scr_random r = scr_random_stream(1, 1);
    static item items[700];
    bool good = true;
    for (int n = 0; n < 700; n += n < 40 ? 1 : 61)
        for (int kinds = 1; kinds < 2000; kinds *= 3) {
            for (int k = 0; k < n; k++) items[k] = (item){(int)(scr_random_unit(&r) * kinds), k, ""};
            good &= scr_sort(&sorter, items, (size_t)n, sizeof *items, by_key);
            for (int k = 1; k < n; k++)
                good &= items[k - 1].key < items[k].key ||
                        (items[k - 1].key == items[k].key && items[k - 1].number < items[k].number);
        }
    CHECK(good);
    scr_memory_free(sorter.room);
    return check_done();
}
