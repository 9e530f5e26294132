/* ParaView: a series on a regular grid as image data, STEM-NNNNNN.vti for each row with one cell per bin, and the
 * collection STEM.pvd that gives each file its time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "show/export_vtk.h"

typedef struct {
    int count[3];
    double lower[3], edge[3];
} grid;

// how many bins follow each other along an axis, and how far apart; x runs fastest
static bool axis_of(const double *centre, size_t bins, size_t stride, int d, int *count, double *edge)
{
    size_t n = 1;
    *edge = 0;
    while (n * stride < bins && centre[3 * n * stride + (size_t)d] > centre[3 * (n - 1) * stride + (size_t)d]) n++;
    if (n > 1) *edge = (centre[3 * (n - 1) * stride + (size_t)d] - centre[d]) / (double)(n - 1);
    *count = (int)n;
    return n * stride <= bins && bins % (n * stride) == 0;
}

// false: the bins are not those of a regular grid
static bool grid_of(const scr_series_info *s, const scr_domain *domain, grid *g)
{
    size_t stride = 1, bins = (size_t)s->bins;
    if (!s->bins || s->bin_width != 3) return false;
    for (int d = 0; d < 3; d++) {
        if (!axis_of(s->bin_values, bins, stride, d, &g->count[d], &g->edge[d])) return false;
        stride *= (size_t)g->count[d];
        // one bin: as far as the domain, about its centre
        double low = (&domain->lower.x)[d], high = (&domain->upper.x)[d], centre = s->bin_values[d];
        if (g->count[d] == 1) g->edge[d] = 2 * fmin(centre - low, high - centre);
        g->lower[d] = centre - 0.5 * g->edge[d];
    }
    return stride == bins;
}

static void put_head(FILE *out, const scr_series_info *s, const grid *g, double time)
{
    uint64_t offset = 0;
    char extent[100];
    snprintf(extent, sizeof extent, "0 %d 0 %d 0 %d", g->count[0], g->count[1], g->count[2]);
    fprintf(out,
            SCR_VTK_BEGIN
            "type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
            "  <ImageData WholeExtent=\"%s\" Origin=\"%.17g %.17g %.17g\" Spacing=\"%.17g %.17g %.17g\">\n"
            "    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" "
            "NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n    </FieldData>\n"
            "    <Piece Extent=\"%s\">\n      <CellData>\n",
            extent, g->lower[0], g->lower[1], g->lower[2], g->edge[0], g->edge[1], g->edge[2], time, extent);
    for (int c = 1; c < s->column_count; c++)
        if (s->widths[c] == s->bins) scr_vtk_array(out, "Float64", s->columns[c], 1, &offset, (size_t)s->bins);
    fprintf(out, "      </CellData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n   _");
}

static scree_status write_row(const scr_series_info *s, const grid *g, double *const *columns, size_t row,
                              const char *path, bool force, scree_report *report)
{
    scr_output file;
    scree_status status = scr_output_open(&file, path, &scr_vtk_kind, force, report);
    if (status) return status;
    put_head(file.out, s, g, columns[0][row]);
    for (int c = 1; c < s->column_count; c++) {
        if (s->widths[c] != s->bins) continue;
        scr_vtk_length(file.out, 8 * (uint64_t)s->bins);
        fwrite(columns[c] + row * (size_t)s->bins, 8, (size_t)s->bins, file.out);
    }
    fprintf(file.out, "\n  </AppendedData>\n</VTKFile>\n");
    return scr_output_close(&file, SCREE_OK, report);
}

static scree_status write_collection(const char *stem, const size_t *rows, size_t count, const double *time, bool force,
                                     const char *path, scree_report *report)
{
    scr_output file;
    const char *name = strrchr(stem, '/');
    scree_status status = scr_output_open(&file, path, &scr_vtk_kind, force, report);
    if (status) return status;
    fprintf(file.out,
            SCR_VTK_BEGIN "type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>\n");
    for (size_t k = 0; k < count; k++)
        fprintf(file.out, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"%s-%06zu.vti\"/>\n", time[rows[k]],
                name ? name + 1 : stem, rows[k]);
    fprintf(file.out, "  </Collection>\n</VTKFile>\n");
    return scr_output_close(&file, SCREE_OK, report);
}

// the rows that --first, --last and --every ask for; NULL: none, and said why
static size_t *rows_chosen(const scr_series_info *s, const scr_export_def *def, size_t *count, scree_report *report)
{
    int64_t all = (int64_t)s->count, first = def->first < 0 ? def->first + all : def->first;
    int64_t last = def->last < 0 ? def->last + all : def->last;
    *count = 0;
    if (first < 0 || last >= all || first > last || def->every < 1) {
        scr_fail(report, SCREE_E_INPUT, (scree_place){.file = def->results},
                 "series '%.60s' has %lld rows, counted from 0: rows %d to %d, every %d, cannot be exported", s->name,
                 (long long)all, def->first, def->last, def->every);
        return NULL;
    }
    size_t *rows = malloc(((size_t)(last - first) / (size_t)def->every + 1) * sizeof *rows);
    for (int64_t k = first; rows && k <= last; k += def->every) rows[(*count)++] = (size_t)k;
    if (!rows) scr_no_memory(report, "an export");
    return rows;
}

static scree_status write_all(const scr_series_info *s, const grid *g, const scr_export_def *def, const char *stem,
                              double *const *columns, size_t *count, scree_report *report)
{
    size_t *rows = rows_chosen(s, def, count, report);
    scree_status status = rows ? SCREE_OK : SCREE_E_INPUT;
    char *path = NULL;
    for (size_t k = 0; !status && k < *count; k++) {
        if (asprintf(&path, "%s-%06zu.vti", stem, rows[k]) < 0) path = NULL;
        status = path ? write_row(s, g, columns, rows[k], path, def->force, report) : scr_no_memory(report, "a name");
        free(path), path = NULL;
    }
    if (!status && asprintf(&path, "%s.pvd", stem) < 0) path = NULL, status = scr_no_memory(report, "a name");
    if (!status) status = write_collection(stem, rows, *count, columns[0], def->force, path, report);
    free(path);
    free(rows);
    return status;
}

scree_status scr_export_vti(const scr_archive *a, int series, const scr_export_def *def, const char *stem, size_t *rows,
                            scree_report *report)
{
    int all;
    const scr_series_info *s = &scr_archive_series(a, &all)[series];
    scr_domain domain = scr_archive_domain(a);
    grid g;
    if (!grid_of(s, &domain, &g))
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = def->results},
                        "series '%.60s' is not on a grid: only series of the observers fields, grid and profile can be "
                        "exported as vti",
                        s->name);
    double **columns = calloc((size_t)s->column_count, sizeof *columns);
    scree_status status = columns ? SCREE_OK : scr_no_memory(report, "series");
    for (int c = 0; !status && c < s->column_count; c++) {
        columns[c] = malloc((s->count * (size_t)s->widths[c] + 1) * sizeof **columns);
        status =
            columns[c] ? scr_archive_series_read(a, series, c, columns[c], report) : scr_no_memory(report, "series");
    }
    if (!status) status = write_all(s, &g, def, stem, columns, rows, report);
    for (int c = 0; columns && c < s->column_count; c++) free(columns[c]);
    free(columns);
    return status;
}
