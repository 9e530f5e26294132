#include "scene/slabs.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"

scr_slabs scr_slabs_of(const scr_grains_ranks *ranks, const scr_space *space, const scr_region *region)
{
    scr_slabs s = {.ranks = ranks};
    double longest = -1;
    for (int k = 0; k < 3; k++) {
        // a region may reach through a periodic side: points are anywhere along the axis then
        bool periodic = space->periodic[k];
        double low = periodic ? space->low[k] : (&region->low.x)[k];
        double length = periodic ? space->length[k] : (&region->high.x)[k] - low;
        s.from[k] = periodic ? -INFINITY : low, s.to[k] = periodic ? INFINITY : low + length;
        if (length <= longest) continue;
        longest = length;
        s.axis = k, s.low = low, s.width = length / (ranks ? ranks->size : 1), s.period = periodic ? length : 0;
    }
    return s;
}

static int rank_of(const scr_slabs *s, vec3 p)
{
    double slab = floor(((&p.x)[s->axis] - s->low) / s->width);
    return slab > 0 ? (int)fmin(slab, s->ranks->size - 1) : 0;
}

bool scr_slabs_own(const scr_slabs *s, vec3 p)
{
    return !s->ranks || rank_of(s, p) == s->ranks->rank;
}

// the first and the last slab have no end: rounding puts points beside them
static bool meets_slab(const scr_slabs *s, int rank, double x, double reach)
{
    double from = rank ? s->low + rank * s->width : -INFINITY;
    double to = rank + 1 < s->ranks->size ? s->low + (rank + 1) * s->width : INFINITY;
    return x + reach >= from && x - reach <= to;
}

bool scr_slabs_meet(const scr_slabs *s, int rank, vec3 p, double reach)
{
    double x = (&p.x)[s->axis], far = reach * (1 + 1e-9) + 1e-9 * s->width;
    for (int k = 0; k < 3; k++)
        if ((&p.x)[k] + far < s->from[k] || (&p.x)[k] - far > s->to[k]) return false;
    if (!(s->period > 0)) return meets_slab(s, rank, x, far);
    // an image beyond the side is no nearer to the slabs at the other end than it is to the side
    double low = s->low, high = s->low + s->period;
    return (meets_slab(s, rank, x, far)) || (x - far < low && meets_slab(s, rank, x + s->period, far)) ||
           (x + far > high && meets_slab(s, rank, x - s->period, far));
}

bool scr_slabs_near(const scr_slabs *s, vec3 p, double reach)
{
    return !s->ranks || scr_slabs_meet(s, s->ranks->rank, p, reach);
}

size_t scr_slabs_deal(const scr_slabs *s, const double *balls, size_t count, double reach, scr_ball **in)
{
    const scr_grains_ranks *ranks = s->ranks;
    scr_ball *out = NULL;
    uint64_t *counts = NULL;
    size_t n = 0;
    char *bytes = NULL;
    ranks->need(scr_reserve(&counts, (size_t)ranks->size));
    for (int r = 0; r < ranks->size; r++)
        for (size_t k = 0; k < count; k++) {
            const double *b = balls + 4 * k;
            if (!scr_slabs_meet(s, r, v3_load(b), b[3] + reach)) continue;
            scr_ball ball = {b[0], b[1], b[2], b[3]};
            ranks->need(scr_push(out, n, ball));
            counts[r]++;
        }
    size_t coming = ranks->trade(ranks->context, (const char *)out, counts, sizeof *out, &bytes);
    ranks->need(scr_reserve(in, coming + 1));
    scr_copy(*in, bytes, coming * sizeof **in);
    scr_free_all(out, counts, bytes);
    return coming;
}

#define EACH 31 /* answers of two bits in a number */

void scr_slabs_agree(const scr_slabs *s, uint8_t *answers, size_t count)
{
    const scr_grains_ranks *ranks = s->ranks;
    if (!ranks) return;
    int64_t *words = NULL;
    size_t words_count = (count + EACH - 1) / EACH;
    ranks->need(scr_reserve(&words, words_count));
    for (size_t k = 0; k < count; k++) words[k / EACH] |= (int64_t)(answers[k] & 3) << 2 * (k % EACH);
    ranks->add(ranks->context, words, (int)words_count);
    for (size_t k = 0; k < count; k++) answers[k] = (uint8_t)(words[k / EACH] >> 2 * (k % EACH) & 3);
    scr_buffer_free(words);
}
