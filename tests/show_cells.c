/* How cells of elastic solids are shown: their corners, joined or each cell's own; the files for ParaView, whose
 * cells must have the volumes of those of the mesh; and pictures. */
#include "check.h"

#include <stdio.h>

#include "observe/cell_views.h"
#include "observe/results.h"
#include "show/cells.h"
#include "show/export.h"
#include "show/render.h"
#include "show/render_cells.h"
#include "solid_fixture.h"
#include "world_fixture.h"

#define FOLDER "folder_show_cells"
#define PATH   FOLDER "/run.h5"

static const int size[3] = {4, 3, 2};

// a bar of cubes; the one at its end is cut off, and pulled away
static void write_results(size_t grains)
{
    static const char *const fields[] = {"position", "radius", "velocity", "stress", "fragment"};
    scr_world w;
    scr_results *r;
    scree_report report;
    scree_report_init(&report);
    fixture_folder(FOLDER);
    fixture_world(&w, grains, 1);
    fixture_solid(&w, size, 0.25);
    fixture_deform(&w, 0.01);
    for (size_t k = 0; k < w.links.table.count; k++)
        if (w.links.cell[2 * k] == 3 || w.links.cell[2 * k + 1] == 3) w.links.fate[k] = SCR_LINK_TENSION;
    w.cells.fragment[3] = 3;
    w.cells.displacement[4 * 3] += 0.3;
    CHECK_INT(scr_results_create(PATH, &(scr_results_scene){"s", "t", "cells"}, &r, &report), SCREE_OK);
    CHECK_INT(scr_results_frame(r, &w, fields, 5, NULL, &report), SCREE_OK);
    CHECK_INT(scr_results_publish(r, &w, NULL, 0, &report), SCREE_OK);
    scr_results_destroy(r);
    scr_world_deinit(&w);
    CHECK_INT(report.errors, 0);
    scree_report_deinit(&report);
}

static void corners(void)
{
    scree_report report;
    scr_shown_cells s;
    uint32_t at[4];
    scree_report_init(&report);
    scr_archive *a = scr_archive_open(PATH, &report);
    CHECK(a != NULL);
    if (!a) return;
    // the cut cell, at a corner of the block, leaves seven of its corners to others too
    CHECK_INT(scr_shown_cells_read(a, 0, false, 1, &s, &report), SCREE_OK);
    CHECK_INT((int)s.point_count, 5 * 4 * 3 + 7);
    CHECK_INT((int)s.broken, 3);
    scr_shown_cells_deinit(&s);
    CHECK_INT(scr_shown_cells_read(a, 0, true, 1, &s, &report), SCREE_OK);
    CHECK_INT((int)s.point_count, 24 * 8);
    // rigid: edges keep their length
    double worst = 0;
    for (size_t f = 0; f < s.mesh->face_count; f++) {
        CHECK_INT((int)scr_shown_face(&s, f, (size_t)s.mesh->cells[2 * f], at), 4);
        vec3 edge = v3_sub(v3_load(s.place + 3 * at[0]), v3_load(s.place + 3 * at[1]));
        worst = check_worse(worst, fabs(v3_norm(edge) - 0.25));
    }
    CHECK_NEAR(worst, 0, 2e-14); // 2e-16
    scr_shown_cells_deinit(&s);
    // exaggerated a hundred times, displacements are a hundred times as large
    CHECK_INT(scr_shown_cells_read(a, 0, false, 100, &s, &report), SCREE_OK);
    for (int d = 0; d < 3; d++)
        CHECK_NEAR(s.place[d] - 100 * s.moved[d], s.mesh->points[3 * s.point[0] + (uint32_t)d], 1e-13);
    scr_shown_cells_deinit(&s);
    // the largest is 0.3 m, of a block with a diagonal of 1.35 m: nothing to exaggerate
    CHECK_INT(scr_shown_cells_read(a, 0, false, NAN, &s, &report), SCREE_OK);
    CHECK(s.largest > 0.3 && s.largest < 0.32 && s.warp == 1);
    scr_shown_cells_deinit(&s);
    scr_archive_close(a);
    CHECK_INT(report.errors, 0);
    scree_report_deinit(&report);
}

// border, both sides of what has opened
static void surfaces(void)
{
    scree_report report;
    scr_drawn_cells d;
    double values[24];
    const scr_clip whole = {0};
    scree_report_init(&report);
    scr_archive *a = scr_archive_open(PATH, &report);
    for (int k = 0; k < 24; k++) values[k] = k;
    CHECK_INT(scr_drawn_cells_read(a, 0, false, 1, values, &whole, &d, &report), SCREE_OK);
    CHECK_INT((int)d.polygons.count, 2 * (4 * 3 + 3 * 2 + 4 * 2) + 2 * 3);
    int of_cut = 0;
    for (size_t k = 0; k < d.polygons.count; k++) of_cut += d.polygons.value[k] == 3;
    CHECK_INT(of_cut, 6);
    // each of the three faces that opened has two edges on the border, seen from both sides, each on one face
    int cracks = 0;
    for (uint32_t k = 0; k < d.first[d.polygons.count]; k++) cracks += d.polygons.cracked[k];
    CHECK_INT(cracks, 2 * 2 * 3);
    scr_drawn_cells_deinit(&d);
    CHECK_INT(scr_drawn_cells_read(a, 0, true, 1, NULL, &whole, &d, &report), SCREE_OK);
    CHECK(d.polygons.count == 6 * 24 && !d.polygons.value);
    scr_drawn_cells_deinit(&d);
    // cut in the middle, across the four cells of x: the half without the opened cell is a closed block
    const scr_polyhedra *mesh = scr_archive_mesh(a, NULL);
    scr_clip half = {.axis = 0, .side = 1};
    for (size_t k = 0; k < mesh->point_count; k++) half.at += mesh->points[3 * k] / (double)mesh->point_count;
    CHECK_INT(scr_drawn_cells_read(a, 0, false, 0, values, &half, &d, &report), SCREE_OK);
    CHECK_INT((int)d.polygons.count, 2 * (2 * 3 + 3 * 2 + 2 * 2));
    for (size_t k = 0; k < d.polygons.count; k++)
        if ((int)d.polygons.value[k] % 4 > 1) CHECK_NEAR(d.polygons.value[k], 0, 0);
    scr_drawn_cells_deinit(&d);
    scr_archive_close(a);
    scree_report_deinit(&report);
}

/* ---- files for ParaView ---- */

static char *bytes;

static bool load(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in) return false;
    fseek(in, 0, SEEK_END);
    size_t length = (size_t)ftell(in);
    rewind(in);
    bytes = calloc(1, length + 1);
    bool ok = fread(bytes, 1, length, in) == length;
    fclose(in);
    return ok;
}

// the appended array of this name, and its number of bytes
static const void *array(const char *name, uint64_t *length)
{
    char key[64];
    snprintf(key, sizeof key, "Name=\"%s\"", name);
    const char *at = strstr(bytes, key), *data = strstr(bytes, "encoding=\"raw\">\n   _");
    if (!at || !data) return NULL;
    data += strlen("encoding=\"raw\">\n   _");
    data += strtoull(strstr(at, "offset=\"") + 8, NULL, 10);
    memcpy(length, data, 8);
    return data + 8;
}

static vec3 point_of(const double *points, int64_t k)
{
    vec3 p;
    memcpy(&p.x, points + 3 * k, 24);
    return p;
}

static double tetrahedron(vec3 a, vec3 b, vec3 c, vec3 d)
{
    return v3_dot(v3_cross(v3_sub(b, a), v3_sub(c, a)), v3_sub(d, a)) / 6;
}

// six tetrahedra around the diagonal 0 - 6, in VTK's order of corners: positive only if that is right
static double hexahedron(const double *points, const int64_t *at)
{
    static const int ring[7] = {1, 2, 3, 7, 4, 5, 1};
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += tetrahedron(point_of(points, at[0]), point_of(points, at[ring[k]]), point_of(points, at[ring[k + 1]]),
                           point_of(points, at[6]));
    return sum;
}

static void grid(bool rigid)
{
    scree_report report;
    char *written;
    int frames;
    uint64_t n;
    scree_report_init(&report);
    scr_export_def def = {.results = PATH, .format = SCR_EXPORT_VTU, .last = -1, .every = 1, .rigid = rigid};
    CHECK_INT(scr_export_write(&def, &written, &frames, &report), SCREE_OK);
    CHECK_INT(frames, 1);
    CHECK_TEXT(written, FOLDER "/run.pvd");
    free(written);
    CHECK(load(FOLDER "/run-000000.vtu"));
    const double *points = array("Points", &n);
    CHECK_INT((int)(n / 24), rigid ? 24 * 8 : 67);
    const uint8_t *types = array("types", &n);
    CHECK_INT((int)n, 24);
    const int64_t *connectivity = array("connectivity", &n);
    CHECK_INT((int)n, 24 * 8 * 8);
    double worst = 0;
    for (int c = 0; c < 24; c++) {
        CHECK_INT(types[c], 12);
        int64_t at[8];
        memcpy(at, connectivity + 8 * c, sizeof at);
        worst = check_worse(worst, fabs(hexahedron(points, at) / (0.25 * 0.25 * 0.25) - 1));
    }
    // rigid cells have their volume; smooth ones are strained by the fixture's displacements
    CHECK_NEAR(worst, 0, rigid ? 4e-14 : 0.02); // 4.4e-16, 8.6e-3
    CHECK(strstr(bytes, "ComponentName4=\"YZ\"") && !strstr(bytes, "faceoffsets"));
    CHECK(array("stress", &n) && n == 24 * 6 * 8);
    const int64_t *solid = array("solid", &n);
    CHECK(solid && n == 24 * 8 && !memcmp(solid + 23, &(int64_t){0}, 8));
    free(bytes);
    // grains beside them
    CHECK(load(FOLDER "/run-000000.vtp"));
    free(bytes);
    CHECK(load(FOLDER "/run.pvd"));
    CHECK(strstr(bytes, "part=\"0\" file=\"run-000000.vtu\""));
    CHECK(strstr(bytes, "part=\"1\" file=\"run-000000.vtp\""));
    free(bytes);
    CHECK_INT(report.errors, 0);
    scree_report_deinit(&report);
}

/* ---- pictures ---- */

static void pictures(void)
{
    scree_report report;
    scree_report_init(&report);
    static const char *const by[] = {"speed",    "displacement.x", "stress", "stress.xy",
                                     "pressure", "fragment",       "radius", "height"};
    for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
        scree_picture_def def = scree_picture_def_default();
        def.results = PATH, def.output = FOLDER "/run.png", def.colour = by[k];
        def.width = 160, def.height = 100, def.warp = k % 2 ? NAN : 2, def.rigid = k % 3 == 0;
        CHECK_INT(scr_render(&def, &report), SCREE_OK);
    }
    CHECK_INT(report.errors, 0);
    scree_picture_def def = scree_picture_def_default();
    def.results = PATH, def.output = FOLDER "/run.png";
    def.colour = "energy";
    CHECK_INT(scr_render(&def, &report), SCREE_E_INPUT);
    CHECK(strstr(report.messages[0].text, "of cells displacement"));
    def.colour = "stress.xw";
    CHECK_INT(scr_render(&def, &report), SCREE_E_INPUT);
    scree_report_deinit(&report);
}

int main(void)
{
    write_results(20);
    corners();
    surfaces();
    grid(false);
    grid(true);
    pictures();
    fixture_remove_tree(FOLDER);
    return check_done();
}
