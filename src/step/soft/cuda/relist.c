/* Lists that are made on the device. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "step/soft/cuda/state.h"

#define SHORTEST_LIFE 8 /* steps: a list that looks ahead shall last as long, as in collide/refresh.c */
#define ONE_LEVEL     4 /* ratio of sizes, for cells of one size */

#define ROOM(number, array, count, width) \
    scr_device_reserve(k->device, &k->array, &k->capacity[number], (size_t)(count), 0, (width) * sizeof *k->array)

/* ---- once for each order of rows ---- */

// the blocks that tiles are part of
static bool push_blocks(scr_step *s, soft_cuda *k)
{
    const scr_blocks *b = &s->world->blocks;
    const soft_pack *p = &k->pack;
    size_t bodies = p->tile_row[p->tiles];
    uint32_t *rows = scr_memory_new(2 * (size_t)p->tiles + 1, sizeof *rows);
    bool good = rows && ROOM(60, tile_block, p->tiles, 1) && ROOM(61, tile_block_end, p->tiles, 1) &&
                (p->full || ROOM(62, tile_of, bodies, 1));
    size_t block = 0;
    for (uint32_t t = 0; good && t < p->tiles; t++) {
        while (b->start[block + 1] <= p->tile_row[t]) block++;
        rows[t] = b->start[block], rows[p->tiles + t] = b->start[block + 1];
    }
    if (good) {
        scr_device_copy_in(k->device, k->tile_block, rows, p->tiles * sizeof *rows);
        scr_device_copy_in(k->device, k->tile_block_end, rows + p->tiles, p->tiles * sizeof *rows);
        if (!p->full) scr_device_copy_in(k->device, k->tile_of, p->tile_of, bodies * sizeof *p->tile_of);
        scr_device_wait(k->device);
    }
    scr_memory_free(rows);
    return good;
}

// which groups act on each other
static bool push_groups(scr_step *s, soft_cuda *k)
{
    const scr_world *w = s->world;
    size_t n = (size_t)w->group_count, bodies = w->bodies.table.count;
    uint8_t *meet = scr_memory_new(n * n + 1, 1);
    bool good = meet && ROOM(63, meet, n * n, 1) && ROOM(64, group, bodies, 1) && ROOM(65, material, bodies, 1);
    for (int a = 0; good && a < w->group_count; a++)
        for (int b = 0; b < w->group_count; b++)
            if (!scr_world_apart(w, a, b))
                meet[a * w->group_count + b] = (uint8_t)(1 | (s->pairs.held && scr_world_held_meet(w, a, b) ? 2 : 0));
    if (good) {
        scr_device_copy_in(k->device, k->meet, meet, n * n);
        scr_device_copy_in(k->device, k->group, w->bodies.group, bodies * sizeof *k->group);
        scr_device_copy_in(k->device, k->material, w->bodies.material, bodies * sizeof *k->material);
        scr_device_wait(k->device);
    }
    scr_memory_free(meet);
    return good;
}

bool scr_soft_cuda_push_grid(scr_step *s, soft_cuda *k)
{
    const scr_world *w = s->world;
    size_t n = w->bodies.table.count;
    scr_radii r = scr_radii_of(w->bodies.place, n);
    k->least = r.least, k->largest = r.most;
    k->own_list = n > 0;
    if (!k->own_list) return true;
    return push_blocks(s, k) && push_groups(s, k) && ROOM(66, cell, n, 1) && ROOM(67, rank, n, 1) &&
           ROOM(68, member, n, 1) && ROOM(70, count, n, 1) && ROOM(71, told_list, 1, 1) &&
           ROOM(83, tile_words, k->pack.tiles, 1);
}

/* ---- how far it looks ---- */

// as room_to_sweep and set_anchors of collide/refresh.c
static double room_to_sweep(const scr_world *w, const soft_cuda *k, double range)
{
    double reach = w->clock.skin + range, room = k->least + 0.5 * reach;
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    for (int d = 0; d < 3; d++)
        if (w->domain.periodic[d]) room = fmin(room, 0.5 * (upper[d] - lower[d]) - 2 * k->largest - reach);
    return room;
}

static double fastest_wall(const scr_step *s)
{
    const scr_world *w = s->world;
    double fastest = 0;
    for (int k = 0; k < s->pairs.walls.extent_count; k++) {
        const scr_wall_extent *e = &s->pairs.walls.extents[k];
        fastest = fmax(fastest,
                       scr_wall_fastest(&w->walls[k], e->lower, e->upper, w->clock.time - w->clock.dt, w->clock.time));
    }
    return fastest;
}

static void look_ahead(scr_step *s, soft_cuda *k, double fastest, double drift, bool early, soft_list *a)
{
    const scr_world *w = s->world;
    const scr_clock *c = &w->clock;
    double life = c->time - k->listed, room = room_to_sweep(w, k, s->pairs.range);
    double stride = c->dt * fmax(fastest, w->wall_count ? drift + fastest_wall(s) : 0);
    // walls are listed as far as a body gets: about its diameter
    double far = fmax(fastest, w->wall_count ? 0.5 * drift : 0);
    // a list that was not used up says nothing about how long they last
    if (!early) k->horizon = fmax(life > k->horizon ? 2 * k->horizon : fmax(1.25 * life, 4 * c->dt), c->dt);
    k->listed = c->time;
    a->halted = false;
    if (far * k->horizon > room) {
        k->horizon = room / far;
        if (k->horizon < SHORTEST_LIFE * c->dt) a->halted = true, k->horizon = 1e6 * c->dt;
    }
    double sweep = a->halted ? 0 : k->horizon * fastest;
    a->reach = s->pairs.range + fmax(c->skin, stride);
    a->far = s->pairs.range + fmax(c->skin + sweep, stride);
    a->horizon = k->horizon;
}

#define MOST_CELLS 4 /* per body and level */

// cells that a body finds all its partners around, and not too many; all bodies of a level have at most this radius
static size_t lay_out_level(const scr_world *w, const soft_list *a, double radius, soft_level *g)
{
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    for (double edge = 2 * radius + a->far, cells;; edge *= 1.25) {
        cells = 1;
        for (int d = 0; d < 3; d++) {
            double length = upper[d] - lower[d], n = fmin(fmax(floor(length / edge), 1), 1 << 20);
            g->cells[d] = (int)n, g->per[d] = n / length;
            cells *= n;
        }
        if (cells <= MOST_CELLS * (double)a->bodies + 4096) return (size_t)cells;
    }
}

// one level for all, or one for each factor of two in sizes
static void lay_out(const scr_world *w, const soft_cuda *k, soft_list *a)
{
    const double *lower = &w->domain.lower.x;
    int least = ilogb(k->least), most = ilogb(k->largest);
    for (int d = 0; d < 3; d++) a->lower[d] = lower[d], a->periodic[d] = w->domain.periodic[d];
    a->levels = k->largest <= ONE_LEVEL * k->least ? 1
                : most - least + 1 > SOFT_LEVELS   ? SOFT_LEVELS
                                                   : most - least + 1;
    a->exponent = least + 1023; // as doubles have it
    a->cells = 0;
    for (int n = 0; n < a->levels; n++) {
        double radius = n == a->levels - 1 ? k->largest : ldexp(1, least + n + 1);
        a->level[n].first = a->cells;
        a->cells += (uint32_t)lay_out_level(w, a, radius, &a->level[n]);
    }
    // spots are rounded, and so are their differences and the radii as floats
    double coarsest = 0;
    for (int d = 0; d < 3; d++) coarsest = fmax(coarsest, k->tile.unit[d]), a->unit[d] = k->tile.unit[d];
    a->screen = (float)(a->far + 4 * coarsest + 2e-6 * (2 * k->largest + a->far));
}

/* ---- a list ---- */

static soft_list list_of(scr_step *s, soft_cuda *k)
{
    const soft_tile *t = &k->tile;
    const scr_world *w = s->world;
    soft_list a = {.bodies = t->bodies,
                   .tiles = t->tiles,
                   .tile_row = t->tile_row,
                   .tile_of = k->pack.full ? NULL : k->tile_of,
                   .tile_block = k->tile_block,
                   .tile_block_end = k->tile_block_end,
                   .place = t->place,
                   .motion = t->motion,
                   .spot = t->spot,
                   .anchor = k->anchor,
                   .drift = k->drift,
                   .group = k->group,
                   .material = k->material,
                   .meet = k->meet,
                   .groups = w->group_count,
                   .materials = w->material_count,
                   .cell = k->cell,
                   .rank = k->rank,
                   .member = k->member,
                   .found = (uint32_t *)(void *)k->spill,
                   .count = k->count,
                   .cell_spot = k->spot[1 - k->now],
                   .tile_words = k->tile_words,
                   .had_heavies = k->words[k->which].heavies > 0,
                   .from = k->words[k->which],
                   .to = k->words[1 - k->which],
                   .told = k->told_list};
    for (int d = 0; d < 3; d++) a.length[d] = t->length[d], a.inverse[d] = t->inverse[d];
    return a;
}

// how fast bodies are; false: one is nowhere, or so fast that the CPU must say which
static bool measure(scr_step *s, soft_cuda *k, soft_list *a, double *fastest, double *drift)
{
    soft_list_told told = {.low = {~0ull, ~0ull, ~0ull}};
    scr_device_copy_in(k->device, k->told_list, &told, sizeof told);
    scr_soft_list_speeds(scr_device_stream(k->device), a);
    scr_device_copy_out(k->device, &told, k->told_list, sizeof told);
    double widest = 0, middle[3], far2;
    for (int d = 0; d < 3; d++) {
        double low = scr_soft_list_value(told.low[d]), high = scr_soft_list_value(told.high[d]);
        middle[d] = 0.5 * (low + high);
        widest = fmax(widest, fmax(high - low, fmax(fabs(low), fabs(high))));
    }
    memcpy(&far2, &told.far2, sizeof far2);
    *fastest = 2 * sqrt(far2);
    *drift = 0.5 * *fastest + v3_norm(v3_load(middle));
    return !told.lost && widest * s->world->clock.dt <= 2 * k->least;
}

// rows with lists of their own, and all partners of those of several sizes
static bool find_many(soft_cuda *k, soft_list *a)
{
    void *stream = scr_device_stream(k->device);
    int other = 1 - k->which;
    size_t n = a->bodies;
    if (!ROOM(85, heavy_at, n + 1, 1) || !ROOM(86, heavy_from, n + 1, 1)) return false;
    a->heavy_at = k->heavy_at, a->heavy_from = k->heavy_from;
    scr_soft_many_rows(stream, a);
    uint32_t heavies, words;
    scr_device_copy_out(k->device, &heavies, k->heavy_at + n, sizeof heavies);
    scr_device_copy_out(k->device, &words, k->heavy_from + n, sizeof words);
    if (!scr_soft_cuda_reserve_heavies(k, other, heavies) || !ROOM(87, heavy_key, words + 1, 1)) return false;
    k->words[other].heavies = a->to.heavies = heavies;
    a->to.heavy_row = k->words[other].heavy_row, a->to.heavy_start = k->words[other].heavy_start;
    a->heavy_key = k->heavy_key;
    k->heavy_words[other] = words;
    scr_soft_many_find(stream, a);
    return true;
}

// near pairs of all rows; how many words and terms a tile has
static bool find(soft_cuda *k, soft_list *a, soft_list_told *told)
{
    void *stream = scr_device_stream(k->device);
    int other = 1 - k->which;
    bool many = a->levels > 1;
    k->words[other].heavies = a->to.heavies = 0, k->heavy_words[other] = 0;
    if (many && !ROOM(84, given, a->bodies, 1)) return false;
    a->given = many ? k->given : NULL;
    scr_device_fill(k->device, k->cell_start, 0, ((size_t)a->cells + 1) * sizeof *k->cell_start);
    scr_soft_list_find(stream, a);
    if (!many) scr_soft_list_tiles(stream, a);
    scr_device_copy_out(k->device, told, k->told_list, sizeof *told);
    if (!many && !told->crowded) return true;
    if (!many) {
        if (!ROOM(84, given, a->bodies, 1)) return false;
        a->given = k->given;
        scr_device_fill(k->device, k->given, 0, a->bodies * sizeof *k->given);
        told->words = told->sums = 0;
        scr_device_copy_in(k->device, k->told_list, told, sizeof *told);
    }
    if (!find_many(k, a)) return false;
    scr_soft_list_tiles(stream, a);
    scr_device_copy_out(k->device, told, k->told_list, sizeof *told);
    return true;
}

// the words of all tiles, when it is known how many there are
static bool fill(soft_cuda *k, soft_list *a, const soft_list_told *told)
{
    int other = 1 - k->which;
    uint32_t stride = (told->words + SOFT_TILE) / SOFT_TILE * SOFT_TILE;
    uint32_t sum_stride = (told->sums + SOFT_TILE) / SOFT_TILE * SOFT_TILE;
    size_t words = (size_t)a->tiles * stride + k->heavy_words[other];
    if (!scr_soft_cuda_reserve_words(k, other, words, (size_t)a->tiles * sum_stride, k->pack.law, k->pack.wide))
        return false;
    soft_words *w = &k->words[other];
    w->stride = stride, w->sum_stride = sum_stride;
    a->to = *w;
    if (!k->pack.law) a->to.law = NULL;
    if (!k->pack.wide) a->to.wide = NULL;
    scr_soft_list_fill(scr_device_stream(k->device), a);
    scr_soft_many_fill(scr_device_stream(k->device), a);
    scr_device_lap(k->device, "list: words");
    k->which = other;
    return scr_soft_cuda_use_words(k);
}

// places for sums of other rows and walls: what was lost in those before is booked first
static bool place_sums(scr_step *s, soft_cuda *k, const soft_list *a, uint32_t heavies, scree_report *report)
{
    if (!k->others.walls && heavies == k->tile.heavy_count) return true;
    if (scr_soft_cuda_fetch(s, k, SOFT_LOSSES_SO_FAR, report)) return false;
    uint32_t place = k->tile.tiles + k->tile.heavy_count;
    k->places = place;
    if (k->others.walls && !scr_soft_others_search(&k->others, k->device, s, &k->tile, place, &k->places, a))
        return false;
    scr_soft_others_place_bonds(&k->others, &k->places);
    return scr_soft_cuda_push_sums(k);
}

scree_status scr_soft_cuda_relist(scr_step *s, soft_cuda *k, const uint32_t *order, bool *made, scree_report *report)
{
    *made = false;
    if (!k->own_list) return SCREE_OK;
    soft_list a = list_of(s, k);
    soft_list_told told;
    a.order = order;
    double fastest, drift;
    if (!measure(s, k, &a, &fastest, &drift)) return scr_device_status(k->device, report);
    scr_device_lap(k->device, "list: speeds");
    double listed = k->listed, horizon = k->horizon;
    uint32_t heavies = k->tile.heavy_count;
    look_ahead(s, k, fastest, drift, order != NULL, &a);
    a.largest = k->largest, a.drift_most = drift;
    lay_out(s->world, k, &a);
    size_t most = a.cells > a.bodies ? a.cells : a.bodies;
    bool good = ROOM(72, cell_start, (size_t)a.cells + 1, 1) && ROOM(73, cell_sum, most / 1024 + 2, 1) &&
                scr_soft_cuda_reserve_words(k, 1 - k->which, 1, 1, k->pack.law, k->pack.wide);
    if (good) {
        a.cell_start = k->cell_start, a.cell_sum = k->cell_sum, a.to = k->words[1 - k->which];
        good = find(k, &a, &told);
        scr_device_lap(k->device, "list: pairs");
        good = good && fill(k, &a, &told) && place_sums(s, k, &a, heavies, report);
    }
    if (!good) {
        k->listed = listed, k->horizon = horizon;
        return scr_device_status(k->device, report);
    }
    scr_device_lap(k->device, "list: walls");
    k->own_anchors = *made = true;
    s->world->clock.rebuilds++;
    for (int n = 0; n < s->world->wall_count; n++) s->world->walls[n].anchor = s->world->walls[n].pose;
    return scr_device_status(k->device, report);
}
