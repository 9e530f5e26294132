/* `scree compare`: what differs between runs of one scene, for example with and without reduction, or with
 * two steppers. The first run is the reference; what is compared is what results hold. */
#ifndef SCREE_STUDY_COMPARE_H
#define SCREE_STUDY_COMPARE_H

#include "observe/results.h"
#include "show/page.h"

#define SCR_COMPARE_NAME 120

/* One of the runs. */
typedef struct {
    const char *path;
    char label[64]; /* of its curves */
    scr_archive *archive;
    int frame;   /* at the common time */
    double time; /* of that frame */
    bool solves; /* for its contacts: those that carry nothing are none */
} scr_compared;

/* A line of the table: a quantity of the reference and of another run at their last common time. */
typedef struct {
    char name[SCR_COMPARE_NAME], unit[24];
    double a, b;
    bool only;         /* `b` is the difference itself: a has no value of its own */
    double worst, rms; /* of the difference along time, over the range of a; NAN: not known */
} scr_difference;

typedef struct {
    scr_difference *rows;
    int count;
} scr_differences;

/* Appends a line and returns it, valid until the next one; NULL when memory is exhausted. */
scr_difference *scr_differences_add(scr_differences *list, const char *name, const char *unit, double a, double b);

/* Grains at the common time: number, centre of mass, surface, speeds, reduction. */
bool scr_compare_grains(const scr_compared *a, const scr_compared *b, scr_differences *list, scree_report *report);
/* Energies of the ledger, then every column that both runs have. */
bool scr_compare_series(const scr_compared *a, const scr_compared *b, scr_differences *list, scree_report *report);

/* Curves of one run: malloc'ed lists x and y; false when there are none. */
typedef struct {
    double *x, *y;
    size_t count;
} scr_compare_curve;

/* Mean height of the surface along the longest horizontal direction, in cells of the largest grain. */
bool scr_compare_profile(const scr_compared *run, const scr_compared *reference, scr_compare_curve *curve,
                         scree_report *report);
/* Part of the grains that are slower, over speed. */
bool scr_compare_speeds(const scr_compared *run, scr_compare_curve *curve, scree_report *report);
/* A column over time; of the ledger also `kinetic` and `lost`. */
bool scr_compare_column(const scr_compared *run, const char *series, const char *column, scr_compare_curve *curve,
                        scree_report *report);
/* Time spent on steps over simulated time. */
bool scr_compare_spent(const scr_compared *run, scr_compare_curve *curve);

/* Whether all plots of these runs may be written into the folder. */
scree_status scr_compare_plots_check(const scr_compared *runs, const char *folder, bool force, scree_report *report);
/* All plots of `count` runs into the folder, as SVG and PNG, and onto the page. */
scree_status scr_compare_plots(const scr_compared *runs, int count, const char *folder, bool force, scr_page *page,
                               int *written, scree_report *report);

/* The value of y at x, linear between points; the first and last hold to the sides. NAN: no points. */
double scr_compare_at(const scr_compare_curve *curve, double x);

#endif
