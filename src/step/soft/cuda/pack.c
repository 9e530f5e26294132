#include "step/soft/cuda/pack.h"

#include <string.h>

#include "base/memory.h"
#include "exec/cpu/threads.h"

void scr_soft_pack_deinit(soft_pack *p)
{
    void *const arrays[] = {p->tile_row, p->tile_of,   p->row_start,   p->row_pair,   p->at,       p->word,
                            p->tag,      p->law,       p->sum,         p->history,    p->wide,     p->heavy_row,
                            p->row_sums, p->row_words, p->heavy_start, p->tile_words, p->tile_sums};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) scr_memory_free(arrays[k]);
    *p = (soft_pack){0};
}

#define ROOM(number, array, count, width) \
    scr_memory_reserve(&p->array, &p->capacity[number], (size_t)(count) + 1, 0, (width) * sizeof *p->array)

/* ---- tiles and rows ---- */

static bool cut_tiles(soft_pack *p, const scr_world *w)
{
    const scr_blocks *b = &w->blocks;
    size_t bodies = w->bodies.table.count, most = bodies / SOFT_TILE + b->count + 1;
    if (!ROOM(0, tile_row, most, 1) || !ROOM(1, tile_of, bodies, 1)) return false;
    p->tiles = 0, p->full = true;
    for (size_t block = 0; block < b->count; block++)
        for (uint32_t row = b->start[block], end = b->start[block + 1]; row < end; row += SOFT_TILE) {
            p->full &= row == p->tiles * SOFT_TILE;
            p->tile_row[p->tiles] = row;
            for (uint32_t i = row; i < end && i < row + SOFT_TILE; i++) p->tile_of[i] = p->tiles;
            p->tiles++;
        }
    p->tile_row[p->tiles] = (uint32_t)bodies;
    return true;
}

static bool index_rows(soft_pack *p, const scr_pairs *q, size_t bodies)
{
    if (!ROOM(2, row_start, bodies + 2, 1) || !ROOM(3, row_pair, 2 * q->count, 1) || !ROOM(4, at, q->count, 1))
        return false;
    // counted two places on, summed, and filled so that each start ends where it belongs
    memset(p->row_start, 0, (bodies + 2) * sizeof *p->row_start);
    for (size_t k = 0; k < q->count; k++) p->row_start[q->first[k] + 2]++, p->row_start[q->second[k] + 2]++;
    for (size_t i = 0; i < bodies; i++) p->row_start[i + 2] += p->row_start[i + 1];
    for (size_t k = 0; k < q->count; k++) {
        p->row_pair[p->row_start[q->first[k] + 1]++] = (uint32_t)k;
        p->row_pair[p->row_start[q->second[k] + 1]++] = (uint32_t)k;
    }
    return true;
}

static uint32_t partners(const soft_pack *p, uint32_t row)
{
    return p->row_start[row + 1] - p->row_start[row];
}

static bool is_heavy(const soft_pack *p, uint32_t row)
{
    return partners(p, row) > SOFT_HEAVY;
}

/* ---- words ---- */

typedef struct {
    soft_pack *pack;
    const scr_pairs *pairs;
    const scr_world *world;
} packing;

// whether `row` of its tile has a word of its own for this pair, or finds its partner's
static bool has_word(const packing *k, uint32_t row, uint32_t pair)
{
    const soft_pack *p = k->pack;
    uint32_t first = k->pairs->first[pair];
    return first == row || p->tile_of[first] != p->tile_of[row] || is_heavy(p, first);
}

// where the words and terms of each row of a tile begin
static void count_tile(void *context, size_t t)
{
    const packing *k = context;
    soft_pack *p = k->pack;
    uint32_t words = 0, sums = 0;
    for (uint32_t i = p->tile_row[t]; i < p->tile_row[t + 1]; i++) {
        uint32_t own = 0, terms = is_heavy(p, i) ? 0 : partners(p, i);
        for (uint32_t e = 0; e < terms; e++) own += has_word(k, i, p->row_pair[p->row_start[i] + e]);
        p->row_words[i] = words << 8 | own; // those of rows with lists of their own are numbered afterwards
        p->row_sums[i] = sums << 8 | terms | (is_heavy(p, i) ? SOFT_SUM_ELSEWHERE : 0);
        words += own, sums += terms;
    }
    p->tile_words[t] = words, p->tile_sums[t] = sums;
}

static void put_word(const packing *k, size_t q, uint32_t row, uint32_t pair, uint16_t tag)
{
    soft_pack *p = k->pack;
    const scr_pairs *from = k->pairs;
    bool second = from->second[pair] == row;
    p->word[q] = (second ? from->first[pair] | SOFT_SECOND : from->second[pair]) | (from->touch[pair] ? SOFT_TOUCH : 0);
    p->tag[q] = tag;
    if (p->law) p->law[q] = from->law[pair];
    memcpy(p->history + 4 * q, from->history + 4 * (size_t)pair, 32);
    if (p->wide) memcpy(p->wide + 8 * q, from->wide + 8 * (size_t)pair, 64);
    if (!second) p->at[pair] = (uint32_t)q;
}

/* Pairs of a row in the order of its sum: those that its own block owns, then others. */
typedef struct {
    const packing *k;
    uint32_t row, next, end, own_from, own_to; /* own: rows of its block */
    int pass;
} in_order;

static in_order order_of(const packing *k, uint32_t row)
{
    const soft_pack *p = k->pack;
    const scr_blocks *b = &k->world->blocks;
    size_t block = scr_block_of(b, row);
    return (in_order){k, row, p->row_start[row], p->row_start[row + 1], b->start[block], b->start[block + 1], 0};
}

// the next pair, and whether a part sum begins with it
static bool next_of(in_order *o, uint32_t *pair, uint32_t *owner, bool *begins)
{
    const soft_pack *p = o->k->pack;
    for (;;) {
        if (o->next == o->end) {
            if (o->pass) return false;
            o->pass = 1, o->next = p->row_start[o->row];
            *owner = UINT32_MAX;
            if (o->next == o->end) return false;
        }
        *pair = p->row_pair[o->next++];
        uint32_t first = o->k->pairs->first[*pair];
        bool own = first >= o->own_from && first < o->own_to;
        if (own == (o->pass == 1)) continue;
        *begins = false;
        if (own) return true;
        uint32_t block = (uint32_t)scr_block_of(&o->k->world->blocks, first);
        *begins = block != *owner;
        *owner = block;
        return true;
    }
}

static void fill_tile(void *context, size_t t)
{
    const packing *k = context;
    soft_pack *p = k->pack;
    size_t base = t * p->stride, q = base;
    uint32_t first = p->tile_row[t], end = p->tile_row[t + 1];
    for (uint32_t i = first; i < end; i++)
        for (uint32_t e = p->row_start[i]; e < p->row_start[i + 1] && !is_heavy(p, i); e++)
            if (has_word(k, i, p->row_pair[e])) put_word(k, q++, i, p->row_pair[e], (uint16_t)(i - first));
    for (; q < base + p->stride; q++) p->word[q] = SOFT_NOBODY, p->tag[q] = 0;
    // words were put in the order of rows, and in each row in the order of its pairs
    size_t next = base;
    for (uint32_t i = first; i < end; i++) {
        if (is_heavy(p, i)) continue;
        size_t own = next;
        for (uint32_t e = p->row_start[i]; e < p->row_start[i + 1]; e++) next += has_word(k, i, p->row_pair[e]);
        uint16_t *sum = p->sum + t * p->sum_stride + (p->row_sums[i] >> 8);
        in_order o = order_of(k, i);
        uint32_t pair, owner = UINT32_MAX;
        bool begins;
        while (next_of(&o, &pair, &owner, &begins)) {
            bool second = k->pairs->second[pair] == i;
            size_t at = p->at[pair];
            if (has_word(k, i, pair))
                for (at = own; (p->word[at] & (SOFT_ROW | SOFT_SECOND)) !=
                               (second ? k->pairs->first[pair] | SOFT_SECOND : k->pairs->second[pair]);)
                    at++;
            *sum++ = (uint16_t)((at - base) | (begins ? SOFT_SUM_BEGINS : 0) | (second ? SOFT_SUM_SECOND : 0));
        }
    }
}

static void fill_heavy(void *context, size_t number)
{
    const packing *k = context;
    soft_pack *p = k->pack;
    uint32_t row = p->heavy_row[number], pair, owner = UINT32_MAX;
    size_t q = (size_t)p->tiles * p->stride + p->heavy_start[number];
    p->row_words[row] = (uint32_t)number << 8 | SOFT_WORDS_ELSEWHERE;
    in_order o = order_of(k, row);
    bool begins;
    while (next_of(&o, &pair, &owner, &begins)) put_word(k, q++, row, pair, begins ? SOFT_TAG_BEGINS : 0);
}

static bool list_heavies(soft_pack *p, size_t bodies)
{
    uint32_t count = 0, words = 0;
    for (uint32_t i = 0; i < bodies; i++) count += is_heavy(p, i);
    if (!ROOM(6, heavy_row, count + 1, 1) || !ROOM(7, heavy_start, count + 2, 1)) return false;
    p->heavy_count = 0;
    for (uint32_t i = 0; i < bodies; i++) {
        if (!is_heavy(p, i)) continue;
        p->heavy_row[p->heavy_count] = i, p->heavy_start[p->heavy_count++] = words;
        words += partners(p, i);
    }
    p->heavy_start[count] = words;
    return true;
}

// words of a tile, or terms, of which this is the most in one
static uint32_t stride_of(const uint32_t *count, uint32_t tiles)
{
    uint32_t most = 1;
    for (uint32_t t = 0; t < tiles; t++)
        if (count[t] > most) most = count[t];
    return (most + SOFT_TILE - 1) / SOFT_TILE * SOFT_TILE;
}

bool scr_soft_pack_make(soft_pack *p, const scr_pairs *pairs, const scr_world *w)
{
    packing k = {p, pairs, w};
    size_t bodies = w->bodies.table.count;
    if (!cut_tiles(p, w) || !index_rows(p, pairs, bodies) || !list_heavies(p, bodies) ||
        !ROOM(8, tile_words, p->tiles, 1) || !ROOM(5, tile_sums, p->tiles, 1) || !ROOM(15, row_words, bodies, 1) ||
        !ROOM(16, row_sums, bodies, 1))
        return false;
    scr_each(p->tiles, NULL, count_tile, &k);
    p->stride = stride_of(p->tile_words, p->tiles), p->sum_stride = stride_of(p->tile_sums, p->tiles);
    p->sums = (size_t)p->tiles * p->sum_stride;
    p->words = (size_t)p->tiles * p->stride + p->heavy_start[p->heavy_count];
    if (!ROOM(9, word, p->words, 1) || !ROOM(10, tag, p->words, 1) || !ROOM(11, history, p->words, 4) ||
        !ROOM(12, sum, p->sums, 1))
        return false;
    if (w->material_count > 1 && !ROOM(13, law, p->words, 1)) return false;
    if (pairs->wide && !ROOM(14, wide, p->words, 8)) return false;
    scr_each(p->tiles, NULL, fill_tile, &k);
    scr_each(p->heavy_count, NULL, fill_heavy, &k);
    return true;
}
