/* Reproducing cases: what is shared between running, comparing (reproduce.c) and plotting
 * (case_plot.c). */
#ifndef SCREE_STUDY_REPRODUCE_H
#define SCREE_STUDY_REPRODUCE_H

#include "show/page.h"
#include "study/case_run.h"

typedef struct {
    scr_case c;
    scr_case_run *runs;
    int run_count;
} scr_case_work;

scr_case_run *scr_case_work_run(const scr_case_work *work, const char *name);
/* Names over all runs of a case, RUN.NAME, its tables, TABLE.COLUMN, and definitions of one number over these. */
typedef struct {
    const scr_case_work *work;
    bool inactive;    /* a run was named that is not in this set */
    scr_case_set set; /* the largest set of a run that was named */
    int depth;        /* of definitions within definitions */
} scr_case_whole;
scr_names scr_case_whole_names(scr_case_whole *all);

/* The set a run belongs to; the day the last of the case's runs of a set ended (YYYY-MM-DD), empty: none was run. */
scr_case_set scr_case_run_set(const scr_case_run *run);
void scr_case_work_date(const scr_case_work *work, scr_case_set set, char *text, size_t size);

/* gallery.c: a case on a page (case_plot.c has its plots), and all of them in Markdown. */
scree_status scr_gallery_case(const scr_case_work *work, scr_page *page, scree_report *report);
void scr_gallery_markdown(const scr_case_work *works, int count, FILE *out);
scree_status scr_case_plots_page(const scr_case_work *work, scr_page *page, scree_report *report);

/* Writes the plots of a case whose curves have been run to FOLDER/CASE-PLOT.svg and .png; whether all of them may be
 * written. */
scree_status scr_case_plots_write(const scr_case_work *work, const char *folder, bool force, int *written,
                                  scree_report *report);
scree_status scr_case_plots_check(const scr_case_work *work, const char *folder, bool force, scree_report *report);

#endif
