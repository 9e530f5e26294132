#include "show/export_vtk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool scr_vtk_probe(const char *head)
{
    return strstr(head, "<VTKFile") != NULL;
}

const char *scr_vtk_type(const scr_export_view *v)
{
    return v->integer ? "Int64" : "Float64";
}

void scr_vtk_array(FILE *out, const char *type, const char *name, int width, uint64_t *offset,
                   size_t rows)
{
    fprintf(
        out,
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
    for (size_t k = 0; v->integer && k < scalars; k++)
        fwrite(&(int64_t){scr_export_integer(v->data[k])}, 8, 1, out);
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

static void put_entry(FILE *out, double time, int part, const char *stem, int number,
                      const char *ending)
{
    const char *slash = strrchr(stem, '/');
    fprintf(out, "    <DataSet timestep=\"%.17g\" part=\"%d\" file=\"", time, part);
    put_escaped(out, slash ? slash + 1 : stem);
    fprintf(out, "-%06d.%s\"/>\n", number, ending);
}

scree_status scr_vtk_collection(const scr_archive *a, const char *stem, const int *numbers,
                                int count, const char *ending, const char *second,
                                scree_report *report)
{
    scr_export_file file;
    char *path;
    if (asprintf(&path, "%s.pvd", stem) < 0)
        return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory to export");
    scree_status status = scr_export_file_open(&file, path, scr_vtk_probe, report);
    free(path);
    if (status) return status;
    fprintf(file.out, "<?xml version=\"1.0\"?>\n"
                      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
                      "  <Collection>\n");
    for (int k = 0; k < count; k++) {
        double time = scr_archive_frame(a, numbers[k]).time;
        put_entry(file.out, time, 0, stem, numbers[k], ending);
        if (second) put_entry(file.out, time, 1, stem, numbers[k], second);
    }
    fprintf(file.out, "  </Collection>\n</VTKFile>\n");
    return scr_export_file_close(&file, SCREE_OK, report);
}

void scr_vtk_remove(const char *stem, int number, const char *ending)
{
    char *path;
    if (asprintf(&path, "%s-%06d.%s", stem, number, ending) < 0) return;
    unlink(path);
    free(path);
}
