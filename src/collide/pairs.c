#include "collide/pairs.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "collide/bins.h"
#include "collide/border.h"
#include "collide/box.h"
#include "collide/hold.h"
#include "collide/nearby.h"
#include "collide/save.h"
#include "collide/stay.h"
#include "comm/share.h"
#include "exec/cpu/threads.h"

/* What one thread finds while it goes through its blocks; copied into the list afterwards. */
typedef struct {
    uint32_t second, sink;
} found_pair;

typedef struct scr_finder {
    found_pair *pairs;                /* those of one body follow each other */
    size_t pair_count, pair_capacity; /* kept here, since each pair asks for it */
    uint32_t *row_pairs;              /* a buffer: how many each body of the thread's blocks has */
    scr_wall_finder walls;
    scr_nearby nearby;
    /* buffers */
    uint32_t *halo; /* body of each slot */
    size_t halo_count;
    uint32_t *inbox; /* where in the inbox of each block its slots go */
    uint64_t *slots; /* hash: body + 1 in the high half, slot in the low half */
    size_t slot_mask;
    uint64_t moves;                 /* of the table of bodies, when it searched */
    size_t first_block, last_block; /* its blocks, and their rows */
    uint32_t first_row, last_row;
    bool failed; /* out of memory */
    bool gone;   /* some contact is not in the new list */
} scr_finder;

void scr_pairs_deinit(scr_pairs *p)
{
    scr_free_all(p->first, p->second, p->sink, p->law, p->touch, p->history, p->wide, p->record);
    scr_free_all(p->block_pairs, p->block_walls, p->block_halo, p->block_inbox, p->block_images);
    scr_free_all(p->halo, p->halo_body, p->inbox, p->sort_key, p->sort_row, p->row_start, p->row_entry);
    for (size_t t = 0; t < scr_room_of(p->finders); t++) {
        scr_memory_free(p->finders[t].pairs);
        scr_free_all(p->finders[t].walls.found, p->finders[t].row_pairs, p->finders[t].halo, p->finders[t].inbox,
                     p->finders[t].slots);
        scr_nearby_deinit(&p->finders[t].nearby);
    }
    scr_buffer_free(p->finders);
    scr_wall_pairs_deinit(&p->walls);
    scr_grid_deinit(&p->grid);
    if (p->desk) scr_pairs_deinit(p->desk);
    scr_memory_free(p->desk);
    *p = (scr_pairs){0};
}

scr_images scr_images_of(const scr_domain *domain)
{
    vec3 size = v3_sub(domain->upper, domain->lower);
    const double length[3] = {size.x, size.y, size.z};
    scr_images m = {0};
    for (int d = 0; d < 3; d++)
        if (domain->periodic[d]) m.length[d] = length[d], m.inverse[d] = 1 / length[d];
    m.deforms = domain->box.deforms;
    memcpy(m.tilt, domain->box.tilt, sizeof m.tilt);
    memcpy(m.speed, domain->box.speed, sizeof m.speed);
    return m;
}

/* ---- finding ---- */

typedef struct {
    const scr_world *world;
    const scr_grid *grid;
    scr_images images;          /* that rest */
    const scr_images *deformed; /* that move; NULL: they rest */
    scr_finder *finder;
    double reach;                    /* gap below which a pair is listed */
    double horizon;                  /* time over which the gap counts */
    bool held;                       /* as in scr_pairs */
    uint32_t block_first, block_end; /* rows of the present block */
    uint32_t body_count;
} search;

/* Which members of a cell are second to a body. */
typedef enum { SECOND_ALL, SECOND_LATER, SECOND_BY_SIZE } seconds;

static void add_pair(search *s, uint32_t j)
{
    scr_finder *f = s->finder;
    if (f->pair_count == f->pair_capacity &&
        !scr_memory_reserve(&f->pairs, &f->pair_capacity, f->pair_count + 4096 + f->pair_count / 8, f->pair_count,
                            sizeof *f->pairs)) {
        f->failed = true;
        return;
    }
    f->pairs[f->pair_count++] = (found_pair){j, j};
}

static bool is_ghost(const scr_world *w, uint32_t i)
{
    return i < w->bodies.low || i >= scr_bodies_end(&w->bodies);
}

// whether two bodies can act on each other at all
static bool can_meet(const search *s, uint32_t i, uint32_t j)
{
    const scr_world *w = s->world;
    const double *inverse_mass = w->bodies.motion + 3;
    int a = w->bodies.group[i], b = w->bodies.group[j];
    if (inverse_mass[4 * (size_t)i] == 0 && inverse_mass[4 * (size_t)j] == 0 &&
        !(s->held && scr_world_held_meet(w, a, b)))
        return false;
    return !scr_world_apart(w, a, b);
}

// whether two bodies that go on as they do come near enough before the horizon: d is the distance now,
// of square d2, w the velocity by which it changes
static bool meets(const search *s, const double d[3], double d2, const double w[3], double near2)
{
    double closing = -(d[0] * w[0] + d[1] * w[1] + d[2] * w[2]);
    if (!(closing > 0)) return false;
    double w2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    // nearest after closing/w2, at a squared distance of d2 - closing^2/w2
    if (closing < s->horizon * w2) return d2 * w2 - closing * closing < near2 * w2;
    return d2 - s->horizon * (2 * closing - s->horizon * w2) < near2;
}

// to the nearest image in a box that deforms: the square of its distance, and how its velocity changes that of the way
static __attribute__((noinline, cold)) double deformed2(const scr_images *m, double d[3], double away[3])
{
    for (int k = 0; k < 3; k++) away[k] = 0;
    scr_image_deformed(m, d, away);
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

// members of a cell that are or come near enough to body i, and are second to it; a ghost's are not ghosts
static inline __attribute__((always_inline)) void search_members(search *s, uint32_t i, uint32_t cell, seconds which,
                                                                 bool ghost)
{
    const scr_bodies *b = &s->world->bodies;
    const uint32_t low = (uint32_t)b->low, end = (uint32_t)scr_bodies_end(b);
    const double *a = b->anchor + 4 * (size_t)i, *u = b->drift + 4 * (size_t)i;
    // from the last: members are in the order of rows
    for (uint32_t k = s->grid->start[cell + 1]; k-- > s->grid->start[cell];) {
        uint32_t j = s->grid->members[k];
        if (which == SECOND_LATER && j <= i) return;
        if (ghost && j >= end) continue;
        if (ghost && j < low) return;
        const double *y = b->anchor + 4 * (size_t)j, *v = b->drift + 4 * (size_t)j;
        if (which == SECOND_BY_SIZE && !scr_is_first(a[3], i, y[3], j)) continue;
        double sum = a[3] + y[3], far = sum + s->grid->skin, near = sum + s->reach, d[3], d2 = 0, away[3];
        for (int axis = 0; axis < 3; axis++) {
            d[axis] = a[axis] - y[axis];
            if (s->images.inverse[axis] != 0) d[axis] = scr_nearest_image(&s->images, axis, d[axis]);
            d2 += d[axis] * d[axis];
        }
        if (s->deformed) d2 = deformed2(s->deformed, d, away);
        if (d2 >= far * far) continue;
        double w[3] = {u[0] - v[0], u[1] - v[1], u[2] - v[2]};
        for (int axis = 0; s->deformed && axis < 3; axis++) w[axis] += away[axis];
        if ((d2 < near * near || meets(s, d, d2, w, near * near)) && can_meet(s, i, j)) add_pair(s, j);
    }
}

static void search_cell(search *s, uint32_t i, uint32_t cell, seconds which)
{
    if (is_ghost(s->world, i))
        search_members(s, i, cell, which, true);
    else
        search_members(s, i, cell, which, false);
}

// the body's own level: its cell, and those around it
static void search_own_level(search *s, uint32_t i)
{
    uint32_t near[27];
    int count = scr_nearby_find(&s->finder->nearby, s->grid->cell[i], i, near);
    seconds which = s->finder->nearby.mixed ? SECOND_BY_SIZE : SECOND_LATER;
    for (int k = 0; k < count; k++) search_cell(s, i, near[k], which);
}

// cells of an axis that a reach around x touches: first and number
static int cells_within(const scr_grid *g, const scr_level *level, int axis, double x, double reach, int *first)
{
    const double origin[3] = {g->origin.x, g->origin.y, g->origin.z};
    int n = level->cells[axis];
    double low = floor((x - reach - origin[axis]) * level->inverse[axis]);
    double high = floor((x + reach - origin[axis]) * level->inverse[axis]);
    *first = 0;
    // a body that is lost (the run is about to report it) has no pairs
    if (!(fabs(low) < 1e9 && fabs(high) < 1e9)) return 0;
    if (g->periodic[axis]) {
        int number = (int)(high - low) + 1;
        if (number >= n) return n;
        *first = ((int)low % n + n) % n;
        return number;
    }
    int a = low < 0 ? 0 : low > n - 1 ? n - 1 : (int)low;
    int b = high < 0 ? 0 : high > n - 1 ? n - 1 : (int)high;
    *first = a;
    return b - a + 1;
}

// the cell after c along an axis of n cells, around a periodic side
static int after(int c, int n)
{
    return c + 1 == n ? 0 : c + 1;
}

static void search_coarser_level(search *s, uint32_t i, int l)
{
    const scr_grid *g = s->grid;
    const scr_level *level = &g->levels[l];
    const double *x = s->world->bodies.anchor + 4 * (size_t)i;
    double reach = x[3] + level->reach + g->skin, upright[4];
    const int *n = level->cells;
    int first[3], number[3];
    if (g->leans) x = scr_grid_upright(g, x, upright);
    for (int d = 0; d < 3; d++)
        number[d] = cells_within(g, level, d, x[d], g->leans ? reach * g->stretch[d] : reach, &first[d]);
    for (int c = 0, cz = first[2]; c < number[2]; c++, cz = after(cz, n[2]))
        for (int b = 0, cy = first[1]; b < number[1]; b++, cy = after(cy, n[1]))
            for (int a = 0, cx = first[0]; a < number[0]; a++, cx = after(cx, n[0])) {
                uint32_t cell = scr_grid_find(g, scr_grid_key(l, cx, cy, cz));
                if (cell != SCR_GRID_NONE) search_cell(s, i, cell, SECOND_ALL);
            }
}

// what was found from `first` on, in the order of rows
static void sort_seconds(scr_finder *f, size_t first)
{
    for (size_t k = first + 1; k < f->pair_count; k++) {
        found_pair one = f->pairs[k];
        size_t at = k;
        for (; at > first && f->pairs[at - 1].second > one.second; at--) f->pairs[at] = f->pairs[at - 1];
        f->pairs[at] = one;
    }
}

/* ---- halo slots ---- */

// an empty hash with room for the pairs of one block
static void slots_clear(scr_finder *f, size_t pairs)
{
    size_t size = 64;
    while (size < 2 * pairs) size *= 2;
    if (!scr_reserve(&f->slots, size)) {
        f->failed = true;
        return;
    }
    f->slot_mask = size - 1;
    memset(f->slots, 0, size * sizeof *f->slots);
}

// the halo slot of a body of another block, numbered from the thread's first
static uint32_t slot_of(scr_finder *f, uint32_t body)
{
    uint64_t h = (body * 0x9e3779b97f4a7c15ull) >> 32;
    for (;; h++) {
        uint64_t *e = &f->slots[h & f->slot_mask];
        if (*e >> 32 == (uint64_t)body + 1) return (uint32_t)*e;
        if (*e) continue;
        if (!scr_reserve(&f->halo, f->halo_count + 1)) {
            f->failed = true;
            return 0;
        }
        *e = ((uint64_t)body + 1) << 32 | f->halo_count;
        f->halo[f->halo_count] = body;
        return (uint32_t)f->halo_count++;
    }
}

static void search_block(search *s, scr_pairs *p, size_t block)
{
    scr_finder *f = s->finder;
    size_t before = f->pair_count, walls_before = f->walls.count, halo_before = f->halo_count;
    s->block_first = (uint32_t)scr_block_first(&s->world->blocks, block);
    s->block_end = (uint32_t)scr_block_end(&s->world->blocks, block);
    uint32_t *row_pairs = f->row_pairs + (s->block_first - f->first_row);
    for (uint32_t i = s->block_first; i < s->block_end; i++) {
        size_t row_before = f->pair_count;
        search_own_level(s, i);
        for (int l = scr_grid_body_level(s->grid, i) + 1; l < s->grid->level_count; l++)
            if (s->grid->levels[l].bodies) search_coarser_level(s, i, l);
        sort_seconds(f, row_before);
        row_pairs[i - s->block_first] = (uint32_t)(f->pair_count - row_before);
        if (is_ghost(s->world, i)) continue;
        const double *u = s->world->bodies.drift + 4 * (size_t)i;
        double travel = s->horizon * sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        f->failed |= !scr_walls_search(&f->walls, &p->walls, s->world, i, s->world->bodies.anchor + 4 * (size_t)i,
                                       s->reach + travel);
    }
    slots_clear(f, f->pair_count - before);
    for (size_t k = before; k < f->pair_count && !f->failed; k++) {
        uint32_t j = f->pairs[k].second;
        if (j < s->block_first || j >= s->block_end) f->pairs[k].sink = s->body_count + slot_of(f, j);
    }
    // counts now, starts later
    p->block_pairs[block + 1] = (uint32_t)(f->pair_count - before);
    p->block_walls[block + 1] = (uint32_t)(f->walls.count - walls_before);
    p->block_halo[block + 1] = (uint32_t)(f->halo_count - halo_before);
}

/* ---- from what the threads found to the list ---- */

static bool reserve_blocks(scr_pairs *p, scr_world *w)
{
    if (!scr_blocks_extend(&w->blocks, w->bodies.table.count)) return false;
    p->block_count = p->own_end = w->blocks.count;
    p->own_first = w->bodies.low ? scr_block_of(&w->blocks, (uint32_t)w->bodies.low) : 0;
    if (w->bodies.high) p->own_end = scr_block_of(&w->blocks, (uint32_t)scr_bodies_end(&w->bodies));
    if (!scr_bodies_own(&w->bodies)) p->own_end = p->own_first;
    uint32_t **const starts[] = {&p->block_pairs, &p->block_walls, &p->block_halo, &p->block_inbox, &p->block_images};
    for (int k = 0; k < 5; k++)
        if (!scr_reserve_kept(starts[k], p->block_count + 1, 0)) return false;
    return true;
}

static bool reserve_finders(scr_pairs *p)
{
    // no more threads than blocks: waking one for nothing costs more than a small list
    int threads = scr_threads();
    if ((size_t)threads > p->block_count) threads = p->block_count ? (int)p->block_count : 1;
    if (!scr_reserve(&p->finders, (size_t)threads)) return false;
    p->finder_count = threads;
    return true;
}

#define KEEP(array, count, kept, width) scr_reserve_kept(&(array), (width) * (count), (width) * (kept))
#define RESERVE(array, count, width)    KEEP(array, count, (size_t)0, width)

bool scr_pairs_reserve_record(scr_pairs *p)
{
    return RESERVE(p->record, p->count + 8, 8) && RESERVE(p->walls.record, p->walls.count + 8, 8);
}

#define DROP(array) (scr_buffer_free(array), (array) = NULL)

// what the list held is in world->contacts, unless contacts stay: arrays that are too short go before longer ones come
static void drop_short(scr_pairs *p, size_t pairs, size_t halo)
{
    if (pairs > scr_room_of(p->first) && !p->stay)
        DROP(p->first), DROP(p->second), DROP(p->sink), DROP(p->law), DROP(p->touch), DROP(p->history);
    if (halo > scr_room_of(p->halo_body)) DROP(p->halo), DROP(p->halo_body), DROP(p->inbox);
}

static bool reserve_pairs(scr_pairs *p, size_t pairs, size_t halo, bool one_law)
{
    drop_short(p, pairs + 8, halo + 1);
    // memory that is not touched is not taken: room to grow costs little; the vector loop may read a few entries beyond
    // the last
    size_t kept = p->stay ? p->packed : 0;
    pairs += 8 + (pairs + 8 > scr_room_of(p->first) ? pairs / 4 : 0);
    halo += 1 + (halo + 1 > scr_room_of(p->halo_body) ? halo / 16 : 0);
    return KEEP(p->first, pairs, kept, 1) && KEEP(p->second, pairs, kept, 1) && RESERVE(p->sink, pairs, 1) &&
           RESERVE(p->law, one_law ? 1 : pairs, 1) && RESERVE(p->touch, pairs, 1) && KEEP(p->history, pairs, kept, 4) &&
           RESERVE(p->halo, halo, 8) && RESERVE(p->halo_body, halo, 1) && RESERVE(p->inbox, halo, 1);
}

bool scr_pairs_hold(scr_pairs *p, size_t count, bool wide)
{
    if (!reserve_pairs(p, count, 0, true) || (wide && !RESERVE(p->wide, count + 8, 8))) return false;
    p->count = count;
    for (size_t b = 0; b <= p->block_count; b++) p->block_pairs[b] = b ? (uint32_t)count : 0;
    return true;
}

// contacts are found by the first body of their pair
static uint32_t key_body(const scr_world *w, uint32_t i, int64_t j)
{
    const double *x = w->bodies.anchor;
    if (j < 0 || scr_is_first(x[4 * (size_t)i + 3], i, x[4 * (size_t)j + 3], (uint32_t)j)) return i;
    return (uint32_t)j;
}

static uint32_t key_of_contact(const void *world, uint32_t contact)
{
    const scr_world *w = world;
    return key_body(w, (uint32_t)w->contacts.row[2 * (size_t)contact], w->contacts.row[2 * (size_t)contact + 1]);
}

static bool index_contacts(scr_pairs *p, const scr_world *w)
{
    const scr_contacts *c = &w->contacts;
    size_t n = w->bodies.table.count;
    if (!RESERVE(p->row_start, n + 2, 1) || !RESERVE(p->row_entry, c->table.count + 1, 1)) return false;
    scr_bins_fill(p->row_start, n, p->row_entry, c->table.count, key_of_contact, w);
    return true;
}

// the history of a pair that was in contact when the contacts were saved, else zero
uint8_t scr_pairs_match(const scr_pairs *p, const scr_world *w, uint32_t i, int64_t j, double *history, double *wide)
{
    const scr_contacts *c = &w->contacts;
    uint32_t key = key_body(w, i, j);
    memset(history, 0, 4 * sizeof *history);
    if (wide) memset(wide, 0, 8 * sizeof *wide);
    for (uint32_t e = p->row_start[key]; e < p->row_start[key + 1]; e++) {
        uint32_t k = p->row_entry[e];
        const int32_t *row = c->row + 2 * (size_t)k;
        bool same = row[0] == (int64_t)i && row[1] == j, flipped = row[0] == j && row[1] == (int64_t)i;
        if (!same && !flipped) continue;
        for (int d = 0; d < 3; d++) history[d] = same ? c->history[4 * (size_t)k + d] : -c->history[4 * (size_t)k + d];
        history[3] = c->history[4 * (size_t)k + 3];
        // rolling and twisting look the same from both bodies
        if (wide) memcpy(wide, c->wide + 8 * (size_t)k, 8 * sizeof *wide);
        return 1;
    }
    return 0;
}

// whether some pair of the block is near through a periodic side
static bool crosses(const scr_pairs *p, const scr_world *w, size_t block)
{
    const scr_domain box = scr_box_listed(w);
    const scr_images m = scr_images_of(&box);
    if (m.inverse[0] + m.inverse[1] + m.inverse[2] == 0) return false;
    const double *x = w->bodies.anchor;
    for (uint32_t k = p->block_pairs[block]; k < p->block_pairs[block + 1]; k++)
        for (int d = 0; d < 3; d++) {
            double apart = x[4 * (size_t)p->first[k] + d] - x[4 * (size_t)p->second[k] + d];
            if (2 * fabs(apart) * m.inverse[d] > 0.9) return true;
        }
    return false;
}

static void place_pairs(scr_pairs *p, const scr_world *w, const scr_finder *f)
{
    uint32_t n = (uint32_t)w->bodies.table.count, first = f->first_row, end = f->last_row;
    uint32_t pair = p->block_pairs[f->first_block], halo = p->block_halo[f->first_block];
    const int32_t *material = w->bodies.material;
    const found_pair *q = f->pairs;
    for (uint32_t i = first; i < end; i++)
        for (uint32_t k = 0; k < f->row_pairs[i - first]; k++, pair++, q++) {
            p->first[pair] = i;
            p->second[pair] = q->second;
            p->sink[pair] = q->sink < n ? q->sink : q->sink + halo;
            if (w->material_count > 1) p->law[pair] = (uint16_t)(material[i] * w->material_count + material[q->second]);
            if (p->stay) continue;
            p->touch[pair] = scr_pairs_match(p, w, i, q->second, p->history + 4 * (size_t)pair,
                                             p->wide ? p->wide + 8 * (size_t)pair : NULL);
        }
    for (size_t b = f->first_block; b < f->last_block; b++) p->block_images[b] = crosses(p, w, b);
    // without a halo there may be no array to copy from
    if (f->halo_count) memcpy(p->halo_body + halo, f->halo, f->halo_count * sizeof *f->halo);
}

static void sum_starts(uint32_t *start, size_t blocks)
{
    start[0] = 0;
    for (size_t b = 0; b < blocks; b++) start[b + 1] += start[b];
}

// the blocks of finder t, a contiguous run of them
static void find_part(scr_pairs *p, const scr_world *w, int t)
{
    scr_finder *f = &p->finders[t];
    size_t threads = (size_t)p->finder_count;
    f->moves = w->bodies.table.moves;
    f->pair_count = f->walls.count = f->halo_count = 0;
    f->first_row = f->last_row = 0;
    f->first_block = p->block_count * (size_t)t / threads;
    f->last_block = p->block_count * (size_t)(t + 1) / threads;
    if (p->block_count) {
        f->first_row = w->blocks.start[f->first_block];
        f->last_row = w->blocks.start[f->last_block];
    }
    size_t bodies = f->last_row - f->first_row;
    f->failed = !scr_memory_reserve(&f->pairs, &f->pair_capacity, 4 * bodies, 0, sizeof *f->pairs) ||
                !scr_reserve(&f->row_pairs, bodies) || !scr_reserve(&f->inbox, p->block_count + 1) ||
                !scr_nearby_begin(&f->nearby, &p->grid);
    const scr_domain box = scr_box_listed(w);
    const scr_images images = scr_images_of(&box);
    search s = {.world = w,
                .grid = &p->grid,
                .images = images.deforms ? (scr_images){.deforms = false} : images,
                .deformed = images.deforms ? &images : NULL,
                .finder = f,
                .reach = p->reach,
                .horizon = w->clock.horizon,
                .held = p->held,
                .body_count = (uint32_t)w->bodies.table.count};
    for (size_t b = f->first_block; b < f->last_block && !f->failed; b++) search_block(&s, p, b);
}

// the first packed contact whose first row is not below this one
static size_t stay_from(const scr_pairs *p, uint32_t row)
{
    size_t low = 0, high = p->packed;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->first[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// where the packed contacts of a finder's rows go: both they and what it found are in the order of rows
static void match_part(scr_pairs *p, const scr_world *w, int t)
{
    (void)w;
    scr_finder *f = &p->finders[t];
    f->gone = false;
    if (f->first_block >= f->last_block) return;
    size_t k = stay_from(p, f->first_row), end = stay_from(p, f->last_row);
    uint32_t pair = p->block_pairs[f->first_block];
    const found_pair *q = f->pairs;
    for (uint32_t i = f->first_row; i < f->last_row; i++)
        for (uint32_t n = f->row_pairs[i - f->first_row]; n > 0; n--, q++, pair++) {
            while (k < end && (p->first[k] < i || (p->first[k] == i && p->second[k] < q->second)))
                p->sink[k++] = SCR_STAY_GONE, f->gone = true;
            if (k < end && p->first[k] == i && p->second[k] == q->second) p->sink[k++] = pair;
        }
    for (; k < end; k++) p->sink[k] = SCR_STAY_GONE, f->gone = true;
}

static void place_part(scr_pairs *p, const scr_world *w, int t)
{
    const scr_finder *f = &p->finders[t];
    if (f->first_block >= f->last_block) return;
    place_pairs(p, w, f);
    scr_wall_pairs_place(p, w, &f->walls, p->block_walls[f->first_block]);
}

/* One part of the work, for scr_each. */
typedef struct {
    scr_pairs *pairs;
    const scr_world *world;
    void (*work)(scr_pairs *, const scr_world *, int);
} part;

static void do_part(void *context, size_t index)
{
    const part *p = context;
    p->work(p->pairs, p->world, (int)index);
}

static void each_part(scr_pairs *p, const scr_world *w, void (*work)(scr_pairs *, const scr_world *, int))
{
    scr_each((size_t)p->finder_count, NULL, do_part, &(part){p, w, work});
}

// how many slots of finder t each block collects
static void count_inboxes(scr_pairs *p, const scr_world *w, int t)
{
    scr_finder *f = &p->finders[t];
    memset(f->inbox, 0, p->block_count * sizeof *f->inbox);
    for (size_t s = 0; s < f->halo_count; s++) f->inbox[scr_block_of(&w->blocks, f->halo[s])]++;
}

static void fill_inboxes(scr_pairs *p, const scr_world *w, int t)
{
    const scr_finder *f = &p->finders[t];
    if (f->first_block >= f->last_block) return;
    uint32_t slot = p->block_halo[f->first_block];
    for (size_t s = 0; s < f->halo_count; s++)
        p->inbox[f->inbox[scr_block_of(&w->blocks, f->halo[s])]++] = slot + (uint32_t)s;
}

// which slots each block collects, in the order of slots
static void sort_inboxes(scr_pairs *p, const scr_world *w)
{
    each_part(p, w, count_inboxes);
    uint32_t sum = 0;
    for (size_t b = 0; b < p->block_count; b++) {
        p->block_inbox[b] = sum;
        for (int t = 0; t < p->finder_count; t++) {
            uint32_t count = p->finders[t].inbox[b];
            p->finders[t].inbox[b] = sum;
            sum += count;
        }
    }
    p->block_inbox[p->block_count] = sum;
    each_part(p, w, fill_inboxes);
}

scree_status scr_pairs_build(scr_pairs *p, scr_world *w, scree_report *report)
{
    if (w->share && w->share->renewed) scr_share_scatter(w->share, w);
    if (w->share && w->share->has_aside) scr_share_deal(w->share, w);
    return scr_pairs_build_within(p, w, scr_fastest_relative(w), report);
}

static scree_status build(scr_pairs *p, scr_world *w, double fastest, scree_report *report)
{
    scree_place nowhere = SCR_NOWHERE;
    const scr_bodies *b = &w->bodies;
    scr_radii radii = scr_world_radii(w, b->anchor);
    p->range = scr_world_range(w, radii.most);
    // images of a box that deforms have their own slack
    double skin = w->clock.skin + scr_box_slack(w);
    p->reach = p->range + fmax(skin, p->stride);
    double sweep = w->clock.horizon * fastest;
    double gap = p->range + fmax(skin + sweep, p->stride);
    if (w->share) scr_share_ghosts(w->share, w, gap);
    if (w->share && p->stay) {
        scr_share_find(w->share, w, p->first, p->packed);
        scr_share_find(w->share, w, p->second, p->packed);
    }
    const scr_domain box = scr_box_listed(w);
    scr_grid_layout(&p->grid, &box, &radii, gap);
    if (!scr_grid_build(&p->grid, b->anchor, b->table.count) || !reserve_blocks(p, w) || !reserve_finders(p) ||
        !index_contacts(p, w) || !scr_wall_pairs_prepare(&p->walls, w))
        return scr_no_memory(report, "the neighbour grid");

    p->count = p->walls.count = p->halo_count = 0; // none until the new list stands
    each_part(p, w, find_part);
    bool failed = false;
    size_t pairs = 0, walls = 0, halo = 0;
    for (int t = 0; t < p->finder_count; t++) {
        failed |= p->finders[t].failed;
        pairs += p->finders[t].pair_count;
        walls += p->finders[t].walls.count;
        halo += p->finders[t].halo_count;
    }
    if (pairs > SCR_MOST_PAIRS || b->table.count + halo > SCR_MOST_PAIRS)
        return scr_fail(report, SCREE_E_MEMORY, nowhere, "%zu near pairs, at most %u can be listed", pairs,
                        SCR_MOST_PAIRS);
    bool wide = scr_contacts_are_wide(&w->contacts);
    if (failed || !reserve_pairs(p, pairs, halo, w->material_count == 1) ||
        !scr_wall_pairs_reserve(&p->walls, walls, wide) || (wide && !RESERVE(p->wide, pairs + 8, 8)))
        return scr_no_memory(report, "the neighbour list");
    sum_starts(p->block_pairs, p->block_count);
    sum_starts(p->block_walls, p->block_count);
    sum_starts(p->block_halo, p->block_count);
    p->count = pairs, p->walls.count = walls, p->halo_count = halo;
    // the next sort finds room in the histories
    if (scr_room_of(p->history) >= 4 * b->table.count) DROP(p->sort_row);

    if (p->stay) {
        bool gone = false;
        each_part(p, w, match_part);
        for (int t = 0; t < p->finder_count; t++) gone |= p->finders[t].gone;
        scr_stay_spread(p, gone);
    }
    each_part(p, w, place_part);
    sort_inboxes(p, w);
    if (w->share) scr_pairs_border(p, w);
    return SCREE_OK;
}

scree_status scr_pairs_build_within(scr_pairs *p, scr_world *w, double fastest, scree_report *report)
{
    scree_status status = build(p, w, fastest, report);
    p->stay = false;
    return scr_share_must(w->share, status, report);
}

bool scr_pairs_have_rows(const scr_pairs *p, const scr_world *w)
{
    return p->finder_count && p->finders[0].moves == w->bodies.table.moves;
}

/* ---- what rows cost ---- */

void scr_pairs_weigh(const scr_pairs *p, const scr_world *w)
{
    scr_share *s = w->share;
    size_t n = w->bodies.table.count;
    s->weight_count = 0;
    if (!(p->count + p->walls.count) || !scr_reserve(&s->weight, n)) return;
    memset(s->weight, 0, n * sizeof *s->weight);
    s->weight_count = n;
    // a pair whose first body is a ghost is computed for the second one's sake
    for (size_t k = 0; k < p->count; k++) {
        uint32_t row = is_ghost(w, p->first[k]) ? p->second[k] : p->first[k];
        if (row < n) s->weight[row]++;
    }
    for (size_t k = 0; k < p->walls.count; k++)
        if (p->walls.body[k] < n) s->weight[p->walls.body[k]]++;
}
