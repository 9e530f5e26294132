/* The kernel of tiles: forces at the present places, the end of the step and the drift of the next (tile.h).
 *
 * 1. Everything whose address is known is on its way at once: the tile's words and tags, its own rows. Then the spots
 *    of the partners.
 * 2. Screening in whole numbers: pairs that are near enough, or touched before, into a queue in the block's own memory,
 *    so that full warps compute contacts.
 * 3. Contacts: the law, histories, energies; results stay in the block's own memory (those beyond its room: spill).
 * 4. Each thread adds up its row and moves it.
 * 5. Rows go back through the block's own memory, so that two threads write one sector.
 *
 * A kernel whose list has become too old returns at once: the host launches several, and asks once. */
#include "step/soft/cuda/works_text.h"

enum { WARPS = SOFT_TILE / 32 };

/* Numbers per contact that step 4 needs. */
template <int KIND> struct results {
    enum { COUNT = KIND == CONTACT_ANY ? 10 : 7 };
};

/* A block's own memory. */
struct workshop {
    double *result; /* COUNT numbers per contact of the room, number by number */
    row4 *place, *motion, *spin;
    int4 *anchor;
    float2 *drift;
    double *sums; /* of the warps */
    uint32_t *word, *mask, *before;
    uint16_t *at;
    uint8_t *row;
};

static __host__ __device__ __forceinline__ size_t shared_bytes(int count, uint32_t stride, uint32_t room)
{
    size_t masks = stride / 32;
    return sizeof(double) * (size_t)count * room + SOFT_TILE * (3 * sizeof(row4) + sizeof(int4) + sizeof(float2)) +
           sizeof(double) * WARPS * (SOFT_PAIR_LOSSES + SOFT_PAIR_STORED) + 7 * (size_t)stride + 8 * masks + 64;
}

static __device__ __forceinline__ workshop workshop_of(double *memory, int count, uint32_t stride, uint32_t room)
{
    workshop s;
    s.place = (row4 *)memory, s.motion = s.place + SOFT_TILE, s.spin = s.motion + SOFT_TILE;
    s.anchor = (int4 *)(s.spin + SOFT_TILE);
    s.drift = (float2 *)(s.anchor + SOFT_TILE);
    s.sums = (double *)(s.drift + SOFT_TILE);
    s.result = s.sums + WARPS * (SOFT_PAIR_LOSSES + SOFT_PAIR_STORED);
    s.word = (uint32_t *)(s.result + (size_t)count * room);
    s.mask = s.word + stride, s.before = s.mask + stride / 32;
    s.at = (uint16_t *)(s.before + stride / 32);
    s.row = (uint8_t *)(s.at + stride);
    return s;
}

// own rows on their way
static __device__ __forceinline__ void fetch_rows(const soft_tile &a, const workshop &s, uint32_t first, uint32_t count)
{
    uint32_t tid = threadIdx.x;
    const double *from[3] = {a.place, a.motion, a.spin};
    row4 *to[3] = {s.place, s.motion, s.spin};
#pragma unroll
    for (int k = 0; k < 3; k++)
        for (uint32_t n = tid; n < 2 * count; n += SOFT_TILE)
            SCR_FETCH((double2 *)to[k] + n, (const double2 *)(from[k] + 4 * (size_t)first) + n, 16);
    if (tid >= count) return;
    SCR_FETCH(s.anchor + tid, (const int4 *)a.anchor + first + tid, 16);
    SCR_FETCH(s.drift + tid, (const float2 *)a.drift + first + tid, 8);
}

// words [base, base + SOFT_AHEAD_WORDS * SOFT_TILE) of the tile into the queue; how many it has then
static __device__ __forceinline__ uint32_t screen(const soft_tile &a, const workshop &s, uint32_t first, uint32_t base,
                                                  const uint32_t *word, const uint16_t *tag, uint32_t queued)
{
    enum { N = SOFT_AHEAD_WORDS };
    const uint32_t tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    const int4 *spot = (const int4 *)a.spot;
    int4 mine[N], other[N];
    uint32_t kept[N];
#pragma unroll
    for (int u = 0; u < N; u++) {
        uint32_t j = word[u] & SOFT_ROW;
        if (base + u * SOFT_TILE >= a.stride) continue;
        mine[u] = __ldg(spot + first + (tag[u] & SOFT_TAG_ROW));
        other[u] = __ldg(spot + (j == SOFT_NOBODY ? first : j));
    }
    uint32_t *mask = s.mask + base / 32, *before = s.before + base / 32;
#pragma unroll
    for (int u = 0; u < N; u++) {
        kept[u] = 0;
        if (base + u * SOFT_TILE >= a.stride) continue;
        bool keep = (word[u] & SOFT_ROW) != SOFT_NOBODY && (spots_meet(a, mine[u], other[u]) || (word[u] & SOFT_TOUCH));
        kept[u] = __ballot_sync(~0u, keep);
        if (lane == 0) mask[WARPS * u + warp] = kept[u];
    }
    __syncthreads();
    // before each group of 32 words, by every warp for itself
    uint32_t groups = (a.stride - base) / 32 < N * WARPS ? (a.stride - base) / 32 : N * WARPS;
    uint32_t count = lane < groups ? __popc(mask[lane]) : 0, sum = count;
    for (int o = 1; o < 32; o *= 2) {
        uint32_t v = __shfl_up_sync(~0u, sum, o);
        if (lane >= (uint32_t)o) sum += v;
    }
    uint32_t all = __shfl_sync(~0u, sum, 31), start = queued + sum - count;
    if (warp == 0 && lane < groups) before[lane] = start;
#pragma unroll
    for (int u = 0; u < N; u++) {
        if (base + u * SOFT_TILE >= a.stride) continue;
        uint32_t from = __shfl_sync(~0u, start, (WARPS * u + warp) & 31);
        if (!(kept[u] >> lane & 1)) continue;
        uint32_t k = from + __popc(kept[u] & ((1u << lane) - 1));
        s.word[k] = word[u], s.at[k] = (uint16_t)(base + u * SOFT_TILE + tid);
        s.row[k] = (uint8_t)(tag[u] & SOFT_TAG_ROW);
    }
    return queued + all;
}

static __device__ __forceinline__ void read_words(const soft_tile &a, size_t from, uint32_t base, uint32_t *word,
                                                  uint16_t *tag)
{
#pragma unroll
    for (int u = 0; u < SOFT_AHEAD_WORDS; u++) {
        uint32_t at = base + u * SOFT_TILE;
        bool there = at < a.stride;
        word[u] = there ? a.word[from + at + threadIdx.x] : SOFT_NOBODY;
        tag[u] = there ? __ldg(a.tag + from + at + threadIdx.x) : 0;
    }
}

template <int KIND>
static __device__ __forceinline__ double *place_of(const soft_tile &a, const workshop &s, uint32_t k, uint32_t *by)
{
    *by = k < a.room ? a.room : 1;
    return k < a.room ? s.result + k : a.spill + results<KIND>::COUNT * ((size_t)blockIdx.x * a.stride + k);
}

template <int KIND>
static __device__ __forceinline__ void put(const soft_tile &a, const workshop &s, uint32_t k, const share &c)
{
    uint32_t by;
    double *o = place_of<KIND>(a, s, k, &by);
    o[0] = c.force.x, o[by] = c.force.y, o[2 * by] = c.force.z;
    o[3 * by] = c.twist.x, o[4 * by] = c.twist.y, o[5 * by] = c.twist.z, o[6 * by] = c.delta;
    if (KIND == CONTACT_ANY) o[7 * by] = c.couple.x, o[8 * by] = c.couple.y, o[9 * by] = c.couple.z;
}

template <int KIND> static __device__ __forceinline__ share got(const soft_tile &a, const workshop &s, uint32_t k)
{
    uint32_t by;
    const double *o = place_of<KIND>(a, s, k, &by);
    share c;
    c.force = rvec{o[0], o[by], o[2 * by]}, c.twist = rvec{o[3 * by], o[4 * by], o[5 * by]}, c.delta = o[6 * by];
    if (KIND == CONTACT_ANY) c.couple = rvec{o[7 * by], o[8 * by], o[9 * by]};
    return c;
}

// the sums of the block's threads; the last step is done after the next barrier
template <int KIND, int LOOK> static __device__ __forceinline__ void books_meet(const workshop &s, const books &k)
{
    const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
#pragma unroll
    for (int n = 0; n < SOFT_PAIR_LOSSES; n++) {
        if (KIND != CONTACT_ANY && n >= SOFT_USUAL_LOSSES) continue;
        double sum = warp_sum(k.lost[n]);
        if (lane == 0) s.sums[warp * (SOFT_PAIR_LOSSES + SOFT_PAIR_STORED) + n] = sum;
    }
#pragma unroll
    for (int n = 0; n < (LOOK ? SOFT_PAIR_STORED : 0); n++) {
        double sum = warp_sum(k.stored[n]);
        if (lane == 0) s.sums[warp * (SOFT_PAIR_LOSSES + SOFT_PAIR_STORED) + SOFT_PAIR_LOSSES + n] = sum;
    }
}

template <int KIND, int LOOK>
static __device__ __forceinline__ void books_close(const soft_tile &a, const workshop &s, size_t place)
{
    const uint32_t n = threadIdx.x;
    if (n >= (LOOK ? SOFT_PAIR_LOSSES + SOFT_PAIR_STORED : SOFT_PAIR_LOSSES)) return;
    if (KIND != CONTACT_ANY && n >= SOFT_USUAL_LOSSES && n < SOFT_PAIR_LOSSES) return;
    double sum = 0;
    for (int k = 0; k < WARPS; k++) sum += s.sums[k * (SOFT_PAIR_LOSSES + SOFT_PAIR_STORED) + n];
    // one writer: nobody waits for the old value
    if (n < SOFT_PAIR_LOSSES)
        atomicAdd(&a.lost[SOFT_LOSSES * place + n], sum);
    else
        a.stored[SOFT_STORED * place + n - SOFT_PAIR_LOSSES] = sum;
}

template <int KIND, int IMPROVED, int LAMMPS, int MANY, int OTHERS, int LOOK, int BLOCKS>
__global__ void __launch_bounds__(SOFT_TILE, BLOCKS) forces_of_tile(const soft_tile a)
{
    SCR_SHARED(double, memory);
    const uint32_t tid = threadIdx.x, t = blockIdx.x;
    SCR_AFTER();
    const workshop s = workshop_of(memory, results<KIND>::COUNT, a.stride, a.room);
    const size_t from = (size_t)t * a.stride;
    uint32_t word[SOFT_AHEAD_WORDS];
    uint16_t tag[SOFT_AHEAD_WORDS];
    read_words(a, from, 0, word, tag);
    const int stop = a.control->stop;
    const uint32_t first = a.tile_row ? a.tile_row[t] : t * SOFT_TILE;
    const uint32_t end = a.tile_row ? a.tile_row[t + 1] : first + SOFT_TILE < a.bodies ? first + SOFT_TILE : a.bodies;
    const uint32_t count = end - first;
    fetch_rows(a, s, first, count);
    const uint32_t terms = tid < count ? a.row_sums[first + tid] : 0;
    if (stop < a.node) {
        SCR_FETCHED();
        return;
    }
    uint32_t queued = screen(a, s, first, 0, word, tag, 0);
    for (uint32_t base = SOFT_AHEAD_WORDS * SOFT_TILE; base < a.stride; base += SOFT_AHEAD_WORDS * SOFT_TILE) {
        read_words(a, from, base, word, tag);
        queued = screen(a, s, first, base, word, tag, queued);
    }
    SCR_FETCHED();
    __syncthreads();

    const contact_options o = options_of<KIND, IMPROVED, LAMMPS>(a);
    books k = {};
    for (uint32_t n = tid; n < queued; n += SOFT_TILE) {
        const uint32_t own = s.row[n];
        const size_t q = from + s.at[n];
        share c;
        const bool some = pair_force<LOOK, MANY>(a, o, MANY ? a.laws[a.law ? a.law[q] : 0] : a.one, q, s.word[n],
                                                 first + own, s.place[own], s.motion[own], s.spin[own], &k, &c);
        if (!some) c.force = c.twist = c.couple = rvec{0, 0, 0};
        put<KIND>(a, s, n, c);
    }
    tell_depth(a, k, LOOK);
    if (tid == 0 && queued > a.room) atomicMax(&a.control->most, queued);
    books_meet<KIND, LOOK>(s, k);
    __syncthreads();
    books_close<KIND, LOOK>(a, s, t);

    SCR_BEFORE();
    bool strays = false;
    works work = {0, 0};
    const size_t i = first + tid;
    // a row with a list of its own is moved elsewhere
    if (tid < count && !(terms & SOFT_SUM_ELSEWHERE)) {
        const double part = o.lammps ? 0.0 : 0.5;
        row4 x = s.place[tid], v = s.motion[tid], w = s.spin[tid];
        load_sum sum = {};
        const uint16_t *own = a.sum + (size_t)t * a.sum_stride + (terms >> 8);
        for (uint32_t n = 0; n < (terms & 255); n++) {
            const uint32_t term = own[n], q = term & SOFT_SUM_WORD, mask = s.mask[q / 32], bit = q % 32;
            if (term & SOFT_SUM_BEGINS) sum_part<OTHERS>(a, i, &sum);
            if (!(mask >> bit & 1)) continue;
            sum_share<KIND == CONTACT_ANY>(&sum, got<KIND>(a, s, s.before[q / 32] + __popc(mask & ((1u << bit) - 1))),
                                           x.w, part, term & SOFT_SUM_SECOND);
        }
        sum_end<OTHERS>(a, i, &sum);
        if (MANY && a.works) work = work_of(a, i, sum, x, &v, &w, false);
        int4 spot;
        strays = move_row(a, i, sum, s.anchor[tid], s.drift[tid], &x, &v, &w, &spot);
        ((int4 *)a.spot_to)[i] = spot;
        s.place[tid] = x, s.motion[tid] = v, s.spin[tid] = w;
    }
    if (MANY && a.works) works_meet((double *)s.word, work);
    __syncthreads();
    if (MANY && a.works && tid == 0) works_close(a, (double *)s.word, t);
    double *to[3] = {a.place_to, a.motion_to, a.spin_to};
    const row4 *rows[3] = {s.place, s.motion, s.spin};
#pragma unroll
    for (int m = 0; m < 3; m++)
        for (uint32_t n = tid; n < 2 * count; n += SOFT_TILE)
            ((double2 *)(to[m] + 4 * (size_t)first))[n] = ((const double2 *)rows[m])[n];
    if (__any_sync(~0u, strays) && (tid & 31) == 0) atomicMin(&a.control->stop, a.node);
}

/* ---- the beginning of a step, by itself ---- */

static __device__ __forceinline__ works begin_row(const soft_tile &a, uint32_t i, bool drives)
{
    works work = {0, 0};
    if (i >= a.bodies) return work;
    row4 x = row_load(a.place, i), v = row_load(a.motion, i), w = row_load(a.spin, i);
    row4 f = row_load(a.load, 2 * (size_t)i), m = row_load(a.load, 2 * (size_t)i + 1);
    load_sum sum = {};
    sum.force = rvec{f.x, f.y, f.z}, sum.torque = rvec{m.x, m.y, m.z};
    if (drives) work = work_of(a, i, sum, x, &v, &w, true);
    kick_row(a, sum.force, sum.torque, &v, &w);
    drift_row(a, v, &x);
    const int4 spot = spot_place(a, x);
    if (ends_batch(a, x, spot, ((const int4 *)a.anchor)[i], ((const float2 *)a.drift)[i]))
        atomicMin(&a.control->stop, a.node);
    ((int4 *)a.spot_to)[i] = spot;
    row_store(a.place_to, i, x), row_store(a.motion_to, i, v), row_store(a.spin_to, i, w);
    return work;
}

__global__ void begin_rows(const soft_tile a)
{
    if (a.control->stop >= a.node) begin_row(a, blockIdx.x * blockDim.x + threadIdx.x, false);
}

__global__ void begin_works(const soft_tile a)
{
    __shared__ double sums[SOFT_TILE / 16];
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (a.control->stop < a.node) return;
    works_meet(sums, begin_row(a, i, true));
    __syncthreads();
    if (threadIdx.x == 0) works_close(a, sums, blockIdx.x);
}

__global__ void spot_rows(const soft_tile a, int32_t *anchor, float *drift)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= a.bodies) return;
    const int4 spot = spot_place(a, row_load(a.place, i));
    ((int4 *)a.spot_to)[i] = spot;
    if (!anchor) return;
    const row4 u = row_load(a.motion, i);
    ((int4 *)anchor)[i] = make_int4(spot.x, spot.y, spot.z, __float_as_int((float)u.x));
    ((float2 *)drift)[i] = make_float2((float)u.y, (float)u.z);
}

/* ---- launching ---- */

typedef void (*tile_kernel)(const soft_tile);

#define FEW_TILES     512
#define MANY_CONTACTS 256

/* The kernels, by blocks that a processor holds, kind, scheme and what else there is: nothing, walls or bonds, or
 * these and somebody who looks at the energies. Several materials, conventions of LAMMPS and all other laws ask on the
 * way. */
enum { BARE, WITH_OTHERS, LOOKED_AT, USES };
#define OF(kind, improved, blocks)                                                                              \
    {                                                                                                           \
        forces_of_tile<kind, improved, 0, 0, 0, 0, blocks>, forces_of_tile<kind, improved, 0, 0, 1, 0, blocks>, \
            forces_of_tile<kind, improved, 0, 0, 1, 1, blocks>                                                  \
    }
#define OF_KIND(kind, blocks)                    \
    {                                            \
        OF(kind, 0, blocks), OF(kind, 1, blocks) \
    }
static tile_kernel const usual[2][2][2][USES] = {{OF_KIND(CONTACT_HOOKE, 5), OF_KIND(CONTACT_HERTZ, 5)},
                                                 {OF_KIND(CONTACT_HOOKE, 4), OF_KIND(CONTACT_HERTZ, 4)}};
#undef OF_KIND
#undef OF
static tile_kernel const asking[CONTACT_KINDS] = {forces_of_tile<CONTACT_HOOKE, -1, -1, 1, 1, 1, 4>,
                                                  forces_of_tile<CONTACT_HERTZ, -1, -1, 1, 1, 1, 4>,
                                                  forces_of_tile<CONTACT_ANY, -1, -1, 1, 1, 1, 3>};

extern "C" size_t scr_soft_tile_shared(int kind, uint32_t stride, uint32_t room)
{
    return shared_bytes(kind == CONTACT_ANY ? results<CONTACT_ANY>::COUNT : results<CONTACT_HOOKE>::COUNT, stride,
                        room);
}

extern "C" bool scr_soft_tile_prepare(size_t most, bool *early)
{
    *early = SCR_CAN_BE_EARLY(usual[0][0][0][0]);
    bool good = true;
    for (int k = 0; k < 8 * USES; k++)
        good &= !SCR_ALLOW_SHARED(usual[k / USES / 4][k / USES / 2 % 2][k / USES % 2][k % USES], most);
    for (int k = 0; k < CONTACT_KINDS; k++) good &= !SCR_ALLOW_SHARED(asking[k], most);
    return good;
}

extern "C" void scr_soft_tile_forces(void *stream, const soft_tile *a)
{
    const bool asks = a->kind == CONTACT_ANY || a->law || a->lammps || a->spent || a->held || a->works;
    // few blocks, or many contacts in each: more registers are worth more than more blocks
    const bool wide = a->tiles <= FEW_TILES || a->room > MANY_CONTACTS;
    const int use = a->look ? LOOKED_AT : a->wall_of || a->bond_start ? WITH_OTHERS : BARE;
    const tile_kernel kernel = asks ? asking[a->kind] : usual[wide][a->kind][a->improved][use];
    if (a->tiles)
        SCR_LAUNCH_EARLY(stream, a->early, kernel, a->tiles, SOFT_TILE,
                         scr_soft_tile_shared(a->kind, a->stride, a->room), *a);
}

extern "C" void scr_soft_tile_begin(void *stream, const soft_tile *a)
{
    const uint32_t blocks = (a->bodies + SOFT_TILE - 1) / SOFT_TILE;
    if (blocks && a->works)
        SCR_LAUNCH_BLOCKS(stream, begin_works, blocks, SOFT_TILE, 0, *a);
    else if (blocks)
        SCR_LAUNCH(stream, begin_rows, blocks, SOFT_TILE, *a);
}

extern "C" void scr_soft_tile_spots(void *stream, const soft_tile *a, int32_t *anchor, float *drift)
{
    if (a->bodies) SCR_LAUNCH(stream, spot_rows, (a->bodies + 127) / 128, 128, *a, anchor, drift);
}
