/* Steps of the nonsmooth integrator run in parallel: with two threads a whole step is at least 1.8 times as fast as
 * with one, if passes that all threads do scale perfectly.
 *
 * Counted, so that it holds on a busy machine: the processor time p of all that is inside scr_each and scr_team, on one
 * thread, and the processor time s of the calling thread outside of them, with two. Then the gain is (s + p)/(s + p/2).
 * The linker puts the clock between these and their callers (--wrap). */
#include <time.h>

#include "check.h"
#include "exec/cpu/threads.h"
#include "run/simulation.h"
#include "stage.h"

enum { WARM_UP = 4, STEPS = 6, ROUNDS = 3 };

static double inside;
static int depth;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void __real_scr_each(size_t count, const uint32_t *cost, scr_work *work, void *context);
void __wrap_scr_each(size_t count, const uint32_t *cost, scr_work *work, void *context);
void __real_scr_team(int most, scr_team_work *work, void *context);
void __wrap_scr_team(int most, scr_team_work *work, void *context);

void __wrap_scr_each(size_t count, const uint32_t *cost, scr_work *work, void *context)
{
    double start = now();
    depth++;
    __real_scr_each(count, cost, work, context);
    if (!--depth) inside += now() - start;
}

void __wrap_scr_team(int most, scr_team_work *work, void *context)
{
    double start = now();
    depth++;
    __real_scr_team(most, work, context);
    if (!--depth) inside += now() - start;
}

/* Seconds of a step. */
typedef struct {
    double inside, outside;
} cost;

// a bed of 20 x 20 x 16 grains in a box, 50 warm sweeps; the best of some rounds
static cost measure(int threads)
{
    cost best = {INFINITY, INFINITY};
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
        inside = 0;
        double start = now();
        stage_advance(&s, STEPS);
        double all = (now() - start) / STEPS;
        best.inside = fmin(best.inside, inside / STEPS);
        best.outside = fmin(best.outside, all - inside / STEPS);
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
