/* ParaView: one PolyData file per frame with its arrays appended as raw binary, and a collection
 * (PVD) that gives each file its time. Every grain is a point and a vertex cell, so that it shows
 * without a glyph; every contact is a line between two points, with its forces as data of the line. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/export_vtk.h"

// what is written: points, and cells of one point (grains) or two (contacts: lines from centre to centre)
typedef struct {
    const scr_export_frame *frame;
    size_t points, cells;
} poly;

// a view that the points themselves do not say
static bool is_data(const scr_export_frame *f, const scr_export_view *v)
{
    return strcmp(v->name, "position") && !(f->contacts && !strcmp(v->name, "branch"));
}

static void put_head(FILE *out, const poly *p)
{
    const scr_export_frame *f = p->frame;
    const char *cells = f->contacts ? "Lines" : "Verts", *data = f->contacts ? "Cell" : "Point";
    uint64_t offset = 0;
    fprintf(out,
            SCR_VTK_BEGIN "type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                          "header_type=\"UInt64\">\n"
                          "  <PolyData>\n"
                          "    <FieldData>\n"
                          "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                          "format=\"ascii\">%.17g"
                          "</DataArray>\n"
                          "    </FieldData>\n"
                          "    <Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" "
                          "NumberOfStrips=\"0\" "
                          "NumberOfPolys=\"0\">\n"
                          "      <Points>\n",
            f->time, p->points, f->contacts ? 0 : p->cells, f->contacts ? p->cells : 0);
    scr_vtk_array(out, "Float64", "Points", 3, &offset, p->points);
    fprintf(out, "      </Points>\n      <%s>\n", cells);
    scr_vtk_array(out, "Int64", "connectivity", 1, &offset, p->points);
    scr_vtk_array(out, "Int64", "offsets", 1, &offset, p->cells);
    fprintf(out, "      </%s>\n      <%sData>\n", cells, data);
    for (int k = 0; k < f->view_count; k++)
        if (is_data(f, &f->views[k]))
            scr_vtk_array(out, scr_vtk_type(&f->views[k]), f->views[k].name, f->views[k].width, &offset, f->bodies);
    fprintf(out,
            "      </%sData>\n    </Piece>\n  </PolyData>\n  <AppendedData "
            "encoding=\"raw\">\n   _",
            data);
}

// first, first + step, ...
static void put_count(FILE *out, size_t count, int64_t first, int64_t step)
{
    scr_vtk_length(out, 8 * count);
    for (size_t k = 0; k < count; k++) fwrite(&(int64_t){first + step * (int64_t)k}, 8, 1, out);
}

// both ends of each branch
static void put_ends(FILE *out, const scr_export_frame *f)
{
    const double *x = scr_export_frame_view(f, "position")->data;
    const double *l = scr_export_frame_view(f, "branch")->data;
    scr_vtk_length(out, 8 * 6 * f->bodies);
    for (size_t k = 0; k < f->bodies; k++) {
        double ends[6];
        for (int d = 0; d < 3; d++) ends[d] = x[3 * k + (size_t)d], ends[3 + d] = ends[d] - l[3 * k + (size_t)d];
        fwrite(ends, 8, 6, out);
    }
}

static void put_data(FILE *out, const poly *p)
{
    const scr_export_frame *f = p->frame;
    if (f->contacts)
        put_ends(out, f);
    else
        scr_vtk_view(out, scr_export_frame_view(f, "position"), f->bodies);
    int64_t corners = f->contacts ? 2 : 1;
    put_count(out, p->points, 0, 1);
    put_count(out, p->cells, corners, corners);
    for (int k = 0; k < f->view_count; k++)
        if (is_data(f, &f->views[k])) scr_vtk_view(out, &f->views[k], f->bodies);
    fprintf(out, "\n  </AppendedData>\n</VTKFile>\n");
}

scree_status scr_export_vtp_frame(const scr_vtk_plan *plan, int number, scree_report *report)
{
    scr_export_frame frame;
    scr_output file;
    bool contacts = plan->contacts;
    scree_status status = scr_export_frame_read(plan->archive, number, contacts, &frame, report);
    if (!status) status = scr_vtk_open(&file, plan, number, "vtp", report);
    if (!status) {
        poly p = {&frame, contacts ? 2 * frame.bodies : frame.bodies, frame.bodies};
        put_head(file.out, &p);
        put_data(file.out, &p);
        status = scr_output_close(&file, SCREE_OK, report);
    }
    scr_export_frame_deinit(&frame);
    return status;
}

scree_status scr_export_vtp(const scr_vtk_plan *plan, scree_report *report)
{
    scree_status status = scr_vtk_check(plan, "vtp", NULL, report);
    int written = 0;
    while (!status && written < plan->count) status = scr_export_vtp_frame(plan, plan->numbers[written++], report);
    if (!status) status = scr_vtk_collection(plan, "vtp", NULL, report);
    // all or nothing: a series with holes is worse than none
    for (int k = 0; status && k < written; k++) scr_vtk_remove(plan, plan->numbers[k], "vtp");
    return status;
}
