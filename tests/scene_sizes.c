/* Size distributions: moments and cumulative curves of what is drawn against closed forms, by number
 * and by mass; messages for what cannot be. */
#include "base/random.h"
#include "scene/generate.h"
#include "scene/grading.h"
#include "scene_fake.h"

#define SCENE(sizes)                          \
    "scree: 1\n"                              \
    "domain: {box: [[0, 0, 0], [1, 1, 1]]}\n" \
    "materials: {m: {density: 1000}}\n"       \
    "time: {end: 1}\n"                        \
    "bodies:\n"                               \
    "  a: {from: random, count: 2000, material: m, " sizes "}\n"

enum { DRAWS = 200000 };

static scr_grading grading_of(const char *text)
{
    scree_report report;
    scr_grading g = {0};
    scr_scene *scene = fake_read(text, &report);
    if (!scene) scree_report_print(&report, stdout);
    if (scene) CHECK(scr_grading_init(&g, scr_scene_find(scene, "bodies", "a")));
    scr_scene_destroy(scene);
    scree_report_deinit(&report);
    return g;
}

// diameters at evenly spaced shares: the number k/DRAWS is smaller than the k-th
static double drawn(const scr_grading *g, int k)
{
    return 2 * scr_grading_radius(g, (k + 0.5) / DRAWS);
}

static double drawn_moment(const scr_grading *g, double power)
{
    double sum = 0;
    for (int k = 0; k < DRAWS; k++) sum += pow(drawn(g, k), power);
    return sum / DRAWS;
}

// share of the sum of d^power that comes from diameters up to x
static double drawn_share(const scr_grading *g, double x, double power)
{
    double below = 0, all = 0;
    for (int k = 0; k < DRAWS; k++) {
        double d = drawn(g, k), w = pow(d, power);
        all += w;
        if (d <= x) below += w;
    }
    return below / all;
}

static double phi(double z)
{
    return 0.5 * erfc(-z * M_SQRT1_2);
}

static double bell(double z)
{
    return exp(-0.5 * z * z) / sqrt(2 * M_PI);
}

static void test_plain(void)
{
    scr_grading g = grading_of(SCENE("diameter: [2 mm, 6 mm]"));
    CHECK_NEAR(drawn_moment(&g, 1), 4e-3, 1e-12);
    CHECK_NEAR(8 * scr_grading_moment(&g, 3), (pow(6e-3, 4) - pow(2e-3, 4)) / (4 * 4e-3), 1e-20);
    scr_grading_deinit(&g);
    g = grading_of(SCENE("radius: 2 mm"));
    CHECK(g.radius[0] == 2e-3 && g.radius[1] == 2e-3);
    CHECK_NEAR(scr_grading_moment(&g, 3), 8e-9, 1e-22);
    scr_grading_deinit(&g);
}

static void test_uniform(void)
{
    scr_grading g = grading_of(SCENE("sizes: {distribution: uniform, range: [1 mm, 5 mm], of: radius}"));
    CHECK(g.radius[0] == 1e-3 && g.radius[1] == 5e-3);
    CHECK_NEAR(drawn_moment(&g, 2) / 4, (125 - 1) / 12.0 * 1e-6, 1e-14);
    scr_grading_deinit(&g);
    // the mass spread evenly over 1..5 mm: a quarter of it below 2 mm
    g = grading_of(SCENE("sizes: {distribution: uniform, range: [1 mm, 5 mm], weighted: mass}"));
    CHECK(g.radius[0] == 0.5e-3 && g.radius[1] == 2.5e-3);
    for (int k = 2; k < 5; k++) CHECK_NEAR(drawn_share(&g, k * 1e-3, 3), (k - 1) / 4.0, 2e-5); // off by at most 5e-6
    // and the number goes as d^-3: mean diameter 2 ab / (a + b)
    CHECK_NEAR(drawn_moment(&g, 1), 2 * 5.0 / 6 * 1e-3, 1e-9);
    scr_grading_deinit(&g);
}

static void test_power(void)
{
    scr_grading g = grading_of(SCENE("sizes: {distribution: power, exponent: -3.5, range: [1 mm, 100 mm]}"));
    // mean of d for d^-3.5: (1.5^-1)(1 - 100^-1.5) / ((2.5^-1)(1 - 100^-2.5))
    double mean = 2.5 / 1.5 * (1 - 1e-3) / (1 - 1e-5) * 1e-3;
    CHECK_NEAR(2 * scr_grading_moment(&g, 1), mean, 1e-15);
    CHECK_NEAR(drawn_moment(&g, 1), mean, 3e-8); // 2e-9: midpoints of a steep tail
    scr_grading_deinit(&g);
    // d^-1 by mass is even in ln d
    g = grading_of(SCENE("sizes: {distribution: power, exponent: -1, range: [1 mm, 8 mm], weighted: mass}"));
    CHECK_NEAR(drawn_share(&g, 2e-3, 3), 1.0 / 3, 2e-5);
    CHECK_NEAR(drawn_share(&g, 4e-3, 3), 2.0 / 3, 2e-5);
    scr_grading_deinit(&g);
}

static void test_normal(void)
{
    scr_grading g = grading_of(SCENE("sizes: {distribution: normal, mean: 4 mm, deviation: 1 mm, "
                                     "limits: [2 mm, 5 mm], weighted: number}"));
    double a = -2, b = 1, z = phi(b) - phi(a);
    double mean = 4 + (bell(a) - bell(b)) / z;
    double square = 1 + (a * bell(a) - b * bell(b)) / z + 2 * 4 * mean - 16;
    CHECK_NEAR(drawn_moment(&g, 1), mean * 1e-3, 1e-8); // 1e-10: even pieces
    CHECK_NEAR(drawn_moment(&g, 2), square * 1e-6, 1e-11);
    CHECK_NEAR(drawn_share(&g, 3e-3, 0), (phi(-1) - phi(a)) / z, 1e-5);
    scr_grading_deinit(&g);
    g = grading_of(SCENE("sizes: {distribution: normal, mean: 4 mm, deviation: 1 mm, "
                         "limits: [2 mm, 5 mm], weighted: mass}"));
    CHECK_NEAR(drawn_share(&g, 3e-3, 3), (phi(-1) - phi(a)) / z, 3e-5);
    CHECK_NEAR(drawn_share(&g, 4e-3, 3), (phi(0) - phi(a)) / z, 3e-5);
    scr_grading_deinit(&g);
}

// moments of a lognormal cut at z = +-3: exp(k^2 s^2 / 2) (phi(3 - k s) - phi(-3 - k s)) / z;
// by mass the number is lognormal too, its median smaller by exp(3 s^2) (Hatch & Choate 1929)
static void test_lognormal(void)
{
    const double s = 0.4, z = phi(3) - phi(-3);
    scr_grading g = grading_of(SCENE("sizes: {distribution: lognormal, median: 2 mm, sigma: 0.4}"));
    CHECK_NEAR(g.radius[0], 1e-3 * exp(-3 * s), 1e-18);
    CHECK_NEAR(g.radius[1], 1e-3 * exp(3 * s), 1e-18);
    for (int k = 1; k <= 3; k++) {
        double want = pow(2e-3, k) * exp(0.5 * k * k * s * s) * (phi(3 - k * s) - phi(-3 - k * s)) / z;
        CHECK_NEAR(pow(2, k) * scr_grading_moment(&g, k) / want, 1, 1e-5); // 1e-6
        CHECK_NEAR(drawn_moment(&g, k) / want, 1, 1e-4);                   // 1e-6
    }
    CHECK_NEAR(drawn_share(&g, 2e-3, 0), 0.5, 1e-5);
    scr_grading_deinit(&g);
    g = grading_of(SCENE("sizes: {distribution: lognormal, median: 2 mm, sigma: 0.4, "
                         "limits: [0.05 mm, 80 mm], weighted: mass}"));
    CHECK_NEAR(drawn_share(&g, 2e-3, 3), 0.5, 1e-4);
    CHECK_NEAR(drawn_share(&g, 2e-3 * exp(s), 3), phi(1), 1e-4);
    CHECK_NEAR(drawn(&g, DRAWS / 2) / (2e-3 * exp(-3 * s * s)), 1, 1e-4);
    scr_grading_deinit(&g);
}

static void test_table(void)
{
    const double sieve[4] = {0.5e-3, 1e-3, 2e-3, 8e-3}, passing[4] = {0, 0.2, 0.7, 1};
    static const char *const text[2] = {SCENE("sizes: {distribution: table, weighted: number,\n"
                                              "    table: [[0.5 mm, 0], [1 mm, 20 %], [2 mm, 70 %], [8 mm, 100 %]]}"),
                                        SCENE("sizes: {distribution: table, weighted: mass,\n"
                                              "    table: [[0.5 mm, 0], [1 mm, 20 %], [2 mm, 70 %], [8 mm, 100 %]]}")};
    for (int mass = 0; mass < 2; mass++) {
        scr_grading g = grading_of(text[mass]);
        CHECK(g.radius[0] == 0.25e-3 && g.radius[1] == 4e-3);
        for (int k = 0; k < 4; k++) CHECK_NEAR(drawn_share(&g, sieve[k] * (1 + 1e-12), mass ? 3 : 0), passing[k], 1e-4);
        // even between two sieves
        CHECK_NEAR(drawn_share(&g, 1.5e-3, mass ? 3 : 0), 0.45, 1e-4);
        scr_grading_deinit(&g);
    }
    // jumps: 30 % of the mass in grains of 1 mm, the rest in grains of 2 mm: 8 * 0.3 to 0.7 by number
    scr_grading g = grading_of(SCENE("sizes: {distribution: table, weighted: mass,\n"
                                     "    table: [[1 mm, 0.3], [2 mm, 0.3], [2 mm, 1]]}"));
    CHECK_NEAR(drawn_share(&g, 1e-3, 0), 2.4 / 3.1, 1e-5);
    CHECK(drawn(&g, 0) == 1e-3 && drawn(&g, DRAWS - 1) == 2e-3);
    scr_grading_deinit(&g);
}

// what the generator makes: random numbers, so the tolerance is that of a sample
static void test_generated(void)
{
    scree_report report;
    scr_scene *scene =
        fake_read(SCENE("sizes: {distribution: lognormal, median: 2 mm, sigma: 0.3, weighted: mass}"), &report);
    scr_grains grains = {0};
    const scr_item *group = scr_scene_find(scene, "bodies", "a");
    CHECK(scr_grains_generate(scene, group, &grains, &report) == SCREE_OK);
    CHECK_INT(grains.count, 2000);
    scr_grading g;
    CHECK(scr_grading_init(&g, group));
    double sum = 0, mean = scr_grading_moment(&g, 1), square = scr_grading_moment(&g, 2);
    for (size_t k = 0; k < grains.count; k++) sum += grains.items[k].radius;
    CHECK_NEAR(sum / 2000 / mean, 1, 4 * sqrt((square / (mean * mean) - 1) / 2000));
    scr_grading_deinit(&g);
    scr_grains_deinit(&grains);
    scr_scene_destroy(scene);
    scree_report_deinit(&report);
}

static void test_positions(void)
{
    scree_report report;
    scr_scene *scene = fake_read("scree: 1\ndomain: {box: [[0, 0, 0], [1, 1, 1]]}\nmaterials: {m: {density: 1000}}\n"
                                 "time: {end: 1}\nbodies:\n"
                                 "  one: {from: positions, material: m, radius: 1 cm, position: [1 cm, 2 cm, 0.5]}\n"
                                 "  two: {from: positions, material: m, radius: 1 cm, velocity: [1, 0, 0],\n"
                                 "        positions: [[0.2, 0.2, 0.2], [0.4, 0.2, 20 cm]]}\n",
                                 &report);
    scr_grains grains = {0};
    const scr_items *bodies = scr_scene_items(scene, "bodies");
    for (int k = 0; k < 2; k++) CHECK(scr_grains_generate(scene, &bodies->items[k], &grains, &report) == SCREE_OK);
    CHECK_INT(grains.count, 3);
    CHECK(grains.items[0].position.y == 0.02 && grains.items[0].radius == 0.01);
    CHECK(grains.items[2].position.x == 0.4 && grains.items[2].position.z == 0.2);
    CHECK(grains.items[2].velocity.x == 1);
    scr_grains_deinit(&grains);
    scr_scene_destroy(scene);
    scree_report_deinit(&report);
}

static void test_messages(void)
{
    CHECK_MESSAGES(SCENE("radius: 1 mm, sizes: {distribution: uniform, range: [1 mm, 2 mm]}"),
                   "test.yaml:6:68: error: bodies.a has radius and sizes, give one of them\n");
    CHECK_MESSAGES(SCENE("sizes: {distribution: gauss, range: [1 mm, 2 mm]}"),
                   "test.yaml:6:69: error: bodies.a.sizes.distribution is 'gauss', must be one of "
                   "uniform, normal, lognormal, power, table\n");
    CHECK_MESSAGES(SCENE("sizes: {distribution: normal, mean: 1 mm, deviation: 1 mm}"),
                   "test.yaml:6:47: error: bodies.a.sizes lacks limits, a number [m] > 0, or a list "
                   "[low, high] of two\n");
    CHECK_MESSAGES(SCENE("sizes: {distribution: normal, mean: 1 mm, deviation: 0.1 mm, limits: [4 "
                         "mm, 5 mm]}"),
                   "test.yaml:6:116: error: sizes.limits leave a fraction of 4.9e-198 of the distribution: they must "
                   "contain a part of it\n");
    CHECK_MESSAGES(SCENE("sizes: {distribution: table, table: [[1 mm, 0], [2 mm, 0.9]]}"),
                   "test.yaml:6:83: error: sizes.table ends with the fraction 0.9, the largest size "
                   "must have 1 (100 %)\n");
    CHECK_MESSAGES(SCENE("sizes: {distribution: table, table: [[1 mm, 0.5], [2 mm, 0.2]]}"),
                   "test.yaml:6:83: error: row 2 of sizes.table is [0.002 m, 0.2] after [0.001 m, "
                   "0.5]: sizes and cumulative fractions must not decrease\n");
    CHECK_MESSAGES(SCENE("sizes: {distribution: table, table: [[1 mm, 0.5], [2 mm]]}"),
                   "test.yaml:6:97: error: bodies.a.sizes.table.1 is a list of 1, must be a list of "
                   "rows [number in m, number]\n");
}

int main(void)
{
    test_plain();
    test_uniform();
    test_power();
    test_normal();
    test_lognormal();
    test_table();
    test_generated();
    test_positions();
    test_messages();
    return check_done();
}
