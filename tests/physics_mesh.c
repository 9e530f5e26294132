/* One contact across facets: a sphere on a plane, on two triangles and on a fine mesh of that plane
 * moves alike; edges and corners of meshes. */
#include "stage.h"

#define MESH "physics_mesh.stl"

typedef struct {
    double v[3];
} point;

static FILE *mesh_file;

static void mesh_open(void)
{
    mesh_file = fopen(MESH, "w");
    fprintf(mesh_file, "solid test\n");
}
static void facet(point a, point b, point c)
{
    fprintf(mesh_file, "facet normal 0 0 0\nouter loop\n");
    const point p[3] = {a, b, c};
    for (int k = 0; k < 3; k++) fprintf(mesh_file, "vertex %.17g %.17g %.17g\n", p[k].v[0], p[k].v[1], p[k].v[2]);
    fprintf(mesh_file, "endloop\nendfacet\n");
}
static void quad(point a, point b, point c, point d)
{
    facet(a, b, c);
    facet(a, c, d);
}
static void mesh_close(void)
{
    fprintf(mesh_file, "endsolid test\n");
    fclose(mesh_file);
}

/* ---- one plane, three ways ---- */

// [-0.1, 0.9] x [-0.05, 0.05] from rectangles whose inner vertices are moved about
static void flat_mesh(int n)
{
    int rows = (n + 9) / 10;
    mesh_open();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < rows; j++) {
            point p[4];
            for (int k = 0; k < 4; k++) {
                int a = i + (k == 1 || k == 2), b = j + (k > 1);
                double jitter = a % n && b % rows ? 0.3 / n : 0;
                p[k] = (point){{-0.1 + (double)a / n + jitter * sin(12.9 * a + 78.2 * b),
                                -0.05 + 0.1 * b / rows + jitter * cos(37.7 * a + 11.1 * b), 0}};
            }
            quad(p[0], p[1], p[2], p[3]);
        }
    mesh_close();
}

// where a sphere is, and how it turns
typedef struct {
    double x[3], w[3];
    int64_t contacts;
} state;

// `wall` in the frame that is turned by `tilt` about y
static state run(const char *wall, double tilt, double height, double vx, double vz, double wy, const char *scheme,
                 int steps)
{
    double c = cos(tilt), s = sin(tilt), r = 0.01;
    grain g = {.radius = r};
    g.x[0] = s * (r + height), g.x[2] = c * (r + height);
    g.v[0] = c * vx + s * vz, g.v[1] = 0.13 * vx, g.v[2] = -s * vx + c * vz;
    g.w[1] = wy;
    stage st;
    state out = {0};
    if (!stage_open(&st, &g, 1,
                    "scree: 1\ngravity: [0, 0, -9.81]\n"
                    "domain: {box: [[-2, -2, -2], [2, 2, 2]]}\n"
                    "materials: {glass: {density: 2500, restitution: 0.8, friction: 0.4}}\n"
                    "contacts: {any: {stiffness: 1e5}}\n"
                    "bodies: {all: {from: table, file: @, material: glass}}\n"
                    "walls: {floor: {%s, material: glass}}\n"
                    "stepper: {type: soft, scheme: %s}\n"
                    "time: {end: 1, step: 2e-5}\n",
                    wall, scheme))
        return out;
    stage_advance(&st, steps);
    double position[3], spin[3];
    stage_view(&st, "position", position, 3);
    stage_view(&st, "spin", spin, 3);
    memcpy(out.x, position, sizeof position);
    memcpy(out.w, spin, sizeof spin);
    out.contacts = stage_contacts(&st);
    stage_close(&st);
    return out;
}

// the largest difference of places over the radius, and of turns
static double apart(state a, state b)
{
    double most = 0;
    for (int d = 0; d < 3; d++) {
        most = check_worse(most, fabs(a.x[d] - b.x[d]) / 0.01);
        most = check_worse(most, fabs(a.w[d] - b.w[d]) / 100);
    }
    return most;
}

static void test_plane(double tilt, const char *scheme)
{
    char plane[200], mesh[200];
    snprintf(plane, sizeof plane, "shape: plane, normal: [%.17g, 0, %.17g]", sin(tilt), cos(tilt));
    snprintf(mesh, sizeof mesh, "shape: mesh, file: %s, rotate: [0, %.17g, 0]", MESH, tilt);
    // an oblique bounce; then rolling with slip at first, over more than 100 facets of the fine mesh
    state bounce = run(plane, tilt, 2e-4, 2, -1, 0, scheme, 400);
    state roll = run(plane, tilt, -1e-5, 1, 0, 20, scheme, 12000);
    CHECK_INT(bounce.contacts, 0);
    CHECK(bounce.w[1] > 10);
    CHECK_INT(roll.contacts, 1);
    CHECK(hypot(roll.x[0], roll.x[2]) > 0.15);
    const int cuts[3] = {1, 7, 400};
    for (int k = 0; k < 3; k++) {
        flat_mesh(cuts[k]);
        // rounding: 8e-15 and 4e-13 seen
        CHECK_NEAR(apart(run(mesh, tilt, 2e-4, 2, -1, 0, scheme, 400), bounce), 0, 5e-13);
        CHECK_NEAR(apart(run(mesh, tilt, -1e-5, 1, 0, 20, scheme, 12000), roll), 0, 1e-11);
    }
}

/* ---- edges and corners ---- */

#define STIFFNESS 1e5
#define R         0.01
static const double mass = 2500 * 4 * M_PI / 3 * R * R * R;

static bool drop(stage *s, grain g, double restitution, double friction, double dt)
{
    return stage_open(s, &g, 1,
                      "scree: 1\ngravity: [0, 0, -9.81]\n"
                      "domain: {box: [[-2, -2, -2], [2, 2, 2]]}\n"
                      "materials: {glass: {density: 2500, restitution: %g, friction: %g}}\n"
                      "contacts: {any: {stiffness: %g}}\n"
                      "bodies: {all: {from: table, file: @, material: glass}}\n"
                      "walls: {mesh: {shape: mesh, file: " MESH ", material: glass}}\n"
                      "time: {end: 1, step: %g}\n",
                      restitution, friction, STIFFNESS, dt);
}

// two rectangles that meet at x = z = 0 along y, their slopes against x on either side
static void ridge(double left, double right, int cuts)
{
    mesh_open();
    for (int k = 0; k < cuts; k++) {
        double y0 = -0.2 + 0.4 * k / cuts, y1 = -0.2 + 0.4 * (k + 1) / cuts;
        point a = {{0, y0, 0}}, b = {{0, y1, 0}};
        quad((point){{-0.5, y0, -0.5 * left}}, a, b, (point){{-0.5, y1, -0.5 * left}});
        quad(a, (point){{0.5, y0, 0.5 * right}}, (point){{0.5, y1, 0.5 * right}}, b);
    }
    mesh_close();
}

// the worst closure over the energy of the motion, while never more than `most` contacts are there
static double worst_closure(grain g, double restitution, double friction, double dt, int steps, int64_t most,
                            int64_t *seen)
{
    stage s;
    double worst = 0, scale = 0.5 * mass * (g.v[0] * g.v[0] + g.v[2] * g.v[2]) + mass * 9.81 * R;
    *seen = 0;
    if (!drop(&s, g, restitution, friction, dt)) return NAN;
    for (int k = 0; k < steps; k++) {
        stage_advance(&s, 1);
        int64_t contacts = stage_contacts(&s);
        if (contacts > *seen) *seen = contacts;
        worst = check_worse(worst, fabs(scree_simulation_energies(s.sim).closure) / scale);
    }
    CHECK(*seen <= most);
    stage_close(&s);
    return worst;
}

// over a convex edge: a table that ends, and a ridge; with friction the spring turns over it too
static void test_convex(void)
{
    int64_t seen;
    grain g = {.x = {-0.02, 0.003, R - 1e-5}, .radius = R, .v = {0.4, 0.05, 0}};
    for (int cuts = 1; cuts < 60; cuts += 38) {
        ridge(0, -20, cuts); // level, then almost straight down
        double coarse = worst_closure(g, 1, 0.5, 2e-5, 6000, 1, &seen);
        double fine = worst_closure(g, 1, 0.5, 1e-5, 12000, 1, &seen);
        printf("off a table: closure %.2g, %.2g at dt/2\n", coarse, fine);
        CHECK_INT(seen, 1);
        CHECK_NEAR(coarse, 0, 1e-4);
        CHECK(fine < 0.6 * coarse);
    }
}

// falls on the tip of a pyramid: straight back, or aside; no energy is lost
static void test_tip(void)
{
    point tip = {{0, 0, 0}}, p[5];
    mesh_open();
    for (int k = 0; k < 5; k++)
        p[k] = (point){{0.1 * cos(0.4 + 2 * M_PI * k / 5), 0.1 * sin(0.4 + 2 * M_PI * k / 5), -0.1}};
    for (int k = 0; k < 5; k++) facet(tip, p[k], p[(k + 1) % 5]);
    mesh_close();
    int64_t seen;
    grain g = {.x = {0, 0, R + 1e-3}, .radius = R, .v = {0, 0, -1}};
    stage s;
    double v[3];
    if (drop(&s, g, 1, 0, 1e-6)) {
        stage_collide(&s, 100000);
        stage_view(&s, "velocity", v, 3);
        CHECK_NEAR(hypot(v[0], v[1]), 0, 1e-12);
        CHECK_NEAR(v[2], 1, 1e-2); // the fall before and the rise after it
        stage_close(&s);
    }
    g.x[0] = 0.004, g.x[1] = 0.002;
    double coarse = worst_closure(g, 1, 0.5, 1e-5, 1500, 2, &seen);
    double fine = worst_closure(g, 1, 0.5, 5e-6, 3000, 2, &seen);
    printf("on a tip: closure %.2g, %.2g at dt/2\n", coarse, fine);
    CHECK_NEAR(coarse, 0, 1e-3);
    CHECK(fine < 0.6 * coarse);
}

// at rest in a rectangular groove and in a corner: one contact per side, each carries its part
static void test_rest(void)
{
    ridge(-1, 1, 5);
    grain g = {.x = {0, 0.003, R * sqrt(2) - 1e-6}, .radius = R};
    stage s;
    double x[3], weight = mass * 9.81;
    if (drop(&s, g, 0.3, 0, 1e-5)) {
        stage_advance(&s, 20000);
        stage_view(&s, "position", x, 3);
        CHECK_INT(stage_contacts(&s), 2);
        // k delta each, at 45 degrees
        CHECK_NEAR((R * sqrt(2) - x[2]) / (weight / STIFFNESS), 1, 1e-6);
        CHECK_NEAR(x[0] / R, 0, 1e-9);
        stage_close(&s);
    }
    // three squares of a cube that stands on its corner
    mesh_open();
    point o = {{0, 0, 0}}, e[3];
    for (int k = 0; k < 3; k++)
        e[k] = (point){
            {0.1 * sqrt(2.0 / 3) * cos(2 * M_PI * k / 3), 0.1 * sqrt(2.0 / 3) * sin(2 * M_PI * k / 3), 0.1 / sqrt(3)}};
    for (int k = 0; k < 3; k++) {
        point a = e[k], b = e[(k + 1) % 3];
        quad(o, a, (point){{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2]}}, b);
    }
    mesh_close();
    g.x[1] = 0, g.x[2] = R * sqrt(3) - 1e-6;
    if (drop(&s, g, 0.3, 0, 1e-5)) {
        stage_advance(&s, 20000);
        stage_view(&s, "position", x, 3);
        CHECK_INT(stage_contacts(&s), 3);
        CHECK_NEAR((R * sqrt(3) - x[2]) / (weight / STIFFNESS), 1, 1e-6);
        stage_close(&s);
    }
}

// a flat hollow: one contact that turns from the one side to the other without a jump of energy,
// though the overlap is much deeper than the edge
static void test_hollow(void)
{
    int64_t seen;
    ridge(-0.02, 0.02, 3);
    grain g = {.x = {-0.01, 0.003, R}, .radius = R, .v = {0.4, 0, -0.3}};
    g.x[2] += 0.02 * 0.01;
    for (int friction = 0; friction < 2; friction++) {
        double coarse = worst_closure(g, 1, 0.5 * friction, 1e-5, 6000, 1, &seen);
        double fine = worst_closure(g, 1, 0.5 * friction, 5e-6, 12000, 1, &seen);
        printf("in a hollow: closure %.2g, %.2g at dt/2\n", coarse, fine);
        CHECK_INT(seen, 1);
        CHECK_NEAR(coarse, 0, 1e-3);
        CHECK(fine < 0.6 * coarse);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    stage_wait_passively(argv);
    test_plane(0, "improved");
    test_plane(0.2, "improved");
    test_plane(0, "standard");
    test_convex();
    test_tip();
    test_rest();
    test_hollow();
    remove(MESH);
    return check_done();
}
