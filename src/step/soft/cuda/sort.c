/* Sorting on the device, and what the world must know of it: its tables stay in their old order until they are read
 * (`home`: where the world has each row). */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "collide/order.h"
#include "step/soft/cuda/sort.h"
#include "step/soft/cuda/state.h"

#define ROOM(number, array, count, width) \
    scr_device_reserve(k->device, &k->array, &k->capacity[number], (size_t)(count), 0, (width) * sizeof *k->array)

static bool push_outlets(const scr_world *w, soft_cuda *k)
{
    size_t n = (size_t)w->outlet_count;
    soft_outlet *outlets = scr_memory_new(n + 1, sizeof *outlets);
    bool good = outlets && ROOM(98, outlet, n, 1);
    for (size_t o = 0; good && o < n; o++)
        outlets[o] = (soft_outlet){w->outlets[o].region, w->outlets[o].start, w->outlets[o].until};
    if (good) scr_device_copy_in(k->device, k->outlet, outlets, n * sizeof *outlets);
    scr_device_wait(k->device);
    scr_memory_free(outlets);
    return good;
}

bool scr_soft_cuda_push_order(scr_step *s, soft_cuda *k)
{
    const scr_bodies *b = &s->world->bodies;
    size_t n = b->table.count, parts = n / SOFT_SORT_PART + 1;
    k->permuted = false;
    if (!ROOM(74, told_sort, 1, 1) || !ROOM(76, image, n, 4) || !push_outlets(s->world, k)) return false;
    scr_device_copy_in(k->device, k->image, b->image, 4 * n * sizeof *b->image);
    if (!k->own_list || k->others.bonds) return true;
    bool good = ROOM(75, id, n, 1) && ROOM(77, home, n, 1) && ROOM(78, order[0], n, 1) && ROOM(79, order[1], n, 1) &&
                ROOM(80, digit_start, 256 * parts, 1) && ROOM(81, digit_sum, parts / 4 + 2, 1);
    if (!good) return false;
    scr_device_copy_in(k->device, k->id, b->id, n * sizeof *b->id);
    scr_soft_sort_count(scr_device_stream(k->device), (uint32_t)n, k->home);
    return true;
}

static soft_sort sort_of(scr_step *s, soft_cuda *k)
{
    const scr_world *w = s->world;
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    soft_sort a = {.bodies = k->tile.bodies,
                   .parts = (k->tile.bodies + SOFT_SORT_PART - 1) / SOFT_SORT_PART,
                   .place = k->place[k->now],
                   .motion = k->motion[k->now],
                   .outlet = k->outlet,
                   .outlets = w->outlet_count,
                   .time = w->clock.time,
                   .image = k->image,
                   .id = k->id,
                   .order = {k->order[0], k->order[1]},
                   .start = k->digit_start,
                   .start_sum = k->digit_sum,
                   .told = k->told_sort};
    double longest = 0;
    for (int d = 0; d < 3; d++) {
        a.lower[d] = lower[d], a.upper[d] = upper[d], a.periodic[d] = w->domain.periodic[d];
        longest = fmax(longest, upper[d] - lower[d]);
    }
    a.inverse = 1 / fmax(w->clock.curve, longest / 0x1fffff);
    return a;
}

scree_status scr_soft_cuda_look(scr_step *s, soft_cuda *k, unsigned *leaving, scree_report *report)
{
    soft_sort a = sort_of(s, k);
    soft_sort_told told = {0};
    scr_device_copy_in(k->device, k->told_sort, &told, sizeof told);
    scr_soft_sort_look(scr_device_stream(k->device), &a);
    scr_device_copy_out(k->device, &told, k->told_sort, sizeof told);
    *leaving = told.leaving;
    return scr_device_status(k->device, report);
}

// all arrays of the device into the new order, through what steps spill into; the list follows when it is made
static void gather(soft_cuda *k, const uint32_t *order)
{
    void *stream = scr_device_stream(k->device);
    uint32_t n = k->tile.bodies;
    int now = k->now, next = 1 - now;
    scr_soft_sort_gather(stream, n, order, k->place[now], k->place[next], 32);
    scr_soft_sort_gather(stream, n, order, k->motion[now], k->motion[next], 32);
    scr_soft_sort_gather(stream, n, order, k->spin[now], k->spin[next], 32);
    k->now = next;
    const struct {
        void *rows;
        size_t bytes;
    } others[] = {{k->load, 64}, {k->mass, 8},     {k->id, 8},   {k->image, 16},
                  {k->group, 4}, {k->material, 4}, {k->home, 4}, {k->flows.side, 4}};
    for (size_t f = 0; f < sizeof others / sizeof *others; f++) {
        if (!others[f].rows) continue;
        scr_soft_sort_gather(stream, n, order, others[f].rows, k->spill, others[f].bytes);
        scr_device_copy(k->device, others[f].rows, k->spill, n * others[f].bytes);
    }
}

scree_status scr_soft_cuda_sort(scr_step *s, soft_cuda *k, bool *sorted, scree_report *report)
{
    *sorted = false;
    if (!k->own_list || k->others.bonds || !k->pack.full || !scr_blocks_cut(&s->world->blocks, k->tile.bodies))
        return SCREE_OK;
    size_t n = k->tile.bodies;
    void *stream = scr_device_stream(k->device);
    soft_sort a = sort_of(s, k);
    soft_sort_told told = {0};
    // keys lie in what a list is found in
    a.key[0] = (uint64_t *)(void *)k->spill, a.key[1] = a.key[0] + n;
    scr_device_copy_in(k->device, k->told_sort, &told, sizeof told);
    scr_soft_sort_keys(stream, &a);
    scr_device_copy_out(k->device, &told, k->told_sort, sizeof told);
    if (told.lost) return scr_device_status(k->device, report);
    for (a.shift = 0; a.shift < 64 && told.used >> a.shift; a.shift += 8) {
        scr_soft_sort_pass(stream, &a);
        uint64_t *key = a.key[0];
        uint32_t *order = a.order[0];
        a.key[0] = a.key[1], a.key[1] = key, a.order[0] = a.order[1], a.order[1] = order;
    }
    scr_soft_sort_ties(stream, &a);
    gather(k, a.order[0]);
    k->permuted = k->wrapped = true, k->current = 0, k->summed = false;
    scr_soft_cuda_aim(k);
    soft_tile t = k->tile;
    t.spot_to = k->spot[k->now];
    scr_soft_tile_spots(stream, &t, NULL, NULL);
    scr_device_lap(k->device, "sort");
    return scr_soft_cuda_relist(s, k, a.order[0], sorted, report);
}

// the tables of the world into the order of the device
bool scr_soft_cuda_follow(scr_step *s, soft_cuda *k)
{
    scr_bodies *b = &s->world->bodies;
    size_t n = k->tile.bodies;
    if (k->wrapped) scr_device_copy_out(k->device, b->image, k->image, 4 * n * sizeof *b->image);
    if (!k->permuted) return true;
    uint32_t *home = scr_memory_new(n + 1, sizeof *home);
    char *scratch = scr_memory_new(n + 1, SCR_ORDER_ROW);
    if (home && scratch) {
        scr_device_copy_out(k->device, home, k->home, n * sizeof *home);
        scr_order_apply(home, &b->table, scratch);
        scr_soft_sort_count(scr_device_stream(k->device), (uint32_t)n, k->home);
        scr_device_copy_out(k->device, b->image, k->image, 4 * n * sizeof *b->image);
        k->permuted = false;
    }
    scr_memory_free(home);
    scr_memory_free(scratch);
    return !k->permuted;
}
