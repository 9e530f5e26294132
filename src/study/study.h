/* A study: one scene, run once for every cell of a grid, and what is measured of each run.
 *
 * Every run that ends leaves a line in the study's journal (`FOLDER/journal`), written by this
 * process alone and flushed before the next. A study that was stopped, by whatever means, goes on
 * where it was: cells in the journal are done, a run that left results with a checkpoint continues
 * from it. Runs that failed are tried again. Cells are known by their values, so that a finer or
 * longer grid uses the runs of a coarser one. */
#ifndef SCREE_STUDY_STUDY_H
#define SCREE_STUDY_STUDY_H

#include "base/output.h"
#include "scene/scene.h"
#include "study/axes.h"
#include "study/measure.h"

#define SCR_STUDY_TEXT 400 /* longest message of a run that failed */

typedef struct scr_study {
    /* given by the caller, which owns it */
    const char *scene; /* file */
    const scr_setting *settings;
    int setting_count;
    const scr_axes *axes;              /* NULL: one run */
    const scr_definition *definitions; /* ends with a NULL name; NULL: none */
    const scr_definition *measures;    /* the same; what is measured of each run */
    const scr_definition *lists;       /* the same; lists of one length, each value of which is a row of
                                    the table. NULL: a run is one row */
    const struct scr_study *from;      /* its runs are where ours start: each from that in its place, or
                                     all from the only one; it is run before, and keeps its
                                     results. NULL: from the scene's own grains */
    bool statics;                      /* equilibria instead of motion, as `scree equilibrate` does */
    const char *folder;                /* of the journal and the results; made when it is not there */
    bool keep;                         /* the results of each run stay */
    /* kept here */
    size_t cells;
    char **rows;  /* what each run answered; NULL: not run yet */
    int journal;  /* file; -1: not open */
    size_t known; /* rows that were in the journal */
} scr_study;

/* What becomes of a journal that is there. */
typedef enum {
    SCR_STUDY_GO_ON, /* it is continued; one of another scene is an error */
    SCR_STUDY_RENEW, /* it is continued; one of another scene is forgotten, with its results */
    SCR_STUDY_FRESH, /* it is forgotten */
} scr_study_start;

/* Reads and checks the first run's scene and all measures; opens the journal, and takes from it what
 * is done. */
scree_status scr_study_open(scr_study *study, scr_study_start start, scree_report *report);
void scr_study_close(scr_study *study);

/* Runs what is not done yet in all studies, on `jobs` cores (0: all). SCREE_E_INTERRUPT and *signal
 * when a signal stopped it; what is done by then is in the journals. */
scree_status scr_studies_run(scr_study *const *studies, int count, int jobs, bool quiet, int *signal,
                             scree_report *report);

/* Whether the run of a cell went well, and else why not (NULL: it was not run). */
bool scr_study_good(const scr_study *study, size_t cell, const char **why);
size_t scr_study_failures(const scr_study *study);
/* Rows of the table: one for each cell, or with `lists` one for each of its values. */
size_t scr_study_rows(const scr_study *study);
/* One column over all rows, NAN for runs that failed: the name of a measure, the path or last word
 * of an axis, or one of time, steps, seconds, kinetic, gravity, elastic, dissipated, closure. Texts
 * of an axis count as their place in its list. False when there is no such column. */
bool scr_study_column(const scr_study *study, const char *name, double *values);
/* Results of a run that were kept. The caller frees it. */
char *scr_study_results(const scr_study *study, size_t cell);
/* The scene of a cell, read anew; NULL with a message when it cannot be. */
scr_scene *scr_study_scene(const scr_study *study, size_t cell, scree_report *report);
/* The whole table as CSV, written as base/output.h says. */
scree_status scr_study_write(const scr_study *study, const char *path, bool force, scree_report *report);
extern const scr_output_kind scr_study_kind;

/* A folder and all that is in it. */
void scr_folder_remove(const char *path);

#endif
