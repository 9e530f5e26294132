/* Contacts of elastic solids with each other: friction of blocks; the same bits for any number of threads. */
#include "run/simulation.h"
#include "stage.h"
#include "world/ledger.h"

#define SOLID "  soft: {density: 1000, young: 1e6, poisson: 0.25}\n"

/* ---- a block on a block ---- */

// gravity is tilted by `angle`; how the upper block has moved along the slope, and how fast it is
static void test_incline(double angle, double friction)
{
    stage s;
    double g = 10, time = 0.25;
    if (!stage_open(&s, NULL, 0,
                    "scree: 1\n"
                    "domain: {box: [[-3, -3, -3], [3, 3, 3]]}\n"
                    "gravity: [%.17g, 0, %.17g]\n"
                    "materials:\n" SOLID "contacts: {any: {stiffness: 1e5, restitution: 0.1, friction: %.17g}}\n"
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
        for (int k = w->solids[1].first_cell; k < w->solids[1].first_cell + w->solids[1].cell_count; k++)
            speed[part] += w->cells.velocity[4 * k] / w->solids[1].cell_count;
    }
    double got = (speed[1] - speed[0]) / time, want = fmax(0, g * (sin(angle) - friction * cos(angle)));
    scree_energies e = scr_ledger_energies(w);
    printf("incline of %.3g rad, friction %.3g: acceleration %.5g m/s^2, expected %.5g; speed %.3g m/s, closure %.2g J "
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
    bool ok =
        stage_open_threads(&s, threads, g, n,
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
    test_incline(0.3, 0.5);
    test_incline(0.5, 0.3);
    test_threads();
    return check_done();
}
