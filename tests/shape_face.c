/* Distance and normal of wall faces, against dense sampling and closed forms. */
#include "shape/face.h"

#include "base/random.h"
#include "check.h"

static double angle(const vec3 a, const vec3 b)
{
    return v3_norm(v3_sub(a, b));
}

static vec3 random_vector(scr_random *r, double size)
{
    double x = scr_random_between(r, -size, size), y = scr_random_between(r, -size, size);
    return v3(x, y, scr_random_between(r, -size, size));
}

static void test_plane(void)
{
    scr_random random = scr_random_stream(1, 1);
    for (int k = 0; k < 100; k++) {
        vec3 normal = v3_unit(random_vector(&random, 1)), point = random_vector(&random, 2), n;
        scr_face face = {.kind = SCR_FACE_PLANE, .point = point, .axis = normal};
        double height = scr_random_between(&random, -1, 1);
        vec3 aside = v3_scale(3, v3_perpendicular(normal));
        vec3 x = v3_add(v3_axpy(point, height, normal), aside);
        // rounding: 4e-16 seen
        CHECK_NEAR(scr_face_distance(&face, x, &n), height, 1e-14);
        CHECK_NEAR(angle(n, normal), 0, 0);
    }
}

// the nearest of many points of the shell, refined around the best
static double sampled(const scr_face *f, vec3 x)
{
    vec3 u = v3_perpendicular(f->axis), v = v3_cross(f->axis, u);
    double best = INFINITY, t0 = 0.5, a0 = M_PI, dt = 0.5, da = M_PI;
    for (int round = 0; round < 40; round++) {
        double tc = t0, ac = a0;
        const int n = 12;
        for (int i = -n; i <= n; i++)
            for (int j = -n; j <= n; j++) {
                double t = tc + dt * i / n, a = ac + da * j / n;
                t = t < 0 ? 0 : t > 1 ? 1 : t;
                double r = f->radius[0] + t * (f->radius[1] - f->radius[0]);
                vec3 p = v3_axpy(f->point, t * f->length, f->axis);
                p = v3_axpy(v3_axpy(p, r * cos(a), u), r * sin(a), v);
                double d = v3_norm(v3_sub(x, p));
                if (d < best) best = d, t0 = t, a0 = a;
            }
        // at an apex the angle is not known yet
        dt *= 0.5;
        if (f->radius[0] + t0 * (f->radius[1] - f->radius[0]) > 0) da *= 0.5;
    }
    return best;
}

// distance against sampling; the normal is the gradient of the distance and leads back to the
// surface
static void test_shell(const scr_face *f, uint64_t seed)
{
    scr_random random = scr_random_stream(seed, 2);
    double worst = 0, worst_gradient = 0;
    for (int k = 0; k < 60; k++) {
        vec3 x = v3_add(f->point, random_vector(&random, 1.5)), n, other;
        double d = scr_face_distance(f, x, &n);
        double s = sampled(f, x);
        worst = check_worse(worst, fabs(d - s));
        CHECK_NEAR(d, s, 5e-14);          // 7e-16
        CHECK_NEAR(v3_norm(n), 1, 1e-14); // 3e-16
        vec3 foot = v3_axpy(x, -d, n);
        CHECK_NEAR(scr_face_distance(f, foot, &other), 0, 1e-14);
        // central differences, away from where the distance has a kink
        double h = 1e-6;
        const vec3 e[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
        double g[3];
        for (int i = 0; i < 3; i++)
            g[i] = (scr_face_distance(f, v3_add(x, e[i]), &other) - scr_face_distance(f, v3_sub(x, e[i]), &other)) /
                   (2 * h);
        double off = angle(n, v3_load(g));
        worst_gradient = check_worse(worst_gradient, off);
        CHECK_NEAR(off, 0, 1e-8); // 3.4e-10
    }
    printf("shell %llu: sampling off by %.2g, gradient by %.2g\n", (unsigned long long)seed, worst, worst_gradient);
}

static void test_shells(void)
{
    vec3 tilted = v3_unit(v3(1, -2, 0.5));
    const scr_face shells[] = {
        {.kind = SCR_FACE_SHELL, .axis = {0, 0, 1}, .length = 1.2, .radius = {0.7, 0.7}},
        {.kind = SCR_FACE_SHELL, .axis = tilted, .length = 0.8, .radius = {0.2, 0.9}},
        {.kind = SCR_FACE_SHELL, .axis = tilted, .length = 1, .radius = {0.8, 0.1}},
        {.kind = SCR_FACE_SHELL, .axis = tilted, .length = 1, .radius = {0, 0.6}},   // a cone
        {.kind = SCR_FACE_SHELL, .axis = tilted, .length = 0, .radius = {0, 0.7}},   // a disc
        {.kind = SCR_FACE_SHELL, .axis = tilted, .length = 0, .radius = {0.3, 0.7}}, // a flat ring
    };
    for (size_t k = 0; k < sizeof shells / sizeof *shells; k++) {
        scr_face f = shells[k];
        f.point = v3(0.1, -0.2, 0.3);
        test_shell(&f, k);
    }
}

// points whose answer is known without calculation
static void check_point(const scr_face *f, vec3 x, double distance, vec3 normal)
{
    vec3 n;
    CHECK_NEAR(scr_face_distance(f, x, &n), distance, 1e-15);
    CHECK_NEAR(angle(n, normal), 0, 1e-15);
}

static void test_tube(void)
{
    scr_face tube = {.kind = SCR_FACE_SHELL, .axis = {0, 0, 1}, .length = 2, .radius = {1, 1}};
    check_point(&tube, v3(0.75, 0, 1), 0.25, v3(-1, 0, 0)); // inside
    check_point(&tube, v3(0, 1.5, 1), 0.5, v3(0, 1, 0));    // outside
    check_point(&tube, v3(1, 0, 2.5), 0.5, v3(0, 0, 1));    // above the rim
    check_point(&tube, v3(1, 0, -0.5), 0.5, v3(0, 0, -1));  // below the other
    check_point(&tube, v3(1.3, 0, 2.4), 0.5, v3(0.6, 0, 0.8));
    check_point(&tube, v3(0, 0.7, -0.4), 0.5, v3(0, -0.6, -0.8));
    // all outside is solid, then all inside: what is there is pushed back
    scr_face bore = tube, post = tube;
    bore.solid = 1, post.solid = -1;
    check_point(&bore, v3(0.75, 0, 1), 0.25, v3(-1, 0, 0));
    check_point(&bore, v3(0, 1.5, 1), -0.5, v3(0, -1, 0));
    check_point(&bore, v3(1.3, 0, 2.4), 0.5, v3(0.6, 0, 0.8));
    check_point(&post, v3(0.75, 0, 1), -0.25, v3(1, 0, 0));
    check_point(&post, v3(0, 1.5, 1), 0.5, v3(0, 1, 0));
    CHECK_NEAR(angle(scr_face_normal(&bore, SCR_INSIDE, v3(0, 1.5, 1)), v3(0, -1, 0)), 0, 1e-15);
    // on the axis every side is as near
    vec3 n;
    CHECK_NEAR(scr_face_distance(&tube, v3(0, 0, 1), &n), 1, 1e-15);
    CHECK_NEAR(v3_norm(n), 1, 1e-15);
    CHECK_NEAR(n.z, 0, 1e-15);
    // on the surface the normal still stands on it
    CHECK_NEAR(scr_face_distance(&tube, v3(0, -1, 1.5), &n), 0, 1e-15);
    CHECK_NEAR(fabs(n.y), 1, 1e-15);
}

// a triangle that is solid behind: below it is inside, beside it is not
static void test_solid_triangle(void)
{
    scr_face sheet = {.kind = SCR_FACE_TRIANGLE, .axis = {0, 0, 1}, .edge = {{2, 0, 0}, {0, 2, 0}}};
    scr_face solid = sheet;
    solid.solid = 1;
    check_point(&sheet, v3(0.5, 0.5, -0.3), 0.3, v3(0, 0, -1));
    check_point(&solid, v3(0.5, 0.5, -0.3), -0.3, v3(0, 0, 1));
    check_point(&solid, v3(0.5, 0.5, 0.3), 0.3, v3(0, 0, 1));
    check_point(&solid, v3(-0.4, 0.5, -0.3), 0.5, v3(-0.8, 0, -0.6));
    CHECK_NEAR(angle(scr_face_normal(&solid, SCR_INSIDE, v3(0.5, 0.5, -0.3)), v3(0, 0, 1)), 0, 0);
    CHECK(scr_face_limit(&solid) == 1 && scr_face_limit(&sheet) < 1);
}

static void test_cone(void)
{
    // 45 degrees, apex at the origin, opening upwards
    double h = sqrt(0.5);
    scr_face cone = {.kind = SCR_FACE_SHELL, .axis = {0, 0, 1}, .length = 1, .radius = {0, 1}};
    check_point(&cone, v3(0, 0, -0.5), 0.5, v3(0, 0, -1)); // below the apex
    check_point(&cone, v3(0.3, 0, -0.4), 0.5, v3(0.6, 0, -0.8));
    check_point(&cone, v3(0.5, 0, 0.3), 0.2 * h, v3(h, 0, -h)); // outside
    check_point(&cone, v3(0, -0.3, 0.5), 0.2 * h, v3(0, h, h)); // inside
    check_point(&cone, v3(1.3, 0, 1.4), 0.5, v3(0.6, 0, 0.8));  // beyond the rim
    vec3 n;
    CHECK_NEAR(scr_face_distance(&cone, v3(0, 0, 0.6), &n), 0.6 * h, 1e-15); // on the axis, above
    CHECK_NEAR(n.z, h, 1e-15);
    CHECK_NEAR(v3_norm(n), 1, 1e-15);
    CHECK_NEAR(scr_face_distance(&cone, v3(0, 0, 0), &n), 0, 0); // at the apex
    CHECK_NEAR(v3_norm(n), 1, 1e-15);
}

static void test_disc(void)
{
    scr_face disc = {.kind = SCR_FACE_SHELL, .axis = {0, 1, 0}, .length = 0, .radius = {0, 2}};
    check_point(&disc, v3(0.5, 0.3, -1), 0.3, v3(0, 1, 0));
    check_point(&disc, v3(0.5, -0.3, -1), 0.3, v3(0, -1, 0));
    check_point(&disc, v3(0, 0.25, 0), 0.25, v3(0, 1, 0)); // on the axis
    check_point(&disc, v3(2.5, 0, 0), 0.5, v3(1, 0, 0));   // in its plane, outside
    check_point(&disc, v3(0, -0.3, -2.4), 0.5, v3(0, -0.6, -0.8));
    vec3 n;
    CHECK_NEAR(scr_face_distance(&disc, v3(1, 0, 0), &n), 0, 0); // in it
    CHECK_NEAR(fabs(n.y), 1, 1e-15);
    // no length and equal radii: a circle of wire
    scr_face ring = {.kind = SCR_FACE_SHELL, .axis = {0, 0, 1}, .length = 0, .radius = {1, 1}};
    check_point(&ring, v3(1.3, 0, 0.4), 0.5, v3(0.6, 0, 0.8));
    check_point(&ring, v3(0, 0.7, -0.4), 0.5, v3(0, -0.6, -0.8));
    CHECK_NEAR(scr_face_distance(&ring, v3(0, 0, 0), &n), 1, 0);
}

int main(void)
{
    test_plane();
    test_shells();
    test_tube();
    test_solid_triangle();
    test_cone();
    test_disc();
    return check_done();
}
