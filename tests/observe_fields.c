/* Bins, profiles, stress and coordination against closed forms, on worlds made by hand. */
#include "base/random.h"
#include "observe/bins.h"
#include "observe_fixture.h"

/* ---- bins ---- */

typedef struct {
    double share[4096], sum;
    int count;
} shares;

static void note(void *context, size_t bin, double share)
{
    shares *s = context;
    s->share[bin] += share;
    s->sum += share;
    s->count++;
}

static double ball(double r)
{
    return 4.0 / 3 * M_PI * r * r * r;
}

// parts of a sphere by throwing many points
static void compare_with_points(const scr_bins *bins, vec3 c, double r)
{
    shares s = {0};
    double points[4096] = {0}, worst = 0;
    size_t n = scr_bins_count(bins);
    int side = 100;
    scr_bins_sphere(bins, c, r, note, &s);
    for (int i = 0; i < side * side * side; i++) {
        double p[3] = {i % side, i / side % side, i / side / side};
        for (int d = 0; d < 3; d++) p[d] = r * (2 * (p[d] + 0.5) / side - 1);
        if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > r * r) continue;
        int at[3];
        bool inside = true;
        for (int d = 0; d < 3; d++) {
            double u = (p[d] + (&c.x)[d] - bins->lower[d]) / bins->edge[d];
            at[d] = (int)floor(u);
            inside = inside && u >= 0 && u < bins->count[d];
        }
        if (inside)
            points[at[0] + bins->count[0] * (at[1] + bins->count[1] * at[2])] += 8 * r * r * r / side / side / side;
    }
    for (size_t k = 0; k < n; k++) worst = check_worse(worst, fabs(s.share[k] - points[k]));
    CHECK_NEAR(worst / ball(r), 0, 3e-3); // the points themselves are off by 1e-3
}

static void test_bins(void)
{
    scr_domain open = {.lower = {0, 0, 0}, .upper = {1, 1, 1}};
    scr_domain round = {.lower = {0, 0, 0}, .upper = {1, 1, 1}, .periodic = {true, true, true}};
    vec3 zero = v3(0, 0, 0), one = v3(1, 1, 1);

    // a line: caps, exactly. Half of a sphere is on each side of the middle; a third of the radius below the top
    // there is a cap of height 2/3 r
    shares s = {0};
    scr_bins line = scr_bins_of(&open, zero, one, (int[]){1, 1, 10});
    scr_bins_sphere(&line, v3(0.5, 0.5, 0.5), 0.09, note, &s);
    CHECK_NEAR(s.share[4] / ball(0.09), 0.5, 1e-14);
    CHECK_NEAR(s.share[5] / ball(0.09), 0.5, 1e-14);
    s = (shares){0};
    double h = 2.0 / 3 * 0.09;
    scr_bins_sphere(&line, v3(0.5, 0.5, 0.6 + 0.03), 0.09, note, &s);
    CHECK_NEAR(s.share[5], M_PI * h * h * (0.09 - h / 3), 1e-17);
    CHECK_NEAR(s.sum, ball(0.09), 1e-17);

    // parts add up to the whole, wherever the sphere is; through periodic sides too
    scr_random r = scr_random_stream(1, 0);
    scr_bins grid = scr_bins_of(&round, zero, one, (int[]){5, 7, 9});
    double worst = 0;
    for (int k = 0; k < 200; k++) {
        double x[3];
        for (int d = 0; d < 3; d++) x[d] = scr_random_between(&r, 0, 1);
        double radius = scr_random_between(&r, 0.01, 0.3);
        s = (shares){0};
        scr_bins_sphere(&grid, v3_load(x), radius, note, &s);
        worst = check_worse(worst, fabs(s.sum / ball(radius) - 1));
    }
    CHECK_NEAR(worst, 0, 1e-10);

    // symmetry: a sphere in a corner of eight bins gives each an eighth
    s = (shares){0};
    scr_bins two = scr_bins_of(&open, zero, one, (int[]){2, 2, 2});
    scr_bins_sphere(&two, v3(0.5, 0.5, 0.5), 0.2, note, &s);
    for (int k = 0; k < 8; k++) CHECK_NEAR(s.share[k] / ball(0.2), 0.125, 1e-14);

    scr_bins some = scr_bins_of(&open, zero, one, (int[]){4, 3, 6});
    compare_with_points(&some, v3(0.31, 0.42, 0.53), 0.25);
    compare_with_points(&some, v3(0.24, 0.34, 0.5), 0.1);
    compare_with_points(&some, v3(0.98, 0.02, 0.7), 0.2);
}

static void test_lines(void)
{
    scr_domain open = {.lower = {0, 0, 0}, .upper = {1, 1, 1}};
    scr_domain round = {.lower = {0, 0, 0}, .upper = {1, 1, 1}, .periodic = {false, false, true}};
    shares s = {0};
    scr_bins line = scr_bins_of(&open, v3(0, 0, 0), v3(1, 1, 1), (int[]){1, 1, 4});
    scr_bins_line(&line, v3(0.5, 0.5, 0.2), v3(0.1, 0, 0.2), note, &s);
    CHECK_NEAR(s.share[0], 0.25, 1e-14);
    CHECK_NEAR(s.share[1], 0.75, 1e-14);

    // beyond the box nothing counts; through a periodic side it comes back
    s = (shares){0};
    scr_bins_line(&line, v3(0.5, 0.5, 0.9), v3(0, 0, 0.2), note, &s);
    CHECK_NEAR(s.share[3], 0.5, 1e-14);
    CHECK_NEAR(s.sum, 0.5, 1e-14);
    s = (shares){0};
    line = scr_bins_of(&round, v3(0, 0, 0), v3(1, 1, 1), (int[]){1, 1, 4});
    scr_bins_line(&line, v3(0.5, 0.5, 1.1), v3(0, 0, -0.4), note, &s);
    CHECK_NEAR(s.share[0], 0.25, 1e-14);
    CHECK_NEAR(s.share[3], 0.625, 1e-14);
    CHECK_NEAR(s.share[2], 0.125, 1e-14);

    // many lines through a grid: the parts of a line inside add up to 1
    scr_random r = scr_random_stream(2, 0);
    scr_bins grid = scr_bins_of(&open, v3(0, 0, 0), v3(1, 1, 1), (int[]){5, 7, 9});
    double worst = 0;
    for (int k = 0; k < 200; k++) {
        double x[6];
        for (int d = 0; d < 6; d++) x[d] = scr_random_between(&r, 0, 1);
        s = (shares){0};
        scr_bins_line(&grid, v3_load(x), v3_sub(v3_load(x + 3), v3_load(x)), note, &s);
        worst = check_worse(worst, fabs(s.sum - 1));
    }
    CHECK_NEAR(worst, 0, 1e-12);
}

/* ---- profiles ---- */

static void test_profile(void)
{
    sight s;
    sight_open(&s, v3(0, 0, 0), v3(1, 1, 1));
    // below: two grains at velocities u +- w; above: one at rest; and one of another group
    sight_grain(&s, v3(0.3, 0.3, 0.2), 0.1, v3(1000, 0.5, 2));
    sight_grain(&s, v3(0.7, 0.7, 0.3), 0.1, v3(1000, -0.5, 4));
    sight_grain(&s, v3(0.5, 0.5, 0.75), 0.2, v3(0, 0, 0));
    s.world.bodies.group[sight_grain(&s, v3(0.2, 0.2, 0.75), 0.05, v3(9, 9, 9))] = 1;
    double v[4];
    const char *text = "type: profile, bins: 2, group: sand";
    sight_sample(&s, text, "solid_fraction", v, 3);
    CHECK_NEAR(v[0], 2 * ball(0.1) / 0.5, 1e-14);
    CHECK_NEAR(v[1], ball(0.2) / 0.5, 1e-14);
    CHECK(isnan(v[2]));
    sight_sample(&s, text, "density", v, 2);
    CHECK_NEAR(v[0], 2000 * ball(0.1) / 0.5, 1e-11);
    sight_sample(&s, text, "velocity_x", v, 2);
    CHECK_NEAR(v[0], 1000, 1e-10);
    CHECK_NEAR(v[1], 0, 0);
    sight_sample(&s, text, "velocity_z", v, 1);
    CHECK_NEAR(v[0], 3, 1e-14);
    sight_sample(&s, text, "temperature", v, 2);
    CHECK_NEAR(v[0], (0.25 + 1) / 3, 1e-13);
    CHECK_NEAR(v[1], 0, 0);
    // without the group the fourth grain counts
    sight_sample(&s, "type: profile, bins: 2", "solid_fraction", v, 2);
    CHECK_NEAR(v[1], (ball(0.2) + ball(0.05)) / 0.5, 1e-14);
    // part of the axis, part of the box: where there is nothing there is no velocity
    sight_sample(&s, "type: profile, axis: x, bins: 1, from: 0.9, to: 1", "velocity_x", v, 1);
    CHECK(isnan(v[0]));
    sight_sample(&s, "type: profile, axis: x, bins: 4, box: [[0, 0, 0], [1, 1, 0.5]]", "solid_fraction", v, 4);
    // of each grain a cap as high as half of its radius is in the next bin
    double cap = M_PI * 0.05 * 0.05 * (3 * 0.1 - 0.05) / 3;
    CHECK_NEAR(v[0], cap / 0.125, 1e-13);
    CHECK_NEAR(v[1], (ball(0.1) - cap) / 0.125, 1e-13);
    CHECK_NEAR(v[2], (ball(0.1) - cap) / 0.125, 1e-13);
    CHECK_NEAR(v[0] + v[1] + v[2] + v[3], 2 * ball(0.1) / 0.125, 1e-13);

    // a grid: the sum over all bins is the sum of the grains
    double g[24], sum = 0;
    sight_sample(&s, "type: grid, bins: [2, 3, 4]", "density", g, 24);
    for (int k = 0; k < 24; k++) sum += g[k] / 24;
    CHECK_NEAR(sum, 1000 * (2 * ball(0.1) + ball(0.2) + ball(0.05)), 1e-10);
    sight_close(&s);
}

/* ---- stress ---- */

static void test_stress(void)
{
    // two grains, one contact of force f along the branch l: f l / V; and a wall
    sight s;
    sight_open(&s, v3(0, 0, 0), v3(1, 1, 1));
    sight_grain(&s, v3(0.5, 0.5, 0.3), 0.1, v3(0.5, 0, 0));
    sight_grain(&s, v3(0.5, 0.5, 0.1), 0.1, v3(-0.5, 0, 0));
    sight_contact(&s, 0, 1, v3(0, 0, 0.2), v3(3, 0, 10));
    sight_contact(&s, 1, -1, v3(0, 0, 0.1), v3(0, 0, 20));
    double m = 1000 * ball(0.1);
    CHECK_NEAR(sight_number(&s, "type: stress", "contact_zz"), 10 * 0.2 + 20 * 0.1, 1e-14);
    CHECK_NEAR(sight_number(&s, "type: stress", "contact_xz"), 0.5 * 3 * 0.2, 1e-14);
    CHECK_NEAR(sight_number(&s, "type: stress", "contact_xx"), 0, 0);
    CHECK_NEAR(sight_number(&s, "type: stress", "kinetic_xx"), 2 * m * 0.25, 1e-13);
    CHECK_NEAR(sight_number(&s, "type: stress", "zz"), 4, 1e-14);
    CHECK_NEAR(sight_number(&s, "type: stress", "pressure"), (4 + 0.5 * m) / 3, 1e-13);
    // in a box that holds half of the upper branch, over its own volume
    CHECK_NEAR(sight_number(&s, "type: stress, box: [[0, 0, 0.2], [1, 1, 0.3]]", "contact_zz"), 10 * 0.1 / 0.1, 1e-12);
    // the same from slices
    double v[10];
    sight_sample(&s, "type: profile, bins: 10, stress: true", "stress_zz", v, 10);
    CHECK_NEAR(v[0], 20, 1e-12);
    CHECK_NEAR(v[1], 10, 1e-12);
    CHECK_NEAR(v[2], 10, 1e-12);
    CHECK_NEAR(v[3], 0, 1e-12);
    sight_close(&s);
}

// a simple cubic lattice of n^3 grains in a periodic box, spacing a, all contacts of force f
static void lattice(sight *s, int n, double a, double f)
{
    sight_open(s, v3(0, 0, 0), v3(n * a, n * a, n * a));
    for (int d = 0; d < 3; d++) s->world.domain.periodic[d] = true;
    for (int k = 0; k < n * n * n; k++)
        sight_grain(s, v3((k % n) * a, (k / n % n) * a, (k / n / n) * a), 0.5 * a * 1.001, v3(0, 0, 0));
    for (int k = 0; k < n * n * n; k++) {
        int at[3] = {k % n, k / n % n, k / n / n};
        for (int d = 0; d < 3; d++) {
            int to[3] = {at[0], at[1], at[2]};
            to[d] = (to[d] + 1) % n;
            double push[3] = {0, 0, 0};
            push[d] = -1;
            sight_contact(s, k, to[0] + n * (to[1] + n * to[2]), v3_scale(a, v3_load(push)),
                          v3_scale(f, v3_load(push)));
        }
    }
}

static void test_lattice(void)
{
    sight s;
    int n = 5;
    double a = 0.02, f = 3;
    lattice(&s, n, a, f);
    const char *const normal[] = {"xx", "yy", "zz", "pressure"};
    for (int k = 0; k < 4; k++) CHECK_NEAR(sight_number(&s, "type: stress", normal[k]) / (f / a / a), 1, 1e-13);
    CHECK_NEAR(sight_number(&s, "type: stress", "xy"), 0, 1e-9);
    double v[13];
    sight_sample(&s, "type: profile, axis: y, bins: 7, stress: true", "pressure", v, 7);
    double sum = 0;
    for (int k = 0; k < 7; k++) sum += v[k] / 7;
    CHECK_NEAR(sum / (f / a / a), 1, 1e-12);
    // along the axis the flux of force is the same everywhere
    sight_sample(&s, "type: profile, axis: y, bins: 7, stress: true", "stress_yy", v, 7);
    for (int k = 0; k < 7; k++) CHECK_NEAR(v[k] / (f / a / a), 1, 1e-11);
    CHECK_NEAR(sight_number(&s, "type: coordination", "mean"), 6, 0);
    CHECK_NEAR(sight_number(&s, "type: coordination", "without_rattlers"), 6, 0);
    CHECK_NEAR(sight_number(&s, "type: coordination", "rattlers"), 0, 0);
    sight_sample(&s, "type: coordination", "fraction", v, 13);
    for (int k = 0; k < 13; k++) CHECK_NEAR(v[k], k == 6, 0);
    sight_close(&s);
}

/* ---- coordination ---- */

// a chain hanging on a ring of four: rattlers go one after the other
static void test_rattlers(void)
{
    sight s;
    sight_open(&s, v3(0, 0, 0), v3(1, 1, 1));
    for (int k = 0; k < 8; k++) sight_grain(&s, v3(0.1 * k, 0.5, 0.5), 0.04, v3(0, 0, 0));
    vec3 x = v3(0.1, 0, 0);
    for (int k = 0; k < 4; k++) sight_contact(&s, k, (k + 1) % 4, x, x);
    for (int k = 3; k < 6; k++) sight_contact(&s, k, k + 1, x, x);
    sight_contact(&s, 0, -1, x, x);
    // 0..3 the ring, 4 5 6 the chain, 7 alone; 0 touches a wall
    CHECK_NEAR(sight_number(&s, "type: coordination", "mean"), (2 * 7 + 1) / 8.0, 1e-15);
    CHECK_NEAR(sight_number(&s, "type: coordination, walls: false", "mean"), 2 * 7 / 8.0, 1e-15);
    CHECK_NEAR(sight_number(&s, "type: coordination", "rattlers"), 0.5, 1e-15);
    CHECK_NEAR(sight_number(&s, "type: coordination", "without_rattlers"), 9 / 4.0, 1e-15);
    CHECK_NEAR(sight_number(&s, "type: coordination, rattler: 1", "rattlers"), 1 / 8.0, 1e-15);
    CHECK_NEAR(sight_number(&s, "type: coordination, rattler: 4", "rattlers"), 1, 0);
    double z[13];
    sight_sample(&s, "type: coordination", "fraction", z, 13);
    CHECK_NEAR(z[0], 1 / 8.0, 1e-15);
    CHECK_NEAR(z[1], 1 / 8.0, 1e-15);
    CHECK_NEAR(z[2], 4 / 8.0, 1e-15);
    CHECK_NEAR(z[3], 2 / 8.0, 1e-15);
    sight_close(&s);
}

/* ---- kernels ---- */

// sums over the grid times the volume of a bin
typedef struct {
    double mass, momentum[3], virial;
} grid_totals;

static grid_totals totals_of(sight *s, const char *observer, int bins)
{
    static const char *const velocity[] = {"velocity_x", "velocity_y", "velocity_z"};
    double *density = malloc((size_t)bins * sizeof *density), *u = malloc((size_t)bins * sizeof *u);
    grid_totals t = {0};
    sight_sample(s, observer, "density", density, bins);
    for (int k = 0; k < bins; k++) t.mass += density[k] / bins;
    for (int d = 0; d < 3; d++) {
        sight_sample(s, observer, velocity[d], u, bins);
        for (int k = 0; k < bins; k++)
            if (density[k] > 0) t.momentum[d] += density[k] * u[k] / bins;
    }
    sight_sample(s, observer, "stress_xx", u, bins);
    sight_sample(s, observer, "kinetic_xx", density, bins);
    for (int k = 0; k < bins; k++) t.virial += (u[k] - density[k]) / bins;
    free(density), free(u);
    return t;
}

// mass and momentum of random grains, some at the very border, are those of the grid; so is the sum of f l
static void test_conserved(bool periodic)
{
    static const char *const observers[] = {"type: fields, bins: [8, 6, 5], width: 0.07",
                                            "type: fields, bins: [8, 6, 5], width: 0.07, kernel: lucy",
                                            "type: fields, bins: [8, 6, 5], width: 1 mm, kernel: lucy",
                                            "type: fields, bins: [8, 6, 5], width: 0.6",
                                            "type: fields, bins: [1, 1, 240], width: 0.03, kernel: lucy",
                                            "type: fields, bins: [16, 15, 1]"};
    sight s;
    scr_random random = scr_random_stream(7, 1);
    sight_open(&s, v3(0, 0, 0), v3(1, 1, 1));
    for (int d = 0; d < 3; d++) s.world.domain.periodic[d] = periodic;
    double mass = 0, momentum[3] = {0}, virial = 0;
    for (int i = 0; i < 200; i++) {
        double x[6];
        for (int d = 0; d < 6; d++) x[d] = scr_random_unit(&random);
        if (i < 4) x[i % 3] = i / 3;
        size_t row = sight_grain(&s, v3_load(x), 0.01 + 0.04 * scr_random_unit(&random), v3_load(x + 3));
        mass += s.world.bodies.mass[row];
        for (int d = 0; d < 3; d++) momentum[d] += s.world.bodies.mass[row] * x[3 + d];
    }
    // a branch across the middle, and one at the border of the box
    sight_contact(&s, 9, 10, v3(0.03, 0.02, -0.01), v3(5, 1, 2));
    sight_contact(&s, 0, 11, v3(0, 0.0, 0.0), v3(1, 0, 0));
    virial = 5 * 0.03;
    for (size_t k = 0; k < sizeof observers / sizeof *observers; k++) {
        grid_totals t = totals_of(&s, observers[k], 240);
        CHECK_NEAR(t.mass / mass, 1, 3e-15); // sums of 240 numbers: off by up to 5e-16
        for (int d = 0; d < 3; d++) CHECK_NEAR(t.momentum[d] / momentum[d], 1, 3e-15);
        CHECK_NEAR(t.virial / virial, 1, 1e-13); // 3e-15; the difference of two stresses
    }
    sight_close(&s);
}

// one grain in the middle of a fine grid: density is the kernel, cut at four widths along each axis
static void test_kernels(void)
{
    sight s;
    sight_open(&s, v3(0, 0, 0), v3(1, 1, 1));
    sight_grain(&s, v3(0.5, 0.5, 0.5), 0.05, v3(1, 0, 0));
    double *density = malloc(35937 * sizeof *density), m = s.world.bodies.mass[0], w = 0.1;
    size_t middle = 16 + 33 * (16 + 33 * 16);
    double gauss = pow(2 * M_PI, -1.5) / (w * w * w) / pow(erf(4 / sqrt(2)), 3);
    sight_sample(&s, "type: fields, bins: [33, 33, 33], width: 0.1", "density", density, 35937);
    CHECK_NEAR(density[middle] / (m * gauss), 1, 1e-4); // where the cut falls between points: 3e-5
    CHECK_NEAR(density[middle + 3] / density[middle], exp(-0.5 * pow(3 / 33.0 / w, 2)), 1e-14);
    // Lucy in three dimensions: 105/(16 pi c^3)
    double c = 2 * w, lucy = 105 / (16 * M_PI * c * c * c), q = 3 / 33.0 / c;
    sight_sample(&s, "type: fields, bins: [33, 33, 33], width: 0.1, kernel: lucy", "density", density, 35937);
    CHECK_NEAR(density[middle] / (m * lucy), 1, 1e-3); // the sum over the grid: 2e-4
    CHECK_NEAR(density[middle + 3] / density[middle], (1 + 3 * q) * pow(1 - q, 3), 1e-14);
    CHECK_NEAR(density[middle + 7], 0, 0);
    free(density);
    sight_close(&s);
}

// two streams through each other: temperature and kinetic stress of the mean flow and its fluctuations
static void test_streams(void)
{
    sight s;
    sight_open(&s, v3(0, 0, 0), v3(1, 1, 1));
    sight_grain(&s, v3(0.5, 0.5, 0.5), 0.05, v3(3, 1, 0));
    sight_grain(&s, v3(0.5, 0.5, 0.5), 0.05, v3(1, 1, 0));
    const char *it = "type: fields, bins: [1, 1, 1]";
    double m = s.world.bodies.mass[0];
    CHECK_NEAR(sight_number(&s, it, "velocity_x"), 2, 1e-15);
    CHECK_NEAR(sight_number(&s, it, "temperature"), 1.0 / 3, 1e-15);
    CHECK_NEAR(sight_number(&s, it, "kinetic_xx"), 2 * m, 1e-14);
    CHECK_NEAR(sight_number(&s, it, "stress_xx"), 2 * m, 1e-14);
    CHECK_NEAR(sight_number(&s, it, "kinetic_yy"), 0, 0);
    sight_close(&s);
}

int main(void)
{
    test_conserved(false);
    test_conserved(true);
    test_kernels();
    test_streams();
    test_bins();
    test_lines();
    test_profile();
    test_stress();
    test_lattice();
    test_rattlers();
    return check_done();
}
