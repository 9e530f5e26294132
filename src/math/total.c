#include "math/total.h"

#include <math.h>

#define LAST (SCR_TOTAL_DIGITS - 1)

static const double unit[SCR_TOTAL_DIGITS] = {0x1p-320, 0x1p-288, 0x1p-256, 0x1p-224, 0x1p-192, 0x1p-160,
                                              0x1p-128, 0x1p-96,  0x1p-64,  0x1p-32,  0x1p0,    0x1p32,
                                              0x1p64,   0x1p96,   0x1p128,  0x1p160};

void scr_total_carry(scr_total *t)
{
    int64_t carry = 0;
    for (int k = 0; k < LAST; k++) {
        int64_t sum = t->digit[k] + carry;
        t->digit[k] = (int64_t)(uint32_t)sum;
        carry = (sum - t->digit[k]) / ((int64_t)1 << 32);
    }
    t->digit[LAST] += carry;
    t->terms = 0;
}

void scr_total_add_far(scr_total *t, double x)
{
    if (!(fabs(x) < 0x1p128)) {
        t->lost = true;
        return;
    }
    // below 2^-268: a whole number of quanta, without what is left
    scr_total_put(t, (uint64_t)(fabs(x) * 0x1p320), 0, x < 0);
}

double scr_total_coarse(double x)
{
    // from 2^-108 on all doubles are such multiples
    return fabs(x) < 0x1p-108 ? (double)(int64_t)(x * 0x1p160) * 0x1p-160 : x;
}

// digits of the magnitude, all of 32 bits; whether it is negative
static bool split(scr_total *t)
{
    scr_total_carry(t);
    bool negative = t->digit[LAST] < 0;
    for (int k = 0; negative && k < SCR_TOTAL_DIGITS; k++) t->digit[k] = -t->digit[k];
    if (negative) scr_total_carry(t);
    return negative;
}

void scr_total_add_times(scr_total *t, const scr_total *from, double by)
{
    if (by == 0) return;
    scr_total sum = *from;
    if (split(&sum)) by = -by;
    t->lost |= sum.lost;
    for (int k = 0; k < SCR_TOTAL_DIGITS; k++) {
        if (!sum.digit[k]) continue;
        double digit = (double)sum.digit[k] * unit[k], product = digit * by;
        scr_total_add(t, product);
        scr_total_add(t, fma(digit, by, -product));
    }
}

double scr_total_value(const scr_total *total)
{
    scr_total t = *total;
    if (t.lost) return NAN;
    bool negative = split(&t), more = false;
    int top = LAST;
    while (top > 0 && !t.digit[top]) top--;
    // three digits have more bits than a double; of the rest it matters whether there is any
    int end = top > 2 ? top - 2 : 0;
    for (int k = 0; k < end; k++) more |= t.digit[k] != 0;
    __extension__ unsigned __int128 head = 0;
    for (int k = top; k >= end; k--) head = (head << 32) + (uint64_t)t.digit[k];
    double value = (double)(head | more) * unit[end];
    return negative ? -value : value;
}

void scr_total_pack(const scr_total *total, int64_t row[SCR_TOTAL_ROW])
{
    scr_total t = *total;
    scr_total_carry(&t);
    memcpy(row, t.digit, sizeof t.digit);
    row[SCR_TOTAL_DIGITS] = t.lost;
}

void scr_total_join(scr_total *t, const int64_t row[SCR_TOTAL_ROW])
{
    for (int k = 0; k < SCR_TOTAL_DIGITS; k++) t->digit[k] += row[k];
    t->lost |= row[SCR_TOTAL_DIGITS] != 0;
    scr_total_carry(t);
}

bool scr_total_is_row(const int64_t row[SCR_TOTAL_ROW])
{
    bool good = row[SCR_TOTAL_DIGITS] == 0;
    for (int k = 0; k < LAST; k++) good &= row[k] == (int64_t)(uint32_t)row[k];
    return good && row[LAST] == (int64_t)(int32_t)row[LAST];
}
