/* Totals: sums of doubles that lose nothing, so that they have no order. What is added by blocks, threads or ranks, in
 * any grouping, before a restart or after it, gives the same bits.
 *
 * A total is a whole number of quanta q = 2^-320, written in digits of 32 bits,
 *
 *   T = q sum of d_k 2^(32 k),   k = 0 ... 15,
 *
 * kept in 64 bits each: a term changes three of them, and carries wait for 2^30 terms (Kulisch's long accumulator,
 * shortened; Neal 2015 has one for all doubles). Terms of 2e-81 and more are taken as they are; smaller ones lose what
 * is below q, 5e-97, whatever else is added. A term beyond 2^128, or one that is not a number, makes the total NAN.
 *
 * For terms of an inner loop, and forces that move a wall: math/exact.h. */
#ifndef SCREE_MATH_TOTAL_H
#define SCREE_MATH_TOTAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SCR_TOTAL_DIGITS 16
#define SCR_TOTAL_ROW    (SCR_TOTAL_DIGITS + 1) /* whole numbers that say all */

/* All zero: nothing yet. */
typedef struct {
    int64_t digit[SCR_TOTAL_DIGITS];
    uint32_t terms; /* since the last carry */
    bool lost;      /* there was a term that has no place */
} scr_total;

/* Terms whose last bit has no digit, or whose first bits have none. */
void scr_total_add_far(scr_total *total, double x);
/* Each digit within 32 bits, with the sign in the last one. */
void scr_total_carry(scr_total *total);

/* The bits of `m`, the last of which is number `place` of the digits. */
static inline void scr_total_put(scr_total *total, uint64_t m, int place, bool negative)
{
    const int k = place / 32, shift = place % 32;
    const uint64_t low = m << shift;
    const int64_t d[3] = {(int64_t)(uint32_t)low, (int64_t)(low >> 32), (int64_t)(m >> 1 >> (63 - shift))};
    for (int n = 0; n < 3; n++) total->digit[k + n] += negative ? -d[n] : d[n];
    if (++total->terms == 1u << 30) scr_total_carry(total);
}

static inline void scr_total_add(scr_total *total, double x)
{
    uint64_t bits;
    if (x == 0) return;
    memcpy(&bits, &x, sizeof bits);
    const int place = (int)(bits >> 52 & 0x7ff) - 1075 + 320;
    if (place < 0 || place > 320 + 128 - 53)
        scr_total_add_far(total, x);
    else
        scr_total_put(total, (bits & 0xfffffffffffff) | 0x10000000000000, place, bits >> 63);
}

/* T += from * by, exact where both are multiples of 2^-160. */
void scr_total_add_times(scr_total *total, const scr_total *from, double by);
/* x without what is below 2^-160. */
double scr_total_coarse(double x);

/* Rounded to the nearest double. */
double scr_total_value(const scr_total *total);

/* As whole numbers, which travel, are stored, and may be added up number by number (of up to 2^30 totals). */
void scr_total_pack(const scr_total *total, int64_t row[SCR_TOTAL_ROW]);
void scr_total_join(scr_total *total, const int64_t row[SCR_TOTAL_ROW]);
/* Whether such a row can be one: of a file that may be damaged. */
bool scr_total_is_row(const int64_t row[SCR_TOTAL_ROW]);

#endif
