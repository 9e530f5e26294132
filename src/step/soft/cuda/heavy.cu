/* Rows with many partners: a block of threads for each. Threads compute a chunk of the row's contacts at a time; then
 * six threads add them up, one component each, in the order of the row's sum (tile.h). */
#include "step/soft/cuda/works_text.h"

enum { CHUNK = SOFT_TILE, COMPONENTS = 6 };

/* What a chunk of contacts adds to the row: terms, and where part sums begin. */
struct chunk {
    double term[COMPONENTS][CHUNK];
    uint8_t begins[CHUNK], counts[CHUNK];
};

/* The sum of one component. */
struct component {
    double sum, part;
    bool parted;
};

// loads of walls follow what the row's own block owns
static __device__ double add_walls(const soft_tile &a, size_t i, int d, double sum)
{
    uint32_t number = a.wall_of ? a.wall_of[i] : 0;
    if (!number) return sum;
    const double *load = a.wall_load + 6 * (size_t)a.wall_start[number - 1] + d;
    for (uint32_t k = 0; k < a.wall_count[number - 1]; k++) sum += load[6 * k];
    return sum;
}

static __device__ void part_ends(const soft_tile &a, size_t i, int d, component *c)
{
    c->sum = c->parted ? c->sum + c->part : add_walls(a, i, d, c->part);
    c->part = 0, c->parted = true;
}

template <int ANY>
static __device__ void put_term(chunk *c, int n, const share &s, double radius, double part, bool second)
{
    load_sum one = {};
    sum_share<ANY>(&one, s, radius, part, second);
    const rvec f = one.part_force, t = one.part_torque;
    const double term[COMPONENTS] = {f.x, f.y, f.z, t.x, t.y, t.z};
    for (int d = 0; d < COMPONENTS; d++) c->term[d][n] = term[d];
}

template <int KIND> __global__ void __launch_bounds__(SOFT_TILE, 3) forces_of_row(const soft_tile a)
{
    __shared__ chunk c;
    __shared__ double total[COMPONENTS], sums[SOFT_PAIR_LOSSES + SOFT_PAIR_STORED][SOFT_TILE / 32];
    const uint32_t tid = threadIdx.x, number = blockIdx.x;
    if (a.control->stop < a.node) return;
    const uint32_t from = a.heavy_start[number], to = a.heavy_start[number + 1];
    const size_t i = a.heavy_row[number];
    row4 x = row_load(a.place, i), v = row_load(a.motion, i), w = row_load(a.spin, i);
    const int4 mine = ((const int4 *)a.spot)[i];
    const contact_options o = options_of<KIND, -1, -1>(a);
    component sum = {0, 0, false};
    books k = {};
    for (uint32_t base = from; base < to; base += CHUNK) {
        const uint32_t n = base + tid;
        c.counts[tid] = c.begins[tid] = 0;
        if (n < to) {
            const size_t q = (size_t)a.heavy_from + n;
            const uint32_t word = a.word[q];
            c.begins[tid] = (a.tag[q] & SOFT_TAG_BEGINS) != 0;
            share s;
            if (((word & SOFT_TOUCH) || spots_meet(a, mine, ((const int4 *)a.spot)[word & SOFT_ROW])) &&
                pair_force<1, 1>(a, o, a.laws[a.law ? a.law[q] : 0], q, word, i, x, v, w, &k, &s)) {
                c.counts[tid] = 1;
                put_term<KIND == CONTACT_ANY>(&c, tid, s, x.w, o.lammps ? 0.0 : 0.5, word & SOFT_SECOND);
            }
        }
        __syncthreads();
        if (tid < COMPONENTS)
            for (uint32_t m = 0; m < CHUNK && base + m < to; m++) {
                if (c.begins[m]) part_ends(a, i, (int)tid, &sum);
                if (c.counts[m]) sum.part += c.term[tid][m];
            }
        __syncthreads();
    }
    if (tid < COMPONENTS) part_ends(a, i, (int)tid, &sum), total[tid] = sum.sum;
    tell_depth(a, k, true);
    for (int n = 0; n < SOFT_PAIR_LOSSES + SOFT_PAIR_STORED; n++) {
        double all = warp_sum(n < SOFT_PAIR_LOSSES ? k.lost[n] : k.stored[n - SOFT_PAIR_LOSSES]);
        if ((tid & 31) == 0) sums[n][tid >> 5] = all;
    }
    __syncthreads();
    if (tid < SOFT_PAIR_LOSSES + SOFT_PAIR_STORED) {
        const size_t place = (size_t)a.tiles + number;
        double all = 0;
        for (int m = 0; m < SOFT_TILE / 32; m++) all += sums[tid][m];
        if (tid < SOFT_PAIR_LOSSES)
            a.lost[SOFT_LOSSES * place + tid] += all;
        else
            a.stored[SOFT_STORED * place + tid - SOFT_PAIR_LOSSES] = all;
    }
    if (tid) return;
    load_sum s = {};
    s.force = rvec{total[0], total[1], total[2]}, s.torque = rvec{total[3], total[4], total[5]};
    if (a.bond_start) sum_bonds(a, i, &s);
    if (a.works) {
        const works work = work_of(a, i, s, x, &v, &w, false);
        atomicAdd(&a.lost[SOFT_LOSSES * ((size_t)a.tiles + number) + SOFT_LOST_GROUPS], work.groups);
        atomicAdd(&a.lost[SOFT_LOSSES * ((size_t)a.tiles + number) + SOFT_LOST_LOADS], work.loads);
    }
    int4 spot;
    if (move_row(a, i, s, ((const int4 *)a.anchor)[i], ((const float2 *)a.drift)[i], &x, &v, &w, &spot))
        atomicMin(&a.control->stop, a.node);
    ((int4 *)a.spot_to)[i] = spot;
    row_store(a.place_to, i, x), row_store(a.motion_to, i, v), row_store(a.spin_to, i, w);
}

extern "C" void scr_soft_heavy_forces(void *stream, const soft_tile *a)
{
    if (!a->heavy_count) return;
    if (a->kind == CONTACT_HOOKE)
        SCR_LAUNCH_BLOCKS(stream, forces_of_row<CONTACT_HOOKE>, a->heavy_count, SOFT_TILE, 0, *a);
    else if (a->kind == CONTACT_HERTZ)
        SCR_LAUNCH_BLOCKS(stream, forces_of_row<CONTACT_HERTZ>, a->heavy_count, SOFT_TILE, 0, *a);
    else
        SCR_LAUNCH_BLOCKS(stream, forces_of_row<CONTACT_ANY>, a->heavy_count, SOFT_TILE, 0, *a);
}
