#include "collide/stay.h"

#include <string.h>

#include "exec/cpu/threads.h"

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
    const scr_pairs *p = s->pairs;
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
