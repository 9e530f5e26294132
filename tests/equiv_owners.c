/* A pair that two owners compute gives both the same bits.
 *
 * A heap of grains of many sizes is cut in two. Each half is computed by itself, with those grains of the other half
 * that it touches; so is the whole. Pairs across the cut are computed three times, in other rows, blocks and lanes:
 * force, couple and history must agree to the last bit, and so must who is first. For every law, scheme and width. */
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "step/soft/cpu/phases.h"

#include <stdlib.h>
#include <string.h>

enum { GRAINS = 1400, MATERIALS = 2 };
#define SIDE 0.4 /* of the cube they are in */

typedef struct {
    const char *name;
    bool improved, lammps;
    scr_law law;
} option;

#define HOOKE   .kn = 2000, .kt = 1500, .mu = 0.4, .zeta = 0.5, .eta_root = 3
#define HERTZ   .kn = 3e5, .kt = 4e5, .mu = 0.3, .zeta = 0.7, .eta_root = 20, .normal = SCR_NORMAL_HERTZ, .mindlin = 1
#define SDS     .rolling = SCR_ROLLING_SDS, .rolling_mu = 0.1, .rolling_k = 900, .rolling_zeta = 0.4
#define PLASTIC .normal = SCR_NORMAL_PLASTIC, .unloading = 5000
#define TWISTS  .twisting = SCR_TWISTING_SDS, .twisting_mu = 0.05, .twisting_k = 700, .twisting_zeta = 0.3

static const option options[] = {
    {"hooke, improved", true, false, {HOOKE}},
    {"hooke, standard", false, false, {HOOKE}},
    {"hooke, lammps", false, true, {HOOKE}},
    {"hooke, improved, lammps", true, true, {HOOKE}},
    {"hertz, improved", true, false, {HERTZ}},
    {"hertz, standard", false, false, {HERTZ}},
    {"hertz, lammps", false, true, {HERTZ}},
    {"viscous mass and area", true, false, {.kn = 2000, .mu = 0.3, .zeta = 1, .eta_mass = 300, .eta_area = 90}},
    {"cohesion over a gap", true, false, {HOOKE, .adhesion = 0.3, .range = 0.002}},
    {"JKR", true, false, {HERTZ, .surface_energy = 0.5}},
    {"JKR, standard", false, false, {HERTZ, .surface_energy = 0.5}},
    {"plastic", true, false, {HOOKE, PLASTIC}},
    {"plastic, rolling, standard", false, false, {HOOKE, PLASTIC, SDS, TWISTS}},
    {"plastic, cohesion over a gap", true, false, {HOOKE, PLASTIC, .adhesion = 0.3, .range = 0.002}},
    {"rolling and twisting", true, false, {HOOKE, SDS, TWISTS}},
    {"rolling, hertz, standard", false, false, {HERTZ, SDS, TWISTS}},
    {"constant rolling", true, false, {HOOKE, .rolling = SCR_ROLLING_CONSTANT, .rolling_mu = 0.1}},
    {"marshall", true, false, {HERTZ, .twisting = SCR_TWISTING_MARSHALL}},
    {"slip: damper", true, false, {HOOKE, SDS, .slip = SCR_SLIP_DAMPER}},
    {"pull: allowed", true, false, {HOOKE, .pull = SCR_PULL_ALLOWED}},
    {"pull: bare", false, false, {HERTZ, .pull = SCR_PULL_BARE}},
};

/* The heap, in the order of ids. */
typedef struct {
    double place[GRAINS][4], motion[GRAINS][3], spin[GRAINS][3];
} heap;

static void make_heap(heap *h)
{
    scr_random r = scr_random_stream(11, 3);
    for (int k = 0; k < GRAINS; k++) {
        for (int d = 0; d < 3; d++) {
            h->place[k][d] = scr_random_between(&r, 0, SIDE);
            h->motion[k][d] = scr_random_between(&r, -1, 1);
            h->spin[k][d] = scr_random_between(&r, -30, 30);
        }
        // the smallest are everywhere: the curve is the same for all parts
        h->place[k][3] = k % 8 == 0 ? 0.01 : 0.01 * pow(8, scr_random_unit(&r) * scr_random_unit(&r));
    }
}

static double image(double x)
{
    return x - SIDE * rint(x / SIDE);
}

static double gap(const heap *h, int i, int j)
{
    double dx = image(h->place[i][0] - h->place[j][0]), dy = h->place[i][1] - h->place[j][1];
    double dz = h->place[i][2] - h->place[j][2];
    return sqrt(dx * dx + dy * dy + dz * dz) - h->place[i][3] - h->place[j][3];
}

static void add_grain(scr_world *w, const heap *h, int k)
{
    scr_bodies *b = &w->bodies;
    size_t i = scr_table_add(&b->table);
    double r = h->place[k][3], mass = 2500 * 4.19 * r * r * r;
    memcpy(b->place + 4 * i, h->place[k], 32);
    memcpy(b->motion + 4 * i, h->motion[k], 24), memcpy(b->spin + 4 * i, h->spin[k], 24);
    b->motion[4 * i + 3] = 1 / mass, b->spin[4 * i + 3] = 2.5 / (mass * r * r);
    b->mass[i] = mass, b->id[i] = k + 1, b->material[i] = k % MATERIALS;
}

// histories that only this pair can have; most contacts have one, and so have some that have just ended
static void add_contacts(scr_world *w, const heap *h, const int *row)
{
    for (int i = 0; i < GRAINS; i++)
        for (int j = i + 1; j < GRAINS; j++) {
            if (row[i] < 0 || row[j] < 0 || (i + j) % 5 == 0 || gap(h, i, j) > 1e-4) continue;
            CHECK(scr_table_reserve(&w->contacts.table, w->contacts.table.count + 1));
            size_t k = scr_table_add(&w->contacts.table);
            scr_random r = scr_random_stream((uint64_t)(i * GRAINS + j), 1);
            scr_contact_join(&w->contacts, k, &w->bodies, (size_t)row[i], (int32_t)row[j]);
            for (int d = 0; d < 4; d++) {
                w->contacts.history[4 * k + (size_t)d] = scr_random_between(&r, -1e-4, 1e-4);
                w->contacts.wide[8 * k + (size_t)d] = scr_random_between(&r, -1e-4, 1e-4);
            }
            // the overlap that remained: some yield further, and some have come off
            w->contacts.wide[8 * k + 5] = scr_random_between(&r, 0, 0.01);
        }
}

// grains of the half (0, 1; 2: all), and those that these touch
static void make_world(scr_world *w, const heap *h, int half, const option *o)
{
    int row[GRAINS];
    scr_world_init(w);
    w->domain = (scr_domain){.lower = {0, 0, 0}, .upper = {SIDE, SIDE, SIDE}, .periodic = {true}};
    w->clock = (scr_clock){.dt = 1e-4, .skin = half == 1 ? 0.002 : 0.001};
    w->material_count = MATERIALS, w->group_count = 1;
    w->materials = calloc(MATERIALS, sizeof *w->materials);
    w->groups = calloc(1, sizeof *w->groups);
    w->laws = scr_memory_new(MATERIALS * MATERIALS, sizeof *w->laws);
    for (int k = 0; k < MATERIALS * MATERIALS; k++) {
        w->laws[k] = o->law;
        if (k == 1 || k == 2) w->laws[k].kn *= 1.5, w->laws[k].mu *= 0.5;
    }
    CHECK(scr_table_reserve(&w->bodies.table, GRAINS) && scr_contacts_widen(&w->contacts));
    for (int k = 0; k < GRAINS; k++) {
        bool in = half == 2 || (h->place[k][1] > 0.5 * SIDE) == half;
        for (int j = 0; j < GRAINS && !in; j++) in = (h->place[j][1] > 0.5 * SIDE) == half && gap(h, k, j) < 0.005;
        row[k] = in ? (int)w->bodies.table.count : -1;
        if (in) add_grain(w, h, k);
    }
    add_contacts(w, h, row);
}

/* What came out of a pair. */
typedef struct {
    int64_t first, second;
    double record[8], history[4], wide[8];
} result;

static int by_ids(const void *a, const void *b)
{
    const result *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return x->second < y->second ? -1 : x->second > y->second;
}

static size_t compute(const heap *h, int half, const option *o, result **results)
{
    scr_world w;
    make_world(&w, h, half, o);
    scr_step s = {.world = &w, .want_contacts = true};
    soft_work k = {0};
    scree_report report;
    scree_report_init(&report);
    CHECK(scr_soft_open(&s, &k, o->improved, o->lammps, false, &report) == SCREE_OK);
    k.task.dt = w.clock.dt;
    CHECK(scr_soft_forces(&s, &k, &report) == SCREE_OK);
    const scr_pairs *p = &s.pairs;
    size_t n = 0;
    *results = calloc(p->count + 1, sizeof **results);
    for (size_t m = 0; m < p->count; m++) {
        if (!p->touch[m]) continue;
        result *r = &(*results)[n++];
        r->first = w.bodies.id[p->first[m]], r->second = w.bodies.id[p->second[m]];
        memcpy(r->record, p->record + 8 * m, sizeof r->record);
        memcpy(r->history, p->history + 4 * m, sizeof r->history);
        if (p->wide) memcpy(r->wide, p->wide + 8 * m, sizeof r->wide);
    }
    qsort(*results, n, sizeof **results, by_ids);
    scr_soft_close(&k);
    scr_pairs_deinit(&s.pairs);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
    return n;
}

// pairs of a part that the whole has too, and those that are another there
static size_t compare(const result *part, size_t count, const result *all, size_t all_count, size_t *wrong)
{
    size_t same = 0;
    for (size_t k = 0; k < count; k++) {
        const result *other = bsearch(&part[k], all, all_count, sizeof *all, by_ids);
        same += other && !memcmp(other, &part[k], sizeof *other);
        *wrong += !other || memcmp(other, &part[k], sizeof *other);
    }
    return same;
}

static void test_option(const heap *h, const option *o, const char *vector)
{
    setenv("SCREE_VECTOR", vector, 1);
    result *r[3];
    size_t n[3], wrong = 0;
    for (int half = 0; half < 3; half++) n[half] = compute(h, half, o, &r[half]);
    size_t same = compare(r[0], n[0], r[2], n[2], &wrong) + compare(r[1], n[1], r[2], n[2], &wrong);
    CHECK_INT(wrong, 0);
    // all are computed by one of the two, and some by both
    CHECK(n[2] > 1000 && same > n[2] + 50);
    if (wrong) printf("%s, %s: %zu of %zu pairs differ\n", o->name, vector, wrong, same + wrong);
    for (int half = 0; half < 3; half++) free(r[half]);
}

int main(void)
{
    static heap h;
    make_heap(&h);
    static const char *const vectors[] = {"portable", "avx2", ""};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        for (int v = 0; v < 3; v++) test_option(&h, &options[k], vectors[v]);
    return check_done();
}
