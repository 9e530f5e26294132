/* Plots of what a run wrote (`scree plot`): curves of expressions (study/measure.h), and maps of fields on a grid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "build/schema.h"
#include "scree/scree.h"
#include "show/plot.h"
#include "study/measure.h"

/* One plot on its way: the results, what names mean in them, and the lists behind the curves. */
typedef struct {
    const scree_plot_def *def;
    scr_archive *archive;
    scr_scene *scene;
    scr_scope *scope;
    scr_plot_curve curves[SCREE_PLOT_CURVES];
    double *lists[3 * SCREE_PLOT_CURVES];
    int count, list_count;
    char labels[SCREE_PLOT_CURVES + 2][160];
} drawing;

static void drawing_close(drawing *d)
{
    for (int k = 0; k < d->list_count; k++) free(d->lists[k]);
    scr_scope_destroy(d->scope);
    scr_scene_destroy(d->scene);
    if (d->archive) scr_archive_close(d->archive);
}

static scree_status drawing_open(drawing *d, scree_report *report)
{
    d->archive = scr_archive_open(d->def->results, report);
    if (!d->archive) return SCREE_E_INPUT;
    d->scene = scr_scene_parse(scr_archive_scene_text(d->archive), scr_archive_scene_path(d->archive), scr_schema_get(),
                               NULL, 0, report);
    if (!d->scene) return SCREE_E_INPUT;
    d->scope = scr_scope_create(d->scene, d->archive, NULL);
    return d->scope ? SCREE_OK : scr_no_memory(report, "a plot");
}

// where SERIES.COLUMN is; false: it is none
static bool column_of(const drawing *d, const char *text, int *series, int *column)
{
    int count;
    const scr_series_info *all = scr_archive_series(d->archive, &count);
    for (*series = 0; *series < count; ++*series) {
        size_t length = strlen(all[*series].name);
        if (strncmp(text, all[*series].name, length) || text[length] != '.') continue;
        for (*column = 0; *column < all[*series].column_count; ++*column)
            if (!strcmp(all[*series].columns[*column], text + length + 1)) return true;
    }
    return false;
}

// a column has a unit, an expression speaks for itself
static void name_it(const drawing *d, const char *text, char *label, size_t size)
{
    int series, column, count;
    const char *unit = "";
    if (column_of(d, text, &series, &column)) unit = scr_archive_series(d->archive, &count)[series].units[column];
    snprintf(label, size, *unit ? "%.120s [%s]" : "%.120s%s", text, unit);
}

// `axial=top.fz/0.01`: the name of a curve, and its expression
static const char *expression_of(const char *text, size_t *name)
{
    size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_ ");
    bool named = n && text[n] == '=' && text[n + 1] != '=';
    *name = named ? n : 0;
    return named ? text + n + 1 : text;
}

/* ---- curves ---- */

static scree_status evaluate(drawing *d, const char *text, scr_operand *value, double **times, scree_report *report)
{
    char why[SCR_EXPRESSION_WHY];
    scr_names names = scr_scope_names(d->scope);
    double *rows;
    *times = NULL;
    if (!scr_expression_value(text, &names, value, &rows, times, why, sizeof why))
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = d->def->results}, "'%.100s': %s", text, why);
    d->lists[d->list_count++] = rows;
    value->rows = rows;
    if (value->list) return SCREE_OK;
    free(*times);
    return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = d->def->results},
                    "'%.100s' is one number, not a list that could be drawn", text);
}

static scree_status add_curve(drawing *d, const char *y, scree_report *report)
{
    const scree_plot_def *def = d->def;
    scr_operand ys, xs;
    double *times, *unused = NULL;
    size_t named;
    const char *label = y;
    y = expression_of(y, &named);
    scree_status status = evaluate(d, y, &ys, &times, report);
    if (status) return status;
    d->lists[d->list_count++] = times;
    if (def->x) status = evaluate(d, def->x, &xs, &unused, report);
    free(unused);
    if (status) return status;
    const double *x = def->x ? xs.rows : times;
    if (!x)
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = def->results},
                        "'%.100s' has no times: give x, the quantity to plot it over", y);
    if (def->x && xs.count != ys.count)
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = def->results},
                        "'%.60s' has %zu rows, '%.60s' has %zu: they cannot be drawn over each other", y, ys.count,
                        def->x, xs.count);
    if (named)
        snprintf(d->labels[d->count], sizeof *d->labels, "%.*s", (int)named, label);
    else
        name_it(d, y, d->labels[d->count], sizeof *d->labels);
    d->curves[d->count] = (scr_plot_curve){.style = def->points ? SCR_PLOT_POINTS : SCR_PLOT_LINE,
                                           .label = def->y_count > 1 ? d->labels[d->count] : NULL,
                                           .x = x,
                                           .y = ys.rows,
                                           .count = ys.count};
    d->count++;
    return SCREE_OK;
}

/* ---- maps ---- */

// which axes have more than one bin; x runs fastest
static bool grid_of(const scr_series_info *s, int count[3])
{
    size_t stride = 1, bins = (size_t)s->bins;
    if (!s->bins || s->bin_width != 3) return false;
    for (int d = 0; d < 3; d++) {
        const double *c = s->bin_values + d;
        size_t n = 1;
        while (n * stride < bins && c[3 * n * stride] > c[3 * (n - 1) * stride]) n++;
        count[d] = (int)n;
        stride *= n;
    }
    return stride == bins;
}

// the axis across the picture, and the layer of it that is shown
static scree_status choose_layer(const drawing *d, const scr_series_info *s, const int count[3], int *axis, int *layer,
                                 scree_report *report)
{
    scree_place at = {.file = d->def->results};
    *axis = 0;
    for (int k = 1; k < 3; k++)
        if (count[k] <= count[*axis]) *axis = k;
    // two equal ones: seen from the front
    if (count[0] == 1 && count[1] == 1) *axis = 1;
    double where = NAN;
    if (d->def->slice) {
        char name, end;
        if (sscanf(d->def->slice, "%c=%lf%c", &name, &where, &end) != 2 || !strchr("xyz", name) || !isfinite(where))
            return scr_fail(report, SCREE_E_INPUT, at, "slice is '%.40s', must be like y=0.01", d->def->slice);
        *axis = name - 'x';
    }
    size_t stride = *axis == 0 ? 1 : *axis == 1 ? (size_t)count[0] : (size_t)count[0] * (size_t)count[1];
    *layer = (count[*axis] - 1) / 2;
    for (int k = 0; k < count[*axis] && !isnan(where); k++) {
        const double *c = s->bin_values + *axis;
        if (fabs(c[3 * stride * (size_t)k] - where) < fabs(c[3 * stride * (size_t)*layer] - where)) *layer = k;
    }
    return SCREE_OK;
}

static size_t row_at(const double *times, size_t count, double time)
{
    size_t best = count - 1;
    for (size_t k = 0; k < count && !isnan(time); k++)
        if (fabs(times[k] - time) < fabs(times[best] - time)) best = k;
    return best;
}

// bins of one layer, as cells
static void cut_layer(drawing *d, const scr_series_info *s, const int n[3], int axis, int layer, const double *values)
{
    int across = axis == 0 ? 1 : 0, up = axis == 2 ? 1 : 2;
    size_t count = 0;
    for (size_t bin = 0; bin < (size_t)s->bins; bin++) {
        const size_t place[3] = {bin % (size_t)n[0], bin / (size_t)n[0] % (size_t)n[1],
                                 bin / (size_t)n[0] / (size_t)n[1]};
        if (place[axis] != (size_t)layer) continue;
        d->lists[0][count] = s->bin_values[3 * bin + (size_t)across];
        d->lists[1][count] = s->bin_values[3 * bin + (size_t)up];
        d->lists[2][count++] = values[bin];
    }
    snprintf(d->labels[SCREE_PLOT_CURVES], sizeof *d->labels, "%c [m]", "xyz"[across]);
    snprintf(d->labels[SCREE_PLOT_CURVES + 1], sizeof *d->labels, "%c [m]", "xyz"[up]);
    d->curves[d->count++] = (scr_plot_curve){.style = SCR_PLOT_MAP,
                                             .label = d->labels[0],
                                             .x = d->lists[0],
                                             .y = d->lists[1],
                                             .value = d->lists[2],
                                             .count = count};
}

static scree_status add_map(drawing *d, scree_report *report)
{
    const char *text = d->def->map;
    scree_place at = {.file = d->def->results};
    int series, column, all, axis = 0, layer = 0, n[3];
    if (!column_of(d, text, &series, &column))
        return scr_fail(report, SCREE_E_INPUT, at, "there is no column '%.100s'; scree info lists those there are",
                        text);
    const scr_series_info *s = &scr_archive_series(d->archive, &all)[series];
    if (!grid_of(s, n) || s->widths[column] != s->bins || !s->count)
        return scr_fail(report, SCREE_E_INPUT, at,
                        "'%.100s' is not on a grid: maps are drawn of the observers fields and grid", text);
    scree_status status = choose_layer(d, s, n, &axis, &layer, report);
    if (status) return status;
    double *values = malloc((s->count * (size_t)s->bins + 1) * sizeof *values);
    double *times = malloc((s->count + 1) * sizeof *times);
    for (int k = 0; k < 3; k++) d->lists[d->list_count++] = malloc(((size_t)s->bins + 1) * sizeof **d->lists);
    if (!values || !times || !d->lists[0] || !d->lists[1] || !d->lists[2]) status = scr_no_memory(report, "a plot");
    if (!status) status = scr_archive_series_read(d->archive, series, column, values, report);
    if (!status) status = scr_archive_series_read(d->archive, series, 0, times, report);
    if (!status) {
        size_t row = row_at(times, s->count, d->def->time);
        name_it(d, text, d->labels[0], sizeof *d->labels);
        cut_layer(d, s, n, axis, layer, values + row * (size_t)s->bins);
    }
    free(values), free(times);
    return status;
}

/* ---- all ---- */

static scree_status draw(drawing *d, scree_report *report)
{
    const scree_plot_def *def = d->def;
    scree_status status = def->map ? add_map(d, report) : SCREE_OK;
    for (int k = 0; k < def->y_count && !status; k++) status = add_curve(d, def->y[k], report);
    if (status) return status;
    char *x = d->labels[SCREE_PLOT_CURVES], *y = d->labels[SCREE_PLOT_CURVES + 1];
    if (!def->map && def->x) name_it(d, def->x, x, sizeof *d->labels);
    if (!def->map && !def->x) snprintf(x, sizeof *d->labels, "time [s]");
    if (!def->map && def->y_count == 1) snprintf(y, sizeof *d->labels, "%s", d->labels[0]);
    scr_plot plot = {.title = def->title ? def->title : scr_archive_title(d->archive),
                     .x = {.label = def->x_label ? def->x_label : x, .low = NAN, .high = NAN},
                     .y = {.label = def->y_label ? def->y_label : y, .low = NAN, .high = NAN},
                     .curves = d->curves,
                     .curve_count = d->count};
    return scr_plot_write(&plot, def->output, def->force, report);
}

scree_plot_def scree_plot_def_default(void)
{
    return (scree_plot_def){.time = NAN};
}

scree_status scree_results_plot(const scree_plot_def *def, scree_report *report)
{
    if (!def->map == !def->y_count)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "%s: expressions over time with --y (series.column), or a map of a field with --map",
                        def->map ? "give only one of the two" : "give what to draw");
    if (def->y_count > SCREE_PLOT_CURVES)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "%d curves, at most %d are drawn", def->y_count,
                        SCREE_PLOT_CURVES);
    drawing d = {.def = def};
    scree_status status = drawing_open(&d, report);
    if (!status) status = draw(&d, report);
    drawing_close(&d);
    return status;
}
