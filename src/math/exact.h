/* Sums that do not depend on the order of their terms. A sum of doubles is rounded at every term; here each term is
 * rounded once, to a whole number of quanta of 2^-80 of its unit, and whole numbers add up exactly, on threads and
 * machines alike. For what feeds back into motion. Terms beyond 2^36 units count as that much; 2000 such terms fit. */
#ifndef SCREE_MATH_EXACT_H
#define SCREE_MATH_EXACT_H

__extension__ typedef __int128 scr_exact;

static inline scr_exact scr_exact_of(double x)
{
    const double most = 0x1p36;
    x = x > most ? most : x < -most ? -most : x == x ? x : 0;
    return (scr_exact)(x * 0x1p80);
}

/* Rounded to the nearest double. */
static inline double scr_exact_value(scr_exact sum)
{
    return (double)sum * 0x1p-80;
}

#endif
