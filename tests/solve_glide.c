/* Damped motion (solve/glide.h) against closed forms: the rate at which an oscillation dies out, the largest step that
 * is stable, and what ends it. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "solve/glide.h"

#define ROWS 3

// springs of stiffness k to the origin; the strongest force is given
typedef struct {
    double k, strongest;
} springs;

static scr_value pull(void *context, const double *x, double *gradient)
{
    const springs *s = context;
    scr_value v = {.strongest = s->strongest};
    for (int i = 0; i < SCR_ROW * ROWS; i++) gradient[i] = i % SCR_ROW < 3 ? s->k * x[i] : 0;
    for (int i = 0; i < ROWS; i++) {
        const double *a = x + SCR_ROW * i;
        v.moved2 = check_worse(v.moved2, a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    }
    return v;
}

static scr_outcome run(springs s, const double *start, scr_glide_options options, scr_glide *glide, double *x)
{
    scr_minimiser m = {0};
    CHECK(scr_minimiser_reserve(&m, ROWS));
    for (int i = 0; i < SCR_ROW * ROWS; i++) x[i] = start[i], m.p[i] = 0;
    scr_objective o = {.context = &s, .rows = ROWS, .evaluate = pull};
    scr_outcome out = scr_glide_run(glide, &m, &o, x, &options);
    scr_minimiser_deinit(&m);
    return out;
}

static const scr_glide_options usual = {
    .stiffness = 1, .drag = 0.02, .cap = INFINITY, .enough = 1e-8, .few = 0, .most_moved2 = INFINITY, .steps = 100000};

// (1) takes (x, w) to others with the determinant (1 - b/2)/(1 + b/2) in a step, whatever the stiffness
static void test_decay(void)
{
    const double stiffness[] = {0.01, 1, 5};
    const int steps = 1000;
    for (int k = 0; k < 3; k++) {
        scr_minimiser m = {0};
        CHECK(scr_minimiser_reserve(&m, ROWS));
        double x[SCR_ROW * ROWS] = {1};
        for (int i = 0; i < SCR_ROW * ROWS; i++) m.p[i] = i == SCR_ROW; // from rest, and from 0
        springs s = {stiffness[k], 1};
        scr_objective o = {.context = &s, .rows = ROWS, .evaluate = pull};
        scr_glide_options options = usual;
        options.enough = 0, options.steps = steps - 1;
        scr_glide glide = {0};
        CHECK_INT(scr_glide_run(&glide, &m, &o, x, &options), SCR_NOT_MINIMISED);
        double found = x[0] * m.p[SCR_ROW] - x[SCR_ROW] * m.p[0];
        CHECK_NEAR(found / pow((1 - 0.01) / (1 + 0.01), steps), 1, 1e-11); // 1.1e-12
        scr_minimiser_deinit(&m);
    }
}

// h^2 k/K < 4
static void test_stable(void)
{
    double start[SCR_ROW * ROWS] = {1}, x[SCR_ROW * ROWS];
    double limit = 4 / (SCR_GLIDE_STEP * SCR_GLIDE_STEP);
    scr_glide glide = {0};
    scr_glide_options options = usual;
    options.steps = 5000;
    CHECK_INT(run((springs){0.99 * limit, limit}, start, options, &glide, x), SCR_MINIMISED);
    glide = (scr_glide){0};
    CHECK_INT(run((springs){1.05 * limit, limit}, start, options, &glide, x), SCR_NOT_MINIMISED);
}

static void test_ends(void)
{
    double start[SCR_ROW * ROWS] = {1, 0, 0, 0, 0, 0, 0, 0, 0.1}, x[SCR_ROW * ROWS];
    scr_glide glide = {0};
    scr_glide_options options = usual;
    options.few = 1, options.enough = 0.2; // one row has more
    CHECK_INT(run((springs){1, 1}, start, options, &glide, x), SCR_MINIMISED);
    CHECK_INT(glide.steps, 0);
    CHECK_NEAR(glide.left, 1, 0);
    // nothing presses: no end where nothing is said of it, for they will fall
    options = usual, options.steps = 10, glide = (scr_glide){0};
    CHECK_INT(run((springs){1, 0}, start, options, &glide, x), SCR_NOT_MINIMISED);
    options.least = 1e-9, glide = (scr_glide){0};
    CHECK_INT(run((springs){1, 1e-10}, start, options, &glide, x), SCR_MINIMISED);
    CHECK_NEAR(glide.left, 0, 0);
    options = usual, options.most_moved2 = 0.5, glide = (scr_glide){0};
    CHECK_INT(run((springs){1, 1}, start, options, &glide, x), SCR_MOVED_FAR);
    // no row moves further than it may, and directions are kept
    options = usual, options.cap = 1e-3, options.steps = 1, glide = (scr_glide){0};
    run((springs){1, 1}, start, options, &glide, x);
    CHECK_NEAR(start[0] - x[0], 2e-3, 1e-15);
    start[0] = NAN, options = usual, glide = (scr_glide){0};
    CHECK_INT(run((springs){1, 1}, start, options, &glide, x), SCR_NOT_MINIMISED);
    CHECK(isnan(glide.left));
}

// what is left is the largest force of a row over the strongest, whatever the row and the direction
static void test_left(void)
{
    for (int row = 0; row < ROWS; row++)
        for (int axis = 0; axis < 3; axis++) {
            double start[SCR_ROW * ROWS] = {0}, x[SCR_ROW * ROWS];
            double *at = start + SCR_ROW * row;
            at[axis] = -0.6, at[(axis + 1) % 3] = 0.8;
            start[SCR_ROW * ((row + 1) % ROWS)] = 0.5;
            scr_glide glide = {0};
            scr_glide_options options = usual;
            options.steps = 0;
            CHECK_INT(run((springs){3, 4}, start, options, &glide, x), SCR_NOT_MINIMISED);
            CHECK_NEAR(glide.left, 0.75, 1e-15);
        }
}

int main(void)
{
    test_decay();
    test_stable();
    test_ends();
    test_left();
    return check_done();
}
