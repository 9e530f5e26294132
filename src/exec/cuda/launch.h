/* The words that kernels are written in. nvcc knows most of them; any other compiler takes them from a header emulate.h
 * on its path, which runs the threads of a block one after the other (tests/emulate). */
#ifndef SCREE_EXEC_CUDA_LAUNCH_H
#define SCREE_EXEC_CUDA_LAUNCH_H

#ifdef __CUDACC__
#    include <cuda_pipeline.h>
#    include <cuda_runtime.h>
/* Threads that do not wait for each other, and threads of a block that do. */
#    define SCR_LAUNCH(stream, kernel, grid, threads, ...) \
        kernel<<<(unsigned)(grid), (threads), 0, (cudaStream_t)(stream)>>>(__VA_ARGS__)
#    define SCR_LAUNCH_BLOCKS(stream, kernel, grid, threads, bytes, ...) \
        kernel<<<(unsigned)(grid), (threads), (bytes), (cudaStream_t)(stream)>>>(__VA_ARGS__)
/* The same for a kernel that begins with SCR_AFTER(): where `early`, its blocks may be there when all blocks of the
 * kernel before it have passed SCR_BEFORE() or ended. Code that was made for older devices does not wait by itself:
 * SCR_CAN_BE_EARLY. */
#    define SCR_LAUNCH_EARLY(stream, early, kernel, grid, threads, bytes, ...) \
        scr_launch_early((cudaStream_t)(stream), (early), (kernel), (unsigned)(grid), (threads), (bytes), __VA_ARGS__)
#    define SCR_CAN_BE_EARLY(kernel) scr_can_be_early((const void *)(kernel))
#    if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#        define SCR_AFTER()  cudaGridDependencySynchronize()
#        define SCR_BEFORE() cudaTriggerProgrammaticLaunchCompletion()
#    else
#        define SCR_AFTER()  ((void)0)
#        define SCR_BEFORE() ((void)0)
#    endif
static inline bool scr_can_be_early(const void *kernel)
{
    cudaFuncAttributes code;
    return !cudaFuncGetAttributes(&code, kernel) && code.ptxVersion >= 90;
}
template <class... A>
static void scr_launch_early(cudaStream_t stream, bool early, void (*kernel)(A...), unsigned grid, unsigned threads,
                             size_t bytes, A... a)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid, config.blockDim = threads, config.dynamicSmemBytes = bytes, config.stream = stream;
    config.attrs = &attribute, config.numAttrs = early;
    cudaLaunchKernelEx(&config, kernel, a...);
}
/* Allows a kernel so much of a block's own memory. */
#    define SCR_ALLOW_SHARED(kernel, bytes) \
        cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(bytes))
#    define SCR_SHARED(type, name)     extern __shared__ __align__(16) type name[]
#    define SCR_FETCH(to, from, bytes) __pipeline_memcpy_async((to), (from), (bytes))
#    define SCR_FETCHED()              (__pipeline_commit(), __pipeline_wait_prior(0))
#else
#    include "emulate.h"
#endif

#endif
