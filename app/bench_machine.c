/* What one core of this machine gives: bytes per second through arrays of several sizes, and vector
 * operations per second. The best of several tries counts. */
#include "bench.h"

#include <stdlib.h>
#include <time.h>

typedef double real4 __attribute__((vector_size(32)));

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#if defined(__x86_64__)
#    define WIDE __attribute__((target("avx2"), noinline))
#else
#    define WIDE __attribute__((noinline))
#endif

// what the compiler may not leave out
static volatile double sink;

WIDE static double read_all(const real4 *a, size_t rows)
{
    real4 s[4] = {0};
    for (size_t k = 0; k < rows; k += 4)
        for (int l = 0; l < 4; l++) s[l] += a[k + (size_t)l];
    real4 sum = s[0] + s[1] + s[2] + s[3];
    return sum[0] + sum[1] + sum[2] + sum[3];
}

WIDE static double update_all(real4 *a, size_t rows)
{
    for (size_t k = 0; k < rows; k++) a[k] = a[k] * 0.999 + 0.001;
    return a[0][0];
}

// GB/s through an array of `bytes`; update counts what is read and what is written
static double bandwidth(real4 *a, size_t bytes, bool update)
{
    size_t rows = bytes / sizeof *a;
    double best = 0;
    for (int round = 0; round < 8; round++) {
        size_t passes = 1 + ((size_t)128 << 20) / bytes;
        double start = now();
        for (size_t p = 0; p < passes; p++) sink = update ? update_all(a, rows) : read_all(a, rows);
        double rate = (update ? 2e-9 : 1e-9) * (double)(passes * bytes) / (now() - start);
        if (rate > best) best = rate;
    }
    return best;
}

enum { CHAINS = 8, TURNS = 200000 };

// eight chains that do not wait for each other: four doubles each turn
#define CHAIN(name, step)                                                               \
    WIDE static double name(void)                                                       \
    {                                                                                   \
        real4 x[CHAINS];                                                                \
        for (int c = 0; c < CHAINS; c++) x[c] = (real4){1.1, 1.2, 1.3, 1.4} + 0.01 * c; \
        for (int t = 0; t < TURNS; t++)                                                 \
            for (int c = 0; c < CHAINS; c++) step;                                      \
        double sum = 0;                                                                 \
        for (int c = 0; c < CHAINS; c++) sum += x[c][0] + x[c][3];                      \
        return sum;                                                                     \
    }

#if defined(__x86_64__)
#    define ROOT(v) __builtin_ia32_sqrtpd256(v)
#else
#    include <math.h>
#    define ROOT(v) ((real4){sqrt(v[0]), sqrt(v[1]), sqrt(v[2]), sqrt(v[3])})
#endif

CHAIN(multiply_add, x[c] = x[c] * 0.999 + 0.001)
CHAIN(divide, x[c] = 1.5 / x[c])
CHAIN(root, x[c] = ROOT(x[c]))

// vector operations (of four doubles) per nanosecond
static double throughput(double (*chain)(void), int operations)
{
    double best = 0;
    for (int round = 0; round < 8; round++) {
        double start = now();
        sink = chain();
        double rate = 1e-9 * CHAINS * (double)TURNS * operations / (now() - start);
        if (rate > best) best = rate;
    }
    return best;
}

static int machine(const bench_def *def)
{
    (void)def;
    static const struct {
        const char *name;
        size_t bytes;
    } sizes[] = {{"l1", 16 << 10}, {"l2", 512 << 10}, {"l3", 8 << 20}, {"memory", 256 << 20}};
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2")) {
        fprintf(stderr, "scree bench: this machine has no AVX2, which this benchmark needs\n");
        return 1;
    }
#endif
    real4 *a = aligned_alloc(64, sizes[3].bytes);
    if (!a) return 1;
    for (size_t k = 0; k < sizes[3].bytes / sizeof *a; k++) a[k] = (real4){1, 1, 1, 1};
    char name[64];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        snprintf(name, sizeof name, "machine.read_%s", sizes[k].name);
        figure(name, bandwidth(a, sizes[k].bytes, false), "%.1f", "GB/s");
        snprintf(name, sizeof name, "machine.update_%s", sizes[k].name);
        figure(name, bandwidth(a, sizes[k].bytes, true), "%.1f", "GB/s");
    }
    free(a);
    figure("machine.multiply_or_add", throughput(multiply_add, 2), "%.2f", "vectors/ns");
    figure("machine.divide", throughput(divide, 1), "%.3f", "vectors/ns");
    figure("machine.root", throughput(root, 1), "%.3f", "vectors/ns");
    return 0;
}

const bench bench_machine = {"machine", "memory bandwidth and vector operations of one core", machine};
