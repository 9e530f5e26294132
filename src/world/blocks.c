#include "world/blocks.h"

#include "base/buffer.h"

void scr_blocks_deinit(scr_blocks *b)
{
    scr_buffer_free(b->start);
    *b = (scr_blocks){0};
}

// blocks from row `first` on, after those that are there
static bool cut(scr_blocks *b, size_t first, size_t rows)
{
    size_t more = (rows - first + SCR_BLOCK - 1) / SCR_BLOCK;
    if (!scr_reserve(&b->start, b->count + more + 1)) return false;
    b->start[b->count] = (uint32_t)first;
    for (size_t k = 0; k < more; k++) {
        size_t end = first + (k + 1) * SCR_BLOCK;
        b->start[++b->count] = (uint32_t)(end < rows ? end : rows);
    }
    return true;
}

bool scr_blocks_cut(scr_blocks *b, size_t rows)
{
    b->count = 0;
    return cut(b, 0, rows);
}

bool scr_blocks_cut_units(scr_blocks *b, size_t rows, scr_blocks_joined *joined, const void *context)
{
    if (!joined) return scr_blocks_cut(b, rows);
    b->count = 0;
    for (size_t first = 0, end; first < rows; first = end) {
        if (!scr_reserve(&b->start, b->count + 2)) return false;
        size_t most = end = rows - first < SCR_BLOCK ? rows : first + SCR_BLOCK;
        while (end < rows && end > first && joined(context, end)) end--;
        if (end == first) end = most;
        b->start[b->count] = (uint32_t)first, b->start[++b->count] = (uint32_t)end;
    }
    return true;
}

bool scr_blocks_extend(scr_blocks *b, size_t rows)
{
    size_t before = scr_blocks_rows(b);
    return rows < before ? scr_blocks_cut(b, rows) : cut(b, before, rows);
}

void scr_blocks_shorten(scr_blocks *b, const uint32_t *new_row)
{
    uint32_t row = 0, kept = 0;
    size_t count = 0;
    for (size_t k = 0; k < b->count; k++) {
        uint32_t end = b->start[k + 1];
        for (; row < end; row++) kept += new_row[row] != UINT32_MAX;
        if (kept > b->start[count]) b->start[++count] = kept;
    }
    b->count = count;
}
