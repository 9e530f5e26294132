/* Every kind of mesh of an elastic solid, from the words of a scene; and what is refused, with its line. */
#include "build/solid_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build/build.h"
#include "build/schema.h"
#include "check.h"

typedef struct {
    scr_scene *scene;
    scr_polyhedra mesh;
    scree_report report;
    scree_status status;
} built;

// a solid `s` on line 5, with these words in it
static built build(const char *words)
{
    char text[1024];
    snprintf(text, sizeof text,
             "scree: 1\ndomain: {box: [[-9, -9, -9], [9, 9, 9]], periodic: [x]}\n"
             "materials: {m: {density: 1, young: 1, poisson: 0.3}}\nsolids:\n"
             "  s: {material: m, %s}\ntime: {end: 1}\n",
             words);
    built b = {.status = SCREE_E_INPUT};
    scree_report_init(&b.report);
    scr_polyhedra_init(&b.mesh);
    b.scene = scr_scene_parse(text, "test.yaml", scr_schema_get(), NULL, 0, &b.report);
    const scr_item *item = b.scene ? scr_scene_find(b.scene, "solids", "s") : NULL;
    if (item) b.status = scr_solid_mesh(b.scene, item, &b.mesh, &b.report);
    return b;
}

static void done(built *b)
{
    scr_polyhedra_deinit(&b->mesh);
    scr_scene_destroy(b->scene);
    scree_report_deinit(&b->report);
}

static double volume_of(const scr_polyhedra *m)
{
    scr_cell_shape *cells = calloc(m->cell_count, sizeof *cells);
    scr_face_shape *faces = calloc(m->face_count, sizeof *faces);
    double sum = 0;
    CHECK(scr_polyhedra_shapes(m, cells, faces));
    for (size_t c = 0; c < m->cell_count; c++) sum += cells[c].volume;
    free(cells);
    free(faces);
    return sum;
}

static void makes(const char *words, size_t cells, const char *sides, double volume)
{
    built b = build(words);
    scree_report_print(&b.report, stdout);
    CHECK(b.status == SCREE_OK);
    if (!b.status) {
        char all[512] = "";
        for (int k = 0; k < b.mesh.side_count; k++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? " " : "", b.mesh.sides[k]);
        CHECK_TEXT(all, sides);
        CHECK_INT(b.mesh.cell_count, cells);
        CHECK_NEAR(volume_of(&b.mesh) / volume, 1, 1e-13); // 2e-15
    } else {
        printf("words: %s\n", words);
    }
    done(&b);
}

static void refused(const char *words, const char *message)
{
    built b = build(words);
    bool found = false;
    for (int k = 0; k < b.report.count; k++)
        found |= b.report.messages[k].line == 5 && strstr(b.report.messages[k].text, message);
    if (!found || b.status == SCREE_OK) {
        printf("words: %s\n", words);
        scree_report_print(&b.report, stdout);
    }
    CHECK(b.status == SCREE_E_INPUT);
    CHECK(found);
    done(&b);
}

#define CYL  "from: [0, 0, 0], to: [0, 2, 0], radius: 1, around: 8, along: 3"
#define BALL "center: [1, 1, 1], radius: 2, around: 8"
#define BOX  "region: {box: [[0, 0, 0], [1, 2, 3]]}"

static void test_made(void)
{
    double prism = 4 * sin(M_PI / 4) * 2;
    makes("mesh: block, box: [[0, 0, 0], [1, 2, 3]], size: 0.5", 48, "x- x+ y- y+ z- z+", 6);
    makes("mesh: block, box: [[0, 0, 0], [1, 2, 3]], cells: [2, 2, 2], jitter: 0.2, rotate: [1, 2, "
          "0]",
          8, "x- x+ y- y+ z- z+", 6);
    makes("mesh: cylinder, across: 2, facing: [0, 1, 1], " CYL, 48, "outside bottom top", prism);
    makes("mesh: tube, inner: 0.5, " CYL, 24, "outside inside bottom top", prism * 0.75);
    // eight corners around: the sphere's closed form is in shape_polyhedra
    double band = 8 * sin(M_PI / 4) * sin(M_PI / 4) / 6, ring = sin(M_PI / 4) + 1;
    double whole = 8 * band * 2 * (sin(M_PI / 4) + ring);
    makes("mesh: sphere, radial: 2, polar: 4, " BALL, 64, "outside", whole);
    makes("mesh: shell, thickness: 1, polar: 2, bottom: 90 deg, " BALL, 16, "outside inside bottom", whole / 2 * 7 / 8);
    makes("mesh: shell, thickness: 1, polar: 1, top: 45 deg, bottom: 90 deg, " BALL, 8, "outside inside top bottom",
          7 * band * ring);
    makes("mesh: voronoi, cells: 50, " BOX, 50, "x- x+ y- y+ z- z+", 6);
    makes("mesh: voronoi, size: 0.5, seeds: grid, jitter: 0.3, lloyd: 2, " BOX, 48, "x- x+ y- y+ z- z+", 6);
    makes("mesh: voronoi, seeds: given, points: [[0.1, 0.1, 0.1], [0.9, 1, 1]], " BOX, 2, "x- x+ y- y+ z- z+", 6);
    makes("mesh: voronoi, cells: 40, region: {shape: sphere, center: [1, 1, 1], radius: 2}", 40, "outside",
          4 * M_PI / 3 * 8);
    makes("mesh: voronoi, cells: 40, region: {shape: cylinder, from: [0, 0, 0], to: [1, 1, 1], "
          "radius: 2}",
          40, "outside bottom top", 4 * M_PI * sqrt(3));
    makes("mesh: voronoi, cells: 30, planes: [[1, 1, 0, 0.70710678118654752]], " BOX, 30, "x- y- z- z+ plane1", 1.5);
    makes("mesh: voronoi, cells: 20, periodic: [x], region: {box: [[-9, 0, 0], [9, 2, 3]]}", 20, "y- y+ z- z+", 108);
    makes("mesh: plate, thickness: 0.1, cells: 20, outline: [[0, 0, 0], [2, 0, 0], [0, 2, 0]]", 20, "bottom top edge",
          0.2);
    makes("mesh: plate, thickness: 0.5, layers: 2, size: 0.5, seeds: grid, center: [0, 0, 0], "
          "radius: 1",
          24, "bottom top edge", M_PI / 2);
}

static void test_refused(void)
{
    refused("mesh: block, box: [[0, 0, 0], [1, 1, 1]]", "lacks cells or size");
    refused("mesh: block, box: [[0, 0, 0], [1, 1, 1]], cells: [1, 2.5, 1]", "has 2.5 along y");
    refused("mesh: block, box: [[0, 0, 0], [1, 1, 1]], cells: [9999, 9999, 9999]", "at most 3e+08");
    refused("mesh: block, box: [[-9, 0, 0], [9, 1, 1]], cells: [3, 2, 2], periodic: [x], rotate: "
            "[1, 0, 0]",
            "cannot be turned");
    refused("mesh: tube, inner: 1, " CYL, "solids.s.inner is 1 m, it must be less than the radius, 1 m");
    refused("mesh: cylinder, across: 1, facing: [0, 2, 0], " CYL, "must not be along the axis");
    refused("mesh: cylinder, across: 1, from: [1, 1, 1], to: [1, 1, 1], radius: 1, around: 8, along: 3",
            "at the same point");
    refused("mesh: cylinder, across: 1, from: [0, 0, 0], to: [1, 1, 1], radius: 1, around: 2, along: 3",
            "solids.s.around is '2', must be a whole number in [3, 1000000]");
    refused("mesh: sphere, radial: 1, polar: 1, " BALL, "at least 2 rings");
    refused("mesh: shell, thickness: 2, polar: 3, " BALL, "thickness is 2 m, it must be less than the radius");
    refused("mesh: shell, thickness: 1, polar: 3, top: 100 deg, bottom: 90 deg, " BALL,
            "top is 100 deg, it must be less than bottom, 90 deg");
    refused("mesh: shell, thickness: 1, polar: 3, bottom: 200 deg, " BALL, "at most 180 deg");
    refused("mesh: voronoi, cells: 3", "lacks region or planes");
    refused("mesh: voronoi, " BOX, "lacks cells or size");
    refused("mesh: voronoi, cells: 5, size: 1, " BOX, "has cells and size");
    refused("mesh: voronoi, size: 0.001, " BOX, "makes 6e+09 cells");
    refused("mesh: voronoi, cells: 5, jitter: 0.1, " BOX, "jitter is for seeds: grid");
    refused("mesh: voronoi, cells: 5, planes: [[0, 0, 0, 1]], " BOX, "the normal of plane 1 is zero");
    refused("mesh: voronoi, cells: 5, planes: [[1, 0, 0, 1], [0, 1, 0, 1]]", "the planes leave no body");
    refused("mesh: voronoi, cells: 5, periodic: [y], " BOX, "the domain must be so too");
    refused("mesh: voronoi, seeds: given, " BOX, "but no points");
    refused("mesh: voronoi, seeds: given, points: [[2, 1, 1]], " BOX, "seed 0 at (2, 1, 1) is not within the body");
    refused("mesh: voronoi, seeds: given, points: [[0.5, 1, 1], [0.5, 1, 1]], " BOX, "seed");
    refused("mesh: voronoi, cells: 9, facets: 2, region: {shape: cylinder, from: [0, 0, 0], to: [1, 1, 1], radius: 2}",
            "facets is 2, it must be 0 or at least 3");
    refused("mesh: plate, thickness: 0.1, cells: 20", "lacks outline");
    refused("mesh: plate, thickness: 0.1, cells: 20, radius: 1", "lacks center of the disc");
    refused("mesh: plate, thickness: 0.1, cells: 20, outline: [[0, 0, 0], [1, 0, 0], [0.1, 0.1, "
            "0], [0, 1, 0]]",
            "not convex at corner 3");
    refused("mesh: plate, thickness: 0.1, cells: 20, outline: [[0, 0, 0], [1, 0, 0]]", "has 2 corners");
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    CHECK(f != NULL);
    if (!f) return;
    fputs(text, f);
    fclose(f);
}

static void test_file(void)
{
#define HEAD                                                                             \
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 3 0 0\n3 0 3 0\n4 0 0 " \
    "3\n$EndNodes\n"
    write_file("run_solid_mesh_good.msh", HEAD "$Elements\n2\n1 2 2 7 1 1 2 3\n2 4 2 0 1 1 2 3 4\n$EndElements\n");
    makes("mesh: file, file: run_solid_mesh_good.msh, scale: 2", 1, "7 rest", 36);
    write_file("run_solid_mesh_bad.msh", HEAD "$Elements\n1\n2 4 2 0 1 1 2 3 9\n$EndElements\n");
    built b = build("mesh: file, file: run_solid_mesh_bad.msh");
    CHECK(b.status == SCREE_E_INPUT);
    CHECK(b.report.count == 1 && b.report.messages[0].line == 13 &&
          strstr(b.report.messages[0].file, "run_solid_mesh_bad.msh") &&
          strstr(b.report.messages[0].text, "element 2 has node 9, which does not exist"));
    done(&b);
    remove("run_solid_mesh_good.msh");
    remove("run_solid_mesh_bad.msh");
    refused("mesh: file, file: nowhere.msh", "solids.s.file is 'nowhere.msh', which cannot be read");
}

// patches by the physical volumes of two files, one of which has none
static void test_groups(void)
{
#define STACK                                                                                 \
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 4 \"hard\"\n"                 \
    "$EndPhysicalNames\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1\n$EndNodes\n" \
    "$Elements\n2\n1 4 2 %d 1 1 2 3 4\n2 4 2 %d 1 1 3 2 5\n$EndElements\n"
    char text[1024];
    snprintf(text, sizeof text, STACK, 4, 9);
    write_file("run_solid_mesh_a.msh", text);
    snprintf(text, sizeof text, STACK, 0, 0);
    write_file("run_solid_mesh_b.msh", text);
    snprintf(text, sizeof text,
             "scree: 1\ndomain: {box: [[-9, -9, -9], [9, 9, 9]]}\nstepper: elastic\ntime: {end: 1}\n"
             "materials: {m: {density: 1, young: 1, poisson: 0.3}}\nsolids:\n"
             "  b: {material: m, mesh: file, file: run_solid_mesh_b.msh, translate: [3, 0, 0]}\n"
             "  a: {material: m, mesh: file, file: run_solid_mesh_a.msh}\n"
             "patches:\n  hard: {groups: [hard]}\n  both: {groups: [hard, '9']}\n");
    scree_report report;
    scree_report_init(&report);
    scr_world world;
    scr_world_init(&world);
    scr_scene *scene = scr_scene_parse(text, "test.yaml", scr_schema_get(), NULL, 0, &report);
    scr_step step = scene ? scr_step_choose(scene, false) : (scr_step){0};
    step.world = &world;
    CHECK(scene && scr_build_stage(&step, scene, &report) == SCREE_OK);
    scree_report_print(&report, stdout);
    CHECK_INT(world.patch_count, 2);
    if (world.patch_count == 2) {
        CHECK_INT(world.patches[0].cell_count, 1);
        CHECK_INT(world.patches[1].cell_count, 2);
        double z = world.cells.home[4 * world.patches[0].cells[0] + 2];
        CHECK_NEAR(z, 0.25, 1e-15);
    }
    scr_world_deinit(&world);
    scr_scene_destroy(scene);
    scree_report_deinit(&report);
    remove("run_solid_mesh_a.msh");
    remove("run_solid_mesh_b.msh");
}

int main(void)
{
    test_groups();
    test_file();
    test_made();
    test_refused();
    return check_done();
}
