/* The elastic stepper on meshes as scenes have them: no force at rest, a bound of the time step that is one, and with
 * it momentum, angular momentum and energy as they should be. */
#include "cells_fixture.h"
#include "run/simulation.h"
#include "stage.h"

static const struct {
    const char *mesh;
    double poisson;
    bool shell;
    double part; /* of the stable step that the bound reaches at least */
} meshes[] = {
    {"mesh: block, box: [[0, 0, 0], [3, 2, 2]], cells: [6, 4, 4], jitter: 0.25", 0.25, false, 0.75},
    {"mesh: block, box: [[0, 0, 0], [4, 2, 1]], cells: [4, 4, 4]", 0.45, false, 0.8},
    {"mesh: block, box: [[0, 0, 0], [4, 4, 4]], cells: [4, 4, 4]", 0.49, false, 0.8},
    {"mesh: block, box: [[-1, 0, 0], [8, 2, 2]], cells: [4, 4, 4], normal: face-normal", 0.3, false, 0.8},
    {"mesh: block, box: [[0, 0, 0], [8, 8, 1]], cells: [4, 4, 4], jitter: 0.2, normal: face-normal", 0.4, false, 0.65},
    // what can break has a bound for whatever is left
    {"mesh: block, box: [[0, 0, 0], [4, 2, 1]], cells: [4, 4, 4], tensile_strength: 1", 0.3, false, 0.5},
    {"mesh: voronoi, region: {box: [[0, 0, 0], [2, 2, 2]]}, cells: 60", 0.25, false, 0.7},
    {"mesh: voronoi, region: {box: [[0, 0, 0], [2, 2, 2]]}, cells: 60, lloyd: 8", 0.3, false, 0.7},
    {"mesh: voronoi, region: {shape: cylinder, from: [0, 0, 0], to: [0, 0, 2], radius: 1}, "
     "cells: 60",
     -0.3, false, 0.7},
    {"mesh: voronoi, region: {box: [[0, 0, 0], [2, 2, 2]]}, cells: 100", -0.8, false, 0.7},
    {"mesh: tube, from: [0, 0, 0], to: [0, 0, 5], radius: 2, inner: 1.8, around: 16, along: 8", 0.3, true, 0.95},
    {"mesh: shell, center: [0, 0, 0], radius: 2, thickness: 0.1, polar: 5, around: 16, "
     "top: 18 deg, bottom: 90 deg",
     0.3, true, 0.95},
};

static bool open_mesh(stage *s, size_t k)
{
    return stage_open(s, NULL, 0,
                      "scree: 1\ngravity: [0, 0, 0]\n"
                      "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
                      "materials: {stuff: {density: 1, young: 1, poisson: %g}}\n"
                      "solids: {body: {material: stuff, %s}}\n"
                      "stepper: elastic\ntime: {end: 100}\noutput: {every: 100}\n",
                      meshes[k].poisson, meshes[k].mesh);
}

// the bound, of the stable step
static double test_rest_and_bound(size_t k)
{
    stage s;
    if (!open_mesh(&s, k)) return NAN;
    scr_world *w = &s.sim->world;
    double worst = 0;
    for (size_t c = 0; c < 8 * w->cells.table.count; c++) worst = check_worse(worst, fabs(w->cells.load[c]));
    CHECK_NEAR(worst, 0, 0);
    CHECK_NEAR(w->ledger.elastic_solid, 0, 0);
    CHECK((w->solids[0].thickness > 0) == meshes[k].shell);
    int64_t cell;
    double bound = scr_elastic_bound(w, &cell), part = bound * cells_fastest(&s.sim->step, 400) / 2;
    printf("mesh %zu: %zu cells, step %.3f of the bound, bound %.3f of the stable step\n", k, w->cells.table.count,
           w->clock.dt / bound, part);
    CHECK(part <= 1 + 1e-6);
    CHECK(part > meshes[k].part); // and not one that is of no use
    CHECK(w->clock.dt <= 0.5 * bound && w->clock.dt > 0.49 * bound);
    stage_close(&s);
    return part;
}

// how much the energy of a very small motion grows in 4000 steps of this part of the bound
static double growth(size_t k, double part)
{
    stage s;
    int64_t cell;
    if (!open_mesh(&s, k)) return NAN;
    scr_step *step = &s.sim->step;
    block b = {.random = scr_random_stream(5, 0), .world = s.sim->world};
    scr_cells *c = &s.sim->world.cells;
    for (size_t i = 0; i < c->table.count; i++) v3_store(c->velocity + 4 * i, block_noise(&b, 1e-9));
    s.sim->world.clock.dt = part * scr_elastic_bound(&s.sim->world, &cell);
    step->stepper->close(step);
    CHECK(!step->stepper->open(step, false, &s.report));
    b.world = s.sim->world;
    double start = block_energy(&b), most = 1;
    for (int n = 0; n < 4000 && most < 1e6; n++) {
        CHECK(!step->stepper->step(step, &s.report));
        b.world = s.sim->world;
        most = fmax(most, block_energy(&b) / start);
    }
    stage_close(&s);
    return most;
}

// steps of 0.99 of the bound are stable, those above the limit of the eigenvalues are not
static void test_limit(size_t k)
{
    stage s;
    int64_t cell;
    if (!open_mesh(&s, k)) return;
    double limit = 2 / cells_fastest(&s.sim->step, 1500) / scr_elastic_bound(&s.sim->world, &cell);
    stage_close(&s);
    double below = growth(k, 0.99), above = growth(k, 1.01 * limit);
    printf("mesh %zu: energy grows %.3g times at 0.99 of the bound, %.3g times at %.3f of it\n", k, below, above,
           1.01 * limit);
    CHECK(below < 100);
    CHECK(above > 1e6);
}

// the largest change of energy in a time, with steps of dt and of dt/2; momenta on the way
static double wobble(size_t k, int parts)
{
    stage s;
    if (!open_mesh(&s, k)) return NAN;
    scr_step *step = &s.sim->step;
    block b = {.random = scr_random_stream(5, 0), .world = s.sim->world};
    scr_cells *c = &s.sim->world.cells;
    for (size_t i = 0; i < c->table.count; i++) {
        double edge = cbrt(scr_cell_volume(c, i));
        v3_store(c->velocity + 4 * i, v3_add(v3(1, 0.5, 0), block_noise(&b, 0.02)));
        scr_cell_set_spin(c, i, v3_scale(1 / edge, block_noise(&b, 0.01)));
    }
    long steps = 200L * parts;
    s.sim->world.clock.dt /= parts;
    step->stepper->close(step);
    CHECK(!step->stepper->open(step, false, &s.report));
    b.world = s.sim->world;
    vec3 p = block_momentum(&b), l = block_angular_momentum(&b);
    double start = block_energy(&b), worst = 0;
    for (long n = 0; n < steps; n++) {
        CHECK(!step->stepper->step(step, &s.report));
        b.world = s.sim->world;
        worst = check_worse(worst, fabs(block_energy(&b) - start));
    }
    CHECK(v3_norm(v3_sub(block_momentum(&b), p)) < 2e-13 * v3_norm(p));
    CHECK(v3_norm(v3_sub(block_angular_momentum(&b), l)) < 2e-13 * v3_norm(l));
    double bulk = 0; // without the motion of the whole
    for (size_t i = 0; i < c->table.count; i++) bulk += scr_cell_mass(c, i);
    stage_close(&s);
    return worst / (start - v3_dot(p, p) / (2 * bulk));
}

static void test_conserved(size_t k)
{
    double coarse = wobble(k, 1), fine = wobble(k, 2);
    printf("mesh %zu: energy off by %.3g, %.3g\n", k, coarse, fine);
    CHECK_NEAR(log2(coarse / fine), 2, 0.2);
}

/* ---- uniform stress ---- */

static const char *const sides[6] = {"x-", "x+", "y-", "y+", "z-", "z+"};
// over Young's modulus; what is left is of second order
static const double stress[3][3] = {{3e-13, 5e-13, -2e-13}, {5e-13, -4e-13, 1e-13}, {-2e-13, 1e-13, 6e-13}};

// tractions of `stress` on the sides of a box
static void write_tractions(char *text, size_t room)
{
    int at = snprintf(text, room, "patches: {");
    for (int k = 0; k < 6; k++)
        at += snprintf(text + at, room - (size_t)at, "%sp%d: {solid: body, sides: [%s]}", k ? ", " : "", k, sides[k]);
    at += snprintf(text + at, room - (size_t)at, "}\nloads: {");
    for (int k = 0; k < 6; k++) {
        const double *s = stress[k / 2], sign = k % 2 ? 1 : -1;
        at += snprintf(text + at, room - (size_t)at, "%sl%d: {type: traction, patch: p%d, stress: [%g, %g, %g]}",
                       k ? ", " : "", k, k, sign * s[0], sign * s[1], sign * s[2]);
    }
    snprintf(text + at, room - (size_t)at, "}\n");
}

/* Pivots moved by the strain of Hooke's law, e = ((1 + nu) stress - nu tr(stress))/E with E = 1: the largest force that
 * is left on a cell, over stress and the area of its faces, and the largest error of a change of volume, over its
 * own. */
static double left_over(const char *mesh, double nu, double *swelling)
{
    char tractions[1600];
    stage s;
    write_tractions(tractions, sizeof tractions);
    if (!stage_open(&s, NULL, 0,
                    "scree: 1\ngravity: [0, 0, 0]\n"
                    "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
                    "materials: {stuff: {density: 1, young: 1, poisson: %g}}\n"
                    "solids: {body: {material: stuff, %s}}\n%s"
                    "stepper: elastic\ntime: {end: 100}\noutput: {every: 100}\n",
                    nu, mesh, tractions))
        return NAN;
    scr_cells *c = &s.sim->world.cells;
    scr_step *step = &s.sim->step;
    double trace = stress[0][0] + stress[1][1] + stress[2][2], worst = 0;
    for (size_t k = 0; k < c->table.count; k++) {
        vec3 g = v3_add(v3_load(c->home + 4 * k), v3_load(c->pivot + 3 * k));
        const double x[3] = {g.x, g.y, g.z};
        for (size_t i = 0; i < 3; i++) {
            double u = -nu * trace * x[i];
            for (size_t j = 0; j < 3; j++) u += (1 + nu) * stress[i][j] * x[j];
            c->displacement[4 * k + i] = u;
        }
    }
    step->stepper->close(step);
    CHECK(!step->stepper->open(step, false, &s.report));
    *swelling = 0;
    for (size_t k = 0; k < c->table.count; k++) {
        double edge = cbrt(scr_cell_volume(c, k)), scale = 1e-12 * edge * edge;
        double force = v3_norm(v3_load(c->load + 8 * k)) / scale;
        worst = check_worse(worst, check_worse(force, v3_norm(v3_load(c->load + 8 * k + 4)) / (scale * edge)));
        *swelling = check_worse(*swelling, fabs(c->bulk[2 * k + 1] / ((1 - 2 * nu) * trace) - 1));
    }
    stage_close(&s);
    return worst;
}

// the strain that belongs to the stress is an equilibrium on Voronoi meshes, for any Poisson's ratio
static void test_uniform_stress(void)
{
    static const double ratio[] = {-0.3, 0, 0.25, 0.45, 0.49};
    const char *even = "mesh: voronoi, region: {box: [[0, 0, 0], [2, 2, 2]]}, cells: 60, lloyd: 2";
    const char *random = "mesh: voronoi, region: {box: [[0, 0, 0], [2, 2, 2]]}, cells: 60";
    double swelling;
    for (size_t k = 0; k < sizeof ratio / sizeof *ratio; k++) {
        double force = left_over(even, ratio[k], &swelling);
        printf("nu %.2f: uniform stress leaves forces of %.2g, swelling %.2g\n", ratio[k], force, swelling);
        CHECK(force < 1e-12); /* 1e-14 */
        CHECK(swelling < 1e-12);
    }
    CHECK(left_over(random, 0.49, &swelling) < 1e-12);
    // the paper's line of centres, and face normals, do not have that
    char other[200];
    snprintf(other, sizeof other, "%s, normal: face-normal", random);
    CHECK(left_over(other, 0.49, &swelling) > 0.1 && swelling > 0.1);
}

/* ---- some turns held ---- */

// cells whose axes are not aligned, held along z and in some turns; what the ledger does not explain, of the energy
static double held_turns(const char *holds, int bits, int parts)
{
    stage s;
    if (!stage_open(&s, NULL, 0,
                    "scree: 1\ngravity: [0, 0, -0.002]\n"
                    "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
                    "materials: {stuff: {density: 1, young: 1, poisson: 0.25}}\n"
                    "solids: {body: {material: stuff, mesh: voronoi, region: {box: [[0, 0, 0], [2, "
                    "2, 2]]}, cells: 40}}\n"
                    "patches: {foot: {solid: body, region: {box: [[-1, -1, -1], [3, 3, 0.8]]}}}\n"
                    "supports: {foot: {patch: foot, holds: [%s]}}\n"
                    "stepper: elastic\ntime: {end: 100}\noutput: {every: 100}\n",
                    holds))
        return NAN;
    scr_step *step = &s.sim->step;
    scr_world *w = &s.sim->world;
    scr_cells *c = &w->cells;
    block b = {.random = scr_random_stream(5, 0)};
    for (size_t i = 0; i < c->table.count; i++) {
        v3_store(c->velocity + 4 * i, block_noise(&b, 0.02));
        scr_cell_set_spin(c, i, block_noise(&b, 0.05));
    }
    w->clock.dt /= parts;
    step->stepper->close(step);
    CHECK(!step->stepper->open(step, false, &s.report));
    b.world = *w;
    double start = block_energy(&b), worst = 0, turned = 0, moved = 0, spun = 0;
    w->ledger.initial = b.world.ledger.initial = start;
    for (long n = 0; n < 400L * parts; n++) {
        CHECK(!step->stepper->step(step, &s.report));
        b.world = *w;
        worst = check_worse(worst, fabs(block_closure(&b)));
        const scr_patch *p = &w->patches[0];
        for (size_t i = 0; i < p->cell_count; i++) {
            vec3 spin = scr_cell_spin(c, p->cells[i]);
            quat q = scr_cell_turn(c, p->cells[i]);
            double rate[3] = {spin.x, spin.y, spin.z}, turn[3] = {q.x, q.y, q.z};
            for (int d = 0; d < 3; d++) {
                if (!(bits >> d & 1)) moved = check_worse(moved, fabs(turn[d]));
                if (!(bits >> d & 1)) continue;
                spun = check_worse(spun, fabs(rate[d]));
                // turns that are all about one axis are exactly so
                if (bits == 3) turned = check_worse(turned, fabs(turn[d]));
            }
        }
    }
    CHECK(spun < 1e-15); /* 1.3e-16 */
    CHECK_NEAR(turned, 0, 0);
    CHECK(moved > 0.005);
    CHECK_NEAR(SCR_ACCOUNT(&w->ledger, support_work), 0, 0);
    stage_close(&s);
    return worst / start;
}

static void test_held_turns(const char *holds, int bits)
{
    double e[3];
    for (int k = 0; k < 3; k++) e[k] = held_turns(holds, bits, 1 << k);
    printf("holds %s: ledger off by %.3g, %.3g, %.3g of the energy\n", holds, e[0], e[1], e[2]);
    CHECK_NEAR(log2(e[0] / e[1]), 2, 0.25);
    CHECK_NEAR(log2(e[1] / e[2]), 2, 0.25);
}

/* ---- the time step ---- */

// two blocks of cubes that may touch; the step of the run, or NAN when it is refused
static double step_of(double stiffness, const char *time, double *bound)
{
    stage s;
    char text[2000];
    snprintf(text, sizeof text,
             "scree: 1\ngravity: [0, 0, 0]\n"
             "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
             "materials: {stuff: {density: 1, young: 1, poisson: 0.25}}\n"
             "solids: {a: {material: stuff, mesh: block, box: [[0, 0, 0], [2, 2, 2]], cells: [2, 2, "
             "2]}, b: {material: stuff, mesh: block, box: [[3, 0, 0], [5, 2, 2]], cells: [2, 2, "
             "2]}}\n"
             "%s%.0f%s"
             "stepper: elastic\ntime: {%s\n",
             stiffness > 0 ? "contacts: {any: {stiffness: " : "# ", 1e6 * stiffness,
             stiffness > 0 ? "e-6, restitution: 1, friction: 0}}\n" : "\n", time);
    s = (stage){0};
    scree_report_init(&s.report);
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true;
    double dt = NAN;
    if (!scree_scene_parse(text, "step.yaml", NULL, 0, &s.scene, &s.report) &&
        !scree_simulation_create(s.scene, &def, &s.sim, &s.report)) {
        int64_t cell;
        dt = s.sim->world.clock.dt;
        if (bound) *bound = scr_elastic_bound(&s.sim->world, &cell);
    } else if (s.report.count) {
        printf("%s\n", s.report.messages[s.report.count - 1].text);
    }
    stage_close(&s);
    return dt;
}

static void test_steps(void)
{
    double bound;
    char time[100];
    // frames closer than stable steps: each falls on a step, and the end is met
    double dt = step_of(0, "end: 10}\noutput: {every: 0.1}", &bound);
    CHECK(bound > 0.4);
    CHECK_NEAR(dt, 0.1, 0);
    CHECK_NEAR(step_of(0, "end: 0.1}", NULL), 0.001, 1e-18);
    // a contact of 1.9 times the bound: either alone would allow 0.9 of the bound, both together do not
    double stiffness = 0.5 * pow(M_PI / (1.9 * bound), 2);
    snprintf(time, sizeof time, "end: 10, step: %.17g}", 0.9 * bound);
    CHECK_NEAR(step_of(0, time, NULL), 0.9 * bound, 1e-15);
    CHECK(isnan(step_of(stiffness, time, NULL)));
    CHECK_NEAR(step_of(0.1 * stiffness, time, NULL), 0.9 * bound, 1e-15);
    snprintf(time, sizeof time, "end: 10, step: %.17g}", 0.7 * bound);
    CHECK_NEAR(step_of(stiffness, time, NULL), 0.7 * bound, 1e-15);
}

// how near bounds are to the stable steps alone, as figures for bench/report
static int print_bounds(void)
{
    static const struct {
        size_t mesh;
        const char *name;
    } shown[] = {{1, "bricks"}, {2, "cubes"}, {5, "breaking"}, {6, "voronoi"}};
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
        printf("figure elastic.bound.%s %.4g -\n", shown[k].name, test_rest_and_bound(shown[k].mesh));
    return check_done();
}

int main(int count, char **words)
{
    if (count > 1 && !strcmp(words[1], "bounds")) return print_bounds();
    test_steps();
    test_uniform_stress();
    test_held_turns("z, rx, ry", 3);
    test_held_turns("z, rx", 1);
    for (size_t k = 0; k < sizeof meshes / sizeof *meshes; k++) {
        test_rest_and_bound(k);
        test_conserved(k);
    }
    for (size_t k = 1; k < 5; k++) test_limit(k);
    return check_done();
}
