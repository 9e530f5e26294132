/* The plots of a case: what was run, over what was published. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "show/plot.h"
#include "study/csv.h"
#include "study/reproduce.h"

typedef struct {
    scr_plot_curve *curves;
    double **lists; /* behind them, three of each */
    int count;
} gathered;

static void clear(gathered *g)
{
    for (int k = 0; k < 3 * g->count; k++) free(g->lists[k]);
    free(g->lists);
    free(g->curves);
}

// a list of `count` numbers (0: as many as there are); a plain number is repeated
static double *evaluate(const char *text, const scr_names *names, size_t *count, char *why, size_t size)
{
    scr_operand value;
    double *rows, *times;
    if (!scr_expression_value(text, names, &value, &rows, &times, why, size)) return NULL;
    free(times);
    if (!value.list) {
        rows = malloc((*count + 1) * sizeof *rows);
        for (size_t k = 0; rows && k < *count; k++) rows[k] = value.number;
    } else if (*count && *count != value.count) {
        snprintf(why, size, "'%.60s' has %zu rows, and x has %zu", text, value.count, *count);
        free(rows);
        return NULL;
    } else {
        *count = value.count;
    }
    if (!rows) snprintf(why, size, "no memory");
    return rows;
}

/* Names of a run or a file, and `x`, the list that was evaluated first. */
typedef struct {
    const scr_names *outer;
    scr_operand x;
} with_x;

static bool find(void *context, const char *name, const double *argument, scr_operand *found, char *why, size_t size)
{
    const with_x *w = context;
    *why = 0;
    if (!argument && !strcmp(name, "x")) return *found = w->x, true;
    if (!w->outer) return false;
    return w->outer->find(w->outer->context, name, argument, found, why, size);
}

// names: of a run, of all runs, or of a file
static scree_status add_curve(gathered *g, const scr_case_work *work, const scr_item *item, const scr_names *outer,
                              scree_report *report)
{
    const scr_case_curve_def *def = item->def;
    char why[SCR_EXPRESSION_WHY] = "";
    size_t count = 0;
    double **list = &g->lists[3 * g->count];
    scr_plot_curve *c = &g->curves[g->count++];
    with_x w = {outer, {0}};
    scr_names names = {.find = find, .context = &w};
    list[0] = evaluate(def->x, outer, &count, why, sizeof why);
    w.x = (scr_operand){.list = true, .rows = list[0], .count = count};
    if (list[0]) list[1] = evaluate(def->y, &names, &count, why, sizeof why);
    if (list[1] && def->value) list[2] = evaluate(def->value, &names, &count, why, sizeof why);
    if (*why)
        return scr_fail(report, SCREE_E_INPUT, scr_item_place(work->c.file, item, NULL), "curve %s: %s", item->name,
                        why);
    *c = (scr_plot_curve){
        (scr_plot_style)def->style, (scr_plot_colour)def->colour, def->label, list[0], list[1], list[2], count};
    return SCREE_OK;
}

static scree_status add_file(gathered *g, const scr_case_work *work, const scr_item *item, scree_report *report)
{
    const scr_case_curve_def *def = item->def;
    char *path = scr_scene_file(work->c.file, def->file);
    scr_csv table = {0};
    scree_status status = path ? scr_csv_read(&table, path, report) : SCREE_E_MEMORY;
    scr_names names = scr_csv_names(&table);
    if (!status) status = add_curve(g, work, item, &names, report);
    scr_csv_deinit(&table);
    free(path);
    return status;
}

static bool names_a_run(const scr_case_work *work, const char *text)
{
    for (int k = 0; k < work->run_count; k++) {
        char name[80];
        snprintf(name, sizeof name, "%.70s.", work->runs[k].item->name);
        if (strstr(text, name)) return true;
    }
    return false;
}

// a closed form, or one of several runs: RUN.NAME
static scree_status add_whole(gathered *g, const scr_case_work *work, const scr_item *item, int *measured,
                              scree_report *report)
{
    scr_case_whole whole = {.work = work};
    scr_names names = scr_case_whole_names(&whole);
    scree_report aside;
    scree_report_init(&aside);
    scree_status status = add_curve(g, work, item, &names, &aside);
    // of runs that are not in this set there is nothing to draw
    if (status && whole.inactive) {
        for (int k = 0; k < 3; k++) free(g->lists[3 * (g->count - 1) + k]);
        memset(&g->lists[3 * (g->count - 1)], 0, 3 * sizeof *g->lists);
        g->count--;
        status = SCREE_OK;
    } else if (status) {
        scr_fail(report, status, scr_item_place(work->c.file, item, NULL), "%s",
                 aside.count ? aside.messages[0].text : "cannot be drawn");
    } else {
        *measured += names_a_run(work, ((const scr_case_curve_def *)item->def)->x);
    }
    scree_report_deinit(&aside);
    return status;
}

// curves of runs that are not in this set, or failed, are left out
static scree_status gather(gathered *g, const scr_case_work *work, const char *plot, int *measured,
                           scree_report *report)
{
    const scr_items *all = scr_case_items(&work->c, "curves");
    scree_status status = SCREE_OK;
    *measured = 0;
    for (int k = 0; k < all->count && !status; k++) {
        const scr_case_curve_def *def = all->items[k].def;
        char why[SCR_EXPRESSION_WHY];
        if (strcmp(def->plot, plot)) continue;
        if (def->file) {
            status = add_file(g, work, &all->items[k], report);
            continue;
        }
        if (!def->run) {
            status = add_whole(g, work, &all->items[k], measured, report);
            continue;
        }
        scr_case_run *run = scr_case_work_run(work, def->run);
        if (!run->active || !scr_case_run_read(run, why, sizeof why)) continue;
        scr_names names = scr_case_run_names(run);
        status = add_curve(g, work, &all->items[k], &names, report);
        ++*measured;
    }
    return status;
}

// malloc'ed
static char *stem_of(const scr_case_work *work, const char *folder, const char *item)
{
    char *stem = NULL;
    return asprintf(&stem, "%s/%s-%s", folder, work->c.name, item) < 0 ? NULL : stem;
}

static scree_status write_both(const scr_case_work *work, const scr_plot *plot, const char *folder, const char *item,
                               bool force, int *written, scree_report *report)
{
    char *stem = stem_of(work, folder, item);
    scree_status status =
        stem ? scr_plot_write_both(plot, stem, force, written, report) : scr_no_memory(report, "a plot");
    free(stem);
    return status;
}

/* Where plots go: files of a folder, or a page. */
typedef struct {
    const char *folder;
    bool force;
    int *written;
    scr_page *page;
} sink;

static scree_status each_plot(const scr_case_work *work, const sink *to, scree_report *report)
{
    const scr_items *plots = scr_case_items(&work->c, "plots");
    size_t most = (size_t)scr_case_items(&work->c, "curves")->count + 1;
    scree_status status = SCREE_OK;
    for (int k = 0; k < plots->count && !status; k++) {
        const scr_case_plot_def *def = plots->items[k].def;
        gathered g = {calloc(most, sizeof *g.curves), calloc(3 * most, sizeof *g.lists), 0};
        int measured = 0;
        if (!g.curves || !g.lists) status = scr_no_memory(report, "a plot");
        if (!status) status = gather(&g, work, plots->items[k].name, &measured, report);
        scr_plot plot = {.title = def->title,
                         .x = {def->x, def->x_from, def->x_to, def->x_log},
                         .y = {def->y, def->y_from, def->y_to, def->y_log},
                         .curves = g.curves,
                         .curve_count = g.count};
        if (!status && measured && to->page) status = scr_page_plot(to->page, &plot, report);
        if (!status && measured && to->folder)
            status = write_both(work, &plot, to->folder, plots->items[k].name, to->force, to->written, report);
        clear(&g);
    }
    return status;
}

scree_status scr_case_plots_check(const scr_case_work *work, const char *folder, bool force, scree_report *report)
{
    const scr_items *plots = scr_case_items(&work->c, "plots");
    scree_status status = SCREE_OK;
    for (int k = 0; k < plots->count && !status; k++) {
        char *stem = stem_of(work, folder, plots->items[k].name);
        if (stem) status = scr_plot_check_both(stem, force, report);
        free(stem);
    }
    return status;
}

scree_status scr_case_plots_write(const scr_case_work *work, const char *folder, bool force, int *written,
                                  scree_report *report)
{
    return each_plot(work, &(sink){.folder = folder, .force = force, .written = written}, report);
}

scree_status scr_case_plots_page(const scr_case_work *work, scr_page *page, scree_report *report)
{
    return each_plot(work, &(sink){.page = page}, report);
}
