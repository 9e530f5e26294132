/* A build without CUDA: never called, since there is no device. */
#include "step/soft/ops.h"

const soft_ops scr_soft_cuda = {.name = "gpu"};

const char *scr_soft_cuda_lacks(const scr_step *step)
{
    (void)step;
    return "this program was built without CUDA";
}
