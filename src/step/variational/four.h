/* Vectors of three numbers and a zero in one register, for loops over contacts: the operations of rvec on x, y and z,
 * in the same order. Files that include this are built with -Wno-psabi: none of these functions is ever called. */
#ifndef SCREE_STEP_VARIATIONAL_FOUR_H
#define SCREE_STEP_VARIATIONAL_FOUR_H

#include "step/variational/work.h"

/* Three numbers with one behind them, as a vector that ends with 0. */
SCR_INLINE var_row var_three(const double *v)
{
    const var_bits three = {-1, -1, -1, 0};
    return (var_row)((var_bits) * (const var_four *)v & three);
}
SCR_INLINE double var_dot3(var_row a, var_row b)
{
    var_row c = a * b;
    return c[0] + c[1] + c[2];
}
SCR_INLINE var_row var_cross(var_row a, var_row b)
{
    return __builtin_shufflevector(a, a, 1, 2, 0, 3) * __builtin_shufflevector(b, b, 2, 0, 1, 3) -
           __builtin_shufflevector(a, a, 2, 0, 1, 3) * __builtin_shufflevector(b, b, 1, 2, 0, 3);
}
SCR_INLINE rvec var_rvec(var_row v)
{
    return (rvec){v[0], v[1], v[2]};
}

#endif
