/* Bonds: as step/soft/cpu/bonds.c, a thread for each. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "exec/cuda/launch.h"
// the texts of bonds and bodies are for both
#define inline inline __host__ __device__
#include "collide/bonds.h"
#include "step/soft/cuda/contact_text.h"
#undef inline

#include "step/soft/cuda/bonds.h"

static __device__ __forceinline__ void store3(double *row, rvec v)
{
    row[0] = v.x, row[1] = v.y, row[2] = v.z;
}

static __device__ bond_result bond_row(const soft_tile &a, const soft_bond_rows &r, uint32_t k)
{
    scr_bonds bonds = r.world->bonds;
    double *load = r.load + 12 * (size_t)k;
    bond_result f = {};
    if (bonds.fate[k] != SCR_BOND_HOLDS) {
        for (int n = 0; n < 12; n++) load[n] = 0;
        return f;
    }
    scr_images images = {};
    for (int d = 0; d < 3; d++) images.length[d] = a.length[d], images.inverse[d] = a.inverse[d];
    const bond_state c = scr_bond_state(r.world, &images, k);
    bond_history h = scr_bond_history(&bonds, k);
    f = bond_force(a.improved, a.dt, &c, &h);
    scr_bond_remember(&bonds, k, &h);
    store3(load, f.force), store3(load + 3, f.lever), store3(load + 6, f.couple);
    if (f.tension) bonds.fate[k] = SCR_BOND_TENSION, atomicAdd(&a.control->broken[0], 1ull);
    if (f.shear) bonds.fate[k] = SCR_BOND_SHEAR, atomicAdd(&a.control->broken[1], 1ull);
    return f;
}

__global__ void __launch_bounds__(128) forces_of_bonds(const soft_tile a, const soft_bond_rows r)
{
    const uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (a.control->stop < a.node) return;
    bond_result f = {};
    if (k < r.count) f = bond_row(a, r, k);
    const double damping = warp_sum(f.damping), broken = warp_sum(f.broken), elastic = warp_sum(f.elastic);
    if (threadIdx.x & 31) return;
    const size_t place = (size_t)r.place + k / 32;
    a.lost[SOFT_LOSSES * place + SOFT_LOST_DAMPING] += damping;
    a.lost[SOFT_LOSSES * place + SOFT_LOST_BROKEN] += broken;
    a.stored[SOFT_STORED * place + SOFT_STORED_BOND] = elastic;
}

extern "C" void scr_soft_bonds_launch(void *stream, const soft_tile *a, const soft_bond_rows *r)
{
    if (r->count) SCR_LAUNCH_BLOCKS(stream, forces_of_bonds, (r->count + 127) / 128, 128, 0, *a, *r);
}
