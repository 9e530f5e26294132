/* What programs do to a simulation at work (scree/live.h): views, edits, forces from outside, calls of each step,
 * grains that come and go, walls, contacts, observers, checkpoints. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stage.h"

#define HEAD                                                                                                         \
    "scree: 1\ndomain: {box: [[-1, -1, -0.1], [1, 1, 1]]}\ngravity: %s\n"                                            \
    "materials: {m: {density: 2500, restitution: 0.5, friction: 0.4}}\ncontacts: {any: {stiffness: 1e4}}\n"          \
    "time: {end: 1, step: 1e-4}\nwalls: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: m}}\n" \
    "bodies: {all: {from: table, file: @, material: m}}\n%s"
#define NONE "[0, 0, 0]"
#define DOWN "[0, 0, -9.81]"

static const double R = 0.01;

static double mass_of(double radius)
{
    return 2500 * 4.0 / 3 * M_PI * radius * radius * radius;
}

static scree_view view_of(stage *s, const char *name)
{
    scree_view view = {0};
    CHECK_INT(scree_simulation_view_find(s->sim, name, &view, &s->report), SCREE_OK);
    return view;
}

static double *row_of(const scree_view *view, int64_t row)
{
    return (double *)((char *)view->data + row * view->stride);
}

static void advance(stage *s, int64_t steps)
{
    CHECK_INT(scree_simulation_advance(s->sim, steps, &s->report), SCREE_OK);
}

// so many grains in a column above the floor
static int column(grain *g, int n)
{
    for (int k = 0; k < n; k++)
        g[k] = (grain){.x = {0.0007 * (k % 3), 0.0005 * (k % 4), R * (1.5 + 2.1 * k)}, .radius = R};
    return n;
}

/* ---- views ---- */

static void test_views(void)
{
    grain g[8];
    stage s;
    if (!stage_open(&s, g, column(g, 8), HEAD, DOWN, "")) return;
    int count = scree_simulation_view_count(s.sim);
    CHECK(count >= 12);
    advance(&s, 500);
    scree_view id = view_of(&s, "id");
    CHECK_INT(id.type, SCREE_I64);
    CHECK_INT(id.flags, 0);
    for (int k = 0; k < count; k++) {
        scree_view v = scree_simulation_view(s.sim, k);
        double *copy = NULL;
        int64_t rows;
        int width;
        CHECK_INT(scree_simulation_read(s.sim, v.name, &copy, &rows, &width, &s.report), SCREE_OK);
        CHECK_INT(v.rows, rows);
        CHECK_INT(v.width, width);
        CHECK(v.doc && v.unit && v.data);
        if (v.type == SCREE_F64)
            for (int64_t i = 0; i < rows; i++) {
                int64_t place = ((int64_t *)id.data)[i] - 1; // ids are 1 to 8, and copies are in their order
                CHECK(!memcmp(row_of(&v, i), copy + place * width, (size_t)width * sizeof *copy));
            }
        free(copy);
    }
    scree_view none;
    CHECK_INT(scree_simulation_view_find(s.sim, "colour", &none, &s.report), SCREE_E_INPUT);
    CHECK_TEXT(s.report.messages[s.report.count - 1].text, "there is no view 'colour'");
    stage_close(&s);
}

/* ---- edits ---- */

// a velocity that is set goes on as a throw does, and what it brought is booked
static void test_throw(void)
{
    grain g[] = {{.x = {0, 0, 0.5}, .radius = R}};
    stage s;
    if (!stage_open(&s, g, 1, HEAD, DOWN, "")) return;
    advance(&s, 100);
    scree_energies before = scree_simulation_energies(s.sim);
    scree_view v = view_of(&s, "velocity"), x = view_of(&s, "position");
    CHECK_INT(v.flags, SCREE_VIEW_WRITABLE);
    double z = row_of(&x, 0)[2];
    CHECK_INT(scree_simulation_edit(s.sim, &s.report), SCREE_OK);
    row_of(&v, 0)[0] = 1, row_of(&v, 0)[2] = 2;
    advance(&s, 1000);
    x = view_of(&s, "position");
    CHECK_NEAR(row_of(&x, 0)[0], 0.1, 1e-14);                         // off by 3e-16
    CHECK_NEAR(row_of(&x, 0)[2], z + 0.2 - 0.5 * 9.81 * 0.01, 1e-13); // off by 3e-15
    scree_energies after = scree_simulation_energies(s.sim);
    double vz = -9.81 * 0.01, m = mass_of(R);
    CHECK_NEAR(after.inserted - before.inserted, 0.5 * m * (1 + 4 - vz * vz), 1e-14);
    CHECK_NEAR(after.closure, 0, 1e-13); // off by 4e-16
    stage_close(&s);
}

// contacts that still touch keep their springs through an edit: a block on a slope of friction does not slip
static void test_history(void)
{
    grain g[] = {{.x = {0, 0, R}, .radius = R}};
    for (int edit = 0; edit < 2; edit++) {
        stage s;
        if (!stage_open(&s, g, 1, HEAD, "[2, 0, -9.81]", "")) return;
        advance(&s, 3000);
        double force[2];
        for (int k = 0; k < 2; k++) {
            scree_view f = view_of(&s, "force");
            force[k] = row_of(&f, 0)[0];
            if (k == 0 && edit) CHECK_INT(scree_simulation_edit(s.sim, &s.report), SCREE_OK);
            if (k == 0 && edit) CHECK_INT(scree_simulation_renew(s.sim, &s.report), SCREE_OK);
        }
        CHECK(fabs(force[0]) > 0.1 * mass_of(R)); // friction is at work
        CHECK_NEAR(force[1], force[0], 1e-3 * fabs(force[0]));
        stage_close(&s);
    }
}

static void test_wrong_edits(void)
{
    grain g[8];
    stage s;
    if (!stage_open(&s, g, column(g, 8), HEAD, DOWN, "")) return;
    advance(&s, 10);
    const struct {
        const char *view, *text;
        double value;
    } wrong[] = {{"position", "position x is nan, must be finite", NAN},
                 {"position", "position x is 7, must be in the domain", 7},
                 {"radius", "radius is -1, must be above 0 and finite", -1},
                 {"mass", "mass is 0, must be above 0 and finite", 0},
                 {"velocity", "velocity is inf, must be finite", INFINITY}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        CHECK_INT(scree_simulation_edit(s.sim, &s.report), SCREE_OK);
        scree_view v = view_of(&s, wrong[k].view);
        double was = *row_of(&v, 3);
        *row_of(&v, 3) = wrong[k].value;
        CHECK_INT(scree_simulation_advance(s.sim, 1, &s.report), SCREE_E_INPUT);
        CHECK(strstr(s.report.messages[s.report.count - 1].text, wrong[k].text));
        *row_of(&v, 3) = was; // mended, it goes on
        advance(&s, 1);
    }
    stage_close(&s);
}

/* ---- forces from outside ---- */

static void test_push(void)
{
    grain g[] = {{.x = {0, 0, 0.5}, .radius = R, .id = 7}};
    stage s;
    if (!stage_open(&s, g, 1, HEAD, NONE, "")) return;
    const double force[3] = {1e-3, 0, 2e-3}, torque[3] = {0, 1e-6, 0};
    const int64_t id = 7, nobody = 8;
    CHECK_INT(scree_simulation_push(s.sim, &nobody, force, NULL, 1, &s.report), SCREE_E_INPUT);
    CHECK_INT(scree_simulation_push(s.sim, &id, force, torque, 1, &s.report), SCREE_OK);
    advance(&s, 1000);
    double m = mass_of(R), inertia = 0.4 * m * R * R, t = 0.1;
    scree_view x = view_of(&s, "position"), w = view_of(&s, "spin");
    // a constant force is exact in these steps
    CHECK_NEAR(row_of(&x, 0)[0], 0.5 * force[0] / m * t * t, 1e-14);       // off by 6e-17
    CHECK_NEAR(row_of(&x, 0)[2], 0.5 + 0.5 * force[2] / m * t * t, 1e-13); // off by 1e-15
    CHECK_NEAR(row_of(&w, 0)[1], torque[1] * t / inertia, 1e-12);          // off by 2e-14
    scree_energies e = scree_simulation_energies(s.sim);
    double v2 = (force[0] * force[0] + force[2] * force[2]) * t * t / m / m, w1 = torque[1] * t / inertia;
    CHECK_NEAR(e.load_work, 0.5 * m * v2 + 0.5 * inertia * w1 * w1, 1e-16); // off by 1e-18
    CHECK_NEAR(e.closure, 0, 1e-17);                                        // off by 2e-19
    // no more
    CHECK_INT(scree_simulation_push(s.sim, NULL, NULL, NULL, 0, &s.report), SCREE_OK);
    advance(&s, 100);
    CHECK_NEAR(scree_simulation_energies(s.sim).load_work, e.load_work, 0);
    stage_close(&s);
}

/* A spring between the grain and a point, from a call before each step: F = -k (x - x0), of second order. */
typedef struct {
    double k;
    int before, after, end;
} spring;

static scree_status pull(void *context, scree_simulation *sim, scree_report *report)
{
    spring *p = context;
    scree_view x;
    scree_status status = scree_simulation_view_find(sim, "position", &x, report);
    const double *at = x.data, force[3] = {-p->k * at[0], 0, 0};
    p->before++;
    return status ? status : scree_simulation_push_rows(sim, force, NULL, 1, report);
}

static scree_status look(void *context, scree_simulation *sim, scree_report *report)
{
    spring *p = context;
    (void)sim, (void)report;
    return ++p->after == p->end ? SCREE_E_INTERRUPT : SCREE_OK;
}

// error of the place after a period of so many steps of 1e-4 s, and a quarter, in parts of the amplitude; by calls of
// `stride` steps
static double oscillate(int steps, int stride)
{
    grain g[] = {{.x = {0.1, 0, 0.5}, .radius = R}};
    stage s;
    if (!stage_open(&s, g, 1, HEAD, NONE, "")) return NAN;
    double omega = 2 * M_PI / (1e-4 * steps);
    spring p = {.k = mass_of(R) * omega * omega};
    scree_simulation_on_step(s.sim, &(scree_step_calls){.push = pull, .context = &p});
    for (int k = 0; k < steps * 5 / 4; k += stride) advance(&s, stride);
    CHECK_INT(p.before, steps * 5 / 4 + 1);
    scree_view x = view_of(&s, "position");
    double off = row_of(&x, 0)[0] / 0.1;
    stage_close(&s);
    return off;
}

static void test_calls(void)
{
    // velocity-Verlet: the phase runs ahead by (omega dt)^2/24 of it, 2.5 pi: of second order
    double coarse = oscillate(200, 250), fine = oscillate(400, 500), phase = 2.5 * M_PI * 4 * M_PI * M_PI / 24;
    CHECK_NEAR(coarse, -phase / 200 / 200, 1e-6); // off by 8e-8
    CHECK_NEAR(coarse / fine, 4, 1e-2);           // off by 1e-3
    CHECK_NEAR(oscillate(200, 10), coarse, 0);    // however it is divided
    grain g[] = {{.x = {0.1, 0, 0.5}, .radius = R}};
    stage s;
    if (!stage_open(&s, g, 1, HEAD, NONE, "")) return;
    spring p = {.k = 1, .end = 17};
    scree_simulation_on_step(s.sim, &(scree_step_calls){.before = pull, .after = look, .context = &p});
    CHECK_INT(scree_simulation_advance(s.sim, 100, &s.report), SCREE_E_INTERRUPT);
    CHECK_INT(p.before, 17);
    CHECK_INT(p.after, 17);
    CHECK_INT(scree_simulation_stats(s.sim).step, 17);
    scree_simulation_on_step(s.sim, NULL);
    advance(&s, 3);
    CHECK_INT(p.before, 17);
    stage_close(&s);
}

// a grain that is pushed onto the floor rests where all forces balance; with implicit steps too
static void test_pushed_down(const char *stepper)
{
    grain g[] = {{.x = {0, 0, R}, .radius = R}};
    stage s;
    if (!stage_open(&s, g, 1, HEAD, DOWN, stepper)) return;
    double m = mass_of(R), force[3] = {0, 0, -3 * m * 9.81};
    CHECK_INT(scree_simulation_push_rows(s.sim, force, NULL, 1, &s.report), SCREE_OK);
    advance(&s, 10000);
    scree_wall floor = scree_simulation_wall(s.sim, scree_simulation_wall_find(s.sim, "floor"));
    scree_view v = view_of(&s, "velocity");
    CHECK_NEAR(floor.force[2], -4 * m * 9.81, 1e-10 * m * 9.81); // off by 1e-15 of it
    CHECK_NEAR(row_of(&v, 0)[2], 0, 6e-13);                      // off by 6e-15
    stage_close(&s);
}

/* Where contacts are solved for, forces act beside gravity: a thrown grain has after n steps of h the velocity n h F/m,
 * one on the floor that is pulled aside rolls with 5/7 F/m, or slides with F/m - mu g. */
static void test_pushed_solved(void)
{
    double m = mass_of(R), g0 = 9.81;
    const double pulls[] = {0.5, 4}, expected[] = {5.0 / 7 * 0.5 * g0, (4 - 0.4) * g0}; // friction 0.4
    grain g[] = {{.x = {0, 0, 0.5}, .radius = R}, {.x = {0.2, 0, R}, .radius = R}};
    for (int k = 0; k < 2; k++) {
        stage s;
        if (!stage_open(&s, g, 2, HEAD, DOWN, "stepper: nonsmooth\n")) return;
        const int64_t ids[] = {2, 1};
        const double force[] = {pulls[k] * m * g0, 0, 0, 0, 3 * m * g0, m * g0};
        CHECK_INT(scree_simulation_push(s.sim, ids, force, NULL, 2, &s.report), SCREE_OK);
        advance(&s, 1500); // rows are sorted on the way
        double v[2][3], f[2][3];
        scree_view id = view_of(&s, "id"), velocity = view_of(&s, "velocity"), load = view_of(&s, "force");
        for (int row = 0; row < 2; row++) {
            int64_t who = ((const int64_t *)id.data)[row] - 1;
            memcpy(v[who], row_of(&velocity, row), sizeof *v);
            memcpy(f[who], row_of(&load, row), sizeof *f);
        }
        double t = scree_simulation_clock(s.sim).time;
        CHECK_NEAR(v[0][1], 3 * g0 * t, 5e-12); // off by 9e-14
        CHECK_NEAR(v[0][2], 0, 5e-12);
        CHECK_NEAR(v[1][0] / (expected[k] * t), 1, 4e-5); // off by 4e-7 (creep of friction), 5e-9
        CHECK_NEAR(f[0][1], 0, 1e-11 * m * g0);           // forces of contacts alone; off by 1.4e-13 of it
        CHECK_NEAR(f[1][2], m * g0, 1e-9 * m * g0);
        scree_energies e = scree_simulation_energies(s.sim);
        CHECK(e.load_work > 0);
        CHECK_NEAR(e.closure / e.load_work, 0, 5e-8); // off by 5e-10, 3e-14
        stage_close(&s);
    }
}

/* ---- grains that come and go ---- */

static void test_insert(void)
{
    grain g[4];
    stage s;
    if (!stage_open(&s, g, column(g, 4), HEAD, DOWN, "")) return;
    advance(&s, 2000);
    scree_view old = view_of(&s, "position");
    uint64_t version = scree_simulation_row_version(s.sim);
    scree_grain *more = calloc(5000, sizeof *more);
    int64_t *ids = calloc(5000, sizeof *ids);
    for (int k = 0; k < 5000; k++)
        more[k] = (scree_grain){.position = {-0.9 + 0.02 * (k % 90), -0.9 + 0.02 * (k / 90), 0.5},
                                .radius = 0.5 * R,
                                .velocity = {0, 0, -1},
                                .density = NAN};
    double m = mass_of(0.5 * R);
    scree_energies before = scree_simulation_energies(s.sim);
    CHECK_INT(scree_simulation_insert(s.sim, more, 5000, ids, &s.report), SCREE_OK);
    scree_energies after = scree_simulation_energies(s.sim);
    CHECK_NEAR(after.inserted - before.inserted, 5000 * m * (0.5 + 9.81 * 0.5), 4e-10); // off by 4e-12
    CHECK_INT(ids[0], 5);
    CHECK_INT(ids[4999], 5004);
    CHECK(scree_simulation_row_version(s.sim) != version);
    CHECK_INT(scree_simulation_stats(s.sim).bodies, 5004);
    // a pointer from before can still be read
    double sum = 0;
    for (int64_t k = 0; k < old.rows; k++) sum += row_of(&old, k)[2];
    CHECK(isfinite(sum));
    advance(&s, 100);
    CHECK_NEAR(scree_simulation_energies(s.sim).closure, before.closure, 1e-5); // J, of 20 that are there
    // out again, from both ends of the table
    CHECK_INT(scree_simulation_remove(s.sim, ids, 5000, &s.report), SCREE_OK);
    CHECK_INT(scree_simulation_stats(s.sim).bodies, 4);
    int64_t first = 1;
    double closure = scree_simulation_energies(s.sim).closure;
    CHECK_INT(scree_simulation_remove(s.sim, &first, 1, &s.report), SCREE_OK); // the lowest, which has contacts
    CHECK_NEAR(scree_simulation_energies(s.sim).closure, closure, 1e-12);
    CHECK_INT(scree_simulation_remove(s.sim, &first, 1, &s.report), SCREE_E_INPUT);
    CHECK_TEXT(s.report.messages[s.report.count - 1].text, "there is no grain of id 1");
    advance(&s, 100);
    CHECK_INT(scree_simulation_stats(s.sim).bodies, 3);
    more[0].position[0] = 9;
    CHECK_INT(scree_simulation_insert(s.sim, more, 1, NULL, &s.report), SCREE_E_INPUT);
    CHECK_INT(scree_simulation_stats(s.sim).bodies, 3);
    free(more);
    free(ids);
    stage_close(&s);
}

/* ---- walls ---- */

static void test_walls(void)
{
    grain g[] = {{.x = {0, 0, R}, .radius = R}};
    stage s;
    if (!stage_open(&s, g, 1, HEAD, DOWN, "")) return;
    CHECK_INT(scree_simulation_wall_count(s.sim), 1);
    CHECK_INT(scree_simulation_wall_find(s.sim, "roof"), -1);
    advance(&s, 5000);
    const double up[3] = {0, 0, 0.25}, still[3] = {0, 0, 0};
    CHECK_INT(scree_simulation_wall_velocity(s.sim, 0, up, &s.report), SCREE_OK);
    advance(&s, 2000);
    scree_wall w = scree_simulation_wall(s.sim, 0);
    CHECK_TEXT(w.name, "floor");
    CHECK_TEXT(w.shape, "plane");
    CHECK_TEXT(w.material, "m");
    CHECK_NEAR(w.position[2], 0.05, 1e-14);
    CHECK_NEAR(w.velocity[2], 0.25, 0);
    CHECK_NEAR(w.force[2], -mass_of(R) * 9.81, 1e-4 * mass_of(R) * 9.81);
    CHECK_INT(scree_simulation_wall_velocity(s.sim, 0, still, &s.report), SCREE_OK);
    advance(&s, 100);
    CHECK_NEAR(scree_simulation_wall(s.sim, 0).position[2], 0.05, 1e-14);
    CHECK_INT(scree_simulation_wall_target(s.sim, 0, 1, &s.report), SCREE_E_INPUT);
    CHECK_INT(scree_simulation_wall_rate(s.sim, 0, 1, &s.report), SCREE_E_INPUT);
    CHECK_INT(scree_simulation_wall_velocity(s.sim, 3, still, &s.report), SCREE_E_INPUT);
    stage_close(&s);
}

/* ---- contacts and observers ---- */

static void test_contacts(void)
{
    grain g[] = {{.x = {0, 0, R}, .radius = R}, {.x = {0, 0, 3 * R}, .radius = R}};
    stage s;
    if (!stage_open(&s, g, 2, HEAD, DOWN, "observers: {force: {type: stress}}\n")) return;
    advance(&s, 20000);
    scree_contact *c;
    int64_t count;
    CHECK_INT(scree_simulation_contacts(s.sim, &c, &count, &s.report), SCREE_OK);
    CHECK_INT(count, 2);
    double weight = mass_of(R) * 9.81;
    if (count == 2) {
        CHECK_INT(c[0].first, 1);
        CHECK_INT(c[0].wall, 0);
        CHECK_INT(c[0].second, 0);
        CHECK_NEAR(c[0].force[2], 2 * weight, 1e-6 * weight);
        CHECK_INT(c[1].first, 1);
        CHECK_INT(c[1].second, 2);
        CHECK_INT(c[1].wall, -1);
        CHECK_NEAR(c[1].normal[2], -1, 1e-12); // from the second, above, to the first
        CHECK_NEAR(c[1].force[2], -weight, 1e-6 * weight);
        CHECK_NEAR(c[1].overlap, weight / 1e4, 1e-6 * weight / 1e4);
    }
    free(c);

    const char *type;
    CHECK_TEXT(scree_simulation_observer(s.sim, 0, &type), "force");
    CHECK_TEXT(type, "stress");
    bool ledger = false;
    for (int k = 0; scree_simulation_observer(s.sim, k, &type); k++) ledger |= !strcmp(type, "ledger");
    CHECK(ledger);
    scree_column *columns;
    int n;
    CHECK_INT(scree_simulation_columns(s.sim, "ledger", &columns, &n, &s.report), SCREE_OK);
    CHECK_TEXT(columns[0].name, "time");
    CHECK_TEXT(columns[0].unit, "s");
    free(columns);
    double *value;
    CHECK_INT(scree_simulation_observe(s.sim, "ledger", "gravity", &value, &n, &s.report), SCREE_OK);
    CHECK_NEAR(value[0], scree_simulation_energies(s.sim).gravity, 0);
    free(value);
    CHECK_INT(scree_simulation_observe(s.sim, "nothing", "gravity", &value, &n, &s.report), SCREE_E_INPUT);
    stage_close(&s);

    // nobody asked for them
    if (!stage_open(&s, g, 2, HEAD, DOWN, "")) return;
    CHECK_INT(scree_simulation_contacts(s.sim, &c, &count, &s.report), SCREE_E_INPUT);
    stage_close(&s);
}

/* ---- the same bits ---- */

// what programs do, for any number of threads
static uint64_t busy(int threads)
{
    const char *text =
        "scree: 1\ndomain: {box: [[0, 0, 0], [0.2, 0.2, 0.4]], periodic: [x, y]}\ngravity: [0, 0, -9.81]\n"
        "materials: {m: {density: 2500, restitution: 0.5, friction: 0.4}}\n"
        "contacts: {any: {stiffness: 1e4}}\n"
        "walls: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: m}}\n"
        "bodies: {heap: {from: lattice, material: m, radius: 0.005, region: {shape: box, box: [[0, 0, "
        "0], [0.2, 0.2, 0.06]]}}}\ntime: {end: 1}\n";
    scree_report report;
    scree_report_init(&report);
    scree_scene *scene = NULL;
    scree_simulation *sim = NULL;
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true, def.threads = threads, def.contacts = true;
    CHECK_INT(scree_scene_parse(text, "busy.yaml", NULL, 0, &scene, &report), SCREE_OK);
    if (scene) CHECK_INT(scree_simulation_create(scene, &def, &sim, &report), SCREE_OK);
    uint64_t digest = 0;
    for (int k = 0; sim && k < 4; k++) {
        CHECK_INT(scree_simulation_advance(sim, 300, &report), SCREE_OK);
        scree_view v, id;
        CHECK_INT(scree_simulation_view_find(sim, "id", &id, &report), SCREE_OK);
        double *force = calloc((size_t)id.rows * 3, sizeof *force);
        for (int64_t i = 0; i < id.rows; i++) force[3 * i] = 1e-3 * (double)(((int64_t *)id.data)[i] % 7);
        CHECK_INT(scree_simulation_push_rows(sim, force, NULL, id.rows, &report), SCREE_OK);
        CHECK_INT(scree_simulation_advance(sim, 20, &report), SCREE_OK);
        CHECK_INT(scree_simulation_push(sim, NULL, NULL, NULL, 0, &report), SCREE_OK);
        CHECK_INT(scree_simulation_edit(sim, &report), SCREE_OK);
        CHECK_INT(scree_simulation_view_find(sim, "velocity", &v, &report), SCREE_OK);
        for (int64_t i = 0; i < v.rows; i++) row_of(&v, i)[1] += 0.01;
        int64_t gone[] = {10 + k, 500 + k};
        CHECK_INT(scree_simulation_remove(sim, gone, 2, &report), SCREE_OK);
        free(force);
    }
    if (sim) CHECK_INT(scree_simulation_advance(sim, 300, &report), SCREE_OK);
    if (sim) digest = scree_simulation_digest(sim, &report);
    scree_report_print(&report, stdout);
    scree_simulation_destroy(sim);
    scree_scene_close(scene);
    scree_report_deinit(&report);
    return digest;
}

static void test_threads(void)
{
    uint64_t one = busy(1);
    CHECK(one != 0);
    CHECK(busy(3) == one);
}

// written and resumed it goes on as if nothing had been
static void test_write(void)
{
    grain g[8];
    stage s;
    char path[64];
    snprintf(path, sizeof path, "live-%d.h5", (int)getpid());
    if (!stage_open(&s, g, column(g, 8), HEAD, DOWN, "")) return;
    advance(&s, 700);
    CHECK_INT(scree_simulation_write(s.sim, path, false, &s.report), SCREE_OK);
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true, def.resume = path;
    scree_simulation *again = NULL;
    CHECK_INT(scree_simulation_create(s.scene, &def, &again, &s.report), SCREE_OK);
    advance(&s, 300);
    if (again) CHECK_INT(scree_simulation_advance(again, 300, &s.report), SCREE_OK);
    if (again) CHECK(scree_simulation_digest(again, &s.report) == scree_simulation_digest(s.sim, &s.report));
    scree_simulation_destroy(again);

    // the reader sees the state
    scree_results *r = NULL;
    CHECK_INT(scree_results_open(path, &r, &s.report), SCREE_OK);
    if (r) {
        scree_results_facts f = scree_results_describe(r);
        CHECK_INT(f.frames, 1);
        CHECK_INT(f.walls, 1);
        CHECK(!f.live && strstr(f.scene, "scree: 1"));
        CHECK_TEXT(scree_results_wall(r, 0), "floor");
        CHECK_TEXT(scree_results_group(r, 0), "all");
        CHECK_INT(scree_results_frame(r, 0).step, 700);
        bool position = false;
        for (int k = 0; scree_results_view_name(r, 0, k); k++)
            position |= !strcmp(scree_results_view_name(r, 0, k), "position");
        CHECK(position);
        double *data;
        int64_t rows;
        int width;
        CHECK_INT(scree_results_read(r, 0, "position", &data, &rows, &width, &s.report), SCREE_OK);
        CHECK(rows == 8 && width == 3);
        free(data);
        CHECK_TEXT(scree_results_unit(r, 0, "position"), "m");
        CHECK_INT(scree_results_read(r, 1, "position", &data, &rows, &width, &s.report), SCREE_E_INPUT);
        CHECK(f.series >= 1);
        scree_series series = scree_results_series(r, 0);
        CHECK_TEXT(series.columns[0], "time");
        CHECK_INT(series.rows, 1);
        CHECK_INT(scree_results_series_read(r, 0, 0, &data, &s.report), SCREE_OK);
        CHECK_NEAR(data[0], 0.07, 1e-15);
        free(data);
    }
    scree_results_close(r);
    char command[160];
    snprintf(command, sizeof command, "rm -rf '%s' '%s.data'", path, path);
    CHECK_INT(system(command), 0);
    stage_close(&s);
}

static void test_until(void)
{
    grain g[] = {{.x = {0, 0, 0.5}, .radius = R}};
    stage s;
    if (!stage_open(&s, g, 1, HEAD, DOWN, "")) return;
    CHECK_INT(scree_simulation_steps_until(s.sim, 0.05), 500);
    CHECK_INT(scree_simulation_advance_until(s.sim, 0.05, &s.report), SCREE_OK);
    CHECK_INT(scree_simulation_stats(s.sim).step, 500);
    CHECK_INT(scree_simulation_advance_until(s.sim, 0.05, &s.report), SCREE_OK);
    CHECK_INT(scree_simulation_advance_until(s.sim, 0.01, &s.report), SCREE_OK);
    CHECK_INT(scree_simulation_stats(s.sim).step, 500);
    CHECK_INT(scree_simulation_advance_until(s.sim, 0.05001, &s.report), SCREE_OK);
    CHECK_INT(scree_simulation_stats(s.sim).step, 501);
    CHECK_INT(scree_simulation_advance_until(s.sim, NAN, &s.report), SCREE_E_INPUT);
    stage_close(&s);
}

// where grains may be part of aggregates nobody writes
static void test_refused(void)
{
    grain g[] = {{.x = {0, 0, R}, .radius = R}};
    stage s;
    if (!stage_open(&s, g, 1, HEAD, DOWN, "stepper: {type: nonsmooth, reduction: on}\n")) return;
    CHECK_INT(scree_simulation_edit(s.sim, &s.report), SCREE_E_INPUT);
    stage_close(&s);
    // without them it can be thrown
    if (!stage_open(&s, g, 1, HEAD, DOWN, "stepper: nonsmooth\n")) return;
    advance(&s, 100);
    CHECK_INT(scree_simulation_edit(s.sim, &s.report), SCREE_OK);
    scree_view v = view_of(&s, "velocity");
    row_of(&v, 0)[2] = 1;
    advance(&s, 100);
    v = view_of(&s, "velocity");
    CHECK_NEAR(row_of(&v, 0)[2], 1 - 9.81 * 0.01, 1e-12);
    stage_close(&s);
}

int main(int argc, char **argv)
{
    (void)argc;
    stage_wait_passively(argv);
    test_views();
    test_throw();
    test_history();
    test_wrong_edits();
    test_push();
    test_calls();
    test_pushed_down("");
    test_pushed_down("stepper: variational\n");
    test_pushed_down("stepper: nonsmooth\n");
    test_pushed_solved();
    test_insert();
    test_walls();
    test_contacts();
    test_threads();
    test_write();
    test_until();
    test_refused();
    return check_done();
}
