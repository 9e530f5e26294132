/* The list of tiles, made on the device (list.h).
 *
 * Cells are filled by counting; who is where in a cell depends on who came first, but what a row finds is put into the
 * order of its sum (tile.h) by a key of the rows of both bodies, so that the list does not. */
#include "step/soft/cuda/list_text.h"

enum { RUN = 1024 /* numbers that a block of threads adds up */ };

/* ---- velocities ---- */

// an order of whole numbers that is that of the doubles
static __device__ __forceinline__ unsigned long long ordered(double v)
{
    long long bits = __double_as_longlong(v);
    return bits < 0 ? ~(unsigned long long)bits : (unsigned long long)bits | 1ull << 63;
}

static __device__ __forceinline__ double value_of(unsigned long long told)
{
    return __longlong_as_double((long long)(told >> 63 ? told & ~(1ull << 63) : ~told));
}

static __device__ __forceinline__ unsigned long long warp_least(unsigned long long v)
{
    for (int o = 16; o; o /= 2) {
        const unsigned long long other = __shfl_xor_sync(~0u, v, o);
        if (other < v) v = other;
    }
    return v;
}

static __device__ __forceinline__ unsigned long long warp_most(unsigned long long v)
{
    return ~warp_least(~v);
}

// one lane of a warp tells, where others have not told as much
static __device__ __forceinline__ void tell_least(unsigned long long *to, unsigned long long v)
{
    v = warp_least(v);
    if ((threadIdx.x & 31) == 0 && v < *(volatile unsigned long long *)to) atomicMin(to, v);
}

static __device__ __forceinline__ void tell_most(unsigned long long *to, unsigned long long v)
{
    v = warp_most(v);
    if ((threadIdx.x & 31) == 0 && v > *(volatile unsigned long long *)to) atomicMax(to, v);
}

// each thread takes rows a whole grid apart
__global__ void speeds_of_rows(const soft_list a)
{
    const uint32_t stride = gridDim.x * blockDim.x;
    unsigned long long low[3] = {~0ull, ~0ull, ~0ull}, high[3] = {0, 0, 0};
    bool lost = false;
    for (uint32_t i = row_of_thread(); i < a.bodies; i += stride) {
        const row4 x = row_load(a.place, i), v = row_load(a.motion, i);
        const unsigned long long u[3] = {ordered(v.x), ordered(v.y), ordered(v.z)};
        lost |= !(fabs(x.x + x.y + x.z) < 1e300 && fabs(v.x + v.y + v.z) < 1e300);
        for (int d = 0; d < 3; d++) low[d] = u[d] < low[d] ? u[d] : low[d], high[d] = u[d] > high[d] ? u[d] : high[d];
    }
    for (int d = 0; d < 3; d++) tell_least(&a.told->low[d], low[d]), tell_most(&a.told->high[d], high[d]);
    if (lost) atomicOr(&a.told->lost, 1u);
}

__global__ void farthest_of_rows(const soft_list a)
{
    const uint32_t stride = gridDim.x * blockDim.x;
    double most = 0, middle[3];
    for (int d = 0; d < 3; d++) middle[d] = 0.5 * (value_of(a.told->low[d]) + value_of(a.told->high[d]));
    for (uint32_t i = row_of_thread(); i < a.bodies; i += stride) {
        const row4 v = row_load(a.motion, i);
        const double dx = v.x - middle[0], dy = v.y - middle[1], dz = v.z - middle[2];
        most = fmax(most, dx * dx + dy * dy + dz * dz);
    }
    tell_most(&a.told->far2, (unsigned long long)__double_as_longlong(most));
}

/* ---- cells ---- */

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
    const soft_level &g = a.level[level_of(a, x.w)];
    const uint32_t cell =
        g.first +
        ((uint32_t)cell_along(a, g, 2, x.z) * (uint32_t)g.cells[1] + (uint32_t)cell_along(a, g, 1, x.y)) *
            (uint32_t)g.cells[0] +
        (uint32_t)cell_along(a, g, 0, x.x);
    a.cell[i] = cell;
    a.rank[i] = atomicAdd(&a.cell_start[cell], 1u);
    if (a.given) a.given[i] = 0;
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

__global__ void sums_of_runs(const uint32_t *values, uint32_t count, uint32_t *sums)
{
    __shared__ uint32_t shared[THREADS / 32];
    const uint32_t from = blockIdx.x * RUN;
    uint32_t sum = 0, all;
    for (uint32_t k = threadIdx.x; k < RUN; k += THREADS) sum += from + k < count ? values[from + k] : 0;
    block_sums(sum, shared, &all);
    if (threadIdx.x == 0) sums[blockIdx.x] = all;
}

// one block of threads
__global__ void starts_of_runs(uint32_t *sums, uint32_t runs)
{
    __shared__ uint32_t shared[THREADS / 32];
    uint32_t before = 0, all;
    for (uint32_t base = 0; base < runs; base += THREADS) {
        const uint32_t k = base + threadIdx.x;
        const uint32_t start = block_sums(k < runs ? sums[k] : 0, shared, &all);
        if (k < runs) sums[k] = before + start;
        before += all;
    }
}

__global__ void starts_of_values(uint32_t *values, uint32_t count, const uint32_t *sums)
{
    __shared__ uint32_t shared[THREADS / 32];
    uint32_t before = sums[blockIdx.x], all;
    for (uint32_t base = 0; base < RUN; base += THREADS) {
        const uint32_t k = blockIdx.x * RUN + base + threadIdx.x;
        const uint32_t value = k < count ? values[k] : 0, start = before + block_sums(value, shared, &all);
        if (k < count) values[k] = start;
        if (k + 1 == count) values[count] = start + value;
        before += all;
    }
}

__global__ void members_of_cells(const soft_list a)
{
    const uint32_t i = row_of_thread();
    if (i >= a.bodies) return;
    const uint32_t m = a.cell_start[a.cell[i]] + a.rank[i];
    a.member[m] = i;
    ((int4 *)a.cell_spot)[m] = ((const int4 *)a.spot)[i];
}

/* ---- near pairs ---- */

// partners of the same level and of larger ones; a row counts those that it has from smaller ones
__global__ void __launch_bounds__(THREADS) pairs_of_rows(const soft_list a)
{
    __shared__ near_rows near;
    const uint32_t i = row_of_thread();
    if (i >= a.bodies) return;
    const row4 x = row_load(a.place, i), v = row_load(a.motion, i);
    const uint32_t tile = tile_of(a, i), own_from = a.tile_block[tile], own_to = a.tile_block_end[tile];
    const int own = level_of(a, x.w);
    unsigned long long key[SOFT_HEAVY];
    uint32_t n = 0, words = 0;
    for (int level = own; level < a.levels; level++)
        each_near(a, &near, i, x, v, level, 0, 1, [&](uint32_t j) {
            if (level > own) atomicAdd(&a.given[j], 1u);
            if (n++ >= SOFT_HEAVY) return;
            const bool mine = is_first(x.w, i, radius_of(a, j), j);
            const uint32_t first = mine ? i : j, second = mine ? j : i;
            const unsigned long long one = key_of(first, second, own_from, own_to) | (level > own ? 1ull << 63 : 0);
            words += first == i || tile_of(a, first) != tile;
            uint32_t place = n - 1;
            for (; place > 0 && (key[place - 1] << 1) > (one << 1); place--) key[place] = key[place - 1];
            key[place] = one;
        });
    const uint32_t kept = n < SOFT_HEAVY ? n : SOFT_HEAVY;
    for (uint32_t m = 0; m < kept; m++) {
        const uint32_t first = key_first(key[m]), second = key_second(key[m]);
        a.found[(size_t)m * a.bodies + i] =
            (first == i ? second : first | FOUND_SECOND) | (key[m] >> 63 ? FOUND_LARGER : 0);
    }
    a.count[i] = n | words << 16;
    if (n > SOFT_HEAVY) atomicOr(&a.told->crowded, 1u);
}

/* ---- words ---- */

// a block of threads for each tile: where the words and terms of each row begin
__global__ void rows_of_tiles(const soft_list a)
{
    __shared__ uint32_t shared[THREADS / 32];
    const uint32_t t = blockIdx.x, first = tile_start(a, t), end = tile_end(a, t), i = first + threadIdx.x;
    const bool heavy = i < end && is_heavy(a, i);
    const uint32_t count = i < end && !heavy ? a.count[i] : 0, own = count >> 16, terms = count & 0xffff;
    uint32_t words, sums;
    const uint32_t word = block_sums(own, shared, &words), sum = block_sums(terms, shared, &sums);
    if (i < end) {
        a.to.row_words[i] = heavy ? a.heavy_at[i] << 8 | SOFT_WORDS_ELSEWHERE : word << 8 | own;
        a.to.row_sums[i] = heavy ? SOFT_SUM_ELSEWHERE : sum << 8 | terms;
    }
    if (threadIdx.x) return;
    a.tile_words[t] = words;
    atomicMax(&a.told->words, words);
    atomicMax(&a.told->sums, sums);
}

// which word of the tile the pair of a row is at its first body
static __device__ __forceinline__ uint32_t word_of_first(const soft_list &a, uint32_t first, uint32_t i)
{
    uint32_t word = a.to.row_words[first] >> 8;
    for (uint32_t k = 0; k < (a.count[first] & 0xffff); k++) {
        const uint32_t found = found_by(a, first, k), j = found & SOFT_ROW;
        if (j == i) break;
        word += has_word(a, first, found & FOUND_SECOND ? j : first);
    }
    return word;
}

__global__ void __launch_bounds__(THREADS) words_of_rows(const soft_list a)
{
    const uint32_t i = row_of_thread();
    if (i >= a.bodies) return;
    const uint32_t t = tile_of(a, i), own_from = a.tile_block[t], own_to = a.tile_block_end[t];
    const uint32_t words = a.to.row_words[i], sums = a.to.row_sums[i];
    if (sums & SOFT_SUM_ELSEWHERE) return;
    uint32_t at = words >> 8, owner = UINT32_MAX;
    size_t sum = (size_t)t * a.to.sum_stride + (sums >> 8);
    for (uint32_t k = 0; k < (sums & 255); k++) {
        const uint32_t found = found_by(a, i, k), j = found & SOFT_ROW;
        const bool second = found & FOUND_SECOND;
        const uint32_t one = second ? j : i;
        uint32_t number;
        if (has_word(a, i, one)) {
            number = at++;
            put_word(a, i, t, (size_t)t * a.to.stride + number, one, second ? i : j, (uint16_t)(i - tile_start(a, t)));
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
    const uint32_t t = blockIdx.x;
    for (uint32_t k = a.tile_words[t] + threadIdx.x; k < a.to.stride; k += THREADS)
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

#define FEW 2048 /* blocks: each of their threads takes several rows */

static uint32_t few_blocks(uint32_t rows)
{
    return blocks_of(rows) < FEW ? blocks_of(rows) : FEW;
}

extern "C" void scr_soft_list_speeds(void *stream, const soft_list *a)
{
    SCR_LAUNCH_BLOCKS(stream, speeds_of_rows, few_blocks(a->bodies), THREADS, 0, *a);
    SCR_LAUNCH_BLOCKS(stream, farthest_of_rows, few_blocks(a->bodies), THREADS, 0, *a);
}

extern "C" void scr_soft_list_starts(void *stream, uint32_t *values, uint32_t count, uint32_t *sums)
{
    const uint32_t runs = (count + RUN - 1) / RUN;
    SCR_LAUNCH_BLOCKS(stream, sums_of_runs, runs, THREADS, 0, values, count, sums);
    SCR_LAUNCH_BLOCKS(stream, starts_of_runs, 1, THREADS, 0, sums, runs);
    SCR_LAUNCH_BLOCKS(stream, starts_of_values, runs, THREADS, 0, values, count, sums);
}

extern "C" void scr_soft_list_find(void *stream, const soft_list *a)
{
    SCR_LAUNCH(stream, cells_of_rows, blocks_of(a->bodies), THREADS, *a);
    scr_soft_list_starts(stream, a->cell_start, a->cells, a->cell_sum);
    SCR_LAUNCH(stream, members_of_cells, blocks_of(a->bodies), THREADS, *a);
    SCR_LAUNCH(stream, pairs_of_rows, blocks_of(a->bodies), THREADS, *a);
}

extern "C" void scr_soft_list_tiles(void *stream, const soft_list *a)
{
    SCR_LAUNCH_BLOCKS(stream, rows_of_tiles, a->tiles, THREADS, 0, *a);
}

extern "C" void scr_soft_list_fill(void *stream, const soft_list *a)
{
    SCR_LAUNCH(stream, words_of_rows, blocks_of(a->bodies), THREADS, *a);
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
