/* The neighbour list against brute force, and histories that follow their grains through
 * rebuilding, sorting, wrapping and removal. */
#include "collide/pairs.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "exec/cpu/threads.h"

typedef struct {
    int count;
    double ratio;  /* largest over smallest radius, drawn evenly in the logarithm */
    double radius; /* largest */
    double skin;
    double length[3];
    bool periodic[3];
    double frozen; /* fraction */
} cloud;

static void add_body(scr_world *w, vec3 x, double radius, bool frozen, int64_t id)
{
    scr_bodies *b = &w->bodies;
    size_t i = b->table.count++;
    v3_store(b->place + 4 * i, x);
    b->place[4 * i + 3] = radius;
    b->motion[4 * i + 3] = frozen ? 0 : 1;
    b->id[i] = id;
}

static void make_world(scr_world *w, const cloud *c, uint64_t seed)
{
    scr_random random = scr_random_stream(seed, 0);
    scr_world_init(w);
    CHECK(scr_table_reserve(&w->bodies.table, (size_t)c->count));
    w->domain.lower = v3(-0.3, 0.1, 0.7);
    w->domain.upper = v3_add(w->domain.lower, v3(c->length[0], c->length[1], c->length[2]));
    memcpy(w->domain.periodic, c->periodic, sizeof c->periodic);
    w->clock.skin = c->skin;
    w->material_count = 1;
    w->materials = calloc(1, sizeof *w->materials);
    w->laws = scr_memory_new(1, sizeof *w->laws);
    for (int k = 0; k < c->count; k++) {
        double x[3];
        // some bodies exactly on the sides of the domain
        for (int d = 0; d < 3; d++) {
            double u = scr_random_unit(&random);
            x[d] = u < 0.02 ? 0 : u > 0.98 && !c->periodic[d] ? c->length[d] : u * c->length[d];
        }
        double r = c->radius * pow(c->ratio, -scr_random_unit(&random));
        add_body(w, v3_add(w->domain.lower, v3(x[0], x[1], x[2])), r, scr_random_unit(&random) < c->frozen, k + 1);
    }
    // the extreme sizes exist
    w->bodies.place[3] = c->radius;
    if (c->count > 1) w->bodies.place[7] = c->radius / c->ratio;
}

/* ---- brute force ---- */

static uint64_t pair_key(int64_t a, int64_t b)
{
    return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// distance to the nearest of the images one box away on either side
static double image_distance(const scr_world *w, size_t i, size_t j)
{
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    const double length[3] = {size.x, size.y, size.z};
    double sum = 0;
    for (int d = 0; d < 3; d++) {
        double x = w->bodies.place[4 * i + d] - w->bodies.place[4 * j + d], least = fabs(x);
        for (int s = -1; s <= 1 && w->domain.periodic[d]; s += 2) least = fmin(least, fabs(x + s * length[d]));
        sum += least * least;
    }
    return sqrt(sum);
}

static size_t brute_pairs(const scr_world *w, uint64_t *keys)
{
    const scr_bodies *b = &w->bodies;
    size_t n = 0;
    for (size_t i = 0; i < b->table.count; i++)
        for (size_t j = i + 1; j < b->table.count; j++) {
            double reach = b->place[4 * i + 3] + b->place[4 * j + 3] + w->clock.skin;
            if (b->motion[4 * i + 3] == 0 && b->motion[4 * j + 3] == 0) continue;
            if (image_distance(w, i, j) < reach) keys[n++] = pair_key(b->id[i], b->id[j]);
        }
    qsort(keys, n, sizeof *keys, by_key);
    return n;
}

static size_t listed_pairs(const scr_pairs *p, const scr_world *w, uint64_t *keys)
{
    for (size_t k = 0; k < p->count; k++) keys[k] = pair_key(w->bodies.id[p->first[k]], w->bodies.id[p->second[k]]);
    qsort(keys, p->count, sizeof *keys, by_key);
    return p->count;
}

// exactly the pairs within reach, each once; returns their number
static size_t check_list(const scr_pairs *p, const scr_world *w)
{
    size_t n = w->bodies.table.count, room = n * n / 2 + 1;
    uint64_t *want = malloc(room * sizeof *want), *got = malloc((p->count + 1) * sizeof *got);
    size_t wanted = brute_pairs(w, want), listed = listed_pairs(p, w, got);
    CHECK_INT(listed, wanted);
    CHECK(listed == wanted && !memcmp(want, got, wanted * sizeof *want));
    free(want);
    free(got);
    return wanted;
}

static void test_cloud(const cloud *c, uint64_t seed, size_t least)
{
    scr_world w;
    scr_pairs p = {0};
    scree_report report;
    scree_report_init(&report);
    make_world(&w, c, seed);
    CHECK(scr_pairs_adopt(&p, &w, &report) == SCREE_OK);
    CHECK(check_list(&p, &w) >= least);
    scr_pairs_deinit(&p);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
}

static void test_sizes(void)
{
    const double ratios[] = {1, 3, 30, 200};
    for (int r = 0; r < 4; r++)
        for (int axes = 0; axes < 8; axes++) {
            double large = ratios[r] < 10 ? 0.05 : 0.2;
            cloud c = {.count = 1500,
                       .ratio = ratios[r],
                       .radius = large,
                       .skin = 0.2 * large / ratios[r],
                       .length = {1.1, 0.9, 1.3},
                       .periodic = {axes & 1, axes >> 1 & 1, axes >> 2},
                       .frozen = axes % 3 == 0 ? 0.3 : 0};
            test_cloud(&c, (uint64_t)(10 * r + axes), 500);
        }
}

// periodic axes of one, two and three cells, at the least lengths that give them and just below
static void test_few_cells(void)
{
    for (int cells = 1; cells <= 4; cells++)
        for (int axes = 1; axes < 8; axes++)
            for (int shrink = 0; shrink < 2; shrink++) {
                double edge = 2 * 0.1 + 0.03, length = cells * edge * (1 - shrink * 1e-9);
                cloud c = {.count = 150, .ratio = axes == 7 ? 1 : 9, .radius = 0.1, .skin = 0.03};
                for (int d = 0; d < 3; d++) {
                    c.periodic[d] = axes >> d & 1;
                    c.length[d] = c.periodic[d] ? length : 1;
                }
                test_cloud(&c, (uint64_t)(100 * cells + axes), 10);
            }
}

// no body, one, and a few at the same place but for z
static void test_small_worlds(void)
{
    for (int n = 0; n < 4; n++) {
        scr_world w;
        scr_pairs p = {0};
        scree_report report;
        scree_report_init(&report);
        scr_world_init(&w);
        w.domain.upper = v3(1, 1, 1);
        w.clock.skin = 0.1;
        CHECK(scr_table_reserve(&w.bodies.table, 4));
        for (int k = 0; k < n; k++) add_body(&w, v3(0.5, 0.5, 0.2 * k), 0.3, false, k + 1);
        CHECK(scr_pairs_adopt(&p, &w, &report) == SCREE_OK);
        CHECK_INT(check_list(&p, &w), n * (n - 1) / 2);
        scr_pairs_deinit(&p);
        scr_world_deinit(&w);
        scree_report_deinit(&report);
    }
}

// memory follows the bodies: a domain of 1e27 cells holds 2000 of them
static void test_sparse(void)
{
    cloud c = {.count = 2000, .ratio = 50, .radius = 1e-3, .skin = 1e-5, .length = {1e6, 1e6, 1e6}};
    scr_world w;
    scr_pairs p = {0};
    scree_report report;
    scree_report_init(&report);
    make_world(&w, &c, 5);
    // some that do meet
    for (size_t i = 0; i < 1000; i += 2)
        for (int d = 0; d < 3; d++) w.bodies.place[4 * (i + 1) + d] = w.bodies.place[4 * i + d];
    CHECK(scr_pairs_adopt(&p, &w, &report) == SCREE_OK);
    CHECK(check_list(&p, &w) >= 500);
    CHECK(p.grid.table_mask < 8192);
    CHECK(scr_room_of(p.grid.table) <= 16 * 2000 && scr_room_of(p.first) <= 4 * 2000);
    scr_pairs_deinit(&p);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
}

/* ---- history ---- */

// a spring that only this pair of ids can have, seen from the body of the smaller id
static vec3 spring_of(int64_t a, int64_t b)
{
    scr_random r = scr_random_stream(pair_key(a, b), 7);
    return v3(scr_random_unit(&r), scr_random_unit(&r), scr_random_unit(&r));
}

static bool overlaps(const scr_world *w, size_t i, size_t j)
{
    return image_distance(w, i, j) < w->bodies.place[4 * i + 3] + w->bodies.place[4 * j + 3];
}

// marks every pair that overlaps as touching, with its own history; returns their number
static size_t mark(scr_pairs *p, const scr_world *w)
{
    size_t marked = 0;
    const int64_t *id = w->bodies.id;
    for (size_t k = 0; k < p->count; k++) {
        uint32_t i = p->first[k], j = p->second[k];
        if (!(p->touch[k] = overlaps(w, i, j))) continue;
        vec3 h = v3_scale(id[i] < id[j] ? 1 : -1, spring_of(id[i], id[j]));
        v3_store(p->history + 4 * k, h);
        p->history[4 * k + 3] = (double)(id[i] + id[j]);
        marked++;
    }
    for (size_t k = 0; k < p->walls.count; k++) {
        int64_t a = id[p->walls.body[k]];
        p->walls.touch[k] = 1;
        v3_store(p->walls.history + 4 * k, spring_of(a, 1000000 + p->walls.face[k]));
        p->walls.history[4 * k + 3] = (double)a;
        marked++;
    }
    return marked;
}

typedef struct {
    size_t found;   /* pairs that touch, with the right history */
    size_t wrong;   /* a wrong history */
    size_t flipped; /* pairs whose first body has the larger id */
} followed;

static bool same(const double *h, vec3 want, double fourth)
{
    return h[0] == want.x && h[1] == want.y && h[2] == want.z && h[3] == fourth;
}

static followed follow(const scr_pairs *p, const scr_world *w)
{
    followed f = {0};
    const int64_t *id = w->bodies.id;
    for (size_t k = 0; k < p->count; k++) {
        int64_t a = id[p->first[k]], b = id[p->second[k]];
        vec3 want = v3_scale(a < b ? 1 : -1, spring_of(a, b));
        double fourth = (double)(a + b);
        if (!p->touch[k]) want = v3(0, 0, 0), fourth = 0;
        if (!same(p->history + 4 * k, want, fourth)) f.wrong++;
        f.found += p->touch[k], f.flipped += p->touch[k] && b < a;
    }
    for (size_t k = 0; k < p->walls.count; k++) {
        int64_t a = id[p->walls.body[k]];
        if (!p->walls.touch[k]) continue;
        f.found++;
        if (!same(p->walls.history + 4 * k, spring_of(a, 1000000 + p->walls.face[k]), (double)a)) f.wrong++;
    }
    return f;
}

static void drift(scr_world *w, vec3 step)
{
    for (size_t i = 0; i < w->bodies.table.count; i++)
        v3_store(w->bodies.place + 4 * i, v3_add(v3_load(w->bodies.place + 4 * i), step));
}

static void add_floor(scr_world *w)
{
    w->walls = calloc(1, sizeof *w->walls);
    CHECK(scr_reserve(&w->faces, 2));
    w->wall_count = 1, w->face_count = 2;
    w->walls[0] = (scr_wall){.face_count = 2, .active = true};
    w->faces[0] = (scr_face){.kind = SCR_FACE_PLANE, .point = w->domain.lower, .axis = {0, 0, 1}};
    w->faces[1] = (scr_face){.kind = SCR_FACE_PLANE, .point = w->domain.upper, .axis = {0, 0, -1}};
}

static size_t brute_walls(const scr_world *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->bodies.table.count; i++) {
        const double *x = w->bodies.place + 4 * i;
        if (w->bodies.motion[4 * i + 3] == 0) continue;
        n += x[2] - w->domain.lower.z < x[3] + w->clock.skin;
        n += w->domain.upper.z - x[2] < x[3] + w->clock.skin;
    }
    return n;
}

// the whole cloud drifts several times around the periodic axes: 40 lists, 3 sorts
static void test_history(double ratio)
{
    cloud c = {.count = 1200,
               .ratio = ratio,
               .radius = 0.06,
               .skin = 0.01,
               .length = {1, 0.8, 1},
               .periodic = {true, true, false},
               .frozen = 0};
    scr_world w;
    scr_pairs p = {0};
    scree_report report;
    scree_report_init(&report);
    make_world(&w, &c, 77);
    add_floor(&w);
    CHECK(scr_pairs_adopt(&p, &w, &report) == SCREE_OK);
    CHECK_INT(p.walls.count, brute_walls(&w));
    size_t marked = mark(&p, &w), flips = 0, wrong = 0, lost = 0, before = 0;
    CHECK(marked > 300 && p.walls.count > 20);
    for (int k = 0; k < 40; k++) {
        drift(&w, v3(0.0731, -0.0517, 0));
        // who is astray is brought back in between, and all of them in the end
        w.clock.step = k == 39 ? SCR_SORT_EVERY : SCR_LOOK_EVERY * (k + 1);
        scree_status status = k % 3 == 0 ? scr_pairs_refresh(&p, &w, &report) : scr_pairs_renew(&p, &w, &report);
        CHECK(status == SCREE_OK);
        followed f = follow(&p, &w);
        wrong += f.wrong, lost += f.found != marked, flips += k && f.flipped != before;
        before = f.flipped;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(lost, 0);
    CHECK(flips > 0); // sorting did change who comes first
    CHECK_INT(p.walls.count, brute_walls(&w));
    check_list(&p, &w);
    // x has gone around about 2.9 times, y as often the other way
    int32_t most = 0, least = 0;
    for (size_t i = 0; i < w.bodies.table.count; i++) {
        most = w.bodies.image[4 * i] > most ? w.bodies.image[4 * i] : most;
        least = w.bodies.image[4 * i + 1] < least ? w.bodies.image[4 * i + 1] : least;
    }
    CHECK_INT(most, 3);
    CHECK_INT(least, -3);
    scr_pairs_deinit(&p);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
}

static bool same_lists(const scr_pairs *a, const scr_pairs *b)
{
    bool same = a->count == b->count && a->walls.count == b->walls.count && a->halo_count == b->halo_count &&
                a->block_count == b->block_count;
    if (!same) return false;
    size_t blocks = (a->block_count + 1) * sizeof *a->block_pairs, pairs = a->count * sizeof *a->first;
    return !memcmp(a->first, b->first, pairs) && !memcmp(a->second, b->second, pairs) &&
           !memcmp(a->sink, b->sink, pairs) && !memcmp(a->touch, b->touch, a->count) &&
           !memcmp(a->walls.body, b->walls.body, a->walls.count * sizeof *a->walls.body) &&
           !memcmp(a->walls.face, b->walls.face, a->walls.count * sizeof *a->walls.face) &&
           !memcmp(a->halo_body, b->halo_body, a->halo_count * sizeof *a->halo_body) &&
           !memcmp(a->block_pairs, b->block_pairs, blocks) && !memcmp(a->block_halo, b->block_halo, blocks) &&
           !memcmp(a->block_walls, b->block_walls, blocks) && !memcmp(a->block_inbox, b->block_inbox, blocks);
}

// a list that was made for the checks serves bodies at rest, and only those, as one that is built anew
static void test_ready(double ratio)
{
    cloud c = {.count = 3000,
               .ratio = ratio,
               .radius = 0.06,
               .skin = 0.01,
               .length = {1, 0.8, 1},
               .periodic = {true, true, false},
               .frozen = 0.1};
    for (int kind = 0; kind < 3; kind++) {
        bool moving = kind == 1, wide = kind == 2;
        scr_world w[2];
        scr_pairs p[2] = {{0}, {0}};
        scree_report report;
        scree_report_init(&report);
        for (int k = 0; k < 2; k++) {
            make_world(&w[k], &c, 5);
            add_floor(&w[k]);
            w[k].clock.dt = 1e-3;
            // some go through the others: the list that looks ahead holds more
            for (size_t i = 0; moving && i < 300; i++) v3_store(w[k].bodies.motion + 40 * i, v3(0.5, 0, 0));
        }
        CHECK(scr_bodies_tidy(&p[0], &w[0], (scr_tidy){.wrap = true, .sort = true}, &report) == SCREE_OK);
        memcpy(w[0].bodies.anchor, w[0].bodies.place, 4 * w[0].bodies.table.count * sizeof(double));
        CHECK(scr_pairs_build(&p[0], &w[0], &report) == SCREE_OK);
        size_t listed = p[0].count;
        for (int k = 0; k < 2 && wide; k++) CHECK(scr_contacts_widen(&w[k].contacts));
        for (int k = 0; k < 2; k++) CHECK(scr_pairs_adopt(&p[k], &w[k], &report) == SCREE_OK);
        CHECK(same_lists(&p[0], &p[1]));
        CHECK_INT(w[0].clock.rebuilds, w[1].clock.rebuilds);
        CHECK(!p[0].wide == !wide && !p[0].walls.wide == !wide);
        CHECK(moving ? p[0].count > listed : p[0].count == listed);
        for (int k = 0; k < 2; k++) scr_pairs_deinit(&p[k]), scr_world_deinit(&w[k]);
        scree_report_deinit(&report);
    }
}

// bodies leave through an open side: those that stay keep their contacts
static void test_removal(void)
{
    cloud c = {
        .count = 1000, .ratio = 3, .radius = 0.06, .skin = 0.01, .length = {1, 1, 1}, .periodic = {false, true, false}};
    scr_world w;
    scr_pairs p = {0};
    scree_report report;
    scree_report_init(&report);
    make_world(&w, &c, 9);
    w.domain.delete_escaped = true;
    CHECK(scr_pairs_adopt(&p, &w, &report) == SCREE_OK);
    mark(&p, &w);
    size_t wrong = 0;
    for (int k = 0; k < 10; k++) {
        drift(&w, v3(0.031, 0.04, 0));
        w.clock.step = SCR_LOOK_EVERY * (k + 1), w.clock.time += 1;
        CHECK(scr_pairs_are_due(&w));
        CHECK(scr_pairs_renew(&p, &w, &report) == SCREE_OK);
        size_t touching = 0;
        for (size_t i = 0; i < w.bodies.table.count; i++)
            for (size_t j = i + 1; j < w.bodies.table.count; j++) touching += overlaps(&w, i, j);
        followed f = follow(&p, &w);
        // overlaps of exactly zero may flip by rounding: none here
        CHECK_INT(f.found, touching);
        wrong += f.wrong;
        check_list(&p, &w);
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(w.clock.removed_count + (int64_t)w.bodies.table.count, 1000);
    CHECK(w.clock.removed_count > 200);
    scr_pairs_deinit(&p);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
}

/* ---- energy that leaves ---- */

// what the springs of a contact hold, by the laws of the manual
static double stored(const scr_law *law, double overlap, double radius, const double *h, const double *m)
{
    double a = scr_law_hertz_radius(law) ? sqrt(radius * overlap) : 1;
    double push = scr_law_hertz_radius(law) ? 0.4 : 0.5;
    double spring = law->kt * (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    spring += law->rolling_k * a * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    spring += law->twisting_k * a * radius * radius * m[3] * m[3];
    return push * law->kn * a * overlap * overlap + 0.5 * spring;
}

// contacts between bodies and with a floor, of which some lose one of their bodies, some both; how many vanish
static size_t check_released(bool hertz, uint64_t seed)
{
    enum { N = 14 };
    cloud c = {.count = N,
               .ratio = 3,
               .radius = 0.2,
               .skin = 0.01,
               .length = {0.5, 0.9, 0.4},
               .periodic = {false, true, false}};
    scr_random r = scr_random_stream(seed, 4);
    scr_world w;
    scr_pairs p = {0};
    scree_report report;
    scree_report_init(&report);
    make_world(&w, &c, seed);
    add_floor(&w);
    w.domain.delete_escaped = true;
    w.laws[0] = (scr_law){.kn = 3e4,
                          .kt = 2e4,
                          .mu = 0.5,
                          .normal = hertz,
                          .rolling = SCR_ROLLING_SDS,
                          .rolling_k = 7e3,
                          .rolling_mu = 0.3,
                          .twisting = SCR_TWISTING_SDS,
                          .twisting_k = 5e3,
                          .twisting_mu = 0.2};
    scr_contacts *q = &w.contacts;
    CHECK(scr_table_reserve(&q->table, N * N) && scr_contacts_widen(q));
    for (int32_t i = 0; i < N; i += 3) w.bodies.place[4 * i] = w.domain.upper.x + 0.001 * (i + 1);
    for (int32_t i = 0; i < N; i++)
        for (int32_t j = -1; j < N; j++) { // -1: the floor
            const double *x = w.bodies.place + 4 * i;
            bool meet = j < 0 ? x[2] - w.domain.lower.z < x[3] : j != i && overlaps(&w, (size_t)i, (size_t)j);
            // either may come first
            if (!meet || (j >= 0 && (i < j) == ((i + j) % 2 == 0))) continue;
            size_t k = q->table.count++;
            scr_contact_join(q, k, &w.bodies, (size_t)i, j);
            for (int d = 0; d < 4; d++) {
                q->history[4 * k + (size_t)d] = d < 3 ? scr_random_between(&r, -0.1, 0.1) : 0;
                q->wide[8 * k + (size_t)d] = scr_random_between(&r, -0.1, 0.1);
            }
        }
    double want = 0;
    size_t let_go = 0;
    for (size_t k = 0; k < q->table.count; k++) {
        size_t i = (size_t)q->row[2 * k];
        const double *x = w.bodies.place + 4 * i;
        double overlap = x[3] - (x[2] - w.domain.lower.z), radius = x[3];
        bool gone = i % 3 == 0;
        if (q->row[2 * k + 1] >= 0) {
            size_t j = (size_t)q->row[2 * k + 1];
            double other = w.bodies.place[4 * j + 3];
            overlap = x[3] + other - image_distance(&w, i, j);
            radius = x[3] * other / (x[3] + other);
            gone |= j % 3 == 0;
        }
        if (!gone) continue;
        let_go++;
        want += stored(&w.laws[0], overlap, radius, q->history + 4 * k, q->wide + 8 * k);
    }
    size_t before = q->table.count;
    CHECK(let_go > 0 && let_go < before);
    CHECK(scr_bodies_tidy(&p, &w, (scr_tidy){.leave = true, .springs = true}, &report) == SCREE_OK);
    CHECK_INT(q->table.count, before - let_go);
    CHECK_NEAR(SCR_ACCOUNT(&w.ledger, removed) / want, 1, 1e-12);
    scr_pairs_deinit(&p);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
    return let_go;
}

static void test_released(void)
{
    size_t released = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) released += check_released(seed % 2, seed);
    CHECK(released > 200);
}

/* ---- looking ahead ---- */

/* Bodies that go on as they do: within the horizon all that meet are listed. It ends after 32 steps at first, where two
 * have come nearer by a radius and half the skin, or so near that they could meet another image; where that is less
 * than eight steps, bodies are expected to rest. */
static void test_ahead(int axes, double speed)
{
    enum { N = 150 };
    const double large = 0.11, small = 0.02;
    const uint64_t seed = (uint64_t)axes + 1;
    cloud c = {.count = N,
               .ratio = 4,
               .radius = 0.05,
               .skin = 0.02,
               .length = {0.5, 0.6, 0.7},
               .periodic = {axes & 1, axes >> 1 & 1, axes >> 2}};
    scr_random r = scr_random_stream(seed, 5);
    scr_world w;
    scr_pairs p = {0};
    scree_report report;
    scree_report_init(&report);
    make_world(&w, &c, seed);
    for (size_t i = 0; i < N; i++) {
        w.bodies.place[4 * i + 3] = small; // all but one of them small
        for (size_t d = 0; d < 3; d++) w.bodies.motion[4 * i + d] = scr_random_between(&r, -speed, speed);
    }
    w.bodies.place[4 * 37 + 3] = large;
    w.clock.dt = 0.01;
    CHECK(scr_pairs_adopt(&p, &w, &report) == SCREE_OK);
    double room = small + 0.5 * c.skin, want = 32 * w.clock.dt, fastest = 0;
    double middle[3];
    for (size_t d = 0; d < 3; d++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < N; i++) {
            low = fmin(low, w.bodies.motion[4 * i + d]);
            high = fmax(high, w.bodies.motion[4 * i + d]);
        }
        middle[d] = 0.5 * (low + high);
    }
    for (size_t i = 0; i < N; i++)
        fastest = fmax(fastest, 2 * v3_norm(v3_sub(v3_load(w.bodies.motion + 4 * i), v3_load(middle))));
    for (int d = 0; d < 3; d++)
        if (c.periodic[d]) room = fmin(room, 0.5 * c.length[d] - 2 * large - c.skin);
    bool rests = room / fastest < fmin(want, 8 * w.clock.dt);
    want = rests ? 1e6 * w.clock.dt : fmin(want, room / fastest);
    double horizon = w.clock.horizon;
    CHECK_NEAR(horizon / want, 1, 1e-12);
    size_t missed = 0, met = 0;
    for (int k = 1; k <= 20; k++) {
        for (size_t i = 0; i < N; i++)
            for (size_t d = 0; d < 3; d++) {
                double u = w.bodies.motion[4 * i + d];
                if (w.bodies.drift[4 * i + d] == 0) u = 0; // it was expected to rest
                w.bodies.place[4 * i + d] = w.bodies.anchor[4 * i + d] + u * horizon * k / 20;
            }
        for (size_t i = 0; i < N; i++)
            for (size_t j = i + 1; j < N; j++) {
                if (!overlaps(&w, i, j)) continue;
                bool listed = false;
                for (size_t n = 0; n < p.count; n++)
                    listed |= (p.first[n] == i && p.second[n] == j) || (p.first[n] == j && p.second[n] == i);
                met++, missed += !listed;
            }
    }
    CHECK_INT(missed, 0);
    CHECK(met > 20);
    scr_pairs_deinit(&p);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
}

// halo slots: every pair's second body is reached through its row or a slot that belongs to it
static void check_sinks(const cloud *c)
{
    scr_world w;
    scr_pairs p = {0};
    scree_report report;
    scree_report_init(&report);
    make_world(&w, c, 21);
    CHECK(scr_pairs_adopt(&p, &w, &report) == SCREE_OK);
    size_t wrong = 0, halo = 0, n = w.bodies.table.count;
    for (size_t k = 0; k < p.count; k++) {
        size_t block = p.first[k] / SCR_BLOCK;
        bool inside = p.second[k] / SCR_BLOCK == block;
        wrong += k < p.block_pairs[block] || k >= p.block_pairs[block + 1];
        if (inside) {
            wrong += p.sink[k] != p.second[k];
            continue;
        }
        size_t slot = p.sink[k] - n;
        halo++;
        wrong += slot < p.block_halo[block] || slot >= p.block_halo[block + 1];
        wrong += p.halo_body[slot] != p.second[k];
    }
    CHECK_INT(wrong, 0);
    CHECK(halo > 100);
    scr_pairs_deinit(&p);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
}

static void test_sinks(void)
{
    cloud c = {
        .count = 3000, .ratio = 4, .radius = 0.04, .skin = 0.01, .length = {1, 1, 1}, .periodic = {true, true, true}};
    check_sinks(&c);
    // few bodies of a block meet many of others: slots are as many as pairs
    c = (cloud){.count = 2 * SCR_BLOCK + 300, .ratio = 1, .radius = 0.5, .skin = 0.1, .length = {0.4, 0.4, 0.4}};
    for (int movers = 3; movers < 100; movers *= 2) {
        c.frozen = 1 - (double)movers / c.count;
        check_sinks(&c);
    }
}

int main(void)
{
    scr_threads_set(1);
    test_sizes();
    test_few_cells();
    test_small_worlds();
    test_sparse();
    test_history(1);
    test_history(4);
    test_ready(1);
    test_ready(4);
    test_removal();
    test_released();
    for (int axes = 0; axes < 8; axes++)
        for (double speed = 0.005; speed < 2; speed *= 5) test_ahead(axes, speed);
    test_sinks();
    scr_threads_set(3); // blocks of one thread follow those of another
    test_sinks();
    test_removal();
    return check_done();
}
