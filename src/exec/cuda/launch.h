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
