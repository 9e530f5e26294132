/* Observers of moving grains against closed forms: stress and contacts of a compressed lattice, weight on a floor,
 * energy lost in contacts, grains counted through planes. */
#include "base/memory.h"
#include "run/simulation.h"
#include "stage.h"
#include "step/equilibrium/rattlers.h"

static double observe(stage *s, const char *observer, const char *column)
{
    double *values = NULL, value = NAN;
    int count = 0;
    scree_status status = scree_simulation_observe(s->sim, observer, column, &values, &count, &s->report);
    CHECK_INT(status, SCREE_OK);
    if (status) scree_report_print(&s->report, stdout);
    if (!status) value = values[0];
    free(values);
    return value;
}

/* ---- a lattice under uniform compression ---- */

// n^3 grains, periodic, overlap delta everywhere: kn delta / a^2 on every face, six contacts each
static void test_lattice(void)
{
    enum { N = 4 };
    grain g[N * N * N];
    double r = 0.01, kn = 1e5, delta = 1e-5, a = 2 * r - delta;
    for (int k = 0; k < N * N * N; k++)
        g[k] = (grain){.x = {(k % N + 0.5) * a, (k / N % N + 0.5) * a, (k / N / N + 0.5) * a}, .radius = r};
    stage s;
    if (!stage_open(&s, g, N * N * N,
                    "scree: 1\ngravity: [0, 0, 0]\n"
                    "domain: {box: [[0, 0, 0], [%.17g, %.17g, %.17g]], periodic: [x, y, z]}\n"
                    "materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}\n"
                    "contacts: {any: {stiffness: %g}}\n"
                    "bodies: {all: {from: table, file: @, material: glass}}\ntime: {end: 1}\n"
                    "observers: {s: {type: stress}, z: {type: coordination},\n"
                    "  p: {type: profile, axis: x, bins: 3, stress: true}}\n",
                    N * a, N * a, N * a, kn))
        return;
    double want = kn * delta / (a * a);
    for (int round = 0; round < 2; round++) {
        // at the start, and after some steps: nothing moves
        CHECK_NEAR(observe(&s, "s", "xx") / want, 1, 1e-10); // off by 2e-13
        CHECK_NEAR(observe(&s, "s", "yy") / want, 1, 1e-10);
        CHECK_NEAR(observe(&s, "s", "pressure") / want, 1, 1e-10);
        CHECK_NEAR(observe(&s, "s", "xy") / want, 0, 1e-10);
        CHECK_NEAR(observe(&s, "p", "stress_xx") / want, 1, 1e-10);
        CHECK_NEAR(observe(&s, "z", "mean"), 6, 0);
        stage_advance(&s, 50);
    }
    // solid fraction of the first of three bins: a layer of spheres and a cap of the next
    double high = r - a / 6, cap = M_PI * high * high * (3 * r - high) / 3;
    CHECK_NEAR(observe(&s, "p", "solid_fraction"), (4.0 / 3 * M_PI * r * r * r + cap) / (4.0 / 3 * a * a * a), 1e-10);
    CHECK(scree_simulation_observe(s.sim, "nobody", "xx", &(double *){0}, &(int){0}, &s.report) == SCREE_E_INPUT);
    CHECK(scree_simulation_observe(s.sim, "s", "nothing", &(double *){0}, &(int){0}, &s.report) == SCREE_E_INPUT);
    stage_close(&s);
}

/* ---- weight ---- */

// a small bed on a floor: when it has come to rest the floor carries its weight, and the stress in the bed grows
// with depth accordingly
static void test_weight(void)
{
    grain g[27];
    double r = 0.005, mass = 0;
    for (int k = 0; k < 27; k++) {
        g[k] = (grain){.x = {0.005 + 0.0101 * (k % 3), 0.005 + 0.0101 * (k / 3 % 3), 0.00501 + 0.0102 * (k / 9)},
                       .radius = r};
        mass += 2500 * 4.0 / 3 * M_PI * r * r * r;
    }
    stage s;
    if (!stage_open(&s, g, 27,
                    "scree: 1\ndomain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}\n"
                    "materials: {glass: {density: 2500, restitution: 0.2, friction: 0.5}}\n"
                    "contacts: {any: {stiffness: 1e4}}\n"
                    "walls: {floor: {shape: plane, material: glass}}\n"
                    "bodies: {all: {from: table, file: @, material: glass}}\ntime: {end: 1}\n"
                    "observers: {one: {type: walls, wall: floor}, all: {type: walls},\n"
                    "  s: {type: profile, bins: 1, stress: true, to: 5 mm}}\n"))
        return;
    stage_advance(&s, 40000);
    double weight = 9.81 * mass;
    CHECK_NEAR(observe(&s, "one", "fz") / -weight, 1, 1e-6); // off by 1e-9
    CHECK_NEAR(observe(&s, "one", "fx") / weight, 0, 1e-6);
    CHECK_NEAR(observe(&s, "all", "floor.fz") / -weight, 1, 1e-6);
    // columns upright: the lowest half radius is crossed by all branches to the floor
    CHECK_NEAR(observe(&s, "s", "stress_zz") * 0.01 / weight, 1, 1e-3);
    stage_close(&s);
}

/* ---- energy lost in contacts ---- */

static double spent(const stage *s, size_t *count)
{
    scree_report report;
    scr_contact_row *rows = NULL;
    double sum = 0;
    scree_report_init(&report);
    CHECK_INT(s->sim->step.stepper->contacts(&s->sim->step, &rows, count, &report), SCREE_OK);
    for (size_t k = 0; k < *count; k++) sum += rows[k].spent;
    scr_memory_free(rows);
    scree_report_deinit(&report);
    return sum;
}

// while no contact has ended, what the contacts lost is what the ledger says
static void test_spent(void)
{
    enum { N = 9 };
    grain g[N] = {{.x = {0.02, 0.02, 0.01}, .radius = 0.01, .v = {0.3, 0, -0.1}},
                  {.x = {0.02, 0.04, 0.011}, .radius = 0.01, .w = {0, 50, 20}},
                  {.x = {0.0373, 0.03, 0.011}, .radius = 0.01, .v = {-1, 0, 0}},
                  {.x = {0.08, 0.02, 0.01}, .radius = 0.01, .v = {0.2, 0, -0.1}},
                  {.x = {0.08, 0.08, 0.01}, .radius = 0.01, .v = {0.1, 0.4, -0.1}},
                  {.x = {0.03, 0.05, 0.06}, .radius = 0.01, .v = {0.1, 0, 0}},
                  {.x = {0.0499, 0.05, 0.06}, .radius = 0.01},
                  {.x = {0.03, 0.08, 0.06}, .radius = 0.01, .v = {0.1, 0.1, 0}},
                  {.x = {0.0499, 0.08, 0.06}, .radius = 0.01}};
    stage s;
    // the first and two others touch the floor, the third meets the first and the second; two pairs touch from the
    // beginning
    if (!stage_open(&s, g, N,
                    "scree: 1\ndomain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}\n"
                    "materials: {glass: {density: 2500, restitution: 0.4, friction: 0.3}}\n"
                    "contacts: {any: {stiffness: 1e5}}\n"
                    "walls: {floor: {shape: plane, material: glass}}\n"
                    "bodies: {all: {from: table, file: @, material: glass}}\ntime: {end: 1}\n"
                    "output: {contacts: true}\n"))
        return;
    int looked = 0;
    size_t most = 0, count;
    CHECK_NEAR(spent(&s, &count), 0, 1e-18);
    CHECK(count >= 2);
    for (int k = 0; k < 40; k++) {
        stage_advance(&s, 1);
        double sum = spent(&s, &count);
        if (count < most) break;
        most = count;
        scree_energies e = scree_simulation_energies(s.sim);
        double lost = e.damping + e.friction + e.rolling;
        if (lost > 1e-6) looked++;
        CHECK_NEAR(sum, lost, 1e-12 * (1e-3 + lost));
    }
    CHECK(looked > 20 && most == 7);
    // another run that begins with these contacts has books of its own
    scr_step *step = &s.sim->step;
    CHECK_INT(step->stepper->save(step, &s.report), SCREE_OK);
    step->stepper->close(step);
    CHECK_INT(step->stepper->open(step, false, &s.report), SCREE_OK);
    CHECK_NEAR(spent(&s, &count), 0, 1e-18);
    CHECK(count > 2);
    stage_close(&s);
}

// three that touch each other, one that hangs on them by one contact, one on that, and one alone
static void test_rattlers(void)
{
    const double r = 0.01, d = 1.99 * r;
    grain g[6] = {{.x = {0.03, 0.03, 0.05}},
                  {.x = {0.03 + d, 0.03, 0.05}},
                  {.x = {0.03 + 0.5 * d, 0.03 + 0.8660254 * d, 0.05}},
                  {.x = {0.03, 0.03, 0.05 + d}},
                  {.x = {0.03, 0.03, 0.05 - d}},
                  {.x = {0.08, 0.08, 0.05}}};
    for (int k = 0; k < 6; k++) g[k].radius = r;
    stage s;
    if (!stage_open(&s, g, 6,
                    "scree: 1\ngravity: [0, 0, 0]\n"
                    "domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}\n"
                    "materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}\n"
                    "contacts: {any: {stiffness: 1e4}}\n"
                    "bodies: {all: {from: table, file: @, material: glass}}\ntime: {end: 1}\n"))
        return;
    const scr_world *w = &s.sim->world;
    double z[6];
    scr_rattlers found = scr_rattlers_find(w, &s.sim->step.pairs, NULL, 0, z);
    CHECK_INT(found.least, 2);
    CHECK_INT(found.free, 6);
    CHECK_INT(found.carried, 3);
    CHECK_NEAR(found.mean, 2, 0);
    for (size_t i = 0; i < 6; i++) CHECK_NEAR(z[i], w->bodies.id[i] <= 3 ? 2 : -1, 0);
    stage_close(&s);
}

// where contacts are and how deep, of grains of many sizes across periodic sides and on a floor
static void test_rows(void)
{
    enum { N = 24 };
    grain g[N];
    double length = 0.07;
    for (int k = 0; k < N; k++)
        g[k] = (grain){.x = {0.0023 + 0.0058 * (k % 12), 0.01 + 0.0058 * (k / 12), 0.0029 + 0.0003 * (k % 5)},
                       .radius = 0.003 + 0.0001 * (k * 7 % 5)};
    stage s;
    if (!stage_open(&s, g, N,
                    "scree: 1\ngravity: [0, 0, 0]\n"
                    "domain: {box: [[0, 0, 0], [%g, 0.1, 0.1]], periodic: [x]}\n"
                    "materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}\n"
                    "contacts: {any: {stiffness: 1e4}}\n"
                    "walls: {floor: {shape: plane, material: glass}}\n"
                    "bodies: {all: {from: table, file: @, material: glass}}\ntime: {end: 1}\n"
                    "output: {contacts: true}\n",
                    length))
        return;
    scr_contact_row *rows = NULL;
    size_t count = 0, want = 0;
    CHECK_INT(s.sim->step.stepper->contacts(&s.sim->step, &rows, &count, &s.report), SCREE_OK);
    const scr_bodies *b = &s.sim->world.bodies;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++) { // itself: the floor
            const double *x = b->place + 4 * i, *y = b->place + 4 * j;
            vec3 d = v3_sub(v3_load(x), v3_load(y));
            d.x -= length * rint(d.x / length);
            if (i == j) d = v3(0, 0, x[2]);
            want += x[3] + (i == j ? 0 : y[3]) > v3_norm(d);
        }
    CHECK_INT(count, want);
    for (size_t k = 0; k < count; k++) {
        const scr_contact_row *row = &rows[k];
        const double *x = b->place + 4 * row->body[0];
        vec3 d = v3(0, 0, x[2]);
        double reach = x[3];
        if (row->body[1] >= 0) {
            const double *y = b->place + 4 * row->body[1];
            d = v3_sub(v3_load(x), v3_load(y));
            d.x -= length * rint(d.x / length);
            reach += y[3];
            CHECK_NEAR(v3_norm(v3_sub(row->branch, d)), 0, 1e-16);
        }
        CHECK_NEAR(row->overlap, reach - v3_norm(d), 1e-16);
        CHECK_NEAR(v3_norm(v3_sub(row->normal, v3_unit(d))), 0, 1e-13);
        vec3 point = v3_axpy(v3_load(x), 0.5 * row->overlap - x[3], row->normal);
        CHECK_NEAR(v3_norm(v3_sub(row->point, point)), 0, 1e-16);
    }
    scr_memory_free(rows);
    stage_close(&s);
}

/* ---- flow ---- */

// grains that fall apart through planes, with what passes known from where they are
static void test_flow(void)
{
    enum { N = 40 };
    grain g[N];
    for (int k = 0; k < N; k++)
        g[k] = (grain){.x = {0.05 + 0.0012 * k, 0.05, 0.2 + 0.01 * (k % 10)},
                       .radius = 0.0005 + 1e-6 * k,
                       .v = {0, 0, k % 3 ? -1 : 1}};
    stage s;
    // periodic along z: the flow through any plane is the same as grains go round and round
    if (!stage_open(&s, g, N,
                    "scree: 1\ngravity: [0, 0, 0]\n"
                    "domain: {box: [[0, 0, 0], [0.2, 0.1, 0.3]], periodic: [z]}\n"
                    "materials: {glass: {density: 2500, restitution: 0.9, friction: 0}}\n"
                    "contacts: {any: {stiffness: 100}}\n"
                    "bodies: {all: {from: table, file: @, material: glass}}\ntime: {end: 10, step: 1e-4}\n"
                    "observers: {up: {type: flow, point: [0, 0, 0.1]}, edge: {type: flow, point: [0, 0, "
                    "0]},\n"
                    "  down: {type: flow, point: [0, 0, 0.1], normal: [0, 0, -2]},\n"
                    "  side: {type: flow, point: [0.0763, 0, 0], normal: [1, 0, 0]}}\n"))
        return;
    double along = 0, against = 0, mass[2] = {0, 0};
    stage_advance(&s, 12345);
    for (int k = 0; k < N; k++) {
        // planes z = 0.1 + 0.3 n between the start and the end
        double z0 = g[k].x[2], z1 = z0 + 1.2345 * g[k].v[2];
        double planes = floor((z1 - 0.1) / 0.3) - floor((z0 - 0.1) / 0.3);
        double m = 2500 * 4.0 / 3 * M_PI * pow(g[k].radius, 3);
        if (planes > 0) along += planes, mass[0] += planes * m;
        if (planes < 0) against -= planes, mass[1] -= planes * m;
    }
    CHECK(along > 20 && against > 40);
    CHECK_NEAR(observe(&s, "up", "count_along"), along, 0);
    CHECK_NEAR(observe(&s, "up", "count_against"), against, 0);
    CHECK_NEAR(observe(&s, "up", "mass_along") / mass[0], 1, 1e-13);
    CHECK_NEAR(observe(&s, "up", "mass_against") / mass[1], 1, 1e-13);
    CHECK_NEAR(observe(&s, "up", "count"), along - against, 0);
    CHECK_NEAR(observe(&s, "up", "count_rate"), (along - against) / 1.2345, 1e-9);
    CHECK_NEAR(observe(&s, "down", "count_along"), against, 0);
    CHECK_NEAR(observe(&s, "down", "count_against"), along, 0);
    CHECK_NEAR(observe(&s, "side", "count_along") + observe(&s, "side", "count_against"), 0, 0);
    // each grain goes round by 1.2345/0.3 = 4.115 lengths: 4 or 5 passages of any plane
    double edge = observe(&s, "edge", "count_along") + observe(&s, "edge", "count_against");
    CHECK(edge >= 4 * N && edge <= 5 * N);
    stage_close(&s);
}

// grains that leave through an open side pass a plane on that very side before they are removed
static void test_outflow(void)
{
    enum { N = 30 };
    grain g[N];
    for (int k = 0; k < N; k++) g[k] = (grain){.x = {0.02 + 0.002 * k, 0.05, 0.002 + 0.003 * k}, .radius = 0.0008};
    stage s;
    if (!stage_open(&s, g, N,
                    "scree: 1\ndomain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]], boundary: delete}\n"
                    "materials: {glass: {density: 2500, restitution: 0.9, friction: 0}}\n"
                    "contacts: {any: {stiffness: 100}}\n"
                    "bodies: {all: {from: table, file: @, material: glass}}\ntime: {end: 10, step: 1e-4}\n"
                    "observers: {out: {type: flow, point: [0, 0, 0], normal: [0, 0, -1], bins: [4, 2, 1], "
                    "box: [[0.029, 0, 0], [0.069, 0.06, 0.1]]},\n"
                    "  high: {type: flow, point: [0, 0, 0.05]}}\n"))
        return;
    for (int k = 0; k < 1600; k++) {
        stage_advance(&s, 1);
        int64_t left = scree_simulation_stats(s.sim).bodies;
        // a grain may be outside for a moment before that is noticed
        CHECK(observe(&s, "out", "count") >= (double)(N - left));
        if (!left) break;
    }
    CHECK_INT(scree_simulation_stats(s.sim).bodies, 0);
    CHECK_NEAR(observe(&s, "out", "count"), N, 0);
    CHECK_NEAR(observe(&s, "out", "count_against"), 0, 0);
    // where they passed: x is even over 30 places, 2 mm apart
    CHECK_NEAR(observe(&s, "out", "x"), 0.049, 1e-12);
    CHECK_NEAR(observe(&s, "out", "y"), 0.05, 1e-12);
    CHECK_NEAR(observe(&s, "out", "spread_x"), 0.002 * sqrt((N * N - 1) / 12.0), 1e-9);
    CHECK_NEAR(observe(&s, "out", "spread_y"), 0, 1e-9);
    CHECK(isnan(observe(&s, "high", "x"))); // none along its normal
    // five in each bin of 1 cm, x fastest, all in the upper half of the box; those beside it in none
    double *passed = NULL;
    int bins = 0;
    CHECK_INT(scree_simulation_observe(s.sim, "out", "passed", &passed, &bins, &s.report), SCREE_OK);
    CHECK_INT(bins, 8);
    for (int bin = 0; bin < bins; bin++) CHECK_NEAR(passed[bin], bin < 4 ? 0 : 5, 0);
    free(passed);
    int above = 0;
    for (int k = 0; k < N; k++) above += g[k].x[2] >= 0.05;
    CHECK_NEAR(observe(&s, "high", "count_against"), above, 0);
    stage_close(&s);
}

int main(void)
{
    test_lattice();
    test_weight();
    test_spent();
    test_rattlers();
    test_rows();
    test_flow();
    test_outflow();
    return check_done();
}
