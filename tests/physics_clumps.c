/* Clumps of spheres, and parts that carry walls, among grains. */
#include "stage.h"

#include "run/simulation.h"
#include "shape/clump.h"

// what the ledger lacks: overlaps that no step foresaw, and what sweeps left
static double known(const scr_world *w)
{
    return w->tally.unforeseen + w->tally.unsolved;
}

static const char head[] = "scree: 1\n"
                           "domain: {box: [[-5, -5, -5], [5, 5, 5]]}\n"
                           "materials: {stone: {density: 2500, friction: 0.6, restitution: 0.3}}\n"
                           "contacts: {any: {stiffness: 1e6}}\n";

static stage open_scene(int threads, const char *format, ...)
{
    char rest[4000];
    va_list list;
    va_start(list, format);
    vsnprintf(rest, sizeof rest, format, list);
    va_end(list);
    stage s = {0};
    char text[6000];
    snprintf(text, sizeof text, "%s%s", head, rest);
    scree_report_init(&s.report);
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true, def.threads = threads;
    scree_status status = scree_scene_parse(text, "stage.yaml", NULL, 0, &s.scene, &s.report);
    if (!status) status = scree_simulation_create(s.scene, &def, &s.sim, &s.report);
    CHECK(status == SCREE_OK);
    if (!status) return s;
    scree_report_print(&s.report, stdout);
    exit(check_done());
}

// a clump of one sphere is a sphere: it falls, bounces and rolls alike
static void test_single(void)
{
    double place[2][4], spin[2][3];
    for (int clump = 0; clump < 2; clump++) {
        stage s = open_scene(1,
                             "gravity: [3, 0, -9.81]\nstepper: {type: nonsmooth, precision: double}\n"
                             "bodies: {one: {from: positions, positions: [0, 0, 0.3], radius: 0.05, "
                             "material: stone, velocity: [0.3, 0.1, 0], spin: [1, 2, 3]%s}}\n"
                             "walls: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], "
                             "material: stone}}\ntime: {end: 10 s, step: 1 ms}\n",
                             clump ? ", clump: {spheres: [[0, 0, 0, 7]]}" : "");
        stage_advance(&s, 800);
        const scr_bodies *b = &s.sim->world.bodies;
        for (int d = 0; d < 4; d++) place[clump][d] = b->place[d];
        for (int d = 0; d < 3; d++) spin[clump][d] = b->spin[d];
        CHECK_INT((int)s.sim->world.rigids.table.count, clump);
        double closure = scree_simulation_energies(s.sim).closure;
        CHECK_NEAR(closure, 0, 1e-12);
        stage_close(&s);
    }
    double off = 0, turn = 0;
    for (int d = 0; d < 3; d++) {
        off = check_worse(off, fabs(place[0][d] - place[1][d]));
        turn = check_worse(turn, fabs(spin[0][d] - spin[1][d]));
    }
    printf("clump of one sphere: place off by %.1e m of %.3f, spin by %.1e rad/s of %.2f\n", off, place[0][0], turn,
           spin[0][1]);
    CHECK(off < 4e-14 && turn < 1e-11); // 4e-16, 1e-13
}

// a dumbbell of overlapping spheres rolls down an incline: a = g sin / (1 + I/(m r^2))
static void test_rolling(void)
{
    double tilt = 0.3, r = 0.05 / 1.5;
    stage s = open_scene(1,
                         "gravity: [%.17g, 0, %.17g]\nstepper: {type: nonsmooth, precision: double}\n"
                         "bodies: {one: {from: positions, positions: [0, 0, %.17g], radius: 0.05, "
                         "material: stone, clump: {spheres: [[0, -0.5, 0, 1], [0, 0.5, 0, 1]], "
                         "orientation: aligned}}}\n"
                         "walls: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], "
                         "material: stone}}\ntime: {end: 10 s, step: 1 ms}\n",
                         9.81 * sin(tilt), -9.81 * cos(tilt), r - 1e-6);
    const scr_world *w = &s.sim->world;
    const double shape[][4] = {{0, -0.5, 0, 1}, {0, 0.5, 0, 1}};
    scr_clump_shape solid;
    CHECK(scr_clump_solid(shape, 2, &solid));
    double ratio = solid.inertia.yy / solid.volume;
    CHECK_NEAR(w->rigids.centre[3], 2500 * solid.volume * r * r * r, 1e-12);
    stage_advance(&s, 100);
    double v = w->rigids.velocity[0];
    stage_advance(&s, 500);
    double a = (w->rigids.velocity[0] - v) / 0.5, exact = 9.81 * sin(tilt) / (1 + ratio);
    printf("dumbbell on an incline: %.6f m/s^2, exact %.6f (a ball: %.4f); closure %.1e J\n", a, exact,
           9.81 * sin(tilt) / 1.4, scree_simulation_energies(s.sim).closure);
    CHECK_NEAR(a, exact, 1e-6 * exact); // all printed digits
    CHECK_NEAR(scree_simulation_energies(s.sim).closure, known(w), 1e-12);
    CHECK_NEAR(known(w), 0, 1e-6); // 1.2e-8
    // the members follow
    vec3 d = v3_sub(v3_load(w->bodies.place + 4), v3_load(w->bodies.place));
    CHECK_NEAR(v3_norm(d), r, 1e-14);
    stage_close(&s);
}

static vec3 momentum(const scr_world *w)
{
    vec3 p = v3(0, 0, 0);
    for (size_t k = 0; k < w->rigids.table.count; k++)
        p = v3_axpy(p, w->rigids.centre[4 * k + 3], v3_load(w->rigids.velocity + 4 * k));
    for (size_t i = 0; i < w->bodies.table.count; i++)
        if (w->bodies.carrier[i] == 0) p = v3_axpy(p, w->bodies.mass[i], v3_load(w->bodies.motion + 4 * i));
    return p;
}

// clumps and spheres of all kinds collide in space
static void test_impact(void)
{
    stage s = open_scene(1, "gravity: [0, 0, 0]\nstepper: nonsmooth\n"
                            "bodies:\n"
                            "  left: {from: random, count: 30, radius: [0.04, 0.06], material: stone, "
                            "velocity: [2, 0.1, 0], spin: [0, 3, 1], region: {shape: box, box: [[-0.5, "
                            "-0.3, -0.3], [-0.05, 0.3, 0.3]]}, clump: {spheres: [[0, 0, 0, 1], [0.8, 0, "
                            "0, 0.7], [0, 0.9, 0, 0.5]]}}\n"
                            "  right: {from: random, count: 30, radius: 0.04, material: stone, velocity: "
                            "[-2, 0, 0.2], region: {shape: box, box: [[0.05, -0.3, -0.3], [0.5, 0.3, "
                            "0.3]]}}\n"
                            "time: {end: 10 s, step: 2 ms}\n");
    const scr_world *w = &s.sim->world;
    vec3 p = momentum(w);
    int64_t most = 0;
    for (int k = 0; k < 250; k++) {
        stage_advance(&s, 1);
        int64_t n = stage_contacts(&s);
        most = n > most ? n : most;
    }
    double total = 0;
    for (size_t i = 0; i < w->bodies.table.count; i++) total += 2 * w->bodies.mass[i];
    double off = v3_norm(v3_sub(momentum(w), p)) / total;
    scree_energies e = scree_simulation_energies(s.sim);
    printf("impacts of clumps: up to %lld contacts, momentum off by %.1e of all, closure %.1e J, "
           "lost %.3f J\n",
           (long long)most, off, e.closure, e.damping + e.friction);
    CHECK(most >= 5);
    CHECK(off < 1e-14);
    CHECK_NEAR(e.closure, known(w), 1e-11);
    CHECK(fabs(known(w)) < 0.01 * (e.damping + e.friction));
    CHECK(e.friction > 0 && e.damping > 0);
    stage_close(&s);
}

// a heap of clumps comes to rest; the floor carries its weight; the same bits for any number of threads
static void test_heap(void)
{
    uint64_t digest[2];
    for (int run = 0; run < 2; run++) {
        stage s =
            open_scene(run ? 3 : 1, "stepper: nonsmooth\n"
                                    "bodies: {all: {from: lattice, radius: 0.05, spacing: 0.11, count: 60, material: "
                                    "stone, "
                                    "region: {shape: box, box: [[-0.22, -0.22, 0], [0.22, 0.22, 2]]}, clump: {spheres: "
                                    "[[-0.5, 0, 0, 0.5], [0.5, 0, 0, 0.5], [0, 0.3, 0, 0.6]]}}}\n"
                                    "walls: {box: {shape: box, box: [[-0.25, -0.25, 0], [0.25, 0.25, 3]], material: "
                                    "stone}}\n"
                                    "time: {end: 10 s, step: 5 ms}\n");
        const scr_world *w = &s.sim->world;
        stage_advance(&s, 600);
        double weight = 0, worst = 0;
        for (size_t k = 0; k < w->rigids.table.count; k++) weight += 9.81 * w->rigids.centre[4 * k + 3];
        for (size_t i = 0; i < w->bodies.table.count; i++)
            worst = check_worse(worst, v3_norm(v3_load(w->bodies.motion + 4 * i)));
        scree_energies e = scree_simulation_energies(s.sim);
        digest[run] = scree_simulation_digest(s.sim, &s.report);
        printf("heap of %zu clumps: floor carries %.5f of the weight, fastest %.1e m/s, closure %.1e "
               "J, worst overlap %.2g, digest %016llx\n",
               w->rigids.table.count, -w->walls[0].force.z / weight, worst, e.closure, s.sim->step.last.worst_overlap,
               (unsigned long long)digest[run]);
        CHECK_NEAR(-w->walls[0].force.z / weight, 1, 0.01);
        CHECK(worst < 0.02);
        CHECK_NEAR(e.closure, known(w), 1e-9);
        stage_close(&s);
    }
    CHECK(digest[0] == digest[1]);
}

// grains and clumps rest against a wall: the load of each is what the wall and the floor bear
static void test_loads(void)
{
    stage s = open_scene(1, "gravity: [3, 0, -9.81]\nstepper: {type: nonsmooth, precision: double}\n"
                            "bodies:\n"
                            "  pairs: {from: lattice, radius: 0.04, spacing: 0.5, count: 4, material: "
                            "stone, region: {shape: box, box: [[0.7, -1, 0], [1, 1, 0.5]]}, clump: "
                            "{spheres: [[0, -0.5, 0, 1], [0, 0.5, 0, 1]], orientation: aligned}}\n"
                            "  balls: {from: positions, radius: 0.05, material: stone, positions: "
                            "[[0.95, -0.98, 0.05], [0.95, -0.52, 0.05], [0.95, 0, 0.05], [0.95, 0.47, "
                            "0.05], [0.95, 0.95, 0.05]]}\n"
                            "walls: {floor: {shape: plane, material: stone}, side: {shape: plane, point: "
                            "[1, 0, 0], normal: [-1, 0, 0], material: stone}}\n"
                            "time: {end: 10 s, step: 1 ms}\n");
    const scr_world *w = &s.sim->world;
    const scr_bodies *b = &w->bodies;
    stage_advance(&s, 3000);
    int balls = 0;
    vec3 sum = v3(0, 0, 0);
    for (size_t i = 0; i < b->table.count; i++) {
        vec3 load = v3_load(b->load + 8 * i);
        if (b->carrier[i] == 0) {
            CHECK_NEAR(load.x, -3 * b->mass[i], 1e-3 * b->mass[i]);
            CHECK_NEAR(load.z, 9.81 * b->mass[i], 1e-3 * b->mass[i]);
            balls++;
        } else {
            sum = v3_add(sum, load);
        }
    }
    CHECK_INT(balls, 5);
    for (size_t n = 0; n < w->rigids.table.count; n++) sum = v3_sub(sum, v3_load(w->rigids.load + 8 * n));
    CHECK_NEAR(v3_norm(sum), 0, 1e-6);
    stage_close(&s);
}

// a clump of one sphere hits the floor and is braked by rolling friction: what its sphere feels is what turns it
static void test_hit(void)
{
    stage s;
    if (!stage_open(&s, NULL, 0,
                    "scree: 1\n"
                    "domain: {box: [[-5, -5, -5], [5, 5, 5]]}\ngravity: [0, 0, 0]\n"
                    "materials: {stone: {density: 2500, friction: 0.6, restitution: 0.3, "
                    "rolling_friction: 0.4}}\n"
                    "contacts: {any: {stiffness: 1e6, rolling: sds}}\n"
                    "stepper: {type: nonsmooth, precision: double}\n"
                    "bodies: {one: {from: positions, positions: [0, 0, 0.0505], radius: 0.05, "
                    "material: stone, velocity: [0, 0, -2], spin: [40, 20, 0], clump: {spheres: "
                    "[[0, 0, 0, 1]]}}}\n"
                    "walls: {floor: {shape: plane, material: stone}}\n"
                    "time: {end: 10 s, step: 1 ms}\n"))
        return;
    const scr_world *w = &s.sim->world;
    double inertia = 0.4 * w->bodies.mass[0] * 0.05 * 0.05;
    vec3 before = scr_rigid_spin(&w->rigids, 0);
    stage_advance(&s, 1);
    vec3 gain = v3_scale(inertia / 1e-3, v3_sub(scr_rigid_spin(&w->rigids, 0), before));
    vec3 felt = v3_load(w->bodies.load + 4);
    printf("a clump of one sphere hits the floor: torque %.4f %.4f, gain %.4f %.4f N m\n", felt.x, felt.y, gain.x,
           gain.y);
    CHECK(v3_norm(gain) > 1);
    CHECK_NEAR(v3_norm(v3_sub(felt, gain)) / v3_norm(gain), 0, 1e-2);
    stage_close(&s);
}

// of three clumps the second leaves the box
static void test_leaving(void)
{
    stage s;
    if (!stage_open(&s, NULL, 0,
                    "scree: 1\n"
                    "domain: {box: [[-5, -5, -5], [5, 5, 5]], boundary: delete}\n"
                    "gravity: [0, 0, 0]\n"
                    "materials: {stone: {density: 2500, friction: 0.6, restitution: 0.3}}\n"
                    "contacts: {any: {stiffness: 1e6}}\n"
                    "stepper: nonsmooth\n"
                    "bodies:\n"
                    "  stay: {from: positions, positions: [-1, 0, 0], radius: 0.05, material: "
                    "stone, clump: {spheres: [[-0.5, 0, 0, 1], [0.5, 0, 0, 1]]}}\n"
                    "  go: {from: positions, positions: [0, 0, 4.5], radius: 0.05, material: "
                    "stone, velocity: [0, 0, 5], clump: {spheres: [[-0.5, 0, 0, 1], [0.5, 0, 0, "
                    "1]]}}\n"
                    "  too: {from: positions, positions: [1, 0, 0], radius: 0.05, material: "
                    "stone, clump: {spheres: [[-0.5, 0, 0, 1], [0.5, 0, 0, 1]]}}\n"
                    "time: {end: 10 s, step: 2 ms}\n"))
        return;
    stage_advance(&s, 40);
    CHECK_INT(s.sim->world.bodies.table.count, 6);
    stage_advance(&s, 30);
    CHECK_INT(s.sim->world.bodies.table.count, 4);
    stage_close(&s);
}

// a plate on a lift with a stone on it: the joint carries both
static void test_lift(void)
{
    stage s = open_scene(1, "stepper: {type: nonsmooth, precision: double}\n"
                            "bodies: {stone: {from: positions, positions: [0.1, 0, 0.0999], radius: 0.1, "
                            "material: stone}}\n"
                            "walls: {plate: {shape: disc, center: [0, 0, 0], normal: [0, 0, 1], radius: "
                            "0.5, material: stone}}\n"
                            "parts: {table: {walls: [plate], mass: 20, centre: [0, 0, -0.1], inertia: "
                            "[1, 1, 1.5]}}\n"
                            "joints: {lift: {type: slider, between: [ground, table], point: [0, 0, 0], "
                            "axis: [0, 0, 1], motor: [[0, 0], [1, 0.2], [2, 0.2]]}}\n"
                            "time: {end: 10 s, step: 2 ms}\n");
    const scr_world *w = &s.sim->world;
    stage_advance(&s, 450);
    double m = w->bodies.mass[0], all = (m + 20) * 9.81;
    CHECK_NEAR(w->joints[0].drive[0], (m + 20) * (9.81 + 0.2), 1e-3 * all); // it speeds up
    CHECK_NEAR(w->walls[0].force.z, -m * (9.81 + 0.2), 1e-3 * m * 9.81);
    stage_advance(&s, 550);
    printf("lift: motor %.4f N, weight %.4f N; stone pushes %.4f of %.4f N; off centre %.4f N m\n",
           w->joints[0].drive[0], all, -w->walls[0].force.z, m * 9.81, w->joints[0].torque[1]);
    CHECK_NEAR(w->joints[0].drive[0], all, 1e-3 * all);
    CHECK_NEAR(w->joints[0].speed[0], 0.2, 1e-6);
    CHECK_NEAR(w->walls[0].force.z, -m * 9.81, 1e-3 * m * 9.81);
    // the stone is 0.1 m off the axis: the rail holds against it
    CHECK_NEAR(w->joints[0].torque[1], -m * 9.81 * 0.1, 1e-2 * m);
    double lifted = w->walls[0].pose.shift.z;
    CHECK_NEAR(lifted, 0.1 + 0.2, 1e-3);
    CHECK_NEAR(w->bodies.place[2] - 0.0999, lifted, 1e-4);
    CHECK_NEAR(scree_simulation_energies(s.sim).closure, 0, 1e-9);
    stage_close(&s);
}

// a stone hits a plate that floats: nothing is lost of their momentum
static void test_floating(void)
{
    stage s = open_scene(1, "gravity: [0, 0, 0]\nstepper: nonsmooth\n"
                            "bodies: {stone: {from: positions, positions: [0.3, 0, 0.12], radius: 0.1, "
                            "material: stone, velocity: [0.2, 0, -1]}}\n"
                            "walls: {plate: {shape: disc, center: [0, 0, 0], normal: [0, 0, 1], radius: "
                            "0.5, material: stone}}\n"
                            "parts: {table: {walls: [plate], mass: 20, centre: [0, 0, -0.1], inertia: "
                            "[1, 1, 1.5]}}\n"
                            "time: {end: 10 s, step: 2 ms}\n");
    const scr_world *w = &s.sim->world;
    vec3 p = momentum(w);
    stage_advance(&s, 100);
    double off = v3_norm(v3_sub(momentum(w), p)) / v3_norm(p);
    vec3 spin = scr_rigid_spin(&w->rigids, 0);
    printf("floating plate: momentum off by %.1e, spin %.3f rad/s, velocity %.3f m/s\n", off, spin.y,
           w->rigids.velocity[2]);
    CHECK(off < 1e-14);
    CHECK(w->rigids.velocity[2] < -0.1 && spin.y > 0.1);
    CHECK_NEAR(scree_simulation_energies(s.sim).closure, known(w), 1e-12);
    CHECK_NEAR(known(w), 0, 1e-5); // 2.7e-7
    stage_close(&s);
}

int main(int argc, char **argv)
{
    (void)argc;
    stage_wait_passively(argv);
    test_single();
    test_rolling();
    test_impact();
    test_heap();
    test_loads();
    test_hit();
    test_leaving();
    test_lift();
    test_floating();
    return check_done();
}
