#include "exec/cpu/threads.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

int scr_threads_set(int count)
{
    omp_set_dynamic(0);
    if (count > 0) omp_set_num_threads(count);
    return omp_get_max_threads();
}

int scr_threads(void)
{
    return omp_get_max_threads();
}

void scr_each(size_t count, scr_work *work, void *context)
{
    // the OpenMP library makes and wakes a team even for one
    if (count < 2 || omp_get_max_threads() < 2) {
        for (size_t k = 0; k < count; k++) work(context, k);
        return;
    }
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < count; k++) work(context, k);
}

bool scr_cpu_has_avx2(void)
{
    const char *wish = getenv("SCREE_VECTOR");
    if (wish && !strcmp(wish, "portable")) return false;
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

double scr_sum(const double *values, size_t count, size_t stride)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) sum += values[k * stride];
    return sum;
}
