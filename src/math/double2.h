/* Sums of two doubles, about 106 bits, from plain operations: each result is rounded as IEEE 754 says and nothing is
 * fused, so that all machines agree. |lo| is at most half a unit in the last place of hi.
 *
 * Exact sums: Knuth 1969; exact products: Dekker 1971, by halves of 26 bits. Factors must be below 2^996, products
 * above 2^-960. */
#ifndef SCREE_MATH_DOUBLE2_H
#define SCREE_MATH_DOUBLE2_H

#include <math.h>

#define D2_REAL  double
#define D2_TYPE  double2
#define D2(name) d2_##name
#include "math/double2_text.h"
#undef D2_REAL
#undef D2_TYPE
#undef D2

/* Four at once, each with the bits of one alone. */
typedef double four __attribute__((vector_size(32)));
#define D2_REAL  four
#define D2_TYPE  four2
#define D2(name) f2_##name
#include "math/double2_text.h"
#undef D2_REAL
#undef D2_TYPE
#undef D2

static inline double2 d2(double a)
{
    return d2_of(a);
}
/* Of what is not negative. */
static inline double2 d2_sqrt(double2 a)
{
    double root = sqrt(a.hi);
    if (root == 0) return d2(0);
    double2 left = d2_sub(a, d2_of_product(root, root));
    return d2_of_ordered(root, left.hi / (2 * root));
}

#endif
