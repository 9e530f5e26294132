/* Rows of four doubles and lanes of SCR_LANES of them: bodies, histories and laws are stored as rows,
 * the laws work on lanes. A transpose of 4 x 4 (or of two halves of eight) turns one into the other. */
#ifndef SCREE_STEP_SOFT_CPU_ROWS_H
#define SCREE_STEP_SOFT_CPU_ROWS_H

#include "kernel/lanes.h"

#define LANES SCR_LANES

typedef double row4 __attribute__((vector_size(32), may_alias));
typedef int64_t irow4 __attribute__((vector_size(32), may_alias));

SCR_INLINE row4 load4(const double *row)
{
    return *(const row4 *)row;
}

SCR_INLINE void store4(double *row, row4 v)
{
    *(row4 *)row = v;
}

// a - b, with the sum in the fourth place
SCR_INLINE row4 between4(row4 a, row4 b)
{
#if defined(__FMA__)
    const __m256d sign = {-1, -1, -1, 1};
    return (row4)_mm256_fmadd_pd((__m256d)b, sign, (__m256d)a);
#else
    const irow4 last = {0, 0, 0, -1};
    return (row4)(((irow4)(a + b) & last) | ((irow4)(a - b) & ~last));
#endif
}

#if SCR_LANES == 4
SCR_INLINE void transpose(real m[4])
{
    real a = __builtin_shufflevector(m[0], m[1], 0, 4, 2, 6);
    real b = __builtin_shufflevector(m[0], m[1], 1, 5, 3, 7);
    real c = __builtin_shufflevector(m[2], m[3], 0, 4, 2, 6);
    real d = __builtin_shufflevector(m[2], m[3], 1, 5, 3, 7);
    m[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    m[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    m[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    m[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

SCR_INLINE void to_lanes(real m[4], const row4 rows[4])
{
    for (int l = 0; l < 4; l++) m[l] = rows[l];
    transpose(m);
}

SCR_INLINE void to_rows(row4 rows[4], real x, real y, real z, real w)
{
    real m[4] = {x, y, z, w};
    transpose(m);
    for (int l = 0; l < 4; l++) rows[l] = m[l];
}

/* Rows of eight: force and torque of a body. */
typedef struct {
    row4 force, torque;
} row8;

SCR_INLINE void to_rows8(row8 rows[4], rvec force, const rvec torque)
{
    row4 f[4], t[4];
    to_rows(f, force.x, force.y, force.z, r_of(0.0));
    to_rows(t, torque.x, torque.y, torque.z, r_of(0.0));
    for (int l = 0; l < 4; l++) rows[l] = (row8){f[l], t[l]};
}

SCR_INLINE void add8(double *to, row8 r)
{
    store4(to, load4(to) + r.force);
    store4(to + 4, load4(to + 4) + r.torque);
}

SCR_INLINE void subtract8(double *from, row8 r)
{
    store4(from, load4(from) - r.force);
    store4(from + 4, load4(from + 4) - r.torque);
}

SCR_INLINE unsigned bits_of(mask m)
{
#    if defined(__AVX__)
    return (unsigned)_mm256_movemask_pd((__m256d)m);
#    else
    return (unsigned)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#    endif
}

SCR_INLINE mask lanes_of(unsigned bits)
{
    const mask bit = {1, 2, 4, 8};
    return (mask)((bit & (int64_t)bits) != 0);
}

// the numbers base + l of the lanes l whose bits are set, to the front of `list`
SCR_INLINE void pack(uint32_t *list, uint32_t base, unsigned bits)
{
    static const uint8_t order[16][4] = {
        {0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 2, 3}, {2, 0, 1, 3}, {0, 2, 1, 3}, {1, 2, 0, 3}, {0, 1, 2, 3},
        {3, 0, 1, 2}, {0, 3, 1, 2}, {1, 3, 0, 2}, {0, 1, 3, 2}, {2, 3, 0, 1}, {0, 2, 3, 1}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    for (int l = 0; l < 4; l++) list[l] = base + order[bits][l];
}
#elif SCR_LANES == 8
// both halves of four lanes, each by itself
SCR_INLINE void transpose(real m[4])
{
    real a = __builtin_shufflevector(m[0], m[1], 0, 8, 2, 10, 4, 12, 6, 14);
    real b = __builtin_shufflevector(m[0], m[1], 1, 9, 3, 11, 5, 13, 7, 15);
    real c = __builtin_shufflevector(m[2], m[3], 0, 8, 2, 10, 4, 12, 6, 14);
    real d = __builtin_shufflevector(m[2], m[3], 1, 9, 3, 11, 5, 13, 7, 15);
    m[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    m[1] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    m[2] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    m[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

SCR_INLINE void to_lanes(real m[4], const row4 rows[8])
{
    for (int l = 0; l < 4; l++)
        m[l] = (real)_mm512_insertf64x4(_mm512_castpd256_pd512((__m256d)rows[l]), (__m256d)rows[l + 4], 1);
    transpose(m);
}

SCR_INLINE void to_rows(row4 rows[8], real x, real y, real z, real w)
{
    real m[4] = {x, y, z, w};
    transpose(m);
    for (int l = 0; l < 4; l++) {
        rows[l] = (row4)_mm512_castpd512_pd256((__m512d)m[l]);
        rows[l + 4] = (row4)_mm512_extractf64x4_pd((__m512d)m[l], 1);
    }
}

typedef real row8;

SCR_INLINE void to_rows8(row8 rows[8], rvec force, rvec torque)
{
    real f[4] = {force.x, force.y, force.z, r_of(0.0)}, t[4] = {torque.x, torque.y, torque.z, r_of(0.0)};
    transpose(f), transpose(t);
    for (int l = 0; l < 4; l++) {
        rows[l] = __builtin_shufflevector(f[l], t[l], 0, 1, 2, 3, 8, 9, 10, 11);
        rows[l + 4] = __builtin_shufflevector(f[l], t[l], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

SCR_INLINE void add8(double *to, row8 r)
{
    *(row8 *)to += r;
}

SCR_INLINE void subtract8(double *from, row8 r)
{
    *(row8 *)from -= r;
}

SCR_INLINE unsigned bits_of(mask m)
{
    return m;
}

SCR_INLINE mask lanes_of(unsigned bits)
{
    return (mask)bits;
}

SCR_INLINE void pack(uint32_t *list, uint32_t base, unsigned bits)
{
    const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i all = _mm256_add_epi32(_mm256_set1_epi32((int)base), number);
    _mm256_storeu_si256((__m256i *)list, _mm256_maskz_compress_epi32((__mmask8)bits, all));
}
#endif

// rows of bodies as lanes: m[0] = x of all, ..., m[3] = the fourth number of all
SCR_INLINE void load_lanes(real m[4], const double *rows, size_t stride, const uint32_t *at)
{
    row4 row[LANES];
    for (int l = 0; l < LANES; l++) row[l] = load4(rows + stride * at[l]);
    to_lanes(m, row);
}

SCR_INLINE void load_rows(real m[4], const double *rows, const uint32_t *at)
{
    load_lanes(m, rows, 4, at);
}

// the same of the differences of two, with the sum in the fourth place
SCR_INLINE void load_between(real m[4], const double *rows, const uint32_t *a, const uint32_t *b)
{
    row4 row[LANES];
    for (int l = 0; l < LANES; l++) row[l] = between4(load4(rows + 4 * (size_t)a[l]), load4(rows + 4 * (size_t)b[l]));
    to_lanes(m, row);
}

// the first `live` lanes
SCR_INLINE mask live_lanes(int live)
{
    return lanes_of((1u << live) - 1);
}

// flags of 0 or 1, of the pairs `at`
SCR_INLINE mask flags(const uint8_t *flag, const uint32_t *at)
{
    unsigned bits = 0;
    for (int l = 0; l < LANES; l++) bits |= (unsigned)flag[at[l]] << l;
    return lanes_of(bits);
}

#endif
