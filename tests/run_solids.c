/* From a scene to cells, links, shells, patches, supports and loads: against closed forms. */
#include <stdlib.h>

#include "build/build.h"
#include "build/schema.h"
#include "check.h"
#include "scene/scene.h"

#define HEAD                                                   \
    "scree: 1\n"                                               \
    "domain: {box: [[-2, -2, -2], [4, 4, 4]]}\n"               \
    "materials: {m: {density: 3, young: 10, poisson: 0.25}}\n" \
    "stepper: elastic\n"                                       \
    "time: {end: 1}\n"

typedef struct {
    scr_scene *scene;
    scr_world world;
    scree_report report;
} built;

static built build(const char *text)
{
    built b = {0};
    scree_report_init(&b.report);
    scr_world_init(&b.world);
    b.scene = scr_scene_parse(text, "test.yaml", scr_schema_get(), NULL, 0, &b.report);
    scr_step step = b.scene ? scr_step_choose(b.scene, false) : (scr_step){0};
    step.world = &b.world;
    if (!b.scene || scr_build_stage(&step, b.scene, &b.report)) scree_report_print(&b.report, stdout);
    CHECK(b.report.errors == 0);
    return b;
}

static void drop(built *b)
{
    scr_world_deinit(&b->world);
    scr_scene_destroy(b->scene);
    scree_report_deinit(&b->report);
}

// two cuboids 1 x 2 x 1.5: all numbers by hand
static void test_pair(void)
{
    built b = build(HEAD "solids: {bar: {mesh: block, material: m, box: [[0, 0, 0], [2, 2, 1.5]], "
                         "cells: [2, 1, 1], torsion: paper}}\n");
    const scr_world *w = &b.world;
    const scr_cells *c = &w->cells;
    const scr_links *l = &w->links;
    CHECK_INT(c->table.count, 2);
    CHECK_INT(l->table.count, 1);
    CHECK_INT(w->mesh.face_count, 11);
    CHECK_INT(w->solids[0].normal, SCR_LINK_CENTRE_LINE);
    const double volume = 3, mass = 9, e = 10, nu = 0.25, mu = 4, area = 3;
    for (size_t k = 0; k < 2; k++) {
        CHECK_NEAR(scr_cell_volume(c, k), volume, 1e-14);
        CHECK_NEAR(scr_cell_mass(c, k), mass, 1e-14);
        CHECK_NEAR(c->velocity[4 * k + 3], 1 / mass, 1e-16);
        CHECK_NEAR(c->inertia[4 * k], mass * (4 + 2.25) / 12, 1e-14);
        CHECK_NEAR(c->inertia[4 * k + 1], mass * (1 + 2.25) / 12, 1e-14);
        CHECK_NEAR(c->inertia[4 * k + 2], mass * (1 + 4) / 12, 1e-14);
        CHECK_NEAR(c->axes[4 * k], 1, 0);
        // five of six faces are free: two pairs across, one end; each pyramid has a sixth of the volume
        CHECK_NEAR(c->bulk[2 * k], volume * (1 + 3 * nu / (1 - 2 * nu) * 5 / 6), 1e-14);
        CHECK_INT(c->fragment[k], 0);
    }
    CHECK_NEAR(l->arm[0], 0.5, 1e-15);
    CHECK_NEAR(l->arm[3], -0.5, 1e-15);
    CHECK_NEAR(l->frame[0], 1, 1e-15);
    CHECK_NEAR(l->area[0], area, 1e-15);
    CHECK_NEAR(l->stiff[0], e / (1 + nu) * area, 1e-13);
    // second moments of the face: along z 2 1.5^3/12, along y 1.5 2^3/12; s is along z, the smaller one
    double is = 2 * pow(1.5, 3) / 12, it = 1.5 * 8 / 12;
    CHECK_NEAR(fabs(l->frame[5]), 1, 1e-15);
    CHECK_NEAR(l->stiff[1] + l->stiff[2], e * is, 1e-13);
    CHECK_NEAR(l->stiff[1] + l->stiff[3], e * it, 1e-13);
    CHECK_NEAR(l->stiff[2] + l->stiff[3], mu * (is + it), 1e-13);
    drop(&b);
}

// a plate is taken for a shell, a beam and a slab in plane strain are not
static void test_torsion(void)
{
    static const struct {
        const char *keys;
        bool shell;
    } all[] = {{"box: [[0, 0, 0], [3, 3, 0.1]], cells: [3, 3, 1]", true},
               {"box: [[0, 0, 0], [3, 0.1, 0.1]], cells: [9, 1, 1]", false},
               {"box: [[0, 0, 0], [3, 3, 1]], cells: [3, 3, 1], symmetry: [z-, z+]", false},
               {"box: [[0, 0, 0], [3, 3, 3]], cells: [3, 3, 3]", false},
               {"box: [[0, 0, 0], [1, 1, 2]], cells: [4, 4, 1]", false},
               {"box: [[0, 0, 0], [3, 0.1, 3]], cells: [4, 1, 4], rotate: [0.3, 0.2, 0.1]", true}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char text[512];
        snprintf(text, sizeof text, HEAD "solids: {s: {mesh: block, material: m, %s}}\n", all[k].keys);
        built b = build(text);
        check_report((b.world.solids[0].thickness > 0) == all[k].shell, __FILE__, __LINE__, all[k].keys);
        if (all[k].shell) {
            const scr_shells *s = &b.world.shells;
            CHECK_NEAR(b.world.solids[0].thickness, 0.1, 1e-13);
            CHECK_INT(s->table.count, b.world.cells.table.count);
            for (size_t n = 1; n < s->table.count; n++)
                CHECK_NEAR(v3_dot(v3_load(s->director), v3_load(s->director + 4 * n)), 1, 1e-14);
            const double *stiff = b.world.links.stiff;
            CHECK_NEAR(stiff[1] / stiff[2], 1, 1e-12);
            CHECK_NEAR(stiff[2] / stiff[3], 1, 1e-12);
        }
        drop(&b);
    }
}

static void test_patches(void)
{
    built b = build(HEAD "solids:\n"
                         "  a: {mesh: block, material: m, box: [[0, 0, 0], [4, 2, 1]], cells: [4, 2, 1], "
                         "spin: [0, 0, 2], velocity: [1, 0, 0]}\n"
                         "  b: {mesh: block, material: m, box: [[0, 2.5, 0], [1, 3.5, 1]], cells: [1, 1, 1]}\n"
                         "patches:\n"
                         "  end: {solid: a, side: x+}\n"
                         "  both: {sides: [y-, y+]}\n"
                         "  half: {region: {box: [[0, 0, 0], [2, 4, 1]]}}\n"
                         "  cut: {solid: a, plane: {point: [1.5, 0, 0], normal: [1, 0, 0]}}\n"
                         "  one: {near: [3.4, 0.6, 0.4]}\n"
                         "  border: {side: x-, plane: {point: [0, 0, 0], normal: [2, 0, 0]}}\n"
                         "supports: {hold: {patch: one, holds: [x, rz]}}\n"
                         "loads:\n"
                         "  pull: {type: traction, patch: end, stress: [5, 0, 1]}\n"
                         "  push: {type: pressure, patch: end, pressure: 2, signal: {type: ramp, duration: 2}}\n"
                         "  total: {type: force, patch: end, force: [0, 0, 6]}\n"
                         "  point: {type: force, patch: end, force: [0, 0, 6], at: [4, 0.5, 0]}\n"
                         "  twist: {type: torque, patch: half, torque: [0, 5, 0]}\n");
    const scr_world *w = &b.world;
    static const struct {
        int cells, faces;
    } expected[] = {{2, 2}, {9, 10}, {5, 14}, {2, 0}, {1, 0}, {3, 3}};
    for (int k = 0; k < w->patch_count; k++) {
        CHECK_INT(w->patches[k].cell_count, expected[k].cells);
        // of the faces only those that were asked for by sides are counted here
        if (k == 0 || k == 1 || k == 5) CHECK_INT(w->patches[k].face_count, expected[k].faces);
    }
    uint32_t one = w->patches[4].cells[0];
    CHECK_NEAR(w->cells.home[4 * one], 3.5, 1e-14);
    CHECK_INT(w->cells.held[one], 1 | 32);

    // loads add up: force, moment about the origin, and the swelling S h sigma_n/(2 mu)
    vec3 sum[5] = {{0}}, moment[5] = {{0}};
    double swell = 0;
    for (int n = 0; n < 5; n++)
        for (size_t k = 0; k < w->loads[n].entry_count; k++) {
            const scr_load_entry *e = &w->loads[n].entries[k];
            vec3 at = v3_add(v3_load(w->cells.home + 4 * e->cell), e->arm);
            sum[n] = v3_add(sum[n], e->force);
            moment[n] = v3_add(moment[n], v3_add(e->couple, v3_cross(at, e->force)));
            swell += n == 0 ? e->swell : 0;
        }
    CHECK_NEAR(sum[0].x, 5 * 2, 1e-13);
    CHECK_NEAR(sum[0].z, 1 * 2, 1e-13);
    CHECK_NEAR(swell, 2 * 0.5 * 5 / 8.0, 1e-13);
    CHECK_NEAR(sum[1].x, -2 * 2, 1e-13);
    CHECK(w->loads[1].follows);
    CHECK_NEAR(sum[2].z, 6, 1e-13);
    CHECK_NEAR(moment[2].y, -4 * 6, 1e-13);
    CHECK_INT(w->loads[3].entry_count, 1);
    CHECK_NEAR(moment[3].x, 0.5 * 6, 1e-13);
    CHECK_NEAR(moment[4].y, 5, 1e-13);
    CHECK_NEAR(scr_signal_at(&w->loads[1].signal, 0.5), 0.25, 1e-15);

    // the whole turns about its centre (2, 1, 0.5)
    for (int k = w->solids[0].first_cell; k < w->solids[0].first_cell + 8; k++) {
        vec3 x = v3_load(w->cells.home + 4 * k), v = v3_load(w->cells.velocity + 4 * k);
        CHECK_NEAR(v.x, 1 - 2 * (x.y - 1), 1e-14);
        CHECK_NEAR(v.y, 2 * (x.x - 2), 1e-14);
        CHECK_NEAR(scr_cell_spin(&w->cells, (size_t)k).z, 2, 1e-14);
    }
    CHECK_INT(w->cells.fragment[0], 0);
    CHECK_INT(w->cells.fragment[8], 8);
    drop(&b);
}

// across periodic sides: as many links along each axis as cells, and arms that close
static void test_periodic(void)
{
    built b = build("scree: 1\n"
                    "domain: {box: [[0, 0, 0], [3, 3, 3]], periodic: [x, y, z]}\n"
                    "materials: {m: {density: 3, young: 10, poisson: 0.25}}\n"
                    "stepper: elastic\ntime: {end: 1}\n"
                    "solids: {s: {mesh: block, material: m, box: [[0, 0, 0], [3, 3, 3]], cells: [3, 3, 3], "
                    "periodic: [x, y, z]}}\n");
    const scr_links *l = &b.world.links;
    CHECK_INT(l->table.count, 81);
    CHECK_INT(b.world.solids[0].normal, SCR_LINK_CENTRE_LINE);
    for (size_t k = 0; k < l->table.count; k++) {
        vec3 line = v3_sub(v3_load(l->arm + 6 * k), v3_load(l->arm + 6 * k + 3));
        CHECK_NEAR(v3_dot(line, v3_load(l->frame + 6 * k)), 1, 1e-14);
    }
    for (size_t k = 0; k < 27; k++) CHECK_NEAR(b.world.cells.bulk[2 * k], 1, 1e-14);
    drop(&b);
}

// two cells of a box 2 x 1 x 1, cut at x = 0.7 by seeds that are not in their middle: all numbers by hand
static void test_fitted(void)
{
    built b = build(HEAD "solids: {bar: {mesh: voronoi, material: m, region: {box: [[0, 0, 0], [2, 1, "
                         "1]]}, seeds: given, points: [[0.4, 0.4, 0.5], [1, 0.4, 0.5]]}}\n"
                         "patches: {all: {solid: bar}}\n"
                         "loads:\n"
                         "  equal: {type: force, patch: all, force: [0, 0, 6], spread: equal}\n"
                         "  body: {type: force, patch: all, force: [0, 0, 6], spread: volume}\n");
    const scr_world *w = &b.world;
    CHECK_INT(w->links.table.count, 1);
    CHECK_INT(w->solids[0].normal, SCR_LINK_FITTED);
    CHECK_NEAR(v3_norm(v3_sub(v3_load(w->cells.pivot), v3(0.05, -0.1, 0))), 0, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(v3_load(w->cells.pivot + 3), v3(-0.35, -0.1, 0))), 0, 1e-14);
    // 2 mu S/D, half a share each, and the face's centre 0.1 beside the line
    CHECK_NEAR(w->links.stiff[0], 8 / 0.6, 1e-12);
    CHECK_NEAR(w->links.share[3], 0.5, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(v3_load(w->links.share), v3(0, 0.1 / 0.6, 0))), 0, 1e-14);
    // volume and, with nu/(1 - 2 nu) = 1/2, areas of free faces times their heights above the pivot
    CHECK_NEAR(w->cells.bulk[0], 0.7 + 0.5 * (0.4 + 0.7 * (0.4 + 0.6 + 0.5 + 0.5)), 1e-14);
    CHECK_NEAR(w->cells.bulk[2], 1.3 + 0.5 * (1 + 1.3 * (0.4 + 0.6 + 0.5 + 0.5)), 1e-14);
    // a force that is not one of volume acts where the cell stands for the body
    CHECK_NEAR(v3_norm(v3_sub(w->loads[0].entries[1].arm, v3(-0.35, -0.1, 0))), 0, 1e-14);
    CHECK_NEAR(w->loads[0].entries[1].force.z, 3, 1e-15);
    CHECK_NEAR(v3_norm(w->loads[1].entries[1].arm), 0, 0);
    drop(&b);
}

static void test_signals(void)
{
    const double table[] = {1, 2, 3, 6};
    const scr_signal all[] = {{.kind = SCR_SIGNAL_CONSTANT},
                              {.kind = SCR_SIGNAL_STEP, .start = 1, .until = 2},
                              {.kind = SCR_SIGNAL_RAMP, .start = 1, .duration = 4},
                              {.kind = SCR_SIGNAL_SINE, .start = 1, .until = 5, .frequency = 0.25},
                              {.kind = SCR_SIGNAL_RICKER, .start = 1, .frequency = 0.5},
                              {.kind = SCR_SIGNAL_TABLE, .table = (double *)table, .rows = 2}};
    const double at[] = {0, 1, 2, 5}, a = M_PI * M_PI / 4;
    const double expected[6][4] = {{1, 1, 1, 1},
                                   {0, 1, 0, 0},
                                   {0, 0, 0.25, 1},
                                   {0, 0, 1, 0},
                                   {(1 - 2 * a) * exp(-a), 1, (1 - 2 * a) * exp(-a), (1 - 32 * a) * exp(-16 * a)},
                                   {2, 2, 4, 6}};
    for (int k = 0; k < 6; k++)
        for (int n = 0; n < 4; n++) CHECK_NEAR(scr_signal_at(&all[k], at[n]), expected[k][n], 1e-15);
}

int main(void)
{
    test_pair();
    test_torsion();
    test_patches();
    test_periodic();
    test_fitted();
    test_signals();
    return check_done();
}
