#include "exec/cpu/threads.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
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

// first index of thread t of `threads`: an equal share of the cost, or of the number where none is given
static size_t share(const uint32_t *cost, size_t count, int t, int threads)
{
    if (!cost || cost[count] == cost[0]) return count * (size_t)t / (size_t)threads;
    uint64_t want = cost[0] + (uint64_t)(cost[count] - cost[0]) * (uint64_t)t / (uint64_t)threads;
    size_t low = 0, high = count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (cost[mid] < want)
            low = mid + 1;
        else
            high = mid;
    }
    return t == threads ? count : low;
}

void scr_each(size_t count, const uint32_t *cost, scr_work *work, void *context)
{
    // the OpenMP library makes and wakes a team even for one
    if (count < 2 || omp_get_max_threads() < 2) {
        for (size_t k = 0; k < count; k++) work(context, k);
        return;
    }
#pragma omp parallel
    {
        int t = omp_get_thread_num(), threads = omp_get_num_threads();
        size_t end = share(cost, count, t + 1, threads);
        for (size_t k = share(cost, count, t, threads); k < end; k++) work(context, k);
    }
}

void scr_team(int most, scr_team_work *work, void *context)
{
    int threads = omp_get_max_threads();
    if (threads > most) threads = most;
    if (threads < 2) {
        work(context, 0, 1);
        return;
    }
#pragma omp parallel num_threads(threads)
    work(context, omp_get_thread_num(), omp_get_num_threads());
}

static inline void spin(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

void scr_barrier_wait(scr_barrier *barrier, int threads)
{
    if (threads < 2) return;
    int round = atomic_load_explicit(&barrier->round, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) == threads - 1) {
        atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&barrier->round, round + 1, memory_order_release);
        return;
    }
    for (int turn = 0; atomic_load_explicit(&barrier->round, memory_order_acquire) == round; turn++)
        if (turn < 2000)
            spin();
        else
            sched_yield();
}

static scr_vectors best_vectors(void)
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return SCR_VECTORS_PORTABLE;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return SCR_VECTORS_AVX512;
    return SCR_VECTORS_AVX2;
#else
    return SCR_VECTORS_PORTABLE;
#endif
}

scr_vectors scr_cpu_vectors(void)
{
    const char *wish = getenv("SCREE_VECTOR");
    scr_vectors best = best_vectors(), most = best;
    if (wish && !strcmp(wish, "portable")) most = SCR_VECTORS_PORTABLE;
    if (wish && !strcmp(wish, "avx2")) most = SCR_VECTORS_AVX2;
    return best < most ? best : most;
}

const char *scr_vectors_name(scr_vectors vectors)
{
    static const char *const names[] = {"portable", "AVX2", "AVX-512"};
    return names[vectors];
}

double scr_sum(const double *values, size_t count, size_t stride)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) sum += values[k * stride];
    return sum;
}
