#include "comm/rows.h"

#include <string.h>

char *scr_rows_pack(const scr_table *table, int flags, const uint32_t *rows, size_t count, char *bytes)
{
    const scr_field *f;
    for (int k = 0; (f = scr_table_flagged(table, flags, k)); k++) {
        size_t row = scr_field_row(f);
        const char *array = scr_table_array(table, f);
        for (size_t n = 0; n < count; n++, bytes += row) memcpy(bytes, array + rows[n] * row, row);
    }
    return bytes;
}

const char *scr_rows_unpack(const scr_table *table, int flags, size_t first, size_t count, const char *bytes)
{
    const scr_field *f;
    for (int k = 0; count && (f = scr_table_flagged(table, flags, k)); k++) {
        size_t row = scr_field_row(f);
        memcpy((char *)scr_table_array(table, f) + first * row, bytes, count * row);
        bytes += count * row;
    }
    return bytes;
}
