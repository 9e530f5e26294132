/* Observers that look at groups: a probe of a group, grains counted by region and group. */
#include <math.h>

#include "observe_fixture.h"

// two grains of gravel, one that went through the periodic side x, and one of sand
static void open_three(sight *s)
{
    sight_open(s, v3(0, 0, 0), v3(1, 1, 1));
    s->world.domain.periodic[0] = true;
    sight_grain(s, v3(0.5, 0.5, 0.5), 0.05, v3(1, 2, 3));
    sight_grain(s, v3(0.2, 0.4, 0.6), 0.1, v3(0, 0, 3));
    sight_grain(s, v3(0.9, 0.1, 0.5), 0.1, v3(2, 0, -3));
    scr_bodies *b = &s->world.bodies;
    b->group[1] = b->group[2] = 1;
    b->mass[1] = 3, b->mass[2] = 1;
    b->image[4 * 2] = -1;
    b->load[8 * 1 + 2] = 5, b->load[8 * 2 + 2] = -2;
    b->spin[4 * 2 + 1] = 8;
}

static void test_probe(void)
{
    sight s;
    open_three(&s);
    const char *both = "type: probe, group: gravel";
    CHECK_NEAR(sight_number(&s, both, "x"), (3 * 0.2 + 1 * (0.9 - 1)) / 4, 1e-16);
    CHECK_NEAR(sight_number(&s, both, "y"), (3 * 0.4 + 1 * 0.1) / 4, 1e-15);
    CHECK_NEAR(sight_number(&s, both, "vz"), 1.5, 0);
    CHECK_NEAR(sight_number(&s, both, "wy"), 2, 0);
    CHECK_NEAR(sight_number(&s, both, "fz"), 3, 0);
    // one grain of a group is the grain itself
    CHECK(sight_number(&s, "type: probe, group: sand", "vy") == sight_number(&s, "type: probe, id: 1", "vy"));
    CHECK(sight_number(&s, "type: probe, group: sand", "x") == 0.5);
    s.world.bodies.group[0] = 1;
    CHECK(isnan(sight_number(&s, "type: probe, group: sand", "x")));
    sight_close(&s);
}

static void test_count(void)
{
    sight s;
    open_three(&s);
    CHECK_NEAR(sight_number(&s, "type: count", "count"), 3, 0);
    CHECK_NEAR(sight_number(&s, "type: count", "gravel.mass"), 4, 0);
    const char *left = "type: count, region: {box: [[0, 0, 0], [0.5, 1, 1]]}";
    CHECK_NEAR(sight_number(&s, left, "sand.count"), 1, 0); // on the border
    CHECK_NEAR(sight_number(&s, left, "gravel.count"), 1, 0);
    CHECK_NEAR(sight_number(&s, left, "mass"), 3 + s.world.bodies.mass[0], 1e-15);
    // a grain not yet brought back through the periodic side counts where its image is
    s.world.bodies.place[4 * 2] = 1.3;
    CHECK_NEAR(sight_number(&s, left, "gravel.count"), 2, 0);
    const char *ball = "type: count, region: {shape: sphere, center: [0.2, 0.4, 0.6], radius: 0.01}";
    CHECK_NEAR(sight_number(&s, ball, "count"), 1, 0);
    CHECK_NEAR(sight_number(&s, ball, "gravel.count"), 1, 0);
    sight_close(&s);
}

int main(void)
{
    test_probe();
    test_count();
    return check_done();
}
