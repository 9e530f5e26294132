/* An exact sum (exact.h) as a double without the compiler's own conversion of 128 bits, for devices. */
#ifndef SCREE_MATH_EXACT_TEXT_H
#define SCREE_MATH_EXACT_TEXT_H

#include "math/exact.h"

/* As scr_exact_value, rounded to the nearest double, ties to even: from the upper 64 bits, the last of which says
 * whether any below it is set. */
static inline double exact_value(scr_exact sum)
{
    __extension__ typedef unsigned __int128 wide;
    wide size = sum < 0 ? -(wide)sum : (wide)sum;
    unsigned long long top = (unsigned long long)(size >> 64);
    int drop = 0;
    for (int half = 32; half; half /= 2)
        if (top >> half) drop += half, top >>= half;
    drop += top > 0;
    top = (unsigned long long)(size >> drop) | (size & (((wide)1 << drop) - 1) ? 1 : 0);
    const double value = (double)top * (double)(1ull << drop / 2) * (double)(1ull << (drop - drop / 2)) * 0x1p-80;
    return sum < 0 ? -value : value;
}

/* A sum that is kept in four parts of 32 bits, each with 64 bits to grow. */
#define SCR_EXACT_PARTS 4
static inline double exact_parts_value(const unsigned long long *part)
{
    __extension__ typedef unsigned __int128 wide;
    scr_exact sum = 0;
    for (int n = SCR_EXACT_PARTS; n-- > 0;)
        sum = (scr_exact)((wide)sum << 32) +
              (n == SCR_EXACT_PARTS - 1 ? (scr_exact)(long long)part[n] : (scr_exact)part[n]);
    return exact_value(sum);
}

#endif
