/* Meshes of polyhedra: masses and moments against closed forms, generators, what is found wrong, order. */
#include "shape/polyhedra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/random.h"
#include "check.h"
#include "shape/polyhedra_make.h"

#define PI 3.14159265358979323846

typedef struct {
    scr_polyhedra mesh;
    scr_cell_shape *cells;
    scr_face_shape *faces;
    scr_mesh_fault fault;
} body;

static void shapes_of(body *b)
{
    b->cells = calloc(b->mesh.cell_count + 1, sizeof *b->cells);
    b->faces = calloc(b->mesh.face_count + 1, sizeof *b->faces);
    CHECK(scr_polyhedra_shapes(&b->mesh, b->cells, b->faces));
}

static void done(body *b)
{
    free(b->cells);
    free(b->faces);
    scr_polyhedra_deinit(&b->mesh);
}

static bool sound(body *b, double volume)
{
    bool ok = scr_polyhedra_check(&b->mesh, b->cells, b->faces, volume, &b->fault);
    if (!ok) printf("fault: %s\n", b->fault.what);
    return ok;
}

// a single polyhedron of given points and faces; faces are lists of numbers that end with -1
static body single(int points, const vec3 *x, int faces, const int (*corners)[5])
{
    body b = {0};
    scr_polyhedra_init(&b.mesh);
    uint32_t n;
    for (int k = 0; k < points; k++) CHECK(scr_polyhedra_add_point(&b.mesh, x[k], &n));
    int side = scr_polyhedra_side(&b.mesh, "all");
    for (int f = 0; f < faces; f++) {
        uint32_t c[5];
        int count = 0;
        while (corners[f][count] >= 0) c[count] = (uint32_t)corners[f][count], count++;
        CHECK(scr_polyhedra_add_face(&b.mesh, c, count, 0, SCR_NO_CELL, side));
    }
    return b;
}

static const int cube_faces[6][5] = {{0, 4, 6, 2, -1}, {1, 3, 7, 5, -1}, {0, 1, 5, 4, -1},
                                     {2, 6, 7, 3, -1}, {0, 2, 3, 1, -1}, {4, 5, 7, 6, -1}};

// a brick somewhere far from the origin
static body brick(double a, double b, double c, pose at)
{
    vec3 x[8];
    for (int k = 0; k < 8; k++) x[k] = pose_point(&at, v3(k & 1 ? a : 0, k & 2 ? b : 0, k & 4 ? c : 0));
    return single(8, x, 6, cube_faces);
}

static void test_brick(void)
{
    body b = brick(2, 3, 5, (pose){.shift = {7, -4, 1}});
    shapes_of(&b);
    CHECK(sound(&b, 30));
    CHECK_NEAR(b.cells[0].volume, 30, 1e-14); // exact
    CHECK_NEAR(v3_norm(v3_sub(b.cells[0].centre, v3(8, -2.5, 3.5))), 0, 1e-14);
    CHECK_NEAR(b.cells[0].moments.x, 30 * 34 / 12.0, 1e-14);
    CHECK_NEAR(b.cells[0].moments.y, 30 * 29 / 12.0, 1e-14);
    CHECK_NEAR(b.cells[0].moments.z, 30 * 13 / 12.0, 1e-14);
    CHECK(b.cells[0].axes.w == 1);
    // the face at z = 5: 2 x 3; the lesser moment is along x
    const scr_face_shape *top = &b.faces[5];
    CHECK_NEAR(top->area, 6, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(top->normal, v3(0, 0, 1))), 0, 1e-15);
    CHECK_NEAR(top->is, 3 * 8 / 12.0, 1e-14);
    CHECK_NEAR(top->it, 2 * 27 / 12.0, 1e-14);
    CHECK_NEAR(fabs(top->s.x), 1, 1e-15);
    CHECK_NEAR(v3_norm(v3_sub(v3_cross(top->normal, top->s), top->t)), 0, 1e-15);
    done(&b);
}

// turned by any angle: the same numbers, axes that turn with it
static void test_turned(void)
{
    pose at = pose_turn(v3_unit(v3(1, 2, 3)), 0.9);
    at.shift = v3(3, 2, 1);
    body b = brick(2, 3, 5, at);
    shapes_of(&b);
    CHECK(sound(&b, 30));
    double moments[3] = {b.cells[0].moments.x, b.cells[0].moments.y, b.cells[0].moments.z};
    const vec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int seen = 0;
    for (int k = 0; k < 3; k++) {
        vec3 axis = pose_vector_back(&at, quat_turn(b.cells[0].axes, e[k]));
        for (int j = 0; j < 3; j++)
            if (fabs(v3_dot(axis, e[j])) > 0.9) {
                static const double want[3] = {85, 72.5, 32.5};
                CHECK_NEAR(moments[k], want[j], 2e-12); // 3e-14
                CHECK_NEAR(fabs(v3_dot(axis, e[j])), 1, 1e-14);
                seen |= 1 << j;
            }
    }
    CHECK_INT(seen, 7);
    CHECK_NEAR(b.faces[5].is, 2, 1e-13); // 2e-15
    CHECK_NEAR(b.faces[5].it, 4.5, 1e-13);
    CHECK_NEAR(fabs(v3_dot(b.faces[5].s, at.turned ? pose_vector(&at, e[0]) : e[0])), 1, 1e-14);
    done(&b);
}

static void test_tetrahedron(void)
{
    const vec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int faces[4][5] = {{0, 2, 1, -1}, {0, 1, 3, -1}, {0, 3, 2, -1}, {1, 2, 3, -1}};
    body b = single(4, x, 4, faces);
    shapes_of(&b);
    CHECK(sound(&b, 1.0 / 6));
    CHECK_NEAR(b.cells[0].volume, 1.0 / 6, 1e-16);
    CHECK_NEAR(v3_norm(v3_sub(b.cells[0].centre, v3(0.25, 0.25, 0.25))), 0, 1e-15);
    // inertia: 1/80 on the diagonal, 1/480 beside it; principal 1/80 + 2/480 and twice 1/80 - 1/480
    double m[3] = {b.cells[0].moments.x, b.cells[0].moments.y, b.cells[0].moments.z};
    double most = fmax(m[0], fmax(m[1], m[2])), least = fmin(m[0], fmin(m[1], m[2]));
    CHECK_NEAR(most, 1.0 / 60, 3e-16);
    CHECK_NEAR(least, 1.0 / 96, 3e-16);
    CHECK_NEAR(m[0] + m[1] + m[2], 3.0 / 80, 3e-16);
    // the equilateral face: both moments sqrt(3)/96 side^4, axis along an edge
    CHECK_NEAR(b.faces[3].is, sqrt(3) / 96 * 4, 1e-15);
    CHECK_NEAR(b.faces[3].it, sqrt(3) / 96 * 4, 1e-15);
    CHECK_NEAR(v3_dot(b.faces[3].s, v3_unit(v3(-1, 1, 0))), 1, 1e-14);
    done(&b);
}

// a prism on a right triangle with legs 1 and 2, height 3
static void test_prism(void)
{
    const vec3 x[6] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 0, 3}, {0, 2, 3}};
    const int faces[5][5] = {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3, -1}, {1, 2, 5, 4, -1}, {2, 0, 3, 5, -1}};
    body b = single(6, x, 5, faces);
    shapes_of(&b);
    CHECK(sound(&b, 3));
    CHECK_NEAR(b.cells[0].volume, 3, 1e-15 * 10);
    CHECK_NEAR(v3_norm(v3_sub(b.cells[0].centre, v3(1.0 / 3, 2.0 / 3, 1.5))), 0, 1e-15);
    // int x^2 = V/18, int y^2 = 4 V/18, int x y = -2 V/36, int z^2 = V 9/12
    double xx = 3 / 18.0, yy = 12 / 18.0, xy = -6 / 36.0, zz = 27 / 12.0;
    double mean = zz + (xx + yy) / 2, half = hypot((yy - xx) / 2, xy);
    double m[3] = {b.cells[0].moments.x, b.cells[0].moments.y, b.cells[0].moments.z};
    CHECK_NEAR(fmin(m[0], m[1]), mean - half, 1e-14);
    CHECK_NEAR(fmax(m[0], m[1]), mean + half, 1e-14);
    CHECK_NEAR(m[2], xx + yy, 1e-14);
    CHECK_NEAR(b.faces[0].is + b.faces[0].it, (xx + yy) / 3, 1e-15);
    CHECK_NEAR(b.faces[0].it - b.faces[0].is, 2 * half / 3, 1e-15);
    done(&b);
}

/* ---- generators ---- */

// the greatest |sum S n| of a cell
static double openness(const body *b)
{
    vec3 *sum = calloc(b->mesh.cell_count, sizeof *sum);
    for (size_t f = 0; f < b->mesh.face_count; f++)
        for (size_t k = 0; k < 2; k++) {
            int c = b->mesh.cells[2 * f + k];
            if (c >= 0) sum[c] = v3_axpy(sum[c], (k ? -1 : 1) * b->faces[f].area, b->faces[f].normal);
        }
    double most = 0;
    for (size_t c = 0; c < b->mesh.cell_count; c++) most = check_worse(most, v3_norm(sum[c]));
    free(sum);
    return most;
}

static double volume_of(const body *b)
{
    double sum = 0;
    for (size_t c = 0; c < b->mesh.cell_count; c++) sum += b->cells[c].volume;
    return sum;
}

static double area_of(const body *b, const char *side)
{
    double sum = 0;
    for (size_t f = 0; f < b->mesh.face_count; f++)
        if (b->mesh.side[f] >= 0 && !strcmp(b->mesh.sides[b->mesh.side[f]], side)) sum += b->faces[f].area;
    return sum;
}

static uint64_t digest_of(const scr_polyhedra *m)
{
    uint64_t d = SCR_DIGEST_START;
    d = scr_digest_bytes(d, m->points, 3 * m->point_count * sizeof *m->points);
    d = scr_digest_bytes(d, m->corners, m->corner_count * sizeof *m->corners);
    d = scr_digest_bytes(d, m->cells, 2 * m->face_count * sizeof *m->cells);
    return scr_digest_bytes(d, m->side, m->face_count * sizeof *m->side);
}

static body block(scr_block_def def)
{
    body b = {0};
    scr_polyhedra_init(&b.mesh);
    CHECK(scr_polyhedra_block(&def, &b.mesh));
    shapes_of(&b);
    return b;
}

static void test_block(void)
{
    scr_block_def def = {.lower = {-1, 0, 2}, .upper = {1, 3, 6}, .count = {4, 3, 2}};
    body b = block(def);
    CHECK(sound(&b, 24));
    CHECK_INT(b.mesh.cell_count, 24);
    CHECK_INT(b.mesh.face_count, 3 * 24 + 12 + 8 + 6);
    CHECK_INT(b.mesh.side_count, 6);
    CHECK_NEAR(area_of(&b, "x-"), 12, 1e-13);
    CHECK_NEAR(area_of(&b, "y+"), 8, 1e-13);
    CHECK_NEAR(area_of(&b, "z+"), 6, 1e-13);
    CHECK_NEAR(v3_norm(v3_sub(b.cells[1].centre, v3(-0.25, 0.5, 3))), 0, 1e-15);
    CHECK_NEAR(openness(&b), 0, 1e-15);
    done(&b);
    // with jitter: the same body, other cells; a seed is a mesh
    def.jitter = 0.25, def.seed = 3;
    b = block(def);
    CHECK(sound(&b, 24));
    CHECK_NEAR(volume_of(&b), 24, 2e-13); // 4e-15
    CHECK_NEAR(area_of(&b, "x-"), 12, 1e-13);
    CHECK(fabs(b.cells[1].volume - 1) > 0.01);
    CHECK_NEAR(openness(&b), 0, 1e-14); // 7e-16
    body again = block(def);
    CHECK(digest_of(&b.mesh) == digest_of(&again.mesh));
    done(&again);
    def.seed = 4;
    again = block(def);
    CHECK(digest_of(&b.mesh) != digest_of(&again.mesh));
    done(&again);
    done(&b);
}

static void test_periodic(void)
{
    scr_block_def def = {
        .upper = {1, 1, 1}, .count = {3, 4, 2}, .jitter = 0.2, .seed = 1, .periodic = {true, true, true}};
    body b = block(def);
    CHECK(sound(&b, 1));
    CHECK_INT(b.mesh.face_count, 3 * 24);
    CHECK_INT(b.mesh.side_count, 0);
    CHECK_NEAR(openness(&b), 0, 5e-15);
    int across = 0;
    for (size_t f = 0; f < b.mesh.face_count; f++) across += v3_norm(v3_load(b.mesh.shift + 3 * f)) > 0;
    CHECK_INT(across, 12 + 8 * 1 + 6 * 1);
    // one cell that is its own neighbour on all sides
    def.count[0] = def.count[1] = def.count[2] = 1;
    body one = block(def);
    CHECK(sound(&one, 1));
    CHECK_INT(one.mesh.face_count, 3);
    done(&one);
    done(&b);
}

static void test_cylinders(void)
{
    for (int hollow = 0; hollow < 2; hollow++) {
        scr_cylinder_def def = {.from = {1, 0, 0},
                                .to = {1, 0, 4},
                                .zero = {0, 1, 0},
                                .radius = 2,
                                .inner = hollow ? 1.5 : 0,
                                .across = 3,
                                .around = 10,
                                .along = 4};
        body b = {0};
        scr_polyhedra_init(&b.mesh);
        CHECK(scr_polyhedra_cylinder(&def, &b.mesh));
        shapes_of(&b);
        double want = 5 * sin(PI / 5) * (4 - (hollow ? 2.25 : 0)) * 4;
        CHECK_NEAR(scr_cylinder_def_volume(&def), want, 1e-13);
        CHECK(sound(&b, want));
        CHECK_NEAR(volume_of(&b), want, 5e-13); // 7e-15
        CHECK_NEAR(openness(&b), 0, 1e-14);
        CHECK_INT(b.mesh.cell_count, 120);
        CHECK_INT(b.mesh.side_count, 3 + hollow);
        CHECK_NEAR(area_of(&b, "top"), want / 4, 5e-14);
        CHECK_NEAR(area_of(&b, "outside"), 10 * 4 * sin(PI / 10) * 4, 1e-12);
        // the first cells are centred in the direction of `zero`
        CHECK_NEAR(b.cells[0].centre.x, 1, 1e-15);
        CHECK(b.cells[0].centre.y > 0);
        done(&b);
    }
}

static void test_spheres(void)
{
    static const scr_sphere_def defs[] = {
        {.radius = 3, .thickness = 3, .bottom = PI, .radial = 2, .polar = 4, .around = 6},
        {.radius = 3, .thickness = 1, .bottom = PI, .radial = 1, .polar = 2, .around = 3},
        {.radius = 10, .thickness = 0.04, .top = PI / 10, .bottom = PI / 2, .radial = 1, .polar = 16, .around = 64},
        {.radius = 1, .thickness = 1, .top = 0.3, .bottom = 2, .radial = 3, .polar = 5, .around = 7},
    };
    for (int k = 0; k < 4; k++) {
        scr_sphere_def def = defs[k];
        def.centre = v3(1, 2, 3), def.axis = v3(0, 0, 1), def.zero = v3(1, 0, 0);
        body b = {0};
        scr_polyhedra_init(&b.mesh);
        CHECK(scr_polyhedra_sphere(&def, &b.mesh));
        shapes_of(&b);
        double want = scr_sphere_def_volume(&def);
        CHECK(sound(&b, want));
        CHECK_NEAR(volume_of(&b) / want, 1, 1e-13); // 1e-15
        CHECK_NEAR(openness(&b), 0, 1e-13);         // 1e-15
        CHECK_INT(b.mesh.cell_count, def.radial * def.polar * def.around);
        CHECK_NEAR(b.cells[0].centre.y, 2, 1e-14);
        CHECK(b.cells[0].centre.x > 1);
        // a bound from the sphere itself, where all of it is there
        if (def.bottom - def.top > 3.1) {
            double hollow = pow(def.radius - def.thickness, 3);
            CHECK(want < 4 * PI / 3 * (27 - hollow));
        }
        done(&b);
    }
    // fine ones come near to the sphere, with the square of the cell's size
    scr_sphere_def def = {.radius = 1, .thickness = 1, .bottom = PI, .radial = 1};
    double off[2];
    for (int k = 0; k < 2; k++) {
        def.polar = 20 << k, def.around = 40 << k;
        off[k] = 4 * PI / 3 - scr_sphere_def_volume(&def);
    }
    CHECK_NEAR(off[0] / off[1], 4, 0.02); // off by 0.013
}

/* ---- order, and what is found wrong ---- */

static void test_sort(void)
{
    scr_block_def def = {.upper = {8, 8, 8}, .count = {8, 8, 8}, .jitter = 0.1, .seed = 2};
    body b = block(def), sorted = {0};
    scr_polyhedra_init(&sorted.mesh);
    CHECK(scr_polyhedra_block(&def, &sorted.mesh));
    CHECK(scr_polyhedra_sort(&sorted.mesh));
    shapes_of(&sorted);
    CHECK(sound(&sorted, 512));
    CHECK_NEAR(area_of(&sorted, "y-"), area_of(&b, "y-"), 5e-13);
    double apart[2] = {0, 0};
    body *both[2] = {&b, &sorted};
    for (int k = 0; k < 2; k++)
        for (size_t f = 0; f < b.mesh.face_count; f++) {
            int c = both[k]->mesh.cells[2 * f], d = both[k]->mesh.cells[2 * f + 1];
            CHECK(k == 0 || d < 0 || c < d);
            if (d >= 0) apart[k] += log2(1 + abs(c - d));
        }
    CHECK(apart[1] < 0.95 * apart[0]);
    // sorted again, it stays as it is
    uint64_t before = digest_of(&sorted.mesh);
    CHECK(scr_polyhedra_sort(&sorted.mesh));
    CHECK(digest_of(&sorted.mesh) == before);
    done(&sorted);
    done(&b);
    def.periodic[0] = def.periodic[1] = def.periodic[2] = true;
    b = block(def);
    CHECK(scr_polyhedra_sort(&b.mesh));
    CHECK(scr_polyhedra_shapes(&b.mesh, b.cells, b.faces));
    CHECK(sound(&b, 512));
    done(&b);
}

static void expect_fault(body *b, double volume, const char *words)
{
    CHECK(!scr_polyhedra_check(&b->mesh, b->cells, b->faces, volume, &b->fault));
    if (!strstr(b->fault.what, words)) printf("got: %s\n", b->fault.what);
    CHECK(strstr(b->fault.what, words) != NULL);
    done(b);
}

static void test_faults(void)
{
    scr_block_def def = {.upper = {2, 1, 1}, .count = {2, 1, 1}};
    body b = block(def);
    expect_fault(&b, 2.1, "add up to 2 m3, not to 2.1 m3");
    // a face left out, two opposite faces left out
    b = brick(1, 1, 1, (pose){0});
    b.mesh.face_count = 5, b.mesh.corner_count -= 4;
    shapes_of(&b);
    expect_fault(&b, NAN, "cell 0 is not closed");
    b = brick(1, 1, 1, (pose){0});
    b.mesh.face_count = 4, b.mesh.corner_count -= 8;
    shapes_of(&b);
    expect_fault(&b, NAN, "cell 0 is not closed");
    // inside out
    vec3 x[8];
    for (int k = 0; k < 8; k++) x[k] = v3(k & 1, (k & 2) / 2, -(k & 4) / 4.0);
    b = single(8, x, 6, cube_faces);
    shapes_of(&b);
    expect_fault(&b, NAN, "inside out");
    // a corner pushed in
    for (int k = 0; k < 8; k++) x[k] = v3(k & 1, (k & 2) / 2, (k & 4) / 4);
    x[7] = v3(0.3, 0.3, 0.3);
    b = single(8, x, 6, cube_faces);
    shapes_of(&b);
    expect_fault(&b, NAN, "not convex");
    // flat
    for (int k = 0; k < 8; k++) x[k] = v3(k & 1, (k & 2) / 2, 0);
    b = single(8, x, 6, cube_faces);
    shapes_of(&b);
    expect_fault(&b, NAN, "volume");
    // a border face without a side
    b = block(def);
    b.mesh.side[0] = SCR_NO_SIDE;
    expect_fault(&b, NAN, "no side");
    body none = {0};
    expect_fault(&none, NAN, "no cells");
}

/* ---- Voronoi ---- */

static body voronoi(const scr_voronoi_def *def, double *volume)
{
    body b = {0};
    scr_polyhedra_init(&b.mesh);
    bool ok = scr_voronoi_build(def, &b.mesh, volume, &b.fault);
    if (!ok) printf("fault: %s\n", b.fault.what);
    CHECK(ok);
    shapes_of(&b);
    return b;
}

static void test_voronoi_box(void)
{
    scr_voronoi_def def = {.lower = {1, 2, 3}, .upper = {3, 3, 4}, .count = 300, .seed = 7};
    double volume, spread[2];
    for (int k = 0; k < 2; k++) {
        def.lloyd = k * 20;
        body b = voronoi(&def, &volume), again = voronoi(&def, &volume);
        CHECK_NEAR(volume, 2, 1e-15);
        CHECK(sound(&b, 2));
        CHECK_INT(b.mesh.cell_count, 300);
        CHECK_NEAR(volume_of(&b), 2, 1e-13);     // 2e-15
        CHECK_NEAR(area_of(&b, "x-"), 1, 2e-14); // 1e-15
        CHECK_NEAR(area_of(&b, "z+"), 2, 5e-14);
        CHECK_NEAR(openness(&b), 0, 1e-15); // 3e-17
        CHECK(digest_of(&b.mesh) == digest_of(&again.mesh));
        // faces are where both seeds are equally far
        double most = 0;
        for (size_t f = 0; f < b.mesh.face_count; f++) {
            if (b.mesh.cells[2 * f + 1] < 0) continue;
            vec3 p = v3_load(b.mesh.seeds + 3 * b.mesh.cells[2 * f]);
            vec3 q = v3_load(b.mesh.seeds + 3 * b.mesh.cells[2 * f + 1]);
            vec3 c = b.faces[f].centre;
            most = check_worse(most, fabs(v3_norm(v3_sub(c, p)) - v3_norm(v3_sub(c, q))));
        }
        CHECK_NEAR(most, 0, 1e-13);
        double sum = 0;
        for (size_t c = 0; c < 300; c++) sum += pow(b.cells[c].volume * 150 - 1, 2);
        spread[k] = sqrt(sum / 300);
        CHECK(scr_polyhedra_sort(&b.mesh));
        CHECK(scr_polyhedra_shapes(&b.mesh, b.cells, b.faces));
        CHECK(sound(&b, 2));
        done(&b);
        done(&again);
    }
    // Lloyd makes cells alike: volumes scatter by 0.43 before and 0.09 after
    CHECK(spread[0] > 0.3 && spread[1] < 0.15);
}

// seeds on a perfect grid: every corner is one of eight cells, voro++ sees many that are almost one
static void test_voronoi_grid(void)
{
    scr_voronoi_def def = {.upper = {5, 4, 3}, .count = 60, .seeding = SCR_SEEDS_GRID};
    double volume;
    for (int k = 0; k < 8; k++) {
        for (int a = 0; a < 3; a++) def.periodic[a] = k >> a & 1;
        body b = voronoi(&def, &volume);
        CHECK(sound(&b, 60));
        CHECK_INT(b.mesh.cell_count, 60);
        int links = 0, want = 60 * 3;
        for (size_t f = 0; f < b.mesh.face_count; f++) {
            links += b.mesh.cells[2 * f + 1] >= 0;
            CHECK_NEAR(b.faces[f].area, 1, 4e-14);
        }
        if (!def.periodic[0]) want -= 12;
        if (!def.periodic[1]) want -= 15;
        if (!def.periodic[2]) want -= 20;
        CHECK_INT(links, want);
        done(&b);
    }
    // with jitter; one layer of cells stays one of prisms
    def = (scr_voronoi_def){.upper = {10, 10, 1}, .count = 100, .seeding = SCR_SEEDS_GRID, .jitter = 0.3, .seed = 3};
    body b = voronoi(&def, &volume);
    CHECK(sound(&b, 100));
    for (size_t c = 0; c < b.mesh.cell_count; c++) CHECK_NEAR(b.cells[c].centre.z, 0.5, 1e-14);
    done(&b);
}

static void test_voronoi_periodic(void)
{
    static const size_t counts[] = {1, 2, 5, 216};
    for (int k = 0; k < 4; k++) {
        scr_voronoi_def def = {.lower = {-1, 0, 0},
                               .upper = {0, 1, 1},
                               .periodic = {true, true, true},
                               .count = counts[k],
                               .seed = 11,
                               .lloyd = k == 3 ? 5 : 0};
        double volume;
        body b = voronoi(&def, &volume);
        CHECK(sound(&b, 1));
        CHECK_NEAR(volume_of(&b), 1, 5e-14);
        CHECK_NEAR(openness(&b), 0, 1e-14);
        CHECK_INT(b.mesh.side_count, 0);
        // sum of S D n n over links is V times one, for generators' distances
        double sum[6] = {0};
        for (size_t f = 0; f < b.mesh.face_count; f++) {
            vec3 d = v3_sub(v3_load(b.mesh.seeds + 3 * b.mesh.cells[2 * f + 1]),
                            v3_load(b.mesh.seeds + 3 * b.mesh.cells[2 * f]));
            if (b.mesh.shift) d = v3_add(d, v3_load(b.mesh.shift + 3 * f));
            vec3 n = b.faces[f].normal;
            double w = b.faces[f].area * v3_norm(d);
            CHECK(v3_norm(v3_cross(v3_unit(d), n)) * b.faces[f].area < 1e-9);
            sum[0] += w * n.x * n.x, sum[1] += w * n.y * n.y, sum[2] += w * n.z * n.z;
            sum[3] += w * n.x * n.y, sum[4] += w * n.x * n.z, sum[5] += w * n.y * n.z;
        }
        for (int j = 0; j < 6; j++) CHECK_NEAR(sum[j], j < 3, 5e-14);
        CHECK(scr_polyhedra_sort(&b.mesh));
        CHECK(scr_polyhedra_shapes(&b.mesh, b.cells, b.faces));
        CHECK(sound(&b, 1));
        for (size_t f = 0; f < b.mesh.face_count; f++) CHECK(b.mesh.cells[2 * f] <= b.mesh.cells[2 * f + 1]);
        done(&b);
    }
}

static void test_voronoi_bodies(void)
{
    scr_cut cuts[SCR_MOST_CUTS];
    scr_voronoi_def def = {.cuts = cuts, .count = 200, .seed = 5, .lloyd = 3};
    double volume;
    def.cut_count = scr_cuts_frustum(v3(1, 1, 1), v3(1, 3, 1), 0.7, 0.7, 24, cuts);
    body b = voronoi(&def, &volume);
    CHECK_NEAR(volume, PI * 0.49 * 2, 1e-14);
    CHECK(sound(&b, volume));
    CHECK_NEAR(volume_of(&b), volume, 5e-14);
    CHECK_NEAR(area_of(&b, "top"), PI * 0.49, 1e-14);
    CHECK_INT(b.mesh.side_count, 3);
    done(&b);
    def.cut_count = scr_cuts_sphere(v3(-3, 0, 2), 1.5, 60, cuts);
    b = voronoi(&def, &volume);
    CHECK_NEAR(volume, 4 * PI / 3 * 3.375, 5e-13);
    CHECK(sound(&b, volume));
    CHECK_NEAR(volume_of(&b), volume, 1e-13);
    done(&b);
    // a truncated cone, and a whole one
    for (int k = 0; k < 2; k++) {
        double tip = k ? 0 : 0.3;
        def.cut_count = scr_cuts_frustum(v3(0, 0, 1), v3(0, 0, 0), 1, tip, 20, cuts);
        b = voronoi(&def, &volume);
        CHECK_NEAR(volume, PI / 3 * (1 + tip + tip * tip), 5e-14);
        CHECK(sound(&b, volume));
        CHECK_INT(b.mesh.side_count, 3 - k);
        done(&b);
    }
    // a tetrahedron; seeds of one's own
    cuts[0] = (scr_cut){{-1, 0, 0}, 0, "a"}, cuts[1] = (scr_cut){{0, -1, 0}, 0, "b"};
    cuts[2] = (scr_cut){{0, 0, -1}, 0, "c"};
    cuts[3] = (scr_cut){v3_unit(v3(1, 1, 1)), sqrt(1 / 3.0), "d"};
    const double given[] = {0.1, 0.1, 0.1, 0.3, 0.2, 0.1, 0.1, 0.6, 0.05};
    def = (scr_voronoi_def){.cuts = cuts, .cut_count = 4, .count = 3, .seeding = SCR_SEEDS_GIVEN, .given = given};
    b = voronoi(&def, &volume);
    CHECK_NEAR(volume, 1 / 6.0, 1e-15);
    CHECK(sound(&b, volume));
    CHECK_INT(b.mesh.cell_count, 3);
    CHECK_NEAR(area_of(&b, "d"), sqrt(3) / 2, 4e-14);
    done(&b);
    // what is wrong with planes and seeds
    scr_polyhedra_init(&b.mesh);
    def.cut_count = 3;
    CHECK(!scr_voronoi_build(&def, &b.mesh, &volume, &b.fault));
    CHECK_TEXT(b.fault.what, "the planes leave no body");
    def.cut_count = 4, cuts[3].offset = -1;
    CHECK(!scr_voronoi_build(&def, &b.mesh, &volume, &b.fault));
    CHECK_TEXT(b.fault.what, "the planes leave no body");
    cuts[3].offset = 0.1;
    CHECK(!scr_voronoi_build(&def, &b.mesh, &volume, &b.fault));
    CHECK_TEXT(b.fault.what, "seed 0 at (0.1, 0.1, 0.1) is not within the body");
    scr_polyhedra_deinit(&b.mesh);
}

static void test_plate(void)
{
    const vec3 square[4] = {{0, 1, 0}, {0, 3, 0}, {0, 3, 2}, {0, 1, 2}};
    const vec3 hexagon[6] = {{2, 0, 5}, {1, 1.8, 5}, {-1, 1.8, 5}, {-2, 0, 5}, {-1, -1.8, 5}, {1, -1.8, 5}};
    scr_plate_def def = {.outline = square,
                         .corner_count = 4,
                         .thickness = 0.1,
                         .layers = 1,
                         .seeding = SCR_SEEDS_GRID,
                         .count = 100,
                         .seed = 2};
    double volume;
    body b = {0};
    for (int k = 0; k < 4; k++) {
        def.jitter = k == 1 ? 0.3 : 0;
        if (k >= 2) def.outline = hexagon, def.corner_count = 6, def.seeding = SCR_SEEDS_RANDOM, def.lloyd = 4;
        if (k == 3) def.layers = 3;
        scr_polyhedra_init(&b.mesh);
        CHECK(scr_polyhedra_plate(&def, &b.mesh, &volume, &b.fault));
        shapes_of(&b);
        double area = k < 2 ? 4 : 3.6 * 3;
        CHECK_NEAR(volume, 0.1 * area, 1e-14);
        CHECK(sound(&b, volume));
        CHECK_NEAR(volume_of(&b), volume, 1e-13);
        CHECK_NEAR(area_of(&b, "top"), area, 1e-13);
        CHECK_NEAR(area_of(&b, "bottom"), area, 1e-13);
        CHECK_NEAR(area_of(&b, "edge"), 0.1 * (k < 2 ? 8 : 4 + 4 * sqrt(1 + 1.8 * 1.8)), 1e-13);
        CHECK_INT(b.mesh.cell_count, k == 3 ? 300 : 100);
        // the side of the thumb is up: x of the square, z of the hexagon
        if (k < 2) CHECK_NEAR(b.cells[0].centre.x, 0.05, 1e-15);
        if (k == 2) CHECK_NEAR(b.cells[7].centre.z, 5.05, 1e-14);
        done(&b);
    }
    vec3 bad[4] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.2, 0}, {0, 1, 0}};
    def.outline = bad, def.corner_count = 4;
    CHECK(!scr_polyhedra_plate(&def, &b.mesh, &volume, &b.fault));
    CHECK_TEXT(b.fault.what, "the outline is not convex at corner 3");
    bad[2] = v3(1, 1, 0.1);
    CHECK(!scr_polyhedra_plate(&def, &b.mesh, &volume, &b.fault));
    CHECK(strstr(b.fault.what, "out of its plane") != NULL);
    scr_polyhedra_deinit(&b.mesh);
}

int main(void)
{
    test_brick();
    test_turned();
    test_tetrahedron();
    test_prism();
    test_block();
    test_periodic();
    test_cylinders();
    test_spheres();
    test_voronoi_box();
    test_voronoi_grid();
    test_voronoi_periodic();
    test_voronoi_bodies();
    test_plate();
    test_sort();
    test_faults();
    return check_done();
}
