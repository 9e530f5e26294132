/* Bonds against closed forms: the four ways a pair can swing, a beam that sags, the strength at which
 * a bond breaks, conservation, the ledger, and the reference of De Klerk et al. 2022. */
#include "stage.h"

#define RADIUS   5e-3
#define DISTANCE 12e-3 // centres; the gap is too wide for contact
#define DENSITY  2500
#define YOUNG    1e7
#define POISSON  0.25

static const double mass = DENSITY * 4.0 / 3 * M_PI * RADIUS * RADIUS * RADIUS;
static const double inertia = 0.4 * DENSITY * 4.0 / 3 * M_PI * RADIUS * RADIUS * RADIUS * RADIUS * RADIUS;

typedef enum { STRETCH, SHEAR, BEND, TWIST } mode;

// stiffness of a bond of the radius of the grains, written down independently
static double stiffness(mode m)
{
    double A = M_PI * RADIUS * RADIUS, I = M_PI * pow(RADIUS, 4) / 4, L = DISTANCE;
    double G = YOUNG / (2 * (1 + POISSON));
    if (m == STRETCH) return YOUNG * A / L;
    if (m == BEND) return YOUNG * I / L;
    if (m == TWIST) return G * 2 * I / L;
    return 1 / (L / (0.9 * G * A) + L * L * L / (12 * YOUNG * I));
}

static double frequency(mode m)
{
    if (m == STRETCH) return sqrt(2 * stiffness(m) / mass);
    if (m == SHEAR) return sqrt(stiffness(m) * (2 / mass + DISTANCE * DISTANCE / 4 * 2 / inertia));
    return sqrt(2 * stiffness(m) / inertia);
}

static bool open_bonded(stage *s, const grain *g, int n, double dt, const char *extra, const char *bond)
{
    return stage_open(s, g, n,
                      "scree: 1\n"
                      "gravity: [0, 0, 0]\n"
                      "domain: {box: [[-1, -1, -1], [1, 1, 1]]%s}\n"
                      "materials: {glass: {density: %d, restitution: 0.9, friction: 0.5}}\n"
                      "contacts: {any: {stiffness: 1000}}\n"
                      "bodies: {all: {from: table, file: @, material: glass}}\n"
                      "bonds: {glue: {gap: 3 mm, young: %g, poisson: %g%s}}\n"
                      "time: {end: 1, step: %.17g}\n",
                      extra, DENSITY, YOUNG, POISSON, bond, dt);
}

/* ---- swings ---- */

// a pair along x that starts with pure deformation rate `u` of one mode, without momentum
static void start_swing(grain g[2], mode m, double u)
{
    for (int k = 0; k < 2; k++) {
        double sign = k ? -1 : 1;
        g[k] = (grain){.x = {sign * DISTANCE / 2, 0, 0}, .radius = RADIUS};
        if (m == STRETCH) g[k].v[0] = sign * u;
        if (m == BEND) g[k].w[1] = sign * u;
        if (m == TWIST) g[k].w[0] = sign * u;
        if (m == SHEAR) {
            // both turn alike; the centres turn the other way about so that nothing is left over
            g[k].w[2] = u;
            g[k].v[1] = -sign * 2 * inertia * u / (mass * DISTANCE);
        }
    }
}

static double swing_rate(stage *s, mode m)
{
    double v[6], w[6];
    stage_view(s, "velocity", v, 6);
    stage_view(s, "spin", w, 6);
    return m == STRETCH ? v[0] : m == BEND ? w[1] : m == TWIST ? w[0] : w[2];
}

// rate after two and a quarter periods over that at the start: zero, but for the error in phase
static double swing_error(mode m, int steps_per_period, double u, const char *extra)
{
    grain g[2];
    start_swing(g, m, u);
    double dt = 2 * M_PI / frequency(m) / steps_per_period;
    stage s;
    if (!open_bonded(&s, g, 2, dt, extra, ", damping: 0")) return NAN;
    CHECK_INT(scree_simulation_stats(s.sim).bonds, 1);
    stage_advance(&s, steps_per_period * 9 / 4);
    double rate = swing_rate(&s, m) / u;
    scree_energies e = scree_simulation_energies(s.sim);
    CHECK_NEAR(e.closure / e.elastic_bond, 0, 1.1 * pow(2 * M_PI / steps_per_period, 2) / 4);
    stage_close(&s);
    return rate;
}

static void test_swing(mode m, const char *name)
{
    const double u = m == STRETCH ? 1e-7 : 1e-5; // so little that geometry stays linear
    double e[2];
    for (int k = 0; k < 2; k++) {
        int steps = k ? 128 : 32;
        e[k] = swing_error(m, steps, u, "");
        // velocity-Verlet swings with the frequency (2/dt) asin(omega dt/2)
        double phase = 2 * asin(M_PI / steps) * (steps * 9 / 4);
        CHECK_NEAR(e[k], cos(phase), 1e-6);
    }
    double order = log(fabs(e[0] / e[1])) / log(4);
    printf("%s: omega %.6g, error %.3g %.3g, order %.3f\n", name, frequency(m), e[0], e[1], order);
    CHECK_NEAR(order, 2, 0.02);
}

// across a periodic side the same
static void test_periodic(void)
{
    double inside = swing_error(SHEAR, 64, 1e-5, "");
    grain g[2];
    start_swing(g, SHEAR, 1e-5);
    g[0].x[0] += 1 - DISTANCE / 4, g[1].x[0] += 1 - DISTANCE / 4;
    g[0].x[0] -= 2;
    stage s;
    if (!open_bonded(&s, g, 2, 2 * M_PI / frequency(SHEAR) / 64, ", periodic: [x]", ", damping: 0")) return;
    stage_advance(&s, 64 * 9 / 4);
    CHECK_NEAR(swing_rate(&s, SHEAR) / 1e-5, inside, 1e-8); // rounding of 1 m against 1e-9 m
    stage_close(&s);
}

/* ---- a beam ---- */

#define BONDS 6

// a row of grains, the first frozen, sags under its weight; each grain's share from beam theory
static void test_beam(double fraction)
{
    grain g[BONDS + 1];
    for (int k = 0; k <= BONDS; k++) g[k] = (grain){.x = {k * DISTANCE, 0, 0}, .radius = RADIUS, .type = k ? 2 : 1};
    double R = fraction * RADIUS, A = M_PI * R * R, I = M_PI * pow(R, 4) / 4;
    double G = YOUNG / (2 * (1 + POISSON)), X = BONDS * DISTANCE, weight = mass * 0.05, sag = 0;
    for (int k = 1; k <= BONDS; k++) {
        double x = k * DISTANCE;
        sag += weight * (x * x * (3 * X - x) / (6 * YOUNG * I) + x / (0.9 * G * A));
    }
    stage s;
    bool ok = stage_open(&s, g, BONDS + 1,
                         "scree: 1\n"
                         "gravity: [0, 0, -0.05]\n"
                         "domain: {box: [[-1, -1, -1], [1, 1, 1]]}\n"
                         "materials: {glass: {density: %d, restitution: 0.9, friction: 0.5}}\n"
                         "contacts: {any: {stiffness: 1000}}\n"
                         "bodies:\n"
                         "  wall: {from: table, file: @, type: 1, material: glass, frozen: yes}\n"
                         "  beam: {from: table, file: @, type: 2, material: glass}\n"
                         "bonds: {glue: {gap: 3 mm, young: %g, poisson: %g, radius: %g, damping: 10}}\n"
                         "time: {end: 10, step: %g}\n",
                         DENSITY, YOUNG, POISSON, fraction, 3e-6 / fraction);
    if (!ok) return;
    CHECK_INT(scree_simulation_stats(s.sim).bonds, BONDS);
    stage_advance(&s, 500000); // until it is at rest
    double x[3 * (BONDS + 1)], v[3 * (BONDS + 1)];
    stage_view(&s, "position", x, 3 * (BONDS + 1));
    stage_view(&s, "velocity", v, 3 * (BONDS + 1));
    double tip = -x[3 * BONDS + 2];
    scree_energies e = scree_simulation_energies(s.sim);
    printf("beam: tip sags %.6g m, %.6g m by Timoshenko, off %.2g; speed %.2g, closure %.2g\n", tip, sag, tip / sag - 1,
           v[3 * BONDS + 2], e.closure / e.elastic_bond);
    CHECK_NEAR(tip / sag, 1, 1e-6); // 3e-9 and 8e-7
    stage_close(&s);
}

/* ---- strength ---- */

// a pair whose stress reaches `part` of the strength at the turn of its swing
static void test_strength(mode m, double part)
{
    double k = stiffness(m), A = M_PI * RADIUS * RADIUS, I = M_PI * pow(RADIUS, 4) / 4;
    double strength = 1e3;
    double most = m == STRETCH ? strength * A / k
                  : m == SHEAR ? strength * A / k
                  : m == BEND  ? strength * I / RADIUS / k
                               : strength * 2 * I / RADIUS / k; // of the spring
    double rate = part * most * frequency(m) / 2;              // each grain has half of it
    // of the shear rate, dv + d w, a part comes from the centres
    if (m == SHEAR) rate = part * most * frequency(m) / (DISTANCE + 4 * inertia / (mass * DISTANCE));
    grain g[2];
    start_swing(g, m, rate);
    stage s;
    char bond[96];
    bool pulls = m == STRETCH || m == BEND;
    snprintf(bond, sizeof bond, ", damping: 0, %s: %g", pulls ? "tensile_strength" : "shear_strength", strength);
    if (!open_bonded(&s, g, 2, 2 * M_PI / frequency(m) / 800, "", bond)) return;
    scree_energies start = scree_simulation_energies(s.sim);
    stage_advance(&s, 240); // the turn comes after 200
    scree_stats stats = scree_simulation_stats(s.sim);
    scree_energies e = scree_simulation_energies(s.sim);
    double all = start.translation + start.rotation;
    printf("mode %d at %g of the strength: broken %lld %lld, energy %.5f, closure %.2g\n", m, part,
           (long long)stats.broken_tension, (long long)stats.broken_shear, e.broken / all, e.closure / all);
    CHECK_INT(stats.broken_tension, pulls && part > 1);
    CHECK_INT(stats.broken_shear, !pulls && part > 1);
    CHECK_INT(stats.bonds, part < 1);
    CHECK_NEAR(e.closure / all, 0, 2e-5);
    // it breaks in the first step beyond the strength
    if (part > 1) CHECK_NEAR(e.broken / all, 1 / (part * part), 0.01 / part);
    if (part < 1) CHECK(e.broken == 0);
    stage_close(&s);
}

/* ---- tumbling ---- */

#define SOLID 6

// a crooked chain of grains of several sizes that flies and turns fast, also about its own axis
static void make_chain(grain *g)
{
    for (int k = 0; k < SOLID; k++) {
        g[k] = (grain){.radius = RADIUS * (1 - 0.1 * (k % 3)),
                       .x = {0.011 * k, 0.002 * (k % 2), 0.001 * k * (k % 3)},
                       .v = {0.1, 0.3 - 0.2 * k, 0.1 * (k % 2)},
                       .w = {40, 10.0 * k, -20}};
    }
}

typedef struct {
    double p[3], l[3], size, turn;
} moments;

static moments moments_of(stage *s)
{
    double x[3 * SOLID], v[3 * SOLID], w[3 * SOLID], m[SOLID], r[SOLID];
    stage_view(s, "position", x, 3 * SOLID);
    stage_view(s, "velocity", v, 3 * SOLID);
    stage_view(s, "spin", w, 3 * SOLID);
    stage_view(s, "mass", m, SOLID);
    stage_view(s, "radius", r, SOLID);
    moments t = {0};
    for (int k = 0; k < SOLID; k++)
        for (int d = 0; d < 3; d++) {
            int a = (d + 1) % 3, b = (d + 2) % 3;
            t.p[d] += m[k] * v[3 * k + d];
            t.l[d] += m[k] * (x[3 * k + a] * v[3 * k + b] - x[3 * k + b] * v[3 * k + a]) +
                      0.4 * m[k] * r[k] * r[k] * w[3 * k + d];
            t.size += m[k] * fabs(v[3 * k + d]);
            t.turn += m[k] * fabs(x[3 * k + a] * v[3 * k + b]);
        }
    return t;
}

typedef struct {
    double x[3 * SOLID], closure, energy;
} flight;

static flight fly(double dt, double time, const char *bond)
{
    grain g[SOLID];
    flight f = {.closure = NAN};
    make_chain(g);
    stage s;
    if (!open_bonded(&s, g, SOLID, dt, "", bond)) return f;
    scree_energies start = scree_simulation_energies(s.sim);
    moments before = moments_of(&s);
    stage_advance(&s, (int64_t)(time / dt + 0.5));
    moments after = moments_of(&s);
    scree_energies e = scree_simulation_energies(s.sim);
    for (int d = 0; d < 3; d++) {
        CHECK_NEAR((after.p[d] - before.p[d]) / before.size, 0, 1e-13);
        CHECK_NEAR((after.l[d] - before.l[d]) / before.turn, 0, 1e-12);
    }
    stage_view(&s, "position", f.x, 3 * SOLID);
    f.energy = start.translation + start.rotation;
    f.closure = e.closure / f.energy;
    stage_close(&s);
    return f;
}

static void test_flight(const char *bond, double order, double closure_order, const char *name)
{
    const double time = 0.02, dt = 8e-6;
    flight f[4];
    for (int k = 0; k < 4; k++) f[k] = fly(dt / (1 << k), time, bond);
    double e[3] = {0};
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 3 * SOLID; d++) e[k] = check_worse(e[k], fabs(f[k].x[d] - f[k + 1].x[d]));
    double measured = log2(e[1] / e[2]), closing = log2(fabs(f[1].closure / f[2].closure));
    printf("%s: differences %.2g %.2g %.2g m, order %.2f; closure %.2g %.2g %.2g, order %.2f\n", name, e[0], e[1], e[2],
           measured, f[0].closure, f[1].closure, f[2].closure, closing);
    CHECK_NEAR(measured, order, 0.15);
    CHECK_NEAR(closing, closure_order, 0.3);
    CHECK_NEAR(f[3].closure, 0, 1e-4);
}

/* ---- bonds of grains that leave ---- */

// a pair that swings and spins flies out through an open side, one grain before the other: the energy of the bond, and
// what it did to the grain that left in its last step, are in the ledger
static void test_leaving(int first, double angle)
{
    grain g[2];
    const double u[3] = {0.3, 0.2, 0.1}, w[3] = {50, -30, 80};
    for (int k = 0; k < 2; k++) {
        double sign = k == first ? 1 : -1, half = 0.5 * sign * DISTANCE;
        g[k] = (grain){.x = {0.99 + half * cos(angle), half * sin(angle), 0}, .radius = RADIUS};
        for (int d = 0; d < 3; d++) {
            g[k].v[d] = (d == 0) * 2 + sign * u[d];
            g[k].w[d] = (k ? 0.5 : -1) * w[d];
        }
    }
    stage s;
    double dt = 2 * M_PI / frequency(STRETCH) / 400;
    if (!open_bonded(&s, g, 2, dt, ", boundary: delete", ", damping: 0.05")) return;
    scree_energies e = scree_simulation_energies(s.sim), before = e;
    double all = e.translation + e.rotation;
    int64_t bodies = 2;
    for (int k = 0; k < 16000 && bodies > 1; k++) {
        before = e;
        stage_advance(&s, 1);
        bodies = scree_simulation_stats(s.sim).bodies;
        e = scree_simulation_energies(s.sim);
    }
    CHECK_INT(bodies, 1);
    CHECK_INT(scree_simulation_stats(s.sim).bonds, 0);
    printf("grain %d leaves: bond held %.2g, closure went from %.3g to %.3g of all energy\n", first,
           before.elastic_bond / all, before.closure / all, e.closure / all);
    CHECK(before.elastic_bond > 1e-3 * all);
    CHECK_NEAR((e.closure - before.closure) / all, 0, 1e-8); // less than 1e-9
    stage_close(&s);
}

/* ---- De Klerk et al. 2022: d = m = 1, k = 195000 ---- */

#define K 195000.0

// a stretch spring alone: the section is so thin that bending is nothing, and shear a billionth; the
// two grains have a group each, which do not touch
static bool open_reference(stage *s, const grain *g, int n, double dt, double damping)
{
    double R = 0.5e-4, area = M_PI * R * R;
    return stage_open(s, g, n,
                      "scree: 1\n"
                      "gravity: [0, 0, 0]\n"
                      "domain: {box: [[-20, -20, -20], [20, 20, 20]]}\n"
                      "materials: {unit: {density: %.17g, restitution: 1}}\n"
                      "contacts: {any: {stiffness: %g, tangential: none}}\n"
                      "bodies:\n"
                      "  a: {from: table, file: @, type: 1, material: unit}\n"
                      "  b: {from: table, file: @, type: 2, material: unit, ignores: a}\n"
                      "%s"
                      "bonds: {spring: {between: [a, b], gap: 0.1, young: %.17g, radius: 1e-4,\n"
                      "                 stiffness_ratio: 1e9, damping: %.17g}}\n"
                      "time: {end: 100, step: %.17g}\n",
                      6 / M_PI, K, n > 2 ? "  c: {from: table, file: @, type: 3, material: unit}\n" : "", K / area,
                      damping, dt);
}

typedef struct {
    double x, v, energy; /* r.m.s. of the errors in x and v; the largest of the energy's */
} pair_errors;

// a pair that starts at its rest length with the speeds +-1, over 20 sqrt(m/k), h in sqrt(m/k)
static pair_errors reference_pair(double h, double gamma)
{
    grain g[2] = {{.x = {0.5, 0, 0}, .radius = 0.5, .v = {1, 0, 0}, .type = 1},
                  {.x = {-0.5, 0, 0}, .radius = 0.5, .v = {-1, 0, 0}, .type = 2}};
    double dt = h / sqrt(K), omega0 = sqrt(2 * K), decay = gamma;
    double omega = sqrt(omega0 * omega0 - decay * decay);
    pair_errors e = {0};
    stage s;
    // gamma is the coefficient of the damper between the two: gamma = 2 zeta sqrt(k m*), m* = 1/2
    if (!open_reference(&s, g, 2, dt, gamma / (2 * sqrt(K / 2)))) return e;
    int steps = (int)(20 / h + 0.5);
    for (int k = 1; k <= steps; k++) {
        double x[6], v[6], t = k * dt;
        stage_advance(&s, 1);
        stage_view(&s, "position", x, 6);
        stage_view(&s, "velocity", v, 6);
        double swing = exp(-decay * t) * sin(omega * t) / omega;
        double rate = exp(-decay * t) * cos(omega * t) - decay * swing;
        // the start, where there is no error, is among the samples
        e.x += pow((x[0] - 0.5 - swing) * omega0, 2) / (steps + 1);
        e.v += pow(v[0] - rate, 2) / (steps + 1);
        e.energy = check_worse(e.energy, fabs(scree_simulation_energies(s.sim).closure));
    }
    stage_close(&s);
    return (pair_errors){sqrt(e.x), sqrt(e.v), e.energy};
}

static void test_reference_pair(void)
{
    pair_errors a = reference_pair(0.1, 0), b = reference_pair(0.05, 0);
    printf("bonded pair: %.3g %.3g, energy %.3g; orders %.2f %.2f\n", a.x, a.v, a.energy, log2(a.x / b.x),
           log2(a.v / b.v));
    CHECK_NEAR(a.x, 9.83e-3, 0.01e-3);
    CHECK_NEAR(a.v, 9.60e-3, 0.01e-3);
    CHECK_NEAR(a.energy, 5.0e-3, 0.05e-3);
    CHECK_NEAR(log2(a.x / b.x), 2, 0.02);
    CHECK_NEAR(log2(a.v / b.v), 2, 0.02);
    pair_errors c = reference_pair(0.0125, 30), d = reference_pair(0.00625, 30);
    printf("damped: %.3g %.3g, order %.2f\n", c.x, c.v, log2(c.x / d.x));
    CHECK_NEAR(c.x, 2.0e-3, 0.1e-3);
    CHECK_NEAR(log2(c.x / d.x), 1.04, 0.03);
}

// a bonded pair hit off centre by a sphere, 20 contact times after the hit
static void test_reference_hit(void)
{
    grain g[3] = {{.x = {-1, 0, 0}, .radius = 0.5, .v = {1, 0, 0}, .type = 1},
                  {.x = {-2, 0, 0}, .radius = 0.5, .v = {1, 0, 0}, .type = 2},
                  {.x = {1, 0.2, 0}, .radius = 0.5, .v = {-1, 0, 0}, .type = 3}};
    double tc = M_PI * sqrt(0.5 / K), dt = tc / 160;
    // the centres meet where their distance is 1
    double hit = (2 - sqrt(1 - 0.04)) / 2;
    stage s;
    if (!open_reference(&s, g, 3, dt, 0)) return;
    stage_advance(&s, (int64_t)((hit + 20 * tc) / dt + 0.5));
    double x[9], v[9];
    stage_view(&s, "position", x, 9);
    stage_view(&s, "velocity", v, 9);
    double length = hypot(x[0] - x[3], x[1] - x[4]);
    scree_energies e = scree_simulation_energies(s.sim);
    printf("pair that is hit: v3 %.5f %.5f, distance %.5f, closure %.2g\n", v[6], v[7], length, e.closure);
    CHECK_NEAR(v[6], 1.15478, 1e-4);
    CHECK_NEAR(v[7], 0.44241, 1e-4);
    CHECK_NEAR(length, 1.00252, 1e-5);
    stage_close(&s);
}

int main(void)
{
    test_reference_pair();
    test_reference_hit();
    test_swing(STRETCH, "stretch");
    test_swing(SHEAR, "shear");
    test_swing(BEND, "bending");
    test_swing(TWIST, "twist");
    test_periodic();
    test_beam(1);
    test_beam(0.5);
    for (int m = 0; m < 4; m++) {
        test_strength((mode)m, 0.99);
        test_strength((mode)m, 1.02);
    }
    test_flight(", damping: 0", 2, 2, "undamped");
    test_flight(", damping: 0.2", 1, 2, "damped");
    for (int k = 0; k < 6; k++) test_leaving(k % 2, 0.3 * (k / 2));
    return check_done();
}
