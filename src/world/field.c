#include "world/field.h"

#include <string.h>

#include "base/memory.h"

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

bool scr_table_reserve(scr_table *table, size_t count)
{
    if (count <= table->capacity) return true;
    size_t capacity = table->capacity;
    for (int k = 0; k < table->field_count; k++) {
        const scr_field *f = &table->fields[k];
        size_t room = table->capacity;
        if (!scr_memory_reserve(array_slot(table, f), &room, count, table->count, scr_field_row(f)))
            return false;
        capacity = room;
    }
    table->capacity = capacity;
    return true;
}

void scr_table_deinit(scr_table *table)
{
    for (int k = 0; k < table->field_count; k++) {
        void **slot = array_slot(table, &table->fields[k]);
        scr_memory_free(*slot);
        *slot = NULL;
    }
    table->count = table->capacity = 0;
}

size_t scr_table_widest(const scr_table *table)
{
    size_t widest = 0;
    for (int k = 0; k < table->field_count; k++) {
        size_t row = scr_field_row(&table->fields[k]);
        if (row > widest) widest = row;
    }
    return widest;
}

// the common row sizes as constants, so that each copy is a few moves
static void gather_rows(char *restrict to, const char *restrict from, const uint32_t *order,
                        size_t count, size_t row)
{
#define GATHER(bytes)                                                                              \
    _Pragma("omp parallel for schedule(static)") for (size_t k = 0; k < count; k++)                \
        memcpy(to + k * (bytes), from + (size_t)order[k] * (bytes), (bytes))
    switch (row) {
    case 4: GATHER(4); break;
    case 8: GATHER(8); break;
    case 32: GATHER(32); break;
    case 64: GATHER(64); break;
    default: GATHER(row); break;
    }
#undef GATHER
}

void scr_table_reorder(scr_table *table, const uint32_t *order, size_t count, void *scratch)
{
    for (int k = 0; k < table->field_count; k++) {
        size_t row = scr_field_row(&table->fields[k]);
        char *data = scr_table_array(table, &table->fields[k]);
        gather_rows(scratch, data, order, count, row);
        memcpy(data, scratch, count * row);
    }
    table->count = count;
}
