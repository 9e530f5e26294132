/* A build without CUDA: there is no device (exec/cuda/device.h). */
#include "exec/cuda/device.h"

int scr_device_count(void)
{
    return 0;
}

scr_device_info scr_device_info_of(int number)
{
    (void)number;
    return (scr_device_info){.usable = false};
}

const char *scr_device_missing(void)
{
    return "this program was built without CUDA: nvcc was not found";
}

double scr_device_seconds(void)
{
    return 0;
}
