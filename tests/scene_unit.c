/* Units and quantities: every unit we promise, exactness of decimal prefixes, refusals. */
#include "scene/unit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define PI 3.14159265358979323846

static double value_of(const char *text, const char *wanted)
{
    double value = NAN;
    char why[120];
    return scr_quantity_read(text, wanted, &value, why, sizeof why) ? value : NAN;
}

static const char *reason(const char *text, const char *wanted)
{
    static char why[120];
    double value;
    return scr_quantity_read(text, wanted, &value, why, sizeof why) ? "accepted" : why;
}

// decimal prefixes give the same bits as the plain SI number
static void test_exact(void)
{
    CHECK(value_of("4 mm", "m") == 0.004);
    CHECK(value_of("72 GPa", "Pa") == 72e9);
    CHECK(value_of("10 ms", "s") == 0.01);
    CHECK(value_of("0.3 um", "m") == 0.3e-6);
    CHECK(value_of("0.3 µm", "m") == 0.3e-6);
    CHECK(value_of("2500 kg/m3", "kg/m^3") == 2500);
    CHECK(value_of("2500 kg/m^3", "kg/m^3") == 2500);
    CHECK(value_of("2.5 g/cm^3", "kg/m^3") == 2500);
    CHECK(value_of("2.5 g/cm³", "kg/m^3") == 2500);
    CHECK(value_of("9.81 m/s^2", "m/s^2") == 9.81);
    CHECK(value_of("5 %", "") == 0.05);
    CHECK(value_of("12 kN/m", "N/m") == 12000);
    CHECK(value_of("3 1/s", "1/s") == 3);
    CHECK(value_of("3/s", "1/s") == 3);
    CHECK(value_of("7 rad/s", "rad/s") == 7);
    CHECK(value_of("7 1/s", "rad/s") == 7);
    CHECK(value_of("1.5e3 cm", "m") == 15);
    CHECK(value_of("-4mm", "m") == -0.004);
    CHECK(value_of(".5 t", "kg") == 500);
    CHECK(value_of("2 bar", "Pa") == 2e5);
    CHECK(value_of("3 kg/(m s^2)", "Pa") == 3);
    CHECK(value_of("3 N s/m", "kg/s") == 3);
    CHECK(value_of("3 kg*m*s^-2", "N") == 3);
    CHECK(value_of("3 kg m-3", "kg/m^3") == 3);
    CHECK(value_of("17", "m") == 17);
    CHECK(value_of("+1e-3", "m") == 0.001);
}

static void test_factors(void)
{
    CHECK_NEAR(value_of("30 deg", "rad"), PI / 6, 1e-16);
    CHECK_NEAR(value_of("180 deg/s", "rad/s"), PI, 1e-15);
    CHECK_NEAR(value_of("60 rpm", "rad/s"), 2 * PI, 1e-15);
    CHECK(value_of("2 min", "s") == 120);
    CHECK(value_of("36 km/h", "m/s") == 10);
    CHECK(value_of("50 Hz", "Hz") == 50);
}

static void test_refusals(void)
{
    CHECK_TEXT(reason("4 kg", "m"), "unit 'kg' cannot be converted to m");
    CHECK_TEXT(reason("4 m", ""), "unit 'm' cannot be converted to a pure number");
    CHECK_TEXT(reason("30 deg", ""), "unit 'deg' cannot be converted to a pure number");
    CHECK_TEXT(reason("50 Hz", "rad/s"), "unit 'Hz' cannot be converted to rad/s");
    CHECK_TEXT(reason("4 furlong", "m"), "unknown unit 'furlong'");
    CHECK_TEXT(reason("4 mmm", "m"), "unknown unit 'mmm'");
    CHECK_TEXT(reason("4 m^x", "m"), "a power must be a whole number, received '^x'");
    CHECK_TEXT(reason("4 m^12", "m"), "a power must be below 10, received '^12'");
    CHECK_TEXT(reason("4 (m", "m"), "')' is missing in '(m'");
    CHECK_TEXT(reason("4 m)", "m"), "unexpected ')' in 'm)'");
    CHECK_TEXT(reason("1e999", "m"), "which is too large");
    CHECK_TEXT(reason("1e300 Gm", "m"), "which is too large");
    const char *bad[] = {"nan", "inf", "-inf", ".inf",  "0x10", "",     " ",   "mm",   "e5",     "1,5",
                         "1 2", "--1", "1e5e", "1_000", "4 /",  "4 m/", "4 *", "4 m^", "5 10 m", "4 (((((m)))))"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char note[80];
        snprintf(note, sizeof note, "'%s' is refused", bad[k]);
        check_report(isnan(value_of(bad[k], "m")), __FILE__, __LINE__, note);
    }
    // a power of a power of ten beyond all measure
    CHECK(isnan(value_of("1 Tm^9 Tm^9 Tm^9", "m")));
    CHECK(isnan(value_of("1 m^9 m^9", "m")));
}

// a number of many digits, and an exponent of many
static void test_long_numbers(void)
{
    char text[3000];
    memset(text, '0', sizeof text);
    memcpy(text, "0.", 2);
    strcpy(text + 2000, "1e2000 m");
    CHECK_NEAR(value_of(text, "m"), 10, 1e-14); /* 10^(-1999 + 2000) */
    CHECK(isnan(value_of("1e99999999999999999999", "m")));
    CHECK(value_of("1e-99999999999999999999", "m") == 0);
}

// numbers of few digits are read without the C library, and get the same bits: random digits with a point anywhere,
// powers around the limits of what is exact
static void test_nearest(void)
{
    uint64_t dice = 1;
    int wrong = 0, exact = 0;
    for (int n = 0; n < 200000; n++) {
        char text[80];
        int at = 0, digits = 1 + n % 19, point = n / 19 % (digits + 1), power = n / 7 % 61 - 30;
        if (n % 3 == 0) text[at++] = n % 2 ? '-' : '+';
        for (int k = 0; k < digits; k++) {
            dice = dice * 6364136223846793005u + 1442695040888963407u;
            if (k == point) text[at++] = '.';
            text[at++] = (char)('0' + (dice >> 33) % 10);
        }
        snprintf(text + at, sizeof text - (size_t)at, n % 5 ? "e%d" : "", power);
        double value = value_of(text, ""), should = strtod(text, NULL);
        wrong += memcmp(&value, &should, sizeof value) != 0;
        exact += digits <= 15;
    }
    CHECK_INT(wrong, 0);
    CHECK(exact > 100000);
    // as large as digits may be, and one more
    CHECK(value_of("9007199254740991", "") == 9007199254740991.0 &&
          value_of("9007199254740993", "") == 9007199254740992.0);
    CHECK(value_of("1e22", "") == 1e22 && value_of("1e23", "") == 1e23 &&
          value_of("123456789012345e-22", "") == 123456789012345e-22);
    CHECK(signbit(value_of("-0", "")) && !signbit(value_of("0.0", "")));
    CHECK(value_of("9007199254740993 mm", "m") == 9007199254740.993);
}

int main(void)
{
    test_exact();
    test_nearest();
    test_factors();
    test_refusals();
    test_long_numbers();
    return check_done();
}
