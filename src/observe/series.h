/* A time series: what an observer writes. Rows of doubles, the first column is time.
 *
 * Most columns hold one number per row. Those of a profile hold one per bin: then the series has an
 * axis, a short table that says where the bins are, written once. A row is flat: the numbers of
 * column c begin at columns[c].first. */
#ifndef SCREE_OBSERVE_SERIES_H
#define SCREE_OBSERVE_SERIES_H

#include <stdbool.h>
#include <stddef.h>

/* Of a constant table, which ends with a NULL name. */
typedef struct {
    const char *name, *unit, *doc;
} scr_column;

/* A column of a series: names are its own. */
typedef struct {
    char *name;
    const char *unit, *doc;
    int width;    /* numbers per row: 1, or the number of bins */
    size_t first; /* of the row */
} scr_series_column;

/* Where the bins are: `count` rows of `width` numbers, the bin's centre for one. */
typedef struct {
    const char *name, *unit, *doc; /* constant */
    int count, width;
    double *values;
} scr_series_axis;

typedef struct {
    char *name;                 /* of the observer's item in the scene; owned */
    const char *kind;           /* the observer's type */
    scr_series_column *columns; /* a buffer */
    int column_count;
    scr_series_axis axis; /* count 0: none */
    size_t width;         /* numbers in a row */
    double *rows;         /* count x width; a buffer */
    size_t count;
} scr_series;

/* With the columns of a constant table, one number per row each (NULL: none yet). False when memory is exhausted, as
 * below; deinit in any case. */
bool scr_series_init(scr_series *series, const char *name, const char *kind, const scr_column *columns);
void scr_series_deinit(scr_series *series);
/* The axis; its values are copied. Before the columns that need it. */
bool scr_series_bins(scr_series *series, const scr_series_axis *axis);
/* One more column, or all of a table: with one number per row, or with one per bin. The name is copied; unit and doc
 * are constant. */
bool scr_series_column_add(scr_series *series, const scr_column *column, bool binned);
bool scr_series_columns_add(scr_series *series, const scr_column *columns, bool binned);
/* Appends a row of `width` numbers. */
bool scr_series_add(scr_series *series, const double *values);
/* The last row, NULL when there is none. */
const double *scr_series_last(const scr_series *series);
/* Forgets rows later than `time`: a resumed run writes them again. */
void scr_series_truncate(scr_series *series, double time);

#endif
