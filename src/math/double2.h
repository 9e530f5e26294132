/* Sums of two doubles, about 106 bits, from plain operations: each result is rounded as IEEE 754 says and nothing is
 * fused, so that all machines agree. |lo| is at most half a unit in the last place of hi.
 *
 * Exact sums: Knuth 1969; exact products: Dekker 1971, by halves of 26 bits. Factors must be below 2^996, products
 * above 2^-960. */
#ifndef SCREE_MATH_DOUBLE2_H
#define SCREE_MATH_DOUBLE2_H

#include <math.h>

typedef struct {
    double hi, lo;
} double2;

/* a + b, exactly, where |a| >= |b| or a = 0. */
static inline double2 d2_of_ordered(double a, double b)
{
    double sum = a + b;
    return (double2){sum, b - (sum - a)};
}
/* a + b, exactly. */
static inline double2 d2_of_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (double2){sum, (a - (sum - part)) + (b - part)};
}
/* a b, exactly. */
static inline double2 d2_of_product(double a, double b)
{
    double s = 134217729 * a, t = 134217729 * b; // 2^27 + 1
    double ah = s - (s - a), bh = t - (t - b), al = a - ah, bl = b - bh, product = a * b;
    return (double2){product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}
static inline double2 d2(double a)
{
    return (double2){a, 0};
}
static inline double2 d2_negative(double2 a)
{
    return (double2){-a.hi, -a.lo};
}
static inline double2 d2_add(double2 a, double2 b)
{
    double2 s = d2_of_sum(a.hi, b.hi), t = d2_of_sum(a.lo, b.lo);
    s = d2_of_ordered(s.hi, s.lo + t.hi);
    return d2_of_ordered(s.hi, s.lo + t.lo);
}
static inline double2 d2_sub(double2 a, double2 b)
{
    return d2_add(a, d2_negative(b));
}
static inline double2 d2_mul(double2 a, double2 b)
{
    double2 p = d2_of_product(a.hi, b.hi);
    return d2_of_ordered(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
static inline double2 d2_div(double2 a, double2 b)
{
    double first = a.hi / b.hi;
    double2 left = d2_sub(a, d2_mul(d2(first), b));
    double second = left.hi / b.hi;
    left = d2_sub(left, d2_mul(d2(second), b));
    return d2_add(d2_of_ordered(first, second), d2(left.hi / b.hi));
}
/* Of what is not negative. */
static inline double2 d2_sqrt(double2 a)
{
    double root = sqrt(a.hi);
    if (root == 0) return d2(0);
    double2 left = d2_sub(a, d2_of_product(root, root));
    return d2_of_ordered(root, left.hi / (2 * root));
}
/* Times a power of two: exact. */
static inline double2 d2_scale(double2 a, double power)
{
    return (double2){a.hi * power, a.lo * power};
}

#endif
