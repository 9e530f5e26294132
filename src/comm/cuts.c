/* Where the curve is cut between two sorts, when rows stay: at borders of blocks, so that the fullest rank has as
 * little as possible.
 *
 * The costs of all blocks are known to all ranks. The least bound that no rank has to exceed is found by bisection:
 * ranks filled one after the other, each as far as it goes, must hold all blocks. Within it each cut is as near as
 * possible to an equal share of what is left. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "comm/share.h"

#define UNEVEN 1.03 /* the fullest rank over the mean: less is not worth a new list */
#define GAIN   0.97 /* the fullest rank then over now: it must be worth it */

static void need(bool room)
{
    scr_comm_need(room, "cuts between ranks");
}

/* Blocks of all ranks in the order of rows. */
typedef struct {
    uint64_t *row;   /* that each begins with; a buffer */
    uint64_t *below; /* cost of those before each, and of all: count + 1; a buffer */
    size_t count, ranks;
} chain;

// the first border from `from` on beyond which there would be more than `most`: blocks up to there fit
static size_t fill(const chain *c, size_t from, uint64_t most)
{
    size_t low = from, high = c->count;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (c->below[middle] - c->below[from] <= most)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static bool all_fit(const chain *c, uint64_t most)
{
    size_t at = 0;
    for (size_t r = 0; r < c->ranks && at < c->count; r++) at = fill(c, at, most);
    return at == c->count;
}

// the least that the fullest rank can have
static uint64_t least_bound(const chain *c)
{
    uint64_t high = c->below[c->count], low = high / c->ranks;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (all_fit(c, middle))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

// for each rank the first border at which it may begin: what follows fits into it and those behind it
static void earliest(const chain *c, uint64_t most, size_t *first)
{
    size_t at = c->count;
    for (size_t r = c->ranks; r-- > 0; first[r] = at)
        while (at > 0 && c->below[r + 1 < c->ranks ? first[r + 1] : c->count] - c->below[at - 1] <= most) at--;
}

// the border nearest to this cost
static size_t nearest(const chain *c, uint64_t cost)
{
    size_t at = fill(c, 0, cost);
    return at < c->count && c->below[at + 1] - cost < cost - c->below[at] ? at + 1 : at;
}

// borders where ranks begin, and the end; the most that one of them has
static uint64_t place_cuts(const chain *c, size_t *cut)
{
    uint64_t bound = least_bound(c), most = 0;
    size_t *first = NULL;
    need(scr_reserve(&first, c->ranks));
    earliest(c, bound, first);
    cut[0] = 0, cut[c->ranks] = c->count;
    for (size_t r = 1; r <= c->ranks; r++) {
        uint64_t before = c->below[cut[r - 1]], left = c->below[c->count] - before;
        size_t last = fill(c, cut[r - 1], bound), want = nearest(c, before + left / (c->ranks - r + 1));
        if (r < c->ranks) cut[r] = want > last ? last : want < first[r] ? first[r] : want;
        most = c->below[cut[r]] - before > most ? c->below[cut[r]] - before : most;
    }
    scr_buffer_free(first);
    return most;
}

static chain chain_of(scr_share *s)
{
    chain c = {.ranks = (size_t)s->comm->size};
    uint64_t *cost = NULL;
    c.count = scr_share_collect_all(s, s->block_row, s->cost_count, sizeof *c.row, &c.row);
    scr_share_collect_all(s, s->block_cost, s->cost_count, sizeof *cost, &cost);
    need(scr_reserve(&c.below, c.count + 1));
    for (size_t b = 0; b < c.count; b++) c.below[b + 1] = c.below[b] + cost[b];
    scr_buffer_free(cost);
    return c;
}

// whether the fullest rank would have so much less that a new list is worth it; then share->next says where to cut
static bool choose_cuts(scr_share *s, uint64_t most)
{
    chain c = chain_of(s);
    size_t *cut = NULL;
    need(scr_reserve(&cut, c.ranks + 1) && scr_reserve(&s->next, c.ranks + 1));
    bool worth = (double)place_cuts(&c, cut) < GAIN * (double)most;
    for (size_t r = 0; r <= c.ranks; r++) s->next[r] = cut[r] < c.count ? c.row[cut[r]] : s->first[c.ranks];
    scr_free_all(c.row, c.below, cut);
    return worth;
}

bool scr_share_cut_is_due(scr_share *s)
{
    size_t size = (size_t)s->comm->size;
    uint64_t own = 0;
    for (size_t b = 0; b < s->cost_count; b++) own += s->block_cost[b];
    int64_t sum = (int64_t)own;
    double most = (double)own;
    scr_comm_add(s->comm, &sum, 1);
    scr_comm_most(s->comm, &most, 1);
    s->recut = most * (double)size > UNEVEN * (double)sum && choose_cuts(s, (uint64_t)most);
    return s->recut;
}
