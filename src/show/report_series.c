#include "show/report_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "observe/balance.h"
#include "scree/energies.h"
#include "show/markup.h"

#define CURVES   8    /* in one plot */
#define PLOTS    6    /* of one series */
#define PROFILES 5    /* times at which a profile is shown */
#define ROWS     600  /* of a series that are drawn: more than a plot can show */
#define VISIBLE  1e-3 /* of all energy: what is always less has no area of its own */

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "the series of a report");
}

/* ---- reading ---- */

/* Rows of a series, thinned to what can be seen; columns one after the other. */
typedef struct {
    const scr_series_info *info;
    double *values; // column c from offset[c] on, widths[c] numbers per row
    size_t *offset;
    size_t rows;
} table;

static void table_free(table *t)
{
    free(t->values);
    free(t->offset);
    *t = (table){0};
}

static scree_status table_read(const scr_archive *archive, int series, table *t, scree_report *report)
{
    int count;
    const scr_series_info *s = &scr_archive_series(archive, &count)[series];
    size_t every = s->count / ROWS + 1, rows = s->count ? (s->count - 1) / every + 1 : 0, all = 0;
    // the last row belongs to it
    bool last = s->count && (rows - 1) * every != s->count - 1;
    size_t widest = 1;
    *t = (table){.info = s, .rows = rows + last};
    t->offset = calloc((size_t)s->column_count + 1, sizeof *t->offset);
    for (int c = 0; t->offset && c < s->column_count; c++) {
        t->offset[c] = all;
        all += t->rows * (size_t)s->widths[c];
        if ((size_t)s->widths[c] > widest) widest = (size_t)s->widths[c];
    }
    t->values = malloc((all + 1) * sizeof *t->values);
    double *column = malloc((s->count * widest + 1) * sizeof *column);
    scree_status status = t->offset && t->values && column ? SCREE_OK : no_memory(report);
    for (int c = 0; !status && c < s->column_count; c++) {
        size_t wide = (size_t)s->widths[c];
        status = scr_archive_series_read(archive, series, c, column, report);
        for (size_t k = 0; !status && k < t->rows; k++) {
            size_t row = k < rows ? k * every : s->count - 1;
            memcpy(t->values + t->offset[c] + k * wide, column + row * wide, wide * sizeof *column);
        }
    }
    free(column);
    if (status) table_free(t);
    return status;
}

static const double *column_of(const table *t, const char *name)
{
    for (int c = 0; c < t->info->column_count; c++)
        if (!strcmp(t->info->columns[c], name)) return t->values + t->offset[c];
    return NULL;
}

static void axis_label(const char *name, const char *unit, char *text, size_t size)
{
    snprintf(text, size, *unit ? "%s [%s]" : "%s%s", name, unit);
}

/* ---- the ledger ---- */

// of the accounts (scree/energies.h): what is there and what is gone are areas, in their order; what was brought is a
// line
static const scr_plot_colour colours[SCREE_ACCOUNT_COUNT] = {
#define F(name, kind, part, label, colour, doc) SCR_PLOT_##colour,
    SCREE_ACCOUNTS(F)
#undef F
};

/* Areas on top of each other: borders[k] and borders[k + 1] are the two of the k-th. */
typedef struct {
    double *borders[SCREE_ACCOUNT_COUNT + 1];
    int account[SCREE_ACCOUNT_COUNT];
    int count;
    double *in;     // what there was and what has been put in
    double largest; // of all energies
} stack;

static void stack_free(stack *s)
{
    for (int k = 0; k <= SCREE_ACCOUNT_COUNT; k++) free(s->borders[k]);
    free(s->in);
}

// the least of a column: potential energy counts from anywhere
static double least(const double *values, size_t rows)
{
    double low = INFINITY;
    for (size_t k = 0; k < rows; k++) low = fmin(low, values[k]);
    return isfinite(low) ? low : 0;
}

static bool stack_make(stack *s, const table *t)
{
    size_t rows = t->rows;
    *s = (stack){.in = calloc(rows + 1, sizeof *s->in)};
    for (int k = 0; k <= SCREE_ACCOUNT_COUNT; k++)
        if (!(s->borders[k] = calloc(rows + 1, sizeof **s->borders))) break;
    if (!s->in || !s->borders[SCREE_ACCOUNT_COUNT]) return false;
    const scree_account *accounts = scree_accounts();
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < SCREE_ACCOUNT_COUNT; k++) {
            if (accounts[k].sign < 0) continue;
            const double *c = column_of(t, accounts[k].name);
            double shift = c && accounts[k].kind == SCREE_POTENTIAL ? least(c, rows) : 0, most = 0;
            for (size_t n = 0; c && n < rows; n++) most = fmax(most, fabs(c[n] - shift));
            if (!pass) {
                s->largest = fmax(s->largest, most);
                if (c && rows) s->in[0] += c[0] - shift;
            } else if (c && most > VISIBLE * s->largest) {
                for (size_t n = 0; n < rows; n++) s->borders[s->count + 1][n] = s->borders[s->count][n] + c[n] - shift;
                s->account[s->count++] = k;
            }
        }
    for (size_t n = 1; n < rows; n++) s->in[n] = s->in[0];
    for (int k = 0; k < SCREE_ACCOUNT_COUNT; k++) {
        const double *c = accounts[k].sign < 0 ? column_of(t, accounts[k].name) : NULL;
        for (size_t n = 0; c && n < rows; n++) s->in[n] += c[n];
    }
    return true;
}

static scree_status plot_stack(scr_page *page, const table *t, const stack *s, scree_report *report)
{
    scr_plot_curve curves[SCREE_ACCOUNT_COUNT + 1];
    const double *time = t->values;
    for (int k = 0; k < s->count; k++)
        curves[k] = (scr_plot_curve){.style = SCR_PLOT_AREA,
                                     .colour = colours[s->account[k]],
                                     .label = scree_accounts()[s->account[k]].label,
                                     .x = time,
                                     .y = s->borders[k + 1],
                                     .value = s->borders[k],
                                     .count = t->rows};
    curves[s->count] = (scr_plot_curve){
        .style = SCR_PLOT_DASHES, .colour = SCR_PLOT_BLACK, .label = "put in", .x = time, .y = s->in, .count = t->rows};
    scr_plot plot = {.title = "Where the energy is",
                     .x = {.label = "time [s]", .low = NAN, .high = NAN},
                     .y = {.label = "energy [J]", .low = NAN, .high = NAN},
                     .curves = curves,
                     .curve_count = s->count + 1};
    return scr_page_plot(page, &plot, report);
}

static scree_status plot_closure(scr_page *page, const table *t, const stack *s, scree_report *report)
{
    const double *closure = column_of(t, "closure");
    double *part = malloc((t->rows + 1) * sizeof *part);
    if (!part) return no_memory(report);
    for (size_t n = 0; n < t->rows; n++) part[n] = closure[n] / s->largest;
    scr_plot_curve curve = {
        .style = SCR_PLOT_LINE, .colour = SCR_PLOT_PURPLE, .x = t->values, .y = part, .count = t->rows};
    scr_plot plot = {.title = "Energy balance error",
                     .x = {.label = "time [s]", .low = NAN, .high = NAN},
                     .y = {.label = "error over the largest energy", .low = NAN, .high = NAN},
                     .curves = &curve,
                     .curve_count = 1};
    scree_status status = scr_page_plot(page, &plot, report);
    free(part);
    return status;
}

static scree_status page_balance(scr_page *page, const scr_archive *archive, scree_report *report)
{
    scr_balance balance;
    char text[SCR_BALANCE_TEXT];
    scree_status status = scr_balance_of_archive(archive, &balance, report);
    if (status) return status;
    scr_balance_text(&balance, text);
    fprintf(page->out, "<p class=\"%s\">E%s.</p>\n", scr_balance_is_fine(&balance) ? "good" : "bad", text + 1);
    return SCREE_OK;
}

scree_status scr_page_ledger(scr_page *page, const scr_archive *archive, scree_report *report)
{
    int count, k = 0;
    const scr_series_info *series = scr_archive_series(archive, &count);
    while (k < count && strcmp(series[k].kind, "ledger")) k++;
    if (k == count) return SCREE_OK;
    table t;
    stack s = {0};
    scree_status status = table_read(archive, k, &t, report);
    if (status) return status;
    if (!stack_make(&s, &t)) status = no_memory(report);
    const double *closure = column_of(&t, "closure");
    if (!status && t.rows && s.largest > 0 && closure) {
        scr_page_section(page, "energy", "Energy");
        status = page_balance(page, archive, report);
        fputs("<div class=\"plots\">", page->out);
        if (!status) status = plot_stack(page, &t, &s, report);
        if (!status) status = plot_closure(page, &t, &s, report);
        fputs("</div>\n", page->out);
    }
    stack_free(&s);
    table_free(&t);
    return status;
}

/* ---- observers ---- */

// columns of one number and one unit, from `first` on; taken ones are marked
static scree_status plot_columns(scr_page *page, const table *t, int first, bool *taken, scree_report *report)
{
    const scr_series_info *s = t->info;
    scr_plot_curve curves[CURVES];
    char label[160];
    int used = 0, only = first;
    for (int c = first; c < s->column_count && used < CURVES; c++) {
        if (taken[c] || s->widths[c] != 1 || strcmp(s->units[c], s->units[first])) continue;
        // pure numbers have nothing in common but that
        if (c != first && !*s->units[c]) continue;
        taken[c] = true;
        only = c;
        curves[used++] = (scr_plot_curve){.style = SCR_PLOT_LINE,
                                          .label = s->columns[c],
                                          .x = t->values,
                                          .y = t->values + t->offset[c],
                                          .count = t->rows};
    }
    axis_label(used == 1 ? s->columns[only] : "", s->units[first], label, sizeof label);
    if (used == 1) curves[0].label = NULL;
    scr_plot plot = {.title = s->name,
                     .x = {.label = "time [s]", .low = NAN, .high = NAN},
                     .y = {.label = label, .low = NAN, .high = NAN},
                     .curves = curves,
                     .curve_count = used};
    return scr_page_plot(page, &plot, report);
}

static scree_status plot_profile(scr_page *page, const table *t, int c, scree_report *report)
{
    const scr_series_info *s = t->info;
    scr_plot_curve curves[PROFILES];
    char labels[PROFILES][40], x[160], y[160];
    int used = 0;
    size_t width = (size_t)s->widths[c];
    for (size_t k = 0; k < PROFILES && t->rows; k++) {
        size_t row = (t->rows - 1) * (k + 1) / PROFILES;
        snprintf(labels[used], sizeof labels[used], "t = %.4g s", t->values[row]);
        curves[used] = (scr_plot_curve){.style = SCR_PLOT_LINE,
                                        .label = labels[used],
                                        .x = s->bin_values,
                                        .y = t->values + t->offset[c] + row * width,
                                        .count = width};
        used++;
    }
    axis_label(s->bin_name, s->bin_unit, x, sizeof x);
    axis_label(s->columns[c], s->units[c], y, sizeof y);
    scr_plot plot = {.title = s->name,
                     .x = {.label = x, .low = NAN, .high = NAN},
                     .y = {.label = y, .low = NAN, .high = NAN},
                     .curves = curves,
                     .curve_count = used};
    return scr_page_plot(page, &plot, report);
}

// whether a column says nothing as a plot: all its numbers are one, or there is none; *value is that one or NAN
static bool is_flat(const table *t, int c, double *value)
{
    const double *v = t->values + t->offset[c];
    size_t count = t->rows * (size_t)t->info->widths[c];
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < count; k++)
        if (isfinite(v[k])) low = fmin(low, v[k]), high = fmax(high, v[k]);
    *value = low <= high ? low : NAN;
    return !(low < high);
}

// columns without a plot, in words; they are marked as taken
static void page_flat(scr_page *page, const table *t, bool *taken)
{
    const scr_series_info *s = t->info;
    const char *before = "<p class=\"soft\">Constant: ";
    double value;
    bool any = false;
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 1; c < s->column_count; c++) {
            bool flat = is_flat(t, c, &value);
            if (!flat || isnan(value) != (pass == 1)) continue;
            fputs(before, page->out);
            scr_markup_write(page->out, s->columns[c]);
            if (!pass) fprintf(page->out, " %.6g %s", value, s->units[c]);
            before = ", ", taken[c] = any = true;
        }
        if (!pass) before = any ? "; without values: " : "<p class=\"soft\">Without values: ";
    }
    if (any) fputs(".</p>\n", page->out);
}

static scree_status page_series(scr_page *page, const table *t, scree_report *report)
{
    const scr_series_info *s = t->info;
    bool *taken = calloc((size_t)s->column_count + 1, sizeof *taken);
    if (!taken) return no_memory(report);
    scree_status status = SCREE_OK;
    int plots = 0, left = 0;
    double flat;
    fputs("<h3>", page->out);
    scr_markup_write(page->out, s->name);
    fputs("</h3>\n", page->out);
    page_flat(page, t, taken);
    fputs("<div class=\"plots\">\n", page->out);
    for (int c = 1; !status && c < s->column_count; c++) {
        bool profile = s->widths[c] > 1 && s->widths[c] == s->bins && s->bin_width == 1;
        if (taken[c] || is_flat(t, c, &flat) || (s->widths[c] > 1 && !profile)) continue;
        if (plots == PLOTS) {
            left++;
            continue;
        }
        status = profile ? plot_profile(page, t, c, report) : plot_columns(page, t, c, taken, report);
        plots++;
    }
    fputs("</div>\n", page->out);
    if (left) fprintf(page->out, "<p class=\"soft\">%d more columns are in the results.</p>\n", left);
    free(taken);
    return status;
}

scree_status scr_page_observers(scr_page *page, const scr_archive *archive, scree_report *report)
{
    int count;
    const scr_series_info *series = scr_archive_series(archive, &count);
    scree_status status = SCREE_OK;
    bool begun = false;
    for (int k = 0; !status && k < count; k++) {
        if (!strcmp(series[k].kind, "ledger") || series[k].count < 2) continue;
        if (!begun) scr_page_section(page, "observers", "Observers");
        begun = true;
        table t;
        status = table_read(archive, k, &t, report);
        if (!status) status = page_series(page, &t, report);
        table_free(&t);
    }
    return status;
}
