/* Regions of the world: those that stay resolved, at rest or with a wall, and outlets, asked for all bodies at once. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "world/world.h"

static void resolved(void)
{
    scr_wall wall = {.active = true, .motion = {.velocity = {2, 0, 0}, .until = INFINITY}};
    scr_resolved rest = {.region = {.kind = SCR_REGION_SPHERE, .radius = {0.5}}, .wall = -1};
    scr_resolved rides = rest;
    rides.wall = 0;
    scr_world w = {.walls = &wall, .wall_count = 1};
    wall.base = pose_turn(v3(0, 0, 1), 0);
    scr_wall_init(&wall, 0);
    CHECK(scr_resolved_holds(&w, &rest, v3(0.4, 0, 0)) && scr_resolved_holds(&w, &rides, v3(0.4, 0, 0)));
    CHECK(!scr_resolved_holds(&w, &rest, v3(0.6, 0, 0)));
    // one second later the wall, and what moves with it, is two metres on
    scr_wall_move(&wall, 0, 1, 1);
    CHECK(scr_resolved_holds(&w, &rest, v3(0.4, 0, 0)));
    CHECK(!scr_resolved_holds(&w, &rides, v3(0.4, 0, 0)));
    CHECK(scr_resolved_holds(&w, &rides, v3(2.4, 0, 0)));
    wall.active = false;
    CHECK(!scr_resolved_holds(&w, &rides, v3(2.4, 0, 0)));
}

// one body after the other says the same as the pass over all
static void outlets(void)
{
    scr_world w;
    scr_world_init(&w);
    scr_outlet outlets[] = {
        {.region = scr_region_beyond(v3(0.9, 0, 0), v3(1, 0.1, 0)), .until = 1},
        {.region = {.kind = SCR_REGION_SPHERE,
                    .center = {0.5, 0.5, 0.5},
                    .radius = {0.05},
                    .low = {0.45, 0.45, 0.45},
                    .high = {0.55, 0.55, 0.55}},
         .start = 0.5,
         .until = 2},
    };
    CHECK(scr_table_reserve(&w.bodies.table, 1));
    size_t i = scr_table_add(&w.bodies.table);
    w.bodies.motion[4 * i + 3] = 1;
    w.outlets = outlets, w.outlet_count = 2;
    scr_random random = scr_random_stream(1, 2);
    int taken = 0, wrong = 0;
    for (int n = 0; n < 100000; n++) {
        for (int d = 0; d < 3; d++) w.bodies.place[4 * i + d] = scr_random_unit(&random);
        w.clock.time = 3 * scr_random_unit(&random);
        bool one = scr_outlet_of(&w, i) >= 0;
        taken += one, wrong += one != scr_outlets_are_due(&w);
    }
    CHECK(taken > 1000);
    CHECK_INT(wrong, 0);
    w.outlets = NULL, w.outlet_count = 0;
    scr_world_deinit(&w);
}

int main(void)
{
    resolved();
    outlets();
    return check_done();
}
