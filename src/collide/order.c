#include "collide/order.h"

#include <math.h>
#include <stdlib.h>

#include "world/frame.h"

// the low 21 bits of x, two zero bits after each
static uint64_t spread(uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffffull;
    x = (x | x << 16) & 0x1f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    x = (x | x << 2) & 0x1249249249249249ull;
    return x;
}

static uint64_t clamp_cell(double c)
{
    return !(c >= 0) ? 0 : c > 0x1fffff ? 0x1fffff : (uint64_t)c;
}

// one pass of a stable radix sort on eight bits of the key
static void radix_pass(const uint64_t *key, const uint32_t *order, uint64_t *key_out, uint32_t *order_out, size_t count,
                       int shift)
{
    size_t start[257] = {0};
    for (size_t k = 0; k < count; k++) start[(key[k] >> shift & 255) + 1]++;
    for (int b = 0; b < 256; b++) start[b + 1] += start[b];
    for (size_t k = 0; k < count; k++) {
        size_t at = start[key[k] >> shift & 255]++;
        key_out[at] = key[k];
        order_out[at] = order[k];
    }
}

static int by_id(const void *a, const void *b, void *id)
{
    int64_t x = ((int64_t *)id)[*(const uint32_t *)a], y = ((int64_t *)id)[*(const uint32_t *)b];
    return (x > y) - (x < y);
}

// rows of equal keys in the order of ids
static void sort_ties(const uint64_t *key, uint32_t *order, size_t count, int64_t *id)
{
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && key[to] == key[from];) to++;
        if (to - from > 1) qsort_r(order + from, to - from, sizeof *order, by_id, id);
    }
}

void scr_order_morton(scr_order *o, const scr_world *w)
{
    const scr_domain *domain = &w->domain;
    const scr_bodies *bodies = &w->bodies;
    vec3 size = v3_sub(domain->upper, domain->lower);
    double longest = fmax(size.x, fmax(size.y, size.z));
    double inverse = 1 / fmax(w->clock.curve, longest / 0x1fffff);
    size_t count = bodies->table.count;
    uint64_t used = 0;
    for (size_t k = 0; k < count; k++) {
        vec3 c = v3_scale(inverse, v3_sub(scr_unit_place(w, k), domain->lower));
        o->key[0][k] = spread(clamp_cell(c.x)) | spread(clamp_cell(c.y)) << 1 | spread(clamp_cell(c.z)) << 2;
        o->order[0][k] = (uint32_t)k;
        used |= o->key[0][k];
    }
    // an even number of passes brings the result back to order[0]
    int passes = 0;
    for (int shift = 0; shift < 64 && (used >> shift || passes % 2); shift += 8, passes++)
        radix_pass(o->key[passes % 2], o->order[passes % 2], o->key[1 - passes % 2], o->order[1 - passes % 2], count,
                   shift);
    sort_ties(o->key[0], o->order[0], count, bodies->id);
}
