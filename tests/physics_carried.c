/* Aggregates that walls carry: belts, their seams and ends, lifts, what is in the way, regions that stay resolved. */
#include "reduction_fixture.h"

#include "step/nonsmooth/work.h"

// A grain that falls alone on one that never moves, or on one that sleeps: there is no flow whose mean it could move
// against, and still the contact is foreseen and neither overlap.
static void test_lone(void)
{
    for (int sleeps = 0; sleeps < 2; sleeps++) {
        setting c = {.walls = "floor: {shape: plane, material: rock}"};
        grain g[3] = {{.x = {0, 0, 0.1}, .v = {0, 0, -1.5}, .radius = R, .type = 1},
                      {.x = {1e-3, 0, R}, .radius = R, .type = sleeps ? 1 : 2},
                      {.x = {-1.5, -1.5, 1}, .radius = R, .type = 2}};
        stage s;
        if (!set(&s, &c, g, 3)) return;
        stage_advance(&s, 6);
        CHECK_INT(stats(&s).merged, sleeps);
        stage_advance(&s, 20);
        double deepest = s.sim->world.tally.deepest;
        printf("a lone grain, at 1.5 m/s on one that %s: overlap %.2f %% of the diameter\n",
               sleeps ? "sleeps" : "never moves", 100 * deepest);
        CHECK(deepest < 0.01); // found by the flow's mean alone it is found late
        stage_close(&s);
    }
}

/* ---- walls that move ---- */

static void test_belt(void)
{
    static grain g[MOST];
    static double x[2][3 * MOST], v[3 * MOST];
    int n = lay(g, 8, 6, 2, 3);
    setting c = {.walls = "belt: {shape: plane, material: rock, velocity: [0.1, 0, 0]}"};
    stage s;
    if (!set(&s, &c, g, n + 1)) return;
    CHECK(sleep_all(&s, n, 600));
    stage_view(&s, "position", x[0], 3 * n);
    int64_t splits = stats(&s).splits;
    stage_advance(&s, 200);
    stage_view(&s, "position", x[1], 3 * n);
    stage_view(&s, "velocity", v, 3 * n);
    double worst = 0, slip = 0;
    for (int k = 0; k < n; k++) {
        worst = check_worse(worst, fabs(x[1][3 * k] - x[0][3 * k] - 0.1));
        slip = check_worse(slip, fabs(v[3 * k] - 0.1));
        CHECK(!memcmp(x[0] + 3 * k + 1, x[1] + 3 * k + 1, 2 * sizeof(double)));
    }
    printf("belt: moved by 0.1 m to %.1e m, velocities off by %.1e\n", worst, slip);
    CHECK(worst < 1e-12);
    CHECK(slip < 1e-15);
    CHECK_INT(stats(&s).splits, splits);
    CHECK_INT(stats(&s).solved, 0);
    CHECK(closure(&s) < 1e-10);
    CHECK(missing(&s) < 3e-3); // 1.4e-3
    stage_close(&s);
}

// A belt that ends carries a sleeping pile across its seam without waking it, and over its end: what is beyond falls,
// nothing flies on as part of the aggregate
static void test_belt_end(void)
{
    static grain g[MOST];
    static double x[3 * MOST];
    int n = lay(g, 8, 6, 2, 3);
    const double end = 0.5, speed = 0.05;
    setting c = {.walls = "belt: {shape: rectangle, material: rock, corner: [-0.2, -0.05, 0], "
                          "along: [0.7, 0, 0], across: [0, 0.2, 0], surface_velocity: [0.05, 0, 0]}"
                          ", floor: {shape: plane, material: rock, point: [0, 0, -0.3]}"};
    stage s;
    if (!set(&s, &c, g, n + 1)) return;
    CHECK(sleep_all(&s, n, 600));
    const scr_world *w = &s.sim->world;
    double front = 0;
    stage_view(&s, "position", x, 3 * n);
    for (int k = 0; k < n; k++) front = check_worse(front, x[3 * k]);
    // the diagonal of the belt lies across the pile's way
    int64_t splits = stats(&s).splits, way = (int64_t)((end - D - front) / speed / 5e-3);
    stage_advance(&s, way);
    printf("belt that ends: front from %.3f to %.3f m, %lld splits\n", front, front + (double)way * speed * 5e-3,
           (long long)(stats(&s).splits - splits));
    CHECK(way > 500);
    CHECK_INT(stats(&s).splits, splits);
    double far = 0, high = -1;
    for (int k = 0; k < 100; k++) {
        stage_advance(&s, 10);
        for (size_t i = 0; i < w->bodies.table.count; i++) {
            const double *at = w->bodies.place + 4 * i;
            if (w->bodies.carrier[i] == scr_carrier_of_wall(0)) far = check_worse(far, at[0] - end);
            if (at[0] > end + D) high = check_worse(high, at[2]);
        }
    }
    printf("  members at most %.2f d beyond the end, grains beyond at most %.2f d high\n", far / D, high / D);
    CHECK(far < 1.5 * D);
    CHECK(high < D);
    stage_view(&s, "position", x, 3 * n);
    double highest = -1;
    for (int k = 0; k < n; k++) highest = check_worse(highest, x[3 * k + 2]);
    CHECK(highest < -0.2);
    CHECK(closure(&s) < 1e-9);
    CHECK(missing(&s) < 0.012); // 6.9e-3
    stage_close(&s);
}

// a floor that rises, with a region in which nobody merges: grains stay as they lie on it
static void test_lift(void)
{
    static grain g[MOST];
    static double x[2][3 * MOST];
    int n = lay(g, 5, 5, 2, 6);
    setting c = {.walls = "floor: {shape: plane, material: rock, velocity: [0, 0, 0.05]}",
                 .resolved = "resolved_regions: {eye: {box: [[-2, -2, -0.5], [4, 2, 2]], moves_with: floor}}"};
    for (int resolved = 0; resolved < 2; resolved++) {
        stage s;
        if (!resolved) c.resolved = NULL;
        if (!set(&s, &c, g, n + 1)) return;
        c.resolved = "resolved_regions: {eye: {box: [[-2, -2, -0.5], [4, 2, 2]], moves_with: floor}}";
        stage_advance(&s, 300);
        stage_view(&s, "position", x[0], 3 * n);
        int64_t splits = stats(&s).splits;
        stage_advance(&s, 100);
        stage_view(&s, "position", x[1], 3 * n);
        double worst = 0;
        for (int k = 0; k < n; k++)
            worst = check_worse(worst, fabs(x[1][3 * k + 2] - x[0][3 * k + 2] - 100 * 5e-3 * 0.05));
        printf("lift%s: off by at most %.1e m, %lld splits\n", resolved ? " with a region" : "", worst,
               (long long)(stats(&s).splits - splits));
        CHECK(worst < (resolved ? 1e-6 : 1e-12));
        CHECK_INT(stats(&s).splits, splits);
        CHECK((stats(&s).merges == 0) == resolved);
        CHECK(closure(&s) < 1e-9);
        CHECK(missing(&s) < 6e-4); // 2.5e-4
        stage_close(&s);
    }
}

// what a belt carries against a wall, or against grains that rest, is stopped there
static void test_blocked(void)
{
    setting c = {.walls = "belt: {shape: plane, material: rock, velocity: [0.1, 0, 0]}, stop: {shape: "
                          "plane, material: rock, point: [0.1, 0, 0], normal: [-1, 0, 0]}"};
    grain g[2] = {{.x = {0, 0, R}, .radius = R, .type = 1}, {.x = {-1, -1, 1}, .radius = R, .type = 2}};
    double x[6];
    stage s;
    if (!set(&s, &c, g, 2)) return;
    stage_advance(&s, 100);
    CHECK_INT(stats(&s).merged, 1); // on its way
    stage_advance(&s, 400);
    stage_view(&s, "position", x, 6);
    printf("a wall: stopped at %.6f m\n", x[0]);
    CHECK(x[0] < 0.1 - R + 0.1 * R);
    stage_close(&s);
    // a grain that never moves
    c.walls = "belt: {shape: plane, material: rock, velocity: [0.1, 0, 0]}";
    g[1].x[0] = 0.1, g[1].x[1] = 0, g[1].x[2] = R;
    if (!set(&s, &c, g, 2)) return;
    stage_advance(&s, 500);
    stage_view(&s, "position", x, 6);
    printf("a fixed grain: stopped at %.6f m\n", x[0]);
    CHECK(x[0] < 0.1 - 1.9 * R);
    stage_close(&s);
}

// a grain that a belt carries past one that never moves, a quarter of a radius aside, stays merged
static void test_passed(void)
{
    setting c = {.walls = "belt: {shape: plane, material: rock, velocity: [0.1, 0, 0]}"};
    grain g[2] = {{.x = {0, 0, R}, .radius = R, .type = 1}, {.x = {0.1, 2.25 * R, R}, .radius = R, .type = 2}};
    double x[6];
    stage s;
    if (!set(&s, &c, g, 2)) return;
    stage_advance(&s, 100);
    CHECK_INT(stats(&s).merged, 1);
    stage_advance(&s, 200);
    stage_view(&s, "position", x, 6);
    CHECK(x[0] > 0.1 + D);
    CHECK_INT(stats(&s).splits, 0);
    stage_close(&s);
}

// a ram runs into a grain that sleeps, and pushes it along
static void test_ram(void)
{
    setting c = {.walls = "floor: {shape: plane, material: rock}, ram: {shape: plane, material: "
                          "rock, point: [-0.05, 0, 0], normal: [1, 0, 0], velocity: [0.1, 0, 0]}"};
    grain g[2] = {{.x = {0, 0, R}, .radius = R, .type = 1}, {.x = {1, -1, 1}, .radius = R, .type = 2}};
    double x[6];
    stage s;
    if (!set(&s, &c, g, 2)) return;
    stage_advance(&s, 60);
    CHECK_INT(stats(&s).merged, 1);
    stage_advance(&s, 240);
    stage_view(&s, "position", x, 6);
    printf("a ram at %.4f m pushes a grain at %.4f m\n", -0.05 + 0.15, x[0]);
    CHECK(x[0] - R > 0.1 - 0.01 * R && x[0] - R < 0.1 + R);
    stage_close(&s);
}

// a table that shakes along itself, so slowly that the grain stays on it: it has the table's velocity in each step, and
// the table pays for what it gains
static void test_shaken(void)
{
    setting c = {.walls = "table: {shape: plane, material: rock, oscillation: {direction: [1, 0, "
                          "0], amplitude: 5 mm, frequency: 0.5}}"};
    grain g[2] = {{.x = {0, 0, R}, .radius = R, .type = 1}, {.x = {1, -1, 1}, .radius = R, .type = 2}};
    double v[6];
    stage s;
    if (!set(&s, &c, g, 2)) return;
    stage_advance(&s, 100);
    CHECK_INT(stats(&s).merged, 1);
    double most = 0;
    for (int k = 0; k < 200; k++) {
        stage_advance(&s, 1);
        stage_view(&s, "velocity", v, 6);
        CHECK_NEAR(v[0], s.sim->world.walls[0].velocity.x, 1e-15);
        most = check_worse(most, fabs(v[0]));
    }
    CHECK_NEAR(most, 5e-3 * M_PI, 1e-5);
    CHECK_INT(stats(&s).splits, 0);
    CHECK(closure(&s) < 1e-10);
    CHECK(missing(&s) < 0.4); // 0.28 of the little that one grain lost
    stage_close(&s);
}

// a grain that slides on a belt does not merge with it, whatever else may
static void test_sliding(void)
{
    setting c = {.walls = "belt: {shape: plane, material: rock, velocity: [1, 0, 0]}",
                 .stepper = "on, merge_drift: none, merge_spin: none, merge_normal_acceleration: "
                            "none, merge_sliding_acceleration: none"};
    grain g[2] = {{.x = {0, 0, R}, .radius = R, .type = 1}, {.x = {1, -1, 1}, .radius = R, .type = 2}};
    double v[6];
    stage s;
    if (!set(&s, &c, g, 2)) return;
    for (int k = 0; k < 5; k++) {
        stage_advance(&s, 1);
        stage_view(&s, "velocity", v, 6);
        CHECK(v[0] > 0.04 * (k + 1) && v[0] < 0.046 * (k + 1)); // mu g t
        CHECK_INT(stats(&s).merged, 0);
    }
    stage_close(&s);
}

// ice carries nothing along: what rests on it does not merge
static void test_ice(void)
{
    const char *const walls[2] = {"belt: {shape: plane, material: ice, velocity: [0.1, 0, 0]}",
                                  "floor: {shape: plane, material: ice}"};
    grain g[2] = {{.x = {0, 0, R}, .radius = R, .type = 1}, {.x = {1, -1, 1}, .radius = R, .type = 2}};
    for (int k = 0; k < 2; k++) {
        setting c = {.walls = walls[k]};
        double v[6];
        stage s;
        if (!set(&s, &c, g, 2)) return;
        stage_advance(&s, 200);
        stage_view(&s, "velocity", v, 6);
        CHECK_INT(stats(&s).merges, 0);
        CHECK_NEAR(v[0], 0, 1e-12);
        stage_close(&s);
    }
}

// A small grain falls on a large one that a belt carries. (The inlet brings small ones, some day: it says nothing of
// the largest that are there.)
static void test_sizes(void)
{
    grain g[3] = {{.x = {0, 0, 0.05}, .radius = 0.05, .type = 1},
                  {.x = {0.05, 0, 0.3}, .v = {0.05, 0, 0}, .radius = 5e-3, .type = 1},
                  {.x = {-1, -1, 1}, .radius = R, .type = 2}};
    stage s;
    if (!stage_open(&s, g, 3,
                    "scree: 1\n"
                    "domain: {box: [[-2, -2, -0.5], [4, 2, 2]]}\n"
                    "materials: {rock: {density: 3700, restitution: 0.18, friction: 0.91, "
                    "rolling_friction: 0.32}}\n"
                    "contacts: {any: {stiffness: 30 kN/m, rolling: sds}}\n"
                    "bodies:\n"
                    "  all: {from: table, file: @, type: 1, material: rock}\n"
                    "  fixed: {from: table, file: @, type: 2, material: rock, frozen: yes}\n"
                    "  late: {from: inlet, material: rock, diameter: 5 mm, rate: 10, start: 50 s, "
                    "region: {shape: box, box: [[2, 1, 1], [2.1, 1.1, 1.1]]}}\n"
                    "walls: {belt: {shape: plane, material: rock, velocity: [0.25, 0, 0]}}\n"
                    "stepper: {type: nonsmooth, reduction: on, merge_drift: none}\n"
                    "time: {end: 100, step: 5 ms}\n"))
        return;
    // so it starts on the belt and moves with it when the small one arrives
    int64_t merged = 0;
    for (int k = 0; k < 60; k++) {
        stage_advance(&s, 1);
        merged = stats(&s).merged > merged ? stats(&s).merged : merged;
    }
    double x[9];
    stage_view(&s, "position", x, 9);
    printf("sizes: large at %.3f %.3f, small at %.3f %.3f, deepest %.2g, merged %lld\n", x[0], x[2], x[3], x[5],
           s.sim->world.tally.deepest, (long long)merged);
    CHECK(s.sim->world.tally.deepest < 0.05);
    stage_close(&s);
}

// merged grains are those that merged and did not split, also where aggregates that fell become part of others
static void test_counts(void)
{
    static grain g[MOST];
    int n = lay(g, 5, 5, 4, 9);
    setting c = {.walls = "floor: {shape: plane, material: rock}", .stepper = "on, free_aggregates: 2"};
    stage s;
    if (!set(&s, &c, g, n + 1)) return;
    int64_t most = 0;
    for (int k = 0; k < 60; k++) {
        stage_advance(&s, 5);
        scree_stats t = stats(&s);
        most = t.aggregates > most ? t.aggregates : most;
        CHECK_INT(t.merges - t.splits, t.merged);
    }
    printf("counts: %lld merged of %d, up to %lld aggregates\n", (long long)stats(&s).merged, n, (long long)most);
    CHECK(most > 2);
    stage_close(&s);
}

// a sleeping bed whose floor goes falls as a whole
static void test_trapdoor(void)
{
    static grain g[MOST];
    static double x[2][3 * MOST];
    int n = lay(g, 5, 5, 4, 9);
    setting c = {.walls = "floor: {shape: plane, material: rock, until: 1.5 s}"};
    stage s;
    if (!set(&s, &c, g, n + 1)) return;
    stage_advance(&s, 290);
    CHECK_INT(stats(&s).merged, n);
    stage_view(&s, "position", x[0], 3 * n);
    stage_advance(&s, 10 + 40);
    stage_view(&s, "position", x[1], 3 * n);
    CHECK_INT(stats(&s).merged, 0);
    double worst = 0, h = 5e-3, falls = 9.81 * h * h * 40 * 41 / 2;
    for (int k = 0; k < n; k++) worst = check_worse(worst, fabs(x[0][3 * k + 2] - x[1][3 * k + 2] - falls));
    printf("trapdoor: fell by %.4f m, off by at most %.2g m\n", falls, worst);
    CHECK(worst < 0.1 * falls); // springs push them apart
    stage_close(&s);
}

// the trial solve looks at so many layers around what is free: here the top of a tower, which a resolved region keeps
// awake
static void test_layers(void)
{
    for (int layers = 1; layers < 5; layers++) {
        char stepper[64];
        snprintf(stepper, sizeof stepper, "on, trial_every: 1, trial_layers: %d", layers);
        setting c = {.walls = "floor: {shape: plane, material: rock}",
                     .stepper = stepper,
                     .resolved = "resolved_regions: {eye: {box: [[-1, -1, 0.09], [1, 1, 1]]}}"};
        grain g[9] = {{.x = {-1.5, -1.5, 1.5}, .radius = R, .type = 2}};
        for (int k = 1; k < 9; k++) g[k] = (grain){.x = {0, 0, R + (k - 1) * D}, .radius = R, .type = 1};
        stage s;
        if (!set(&s, &c, g, 9)) return;
        stage_advance(&s, 300);
        CHECK_INT(stats(&s).merged, 7);
        CHECK_INT(((const ns_work *)s.sim->step.work)->trial.near_count, layers);
        stage_close(&s);
    }
}

/* ---- regions that stay resolved ---- */

// grains in such a region are solved for in every step, those outside sleep; also where it travels with the belt
static void test_resolved(bool moves)
{
    static grain g[MOST];
    static double x[3 * MOST];
    int n = lay(g, 8, 6, 2, 5);
    setting c = {.walls = moves ? "belt: {shape: plane, material: rock, velocity: [0.1, 0, 0]}"
                                : "belt: {shape: plane, material: rock}",
                 .resolved = moves ? "resolved_regions: {eye: {box: [[0.05, -1, -0.4], [0.08, 1, 1]], "
                                     "moves_with: belt}}"
                                   : "resolved_regions: {eye: {box: [[0.05, -1, -0.4], [0.08, 1, 1]]}}"};
    stage s;
    if (!set(&s, &c, g, n + 1)) return;
    stage_advance(&s, 500);
    for (int k = 0; k < 20; k++) {
        stage_view(&s, "position", x, 3 * n);
        double from = 0.05 + (moves ? 0.1 * stats(&s).time : 0);
        int inside = 0;
        for (int i = 0; i < n; i++) inside += x[3 * i] >= from && x[3 * i] <= from + 0.03;
        int64_t free = n - stats(&s).merged, splits = stats(&s).splits;
        stage_advance(&s, 1);
        int64_t split = stats(&s).splits - splits;
        if (k == 0)
            printf("region%s: %d grains in it, %lld free before, %lld split, %lld contacts solved\n",
                   moves ? " on a belt" : "", inside, (long long)free, (long long)split, (long long)stats(&s).solved);
        CHECK(inside > 10);
        CHECK(split + free >= inside && split + free <= inside + 2);
        CHECK(stats(&s).solved >= inside);
    }
    CHECK(closure(&s) < 1e-9);
    CHECK(missing(&s) < 6e-3); // 2.7e-3
    stage_close(&s);
}

int main(void)
{
    test_lone();
    test_belt();
    test_belt_end();
    test_lift();
    test_blocked();
    test_passed();
    test_ram();
    test_shaken();
    test_sliding();
    test_ice();
    test_sizes();
    test_counts();
    test_trapdoor();
    test_layers();
    test_resolved(false);
    test_resolved(true);
    return check_done();
}
