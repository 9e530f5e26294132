/* The graph of contacts within aggregates: links, levels and rows without support, against a search over the whole
 * graph, while edges come and go at random. */
#include "reduce/frozen.h"

#include <stdlib.h>

#include "base/random.h"
#include "check.h"

enum { MOST_EDGES = 4096 };

/* The same graph, as plain lists. */
typedef struct {
    uint32_t rows;
    struct {
        uint32_t end[2], number; /* number in the graph under test */
        bool joins, there;
    } edges[MOST_EDGES];
    int used;
    bool *member, *fixed;
} plain;

static uint32_t below(scr_random *r, uint32_t n)
{
    return (uint32_t)(scr_random_unit(r) * n);
}

/* ---- brute force ---- */

static uint32_t root_of(uint32_t *parent, uint32_t row)
{
    while (parent[row] != row) row = parent[row] = parent[parent[row]];
    return row;
}

// members that hang together with a wall or a row that never moves; row `rows` stands for both
static void find_carried(const plain *p, bool *carried)
{
    uint32_t *parent = malloc((p->rows + 1) * sizeof *parent);
    for (uint32_t k = 0; k <= p->rows; k++) parent[k] = k;
    for (uint32_t k = 0; k < p->rows; k++)
        if (p->fixed[k]) parent[root_of(parent, k)] = root_of(parent, p->rows);
    for (int e = 0; e < p->used; e++) {
        if (!p->edges[e].there || !p->edges[e].joins) continue;
        uint32_t a = p->edges[e].end[0], b = p->edges[e].end[1];
        if (b & SCR_FROZEN_WALL) b = p->rows;
        parent[root_of(parent, a)] = root_of(parent, b);
    }
    for (uint32_t k = 0; k < p->rows; k++) carried[k] = root_of(parent, k) == root_of(parent, p->rows);
    free(parent);
}

/* ---- both graphs change alike ---- */

static void add_edge(scr_frozen *f, plain *p, uint32_t a, uint32_t b, bool joins)
{
    if (p->used == MOST_EDGES || a == b) return;
    scr_frozen_edge edge = {.end = {a < b ? a : b, a < b ? b : a}, .joins = joins, .ln = p->used + 1};
    uint32_t number = scr_frozen_add(f, &edge);
    CHECK(number != SCR_FROZEN_NONE);
    p->edges[p->used].end[0] = edge.end[0];
    p->edges[p->used].end[1] = edge.end[1];
    p->edges[p->used].number = number;
    p->edges[p->used].joins = joins;
    p->edges[p->used++].there = true;
}

// a row leaves its aggregate: its edges go, and their other ends have lost one
static size_t take_row(scr_frozen *f, plain *p, uint32_t row, uint32_t *lost, size_t count)
{
    for (int e = 0; e < p->used; e++) {
        if (!p->edges[e].there || (p->edges[e].end[0] != row && p->edges[e].end[1] != row)) continue;
        uint32_t other = p->edges[e].end[p->edges[e].end[0] == row];
        if (!(other & SCR_FROZEN_WALL)) lost[count++] = other;
        scr_frozen_remove(f, p->edges[e].number);
        p->edges[e].there = false;
    }
    f->level[row] = -1;
    p->member[row] = false;
    return count;
}

// each edge is in the lists of its rows once, with what was put into it
static bool same_links(const scr_frozen *f, const plain *p)
{
    size_t there = 0, linked = 0, ends = 0;
    for (int e = 0; e < p->used; e++) {
        if (!p->edges[e].there) continue;
        const scr_frozen_edge *edge = &f->edges[p->edges[e].number];
        there++;
        ends += p->edges[e].end[1] & SCR_FROZEN_WALL ? 1 : 2;
        if (edge->ln != e + 1 || edge->end[0] != p->edges[e].end[0] || edge->end[1] != p->edges[e].end[1]) return false;
    }
    for (uint32_t row = 0; row < p->rows; row++)
        for (uint32_t e = f->first[row]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, row)) {
            linked++;
            if (f->edges[e].end[0] != row && f->edges[e].end[1] != row) return false;
            if (linked > ends) return false;
        }
    return there == f->count && linked == ends;
}

// who is carried has a neighbour of a smaller level, a wall or a row that never moves
static bool good_levels(const scr_frozen *f, const plain *p)
{
    for (uint32_t row = 0; row < p->rows; row++) {
        if (f->mark[row]) return false;
        if (!p->member[row] || p->fixed[row]) continue;
        bool good = false;
        for (uint32_t e = f->first[row]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, row)) {
            uint32_t other = scr_frozen_other(f, e, row);
            if (!f->edges[e].joins) continue;
            good |= (other & SCR_FROZEN_WALL) != 0 || (f->level[other] >= 0 && f->level[other] < f->level[row]);
        }
        if (!good) return false;
    }
    return true;
}

// the orphans are exactly the members that nothing carries
static bool same_orphans(const scr_frozen *f, const plain *p, size_t count)
{
    bool *carried = calloc(p->rows, sizeof *carried), *told = calloc(p->rows, sizeof *told);
    bool same = true;
    find_carried(p, carried);
    for (size_t n = 0; n < count; n++) {
        same &= f->orphans[n] < p->rows && !told[f->orphans[n]];
        told[f->orphans[n]] = true;
    }
    for (uint32_t k = 0; k < p->rows; k++) same &= told[k] == (p->member[k] && !p->fixed[k] && !carried[k]);
    free(carried);
    free(told);
    return same;
}

/* ---- tests ---- */

typedef struct {
    uint32_t rows;
    double edges;    /* per row */
    double walls;    /* part of the rows that touch one */
    double fixed;    /* part of the rows that never move */
    double joins;    /* part of the edges that join */
    uint32_t stride; /* edges go to rows at most so far away: chains and sheets; 0: anywhere */
} kind;

static void make(scr_frozen *f, plain *p, const kind *c, scr_random *r)
{
    *p = (plain){.rows = c->rows};
    p->member = malloc(c->rows * sizeof *p->member);
    p->fixed = calloc(c->rows, sizeof *p->fixed);
    CHECK(scr_frozen_reserve(f, c->rows));
    scr_frozen_clear(f);
    for (uint32_t k = 0; k < c->rows; k++) {
        p->member[k] = true;
        p->fixed[k] = scr_random_unit(r) < c->fixed;
        f->level[k] = p->fixed[k] ? 0 : 1;
        if (scr_random_unit(r) < c->walls)
            add_edge(f, p, k, SCR_FROZEN_WALL | below(r, 5), scr_random_unit(r) < c->joins);
    }
    for (int n = 0; n < (int)(c->edges * c->rows); n++) {
        uint32_t a = below(r, c->rows);
        uint32_t b = c->stride ? a + 1 + below(r, c->stride) : below(r, c->rows);
        add_edge(f, p, a, b % c->rows, scr_random_unit(r) < c->joins);
    }
}

static void drop_orphans(scr_frozen *f, plain *p, size_t count)
{
    uint32_t *rows = malloc((count + 1) * sizeof *rows), lost[2 * MOST_EDGES];
    for (size_t n = 0; n < count; n++) rows[n] = f->orphans[n];
    for (size_t n = 0; n < count; n++) take_row(f, p, rows[n], lost, 0);
    free(rows);
}

// a few rows leave at a time; some come back with new edges
static void test_graph(const kind *c, uint64_t seed)
{
    scr_frozen f = {0};
    static plain p;
    scr_random r = scr_random_stream(seed, 7);
    bool links = true, levels = true, orphans = true;
    make(&f, &p, c, &r);
    size_t count;
    CHECK(scr_frozen_level_all(&f, &count));
    CHECK(same_orphans(&f, &p, count));
    drop_orphans(&f, &p, count);
    CHECK(good_levels(&f, &p));
    for (int round = 0; round < 60; round++) {
        uint32_t lost[2 * MOST_EDGES];
        size_t n = 0;
        for (uint32_t k = 1 + below(&r, 3); k > 0; k--) {
            uint32_t row = below(&r, c->rows);
            if (p.member[row] && !p.fixed[row]) n = take_row(&f, &p, row, lost, n);
        }
        CHECK(scr_frozen_unsupported(&f, lost, n, &count));
        orphans &= same_orphans(&f, &p, count);
        drop_orphans(&f, &p, count);
        // someone who is free comes to rest on a member
        for (uint32_t k = below(&r, 6); k > 0; k--) {
            uint32_t row = below(&r, c->rows), on = below(&r, c->rows);
            if (p.member[row] || !p.member[on]) continue;
            p.member[row] = true;
            f.level[row] = f.level[on] + 1;
            add_edge(&f, &p, row, on, true);
            uint32_t beside = below(&r, c->rows);
            if (p.member[beside]) add_edge(&f, &p, row, beside, scr_random_unit(&r) < c->joins);
        }
        links &= same_links(&f, &p);
        levels &= good_levels(&f, &p);
    }
    CHECK(links);
    CHECK(levels);
    CHECK(orphans);
    free(p.member);
    free(p.fixed);
    scr_frozen_deinit(&f);
}

// a chain hangs on its first row: it falls with it; a ring that is cut holds by the other end
static void test_chain(void)
{
    enum { N = 500 };
    scr_frozen f = {0};
    size_t count;
    CHECK(scr_frozen_reserve(&f, N));
    uint32_t wall = SCR_FROZEN_NONE;
    for (uint32_t k = 0; k < N; k++) {
        scr_frozen_edge edge = {.end = {k, k + 1}, .joins = true};
        f.level[k] = (int32_t)k + 1;
        if (k + 1 < N) CHECK(scr_frozen_add(&f, &edge) != SCR_FROZEN_NONE);
        if (k == 0) {
            edge.end[1] = SCR_FROZEN_WALL | 3;
            wall = scr_frozen_add(&f, &edge);
        }
    }
    scr_frozen_edge back = {.end = {N - 1, SCR_FROZEN_WALL | 4}, .joins = true};
    uint32_t other = scr_frozen_add(&f, &back);
    scr_frozen_remove(&f, wall);
    CHECK(scr_frozen_unsupported(&f, (uint32_t[]){0}, 1, &count));
    CHECK_INT(count, 0);
    CHECK(f.level[0] > f.level[1]); // it hangs on the other end now
    scr_frozen_remove(&f, other);
    CHECK(scr_frozen_unsupported(&f, (uint32_t[]){N - 1}, 1, &count));
    CHECK_INT(count, N);
    // a contact that does not join holds nothing
    back.joins = false;
    scr_frozen_add(&f, &back);
    for (int k = 0; k < N; k++) f.level[k] = 1;
    CHECK(scr_frozen_level_all(&f, &count));
    CHECK_INT(count, N);
    scr_frozen_deinit(&f);
}

// a row gets another number: edges keep their order of ends, and impulses act on the second one
static void test_move(void)
{
    scr_frozen f = {0};
    CHECK(scr_frozen_reserve(&f, 10));
    scr_frozen_edge low = {.end = {2, 7}, .joins = true, .ln = 1, .lt = v3(1, 2, 3), .lr = v3(4, 5, 6)};
    scr_frozen_edge wall = {.end = {7, SCR_FROZEN_WALL | 3}, .joins = true, .ln = 2, .lt = v3(1, 2, 3)};
    scr_frozen_edge high = {.end = {7, 9}, .joins = true, .ln = 3, .lt = v3(1, 2, 3)};
    uint32_t a = scr_frozen_add(&f, &low), b = scr_frozen_add(&f, &wall), c = scr_frozen_add(&f, &high);
    f.level[7] = 1, f.level[2] = f.level[9] = 2;
    scr_frozen_move(&f, 7, 1);
    CHECK_INT(f.level[1], 1);
    CHECK_INT(f.level[7], -1);
    CHECK(f.first[7] == SCR_FROZEN_NONE);
    CHECK(f.edges[a].end[0] == 1 && f.edges[a].end[1] == 2);
    CHECK(f.edges[a].ln == 1 && f.edges[a].lt.y == -2 && f.edges[a].lr.z == -6);
    CHECK(f.edges[b].end[0] == 1 && f.edges[b].end[1] == (SCR_FROZEN_WALL | 3) && f.edges[b].lt.x == 1);
    CHECK(f.edges[c].end[0] == 1 && f.edges[c].end[1] == 9 && f.edges[c].lt.x == 1);
    double sum = 0;
    for (uint32_t e = f.first[1]; e != SCR_FROZEN_NONE; e = scr_frozen_next(&f, e, 1)) sum += f.edges[e].ln;
    CHECK_NEAR(sum, 6, 0);
    CHECK(f.first[2] == a && scr_frozen_next(&f, a, 2) == SCR_FROZEN_NONE);
    CHECK(f.first[9] == c && scr_frozen_next(&f, c, 9) == SCR_FROZEN_NONE);
    // both hang on the row that touches the wall
    size_t orphans;
    scr_frozen_remove(&f, b);
    CHECK(scr_frozen_unsupported(&f, &(uint32_t){1}, 1, &orphans));
    CHECK_INT((int)orphans, 3);
    scr_frozen_deinit(&f);
}

int main(void)
{
    test_move();
    const kind kinds[] = {
        {.rows = 1, .walls = 1, .joins = 1},
        {.rows = 40, .edges = 1, .walls = 0.1, .joins = 0.9},
        {.rows = 200, .edges = 1.2, .walls = 0.05, .joins = 0.8, .stride = 4},
        {.rows = 300, .edges = 2, .walls = 0.02, .joins = 0.7},
        {.rows = 400, .edges = 1.1, .walls = 0.01, .joins = 1, .stride = 2},
        {.rows = 300, .edges = 1.5, .fixed = 0.05, .joins = 0.9, .stride = 12},
        {.rows = 250, .edges = 3, .walls = 0.1, .fixed = 0.02, .joins = 0.5},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint64_t seed = 1; seed <= 8; seed++) test_graph(&kinds[k], seed);
    test_chain();
    return check_done();
}
