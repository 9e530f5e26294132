#include "observe/series.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool scr_series_init(scr_series *series, const char *name, const char *kind,
                     const scr_column *columns)
{
    *series = (scr_series){.name = strdup(name), .kind = kind, .columns = columns};
    while (columns[series->width].name) series->width++;
    assert(series->width <= SCR_SERIES_WIDTH);
    return series->name != NULL;
}

void scr_series_deinit(scr_series *series)
{
    free(series->name);
    free(series->rows);
    *series = (scr_series){0};
}

bool scr_series_add(scr_series *series, const double *values)
{
    size_t width = (size_t)series->width;
    if (series->count == series->capacity) {
        size_t capacity = 2 * series->capacity + 64;
        double *grown = realloc(series->rows, capacity * width * sizeof *grown);
        if (!grown) return false;
        series->rows = grown;
        series->capacity = capacity;
    }
    memcpy(series->rows + series->count * width, values, width * sizeof *values);
    series->count++;
    return true;
}

void scr_series_truncate(scr_series *series, double time)
{
    // rows are in the order of time
    while (series->count > 0 && series->rows[(series->count - 1) * (size_t)series->width] > time)
        series->count--;
}
