/* Blocks of bodies: cut, made longer at the end, made shorter where bodies leave. */
#include "world/blocks.h"

#include <stdlib.h>

#include "check.h"

static void check_starts(const scr_blocks *b, size_t count, const uint32_t *start)
{
    CHECK_INT(b->count, count);
    for (size_t k = 0; k <= count && b->count == count; k++) CHECK_INT(b->start[k], start[k]);
}

static void test_cut(void)
{
    scr_blocks b = {0};
    CHECK_INT(scr_blocks_rows(&b), 0);
    CHECK(scr_blocks_cut(&b, 0));
    CHECK_INT(scr_blocks_rows(&b), 0);
    CHECK(scr_blocks_cut(&b, 2 * SCR_BLOCK + 5));
    check_starts(&b, 3, (const uint32_t[]){0, SCR_BLOCK, 2 * SCR_BLOCK, 2 * SCR_BLOCK + 5});
    CHECK(scr_blocks_cut(&b, SCR_BLOCK));
    check_starts(&b, 1, (const uint32_t[]){0, SCR_BLOCK});
    scr_blocks_deinit(&b);
}

// who comes makes a new block, who leaves makes its own shorter
static void test_come_and_go(void)
{
    scr_blocks b = {0};
    const uint32_t first = SCR_BLOCK + 100, all = first + SCR_BLOCK + 7;
    CHECK(scr_blocks_cut(&b, first) && scr_blocks_extend(&b, all));
    check_starts(&b, 4, (const uint32_t[]){0, SCR_BLOCK, first, first + SCR_BLOCK, all});
    CHECK(scr_blocks_extend(&b, all));
    CHECK_INT(b.count, 4);
    // three of the first block leave, and all of the second
    uint32_t *row = calloc(all, sizeof *row), kept = 0;
    for (uint32_t i = 0; i < all; i++) {
        bool leaves = i == 0 || i == 17 || i == SCR_BLOCK - 1 || (i >= SCR_BLOCK && i < first);
        row[i] = leaves ? UINT32_MAX : kept++;
    }
    scr_blocks_shorten(&b, row);
    const uint32_t a = SCR_BLOCK - 3;
    check_starts(&b, 3, (const uint32_t[]){0, a, a + SCR_BLOCK, a + SCR_BLOCK + 7});
    CHECK_INT(scr_block_of(&b, 0), 0);
    CHECK_INT(scr_block_of(&b, a - 1), 0);
    CHECK_INT(scr_block_of(&b, a), 1);
    CHECK_INT(scr_block_of(&b, a + SCR_BLOCK + 6), 2);
    CHECK(scr_blocks_extend(&b, 10)); // some have gone otherwise
    check_starts(&b, 1, (const uint32_t[]){0, 10});
    for (int i = 0; i < 10; i++) row[i] = UINT32_MAX;
    scr_blocks_shorten(&b, row);
    CHECK_INT(b.count, 0);
    CHECK_INT(scr_blocks_rows(&b), 0);
    CHECK(scr_blocks_extend(&b, 3));
    check_starts(&b, 1, (const uint32_t[]){0, 3});
    free(row);
    scr_blocks_deinit(&b);
}

static bool of_one_unit(const void *unit, size_t row)
{
    const int *u = unit;
    return u[row] && u[row] == u[row - 1];
}

// a unit is in one block, which ends before it where there is no room; unless no block could hold it
static void test_units(void)
{
    enum { ROWS = 5 * SCR_BLOCK };
    scr_blocks b = {0};
    int *unit = calloc(ROWS, sizeof *unit);
    CHECK(scr_blocks_cut_units(&b, 2 * SCR_BLOCK + 5, of_one_unit, unit));
    check_starts(&b, 3, (const uint32_t[]){0, SCR_BLOCK, 2 * SCR_BLOCK, 2 * SCR_BLOCK + 5});
    // one across a border, one that ends at the next, one that begins there
    for (int k = -3; k < 4; k++) unit[SCR_BLOCK + k] = 1;
    for (int k = -7; k < -3; k++) unit[2 * SCR_BLOCK + k] = 2;
    for (int k = -3; k < 9; k++) unit[2 * SCR_BLOCK + k] = 3;
    CHECK(scr_blocks_cut_units(&b, 3 * SCR_BLOCK - 3, of_one_unit, unit));
    check_starts(&b, 3, (const uint32_t[]){0, SCR_BLOCK - 3, 2 * SCR_BLOCK - 3, 3 * SCR_BLOCK - 3});
    // larger than a block
    for (int k = 0; k < 3 * SCR_BLOCK; k++) unit[k] = 4;
    unit[0] = 0;
    CHECK(scr_blocks_cut_units(&b, 3 * SCR_BLOCK, of_one_unit, unit));
    check_starts(&b, 4, (const uint32_t[]){0, 1, SCR_BLOCK + 1, 2 * SCR_BLOCK + 1, 3 * SCR_BLOCK});
    CHECK(scr_blocks_cut_units(&b, 0, of_one_unit, unit));
    CHECK_INT(scr_blocks_rows(&b), 0);
    CHECK(scr_blocks_cut_units(&b, SCR_BLOCK + 1, NULL, NULL));
    check_starts(&b, 2, (const uint32_t[]){0, SCR_BLOCK, SCR_BLOCK + 1});
    free(unit);
    scr_blocks_deinit(&b);
}

int main(void)
{
    test_cut();
    test_units();
    test_come_and_go();
    return check_done();
}
