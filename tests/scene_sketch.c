/* The sketch of equal balls: what it is sure of is what all distances say, also across periodic sides and in crowded
 * cells; and it is sure of most points. */
#include "scene/sketch.h"

#include "check.h"

#define BALLS  600
#define POINTS 4000

// from the nearest image
static double distance(const scr_space *space, vec3 a, vec3 b)
{
    double d2 = 0;
    for (int k = 0; k < 3; k++) {
        double d = fabs((&a.x)[k] - (&b.x)[k]);
        if (space->periodic[k]) d = fmin(d, space->length[k] - d);
        d2 += d * d;
    }
    return sqrt(d2);
}

static vec3 draw(scr_random *random, const scr_region *region)
{
    double x = scr_random_between(random, region->low.x, region->high.x);
    double y = scr_random_between(random, region->low.y, region->high.y);
    return v3(x, y, scr_random_between(random, region->low.z, region->high.z));
}

static void test_answers(const scr_space *space, double radius, double gap)
{
    scr_region region = {.low = {-1, 2, 0}, .high = {-1 + space->length[0], 2 + space->length[1], space->length[2]}};
    scr_random random = scr_random_stream(1, 2);
    scr_sketch s = {0};
    vec3 balls[BALLS], points[POINTS];
    uint8_t answers[POINTS];
    int wrong = 0, many[3] = {0};
    scr_sketch_begin(&s, space, &region, radius, 10 * BALLS);
    CHECK(s.cells);
    for (int k = 0; k < BALLS; k++) scr_sketch_put(&s, balls[k] = draw(&random, &region));
    for (int k = 0; k < POINTS; k++) points[k] = draw(&random, &region);
    scr_sketch_ask(&s, points, POINTS, answers);
    for (int k = 0; k < POINTS; k++) {
        double least = INFINITY;
        for (int b = 0; b < BALLS; b++) least = fmin(least, distance(space, points[k], balls[b]));
        many[answers[k]]++;
        wrong += answers[k] == SCR_SKETCH_BLOCKED && !(least < 2 * radius + gap);
        wrong += answers[k] == SCR_SKETCH_FREE && !(least > 2 * radius + gap);
    }
    CHECK_INT(wrong, 0);
    CHECK(many[SCR_SKETCH_BLOCKED] > POINTS / 5 && many[SCR_SKETCH_FREE] > POINTS / 10);
    CHECK(many[SCR_SKETCH_UNSURE] < POINTS / 3);
    scr_sketch_deinit(&s);
}

// far more cells than balls
static void test_too_many_cells(void)
{
    scr_space space = {.length = {1, 1, 1}};
    scr_region region = {.high = {1, 1, 1}};
    scr_sketch s = {0};
    scr_sketch_begin(&s, &space, &region, 1e-200, 1000);
    CHECK(!s.cells);
}

// more than any machine has: 5e17 bytes
static void test_no_memory(void)
{
    scr_space space = {.length = {1, 1, 1}};
    scr_region region = {.high = {1, 1, 1}};
    scr_sketch s = {0};
    scr_sketch_begin(&s, &space, &region, 1e-6, (size_t)1 << 60);
    CHECK(s.per_cell[2] > 0 && !s.cells);
}

int main(void)
{
    scr_space space = {.low = {-1, 2, 0}, .length = {3, 2.9, 3.3}};
    for (int k = 0; k < 8; k++) {
        for (int axis = 0; axis < 3; axis++) space.periodic[axis] = k >> axis & 1;
        space.gap = k == 3 ? 0.02 : 0;
        test_answers(&space, 0.11, space.gap);
    }
    // one cell along each axis
    space = (scr_space){.low = {-1, 2, 0}, .length = {0.5, 0.5, 0.5}, .periodic = {true, false, true}};
    scr_sketch s = {0};
    scr_region region = {.low = {-1, 2, 0}, .high = {-0.5, 2.5, 0.5}};
    scr_sketch_begin(&s, &space, &region, 0.18, 10);
    CHECK(s.cells);
    scr_sketch_put(&s, v3(-0.9, 2.25, 0.1));
    vec3 points[2] = {{-0.55, 2.25, 0.45}, {-0.7, 2.49, 0.35}};
    uint8_t answers[2];
    scr_sketch_ask(&s, points, 2, answers);
    CHECK_INT(answers[0], SCR_SKETCH_BLOCKED);
    CHECK_INT(answers[1], SCR_SKETCH_FREE);
    scr_sketch_deinit(&s);
    test_too_many_cells();
    test_no_memory();
    return check_done();
}
