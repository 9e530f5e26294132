/* Time series of two runs: energies, then every column they have in common. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/compare.h"

/* Sums of ledger columns that have a name of their own: the accounts of a kind, or a single column. */
typedef struct {
    const char *name, *doc;
    scree_account_kind kind;
    const char *column;
} sum_of_columns;

static const sum_of_columns sums[] = {
    {"kinetic", "kinetic energy", SCREE_KINETIC, NULL}, {"potential", "potential energy", SCREE_POTENTIAL, NULL},
    {"elastic", "elastic energy", SCREE_ELASTIC, NULL}, {"lost", "dissipated energy", SCREE_LOST, NULL},
    {"closure", "energy balance error", 0, "closure"},  {0},
};

// its columns; how many
static int columns_of(const sum_of_columns *sum, const char *columns[SCREE_ACCOUNT_COUNT])
{
    int count = 0;
    if (sum->column) columns[count++] = sum->column;
    for (const scree_account *a = scree_accounts(); a->name && !sum->column; a++)
        if (a->kind == sum->kind) columns[count++] = a->name;
    return count;
}

static int series_find(const scr_archive *archive, const char *name)
{
    int count;
    const scr_series_info *all = scr_archive_series(archive, &count);
    for (int k = 0; k < count; k++)
        if (!strcmp(all[k].name, name)) return k;
    return -1;
}

// the ledger has another name where a scene has an observer called so
static int ledger_find(const scr_archive *archive)
{
    int count;
    const scr_series_info *all = scr_archive_series(archive, &count);
    for (int k = 0; k < count; k++)
        if (!strcmp(all[k].kind, "ledger")) return k;
    return -1;
}

static int column_find(const scr_series_info *info, const char *name)
{
    for (int c = 0; c < info->column_count; c++)
        if (!strcmp(info->columns[c], name)) return c;
    return -1;
}

static double *column_read(const scr_archive *archive, int series, int column, scree_report *report)
{
    int count;
    const scr_series_info *info = &scr_archive_series(archive, &count)[series];
    double *values = malloc((info->count * (size_t)info->widths[column] + 1) * sizeof *values);
    if (values && !scr_archive_series_read(archive, series, column, values, report)) return values;
    free(values);
    return NULL;
}

// time over one or several columns that are added; columns that are not there count as zero
static bool curve_read(const scr_archive *archive, int series, const char *const *columns, int column_count,
                       scr_compare_curve *curve, scree_report *report)
{
    int count, found = 0;
    *curve = (scr_compare_curve){0};
    if (series < 0) return false;
    const scr_series_info *info = &scr_archive_series(archive, &count)[series];
    if (!info->count) return false;
    curve->x = column_read(archive, series, 0, report);
    curve->y = calloc(info->count + 1, sizeof *curve->y);
    curve->count = info->count;
    for (int k = 0; curve->x && curve->y && k < column_count; k++) {
        int c = column_find(info, columns[k]);
        if (c < 0 || info->widths[c] != 1) continue;
        double *values = column_read(archive, series, c, report);
        for (size_t i = 0; values && i < info->count; i++) curve->y[i] += values[i];
        found += values != NULL;
        free(values);
    }
    if (found) return true;
    free(curve->x), free(curve->y);
    *curve = (scr_compare_curve){0};
    return false;
}

bool scr_compare_column(const scr_compared *run, const char *series, const char *column, scr_compare_curve *curve,
                        scree_report *report)
{
    if (!strcmp(series, "ledger")) {
        int ledger = ledger_find(run->archive);
        const char *columns[SCREE_ACCOUNT_COUNT];
        for (const sum_of_columns *s = sums; s->name; s++)
            if (!strcmp(s->name, column))
                return curve_read(run->archive, ledger, columns, columns_of(s, columns), curve, report);
        return curve_read(run->archive, ledger, &column, 1, curve, report);
    }
    return curve_read(run->archive, series_find(run->archive, series), &column, 1, curve, report);
}

bool scr_compare_spent(const scr_compared *run, scr_compare_curve *curve)
{
    int frames = scr_archive_frame_count(run->archive);
    *curve = (scr_compare_curve){calloc((size_t)frames + 1, sizeof(double)), calloc((size_t)frames + 1, sizeof(double)),
                                 (size_t)frames};
    bool known = curve->x && curve->y && frames > 0;
    for (int k = 0; known && k < frames; k++) {
        scr_frame_info f = scr_archive_frame(run->archive, k);
        curve->x[k] = f.time, curve->y[k] = f.spent.processor;
        known = !isnan(f.spent.processor);
    }
    if (known) return true;
    free(curve->x), free(curve->y);
    *curve = (scr_compare_curve){0};
    return false;
}

double scr_compare_at(const scr_compare_curve *c, double x)
{
    if (!c->count) return NAN;
    if (x <= c->x[0]) return c->y[0];
    if (x >= c->x[c->count - 1]) return c->y[c->count - 1];
    size_t low = 0, high = c->count - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (c->x[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    double span = c->x[high] - c->x[low], part = span > 0 ? (x - c->x[low]) / span : 0;
    // a point on a row is that row, whatever its neighbour
    return part == 0 ? c->y[low] : (1 - part) * c->y[low] + part * c->y[high];
}

// largest and root mean square difference along the common time, over the range of a
static void along_time(const scr_compare_curve *a, const scr_compare_curve *b, double end, scr_difference *row)
{
    double low = INFINITY, high = -INFINITY, worst = 0, square = 0, n = 0;
    double begin = fmax(a->x[0], b->x[0]), slack = 1e-9 * fabs(end);
    for (size_t k = 0; k < a->count; k++) {
        double y = a->y[k], other = scr_compare_at(b, a->x[k]);
        if (a->x[k] < begin - slack || a->x[k] > end + slack) continue;
        if (isnan(y) || isnan(other)) continue;
        low = fmin(low, y), high = fmax(high, y);
        worst = fmax(worst, fabs(other - y));
        square += (other - y) * (other - y), n++;
    }
    if (n < 2) return;
    double range = high - low;
    row->worst = worst == 0 ? 0 : worst / range;
    row->rms = square == 0 ? 0 : sqrt(square / n) / range;
}

static bool add_curves(scr_differences *list, const char *name, const char *unit, const scr_compare_curve *a,
                       const scr_compare_curve *b, double time)
{
    scr_difference *row = scr_differences_add(list, name, unit, scr_compare_at(a, time), scr_compare_at(b, time));
    if (!row) return false;
    along_time(a, b, time, row);
    // what neither run has is not worth a line
    if (row->a == 0 && row->b == 0 && !(row->worst > 0)) list->count--;
    return true;
}

static void curve_free(scr_compare_curve *curve)
{
    free(curve->x), free(curve->y);
    *curve = (scr_compare_curve){0};
}

// of a column that both have; true too when one has not
static bool add_column(const scr_compared *a, const scr_compared *b, const char *series, const char *column,
                       const char *name, const char *unit, scr_differences *list, scree_report *report)
{
    scr_compare_curve ca, cb = {0};
    double time = fmin(a->time, b->time);
    bool good = true;
    if (scr_compare_column(a, series, column, &ca, report) && scr_compare_column(b, series, column, &cb, report))
        good = add_curves(list, name, unit, &ca, &cb, time);
    curve_free(&ca), curve_free(&cb);
    return good;
}

static size_t nearest_row(const double *times, size_t count, double time)
{
    size_t best = 0;
    for (size_t k = 1; k < count; k++)
        if (fabs(times[k] - time) < fabs(times[best] - time)) best = k;
    return best;
}

// a profile: the mean of both over the bins at the common time, and the differences bin by bin over the range
static bool add_bins(const scr_compared *a, int sa, const scr_compared *b, int sb, int column, const char *name,
                     scr_differences *list, scree_report *report)
{
    int count;
    const scr_series_info *ia = &scr_archive_series(a->archive, &count)[sa];
    const scr_series_info *ib = &scr_archive_series(b->archive, &count)[sb];
    int other = column_find(ib, ia->columns[column]);
    if (other < 0 || ia->bins != ib->bins || ib->widths[other] != ia->widths[column] || !ia->count || !ib->count)
        return true;
    double *times[2] = {column_read(a->archive, sa, 0, report), column_read(b->archive, sb, 0, report)};
    double *rows[2] = {column_read(a->archive, sa, column, report), column_read(b->archive, sb, other, report)};
    bool good = times[0] && times[1] && rows[0] && rows[1];
    if (good) {
        size_t n = (size_t)ia->bins, used = 0;
        double time = fmin(a->time, b->time), mean[2] = {0, 0}, low = INFINITY, high = -INFINITY;
        const double *x = rows[0] + nearest_row(times[0], ia->count, time) * n;
        const double *y = rows[1] + nearest_row(times[1], ib->count, time) * n;
        double worst = 0, square = 0;
        for (size_t k = 0; k < n; k++) {
            if (!isfinite(x[k]) || !isfinite(y[k])) continue;
            mean[0] += x[k], mean[1] += y[k], used++;
            low = fmin(low, x[k]), high = fmax(high, x[k]);
            worst = fmax(worst, fabs(y[k] - x[k])), square += (y[k] - x[k]) * (y[k] - x[k]);
        }
        scr_difference *row =
            scr_differences_add(list, name, ia->units[column], mean[0] / (double)used, mean[1] / (double)used);
        good = row != NULL;
        if (row && used) {
            row->worst = worst == 0 ? 0 : worst / (high - low);
            row->rms = square == 0 ? 0 : sqrt(square / (double)used) / (high - low);
        }
    }
    for (int k = 0; k < 2; k++) free(times[k]), free(rows[k]);
    return good;
}

// columns of one observer
static bool add_series(const scr_compared *a, int series, const scr_compared *b, int other, scr_differences *list,
                       scree_report *report)
{
    int count;
    const scr_series_info *info = &scr_archive_series(a->archive, &count)[series];
    bool good = true;
    for (int c = 1; good && c < info->column_count; c++) {
        char name[SCR_COMPARE_NAME];
        snprintf(name, sizeof name, "%.60s.%.56s", info->name, info->columns[c]);
        good = info->widths[c] > 1 ? add_bins(a, series, b, other, c, name, list, report)
                                   : add_column(a, b, info->name, info->columns[c], name, info->units[c], list, report);
    }
    return good;
}

bool scr_compare_series(const scr_compared *a, const scr_compared *b, scr_differences *list, scree_report *report)
{
    int count;
    const scr_series_info *all = scr_archive_series(a->archive, &count);
    bool good = true;
    for (const sum_of_columns *s = sums; good && s->name; s++)
        good = add_column(a, b, "ledger", s->name, s->doc, "J", list, report);
    if (good) good = add_column(a, b, "ledger", "contacts", "contacts", "", list, report);
    for (int k = 0; good && k < count; k++) {
        int other = series_find(b->archive, all[k].name);
        if (other >= 0) good = add_series(a, k, b, other, list, report);
    }
    return good;
}
