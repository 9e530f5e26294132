/* The kernel of passages through planes. */
#include "exec/cuda/launch.h"
#define inline inline __host__ __device__
#include "step/soft/cuda/flows.h"
#undef inline

__global__ void pass_planes(const soft_flows a)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= a.bodies || a.control->stop < a.node) return;
    const int32_t before = a.side[i];
    int32_t side = before;
    for (int k = 0; k < a.planes; k++) {
        const scr_flow_plane &f = a.plane[k];
        const double *x = a.place + 4 * (size_t)i;
        if (f.group >= 0 && a.group[i] != f.group) continue;
        const int passed = scr_flow_cross(&f, x, a.image + 4 * (size_t)i, &side);
        if (!passed) continue;
        const soft_passage p = {a.node, (uint16_t)k, (uint16_t)(passed - 1), i, 0, {x[0], x[1], x[2]}, a.mass[i]};
        a.passage[atomicAdd(a.count, 1u)] = p;
    }
    if (side != before) a.side[i] = side;
}

extern "C" void scr_soft_flows_pass(void *stream, const soft_flows *a)
{
    if (a->bodies && a->planes) SCR_LAUNCH(stream, pass_planes, (a->bodies + 255) / 256, 256, *a);
}
