/* The elementary functions of src/math against quadruple precision: the largest error in units in the last place,
 * arguments and results that are zero, infinite or not numbers, and the bits themselves, which are the same on every
 * machine.
 *
 *   test_math_elementary [ARGUMENTS]    how many random ones for each function; 20 000 by default */
#include "math/elementary.h"

#include <quadmath.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/random.h"
#include "check.h"
#include "kernel/lanes.h"
#include "math/angles.h"

enum { FIXED = 20000 }; /* arguments whose results the digest holds */

typedef struct {
    const char *name;
    double (*one)(double);
    __float128 (*right)(__float128);
    double low, high; /* half of the arguments are even between these */
    int small, large; /* the others between these powers of two */
    int negative;     /* of both signs */
    double most;      /* error [ulp] */
    uint64_t digest;
} single;

// that of the contact laws
static double lane_cbrt(double x)
{
    return r_cbrt(x);
}

static const single singles[] = {
    {"exp", scr_exp, expq, -30, 30, -60, 9, 1, 0.51, 0x9c7654b94a702af3},
    {"expm1", scr_expm1, expm1q, -3, 3, -60, 9, 1, 0.51, 0xee676441847df36c},
    {"log", scr_log, logq, 0.5, 2, -1074, 1023, 0, 0.51, 0x24e5a2da2b8de2b8},
    {"log1p", scr_log1p, log1pq, -0.999, 3, -60, 0, 1, 0.51, 0x8982f72368946dc5},
    {"log10", scr_log10, log10q, 0.5, 2, -1074, 1023, 0, 0.51, 0x5597e70bd0c944b8},
    {"cbrt", scr_cbrt, cbrtq, -8, 8, -1074, 1023, 1, 0.51, 0x85fd9fc71e9e3b49},
    {"cbrt, lanes", lane_cbrt, cbrtq, 0.01, 8, -990, 1000, 0, 0.51, 0xe75c57e840c51333},
    {"sin", scr_sin, sinq, -10, 10, -30, 40, 1, 0.51, 0xd85210def3ad1095},
    {"cos", scr_cos, cosq, -10, 10, -30, 40, 1, 0.51, 0x117aa04956d5052a},
    {"tan", scr_tan, tanq, -10, 10, -30, 40, 1, 0.51, 0xacf4b038bfc4a19c},
    {"sin, far", scr_sin, sinq, 1e8, 1e9, 40, 1023, 1, 0.51, 0x84863b24a31119d7},
    {"cos, far", scr_cos, cosq, 1e8, 1e9, 40, 1023, 1, 0.51, 0xe34cdeb4713e3b6b},
    {"tan, far", scr_tan, tanq, 1e8, 1e9, 40, 1023, 1, 0.51, 0x431a26339c5b5f43},
    {"asin", scr_asin, asinq, -1, 1, -60, -1, 1, 0.51, 0x6e5ba43ed57605bf},
    {"acos", scr_acos, acosq, -1, 1, -60, -1, 1, 0.51, 0x12053da794352543},
    {"atan", scr_atan, atanq, -3, 3, -1074, 1023, 1, 0.51, 0x153ede608d1cdd80},
    {"atanh", scr_atanh, atanhq, -1, 1, -60, -1, 1, 0.51, 0xb364a031fe081be5},
    {"erfc", scr_erfc, erfcq, -6, 27, -60, 4, 1, 0.51, 0x866b2e61020f3d22},
};

typedef struct {
    const char *name;
    double (*two)(double, double);
    __float128 (*right)(__float128, __float128);
    double low[2], high[2];
    int small[2], large[2];
    int negative;
    double most;
    uint64_t digest;
} pair;

static const pair pairs[] = {
    {"pow", scr_pow, powq, {0.1, -3}, {3, 3}, {-20, -60}, {20, 5}, 0, 0.51, 0x945ed9e78a0b9e35},
    {"pow, far", scr_pow, powq, {0.99, -6e4}, {1.01, 6e4}, {-1074, -10}, {1023, 1}, 0, 0.51, 0xa46ef1961d2147cf},
    {"hypot", scr_hypot, hypotq, {-3, -3}, {3, 3}, {-1074, -1074}, {1022, 1022}, 1, 0.51, 0xd29bc7d9bae88e03},
    {"atan2", scr_atan2, atan2q, {-3, -3}, {3, 3}, {-40, -40}, {40, 40}, 1, 0.51, 0x3e075c9605a8fbbb},
};

// the n-th argument: even ones in the range, odd ones between the powers of two
static double argument(scr_random *r, long n, double low, double high, int small, int large, int negative)
{
    if (n % 2 == 0) return scr_random_between(r, low, high);
    double sign = negative && scr_random_bits(r) & 1 ? -1 : 1;
    int power = small + (int)(scr_random_bits(r) % (uint64_t)(large - small + 1));
    return sign * ldexp(1 + scr_random_unit(r), power - (power < large ? 0 : 1));
}

// in units of the last place of the right result
static double error(double got, __float128 right)
{
    if ((double)right == got || (isnan(got) && isnanq(right))) {
        if (!finite(got) || right == 0) return 0;
    } else if (!isfinite(got)) {
        return INFINITY;
    }
    int e = right == 0 ? -1074 : ilogbq(right) - 52;
    return (double)(fabsq((__float128)got - right) / ldexpq(1, e < -1074 ? -1074 : e));
}

typedef struct {
    double most, at[2], sum;
    uint64_t digest;
} errors;

static void count(errors *e, long n, double got, __float128 right, double a, double b)
{
    // results below the normal numbers are rounded twice
    double off = error(got, right) - (fabsq(right) < 0x1p-1022Q ? 0.25 : 0);
    if (off > e->most) e->most = off, e->at[0] = a, e->at[1] = b;
    if (n < FIXED) e->digest = scr_digest_bytes(e->digest, &got, sizeof got);
}

static void judge(const char *name, const errors *e, long count, double most, uint64_t digest)
{
    printf("%-11s error at most %.5f ulp of %ld arguments, at %.17g, %.17g; digest %016llx\n", name, e->most, count,
           e->at[0], e->at[1], (unsigned long long)e->digest);
    CHECK(e->most <= most);
    if (e->digest != digest) printf("%s: the digest should be %016llx\n", name, (unsigned long long)digest);
    CHECK(e->digest == digest);
}

static void measure(long arguments)
{
    for (size_t k = 0; k < sizeof singles / sizeof *singles; k++) {
        const single *f = &singles[k];
        scr_random r = scr_random_stream(1, k);
        errors e = {.digest = SCR_DIGEST_START};
        for (long n = 0; n < arguments; n++) {
            double x = argument(&r, n, f->low, f->high, f->small, f->large, f->negative);
            count(&e, n, f->one(x), f->right(x), x, 0);
        }
        judge(f->name, &e, arguments, f->most, f->digest);
    }
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const pair *f = &pairs[k];
        scr_random r = scr_random_stream(2, k);
        errors e = {.digest = SCR_DIGEST_START};
        for (long n = 0; n < arguments; n++) {
            double x = argument(&r, n, f->low[0], f->high[0], f->small[0], f->large[0], f->negative);
            double y = argument(&r, n, f->low[1], f->high[1], f->small[1], f->large[1], 1);
            count(&e, n, f->two(x, y), f->right(x, y), x, y);
        }
        judge(f->name, &e, arguments, f->most, f->digest);
    }
}

/* ---- what is not an ordinary number ---- */

static const double odd[] = {0.0,  1.0,   2.0,    3.0,     0.5,       2.5,       INFINITY,
                             NAN,  1e300, 1e-300, 5e-324,  0x1p-1022, 0x1p53,    0x1p53 + 1,
                             1000, 1e-17, 710,    745.133, 750,       1 - 1e-16, 0x1.fffffffffffffp1023};
enum { ODD = sizeof odd / sizeof *odd };

// the same kind of number as the C library's, with the same sign; ordinary ones to a unit in the last place
static int alike(double a, double b)
{
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    if (isinf(b) || b == 0) return a == b && !signbit(a) == !signbit(b);
    return fabs(a - b) <= 1.1 * fabs(nextafter(b, INFINITY) - b);
}

static void check_odd(void)
{
    for (int k = 0; k < 2 * ODD; k++) {
        double x = k < ODD ? odd[k] : -odd[k - ODD];
        struct {
            const char *name;
            double ours, theirs;
        } all[] = {{"exp", scr_exp(x), exp(x)},       {"expm1", scr_expm1(x), expm1(x)}, {"log", scr_log(x), log(x)},
                   {"log1p", scr_log1p(x), log1p(x)}, {"log10", scr_log10(x), log10(x)}, {"cbrt", scr_cbrt(x), cbrt(x)},
                   {"sin", scr_sin(x), sin(x)},       {"cos", scr_cos(x), cos(x)},       {"tan", scr_tan(x), tan(x)},
                   {"asin", scr_asin(x), asin(x)},    {"acos", scr_acos(x), acos(x)},    {"atan", scr_atan(x), atan(x)},
                   {"atanh", scr_atanh(x), atanh(x)}, {"erfc", scr_erfc(x), erfc(x)}};
        for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
            if (!alike(all[f].ours, all[f].theirs))
                printf("%s(%.17g) is %.17g, expected %.17g\n", all[f].name, x, all[f].ours, all[f].theirs);
            CHECK(alike(all[f].ours, all[f].theirs));
        }
        for (int j = 0; j < 2 * ODD; j++) {
            double y = j < ODD ? odd[j] : -odd[j - ODD];
            int same = alike(scr_pow(x, y), pow(x, y)) && alike(scr_atan2(x, y), atan2(x, y)) &&
                       alike(scr_hypot(x, y), hypot(x, y));
            if (!same)
                printf("of %.17g and %.17g: pow %.17g (%.17g), atan2 %.17g (%.17g), hypot %.17g "
                       "(%.17g)\n",
                       x, y, scr_pow(x, y), pow(x, y), scr_atan2(x, y), atan2(x, y), scr_hypot(x, y), hypot(x, y));
            CHECK(same);
        }
    }
}

// results that are doubles are met exactly
static void check_exact(void)
{
    for (int k = 0; k <= 22; k++) CHECK(scr_pow(10, k) == (double)(__int128)powq(10, k));
    for (int k = -1074; k <= 1023; k++) CHECK(scr_pow(2, k) == ldexp(1, k));
    for (int k = 1; k <= 300; k++) {
        CHECK(scr_cbrt((double)k * k * k) == k);
        CHECK(scr_pow((double)k * k, 0.5) == k);
        CHECK(scr_hypot(3 * k, 4 * k) == 5 * k);
    }
    for (int k = 0; k <= 22; k++) CHECK(scr_log10(scr_pow(10, k)) == k);
    // the double nearest to a multiple of pi/2 (Kahan): nearly all of its digits cancel
    double near = 6381956970095103 * 0x1p+797;
    CHECK(fabs(scr_cos(near)) < 1e-18);
    CHECK(error(scr_cos(near), cosq(near)) < 0.51);
}

// many at once have the bits of one alone
static void check_many(void)
{
    enum { COUNT = 5 };
    scr_random r = scr_random_stream(3, 4);
    long differ = 0;
    for (int k = 0; k < 40000; k++) {
        double y[COUNT], x[COUNT], to[COUNT];
        for (int l = 0; l < COUNT; l++) {
            y[l] = scr_random_between(&r, -1, 1) * exp2(scr_random_between(&r, -70, 2));
            x[l] = scr_random_between(&r, -1, 1) * exp2(scr_random_between(&r, -70, 2));
            if (k % 4 == 0) y[l] = odd[(k / 4 + l) % (int)(sizeof odd / sizeof *odd)];
            if (k % 8 == 0) x[l] = odd[(k / 80 + 3 * l) % (int)(sizeof odd / sizeof *odd)];
        }
        scr_atan2_many(y, x, COUNT, to);
        for (int l = 0; l < COUNT; l++) {
            double one = scr_atan2(y[l], x[l]);
            differ += memcmp(&one, &to[l], sizeof one) != 0 && !(isnan(one) && isnan(to[l]));
        }
    }
    CHECK_INT(differ, 0);
}

int main(int count, char **arguments)
{
    measure(count > 1 ? atol(arguments[1]) : FIXED);
    check_odd();
    check_exact();
    check_many();
    return check_done();
}
