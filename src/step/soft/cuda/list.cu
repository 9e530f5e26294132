/* The list of tiles, made on the device (list.h).
 *
 * Cells are filled by counting; who is where in a cell depends on who came first, but what a row finds is put into the
 * order of its sum (tile.h) by a key of the rows of both bodies, so that the list does not. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "exec/cuda/launch.h"
#define inline inline __host__ __device__
#include "collide/grid.h"
#include "step/soft/cuda/contact_text.h"
#undef inline

#include "step/soft/cuda/list.h"

enum { THREADS = 128, RUN = 1024 /* cells that a block of threads adds up */ };

static __device__ __forceinline__ uint32_t row_of_thread(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* ---- velocities ---- */

// an order of whole numbers that is that of the doubles
static __device__ __forceinline__ unsigned long long ordered(double v)
{
    long long bits = __double_as_longlong(v);
    return bits < 0 ? ~(unsigned long long)bits : (unsigned long long)bits | 1ull << 63;
}

static __device__ __forceinline__ double warp_least(double v)
{
    for (int o = 16; o; o /= 2) v = fmin(v, __shfl_xor_sync(~0u, v, o));
    return v;
}

static __device__ __forceinline__ double warp_most(double v)
{
    for (int o = 16; o; o /= 2) v = fmax(v, __shfl_xor_sync(~0u, v, o));
    return v;
}

__global__ void speeds_of_rows(const soft_list a)
{
    const uint32_t i = row_of_thread(), at = i < a.bodies ? i : a.bodies - 1;
    const row4 x = row_load(a.place, at), v = row_load(a.motion, at);
    const double u[3] = {v.x, v.y, v.z};
    const bool lost = !(fabs(x.x + x.y + x.z) < 1e300 && fabs(v.x + v.y + v.z) < 1e300);
    for (int d = 0; d < 3; d++) {
        const double low = warp_least(u[d]), high = warp_most(u[d]);
        if (threadIdx.x & 31) continue;
        atomicMin(&a.told->low[d], ordered(low));
        atomicMax(&a.told->high[d], ordered(high));
    }
    if (lost) atomicOr(&a.told->lost, 1u);
}

__global__ void farthest_of_rows(const soft_list a)
{
    const uint32_t i = row_of_thread(), at = i < a.bodies ? i : a.bodies - 1;
    const row4 v = row_load(a.motion, at);
    const double dx = v.x - a.middle[0], dy = v.y - a.middle[1], dz = v.z - a.middle[2];
    const double far2 = warp_most(dx * dx + dy * dy + dz * dz);
    if ((threadIdx.x & 31) == 0) atomicMax(&a.told->far2, (unsigned long long)__double_as_longlong(far2));
}

/* ---- cells ---- */

static __device__ __forceinline__ int cell_along(const soft_list &a, int d, double x)
{
    const double at = floor((x - a.lower[d]) * a.per[d]);
    const int n = a.cells[d];
    if (!a.periodic[d]) return at < 0 ? 0 : at >= n ? n - 1 : (int)at;
    const int c = (int)(at - n * floor(at / n));
    return c < 0 ? 0 : c >= n ? n - 1 : c;
}

// anchors, and how many come before a row in its cell
__global__ void cells_of_rows(const soft_list a)
{
    const uint32_t i = row_of_thread();
    if (i >= a.bodies) return;
    const row4 x = row_load(a.place, i), v = row_load(a.motion, i);
    const int4 spot = ((const int4 *)a.spot)[i];
    const float ux = a.halted ? 0 : (float)v.x, uy = a.halted ? 0 : (float)v.y, uz = a.halted ? 0 : (float)v.z;
    ((int4 *)a.anchor)[i] = make_int4(spot.x, spot.y, spot.z, __float_as_int(ux));
    ((float2 *)a.drift)[i] = make_float2(uy, uz);
    const uint32_t cell = ((uint32_t)cell_along(a, 2, x.z) * (uint32_t)a.cells[1] + (uint32_t)cell_along(a, 1, x.y)) *
                              (uint32_t)a.cells[0] +
                          (uint32_t)cell_along(a, 0, x.x);
    a.cell[i] = cell;
    a.rank[i] = atomicAdd(&a.cell_start[cell], 1u);
}

// inclusive sums of the threads of a warp
static __device__ __forceinline__ uint32_t warp_sums(uint32_t v)
{
    for (int o = 1; o < 32; o *= 2) {
        const uint32_t below = __shfl_up_sync(~0u, v, o);
        if ((threadIdx.x & 31) >= (unsigned)o) v += below;
    }
    return v;
}

// what comes before each thread of the block; the sum of all goes to *all
static __device__ __forceinline__ uint32_t block_sums(uint32_t v, uint32_t *shared, uint32_t *all)
{
    const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> 5, upto = warp_sums(v);
    __syncthreads();
    if (lane == 31) shared[warp] = upto;
    __syncthreads();
    uint32_t before = 0, sum = 0;
    for (uint32_t k = 0; k < THREADS / 32; k++) {
        if (k < warp) before += shared[k];
        sum += shared[k];
    }
    *all = sum;
    return before + upto - v;
}

__global__ void sums_of_runs(const soft_list a, uint32_t cells)
{
    __shared__ uint32_t shared[THREADS / 32];
    const uint32_t from = blockIdx.x * RUN;
    uint32_t sum = 0, all;
    for (uint32_t k = threadIdx.x; k < RUN; k += THREADS) sum += from + k < cells ? a.cell_start[from + k] : 0;
    block_sums(sum, shared, &all);
    if (threadIdx.x == 0) a.cell_sum[blockIdx.x] = all;
}

// one block of threads
__global__ void starts_of_runs(const soft_list a, uint32_t runs)
{
    __shared__ uint32_t shared[THREADS / 32];
    uint32_t before = 0, all;
    for (uint32_t base = 0; base < runs; base += THREADS) {
        const uint32_t k = base + threadIdx.x;
        const uint32_t start = block_sums(k < runs ? a.cell_sum[k] : 0, shared, &all);
        if (k < runs) a.cell_sum[k] = before + start;
        before += all;
    }
}

__global__ void starts_of_cells(const soft_list a, uint32_t cells)
{
    __shared__ uint32_t shared[THREADS / 32];
    uint32_t before = a.cell_sum[blockIdx.x], all;
    for (uint32_t base = 0; base < RUN; base += THREADS) {
        const uint32_t k = blockIdx.x * RUN + base + threadIdx.x;
        const uint32_t count = k < cells ? a.cell_start[k] : 0, start = block_sums(count, shared, &all);
        if (k < cells) a.cell_start[k] = before + start;
        before += all;
        if (k + 1 == cells) a.cell_start[cells] = a.bodies;
    }
}

__global__ void members_of_cells(const soft_list a)
{
    const uint32_t i = row_of_thread();
    if (i < a.bodies) a.member[a.cell_start[a.cell[i]] + a.rank[i]] = i;
}

/* ---- near pairs ---- */

static __device__ __forceinline__ uint32_t tile_of(const soft_list &a, uint32_t row)
{
    return a.tile_of ? a.tile_of[row] : row / SOFT_TILE;
}

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

// of two rows the first: by size, then row
static __device__ __forceinline__ bool is_first(double ri, uint32_t i, double rj, uint32_t j)
{
    const unsigned long long a = (unsigned long long)__double_as_longlong(ri) >> 52,
                             b = (unsigned long long)__double_as_longlong(rj) >> 52;
    return a == b ? i < j : a < b;
}

// whether `row` has a word of its own for this pair, or finds its partner's
static __device__ __forceinline__ bool has_word(const soft_list &a, uint32_t row, uint32_t first)
{
    return first == row || tile_of(a, first) != tile_of(a, row);
}

__global__ void __launch_bounds__(THREADS) pairs_of_rows(const soft_list a)
{
    const uint32_t i = row_of_thread();
    if (i >= a.bodies) return;
    const row4 x = row_load(a.place, i), v = row_load(a.motion, i);
    const uint32_t tile = tile_of(a, i), own_from = a.tile_block[tile], own_to = a.tile_block_end[tile];
    int c[3], from[3], to[3];
    const double at[3] = {x.x, x.y, x.z};
    for (int d = 0; d < 3; d++) {
        c[d] = cell_along(a, d, at[d]);
        from[d] = -1, to[d] = 1;
        if (a.periodic[d] && a.cells[d] < 3) from[d] = 0, to[d] = a.cells[d] - 1;
        if (!a.periodic[d] && c[d] == 0) from[d] = 0;
        if (!a.periodic[d] && c[d] == a.cells[d] - 1) to[d] = 0;
    }
    unsigned long long key[SOFT_HEAVY];
    int n = 0, words = 0;
    for (int dz = from[2]; dz <= to[2]; dz++)
        for (int dy = from[1]; dy <= to[1]; dy++)
            for (int dx = from[0]; dx <= to[0]; dx++) {
                const int by[3] = {c[0] + dx, c[1] + dy, c[2] + dz};
                uint32_t k[3];
                for (int d = 0; d < 3; d++) {
                    const int m = a.cells[d];
                    k[d] = (uint32_t)(by[d] < 0 ? by[d] + m : by[d] >= m ? by[d] - m : by[d]);
                }
                const uint32_t cell = (k[2] * (uint32_t)a.cells[1] + k[1]) * (uint32_t)a.cells[0] + k[0];
                for (uint32_t m = a.cell_start[cell], end = a.cell_start[cell + 1]; m < end; m++) {
                    const uint32_t j = a.member[m];
                    if (j == i || !is_near(a, i, j, x, v)) continue;
                    if (n == SOFT_HEAVY) {
                        atomicOr(&a.told->crowded, 1u);
                        return;
                    }
                    const bool mine = is_first(x.w, i, a.place[4 * (size_t)j + 3], j);
                    const uint32_t first = mine ? i : j, second = mine ? j : i;
                    const unsigned long long other = first < own_from || first >= own_to;
                    const unsigned long long one = other << 62 | (unsigned long long)first << 31 | second;
                    words += has_word(a, i, first);
                    int place = n++;
                    for (; place > 0 && key[place - 1] > one; place--) key[place] = key[place - 1];
                    key[place] = one;
                }
            }
    for (int m = 0; m < n; m++) {
        const uint32_t first = (uint32_t)(key[m] >> 31 & 0x7fffffff), second = (uint32_t)(key[m] & 0x7fffffff);
        a.found[(size_t)m * a.bodies + i] = first == i ? second : first;
    }
    a.count[i] = (uint32_t)n | (uint32_t)words << 8;
}

/* ---- words ---- */

// a block of threads for each tile: where the words and terms of each row begin
__global__ void rows_of_tiles(const soft_list a)
{
    __shared__ uint32_t shared[THREADS / 32];
    const uint32_t t = blockIdx.x, first = a.tile_row ? a.tile_row[t] : t * SOFT_TILE;
    const uint32_t end = a.tile_row ? a.tile_row[t + 1] : first + SOFT_TILE < a.bodies ? first + SOFT_TILE : a.bodies;
    const uint32_t i = first + threadIdx.x, count = i < end ? a.count[i] : 0;
    uint32_t words, sums;
    const uint32_t word = block_sums(count >> 8, shared, &words), sum = block_sums(count & 255, shared, &sums);
    if (i < end) a.to.row_words[i] = word << 8 | count >> 8, a.to.row_sums[i] = sum << 8 | (count & 255);
    if (threadIdx.x) return;
    atomicMax(&a.told->words, words);
    atomicMax(&a.told->sums, sums);
}

static __device__ __forceinline__ uint32_t found_by(const soft_list &a, uint32_t row, uint32_t k)
{
    return a.found[(size_t)k * a.bodies + row];
}

static __device__ __forceinline__ uint32_t first_of(const soft_list &a, uint32_t i, uint32_t j)
{
    return is_first(a.place[4 * (size_t)i + 3], i, a.place[4 * (size_t)j + 3], j) ? i : j;
}

// where the list before has the contact of two rows of that list, at the first of them; NOWHERE: it does not touch
#define NOWHERE ((size_t)-1)
static __device__ __forceinline__ size_t known_at(const soft_list &a, size_t tile, uint32_t i, uint32_t j)
{
    const soft_words &o = a.from;
    const uint32_t range = o.row_words[i];
    const size_t from = tile * o.stride + (range >> 8);
    for (uint32_t k = 0; k < (range & 255); k++)
        if ((o.word[from + k] & SOFT_ROW) == j) return o.word[from + k] & SOFT_TOUCH ? from + k : NOWHERE;
    return NOWHERE;
}

// the same when rows have changed: the word may have been in its partner's row, and the first of the two may be another
static __device__ __forceinline__ size_t known_before(const soft_list &a, uint32_t i, uint32_t j, bool *flipped)
{
    const uint32_t was = a.order[i], other = a.order[j], first = first_of(a, i, j);
    size_t at = known_at(a, was / SOFT_TILE, was, other);
    uint32_t own = was;
    if (at == NOWHERE) at = known_at(a, other / SOFT_TILE, other, was), own = other;
    if (at == NOWHERE) return at;
    const bool second = a.from.word[at] & SOFT_SECOND;
    const uint32_t first_then = second == (own == was) ? other : was;
    *flipped = first_then != a.order[first];
    return at;
}

// the history of a word in the list before; without another order the same word was in the same row
static __device__ __forceinline__ void match(const soft_list &a, uint32_t i, size_t tile, size_t q, uint32_t *word)
{
    const soft_words &o = a.from;
    const uint32_t j = *word & SOFT_ROW;
    row4 h = {0, 0, 0, 0};
    bool flipped = false;
    const size_t known = a.order ? known_before(a, i, j, &flipped) : known_at(a, tile, i, j);
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

// which word of the tile the pair of a row is at its first body
static __device__ __forceinline__ uint32_t word_of_first(const soft_list &a, uint32_t first, uint32_t i)
{
    uint32_t word = a.to.row_words[first] >> 8;
    for (uint32_t k = 0; k < (a.count[first] & 255); k++) {
        const uint32_t j = found_by(a, first, k);
        if (j == i) break;
        word += has_word(a, first, first_of(a, first, j));
    }
    return word;
}

__global__ void __launch_bounds__(THREADS) words_of_rows(const soft_list a)
{
    const uint32_t i = row_of_thread();
    if (i >= a.bodies) return;
    const uint32_t t = tile_of(a, i), first = a.tile_row ? a.tile_row[t] : t * SOFT_TILE;
    const uint32_t own_from = a.tile_block[t], own_to = a.tile_block_end[t];
    const uint32_t words = a.to.row_words[i], sums = a.to.row_sums[i];
    uint32_t at = words >> 8, owner = UINT32_MAX;
    size_t sum = (size_t)t * a.to.sum_stride + (sums >> 8);
    for (uint32_t k = 0; k < (sums & 255); k++) {
        const uint32_t j = found_by(a, i, k), one = first_of(a, i, j);
        const bool second = one != i;
        uint32_t number;
        if (has_word(a, i, one)) {
            const size_t q = (size_t)t * a.to.stride + at;
            uint32_t word = j | (second ? SOFT_SECOND : 0);
            match(a, i, t, q, &word);
            a.to.word[q] = word, a.to.tag[q] = (uint16_t)(i - first);
            if (a.to.law) {
                const uint32_t two = second ? i : j;
                a.to.law[q] = (uint16_t)(a.material[one] * a.materials + a.material[two]);
            }
            number = at++;
        } else {
            number = word_of_first(a, one, i);
        }
        // rows of a block follow each other: another block has its first row beyond the last one's end
        bool begins = false;
        if (one < own_from || one >= own_to) {
            const uint32_t block = a.tile_block[tile_of(a, one)];
            begins = block != owner;
            owner = block;
        }
        a.to.sum[sum++] = (uint16_t)(number | (begins ? SOFT_SUM_BEGINS : 0) | (second ? SOFT_SUM_SECOND : 0));
    }
}

// beyond the last word of each tile there is nobody
__global__ void ends_of_tiles(const soft_list a)
{
    const uint32_t t = blockIdx.x, last = (a.tile_row                       ? a.tile_row[t + 1]
                                           : (t + 1) * SOFT_TILE < a.bodies ? (t + 1) * SOFT_TILE
                                                                            : a.bodies) -
                                          1;
    const uint32_t words = a.to.row_words[last];
    for (uint32_t k = (words >> 8) + (words & 255) + threadIdx.x; k < a.to.stride; k += THREADS)
        a.to.word[(size_t)t * a.to.stride + k] = SOFT_NOBODY, a.to.tag[(size_t)t * a.to.stride + k] = 0;
}

/* ---- contacts ---- */

static __device__ __forceinline__ uint32_t heavy_of(const soft_tile &a, uint32_t at)
{
    uint32_t low = 0, high = a.heavy_count;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (a.heavy_start[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return a.heavy_row[low];
}

// a pair is taken from its first body
__global__ void contacts_of_words(const soft_tile a, const soft_collection c, size_t words)
{
    const size_t q = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= words) return;
    const uint32_t word = a.word[q];
    if ((word & SOFT_ROW) == SOFT_NOBODY || !(word & SOFT_TOUCH) || (word & SOFT_SECOND)) return;
    const uint32_t n = atomicAdd(c.number, 1u), t = (uint32_t)(q / a.stride);
    if (n >= c.room) return;
    const uint32_t first = t < a.tiles ? (a.tile_row ? a.tile_row[t] : t * SOFT_TILE) : 0;
    c.rows[2 * (size_t)n] = t < a.tiles ? first + (a.tag[q] & SOFT_TAG_ROW) : heavy_of(a, (uint32_t)(q - a.heavy_from));
    c.rows[2 * (size_t)n + 1] = word & SOFT_ROW;
    row_store(c.history, n, row_load(a.history, q));
    for (int k = 0; k < 2; k++) {
        if (c.wide) row_store(c.wide, 2 * (size_t)n + k, row_load(a.wide, 2 * q + k));
        if (c.record) row_store(c.record, 2 * (size_t)n + k, row_load(a.record, 2 * q + k));
    }
}

/* ---- launching ---- */

static uint32_t blocks(uint32_t rows)
{
    return (rows + THREADS - 1) / THREADS;
}

extern "C" void scr_soft_list_speeds(void *stream, const soft_list *a)
{
    SCR_LAUNCH_BLOCKS(stream, speeds_of_rows, blocks(a->bodies), THREADS, 0, *a);
}

extern "C" void scr_soft_list_farthest(void *stream, const soft_list *a)
{
    SCR_LAUNCH_BLOCKS(stream, farthest_of_rows, blocks(a->bodies), THREADS, 0, *a);
}

extern "C" void scr_soft_list_find(void *stream, const soft_list *a)
{
    const uint32_t cells = (uint32_t)a->cells[0] * (uint32_t)a->cells[1] * (uint32_t)a->cells[2],
                   runs = (cells + RUN - 1) / RUN;
    SCR_LAUNCH(stream, cells_of_rows, blocks(a->bodies), THREADS, *a);
    SCR_LAUNCH_BLOCKS(stream, sums_of_runs, runs, THREADS, 0, *a, cells);
    SCR_LAUNCH_BLOCKS(stream, starts_of_runs, 1, THREADS, 0, *a, runs);
    SCR_LAUNCH_BLOCKS(stream, starts_of_cells, runs, THREADS, 0, *a, cells);
    SCR_LAUNCH(stream, members_of_cells, blocks(a->bodies), THREADS, *a);
    SCR_LAUNCH(stream, pairs_of_rows, blocks(a->bodies), THREADS, *a);
    SCR_LAUNCH_BLOCKS(stream, rows_of_tiles, a->tiles, THREADS, 0, *a);
}

extern "C" void scr_soft_list_fill(void *stream, const soft_list *a)
{
    SCR_LAUNCH(stream, words_of_rows, blocks(a->bodies), THREADS, *a);
    SCR_LAUNCH(stream, ends_of_tiles, a->tiles, THREADS, *a);
}

extern "C" double scr_soft_list_value(unsigned long long told)
{
    unsigned long long bits = told >> 63 ? told & ~(1ull << 63) : ~told;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

extern "C" void scr_soft_list_collect(void *stream, const soft_tile *a, const soft_collection *c, size_t words)
{
    if (words) SCR_LAUNCH(stream, contacts_of_words, (words + THREADS - 1) / THREADS, THREADS, *a, *c, words);
}
