/* The words of kernels (exec/cuda/launch.h) on a CPU: the threads of a block run one after the other, each until it
 * waits for the others. Where they never do, that is a loop; else each has a stack of its own. Blocks follow each other
 * too, so that what nvcc keeps per block is static here. What races on a device is in order here: for the order of
 * operations and for their bits, not for races. */
#ifndef EMULATE_H
#define EMULATE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <functional>

#define __global__ static
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__    __attribute__((noinline))
#define __shared__      static
#define __align__(n)    __attribute__((aligned(n)))
#define __launch_bounds__(...)

struct emulated_index {
    unsigned x;
};
extern thread_local emulated_index threadIdx, blockIdx, blockDim, gridDim;
extern thread_local double *emulated_shared;

/* Whether the next kernel does anything. */
bool emulated_works(void);
void emulated_loop(unsigned grid, unsigned threads, const std::function<void()> &kernel);
void emulated_blocks(unsigned grid, unsigned threads, size_t bytes, const std::function<void()> &kernel);
void emulated_barrier(void);
/* Everybody of a warp gives 8 bytes, and gets those of one of them. */
uint64_t emulated_exchange(uint64_t mine, unsigned from, unsigned *ballot, bool vote);

#define SCR_LAUNCH(stream, kernel, grid, threads, ...) \
    ((void)(stream), emulated_loop((unsigned)(grid), (threads), [&] { kernel(__VA_ARGS__); }))
#define SCR_LAUNCH_BLOCKS(stream, kernel, grid, threads, bytes, ...) \
    ((void)(stream), emulated_blocks((unsigned)(grid), (threads), (bytes), [&] { kernel(__VA_ARGS__); }))
#define SCR_LAUNCH_EARLY(stream, early, ...) SCR_LAUNCH_BLOCKS(stream, __VA_ARGS__)
#define SCR_CAN_BE_EARLY(kernel)             ((void)(kernel), true)
#define SCR_AFTER()                          ((void)0)
#define SCR_BEFORE()                         ((void)0)
#define SCR_ALLOW_SHARED(kernel, bytes)      ((void)(kernel), (bytes) > 227 * 1024)
#define SCR_SHARED(type, name)               type *name = (type *)emulated_shared
#define SCR_FETCH(to, from, bytes)           memcpy((to), (from), (bytes))
#define SCR_FETCHED()                        ((void)0)

struct alignas(16) double2 {
    double x, y;
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) int4 {
    int x, y, z, w;
};
static inline double2 make_double2(double x, double y)
{
    return {x, y};
}
static inline float2 make_float2(float x, float y)
{
    return {x, y};
}
static inline int4 make_int4(int x, int y, int z, int w)
{
    return {x, y, z, w};
}

template <class To, class From> static inline To emulated_bits(From a)
{
    To b;
    static_assert(sizeof a == sizeof b, "bits");
    memcpy(&b, &a, sizeof b);
    return b;
}
static inline int __double2loint(double a)
{
    return (int)(uint32_t)emulated_bits<uint64_t>(a);
}
static inline long long __double_as_longlong(double a)
{
    return emulated_bits<long long>(a);
}
static inline double __longlong_as_double(long long a)
{
    return emulated_bits<double>(a);
}
static inline int __float_as_int(float a)
{
    return emulated_bits<int>(a);
}
static inline float __int_as_float(int a)
{
    return emulated_bits<float>(a);
}
static inline int __popc(unsigned a)
{
    return __builtin_popcount(a);
}
static inline int __ffs(unsigned a)
{
    return __builtin_ffs((int)a);
}
template <class T> static inline T __ldg(const T *p)
{
    return *p;
}

static inline void __syncthreads(void)
{
    emulated_barrier();
}
static inline unsigned __ballot_sync(unsigned, bool vote)
{
    unsigned ballot;
    emulated_exchange(0, 0, &ballot, vote);
    return ballot;
}
static inline bool __any_sync(unsigned all, bool vote)
{
    return __ballot_sync(all, vote) != 0;
}
template <class T> static inline T emulated_from(T mine, unsigned lane)
{
    uint64_t bits = 0, got;
    memcpy(&bits, &mine, sizeof mine);
    got = emulated_exchange(bits, lane, NULL, false);
    memcpy(&mine, &got, sizeof mine);
    return mine;
}
template <class T> static inline T __shfl_sync(unsigned, T mine, unsigned lane)
{
    return emulated_from(mine, lane & 31);
}
template <class T> static inline T __shfl_xor_sync(unsigned, T mine, int with)
{
    return emulated_from(mine, (threadIdx.x & 31) ^ (unsigned)with);
}
template <class T> static inline T __shfl_up_sync(unsigned, T mine, unsigned by)
{
    unsigned lane = threadIdx.x & 31;
    return emulated_from(mine, lane < by ? lane : lane - by);
}

template <class T, class U> static inline T atomicAdd(T *to, U by)
{
    T old = *to;
    *to = (T)(old + by);
    return old;
}
template <class T, class U> static inline T atomicMin(T *to, U by)
{
    T old = *to;
    if ((T)by < old) *to = (T)by;
    return old;
}
template <class T, class U> static inline T atomicMax(T *to, U by)
{
    T old = *to;
    if ((T)by > old) *to = (T)by;
    return old;
}
template <class T, class U> static inline T atomicOr(T *to, U by)
{
    T old = *to;
    *to = (T)(old | by);
    return old;
}

#endif
