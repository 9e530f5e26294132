/* Joints and motors against closed forms, in steps of 5 ms, with what the scheme itself makes of them. */
#include "stage.h"

#include "run/simulation.h"

static const char head[] = "scree: 1\n"
                           "domain: {box: [[-20, -20, -20], [20, 20, 20]]}\n"
                           "materials: {steel: {density: 7800}}\n"
                           "bodies: {far: {from: positions, positions: [15, 15, 15], radius: 0.01, material: steel, "
                           "frozen: yes}}\n"
                           "time: {end: 100 s, step: 5 ms}\n";

static stage open_scene(const char *format, ...)
{
    char rest[4000], text[6000];
    va_list list;
    va_start(list, format);
    vsnprintf(rest, sizeof rest, format, list);
    va_end(list);
    snprintf(text, sizeof text, "%s%s", head, rest);
    stage s;
    if (!stage_open(&s, NULL, 0, "%s", text)) exit(check_done());
    return s;
}

// a physical pendulum: period to the second order of the swing; the joint holds
static void test_pendulum(int sweeps)
{
    stage s = open_scene("stepper: {type: nonsmooth, sweeps: %d, precision: double}\n"
                         "parts: {bob: {mass: 1, centre: [%.17g, 0, %.17g], inertia: [0.03, 0.02, "
                         "0.01]}}\n"
                         "joints: {pin: {type: hinge, between: [ground, bob], point: [0, 0, 0], axis: "
                         "[0, 1, 0]}}\n",
                         sweeps, 0.5 * sin(0.1), -0.5 * cos(0.1));
    const scr_world *w = &s.sim->world;
    double before = 0, first = 0, last = 0, worst = 0;
    int crossings = 0;
    for (int k = 0; k < 8000; k++) {
        stage_advance(&s, 1);
        double x = w->rigids.centre[0], t = w->clock.time;
        worst = check_worse(worst, w->joints[0].error[0]);
        if (before < 0 && x >= 0) {
            last = t - 0.005 * x / (x - before);
            if (!crossings++) first = last;
        }
        before = x;
    }
    double period = (last - first) / (crossings - 1);
    double exact = 2 * M_PI * sqrt((0.02 + 0.25) / (9.81 * 0.5)) * (1 + 0.01 / 16);
    scree_energies e = scree_simulation_energies(s.sim);
    printf("pendulum, %d sweeps: period %.6f s, exact %.6f, off by %.2e; joint error %.2e m; "
           "closure %.1e J, numerical %.1e J\n",
           sweeps, period, exact, period / exact - 1, worst, e.closure, w->ledger.numerical);
    CHECK(fabs(period / exact - 1) < 1e-4); // -1.5e-5
    CHECK(worst < 1e-5);                    // 2.8e-6
    CHECK(fabs(e.closure - w->tally.unsolved) < 1e-11);
    CHECK(fabs(e.closure) < (sweeps < 10 ? 1e-6 : 1e-12)); // 2.7e-8, 4e-15 of 0.025
    CHECK(w->ledger.numerical > 0);
    stage_close(&s);
}

// a body on an inclined slider: s = g sin(theta) t (t + h)/2 with this scheme
static void test_slider(void)
{
    double theta = 0.5, h = 0.005;
    stage s = open_scene("stepper: {type: nonsmooth, precision: double}\n"
                         "parts: {cart: {mass: 1, centre: [0, 0, 0], inertia: [0.01, 0.02, 0.03]}}\n"
                         "joints: {rail: {type: slider, between: [ground, cart], point: [0.1, 0, 0.2], "
                         "axis: [%.17g, 0, %.17g]}}\n",
                         cos(theta), -sin(theta));
    const scr_world *w = &s.sim->world;
    stage_advance(&s, 400);
    double t = 400 * h, exact = 0.5 * 9.81 * sin(theta) * t * (t + h);
    const scr_joint *j = &w->joints[0];
    printf("slider: %.6f m, exact %.6f; off the rail by %.1e m; force (%.4f, %.4f, %.4f) N\n", j->coordinate[0], exact,
           j->error[0], j->force[0], j->force[1], j->force[2]);
    CHECK_NEAR(j->coordinate[0], exact, 1e-5); // 3e-8
    CHECK(j->error[0] < 1e-8);
    // the rail carries the weight across it
    CHECK_NEAR(j->force[2], 9.81 * cos(theta) * cos(theta), 1e-4);
    CHECK_NEAR(j->force[0], 9.81 * cos(theta) * sin(theta), 1e-4);
    CHECK_NEAR(j->speed[0], 9.81 * sin(theta) * t, 1e-5);
    stage_close(&s);
}

// a motor of bounded torque reaches its speed after I w / M, its work is the energy
static void test_motor(void)
{
    stage s = open_scene("gravity: [0, 0, 0]\nstepper: {type: nonsmooth, precision: double}\n"
                         "parts: {wheel: {mass: 1, centre: [0, 0, 0], inertia: [0.01, 0.02, 0.03]}}\n"
                         "joints: {axle: {type: hinge, between: [ground, wheel], point: [0, 0, 0], "
                         "axis: [0, 1, 0], motor: [[0, 2], [3, 2], [4, 0]], strength: 0.05 N m}}\n");
    const scr_world *w = &s.sim->world;
    const scr_joint *j = &w->joints[0];
    int k = 0;
    for (; k < 400 && scr_rigid_spin(&w->rigids, 0).y < 2 * (1 - 1e-6); k++) {
        stage_advance(&s, 1);
        if (k == 50) {
            CHECK_NEAR(j->drive[0], 0.05, 1e-12);
            CHECK_NEAR(j->torque[1], 0.05, 1e-6);
        }
    }
    printf("motor: %.4f s to its speed, exact 0.8; speed %.7f\n", k * 0.005, j->speed[0]);
    CHECK_NEAR(k * 0.005, 0.8, 0.0051);
    CHECK_NEAR(w->ledger.motor_work - w->ledger.numerical, 0.5 * 0.02 * 4, 1e-9);
    // it follows its table: half the speed at 3.5 s
    stage_advance(&s, 700 - k);
    CHECK_NEAR(j->speed[0], 1, 1e-6);
    CHECK_NEAR(j->drive[0], -0.02 * 2, 1e-6); // it brakes
    CHECK(j->power[0] < 0);
    stage_advance(&s, 200);
    CHECK_NEAR(j->speed[0], 0, 1e-7);
    CHECK_NEAR(scree_simulation_energies(s.sim).closure, 0, 1e-12);
    stage_close(&s);
}

static vec3 momentum(const scr_world *w)
{
    vec3 p = v3(0, 0, 0);
    for (size_t k = 0; k < w->rigids.table.count; k++)
        p = v3_axpy(p, w->rigids.centre[4 * k + 3], v3_load(w->rigids.velocity + 4 * k));
    return p;
}

// about the origin
static vec3 turning(const scr_world *w)
{
    vec3 l = v3(0, 0, 0);
    for (size_t k = 0; k < w->rigids.table.count; k++) {
        vec3 x = v3_load(w->rigids.centre + 4 * k), v = v3_load(w->rigids.velocity + 4 * k);
        l = v3_add(l, v3_load(w->rigids.momentum + 4 * k));
        l = v3_axpy(l, w->rigids.centre[4 * k + 3], v3_cross(x, v));
    }
    return l;
}

static void test_lock(void)
{
    stage s = open_scene("gravity: [0, 0, 0]\nstepper: {type: nonsmooth, sweeps: 100, precision: "
                         "double}\n"
                         "parts:\n"
                         "  a: {mass: 1, centre: [0, 0, 0], inertia: [0.01, 0.01, 0.01], spin: [0, 0, "
                         "3]}\n"
                         "  b: {mass: 2, centre: [0.3, 0, 0], inertia: [0.01, 0.01, 0.01], spin: [0, "
                         "0, 3], velocity: [0, 0.9, 0]}\n"
                         "joints: {weld: {type: lock, between: [a, b], point: [0.15, 0, 0]}}\n");
    const scr_world *w = &s.sim->world;
    vec3 p = momentum(w), l = turning(w);
    stage_advance(&s, 2000);
    vec3 d = v3_sub(v3_load(w->rigids.centre + 4), v3_load(w->rigids.centre));
    quat e = quat_mul(quat_load(w->rigids.turn + 4), quat_conjugate(quat_load(w->rigids.turn)));
    double dp = v3_norm(v3_sub(momentum(w), p)), dl = v3_norm(v3_sub(turning(w), l)) / v3_norm(l);
    double angle = 2 * v3_norm(v3(e.x, e.y, e.z));
    printf("locked bodies, 10 s at 3 rad/s: distance %+.4f %%, angle %.1e, momentum off by %.1e, "
           "angular momentum by %.1e of it, spin %.4f\n",
           100 * (v3_norm(d) / 0.3 - 1), angle, dp, dl, scr_rigid_spin(&w->rigids, 0).z);
    CHECK_NEAR(v3_norm(d) / 0.3 - 1, 2.8e-4, 1e-4);
    CHECK(dp < 1e-12); // 1e-14
    CHECK(angle < 1e-6);
    stage_close(&s);
}

// a beam that is locked at its end: the joint bears its weight and the moment about y, and remembers both, row by row
static void test_beam(void)
{
    stage s = open_scene("stepper: {type: nonsmooth, sweeps: 100, precision: double}\n"
                         "parts: {beam: {mass: 2, centre: [0.5, 0, 0], inertia: [0.01, 0.2, "
                         "0.2]}}\n"
                         "joints: {weld: {type: lock, between: [ground, beam], point: [0, 0, "
                         "0]}}\n");
    const scr_joint *j = &s.sim->world.joints[0];
    stage_advance(&s, 400);
    const double h = 5e-3, want[6] = {0, 0, 2 * 9.81 * h, 0, 2 * 9.81 * 0.5 * h, 0};
    for (int d = 0; d < 6; d++) CHECK_NEAR(fabs(j->impulse[d]), want[d], 1e-6);
    CHECK_NEAR(v3_norm(v3_load(j->force)), 2 * 9.81, 1e-4);
    stage_close(&s);
}

// a ball joint holds the point and lets turns go: a spherical pendulum keeps its L_z
static void test_ball(void)
{
    stage s = open_scene("stepper: {type: nonsmooth, sweeps: 100, precision: double}\n"
                         "parts: {bob: {mass: 1, centre: [0.3, 0, -0.4], inertia: [0.01, 0.02, "
                         "0.02], products: [0, 0.002, 0], velocity: [0, 1, 0]}}\n"
                         "joints: {pin: {type: ball, between: [bob, ground], point: [0, 0, 0]}}\n");
    const scr_world *w = &s.sim->world;
    double l = turning(w).z, worst = 0;
    for (int k = 0; k < 200; k++) {
        stage_advance(&s, 10);
        worst = check_worse(worst, w->joints[0].error[0]);
    }
    printf("ball: angular momentum about gravity off by %.1e, joint error %.1e m, closure %.1e J\n",
           turning(w).z / l - 1, worst, scree_simulation_energies(s.sim).closure);
    CHECK(fabs(turning(w).z / l - 1) < 1e-3);
    CHECK(worst < 1e-3);
    CHECK_NEAR(scree_simulation_energies(s.sim).closure, 0, 1e-10);
    stage_close(&s);
}

// an arm falls onto its limit and stays there; a cart runs into the end of its rail
static void test_limits(void)
{
    stage s = open_scene("stepper: {type: nonsmooth, precision: double}\n"
                         "parts:\n"
                         "  arm: {mass: 1, centre: [0.5, 0, 0], inertia: [0.01, 0.02, 0.03]}\n"
                         "  cart: {mass: 2, centre: [0, 5, 0], inertia: [0.01, 0.02, 0.03], velocity: "
                         "[3, 0, 0]}\n"
                         "joints:\n"
                         "  pin: {type: hinge, between: [ground, arm], point: [0, 0, 0], axis: [0, 1, "
                         "0], limits: [-10 deg, 30 deg]}\n"
                         "  rail: {type: slider, between: [ground, cart], point: [0, 5, 0], axis: [1, "
                         "0, 0], limits: [-1, 0.5]}\n");
    const scr_world *w = &s.sim->world;
    double past = 0, beyond = 0;
    for (int k = 0; k < 1000; k++) {
        stage_advance(&s, 1);
        past = check_worse(past, w->joints[0].coordinate[0] - M_PI / 6);
        beyond = check_worse(beyond, w->joints[1].coordinate[0] - 0.5);
    }
    printf("limits: arm at %.6f rad, past by %.1e; cart at %.6f m, past by %.1e\n", w->joints[0].coordinate[0], past,
           w->joints[1].coordinate[0], beyond);
    CHECK_NEAR(w->joints[0].coordinate[0], M_PI / 6, 1e-6);
    CHECK(past < 1e-3 && beyond < 1e-6);
    CHECK_NEAR(w->joints[0].speed[0], 0, 1e-8);
    CHECK_NEAR(w->joints[1].speed[0], 0, 1e-4); // 3e-6: it creeps back
    // the limit carries the arm's weight
    CHECK_NEAR(w->joints[0].torque[1], -9.81 * 0.5 * cos(M_PI / 6), 1e-3);
    stage_close(&s);
}

// a free body of three different moments keeps its angular momentum
static void test_tumbling(void)
{
    stage s = open_scene("gravity: [0, 0, 0]\nstepper: nonsmooth\nwalls: {skin: {shape: sphere, "
                         "center: [0, 0, 0], radius: 0.2, material: steel}}\n"
                         "parts: {top: {walls: [skin], mass: 1, centre: [0, 0, 0], inertia: [0.01, "
                         "0.02, 0.025], products: [0.001, 0, 0.002], spin: [0.3, 18, 0.2]}}\n");
    const scr_world *w = &s.sim->world;
    vec3 l = v3_load(w->rigids.momentum);
    stage_advance(&s, 1000);
    double off = v3_norm(v3_sub(v3_load(w->rigids.momentum), l)) / v3_norm(l);
    printf("tumbling part: L off by %.1e, closure %.1e J\n", off, scree_simulation_energies(s.sim).closure);
    CHECK(off < 1e-12); // 0
    CHECK_NEAR(scree_simulation_energies(s.sim).closure, 0, 1e-12);
    stage_close(&s);
}

int main(int argc, char **argv)
{
    (void)argc;
    stage_wait_passively(argv);
    test_pendulum(5);
    test_pendulum(50);
    test_slider();
    test_motor();
    test_lock();
    test_beam();
    test_ball();
    test_limits();
    test_tumbling();
    return check_done();
}
