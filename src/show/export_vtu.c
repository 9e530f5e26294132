/* ParaView: elastic solids as an unstructured grid, one file per frame. A cell is a hexahedron or tetrahedron of VTK
 * where it is one, else a polyhedron with its faces written out (type 42). Points are where the corners of cells are
 * now (show/cells.h) and have their displacement as data; cells have all that the frame holds of them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "observe/cell_views.h"
#include "show/cells.h"
#include "show/export_vtk.h"

enum { TETRA = 10, HEXAHEDRON = 12, POLYHEDRON = 42 };

typedef struct {
    int64_t *items;
    size_t count;
} numbers;

static bool add(numbers *list, int64_t value)
{
    return scr_push(list->items, list->count, value);
}

typedef struct {
    scr_shown_cells shown;
    numbers connectivity, ends; /* points of cells; where each ends */
    numbers faces, face_ends;   /* of polyhedra: where each ends, -1 for other cells */
    uint8_t *types;
    bool polyhedra;
    scr_export_view views[SCR_EXPORT_VIEWS];
    int view_count;
    uint32_t *room; /* corners of a face */
} grid;

/* ---- cells of VTK ---- */

// the corners of a side of a cell, seen counter-clockwise from outside it
static uint32_t side_of(const grid *g, size_t cell, uint32_t k, uint32_t *corners)
{
    size_t face = g->shown.of.faces[k];
    uint32_t count = scr_shown_face(&g->shown, face, cell, corners);
    if (g->shown.mesh->cells[2 * face] == (int32_t)cell) return count;
    for (uint32_t a = 0, b = count - 1; a < b; a++, b--) {
        uint32_t keep = corners[a];
        corners[a] = corners[b], corners[b] = keep;
    }
    return count;
}

static bool holds(const uint32_t *list, uint32_t count, uint32_t point)
{
    for (uint32_t k = 0; k < count; k++)
        if (list[k] == point) return true;
    return false;
}

// the point that an edge of the cell joins to `point`, but not among the `base`; UINT32_MAX: none
static uint32_t partner(const grid *g, size_t cell, uint32_t point, const uint32_t *base, uint32_t base_count)
{
    const scr_cell_faces *of = &g->shown.of;
    for (uint32_t k = of->first[cell]; k < of->first[cell + 1]; k++) {
        uint32_t side[4], count = side_of(g, cell, k, side);
        for (uint32_t n = 0; n < count; n++) {
            uint32_t next = side[(n + 1) % count];
            if (side[n] == point && !holds(base, base_count, next)) return next;
            if (next == point && !holds(base, base_count, side[n])) return side[n];
        }
    }
    return UINT32_MAX;
}

// sides that all have as many corners, and as many points as that makes
static bool is_shape(const grid *g, size_t cell, uint32_t sides, uint32_t corners, uint32_t points)
{
    const scr_cell_faces *of = &g->shown.of;
    const scr_polyhedra *m = g->shown.mesh;
    if (of->first[cell + 1] - of->first[cell] != sides) return false;
    for (uint32_t k = of->first[cell]; k < of->first[cell + 1]; k++)
        if (m->first[of->faces[k] + 1] - m->first[of->faces[k]] != corners) return false;
    return g->shown.first[cell + 1] - g->shown.first[cell] == points;
}

// the first side, seen from within, and the points above it
static int native_type(const grid *g, size_t cell, uint32_t points[8])
{
    bool hex = is_shape(g, cell, 6, 4, 8), tetra = is_shape(g, cell, 4, 3, 4);
    if (!hex && !tetra) return POLYHEDRON;
    uint32_t side[4], count = side_of(g, cell, g->shown.of.first[cell], side);
    for (uint32_t n = 0; n < count; n++) points[n] = side[count - 1 - n];
    for (uint32_t n = 0; n < (hex ? 4 : 1); n++) {
        points[count + n] = partner(g, cell, points[n], points, count);
        if (points[count + n] == UINT32_MAX) return POLYHEDRON;
    }
    return hex ? HEXAHEDRON : TETRA;
}

static bool add_polyhedron(grid *g, size_t cell)
{
    const scr_cell_faces *of = &g->shown.of;
    bool good = add(&g->faces, of->first[cell + 1] - of->first[cell]);
    for (uint32_t k = of->first[cell]; good && k < of->first[cell + 1]; k++) {
        uint32_t count = side_of(g, cell, k, g->room);
        good = add(&g->faces, count);
        for (uint32_t n = 0; good && n < count; n++) good = add(&g->faces, g->room[n]);
    }
    for (uint32_t k = g->shown.first[cell]; good && k < g->shown.first[cell + 1]; k++)
        good = add(&g->connectivity, g->shown.shown[k]);
    g->polyhedra = true;
    return good;
}

static bool add_cells(grid *g)
{
    const scr_polyhedra *m = g->shown.mesh;
    uint32_t most = 4;
    for (size_t f = 0; f < m->face_count; f++)
        if (m->first[f + 1] - m->first[f] > most) most = m->first[f + 1] - m->first[f];
    g->room = malloc(most * sizeof *g->room);
    g->types = malloc(m->cell_count + 1);
    bool good = g->room && g->types;
    for (size_t c = 0; good && c < m->cell_count; c++) {
        uint32_t points[8];
        int type = native_type(g, c, points);
        g->types[c] = (uint8_t)type;
        if (type == POLYHEDRON)
            good = add_polyhedron(g, c);
        else
            for (int n = 0; good && n < (type == TETRA ? 4 : 8); n++) good = add(&g->connectivity, points[n]);
        good = good && add(&g->ends, (int64_t)g->connectivity.count) &&
               add(&g->face_ends, type == POLYHEDRON ? (int64_t)g->faces.count : -1);
    }
    return good;
}

/* ---- data of cells ---- */

// VTK orders a symmetric tensor xx yy zz xy yz xz
static void reorder_tensors(scr_export_view *v, size_t cells)
{
    for (size_t k = 0; k < cells; k++) {
        double keep = v->data[6 * k + 4];
        v->data[6 * k + 4] = v->data[6 * k + 5], v->data[6 * k + 5] = keep;
    }
}

static scree_status read_views(grid *g, const scr_archive *a, int frame, scree_report *report)
{
    const char *const *names = scr_archive_cell_views(a, frame);
    scree_status status = SCREE_OK;
    for (int k = 0; !status && names[k] && g->view_count < SCR_EXPORT_VIEWS; k++) {
        scr_export_view *v = &g->views[g->view_count];
        const scr_cell_view *known = scr_cell_view_find(names[k]);
        status = scr_archive_cells(a, frame, names[k], &v->data, &v->width, report);
        if (status) break;
        v->name = names[k], v->integer = known && known->integer;
        if (v->width == 6) reorder_tensors(v, g->shown.mesh->cell_count);
        g->view_count++;
    }
    return status;
}

// which solid a cell is of, where the frame does not say so
static bool add_solids(grid *g, const scr_archive *a)
{
    int count;
    const scr_solid *solids = scr_archive_solids(a, &count);
    for (int k = 0; k < g->view_count; k++)
        if (!strcmp(g->views[k].name, "solid")) return true;
    if (g->view_count == SCR_EXPORT_VIEWS) return true;
    double *data = malloc((g->shown.mesh->cell_count + 1) * sizeof *data);
    if (!data) return false;
    for (int s = 0; s < count; s++)
        for (int k = 0; k < solids[s].cell_count; k++) data[solids[s].first_cell + k] = s;
    g->views[g->view_count++] = (scr_export_view){.name = "solid", .width = 1, .integer = true, .data = data};
    return true;
}

/* ---- the file ---- */

static void put_names(FILE *out, const scr_export_view *v, uint64_t *offset, size_t rows)
{
    static const char *const tensor[] = {"XX", "YY", "ZZ", "XY", "YZ", "XZ"};
    if (v->width != 6) {
        scr_vtk_array(out, scr_vtk_type(v), v->name, v->width, offset, rows);
        return;
    }
    fprintf(out, "        <DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"6\" ", v->name);
    for (int k = 0; k < 6; k++) fprintf(out, "ComponentName%d=\"%s\" ", k, tensor[k]);
    fprintf(out, "format=\"appended\" offset=\"%" PRIu64 "\"/>\n", *offset);
    *offset += 8 + 8 * 6 * (uint64_t)rows;
}

static void put_head(FILE *out, const grid *g, double time)
{
    uint64_t offset = 0;
    size_t cells = g->shown.mesh->cell_count;
    fprintf(out,
            SCR_VTK_BEGIN "type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
                          "header_type=\"UInt64\">\n"
                          "  <UnstructuredGrid>\n"
                          "    <FieldData>\n"
                          "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                          "format=\"ascii\">%.17g</DataArray>\n"
                          "    </FieldData>\n"
                          "    <Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n"
                          "      <Points>\n",
            time, g->shown.point_count, cells);
    scr_vtk_array(out, "Float64", "Points", 3, &offset, g->shown.point_count);
    fprintf(out, "      </Points>\n      <Cells>\n");
    scr_vtk_array(out, "Int64", "connectivity", 1, &offset, g->connectivity.count);
    scr_vtk_array(out, "Int64", "offsets", 1, &offset, cells);
    fprintf(out,
            "        <DataArray type=\"UInt8\" Name=\"types\" format=\"appended\" "
            "offset=\"%" PRIu64 "\"/>\n",
            offset);
    offset += 8 + cells;
    if (g->polyhedra) {
        scr_vtk_array(out, "Int64", "faces", 1, &offset, g->faces.count);
        scr_vtk_array(out, "Int64", "faceoffsets", 1, &offset, cells);
    }
    fprintf(out, "      </Cells>\n      <PointData>\n");
    scr_vtk_array(out, "Float64", "displacement", 3, &offset, g->shown.point_count);
    fprintf(out, "      </PointData>\n      <CellData>\n");
    for (int k = 0; k < g->view_count; k++) put_names(out, &g->views[k], &offset, cells);
    fprintf(out, "      </CellData>\n    </Piece>\n  </UnstructuredGrid>\n  <AppendedData "
                 "encoding=\"raw\">\n   _");
}

static void put(FILE *out, const void *data, size_t count, size_t size)
{
    scr_vtk_length(out, count * size);
    fwrite(data, size, count, out);
}

static void put_data(FILE *out, const grid *g)
{
    size_t cells = g->shown.mesh->cell_count, points = g->shown.point_count;
    put(out, g->shown.place, 3 * points, 8);
    put(out, g->connectivity.items, g->connectivity.count, 8);
    put(out, g->ends.items, cells, 8);
    put(out, g->types, cells, 1);
    if (g->polyhedra) {
        put(out, g->faces.items, g->faces.count, 8);
        put(out, g->face_ends.items, cells, 8);
    }
    put(out, g->shown.moved, 3 * points, 8);
    for (int k = 0; k < g->view_count; k++) scr_vtk_view(out, &g->views[k], cells);
    fprintf(out, "\n  </AppendedData>\n</VTKFile>\n");
}

static void grid_deinit(grid *g)
{
    scr_shown_cells_deinit(&g->shown);
    scr_free_all(g->connectivity.items, g->ends.items, g->faces.items, g->face_ends.items);
    free(g->types), free(g->room);
    for (int k = 0; k < g->view_count; k++) free(g->views[k].data);
}

static scree_status write_frame(const scr_vtk_plan *plan, int number, scree_report *report)
{
    grid g = {0};
    scr_output file;
    const scr_archive *a = plan->archive;
    scree_status status = scr_shown_cells_read(a, number, plan->rigid, 1, &g.shown, report);
    if (!status) status = read_views(&g, a, number, report);
    if (!status && (!add_cells(&g) || !add_solids(&g, a))) status = scr_no_memory(report, "an export");
    if (!status) status = scr_vtk_open(&file, plan, number, "vtu", report);
    if (!status) {
        put_head(file.out, &g, scr_archive_frame(a, number).time);
        put_data(file.out, &g);
        status = scr_output_close(&file, SCREE_OK, report);
    }
    grid_deinit(&g);
    return status;
}

scree_status scr_export_vtu(const scr_vtk_plan *plan, scree_report *report)
{
    int written = 0;
    bool grains = false;
    for (int k = 0; k < plan->count; k++) grains |= scr_archive_frame(plan->archive, plan->numbers[k]).bodies > 0;
    const char *second = grains ? "vtp" : NULL;
    scree_status status = scr_vtk_check(plan, "vtu", second, report);
    while (!status && written < plan->count) {
        int number = plan->numbers[written++];
        status = write_frame(plan, number, report);
        if (!status && grains) status = scr_export_vtp_frame(plan, number, report);
    }
    if (!status) status = scr_vtk_collection(plan, "vtu", second, report);
    // all or nothing: a series with holes is worse than none
    for (int k = 0; status && k < written; k++) {
        scr_vtk_remove(plan, plan->numbers[k], "vtu");
        if (grains) scr_vtk_remove(plan, plan->numbers[k], "vtp");
    }
    return status;
}
