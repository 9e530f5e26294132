/* Friction against closed forms and the numbers of the method note (A2): oblique impacts on a
 * frozen grain and on a wall, slip that becomes rolling, grains on an incline, bounces on a floor.
 */
#include "kernel/law.h"
#include "stage.h"

#define SLOPE(degrees) ((degrees)*M_PI / 180)

static double mass_of(double radius)
{
    return 2500 * 4.0 / 3 * M_PI * radius * radius * radius;
}

/* ---- oblique impacts ---- */

typedef struct {
    double angle; /* from the normal [rad] */
    double restitution;
    double large; /* radius of the frozen grain; 0: a wall */
    int steps;    /* of the contact time */
    const char *scheme, *slip;
} impact;

typedef struct {
    double vx, vz, wr; /* after, over the speed before */
} outcome;

static outcome collide(const impact *c)
{
    // the note's: 2R = 4 mm, ratio 20, E = 72 GPa, stiffness matched to Hertz' at V0 = sqrt(2 g R)
    const double big = 2e-3, r = big / 20, speed = sqrt(2 * 9.81 * big), m = mass_of(r);
    double modulus = 72e9 / 2 / (1 - 0.3 * 0.3);
    double kn = 1.2024 * pow(sqrt(m) * modulus * modulus * big * r / (big + r) * speed, 0.4);
    double dt = M_PI * sqrt(m / kn) / c->steps;
    grain g[2] = {{.x = {0, 0, c->large + r}, .radius = r, .type = 1}, {.radius = c->large, .type = 2}};
    g[0].v[0] = speed * sin(c->angle), g[0].v[2] = -speed * cos(c->angle);
    stage s;
    outcome o = {NAN, NAN, NAN};
    if (!stage_open(&s, g, c->large > 0 ? 2 : 1,
                    "scree: 1\n"
                    "gravity: [0, 0, 0]\n"
                    "domain: {box: [[-1, -1, -1], [1, 1, 1]]}\n"
                    "materials: {glass: {density: 2500, poisson: 0.3}}\n"
                    "contacts: {any: {stiffness: %.17g, restitution: %.17g, friction: 0.3, slip: "
                    "%s}}\n"
                    "bodies:\n"
                    "  a: {from: table, file: @, type: 1, material: glass}\n"
                    "%s"
                    "stepper: {type: soft, scheme: %s}\n"
                    "time: {end: 1, step: %.17g}\n",
                    kn, c->restitution, c->slip ? c->slip : "spring",
                    c->large > 0 ? "  b: {from: table, file: @, type: 2, material: glass, frozen: yes}\n"
                                 : "walls: {w: {shape: plane, material: glass}}\n",
                    c->scheme, dt))
        return o;
    stage_collide(&s, 4 * c->steps);
    double v[3], w[3];
    stage_view(&s, "velocity", v, 3);
    stage_view(&s, "spin", w, 3);
    o = (outcome){v[0] / speed, v[2] / speed, w[1] * r / speed};
    stage_close(&s);
    return o;
}

// the note's springs keep the damper's force while they slip
static void test_note(void)
{
    // the damping of e = 0.8 without clipping, clipped
    double e = scr_restitution_clipped(scr_damping_ratio_unclipped(0.8));
    const double angles[] = {10, 45, 70};
    const outcome want[] = {{0.13271, 0.79623, 0.10236}, {0.43985, 0.57168, 0.66823}, {0.75417, 0.27647, 0.46387}};
    for (int k = 0; k < 3; k++) {
        impact c = {SLOPE(angles[k]), e, 2e-3, 400, "improved", "damper"};
        outcome a = collide(&c);
        c.scheme = "standard";
        outcome b = collide(&c);
        printf("%g deg: %.5f %.5f %.5f; schemes differ by %.2g %.2g %.2g\n", angles[k], a.vx, a.vz, a.wr, a.vx - b.vx,
               a.vz - b.vz, a.wr - b.wr);
        CHECK_NEAR(a.vx, want[k].vx, 2e-4); // 8e-5: the note's arm is r, ours r - delta/2
        CHECK_NEAR(a.vz, want[k].vz, 1e-4); // 1e-5
        CHECK_NEAR(a.wr, want[k].wr, 2e-4); // 9e-5
        CHECK_NEAR(b.vx, a.vx, 1e-7);       // 5e-9
        CHECK_NEAR(b.vz, a.vz, 1e-7);       // 3e-9
        CHECK_NEAR(b.wr, a.wr, 1e-7);       // 1.4e-8
    }
}

// a grain that slides throughout receives mu times the normal impulse
static void test_gross_sliding(void)
{
    const double angles[] = {65, 70, 80};
    for (int k = 0; k < 3; k++)
        for (int wall = 0; wall < 2; wall++) {
            double a = SLOPE(angles[k]);
            outcome o = collide(&(impact){a, 0.8, wall ? 0 : 0.5, 2000, "improved", NULL});
            CHECK_NEAR(o.vx, sin(a) - 0.3 * 1.8 * cos(a), 2e-4); // at most 1.1e-5
            CHECK_NEAR(o.vz, 0.8 * cos(a), 2e-4);                // 3.5e-5
            CHECK_NEAR(o.wr, 2.5 * 0.3 * 1.8 * cos(a), 2e-4);    // 2.3e-5
            printf("sliding at %g deg: off by %.2g %.2g %.2g\n", angles[k], o.vx - (sin(a) - 0.3 * 1.8 * cos(a)),
                   o.vz - 0.8 * cos(a), o.wr - 2.5 * 0.3 * 1.8 * cos(a));
        }
}

// a wall is a frozen grain of no curvature
static void test_wall(void)
{
    const double angles[] = {0, 10, 30, 45, 60, 70};
    for (int k = 0; k < 6; k++) {
        impact c = {SLOPE(angles[k]), 0.8, 0.9, 400, "improved", NULL};
        outcome grain_like = collide(&c);
        c.large = 0;
        outcome wall = collide(&c);
        c.scheme = "standard"; // a plane's normal does not turn
        outcome standard = collide(&c);
        printf("wall at %g deg: %.2g %.2g %.2g unlike a large grain\n", angles[k], wall.vx - grain_like.vx,
               wall.vz - grain_like.vz, wall.wr - grain_like.wr);
        CHECK_NEAR(wall.vx, grain_like.vx, 1e-6); // 1.0e-7
        CHECK_NEAR(wall.vz, grain_like.vz, 1e-6); // 1.4e-7
        CHECK_NEAR(wall.wr, grain_like.wr, 1e-6); // 1.2e-7
        CHECK_NEAR(standard.vx, wall.vx, 1e-12);
        CHECK_NEAR(standard.wr, wall.wr, 1e-12);
    }
}

/* ---- a grain on a floor ---- */

#define RADIUS   5e-3
#define FLOOR_KN 1e5

// gravity (gx, gz); the grain starts at equilibrium overlap with speed v0
static bool open_floor(stage *s, double gx, double gz, double mu, double v0, double dt)
{
    grain g = {.x = {-0.9, 0, RADIUS - mass_of(RADIUS) * fabs(gz) / FLOOR_KN}, .radius = RADIUS, .v = {v0}};
    return stage_open(s, &g, 1,
                      "scree: 1\n"
                      "gravity: [%.17g, 0, %.17g]\n"
                      "domain: {box: [[-1, -1, -1], [9, 1, 1]]}\n"
                      "materials: {glass: {density: 2500, poisson: 0.3}}\n"
                      "contacts: {any: {stiffness: %g, restitution: 0.5, friction: %g}}\n"
                      "bodies: {a: {from: table, file: @, material: glass}}\n"
                      "walls: {w: {shape: plane, material: glass}}\n"
                      "time: {end: 1, step: %.17g}\n",
                      gx, gz, FLOOR_KN, mu, dt);
}

static void test_slip_to_roll(void)
{
    const double v0 = 0.5, mu = 0.3, gravity = 9.81, dt = 1e-6, stop = 2 * v0 / (7 * mu * gravity);
    stage s;
    if (!open_floor(&s, 0, -gravity, mu, v0, dt)) return;
    double v[3], w[3], friction = -1, slipped = 0;
    int half = (int)(0.5 * stop / dt);
    stage_advance(&s, half);
    stage_view(&s, "velocity", v, 3);
    stage_view(&s, "spin", w, 3);
    double t = half * dt;
    printf("slip: %.2g %.2g off at half time\n", v[0] - (v0 - mu * gravity * t),
           w[1] * RADIUS - 2.5 * mu * gravity * t);
    CHECK_NEAR(v[0], v0 - mu * gravity * t, 5e-11);          // 8e-13
    CHECK_NEAR(w[1] * RADIUS, 2.5 * mu * gravity * t, 1e-5); // 2.3e-6: the arm is r - delta/2
    // the last step in which friction took energy
    for (int k = 0; k < half / 5; k++) {
        stage_advance(&s, 10);
        scree_energies e = scree_simulation_energies(s.sim);
        if (e.friction > friction) slipped = scree_simulation_stats(s.sim).time, friction = e.friction;
    }
    stage_view(&s, "velocity", v, 3);
    stage_view(&s, "spin", w, 3);
    printf("roll: slip ends %.3g s late, v %.2g, w %.2g off; friction %.2g\n", slipped - stop, v[0] - 5.0 / 7 * v0,
           w[1] * RADIUS - v[0], friction / (mass_of(RADIUS) * v0 * v0 / 7) - 1);
    CHECK_NEAR(slipped, stop, 5e-4);       // 8.7e-6 of 0.049
    CHECK_NEAR(v[0], 5.0 / 7 * v0, 1e-5);  // 2.6e-6
    CHECK_NEAR(w[1] * RADIUS, v[0], 2e-5); // 4.6e-6
    // rolling keeps 5/7 of the energy: 2/7 of m v0^2 / 2 is gone
    CHECK_NEAR(friction / (mass_of(RADIUS) * v0 * v0 / 7), 1, 2e-4); // off by 1.4e-5
    stage_close(&s);
}

static void test_incline(void)
{
    const double gravity = 9.81, time = 0.2, dt = 1e-5;
    const struct {
        double degrees, mu;
    } cases[] = {{20, 0.5}, {10, 0.2}, {40, 0.2}, {60, 0.3}};
    for (int k = 0; k < 4; k++) {
        double a = SLOPE(cases[k].degrees), mu = cases[k].mu;
        bool slides = mu < 2.0 / 7 * tan(a);
        double want = slides ? gravity * (sin(a) - mu * cos(a)) : 5.0 / 7 * gravity * sin(a);
        double turn = slides ? 2.5 * mu * gravity * cos(a) : want;
        stage s;
        if (!open_floor(&s, gravity * sin(a), -gravity * cos(a), mu, 0, dt)) return;
        stage_advance(&s, (int64_t)(time / dt + 0.5));
        double v[3], w[3], x[3];
        stage_view(&s, "velocity", v, 3);
        stage_view(&s, "spin", w, 3);
        stage_view(&s, "position", x, 3);
        printf("incline %g deg %s: %.2g %.2g %.2g off\n", cases[k].degrees, slides ? "slides" : "rolls",
               v[0] / (want * time) - 1, w[1] * RADIUS / (turn * time) - 1,
               (x[0] + 0.9) / (0.5 * want * time * time) - 1);
        CHECK(slides == (k >= 2));
        CHECK_NEAR(v[0] / (want * time), 1, 4e-4);                      // 5.0e-5
        CHECK_NEAR(w[1] * RADIUS / (turn * time), 1, 5e-4);             // 1.7e-4: loading of the spring
        CHECK_NEAR((x[0] + 0.9) / (0.5 * want * time * time), 1, 4e-4); // 1.0e-4
        stage_close(&s);
    }
}

// after n bounces a grain rises to e^2n of the height it fell from
static void test_bounces(void)
{
    const double height = 0.05, e = 0.8, m = mass_of(RADIUS);
    grain g = {.x = {0, 0, RADIUS + height}, .radius = RADIUS};
    stage s;
    if (!stage_open(&s, &g, 1,
                    "scree: 1\n"
                    "domain: {box: [[-1, -1, -1], [1, 1, 1]]}\n"
                    "materials: {glass: {density: 2500}}\n"
                    "contacts: {any: {stiffness: 1e6, restitution: %g, friction: 0.3}}\n"
                    "bodies: {a: {from: table, file: @, material: glass}}\n"
                    "walls: {w: {shape: plane, material: glass}}\n"
                    "time: {end: 1, step: 2e-7}\n",
                    e))
        return;
    for (int n = 1; n <= 3; n++) {
        if (!stage_collide(&s, 2000000)) break;
        scree_energies now = scree_simulation_energies(s.sim);
        double top = (now.translation + now.gravity) / (m * 9.81) - RADIUS;
        printf("bounce %d: height %.2g off\n", n, top / (height * pow(e, 2 * n)) - 1);
        CHECK_NEAR(top / (height * pow(e, 2 * n)), 1, 5e-3); // 1.7e-3
    }
    stage_close(&s);
}

int main(void)
{
    test_note();
    test_gross_sliding();
    test_wall();
    test_slip_to_roll();
    test_incline();
    test_bounces();
    return check_done();
}
