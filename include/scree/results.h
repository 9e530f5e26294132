/* Results, read by programs: frames, contacts, series, the scene. What is asked for is read, nothing else; a run may be
 * writing at the same time. */
#ifndef SCREE_RESULTS_H
#define SCREE_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "scree/status.h"

#include "scree/begin.h"

typedef struct scree_results scree_results;

/* Results as they are now: what a run adds later is seen after opening them again. Not for several threads at once, and
 * of all results one thread at a time is in a call. */
scree_status scree_results_open(const char *path, scree_results **results, scree_report *report);
void scree_results_close(scree_results *results);

/* What was run, and with which program. Texts belong to the results. */
typedef struct {
    const char *scene;             /* the scene's text, */
    const char *scene_path;        /* where it was, */
    const char *title;             /* "" where it has none */
    const char *said;              /* what the run said of itself */
    const char *version, *created; /* of the Scree that wrote it; date and time, UTC */
    bool live;                     /* a run is writing to them */
    int frames, series, walls, groups, materials;
} scree_results_facts;
scree_results_facts scree_results_describe(const scree_results *results);

/* Names in the order of the scene, NULL beyond the last. */
const char *scree_results_wall(const scree_results *results, int wall);
const char *scree_results_group(const scree_results *results, int group);
const char *scree_results_material(const scree_results *results, int material);

typedef struct {
    int64_t step, bodies;
    double time; /* [s] */
} scree_frame;
scree_frame scree_results_frame(const scree_results *results, int frame);

/* Names and units of what a frame holds: of grains (position, ...), with `cells.` before them of elastic solids, with
 * `contacts.` of contacts. NULL beyond the last. */
const char *scree_results_view_name(const scree_results *results, int frame, int number);
const char *scree_results_unit(const scree_results *results, int frame, const char *view);
/* One of them, as doubles: `rows` rows of `width` numbers in the order of ids. The caller frees *data. */
scree_status scree_results_read(const scree_results *results, int frame, const char *view, double **data, int64_t *rows,
                                int *width, scree_report *report);

/* A time series: rows of columns, the first of which is time. Columns of a width above 1 have a number for each bin;
 * `bin_values` (bins x bin_width) says where those are. Owned by the results. */
typedef struct {
    const char *name, *type;
    const char *const *columns, *const *units; /* column_count each */
    const int *widths;
    int column_count;
    int64_t rows;
    int bins, bin_width; /* 0: none */
    const char *bin_name, *bin_unit;
    const double *bin_values;
} scree_series;
scree_series scree_results_series(const scree_results *results, int number);
/* One column: rows times its width numbers. The caller frees *data. */
scree_status scree_results_series_read(const scree_results *results, int number, int column, double **data,
                                       scree_report *report);

#include "scree/end.h"

#endif
