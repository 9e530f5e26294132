#include "collide/stay.h"

#include <string.h>

#include "base/buffer.h"
#include "collide/bins.h"
#include "exec/cpu/threads.h"
#include "exec/reduce.h"

#define CHUNK 2048 /* pairs that a thread takes at once */

typedef struct {
    scr_pairs *pairs;
    size_t chunks;
    scr_barrier barrier;
} staying;

static size_t end_of(size_t chunk, size_t count)
{
    return (chunk + 1) * CHUNK < count ? (chunk + 1) * CHUNK : count;
}

/* ---- packing ---- */

static void count_chunk(void *context, size_t chunk)
{
    const staying *s = context;
    scr_pairs *p = s->pairs;
    uint32_t n = 0;
    for (size_t k = chunk * CHUNK; k < end_of(chunk, p->count); k++) n += p->touch[k];
    p->sink[chunk + 1] = n;
}

/* A chunk that was read and is not yet written. */
typedef struct {
    double history[CHUNK][4];
    uint32_t first[CHUNK], second[CHUNK];
    size_t count;
} taken;

static void take(const scr_pairs *p, size_t chunk, taken *t)
{
    t->count = 0;
    for (size_t k = chunk * CHUNK; k < end_of(chunk, p->count); k++) {
        if (!p->touch[k]) continue;
        t->first[t->count] = p->first[k], t->second[t->count] = p->second[k];
        memcpy(t->history[t->count++], p->history + 4 * k, sizeof *t->history);
    }
}

static void put(scr_pairs *p, size_t start, const taken *t)
{
    memcpy(p->first + start, t->first, t->count * sizeof *t->first);
    memcpy(p->second + start, t->second, t->count * sizeof *t->second);
    memcpy(p->history + 4 * start, t->history, t->count * sizeof *t->history);
}

static void pack(void *context, int thread, int threads)
{
    staying *s = context;
    taken t;
    for (size_t window = 0; window < s->chunks; window += (size_t)threads) {
        size_t chunk = window + (size_t)thread;
        bool any = chunk < s->chunks;
        if (any) take(s->pairs, chunk, &t);
        scr_barrier_wait(&s->barrier, threads);
        if (any) put(s->pairs, s->pairs->sink[chunk], &t);
    }
}

void scr_stay_pack(scr_pairs *p)
{
    staying s = {.pairs = p, .chunks = (p->count + CHUNK - 1) / CHUNK};
    p->stay = true, p->packed = 0;
    if (!p->count) return;
    // sinks are of no use any more
    uint32_t *start = p->sink;
    start[0] = 0;
    scr_each(s.chunks, NULL, count_chunk, &s);
    for (size_t c = 0; c < s.chunks; c++) start[c + 1] += start[c];
    p->packed = start[s.chunks];
    scr_team((int)(s.chunks < 1024 ? s.chunks : 1024), pack, &s);
}

/* ---- into other rows ---- */

/* Packed contacts on their way: order[k] is the one that becomes number k. */
typedef struct {
    scr_pairs *pairs;
    const double *place; /* of bodies in their old rows */
    const uint32_t *new_row;
    const uint32_t *order;
    uint64_t *scratch; /* one for each */
    int axis;          /* of the histories */
} move;

// which comes first by the new rows
static void renumber_packed(void *context, size_t from, size_t to)
{
    const move *m = context;
    scr_pairs *p = m->pairs;
    for (size_t k = from; k < to; k++) {
        size_t i = p->first[k], j = p->second[k];
        uint32_t a = m->new_row[i], b = m->new_row[j];
        bool same = scr_is_first(m->place[4 * i + 3], a, m->place[4 * j + 3], b);
        p->first[k] = same ? a : b, p->second[k] = same ? b : a;
        for (int d = 0; d < 3 && !same; d++) p->history[4 * k + (size_t)d] = -p->history[4 * k + (size_t)d];
    }
}

static uint32_t first_of_packed(const void *first, uint32_t contact)
{
    return ((const uint32_t *)first)[contact];
}

// contacts of one first body in the order of the second
static void sort_packed(void *context, size_t from, size_t to)
{
    scr_pairs *p = context;
    const uint32_t *second = p->second;
    for (size_t i = from; i < to; i++)
        for (uint32_t k = p->row_start[i] + 1; k < p->row_start[i + 1]; k++) {
            uint32_t one = p->sink[k], at = k;
            for (; at > p->row_start[i] && second[p->sink[at - 1]] > second[one]; at--) p->sink[at] = p->sink[at - 1];
            p->sink[at] = one;
        }
}

static void gather_rows(void *context, size_t from, size_t to)
{
    const move *m = context;
    const scr_pairs *p = m->pairs;
    for (size_t k = from; k < to; k++) m->scratch[k] = (uint64_t)p->second[m->order[k]] << 32 | p->first[m->order[k]];
}

static void return_rows(void *context, size_t from, size_t to)
{
    const move *m = context;
    for (size_t k = from; k < to; k++)
        m->pairs->first[k] = (uint32_t)m->scratch[k], m->pairs->second[k] = (uint32_t)(m->scratch[k] >> 32);
}

static void gather_history(void *context, size_t from, size_t to)
{
    const move *m = context;
    const double *h = m->pairs->history + m->axis;
    for (size_t k = from; k < to; k++) memcpy(&m->scratch[k], h + 4 * (size_t)m->order[k], sizeof *h);
}

static void return_history(void *context, size_t from, size_t to)
{
    const move *m = context;
    double *h = m->pairs->history + m->axis;
    for (size_t k = from; k < to; k++) memcpy(h + 4 * k, &m->scratch[k], sizeof *h);
}

bool scr_stay_move(scr_pairs *p, scr_world *w, const uint32_t *new_row)
{
    size_t bodies = w->bodies.table.count, count = p->packed;
    if (!scr_reserve_kept(&p->row_start, bodies + 2, 0)) return false;
    // a row of anchors holds four
    bool fits = count <= 4 * bodies;
    void *scratch = fits ? (void *)w->bodies.anchor : scr_memory_new(count, sizeof(uint64_t));
    if (!scratch) return false;
    move m = {.pairs = p, .place = w->bodies.place, .new_row = new_row, .order = p->sink, .scratch = scratch};
    scr_each_rows(count, renumber_packed, &m);
    scr_bins_fill(p->row_start, bodies, p->sink, count, first_of_packed, p->first);
    scr_each_rows(bodies, sort_packed, p);
    scr_each_rows(count, gather_rows, &m);
    scr_each_rows(count, return_rows, &m);
    for (m.axis = 0; m.axis < 4; m.axis++) {
        scr_each_rows(count, gather_history, &m);
        scr_each_rows(count, return_history, &m);
    }
    if (!fits) scr_memory_free(scratch);
    return true;
}

/* ---- spreading ---- */

// the others close up
static void drop_gone(scr_pairs *p)
{
    size_t left = 0;
    for (size_t k = 0; k < p->packed; k++) {
        if (p->sink[k] == SCR_STAY_GONE) continue;
        memmove(p->history + 4 * left, p->history + 4 * k, 4 * sizeof *p->history);
        p->sink[left++] = p->sink[k];
    }
    p->packed = left;
}

// pairs up to before `end` that did not touch
static size_t clear_until(scr_pairs *p, size_t pair, size_t end)
{
    if (pair < end) {
        memset(p->touch + pair, 0, end - pair);
        memset(p->history + 4 * pair, 0, 4 * (end - pair) * sizeof *p->history);
    }
    return end;
}

// a chunk of contacts into the pairs from its first one to before that of the next chunk
static void spread_chunk(scr_pairs *p, size_t chunk, double (*history)[4])
{
    size_t end = end_of(chunk, p->packed), pair = chunk ? p->sink[chunk * CHUNK] : 0;
    for (size_t k = chunk * CHUNK; k < end; k++) {
        clear_until(p, pair, p->sink[k]);
        pair = p->sink[k];
        memcpy(p->history + 4 * pair, history[k - chunk * CHUNK], sizeof *history);
        p->touch[pair++] = 1;
    }
    clear_until(p, pair, end < p->packed ? p->sink[end] : p->count);
}

static void spread(void *context, int thread, int threads)
{
    staying *s = context;
    scr_pairs *p = s->pairs;
    double history[CHUNK][4];
    for (size_t window = 0; window < s->chunks; window += (size_t)threads) {
        bool any = window + (size_t)thread < s->chunks;
        size_t chunk = any ? s->chunks - 1 - window - (size_t)thread : 0, first = chunk * CHUNK;
        if (any) memcpy(history, p->history + 4 * first, (end_of(chunk, p->packed) - first) * sizeof *history);
        scr_barrier_wait(&s->barrier, threads);
        if (any) spread_chunk(p, chunk, history);
    }
}

void scr_stay_spread(scr_pairs *p, bool gone)
{
    if (gone) drop_gone(p);
    staying s = {.pairs = p, .chunks = (p->packed + CHUNK - 1) / CHUNK};
    if (s.chunks)
        scr_team((int)(s.chunks < 1024 ? s.chunks : 1024), spread, &s);
    else
        clear_until(p, 0, p->count);
}
