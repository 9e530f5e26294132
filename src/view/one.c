/* One grain or cell, as JSON (view/answers.h). */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/sort.h"
#include "show/render_colour.h"
#include "view/answers.h"

// its row; -1 when the frame does not have it
static scree_status row_find(const scr_viewer *v, int frame, bool cell, int64_t name, int64_t *row,
                             scree_report *report)
{
    *row = -1;
    if (cell) {
        if (name >= 0 && name < (int64_t)scr_archive_mesh(v->archive, NULL)->cell_count) *row = name;
        return SCREE_OK;
    }
    double *ids = NULL, id = (double)name;
    size_t count = 0;
    int width;
    scree_status status = scr_archive_read(v->archive, frame, "id", &ids, &count, &width, report);
    const double *at = status ? NULL : bsearch(&id, ids, count, sizeof *ids, scr_by_f64);
    if (at) *row = at - ids;
    free(ids);
    return status;
}

static scree_status number_write(const scr_viewer *v, int frame, bool cell, int64_t row, const char *by, FILE *out,
                                 scree_report *report)
{
    scr_colouring c = {0};
    scree_status status = scr_colouring_read(v->archive, frame, by, &c, report);
    const double *values = cell ? c.cells : c.grains;
    if (!status) {
        fputs("{\"value\":", out);
        scr_json_number(out, values ? values[row] : NAN);
        fputc('}', out);
    }
    scr_colouring_deinit(&c);
    return status;
}

static scree_status views_write(const scr_viewer *v, int frame, bool cell, int64_t row, FILE *out, scree_report *report)
{
    scr_archive *a = v->archive;
    const char *const *views = cell ? scr_archive_cell_views(a, frame) : scr_archive_views(a, frame);
    fputs("{\"views\":[", out);
    scree_status status = SCREE_OK;
    for (int k = 0; !status && views[k]; k++) {
        double *data;
        size_t count;
        int width;
        status = cell ? scr_archive_cells(a, frame, views[k], &data, &width, report)
                      : scr_archive_read(a, frame, views[k], &data, &count, &width, report);
        if (status) break;
        fprintf(out, "%s{\"name\":", k ? "," : "");
        scr_json_text(out, views[k]);
        fputs(",\"unit\":", out);
        scr_json_text(out, cell ? scr_archive_cell_unit(a, frame, views[k]) : scr_archive_unit(a, frame, views[k]));
        fputs(",\"value\":", out);
        scr_json_numbers(out, data + row * width, width);
        fputc('}', out);
        free(data);
    }
    fputs("]}", out);
    return status;
}

scree_status scr_view_one(const scr_viewer *v, int frame, bool cell, int64_t name, const char *by, FILE *out,
                          scree_report *report)
{
    int64_t row;
    scree_status status = row_find(v, frame, cell, name, &row, report);
    if (status) return status;
    if (row < 0)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no %s %lld in frame %d", cell ? "cell" : "grain",
                        (long long)name, frame);
    return by ? number_write(v, frame, cell, row, by, out, report) : views_write(v, frame, cell, row, out, report);
}
