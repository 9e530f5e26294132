/* Lanes for pgs_text.h: `real` is PGS_LANES numbers of type `number`, float or double (PGS_DOUBLE). Every operation
 * is one that IEEE 754 defines to the last bit, so that a lane does what one number would do.
 *
 * Rows of eight numbers (v, 1/m, w, 1/I) become lanes by transposes of 4 x 4. */
#ifndef SCREE_SOLVE_PGS_LANES_H
#define SCREE_SOLVE_PGS_LANES_H

#include <math.h>
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
#else
typedef number real __attribute__((vector_size(sizeof(number) * LANES), may_alias));
typedef whole mask __attribute__((vector_size(sizeof(number) * LANES), may_alias));
typedef number row4 __attribute__((vector_size(sizeof(number) * 4), may_alias));
#    define r_of(x) ((number)(x) - (real){0})

// as the machine's instructions do: the second of two that are equal
PGS_INLINE real r_max(real a, real b)
{
    mask m = (mask)(a > b);
    return (real)(((mask)a & m) | ((mask)b & ~m));
}
PGS_INLINE real r_min(real a, real b)
{
    mask m = (mask)(a < b);
    return (real)(((mask)a & m) | ((mask)b & ~m));
}
PGS_INLINE real r_sqrt(real a)
{
#    if defined(PGS_DOUBLE) && LANES == 8
    return (real)_mm512_sqrt_pd((__m512d)a);
#    elif defined(PGS_DOUBLE) && defined(__AVX__)
    return (real)_mm256_sqrt_pd((__m256d)a);
#    elif LANES == 16
    return (real)_mm512_sqrt_ps((__m512)a);
#    elif LANES == 8
    return (real)_mm256_sqrt_ps((__m256)a);
#    elif !defined(PGS_DOUBLE) && defined(__x86_64__)
    return (real)_mm_sqrt_ps((__m128)a);
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

// PICK(a, b, ...): per group of four lanes, numbers 0 to 3 of a and 4 to 7 of b
#    if LANES == 4
#        define AT(k)                  ((k) % 4 + (k) / 4 * 4)
#        define PICK(a, b, i, j, k, l) __builtin_shuffle(a, b, (mask){AT(i), AT(j), AT(k), AT(l)})
#    elif LANES == 8
#        define AT(k) ((k) % 4 + (k) / 4 * 8)
#        define PICK(a, b, i, j, k, l)                                                             \
            __builtin_shuffle(                                                                     \
                a, b,                                                                              \
                (mask){AT(i), AT(j), AT(k), AT(l), AT(i) + 4, AT(j) + 4, AT(k) + 4, AT(l) + 4})
#    elif LANES == 16
#        define AT(k) ((k) % 4 + (k) / 4 * 16)
#        define PICK(a, b, i, j, k, l)                                                             \
            __builtin_shuffle(a, b,                                                                \
                              (mask){AT(i), AT(j), AT(k), AT(l), AT(i) + 4, AT(j) + 4, AT(k) + 4,  \
                                     AT(l) + 4, AT(i) + 8, AT(j) + 8, AT(k) + 8, AT(l) + 8,        \
                                     AT(i) + 12, AT(j) + 12, AT(k) + 12, AT(l) + 12})
#    endif

// 4 x 4 in each group of four lanes
PGS_INLINE void transpose(real m[4])
{
#    ifdef PGS_DOUBLE
    real a = PICK(m[0], m[1], 0, 4, 2, 6), b = PICK(m[0], m[1], 1, 5, 3, 7);
    real c = PICK(m[2], m[3], 0, 4, 2, 6), d = PICK(m[2], m[3], 1, 5, 3, 7);
    m[0] = PICK(a, c, 0, 1, 4, 5), m[1] = PICK(b, d, 0, 1, 4, 5);
    m[2] = PICK(a, c, 2, 3, 6, 7), m[3] = PICK(b, d, 2, 3, 6, 7);
#    else
    real a = PICK(m[0], m[1], 0, 4, 1, 5), b = PICK(m[0], m[1], 2, 6, 3, 7);
    real c = PICK(m[2], m[3], 0, 4, 1, 5), d = PICK(m[2], m[3], 2, 6, 3, 7);
    m[0] = PICK(a, c, 0, 1, 4, 5), m[1] = PICK(a, c, 2, 3, 6, 7);
    m[2] = PICK(b, d, 0, 1, 4, 5), m[3] = PICK(b, d, 2, 3, 6, 7);
#    endif
}

// four numbers each of LANES rows
PGS_INLINE void load4(real m[4], const number *rows, const uint32_t *at)
{
    const number *row[LANES];
    for (int l = 0; l < LANES; l++) row[l] = rows + 8 * (size_t)at[l];
    for (int l = 0; l < 4; l++) {
#    if LANES == 4
        m[l] = *(const row4 *)row[l];
#    elif defined(PGS_DOUBLE)
        m[l] = (real)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(row[l])),
                                        _mm256_load_pd(row[l + 4]), 1);
#    else
        __m256 low = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(row[l])),
                                          _mm_load_ps(row[l + 4]), 1);
#        if LANES == 8
        m[l] = (real)low;
#        else
        __m256 high = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(row[l + 8])),
                                           _mm_load_ps(row[l + 12]), 1);
        m[l] = (real)_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
#        endif
#    endif
    }
    transpose(m);
}

PGS_INLINE void store4(number *rows, const uint32_t *at, real m[4])
{
    transpose(m);
    number *row[LANES];
    for (int l = 0; l < LANES; l++) row[l] = rows + 8 * (size_t)at[l];
    for (int l = 0; l < 4; l++) {
#    if LANES == 4
        *(row4 *)row[l] = m[l];
#    elif defined(PGS_DOUBLE)
        _mm256_store_pd(row[l], _mm512_castpd512_pd256((__m512d)m[l]));
        _mm256_store_pd(row[l + 4], _mm512_extractf64x4_pd((__m512d)m[l], 1));
#    elif LANES == 8
        _mm_store_ps(row[l], _mm256_castps256_ps128((__m256)m[l]));
        _mm_store_ps(row[l + 4], _mm256_extractf128_ps((__m256)m[l], 1));
#    else
        _mm_store_ps(row[l], _mm512_castps512_ps128((__m512)m[l]));
        _mm_store_ps(row[l + 4], _mm512_extractf32x4_ps((__m512)m[l], 1));
        _mm_store_ps(row[l + 8], _mm512_extractf32x4_ps((__m512)m[l], 2));
        _mm_store_ps(row[l + 12], _mm512_extractf32x4_ps((__m512)m[l], 3));
#    endif
    }
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

/* Bodies, one per lane. */
typedef struct {
    rvec v, w;
    real inverse_mass, inverse_inertia;
} rbody;

#if LANES == 1
PGS_INLINE rbody load_bodies(const number *rows, const uint32_t *at)
{
    const number *r = rows + 8 * (size_t)at[0];
    return (rbody){{r[0], r[1], r[2]}, {r[4], r[5], r[6]}, r[3], r[7]};
}
PGS_INLINE void store_bodies(number *rows, const uint32_t *at, rbody b)
{
    number *r = rows + 8 * (size_t)at[0];
    r[0] = b.v.x, r[1] = b.v.y, r[2] = b.v.z;
    r[4] = b.w.x, r[5] = b.w.y, r[6] = b.w.z;
}
#else
PGS_INLINE rbody load_bodies(const number *rows, const uint32_t *at)
{
    real v[4], w[4];
    load4(v, rows, at);
    load4(w, rows + 4, at);
    return (rbody){{v[0], v[1], v[2]}, {w[0], w[1], w[2]}, v[3], w[3]};
}
PGS_INLINE void store_bodies(number *rows, const uint32_t *at, rbody b)
{
    real v[4] = {b.v.x, b.v.y, b.v.z, b.inverse_mass};
    real w[4] = {b.w.x, b.w.y, b.w.z, b.inverse_inertia};
    store4(rows, at, v);
    store4(rows + 4, at, w);
}
#endif

#endif
