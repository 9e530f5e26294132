/* Threads of the CPU: loops over fixed blocks of bodies. A block's work does not depend on which
 * thread does it, and sums over blocks are taken in the order of blocks, so that any number of
 * threads gives the same bits. */
#ifndef SCREE_EXEC_CPU_THREADS_H
#define SCREE_EXEC_CPU_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0: as many as there are cores (or OMP_NUM_THREADS). Returns the number in use. */
int scr_threads_set(int count);
int scr_threads(void);

/* Calls work(context, k) for k = 0 .. count - 1, in parallel where there are threads: each takes a contiguous run of
 * them. `cost` (count + 1 running sums, or NULL: all alike) says how to divide them fairly. Returns when all are
 * done. */
typedef void scr_work(void *context, size_t index);
void scr_each(size_t count, const uint32_t *cost, scr_work *work, void *context);

/* Calls work(context, t, n) once on each of n threads at the same time, n being scr_threads() but not more than
 * `most`. In it, scr_barrier_wait with the same barrier (set to zero at first) returns when all n have called it.
 * Waiting is short work for all: it takes turns with others on the core only after a while. */
typedef void scr_team_work(void *context, int thread, int threads);
void scr_team(int most, scr_team_work *work, void *context);

typedef struct {
    _Alignas(64) _Atomic int arrived;
    _Alignas(64) _Atomic int round;
} scr_barrier;
void scr_barrier_wait(scr_barrier *barrier, int threads);

/* The instruction sets the inner loops are built for. */
typedef enum { SCR_VECTORS_PORTABLE, SCR_VECTORS_AVX2, SCR_VECTORS_AVX512 } scr_vectors;

/* The best this machine has. SCREE_VECTOR=portable or avx2 in the environment asks for less, for
 * comparisons. */
scr_vectors scr_cpu_vectors(void);
const char *scr_vectors_name(scr_vectors vectors);

/* Sum of values[0], values[stride], ... in order. */
double scr_sum(const double *values, size_t count, size_t stride);

#endif
