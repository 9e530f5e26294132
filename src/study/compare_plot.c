/* Plots of a comparison: one line for each run. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "study/compare.h"

#define MOST_COLUMNS 24 /* of observers that are plotted, besides the ledger */

typedef struct {
    const scr_compared *runs;
    int count;
    const char *folder;
    bool force;
    scr_page *page; /* NULL: nothing is drawn; only asks whether the files may be written */
    scr_compare_curve *lists;
    scr_plot_curve *curves;
    int curve_count;
    int *written;
    scree_report *report;
} drawing;

static void add(drawing *d, int run, scr_compare_curve list)
{
    d->lists[d->curve_count] = list;
    d->curves[d->curve_count++] = (scr_plot_curve){run ? SCR_PLOT_DASHES : SCR_PLOT_LINE,
                                                   (scr_plot_colour)(1 + run % 7),
                                                   d->runs[run].label,
                                                   list.x,
                                                   list.y,
                                                   NULL,
                                                   list.count};
}

// writes what was added, and forgets it; one curve alone is not a comparison
static scree_status draw(drawing *d, const char *name, const char *title, const char *x, const char *y)
{
    char *stem = NULL;
    if (asprintf(&stem, "%s/%s", d->folder, name) < 0) return scr_no_memory(d->report, "a plot");
    scree_status status = SCREE_OK;
    scr_plot plot = {.title = title,
                     .x = {x, NAN, NAN, false},
                     .y = {y, NAN, NAN, false},
                     .curves = d->curves,
                     .curve_count = d->curve_count};
    if (!d->page)
        status = scr_plot_check_both(stem, d->force, d->report);
    else if (d->curve_count > 1)
        status = scr_plot_write_both(&plot, stem, d->force, d->written, d->report);
    free(stem);
    if (d->curve_count > 1 && !status) status = scr_page_plot(d->page, &plot, d->report);
    for (int k = 0; k < d->curve_count; k++) free(d->lists[k].x), free(d->lists[k].y);
    d->curve_count = 0;
    return status;
}

static scree_status draw_column(drawing *d, const char *series, const char *column, const char *unit, const char *title)
{
    char name[SCR_COMPARE_NAME], label[SCR_COMPARE_NAME];
    for (int k = 0; k < d->count; k++) {
        scr_compare_curve list;
        if (scr_compare_column(&d->runs[k], series, column, &list, d->report)) add(d, k, list);
    }
    snprintf(name, sizeof name, "%.50s-%.50s", series, column);
    // names come from scenes
    for (char *p = name; *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("-_.", *p)) *p = '_';
    snprintf(label, sizeof label, *unit ? "%.60s [%.20s]" : "%.60s%.0s", column, unit);
    return draw(d, name, title, "time [s]", label);
}

static scree_status draw_observers(drawing *d)
{
    int series, drawn = 0;
    const scr_series_info *all = scr_archive_series(d->runs[0].archive, &series);
    scree_status status = SCREE_OK;
    for (int k = 0; k < series && !status; k++) {
        if (!strcmp(all[k].kind, "ledger")) continue;
        for (int c = 1; c < all[k].column_count && !status; c++) {
            if (all[k].widths[c] != 1 || drawn++ >= MOST_COLUMNS) continue;
            char title[SCR_COMPARE_NAME];
            snprintf(title, sizeof title, "%.50s: %.50s", all[k].name, all[k].columns[c]);
            status = draw_column(d, all[k].name, all[k].columns[c], all[k].units[c], title);
        }
    }
    if (drawn > MOST_COLUMNS && d->page)
        scr_warn(d->report, SCR_NOWHERE, "the first %d columns of observers are plotted, of %d", MOST_COLUMNS, drawn);
    return status;
}

static scree_status draw_all(drawing *d)
{
    scree_status status = draw_column(d, "ledger", "kinetic", "J", "Kinetic energy");
    if (!status) status = draw_column(d, "ledger", "potential", "J", "Potential energy");
    if (!status) status = draw_column(d, "ledger", "lost", "J", "Dissipated energy");
    if (!status) status = draw_column(d, "ledger", "contacts", "", "Contacts");
    for (int k = 0; k < d->count && !status; k++) {
        scr_compare_curve list;
        if (scr_compare_profile(&d->runs[k], &d->runs[0], &list, d->report)) add(d, k, list);
    }
    if (!status) status = draw(d, "surface", "Surface at the last common time", "along [m]", "height [m]");
    for (int k = 0; k < d->count && !status; k++) {
        scr_compare_curve list;
        if (scr_compare_speeds(&d->runs[k], &list, d->report)) add(d, k, list);
    }
    if (!status)
        status =
            draw(d, "speeds", "Speeds at the last common time", "speed [m/s]", "fraction of grains that are slower");
    for (int k = 0; k < d->count && !status; k++) {
        scr_compare_curve list;
        if (scr_compare_spent(&d->runs[k], &list)) add(d, k, list);
    }
    if (!status) status = draw(d, "spent", "Time that steps took", "simulated time [s]", "CPU time [s]");
    return status ? status : draw_observers(d);
}

scree_status scr_compare_plots_check(const scr_compared *runs, const char *folder, bool force, scree_report *report)
{
    drawing d = {.runs = runs, .folder = folder, .force = force, .report = report};
    return draw_all(&d);
}

scree_status scr_compare_plots(const scr_compared *runs, int count, const char *folder, bool force, scr_page *page,
                               int *written, scree_report *report)
{
    drawing d = {.runs = runs,
                 .count = count,
                 .folder = folder,
                 .force = force,
                 .page = page,
                 .lists = calloc((size_t)count, sizeof *d.lists),
                 .curves = calloc((size_t)count, sizeof *d.curves),
                 .written = written,
                 .report = report};
    scree_status status = d.lists && d.curves ? draw_all(&d) : scr_no_memory(report, "plots");
    free(d.lists), free(d.curves);
    return status;
}
