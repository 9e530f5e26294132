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

// keys that are dense, far apart, and at the ends of what there is
static void check_orders(scr_random *r)
{
    enum { COUNT = 1000 };
    int64_t keys[COUNT];
    uint32_t order[COUNT];
    static const int64_t strides[] = {1, 3, 1000, INT64_MAX / 500};
    for (int s = 0; s < 4; s++) {
        for (int k = 0; k < COUNT; k++) keys[k] = (k - COUNT / 2) * strides[s];
        for (int k = COUNT - 1; k > 0; k--) {
            int other = (int)(scr_random_unit(r) * (k + 1));
            int64_t key = keys[k];
            keys[k] = keys[other], keys[other] = key;
        }
        scr_order_of(keys, COUNT, order);
        bool good = true;
        for (int k = 0; k < COUNT; k++) good &= keys[order[k]] == (k - COUNT / 2) * strides[s];
        CHECK(good);
    }
    scr_order_of(NULL, 0, order);
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
    check_orders(&r);
    return check_done();
}
