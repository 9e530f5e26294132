/* A series as a table: a line per row; where columns have a number per bin, a line per row and bin, with where the
 * bin is. Units are in the header. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "show/export_frame.h"

static bool is_series(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, "time [s],");
}

static const scr_output_kind kind = {.what = "an exported series (CSV)", .is = is_series};

static void put_name(FILE *out, const char *name, const char *unit)
{
    // a comma within a unit does not end a column
    const char *quote = strchr(unit, ',') ? "\"" : "";
    fprintf(out, ",%s%s", quote, name);
    if (*unit) fprintf(out, " [%s]", unit);
    fputs(quote, out);
}

// the columns with one number per row, or those with one per bin; time stands before them
static void put_names(FILE *out, const scr_series_info *s, bool binned)
{
    for (int c = 1; c < s->column_count; c++)
        if ((s->widths[c] > 1) == binned) put_name(out, s->columns[c], s->units[c]);
}

static void put_head(FILE *out, const scr_series_info *s)
{
    fprintf(out, "time [s]");
    put_names(out, s, false);
    if (s->bins) fprintf(out, ",bin");
    for (int k = 0; k < s->bin_width; k++) {
        char name[128];
        snprintf(name, sizeof name, s->bin_width == 3 ? "%.100s_%c" : "%.100s", s->bin_name, "xyz"[k % 3]);
        put_name(out, name, s->bin_unit);
    }
    put_names(out, s, true);
    fputc('\n', out);
}

static void put_number(FILE *out, double value)
{
    fputc(',', out);
    scr_number_write(out, value);
}

static void put_line(FILE *out, const scr_series_info *s, double *const *columns, size_t row, int bin)
{
    scr_number_write(out, columns[0][row]);
    for (int c = 1; c < s->column_count; c++)
        if (s->widths[c] == 1) put_number(out, columns[c][row]);
    if (bin < 0) {
        fputc('\n', out);
        return;
    }
    fprintf(out, ",%d", bin);
    for (int k = 0; k < s->bin_width; k++) put_number(out, s->bin_values[bin * s->bin_width + k]);
    for (int c = 1; c < s->column_count; c++)
        if (s->widths[c] > 1) put_number(out, columns[c][row * (size_t)s->widths[c] + (size_t)bin]);
    fputc('\n', out);
}

static scree_status put_rows(FILE *out, const scr_archive *a, int k, const scr_series_info *s, scree_report *report)
{
    double **columns = calloc((size_t)s->column_count, sizeof *columns);
    scree_status status = SCREE_OK;
    for (int c = 0; columns && !status && c < s->column_count; c++) {
        columns[c] = malloc((s->count * (size_t)s->widths[c] + 1) * sizeof **columns);
        if (!columns[c]) break;
        status = scr_archive_series_read(a, k, c, columns[c], report);
    }
    if (!columns || (!status && !columns[s->column_count - 1])) status = scr_no_memory(report, "series");
    for (size_t row = 0; !status && row < s->count; row++)
        for (int bin = s->bins ? 0 : -1; bin < s->bins; bin++) put_line(out, s, columns, row, bin);
    for (int c = 0; columns && c < s->column_count; c++) free(columns[c]);
    free(columns);
    return status;
}

int scr_export_series_find(const scr_archive *a, const char *results, const char *name, scree_report *report)
{
    int count;
    const scr_series_info *all = scr_archive_series(a, &count);
    char names[512] = "none";
    size_t used = 0;
    for (int k = 0; k < count; k++) {
        if (!strcmp(all[k].name, name)) return k;
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "", all[k].name);
    }
    scr_fail(report, SCREE_E_INPUT, (scree_place){.file = results}, "has no series '%.60s'; there are %s", name, names);
    return -1;
}

scree_status scr_export_series(const scr_archive *a, int k, const scr_export_def *def, const char *path, size_t *rows,
                               scree_report *report)
{
    int count;
    scr_output file;
    const scr_series_info *s = &scr_archive_series(a, &count)[k];
    scree_status status = scr_output_open(&file, path, &kind, def->force, report);
    if (status) return status;
    put_head(file.out, s);
    status = put_rows(file.out, a, k, s, report);
    *rows = s->count;
    return scr_output_close(&file, status, report);
}
