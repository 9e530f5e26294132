/* What pictures make of a frame beyond its fields: numbers per grain that follow from others, forces and bonds as rods,
 * each against the world that was written. */
#include "check.h"

#include <math.h>

#include "observe/results.h"
#include "show/derived.h"
#include "show/render_rods.h"
#include "world_fixture.h"

#define FOLDER "folder_show_derived"
#define PATH   FOLDER "/run.h5"
#define COUNT  30

static scree_report report;
static scr_world w;

// rows of the world by the order of ids, which is that of frames
static uint32_t order[COUNT];

/* Two frames; between them the grain of row 4 goes a metre along y, and that of row 5 half a metre through the periodic
 * side of x. A contact of rows 1 and 2, and one of row 2 with a wall. */
static scr_contact_row rows[2];

static vec3 place(size_t row)
{
    return v3_load(w.bodies.place + 4 * row);
}

static void write_results(void)
{
    static const char *const views[] = {"position", "radius", "velocity", "spin", "mass", "image"};
    scr_results *r;
    fixture_world(&w, COUNT, 1);
    w.bodies.place[4 * 9] = -0.9,
                       w.bodies.place[4 * 10] = 3.9; // their bond reaches through the side
    vec3 branch = v3_sub(place(1), place(2)), normal = v3_unit(branch);
    rows[0] = (scr_contact_row){.body = {1, 2},
                                .point = v3_axpy(place(2), 0.25, branch),
                                .normal = normal,
                                .branch = branch,
                                .force = v3_scale(8, normal)};
    rows[1] = (scr_contact_row){.body = {2, -3},
                                .point = v3_sub(place(2), v3(0, 0, 0.5)),
                                .normal = {0, 0, 1},
                                .branch = {0, 0, 0.5},
                                .force = {3, 0, 4}};
    const scr_frame_contacts contacts = {rows, 2};
    CHECK_INT(scr_results_create(PATH, &(scr_results_scene){"s", "", NULL}, &r, &report), 0);
    CHECK_INT(scr_results_frame(r, &w, views, 6, &contacts, &report), 0);
    w.clock.step++, w.clock.time += 1;
    w.bodies.place[4 * 4 + 1] += 1;
    w.bodies.place[4 * 5] += 0.5 - 5, w.bodies.image[4 * 5]++;
    CHECK_INT(scr_results_frame(r, &w, views, 6, &contacts, &report), 0);
    CHECK_INT(scr_results_checkpoint(r, &w, &report), 0);
    CHECK_INT(scr_results_publish(r, &w, NULL, 0, &report), 0);
    scr_results_destroy(r);
    scr_bodies_by_id(&w.bodies, order);
}

static double *values_of(const scr_archive *a, int frame, const char *name)
{
    const scr_derived *d = scr_derived_find(a, frame, name);
    double *values = NULL;
    CHECK(d && scr_derived_read(a, frame, d, &values, &report) == SCREE_OK);
    return values;
}

static void check_energy(const scr_archive *a)
{
    double *got = values_of(a, 1, "kinetic_energy"), worst = 0;
    for (size_t k = 0; k < COUNT && got; k++) {
        size_t i = order[k];
        double m = w.bodies.mass[i], r = w.bodies.place[4 * i + 3];
        double v = v3_norm(v3_load(w.bodies.motion + 4 * i));
        double s = v3_norm(v3_load(w.bodies.spin + 4 * i));
        double wanted = m * v * v / 2 + 0.4 * m * r * r * s * s / 2;
        if (got[k] == wanted) continue; // one is at rest, and one beyond all numbers
        worst = check_worse(worst, fabs(got[k] - wanted) / wanted);
    }
    CHECK_NEAR(worst, 0, 1e-14); /* 4e-16 */
    free(got);
}

static void check_contacts(const scr_archive *a)
{
    double *number = values_of(a, 0, "coordination"), *pressure = values_of(a, 0, "pressure");
    double length = v3_norm(v3_sub(place(1), place(2)));
    for (size_t k = 0; k < COUNT && number && pressure; k++) {
        size_t i = order[k];
        double volume = 4 * M_PI / 3 * pow(w.bodies.place[4 * i + 3], 3);
        // forces times arms: 8 N at three and at one quarter of the branch, 4 N at half a metre
        double virial = i == 1 ? 8 * 0.75 * length : i == 2 ? 8 * 0.25 * length + 4 * 0.5 : 0;
        CHECK_NEAR(number[k], i == 1 ? 1 : i == 2 ? 2 : 0, 0);
        CHECK_NEAR(pressure[k] * 3 * volume, virial, 1e-12); /* off by 1e-15 */
    }
    free(number), free(pressure);
}

static void check_displacement(const scr_archive *a)
{
    double *before = values_of(a, 0, "displacement"), *after = values_of(a, 1, "displacement");
    for (size_t k = 0; k < COUNT && before && after; k++) {
        CHECK_NEAR(before[k], 0, 0);
        CHECK_NEAR(after[k], order[k] == 4 ? 1 : order[k] == 5 ? 0.5 : 0, 1e-13); /* off by 4e-16 */
    }
    free(before), free(after);
}

static void check_forces(const scr_archive *a)
{
    scr_drawn_rods r;
    scr_clip clip = {0};
    CHECK_INT(scr_drawn_forces_read(a, 0, 2, 16, &clip, &r, &report), SCREE_OK);
    CHECK_INT((int)r.count, 2);
    for (size_t k = 0; k < r.count; k++) {
        bool wall = fabs(r.value[k] - 4) < 1e-12;
        CHECK_NEAR(r.value[k], wall ? 4 : 8, 1e-12);
        CHECK_NEAR(r.radius[k], 0.75 * 2 * r.value[k] / 16, 1e-12);
        double length = v3_norm(v3_sub(v3_load(r.ends + 6 * k), v3_load(r.ends + 6 * k + 3)));
        CHECK_NEAR(length, v3_norm(rows[wall].branch), 1e-12);
    }
    scr_drawn_rods_deinit(&r);
    // of a scale a thousand times as large they are too faint
    CHECK_INT(scr_drawn_forces_read(a, 0, 2, 16000, &clip, &r, &report), SCREE_OK);
    CHECK_INT((int)r.count, 0);
    scr_drawn_rods_deinit(&r);
    clip = (scr_clip){.axis = 2, .at = -100, .side = 1};
    CHECK_INT(scr_drawn_forces_read(a, 0, 2, 16, &clip, &r, &report), SCREE_OK);
    CHECK_INT((int)r.count, 0);
    scr_drawn_rods_deinit(&r);
}

// every bond that holds is there: from one grain half the way to the other, or all of it
static void check_bonds(const scr_archive *a)
{
    double *position;
    size_t bodies, expected = 0, halves = 0;
    int width;
    scr_drawn_rods r;
    const scr_clip clip = {0};
    CHECK_INT(scr_archive_read(a, 1, "position", &position, &bodies, &width, &report), SCREE_OK);
    CHECK_INT(scr_drawn_bonds_read(a, 1, position, 0.1, &clip, &r, &report), SCREE_OK);
    double shortest = INFINITY, longest = 0;
    for (size_t k = 0; k < w.bonds.table.count; k++) {
        if (w.bonds.fate[k] != SCR_BOND_HOLDS) continue;
        vec3 way = v3_sub(place((size_t)w.bonds.row[2 * k + 1]), place((size_t)w.bonds.row[2 * k]));
        bool through = fabs(way.x) > 2.5 || fabs(way.z) > 4.5; // half the domain
        expected += through ? 2 : 1, halves += through;
    }
    CHECK_INT((int)r.count, (int)expected);
    CHECK(halves > 0 && halves < expected);
    for (size_t k = 0; k < r.count; k++) {
        vec3 way = v3_sub(v3_load(r.ends + 6 * k), v3_load(r.ends + 6 * k + 3));
        longest = check_worse(longest, check_worse(fabs(way.x) / 2.5, fabs(way.z) / 4.5));
        shortest = check_lesser(shortest, r.radius[k]);
    }
    CHECK(longest <= 1 && !r.value);
    CHECK_NEAR(shortest, 0.1, 0);
    scr_drawn_rods_deinit(&r);
    free(position);
}

int main(void)
{
    scree_report_init(&report);
    fixture_folder(FOLDER);
    write_results();
    scr_archive *a = scr_archive_open(PATH, &report);
    CHECK(a != NULL);
    if (a) {
        check_energy(a);
        check_contacts(a);
        check_displacement(a);
        check_forces(a);
        check_bonds(a);
        CHECK(!scr_derived_find(a, 0, "beauty"));
        scr_archive_close(a);
    }
    scree_report_print(&report, stdout);
    CHECK_INT(report.errors, 0);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
    fixture_remove_tree(FOLDER);
    return check_done();
}
