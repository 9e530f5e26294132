/* Gravity that varies in time: free fall against closed forms, with the order of each stepper, and the ledger. */
#include "stage.h"

#define G    9.81
#define T    0.5 /* until then [s] */
#define SPIN 9.0 /* of gravity that swings [rad/s] */

typedef struct {
    double x, v, closure;
} errors;

static bool open_fall(stage *s, const char *gravity, const char *stepper, double dt)
{
    grain g = {.x = {0, 0, 4}, .radius = 0.1, .v = {1, 0, 2}};
    return stage_open(s, &g, 1,
                      "scree: 1\n"
                      "%s\n"
                      "domain: {box: [[-9, -9, -9], [9, 9, 9]]}\n"
                      "materials: {unit: {density: 1000, restitution: 1, friction: 0}}\n"
                      "contacts: {any: {stiffness: 1e5}}\n"
                      "bodies: {all: {from: table, file: @, material: unit}}\n"
                      "stepper: {%s}\n"
                      "time: {end: 1, step: %.17g}\n",
                      gravity, stepper, dt);
}

// what is left of height and speed at the end, where z is 4 + 2 T + fall and the speed 2 + gain
static errors fall(const char *gravity, const char *stepper, double z, double gain, int steps)
{
    stage s;
    errors e = {NAN, NAN, NAN};
    if (!open_fall(&s, gravity, stepper, T / steps)) return e;
    stage_advance(&s, steps);
    double x[3], v[3];
    stage_view(&s, "position", x, 3), stage_view(&s, "velocity", v, 3);
    scree_energies books = scree_simulation_energies(s.sim);
    e = (errors){x[2] - (4 + 2 * T + z), v[2] - (2 + gain), books.closure / books.translation};
    CHECK_NEAR(x[0], T, 1e-12);
    stage_close(&s);
    return e;
}

static void test_ramp(void)
{
    static const char *gravity = "gravity: [0, 0, -9.81]\ngravity_signal: {type: ramp, duration: 1}\n";
    double z = -G * T * T * T / 6, gain = -G * T * T / 2;
    // velocities are exact where gravity is that of the middle or the mean of both ends, as it is linear
    errors soft = fall(gravity, "type: soft", z, gain, 100);
    errors half = fall(gravity, "type: soft", z, gain, 200);
    printf("ramp, soft: x %.2e, v %.2e, closure %.2e; order %.4f\n", soft.x, soft.v, soft.closure,
           log2(soft.x / half.x));
    CHECK_NEAR(log2(soft.x / half.x), 2, 1e-6); // 1e-9
    CHECK_NEAR(soft.v, 0, 1e-13);               // 4e-15
    errors middle = fall(gravity, "type: variational", z, gain, 100);
    half = fall(gravity, "type: variational", z, gain, 200);
    printf("ramp, midpoint: x %.2e, v %.2e, closure %.2e; order %.4f\n", middle.x, middle.v, middle.closure,
           log2(middle.x / half.x));
    CHECK_NEAR(log2(middle.x / half.x), 2, 1e-6);
    CHECK_NEAR(middle.v, 0, 1e-13);
}

// gravity that swings: orders of place, and of the ledger where that has one
static void test_swing(const char *stepper, double order, double books)
{
    char gravity[160];
    snprintf(gravity, sizeof gravity, "gravity: [0, 0, -9.81]\ngravity_signal: {type: sine, frequency: %.17g}\n",
             SPIN / (2 * M_PI));
    double w = SPIN, z = -G / w * (T - sin(w * T) / w), gain = -G / w * (1 - cos(w * T));
    errors a = fall(gravity, stepper, z, gain, 400), b = fall(gravity, stepper, z, gain, 800);
    double found = log2(fabs(a.x / b.x));
    printf("swing, %s: x %.2e, order %.3f; closure %.1e, then %.1e\n", stepper, a.x, found, a.closure, b.closure);
    CHECK_NEAR(found, order, 0.05);
    if (books > 0) CHECK_NEAR(log2(fabs(a.closure / b.closure)), books, 0.05);
    if (books == 0) CHECK_NEAR(a.closure, 0, 1e-11);
}

// a table of vectors: gravity turns from z to x and stays
static void test_turn(void)
{
    static const char *gravity = "gravity_table: [[0.1, 0, 0, -9.81], [0.3, 9.81, 0, 0]]";
    stage s;
    if (!open_fall(&s, gravity, "type: soft", 1e-3)) return;
    stage_advance(&s, 500);
    double v[3];
    stage_view(&s, "velocity", v, 3);
    // trapezoids
    CHECK_NEAR(v[0], 1 + G * (0.2 / 2 + 0.2), 1e-12);
    CHECK_NEAR(v[2], 2 - G * (0.1 + 0.2 / 2), 1e-12);
    stage_close(&s);
}

int main(void)
{
    test_ramp();
    test_swing("type: soft", 2, 2);
    test_swing("type: variational", 2, 0);
    test_swing("type: variational, theta: 1", 1, 0);
    test_swing("type: nonsmooth", 1, 0);
    test_turn();
    return check_done();
}
