/* What the kernels of lists share (list.cu, many.cu): cells, who is near, and in what order a row has its partners. */
#ifndef SCREE_STEP_SOFT_CUDA_LIST_TEXT_H
#define SCREE_STEP_SOFT_CUDA_LIST_TEXT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "exec/cuda/launch.h"
#include "step/soft/cuda/contact_text.h"
#include "step/soft/cuda/list.h"

enum { THREADS = 128 };

static __device__ __forceinline__ uint32_t row_of_thread(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

static inline uint32_t blocks_of(uint32_t rows)
{
    return (rows + THREADS - 1) / THREADS;
}

static __device__ __forceinline__ double radius_of(const soft_list &a, uint32_t row)
{
    return a.place[4 * (size_t)row + 3];
}

/* ---- sizes ---- */

static __device__ __forceinline__ int exponent_of(double radius)
{
    return (int)((unsigned long long)__double_as_longlong(radius) >> 52);
}

static __device__ __forceinline__ int level_of(const soft_list &a, double radius)
{
    const int level = exponent_of(radius) - a.exponent;
    return level < 0 ? 0 : level >= a.levels ? a.levels - 1 : level;
}

// of two rows the first: by size, then row
static __device__ __forceinline__ bool is_first(double ri, uint32_t i, double rj, uint32_t j)
{
    const int a = exponent_of(ri), b = exponent_of(rj);
    return a == b ? i < j : a < b;
}

/* ---- tiles ---- */

static __device__ __forceinline__ uint32_t tile_of(const soft_list &a, uint32_t row)
{
    return a.tile_of ? a.tile_of[row] : row / SOFT_TILE;
}

static __device__ __forceinline__ uint32_t tile_start(const soft_list &a, uint32_t tile)
{
    return a.tile_row ? a.tile_row[tile] : tile * SOFT_TILE;
}

static __device__ __forceinline__ uint32_t tile_end(const soft_list &a, uint32_t tile)
{
    if (a.tile_row) return a.tile_row[tile + 1];
    return (tile + 1) * SOFT_TILE < a.bodies ? (tile + 1) * SOFT_TILE : a.bodies;
}

// whether a row has a list of its own
static __device__ __forceinline__ bool is_heavy(const soft_list &a, uint32_t row)
{
    return a.heavy_at && a.heavy_at[row + 1] != a.heavy_at[row];
}

// whether `row` has a word of its own for the pair with this first body, or finds its partner's
static __device__ __forceinline__ bool has_word(const soft_list &a, uint32_t row, uint32_t first)
{
    return first == row || tile_of(a, first) != tile_of(a, row) || is_heavy(a, first);
}

/* ---- order ---- */

#define KEY_OTHER (1ull << 62) /* another block owns the pair */

// the place of a pair in the sum of a row whose block has rows [own_from, own_to)
static __device__ __forceinline__ unsigned long long key_of(uint32_t first, uint32_t second, uint32_t own_from,
                                                            uint32_t own_to)
{
    const bool other = first < own_from || first >= own_to;
    return (other ? KEY_OTHER : 0) | (unsigned long long)first << 31 | second;
}

static __device__ __forceinline__ uint32_t key_first(unsigned long long key)
{
    return (uint32_t)(key >> 31 & 0x7fffffff);
}

static __device__ __forceinline__ uint32_t key_second(unsigned long long key)
{
    return (uint32_t)(key & 0x7fffffff);
}

/* A partner that was found: its row, and whether it is the pair's first; whether it is of a larger level. */
#define FOUND_SECOND SOFT_SECOND
#define FOUND_LARGER SOFT_TOUCH

static __device__ __forceinline__ uint32_t found_by(const soft_list &a, uint32_t row, uint32_t k)
{
    return a.found[(size_t)k * a.bodies + row];
}

/* ---- cells ---- */

static __device__ __forceinline__ int cell_along(const soft_list &a, const soft_level &g, int d, double x)
{
    const double at = floor((x - a.lower[d]) * g.per[d]);
    const int n = g.cells[d];
    if (!a.periodic[d]) return at < 0 ? 0 : at >= n ? n - 1 : (int)at;
    const int c = (int)(at - n * floor(at / n));
    return c < 0 ? 0 : c >= n ? n - 1 : c;
}

// cells along an axis around c: [from, to], beyond the sides of a periodic domain too
static __device__ __forceinline__ void cells_around(bool periodic, int cells, int c, int *from, int *to)
{
    *from = c - 1, *to = c + 1;
    if (periodic && cells < 3) *from = 0, *to = cells - 1;
    if (!periodic && *from < 0) *from = 0;
    if (!periodic && *to > cells - 1) *to = cells - 1;
}

/* ---- near ---- */

// whether two bodies can act on each other at all
static __device__ __forceinline__ bool can_meet(const soft_list &a, uint32_t i, uint32_t j, double mi, double mj)
{
    const bool held = mi == 0 && mj == 0;
    if (!a.meet) return !held;
    const uint8_t meet = a.meet[a.group[i] * a.groups + a.group[j]];
    return meet & (held ? 2 : 1);
}

// whether two bodies that go on as they do come near enough before the horizon
static __device__ __forceinline__ bool meets(const soft_list &a, const rvec &d, double d2, const rvec &w, double near2)
{
    const double closing = -(d.x * w.x + d.y * w.y + d.z * w.z);
    if (!(closing > 0)) return false;
    const double w2 = w.x * w.x + w.y * w.y + w.z * w.z;
    if (closing < a.horizon * w2) return d2 * w2 - closing * closing < near2 * w2;
    return d2 - a.horizon * (2 * closing - a.horizon * w2) < near2;
}

static __device__ __forceinline__ bool is_near(const soft_list &a, uint32_t i, uint32_t j, const row4 &x, const row4 &v)
{
    const row4 y = row_read(a.place, j);
    rvec d = {x.x - y.x, x.y - y.y, x.z - y.z};
    pair_nearest(a.length, a.inverse, &d);
    const double d2 = d.x * d.x + d.y * d.y + d.z * d.z, sum = x.w + y.w, far = sum + a.far;
    if (!(d2 < far * far)) return false;
    const row4 u = row_read(a.motion, j);
    if (!can_meet(a, i, j, v.w, u.w)) return false;
    const double near = sum + a.reach;
    return d2 < near * near || (!a.halted && meets(a, d, d2, rvec{v.x - u.x, v.y - u.y, v.z - u.z}, near * near));
}

// near enough to ask; spots by cell
static __device__ __forceinline__ bool may_be_near(const soft_list &a, int4 i, int4 j)
{
    const float dx = spot_gap(i.x, j.x, a.unit[0]), dy = spot_gap(i.y, j.y, a.unit[1]),
                dz = spot_gap(i.z, j.z, a.unit[2]);
    const float r = __int_as_float(i.w) + __int_as_float(j.w) + a.screen;
    return dx * dx + dy * dy + dz * dz < r * r;
}

/* Those near enough to ask, of each thread in the block's own memory: so that all threads of a warp ask at once. */
enum { NEAR = 32 };
struct near_rows {
    uint32_t at[NEAR][THREADS];
};

/* Calls found(j) for all rows of one level near row i; `lane` of `lanes` that share the work. */
template <class F>
static __device__ __forceinline__ void each_near(const soft_list &a, near_rows *near, uint32_t i, const row4 &x,
                                                 const row4 &v, int level, uint32_t lane, uint32_t lanes, F found)
{
    uint32_t held = 0;
    const auto ask = [&](void) {
        for (uint32_t k = 0; k < held; k++) {
            const uint32_t j = a.member[near->at[k][threadIdx.x]];
            if (j != i && is_near(a, i, j, x, v)) found(j);
        }
        held = 0;
    };
    const soft_level &g = a.level[level];
    const int4 spot = ((const int4 *)a.spot)[i];
    const double at[3] = {x.x, x.y, x.z};
    int from[3], to[3];
    for (int d = 0; d < 3; d++) cells_around(a.periodic[d], g.cells[d], cell_along(a, g, d, at[d]), from + d, to + d);
    for (int z = from[2]; z <= to[2]; z++)
        for (int y = from[1]; y <= to[1]; y++) {
            const int cz = z < 0 ? z + g.cells[2] : z >= g.cells[2] ? z - g.cells[2] : z;
            const int cy = y < 0 ? y + g.cells[1] : y >= g.cells[1] ? y - g.cells[1] : y;
            const uint32_t line = g.first + ((uint32_t)cz * (uint32_t)g.cells[1] + (uint32_t)cy) * (uint32_t)g.cells[0];
            // cells along x follow each other; those beyond a side are the ones at the other
            for (int part = -1; part <= 1; part++) {
                int low = from[0], high = to[0];
                if (part < 0) high = low < 0 ? -1 : low - 1;
                if (part == 0) low = low < 0 ? 0 : low, high = high >= g.cells[0] ? g.cells[0] - 1 : high;
                if (part > 0) low = g.cells[0];
                if (low > high) continue;
                const int by = -part * g.cells[0];
                const uint32_t begin = a.cell_start[line + (uint32_t)(low + by)],
                               end = a.cell_start[line + (uint32_t)(high + by) + 1];
                for (uint32_t m = begin + lane; m < end; m += lanes) {
                    if (!may_be_near(a, spot, __ldg((const int4 *)a.cell_spot + m))) continue;
                    near->at[held++][threadIdx.x] = m;
                    if (held == NEAR) ask();
                }
            }
        }
    ask();
}

/* ---- histories ---- */

#define NOWHERE ((size_t)-1)

// where the list before has the contact of two rows of that list, at the first of them; NOWHERE: it does not touch
static __device__ __forceinline__ size_t known_at(const soft_list &a, size_t tile, uint32_t i, uint32_t j)
{
    const soft_words &o = a.from;
    const uint32_t range = o.row_words[i], number = range >> 8;
    size_t from = tile * o.stride + number;
    uint32_t count = range & 255;
    if (count == SOFT_WORDS_ELSEWHERE)
        from = (size_t)a.tiles * o.stride + o.heavy_start[number],
        count = o.heavy_start[number + 1] - o.heavy_start[number];
    for (uint32_t k = 0; k < count; k++)
        if ((o.word[from + k] & SOFT_ROW) == j) return o.word[from + k] & SOFT_TOUCH ? from + k : NOWHERE;
    return NOWHERE;
}

static __device__ __forceinline__ bool was_heavy(const soft_list &a, uint32_t was)
{
    return (a.from.row_words[was] & 255) == SOFT_WORDS_ELSEWHERE;
}

// the same for rows of now, of which `first` is the first: the word may have been in its partner's row, and when rows
// have changed the first of the two may be another
static __device__ __forceinline__ size_t known_before(const soft_list &a, uint32_t i, uint32_t j, uint32_t first,
                                                      bool *flipped)
{
    uint32_t was = a.order ? a.order[i] : i, other = a.order ? a.order[j] : j;
    const uint32_t first_was = first == i ? was : other;
    // of one with many partners it is easier found in the other's row
    if (was_heavy(a, was)) {
        const uint32_t swap = was;
        was = other, other = swap;
    }
    size_t at = known_at(a, a.order ? was / SOFT_TILE : tile_of(a, was), was, other);
    uint32_t own = was;
    if (at == NOWHERE && !was_heavy(a, other))
        at = known_at(a, a.order ? other / SOFT_TILE : tile_of(a, other), other, was), own = other;
    if (at == NOWHERE) return at;
    const bool second = a.from.word[at] & SOFT_SECOND;
    const uint32_t first_then = second == (own == was) ? other : was;
    *flipped = first_then != first_was;
    return at;
}

// the history of a word in the list before; where rows have not changed and none has a list of its own, the same word
// was in the same row
static __device__ __forceinline__ void match(const soft_list &a, uint32_t i, size_t tile, size_t q, uint32_t first,
                                             uint32_t *word)
{
    const soft_words &o = a.from;
    const uint32_t j = *word & SOFT_ROW;
    row4 h = {0, 0, 0, 0};
    bool flipped = false;
    const bool simple = !a.order && !a.heavy_at && !a.had_heavies;
    const size_t known = simple ? known_at(a, tile, i, j) : known_before(a, i, j, first, &flipped);
    if (known != NOWHERE) {
        h = row_load(o.history, known), *word |= SOFT_TOUCH;
        if (flipped) h.x = -h.x, h.y = -h.y, h.z = -h.z;
    }
    row_store(a.to.history, q, h);
    if (!a.to.wide) return;
    for (int k = 0; k < 2; k++) {
        row4 w = {0, 0, 0, 0};
        if (known != NOWHERE) w = row_load(o.wide, 2 * known + k);
        row_store(a.to.wide, 2 * q + k, w);
    }
}

static __device__ __forceinline__ void put_word(const soft_list &a, uint32_t i, size_t tile, size_t q, uint32_t first,
                                                uint32_t second, uint16_t tag)
{
    uint32_t word = first == i ? second : first | SOFT_SECOND;
    match(a, i, tile, q, first, &word);
    a.to.word[q] = word, a.to.tag[q] = tag;
    if (a.to.law) a.to.law[q] = (uint16_t)(a.material[first] * a.materials + a.material[second]);
}

#endif
