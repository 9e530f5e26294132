/* Grains that leave under the nonsmooth stepper: a step in which some do costs what leaves, not what there is, and who
 * stays does not notice: the same state, grain by grain, and the same books as without them. */
#include "base/os.h"
#include "run/simulation.h"
#include "stage.h"

enum { SORTED = 511 }; /* the step that loads everything anew (nonsmooth.c) */

/* Many grains sleep on a floor; beside it others fall out of the domain, one after the other. */
static void test_cost(void)
{
    enum { FALLING = 60 };
    grain g[FALLING];
    stage s;
    for (int k = 0; k < FALLING; k++) g[k] = (grain){.x = {1.5, 0.5, 0.05 + 0.25 * k}, .radius = 4e-3};
    if (!stage_open(&s, g, FALLING,
                    "scree: 1\n"
                    "domain: {box: [[-0.1, -0.1, -0.1], [1.6, 1.1, 20]], boundary: delete}\n"
                    "materials: {rock: {density: 3700, restitution: 0.2, friction: 0.6}}\n"
                    "contacts: {any: {stiffness: 3 kN/m}}\n"
                    "bodies: {falling: {from: table, file: @, material: rock}, bed: {from: lattice, material: rock,\n"
                    "  diameter: 8 mm, spacing: 9 mm, region: {box: [[0, 0, 0.0005], [1.25, 1, 0.01]]}}}\n"
                    "walls: {floor: {shape: rectangle, material: rock, corner: [-0.05, -0.05, 0], along: [1.4, 0, 0],\n"
                    "  across: [0, 1.1, 0]}}\n"
                    "stepper: {type: nonsmooth, reduction: on}\n"
                    "time: {end: 9, step: 3 ms}\n"))
        return;
    double leaving = INFINITY, sorting = 0;
    int left = 0;
    for (int step = 0; step <= SORTED; step++) {
        int64_t before = scree_simulation_stats(s.sim).bodies;
        double start = scr_processor_seconds();
        stage_advance(&s, 1);
        double seconds = scr_processor_seconds() - start;
        bool leaves = scree_simulation_stats(s.sim).bodies < before;
        if (step == SORTED) sorting = seconds;
        if (leaves && step > SORTED / 2 && step < SORTED) left++, leaving = fmin(leaving, seconds);
    }
    scree_stats st = scree_simulation_stats(s.sim);
    printf(
        "%lld grains, %lld asleep: a step in which one leaves %.3g ms (%d of them), one that loads all anew %.3g ms\n",
        (long long)st.bodies, (long long)st.merged, 1e3 * leaving, left, 1e3 * sorting);
    CHECK(st.merged > 14000);
    CHECK(left > 5);
    CHECK(leaving < 0.2 * sorting); // 0.03 measured; 1 when everything is loaded anew
    stage_close(&s);
}

/* ---- who stays ---- */

static const char two_heaps[] =
    "scree: 1\n"
    "domain: {box: [[-1, -0.2, -0.2], [1, 0.2, 1]], boundary: delete}\n"
    "materials: {rock: {density: 3700, restitution: 0.2, friction: 0.6, rolling_friction: 0.2}}\n"
    "contacts: {any: {stiffness: 3 kN/m, rolling: sds}}\n"
    "bodies: {all: {from: table, file: @, material: rock}}\n"
    "outlets: {left: {shape: box, box: [[-1, -0.2, -0.2], [-0.1, 0.2, 0.02]], start: 0.5}}\n"
    "walls: {belt: {shape: plane, material: rock, velocity: [%s, 0, 0]}}\n"
    "stepper: {type: nonsmooth, %s}\n"
    "time: {end: 9, step: 4 ms}\n";

// two heaps far from each other, grains of both taking turns in the table; the first one is taken away from below.
// The second one is as without the first, to what the order of contacts does in sweeps
static void test_stays(const char *velocity, const char *stepper, double most)
{
    enum { SIDE = 5, LAYERS = 6, EACH = SIDE * SIDE * LAYERS, STEPS = 240 };
    static grain g[2 * EACH], alone[EACH];
    static double x[3 * EACH], y[3 * EACH];
    for (int k = 0; k < EACH; k++) {
        double at[3] = {0.014 * (k % SIDE), 0.014 * (k / SIDE % SIDE), 0.007 + 0.0138 * (k / SIDE / SIDE)};
        grain here = {.radius = 5e-3 + 1e-6 * (k * 37 % 1000), .id = k + 1};
        for (int d = 0; d < 3; d++) here.x[d] = at[d] + 1e-6 * (k * (61 + 7 * d) % 997);
        g[2 * k] = here, alone[k] = here;
        here.x[0] -= 0.5, here.id += EACH;
        g[2 * k + 1] = here;
    }
    stage both, one;
    if (!stage_open(&both, g, 2 * EACH, two_heaps, velocity, stepper)) return;
    if (!stage_open(&one, alone, EACH, two_heaps, velocity, stepper)) return;
    int times = 0;
    double off = 0;
    for (int step = 0; step < STEPS; step++) {
        int64_t before = scree_simulation_stats(both.sim).bodies;
        stage_advance(&both, 1), stage_advance(&one, 1);
        times += scree_simulation_stats(both.sim).bodies < before;
    }
    stage_view(&both, "position", x, 3 * EACH), stage_view(&one, "position", y, 3 * EACH);
    for (int k = 0; k < 3 * EACH; k++) off = check_worse(off, fabs(x[k] - y[k]));
    scree_stats st = scree_simulation_stats(both.sim);
    scree_energies e = scree_simulation_energies(both.sim);
    const scr_tally *t = &both.sim->world.tally;
    double open = e.closure - t->unforeseen - t->unsolved;
    printf("%s, belt %s: %d steps in which grains leave, %lld are left, %lld merged; off by %.1e m, books by %.1e J\n",
           stepper, velocity, times, (long long)st.bodies, (long long)st.merged, off, open);
    CHECK(times > 10);
    CHECK(st.bodies < 3 * EACH / 2);
    if (isfinite(most)) CHECK(off < most);
    CHECK(fabs(open) < 1e-12);
    stage_close(&both), stage_close(&one);
}

int main(void)
{
    test_cost();
    test_stays("0", "reduction: off", 1e-6);
    test_stays("0", "reduction: on", 1e-12);
    test_stays("-0.1", "reduction: on", INFINITY); // grains roll off: small differences grow
    return check_done();
}
