/* Groups that move as prescribed, and gravity that changes with time, on a device: as step/soft/cpu/groups.c and
 * world/gravity.c. To be included before what else needs vectors. */
#ifndef SCREE_STEP_SOFT_CUDA_WORKS_TEXT_H
#define SCREE_STEP_SOFT_CUDA_WORKS_TEXT_H

#include "exec/cuda/launch.h"
#define inline inline __host__ __device__
#include "world/drive.h"
#include "world/energy_text.h"
#undef inline
#include "step/soft/cuda/contact_text.h"

/* What is brought in: by groups, and by gravity. */
struct works {
    double groups, loads;
};

static __device__ __forceinline__ bool is_driven(const soft_tile &a, size_t i)
{
    return a.drive && a.driven[a.group[i]];
}

// a group does the opposite of the work of the forces on it, in half a step
static __device__ __forceinline__ double group_work(const soft_tile &a, const load_sum &s, const row4 &v, const row4 &w)
{
    const double along = s.force.x * v.x + s.force.y * v.y + s.force.z * v.z,
                 about = s.torque.x * w.x + s.torque.y * w.y + s.torque.z * w.z;
    return -0.5 * a.step * (along + about);
}

// the velocity that brings row i to its next place; periodic crossings do not bend the path
static __device__ __forceinline__ void aim_row(const soft_tile &a, size_t i, const row4 &x, row4 *v, row4 *w)
{
    const int32_t *n = a.image + 4 * i;
    const scr_drive_step &step = a.drive[a.group[i]];
    const vec3 at = v3(x.x + n[0] * a.size[0], x.y + n[1] * a.size[1], x.z + n[2] * a.size[2]);
    const vec3 u = v3_scale(1 / a.step, v3_sub(scr_drive_place(&step, at), at));
    v->x = u.x, v->y = u.y, v->z = u.z;
    w->x = step.spin.x, w->y = step.spin.y, w->z = step.spin.z;
}

/* The end of a step of row i where it is, and the beginning of the next, as `kicks` says; `begins`: only that. */
static __device__ __forceinline__ works work_of(const soft_tile &a, size_t i, const load_sum &s, const row4 &x, row4 *v,
                                                row4 *w, bool begins)
{
    works k = {0, 0};
    const double place[3] = {x.x, x.y, x.z}, motion[4] = {v->x, v->y, v->z, v->w};
    k.loads = scr_row_potential(motion, place, a.image + 4 * i, a.size, a.change, a.mass[i]);
    if (!is_driven(a, i)) return k;
    if (!begins) k.groups += group_work(a, s, *v, *w);
    if (begins || a.kicks == 2) {
        aim_row(a, i, x, v, w);
        k.groups += group_work(a, s, *v, *w);
    }
    return k;
}

/* Sums of a block of threads into one place, in two halves around a barrier; `sums` is the block's own memory. */
static __device__ __forceinline__ void works_meet(double *sums, const works &k)
{
    const double groups = warp_sum(k.groups), loads = warp_sum(k.loads);
    if ((threadIdx.x & 31) == 0) sums[threadIdx.x / 16] = groups, sums[threadIdx.x / 16 + 1] = loads;
}

static __device__ __forceinline__ void works_close(const soft_tile &a, const double *sums, size_t place)
{
    double all[2] = {0, 0};
    for (int n = 0; n < SOFT_TILE / 16; n++) all[n % 2] += sums[n];
    atomicAdd(&a.lost[SOFT_LOSSES * place + SOFT_LOST_GROUPS], all[0]);
    atomicAdd(&a.lost[SOFT_LOSSES * place + SOFT_LOST_LOADS], all[1]);
}

#endif
