/* Reading and repairing meshes; triangles and spheres as faces; the tree over faces. */
#include "shape/mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "shape/face.h"
#include "shape/face_tree.h"

static double between(scr_random *r, double a, double b)
{
    return scr_random_between(r, a, b);
}

static vec3 anywhere(scr_random *r, double size)
{
    double x = between(r, -size, size), y = between(r, -size, size);
    return v3(x, y, between(r, -size, size));
}

/* ---- faces ---- */

// the nearest of many points, ever finer around the best
static double sampled(const scr_face *f, vec3 x)
{
    double best = INFINITY, u0 = 0.5, v0 = 0.5, span = 0.5;
    for (int round = 0; round < 70; round++, span *= 0.7) {
        double uc = u0, vc = v0;
        for (int i = -8; i <= 8; i++)
            for (int j = -8; j <= 8; j++) {
                double u = fmin(fmax(uc + span * i / 8, 0), 1);
                double v = fmin(fmax(vc + span * j / 8, 0), 1);
                double a = u, b = fmin(v, 1 - u);
                vec3 p = v3_axpy(v3_axpy(f->point, a, f->edge[0]), b, f->edge[1]);
                double d = v3_norm(v3_sub(x, p));
                if (d < best) best = d, u0 = a, v0 = b;
            }
    }
    return best;
}

static void test_triangle(void)
{
    scr_random r = scr_random_stream(3, 1);
    int seen[7] = {0};
    for (int k = 0; k < 300; k++) {
        scr_face f = {.kind = SCR_FACE_TRIANGLE, .point = anywhere(&r, 1), .edge = {anywhere(&r, 1), anywhere(&r, 1)}};
        f.axis = v3_unit(v3_cross(f.edge[0], f.edge[1]));
        vec3 x = anywhere(&r, 2);
        scr_near near = scr_face_nearest(&f, x);
        seen[near.feature]++;
        // sampling: 2e-9 seen; the normal leads back to the surface
        CHECK_NEAR(near.distance, sampled(&f, x), 1e-7);
        vec3 foot = v3_axpy(x, -near.distance, near.normal);
        CHECK_NEAR(v3_norm(v3_sub(foot, near.point)), 0, 1e-13);
        CHECK_NEAR(v3_norm(near.normal), 1, 1e-14);
        // the feature alone gives the same normal
        CHECK_NEAR(v3_norm(v3_sub(scr_face_normal(&f, near.feature, x), near.normal)), 0, 1e-12);
    }
    for (int k = 0; k < 7; k++) CHECK(seen[k] > 2);
}

static void test_sphere(void)
{
    scr_random r = scr_random_stream(3, 2);
    for (int k = 0; k < 50; k++) {
        scr_face f = {.kind = SCR_FACE_SPHERE, .point = anywhere(&r, 1), .radius = {0.7, 0.7}};
        vec3 n = v3_unit(anywhere(&r, 1));
        double away = between(&r, 0.01, 1.5);
        scr_near near = scr_face_nearest(&f, v3_axpy(f.point, away, n));
        CHECK_NEAR(near.distance, fabs(away - 0.7), 1e-14);
        CHECK_NEAR(v3_norm(v3_sub(near.normal, v3_scale(away < 0.7 ? -1 : 1, n))), 0, 1e-12);
    }
}

typedef struct {
    bool *seen;
    int count;
} found;

static bool mark(void *context, uint32_t face)
{
    found *f = context;
    f->count += !f->seen[face];
    f->seen[face] = true;
    return true;
}

// the tree finds every face that is near, and few others
static void test_tree(void)
{
    enum { N = 3000 };
    scr_random r = scr_random_stream(3, 3);
    scr_face *faces = calloc(N, sizeof *faces);
    for (int k = 0; k < N; k++) {
        faces[k] = (scr_face){
            .kind = SCR_FACE_TRIANGLE, .point = anywhere(&r, 1), .edge = {anywhere(&r, 0.05), anywhere(&r, 0.05)}};
        faces[k].axis = v3_unit(v3_cross(faces[k].edge[0], faces[k].edge[1]));
    }
    scr_face_tree tree;
    CHECK(scr_face_tree_build(&tree, faces, N));
    for (int k = 0; k < 50; k++) {
        bool seen[N] = {false};
        found f = {seen, 0};
        vec3 x = anywhere(&r, 1);
        scr_face_tree_search(&tree, x, 0.1, mark, &f);
        int missed = 0;
        for (int m = 0; m < N; m++) missed += scr_face_nearest(&faces[m], x).distance < 0.1 && !seen[m];
        CHECK_INT(missed, 0);
        CHECK(f.count < 60);
    }
    scr_face_tree_deinit(&tree);
    free(faces);
}

/* ---- files ---- */

static scr_mesh read_text(const char *text, bool obj)
{
    scr_mesh mesh;
    scr_mesh_error error;
    CHECK(scr_mesh_read(text, strlen(text), obj, &mesh, &error));
    return mesh;
}

static void check_refused(const char *text, size_t size, bool obj, int line, const char *what)
{
    scr_mesh mesh;
    scr_mesh_error error;
    CHECK(!scr_mesh_read(text, size ? size : strlen(text), obj, &mesh, &error));
    CHECK_INT(error.line, line);
    CHECK_TEXT(error.what, what);
}

static const char cube[] = "# a unit cube, quads\n"
                           "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                           "f 4 3 2 1\nf 5 6 7 8\nf 1/1 2/2 6/3 5/4\nf 2//1 3//1 7//1 6//1\n"
                           "f -6 -5 -1 -2\nf 4 1 5 8\n";

static void test_cube(void)
{
    scr_mesh m = read_text(cube, true);
    scr_mesh_report r;
    CHECK_INT(m.facet_count, 12);
    CHECK(scr_mesh_repair(&m, &r));
    CHECK(r.closed && r.pieces == 1);
    CHECK_INT(r.welded + r.degenerate + r.duplicates + r.flipped + r.slivers + r.many_edges, 0);
    CHECK_NEAR(r.volume, 1, 1e-15);
    CHECK_NEAR(r.area, 6, 1e-14);
    scr_mesh_deinit(&m);
    // one side turned, one missing, one twice, and one without area
    char text[1000];
    snprintf(text, sizeof text, "%s", cube);
    memcpy(strstr(text, "f 5 6 7 8"), "f 8 7 6 5", 9);
    memcpy(strstr(text, "f 4 1 5 8"), "f 2 3 4  ", 9);
    strcat(text, "f 1 2 2\nf 1 2 1\n");
    m = read_text(text, true);
    CHECK(scr_mesh_repair(&m, &r));
    CHECK_INT(r.flipped, 2);
    CHECK_INT(r.degenerate, 2);
    CHECK_INT(r.duplicates, 1);
    CHECK_INT(r.open_edges, 4);
    CHECK(!r.closed);
    CHECK_INT(m.facet_count, 10);
    scr_mesh_deinit(&m);
}

static void test_stl(void)
{
    const char *text = "solid two words\n"
                       "  facet normal 0 0 1\n    outer loop\n      vertex 0 0 0\n      vertex 1 0 0\n"
                       "      vertex 0 1 0\n    endloop\n  endfacet\n"
                       "facet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 1e-12\n"
                       "endloop\nendfacet\nendsolid two words\n";
    scr_mesh m = read_text(text, false);
    scr_mesh_report r;
    CHECK(scr_mesh_repair(&m, &r));
    CHECK_INT(m.facet_count, 2);
    CHECK_INT(m.vertex_count, 4);
    CHECK_INT(r.welded, 2);
    CHECK_INT(r.open_edges, 4);
    scr_mesh_deinit(&m);

    // the same in binary, beginning with the word of the text format
    char bytes[84 + 100] = "solid but binary";
    uint32_t count = 2;
    const float corners[2][12] = {{0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0}};
    memcpy(bytes + 80, &count, 4);
    for (int k = 0; k < 2; k++) memcpy(bytes + 84 + 50 * k, corners[k], 48);
    scr_mesh_error error;
    CHECK(scr_mesh_read(bytes, sizeof bytes, false, &m, &error));
    CHECK(scr_mesh_repair(&m, &r));
    CHECK_INT(m.vertex_count, 4);
    CHECK_NEAR(r.area, 1, 1e-15);
    scr_mesh_deinit(&m);

    const float nan = NAN;
    memcpy(bytes + 84 + 50 + 12, &nan, 4);
    check_refused(bytes, sizeof bytes, false, 0, "facet 2 has a vertex that is not finite");
    check_refused(bytes, sizeof bytes - 1, false, 0, "has 183 bytes, but its 2 facets need 184");
}

static void test_refusals(void)
{
    check_refused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", 0, false, 4,
                  "vertex has 2 numbers, must have 3");
    check_refused("solid a\nfacet normal 0 0 1\nvertex 0 0 0\nendfacet\n", 0, false, 4,
                  "facet 1 ends with 1 vertices, must have 3");
    check_refused("solid a\nhello\n", 0, false, 2, "'hello' is not a valid STL line");
    check_refused("solid a\nendsolid\n", 0, false, 0, "has no facets");
    check_refused("nothing", 0, false, 0, "has 7 bytes, a binary STL file has at least 84");
    check_refused("v 0 0 0\nv 1 0 0\nf 1 2 3\n", 0, true, 3, "vertex 3 does not exist, there are 2 so far");
    check_refused("v 0 0 0\nv 1 0 0\nf 1 2\n", 0, true, 3, "face 1 has 2 vertices, must have at least 3");
    check_refused("v 0 0 x\n", 0, true, 1, "vertex has 2 numbers, must have 3");
}

// three facets at an edge; a Moebius strip; a sliver
static void test_faults(void)
{
    scr_mesh_report r;
    scr_mesh m = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0.5 1e-5 0\n"
                           "f 1 2 3\nf 2 1 4\nf 1 2 5\nf 1 2 6\n",
                           true);
    CHECK(scr_mesh_repair(&m, &r));
    CHECK_INT(r.many_edges, 1);
    CHECK_INT(r.slivers, 1);
    CHECK_INT(r.first_sliver, 4);
    scr_mesh_deinit(&m);
    char text[4000] = "";
    for (int k = 0; k < 12; k++) {
        double a = 2 * M_PI * k / 12, half = a / 2;
        for (int side = -1; side <= 1; side += 2)
            sprintf(text + strlen(text), "v %.9f %.9f %.9f\n", (1 + 0.2 * side * cos(half)) * cos(a),
                    (1 + 0.2 * side * cos(half)) * sin(a), 0.2 * side * sin(half));
    }
    for (int k = 0; k < 12; k++) {
        int a = 2 * k + 1, b = 2 * k + 2;
        int c = k < 11 ? a + 2 : 2, d = k < 11 ? b + 2 : 1; // half a twist
        sprintf(text + strlen(text), "f %d %d %d %d\n", a, c, d, b);
    }
    m = read_text(text, true);
    CHECK(scr_mesh_repair(&m, &r));
    CHECK_INT(r.twisted_edges, 1);
    CHECK_INT(r.pieces, 1);
    scr_mesh_deinit(&m);
}

int main(void)
{
    test_triangle();
    test_sphere();
    test_tree();
    test_cube();
    test_stl();
    test_refusals();
    test_faults();
    return check_done();
}
