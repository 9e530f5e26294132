/* Walls with servos, a thread for each (servos.h). */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "exec/cuda/launch.h"
// the texts of walls and of exact sums are for both
#define inline inline __host__ __device__
#include "step/soft/cuda/servos.h"
#include "step/soft/cuda/walls.h"
#undef inline

static __device__ __forceinline__ vec3 force_before(const soft_servos &a, uint32_t k)
{
    if (!a.exact) return a.before[k].force;
    const unsigned long long *part = a.exact + SOFT_WALL_EXACT * (size_t)k;
    return v3(exact_parts_value(part), exact_parts_value(part + SCR_EXACT_PARTS),
              exact_parts_value(part + 2 * SCR_EXACT_PARTS));
}

__global__ void move_servos(const soft_servos a)
{
    const uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= a.walls || a.control->stop < a.node || !a.now[k].motion.servo) return;
    scr_wall *w = a.now + k;
    const soft_wall_plan &p = a.plan[k];
    w->travel = a.before[k].travel, w->held = a.before[k].held;
    // areas are those before any wall moves
    w->held.area = servo_area(a.faces, a.before, &w->motion.control);
    wall_follow(w, &p.plan, force_before(a, k));
    if (a.lag != 0) w->velocity = v3_scale(1 - a.lag, w->velocity), w->spin = v3_scale(1 - a.lag, w->spin);
    if (wall_strayed2(w, p.lower, p.upper) > a.slack2) atomicMin(&a.control->stop, a.node - 1);
}

extern "C" void scr_soft_servos_move(void *stream, const soft_servos *a)
{
    SCR_LAUNCH(stream, move_servos, (a->walls + 31) / 32, 32, *a);
}
