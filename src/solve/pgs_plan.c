#include "solve/pgs_plan.h"

#include <string.h>

#include "base/buffer.h"
#include "exec/cpu/threads.h"
#include "exec/reduce.h"

enum {
    MANY_CHUNKS = 16, /* rows are divided into that many, if this gives */
    LEAST_SHIFT = 9,  /* 512 each */
    MOST_SHIFT = 12,
    MANY_PARTS = 64,    /* contacts are looked at in that many, */
    FEW_CONTACTS = 4096 /* if there are more than these */
};

scr_pgs *scr_pgs_create(void)
{
    return scr_memory_new(1, sizeof(scr_pgs));
}

void scr_pgs_destroy(scr_pgs *s)
{
    if (!s) return;
    scr_free_all(s->ends, s->slot, s->kind, s->colour, s->home, s->away, s->home_first, s->away_first, s->counts,
                 s->used, s->ranges, s->colours, s->start, s->rows, s->joints);
    for (int k = 0; k < PGS_KINDS; k++)
        scr_free_all(s->blocks[k], s->coefficients[k], s->serial_blocks[k], s->serial_coefficients[k]);
    scr_memory_free(s);
}

static bool reserve_plan(scr_pgs *s, const scr_pgs_problem *p)
{
    size_t n = p->contact_count, parts = s->chunks + 1;
    return scr_reserve_each(SCR_ROOM(s->ends, n), SCR_ROOM(s->slot, n), SCR_ROOM(s->kind, n), SCR_ROOM(s->colour, n),
                            SCR_ROOM(s->home, n), SCR_ROOM(s->away, n), SCR_ROOM(s->home_first, s->homes + 1),
                            SCR_ROOM(s->away_first, s->homes + 1), SCR_ROOM(s->counts, 2 * s->homes * MANY_PARTS),
                            SCR_ROOM(s->used, p->body_count), SCR_ROOM(s->start, p->body_count),
                            SCR_ROOM(s->ranges, parts), SCR_ROOM(s->colours, parts));
}

bool scr_pgs_reserve_blocks(scr_pgs *s, const scr_pgs_problem *p, const pgs_loops *loops, const pgs_loops *serial)
{
    size_t rows = p->body_count + PGS_EMPTY * (s->chunks + 1);
    bool ok = scr_buffer_reserve(&s->rows, 8 * rows, loops->number_bytes) &&
              scr_buffer_reserve(&s->joints, p->row_count, serial->joint_bytes);
    for (int k = 0; k < PGS_KINDS; k++) {
        size_t blocks = s->slots[k] / (size_t)loops->lanes;
        ok = ok && scr_buffer_reserve(&s->blocks[k], blocks, loops->block_bytes[k]) &&
             scr_buffer_reserve(&s->coefficients[k], blocks, loops->coefficient_bytes) &&
             scr_buffer_reserve(&s->serial_blocks[k], s->serial[k], serial->block_bytes[k]) &&
             scr_buffer_reserve(&s->serial_coefficients[k], s->serial[k], serial->coefficient_bytes);
    }
    return ok;
}

const pgs_loops *scr_pgs_loops_of(bool precise)
{
    static const pgs_loops *const all[2][3] = {
        {&scr_pgs_loops_portable, &scr_pgs_loops_avx2, &scr_pgs_loops_avx512},
        {&scr_pgs_precise_portable, &scr_pgs_precise_avx2, &scr_pgs_precise_avx512}};
    return all[precise][scr_cpu_vectors()];
}

const pgs_loops *scr_pgs_serial_of(bool precise)
{
    return precise ? &scr_pgs_precise_serial : &scr_pgs_loops_serial;
}

// enough chunks for some threads, but not so small that much is between them
static void choose_chunks(scr_pgs *s, size_t rows)
{
    int shift = LEAST_SHIFT;
    while (shift < MOST_SHIFT && rows >> (shift + 1) >= MANY_CHUNKS) shift++;
    bool none = rows < (size_t)2 << shift;
    s->shift = none ? 63 : shift;
    s->chunk_rows = none ? rows + 1 : (size_t)1 << shift;
    s->chunks = none ? 0 : (rows + s->chunk_rows - 1) >> shift;
    s->homes = none ? 1 : s->chunks;
}

static inline size_t chunk_of(const scr_pgs *s, uint32_t row)
{
    return (size_t)row >> s->shift;
}

static int kind_of(const scr_pgs_problem *p, uint32_t a, uint32_t b)
{
    bool still = b == SCR_PGS_STILL;
    if (a >= p->general_first || (!still && b >= p->general_first)) return PGS_GENERAL;
    return still ? PGS_ALONE : PGS_PAIR;
}

typedef struct {
    scr_pgs *pgs;
    const scr_pgs_problem *problem;
    size_t parts; /* of the contacts */
    uint32_t first[MANY_PARTS][PGS_KINDS];
    bool some_carry[MANY_PARTS];
} looking;

static size_t part_start(const looking *l, size_t part)
{
    return l->problem->contact_count * part / l->parts;
}

// how many contacts of a part each chunk has at home, then away; after that, where they go
static uint32_t *counts_of(const looking *l, size_t part)
{
    return l->pgs->counts + 2 * l->pgs->homes * part;
}

// kinds, and how many contacts each chunk has: the only pass over the contacts themselves
static void look_part(void *context, size_t part)
{
    looking *l = context;
    scr_pgs *s = l->pgs;
    const scr_pgs_problem *p = l->problem;
    uint32_t *home = counts_of(l, part), *away = home + s->homes;
    memset(home, 0, 2 * s->homes * sizeof *home);
    for (int k = 0; k < PGS_KINDS; k++) l->first[part][k] = UINT32_MAX;
    for (size_t i = part_start(l, part), end = part_start(l, part + 1); i < end; i++) {
        uint32_t a = p->contacts[i].a, b = p->contacts[i].b;
        int kind = kind_of(p, a, b);
        size_t here = chunk_of(s, a), there = b == SCR_PGS_STILL ? here : chunk_of(s, b);
        s->ends[i][0] = a, s->ends[i][1] = b;
        int open = p->contacts[i].ln > 0 ? 0 : PGS_OPEN;
        l->some_carry[part] |= !open;
        s->kind[i] = (uint8_t)(kind | open | (here == there ? 0 : PGS_BETWEEN));
        home[here]++;
        if (here != there) away[there]++;
        if (l->first[part][kind] == UINT32_MAX) l->first[part][kind] = (uint32_t)i;
    }
}

static void list_part(void *context, size_t part)
{
    const looking *l = context;
    scr_pgs *s = l->pgs;
    uint32_t *home = counts_of(l, part), *away = home + s->homes;
    for (size_t i = part_start(l, part), end = part_start(l, part + 1); i < end; i++) {
        s->home[home[chunk_of(s, s->ends[i][0])]++] = (uint32_t)i;
        if (s->kind[i] & PGS_BETWEEN) s->away[away[chunk_of(s, s->ends[i][1])]++] = (uint32_t)i;
    }
}

// where the lists of chunks begin, and in them those of each part: lists are in the order of contacts
static void divide(looking *l)
{
    scr_pgs *s = l->pgs;
    uint32_t at[2] = {0};
    for (size_t c = 0; c < s->homes; c++) {
        s->home_first[c] = at[0], s->away_first[c] = at[1];
        for (size_t part = 0; part < l->parts; part++)
            for (int way = 0; way < 2; way++) {
                uint32_t *count = &counts_of(l, part)[(size_t)way * s->homes + c], n = *count;
                *count = at[way];
                at[way] += n;
            }
    }
    s->home_first[s->homes] = at[0], s->away_first[s->homes] = at[1];
    for (int k = 0; k < PGS_KINDS; k++)
        for (size_t part = l->parts; part-- > 0;)
            if (l->first[part][k] != UINT32_MAX) s->first[k] = l->first[part][k];
}

static void list_contacts(scr_pgs *s, const scr_pgs_problem *p)
{
    looking l = {.pgs = s, .problem = p, .parts = p->contact_count < FEW_CONTACTS ? 1 : MANY_PARTS};
    scr_each(l.parts, NULL, look_part, &l);
    s->some_carry = false;
    for (size_t part = 0; part < l.parts; part++) s->some_carry |= l.some_carry[part];
    divide(&l);
    scr_each(l.parts, NULL, list_part, &l);
}

// the first colour that neither row has yet; slots count from their colour's first, or first open one
static void colour_contact(scr_pgs *s, size_t i, size_t part, int between)
{
    uint64_t *a = &s->used[s->ends[i][0]][between];
    uint64_t *b = s->ends[i][1] == SCR_PGS_STILL ? a : &s->used[s->ends[i][1]][between];
    uint64_t free = ~(*a | *b);
    if (!free) {
        s->kind[i] |= PGS_SERIAL;
        return;
    }
    int colour = __builtin_ctzll(free), kind = s->kind[i] & PGS_KIND;
    *a |= 1ull << colour, *b |= 1ull << colour;
    // new colours begin with nothing
    for (; s->colours[part] <= colour; s->colours[part]++) s->ranges[part][s->colours[part]] = (pgs_colour){0};
    s->colour[i] = (uint8_t)colour;
    pgs_colour *range = &s->ranges[part][colour];
    uint32_t open = range->open[kind], carry = range->count[kind]++ - open;
    s->slot[i] = s->kind[i] & PGS_OPEN ? range->open[kind]++, open : carry;
}

static void colour_chunk(void *context, size_t chunk)
{
    scr_pgs *s = context;
    s->colours[chunk] = 0;
    for (size_t k = s->home_first[chunk]; k < s->home_first[chunk + 1]; k++)
        if (!(s->kind[s->home[k]] & PGS_BETWEEN)) colour_contact(s, s->home[k], chunk, 0);
}

static void colour_between(scr_pgs *s)
{
    s->colours[s->chunks] = 0;
    for (size_t i = 0; i < s->contacts; i++)
        if (!s->chunks || s->kind[i] & PGS_BETWEEN) colour_contact(s, i, s->chunks, 1);
}

// where the slots of each colour begin
static void place_colours(scr_pgs *s)
{
    memset(s->slots, 0, sizeof s->slots);
    s->most_colours = 0;
    for (size_t part = 0; part <= s->chunks; part++) {
        if (s->colours[part] > s->most_colours) s->most_colours = s->colours[part];
        for (int c = 0; c < s->colours[part]; c++)
            for (int k = 0; k < PGS_KINDS; k++) {
                pgs_colour *r = &s->ranges[part][c];
                r->first[k] = (uint32_t)s->slots[k];
                s->slots[k] += (r->count[k] + PGS_GROUP - 1) / PGS_GROUP * PGS_GROUP;
            }
    }
}

static void place_contacts(void *context, size_t from, size_t to)
{
    scr_pgs *s = context;
    for (size_t i = from; i < to; i++) {
        size_t part = !s->chunks || s->kind[i] & PGS_BETWEEN ? s->chunks : chunk_of(s, s->ends[i][0]);
        int kind = s->kind[i] & PGS_KIND;
        if (s->kind[i] & PGS_SERIAL) continue;
        const pgs_colour *r = &s->ranges[part][s->colour[i]];
        s->slot[i] += r->first[kind] + (s->kind[i] & PGS_OPEN ? r->count[kind] - r->open[kind] : 0);
    }
}

// contacts without a colour get slots of their own, in their order
static void place_serial(scr_pgs *s)
{
    memset(s->serial, 0, sizeof s->serial);
    for (size_t i = 0; i < s->contacts; i++)
        if (s->kind[i] & PGS_SERIAL) s->slot[i] = (uint32_t)s->serial[s->kind[i] & PGS_KIND]++;
}

bool scr_pgs_prepare(scr_pgs *s, const scr_pgs_problem *p)
{
    choose_chunks(s, p->body_count);
    s->contacts = 0;
    if (!reserve_plan(s, p)) return false;
    s->contacts = p->contact_count;
    list_contacts(s, p);
    if (p->body_count) memset(s->used, 0, p->body_count * sizeof *s->used);
    scr_each(s->chunks, NULL, colour_chunk, s);
    colour_between(s);
    place_colours(s);
    scr_each_rows(s->contacts, place_contacts, s);
    place_serial(s);
    return scr_pgs_reserve_blocks(s, p, scr_pgs_loops_of(false), scr_pgs_serial_of(false));
}
