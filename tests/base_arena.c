/* Arenas: what is taken is apart, aligned and zero; used again after a reset; memory that is not there. */
#include "base/arena.h"

#include <stdint.h>

#include "check.h"
#include "failing_memory.h"

#define MANY 3000

// of all sizes, some larger than a chunk
static size_t size_of(int k)
{
    return (size_t)(k % 7 == 0 ? 0 : k % 97 == 0 ? 40000 + k : k % 250);
}

static void take_many(scr_arena *arena)
{
    static unsigned char *taken[MANY];
    bool good = true;
    for (int k = 0; k < MANY; k++) {
        taken[k] = SCR_TAKE(arena, unsigned char, size_of(k));
        good &= taken[k] && (uintptr_t)taken[k] % SCR_ALIGN == 0;
        for (size_t n = 0; good && n < size_of(k); n++) good &= taken[k][n] == 0;
        memset(taken[k], k & 255, size_of(k));
    }
    CHECK(good);
    for (int k = 0; k < MANY; k++)
        for (size_t n = 0; n < size_of(k); n++) good &= taken[k][n] == (k & 255);
    CHECK(good);
}

static void check_reset(void)
{
    scr_arena arena = {0};
    take_many(&arena);
    int before = allocations;
#if !defined(__SANITIZE_ADDRESS__) // there each has a chunk of its own
    CHECK(before < 200);
#endif
    // the same again needs nothing new
    for (int round = 0; round < 2; round++) {
        scr_arena_reset(&arena);
        take_many(&arena);
    }
    CHECK_INT(allocations, before);
    scr_arena_deinit(&arena);
    CHECK(!arena.first && !arena.now);
    scr_arena_deinit(&arena);
}

static void check_failure(void)
{
    scree_report report;
    scree_report_init(&report);
    scr_arena arena = {0};
    CHECK(SCR_TAKE(&arena, double, 10) != NULL);
    CHECK_INT(scr_arena_status(&arena, &report, "a matrix"), SCREE_OK);
    fail_at = allocations;
    CHECK(SCR_TAKE(&arena, double, 10000) == NULL);
    // what comes after may be there, but the arena remembers
    CHECK(SCR_TAKE(&arena, double, 10000) != NULL);
    CHECK_INT(scr_arena_status(&arena, &report, "a matrix"), SCREE_E_MEMORY);
    CHECK_TEXT(report.messages[0].text, "no memory for a matrix: 80064 bytes");
    scr_arena_reset(&arena);
    CHECK_INT(scr_arena_status(&arena, &report, "a matrix"), SCREE_OK);

    // counts that do not fit
    const size_t most[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 8, SIZE_MAX / 8 + 1, SIZE_MAX / 9};
    for (size_t k = 0; k < sizeof most / sizeof *most; k++) CHECK(SCR_TAKE(&arena, double, most[k]) == NULL);
    CHECK(arena.failed);
    scr_arena_deinit(&arena);
    scree_report_deinit(&report);
}

int main(void)
{
    check_reset();
    check_failure();
    return check_done();
}
