/* Observers of elastic solids in uniform tension, where the method is exact: receivers within and on the surface, the
 * whole solid, supports and loads. */
#include "check.h"

#include "observe/receiver.h"
#include "observe/solids.h"
#include "solid_fixture.h"

#define EDGE    0.1
#define YOUNG   2e11
#define POISSON 0.3
#define PULL    1e6

typedef struct {
    scr_matrix at;
    char *patch, *solid;
    bool surface;
} receiver_def; // as in observe/receiver.c

// a bar along x, its end at x = 0 in place; tractions on both ends
static void make(scr_world *w)
{
    static const int size[3] = {4, 1, 1};
    const double area = EDGE * EDGE, twice = YOUNG / (1 + POISSON), strain = PULL / YOUNG;
    scr_world_init(w);
    w->material_count = 1;
    w->materials = calloc(1, sizeof *w->materials);
    w->materials[0] = (scr_material){strdup("steel"), 7800, YOUNG, POISSON};
    fixture_solid(w, size, EDGE);
    fixture_loads(w);
    scr_load_entry *entries = scr_memory_new(2, sizeof *entries);
    for (int k = 0; k < 2; k++)
        entries[k] = (scr_load_entry){.cell = k ? 3 : 0,
                                      .arm = {(k ? 1 : -1) * EDGE / 2, 0, 0},
                                      .force = {(k ? 1 : -1) * PULL * area, 0, 0},
                                      .swell = area * EDGE * PULL / (2 * twice)};
    w->loads[0].entries = entries, w->loads[0].entry_count = 2;
    for (size_t k = 0; k < 4; k++) {
        vec3 x = v3_load(w->cells.home + 4 * k);
        v3_store(w->cells.displacement + 4 * k, v3(strain * x.x, -POISSON * strain * x.y, -POISSON * strain * x.z));
        v3_store(w->cells.velocity + 4 * k, v3(0, 2, 0));
        scr_cell_set_spin(&w->cells, k, v3(0, 0, 3));
        w->cells.bulk[2 * k + 1] = (1 - 2 * POISSON) * strain;
    }
    w->patch_count = 1;
    w->patches = calloc(1, sizeof *w->patches);
    w->patches[0].name = strdup("end");
    w->patches[0].cells = scr_memory_new(1, 4), w->patches[0].cell_count = 1;
    w->patches[0].faces = scr_memory_new(1, 4), w->patches[0].face_count = 1;
    w->patches[0].cells[0] = 3;
    for (size_t f = 0; f < w->mesh.face_count; f++)
        if (w->mesh.side[f] == 1) w->patches[0].faces[0] = (uint32_t)f;
}

static void listen(scr_world *w, const receiver_def *def, double *row)
{
    const scr_observer *o = &scr_receiver_observer;
    scr_scene_view view = {.world = w, .name = "ear"};
    CHECK_INT(o->open(w, "ear", def, NULL), SCREE_OK);
    CHECK(o->sample(&view, def, row));
}

static void receivers(void)
{
    scr_world w;
    scr_series series;
    double row[19], strain = PULL / YOUNG;
    double points[6] = {0.4, 0.05, 0.05, 0.16, 0.1, 0.05};
    make(&w);
    w.clock.time = 0.25;
    receiver_def def = {.at = {points, 2, 3}};
    // the cells whose centres are nearest: at x = 0.35 and 0.15
    listen(&w, &def, row);
    CHECK_NEAR(row[0], 0.25, 0);
    CHECK_NEAR(row[1] / (strain * 0.35), 1, 1e-14);
    CHECK_NEAR(row[10] / (strain * 0.15), 1, 1e-14);
    CHECK_NEAR(row[5], 2, 0); // vy of the first
    CHECK(scr_observer_layout(&scr_receiver_observer, &(scr_step){.world = &w}, &def, "ear", &series));
    CHECK_INT(series.column_count, 19);
    CHECK_TEXT(series.columns[1].name, "ux1");
    CHECK_TEXT(series.columns[18].name, "rz2");
    scr_series_deinit(&series);
    // on the surface: under the traction, and on the free side, at y = 0.1
    def.surface = true;
    listen(&w, &def, row);
    CHECK_NEAR(row[1] / (strain * 0.4), 1, 2e-14);             // 2e-16
    CHECK_NEAR(row[11] / (-POISSON * strain * 0.1), 1, 2e-14); // 2e-16
    CHECK_NEAR(row[4], 0, 1e-15);                              // spin x arm: the face is at y = 0.05
    CHECK_NEAR(row[5], 2 + 3 * 0.05, 1e-14);
    CHECK_NEAR(row[13], -3 * 0.05, 1e-15);
    // the mean over a patch is that of its face here
    receiver_def mean = {.patch = "end", .surface = true};
    double one[10];
    listen(&w, &mean, one);
    for (int k = 0; k < 10; k++) CHECK_NEAR(one[k], row[k], 0);
    mean.surface = false;
    listen(&w, &mean, one);
    CHECK_NEAR(one[1] / (strain * 0.35), 1, 1e-14);
    // a turn of 4 rad about y
    quat q = {cos(2), 0, sin(2), 0};
    w.cells.turn[12] = q.w, w.cells.turn[13] = q.x, w.cells.turn[14] = q.y, w.cells.turn[15] = q.z;
    listen(&w, &mean, one);
    CHECK_NEAR(one[8], 4, 1e-14);
    // where a cell has a pivot, that is the point: 0.02 before the centre along z, turned about y
    w.cells.pivot[11] = 0.02;
    double still[3] = {one[1], one[2], one[3]};
    listen(&w, &mean, one);
    CHECK_NEAR(one[1] - still[0], 0.02 * sin(4), 1e-15);
    CHECK_NEAR(one[3] - still[2], 0.02 * (cos(4) - 1), 1e-15);
    CHECK_INT(w.receiver_count, 1);
    scr_world_deinit(&w);
}

static void wholes(void)
{
    scr_world w;
    scr_series series;
    struct {
        char *name;
    } all = {NULL}, one = {"clamp"};
    double row[24], mass = 7800 * 4 * EDGE * EDGE * EDGE;
    make(&w);
    w.links.fate[1] = SCR_LINK_TENSION;
    w.cells.fragment[2] = w.cells.fragment[3] = 2;
    scr_scene_view view = {.world = &w};
    CHECK(scr_solid_observer.sample(&view, &all, row));
    CHECK_NEAR(row[1] / (0.2 * (1 + PULL / YOUNG)), 1, 1e-14); // centre
    CHECK_NEAR(row[5] / (2 * mass), 1, 1e-14);                 // momentum
    double inertia = mass * EDGE * EDGE / 6;
    CHECK_NEAR(row[9] / (2 * mass * row[1] + 3 * inertia), 1, 1e-14); // angular momentum
    CHECK_NEAR(row[10] / (2 * mass), 1, 1e-14);                       // m v^2/2
    CHECK_NEAR(row[11] / (4.5 * inertia), 1, 1e-14);
    CHECK_NEAR(row[20] / (PULL / YOUNG * sqrt(0.35 * 0.35 + 2 * 0.015 * 0.015)), 1,
               1e-14); // largest
    CHECK_NEAR(row[22], 2, 0);
    CHECK_NEAR(row[23], 1, 0);
    w.links.fate[1] = SCR_LINK_HOLDS;
    CHECK(scr_solid_observer.sample(&view, &all, row));
    CHECK_NEAR(row[14] / PULL, 1, 2e-14); // mean stress; 2e-16
    CHECK_NEAR(row[15] / PULL, 0, 1e-13);
    CHECK(scr_supports_observer.sample(&view, &one, row));
    CHECK_NEAR(row[1], 1.0 / 3, 0);
    CHECK_NEAR(row[7], 0.1, 0);
    CHECK(scr_observer_layout(&scr_supports_observer, &(scr_step){.world = &w}, &all, "s", &series));
    CHECK_INT(series.column_count, 15);
    CHECK_TEXT(series.columns[14].name, "clamp.work");
    scr_series_deinit(&series);
    CHECK(scr_loads_observer.sample(&view, &all, row));
    CHECK_NEAR(row[1], 1, 0);
    CHECK_NEAR(row[2], 1.0 / 3, 0);
    scr_world_deinit(&w);
}

int main(void)
{
    receivers();
    wholes();
    return check_done();
}
