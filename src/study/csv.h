/* A small table of numbers from a CSV file: reference curves. The first line that is not a comment
 * (#) names the columns; a field that is not a number is not-a-number. */
#ifndef SCREE_STUDY_CSV_H
#define SCREE_STUDY_CSV_H

#include "base/expression.h"
#include "base/status.h"

typedef struct {
    char **names;
    int width;
    double *columns; /* width x count: column by column */
    size_t count;
} scr_csv;

scree_status scr_csv_read(scr_csv *table, const char *path, scree_report *report);
void scr_csv_deinit(scr_csv *table);
/* Its columns by name. */
scr_names scr_csv_names(scr_csv *table);

#endif
