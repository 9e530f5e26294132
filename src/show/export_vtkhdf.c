/* VTKHDF, the HDF5 files of VTK: https://docs.vtk.org, "VTKHDF file format".
 *
 * STEM.vtkhdf   version 2.0, PolyData with time: what the frames hold stands one after the other, and Steps says where
 *               each begins. A step is one part, its grains are points and vertices. ParaView 5.12 and later.
 * STEM-NNNNNN.hdf  version 1.0, one UnstructuredGrid of vertices per frame, and STEM.hdf.series, which gives them their
 *               times. ParaView 5.11, which knows neither PolyData nor time in these files. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/h5.h"
#include "base/json.h"
#include "base/memory.h"
#include "show/export_frame.h"

#define KIND "vtkhdf"

static bool is_vtkhdf(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, "scree " KIND "\n");
}

static bool is_series(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, "{\"file-series-version\":\"1.0\",\"generator\":\"Scree\"");
}

static const scr_output_kind vtkhdf_kind = {.what = "an exported VTKHDF file", .is = is_vtkhdf, .reach = 64};
static const scr_output_kind series_kind = {.what = "an exported series of VTKHDF files", .is = is_series};

/* ---- small sets ---- */

static void put_i64(scr_h5 *file, const char *name, int width, const int64_t *values, size_t rows)
{
    scr_h5_write(file, &(scr_h5_set){.name = name, .type = SCR_H5_I64, .width = width}, rows, values);
}

static void fill_rows(const void *context, size_t first, size_t count, void *block)
{
    (void)context;
    for (size_t k = 0; k < count; k++) ((int64_t *)block)[k] = (int64_t)(first + k);
}

// 0, 1, 2, ...
static void put_rows(scr_h5 *file, const char *name, size_t rows)
{
    scr_h5_write_blocks(file, &(scr_h5_set){.name = name, .type = SCR_H5_I64, .width = 1}, rows, fill_rows, NULL);
}

static void put_head(scr_h5 *file, int version, const char *type)
{
    scr_h5_group(file, "/VTKHDF");
    scr_h5_set_i64(file, "/VTKHDF", "Version", (const int64_t[]){version, 0}, 2);
    scr_h5_set_word(file, "/VTKHDF", "Type", type);
}

static bool is_among_all(const scr_vtk_plan *p, const char *view)
{
    for (int k = 0; k < p->count; k++)
        if (!scr_name_is_among(scr_archive_views(p->archive, p->numbers[k]), view)) return false;
    return true;
}

/* ---- all frames in one file ---- */

// a view of all frames, one after the other; the frame that was read last is kept
typedef struct {
    const scr_vtk_plan *plan;
    const char *view;
    const int64_t *begin; // of each frame, and the end of the last
    double *data;
    int at, width; // frame in `data`; -1: none
    bool integer;
    scree_status status;
    scree_report *report;
} stream;

static bool hold(stream *s, int frame)
{
    size_t rows;
    if (s->at == frame || s->status) return !s->status;
    free(s->data);
    s->data = NULL, s->at = frame;
    int width = 0;
    s->status =
        scr_archive_read(s->plan->archive, s->plan->numbers[frame], s->view, &s->data, &rows, &width, s->report);
    if (!s->status && width != s->width)
        s->status = scr_fail(s->report, SCREE_E_INPUT, SCR_NOWHERE, "%s has %d components in one frame, %d in another",
                             s->view, s->width, width);
    return !s->status;
}

static void fill_stream(const void *context, size_t first, size_t count, void *block)
{
    stream *s = *(stream *const *)context;
    int frame = 0;
    for (size_t k = 0; k < count; k++) {
        while (s->begin[frame + 1] <= (int64_t)(first + k)) frame++;
        bool good = hold(s, frame);
        for (int c = 0; c < s->width; c++) {
            size_t to = k * (size_t)s->width + (size_t)c;
            size_t from = (first + k - (size_t)s->begin[frame]) * (size_t)s->width + (size_t)c;
            double value = good ? s->data[from] : 0;
            if (s->integer)
                ((int64_t *)block)[to] = scr_export_integer(value);
            else
                ((double *)block)[to] = value;
        }
    }
}

static scree_status put_stream(scr_h5 *file, const scr_vtk_plan *p, const char *view, const char *name,
                               const int64_t *begin, scree_report *report)
{
    scr_h5_type type;
    int width;
    char *path;
    scree_status status = scr_archive_stored(p->archive, p->numbers[0], view, &type, &width, &path, report);
    free(path);
    if (status) return status;
    bool integer = type == SCR_H5_I64 || type == SCR_H5_I32;
    stream s = {
        .plan = p, .view = view, .begin = begin, .at = -1, .width = width, .integer = integer, .report = report};
    scr_h5_set set = {.name = name, .type = integer ? SCR_H5_I64 : SCR_H5_F64, .width = width};
    status = scr_h5_write_blocks(file, &set, (size_t)begin[p->count], fill_stream, &(stream *){&s});
    free(s.data);
    return s.status ? s.status : status;
}

// where each frame begins, and the end of the last, with so many rows more for each; malloc'ed
static int64_t *beginnings(const scr_vtk_plan *p, int more)
{
    int64_t *begin = calloc((size_t)p->count + 1, sizeof *begin);
    for (int k = 0; begin && k < p->count; k++)
        begin[k + 1] = begin[k] + scr_archive_frame(p->archive, p->numbers[k]).bodies + more;
    return begin;
}

static void fill_ramps(const void *context, size_t first, size_t count, void *block)
{
    const int64_t *begin = context;
    int frame = 0;
    for (size_t k = 0; k < count; k++) {
        while (begin[frame + 1] <= (int64_t)(first + k)) frame++;
        ((int64_t *)block)[k] = (int64_t)(first + k) - begin[frame];
    }
}

// 0, 1, 2, ... for each frame anew
static void put_ramps(scr_h5 *file, const char *name, const int64_t *begin, int frames)
{
    scr_h5_set set = {.name = name, .type = SCR_H5_I64, .width = 1};
    scr_h5_write_blocks(file, &set, (size_t)begin[frames], fill_ramps, begin);
}

/* Vertices, and no other cells. Each frame has cells of its own, although all are alike: readers of VTK 9.3 look for
 * `Offsets` one place further for each part, also where `CellOffsets` says that parts share them, those of 9.4 do not;
 * appended as here both find them. */
static void put_topology(scr_h5 *file, const int64_t *counts, const int64_t *zeros, const int64_t *begin,
                         const int64_t *places, int steps)
{
    static const char *const kinds[] = {"Vertices", "Lines", "Polygons", "Strips"};
    for (int k = 0; k < 4; k++) {
        char name[64];
        const int64_t *number = k ? zeros : counts;
        snprintf(name, sizeof name, "/VTKHDF/%s/NumberOfCells", kinds[k]);
        put_i64(file, name, 1, number, (size_t)steps);
        snprintf(name, sizeof name, "/VTKHDF/%s/NumberOfConnectivityIds", kinds[k]);
        put_i64(file, name, 1, number, (size_t)steps);
        snprintf(name, sizeof name, "/VTKHDF/%s/Connectivity", kinds[k]);
        put_ramps(file, name, k ? zeros : begin, k ? 0 : steps);
        snprintf(name, sizeof name, "/VTKHDF/%s/Offsets", kinds[k]);
        if (k)
            put_i64(file, name, 1, zeros, (size_t)steps);
        else
            put_ramps(file, name, places, steps);
    }
}

static scree_status put_steps(scr_h5 *file, const scr_vtk_plan *p, const int64_t *begin, scree_report *report)
{
    size_t steps = (size_t)p->count;
    double *times = malloc((steps + 1) * sizeof *times);
    int64_t *ones = malloc((steps + 1) * sizeof *ones);
    int64_t *cells = calloc(4 * steps + 1, sizeof *cells); // of vertices, lines, polygons, strips
    if (!times || !ones || !cells) {
        free(times), free(ones), free(cells);
        return scr_no_memory(report, "an export");
    }
    for (int k = 0; k < p->count; k++) {
        times[k] = scr_archive_frame(p->archive, p->numbers[k]).time;
        ones[k] = 1, cells[4 * k] = begin[k];
    }
    scr_h5_write(file, &(scr_h5_set){.name = "/VTKHDF/Steps/Values", .type = SCR_H5_F64, .width = 1}, steps, times);
    scr_h5_set_i64(file, "/VTKHDF/Steps", "NSteps", &(int64_t){p->count}, 1);
    put_rows(file, "/VTKHDF/Steps/PartOffsets", steps);
    put_i64(file, "/VTKHDF/Steps/NumberOfParts", 1, ones, steps);
    put_i64(file, "/VTKHDF/Steps/PointOffsets", 1, begin, steps);
    put_i64(file, "/VTKHDF/Steps/CellOffsets", 4, cells, steps);
    put_i64(file, "/VTKHDF/Steps/ConnectivityIdOffsets", 4, cells, steps);
    free(times), free(ones), free(cells);
    return SCREE_OK;
}

static scree_status put_fields(scr_h5 *file, const scr_vtk_plan *p, const int64_t *begin, scree_report *report)
{
    // names of views are read again with each frame: they are copied
    const char *const *views = scr_archive_views(p->archive, p->numbers[0]);
    char names[SCR_EXPORT_VIEWS][64];
    int count = 0;
    for (int k = 0; views[k] && count < SCR_EXPORT_VIEWS; k++)
        if (strcmp(views[k], "position")) snprintf(names[count++], sizeof names[0], "%s", views[k]);
    scree_status status = put_stream(file, p, "position", "/VTKHDF/Points", begin, report);
    for (int k = 0; !status && k < count; k++) {
        if (!is_among_all(p, names[k])) continue;
        char *data = scr_h5_path("/VTKHDF/PointData", names[k]);
        char *offsets = scr_h5_path("/VTKHDF/Steps/PointDataOffsets", names[k]);
        if (data && offsets) {
            status = put_stream(file, p, names[k], data, begin, report);
            put_i64(file, offsets, 1, begin, (size_t)p->count);
        } else {
            status = scr_no_memory(report, "an export");
        }
        free(data), free(offsets);
    }
    return status;
}

static scree_status put_all(scr_h5 *file, const scr_vtk_plan *p, scree_report *report)
{
    int64_t *begin = beginnings(p, 0), *places = beginnings(p, 1);
    int64_t *counts = malloc(((size_t)p->count + 1) * sizeof *counts);
    int64_t *zeros = calloc((size_t)p->count + 1, sizeof *zeros);
    bool room = begin && places && counts && zeros;
    scree_status status = room ? SCREE_OK : scr_no_memory(report, "an export");
    if (!status) {
        for (int k = 0; k < p->count; k++) counts[k] = begin[k + 1] - begin[k];
        put_head(file, 2, "PolyData");
        put_i64(file, "/VTKHDF/NumberOfPoints", 1, counts, (size_t)p->count);
        put_topology(file, counts, zeros, begin, places, p->count);
        status = put_steps(file, p, begin, report);
    }
    if (!status) status = put_fields(file, p, begin, report);
    free(begin), free(places), free(counts), free(zeros);
    return status;
}

static scree_status finish(scr_h5 *file, scree_status status)
{
    if (!status) return scr_h5_finish(file, KIND, "", NULL);
    scr_h5_discard(file);
    return status;
}

scree_status scr_export_vtkhdf(const scr_vtk_plan *p, scree_report *report)
{
    char *path = NULL;
    if (asprintf(&path, "%s.vtkhdf", p->stem) < 0) return scr_no_memory(report, "an export");
    scree_status status = scr_output_check(path, &vtkhdf_kind, p->force, report);
    scr_h5 *file = status ? NULL : scr_h5_create(path, report);
    if (!status) status = file ? finish(file, put_all(file, p, report)) : SCREE_E_IO;
    free(path);
    return status;
}

/* ---- a file for each frame ---- */

static void put_field(scr_h5 *file, const char *name, const scr_export_view *v, size_t rows)
{
    size_t scalars = rows * (size_t)v->width;
    scr_h5_set set = {.name = name, .type = v->integer ? SCR_H5_I64 : SCR_H5_F64, .width = v->width};
    if (v->integer) {
        // in place: both have eight bytes
        int64_t *whole = (int64_t *)v->data;
        for (size_t k = 0; k < scalars; k++) {
            double value;
            memcpy(&value, &v->data[k], sizeof value);
            int64_t number = scr_export_integer(value);
            memcpy(&whole[k], &number, sizeof number);
        }
    }
    scr_h5_write(file, &set, rows, v->data);
}

static void put_ones(const void *context, size_t first, size_t count, void *block)
{
    (void)context, (void)first;
    memset(block, 1, count); // a vertex
}

static scree_status put_grid(scr_h5 *file, const scr_export_frame *f)
{
    int64_t n = (int64_t)f->bodies;
    put_head(file, 1, "UnstructuredGrid");
    put_i64(file, "/VTKHDF/NumberOfPoints", 1, &n, 1);
    put_i64(file, "/VTKHDF/NumberOfCells", 1, &n, 1);
    put_i64(file, "/VTKHDF/NumberOfConnectivityIds", 1, &n, 1);
    put_rows(file, "/VTKHDF/Connectivity", f->bodies);
    put_rows(file, "/VTKHDF/Offsets", f->bodies + 1);
    scr_h5_write_blocks(file, &(scr_h5_set){.name = "/VTKHDF/Types", .type = SCR_H5_U8, .width = 1}, f->bodies,
                        put_ones, NULL);
    for (int k = 0; k < f->view_count; k++) {
        bool position = !strcmp(f->views[k].name, "position");
        char *name = position ? strdup("/VTKHDF/Points") : scr_h5_path("/VTKHDF/PointData", f->views[k].name);
        if (!name) return scr_h5_no_memory(file, f->views[k].name);
        put_field(file, name, &f->views[k], f->bodies);
        free(name);
    }
    return SCREE_OK;
}

static char *frame_path(const scr_vtk_plan *p, int number)
{
    char *path;
    return asprintf(&path, "%s-%06d.hdf", p->stem, number) < 0 ? NULL : path;
}

static scree_status write_frame(const scr_vtk_plan *p, int number, scree_report *report)
{
    scr_export_frame frame;
    scree_status status = scr_export_frame_read(p->archive, number, false, &frame, report);
    char *path = frame_path(p, number);
    if (!status && !path) status = scr_no_memory(report, "an export");
    if (!status) status = scr_output_check(path, &vtkhdf_kind, p->force, report);
    scr_h5 *file = status ? NULL : scr_h5_create(path, report);
    if (!status) status = file ? finish(file, put_grid(file, &frame)) : SCREE_E_IO;
    scr_export_frame_deinit(&frame);
    free(path);
    return status;
}

static scree_status write_series(const scr_vtk_plan *p, scree_report *report)
{
    scr_output file;
    char *path = NULL;
    if (asprintf(&path, "%s.hdf.series", p->stem) < 0) return scr_no_memory(report, "an export");
    scree_status status = scr_output_open(&file, path, &series_kind, p->force, report);
    free(path);
    if (status) return status;
    const char *slash = strrchr(p->stem, '/'), *stem = slash ? slash + 1 : p->stem;
    fputs("{\"file-series-version\":\"1.0\",\"generator\":\"Scree\",\"files\":[", file.out);
    for (int k = 0; k < p->count; k++) {
        char name[512];
        snprintf(name, sizeof name, "%.480s-%06d.hdf", stem, p->numbers[k]);
        scr_json_key_text(file.out, k ? ",\n{" : "\n{", "name", name);
        scr_json_key_number(file.out, ",", "time", scr_archive_frame(p->archive, p->numbers[k]).time);
        fputc('}', file.out);
    }
    fputs("]}\n", file.out);
    return scr_output_close(&file, SCREE_OK, report);
}

scree_status scr_export_hdf(const scr_vtk_plan *p, scree_report *report)
{
    scree_status status = SCREE_OK;
    int written = 0;
    for (int k = 0; !status && k < p->count; k++) {
        char *path = frame_path(p, p->numbers[k]);
        status = path ? scr_output_check(path, &vtkhdf_kind, p->force, report) : scr_no_memory(report, "an export");
        free(path);
    }
    while (!status && written < p->count) status = write_frame(p, p->numbers[written++], report);
    if (!status) status = write_series(p, report);
    // all or nothing: a series with holes is worse than none
    for (int k = 0; status && k < written; k++) {
        char *path = frame_path(p, p->numbers[k]);
        if (path) unlink(path);
        free(path);
    }
    return status;
}
