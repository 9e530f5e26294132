/* XDMF: ParaView opens the frames of the results themselves. Nothing is copied.
 *
 * STEM.xdmf is a temporal collection of grids of points (XDMF 2, which the readers of XDMF 2 and 3 take). It names the
 * frame that holds the numbers: the reader of XDMF 2 does not follow a link from the index and on to another frame.
 * HDF5's own filters, as frames have them, are the library's matter. The reader of XDMF 3 makes
 * no cells unless points are listed, so STEM.xdmf.rows has the numbers 0, 1, 2, ... (i32), once for all frames. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "show/export_frame.h"
#include "show/export_vtk.h"
#include "show/markup.h"

#define BEGIN \
    "<?xml version=\"1.0\"?>\n<!-- Scree -->\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf Version=\"2.0\">\n"

static bool is_xdmf(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, BEGIN);
}

// 0, 1, 2, ... as far as one looks
static bool is_rows(const char *head, size_t size)
{
    for (size_t k = 0; 4 * k + 4 <= size; k++) {
        int32_t row;
        memcpy(&row, head + 4 * k, 4);
        if (row != (int32_t)k) return false;
    }
    return size >= 8;
}

static const scr_output_kind xdmf_kind = {.what = "an exported XDMF file", .is = is_xdmf};
static const scr_output_kind rows_kind = {.what = "the rows of an exported XDMF file", .is = is_rows};

typedef struct {
    FILE *out;
    const scr_archive *archive;
    const char *folder; /* of the results, with its slash; "": that of the file */
    const char *rows;
} writer;

static void put_item(const writer *w, size_t rows, int width, scr_h5_type type, const char *place)
{
    static const struct {
        const char *type;
        int bytes;
    } words[] = {[SCR_H5_F64] = {"Float", 8},
                 [SCR_H5_I64] = {"Int", 8},
                 [SCR_H5_I32] = {"Int", 4},
                 [SCR_H5_U8] = {"UChar", 1},
                 [SCR_H5_F32] = {"Float", 4}};
    fprintf(w->out, "<DataItem Dimensions=\"%zu", rows);
    if (width > 1) fprintf(w->out, " %d", width);
    fprintf(w->out, "\" NumberType=\"%s\" Precision=\"%d\" Format=\"HDF\">", words[type].type, words[type].bytes);
    scr_markup_write(w->out, w->folder);
    scr_markup_write(w->out, place);
    fputs("</DataItem>", w->out);
}

static scree_status put_view(const writer *w, int frame, size_t rows, const char *view, scree_report *report)
{
    scr_h5_type type;
    int width;
    char *place;
    scree_status status = scr_archive_stored(w->archive, frame, view, &type, &width, &place, report);
    if (status) return status;
    if (!place)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "frame %d is in pieces, one for each machine, and xdmf only says where numbers are: use --to "
                        "vtkhdf, vtp or another format",
                        frame);
    bool position = !strcmp(view, "position");
    if (position) {
        fputs("        <Geometry GeometryType=\"XYZ\">", w->out);
    } else {
        fputs("        <Attribute Name=\"", w->out);
        scr_markup_write(w->out, view);
        fprintf(w->out, "\" Center=\"Node\" AttributeType=\"%s\">",
                width == 1   ? "Scalar"
                : width == 3 ? "Vector"
                             : "Matrix");
    }
    put_item(w, rows, width, type, place);
    fputs(position ? "</Geometry>\n" : "</Attribute>\n", w->out);
    free(place);
    return SCREE_OK;
}

static scree_status put_frame(const writer *w, int frame, scree_report *report)
{
    scr_frame_info info = scr_archive_frame(w->archive, frame);
    size_t rows = (size_t)info.bodies;
    char time[SCR_NUMBER_TEXT];
    fprintf(w->out,
            "      <Grid Name=\"frame %d\">\n        <Time Value=\"%s\"/>\n"
            "        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%zu\" NodesPerElement=\"1\">"
            "<DataItem Dimensions=\"%zu\" NumberType=\"Int\" Precision=\"4\" Endian=\"Little\" Format=\"Binary\">",
            frame, scr_number_text(time, info.time), rows, rows);
    scr_markup_write(w->out, w->rows);
    fputs("</DataItem></Topology>\n", w->out);
    const char *const *views = scr_archive_views(w->archive, frame);
    scree_status status = put_view(w, frame, rows, "position", report);
    for (int k = 0; !status && views[k]; k++)
        if (strcmp(views[k], "position")) status = put_view(w, frame, rows, views[k], report);
    fputs("      </Grid>\n", w->out);
    return status;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// the folder of the results as a reader of the file finds it: nothing where both are in one folder, else the whole path
static char *folder_of(const char *stem, const char *results)
{
    size_t a = (size_t)(name_of(stem) - stem), b = (size_t)(name_of(results) - results);
    if (a == b && !strncmp(stem, results, a)) return strdup("");
    char *path = realpath(results, NULL);
    if (path) path[name_of(path) - path] = 0;
    return path;
}

static scree_status write_rows(const scr_vtk_plan *plan, const char *path, scree_report *report)
{
    int64_t most = 2;
    for (int k = 0; k < plan->count; k++) {
        int64_t n = scr_archive_frame(plan->archive, plan->numbers[k]).bodies;
        if (n > most) most = n;
    }
    scr_output file;
    scree_status status = scr_output_open(&file, path, &rows_kind, plan->force, report);
    if (status) return status;
    for (int32_t k = 0; k < most; k++) fwrite(&k, 4, 1, file.out);
    return scr_output_close(&file, SCREE_OK, report);
}

static scree_status write_light(const scr_vtk_plan *plan, const char *path, const char *rows, const char *folder,
                                scree_report *report)
{
    scr_output file;
    scree_status status = scr_output_open(&file, path, &xdmf_kind, plan->force, report);
    if (status) return status;
    writer w = {file.out, plan->archive, folder, name_of(rows)};
    fputs(BEGIN "  <Domain>\n    <Grid Name=\"grains\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", w.out);
    // a frame without grains has nothing to show, and readers stumble over it
    for (int k = 0; !status && k < plan->count; k++)
        if (scr_archive_frame(plan->archive, plan->numbers[k]).bodies) status = put_frame(&w, plan->numbers[k], report);
    fputs("    </Grid>\n  </Domain>\n</Xdmf>\n", w.out);
    return scr_output_close(&file, status, report);
}

scree_status scr_export_xdmf(const scr_vtk_plan *plan, const char *results, scree_report *report)
{
    char *path = NULL, *rows = NULL, *folder = folder_of(plan->stem, results);
    scree_status status = SCREE_OK;
    if (asprintf(&path, "%s.xdmf", plan->stem) < 0) path = NULL;
    if (asprintf(&rows, "%s.xdmf.rows", plan->stem) < 0) rows = NULL;
    if (!path || !rows || !folder) status = scr_no_memory(report, "an export");
    if (!status) status = scr_output_check(path, &xdmf_kind, plan->force, report);
    if (!status) status = write_rows(plan, rows, report);
    if (!status) status = write_light(plan, path, rows, folder, report);
    free(path), free(rows), free(folder);
    return status;
}
