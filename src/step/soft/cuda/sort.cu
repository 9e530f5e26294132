/* A stable radix sort on eight bits at a time: each part of the rows counts its digits, sums say where those of each
 * part begin, and each part moves its rows there in their order. */
#include <math.h>
#include <stdint.h>

#include "exec/cuda/launch.h"
// the text of regions is for both
#define inline inline __host__ __device__
#include "scene/region_text.h"
#undef inline
#include "step/soft/cuda/contact_text.h"
#include "step/soft/cuda/sort.h"

enum { THREADS = 128, WARPS = THREADS / 32, DIGITS = 256, RUN = 1024 };

static __device__ __forceinline__ uint32_t row_of_thread(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* ---- places ---- */

// as scr_outlet_of
static __device__ __forceinline__ bool is_taken(const soft_sort &a, uint32_t i)
{
    const vec3 x = v3_load(a.place + 4 * (size_t)i);
    if (!a.outlets || a.motion[4 * (size_t)i + 3] == 0) return false;
    for (int k = 0; k < a.outlets; k++) {
        const soft_outlet &o = a.outlet[k];
        if (a.time >= o.start && a.time < o.until && region_holds(&o.region, x, 0, 0)) return true;
    }
    return false;
}

__global__ void look_at_rows(const soft_sort a)
{
    const uint32_t i = row_of_thread();
    if (i >= a.bodies) return;
    const double *x = a.place + 4 * (size_t)i;
    bool leaves = !(fabs(x[0] + x[1] + x[2]) < 1e300), astray = false;
    for (int d = 0; d < 3; d++) {
        const double slack = a.periodic[d] ? 2 * x[3] : 0;
        const bool out = x[d] < a.lower[d] - slack || x[d] > a.upper[d] + slack;
        if (a.periodic[d])
            astray |= out;
        else
            leaves |= out;
    }
    leaves |= is_taken(a, i);
    if (leaves || astray) atomicOr(&a.told->leaving, leaves ? SOFT_LEAVING : SOFT_ASTRAY);
}

// as wrap() of collide/tidy.c
static __device__ __forceinline__ bool wrap(double *x, int32_t *image, double lower, double length)
{
    const double boxes = floor((*x - lower) / length);
    if (boxes == 0) return true;
    if (fabs(*image + boxes) > 1e9) return false;
    *x -= boxes * length;
    *image += (int32_t)boxes;
    if (*x >= lower + length) *x = lower, *image += 1;
    return true;
}

static __device__ __forceinline__ uint64_t spread(uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffffull;
    x = (x | x << 16) & 0x1f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    x = (x | x << 2) & 0x1249249249249249ull;
    return x;
}

static __device__ __forceinline__ uint64_t clamp_cell(double c)
{
    return !(c >= 0) ? 0 : c > 0x1fffff ? 0x1fffff : (uint64_t)c;
}

__global__ void keys_of_rows(const soft_sort a)
{
    const uint32_t i = row_of_thread();
    unsigned long long key = 0;
    if (i < a.bodies) {
        double *x = a.place + 4 * (size_t)i;
        bool good = true;
        for (int d = 0; d < 3; d++) {
            if (a.periodic[d]) good &= wrap(x + d, a.image + 4 * (size_t)i + d, a.lower[d], a.upper[d] - a.lower[d]);
            key |= spread(clamp_cell(a.inverse * (x[d] - a.lower[d]))) << d;
        }
        if (!good) atomicOr(&a.told->lost, 1u);
        a.key[0][i] = key, a.order[0][i] = i;
    }
    for (int o = 16; o; o /= 2) key |= __shfl_xor_sync(~0u, key, o);
    if ((threadIdx.x & 31) == 0 && (key & ~*(volatile unsigned long long *)&a.told->used)) atomicOr(&a.told->used, key);
}

/* ---- a pass ---- */

// digit after digit, and in each of them part after part
static __device__ __forceinline__ size_t place_of(const soft_sort &a, uint32_t digit, uint32_t part)
{
    return (size_t)digit * a.parts + part;
}

__global__ void digits_of_parts(const soft_sort a)
{
    __shared__ uint32_t count[DIGITS];
    for (uint32_t d = threadIdx.x; d < DIGITS; d += THREADS) count[d] = 0;
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < SOFT_SORT_PART; k += THREADS) {
        const uint32_t at = blockIdx.x * SOFT_SORT_PART + k;
        if (at < a.bodies) atomicAdd(&count[a.key[0][at] >> a.shift & (DIGITS - 1)], 1u);
    }
    __syncthreads();
    for (uint32_t d = threadIdx.x; d < DIGITS; d += THREADS) a.start[place_of(a, d, blockIdx.x)] = count[d];
}

static __device__ __forceinline__ uint32_t block_sums(uint32_t v, uint32_t *shared, uint32_t *all)
{
    const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    uint32_t upto = v;
    for (int o = 1; o < 32; o *= 2) {
        const uint32_t below = __shfl_up_sync(~0u, upto, o);
        if (lane >= (unsigned)o) upto += below;
    }
    __syncthreads();
    if (lane == 31) shared[warp] = upto;
    __syncthreads();
    uint32_t before = 0, sum = 0;
    for (uint32_t k = 0; k < WARPS; k++) {
        if (k < warp) before += shared[k];
        sum += shared[k];
    }
    *all = sum;
    return before + upto - v;
}

__global__ void sums_of_digits(const soft_sort a, uint32_t count)
{
    __shared__ uint32_t shared[WARPS];
    uint32_t sum = 0, all;
    for (uint32_t k = threadIdx.x; k < RUN; k += THREADS) {
        const uint32_t at = blockIdx.x * RUN + k;
        sum += at < count ? a.start[at] : 0;
    }
    block_sums(sum, shared, &all);
    if (threadIdx.x == 0) a.start_sum[blockIdx.x] = all;
}

// one block of threads
__global__ void starts_of_sums(const soft_sort a, uint32_t runs)
{
    __shared__ uint32_t shared[WARPS];
    uint32_t before = 0, all;
    for (uint32_t base = 0; base < runs; base += THREADS) {
        const uint32_t k = base + threadIdx.x, start = block_sums(k < runs ? a.start_sum[k] : 0, shared, &all);
        if (k < runs) a.start_sum[k] = before + start;
        before += all;
    }
}

__global__ void starts_of_digits(const soft_sort a, uint32_t count)
{
    __shared__ uint32_t shared[WARPS];
    uint32_t before = a.start_sum[blockIdx.x], all;
    for (uint32_t base = 0; base < RUN; base += THREADS) {
        const uint32_t k = blockIdx.x * RUN + base + threadIdx.x;
        const uint32_t start = block_sums(k < count ? a.start[k] : 0, shared, &all);
        if (k < count) a.start[k] = before + start;
        before += all;
    }
}

// rows of a part to their places, THREADS at a time, in their order
__global__ void rows_of_parts(const soft_sort a)
{
    __shared__ uint32_t start[DIGITS], count[WARPS][DIGITS];
    const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (uint32_t d = threadIdx.x; d < DIGITS; d += THREADS) start[d] = a.start[place_of(a, d, blockIdx.x)];
    for (uint32_t base = 0; base < SOFT_SORT_PART; base += THREADS) {
        const uint32_t at = blockIdx.x * SOFT_SORT_PART + base + threadIdx.x;
        const bool there = at < a.bodies;
        const uint64_t key = there ? a.key[0][at] : 0;
        const uint32_t digit = key >> a.shift & (DIGITS - 1);
        for (uint32_t d = threadIdx.x; d < WARPS * DIGITS; d += THREADS) (&count[0][0])[d] = 0;
        __syncthreads();
        // who in the warp has the same digit
        unsigned same = __ballot_sync(~0u, there);
        for (int b = 0; b < 8; b++) {
            const unsigned set = __ballot_sync(~0u, digit >> b & 1);
            same &= digit >> b & 1 ? set : ~set;
        }
        const uint32_t before = __popc(same & ((1u << lane) - 1));
        if (there && !before) count[warp][digit] = __popc(same);
        __syncthreads();
        if (there) {
            uint32_t to = start[digit] + before;
            for (uint32_t w = 0; w < warp; w++) to += count[w][digit];
            a.key[1][to] = key, a.order[1][to] = a.order[0][at];
        }
        __syncthreads();
        for (uint32_t d = threadIdx.x; d < DIGITS; d += THREADS)
            for (uint32_t w = 0; w < WARPS; w++) start[d] += count[w][d];
        __syncthreads();
    }
}

// the first of those of equal keys sees to them
__global__ void ties_of_rows(const soft_sort a)
{
    const uint32_t k = row_of_thread();
    const uint64_t *key = a.key[0];
    uint32_t *order = a.order[0];
    if (k >= a.bodies || (k > 0 && key[k] == key[k - 1])) return;
    for (uint32_t at = k + 1; at < a.bodies && key[at] == key[k]; at++) {
        const uint32_t one = order[at];
        uint32_t to = at;
        for (; to > k && a.id[order[to - 1]] > a.id[one]; to--) order[to] = order[to - 1];
        order[to] = one;
    }
}

/* ---- rows ---- */

struct row8 {
    row4 force, torque;
};

template <class T> __global__ void gather_rows(uint32_t bodies, const uint32_t *order, const T *from, T *to)
{
    const uint32_t k = row_of_thread();
    if (k < bodies) to[k] = from[order[k]];
}

__global__ void count_rows(uint32_t bodies, uint32_t *rows)
{
    const uint32_t k = row_of_thread();
    if (k < bodies) rows[k] = k;
}

/* ---- launching ---- */

static uint32_t blocks(uint32_t rows)
{
    return (rows + THREADS - 1) / THREADS;
}

extern "C" void scr_soft_sort_look(void *stream, const soft_sort *a)
{
    if (a->bodies) SCR_LAUNCH(stream, look_at_rows, blocks(a->bodies), THREADS, *a);
}

extern "C" void scr_soft_sort_keys(void *stream, const soft_sort *a)
{
    SCR_LAUNCH_BLOCKS(stream, keys_of_rows, blocks(a->bodies), THREADS, 0, *a);
}

extern "C" void scr_soft_sort_pass(void *stream, const soft_sort *a)
{
    const uint32_t count = DIGITS * a->parts, runs = (count + RUN - 1) / RUN;
    SCR_LAUNCH_BLOCKS(stream, digits_of_parts, a->parts, THREADS, 0, *a);
    SCR_LAUNCH_BLOCKS(stream, sums_of_digits, runs, THREADS, 0, *a, count);
    SCR_LAUNCH_BLOCKS(stream, starts_of_sums, 1, THREADS, 0, *a, runs);
    SCR_LAUNCH_BLOCKS(stream, starts_of_digits, runs, THREADS, 0, *a, count);
    SCR_LAUNCH_BLOCKS(stream, rows_of_parts, a->parts, THREADS, 0, *a);
}

extern "C" void scr_soft_sort_ties(void *stream, const soft_sort *a)
{
    SCR_LAUNCH(stream, ties_of_rows, blocks(a->bodies), THREADS, *a);
}

extern "C" void scr_soft_sort_gather(void *stream, uint32_t n, const uint32_t *order, const void *from, void *to,
                                     size_t bytes)
{
    if (bytes == 64)
        SCR_LAUNCH(stream, gather_rows<row8>, blocks(n), THREADS, n, order, (const row8 *)from, (row8 *)to);
    else if (bytes == 32)
        SCR_LAUNCH(stream, gather_rows<row4>, blocks(n), THREADS, n, order, (const row4 *)from, (row4 *)to);
    else if (bytes == 16)
        SCR_LAUNCH(stream, gather_rows<int4>, blocks(n), THREADS, n, order, (const int4 *)from, (int4 *)to);
    else if (bytes == 8)
        SCR_LAUNCH(stream, gather_rows<double>, blocks(n), THREADS, n, order, (const double *)from, (double *)to);
    else
        SCR_LAUNCH(stream, gather_rows<uint32_t>, blocks(n), THREADS, n, order, (const uint32_t *)from, (uint32_t *)to);
}

extern "C" void scr_soft_sort_count(void *stream, uint32_t n, uint32_t *rows)
{
    if (n) SCR_LAUNCH(stream, count_rows, blocks(n), THREADS, n, rows);
}
