/* Lanes for pgs_text.h: `real` is PGS_LANES numbers of type `number`, float or double (PGS_DOUBLE). Every operation
 * is one that IEEE 754 defines to the last bit, so that a lane does what one number would do.
 *
 * Rows of eight numbers (v, 1/m, w, 1/I) become lanes by transposes of 4 x 4. */
#ifndef SCREE_SOLVE_PGS_LANES_H
#define SCREE_SOLVE_PGS_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#if defined(__x86_64__)
#    include <immintrin.h>
#endif

#define PGS_INLINE static inline __attribute__((always_inline))
#define LANES      PGS_LANES

#ifdef PGS_DOUBLE
typedef double number;
typedef int64_t whole;
#    define TINY 1e-280
#else
typedef float number;
typedef int32_t whole;
#    define TINY 1e-35f
#endif

#if LANES == 1
typedef number real;
#    define r_of(x) ((number)(x))

PGS_INLINE real r_max(real a, real b)
{
    return a > b ? a : b;
}
PGS_INLINE real r_min(real a, real b)
{
    return a < b ? a : b;
}
PGS_INLINE real r_sqrt(real a)
{
#    ifdef PGS_DOUBLE
    return sqrt(a);
#    else
    return sqrtf(a);
#    endif
}
PGS_INLINE double r_largest(real a)
{
    return a;
}
PGS_INLINE bool r_is_zero(real a)
{
    return a == 0;
}
#else
typedef number real __attribute__((vector_size(sizeof(number) * LANES), may_alias));
typedef whole mask __attribute__((vector_size(sizeof(number) * LANES), may_alias));

#    define r_of(x) ((number)(x) - (real){0})

// where the machine has registers of this width: PGS_M(max) is the name of its instruction, on type PGS_V
#    if defined(PGS_DOUBLE) && LANES == 8
#        define PGS_V    __m512d
#        define PGS_M(f) _mm512_##f##_pd
#    elif defined(PGS_DOUBLE) && defined(__AVX__)
#        define PGS_V    __m256d
#        define PGS_M(f) _mm256_##f##_pd
#    elif !defined(PGS_DOUBLE) && LANES == 16
#        define PGS_V    __m512
#        define PGS_M(f) _mm512_##f##_ps
#    elif !defined(PGS_DOUBLE) && LANES == 8
#        define PGS_V    __m256
#        define PGS_M(f) _mm256_##f##_ps
#    elif !defined(PGS_DOUBLE) && defined(__x86_64__)
#        define PGS_V    __m128
#        define PGS_M(f) _mm_##f##_ps
#    endif

// the second of two that are equal, as the machine's instructions do
PGS_INLINE real r_max(real a, real b)
{
#    if defined(PGS_M)
    return (real)PGS_M(max)((PGS_V)a, (PGS_V)b);
#    else
    mask m = (mask)(a > b);
    return (real)(((mask)a & m) | ((mask)b & ~m));
#    endif
}
PGS_INLINE real r_min(real a, real b)
{
#    if defined(PGS_M)
    return (real)PGS_M(min)((PGS_V)a, (PGS_V)b);
#    else
    mask m = (mask)(a < b);
    return (real)(((mask)a & m) | ((mask)b & ~m));
#    endif
}
PGS_INLINE real r_sqrt(real a)
{
#    if defined(PGS_M)
    return (real)PGS_M(sqrt)((PGS_V)a);
#    else
    real root;
    for (int l = 0; l < LANES; l++) root[l] = (number)sqrt(a[l]);
    return root;
#    endif
}
PGS_INLINE double r_largest(real a)
{
    number most = a[0];
    for (int l = 1; l < LANES; l++) most = a[l] > most ? a[l] : most;
    return most;
}
// in all lanes
PGS_INLINE bool r_is_zero(real a)
{
#    if defined(PGS_DOUBLE) && LANES == 8
    return !_mm512_cmp_pd_mask((PGS_V)a, _mm512_setzero_pd(), _CMP_NEQ_UQ);
#    elif !defined(PGS_DOUBLE) && LANES == 16
    return !_mm512_cmp_ps_mask((PGS_V)a, _mm512_setzero_ps(), _CMP_NEQ_UQ);
#    elif defined(PGS_M) && defined(__AVX__)
    return !PGS_M(movemask)((PGS_V)(a != r_of(0)));
#    elif defined(PGS_M)
    return !_mm_movemask_ps((PGS_V)(a != r_of(0)));
#    else
    mask m = (mask)(a != r_of(0));
    whole any = 0;
    for (int l = 0; l < LANES; l++) any |= m[l];
    return !any;
#    endif
}

#endif

PGS_INLINE real r_abs(real a)
{
    return r_max(a, -a);
}

/* Vectors of three reals. */
typedef struct {
    real x, y, z;
} rvec;

PGS_INLINE rvec rv_add(rvec a, rvec b)
{
    return (rvec){a.x + b.x, a.y + b.y, a.z + b.z};
}
PGS_INLINE rvec rv_sub(rvec a, rvec b)
{
    return (rvec){a.x - b.x, a.y - b.y, a.z - b.z};
}
PGS_INLINE rvec rv_scale(real s, rvec a)
{
    return (rvec){s * a.x, s * a.y, s * a.z};
}
/* a + s b */
PGS_INLINE rvec rv_axpy(rvec a, real s, rvec b)
{
    return (rvec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
PGS_INLINE real rv_dot(rvec a, rvec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
PGS_INLINE rvec rv_cross(rvec a, rvec b)
{
    return (rvec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* a - s b */
PGS_INLINE rvec rv_less(rvec a, real s, rvec b)
{
    return (rvec){a.x - s * b.x, a.y - s * b.y, a.z - s * b.z};
}

#endif
