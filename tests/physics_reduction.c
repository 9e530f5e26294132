/* Reduction to aggregates: piles sleep and do not move by a bit, wake where they are hit and where support goes, and
 * turn with drums; smooth walls glue nothing. (What belts and lifts carry: physics_carried.) */
#include "reduction_fixture.h"

static const char box_walls[] =
    "floor: {shape: plane, material: rock}, a: {shape: plane, material: ice, normal: [1, 0, 0]},"
    "b: {shape: plane, material: ice, point: [0.165, 0, 0], normal: [-1, 0, 0]},"
    "c: {shape: plane, material: ice, normal: [0, 1, 0]},"
    "d: {shape: plane, material: ice, point: [0, 0.165, 0], normal: [0, -1, 0]}";

/* ---- rest ---- */

// a pile falls asleep and stays as it is; a grain that falls on it wakes those around, and all sleep again
static void test_sleep(void)
{
    static grain g[MOST];
    static double x[2][3 * MOST];
    char walls[800];
    int n = lay(g, 12, 12, 4, 1);
    g[n + 1] = g[n], g[n + 1].id = n + 2;
    // one more waits on a shelf
    g[n] = (grain){.x = {0.08, 0.08, 0.12}, .radius = R, .type = 1};
    g[n].id = n + 1;
    snprintf(walls, sizeof walls,
             "%s, shelf: {shape: disc, material: rock, center: [0.08, 0.08, 0.1135], radius: 0.01, "
             "until: 3}",
             box_walls);
    setting c = {.walls = walls};
    stage s;
    if (!set(&s, &c, g, n + 2)) return;
    n++;
    CHECK(sleep_all(&s, n, 560));
    printf("asleep after %.2f s, %lld merges, %lld splits\n", stats(&s).time, (long long)stats(&s).merges,
           (long long)stats(&s).splits);
    stage_advance(&s, 20);
    CHECK_INT(stats(&s).merged, n);
    CHECK_INT(stats(&s).solved, 0);
    stage_view(&s, "position", x[0], 3 * n);
    scree_energies before = scree_simulation_energies(s.sim);
    int64_t left = 600 - stats(&s).step;
    stage_advance(&s, left - 1);
    stage_view(&s, "position", x[1], 3 * n);
    CHECK(!memcmp(x[0], x[1], (size_t)(3 * n) * sizeof **x));
    scree_energies after = scree_simulation_energies(s.sim);
    CHECK(before.damping == after.damping && before.friction == after.friction && before.numerical == after.numerical &&
          before.merging == after.merging && before.elastic_normal == after.elastic_normal);
    CHECK_NEAR(after.translation + after.rotation, 0, 0);

    int64_t splits = stats(&s).splits;
    CHECK(closure(&s) < 1e-10);
    CHECK(missing(&s) < 0.02); // 9.4e-3
    stage_advance(&s, 2);
    CHECK_INT(stats(&s).merged, n - 1); // the shelf is gone
    CHECK(sleep_all(&s, n, 300));
    int64_t woken = stats(&s).splits - splits;
    int untouched = 0;
    stage_view(&s, "position", x[1], 3 * n);
    for (int k = 0; k < n; k++) untouched += !memcmp(x[0] + 3 * k, x[1] + 3 * k, 3 * sizeof(double));
    printf("%lld splits by one that fell, asleep again at %.2f s; %d of %d have not moved\n", (long long)woken,
           stats(&s).time, untouched, n);
    CHECK(woken > 1 && woken < n);
    CHECK(untouched > n / 2);
    CHECK(closure(&s) < 1e-10);
    CHECK(missing(&s) < 0.02); // 9.3e-3
    stage_close(&s);
}

// forces of a pile on the walls of its box, as parts of its weight: on the floor; on all four sides; what they leave
typedef struct {
    double floor, sides, left;
} pressing;

static pressing press(const char *stepper, uint64_t seed)
{
    static grain g[MOST];
    int n = lay(g, 12, 12, 7, seed);
    setting c = {.walls = box_walls, .stepper = stepper};
    pressing f = {0};
    double weight = 0;
    for (int k = 0; k < n; k++) weight += 9.81 * 3700 * 4 / 3 * M_PI * pow(g[k].radius, 3);
    stage s;
    if (!set(&s, &c, g, n + 1)) return f;
    stage_advance(&s, 400);
    if (!strcmp(stepper, "on")) CHECK_INT(stats(&s).merged, n);
    s.sim->step.stepper->catch_up(&s.sim->step);
    const scr_wall *w = s.sim->world.walls;
    for (int k = 1; k < 5; k++) f.sides += (fabs(w[k].force.x) + fabs(w[k].force.y)) / weight;
    f.floor = -w[0].force.z / weight;
    f.left = hypot(w[1].force.x + w[2].force.x + w[0].force.x, w[3].force.y + w[4].force.y + w[0].force.y) / weight;
    printf("box, %s: floor %.5f of the weight, sides %.4f, %.1e left\n", stepper, f.floor, f.sides, f.left);
    stage_close(&s);
    return f;
}

// what sleeps presses on its walls as what is at rest
static void test_press(void)
{
    double sides[2] = {0, 0};
    for (uint64_t seed = 1; seed <= 16; seed++) {
        pressing full = press("off", seed), reduced = press("on", seed);
        CHECK_NEAR(full.floor, 1, 1e-3);
        CHECK_NEAR(reduced.floor, 1, 1e-3); // as they merged: 0.02 to 0.04
        CHECK(reduced.left < 1e-3);
        sides[0] += full.sides, sides[1] += reduced.sides;
    }
    // friction as they merged leaves it: 0.035 less, with a standard error of 0.013; one pair scatters by 0.052
    CHECK_NEAR(sides[1] / sides[0], 1, 0.05);
}

// nothing holds on to a wall without friction, nor to what slides on it
static void test_smooth(void)
{
    static grain g[MOST];
    int n = lay(g, 5, 5, 2, 2);
    char walls[800];
    snprintf(walls, sizeof walls, "%s", box_walls);
    memcpy(strstr(walls, "rock"), "ice ", 4);
    setting c = {.walls = walls};
    stage s;
    if (!set(&s, &c, g, n + 1)) return;
    stage_advance(&s, 300);
    CHECK_INT(stats(&s).merges, 0);
    stage_close(&s);
}

// A tower that leans: each grain moves by 2 mm/s against the one below, less than merges, and ever faster against
// the floor. Velocities after a step, and how many have merged in it.
static int lean(const char *stepper, double *v)
{
    enum { HIGH = 10 };
    grain g[HIGH + 1];
    setting c = {.walls = "floor: {shape: plane, material: rock}", .stepper = stepper};
    double at = 0;
    for (int k = 0; k < HIGH; k++) {
        double weight = (HIGH - k) * 9.81 * 3700 * 4 / 3 * M_PI * R * R * R, squeeze = weight / 3e3;
        at += (k ? D : R) - squeeze;
        g[k] = (grain){.x = {0, 0, at}, .v = {2e-3 * (k + 1)}, .radius = R, .type = 1};
    }
    g[HIGH] = (grain){.x = {-1.5, -1.5, 1}, .radius = R, .type = 2};
    stage s;
    if (!set(&s, &c, g, HIGH + 1)) return 0;
    stage_advance(&s, 1);
    stage_view(&s, "velocity", v, 3 * HIGH);
    int merged = (int)stats(&s).merged;
    stage_close(&s);
    return merged;
}

// slow shear does not merge: what counts is the velocity against the floor
static void test_shear(void)
{
    double v[33];
    int slow = 0;
    CHECK_INT(lean("off", v), 0);
    for (int k = 0; k < 10; k++) slow += v3_norm(v3_load(v + 3 * k)) <= 2.5e-3;
    int merged = lean("on", v), all = lean("on, merge_drift: none", v);
    printf("a leaning tower: %d of 10 grains are slow, %d merge, %d by their neighbours alone\n", slow, merged, all);
    CHECK(slow < 5);
    CHECK(merged <= slow);
    CHECK_INT(all, 10);
}

/* ---- support that goes ---- */

// part of the grains that ran out beyond the gate, when it was opened
static double run_out(uint64_t seed, const char *stepper, double *closes, double *height)
{
    static grain g[MOST];
    static double x[3 * MOST];
    int n = lay(g, 7, 7, 16, seed), out = 0;
    char walls[800];
    double side = 7 * 1.05 * D + 1e-3;
    snprintf(walls, sizeof walls,
             "floor: {shape: plane, material: rock}, a: {shape: plane, material: ice, normal: [1, "
             "0, 0]}, c: {shape: plane, material: ice, normal: [0, 1, 0]}, d: {shape: plane, "
             "material: ice, point: [0, %.17g, 0], normal: [0, -1, 0]}, gate: {shape: plane, "
             "material: ice, point: [%.17g, 0, 0], normal: [-1, 0, 0], until: 1.2 s}",
             side, side);
    setting c = {.walls = walls, .stepper = stepper};
    stage s;
    if (!set(&s, &c, g, n + 1)) return NAN;
    stage_advance(&s, 240 + 300);
    stage_view(&s, "position", x, 3 * n);
    *height = 0;
    for (int k = 0; k < n; k++) {
        out += x[3 * k] > side;
        *height += x[3 * k + 2] / n;
    }
    *closes = closure(&s);
    CHECK(missing(&s) < 0.15); // 0.091
    if (!strcmp(stepper, "on")) CHECK_INT(stats(&s).merged, n);
    stage_close(&s);
    return (double)out / n;
}

// a heap whose gate is opened collapses as without reduction
static void test_collapse(void)
{
    double mean[2] = {0, 0}, height[2] = {0, 0};
    const int seeds = 8;
    for (int seed = 1; seed <= seeds; seed++)
        for (int m = 0; m < 2; m++) {
            double closes, h, part = run_out((uint64_t)seed, m ? "on" : "off", &closes, &h);
            printf("collapse, seed %d, %s: run-out %.3f, mean height %.3f d, closure %.1e\n", seed,
                   m ? "reduced" : "full", part, h / D, closes);
            CHECK(closes < 1e-9);
            mean[m] += part / seeds, height[m] += h / seeds;
        }
    CHECK_NEAR(mean[1], mean[0], 0.015);
    CHECK_NEAR(height[1], height[0], 0.02 * height[0]);
}

/* ---- drums ---- */

enum { TURNS = 1200, PARTS = 4 };

/* What a drum does to its load. */
typedef struct {
    double angle, swing; /* of the load's centre about the axis, from below: mean and standard deviation [rad] */
    double highest;      /* mean of the largest of each of PARTS [rad] */
    double energy;       /* kinetic, mean [J] */
    double worst;        /* distance of members from where the drum's turn takes them [m] */
    long turns;          /* members and steps that this was measured at */
} turning;

// a step of members that stay members; the load's angle after it
static double follow(stage *s, int n, double rate, turning *t)
{
    static double x[2][3 * MOST];
    static int32_t carrier[MOST];
    const scr_bodies *b = &s->sim->world.bodies;
    for (size_t i = 0; i < b->table.count; i++) carrier[b->id[i]] = b->carrier[i];
    int64_t splits = stats(s).splits;
    stage_view(s, "position", x[0], 3 * n);
    stage_advance(s, 1);
    stage_view(s, "position", x[1], 3 * n);
    double c = cos(5e-3 * rate), d = sin(5e-3 * rate), side = 0, down = 0;
    for (int i = 0; i < n; i++) {
        double px = x[0][3 * i], pz = x[0][3 * i + 2] - 0.1;
        side -= x[1][3 * i] / n, down -= (x[1][3 * i + 2] - 0.1) / n;
        if (carrier[i + 1] != scr_carrier_of_wall(0) || stats(s).splits > splits) continue;
        t->worst =
            check_worse(t->worst, hypot(x[1][3 * i] - (c * px + d * pz), x[1][3 * i + 2] - 0.1 - (c * pz - d * px)));
        t->turns++;
    }
    scree_energies e = scree_simulation_energies(s->sim);
    t->energy += (e.translation + e.rotation) / TURNS;
    return atan2(side, down);
}

static void follow_all(stage *s, int n, turning *t)
{
    double squares = 0, highest[PARTS] = {0};
    for (int k = 0; k < TURNS; k++) {
        double angle = follow(s, n, 0.7, t), *part = &highest[k * PARTS / TURNS];
        t->angle += angle / TURNS, squares += angle * angle / TURNS;
        *part = check_worse(*part, angle);
    }
    t->swing = sqrt(squares - t->angle * t->angle);
    for (int k = 0; k < PARTS; k++) t->highest += highest[k] / PARTS;
}

static turning turn(const char *stepper, uint64_t seed)
{
    static grain g[MOST];
    turning t = {0};
    int n = lay(g, 6, 6, 4, seed);
    for (int k = 0; k < n; k++) g[k].x[0] -= 0.04, g[k].x[2] += 0.01;
    setting c = {.walls = "drum: {shape: cylinder, material: rock, from: [0, -0.5, 0.1], to: [0, "
                          "0.5, 0.1], radius: 0.1, rotation: {point: [0, 0, 0.1], axis: [0, 1, 0], "
                          "rate: 0.7}}, l: {shape: plane, material: ice, normal: [0, 1, 0]}, r: "
                          "{shape: plane, material: ice, point: [0, 0.085, 0], normal: [0, -1, 0]}",
                 .stepper = stepper};
    stage s;
    if (!set(&s, &c, g, n + 1)) return t;
    stage_advance(&s, 600);
    follow_all(&s, n, &t);
    CHECK(closure(&s) < 1e-9);
    CHECK(missing(&s) < 0.02); // 1.25e-2
    printf("drum, %s: angle %.3f +- %.3f, at most %.3f, energy %.2e J; %ld turns off by %.1e m, %lld splits\n", stepper,
           t.angle, t.swing, t.highest, t.energy, t.turns, t.worst, (long long)stats(&s).splits);
    stage_close(&s);
    return t;
}

static void add_turning(turning *sum, turning t, double count)
{
    sum->angle += t.angle / count, sum->swing += t.swing / count;
    sum->highest += t.highest / count, sum->energy += t.energy / count;
    sum->worst = check_worse(sum->worst, t.worst), sum->turns += t.turns;
}

// members turn with the drum from step to step, until it is too steep: the load avalanches as it does without
// reduction
static void test_drum(void)
{
    // single avalanches differ by as much as 0.2 rad, and with the order of the rows: the mean of some drums
    enum { DRUMS = 8 };
    turning full = {0}, reduced = {0};
    for (uint64_t seed = 1; seed <= DRUMS; seed++) {
        add_turning(&full, turn("off", seed), DRUMS);
        add_turning(&reduced, turn("on", seed), DRUMS);
    }
    printf("mean: angle %.3f and %.3f, swing %.4f and %.4f, at most %.3f and %.3f, energy %.2e and %.2e J\n",
           full.angle, reduced.angle, full.swing, reduced.swing, full.highest, reduced.highest, full.energy,
           reduced.energy);
    CHECK_INT(full.turns, 0);
    CHECK(reduced.turns > 10000);
    CHECK(reduced.worst < 1e-12);
    // behind each: the mean over 32 drums, and the standard error of eight
    CHECK_NEAR(reduced.angle, full.angle, 0.03); // 0.002 +- 0.005
    // grains that merge against their neighbours alone (merge_drift: none) are let go too late: 0.025 and 0.055
    CHECK_NEAR(reduced.swing, full.swing, 0.02);       // 0.008 +- 0.005
    CHECK_NEAR(reduced.highest, full.highest, 0.045);  // 0.023 +- 0.012
    CHECK_NEAR(reduced.energy / full.energy, 1, 0.15); // 8 % +- 4 %
}

int main(void)
{
    test_sleep();
    test_press();
    test_smooth();
    test_shear();
    test_collapse();
    test_drum();
    return check_done();
}
