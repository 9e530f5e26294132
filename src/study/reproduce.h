/* Reproducing cases: what is shared between running, comparing (reproduce.c) and plotting
 * (case_plot.c). */
#ifndef SCREE_STUDY_REPRODUCE_H
#define SCREE_STUDY_REPRODUCE_H

#include "study/case_run.h"

typedef struct {
    scr_case c;
    scr_case_run *runs;
    int run_count;
} scr_case_work;

scr_case_run *scr_case_work_run(const scr_case_work *work, const char *name);
/* Names over all runs of a case, RUN.NAME. */
typedef struct {
    const scr_case_work *work;
    bool inactive; /* set when a run was named that is not in this set */
} scr_case_whole;
scr_names scr_case_whole_names(scr_case_whole *all);

/* Writes the plots of a case whose curves have been run to FOLDER/CASE-PLOT.svg and .png. */
scree_status scr_case_plots_write(const scr_case_work *work, const char *folder, int *written,
                                  scree_report *report);

#endif
