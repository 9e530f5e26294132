#include "observe/series.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

bool scr_series_init(scr_series *series, const char *name, const char *kind, const scr_column *columns)
{
    *series = (scr_series){.name = strdup(name), .kind = kind};
    return series->name && (!columns || scr_series_columns_add(series, columns, false));
}

void scr_series_deinit(scr_series *series)
{
    for (int k = 0; k < series->column_count; k++) free(series->columns[k].name);
    scr_free_all(series->columns, series->rows);
    free(series->axis.values);
    free(series->name);
    *series = (scr_series){0};
}

bool scr_series_bins(scr_series *series, const scr_series_axis *axis)
{
    size_t bytes = (size_t)axis->count * (size_t)axis->width * sizeof *axis->values;
    double *values = malloc(bytes + 1);
    if (!values) return false;
    memcpy(values, axis->values, bytes);
    series->axis = *axis;
    series->axis.values = values;
    return true;
}

bool scr_series_column_add(scr_series *series, const scr_column *column, bool binned)
{
    char *name = strdup(column->name);
    assert(!binned || series->axis.count > 0);
    scr_series_column added = {.name = name,
                               .unit = column->unit,
                               .doc = column->doc,
                               .width = binned ? series->axis.count : 1,
                               .first = series->width};
    if (!name || !scr_push(series->columns, series->column_count, added)) {
        free(name);
        return false;
    }
    series->width += (size_t)added.width;
    return true;
}

bool scr_series_columns_add(scr_series *series, const scr_column *columns, bool binned)
{
    for (; columns->name; columns++)
        if (!scr_series_column_add(series, columns, binned)) return false;
    return true;
}

bool scr_series_add(scr_series *series, const double *values)
{
    size_t width = series->width;
    if (!scr_reserve(&series->rows, (series->count + 1) * width)) return false;
    memcpy(series->rows + series->count * width, values, width * sizeof *values);
    series->count++;
    return true;
}

const double *scr_series_last(const scr_series *series)
{
    return series->count ? series->rows + (series->count - 1) * series->width : NULL;
}

void scr_series_truncate(scr_series *series, double time)
{
    // rows are in the order of time
    while (series->count > 0 && *scr_series_last(series) > time) series->count--;
}
