/* A neighbour list is built in parallel: what one thread does alone is at most a tenth of the time on 16 threads.
 *
 * With p and s of serial_fixture.h the serial part of the build is s/(s + p/16).
 *
 * test_collide_serial GRAINS THREADS measures a build on so many threads instead: milliseconds of each pass in order,
 * and of what lies between them. */
#include "collide/pairs.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "serial_fixture.h"

enum { THREADS = 16 };

typedef struct {
    scr_world world;
    scr_pairs pairs;
    int side;
} bed;

// a body-centred cubic bed in a periodic box: each grain touches eight others
static void make(bed *b, int side)
{
    scr_world *w = &b->world;
    *b = (bed){.side = side};
    scr_world_init(w);
    size_t n = 2 * (size_t)side * (size_t)side * (size_t)side;
    CHECK(scr_table_reserve(&w->bodies.table, n));
    w->domain.upper = v3(side, side, side);
    for (int d = 0; d < 3; d++) w->domain.periodic[d] = true;
    w->domain.delete_escaped = true;
    w->clock.skin = 0.05, w->clock.dt = 1e-3, w->clock.curve = 0.87;
    w->material_count = 1;
    w->materials = calloc(1, sizeof *w->materials);
    w->laws = scr_memory_new(1, sizeof *w->laws);
    scr_random random = scr_random_stream(1, 0);
    for (size_t k = 0; k < n; k++) {
        size_t site = k / 2, i = w->bodies.table.count++;
        double *x = w->bodies.place + 4 * i, shift = 0.25 + 0.5 * (double)(k % 2);
        x[0] = (double)(site % (size_t)side) + shift;
        x[1] = (double)(site / (size_t)side % (size_t)side) + shift;
        x[2] = (double)(site / (size_t)side / (size_t)side) + shift;
        x[3] = 0.435;
        for (int d = 0; d < 3; d++) w->bodies.motion[4 * i + d] = scr_random_between(&random, -1, 1);
        w->bodies.motion[4 * i + 3] = 1;
        w->bodies.id[i] = (int64_t)(k * 7919 % n) + 1;
    }
}

static void drop(bed *b)
{
    scr_pairs_deinit(&b->pairs);
    scr_world_deinit(&b->world);
}

// all pairs that overlap are in contact, as after a step
static void touch(bed *b)
{
    scr_images m = scr_images_of(&b->world.domain);
    scr_pairs *p = &b->pairs;
    for (size_t k = 0; k < p->count; k++) {
        const double *x = b->world.bodies.place + 4 * (size_t)p->first[k];
        const double *y = b->world.bodies.place + 4 * (size_t)p->second[k];
        double d2 = 0;
        for (int d = 0; d < 3; d++) d2 += pow(scr_nearest_image(&m, d, x[d] - y[d]), 2);
        p->touch[k] = d2 < pow(x[3] + y[3], 2);
        p->history[4 * k] = (double)k;
    }
}

/* The ways to a new list. */
typedef enum { REFRESH, SORT, LEAVE, WAYS } way;
static const char *const names[WAYS] = {"in the middle of a step", "with a sort", "with grains that leave"};

static scree_status build(bed *b, way how)
{
    scr_world *w = &b->world;
    scree_report report;
    scree_report_init(&report);
    // one in two thousand is outside of the box, which it may leave upwards then; what is done for each of those that
    // leave and their contacts, one after the other, counts as serial
    w->domain.periodic[2] = how != LEAVE;
    for (size_t i = 0; how == LEAVE && i < w->bodies.table.count; i += 2000) w->bodies.place[4 * i + 2] = b->side + 1;
    w->clock.step = how == SORT ? SCR_SORT_EVERY : SCR_LOOK_EVERY;
    scree_status status =
        how == REFRESH ? scr_pairs_refresh(&b->pairs, w, &report) : scr_pairs_renew(&b->pairs, w, &report);
    scree_report_deinit(&report);
    return status;
}

// seconds of a new list: the best of some, each from the same state
static serial_cost measure(int side, way how, int threads)
{
    serial_cost best = {INFINITY, INFINITY};
    scr_threads_set(threads);
    bed b;
    make(&b, side);
    scree_report report;
    scree_report_init(&report);
    CHECK(scr_pairs_adopt(&b.pairs, &b.world, &report) == SCREE_OK);
    scree_report_deinit(&report);
    // the first finds no arrays
    for (int round = 0; round < 4; round++) {
        touch(&b);
        serial_start();
        CHECK(build(&b, how) == SCREE_OK);
        serial_cost c = serial_since_start();
        if (round == 0) continue;
        best.inside = fmin(best.inside, c.inside), best.outside = fmin(best.outside, c.outside);
    }
    drop(&b);
    return best;
}

static void check_way(way how)
{
    double p = measure(37, how, 1).inside, s = measure(37, how, THREADS).outside, share = s / (s + p / THREADS);
    printf("%s: %.2f ms in parallel passes on one thread, %.3f ms outside of them: %.1f %% on %d threads\n", names[how],
           1e3 * p, 1e3 * s, 100 * share, THREADS);
    CHECK(share < 0.1);
}

static int show(int grains, int threads)
{
    serial.used = CLOCK_MONOTONIC;
    int side = (int)ceil(cbrt(grains / 2.0));
    for (way how = 0; how < WAYS; how++) {
        double one = measure(side, how, 1).inside;
        serial_cost c = measure(side, how, threads);
        printf("%s, %d grains, %d threads: %.2f ms, serial %.3f ms (%.1f %%); parallel passes %.2f times one thread\n",
               names[how], 2 * side * side * side, threads, 1e3 * (c.inside + c.outside), 1e3 * c.outside,
               100 * c.outside / (c.inside + c.outside), one / c.inside);
        for (int k = 0; k < serial.passes; k++) printf(" %.3f [%.3f]", 1e3 * serial.gap[k], 1e3 * serial.pass[k]);
        printf("\n");
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3) return show(atoi(argv[1]), atoi(argv[2]));
    for (way how = 0; how < WAYS; how++) check_way(how);
    return check_done();
}
