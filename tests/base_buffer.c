/* Buffers: growth, what is kept, alignment, counts that do not fit, memory that is not there. */
#include "base/buffer.h"

#include <stdint.h>

#include "check.h"
#include "failing_memory.h"

static bool aligned(const void *data)
{
    return (uintptr_t)data % SCR_ALIGN == 0;
}

static void check_growth(void)
{
    double *a = NULL;
    CHECK_INT(scr_room_of(a), 0);
    CHECK(scr_reserve(&a, 0) && a && aligned(a));
    scr_buffer_free(a), a = NULL;

    // what is asked for, then an eighth more; never less
    CHECK(scr_reserve(&a, 100));
    CHECK_INT(scr_room_of(a), 100);
    bool zero = true;
    for (int k = 0; k < 100; k++) zero &= a[k] == 0, a[k] = k;
    CHECK(zero);
    double *before = a;
    CHECK(scr_reserve(&a, 100) && scr_reserve(&a, 1) && a == before);
    CHECK(scr_reserve(&a, 800) && aligned(a));
    CHECK_INT(scr_room_of(a), 800 + 100 + 64);

    // what was there stays, the rest is zero
    bool kept = true;
    for (size_t k = 0; k < scr_room_of(a); k++) kept &= a[k] == (k < 100 ? (double)k : 0);
    CHECK(kept);

    // or only the first of it, and no more than there is
    CHECK(scr_reserve_kept(&a, 2000, 10) && aligned(a));
    CHECK_INT(scr_room_of(a), 2000 + 250 + 64);
    for (size_t k = 0; k < scr_room_of(a); k++) kept &= a[k] == (k < 10 ? (double)k : 0);
    before = a;
    CHECK(kept && scr_reserve_kept(&a, 2000, 0) && a == before && a[9] == 9);
    CHECK(scr_reserve_kept(&a, 5000, 4000) && a[9] == 9 && a[10] == 0);
    scr_buffer_free(a);
    scr_buffer_free(NULL);
}

typedef struct {
    char odd[24];
    int number;
} item;

static void check_push(void)
{
    item *items = NULL;
    size_t count = 0;
    bool good = true;
    int before = allocations;
    for (int k = 0; k < 10000; k++) good &= scr_push(items, count, (item){"", k});
    CHECK(good);
    CHECK_INT(count, 10000);
    for (int k = 0; k < 10000; k++) good &= items[k].number == k;
    CHECK(good && aligned(items));
    // an eighth more each time
    CHECK(allocations - before < 50);
    scr_buffer_free(items);
}

// large ones lie on large pages
static void check_large(void)
{
    char *bytes = NULL;
    CHECK(scr_reserve(&bytes, (size_t)5 << 20));
    CHECK(aligned(bytes) && bytes[0] == 0 && bytes[((size_t)5 << 20) - 1] == 0);
    scr_buffer_free(bytes);
}

static void check_overflow(void)
{
    scree_report report;
    scree_report_init(&report);
    double *a = NULL;
    const size_t most[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 8, SIZE_MAX / 8 + 1, SIZE_MAX / 9};
    for (int grown = 0; grown < 2; grown++) {
        for (size_t k = 0; k < sizeof most / sizeof *most; k++) CHECK(!scr_reserve(&a, most[k]));
        CHECK_INT(scr_room_of(a), grown ? 3 : 0);
        CHECK(grown || scr_reserve(&a, 3));
    }
    CHECK_INT(scr_reserve_all(&report, "too much", SCR_ROOM(a, SIZE_MAX)), SCREE_E_MEMORY);
    CHECK_INT(report.errors, 1);
    scree_report_deinit(&report);
    scr_buffer_free(a);
}

static void check_failure(void)
{
    scree_report report;
    scree_report_init(&report);
    double *a = NULL;
    item *b = NULL;
    CHECK(!scr_reserve_all(&report, "grains", SCR_ROOM(a, 3), SCR_ROOM(b, 2)));
    a[2] = 5, b[1].number = 7;

    // the second one fails: the first has grown, the second is as it was
    fail_at = allocations + 1;
    CHECK_INT(scr_reserve_all(&report, "grains", SCR_ROOM(a, 1000), SCR_ROOM(b, 1000)), SCREE_E_MEMORY);
    CHECK(scr_room_of(a) >= 1000 && a[2] == 5);
    CHECK(scr_room_of(b) == 2 && b[1].number == 7);
    CHECK_INT(report.errors, 1);
    // 1000 and an eighth and 64 items of 28 bytes, with the line in front, in whole lines
    CHECK_TEXT(report.messages[0].text, "no memory for grains: 33408 bytes");

    // it is said once; the next time nothing was missing
    CHECK_INT(scr_no_memory(&report, "the file %s", "x"), SCREE_E_MEMORY);
    CHECK_TEXT(report.messages[1].text, "no memory for the file x");

    size_t count = scr_room_of(b);
    fail_at = allocations;
    CHECK(!scr_push(b, count, (item){"", 1}));
    CHECK(count == 2 && b[1].number == 7);
    scr_free_all(a, b);
    scree_report_deinit(&report);
}

int main(void)
{
    check_growth();
    check_push();
    check_large();
    check_overflow();
    check_failure();
    return check_done();
}
