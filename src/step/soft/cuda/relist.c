/* Lists that are made on the device, between those that the CPU makes when bodies are sorted. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "step/soft/cuda/state.h"

#define SHORTEST_LIFE 8 /* steps: a list that looks ahead shall last as long, as in collide/refresh.c */
#define MOST_RATIO    4 /* of sizes, for cells of one size */

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
    k->own_list = n > 0 && !k->pack.heavy_count && r.most <= MOST_RATIO * r.least &&
                  (!k->others.any || scr_soft_others_can_search(&k->others, w));
    if (!k->own_list) return true;
    return push_blocks(s, k) && push_groups(s, k) && ROOM(66, cell, n, 1) && ROOM(67, rank, n, 1) &&
           ROOM(68, member, n, 1) && ROOM(70, count, n, 1) && ROOM(71, told_list, 1, 1);
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

#define MOST_CELLS 4 /* per body */

// cells of one size that a body finds all its partners around, and not too many
static size_t lay_out(const scr_world *w, const soft_cuda *k, soft_list *a)
{
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    double edge = 2 * k->largest + a->far, cells;
    for (;; edge *= 1.25) {
        cells = 1;
        for (int d = 0; d < 3; d++) {
            double length = upper[d] - lower[d], n = fmin(fmax(floor(length / edge), 1), 1 << 20);
            a->lower[d] = lower[d], a->periodic[d] = w->domain.periodic[d];
            a->cells[d] = (int)n, a->per[d] = n / length;
            cells *= n;
        }
        if (cells <= MOST_CELLS * (double)a->bodies + 4096) return (size_t)cells;
    }
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
                   .from = k->words[k->which],
                   .to = k->words[1 - k->which],
                   .told = k->told_list};
    for (int d = 0; d < 3; d++) a.length[d] = t->length[d], a.inverse[d] = t->inverse[d];
    return a;
}

// how fast bodies are; false: one is nowhere, or so fast that the CPU must say which
static bool measure(scr_step *s, soft_cuda *k, soft_list *a, double *fastest)
{
    soft_list_told told = {.low = {~0ull, ~0ull, ~0ull}};
    void *stream = scr_device_stream(k->device);
    scr_device_copy_in(k->device, k->told_list, &told, sizeof told);
    scr_soft_list_speeds(stream, a);
    scr_device_copy_out(k->device, &told, k->told_list, sizeof told);
    double widest = 0;
    for (int d = 0; d < 3; d++) {
        double low = scr_soft_list_value(told.low[d]), high = scr_soft_list_value(told.high[d]);
        a->middle[d] = 0.5 * (low + high);
        widest = fmax(widest, fmax(high - low, fmax(fabs(low), fabs(high))));
    }
    if (told.lost || !(widest * s->world->clock.dt <= 2 * k->least)) return false;
    scr_soft_list_farthest(stream, a);
    scr_device_copy_out(k->device, &told, k->told_list, sizeof told);
    double far2;
    memcpy(&far2, &told.far2, sizeof far2);
    *fastest = 2 * sqrt(far2);
    return true;
}

// the words of all tiles, when it is known how many there are
static bool fill(soft_cuda *k, soft_list *a)
{
    soft_list_told told;
    scr_device_copy_out(k->device, &told, k->told_list, sizeof told);
    if (told.crowded) {
        k->own_list = false;
        return false;
    }
    int other = 1 - k->which;
    uint32_t stride = (told.words + SOFT_TILE) / SOFT_TILE * SOFT_TILE;
    uint32_t sum_stride = (told.sums + SOFT_TILE) / SOFT_TILE * SOFT_TILE;
    if (!scr_soft_cuda_reserve_words(k, other, (size_t)a->tiles * stride, (size_t)a->tiles * sum_stride, k->pack.law,
                                     k->pack.wide))
        return false;
    soft_words *w = &k->words[other];
    w->stride = stride, w->sum_stride = sum_stride;
    a->to = *w;
    if (!k->pack.law) a->to.law = NULL;
    if (!k->pack.wide) a->to.wide = NULL;
    scr_soft_list_fill(scr_device_stream(k->device), a);
    k->which = other;
    return scr_soft_cuda_use_words(k);
}

// what was lost at walls is booked first: other warps do the sums
static bool search_walls(scr_step *s, soft_cuda *k, const soft_list *a, scree_report *report)
{
    if (scr_soft_cuda_fetch(s, k, SOFT_LOSSES_SO_FAR, report)) return false;
    uint32_t place = k->tile.tiles + k->tile.heavy_count;
    return scr_soft_others_search(&k->others, k->device, s, &k->tile, place, &k->places, a) &&
           scr_soft_cuda_push_sums(k);
}

scree_status scr_soft_cuda_relist(scr_step *s, soft_cuda *k, const uint32_t *order, bool *made, scree_report *report)
{
    *made = false;
    if (!k->own_list) return SCREE_OK;
    soft_list a = list_of(s, k);
    a.order = order;
    double fastest;
    if (!measure(s, k, &a, &fastest)) return scr_device_status(k->device, report);
    double listed = k->listed, horizon = k->horizon;
    double drift = 0.5 * fastest + v3_norm(v3_load(a.middle));
    look_ahead(s, k, fastest, drift, order != NULL, &a);
    size_t cells = lay_out(s->world, k, &a);
    bool good = ROOM(72, cell_start, cells + 1, 1) && ROOM(73, cell_sum, cells / 1024 + 2, 1) &&
                scr_soft_cuda_reserve_words(k, 1 - k->which, 1, 1, k->pack.law, k->pack.wide);
    if (good) {
        a.cell_start = k->cell_start, a.cell_sum = k->cell_sum, a.to = k->words[1 - k->which];
        scr_device_fill(k->device, k->cell_start, 0, (cells + 1) * sizeof *k->cell_start);
        scr_soft_list_find(scr_device_stream(k->device), &a);
        good = fill(k, &a) && (!k->others.walls || search_walls(s, k, &a, report));
    }
    if (!good) {
        k->listed = listed, k->horizon = horizon;
        return scr_device_status(k->device, report);
    }
    k->own_anchors = *made = true;
    s->world->clock.rebuilds++;
    for (int n = 0; n < s->world->wall_count; n++) s->world->walls[n].anchor = s->world->walls[n].pose;
    return scr_device_status(k->device, report);
}
