/* Units and quantities (see unit.h). */
#include "scene/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"

#define PI 3.14159265358979323846

typedef struct {
    const char *name;
    bool prefixed; /* takes SI prefixes */
    double factor;
    int ten;
    int power[SCR_BASE_UNITS]; /* m kg s rad cycle */
} named_unit;

static const named_unit units[] = {
    {"m", true, 1, 0, {1}},
    {"g", true, 1, -3, {0, 1}},
    {"s", true, 1, 0, {0, 0, 1}},
    {"rad", true, 1, 0, {0, 0, 0, 1}},
    {"deg", false, PI / 180, 0, {0, 0, 0, 1}},
    {"°", false, PI / 180, 0, {0, 0, 0, 1}},
    {"N", true, 1, 0, {1, 1, -2}},
    {"Pa", true, 1, 0, {-1, 1, -2}},
    {"J", true, 1, 0, {2, 1, -2}},
    {"W", true, 1, 0, {2, 1, -3}},
    {"Hz", true, 1, 0, {0, 0, -1, 0, 1}},
    {"rpm", false, 2 * PI / 60, 0, {0, 0, -1, 1}},
    {"bar", true, 1, 5, {-1, 1, -2}},
    {"t", false, 1, 3, {0, 1}},
    {"l", true, 1, -3, {3}},
    {"L", true, 1, -3, {3}},
    {"min", false, 60, 0, {0, 0, 1}},
    {"h", false, 3600, 0, {0, 0, 1}},
    {"%", false, 1, -2, {0}},
    {"1", false, 1, 0, {0}},
};

static const struct {
    const char *name;
    int ten;
} prefixes[] = {{"", 0},   {"T", 12}, {"G", 9},  {"M", 6},  {"k", 3},  {"d", -1}, {"c", -2},
                {"m", -3}, {"u", -6}, {"µ", -6}, {"μ", -6}, {"n", -9}, {"p", -12}};

// no unit of ours needs more, and it keeps all exponents far from overflow
#define MAX_POWER 12

typedef struct {
    const char *at; /* next character */
    char *why;
    size_t why_size;
} scanner;

static bool complain(scanner *s, const char *what, const char *at, size_t length)
{
    snprintf(s->why, s->why_size, "%s '%.*s'", what, (int)(length > 40 ? 40 : length), at);
    return false;
}

// ---- one named unit ----

static bool find_unit(const char *name, size_t length, scr_unit *unit)
{
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
            if (p && !units[k].prefixed) break;
            size_t head = strlen(prefixes[p].name), tail = strlen(units[k].name);
            if (head + tail != length || memcmp(name, prefixes[p].name, head) ||
                memcmp(name + head, units[k].name, tail))
                continue;
            unit->factor = units[k].factor;
            unit->ten = units[k].ten + prefixes[p].ten;
            memcpy(unit->power, units[k].power, sizeof unit->power);
            return true;
        }
    }
    return false;
}

static size_t name_length(const char *text)
{
    if (*text == '%') return 1;
    // the one of `1/s`
    if (*text == '1') return text[1 + strspn(text + 1, " ")] == '/';
    size_t n = 0;
    // letters, and bytes of characters beyond ASCII except the superscripts
    while (isalpha((unsigned char)text[n]) || ((unsigned char)text[n] >= 0x80 && strncmp(text + n, "²", 2) &&
                                               strncmp(text + n, "³", 2) && strncmp(text + n, "·", 2)))
        n++;
    return n;
}

static bool scan_power(scanner *s, int *power)
{
    const char *start = s->at;
    *power = 1;
    if (!strncmp(s->at, "²", 2) || !strncmp(s->at, "³", 2)) {
        *power = strncmp(s->at, "²", 2) ? 3 : 2;
        s->at += 2;
        return true;
    }
    bool marked = *s->at == '^' || !strncmp(s->at, "**", 2);
    if (marked) s->at += *s->at == '^' ? 1 : 2;
    int sign = 1;
    if (*s->at == '-' || (marked && *s->at == '+')) sign = *s->at++ == '-' ? -1 : 1;
    if (!isdigit((unsigned char)*s->at)) {
        if (s->at == start) return true;
        return complain(s, "a power must be a whole number, received", start, strlen(start));
    }
    if (isdigit((unsigned char)s->at[1]))
        return complain(s, "a power must be below 10, received", start, strlen(start));
    *power = sign * (*s->at++ - '0');
    return true;
}

// ---- products ----

static void unit_multiply(scr_unit *a, const scr_unit *b, int power)
{
    a->factor *= scr_pow(b->factor, power);
    a->ten += b->ten * power;
    for (int k = 0; k < SCR_BASE_UNITS; k++) a->power[k] += b->power[k] * power;
}

static bool unit_is_sane(const scr_unit *unit)
{
    for (int k = 0; k < SCR_BASE_UNITS; k++)
        if (abs(unit->power[k]) > MAX_POWER) return false;
    return abs(unit->ten) < 300 && isfinite(unit->factor) && unit->factor > 0;
}

static void skip_spaces(scanner *s)
{
    while (*s->at == ' ') s->at++;
}

static bool scan_product(scanner *s, scr_unit *unit, int depth);

// a name or a parenthesis, with its power
static bool scan_factor(scanner *s, scr_unit *unit, int sign, int depth)
{
    scr_unit inner = {.factor = 1};
    const char *start = s->at;
    if (*s->at == '(') {
        s->at++;
        if (depth > 3) return complain(s, "too many parentheses in", start, strlen(start));
        if (!scan_product(s, &inner, depth + 1)) return false;
        if (*s->at != ')') return complain(s, "')' is missing in", start, strlen(start));
        s->at++;
    } else {
        size_t length = name_length(s->at);
        if (!length || !find_unit(s->at, length, &inner)) {
            size_t shown = length ? length : strlen(start);
            return complain(s, "unknown unit", start, shown);
        }
        s->at += length;
    }
    int power = 1;
    if (!scan_power(s, &power)) return false;
    unit_multiply(unit, &inner, sign * power);
    if (!unit_is_sane(unit)) return complain(s, "a power is too large in the unit", start, strlen(start));
    return true;
}

// factors joined by `*`, `·`, a space or `/`; a division holds for the next factor only
static bool scan_product(scanner *s, scr_unit *unit, int depth)
{
    int sign = 1;
    skip_spaces(s);
    if (*s->at == '/') sign = -1, s->at++;
    for (;;) {
        skip_spaces(s);
        if (!scan_factor(s, unit, sign, depth)) return false;
        sign = 1;
        skip_spaces(s);
        if (!*s->at || *s->at == ')') return true;
        if (*s->at == '/')
            sign = -1, s->at++;
        else if (*s->at == '*')
            s->at++;
        else if (!strncmp(s->at, "·", 2))
            s->at += 2;
    }
}

bool scr_unit_parse(const char *text, scr_unit *unit, char *why, size_t why_size)
{
    scanner s = {text, why, why_size};
    *unit = (scr_unit){.factor = 1};
    skip_spaces(&s);
    if (!*s.at) return true;
    if (!scan_product(&s, unit, 0)) return false;
    if (*s.at) return complain(&s, "unexpected ')' in", text, strlen(text));
    return true;
}

bool scr_unit_fits(const scr_unit *unit, const scr_unit *wanted)
{
    for (int k = 0; k < SCR_BASE_UNITS; k++) {
        bool plain_angle = k == SCR_RADIAN && unit->power[k] == 0;
        if (unit->power[k] != wanted->power[k] && !plain_angle) return false;
    }
    return true;
}

// ---- numbers ----

static size_t digits(const char *text)
{
    size_t n = 0;
    while (isdigit((unsigned char)text[n])) n++;
    return n;
}

size_t scr_number_length(const char *text)
{
    size_t n = text[0] == '+' || text[0] == '-';
    size_t whole = digits(text + n), part = 0;
    n += whole;
    if (text[n] == '.') {
        part = digits(text + n + 1);
        if (whole || part) n += 1 + part;
    }
    if (!whole && !part) return 0;
    if (text[n] == 'e' || text[n] == 'E') {
        size_t sign = text[n + 1] == '+' || text[n + 1] == '-';
        size_t power = digits(text + n + 1 + sign);
        if (power) n += 1 + sign + power;
    }
    return n;
}

// Few digits and a small power of ten, exactly: both are doubles as they are, and their product or quotient is rounded
// once (Clinger 1990), so that it is the nearest one, as strtod's
static bool read_exactly(const char *text, size_t mantissa, long power, double *value)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const long most = sizeof tens / sizeof *tens - 1;
    bool minus = text[0] == '-', point = false;
    uint64_t whole = 0;
    if (mantissa > 17) return false; // 15 digits, a sign and a point
    for (size_t k = minus || text[0] == '+'; k < mantissa; k++) {
        if (text[k] == '.') {
            point = true;
            continue;
        }
        whole = 10 * whole + (uint64_t)(text[k] - '0');
        power -= point;
    }
    if (whole >= (uint64_t)1 << 53 || power < -most || power > most) return false;
    double size = power < 0 ? (double)whole / tens[-power] : (double)whole * tens[power];
    *value = minus ? -size : size;
    return true;
}

// moves the decimal point in the text itself, so that the result is the nearest double to what was
// written
static double shifted(const char *text, size_t length, int ten)
{
    size_t mantissa = 0;
    while (mantissa < length && text[mantissa] != 'e' && text[mantissa] != 'E') mantissa++;
    long power = mantissa < length ? strtol(text + mantissa + 1, NULL, 10) : 0;
    double value;
    if (power > 100000) power = 100000;
    if (power < -100000) power = -100000;
    if (read_exactly(text, mantissa, power + ten, &value)) return value;
    char small[64];
    char *copy = length + 16 <= sizeof small ? small : malloc(length + 16);
    if (!copy) return NAN;
    memcpy(copy, text, mantissa);
    copy[mantissa] = 0;
    if (power + ten) snprintf(copy + mantissa, 16, "e%ld", power + ten);
    value = strtod(copy, NULL);
    if (copy != small) free(copy);
    return value;
}

bool scr_number_read(const char *text, size_t length, const scr_unit *unit, double *value)
{
    *value = shifted(text, length, unit->ten);
    if (unit->factor != 1) *value *= unit->factor;
    return isfinite(*value);
}

bool scr_quantity_read(const char *text, const char *wanted, double *value, char *why, size_t why_size)
{
    size_t length = scr_number_length(text);
    if (!length) {
        snprintf(why, why_size, "which is not a number");
        return false;
    }
    const char *rest = text + length;
    while (*rest == ' ') rest++;
    scr_unit unit, need;
    char inner[80];
    if (!scr_unit_parse(wanted ? wanted : "", &need, inner, sizeof inner)) need = (scr_unit){1, 0, {0}};
    if (!scr_unit_parse(rest, &unit, inner, sizeof inner)) {
        snprintf(why, why_size, "%s", inner);
        return false;
    }
    if (*rest && !scr_unit_fits(&unit, &need)) {
        snprintf(why, why_size, "unit '%.30s' cannot be converted to %s", rest,
                 wanted && wanted[0] ? wanted : "a pure number");
        return false;
    }
    if (!*rest) unit = (scr_unit){.factor = 1};
    if (!scr_number_read(text, length, &unit, value)) {
        snprintf(why, why_size, "which is too large");
        return false;
    }
    return true;
}
