/* The runs of a case while it is reproduced: each is a study (study.h), of one run or of a table of
 * them, and gives names a meaning in the case's expressions. */
#ifndef SCREE_STUDY_CASE_RUN_H
#define SCREE_STUDY_CASE_RUN_H

#include "study/case.h"
#include "study/study.h"

typedef struct {
    const scr_case *of;
    const scr_item *item; /* of the section `runs` */
    bool active;          /* belongs to the set that is run */
    scr_axes axes;
    scr_setting *settings;
    scr_definition *measures, *lists;
    char **texts; /* behind settings, measures and lists */
    int text_count;
    char *scene, *folder;
    scr_study study;
    scr_scene *first; /* of a single run, after it */
    scr_archive *archive;
    scr_scope *scope;
    struct scr_kept_column *columns; /* of a table */
    int depth;
} scr_case_run;

/* Reads the run's words; the results will be in FOLDER/NAME. */
scree_status scr_case_run_init(scr_case_run *run, const scr_case *of, const scr_item *item, const char *folder,
                               scr_case_set set, scree_report *report);
void scr_case_run_deinit(scr_case_run *run);

/* After the study has been run: opens the results, so that names can be found. False, with the
 * reason, when the run failed. */
bool scr_case_run_read(scr_case_run *run, char *why, size_t why_size);

/* Names in terms of this run: as in measure.h for a single one; the columns of a table, and the
 * case's definitions in terms of them. */
scr_names scr_case_run_names(scr_case_run *run);

#endif
