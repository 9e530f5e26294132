/* Views of the cells of elastic solids against linear elasticity in uniform strain, where they are exact; frames of
 * results that hold them. */
#include "check.h"

#include "observe/cell_views.h"
#include "observe/results.h"
#include "solid_fixture.h"
#include "world_fixture.h"

#define FOLDER "folder_observe_cells"
#define PATH   FOLDER "/run.h5"

#define EDGE    0.1
#define YOUNG   7e10
#define POISSON 0.25
#define LAMBDA  (YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)))
#define TWICE   (YOUNG / (1 + POISSON))

// three cubes to each side: one within, 26 on the border
static void make(scr_world *w)
{
    static const int size[3] = {3, 3, 3};
    scr_world_init(w);
    w->material_count = 1;
    w->materials = calloc(1, sizeof *w->materials);
    w->materials[0] = (scr_material){strdup("glass"), 2500, YOUNG, POISSON};
    fixture_solid(w, size, EDGE);
}

static vec3 times(const double e[6], vec3 x)
{
    return sym3_times((sym3){e[0], e[1], e[2], e[3], e[4], e[5]}, x);
}

// u = R (x + E x) - x, all cells turned by R; eps as the stepper has it, with what a traction adds
static void strain(scr_world *w, const double e[6], quat turn, const double *swell)
{
    scr_cells *c = &w->cells;
    const scr_links *l = &w->links;
    for (size_t k = 0; k < c->table.count; k++) {
        vec3 x = v3_load(c->home + 4 * k);
        vec3 u = v3_add(scr_turn_less_one(turn, x), quat_turn(turn, times(e, x)));
        v3_store(c->displacement + 4 * k, u);
        c->turn[4 * k] = turn.w, c->turn[4 * k + 1] = turn.x;
        c->turn[4 * k + 2] = turn.y, c->turn[4 * k + 3] = turn.z;
        c->bulk[2 * k + 1] = swell ? swell[k] : 0;
    }
    for (size_t k = 0; k < l->table.count; k++) {
        vec3 n = v3_load(l->frame + 6 * k), gap = times(e, v3_scale(EDGE, n));
        for (int s = 0; s < 2; s++) c->bulk[2 * l->cell[2 * k + (size_t)s] + 1] += 0.5 * l->area[k] * v3_dot(gap, n);
    }
    for (size_t k = 0; k < c->table.count; k++) c->bulk[2 * k + 1] /= c->bulk[2 * k];
}

static double worst(const double *stress, const double want[6], double scale)
{
    double most = 0;
    for (int n = 0; n < 6; n++) most = check_worse(most, fabs(stress[n] - want[n]) / scale);
    return most;
}

// as if the body went on beyond the cells that are there
static void strain_endless(scr_world *w, const double e[6], quat turn)
{
    strain(w, e, turn, NULL);
    for (size_t k = 0; k < w->cells.table.count; k++) w->cells.bulk[2 * k + 1] = e[0] + e[1] + e[2];
}

// stress and energy of any strain
static void within(void)
{
    const double e[6] = {3e-9, -1e-9, 2e-9, 0.5e-9, -0.7e-9, 1.1e-9};
    double stress[6 * 27], energy[27], want[6], density = 0, trace = e[0] + e[1] + e[2];
    scr_world w;
    make(&w);
    for (int n = 0; n < 6; n++) {
        want[n] = TWICE * e[n] + (n < 3 ? LAMBDA * trace : 0);
        density += 0.5 * want[n] * e[n] * (n < 3 ? 1 : 2);
    }
    for (int normal = 0; normal < 2; normal++) {
        w.solids[0].normal = normal ? SCR_LINK_FACE_NORMAL : SCR_LINK_CENTRE_LINE;
        strain_endless(&w, e, quat_one());
        scr_cells_stress(&w, stress);
        scr_cells_energy(&w, energy);
        CHECK_NEAR(worst(stress + 6 * 13, want, want[0]), 0, 4e-8);        // 4.4e-10, 3e-16
        CHECK_NEAR(energy[13] / (density * EDGE * EDGE * EDGE), 1, 2e-14); // 2e-16
    }
    // the same, turned: the tensor turns along
    quat turn = quat_exp(v3(0.5, -1.2, 0.3));
    strain_endless(&w, e, turn);
    scr_cells_stress(&w, stress);
    sym3 s = quat_turn_sym3(turn, (sym3){want[0], want[1], want[2], want[3], want[4], want[5]});
    const double turned[6] = {s.xx, s.yy, s.zz, s.xy, s.xz, s.yz};
    CHECK_NEAR(worst(stress + 6 * 13, turned, want[0]), 0,
               1e-6); // 1e-7: 1e-16 of the turn over 1e-9
    CHECK_NEAR(scr_stress_mises(turned) / scr_stress_mises(want), 1, 1e-13);
    CHECK_NEAR(scr_stress_pressure(want) / (-(TWICE + 3 * LAMBDA) * trace / 3), 1, 1e-14);
    scr_world_deinit(&w);
}

// uniform tension by tractions on both ends: every cell has the same stress, corners too
static void tension(void)
{
    const double pull = 1e3, e = pull / YOUNG, n = POISSON;
    const double tensor[6] = {e, -n * e, -n * e, 0, 0, 0}, want[6] = {pull};
    double swell[27] = {0}, stress[6 * 27], mises[27], area = EDGE * EDGE;
    scr_world w;
    make(&w);
    scr_load_entry *entries = scr_memory_new(18, sizeof *entries);
    size_t count = 0;
    for (uint32_t k = 0; k < 27; k++)
        for (int side = -1; side <= 1; side += 2) {
            if (k % 3 != (side < 0 ? 0 : 2)) continue;
            entries[count++] =
                (scr_load_entry){.cell = k, .arm = {side * EDGE / 2, 0, 0}, .force = {side * pull * area, 0, 0}};
            swell[k] = area * EDGE * pull / (2 * TWICE); // S D sigma/(4 mu)
        }
    w.load_count = 1;
    w.loads = calloc(1, sizeof *w.loads);
    w.loads[0] = (scr_load){.name = strdup("pull"), .entries = entries, .entry_count = count};
    strain(&w, tensor, quat_one(), swell);
    scr_cells_stress(&w, stress);
    double most = 0;
    for (int k = 0; k < 27; k++) most = check_worse(most, worst(stress + 6 * k, want, pull));
    CHECK_NEAR(most, 0, 4e-14); // 4.5e-16
    CHECK(scr_cell_view_find("mises")->fill(&w, mises));
    CHECK_NEAR(mises[0] / pull, 1, 1e-14);
    // a dead load halves when its signal does
    w.loads[0].signal = (scr_signal){.kind = SCR_SIGNAL_RAMP, .duration = 2};
    w.clock.time = 1;
    scr_cells_stress(&w, stress);
    CHECK_NEAR(stress[0] / pull, 0.75, 1e-14); // its own link still pulls as before
    scr_world_deinit(&w);
}

// plane strain: planes of symmetry in z hold back lambda eps
static void plane_strain(void)
{
    const double e[6] = {2e-9, -1e-9, 0, 0.5e-9, 0, 0}, trace = e[0] + e[1];
    double stress[6 * 3];
    static const int size[3] = {3, 3, 1};
    scr_world w;
    scr_world_init(&w);
    w.material_count = 1;
    w.materials = calloc(1, sizeof *w.materials);
    w.materials[0] = (scr_material){strdup("glass"), 2500, YOUNG, POISSON};
    fixture_solid(&w, size, EDGE);
    for (size_t f = 0; f < w.mesh.face_count; f++)
        if (w.mesh.side[f] >= 4) w.border[f] = SCR_BORDER_SYMMETRY;
    strain_endless(&w, e, quat_one());
    double all[6 * 9];
    scr_cells_stress(&w, all);
    memcpy(stress, all + 6 * 4, sizeof *stress * 6);
    const double want[6] = {
        TWICE * e[0] + LAMBDA * trace, TWICE * e[1] + LAMBDA * trace, LAMBDA * trace, TWICE * e[3], 0, 0};
    CHECK_NEAR(worst(stress, want, want[0]), 0, 6e-14); // 6e-16
    scr_world_deinit(&w);
}

// a cell that lies on a wall and carries a grain: both press, and what they do together is known
static void contacts(void)
{
    static const int size[3] = {1, 1, 1};
    const double up = 9, force = 3, volume = EDGE * EDGE * EDGE;
    double stress[6];
    scr_world w;
    fixture_world(&w, 20, 1);
    fixture_solid(&w, size, EDGE);
    scr_cell_contacts *c = &w.cell_contacts;
    CHECK(scr_table_reserve(&c->table, 2));
    w.cells.load[2] = up; // the wall's alone
    c->table.count = 1;
    c->kind[0] = SCR_MEET_CELL_WALL, c->touches[0] = 1, c->place[2] = -EDGE / 2;
    CHECK(scr_cells_stress(&w, stress));
    CHECK_NEAR(stress[2] / (-up * EDGE / 2 / volume), 1, 1e-14);
    CHECK_NEAR(stress[0], 0, 0);
    // and the grain's, from the side at the same height: the sum acts in the middle
    c->table.count = 2;
    c->kind[1] = SCR_MEET_GRAIN_CELL, c->touches[1] = 1, c->first[1] = w.bodies.id[7];
    vec3 x = v3_load(w.bodies.place + 4 * 7), at = v3(EDGE, EDGE / 2, 0);
    v3_store(c->place + 4, v3_sub(at, x));
    w.cells.load[0] = -force;
    CHECK(scr_cells_stress(&w, stress));
    CHECK_NEAR(stress[0] / (-force * EDGE / 4 / volume), 1, 1e-13); // 2e-15: of the place
    CHECK_NEAR(stress[2] / (-up * EDGE / 2 / volume), 1, 1e-13);
    c->touches[0] = c->touches[1] = 0;
    CHECK(scr_cells_stress(&w, stress));
    CHECK_NEAR(stress[2], 0, 0);
    scr_world_deinit(&w);
}

static void broken(void)
{
    double damage[27], before[27], after[27];
    scr_world w;
    make(&w);
    strain(&w, (const double[6]){1e-6, 0, 0, 0, 0, 0}, quat_one(), NULL);
    scr_cells_energy(&w, before);
    w.links.fate[0] = SCR_LINK_TENSION; // of cells 0 and 1, which have 3 and 4
    CHECK(scr_cell_view_find("damage")->fill(&w, damage));
    CHECK_NEAR(damage[0], 1.0 / 3, 1e-15);
    CHECK_NEAR(damage[1], 0.25, 1e-15);
    CHECK_NEAR(damage[13], 0, 0);
    scr_cells_energy(&w, after);
    CHECK(after[0] < before[0] && after[13] == before[13]);
    scr_world_deinit(&w);
}

/* ---- results ---- */

static const char *const fields[] = {"velocity", "stress", "fragment", "mises", "radius"};

static void write_results(scr_world *w, scree_report *report)
{
    scr_results *r;
    static const int size[3] = {4, 3, 2};
    fixture_world(w, 20, 1);
    fixture_solid(w, size, 0.25);
    fixture_deform(w, 0.01);
    w->links.fate[5] = SCR_LINK_SHEAR, w->links.fate[9] = SCR_LINK_TENSION;
    w->cells.fragment[7] = 7;
    CHECK_INT(scr_results_create(PATH, &(scr_results_scene){"s", "t", NULL}, &r, report), SCREE_OK);
    CHECK_INT(scr_results_frame(r, w, fields, 5, NULL, report), SCREE_OK);
    CHECK_INT(scr_results_publish(r, w, NULL, 0, report), SCREE_OK);
    scr_results_destroy(r);
}

static void frames(void)
{
    scr_world w;
    scree_report report;
    double *data, want[6 * 24];
    int width, count;
    const int32_t *border;
    int32_t *faces, *fates;
    size_t n;
    scree_report_init(&report);
    fixture_folder(FOLDER);
    write_results(&w, &report);
    scr_archive *a = scr_archive_open(PATH, &report);
    CHECK(a != NULL);
    if (!a) return;
    CHECK_TEXT(scr_archive_solids(a, &count)->name, "block of 50 %");
    CHECK_INT(count, 1);
    const scr_polyhedra *mesh = scr_archive_mesh(a, &border);
    CHECK(mesh->cell_count == 24 && mesh->face_count == w.mesh.face_count && border);
    CHECK(!memcmp(mesh->points, w.mesh.points, 3 * mesh->point_count * sizeof(double)));
    // what was asked for, and what every frame has
    const char *const *views = scr_archive_cell_views(a, 0);
    for (count = 0; views[count]; count++) {
        const scr_cell_view *view = scr_cell_view_find(views[count]);
        CHECK(view != NULL);
        CHECK_INT(scr_archive_cells(a, 0, views[count], &data, &width, &report), SCREE_OK);
        CHECK_INT(width, view->width);
        CHECK(view->fill(&w, want));
        CHECK(!memcmp(data, want, 24 * (size_t)width * sizeof *data));
        CHECK_TEXT(scr_archive_cell_unit(a, 0, views[count]), view->unit);
        free(data);
    }
    CHECK_INT(count, 6); // displacement, turn, velocity, stress, fragment, mises
    // grains have theirs: id, velocity, radius
    views = scr_archive_views(a, 0);
    for (count = 0; views[count];) count++;
    CHECK_INT(count, 3);
    CHECK_INT(scr_archive_broken(a, 0, &faces, &fates, &n, &report), SCREE_OK);
    CHECK(n == 2 && faces[0] == w.links.face[5] && fates[1] == SCR_LINK_TENSION);
    free(faces), free(fates);
    CHECK_INT(report.errors, 0);
    CHECK_INT(scr_archive_cells(a, 0, "energy", &data, &width, &report), SCREE_E_INPUT);
    scree_report_print(&report, stdout);
    scr_archive_close(a);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
    fixture_remove_tree(FOLDER);
}

// results without solids say so
static void without(void)
{
    scr_world w;
    scree_report report;
    scr_results *r;
    double *data;
    int width, count;
    scree_report_init(&report);
    fixture_folder(FOLDER);
    fixture_world(&w, 20, 1);
    CHECK_INT(scr_results_create(PATH, &(scr_results_scene){"s", "t", NULL}, &r, &report), SCREE_OK);
    CHECK_INT(scr_results_frame(r, &w, fields, 5, NULL, &report), SCREE_OK);
    CHECK_INT(scr_results_publish(r, &w, NULL, 0, &report), SCREE_OK);
    scr_results_destroy(r);
    scr_archive *a = scr_archive_open(PATH, &report);
    CHECK(a && !scr_archive_cell_views(a, 0)[0]);
    scr_archive_solids(a, &count);
    CHECK(count == 0 && scr_archive_mesh(a, NULL)->cell_count == 0);
    CHECK_INT(scr_archive_cells(a, 0, "stress", &data, &width, &report), SCREE_E_INPUT);
    CHECK(report.errors == 1 && strstr(report.messages[0].text, "contains no cells"));
    scr_archive_close(a);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
    fixture_remove_tree(FOLDER);
}

int main(void)
{
    within();
    tension();
    plane_strain();
    contacts();
    broken();
    frames();
    without();
    return check_done();
}
