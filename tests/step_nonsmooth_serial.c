/* Steps of the nonsmooth integrator run in parallel: with two threads a whole step is at least 1.8 times as fast as
 * with one, if passes that all threads do scale perfectly.
 *
 * With p and s of serial_fixture.h the gain is (s + p)/(s + p/2). */
#include "check.h"
#include "run/simulation.h"
#include "serial_fixture.h"
#include "stage.h"

enum { WARM_UP = 4, STEPS = 6, ROUNDS = 3 };

// seconds of a step of a bed of 20 x 20 x 16 grains in a box, 50 warm sweeps: the best of some rounds
static serial_cost measure(int threads)
{
    serial_cost best = {INFINITY, INFINITY};
    stage s;
    if (!stage_open(
            &s, NULL, 0,
            "scree: 1\nseed: 3\ngravity: [0, 0, -9.81]\n"
            "domain: {box: [[-1, -1, -1], [21, 21, 40]]}\n"
            "materials: {m: {density: 2500, friction: 0.5, restitution: 0.1}}\n"
            "bodies: {all: {from: lattice, material: m, diameter: 1, spacing: 1.0, count: 6400,\n"
            "  region: {box: [[0, 0, 0], [20.01, 20.01, 30]]}}}\n"
            "walls:\n  floor: {shape: plane, material: m}\n"
            "  a: {shape: plane, material: m, normal: [1, 0, 0]}\n"
            "  b: {shape: plane, material: m, point: [20, 0, 0], normal: [-1, 0, 0]}\n"
            "  c: {shape: plane, material: m, normal: [0, 1, 0]}\n"
            "  d: {shape: plane, material: m, point: [0, 20, 0], normal: [0, -1, 0]}\n"
            "stepper: {type: nonsmooth, sweeps: 50, start: warm, reduction: off}\ntime: {end: 100, step: 5 ms}\n"))
        return best;
    scr_threads_set(threads);
    stage_advance(&s, WARM_UP);
    for (int round = 0; round < ROUNDS; round++) {
        serial_start();
        stage_advance(&s, STEPS);
        serial_cost c = serial_since_start();
        best.inside = fmin(best.inside, c.inside / STEPS), best.outside = fmin(best.outside, c.outside / STEPS);
    }
    CHECK(stage_contacts(&s) > 6400);
    stage_close(&s);
    return best;
}

int main(int argc, char **argv)
{
    (void)argc;
    stage_wait_passively(argv);
    double p = measure(1).inside, s = measure(2).outside, gain = (s + p) / (s + 0.5 * p);
    printf("%.2f ms of a step in parallel passes on one thread, %.3f ms outside of them: %.3f times with two threads\n",
           1e3 * p, 1e3 * s, gain);
    CHECK(gain > 1.8);
    return check_done();
}
