/* Elementary functions with the same bits on every machine. Those of the C library are several texts, for processors
 * with and without fused operations, which differ in the last bit, and change from version to version; these are plain
 * IEEE 754 operations in the order written. Arguments and results that are infinite, zero or not a number are as C17
 * (annex F) says; errno and flags are not set.
 *
 * Each is worked out as a sum of two doubles and rounded once: errors are below 0.51 units in the last place
 * (tests/math_elementary.c measures them), so that results that are doubles are met exactly (scr_pow(10, 3) is 1000).
 * Results below the normal numbers are rounded twice. They take 20 to 250 ns, scr_erfc some microseconds.
 *
 * sqrt, floor, rint, fmod, ldexp and others that have one right answer are those of the C library. */
#ifndef SCREE_MATH_ELEMENTARY_H
#define SCREE_MATH_ELEMENTARY_H

double scr_exp(double x);
double scr_expm1(double x);
double scr_log(double x);
double scr_log1p(double x);
double scr_log10(double x);
double scr_pow(double x, double y);
double scr_cbrt(double x);
double scr_hypot(double x, double y);

/* [rad] */
double scr_sin(double x);
double scr_cos(double x);
double scr_tan(double x);
double scr_asin(double x);
double scr_acos(double x);
double scr_atan(double x);
double scr_atan2(double y, double x);

double scr_atanh(double x);
double scr_erfc(double x);

#endif
