/* One text for scalar, vector and device: laws are written on `real`, which is a double when SCR_LANES is 1 (and on a
 * device, where each thread is a lane) and a vector of SCR_LANES doubles otherwise. A translation unit chooses
 * SCR_LANES before including a law.
 *
 * Each lane goes through the same IEEE operations in the same order as the scalar text, so all
 * widths give the same bits. Fused multiply-adds are among these operations, where the text asks for one (r_fma): the
 * compiler makes none by itself. Processors that lack them (x86-64 before 2013) compute them in software, with the same
 * result, slowly.
 *
 * Masks have a bit per lane with AVX-512, else they are vectors of all-ones or zero (scalar: int64_t -1 or 0). */
#ifndef SCREE_KERNEL_LANES_H
#define SCREE_KERNEL_LANES_H

#include <math.h>
#include <stdint.h>

#ifndef SCR_LANES
#    define SCR_LANES 1
#endif

#ifdef __CUDACC__
#    define SCR_INLINE static __host__ __device__ __forceinline__
#else
#    define SCR_INLINE static inline __attribute__((always_inline))
#endif

/* A loop in scalar text that the compiler builds for wider registers too; the machine chooses when the program starts.
 * The operations are the same, and so are the bits. Not with clang, which mixes up clones of static functions. */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__clang__) && SCR_LANES == 1
#    if __GNUC__ >= 12 // with fused operations: without them each would be a call
#        define SCR_CLONED __attribute__((target_clones("arch=x86-64-v3", "default")))
#    else
#        define SCR_CLONED __attribute__((target_clones("avx2", "default")))
#    endif
#else
#    define SCR_CLONED
#endif

#if SCR_LANES == 1
typedef double real;
typedef int64_t mask;
typedef int64_t lane_bits;
#    define r_of(x)      ((double)(x))
#    define r_less(a, b) ((mask) - ((a) < (b)))
#    define r_is(a, b)   ((mask) - ((a) == (b)))
SCR_INLINE real r_select(mask m, real a, real b)
{
    return m ? a : b;
}
SCR_INLINE real r_sqrt(real a)
{
    return sqrt(a);
}
/* a b + c and c - a b, rounded once */
SCR_INLINE real r_fma(real a, real b, real c)
{
    return fma(a, b, c);
}
SCR_INLINE real r_fnma(real a, real b, real c)
{
    return fma(-a, b, c);
}
typedef union {
    real number;
    lane_bits bits;
} real_bits;
SCR_INLINE lane_bits r_bits(real a)
{
    real_bits b;
    b.number = a;
    return b.bits;
}
SCR_INLINE real r_of_bits(lane_bits a)
{
    real_bits b;
    b.bits = a;
    return b.number;
}
SCR_INLINE int r_any(mask m)
{
    return m != 0;
}
SCR_INLINE real r_max(real a, real b)
{
    return a < b ? b : a;
}
SCR_INLINE real r_min(real a, real b)
{
    return b < a ? b : a;
}
#else
#    if defined(__x86_64__)
#        include <immintrin.h>
#    endif
typedef double real __attribute__((vector_size(8 * SCR_LANES), may_alias));
typedef int64_t lane_bits __attribute__((vector_size(8 * SCR_LANES), may_alias));
#    define r_of(x) ((x) - (real){0})
SCR_INLINE lane_bits r_bits(real a)
{
    return (lane_bits)a;
}
SCR_INLINE real r_of_bits(lane_bits a)
{
    return (real)a;
}
#    if SCR_LANES == 8
#        include "kernel/lanes_avx512.h"
#    else
#        include "kernel/lanes_four.h"
#    endif
#endif

/* a where the mask is set, else 0 */
SCR_INLINE real r_where(mask m, real a)
{
    return r_select(m, a, r_of(0.0));
}
SCR_INLINE real r_abs(real a)
{
    return r_of_bits(r_bits(a) & INT64_MAX);
}

// the rest of a product: a b = product + rest, exactly (Dekker 1971)
SCR_INLINE real r_product_rest(real a, real b, real product)
{
    real s = 134217729.0 * a, t = 134217729.0 * b; // 2^27 + 1
    real ah = s - (s - a), bh = t - (t - b), al = a - ah, bl = b - bh;
    return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}

/* The cube root of what is positive and not below 1e-300, else 0; error at most 0.51 units in the last place, as of
 * scr_cbrt. A third of the upper half of the bits, which are nearly a logarithm, is the first guess, 4 % off; then
 * Halley's method twice, and Newton's with an exact residual. */
SCR_INLINE real r_cbrt(real a)
{
    const double shift = 0x1p52; // adding it makes a whole number the lower bits of a double
    lane_bits whole = r_bits(r_of(shift));
    real half = r_of_bits((r_bits(a) >> 32) | whole) - shift;
    real y = r_of_bits((r_bits(half * (1.0 / 3) + 0x1p20 * (682 - 0.033) + shift) ^ whole) << 32);
    for (int n = 0; n < 2; n++) {
        real cube = y * y * y;
        y = y * ((cube + 2.0 * a) / (2.0 * cube + a));
    }
    real square = y * y, cube = square * y;
    real left = (a - cube) - r_product_rest(square, y, cube) - y * r_product_rest(y, y, square);
    return r_where(r_less(r_of(1e-300), a), y + left / (3.0 * square));
}

/* Vectors of three reals. */
typedef struct {
    real x, y, z;
} rvec;

SCR_INLINE rvec rv_add(rvec a, rvec b)
{
    return (rvec){a.x + b.x, a.y + b.y, a.z + b.z};
}
SCR_INLINE rvec rv_sub(rvec a, rvec b)
{
    return (rvec){a.x - b.x, a.y - b.y, a.z - b.z};
}
SCR_INLINE rvec rv_scale(real s, rvec a)
{
    return (rvec){s * a.x, s * a.y, s * a.z};
}
/* a + s b */
SCR_INLINE rvec rv_axpy(rvec a, real s, rvec b)
{
    return (rvec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
SCR_INLINE real rv_dot(rvec a, rvec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
SCR_INLINE rvec rv_cross(rvec a, rvec b)
{
    return (rvec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* The same with fused operations: three instead of five or six, where the machine has them. */
SCR_INLINE rvec rv_fma(rvec a, real s, rvec b)
{
    return (rvec){r_fma(s, b.x, a.x), r_fma(s, b.y, a.y), r_fma(s, b.z, a.z)};
}
/* a - s b */
SCR_INLINE rvec rv_fnma(rvec a, real s, rvec b)
{
    return (rvec){r_fnma(s, b.x, a.x), r_fnma(s, b.y, a.y), r_fnma(s, b.z, a.z)};
}
SCR_INLINE real rv_fdot(rvec a, rvec b)
{
    return r_fma(a.z, b.z, r_fma(a.y, b.y, a.x * b.x));
}
SCR_INLINE rvec rv_fcross(rvec a, rvec b)
{
    return (rvec){r_fnma(a.z, b.y, a.y * b.z), r_fnma(a.x, b.z, a.z * b.x), r_fnma(a.y, b.x, a.x * b.y)};
}
/* c + a x b */
SCR_INLINE rvec rv_fcross_add(rvec a, rvec b, rvec c)
{
    return (rvec){r_fma(a.y, b.z, r_fnma(a.z, b.y, c.x)), r_fma(a.z, b.x, r_fnma(a.x, b.z, c.y)),
                  r_fma(a.x, b.y, r_fnma(a.y, b.x, c.z))};
}
SCR_INLINE rvec rv_select(mask m, rvec a, rvec b)
{
    return (rvec){r_select(m, a.x, b.x), r_select(m, a.y, b.y), r_select(m, a.z, b.z)};
}
SCR_INLINE rvec rv_where(mask m, rvec a)
{
    return (rvec){r_where(m, a.x), r_where(m, a.y), r_where(m, a.z)};
}

#endif
