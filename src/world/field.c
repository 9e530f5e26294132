#include "world/field.h"

#include <string.h>

#include "base/buffer.h"

size_t scr_scalar_size(scr_scalar type)
{
    static const size_t size[] = {[SCR_F64] = 8, [SCR_I64] = 8, [SCR_I32] = 4, [SCR_U8] = 1};
    return size[type];
}

static void **array_slot(const scr_table *table, const scr_field *field)
{
    return (void **)((char *)table + field->pointer);
}

void *scr_table_array(const scr_table *table, const scr_field *field)
{
    return *array_slot(table, field);
}

const scr_field *scr_table_field(const scr_table *table, const char *name)
{
    for (int k = 0; k < table->field_count; k++)
        if (!strcmp(table->fields[k].name, name)) return &table->fields[k];
    return NULL;
}

const scr_field *scr_table_flagged(const scr_table *table, int flag, int k)
{
    for (int f = 0; f < table->field_count; f++)
        if (table->fields[f].flags & flag && k-- == 0) return &table->fields[f];
    return NULL;
}

size_t scr_table_row(const scr_table *table, int flag)
{
    size_t bytes = 0;
    for (int f = 0; f < table->field_count; f++)
        if (table->fields[f].flags & flag) bytes += scr_field_row(&table->fields[f]);
    return bytes;
}

// a longer array in place of one that is kept; twice as long, so that all that are kept are not longer than it
static bool replace(scr_table *table, void **slot, size_t count, size_t row)
{
    void *old = *slot, *longer = NULL;
    size_t bytes = scr_buffer_bytes(old);
    if (!scr_reserve(&table->kept, table->kept_count + 1)) return false;
    if (!scr_buffer_reserve(&longer, count < SIZE_MAX / 2 ? 2 * count : count, row)) return false;
    scr_copy(longer, old, bytes);
    table->kept[table->kept_count++] = old;
    *slot = longer;
    return true;
}

// arrays begin so many rows later, or earlier, in their buffers
static void shift(scr_table *table, ptrdiff_t rows)
{
    table->below += (size_t)rows;
    for (int k = 0; rows && k < table->field_count; k++) {
        void **slot = array_slot(table, &table->fields[k]);
        if (*slot) *slot = (char *)*slot + rows * (ptrdiff_t)scr_field_row(&table->fields[k]);
    }
}

static bool reserve(scr_table *table, size_t count)
{
    for (int k = 0; k < table->field_count; k++) {
        void **slot = array_slot(table, &table->fields[k]);
        size_t row = scr_field_row(&table->fields[k]);
        bool grows = count * row > scr_buffer_bytes(*slot);
        if (table->keeps && *slot && grows ? !replace(table, slot, count, row) : !scr_buffer_reserve(slot, count, row))
            return false;
        table->moves += grows;
    }
    return true;
}

bool scr_table_reserve(scr_table *table, size_t count)
{
    size_t below = table->below;
    shift(table, -(ptrdiff_t)below);
    bool room = reserve(table, below + count);
    shift(table, (ptrdiff_t)below);
    return room;
}

void scr_table_drop_front(scr_table *table, size_t rows)
{
    table->moves++;
    shift(table, (ptrdiff_t)rows);
    table->count -= rows;
}

bool scr_table_add_front(scr_table *table, size_t rows)
{
    table->moves++;
    if (rows > table->below) {
        size_t more = rows + rows / 8 - table->below;
        if (!scr_table_reserve(table, table->count + more)) return false;
        for (int k = 0; k < table->field_count; k++) {
            size_t row = scr_field_row(&table->fields[k]);
            char *array = scr_table_array(table, &table->fields[k]);
            memmove(array + more * row, array, table->count * row);
        }
        shift(table, (ptrdiff_t)more);
    }
    shift(table, -(ptrdiff_t)rows);
    table->count += rows;
    return true;
}

void scr_table_clear(scr_table *table, size_t from, size_t to)
{
    for (int k = 0; k < table->field_count; k++) {
        size_t row = scr_field_row(&table->fields[k]);
        memset((char *)scr_table_array(table, &table->fields[k]) + from * row, 0, (to - from) * row);
    }
}

size_t scr_table_add(scr_table *table)
{
    size_t i = table->count++;
    table->moves++;
    scr_table_clear(table, i, i + 1);
    return i;
}

void scr_table_copy(scr_table *table, size_t to, size_t from)
{
    table->moves++;
    for (int k = 0; to != from && k < table->field_count; k++) {
        size_t row = scr_field_row(&table->fields[k]);
        char *array = scr_table_array(table, &table->fields[k]);
        memcpy(array + to * row, array + from * row, row);
    }
}

static void free_arrays(scr_table *table)
{
    shift(table, -(ptrdiff_t)table->below);
    for (int k = 0; k < table->field_count; k++) {
        void **slot = array_slot(table, &table->fields[k]);
        scr_buffer_free(*slot);
        *slot = NULL;
    }
}

void scr_table_release(scr_table *table)
{
    if (table->keeps) return;
    table->moves++;
    free_arrays(table);
}

void scr_table_deinit(scr_table *table)
{
    free_arrays(table);
    for (size_t k = 0; k < table->kept_count; k++) scr_buffer_free(table->kept[k]);
    scr_buffer_free(table->kept);
    table->kept = NULL;
    table->count = table->kept_count = 0;
}

#define MARK 0x80000000u

// moves rows along the cycles of the permutation; a row's mark flips when it is in place
static void permute(char *data, uint32_t *order, size_t count, size_t row, uint32_t fresh)
{
    char first[256];
    for (size_t k = 0; k < count; k++) {
        if ((order[k] & MARK) != fresh) continue;
        memcpy(first, data + k * row, row);
        size_t at = k;
        for (;;) {
            size_t from = order[at] & ~MARK;
            order[at] ^= MARK;
            if (from == k) break;
            memcpy(data + at * row, data + from * row, row);
            at = from;
        }
        memcpy(data + at * row, first, row);
    }
}

void scr_table_reorder(scr_table *table, uint32_t *order)
{
    uint32_t fresh = 0;
    table->moves++;
    for (int k = 0; k < table->field_count; k++, fresh ^= MARK)
        permute(scr_table_array(table, &table->fields[k]), order, table->count, scr_field_row(&table->fields[k]),
                fresh);
    for (size_t k = 0; k < table->count; k++) order[k] &= ~MARK;
}
