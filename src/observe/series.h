/* A time series: what an observer writes. Rows of doubles, the first column is time. */
#ifndef SCREE_OBSERVE_SERIES_H
#define SCREE_OBSERVE_SERIES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *name, *unit, *doc;
} scr_column;

#define SCR_SERIES_WIDTH 64 /* columns at most */

typedef struct {
    char *name;                /* of the observer's item in the scene; owned */
    const char *kind;          /* the observer's type */
    const scr_column *columns; /* constant table, ends with a NULL name; the first is time */
    int width;                 /* number of columns */
    double *rows;              /* count x width */
    size_t count, capacity;
} scr_series;

bool scr_series_init(scr_series *series, const char *name, const char *kind,
                     const scr_column *columns);
void scr_series_deinit(scr_series *series);
/* Appends a row of `width` values. False when memory is exhausted. */
bool scr_series_add(scr_series *series, const double *values);
/* Forgets rows later than `time`: a resumed run writes them again. */
void scr_series_truncate(scr_series *series, double time);

#endif
