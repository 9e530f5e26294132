/* Contacts of polyhedra: nearest points, walls, pairs, against closed forms and brute force. */
#include "shape/convex.h"

#include <string.h>

#include "base/random.h"
#include "check.h"
#include "math/quat.h"

static vec3 random_vector(scr_random *r, double size)
{
    double x = scr_random_between(r, -size, size), y = scr_random_between(r, -size, size);
    return v3(x, y, scr_random_between(r, -size, size));
}

/* ---- bodies ---- */

// a box with half edges h: faces -x, +x, -y, +y, -z, +z
static void make_box(scr_convex_room *room, scr_convex *body, vec3 h)
{
    static const uint16_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    room->corner_count = 8, room->face_count = 6;
    for (int c = 0; c < 8; c++) room->corners[c] = v3(c & 1 ? h.x : -h.x, c & 2 ? h.y : -h.y, c & 4 ? h.z : -h.z);
    for (int f = 0; f <= 6; f++) room->first[f] = (uint16_t)(4 * f);
    memcpy(room->around, faces, sizeof faces);
    memset(room->free, 1, 6);
    CHECK(scr_convex_build(room, body));
}

// a box turned and shifted
static void place_box(scr_convex_room *room, scr_convex *body, vec3 h, quat q, vec3 shift)
{
    scr_convex_room rest;
    scr_convex unmoved;
    make_box(&rest, &unmoved, h);
    *room = rest;
    for (int c = 0; c < 8; c++) room->corners[c] = v3_add(quat_turn(q, rest.corners[c]), shift);
    CHECK(scr_convex_build(room, body));
}

// all corners of a random box cut by random planes through its inside: a prism with a slanted top, many-sided
static void make_prism(scr_convex_room *room, scr_convex *body, int sides, scr_random *r)
{
    double height = scr_random_between(r, 0.5, 1), slant = scr_random_between(r, -0.3, 0.3);
    room->corner_count = 2 * sides, room->face_count = sides + 2;
    for (int k = 0; k < sides; k++) {
        double a = 2 * M_PI * k / sides, x = cos(a), y = sin(a);
        room->corners[k] = v3(x, y, 0);
        room->corners[sides + k] = v3(x, y, height + slant * x);
    }
    int n = 0;
    for (int k = 0; k < sides; k++) {
        uint16_t next = (uint16_t)((k + 1) % sides);
        room->first[k] = (uint16_t)n;
        room->around[n++] = (uint16_t)k, room->around[n++] = next;
        room->around[n++] = (uint16_t)(sides + next), room->around[n++] = (uint16_t)(sides + k);
    }
    room->first[sides] = (uint16_t)n;
    for (int k = sides - 1; k >= 0; k--) room->around[n++] = (uint16_t)k;
    room->first[sides + 1] = (uint16_t)n;
    for (int k = 0; k < sides; k++) room->around[n++] = (uint16_t)(sides + k);
    room->first[sides + 2] = (uint16_t)n;
    memset(room->free, 1, (size_t)room->face_count);
    CHECK(scr_convex_build(room, body));
}

static quat random_turn(scr_random *r)
{
    return quat_exp(random_vector(r, 3));
}

/* ---- nearest point ---- */

static void check_spot(const scr_convex *body, vec3 x, double distance, vec3 normal, int kind)
{
    scr_convex_spot spot;
    CHECK(scr_convex_nearest(body, x, &spot));
    CHECK_NEAR(spot.distance, distance, 1e-15);
    CHECK_NEAR(v3_norm(v3_sub(spot.normal, normal)), 0, 1e-15);
    CHECK_INT(scr_feature_kind(spot.feature), kind);
    CHECK_NEAR(v3_norm(v3_sub(x, v3_axpy(spot.point, spot.distance, spot.normal))), 0, 1e-15);
}

static void test_box(void)
{
    scr_convex_room room;
    scr_convex body;
    make_box(&room, &body, v3(1, 2, 3));
    CHECK_INT(body.edge_count, 12);
    check_spot(&body, v3(1.5, 0.3, -1), 0.5, v3(1, 0, 0), SCR_FEATURE_FACE);
    check_spot(&body, v3(1.3, 2.4, 1), 0.5, v3(0.6, 0.8, 0), SCR_FEATURE_EDGE);
    check_spot(&body, v3(-2, -4, -5), 3, v3(-1.0 / 3, -2.0 / 3, -2.0 / 3), SCR_FEATURE_CORNER);
    check_spot(&body, v3(0.75, 0.5, 0), -0.25, v3(1, 0, 0), SCR_FEATURE_FACE); // inside
    for (int c = 0; c < 8; c++) CHECK_NEAR(body.share[c], 0.25, 1e-15);

    // +x is glued: nothing to touch there, an edge belongs to both, inside the way out is another
    scr_convex_spot spot;
    room.free[1] = 0;
    CHECK(scr_convex_build(&room, &body));
    CHECK(!scr_convex_nearest(&body, v3(1.5, 0.3, -1), &spot));
    CHECK(scr_convex_nearest(&body, v3(1.3, 2.4, 1), &spot) && spot.shared);
    CHECK(scr_convex_nearest(&body, v3(0, 2.4, 1), &spot) && !spot.shared);
    check_spot(&body, v3(0.75, 1.5, 0), -0.5, v3(0, 1, 0), SCR_FEATURE_FACE);
    // two glued: the edge between them is no surface
    room.free[3] = 0;
    CHECK(scr_convex_build(&room, &body));
    CHECK(!scr_convex_nearest(&body, v3(1.3, 2.4, 1), &spot));
    CHECK(scr_convex_nearest(&body, v3(1.3, 2.4, 3.1), &spot) && spot.shared); // their corner is
}

// the nearest of all points of the body, by projections onto its planes in turn (Dykstra 1983)
static vec3 projected(const scr_convex *body, vec3 x)
{
    vec3 rest[SCR_MOST_FACES] = {{0, 0, 0}}, at = x;
    for (int round = 0; round < 20000; round++) {
        double moved = 0;
        for (int f = 0; f < body->face_count; f++) {
            vec3 from = v3_add(at, rest[f]);
            double h = v3_dot(body->normal[f], from) - body->offset[f];
            vec3 to = h > 0 ? v3_axpy(from, -h, body->normal[f]) : from;
            rest[f] = v3_sub(from, to);
            moved = check_worse(moved, v3_norm(v3_sub(to, at)));
            at = to;
        }
        if (moved < 1e-15) break;
    }
    return at;
}

static void test_nearest_random(void)
{
    scr_random r = scr_random_stream(3, 1);
    double worst = 0, worst_gradient = 0;
    int kinds[3] = {0};
    for (int k = 0; k < 400; k++) {
        scr_convex_room room, moved_room;
        scr_convex rest, body;
        make_prism(&room, &rest, 3 + k % 7, &r);
        pose place = quat_pose(random_turn(&r), random_vector(&r, 1));
        scr_convex_moved(&rest, &place, &moved_room, &body);
        vec3 x = v3_add(body.centre, random_vector(&r, 2));
        scr_convex_spot spot;
        CHECK(scr_convex_nearest(&body, x, &spot));
        if (spot.distance < 0) continue;
        kinds[scr_feature_kind(spot.feature)]++;
        double d = v3_norm(v3_sub(x, projected(&body, x)));
        worst = check_worse(worst, fabs(d - spot.distance));
        // the normal is the gradient of the distance
        double h = 1e-6, g[3];
        const vec3 e[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
        for (int i = 0; i < 3; i++) {
            scr_convex_spot up, down;
            scr_convex_nearest(&body, v3_add(x, e[i]), &up);
            scr_convex_nearest(&body, v3_sub(x, e[i]), &down);
            g[i] = (up.distance - down.distance) / (2 * h);
        }
        worst_gradient = check_worse(worst_gradient, v3_norm(v3_sub(v3_load(g), spot.normal)));
        vec3 same = scr_convex_normal(&body, spot.feature, x);
        CHECK_NEAR(v3_norm(v3_sub(same, spot.normal)), 0, 0);
    }
    printf("nearest: off by %.2g from alternating projections, gradient by %.2g; faces %d edges %d "
           "corners %d\n",
           worst, worst_gradient, kinds[0], kinds[1], kinds[2]);
    CHECK_NEAR(worst, 0, 3e-13);         // 3.3e-15
    CHECK_NEAR(worst_gradient, 0, 4e-8); // 4.6e-10
    CHECK(kinds[0] > 20 && kinds[1] > 20 && kinds[2] > 20);
}

/* ---- walls ---- */

static void test_plane_wall(void)
{
    scr_convex_room room;
    scr_convex body;
    scr_meeting_point p[SCR_MOST_MEETING];
    scr_face floor = {.kind = SCR_FACE_PLANE, .axis = {0, 0, 1}};
    place_box(&room, &body, v3(1, 1, 1), quat_one(), v3(0, 0, 0.9));
    CHECK_INT(scr_convex_wall(&body, &floor, 0, 0, p), 4);
    double share = 0;
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(p[k].overlap, 0.1, 1e-15);
        CHECK_NEAR(p[k].point.z, -0.05, 1e-15);
        CHECK_NEAR(p[k].normal.z, 1, 0);
        CHECK_INT(p[k].feature[0], scr_feature(SCR_FEATURE_CORNER, k));
        share += p[k].share;
    }
    CHECK_NEAR(share, 1, 1e-15);
    // half of what is below the floor is not there when only the top is free
    for (int f = 0; f < 5; f++) room.free[f] = 0;
    CHECK(scr_convex_build(&room, &body));
    CHECK_INT(scr_convex_wall(&body, &floor, 0, 0, p), 0);
    // on a corner
    quat q = quat_mul(quat_exp(v3(0.4, 0, 0)), quat_exp(v3(0, 0.3, 0)));
    place_box(&room, &body, v3(1, 1, 1), q, v3(0, 0, 1.5));
    double deepest = -INFINITY;
    for (int c = 0; c < 8; c++) deepest = check_worse(deepest, -body.corners[c].z);
    CHECK_INT(scr_convex_wall(&body, &floor, 0, 0, p), 1);
    CHECK_NEAR(p[0].overlap, deepest, 0);
}

// a floor of triangles is as the plane, also where a corner stands above the line between two of them
static void test_triangle_wall(void)
{
    scr_random r = scr_random_stream(5, 1);
    scr_meeting_point p[SCR_MOST_MEETING], q[SCR_MOST_MEETING];
    scr_face floor = {.kind = SCR_FACE_PLANE, .axis = {0, 0, 1}};
    const scr_face half[2] = {
        {.kind = SCR_FACE_TRIANGLE, .point = {-10, -10, 0}, .axis = {0, 0, 1}, .edge = {{20, 0, 0}, {20, 20, 0}}},
        {.kind = SCR_FACE_TRIANGLE, .point = {-10, -10, 0}, .axis = {0, 0, 1}, .edge = {{20, 20, 0}, {0, 20, 0}}}};
    for (int k = 0; k < 200; k++) {
        scr_convex_room room;
        scr_convex body;
        vec3 at = random_vector(&r, 3);
        place_box(&room, &body, v3(1, 0.7, 0.4), random_turn(&r), at);
        double lowest = INFINITY; // its deepest corner comes up to 0.3 below the floor
        for (int c = 0; c < 8; c++) lowest = check_lesser(lowest, body.corners[c].z);
        double lift = -lowest - scr_random_between(&r, 0, 0.3);
        for (int c = 0; c < 8; c++) room.corners[c].z += lift;
        CHECK(scr_convex_build(&room, &body));
        int n = scr_convex_wall(&body, &floor, 0, 0, p), m = 0;
        for (int t = 0; t < 2; t++) m += scr_convex_wall(&body, &half[t], 0, 0, q + m);
        CHECK_INT(m, n);
        double sum = 0, other = 0;
        for (int i = 0; i < n; i++) sum += p[i].share * p[i].overlap;
        for (int i = 0; i < m; i++) other += q[i].share * q[i].overlap;
        CHECK_NEAR(other, sum, 1e-13); // 4e-16
    }
    scr_convex_room room;
    scr_convex body;
    place_box(&room, &body, v3(1, 1, 1), quat_one(), v3(0, 0, 0.9));
    // corners at (-1, -1) and (1, 1) stand on the line: both triangles have them
    CHECK_INT(scr_convex_wall(&body, &half[0], 0, 0, p), 3);
    CHECK_INT(scr_convex_wall(&body, &half[1], 0, 0, p), 3);
    // the edge of a table pierces an edge of the box, turned by 45 degrees about y: edge against edge
    place_box(&room, &body, v3(1, 1, 1), quat_exp(v3(0, M_PI / 4, 0)), v3(0, 0, sqrt(2) - 0.1));
    scr_face blade = {
        .kind = SCR_FACE_TRIANGLE, .point = {-5, 0.2, 0}, .axis = {0, -1, 0}, .edge = {{10, 0, 0}, {5, 0, -5}}};
    CHECK_INT(scr_convex_wall(&body, &blade, 7, 0, p), 1);
    CHECK_INT(scr_feature_kind(p[0].feature[0]), SCR_FEATURE_EDGE);
    CHECK_NEAR(p[0].overlap, 0.1, 1e-14);
    CHECK_NEAR(p[0].normal.z, 1, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(p[0].point, v3(0, 0.2, -0.05))), 0, 1e-14);
}

static void test_round_walls(void)
{
    scr_convex_room room;
    scr_convex body;
    scr_meeting_point p[SCR_MOST_MEETING];
    place_box(&room, &body, v3(0.1, 0.1, 0.1), quat_one(), v3(0, 0, -0.85));
    double out = sqrt(0.01 + 0.01 + 0.95 * 0.95) - 0.95;
    for (int solid = 0; solid < 2; solid++) {
        // inside a ball, and inside a tube, thin or with all outside solid
        scr_face ball = {.kind = SCR_FACE_SPHERE, .axis = {0, 0, 1}, .radius = {0.95, 0}};
        CHECK_INT(scr_convex_wall(&body, &ball, 0, 0, p), 4);
        for (int k = 0; k < 4; k++) CHECK_NEAR(p[k].overlap, out, 1e-15);
        scr_face tube = {.kind = SCR_FACE_SHELL,
                         .point = {-2, 0, 0},
                         .axis = {1, 0, 0},
                         .length = 4,
                         .radius = {0.95, 0.95},
                         .solid = solid};
        CHECK_INT(scr_convex_wall(&body, &tube, 0, 0, p), 4);
        for (int k = 0; k < 4; k++) {
            CHECK_NEAR(p[k].overlap, hypot(0.95, 0.1) - 0.95, 1e-15);
            CHECK(p[k].normal.z > 0.9);
        }
    }
}

/* ---- pairs ---- */

static void test_stacked(void)
{
    scr_convex_room ra, rb;
    scr_convex a, b;
    scr_meeting_point p[SCR_MOST_MEETING];
    place_box(&ra, &a, v3(1, 1, 1), quat_one(), v3(0, 0, 1.95));
    place_box(&rb, &b, v3(1, 1, 1), quat_one(), v3(0, 0, 0));
    CHECK_INT(scr_convex_convex(&a, &b, 0, p), 4);
    double share = 0;
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(p[k].overlap, 0.05, 1e-15);
        CHECK_NEAR(p[k].normal.z, 1, 0);
        CHECK_NEAR(p[k].point.z, 0.975, 1e-15);
        CHECK_NEAR(fabs(p[k].point.x), 1, 1e-15);
        share += p[k].share;
    }
    CHECK_NEAR(share, 1, 1e-15);
    // turned by 45 degrees: an octagon, of which 2 sqrt 2 - 2 is covered
    place_box(&ra, &a, v3(1, 1, 1), quat_exp(v3(0, 0, M_PI / 4)), v3(0, 0, 1.95));
    CHECK_INT(scr_convex_convex(&a, &b, 0, p), 8);
    share = 0;
    for (int k = 0; k < 8; k++) share += p[k].share;
    CHECK_NEAR(share, 2 * sqrt(2) - 2, 1e-14);
    // a little turned: nearly the four contacts of before
    place_box(&ra, &a, v3(1, 1, 1), quat_exp(v3(0, 0, 1e-6)), v3(0, 0, 1.95));
    int n = scr_convex_convex(&a, &b, 0, p);
    share = 0;
    for (int k = 0; k < n; k++) share += p[k].share;
    CHECK_NEAR(share, 1, 2e-6); // 1e-6
    // half over the border
    place_box(&ra, &a, v3(1, 1, 1), quat_one(), v3(1, 0, 1.95));
    CHECK_INT(scr_convex_convex(&a, &b, 0, p), 4);
    share = 0;
    for (int k = 0; k < 4; k++) share += p[k].share;
    CHECK_NEAR(share, 0.5, 1e-15);
    // over the border by less than the overlap: from the side, unless these faces are glued
    place_box(&ra, &a, v3(1, 1, 1), quat_one(), v3(1.99, 0, 1.95));
    CHECK(scr_convex_convex(&a, &b, 0, p) > 0);
    CHECK_NEAR(p[0].normal.x, 1, 0);
    rb.free[1] = ra.free[0] = 0;
    CHECK(scr_convex_build(&ra, &a) && scr_convex_build(&rb, &b));
    CHECK(scr_convex_convex(&a, &b, 0, p) > 0);
    CHECK_NEAR(p[0].normal.z, 1, 0);
    CHECK_NEAR(p[0].overlap, 0.05, 1e-15);
}

static void test_crossed_edges(void)
{
    scr_convex_room ra, rb;
    scr_convex a, b;
    scr_meeting_point p[SCR_MOST_MEETING];
    double top = sqrt(2);
    place_box(&ra, &a, v3(1, 1, 1), quat_exp(v3(0, M_PI / 4, 0)), v3(0.1, 0.2, 2 * top - 0.03));
    place_box(&rb, &b, v3(1, 1, 1), quat_exp(v3(M_PI / 4, 0, 0)), v3(0, 0, 0));
    CHECK_INT(scr_convex_convex(&a, &b, 0, p), 1);
    CHECK_NEAR(p[0].overlap, 0.03, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(p[0].normal, v3(0, 0, 1))), 0, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(p[0].point, v3(0.1, 0, top - 0.015))), 0, 1e-14);
    // a corner on a face
    quat up = quat_exp(v3_scale(acos(1 / sqrt(3)), v3_unit(v3(1, -1, 0))));
    place_box(&rb, &b, v3(1, 1, 1), quat_one(), v3(0, 0, -1));
    place_box(&ra, &a, v3(1, 1, 1), up, v3(0.1, 0.2, sqrt(3) - 0.02));
    CHECK_INT(scr_convex_convex(&a, &b, 0, p), 1);
    CHECK_NEAR(p[0].overlap, 0.02, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(p[0].point, v3(0.1, 0.2, -0.01))), 0, 1e-14);
}

// extent of a body along a direction
static double support(const scr_convex *body, vec3 n)
{
    double most = -INFINITY;
    for (int c = 0; c < body->corner_count; c++) most = check_worse(most, v3_dot(n, body->corners[c]));
    return most;
}

/* Overlap along the normal is what parts them, and no axis of all faces and edges does it with less; both ways
 * round the same contacts. */
static void test_pairs_random(void)
{
    scr_random r = scr_random_stream(7, 1);
    int touching = 0, apart = 0, edges = 0;
    double worst = 0, shallow = 0, least = 0, mirror = 0;
    for (int k = 0; k < 3000; k++) {
        scr_convex_room ra, rb, ma, mb;
        scr_convex sa, sb, a, b;
        make_prism(&ra, &sa, 3 + k % 5, &r), make_prism(&rb, &sb, 3 + k % 4, &r);
        pose pa = quat_pose(random_turn(&r), v3(0, 0, 0));
        pose pb = quat_pose(random_turn(&r), random_vector(&r, 1.5));
        scr_convex_moved(&sa, &pa, &ma, &a), scr_convex_moved(&sb, &pb, &mb, &b);
        scr_meeting_point p[SCR_MOST_MEETING], q[SCR_MOST_MEETING];
        int n = scr_convex_convex(&a, &b, 0, p);
        // brute force: all axes
        double best = INFINITY;
        for (int f = 0; f < a.face_count; f++) best = fmin(best, a.offset[f] + support(&b, v3_scale(-1, a.normal[f])));
        for (int f = 0; f < b.face_count; f++) best = fmin(best, b.offset[f] + support(&a, v3_scale(-1, b.normal[f])));
        for (int i = 0; i < a.edge_count; i++)
            for (int j = 0; j < b.edge_count; j++) {
                const uint16_t *ca = a.edges[i].corner, *cb = b.edges[j].corner;
                vec3 u = v3_sub(a.corners[ca[1]], a.corners[ca[0]]);
                vec3 axis = v3_cross(u, v3_sub(b.corners[cb[1]], b.corners[cb[0]]));
                if (v3_norm(axis) < 1e-3) continue;
                axis = v3_unit(axis);
                vec3 back = v3_scale(-1, axis);
                best = fmin(best, fmin(support(&a, axis) + support(&b, back), support(&a, back) + support(&b, axis)));
            }
        CHECK((n > 0) == (best > 0));
        if (n == 0) {
            apart++;
            continue;
        }
        touching++, edges += n == 1 && p[0].feature[0] & 1 << 30;
        double deepest = 0;
        for (int i = 0; i < n; i++) deepest = check_worse(deepest, p[i].overlap);
        vec3 m = p[0].normal;
        double parts = support(&b, m) + support(&a, v3_scale(-1, m));
        worst = check_worse(worst, deepest / parts - 1), shallow = check_worse(shallow, 1 - deepest / parts);
        least = check_worse(least, parts / best - 1);
        // as seen from the other, up to the choice among axes that are nearly as good
        int back = scr_convex_convex(&b, &a, 0, q);
        CHECK(back > 0);
        if (v3_dot(m, q[0].normal) < -1 + 1e-12 && n == back) {
            double sum = 0;
            for (int i = 0; i < n; i++) sum += p[i].share * p[i].overlap - q[i].share * q[i].overlap;
            mirror = check_worse(mirror, fabs(sum));
        }
    }
    printf("pairs: %d touch (%d by edges), %d do not; deeper by %.2g, shallower by %.2g, axis by up to %.2g of the "
           "overlap, other way round %.2g\n",
           touching, edges, apart, worst, shallow, least, mirror);
    CHECK(touching > 300 && apart > 300 && edges > 30);
    CHECK(worst < 1e-11);        // 2e-13
    CHECK(shallow < 0.2 + 1e-6); // what the sides may cut off
    CHECK(least < 0.2112);       // two preferences of a tenth
    CHECK_NEAR(mirror, 0, 0);
}

/* ---- faces that lie flat ---- */

// the same points, whether edges may be left out (flat bodies) or not
static bool same_contacts(scr_convex a, scr_convex b, int *count)
{
    scr_meeting_point p[SCR_MOST_MEETING], q[SCR_MOST_MEETING];
    *count = scr_convex_convex(&a, &b, 0, p);
    a.flat = b.flat = false;
    bool same = scr_convex_convex(&a, &b, 0, q) == *count;
    for (int k = 0; same && k < *count; k++)
        same = p[k].feature[0] == q[k].feature[0] && p[k].feature[1] == q[k].feature[1] &&
               fabs(p[k].overlap - q[k].overlap) < 1e-12 && p[k].share == q[k].share; // 4e-16
    return same;
}

// boxes that lie on each other: a little tilted, turned about the normal, off to the side, more or less deep
static void test_flat_pairs(void)
{
    scr_random r = scr_random_stream(8, 1);
    int met = 0, others = 0;
    for (int k = 0; k < 20000; k++) {
        scr_convex_room room[2];
        scr_convex body[2];
        vec3 h = v3(scr_random_between(&r, 0.2, 1), scr_random_between(&r, 0.2, 1), scr_random_between(&r, 0.2, 1));
        double tilt = exp(scr_random_between(&r, -14, -1)), deep = exp(scr_random_between(&r, -14, -0.5));
        quat turn = quat_mul(quat_exp(random_vector(&r, tilt)), quat_exp(v3(0, 0, scr_random_between(&r, 0, 3))));
        quat all = random_turn(&r);
        vec3 side = random_vector(&r, 1.2);
        place_box(&room[0], &body[0], v3(0.5, 0.5, 0.5), all, v3(0, 0, 0));
        place_box(&room[1], &body[1], h, quat_mul(all, turn), quat_turn(all, v3(side.x, side.y, 0.5 + h.z - deep)));
        bool swap = k % 2;
        int count;
        CHECK(same_contacts(body[swap], body[!swap], &count));
        met += count > 1, others += count == 1;
    }
    // most meet by faces, some by edges
    CHECK(met > 8000);
    CHECK(others > 200);
    if (met <= 8000 || others <= 200) printf("faces %d, edges %d\n", met, others);
}

int main(void)
{
    test_box();
    test_nearest_random();
    test_plane_wall();
    test_triangle_wall();
    test_round_walls();
    test_stacked();
    test_crossed_edges();
    test_pairs_random();
    test_flat_pairs();
    return check_done();
}
