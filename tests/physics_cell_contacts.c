/* Contacts of elastic solids: spheres, walls and solids against cells. Momentum and energy, forces at rest, what a
 * sphere feels while it moves over the borders of cells, friction of blocks, the same bits for any number of threads. */
#include "observe/ledger.h"
#include "run/simulation.h"
#include "stage.h"

#define SOLID "  soft: {density: 1000, young: 1e6, poisson: 0.25}\n"

/* ---- sums over all ---- */

typedef struct {
    vec3 momentum, turning;
    double kinetic;
} motion;

static motion motion_of(const scr_world *w)
{
    motion m = {0};
    for (size_t i = 0; i < w->bodies.table.count; i++) {
        double mass = w->bodies.mass[i], r = w->bodies.place[4 * i + 3];
        vec3 p = v3_scale(mass, v3_load(w->bodies.motion + 4 * i));
        vec3 l = v3_scale(0.4 * mass * r * r, v3_load(w->bodies.spin + 4 * i));
        m.momentum = v3_add(m.momentum, p);
        m.turning = v3_add(m.turning, v3_add(l, v3_cross(v3_load(w->bodies.place + 4 * i), p)));
    }
    for (size_t k = 0; k < w->cells.table.count; k++) {
        vec3 p = v3_scale(scr_cell_mass(&w->cells, k), v3_load(w->cells.velocity + 4 * k));
        vec3 l = v3_load(w->cells.momentum + 4 * k);
        m.momentum = v3_add(m.momentum, p);
        m.turning = v3_add(m.turning, v3_add(l, v3_cross(scr_cell_centre(&w->cells, k), p)));
        m.kinetic += scr_cell_translation(&w->cells, k);
    }
    return m;
}

static double energy_of(const scr_world *w)
{
    return scr_ledger_energies(w).mechanical;
}

static double height_of(const scr_world *w, int solid)
{
    double sum = 0, mass = 0;
    const scr_solid *s = &w->solids[solid];
    for (int k = s->first_cell; k < s->first_cell + s->cell_count; k++) {
        double m = scr_cell_mass(&w->cells, (size_t)k);
        sum += m * scr_cell_centre(&w->cells, (size_t)k).z, mass += m;
    }
    return sum / mass;
}

/* ---- a sphere hits a block that floats ---- */

static bool open_impact(stage *s, const char *law, double step)
{
    grain ball = {.x = {0.13, 0.07, 0.42}, .radius = 0.2, .v = {0.4, -0.1, -1}, .w = {3, 1, -2}};
    return stage_open(s, &ball, 1,
                      "scree: 1\n"
                      "domain: {box: [[-3, -3, -3], [3, 3, 3]]}\n"
                      "gravity: [0, 0, 0]\n"
                      "materials:\n" SOLID "  hard: {density: 2000}\n"
                      "contacts: {any: {stiffness: 3e4, %s}}\n"
                      "solids: {block: {mesh: block, box: [[-0.4, -0.3, -0.2], [0.4, 0.3, 0.2]], "
                      "cells: [8, 6, 4], material: soft}}\n"
                      "bodies: {ball: {from: table, file: @, material: hard}}\n"
                      "stepper: {type: elastic}\n"
                      "time: {end: 1, step: %.17g}\n",
                      law, step);
}

static void test_impact(void)
{
    double worst[2];
    for (int turn = 0; turn < 2; turn++) {
        stage s;
        double step = turn ? 2.5e-5 : 5e-5;
        if (!open_impact(&s, "restitution: 1, friction: 0", step)) return;
        const scr_world *w = &s.sim->world;
        motion before = motion_of(w);
        double energy = energy_of(w), least = INFINITY;
        int touched = 0;
        worst[turn] = 0;
        for (double t = 0; t < 0.2; t += step) {
            stage_advance(&s, 1);
            touched += stage_contacts(&s) > 0;
            worst[turn] = fmax(worst[turn], fabs(energy_of(w) / energy - 1));
            least = fmin(least, w->bodies.motion[2]);
        }
        motion after = motion_of(w);
        double p = v3_norm(v3_sub(after.momentum, before.momentum)) / v3_norm(before.momentum);
        double l = v3_norm(v3_sub(after.turning, before.turning)) / v3_norm(before.turning);
        printf("impact, step %g s: %d steps in contact, momentum off by %.2g, angular by %.2g, "
               "energy by %.2g; "
               "the ball leaves with %.3f m/s\n",
               step, touched, p, l, worst[turn], w->bodies.motion[2]);
        CHECK(touched > 100);
        CHECK(stage_contacts(&s) == 0 && w->bodies.motion[2] > -0.9);
        CHECK(p < 4e-13); // 4.1e-15
        CHECK(l < 4e-12); // 6.6e-14
        stage_close(&s);
    }
    CHECK(worst[0] < 1e-5);           // 1.9e-7
    CHECK(worst[1] < 0.3 * worst[0]); // second order in the step: 0.25
}

// with damping and friction the ledger has what was lost
static void test_impact_ledger(void)
{
    stage s;
    if (!open_impact(&s, "restitution: 0.5, friction: 0.4", 5e-5)) return;
    const scr_world *w = &s.sim->world;
    motion before = motion_of(w);
    double energy = energy_of(w);
    stage_advance(&s, 4000);
    motion after = motion_of(w);
    scr_energies e = scr_ledger_energies(w);
    double lost = e.damping + e.friction;
    printf("impact with losses: %.4g J of %.4g J lost (%.3g J by friction), closure %.2g J, "
           "momentum off by %.2g, "
           "angular by %.2g\n",
           lost, energy, e.friction, e.closure, v3_norm(v3_sub(after.momentum, before.momentum)),
           v3_norm(v3_sub(after.turning, before.turning)));
    CHECK(e.damping > 0.02 * energy && e.friction > 1e-4 * energy);
    CHECK(fabs(e.closure) < 5e-3 * lost); // 4e-4
    CHECK(v3_norm(v3_sub(after.momentum, before.momentum)) < 1e-12 * v3_norm(before.momentum));
    CHECK(v3_norm(v3_sub(after.turning, before.turning)) < 1e-12 * v3_norm(before.turning));
    stage_close(&s);
}

/* ---- at rest: every force is a weight ---- */

static void test_rest(void)
{
    stage s;
    grain ball = {.x = {0, 0, 0.5995}, .radius = 0.2};
    if (!stage_open(
            &s, &ball, 1,
            "scree: 1\n"
            "domain: {box: [[-3, -3, -3], [3, 3, 3]]}\n"
            "gravity: [0, 0, -10]\n"
            "materials:\n" SOLID "  hard: {density: 2000}\n"
            "contacts: {any: {stiffness: 3e5, restitution: 0.2, friction: 0.5}}\n"
            "solids: {block: {mesh: block, box: [[-0.4, -0.3, 0], [0.4, 0.3, 0.4]], cells: [4, 3, "
            "2], "
            "material: soft, damping: 30}}\n"
            "bodies: {ball: {from: table, file: @, material: hard}}\n"
            "walls: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: hard}}\n"
            "stepper: {type: elastic}\n"
            "time: {end: 8}\n"))
        return;
    const scr_world *w = &s.sim->world;
    stage_advance(&s, (int64_t)(7 / w->clock.dt));
    double ball_weight = 10 * w->bodies.mass[0], block_weight = 10 * 1000 * 0.8 * 0.6 * 0.4;
    double on_ball = w->bodies.load[2], on_floor = -w->walls[0].force.z;
    printf("at rest: ball %.9g N of %.9g N, floor %.9g N of %.9g N, %lld contacts\n", on_ball,
           ball_weight, on_floor, ball_weight + block_weight, (long long)stage_contacts(&s));
    CHECK_NEAR(on_ball / ball_weight, 1, 1e-7);                   // below 1e-9
    CHECK_NEAR(on_floor / (ball_weight + block_weight), 1, 1e-7); // below 1e-9
    // four corners of each of the twelve lowest cells, and the ball
    CHECK_INT(stage_contacts(&s), 49);
    stage_close(&s);
}

/* ---- over the borders of cells ---- */

/* A sphere is led along over a block of cells so heavy that they stay where they are: what it feels does not jump.
 * `shear`: the block is sheared beforehand, so that its cells are steps. */
static double test_slide(double shear)
{
    stage s;
    grain ball = {.x = {-0.25, 0.013, 0.3997}, .radius = 0.2};
    if (!stage_open(&s, &ball, 1,
                    "scree: 1\n"
                    "domain: {box: [[-3, -3, -3], [3, 3, 3]]}\n"
                    "gravity: [0, 0, 0]\n"
                    "materials:\n"
                    "  heavy: {density: 1e12, young: 1e6, poisson: 0.25}\n"
                    "  hard: {density: 2000}\n"
                    "contacts: {any: {stiffness: 3e5, restitution: 1, friction: 0}}\n"
                    "solids: {block: {mesh: block, box: [[-0.4, -0.3, 0], [0.4, 0.3, 0.2]], cells: "
                    "[8, 6, 2], material: heavy}}\n"
                    "bodies: {ball: {from: table, file: @, material: hard, motion: {velocity: [1, "
                    "0.2, 0]}}}\n"
                    "stepper: {type: elastic}\n"
                    "time: {end: 1, step: 2e-6}\n"))
        return NAN;
    scr_world *w = &s.sim->world;
    for (size_t k = 0; k < w->cells.table.count; k++)
        w->cells.displacement[4 * k + 2] += shear * w->cells.home[4 * k];
    double before = NAN, jump = 0, least = INFINITY, most = 0;
    for (int k = 0; k < 120000; k++) {
        stage_advance(&s, 1);
        double force = w->bodies.load[2];
        if (k > 1) jump = fmax(jump, fabs(force - before));
        before = force;
        least = fmin(least, force), most = fmax(most, force);
    }
    printf("slide over steps of %.2g of an edge: force %.6g to %.6g N, largest change in 2 um %.3g "
           "N\n",
           shear, least, most, jump);
    CHECK(least > 0);
    // where two cells share the load it is larger by (1 + e)/(1 + e/2)
    if (shear == 0) CHECK_NEAR(most / least, 1.03 / 1.015, 1e-4); // 1e-6
    stage_close(&s);
    return jump / most;
}

/* A ball rolls over a soft block that yields under it by some per cent of a cell: what it loses and gains is in the
 * ledger, also while it passes from cell to cell. */
static void test_roll(void)
{
    stage s;
    grain ball = {
        .x = {-0.25, 0.02, 0.399}, .radius = 0.2, .v = {0.5, 0.1, 0}, .w = {-0.5, 2.5, 0}};
    if (!stage_open(&s, &ball, 1,
                    "scree: 1\n"
                    "domain: {box: [[-3, -3, -3], [3, 3, 3]]}\n"
                    "gravity: [0, 0, -10]\n"
                    "materials:\n" SOLID "  hard: {density: 2000}\n"
                    "contacts: {any: {stiffness: 3e5, restitution: 0.2, friction: 0.5}}\n"
                    "solids: {block: {mesh: block, box: [[-0.4, -0.3, 0], [0.4, 0.3, 0.2]], cells: "
                    "[8, 6, 2], "
                    "material: soft}}\n"
                    "patches: {base: {sides: [z-]}}\n"
                    "supports: {hold: {patch: base}}\n"
                    "bodies: {ball: {from: table, file: @, material: hard}}\n"
                    "stepper: {type: elastic}\n"
                    "time: {end: 2, step: 2e-5}\n"))
        return;
    const scr_world *w = &s.sim->world;
    double worst = 0, elastic = 0, weight = 10 * w->bodies.mass[0], jump = 0, before = 0;
    for (int k = 0; k < 50000; k++) {
        stage_advance(&s, 1);
        worst = fmax(worst, fabs(scr_ledger_energies(w).closure));
        elastic = fmax(elastic, w->ledger.elastic_solid + w->ledger.elastic_normal);
        if (k > 20000) jump = fmax(jump, fabs(w->bodies.load[2] - before) / weight);
        before = w->bodies.load[2];
    }
    printf("roll: to x = %.3f m, at most %.3g J stored, closure at most %.2g J, force changes by "
           "at most %.2g of the "
           "weight in a step of 2e-5 s\n",
           w->bodies.place[0], elastic, worst, jump);
    CHECK(w->bodies.place[0] > 0.05);
    CHECK(worst < 1e-3 * elastic); // 5.6e-5
    CHECK(jump < 0.01);            // 2.6e-3
    stage_close(&s);
}

/* ---- a block falls on the floor ---- */

static void test_drop(void)
{
    stage s;
    if (!stage_open(
            &s, NULL, 0,
            "scree: 1\n"
            "domain: {box: [[-3, -3, -3], [3, 3, 3]]}\n"
            "gravity: [0, 0, -10]\n"
            "materials:\n" SOLID "  hard: {density: 2000}\n"
            "contacts: {any: {stiffness: 1e6, restitution: 1, friction: 0.3}}\n"
            "solids: {block: {mesh: block, box: [[-0.2, -0.2, 0], [0.2, 0.2, 0.4]], cells: [4, 4, "
            "4], "
            "material: soft, rotate: [0.3, 0.2, 0.1], translate: [0, 0, 0.4]}}\n"
            "walls: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: hard}}\n"
            "stepper: {type: elastic}\n"
            "time: {end: 2, step: 1e-5}\n"))
        return;
    const scr_world *w = &s.sim->world;
    double energy = energy_of(w), least = INFINITY, worst = 0;
    int touched = 0;
    for (int k = 0; k < 60000; k++) {
        stage_advance(&s, 1);
        touched += stage_contacts(&s) > 0;
        least = fmin(least, height_of(w, 0));
        worst = fmax(worst, fabs(scr_ledger_energies(w).closure));
    }
    scr_energies e = scr_ledger_energies(w);
    printf("drop: %d steps in contact, lowest centre %.3f m, %.3g J of %.3g J lost by friction, "
           "closure at most %.2g "
           "J\n",
           touched, least, e.friction, energy, worst);
    CHECK(touched > 500 && least > 0.1);
    CHECK(worst < 1e-4 * energy); // 5e-6
    stage_close(&s);
}

/* ---- a block on a block ---- */

// gravity is tilted by `angle`; how the upper block has moved along the slope, and how fast it is
static void test_incline(double angle, double friction)
{
    stage s;
    double g = 10, time = 0.25;
    if (!stage_open(
            &s, NULL, 0,
            "scree: 1\n"
            "domain: {box: [[-3, -3, -3], [3, 3, 3]]}\n"
            "gravity: [%.17g, 0, %.17g]\n"
            "materials:\n" SOLID
            "contacts: {any: {stiffness: 1e5, restitution: 0.1, friction: %.17g}}\n"
            "solids:\n"
            "  low: {mesh: block, box: [[-0.6, -0.3, -0.2], [0.9, 0.3, 0]], cells: [13, 5, 2], "
            "material: soft, damping: 10}\n"
            "  high: {mesh: block, box: [[-0.2, -0.2, 0], [0.2, 0.2, 0.2]], cells: [4, 4, 2], "
            "material: soft, "
            "damping: 0}\n"
            "patches: {base: {solids: [low], sides: [z-]}}\n"
            "supports: {hold: {patch: base}}\n"
            "stepper: {type: elastic}\n"
            "time: {end: 1, step: 5e-5}\n",
            g * sin(angle), -g * cos(angle), friction))
        return;
    const scr_world *w = &s.sim->world;
    // it settles, then half of the time is measured
    int half = (int)(time / w->clock.dt);
    double speed[2];
    for (int part = 0; part < 2; part++) {
        stage_advance(&s, half);
        speed[part] = 0;
        for (int k = w->solids[1].first_cell; k < w->solids[1].first_cell + w->solids[1].cell_count;
             k++)
            speed[part] += w->cells.velocity[4 * k] / w->solids[1].cell_count;
    }
    double got = (speed[1] - speed[0]) / time,
           want = fmax(0, g * (sin(angle) - friction * cos(angle)));
    scr_energies e = scr_ledger_energies(w);
    printf("incline of %.3g rad, friction %.3g: acceleration %.5g m/s^2, expected %.5g; speed %.3g "
           "m/s, closure %.2g J "
           "of %.2g J lost\n",
           angle, friction, got, want, speed[1], e.closure, e.friction + e.damping);
    if (want > 0)
        CHECK_NEAR(got / want, 1, 0.02); // 4e-3
    else
        CHECK(fabs(speed[1]) < 1e-3); // 6.6e-5
    stage_close(&s);
}

/* ---- the same bits ---- */

static uint64_t digest_with(int threads, const grain *g, int n, ...)
{
    stage s;
    va_list args;
    va_start(args, n);
    bool ok = stage_open_threads(
        &s, threads, g, n,
        "scree: 1\n"
        "domain: {box: [[-3, -3, -3], [3, 3, 3]]}\n"
        "gravity: [0, 0, -10]\n"
        "materials:\n" SOLID "  hard: {density: 2000, young: 1e6, poisson: 0.3}\n"
        "contacts: {any: {normal: hertz, restitution: 0.5, friction: 0.5}}\n"
        "solids:\n"
        "  a: {mesh: block, box: [[-0.4, -0.3, 0], [0.4, 0.3, 0.2]], cells: [12, 9, 3], material: "
        "soft}\n"
        "  b: {mesh: block, box: [[-0.2, -0.2, 0.21], [0.2, 0.2, 0.35]], cells: [6, 6, 2], "
        "material: soft, "
        "spin: [0, 0, 3]}\n"
        "bodies: {balls: {from: table, file: @, material: hard}}\n"
        "walls: {floor: {shape: plane, point: [0, 0, -0.005], normal: [0, 0, 1], material: hard}}\n"
        "stepper: {type: elastic}\n"
        "time: {end: 1, step: 4e-5}\n",
        args);
    va_end(args);
    if (!ok) return 0;
    stage_advance(&s, 2500);
    CHECK(stage_contacts(&s) > 50);
    uint64_t digest = scree_simulation_digest(s.sim, &s.report);
    stage_close(&s);
    return digest;
}

static void test_threads(void)
{
    grain g[40];
    for (int k = 0; k < 40; k++)
        g[k] = (grain){.x = {-0.35 + 0.1 * (k % 8), -0.25 + 0.12 * (k / 8), k % 3 ? 0.42 : 0.47},
                       .radius = 0.03 + 0.001 * (k % 5),
                       .id = 1 + (7 * k) % 40};
    uint64_t one = digest_with(1, g, 40);
    CHECK(one != 0);
    CHECK(digest_with(2, g, 40) == one);
    CHECK(digest_with(3, g, 40) == one);
}

int main(int argc, char **argv)
{
    (void)argc;
    stage_wait_passively(argv);
    test_impact();
    test_impact_ledger();
    test_rest();
    CHECK(test_slide(0) < 3e-4);     // 3.1e-5
    CHECK(test_slide(0.001) < 3e-3); // 2.5e-4
    test_roll();
    test_drop();
    test_incline(0.3, 0.5);
    test_incline(0.5, 0.3);
    test_threads();
    return check_done();
}
