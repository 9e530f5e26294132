/* Angles of repose of heaps and slopes whose angle is known: grains at random below a cone or a plane. */
#include "base/random.h"
#include "observe_fixture.h"

// grains of mixed sizes at random below the surface z = top(x, y), as many as a bed of solid fraction 0.5 has; the
// surface touches some from above
static void fill(sight *s, double slope_x, double slope_r, double height, uint64_t seed)
{
    scr_random r = scr_random_stream(seed, 0);
    double steep = sqrt(1 + slope_x * slope_x + slope_r * slope_r);
    double highest = height + 0.5 * slope_x, volume = 4.0 / 3 * M_PI * 1.25e-7;
    long many = lrint(0.5 * highest / volume);
    for (long k = 0; k < many; k++) {
        double radius = scr_random_between(&r, 0.004, 0.006);
        double x = scr_random_between(&r, -0.5, 0.5), y = scr_random_between(&r, -0.5, 0.5);
        double z = scr_random_between(&r, 0, highest);
        double top = height + slope_x * x - slope_r * hypot(x, y) - radius * steep;
        // deep inside nobody looks
        if (z < radius || z > top || z < top - 0.1) continue;
        sight_grain(s, v3(x, y, z), radius, v3(0, 0, 0));
    }
}

static void test_heap(double angle, uint64_t seed)
{
    sight s;
    double slope = tan(angle * M_PI / 180);
    sight_open(&s, v3(-1, -1, 0), v3(1, 1, 1));
    fill(&s, 0, slope, 0.4 * slope, seed);
    // some lie about beyond the foot
    sight_grain(&s, v3(0.48, 0, 0.005), 0.005, v3(0, 0, 0));
    sight_grain(&s, v3(0, 0.47, 0.005), 0.005, v3(0, 0, 0));
    CHECK_NEAR(sight_number(&s, "type: heap, base: 0", "angle"), angle,
               0.15); // off by 0.04 or less, as all angles here
    CHECK_NEAR(sight_number(&s, "type: heap, base: 0", "radius"), 0.4, 0.02);
    CHECK_NEAR(sight_number(&s, "type: heap, base: 0, cell: 40 mm", "angle"), angle, 0.15);
    // upside down and along another axis: up is what is said, and the centre may be anywhere
    for (size_t i = 0; i < s.world.bodies.table.count; i++) {
        double *x = s.world.bodies.place + 4 * i, z = x[2];
        x[2] = x[1], x[1] = x[0] + 0.1, x[0] = -z;
    }
    CHECK_NEAR(sight_number(&s, "type: heap, up: [-2, 0, 0], center: [0.3, 0.1, 0], base: 0", "angle"), angle, 0.15);
    sight_close(&s);
}

static void test_slope(double angle, uint64_t seed)
{
    sight s;
    double slope = tan(angle * M_PI / 180);
    sight_open(&s, v3(-1, -1, 0), v3(1, 1, 1));
    fill(&s, slope, 0, 0.3, seed);
    // a grain in flight
    sight_grain(&s, v3(0.1, 0, 0.7), 0.005, v3(0, 0, 0));
    CHECK_NEAR(sight_number(&s, "type: slope", "angle"), angle, 0.15);
    CHECK_NEAR(sight_number(&s, "type: slope", "angle_across"), 0, 0.15);
    CHECK_NEAR(sight_number(&s, "type: slope, direction: [-3, 0, 1]", "angle"), -angle, 0.15);
    CHECK_NEAR(sight_number(&s, "type: slope, direction: [0, 1, 0]", "angle_across"), -angle, 0.15);
    CHECK_NEAR(sight_number(&s, "type: slope", "level"), 0.3, 0.005);
    CHECK_NEAR(sight_number(&s, "type: slope, box: [[-0.5, -0.5, 0], [0.5, 0, 1]]", "angle"), angle, 0.15);
    // a bed that is a little wider than two cells has two, not a third with a grain or two of any depth
    const char *narrow = "type: slope, cell: 20 mm, box: [[-0.5, 0, 0], [0.5, 0.0412, 1]]";
    CHECK_NEAR(sight_number(&s, narrow, "angle"), angle, 0.5);
    CHECK_NEAR(sight_number(&s, narrow, "angle_across"), 0, 2); // -12 and -16 with a third
    sight_close(&s);
}

// nothing to fit: not a number, and no crash
static void test_nothing(void)
{
    sight s;
    sight_open(&s, v3(0, 0, 0), v3(1, 1, 1));
    CHECK(isnan(sight_number(&s, "type: heap", "angle")));
    CHECK(isnan(sight_number(&s, "type: slope", "angle")));
    sight_grain(&s, v3(0.5, 0.5, 0.5), 0.1, v3(0, 0, 0));
    CHECK(isnan(sight_number(&s, "type: heap", "angle")));
    sight_close(&s);
}

int main(void)
{
    test_heap(20, 1);
    test_heap(30, 2);
    test_heap(38, 3);
    test_slope(5, 4);
    test_slope(28, 5);
    test_nothing();
    return check_done();
}
