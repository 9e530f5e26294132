#include "show/export_vtk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

static bool is_vtk(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, SCR_VTK_BEGIN);
}

const scr_output_kind scr_vtk_kind = {.what = "an exported VTK file", .is = is_vtk};

const char *scr_vtk_type(const scr_export_view *v)
{
    return v->integer ? "Int64" : "Float64";
}

void scr_vtk_array(FILE *out, const char *type, const char *name, int width, uint64_t *offset, size_t rows)
{
    fprintf(out,
            "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
            "offset=\"%" PRIu64 "\"/>\n",
            type, name, width, *offset);
    *offset += 8 + 8 * (uint64_t)width * rows;
}

void scr_vtk_length(FILE *out, uint64_t bytes)
{
    fwrite(&bytes, 8, 1, out);
}

void scr_vtk_view(FILE *out, const scr_export_view *v, size_t rows)
{
    size_t scalars = rows * (size_t)v->width;
    scr_vtk_length(out, 8 * scalars);
    if (!v->integer) fwrite(v->data, 8, scalars, out);
    for (size_t k = 0; v->integer && k < scalars; k++) fwrite(&(int64_t){scr_export_integer(v->data[k])}, 8, 1, out);
}

/* ---- collections ---- */

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else
            fputc(*text, out);
    }
}

static void put_entry(FILE *out, double time, int part, const char *stem, int number, const char *ending)
{
    const char *slash = strrchr(stem, '/');
    fprintf(out, "    <DataSet timestep=\"%.17g\" part=\"%d\" file=\"", time, part);
    put_escaped(out, slash ? slash + 1 : stem);
    fprintf(out, "-%06d.%s\"/>\n", number, ending);
}

// STEM-NNNNNN.ENDING, of a collection (number < 0) STEM.ENDING; malloc'ed
static char *file_path(const char *stem, int number, const char *ending)
{
    char *path;
    int made =
        number < 0 ? asprintf(&path, "%s.%s", stem, ending) : asprintf(&path, "%s-%06d.%s", stem, number, ending);
    return made < 0 ? NULL : path;
}

scree_status scr_vtk_open(scr_output *file, const scr_vtk_plan *p, int number, const char *ending, scree_report *report)
{
    char *path = file_path(p->stem, number, ending);
    scree_status status =
        path ? scr_output_open(file, path, &scr_vtk_kind, p->force, report) : scr_no_memory(report, "an export");
    free(path);
    return status;
}

scree_status scr_vtk_check(const scr_vtk_plan *p, const char *ending, const char *second, scree_report *report)
{
    scree_status status = SCREE_OK;
    for (int k = -1; k < p->count && !status; k++)
        for (int s = 0; s < (k >= 0 && second ? 2 : 1) && !status; s++) {
            char *path = file_path(p->stem, k < 0 ? -1 : p->numbers[k], k < 0 ? "pvd" : s ? second : ending);
            if (path) status = scr_output_check(path, &scr_vtk_kind, p->force, report);
            free(path);
        }
    return status;
}

scree_status scr_vtk_collection(const scr_vtk_plan *p, const char *ending, const char *second, scree_report *report)
{
    scr_output file;
    scree_status status = scr_vtk_open(&file, p, -1, "pvd", report);
    if (status) return status;
    fputs(SCR_VTK_BEGIN "type=\"Collection\" version=\"1.0\" "
                        "byte_order=\"LittleEndian\">\n"
                        "  <Collection>\n",
          file.out);
    for (int k = 0; k < p->count; k++) {
        double time = scr_archive_frame(p->archive, p->numbers[k]).time;
        put_entry(file.out, time, 0, p->stem, p->numbers[k], ending);
        if (second) put_entry(file.out, time, 1, p->stem, p->numbers[k], second);
    }
    fprintf(file.out, "  </Collection>\n</VTKFile>\n");
    return scr_output_close(&file, SCREE_OK, report);
}

void scr_vtk_remove(const scr_vtk_plan *p, int number, const char *ending)
{
    char *path = file_path(p->stem, number, ending);
    if (path) unlink(path);
    free(path);
}
