/* The energy ledger and the laws of conservation: what was there, plus work, equals what is there,
 * plus losses. */
#include "base/random.h"
#include "stage.h"

#define COUNT     10
#define STIFFNESS 1e4
#define RADIUS    5e-3

static double mass_of(double radius)
{
    return 2500 * 4.0 / 3 * M_PI * radius * radius * radius;
}

/* ---- a cluster that falls in on itself and flies apart ---- */

// grains on a shell around the origin move inwards, some with spin; sizes 1 : 2
static void make_cluster(grain *g, uint64_t seed, const double push[3])
{
    scr_random random = scr_random_stream(seed, 4);
    for (int k = 0; k < COUNT; k++) {
        double z = 1 - (2 * k + 1.0) / COUNT, a = 2.4 * k, s = sqrt(1 - z * z);
        double away = 2.6 * RADIUS * (1 + 0.1 * scr_random_unit(&random));
        const double out[3] = {s * cos(a), s * sin(a), z};
        g[k] = (grain){.radius = RADIUS * scr_random_between(&random, 0.6, 1.2)};
        for (int d = 0; d < 3; d++) {
            g[k].x[d] = away * out[d];
            g[k].v[d] = -0.5 * out[d] + scr_random_between(&random, -0.1, 0.1) + push[d];
            g[k].w[d] = scr_random_between(&random, -50, 50);
        }
    }
}

typedef struct {
    double restitution, friction, dt;
    const char *scheme;
    double push[3];
} cluster;

static bool open_cluster(stage *s, const cluster *c, uint64_t seed)
{
    grain g[COUNT];
    make_cluster(g, seed, c->push);
    return stage_open(s, g, COUNT,
                      "scree: 1\n"
                      "gravity: [0, 0, 0]\n"
                      "domain: {box: [[-1, -1, -1], [1, 1, 1]]}\n"
                      "materials: {glass: {density: 2500}}\n"
                      "contacts: {any: {stiffness: %g, restitution: %g, friction: %g}}\n"
                      "bodies: {all: {from: table, file: @, material: glass}}\n"
                      "stepper: {type: soft, scheme: %s}\n"
                      "time: {end: 1, step: %.17g}\n",
                      STIFFNESS, c->restitution, c->friction, c->scheme ? c->scheme : "improved", c->dt);
}

#define DURATION 0.02 // about twenty contact times: all collisions are over

// root mean square of the closure over some clusters, as a fraction of the energy
static double closure_of(double restitution, double friction, const char *scheme, double dt)
{
    double sum = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        stage s;
        cluster c = {restitution, friction, dt, scheme, {0}};
        if (!open_cluster(&s, &c, seed)) return NAN;
        scree_energies start = scree_simulation_energies(s.sim);
        stage_advance(&s, (int64_t)(DURATION / dt + 0.5));
        scree_energies end = scree_simulation_energies(s.sim);
        double part = end.closure / (start.translation + start.rotation);
        sum += part * part / 12;
        CHECK(end.translation + end.rotation < (1 + 1e-3) * (start.translation + start.rotation));
        stage_close(&s);
    }
    return sqrt(sum);
}

static void test_closure(double restitution, double friction, const char *scheme, double order, double within,
                         double finest)
{
    const double dt = 2e-5; // the shortest contact takes 4.2e-4 s
    double e[3];
    for (int k = 0; k < 3; k++) e[k] = closure_of(restitution, friction, scheme, dt / (1 << 2 * k));
    double measured = log(e[0] / e[2]) / log(16);
    printf("closure, e %g, mu %g, %s: %.2g %.2g %.2g, order %.2f\n", restitution, friction, scheme, e[0], e[1], e[2],
           measured);
    CHECK_NEAR(measured, order, within);
    CHECK(e[2] < finest);
}

/* ---- conservation ---- */

typedef struct {
    double p[3], l[3], size; /* momentum, angular momentum, sum of |m v| */
} moments;

static moments moments_of(stage *s)
{
    double x[3 * COUNT], v[3 * COUNT], w[3 * COUNT], m[COUNT], r[COUNT];
    stage_view(s, "position", x, 3 * COUNT);
    stage_view(s, "velocity", v, 3 * COUNT);
    stage_view(s, "spin", w, 3 * COUNT);
    stage_view(s, "mass", m, COUNT);
    stage_view(s, "radius", r, COUNT);
    moments t = {0};
    for (int k = 0; k < COUNT; k++)
        for (int d = 0; d < 3; d++) {
            int a = (d + 1) % 3, b = (d + 2) % 3;
            t.p[d] += m[k] * v[3 * k + d];
            t.l[d] += m[k] * (x[3 * k + a] * v[3 * k + b] - x[3 * k + b] * v[3 * k + a]) +
                      0.4 * m[k] * r[k] * r[k] * w[3 * k + d];
            t.size += m[k] * fabs(v[3 * k + d]);
        }
    return t;
}

static void test_conservation(const char *scheme)
{
    stage s;
    cluster c = {0.7, 0.5, 1e-5, scheme, {0}};
    if (!open_cluster(&s, &c, 3)) return;
    moments start = moments_of(&s);
    double friction = 0, damping = 0;
    bool touched = false;
    for (int k = 0; k < 200; k++) {
        stage_advance(&s, 10);
        scree_energies e = scree_simulation_energies(s.sim);
        touched |= stage_contacts(&s) > 0;
        friction = e.friction, damping = e.damping;
    }
    moments end = moments_of(&s);
    CHECK(touched && friction > 0 && damping > 0);
    double dp = 0, dl = 0;
    for (int d = 0; d < 3; d++) {
        dp = check_worse(dp, fabs(end.p[d] - start.p[d]) / start.size);
        dl = check_worse(dl, fabs(end.l[d] - start.l[d]) / (start.size * RADIUS));
    }
    printf("%s: momentum %.2g, angular momentum %.2g off\n", scheme, dp, dl);
    CHECK_NEAR(dp, 0, 1e-14); // 1.6e-16
    CHECK_NEAR(dl, 0, 2e-13); // 1.3e-14
    stage_close(&s);
}

// seen from a moving frame everything happens in the same way
static void test_galilei(void)
{
    const double dt = 1e-5;
    const int steps = 1500;
    stage s;
    double x[2][3 * COUNT], w[2][3 * COUNT];
    cluster c = {0.7, 0.5, dt, NULL, {0}};
    for (int k = 0; k < 2; k++) {
        if (k) c.push[0] = 3, c.push[1] = -2, c.push[2] = 1;
        if (!open_cluster(&s, &c, 5)) return;
        stage_advance(&s, steps);
        stage_view(&s, "position", x[k], 3 * COUNT);
        stage_view(&s, "spin", w[k], 3 * COUNT);
        stage_close(&s);
    }
    double off = 0, off_spin = 0;
    for (int k = 0; k < 3 * COUNT; k++) {
        off = check_worse(off, fabs(x[1][k] - x[0][k] - c.push[k % 3] * steps * dt) / RADIUS);
        off_spin = check_worse(off_spin, fabs(w[1][k] - w[0][k]) / 50);
    }
    printf("moving frame: %.2g radii, %.2g of the spin off\n", off, off_spin);
    CHECK_NEAR(off, 0, 5e-11);      // 1.0e-12
    CHECK_NEAR(off_spin, 0, 5e-10); // 7.7e-12
}

// while a head-on contact lasts, damping only takes; a contact that slides one way only heats
static void test_monotone(void)
{
    grain g[2] = {{.x = {0, 0, RADIUS}, .radius = RADIUS, .v = {0, 0, -0.3}}, {.radius = RADIUS}};
    stage s;
    const char *text = "scree: 1\n"
                       "gravity: [0, 0, %g]\n"
                       "domain: {box: [[-1, -1, -1], [2, 1, 1]]}\n"
                       "materials: {glass: {density: 2500}}\n"
                       "contacts: {any: {stiffness: 1e4, restitution: 0.4, damping_ratio: %g, friction: 0.3}}\n"
                       "bodies: {all: {from: table, file: @, material: glass}}\n"
                       "walls: {floor: {shape: plane, material: glass}}\n"
                       "time: {end: 1, step: 1e-5}\n";
    if (!stage_open(&s, g, 1, text, 0.0, 1.0)) return;
    double last = 0;
    int rises = 0, falls = 0;
    double fall = 0;
    for (int k = 0; k < 300; k++) {
        stage_advance(&s, 1);
        double d = scree_simulation_energies(s.sim).damping;
        rises += d > last, falls += d < last;
        fall = check_worse(fall, last - d);
        last = d;
    }
    double lost = 0.5 * mass_of(RADIUS) * 0.09 * (1 - 0.16);
    printf("damping: %d rises, %d falls by %.2g, %.3g of what restitution takes\n", rises, falls, fall / lost,
           last / lost - 1);
    // at the turning point the force still knows the velocity of the last half step
    CHECK(rises > 50 && falls <= 1);
    CHECK_NEAR(fall / lost, 0, 5e-6); // 9.3e-8
    CHECK_NEAR(last / lost, 1, 0.02); // 2.3e-3, first order in dt
    CHECK_NEAR(scree_simulation_energies(s.sim).friction, 0, 0);
    stage_close(&s);

    // sliding on a floor: mu m g v is lost per time
    g[0].x[2] = RADIUS - mass_of(RADIUS) * 9.81 / 1e4;
    g[0].v[0] = 1, g[0].v[2] = 0;
    if (!stage_open(&s, g, 1, text, -9.81, 0.0)) return;
    last = rises = falls = 0;
    for (int k = 0; k < 1000; k++) {
        stage_advance(&s, 1);
        double f = scree_simulation_energies(s.sim).friction;
        rises += f > last, falls += f < last;
        last = f;
    }
    // the slip speed falls by 7/2 mu g t
    double t = 1e-2, a = 0.3 * 9.81, want = mass_of(RADIUS) * a * (t - 1.75 * a * t * t);
    printf("friction: %d rises, %d falls, %.3g off\n", rises, falls, last / want - 1);
    CHECK(rises > 900 && falls == 0);
    CHECK_NEAR(last / want, 1, 1e-2); // 5.3e-4: loading of the spring
    stage_close(&s);
}

/* ---- walls, weights, removal ---- */

// a piston squeezes a row of grains: springs in series take its work
static void test_piston(double speed, double dt, double *work_error, double *closure)
{
    enum { ROW = 5 };
    grain g[ROW];
    for (int k = 0; k < ROW; k++) g[k] = (grain){.x = {0, 0, (2 * k + 1) * RADIUS}, .radius = RADIUS};
    stage s;
    if (!stage_open(&s, g, ROW,
                    "scree: 1\n"
                    "gravity: [0, 0, 0]\n"
                    "domain: {box: [[-1, -1, -1], [1, 1, 1]]}\n"
                    "materials: {glass: {density: 2500}}\n"
                    "contacts: {any: {stiffness: %g, restitution: 0.3, friction: 0.3}}\n"
                    "bodies: {all: {from: table, file: @, material: glass}}\n"
                    "walls:\n"
                    "  floor: {shape: plane, material: glass}\n"
                    "  piston: {shape: plane, material: glass, point: [0, 0, %.17g], normal: [0, 0, -1],\n"
                    "           velocity: [0, 0, %g]}\n"
                    "time: {end: 1, step: %.17g}\n",
                    STIFFNESS, 2 * ROW * RADIUS, -speed, dt))
        return;
    double depth = 5e-4;
    stage_advance(&s, (int64_t)(depth / speed / dt + 0.5));
    scree_energies e = scree_simulation_energies(s.sim);
    double stored = 0.5 * STIFFNESS / (ROW + 1) * depth * depth;
    *work_error = e.wall_work / stored - 1;
    *closure = e.closure / stored;
    CHECK_INT(stage_contacts(&s), ROW + 1);
    CHECK(e.damping > 0 && e.elastic_normal > 0.9 * stored);
    stage_close(&s);
}

static void test_pistons(void)
{
    double slow, fast, c[3];
    test_piston(0.002, 1e-5, &slow, &c[0]);
    test_piston(0.02, 1e-5, &fast, &c[1]);
    test_piston(0.02, 1e-6, &fast, &c[2]);
    printf("piston: work %.2g (slow), %.2g (fast) off; closure %.2g, %.2g, %.2g at dt/10\n", slow, fast, c[0], c[1],
           c[2]);
    CHECK_NEAR(slow, 0, 2e-2); // 2.4e-3: damping and motion
    CHECK(fast > slow);
    for (int k = 0; k < 3; k++) CHECK_NEAR(c[k], 0, 5e-9); // 1.7e-10
}

// a column at rest: each contact carries the weight above it
static void test_stack(void)
{
    enum { STACK = 6 };
    grain g[STACK];
    double z = 0, weight = 0, elastic = 0, above = 0;
    for (int k = 0; k < STACK; k++) {
        double r = RADIUS * (1.5 - 0.1 * k);
        g[k] = (grain){.x = {0, 0, z + r}, .radius = r};
        z += 2 * r;
        weight += mass_of(r) * 9.81;
    }
    stage s;
    if (!stage_open(&s, g, STACK,
                    "scree: 1\n"
                    "domain: {box: [[-1, -1, -1], [1, 1, 1]]}\n"
                    "materials: {glass: {density: 2500}}\n"
                    "contacts: {any: {stiffness: %g, restitution: 0.1, friction: 0.3}}\n"
                    "bodies: {all: {from: table, file: @, material: glass}}\n"
                    "walls: {floor: {shape: plane, material: glass}}\n"
                    "time: {end: 1, step: 2e-5}\n",
                    STIFFNESS))
        return;
    stage_advance(&s, 20000);
    for (int k = 0; k < STACK; k++) {
        double load = weight - above;
        elastic += load * load / (2 * STIFFNESS);
        above += mass_of(g[k].radius) * 9.81;
    }
    scree_energies e = scree_simulation_energies(s.sim);
    printf("stack: elastic %.2g off, moving %.2g, closure %.2g\n", e.elastic_normal / elastic - 1,
           e.translation / elastic, e.closure / elastic);
    CHECK_NEAR(e.elastic_normal / elastic, 1, 5e-10); // 8.9e-12
    CHECK_NEAR(e.translation / elastic, 0, 5e-21);    // 7.2e-23
    CHECK_NEAR(e.elastic_tangential, 0, 0);
    CHECK_NEAR(e.closure / elastic, 0, 1e-3); // 3.2e-5
    CHECK_INT(stage_contacts(&s), STACK);
    stage_close(&s);
}

// grains that leave take their energy with them, also that of contacts, also across a periodic side
static double removal_closure(double dt, double *removed)
{
    grain g[6] = {{.x = {0.096, 0.0002, 0}, .radius = RADIUS, .v = {2, 0, 0.3}, .w = {0, 30, 0}},
                  {.x = {0.0955, 0, 0}, .radius = RADIUS, .v = {2, 0.1, 0.3}},
                  {.x = {0.06, 0.05, 0}, .radius = RADIUS, .v = {1.5, 0, 1}},
                  {.x = {0.0497, 0.05, 0}, .radius = RADIUS, .v = {3, 0, 1}},
                  {.x = {0.02, 0.03, 0.02}, .radius = RADIUS, .v = {0.1, 0, 0}},
                  {.x = {0.02, 0.07, 0.08}, .radius = RADIUS, .v = {0, 0.1, 0}}};
    // the first two touch across the periodic side when they leave
    g[1].x[1] = 0.1 + g[0].x[1] - 2 * RADIUS * 0.98;
    stage s;
    if (!stage_open(&s, g, 6,
                    "scree: 1\n"
                    "domain: {box: [[0, 0, -0.1], [0.1, 0.1, 0.1]], periodic: [y], boundary: delete}\n"
                    "materials: {glass: {density: 2500}}\n"
                    "contacts: {any: {stiffness: 100, restitution: 1, friction: 0.3}}\n"
                    "bodies: {all: {from: table, file: @, material: glass}}\n"
                    "stepper: {type: soft, skin: 1e-3}\n"
                    "time: {end: 1, step: %.17g}\n",
                    dt))
        return NAN;
    scree_energies start = scree_simulation_energies(s.sim);
    stage_advance(&s, (int64_t)(0.03 / dt + 0.5));
    scree_energies e = scree_simulation_energies(s.sim);
    CHECK_INT(scree_simulation_stats(s.sim).bodies, 2);
    *removed = e.removed / (start.translation + start.elastic_normal);
    double part = e.closure / (start.translation + start.elastic_normal);
    stage_close(&s);
    return part;
}

static void test_removal(void)
{
    double removed, c[3];
    for (int k = 0; k < 3; k++) c[k] = removal_closure(1e-5 / (1 << 2 * k), &removed);
    printf("removal: %.3g of the energy left, closure %.2g %.2g %.2g\n", removed, c[0], c[1], c[2]);
    CHECK(removed > 0.5);
    CHECK_NEAR(c[0], 0, 5e-6); // 1.6e-7
    CHECK_NEAR(c[2], 0, 5e-8); // 7.9e-10
}

// a ball slides on a floor until it rolls, with strong tangential damping: if the damper felt the sliding, its force
// alone would exceed the Coulomb limit many times. Friction takes 2/7 of the energy.
static void test_sliding(void)
{
    const double v0 = 2, mu = 0.2, kn = 1e6, r = 0.01, density = 7800;
    const double mass = density * 4.0 / 3 * M_PI * r * r * r, kinetic = 0.5 * mass * v0 * v0;
    const double kt = 2.0 / 7 * kn, held = mu * mass * 9.81;
    grain g = {.x = {0, 0, r}, .radius = r, .v = {v0, 0, 0}};
    stage s;
    if (!stage_open(&s, &g, 1,
                    "scree: 1\ndomain: {box: [[-1, -1, 0], [3, 1, 1]]}\n"
                    "materials: {steel: {density: %g, restitution: 0.5, friction: %g}}\n"
                    "contacts: {any: {stiffness: %g}}\n"
                    "bodies: {ball: {from: table, file: @, material: steel}}\n"
                    "walls: {floor: {shape: plane, material: steel}}\n"
                    "time: {end: 1, step: 1e-5}\n",
                    density, mu, kn))
        return;
    double closure = 0, spring = 0, last = 0;
    int falls = 0;
    for (int k = 0; k < 60; k++) {
        stage_advance(&s, 1000);
        scree_energies e = scree_simulation_energies(s.sim);
        closure = check_worse(closure, fabs(e.closure) / kinetic);
        spring = check_worse(spring, e.elastic_tangential);
        falls += !(e.friction >= last - 1e-9 * kinetic);
        last = e.friction;
    }
    printf("sliding: closure %.2g, spring %.2g of what it can hold, friction %.2g off\n", closure,
           spring / (0.5 * held * held / kt), last / (2.0 / 7 * kinetic) - 1);
    CHECK_NEAR(closure, 0, 4e-8);                    // 4.3e-10
    CHECK(spring <= 1.001 * 0.5 * held * held / kt); // 1.0
    CHECK_NEAR(last, 2.0 / 7 * kinetic, 2e-4 * kinetic);
    CHECK_INT(falls, 0);
    stage_close(&s);
}

int main(void)
{
    // springs alone: second order
    test_closure(1, 0, "improved", 2, 0.3, 1e-5); // 2.11; 9.3e-7
    test_closure(1, 0, "standard", 2, 0.3, 1e-5); // 2.11; 9.3e-7
    // sliding and damping: second too
    test_closure(1, 0.5, "improved", 2, 0.2, 5e-5);      // 2.06; 2.6e-6
    test_closure(0.5, 0, "improved", 2, 0.2, 3e-5);      // 1.99; 3.1e-6
    test_closure(0.5, 0.5, "improved", 1.85, 0.2, 2e-5); // 1.82; 1.6e-6
    test_conservation("improved");
    test_conservation("standard");
    test_galilei();
    test_monotone();
    test_pistons();
    test_stack();
    test_removal();
    test_sliding();
    return check_done();
}
