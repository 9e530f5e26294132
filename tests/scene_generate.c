/* Generators: closed-form counts and distances of lattices, no overlap by brute force, files good
 * and bad. */
#include "scene/generate.h"

#include <unistd.h>

#include "base/digest.h"
#include "base/os.h"
#include "base/random.h"
#include "scene_fake.h"

#define PI 3.14159265358979323846

#define HEAD(box, periodic)                            \
    "scree: 1\n"                                       \
    "domain: {box: " box ", periodic: " periodic "}\n" \
    "materials: {m: {density: 1000}}\n"                \
    "time: {end: 1}\n"                                 \
    "bodies:\n"

typedef struct {
    scree_report report;
    scr_scene *scene;
    scr_grains grains;
    scree_status status;
    size_t last; /* first grain of the last group */
} made;

// all groups of a scene
static made make(const char *text)
{
    made m = {.status = SCREE_OK};
    m.scene = fake_read(text, &m.report);
    if (!m.scene) {
        scree_report_print(&m.report, stdout);
        m.status = SCREE_E_INPUT;
        return m;
    }
    const scr_items *bodies = scr_scene_items(m.scene, "bodies");
    for (int k = 0; k < bodies->count && !m.status; k++) {
        m.last = m.grains.count;
        m.status = scr_grains_generate(m.scene, &bodies->items[k], &m.grains, &m.report);
    }
    return m;
}

static void unmake(made *m)
{
    scr_grains_deinit(&m->grains);
    scr_scene_destroy(m->scene);
    scree_report_deinit(&m->report);
}

// the least gap between surfaces, over all pairs and periodic images
static double least_gap(const made *m)
{
    const scr_domain_def *domain = scr_scene_def(m->scene, "domain");
    vec3 size = v3_sub(domain->box[1], domain->box[0]);
    double least = INFINITY;
    for (size_t i = 0; i < m->grains.count; i++)
        for (size_t j = 0; j < i; j++) {
            const scr_grain *a = &m->grains.items[i], *b = &m->grains.items[j];
            vec3 d = v3_sub(a->position, b->position);
            for (int k = 0; k < 3; k++)
                if (domain->periodic[k]) (&d.x)[k] -= (&size.x)[k] * round((&d.x)[k] / (&size.x)[k]);
            least = check_lesser(least, v3_norm(d) - a->radius - b->radius);
        }
    return least;
}

// ---- lattices ----

// number of neighbours at the nearest distance of the grain with most of them
static int coordination(const scr_grains *grains, double distance)
{
    int most = 0;
    for (size_t i = 0; i < grains->count; i++) {
        int count = 0;
        for (size_t j = 0; j < grains->count; j++) {
            vec3 d = v3_sub(grains->items[i].position, grains->items[j].position);
            count += i != j && fabs(v3_norm(d) - distance) < 1e-9;
        }
        if (count > most) most = count;
    }
    return most;
}

static void test_sc(void)
{
    made m = make(HEAD("[[0, 0, 0], [10, 10, 10]]", "none") "  a: {from: lattice, material: m, diameter: 1}\n");
    CHECK_INT(m.grains.count, 1000);
    CHECK_INT(coordination(&m.grains, 1), 6);
    CHECK(m.grains.items[0].position.x == 0.5 && isnan(m.grains.items[0].density));
    CHECK_NEAR(least_gap(&m), 0, 1e-14);
    unmake(&m);
}

// a cube of n cells of edge a holds (n + 1)^3 corners and 3 n^2 (n + 1) face centres
static void test_fcc(void)
{
    made m = make(HEAD("[[0, 0, 0], [20, 20, 20]]",
                       "none") "  a: {from: lattice, kind: fcc, material: m, radius: 0.25, spacing: 1,\n"
                               "      region: {box: [[1, 1, 1], [5.743, 5.743, 5.743]]}}\n");
    const int n = 3; /* 3 sqrt(2) + 0.5 = 4.7426 */
    CHECK_INT(m.grains.count, (n + 1) * (n + 1) * (n + 1) + 3 * n * n * (n + 1));
    CHECK_INT(coordination(&m.grains, 1), 12);
    CHECK_NEAR(least_gap(&m), 0.5, 1e-14);
    unmake(&m);
}

static void test_hcp(void)
{
    made m = make(HEAD("[[0, 0, 0], [8, 8, 8]]", "none") "  a: {from: lattice, kind: hcp, material: m, diameter: 1}\n");
    // rows of 8 or 7 by turns; 9 layers of 9 or 8 rows (rows sqrt(3)/2 apart, layers sqrt(2/3))
    int count = 0;
    for (int k = 0; k <= (int)(7 / sqrt(2.0 / 3)); k++)
        for (int j = 0; (j + (k % 2) / 3.0) * sqrt(0.75) <= 7; j++) count += 8 - (j + k) % 2;
    CHECK_INT(m.grains.count, count);
    CHECK_INT(coordination(&m.grains, 1), 12);
    CHECK_NEAR(least_gap(&m), 0, 1e-14);
    unmake(&m);
}

static void test_lattice_options(void)
{
    made m =
        make(HEAD("[[0, 0, 0], [10, 10, 10]]", "none") "  a: {from: lattice, material: m, diameter: [0.5, 1], spacing: "
                                                       "1.25, jitter: 1, count: 150}\n");
    CHECK_INT(m.grains.count, 150);
    CHECK(least_gap(&m) > 0);
    // 8 by 8 in a layer: 150 fill two and begin the third
    double top = 0;
    int moved = 0;
    for (size_t k = 0; k < m.grains.count; k++) {
        double x = m.grains.items[k].position.x;
        top = check_worse(top, m.grains.items[k].position.z);
        moved += fabs((x - 0.5) / 1.25 - round((x - 0.5) / 1.25)) > 1e-6;
    }
    CHECK(top < 0.5 + 2 * 1.25 + 0.125 && top > 0.5 + 2 * 1.25 - 0.125);
    CHECK(moved > 140);
    unmake(&m);
    // whole spheres inside: those of a sphere of radius 2 on a unit lattice from its lower corner
    m = make(
        HEAD("[[0, 0, 0], [10, 10, 10]]", "none") "  a: {from: lattice, material: m, diameter: 1,\n"
                                                  "      region: {shape: sphere, center: [2, 2, 2], radius: 2}}\n");
    for (size_t k = 0; k < m.grains.count; k++)
        CHECK(v3_norm(v3_sub(m.grains.items[k].position, v3(2, 2, 2))) <= 1.5 + 1e-9);
    CHECK_INT(m.grains.count, 8); /* of the sites at +-0.5, +-1.5 those with |p| <= 1.5 */
    unmake(&m);
}

static void test_lattice_refusals(void)
{
    made m = make(HEAD("[[0, 0, 0], [10, 10, 0.5]]", "none") "  a: {from: lattice, material: m, diameter: 1}\n");
    CHECK_INT(m.status, SCREE_E_INPUT);
    CHECK(strstr(m.report.messages[0].text, "0.5 m wide along z"));
    unmake(&m);
    m = make(HEAD("[[0, 0, 0], [10, 10, 10]]", "none") "  a: {from: lattice, material: m, diameter: 1e-6}\n");
    CHECK_INT(m.status, SCREE_E_INPUT);
    unmake(&m);
}

// ---- random insertion ----

static void check_inside(const made *m, vec3 low, vec3 high, const bool *open)
{
    int outside = 0;
    for (size_t k = m->last; k < m->grains.count; k++) {
        const scr_grain *g = &m->grains.items[k];
        for (int a = 0; a < 3; a++) {
            double margin = open[a] ? 0 : g->radius, x = (&g->position.x)[a];
            outside += !(x >= (&low.x)[a] + margin && x <= (&high.x)[a] - margin);
        }
    }
    CHECK_INT(outside, 0);
}

static void test_random(void)
{
    const bool open[3] = {true, false, false};
    made m = make(HEAD("[[0, 0, 0], [1, 1, 1]]", "[x]") "  a: {from: random, material: m, radius: 30 "
                                                        "mm, fraction: 0.25, velocity: [1, 0, 0]}\n");
    double wanted = ceil(0.25 / (4 * PI / 3 * 0.03 * 0.03 * 0.03));
    CHECK_INT(m.grains.count, wanted);
    CHECK(least_gap(&m) >= 0);
    check_inside(&m, v3(0, 0, 0), v3(1, 1, 1), open);
    CHECK(m.grains.items[7].velocity.x == 1 && m.grains.items[7].id == 0);
    // grains do cross the periodic side
    int crossing = 0;
    for (size_t k = 0; k < m.grains.count; k++) crossing += m.grains.items[k].position.x < 0.03;
    CHECK(crossing > 0);
    // the same scene, the same bits
    made again = make(HEAD("[[0, 0, 0], [1, 1, 1]]", "[x]") "  a: {from: random, material: m, radius: 30 "
                                                            "mm, fraction: 0.25, velocity: [1, 0, 0]}\n");
    CHECK(again.grains.count == m.grains.count &&
          !memcmp(&again.grains.items[99].position, &m.grains.items[99].position, sizeof(vec3)));
    unmake(&again);
    unmake(&m);
}

// the last part first
static void each_backwards(size_t count, void (*work)(void *context, size_t index), void *context)
{
    while (count-- > 0) work(context, count);
}

// whether a sphere touches none of the first `count`
static bool is_clear(const scr_grain *grains, size_t count, vec3 p, double r)
{
    bool clear = true;
    for (size_t k = 0; k < count && clear; k++) clear = v3_norm(v3_sub(p, grains[k].position)) >= r + grains[k].radius;
    return clear;
}

// what is found is what tries one after the other find, in whatever order they are looked at
static void test_random_order(const char *text, bool drawn)
{
    made m = make(text);
    CHECK_INT(m.status, SCREE_OK);
    CHECK(m.grains.count > 1000);
    // radii were drawn first, if they differ
    scr_random random = scr_random_stream(1, scr_digest_bytes(SCR_DIGEST_START, "a", 1));
    random.counter = drawn ? m.grains.count : 0;
    size_t wrong = 0, tries = 0;
    for (size_t k = 0; k < m.grains.count; k++) {
        double r = m.grains.items[k].radius;
        vec3 p;
        do {
            double x = scr_random_between(&random, r, 1 - r), y = scr_random_between(&random, r, 1 - r);
            p = v3(x, y, scr_random_between(&random, r, 1 - r));
        } while (++tries < 1000000 && !is_clear(m.grains.items, k, p, r));
        wrong += memcmp(&p, &m.grains.items[k].position, sizeof p) != 0;
    }
    CHECK_INT(wrong, 0);
    CHECK(10 * tries > 15 * m.grains.count);
    scr_grains other = {.each = each_backwards};
    const scr_item *group = &scr_scene_items(m.scene, "bodies")->items[0];
    CHECK_INT(scr_grains_generate(m.scene, group, &other, &m.report), SCREE_OK);
    CHECK(other.count == m.grains.count);
    for (size_t k = 0; k < other.count; k++)
        wrong += memcmp(&other.items[k].position, &m.grains.items[k].position, 24) != 0;
    CHECK_INT(wrong, 0);
    scr_grains_deinit(&other);
    unmake(&m);
}

// layers at once are those one after the other
static void test_lattice_order(void)
{
    static const char *const texts[] = {
        HEAD("[[0, 0, 0], [9, 9, 9]]", "none") "  a: {from: lattice, kind: hcp, material: m, diameter: 1,\n"
                                               "      region: {shape: sphere, center: [4, 4, 4], radius: 4}}\n",
        HEAD("[[0, 0, 0], [9, 9, 9]]", "none") "  a: {from: lattice, kind: fcc, material: m, radius: 0.3, count: 333,\n"
                                               "      velocity: [1, 2, 3], spin: [0, 1, 0]}\n"};
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        made m = make(texts[n]);
        scr_grains other = {.each = each_backwards};
        const scr_item *group = &scr_scene_items(m.scene, "bodies")->items[0];
        CHECK(m.grains.count > 100);
        CHECK_INT(scr_grains_generate(m.scene, group, &other, &m.report), SCREE_OK);
        CHECK_INT(other.count, m.grains.count);
        size_t wrong = 0;
        for (size_t k = 0; k < other.count && k < m.grains.count; k++) {
            const scr_grain *a = &other.items[k], *b = &m.grains.items[k];
            wrong += memcmp(&a->position, &b->position, sizeof(vec3)) ||
                     memcmp(&a->velocity, &b->velocity, sizeof(vec3)) || memcmp(&a->spin, &b->spin, sizeof(vec3)) ||
                     a->radius != b->radius || a->id != b->id;
        }
        CHECK_INT(wrong, 0);
        scr_grains_deinit(&other);
        unmake(&m);
    }
}

// sizes 1 : 20, a gap, and clear of the group before
static void test_random_sizes(void)
{
    const bool open[3] = {true, true, true};
    made m =
        make(HEAD("[[0, 0, 0], [1, 1, 1]]", "[x, y, z]") "  a: {from: random, material: m, radius: 5 mm, count: 20}\n"
                                                         "  b: {from: random, material: m, diameter: [1 cm, 20 cm], "
                                                         "count: 30, gap: 1 mm}\n"
                                                         "  c: {from: random, material: m, diameter: [5 mm, 50 mm], "
                                                         "count: 500, gap: 1 mm}\n");
    CHECK_INT(m.status, SCREE_OK);
    CHECK_INT(m.grains.count, 550);
    CHECK(least_gap(&m) >= 0);
    check_inside(&m, v3(0, 0, 0), v3(1, 1, 1), open);
    for (size_t k = m.last + 1; k < m.grains.count; k++)
        if (m.grains.items[k].radius > m.grains.items[k - 1].radius) CHECK(!"largest first");
    scr_grains all = m.grains;
    m.grains.items += 20, m.grains.count -= 20;
    CHECK(least_gap(&m) >= 1e-3);
    m.grains = all;
    unmake(&m);
}

static void test_random_shapes(void)
{
    made m =
        make(HEAD("[[-1, -1, -1], [1, 1, 1]]", "none") "  a: {from: random, material: m, radius: 1 cm, count: 300,\n"
                                                       "      region: {shape: frustum, from: [0, 0, -0.5], to: [0, 0, "
                                                       "0.5], radius_from: 0.1,\n"
                                                       "               radius_to: 0.3}}\n");
    CHECK_INT(m.grains.count, 300);
    CHECK(least_gap(&m) >= 0);
    const double slope = 0.2, stretch = sqrt(1 + slope * slope);
    int outside = 0;
    for (size_t k = 0; k < m.grains.count; k++) {
        vec3 p = m.grains.items[k].position;
        double s = p.z + 0.5;
        outside += !(s >= 0.01 && s <= 0.99);
        outside += !((0.1 + slope * s - hypot(p.x, p.y)) / stretch >= 0.01 - 1e-12);
    }
    CHECK_INT(outside, 0);
    unmake(&m);
    // a thin slanted cylinder: tries are made inside of it, not in its bounds
    m = make(HEAD("[[0, 0, 0], [1, 1, 1]]",
                  "none") "  a: {from: random, material: m, radius: 1 mm, count: 100,\n"
                          "      region: {shape: cylinder, from: [0, 0, 0], to: [1, 1, 1], radius: 4 mm}}\n");
    CHECK_INT(m.grains.count, 100);
    unmake(&m);
}

static void test_random_refusals(void)
{
    made m =
        make(HEAD("[[0, 0, 0], [1, 1, 1]]", "none") "  a: {from: random, material: m, radius: 5 cm, fraction: 0.37}\n");
    CHECK_INT(m.status, SCREE_E_INPUT);
    CHECK_INT(m.grains.count, 0);
    int placed = 0, wanted = 0;
    double fraction = 0;
    CHECK(sscanf(m.report.messages[0].text, "bodies.a: only %d of %d grains fit, at a solid fraction of %lf", &placed,
                 &wanted, &fraction) == 3);
    CHECK_INT(wanted, 707);
    CHECK(placed > 400 && placed < 707);
    CHECK_NEAR(fraction, placed * 4 * PI / 3 * 0.05 * 0.05 * 0.05, 1e-3);
    unmake(&m);
    const char *impossible[] = {
        HEAD("[[0, 0, 0], [1, 1, 1]]", "none") "  a: {from: random, material: m, radius: 5 cm, count: 1e6}\n",
        HEAD("[[0, 0, 0], [1, 1, 1]]", "none") "  a: {from: random, material: m, radius: 2, count: 1}\n",
        HEAD("[[0, 0, 0], [1, 9, 9]]", "[x]") "  a: {from: random, material: m, radius: 0.51, count: 1}\n",
        HEAD("[[0, 0, 0], [1, 1, 1]]", "none") "  a: {from: random, material: m, radius: 1e-9, fraction: 0.1}\n",
        HEAD("[[0, 0, 0], [1, 1, 1]]", "none") "  a: {from: random, material: m, radius: 1e-300, count: 10,"
                                               " region: {shape: sphere, center: [0, 0, 0], radius: 1e200}}\n",
    };
    for (size_t k = 0; k < sizeof impossible / sizeof *impossible; k++) {
        m = make(impossible[k]);
        CHECK_INT(m.status, SCREE_E_INPUT);
        CHECK_INT(m.report.errors, 1);
        unmake(&m);
    }
}

static void test_random_speed(void)
{
    double start = scr_processor_seconds();
    made m = make(
        HEAD("[[0, 0, 0], [1, 1, 1]]", "[x, y]") "  a: {from: random, material: m, radius: 8.947 mm, count: 100000}\n");
    CHECK_INT(m.grains.count, 100000); /* solid fraction 0.3 */
    printf("100000 grains at solid fraction 0.3: %.2f s\n", scr_processor_seconds() - start);
    CHECK(scr_processor_seconds() - start < 60); /* 0.9 s on one core; generous for sanitizers */
    unmake(&m);
}

// ---- files ----

static void write_file(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");
    fputs(text, out);
    fclose(out);
}

static made make_file(const char *from, const char *more, const char *text)
{
    char scene[512], name[64];
    snprintf(name, sizeof name, "scene_generate_%d.tmp", (int)getpid());
    snprintf(scene, sizeof scene, HEAD("[[0, 0, 0], [1, 1, 1]]", "none") "  a: {from: %s, material: m, file: %s%s}\n",
             from, name, more);
    write_file(name, text);
    made m = make(scene);
    unlink(name);
    return m;
}

// the file's messages without its name
static void check_file_errors(const char *from, const char *text, const char *wanted)
{
    made m = make_file(from, "", text);
    char *messages = fake_messages(&m.report), *out = messages;
    for (char *line = messages; *line;) {
        char *end = strchr(line, '\n'), *tmp = strstr(line, ".tmp:");
        if (tmp && tmp < end) line = tmp + 5;
        memmove(out, line, (size_t)(end - line) + 1);
        out += end - line + 1;
        line = end + 1;
    }
    *out = 0;
    CHECK_INT(m.status, SCREE_E_INPUT);
    CHECK_INT(m.grains.count, 0);
    CHECK_TEXT(messages, wanted);
    free(messages);
    unmake(&m);
}

// spreadsheets: a byte order mark is passed over, UTF-16 is named
static void test_marks(void)
{
    made m = make_file("table", "", "\xef\xbb\xbfx,y,z,radius\n0.5,0.5,0.5,0.1\n");
    CHECK_INT(m.grains.count, 1);
    unmake(&m);
    char name[64];
    snprintf(name, sizeof name, "scene_generate_%d.tmp", (int)getpid());
    FILE *out = fopen(name, "w");
    fwrite("\xff\xfex\0,\0y\0", 1, 8, out);
    fclose(out);
    char scene[512];
    snprintf(scene, sizeof scene, HEAD("[[0, 0, 0], [1, 1, 1]]", "none") "  a: {from: table, material: m, file: %s}\n",
             name);
    m = make(scene);
    unlink(name);
    CHECK_INT(m.report.errors, 1);
    CHECK_TEXT(m.report.messages[0].text, "byte 4 is zero, a table must be text; it begins as UTF-16 "
                                          "does: save it as UTF-8");
    unmake(&m);
}

static void test_table(void)
{
    made m = make_file("table", ", velocity: [0, 0, 1]",
                       "# a comment\r\n"
                       "\n"
                       "\"x [mm]\", z [m],y, diameter [cm],id, omegax, vx [cm/s], colour, density [g/cm^3]\r\n"
                       "4, 0.5, 0.25, 1, 7, 2, 3, red, 2.5\r\n"
                       " 5 ,1e-1,-0.25,2,3,0,0,blue,1\n");
    CHECK_INT(m.status, SCREE_OK);
    CHECK_INT(m.grains.count, 2);
    CHECK_INT(m.report.warnings, 1);
    CHECK(strstr(m.report.messages[0].text, "unknown column 'colour' is ignored"));
    const scr_grain *g = m.grains.items;
    CHECK(g[0].position.x == 0.004 && g[0].position.y == 0.25 && g[0].position.z == 0.5);
    CHECK(g[0].radius == 0.005 && g[0].density == 2500 && g[0].id == 7);
    CHECK(g[0].velocity.x == 0.03 && g[0].velocity.z == 1 && g[0].spin.x == 2);
    CHECK(g[1].position.x == 0.005 && g[1].position.y == -0.25 && g[1].radius == 0.01);
    unmake(&m);
    m = make_file("table", ", type: 2", "x y z radius type\n0 0 0 1 1\n1 2 3 4 2\n");
    CHECK_INT(m.grains.count, 1);
    CHECK(m.grains.items[0].position.z == 3 && m.grains.items[0].id == 0 && isnan(m.grains.items[0].density));
    unmake(&m);
    m = make_file("table", ", type: 3", "x y z radius type\n0 0 0 1 1\n1 2 3 4 2\n");
    CHECK(m.status && strstr(m.report.messages[0].text, "no grain of type 3"));
    unmake(&m);
    m = make_file("table", ", type: 3", "x y z radius\n0 0 0 1\n");
    CHECK(m.status && strstr(m.report.messages[0].text, "no column type"));
    unmake(&m);
}

static void test_bad_tables(void)
{
    check_file_errors("table", "", " error: is empty, must be a table of grains\n");
    check_file_errors("table", "x,y,z,radius\n", " error: has no grains\n");
    check_file_errors("table", "x,y,x,radius,diameter\n",
                      "1:5: error: column x is given twice\n"
                      "1: error: column z is missing; the first line must name the columns x y z and "
                      "radius or diameter\n"
                      "1: error: the table has columns radius and diameter: leave one of them out\n");
    check_file_errors("table", "x,y,z\n1,2,3\n", "1: error: a column radius or diameter is missing\n");
    check_file_errors("table", "x [kg],y [foo],z,radius\n1,2,3,4\n",
                      "1:1: error: column x: unit 'kg' cannot be converted to m\n"
                      "1:8: error: column y: unknown unit 'foo'\n");
    check_file_errors("table",
                      "id,x,y,z,radius\n"
                      "1,0,0,0,1\n"
                      "1,0,0,0,1\n",
                      "3: error: id 1 is given twice, first on line 2\n");
    check_file_errors("table",
                      "id,x,y,z,radius\n"
                      "1,0,nan,0,1\n"
                      "2,0,0,0,0\n"
                      "3,0,0,0,-1\n"
                      "0,0,0,0,1\n"
                      "4,0,0,0\n"
                      "5,0,0,0,1,6\n"
                      "6,0,1e999,0,1\n"
                      "7,0,,0,1\n"
                      "1.5,0,0,0,1\n",
                      "2:5: error: y is 'nan', must be a number\n"
                      "3: error: the grain's radius is 0, must be > 0\n"
                      "4: error: the grain's radius is -1, must be > 0\n"
                      "5: error: id is 0, must be a whole number from 1\n"
                      "6: error: there are 4 fields, the first line names 5\n"
                      "7: error: there are 6 fields, the first line names 5\n"
                      "8:5: error: y is '1e999', must be a number\n"
                      "9:5: error: y is '', must be a number\n"
                      "10: error: id is 1.5, must be a whole number from 1\n");
    // a thousand errors are not told one by one
    char *text = malloc(20000), *p = text;
    p += sprintf(p, "x,y,z,radius\n");
    for (int k = 0; k < 1000; k++) p += sprintf(p, "0,0,0,x\n");
    made m = make_file("table", "", text);
    CHECK_INT(m.report.errors, 21);
    unmake(&m);
    free(text);
    m = make(HEAD("[[0, 0, 0], [1, 1, 1]]", "none") "  a: {from: table, material: m, file: nowhere.csv}\n");
    CHECK_INT(m.status, SCREE_E_INPUT);
    CHECK_TEXT(m.report.messages[0].text, "cannot be read: No such file or directory");
    unmake(&m);
}

// two groups from one file may not share ids
static void test_ids_across_groups(void)
{
    char name[64], scene[512];
    snprintf(name, sizeof name, "scene_generate_%d.tmp", (int)getpid());
    write_file(name, "id,type,x,y,z,radius\n1,1,0,0,0,1\n2,2,0,0,3,1\n");
    const char *form = HEAD("[[0, 0, 0], [1, 1, 1]]", "none") "  a: {from: table, material: m, file: %s, type: 1}\n"
                                                              "  b: {from: table, material: m, file: %s, type: %d}\n";
    snprintf(scene, sizeof scene, form, name, name, 2);
    made m = make(scene);
    CHECK_INT(m.status, SCREE_OK);
    CHECK_INT(m.grains.count, 2);
    unmake(&m);
    snprintf(scene, sizeof scene, form, name, name, 1);
    m = make(scene);
    CHECK_INT(m.status, SCREE_E_INPUT);
    CHECK_TEXT(m.report.messages[0].text, "id 1 belongs to a grain of an earlier group already");
    unmake(&m);
    unlink(name);
}

#define DATA_HEAD        \
    "LAMMPS data file\n" \
    "\n"                 \
    "2 atoms\n"          \
    "2 atom types\n"     \
    "0 1 xlo xhi\n"      \
    "\n"

static void test_lammps(void)
{
    const char *text = DATA_HEAD "Atoms  # sphere\n"
                                 "\n"
                                 "7 1 0.5 2000 0.1 0.2 0.3 0 0 -1\n"
                                 "3 2 1.0 1000 0.4 0.5 0.6 0 0 0   # a remark\n"
                                 "\n"
                                 "Velocities\n"
                                 "\n"
                                 "3 1 2 3 4 5 6\n"
                                 "7 -1 -2 -3 -4 -5 -6\n"
                                 "\n"
                                 "Bonds\n"
                                 "\n"
                                 "1 1 1 2\n";
    made m = make_file("lammps", "", text);
    CHECK_INT(m.status, SCREE_OK);
    CHECK_INT(m.grains.count, 2);
    if (m.grains.count == 2) {
        const scr_grain *g = m.grains.items;
        CHECK(g[0].id == 7 && g[0].radius == 0.25 && g[0].density == 2000 && g[0].position.z == 0.3);
        CHECK(g[0].velocity.x == -1 && g[0].spin.z == -6 && g[1].velocity.z == 3 && g[1].spin.x == 4);
    }
    unmake(&m);
    m = make_file("lammps", ", type: 2", text);
    CHECK(m.grains.count == 1 && m.grains.items[0].id == 3);
    unmake(&m);
}

static void test_bad_lammps(void)
{
    check_file_errors("lammps", "nothing\n", " error: has no section Atoms\n");
    check_file_errors("lammps", DATA_HEAD "Atoms # full\n\n1 1 1 1 0 0 0\n2 1 1 1 0 0 0\n",
                      "7: error: atom style is 'full', must be sphere\n");
    check_file_errors("lammps", DATA_HEAD "Atoms\n\n1 1 1 1 0 0 0\n", " error: has 1 atoms, its header says 2\n");
    check_file_errors("lammps", DATA_HEAD "Atoms\n\n1 1 1 1 0 0\n2 1 x 1 0 0 0\n3 1 0 1 0 0 0\n1.5 1 1 1 0 0 0\n",
                      "9: error: there are 6 fields, must be 7 or 10\n"
                      "10:5: error: field 3 is 'x', must be a number\n"
                      "11: error: the grain's radius is 0, must be > 0\n"
                      "12: error: id 1.5 and type 1 must be whole numbers from 1\n");
    check_file_errors("lammps", DATA_HEAD "Atoms\n\n1 1 1 1 0 0 0\n1 1 1 1 0 0 0\n",
                      "10: error: id 1 is given twice, first on line 9\n");
    check_file_errors("lammps", DATA_HEAD "Atoms\n\n1 1 1 1 0 0 0\n2 1 1 1 0 0 0\nVelocities\n\n5 0 0 0 0 0 0\n",
                      "13: error: velocity of id 5, which is not an atom of the file\n");
    check_file_errors("lammps", DATA_HEAD "Velocities\n\n5 0 0 0 0 0 0\n",
                      "7: error: section Velocities comes before Atoms\n"
                      " error: has no section Atoms\n");
    check_file_errors("lammps", "x\nmany atoms\n", " error: has no section Atoms\n");
}

int main(void)
{
    test_sc();
    test_fcc();
    test_hcp();
    test_lattice_options();
    test_lattice_refusals();
    test_random();
    test_random_order(HEAD("[[0, 0, 0], [1, 1, 1]]", "none") "  a: {from: random, material: m, diameter: [5 cm, 8 cm], "
                                                             "fraction: 0.26}\n",
                      true);
    test_random_order(HEAD("[[0, 0, 0], [1, 1, 1]]", "none") "  a: {from: random, material: m, diameter: 4.5 cm, "
                                                             "fraction: 0.24}\n",
                      false);
    test_lattice_order();
    test_random_sizes();
    test_random_shapes();
    test_random_refusals();
    test_random_speed();
    test_marks();
    test_table();
    test_bad_tables();
    test_ids_across_groups();
    test_lammps();
    test_bad_lammps();
    return check_done();
}
