/* A block of threads for each run: all of them compute its numbers, then one thread for each sum adds them up. */
#include <math.h>
#include <stdint.h>

#include "exec/cuda/launch.h"
#define inline inline __host__ __device__
#include "step/soft/cuda/totals.h"
#undef inline

enum { THREADS = 256, RUN = SCR_ENERGY_RUN };

static __device__ __forceinline__ void add_run(const double *terms, uint32_t count, double *to)
{
    double sum = 0;
#pragma unroll 8
    for (uint32_t n = 0; n < count; n++) sum += terms[n];
    *to = sum;
}

__global__ void __launch_bounds__(THREADS) motions_of_run(const soft_motions a)
{
    __shared__ double term[SOFT_MOTIONS][RUN];
    const uint32_t from = blockIdx.x * RUN, left = a.bodies - from, count = left < RUN ? left : RUN;
    for (uint32_t n = threadIdx.x; n < count; n += THREADS) {
        const size_t i = from + n;
        const double *x = a.place + 4 * i, *v = a.motion + 4 * i, *w = a.spin + 4 * i, mass = a.mass[i];
        term[SOFT_TRANSLATION][n] = scr_row_translation(v, mass);
        term[SOFT_ROTATION][n] = scr_row_rotation(w, x[3], mass);
        term[SOFT_POTENTIAL][n] = scr_row_potential(v, x, a.image + 4 * i, a.size, a.gravity, mass);
    }
    __syncthreads();
    const uint32_t k = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0 && k < SOFT_MOTIONS) add_run(term[k], count, a.sums + SOFT_MOTIONS * blockIdx.x + k);
}

__global__ void __launch_bounds__(THREADS)
    places_of_run(const double *values, size_t number, uint32_t width, double *sums)
{
    enum { PLACES = SOFT_PLACES_RUN };
    __shared__ double term[8][PLACES];
    const size_t from = (size_t)blockIdx.x * PLACES, left = number - from;
    const uint32_t count = left < PLACES ? (uint32_t)left : PLACES, k = threadIdx.x / 32;
    for (uint32_t n = threadIdx.x; n < count * width; n += THREADS)
        term[n % width][n / width] = values[from * width + n];
    __syncthreads();
    if (threadIdx.x % 32 == 0 && k < width) add_run(term[k], count, sums + (size_t)width * blockIdx.x + k);
}

extern "C" void scr_soft_totals_motions(void *stream, const soft_motions *a)
{
    if (a->bodies) SCR_LAUNCH_BLOCKS(stream, motions_of_run, SOFT_RUNS(a->bodies, RUN), THREADS, 0, *a);
}

extern "C" void scr_soft_totals_places(void *stream, const double *values, size_t count, uint32_t width, double *sums)
{
    if (count)
        SCR_LAUNCH_BLOCKS(stream, places_of_run, SOFT_RUNS(count, SOFT_PLACES_RUN), THREADS, 0, values, count, width,
                          sums);
}
