/* Unions of spheres: volume, centre and inertia against closed forms. */
#include "check.h"

#include "base/random.h"
#include "math/quat.h"
#include "shape/clump.h"

static double worst(sym3 a, sym3 b)
{
    const double *x = &a.xx, *y = &b.xx;
    double most = 0, size = fabs(b.xx) + fabs(b.yy) + fabs(b.zz);
    for (int k = 0; k < 6; k++) most = check_worse(most, fabs(x[k] - y[k]) / size);
    return most;
}

static void test_single(void)
{
    const double s[][4] = {{1, 2, 3, 0.5}, {1.1, 2, 3, 0.2}, {1, 2, 3, 0.5}};
    scr_clump_shape a;
    CHECK(scr_clump_solid(s, 3, &a)); // the others are inside
    double v = 4 * M_PI / 3 * 0.125, i = 0.4 * v * 0.25;
    CHECK_NEAR(a.volume, v, 1e-15);
    CHECK_NEAR(v3_norm(v3_sub(a.centre, v3(1, 2, 3))), 0, 1e-15);
    CHECK(worst(a.inertia, (sym3){i, i, i, 0, 0, 0}) < 1e-13); // 3e-15
}

static void test_disjoint(void)
{
    const double s[][4] = {{0, 0, 0, 1}, {3, 0, 0, 0.5}};
    scr_clump_shape a;
    CHECK(scr_clump_solid(s, 2, &a));
    double m = 4 * M_PI / 3, n = m / 8, x = 3 * n / (m + n);
    double own = 0.4 * m + 0.1 * n, far = m * x * x + n * (3 - x) * (3 - x);
    CHECK_NEAR(a.volume, m + n, 1e-14);
    CHECK_NEAR(a.centre.x, x, 1e-15);
    CHECK(worst(a.inertia, (sym3){own, own + far, own + far, 0, 0, 0}) < 1e-14);
}

// two equal spheres of radius 1 at distance d: each is a ball without a cap of height 1 - d/2
static void test_lens(vec3 axis)
{
    double d = 1.2, h = d / 2;
    vec3 u = v3_scale(0.5 * d, v3_unit(axis));
    const double s[][4] = {{u.x, u.y, u.z, 1}, {-u.x, -u.y, -u.z, 1}};
    scr_clump_shape a;
    CHECK(scr_clump_solid(s, 2, &a));
    // integrals from -h to 1 of the ball at the origin: area, z^2 area, area^2 / 2 pi (for x^2 + y^2)
    double v = M_PI * ((1 + h) - (1 + h * h * h) / 3);
    double z1 = M_PI * ((1 - h * h) / 2 - (1 - h * h * h * h) / 4);
    double z2 = M_PI * ((1 + h * h * h) / 3 - (1 + h * h * h * h * h) / 5);
    double polar = M_PI / 2 * ((1 + h) - 2 * (1 + h * h * h) / 3 + (1 + h * h * h * h * h) / 5);
    double along = 2 * polar, across = 2 * (polar / 2 + z2 + 2 * h * z1 + h * h * v);
    vec3 e[3] = {v3_unit(axis)};
    e[1] = v3_perpendicular(e[0]), e[2] = v3_cross(e[0], e[1]);
    sym3 exact = sym3_of_axes(e, v3(along, across, across));
    double off = check_worse(fabs(a.volume / (2 * v) - 1), worst(a.inertia, exact));
    printf("lens along (%g, %g, %g): off by %.1e\n", axis.x, axis.y, axis.z, off);
    CHECK(off < 1e-11); // 5e-13
    CHECK(v3_norm(a.centre) < 1e-13);
}

// a clump of many overlapping spheres, turned and shifted, has the same properties, turned and shifted
static void test_turned(uint64_t seed, int count)
{
    scr_random r = scr_random_stream(seed, 1);
    double s[12][4], t[12][4];
    quat q = quat_exp(v3(0.3, -1.1, 0.7));
    vec3 shift = v3(0.4, -0.2, 0.9);
    for (int k = 0; k < count; k++) {
        for (int d = 0; d < 3; d++) s[k][d] = scr_random_between(&r, -0.7, 0.7);
        s[k][3] = t[k][3] = scr_random_between(&r, 0.3, 0.7);
        v3_store(t[k], v3_add(quat_turn(q, v3_load(s[k])), shift));
    }
    scr_clump_shape a, b;
    CHECK(scr_clump_solid((const double(*)[4])s, count, &a));
    CHECK(scr_clump_solid((const double(*)[4])t, count, &b));
    vec3 moments, axes[3], other;
    sym3_principal(a.inertia, &moments, axes);
    vec3 turned[3] = {quat_turn(q, axes[0]), quat_turn(q, axes[1]), quat_turn(q, axes[2])};
    double off = worst(b.inertia, sym3_of_axes(turned, moments));
    off = check_worse(off, fabs(b.volume / a.volume - 1));
    off = check_worse(off, v3_norm(v3_sub(b.centre, v3_add(quat_turn(q, a.centre), shift))));
    printf("%d spheres, turned: off by %.1e, volume %.6f\n", count, off, a.volume);
    CHECK(off < 2e-13); // 5e-15
    sym3_principal(b.inertia, &other, axes);
    CHECK(fabs(v3_dot(v3_cross(axes[0], axes[1]), axes[2]) - 1) < 1e-14);
}

// the volume of a union of many, by counting points
static void test_counted(void)
{
    const double s[][4] = {{0, 0, 0, 1}, {1, 0, 0, 0.8}, {0.5, 0.8, 0, 0.7}, {0.4, 0.3, 0.6, 0.6}};
    scr_clump_shape a;
    CHECK(scr_clump_solid(s, 4, &a));
    scr_random r = scr_random_stream(1, 1);
    int inside = 0, n = 2000000;
    for (int k = 0; k < n; k++) {
        double x[3] = {scr_random_between(&r, -1, 2), scr_random_between(&r, -1, 2), scr_random_between(&r, -1.5, 1.5)};
        bool in = false;
        for (int j = 0; j < 4 && !in; j++) {
            double d2 = 0;
            for (int d = 0; d < 3; d++) d2 += (x[d] - s[j][d]) * (x[d] - s[j][d]);
            in = d2 < s[j][3] * s[j][3];
        }
        inside += in;
    }
    CHECK_NEAR(27.0 * inside / n, a.volume, 0.02); // counting is good to 0.008
}

static void test_principal(void)
{
    vec3 axes[3], moments;
    sym3_principal((sym3){3, 1, 2, 0, 0, 0}, &moments, axes);
    CHECK(moments.x == 3 && moments.y == 1 && moments.z == 2 && axes[0].x == 1 && axes[2].z == 1);
    quat q = quat_of_axes(axes);
    CHECK(q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0);
    // all four branches of the quaternion from axes
    for (int k = 0; k < 4; k++) {
        vec3 angle = v3_scale(k ? 3 : 0.4, v3(k == 1 || !k, k == 2, k == 3));
        quat p = quat_exp(v3_add(angle, v3(0.05, 0.02, -0.03)));
        const vec3 e[3] = {quat_turn(p, v3(1, 0, 0)), quat_turn(p, v3(0, 1, 0)), quat_turn(p, v3(0, 0, 1))};
        quat back = quat_mul(quat_of_axes(e), quat_conjugate(p));
        CHECK_NEAR(fabs(back.w), 1, 1e-15);
        pose m = quat_pose(p, v3(1, 2, 3));
        vec3 x = v3(0.3, -0.7, 1.9);
        CHECK(v3_norm(v3_sub(pose_point(&m, x), v3_add(quat_turn(p, x), v3(1, 2, 3)))) < 1e-14);
    }
}

int main(void)
{
    test_single();
    test_disjoint();
    test_lens(v3(0, 0, 1));
    test_lens(v3(1, 0, 0));
    test_lens(v3(1, 2, -1.5));
    for (uint64_t seed = 1; seed < 6; seed++) test_turned(seed, 3 + 2 * (int)seed - 2);
    test_counted();
    test_principal();
    return check_done();
}
