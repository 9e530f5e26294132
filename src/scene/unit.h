/* Quantities: a number and a unit, as in `72 GPa`, `4 mm`, `2500 kg/m^3`, `1/s`.
 *
 * A unit is a product of powers of named units with SI prefixes: `kg/m3`, `N s/m`, `m/s^2`, `kg/(m
 * s)`. It is reduced to a factor, a power of ten and exponents of the base units, and must agree
 * with the unit of the parameter. The power of ten is applied to the digits, so that `4 mm` is bit
 * for bit `0.004`. */
#ifndef SCREE_SCENE_UNIT_H
#define SCREE_SCENE_UNIT_H

#include <stdbool.h>
#include <stddef.h>

/* rad and cycle have no dimension in SI; we keep them so that 30 deg is not a friction coefficient and
 * 50 Hz no angular velocity. */
enum { SCR_METRE, SCR_KILOGRAM, SCR_SECOND, SCR_RADIAN, SCR_CYCLE, SCR_BASE_UNITS };

typedef struct {
    double factor; /* value in SI = number * 10^ten * factor */
    int ten;
    int power[SCR_BASE_UNITS];
} scr_unit;

/* Parses a unit; "" is the pure number. On failure `why` says what is wrong with it. */
bool scr_unit_parse(const char *text, scr_unit *unit, char *why, size_t why_size);

/* Whether a value in `unit` may be given for a parameter in `wanted`: the same base units; `1/s`
 * will do for `rad/s`, but not the other way round. */
bool scr_unit_fits(const scr_unit *unit, const scr_unit *wanted);

/* Length of the decimal number at the start of text (sign, digits, point, exponent), 0 when there
 * is none. Unlike strtod: no hexadecimal, no inf, no nan. */
size_t scr_number_length(const char *text);

/* The decimal number of `length` characters at text, times the unit's scale. False when it is too
 * large. */
bool scr_number_read(const char *text, size_t length, const scr_unit *unit, double *value);

/* Reads `number [unit]`, where plain numbers are in `wanted` itself. On failure `why` holds the
 * reason, worded to follow "x is '4 kg', ". */
bool scr_quantity_read(const char *text, const char *wanted, double *value, char *why, size_t why_size);

#endif
