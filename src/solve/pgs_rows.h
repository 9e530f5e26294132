/* Bodies for pgs_text.h: rows of eight numbers (v, 1/m, w, 1/I) become lanes and lanes rows by transposes of 4 x 4. */
#ifndef SCREE_SOLVE_PGS_ROWS_H
#define SCREE_SOLVE_PGS_ROWS_H

#include "solve/pgs_lanes.h"

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
// PICK(a, b, ...): per group of four lanes, numbers 0 to 3 of a and 4 to 7 of b
#    define AT(k, group)            ((k) % 4 + (k) / 4 * LANES + (group)*4)
#    define FOUR(i, j, k, l, group) AT(i, group), AT(j, group), AT(k, group), AT(l, group)
#    if LANES == 4
#        define PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, FOUR(i, j, k, l, 0))
#    elif LANES == 8
#        define PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, FOUR(i, j, k, l, 0), FOUR(i, j, k, l, 1))
#    elif LANES == 16
#        define PICK(a, b, i, j, k, l)                                                                   \
            __builtin_shufflevector(a, b, FOUR(i, j, k, l, 0), FOUR(i, j, k, l, 1), FOUR(i, j, k, l, 2), \
                                    FOUR(i, j, k, l, 3))
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

#    if !defined(PGS_DOUBLE) && LANES == 8
// a row fills a register; its halves part at the end
PGS_INLINE void load_rows(real v[4], real w[4], number *const *row)
{
    real low[4], high[4];
    for (int l = 0; l < 4; l++) low[l] = *(const real *)row[l], high[l] = *(const real *)row[l + 4];
    transpose(low), transpose(high);
    for (int k = 0; k < 4; k++) {
        v[k] = (real)_mm256_permute2f128_ps((__m256)low[k], (__m256)high[k], 0x20);
        w[k] = (real)_mm256_permute2f128_ps((__m256)low[k], (__m256)high[k], 0x31);
    }
}
PGS_INLINE void store_rows(number *const *row, real v[4], real w[4])
{
    real low[4], high[4];
    for (int k = 0; k < 4; k++) {
        low[k] = (real)_mm256_permute2f128_ps((__m256)v[k], (__m256)w[k], 0x20);
        high[k] = (real)_mm256_permute2f128_ps((__m256)v[k], (__m256)w[k], 0x31);
    }
    transpose(low), transpose(high);
    for (int l = 0; l < 4; l++) *(real *)row[l] = low[l], *(real *)row[l + 4] = high[l];
}
#    elif !defined(PGS_DOUBLE) && LANES == 16
// a register holds two rows
PGS_INLINE real two_rows(const number *a, const number *b)
{
    return (real)_mm512_insertf32x8(_mm512_castps256_ps512(_mm256_load_ps(a)), _mm256_load_ps(b), 1);
}
PGS_INLINE void load_rows(real v[4], real w[4], number *const *row)
{
    real low[4], high[4];
    for (int l = 0; l < 4; l++) {
        low[l] = two_rows(row[l], row[l + 4]);
        high[l] = two_rows(row[l + 8], row[l + 12]);
    }
    transpose(low), transpose(high);
    for (int k = 0; k < 4; k++) {
        v[k] = (real)_mm512_shuffle_f32x4((__m512)low[k], (__m512)high[k], 0x88);
        w[k] = (real)_mm512_shuffle_f32x4((__m512)low[k], (__m512)high[k], 0xdd);
    }
}
PGS_INLINE void store_rows(number *const *row, real v[4], real w[4])
{
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    real low[4], high[4];
    for (int k = 0; k < 4; k++) {
        low[k] = (real)_mm512_permutex2var_pd((__m512d)v[k], first, (__m512d)w[k]);
        high[k] = (real)_mm512_permutex2var_pd((__m512d)v[k], second, (__m512d)w[k]);
    }
    transpose(low), transpose(high);
    for (int l = 0; l < 4; l++) {
        _mm256_store_ps(row[l], _mm512_castps512_ps256((__m512)low[l]));
        _mm256_store_ps(row[l + 4], _mm512_extractf32x8_ps((__m512)low[l], 1));
        _mm256_store_ps(row[l + 8], _mm512_castps512_ps256((__m512)high[l]));
        _mm256_store_ps(row[l + 12], _mm512_extractf32x8_ps((__m512)high[l], 1));
    }
}
#    elif LANES == 8
// half a row of doubles is half a register
PGS_INLINE void load_rows(real v[4], real w[4], number *const *row)
{
    for (int l = 0; l < 4; l++) {
        v[l] = (real)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(row[l])), _mm256_load_pd(row[l + 4]), 1);
        w[l] = (real)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(row[l] + 4)),
                                        _mm256_load_pd(row[l + 4] + 4), 1);
    }
    transpose(v), transpose(w);
}
PGS_INLINE void store_rows(number *const *row, real v[4], real w[4])
{
    transpose(v), transpose(w);
    for (int l = 0; l < 4; l++) {
        _mm256_store_pd(row[l], _mm512_castpd512_pd256((__m512d)v[l]));
        _mm256_store_pd(row[l + 4], _mm512_extractf64x4_pd((__m512d)v[l], 1));
        _mm256_store_pd(row[l] + 4, _mm512_castpd512_pd256((__m512d)w[l]));
        _mm256_store_pd(row[l + 4] + 4, _mm512_extractf64x4_pd((__m512d)w[l], 1));
    }
}
#    else
// four lanes: half a row fills a register
PGS_INLINE void load_rows(real v[4], real w[4], number *const *row)
{
    for (int l = 0; l < 4; l++) v[l] = *(const real *)row[l], w[l] = *(const real *)(row[l] + 4);
    transpose(v), transpose(w);
}
PGS_INLINE void store_rows(number *const *row, real v[4], real w[4])
{
    transpose(v), transpose(w);
    for (int l = 0; l < 4; l++) *(real *)row[l] = v[l], *(real *)(row[l] + 4) = w[l];
}
#    endif

PGS_INLINE rbody load_bodies(number *rows, const uint32_t *at)
{
    number *row[LANES];
    real v[4], w[4];
    for (int l = 0; l < LANES; l++) row[l] = rows + 8 * (size_t)at[l];
    load_rows(v, w, row);
    return (rbody){{v[0], v[1], v[2]}, {w[0], w[1], w[2]}, v[3], w[3]};
}
PGS_INLINE void store_bodies(number *rows, const uint32_t *at, rbody b)
{
    number *row[LANES];
    real v[4] = {b.v.x, b.v.y, b.v.z, b.inverse_mass};
    real w[4] = {b.w.x, b.w.y, b.w.z, b.inverse_inertia};
    for (int l = 0; l < LANES; l++) row[l] = rows + 8 * (size_t)at[l];
    store_rows(row, v, w);
}
#endif

#endif
