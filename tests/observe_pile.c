/* Piles of known shape: the mean profile of a long pile and of a bank, the line through the tops of columns, and the
 * main network. */
#include "observe_fixture.h"

#define D 0.01

// columns of grains on a lattice of pitch D, up to the height `top(x, y)` of their highest point
static void build(sight *s, double x0, double x1, double y0, double y1, double slope, bool ridge)
{
    for (double x = x0 + D / 2; x < x1; x += D)
        for (double y = y0 + D / 2; y < y1; y += D) {
            double top = ridge ? 0.2 - slope * fabs(y) : 0.2 - slope * fmax(x - 0.05, 0);
            if (top < D) continue;
            // what is below does not matter: two grains are enough
            sight_grain(s, v3(x, y, top - D / 2), D / 2, v3(0, 0, 0));
            sight_grain(s, v3(x, y, D / 2), D / 2, v3(0, 0, 0));
        }
}

static void test_ridge(void)
{
    sight s;
    sight_open(&s, v3(-0.1, -0.5, 0), v3(1, 0.5, 0.5));
    build(&s, 0, 0.6, -0.4, 0.4, 0.8, true);
    const char *def = "type: pile, direction: [0, 1, 0], sides: both, base: 0, cell: 10 mm, slice: 50 mm, "
                      "trim: 0.1, box: [[0.1, -0.5, 0], [1, 0.5, 0.5]]";
    // centres of columns are exact: the slope is too
    CHECK_NEAR(sight_number(&s, def, "angle"), atan(0.8) * 180 / M_PI, 1e-9);
    CHECK_NEAR(sight_number(&s, def, "spread"), 0, 1e-6);
    // from 0.1 to 0.1 behind the foremost centre, 0.595: 7 slices of at least 50 mm, two flanks each
    CHECK_NEAR(sight_number(&s, def, "fits"), 14, 2);
    CHECK_NEAR(sight_number(&s, def, "height"), 0.2 - 0.8 * D / 2, 1e-9);
    sight_close(&s);
}

static void test_bank(void)
{
    sight s;
    sight_open(&s, v3(-0.1, 0, 0), v3(1, 0.1, 0.5));
    build(&s, 0, 0.5, 0, 0.1, 0.5, false);
    const char *def = "type: pile, direction: [1, 0, 0], base: 0, cell: 10 mm, crest: [10 mm, 50 "
                      "mm], beyond: 40 mm";
    CHECK_NEAR(sight_number(&s, def, "angle"), atan(0.5) * 180 / M_PI, 1e-9);
    CHECK_NEAR(sight_number(&s, def, "height"), 0.2, 1e-12);
    // a hole in the surface is the ground: the mean profile falls there
    CHECK(sight_number(&s, def, "reach") > 0.4);
    // the same bank seen along y: its flank is level, and nothing is in the window
    CHECK(isnan(sight_number(&s, "type: pile, direction: [0, 1, 0], base: 0, cell: 10 mm", "angle")));
    sight_close(&s);
}

static void test_tops(void)
{
    sight s;
    sight_open(&s, v3(-1, -1, -1), v3(2, 2, 2));
    build(&s, 0, 0.3, 0, 0.1, 0.4, false);
    size_t flying = sight_grain(&s, v3(0.2, 0.05, 0.45), D / 2, v3(0, 0, 0));
    const char *near = "type: tops, cell: 10 mm, box: [[0.06, 0, 0], [0.3, 0.1, 0.4]]";
    CHECK_NEAR(sight_number(&s, near, "angle"), -atan(0.4) * 180 / M_PI, 1e-9);
    CHECK_NEAR(sight_number(&s, near, "highest"), 0.45, 1e-12);
    // contacts join all but the one that flies
    for (size_t i = 1; i < flying; i++) sight_contact(&s, (int32_t)i - 1, (int32_t)i, v3(0, 0, 1), v3(0, 0, 0));
    sight_contact(&s, (int32_t)flying, -1, v3(0, 0, 1), v3(0, 0, 0));
    const char *joined = "type: tops, cell: 10 mm, network: yes, box: [[0.06, 0, 0], [0.3, 0.1, 1]]";
    CHECK_NEAR(sight_number(&s, joined, "angle"), -atan(0.4) * 180 / M_PI, 1e-9);
    CHECK_NEAR(sight_number(&s, joined, "highest"), 0.2 - D / 2, 1e-12);
    CHECK_NEAR(sight_number(&s, joined, "network"), (double)flying / (double)(flying + 1), 1e-12);
    // in one aggregate with another it belongs to them
    s.world.bodies.carrier[flying] = s.world.bodies.carrier[3] = 1;
    CHECK_NEAR(sight_number(&s, joined, "network"), 1, 0);
    sight_close(&s);
}

static void test_nothing(void)
{
    sight s;
    sight_open(&s, v3(-1, -1, -1), v3(2, 2, 2));
    CHECK(isnan(sight_number(&s, "type: pile", "angle")));
    CHECK(isnan(sight_number(&s, "type: tops, network: yes", "angle")));
    CHECK_NEAR(sight_number(&s, "type: tops", "columns"), 0, 0);
    sight_close(&s);
}

int main(void)
{
    test_ridge();
    test_bank();
    test_tops();
    test_nothing();
    return check_done();
}
