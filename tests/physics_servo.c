/* Servos against closed forms: the error that a receding sample leaves, the integral that removes it, the response of
 * the controller with its order, areas that follow walls, targets that follow time. */
#include "run/simulation.h"
#include "stage.h"

#define R         0.01
#define STIFFNESS 1e5
#define TARGET    20.0
#define GAIN      2e-4 /* [m/s/N] */

static const scr_wall *wall(const stage *s, int k)
{
    return &s->sim->world.walls[k];
}

static double force(const stage *s)
{
    return wall(s, 1)->force.z;
}

// a grain without weight between a floor that moves and a plate that holds a force; each contact is a spring
static bool open_press(stage *s, const char *stepper, double floor, double dt, const char *servo)
{
    grain g = {.x = {0, 0, R}, .radius = R};
    return stage_open(s, &g, 1,
                      "scree: 1\ngravity: [0, 0, 0]\n"
                      "domain: {box: [[-1, -1, -1], [1, 1, 1]]}\n"
                      "materials: {glass: {density: 2500, restitution: 0.1, friction: 0}}\n"
                      "contacts: {any: {stiffness: %g}}\n"
                      "bodies: {all: {from: table, file: @, material: glass}}\n"
                      "walls:\n"
                      "  floor: {shape: plane, material: glass, velocity: [0, 0, %g]}\n"
                      "  plate: {shape: plane, material: glass, point: [0, 0, 0.02], normal: [0, 0, -1],\n"
                      "    servo: {axis: [0, 0, -1], max_speed: 0.5, %s}}\n"
                      "stepper: {type: %s}\n"
                      "time: {end: 10, step: %.17g}\n",
                      STIFFNESS, floor, servo, stepper, dt);
}

// the floor goes down with v: the plate follows with v, which takes the error v / g or an integral of that size
static void test_receding(const char *stepper, double dt, double within)
{
    const double v = 2e-4;
    char servo[200];
    stage s;
    snprintf(servo, sizeof servo, "force: %g, gain: %g", TARGET, GAIN);
    if (open_press(&s, stepper, -v, dt, servo)) {
        stage_advance(&s, (int64_t)(2 / dt));
        CHECK_NEAR(force(&s) / (TARGET - v / GAIN), 1, within);
        CHECK_NEAR(wall(&s, 1)->held.push, 0, 0);
        stage_close(&s);
    }
    snprintf(servo, sizeof servo, "force: %g, gain: %g, integral_time: 200 ms", TARGET, GAIN);
    if (open_press(&s, stepper, -v, dt, servo)) {
        stage_advance(&s, (int64_t)(6 / dt));
        CHECK_NEAR(force(&s) / TARGET, 1, within);
        CHECK_NEAR(wall(&s, 1)->held.push / (v / GAIN), 1, 100 * within);
        scree_energies e = scree_simulation_energies(s.sim);
        printf("%s: closure %.2g of the work %.3g J\n", stepper, e.closure, e.wall_work);
        CHECK_NEAR(e.closure / e.wall_work, 0, 2e-3);
        stage_close(&s);
    }
}

// two springs in a row that the plate presses: f' = k u with k = stiffness / 2; from rest at zero force
//   f = T - T exp(-a t) (cos(b t) - (a / b) sin(b t)),   a = k g / 2,   b^2 = k g / tau - a^2
static double response(double t, double tau)
{
    double k = STIFFNESS / 2, a = k * GAIN / 2, b = sqrt(k * GAIN / tau - a * a);
    return TARGET - TARGET * exp(-a * t) * (cos(b * t) - a / b * sin(b * t));
}

static double miss(double dt)
{
    const double tau = 0.2, times[] = {0.1, 0.2, 0.3, 0.5};
    char servo[200];
    stage s;
    double worst = 0;
    int64_t done = 0;
    snprintf(servo, sizeof servo, "force: %g, gain: %g, integral_time: %g", TARGET, GAIN, tau);
    if (!open_press(&s, "soft", 0, dt, servo)) return NAN;
    for (int k = 0; k < 4; k++) {
        int64_t step = (int64_t)rint(times[k] / dt);
        stage_advance(&s, step - done), done = step;
        worst = fmax(worst, fabs(force(&s) - response((double)step * dt, tau)) / TARGET);
    }
    stage_close(&s);
    return worst;
}

// the grain has mass and the dashpots act: what is left when dt is small is of the order of its period over the
// controller's time
static void test_response(void)
{
    double coarse = miss(4e-5), fine = miss(2e-5), finer = miss(1e-5);
    double order = log2((coarse - fine) / (fine - finer));
    printf("response: off by %.3g, %.3g, %.3g; order %.2f\n", coarse, fine, finer, order);
    CHECK_NEAR(finer, 0, 0.01); // 2e-3 seen
    CHECK(order > 0.8 && order < 1.3);
}

// on its way through the air the integral does not grow: the overshoot is that of a jump of the
// target, below 1 / (k g tau) of it
static void test_windup(void)
{
    grain g = {.x = {0, 0, R}, .radius = R};
    stage s;
    if (!stage_open(&s, &g, 1,
                    "scree: 1\ngravity: [0, 0, 0]\n"
                    "domain: {box: [[-1, -1, -1], [1, 1, 1]]}\n"
                    "materials: {glass: {density: 2500, restitution: 0.1, friction: 0}}\n"
                    "contacts: {any: {stiffness: %g}}\n"
                    "bodies: {all: {from: table, file: @, material: glass}}\n"
                    "walls:\n"
                    "  floor: {shape: plane, material: glass}\n"
                    "  plate: {shape: plane, material: glass, point: [0, 0, 0.022], normal: [0, 0, -1],\n"
                    "    servo: {axis: [0, 0, -1], force: %g, max_speed: 0.02, gain: %g, integral_time: 0.5 s}}\n"
                    "time: {end: 10, step: 2e-5}\n",
                    STIFFNESS, TARGET, GAIN))
        return;
    double most = 0;
    for (int k = 0; k < 1000; k++) stage_advance(&s, 200), most = fmax(most, force(&s));
    printf("windup: largest force %.6g N of %g N\n", most, TARGET);
    CHECK(most < (1 + 1 / (STIFFNESS / 2 * GAIN * 0.5)) * TARGET);
    CHECK_NEAR(force(&s) / TARGET, 1, 1e-3);
    stage_close(&s);
}

// the pressure acts on the area between four walls, two of which move: 0.2 m x (0.3 - 2 v t)
static void test_area(void)
{
    grain g = {.x = {0, 0, R}, .radius = R};
    stage s;
    if (!stage_open(
            &s, &g, 1,
            "scree: 1\ngravity: [0, 0, 0]\n"
            "domain: {box: [[-1, -1, -1], [1, 1, 1]]}\n"
            "materials: {glass: {density: 2500, restitution: 0.1, friction: 0}}\n"
            "contacts: {any: {stiffness: 1e5}}\n"
            "bodies: {all: {from: table, file: @, material: glass}}\n"
            "walls:\n"
            "  floor: {shape: plane, material: glass}\n"
            "  plate: {shape: plane, material: glass, point: [0, 0, 0.02], normal: [0, 0, -1], servo: {axis: [0, 0, "
            "-1], pressure: 500, between: [west, east, south, north], max_speed: 0.5, gain: 2e-3, integral_time: 20 "
            "ms, "
            "signal: {type: table, table: [[0, 0], [0.1, 1], [0.2, 1], [0.3, 0.5]]}}}\n"
            "  west: {shape: plane, material: glass, point: [-0.15, 0, 0], normal: [1, 0, 0], velocity: [0.1, 0, 0]}\n"
            "  east: {shape: rectangle, material: glass, corner: [0.15, -1, -1], along: [0, 0, 2], across: [0, 2, 0], "
            "velocity: [-0.1, 0, 0]}\n"
            "  south: {shape: plane, material: glass, point: [0, -0.1, 0], normal: [0, 1, 0]}\n"
            "  north: {shape: plane, material: glass, point: [0, 0.1, 0], normal: [0, -1, 0]}\n"
            "time: {end: 10, step: 2e-5}\n"))
        return;
    const double at[] = {0.05, 0.15, 0.25, 0.4}, factor[] = {0.5, 1, 0.75, 0.5};
    int64_t done = 0;
    for (int k = 0; k < 4; k++) {
        int64_t step = (int64_t)rint(at[k] / 2e-5);
        stage_advance(&s, step - done), done = step;
        const scr_wall *plate = wall(&s, 1);
        // measured before walls move: where they were a step ago
        double area = 0.2 * (0.3 - 0.2 * (at[k] - 2e-5));
        CHECK_NEAR(plate->held.area / area, 1, 1e-12);
        CHECK_NEAR(scr_servo_target(&plate->motion.control, &plate->held, at[k]) / (500 * area * factor[k]), 1, 1e-9);
        CHECK_NEAR(force(&s) / (500 * area * factor[k]), 1, 0.08); // the integral follows a ramp with a lag
    }
    stage_close(&s);
}

int main(void)
{
    test_receding("soft", 2e-5, 1e-6);
    test_receding("variational", 1e-4, 1e-6);
    test_response();
    test_windup();
    test_area();
    return check_done();
}
