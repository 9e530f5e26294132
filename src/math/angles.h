/* Functions of math/elementary.h for many arguments at once. */
#ifndef SCREE_MATH_ANGLES_H
#define SCREE_MATH_ANGLES_H

/* to[k] = scr_atan2(y[k], x[k]) [rad], to the bit, in a fraction of the time. */
void scr_atan2_many(const double *y, const double *x, int count, double *to);

#endif
