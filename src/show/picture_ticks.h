/* Round numbers along a scale. */
#ifndef SCREE_SHOW_PICTURE_TICKS_H
#define SCREE_SHOW_PICTURE_TICKS_H

#include <stddef.h>

#define SCR_TICKS_MAX 12

typedef struct {
    double value[SCR_TICKS_MAX];
    char label[SCR_TICKS_MAX][24]; /* of value / 10^exponent, UTF-8 */
    int count;
    double step;
    int exponent; /* 0, or a multiple of 3 to be named beside the scale */
} scr_ticks;

/* About `wanted` round numbers (steps of 1, 2, 2.5 or 5 times a power of ten) within [low, high],
 * low < high, both finite. */
scr_ticks scr_ticks_of(double low, double high, int wanted);

/* The smallest of 1, 2, 2.5, 5, 10 times a power of ten that is not below x > 0. */
double scr_round_up(double x);

/* A base and raised digits, UTF-8: "×10" and -6 give what stands before a unit of a millionth. */
void scr_power_text(char *out, size_t size, const char *base, int exponent);

/* The range that a scale from low to high shows when low and high may be equal, absent (NAN) or
 * nearly so: always finite and of positive length. */
/* Ends of a colour map for `count` sorted values: as given, where NAN the values without their outermost 0.5 %. */
void scr_range_choose(const double *sorted, size_t count, double *low, double *high);
void scr_range_widen(double *low, double *high);

#endif
