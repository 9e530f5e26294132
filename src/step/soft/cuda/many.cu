/* Lists of bodies of several sizes (list.h): a row finds partners of its own level and of larger ones, and each of the
 * larger ones is given it. A row that has more than SOFT_HEAVY then has a list of its own, which a block of threads
 * finds and puts into order. */
#include "step/soft/cuda/list_text.h"

/* ---- who has how many ---- */

__global__ void totals_of_rows(const soft_list a)
{
    const uint32_t i = row_of_thread();
    if (i >= a.bodies) return;
    const uint32_t all = (a.count[i] & 0xffff) + a.given[i];
    a.rank[i] = all; // nobody asks for places in cells any more
    a.heavy_at[i] = all > SOFT_HEAVY, a.heavy_from[i] = all > SOFT_HEAVY ? all : 0;
}

__global__ void heavies_of_rows(const soft_list a)
{
    const uint32_t i = row_of_thread();
    if (i >= a.bodies) return;
    if (is_heavy(a, i)) a.to.heavy_row[a.heavy_at[i]] = i, a.to.heavy_start[a.heavy_at[i]] = a.heavy_from[i];
    if (i + 1 == a.bodies) a.to.heavy_start[a.heavy_at[i + 1]] = a.heavy_from[i + 1];
}

/* ---- partners ---- */

// the smaller row i is a partner of j
static __device__ __forceinline__ void give(const soft_list &a, uint32_t i, uint32_t j)
{
    const uint32_t own = a.count[j] & 0xffff, place = own + atomicAdd(&a.given[j], ~0u) - 1, tile = tile_of(a, j);
    if (is_heavy(a, j))
        a.heavy_key[a.heavy_from[j] + place] = key_of(i, j, a.tile_block[tile], a.tile_block_end[tile]);
    else
        a.found[(size_t)place * a.bodies + j] = i | FOUND_SECOND;
}

// rows with more of their own than have been kept find them once more
__global__ void gifts_of_rows(const soft_list a)
{
    const uint32_t i = row_of_thread();
    if (i >= a.bodies || (a.count[i] & 0xffff) > SOFT_HEAVY) return;
    for (uint32_t k = 0; k < (a.count[i] & 0xffff); k++) {
        const uint32_t found = found_by(a, i, k);
        if (found & FOUND_LARGER) give(a, i, found & SOFT_ROW);
    }
}

// a block of threads for each row with a list of its own: what it has found itself
__global__ void __launch_bounds__(THREADS) pairs_of_heavies(const soft_list a)
{
    __shared__ uint32_t next;
    __shared__ near_rows near;
    const uint32_t i = a.to.heavy_row[blockIdx.x], tile = tile_of(a, i);
    const uint32_t own_from = a.tile_block[tile], own_to = a.tile_block_end[tile];
    const row4 x = row_load(a.place, i), v = row_load(a.motion, i);
    const int own = level_of(a, x.w);
    const bool gives = (a.count[i] & 0xffff) > SOFT_HEAVY;
    if (threadIdx.x == 0) next = 0;
    __syncthreads();
    for (int level = own; level < a.levels; level++)
        each_near(a, &near, i, x, v, level, threadIdx.x, THREADS, [&](uint32_t j) {
            const bool mine = is_first(x.w, i, radius_of(a, j), j);
            a.heavy_key[a.heavy_from[i] + atomicAdd(&next, 1u)] = key_of(mine ? i : j, mine ? j : i, own_from, own_to);
            if (gives && level > own) give(a, i, j);
        });
}

/* ---- order ---- */

// a sort of Batcher whose comparisons all go upwards, so that what is beyond the end would stay there
__global__ void __launch_bounds__(THREADS) order_of_heavies(const soft_list a)
{
    const uint32_t from = a.to.heavy_start[blockIdx.x], n = a.to.heavy_start[blockIdx.x + 1] - from;
    unsigned long long *key = a.heavy_key + from;
    for (uint32_t size = 2; size < 2 * n; size *= 2)
        for (uint32_t by = size - 1, step = size / 2; step; by = step /= 2) {
            for (uint32_t k = threadIdx.x; k < n; k += THREADS) {
                const uint32_t other = k ^ by;
                if (other <= k || other >= n || key[k] <= key[other]) continue;
                const unsigned long long swap = key[k];
                key[k] = key[other], key[other] = swap;
            }
            __syncthreads();
        }
}

// all partners of other rows, and how many words they have
__global__ void __launch_bounds__(THREADS) order_of_rows(const soft_list a)
{
    const uint32_t i = row_of_thread();
    if (i >= a.bodies || is_heavy(a, i)) return;
    const uint32_t tile = tile_of(a, i), own_from = a.tile_block[tile], own_to = a.tile_block_end[tile];
    unsigned long long key[SOFT_HEAVY];
    uint32_t words = 0;
    const uint32_t n = a.rank[i];
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t found = found_by(a, i, k), j = found & SOFT_ROW;
        const uint32_t first = found & FOUND_SECOND ? j : i, second = found & FOUND_SECOND ? i : j;
        const unsigned long long one = key_of(first, second, own_from, own_to);
        uint32_t place = k;
        for (; place > 0 && key[place - 1] > one; place--) key[place] = key[place - 1];
        key[place] = one;
        words += has_word(a, i, first);
    }
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t first = key_first(key[k]), second = key_second(key[k]);
        a.found[(size_t)k * a.bodies + i] = first == i ? second : first | FOUND_SECOND;
    }
    a.count[i] = n | words << 16;
}

/* ---- words ---- */

__global__ void __launch_bounds__(THREADS) words_of_heavies(const soft_list a)
{
    const uint32_t i = a.to.heavy_row[blockIdx.x];
    const uint32_t from = a.to.heavy_start[blockIdx.x], to = a.to.heavy_start[blockIdx.x + 1];
    for (uint32_t k = from + threadIdx.x; k < to; k += THREADS) {
        const unsigned long long key = a.heavy_key[k];
        const uint32_t first = key_first(key);
        bool begins = (key & KEY_OTHER) != 0;
        if (begins && k > from && (a.heavy_key[k - 1] & KEY_OTHER))
            begins = a.tile_block[tile_of(a, key_first(a.heavy_key[k - 1]))] != a.tile_block[tile_of(a, first)];
        put_word(a, i, tile_of(a, i), (size_t)a.tiles * a.to.stride + k, first, key_second(key),
                 begins ? SOFT_TAG_BEGINS : 0);
    }
}

/* ---- launching ---- */

extern "C" void scr_soft_many_rows(void *stream, const soft_list *a)
{
    SCR_LAUNCH(stream, totals_of_rows, blocks_of(a->bodies), THREADS, *a);
    scr_soft_list_starts(stream, a->heavy_at, a->bodies, a->cell_sum);
    scr_soft_list_starts(stream, a->heavy_from, a->bodies, a->cell_sum);
}

extern "C" void scr_soft_many_find(void *stream, const soft_list *a)
{
    SCR_LAUNCH(stream, heavies_of_rows, blocks_of(a->bodies), THREADS, *a);
    SCR_LAUNCH(stream, gifts_of_rows, blocks_of(a->bodies), THREADS, *a);
    if (a->to.heavies) {
        SCR_LAUNCH_BLOCKS(stream, pairs_of_heavies, a->to.heavies, THREADS, 0, *a);
        SCR_LAUNCH_BLOCKS(stream, order_of_heavies, a->to.heavies, THREADS, 0, *a);
    }
    SCR_LAUNCH(stream, order_of_rows, blocks_of(a->bodies), THREADS, *a);
}

extern "C" void scr_soft_many_fill(void *stream, const soft_list *a)
{
    if (a->to.heavies) SCR_LAUNCH_BLOCKS(stream, words_of_heavies, a->to.heavies, THREADS, 0, *a);
}
