/* Statics of elastic solids (scree equilibrate) against closed forms, and its tangent against differences. */
#include "statics_fixture.h"
#include "step/equilibrium/equilibrium.h"

/* ---- beams ---- */

#define BEAM                                                                                       \
    "gravity: [0, 0, 0]\n"                                                                         \
    "materials: {m: {density: 1, young: 1.2e6, poisson: %g}}\n"                                    \
    "solids: {beam: {mesh: block, material: m, box: [[0, 0, 0], [%.17g, 1, 0.1]], cells: [%d, 1, " \
    "1], torsion: paper}}\n"                                                                       \
    "patches: {root: {sides: [x-]}, tip: {sides: [x+]}}\n"                                         \
    "supports: {root: {patch: root}}\n"

// all along the beam, so that turns of more than pi count
static double tip_angle(const body *b)
{
    const scr_cells *c = cells_of(b);
    double sum = 0;
    for (size_t k = 0; k + 1 < c->table.count; k++) {
        quat q = quat_mul(quat_conjugate(scr_cell_turn(c, k)), scr_cell_turn(c, k + 1));
        sum += 2 * atan2(v3_norm(v3(q.x, q.y, q.z)), fabs(q.w));
    }
    return sum;
}

// a moment that rolls it up: N links turn by asin(2 pi/N) each
static void end_moment(int links, double poisson)
{
    double length = 12.0 * (links + 1) / links, exact = links * asin(2 * M_PI / links);
    body b = open_body(BEAM "loads: {m: {type: torque, patch: tip, torque: [0, %.17g, 0]}}\n"
                            "statics: {steps: 10, tolerance: 1e-11}\n",
                       poisson, length, links + 1, -2 * M_PI * 100 / 12);
    advance(&b, 10);
    scree_statics s = scree_simulation_stats(b.sim).statics;
    printf("end moment, %d links, nu %g: tip angle %.9f, off by %.1e; %lld iterations, left %.1e\n", links, poisson,
           tip_angle(&b), tip_angle(&b) - exact, (long long)s.iterations, s.left);
    CHECK_NEAR(tip_angle(&b), exact, 1e-9); // off by 2.2e-11 at most
    CHECK(s.left <= 1e-11 && s.stable && s.halved == 0);
    // stored: (EI/D)(1 - cos) per link; the work is summed with second order in the load step
    double stored = links * (100.0 * links / 12) * (1 - cos(asin(2 * M_PI / links)));
    scree_energies e = scree_simulation_energies(b.sim);
    CHECK_NEAR(e.elastic_solid / stored, 1, 1e-9);
    CHECK_NEAR(e.load_work / stored, 1, 3e-3);
    shut(&b);
}

// a transverse load at the end, P L^2/EI = 4
static void end_shear(int links, double *u, double *w)
{
    double edge = 10.0 / links;
    // from the centre of the first cell, which is held, to that of the last, where the load acts
    body b = open_body(BEAM "loads: {p: {type: force, patch: tip, force: [0, 0, 4], spread: equal}}\n"
                            "statics: {steps: 10}\n",
                       0.0, 10 + edge, links + 1);
    advance(&b, 10);
    vec3 tip = displacement(&b, (size_t)links);
    *u = -tip.x, *w = tip.z;
    scree_statics s = scree_simulation_stats(b.sim).statics;
    printf("end shear, %d links: %.5f, %.5f; %lld iterations, left %.1e\n", links, *u, *w, (long long)s.iterations,
           s.left);
    // reaction of the root: minus the load, and its moment about the origin
    const scr_support *root = &b.sim->world.supports[0];
    CHECK_NEAR(scr_support_force(root).z, -4, 1e-8);
    CHECK_NEAR(scr_support_torque(root).y, 4 * (0.5 * edge + 10 - *u), 1e-7);
    shut(&b);
}

static void end_shears(void)
{
    double u[2], w[2];
    end_shear(20, &u[0], &w[0]);
    end_shear(40, &u[1], &w[1]);
    // the elastica, integrated numerically: 3.28941, 6.69964 of a length of 10; it does not stretch, this beam does by
    // 3e-5, so 1e-5 and 3.4e-4 are left after extrapolation
    printf("end shear, extrapolated: %.5f, %.5f\n", (4 * u[1] - u[0]) / 3, (4 * w[1] - w[0]) / 3);
    CHECK_NEAR((4 * u[1] - u[0]) / 3, 3.2894124, 1e-4);
    CHECK_NEAR((4 * w[1] - w[0]) / 3, 6.6996418, 2e-3);
}

// a load that follows: at its end it is a dead load of the direction that it has there
static void follower(void)
{
    body b = open_body(BEAM "loads: {p: {type: force, patch: tip, force: [0, 0, 2], spread: equal, "
                            "follows: yes}}\n"
                            "statics: {steps: 5, tolerance: 1e-11}\n",
                       0.3, 10.5, 21);
    advance(&b, 5);
    vec3 f = quat_turn(scr_cell_turn(cells_of(&b), 20), v3(0, 0, 2));
    body dead = open_body(BEAM "loads: {p: {type: force, patch: tip, force: [%.17g, %.17g, %.17g], "
                               "spread: equal}}\n"
                               "statics: {steps: 5, tolerance: 1e-11}\n",
                          0.3, 10.5, 21, f.x, f.y, f.z);
    advance(&dead, 5);
    vec3 a = displacement(&b, 20), c = displacement(&dead, 20);
    scree_statics s = scree_simulation_stats(b.sim).statics;
    printf("follower: tip (%.9f, %.9f), dead load (%.9f, %.9f); %lld iterations\n", a.x, a.z, c.x, c.z,
           (long long)s.iterations);
    CHECK(a.z > 3 && f.x < -1);
    CHECK_NEAR(a.x, c.x, 1e-9);
    CHECK_NEAR(a.z, c.z, 1e-9);
    shut(&b), shut(&dead);
}

// supports that turn both ends about one axis turn all without strain, in one load step
static void turned(void)
{
    body b = open_body("gravity: [0, 0, 0]\n"
                       "materials: {m: {density: 1, young: 1.2e6, poisson: 0.3}}\n"
                       "solids: {beam: {mesh: block, material: m, box: [[0, 0, 0], [8, 1, 0.1]], "
                       "cells: [8, 1, 1], torsion: paper}}\n"
                       "patches: {root: {sides: [x-]}, tip: {sides: [x+]}}\n"
                       "supports:\n"
                       "  root: {patch: root, rotation: [0.3, 1.1, 0.2], point: [1, 2, 3]}\n"
                       "  tip: {patch: tip, rotation: [0.3, 1.1, 0.2], point: [1, 2, 3]}\n"
                       "statics: {steps: 1}\n");
    advance(&b, 1);
    double worst = 0;
    for (size_t k = 0; k < 8; k++) {
        vec3 arm = v3_sub(v3_load(cells_of(&b)->home + 4 * k), v3(1, 2, 3));
        vec3 want = v3_sub(quat_turn(quat_exp(v3(0.3, 1.1, 0.2)), arm), arm);
        worst = check_worse(worst, v3_norm(v3_sub(displacement(&b, k), want)));
    }
    printf("turned: off by %.1e, stored %.1e J; %lld iterations\n", worst,
           scree_simulation_energies(b.sim).elastic_solid, (long long)scree_simulation_stats(b.sim).statics.iterations);
    CHECK_NEAR(worst, 0, 1e-9);
    shut(&b);
}

/* ---- blocks ---- */

// tension by tractions at both ends, with free sides: exact on a Cartesian mesh
static void tension(const char *normal)
{
    body b = open_body("gravity: [0, 0, 0]\n"
                       "materials: {m: {density: 1, young: 1, poisson: 0.3}}\n"
                       "solids: {block: {mesh: block, material: m, box: [[0, 0, 0], [4, 3, 2]], "
                       "cells: [4, 3, 2], normal: %s}}\n"
                       "patches: {left: {sides: [x-]}, right: {sides: [x+]}, one: {near: [0.5, "
                       "0.5, 0.5]}}\n"
                       "supports: {one: {patch: one}}\n"
                       "loads:\n"
                       "  left: {type: traction, patch: left, stress: [-1e-3, 0, 0]}\n"
                       "  right: {type: traction, patch: right, stress: [1e-3, 0, 0]}\n"
                       "statics: {steps: 1, tolerance: 1e-12}\n",
                       normal);
    advance(&b, 1);
    double worst = 0;
    for (size_t k = 0; k < 24; k++) {
        vec3 x = v3_sub(v3_load(cells_of(&b)->home + 4 * k), v3(0.5, 0.5, 0.5));
        vec3 want = v3(1e-3 * x.x, -0.3e-3 * x.y, -0.3e-3 * x.z);
        worst = check_worse(worst, v3_norm(v3_sub(displacement(&b, k), want)));
    }
    scree_energies e = scree_simulation_energies(b.sim);
    printf("tension, %s: worst displacement off by %.1e of 3e-3; closure %.1e of %.1e\n", normal, worst, e.closure,
           e.elastic_solid);
    CHECK_NEAR(worst / 3e-3, 0, 1e-9);
    CHECK_NEAR(e.closure / e.elastic_solid, 0, 1e-9);
    shut(&b);
}

// a column under its own weight: each link carries what is above it
static void column(void)
{
    body b = open_body("gravity: [0, 0, -10]\n"
                       "materials: {m: {density: 1000, young: 1e6, poisson: 0}}\n"
                       "solids: {column: {mesh: block, material: m, box: [[0, 0, 0], [1, 1, 8]], "
                       "cells: [1, 1, 8]}}\n"
                       "patches: {foot: {sides: [z-]}}\n"
                       "supports: {foot: {patch: foot}}\n"
                       "statics: {steps: 3, tolerance: 1e-12}\n");
    advance(&b, 2);
    // at two thirds of gravity
    CHECK_NEAR(scr_support_force(&b.sim->world.supports[0]).z, 8 * 1e4 * 2 / 3, 1e-6);
    advance(&b, 1);
    double sum = 0;
    for (int k = 1; k < 8; k++) {
        sum -= 1e4 * (8 - k) / 1e6;
        CHECK_NEAR(displacement(&b, (size_t)k).z, sum, 1e-11); // off by 9e-13
    }
    CHECK_NEAR(scr_support_force(&b.sim->world.supports[0]).z, 8e4, 1e-6);
    scree_energies e = scree_simulation_energies(b.sim);
    printf("column: top %.12f, exact %.12f; stored %.9g J, closure %.1e J\n", displacement(&b, 7).z, sum,
           e.elastic_solid, e.closure);
    CHECK_NEAR(e.closure, 0, 1e-7);
    shut(&b);
}

// without a ramp load and gravity act in full from the first load step on
static void at_once(void)
{
    body b = open_body("gravity: [0, 0, -10]\n"
                       "materials: {m: {density: 1000, young: 1e6, poisson: 0}}\n"
                       "solids: {column: {mesh: block, material: m, box: [[0, 0, 0], [1, 1, 3]], "
                       "cells: [1, 1, 3]}}\n"
                       "patches: {foot: {sides: [z-]}, head: {sides: [z+]}}\n"
                       "supports: {foot: {patch: foot}}\n"
                       "loads: {push: {type: force, patch: head, force: [0, 0, -5e4]}}\n"
                       "statics: {steps: 2, ramp: no, tolerance: 1e-12}\n");
    for (int step = 0; step < 2; step++) {
        advance(&b, 1);
        CHECK_NEAR(displacement(&b, 1).z, -0.07, 1e-13); // off by 1e-15
        CHECK_NEAR(displacement(&b, 2).z, -0.13, 1e-13); // off by 3e-15
        CHECK_NEAR(scr_support_force(&b.sim->world.supports[0]).z, 8e4, 1e-7);
    }
    scree_energies e = scree_simulation_energies(b.sim);
    CHECK_NEAR(e.elastic_solid, 0.5e6 * (0.07 * 0.07 + 0.06 * 0.06), 1e-8);
    // half of the work of what acts at once is not stored
    CHECK_NEAR(e.absorbed, e.elastic_solid, 1e-8);
    CHECK_NEAR(e.closure, 0, 1e-8);
    shut(&b);
}

// gravity of a table: that of the time of each load step, also with a ramp, which is for what has no time of its own
static void tilted(void)
{
    body b = open_body("gravity_table: [[0, 0, 0, -10], [0.5, 2, 0, -8], [1, 4, 0, -4]]\n"
                       "materials: {m: {density: 1000, young: 1e6, poisson: 0}}\n"
                       "solids: {column: {mesh: block, material: m, box: [[0, 0, 0], [1, 1, 3]], "
                       "cells: [1, 1, 3]}}\n"
                       "patches: {foot: {sides: [z-]}}\n"
                       "supports: {foot: {patch: foot}}\n"
                       "statics: {steps: 2, tolerance: 1e-12}\n");
    const scr_support *foot = b.sim->world.supports;
    advance(&b, 1);
    CHECK_NEAR(scr_support_force(foot).x, -6e3, 1e-6);
    CHECK_NEAR(scr_support_force(foot).z, 2.4e4, 1e-6);
    advance(&b, 1);
    CHECK_NEAR(scr_support_force(foot).x, -1.2e4, 1e-6);
    CHECK_NEAR(scr_support_force(foot).z, 1.2e4, 1e-6);
    shut(&b);
}

// a support that moves: stretched to the same length as by a traction
static void pulled(int axis)
{
    const char *names = "xyz";
    int size[3] = {1, 1, 1};
    size[axis] = 5;
    body b = open_body("gravity: [0, 0, 0]\n"
                       "materials: {m: {density: 1, young: 2, poisson: 0}}\n"
                       "solids: {bar: {mesh: block, material: m, box: [[0, 0, 0], [%d, %d, %d]], "
                       "cells: [%d, %d, %d]}}\n"
                       "patches: {foot: {sides: [%c-]}, end: {sides: [%c+]}}\n"
                       "supports: {foot: {patch: foot}, end: {patch: end, displacement: [%g, "
                       "%g, %g]}}\n"
                       "statics: {steps: 2, tolerance: 1e-12}\n",
                       size[0], size[1], size[2], size[0], size[1], size[2], names[axis], names[axis],
                       axis == 0 ? 0.4 : 0, axis == 1 ? 0.4 : 0, axis == 2 ? 0.4 : 0);
    advance(&b, 1);
    CHECK_NEAR(cells_of(&b)->displacement[8 + axis], 0.1, 1e-12);
    advance(&b, 1);
    for (int k = 0; k < 5; k++) CHECK_NEAR(cells_of(&b)->displacement[4 * k + axis], 0.1 * k, 1e-12);
    const scr_support *end = &b.sim->world.supports[1];
    CHECK_NEAR(scr_total_value(&end->felt[axis]), 0.2, 1e-12);
    CHECK_NEAR(scr_total_value(&end->felt[SCR_FELT_WORK]), 0.04, 1e-12);
    CHECK_NEAR(scree_simulation_energies(b.sim).closure, 0, 1e-13);
    shut(&b);
}

/* ---- a tolerance that rounding does not allow ---- */

// twisted, so that displacements, and the forces of their rounding, are none
static void rounding(void)
{
    for (int strict = 0; strict < 2; strict++) {
        body b = open_body(BEAM "loads: {p: {type: torque, patch: tip, torque: [5, 0, 0]}}\n"
                                "statics: {steps: 2, tolerance: %s}\n",
                           0.3, 10.5, 21, strict ? "1e-20" : "1e-9");
        advance(&b, 2);
        double left = scree_simulation_stats(b.sim).statics.left;
        printf("tolerance %s: left %.1e, %d warnings\n", strict ? "1e-20" : "1e-9", left, b.report.warnings);
        CHECK_INT(b.report.warnings, strict);
        CHECK(left < 5e-14); // 6e-15 and 3e-15
        shut(&b);
    }
}

/* ---- two roads, one answer ---- */

static void relaxation(void)
{
    vec3 tip[2];
    for (int way = 0; way < 2; way++) {
        body b = open_body(BEAM "loads: {p: {type: force, patch: tip, force: [0, 0.3, 2], spread: "
                                "equal}}\n"
                                "statics: {steps: 2, tolerance: 1e-9, method: %s}\n",
                           0.3, 10.5, 21, way ? "relaxation" : "newton");
        advance(&b, 2);
        tip[way] = displacement(&b, 20);
        scree_statics s = scree_simulation_stats(b.sim).statics;
        printf("%s: tip (%.9f, %.9f, %.9f), %lld iterations, left %.1e\n", way ? "relaxation" : "newton", tip[way].x,
               tip[way].y, tip[way].z, (long long)s.iterations, s.left);
        shut(&b);
    }
    CHECK_NEAR(v3_norm(v3_sub(tip[0], tip[1])), 0, 1e-5); // 7e-7: a slender beam, forces are small
}

// conjugate gradients, where the factor is said not to fit
static void without_factor(void)
{
    vec3 tip[2];
    for (int way = 0; way < 2; way++) {
        body b = open_body("gravity: [0, 0, -1]\n"
                           "materials: {m: {density: 1, young: 1e4, poisson: 0.25}}\n"
                           "solids: {b: {mesh: block, material: m, box: [[0, 0, 0], [6, 2, 2]], "
                           "size: 1, jitter: 0.2}}\n"
                           "patches: {foot: {sides: [x-]}}\n"
                           "supports: {foot: {patch: foot}}\n"
                           "statics: {steps: 1, memory: %s}\n",
                           way ? "0" : "auto");
        advance(&b, 1);
        scree_statics s = scree_simulation_stats(b.sim).statics;
        CHECK(s.direct == !way && s.left <= 1e-9);
        tip[way] = displacement(&b, 23);
        shut(&b);
    }
    CHECK(tip[0].z < -0.01);
    CHECK_NEAR(v3_norm(v3_sub(tip[0], tip[1])), 0, 1e-9);
}

/* ---- the tangent ---- */

static double draw(void)
{
    return 2.0 * rand() / RAND_MAX - 1;
}

// energy less the work of dead loads and gravity, from where the cells were at first
static double potential(scr_equilibrium *e)
{
    const scr_world *w = e->world;
    scr_equilibrium_forces(e);
    double sum = w->ledger.elastic_solid;
    for (int n = 0; n < w->load_count; n++)
        for (size_t i = 0; i < w->loads[n].entry_count; i++) {
            const scr_load_entry *entry = &w->loads[n].entries[i];
            vec3 x = v3_add(v3_load(w->cells.displacement + 4 * (size_t)entry->cell),
                            scr_turn_less_one(scr_cell_turn(&w->cells, entry->cell), entry->arm));
            sum -= e->elastic->factor[n] * v3_dot(entry->force, x);
        }
    return sum;
}

// K x = b for any b: then x.b is the second derivative of the potential along x
static void tangent(const char *solid, const char *what)
{
    body b = open_body("gravity: [0, 0, 0]\n"
                       "materials: {m: {density: 1, young: 3, poisson: 0.3}}\n"
                       "solids: {s: {material: m, %s}}\n"
                       "patches: {foot: {sides: [x-]}, end: {sides: [x+]}}\n"
                       "supports: {foot: {patch: foot, holds: [%s]}}\n"
                       "loads:\n"
                       "  f: {type: force, patch: end, force: [0.1, 0.2, 0.3], spread: area}\n"
                       "  t: {type: traction, patch: end, stress: [0.2, 0.1, 0.1]}\n",
                       solid, strstr(solid, "shell") ? "all" : "x, y, z, rx, rz");
    scr_equilibrium *e = b.sim->step.work;
    scr_cells *c = &b.sim->world.cells;
    scr_equilibrium_load(e, 0.7);
    for (size_t k = 0; k < c->table.count; k++) {
        for (size_t d = 0; d < 3; d++) c->displacement[4 * k + d] += 0.02 * draw();
        vec3 angle = v3(0.05 * draw(), 0.05 * draw(), 0.05 * draw());
        quat_store(c->turn + 4 * k, quat_exp(angle));
    }
    scr_equilibrium_keep(e);
    memset(e->given, 0, 6 * c->table.count * sizeof(double));
    double worst = 0;
    for (int round = 0; round < 5; round++) {
        double *right = calloc(e->tangent.size, sizeof *right), product = 0, second = 0;
        for (size_t k = 0; k < e->tangent.size; k++) right[k] = draw();
        scr_equilibrium_move(e, 0);
        scr_equilibrium_forces(e);
        scr_tangent_assemble(&e->tangent, e->elastic->factor, NULL, NULL);
        CHECK_INT(scr_sparse_factor(e->tangent.sparse, 0), SCR_SPARSE_READY);
        CHECK_INT(scr_sparse_solve(e->tangent.sparse, right, e->way), SCR_SPARSE_READY);
        double most = 0;
        for (size_t k = 0; k < e->tangent.size; k++) most = check_worse(most, fabs(e->way[k]));
        for (size_t k = 0; k < e->tangent.size; k++) e->way[k] /= most, product += right[k] / most * e->way[k];
        static const double two[4] = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
        double h = 0.005, middle;
        scr_equilibrium_move(e, 0);
        middle = potential(e);
        for (int k = 0; k < 4; k++) {
            scr_equilibrium_move(e, (k + 1) * h);
            second += two[k] * (potential(e) - middle);
            scr_equilibrium_move(e, -(k + 1) * h);
            second += two[k] * (potential(e) - middle);
        }
        worst = check_worse(worst, fabs(second / (h * h) / product - 1));
        free(right);
    }
    printf("tangent, %s: second derivative off by %.1e\n", what, worst);
    CHECK_NEAR(worst, 0, 1e-9); // 3e-11 at most, of the differences
    shut(&b);
}

/* ---- what is not held ---- */

static void loose(const char *cells, const char *supports, const char *words)
{
    body b;
    char text[3000];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\n"
             "materials: {m: {density: 1, young: 1, poisson: 0.3}}\n"
             "solids: {beam: {mesh: block, material: m, box: [[0, 0, 0], %s], cells: %s}}\n"
             "patches: {all: {solids: [beam]}, left: {sides: [x-]}, right: {sides: [x+]}, corner: "
             "{near: [0.5, 0.5, 0.5]}}\n"
             "%s",
             cells, cells, supports);
    va_list none;
    memset(&none, 0, sizeof none);
    scree_status status = try_open(&b, text, none);
    CHECK_INT(status, SCREE_E_INPUT);
    const char *said = b.report.count ? b.report.messages[b.report.count - 1].text : "";
    if (!strstr(said, words)) printf("said: %s\nexpected: %s\n", said, words);
    CHECK(strstr(said, words));
    shut(&b);
}

#define BAR "[4, 1, 1]"

int main(void)
{
    for (int n = 10; n <= 80; n *= 2) end_moment(n, 0), end_moment(n, 0.3);
    end_shears();
    follower();
    tension("centre-line");
    tension("face-normal");
    column();
    at_once();
    tilted();
    for (int axis = 0; axis < 3; axis++) pulled(axis);
    turned();
    rounding();
    relaxation();
    without_factor();
    tangent("mesh: block, box: [[0, 0, 0], [3, 2, 2]], cells: [3, 2, 2], normal: centre-line", "centre-line");
    tangent("mesh: block, box: [[0, 0, 0], [3, 2, 2]], cells: [3, 2, 2], jitter: 0.2", "jitter");
    tangent("mesh: block, box: [[0, 0, 0], [4, 3, 0.5]], cells: [4, 3, 1], torsion: shell", "shell");
    loose(BAR, "",
          "the solid beam can move along x, move along y, move along z, rotate about x, rotate "
          "about y and rotate about z");
    loose(BAR, "supports: {a: {patch: left, holds: [y, z, rx]}}\n",
          "the solid beam can move along x, rotate about y and rotate about z:");
    loose(BAR, "supports: {a: {patch: left, holds: [x, y, z]}, b: {patch: right, holds: [y, z]}}\n",
          "the solid beam can rotate about x:");
    loose(BAR, "supports: {a: {patch: all, holds: [z, rx, ry, rz]}}\n",
          "the solid beam can move along x and move along y:");
    // held at a corner: every turn is one with a shift of the middle
    loose("[3, 2, 2]", "supports: {a: {patch: corner, holds: [x, y, z]}}\n",
          "the solid beam can rotate about x, rotate about y and rotate about z:");
    loose("[3, 2, 2]", "supports: {a: {patch: corner, holds: [x, y, z]}, b: {patch: right, holds: [x]}}\n",
          "the solid beam can rotate about x:");
    return check_done();
}
