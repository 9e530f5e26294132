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
/* Names over all runs of a case, RUN.NAME. */
typedef struct {
    const scr_case_work *work;
    bool inactive; /* set when a run was named that is not in this set */
} scr_case_whole;
scr_names scr_case_whole_names(scr_case_whole *all);

/* A quantity, measured and judged. */
typedef struct {
    bool skipped, good;
    double measured, reference, tolerance, low, high; /* NAN: absent */
    char why[SCR_EXPRESSION_WHY];
} scr_verdict;
scr_verdict scr_case_judge(const scr_case_work *work, const scr_quantity_def *quantity);
/* A number as it is printed; what is wanted: the reference, or the bounds. */
void scr_verdict_number(double value, char *text, size_t size);
void scr_verdict_wanted(const scr_quantity_def *quantity, const scr_verdict *verdict, char *text,
                        size_t size);

/* gallery.c: a case on a page (case_plot.c has its plots), and in Markdown. */
scree_status scr_gallery_case(const scr_case_work *work, scr_page *page, scree_report *report);
void scr_gallery_markdown(const scr_case_work *work, FILE *out);
scree_status scr_case_plots_page(const scr_case_work *work, scr_page *page, scree_report *report);

/* Writes the plots of a case whose curves have been run to FOLDER/CASE-PLOT.svg and .png; whether all of them may be
 * written. */
scree_status scr_case_plots_write(const scr_case_work *work, const char *folder, bool force,
                                  int *written, scree_report *report);
scree_status scr_case_plots_check(const scr_case_work *work, const char *folder, bool force,
                                  scree_report *report);

#endif
