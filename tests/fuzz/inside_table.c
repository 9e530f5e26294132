/* Tables: any bytes, read as grains from CSV and from LAMMPS data, as the path of a wall, as the reference of a
 * case. */
#include "build/schema.h"
#include "scene/generate.h"
#include "scene/wall_path.h"
#include "study/csv.h"
#include "tests/fuzz/inside.h"

static const char scene_text[] = "scree: 1\n"
                                 "domain: {box: [[0, 0, 0], [1, 1, 1]]}\n"
                                 "materials: {glass: {density: 2500}}\n"
                                 "bodies:\n"
                                 "  csv: {from: table, material: glass, file: %s}\n"
                                 "  lammps: {from: lammps, material: glass, file: %s, type: 1}\n"
                                 "walls:\n"
                                 "  floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1], "
                                 "path: {file: %s}}\n"
                                 "time: {end: 1}\n";

static scr_scene *open_scene(const char *path)
{
    char text[1024];
    scree_report report;
    scree_report_init(&report);
    snprintf(text, sizeof text, scene_text, path, path, path);
    scr_scene *scene = scr_scene_parse(text, "fuzz.yaml", scr_schema_get(), NULL, 0, &report);
    if (!scene) scree_report_print(&report, stderr);
    CHECK_INSIDE(scene);
    scree_report_deinit(&report);
    return scene;
}

static void read_bodies(const scr_scene *scene)
{
    const scr_items *bodies = scr_scene_items(scene, "bodies");
    for (int k = 0; k < bodies->count; k++) {
        scree_report report;
        scr_grains grains = {0};
        scree_report_init(&report);
        scree_status status = scr_grains_generate(scene, &bodies->items[k], &grains, &report);
        inside_judge(status, &report);
        for (size_t g = 0; !status && g < grains.count; g++) CHECK_INSIDE(grains.items[g].radius > 0);
        scr_grains_deinit(&grains);
        scree_report_deinit(&report);
    }
}

static void read_path(const scr_scene *scene)
{
    scree_report report;
    double *table = NULL;
    int rows = 0;
    scree_report_init(&report);
    inside_judge(scr_wall_path_read(scene, &scr_scene_items(scene, "walls")->items[0], &table, &rows, &report),
                 &report);
    free(table);
    scree_report_deinit(&report);
}

static void read_reference(const char *path)
{
    scree_report report;
    scr_csv table;
    scree_report_init(&report);
    inside_judge(scr_csv_read(&table, path, &report), &report);
    scr_csv_deinit(&table);
    scree_report_deinit(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static scr_scene *scene;
    const char *path = inside_file(data, size);
    if (!scene) scene = open_scene(path);
    read_bodies(scene);
    read_path(scene);
    read_reference(path);
    return 0;
}
