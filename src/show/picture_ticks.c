/* Round numbers for scales: steps of 1, 2, 2.5 or 5 times a power of ten. */
#include "show/picture_ticks.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

double scr_round_up(double x)
{
    static const double nice[] = {1, 2, 2.5, 5};
    double power = pow(10, floor(log10(x)));
    for (int k = 0; k < 4; k++)
        if (x <= nice[k] * power * (1 + 1e-9)) return nice[k] * power;
    return 10 * power;
}

// digits behind the point that a multiple of `step` needs
static int decimals_of(double step)
{
    int digits = 0;
    for (double s = step; digits < 9 && fabs(s - rint(s)) > 1e-6 * s; s *= 10) digits++;
    return digits;
}

static int exponent_of(double low, double high)
{
    int digits = (int)floor(log10(fmax(fabs(low), fabs(high))));
    return digits >= -3 && digits <= 4 ? 0 : 3 * (int)floor(digits / 3.0);
}

static void label_write(char *label, size_t size, double value, int decimals)
{
    char plain[40];
    snprintf(plain, sizeof plain, "%.*f", decimals, fabs(value));
    snprintf(label, size, "%s%.18s", value < 0 ? "\xe2\x88\x92" : "", plain);
}

scr_ticks scr_ticks_of(double low, double high, int wanted)
{
    scr_ticks ticks = {.step = scr_round_up((high - low) / wanted)};
    ticks.exponent = exponent_of(low, high);
    double unit = pow(10, ticks.exponent);
    int decimals = decimals_of(ticks.step / unit);
    double slack = 1e-6 * ticks.step;
    for (double k = ceil((low - slack) / ticks.step); ticks.count < SCR_TICKS_MAX; k++) {
        double value = k * ticks.step;
        if (!(value <= high + slack)) break;
        if (value == 0) value = 0; // no negative zero
        ticks.value[ticks.count] = value;
        label_write(ticks.label[ticks.count], sizeof ticks.label[0], value / unit, decimals);
        ticks.count++;
    }
    return ticks;
}

void scr_range_widen(double *low, double *high)
{
    if (!isfinite(*low) && !isfinite(*high)) *low = 0, *high = 1;
    if (!isfinite(*low)) *low = *high;
    if (!isfinite(*high)) *high = *low;
    double size = fmax(fabs(*low), fabs(*high));
    if (*high - *low > 1e-5 * size) return; // closer values could not be told apart in the legend
    // one value only: it stands in the middle, zero at the lower end
    double half = size > 1e-290 ? 0.1 * size : 0;
    *low = half > 0 ? *low - half : 0;
    *high = half > 0 ? *high + half : 1;
}

void scr_power_text(char *out, size_t size, const char *base, int exponent)
{
    static const char *const digit[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                        "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    char plain[16];
    snprintf(out, size, "%s%s", base, exponent < 0 ? "\u207b" : "");
    snprintf(plain, sizeof plain, "%d", exponent < 0 ? -exponent : exponent);
    for (const char *p = plain; *p; p++) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s", digit[*p - '0']);
    }
}

void scr_range_choose(const double *v, size_t n, double *low, double *high)
{
    size_t cut = n >= 200 ? n / 200 : 0;
    bool free_low = isnan(*low), free_high = isnan(*high);
    if (free_low) *low = n ? v[cut] : NAN;
    if (free_high) *high = n ? v[n - 1 - cut] : NAN;
    // a scale of sizes begins at zero when it nearly does
    if (free_low && *low > 0 && *low < 0.2 * *high) *low = 0;
    if (*low > *high && free_low) *low = *high;
    if (*low > *high && free_high) *high = *low;
    scr_range_widen(low, high);
}
