/* Contacts that stay in the list (collide/stay.h): packing, spreading and other rows beside plain copies, for lists of
 * many windows and any number of threads. */
#include "collide/stay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/random.h"
#include "check.h"
#include "exec/cpu/threads.h"

#define ROOM 200000

/* Plain copies of what should be there. */
typedef struct {
    uint32_t first[ROOM], second[ROOM], to[ROOM];
    double history[ROOM][4];
    size_t count;
} plain;

static void make_list(scr_pairs *p, size_t count, double touching, scr_random *random, plain *want)
{
    p->count = count;
    want->count = 0;
    for (size_t k = 0; k < count; k++) {
        p->first[k] = (uint32_t)(k / 4), p->second[k] = (uint32_t)(scr_random_bits(random) >> 40);
        p->touch[k] = scr_random_unit(random) < touching;
        for (int d = 0; d < 4; d++) p->history[4 * k + (size_t)d] = scr_random_unit(random);
        if (!p->touch[k]) continue;
        want->first[want->count] = p->first[k], want->second[want->count] = p->second[k];
        memcpy(want->history[want->count++], p->history + 4 * k, 32);
    }
}

static void check_packed(const scr_pairs *p, const plain *want)
{
    CHECK(p->stay);
    CHECK_INT(p->packed, want->count);
    CHECK(!memcmp(p->first, want->first, want->count * sizeof *p->first));
    CHECK(!memcmp(p->second, want->second, want->count * sizeof *p->second));
    CHECK(!memcmp(p->history, want->history, want->count * sizeof *want->history));
}

// places in a new list, some contacts after `gap` pairs that do not touch, some in none
static bool make_places(scr_pairs *p, double gap, double lost, scr_random *random, plain *want)
{
    size_t at = 0;
    bool gone = false;
    for (size_t k = 0; k < want->count; k++) {
        bool goes = scr_random_unit(random) < lost;
        if (!goes) at += (size_t)(2 * gap * scr_random_unit(random));
        want->to[k] = p->sink[k] = goes ? SCR_STAY_GONE : (uint32_t)at++;
        gone |= goes;
    }
    p->count = at + 1000;
    CHECK(p->count < ROOM);
    return gone;
}

static void check_spread(const scr_pairs *p, const plain *want)
{
    static const double zero[4];
    size_t wrong = 0, next = 0;
    for (size_t k = 0; k < want->count; k++) {
        if (want->to[k] == SCR_STAY_GONE) continue;
        for (; next < want->to[k]; next++) wrong += p->touch[next] || memcmp(p->history + 4 * next, zero, 32) != 0;
        wrong += !p->touch[next] || memcmp(p->history + 4 * next, want->history[k], 32) != 0;
        next++;
    }
    for (; next < p->count; next++) wrong += p->touch[next] || memcmp(p->history + 4 * next, zero, 32) != 0;
    CHECK_INT(wrong, 0);
}

static void test_stay(scr_pairs *p, plain *want, size_t count, double touching, double gap, double lost)
{
    scr_random random = scr_random_stream(count, (uint64_t)(1e3 * touching));
    make_list(p, count, touching, &random, want);
    scr_stay_pack(p);
    check_packed(p, want);
    bool gone = make_places(p, gap, lost, &random, want);
    scr_stay_spread(p, gone);
    check_spread(p, want);
}

/* ---- bodies that change rows ---- */

typedef struct {
    uint32_t first, second;
    double history[4];
} contact;

static int by_rows(const void *a, const void *b)
{
    const contact *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

static void shuffle(uint32_t *rows, size_t count, scr_random *random)
{
    for (size_t k = 0; k < count; k++) rows[k] = (uint32_t)k;
    for (size_t k = count; k > 1; k--) {
        size_t at = (size_t)((double)k * scr_random_unit(random));
        uint32_t row = rows[k - 1];
        rows[k - 1] = rows[at], rows[at] = row;
    }
}

// contacts of each body with the `each` next ones, radii of three size classes, all rows exchanged
static void test_move(scr_pairs *p, size_t bodies, size_t each)
{
    scr_random random = scr_random_stream(bodies, each);
    uint32_t *new_row = malloc(bodies * sizeof *new_row);
    contact *want = malloc(bodies * each * sizeof *want);
    scr_world w;
    scr_world_init(&w);
    CHECK(new_row && want && scr_table_reserve(&w.bodies.table, bodies));
    w.bodies.table.count = bodies;
    for (size_t i = 0; i < bodies; i++) w.bodies.place[4 * i + 3] = ldexp(1 + scr_random_unit(&random), (int)(i % 3));
    shuffle(new_row, bodies, &random);
    size_t n = 0, flips = 0, wrong = 0;
    for (size_t i = 0; i < bodies; i++)
        for (size_t k = 1; k <= each && i + k < bodies; k++, n++) {
            const double ri = w.bodies.place[4 * i + 3], rj = w.bodies.place[4 * (i + k) + 3];
            bool same = scr_is_first(ri, (uint32_t)i, rj, (uint32_t)(i + k));
            uint32_t a = (uint32_t)(same ? i : i + k), b = (uint32_t)(same ? i + k : i);
            p->first[n] = a, p->second[n] = b;
            bool stays = scr_is_first(same ? ri : rj, new_row[a], same ? rj : ri, new_row[b]);
            want[n] = (contact){new_row[stays ? a : b], new_row[stays ? b : a], {0}};
            for (int d = 0; d < 4; d++) {
                double h = p->history[4 * n + (size_t)d] = scr_random_unit(&random);
                want[n].history[d] = stays || d == 3 ? h : -h;
            }
            flips += !stays;
        }
    p->packed = n;
    qsort(want, n, sizeof *want, by_rows);
    CHECK(scr_stay_move(p, &w, new_row));
    for (size_t k = 0; k < n; k++)
        wrong += p->first[k] != want[k].first || p->second[k] != want[k].second ||
                 memcmp(p->history + 4 * k, want[k].history, 32) != 0;
    CHECK_INT(wrong, 0);
    CHECK(n < 2 || flips > 0);
    free(new_row), free(want);
    scr_world_deinit(&w);
}

int main(void)
{
    scr_pairs p = {0};
    plain *want = malloc(sizeof *want);
    if (!want || !scr_reserve_each(SCR_ROOM(p.first, ROOM), SCR_ROOM(p.second, ROOM), SCR_ROOM(p.sink, ROOM),
                                   SCR_ROOM(p.touch, ROOM), SCR_ROOM(p.history, 4 * ROOM)))
        return 1;
    for (int threads = 1; threads <= 5; threads += 2) {
        scr_threads_set(threads);
        test_stay(&p, want, 0, 0, 0, 0);
        test_stay(&p, want, 100, 0, 0, 0);
        test_stay(&p, want, 2048, 1, 0, 0);
        test_stay(&p, want, 2049, 0.5, 0.5, 0);
        test_stay(&p, want, 60000, 0.9, 0.6, 0);
        test_stay(&p, want, 60000, 0.05, 9, 0);
        test_stay(&p, want, 100000, 1, 0, 0);
        // nobody touches any more, and some
        test_stay(&p, want, 60000, 0.5, 0.6, 1);
        test_stay(&p, want, 60000, 0.9, 0.6, 0.3);
        // with room for the scratch in the anchors, and without
        test_move(&p, 20000, 3);
        test_move(&p, 15000, 7);
        test_move(&p, 1, 1);
    }
    free(want);
    scr_pairs_deinit(&p);
    return check_done();
}
