/* The tree of boxes against trying every body: two roads, one answer. Walls against points on them.
 */
#include "check.h"

#include <stdlib.h>

#include "base/random.h"
#include "show/ray.h"
#include "show/ray_wall.h"

#define COUNT 700

static double hit_sphere(const scr_ray *ray, const scr_ray_body *b)
{
    vec3 c = v3(b->from[0] - ray->origin.x, b->from[1] - ray->origin.y, b->from[2] - ray->origin.z);
    double along = v3_dot(c, ray->direction);
    double left = (double)b->radius * b->radius - v3_dot(c, c) + along * along;
    return left > 0 ? along - sqrt(left) : -1;
}

static scr_ray random_ray(scr_random *r)
{
    vec3 o, d;
    double *p[6] = {&o.x, &o.y, &o.z, &d.x, &d.y, &d.z};
    for (int k = 0; k < 6; k++) *p[k] = scr_random_between(r, -2, 2);
    return (scr_ray){o, v3_unit(v3_sub(v3_scale(0.3, d), o)), INFINITY};
}

static void check_tree(size_t count)
{
    scr_random r = scr_random_stream(11, count);
    scr_ray_body body[COUNT], copy[COUNT];
    for (size_t i = 0; i < count; i++) {
        body[i] = (scr_ray_body){.radius = (float)scr_random_between(&r, 0.005, 0.12), .id = (uint32_t)i};
        for (int k = 0; k < 3; k++) body[i].from[k] = body[i].to[k] = (float)scr_random_between(&r, -1, 1);
        copy[i] = body[i];
    }
    scr_ray_tree tree;
    CHECK(scr_ray_tree_init(&tree, copy, count));
    int wrong = 0, hits = 0;
    for (int n = 0; n < 2000; n++) {
        scr_ray ray = random_ray(&r);
        double best = INFINITY;
        for (size_t i = 0; i < count; i++) {
            double t = hit_sphere(&ray, &body[i]);
            if (t > 0) best = fmin(best, t);
        }
        scr_ray_hit hit = {0};
        bool found = scr_ray_nearest(&tree, &ray, &hit);
        wrong += found ? !(fabs(hit.distance - best) <= 1e-3) : best < INFINITY;
        wrong += scr_ray_blocked(&tree, &ray) != found;
        hits += found;
        // a limit before the first hit hides everything
        ray.limit = 0.99 * best;
        if (found && (scr_ray_nearest(&tree, &ray, &hit) || scr_ray_blocked(&tree, &ray))) wrong++;
    }
    CHECK_INT(wrong, 0);
    CHECK(count < 10 || hits > 50);
    scr_ray_tree_deinit(&tree);
}

// the plane's crossing, and its three barycentric coordinates from areas
static double hit_triangle(const scr_ray *ray, const scr_ray_body *b)
{
    vec3 p[3] = {v3(b->from[0], b->from[1], b->from[2]), v3(b->to[0], b->to[1], b->to[2]),
                 v3(b->third[0], b->third[1], b->third[2])};
    vec3 area = v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
    double t = v3_dot(area, v3_sub(p[0], ray->origin)) / v3_dot(area, ray->direction);
    vec3 x = v3_axpy(ray->origin, t, ray->direction);
    for (int k = 0; k < 3; k++) {
        vec3 a = v3_sub(p[(k + 1) % 3], p[k]), b_of = v3_sub(x, p[k]);
        if (v3_dot(v3_cross(a, b_of), area) < 0) return -1;
    }
    return t;
}

// among spheres; edge and height are those of the line from - to
static void check_triangles(size_t count)
{
    scr_random r = scr_random_stream(13, count);
    scr_ray_body body[COUNT], copy[COUNT];
    for (size_t i = 0; i < count; i++) {
        body[i] = (scr_ray_body){.id = (uint32_t)i, .triangle = i % 3 != 0};
        if (!body[i].triangle) body[i].radius = (float)scr_random_between(&r, 0.005, 0.08);
        for (int k = 0; k < 3; k++) {
            float at = (float)scr_random_between(&r, -1, 1);
            body[i].from[k] = body[i].to[k] = at;
            if (body[i].triangle) body[i].to[k] = at + (float)scr_random_between(&r, -0.2, 0.2);
            body[i].third[k] = at + (float)scr_random_between(&r, -0.2, 0.2);
        }
        copy[i] = body[i];
    }
    scr_ray_tree tree;
    CHECK(scr_ray_tree_init(&tree, copy, count));
    int wrong = 0, flats = 0;
    for (int n = 0; n < 2000; n++) {
        scr_ray ray = random_ray(&r);
        double best = INFINITY;
        for (size_t i = 0; i < count; i++) {
            double t = body[i].triangle ? hit_triangle(&ray, &body[i]) : hit_sphere(&ray, &body[i]);
            if (t > 0) best = fmin(best, t);
        }
        scr_ray_hit hit = {0};
        bool found = scr_ray_nearest(&tree, &ray, &hit);
        // rays through the very rim may differ
        wrong += found ? !(fabs(hit.distance - best) <= 1e-3) : best < INFINITY;
        wrong += scr_ray_blocked(&tree, &ray) != found;
        if (!found || !hit.triangle) continue;
        flats++;
        wrong += !(v3_dot(hit.normal, ray.direction) <= 0 && hit.edge <= hit.height * (1 + 1e-3));
    }
    CHECK(wrong <= 2); // 1 of 12000: rims
    CHECK(count < 30 || flats > 50);
    scr_ray_tree_deinit(&tree);
}

static void check_rods(void)
{
    scr_ray_body rod[2] = {{.from = {-1, 0, 0}, .to = {1, 0, 0}, .radius = 0.1f, .id = 4},
                           {.from = {-1, 0, 1}, .to = {1, 0, 1}, .radius = 0.1f, .id = 5, .thin = true}};
    scr_ray_tree tree;
    CHECK(scr_ray_tree_init(&tree, rod, 2));
    scr_ray_hit hit = {0};
    scr_ray side = {v3(0.3, 0, 5), v3(0, 0, -1), INFINITY};
    CHECK(scr_ray_nearest(&tree, &side, &hit));
    CHECK_INT(hit.id, 5);
    CHECK_NEAR(hit.distance, 3.9, 1e-5);
    CHECK_NEAR(hit.normal.z, 1, 1e-5);
    // along the axis: the round end
    scr_ray end = {v3(5, 0, 0), v3(-1, 0, 0), INFINITY};
    CHECK(scr_ray_nearest(&tree, &end, &hit));
    CHECK_NEAR(hit.distance, 3.9, 1e-5);
    scr_ray miss = {v3(0, 0.2, 5), v3(0, 0, -1), INFINITY};
    CHECK(!scr_ray_nearest(&tree, &miss, &hit));
    // the light passes the thin one, and not the other
    CHECK(scr_ray_blocked(&tree, &side));
    side.limit = 4.5;
    CHECK(!scr_ray_blocked(&tree, &side));
    scr_ray_tree_deinit(&tree);
}

// every hit on a cone lies on it, and a ray through the middle meets it twice
static void check_frustum(void)
{
    scr_picture_wall w = {.kind = SCR_PICTURE_FRUSTUM, .a = {0, 0, 1}, .b = {0, 0, 3}, .radius = {1, 2}};
    scr_random r = scr_random_stream(5, 5);
    double worst = 0;
    int hits = 0;
    for (int n = 0; n < 2000; n++) {
        scr_ray ray = random_ray(&r);
        scr_wall_hit hit[2];
        int count = scr_wall_hits(&w, &ray, hit);
        for (int k = 0; k < count; k++) {
            vec3 p = hit[k].point;
            worst = check_worse(worst, fabs(hypot(p.x, p.y) - (1 + 0.5 * (p.z - 1))));
            if (p.z < 1 || p.z > 3) worst = 1;
            hits++;
        }
    }
    CHECK(hits > 50);
    CHECK_NEAR(worst, 0, 1e-13); /* measured 2e-15 */
    scr_ray across = {v3(-5, 0, 2), v3(1, 0, 0), INFINITY};
    scr_wall_hit hit[2];
    CHECK_INT(scr_wall_hits(&w, &across, hit), 2);
    CHECK_NEAR(fabs(hit[0].point.x), 1.5, 1e-12);
    CHECK_NEAR(hit[0].normal.z, -0.5 / sqrt(1.25), 1e-12);
}

static void check_flat_walls(void)
{
    scr_picture_wall box = {.kind = SCR_PICTURE_BOX, .a = {0, 0, 0}, .b = {1, 2, 3}};
    scr_wall_hit hit[2];
    scr_ray down = {v3(0.5, 0.5, 9), v3(0, 0, -1), INFINITY};
    CHECK_INT(scr_wall_hits(&box, &down, hit), 2);
    CHECK_NEAR(hit[0].distance, 6, 1e-12);
    CHECK_NEAR(hit[1].normal.z, 1, 0);
    scr_picture_wall ring = {.kind = SCR_PICTURE_RING, .normal = {0, 0, 1}, .radius = {0.8, 2}};
    CHECK_INT(scr_wall_hits(&ring, &down, hit), 0);
    down.origin.x = 1;
    CHECK_INT(scr_wall_hits(&ring, &down, hit), 1);
    down.origin.x = 2;
    CHECK_INT(scr_wall_hits(&ring, &down, hit), 0);
}

int main(void)
{
    size_t counts[] = {0, 1, 3, 4, 5, 8, 9, 16, 17, 33, 100, COUNT};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) check_tree(counts[k]);
    for (size_t k = 1; k < sizeof counts / sizeof *counts; k += 2) check_triangles(counts[k]);
    check_rods();
    check_frustum();
    check_flat_walls();
    return check_done();
}
