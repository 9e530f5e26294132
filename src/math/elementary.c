/* Elementary functions (see elementary.h). The scheme is the same throughout: the argument is reduced, exactly or as a
 * double2, until a Taylor series is short; the first terms of the series are summed as double2, those that are below
 * 2^-12 of the result as doubles. */
#include "math/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "math/angles.h"
#include "math/double2.h"

static const double2 LN2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const double2 LOG10_E = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
static const double2 PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const double2 HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const double2 TWO_OVER_SQRT_PI = {0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56};
static const double2 THIRD = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
static const double2 FIFTH = {0x1.999999999999ap-3, -0x1.999999999999ap-57};
static const double2 SIXTH = {0x1.5555555555555p-3, 0x1.5555555555555p-57};
static const double2 OVER_24 = {0x1.5555555555555p-5, 0x1.5555555555555p-59};
static const double2 OVER_120 = {0x1.1111111111111p-7, 0x1.1111111111111p-63};

static double rounded(double2 a)
{
    return a.hi + a.lo;
}

// c[0] + c[1] x + ...
static double polynomial(double x, const double *c, int count)
{
    double sum = c[count - 1];
    for (int k = count - 2; k >= 0; k--) sum = sum * x + c[k];
    return sum;
}

/* ---- exponentials ---- */

// e^r - 1 for |r| <= ln 2/2
static double2 expm1_series(double2 r)
{
    // 1/5! ... 1/16!: the last is 2^-53 of the first at ln 2/2
    static const double tail[] = {1 / 120.,        1 / 720.,         1 / 5040.,          1 / 40320.,
                                  1 / 362880.,     1 / 3628800.,     1 / 39916800.,      1 / 479001600.,
                                  1 / 6227020800., 1 / 87178291200., 1 / 1307674368000., 1 / 20922789888000.};
    double2 s = d2_add(OVER_24, d2(r.hi * polynomial(r.hi, tail, sizeof tail / sizeof *tail)));
    s = d2_add(SIXTH, d2_mul(r, s));
    s = d2_add(d2(0.5), d2_mul(r, s));
    s = d2_add(d2(1), d2_mul(r, s));
    return d2_mul(r, s);
}

// e^x = 2^k (1 + r) for |x| < 2000; returns r
static double2 exp_parts(double2 x, int *k)
{
    double turns = rint(x.hi / LN2.hi);
    *k = (int)turns;
    return expm1_series(turns == 0 ? x : d2_sub(x, d2_mul(d2(turns), LN2)));
}

// the sign of what is too large or too small is the caller's
static double exp_of(double2 x)
{
    if (x.hi > 710) return INFINITY;
    if (x.hi < -746) return 0;
    int k;
    double2 r = exp_parts(x, &k);
    return ldexp(rounded(d2_add(d2(1), r)), k);
}

double scr_exp(double x)
{
    return isnan(x) ? x : exp_of(d2(x));
}

double scr_expm1(double x)
{
    if (isnan(x) || fabs(x) < 0x1p-54) return x;
    if (x > 710) return INFINITY;
    if (x < -40) return -1;
    int k;
    double2 r = exp_parts(d2(x), &k);
    if (k == 0) return rounded(r);
    if (k > 1000) return scr_exp(x);
    double power = ldexp(1, k);
    return rounded(d2_add(d2_of_sum(power, -1), d2_scale(r, power)));
}

/* ---- logarithms ---- */

// atanh(s) for |s| <= 0.172
static double2 atanh_series(double2 s)
{
    // 1/7 ... 1/25
    static const double tail[] = {1 / 7.,  1 / 9.,  1 / 11., 1 / 13., 1 / 15.,
                                  1 / 17., 1 / 19., 1 / 21., 1 / 23., 1 / 25.};
    double2 z = d2_mul(s, s);
    double2 t = d2_add(FIFTH, d2(z.hi * polynomial(z.hi, tail, sizeof tail / sizeof *tail)));
    t = d2_add(THIRD, d2_mul(z, t));
    return d2_add(s, d2_mul(s, d2_mul(z, t)));
}

// ln x = k ln 2 + 2 atanh((m - 1)/(m + 1)), x = 2^k m > 0 and m from sqrt(1/2) to sqrt(2)
static double2 log_of(double2 x)
{
    int k;
    double m = frexp(x.hi, &k);
    if (m < M_SQRT1_2) k--;
    double2 part = {ldexp(x.hi, -k), ldexp(x.lo, -k)};
    double2 s = d2_div(d2_add(part, d2(-1)), d2_add(part, d2(1)));
    double2 sum = d2_scale(atanh_series(s), 2);
    return k ? d2_add(d2_mul(d2(k), LN2), sum) : sum;
}

// whether a logarithm is none of a positive number; then *value is it
static bool odd_log(double x, double *value)
{
    if (x > 0 && x < INFINITY) return false;
    *value = x == 0 ? -INFINITY : x > 0 ? x : x < 0 ? NAN : x;
    return true;
}

double scr_log(double x)
{
    double value;
    return odd_log(x, &value) ? value : rounded(log_of(d2(x)));
}

double scr_log10(double x)
{
    double value;
    return odd_log(x, &value) ? value : rounded(d2_mul(log_of(d2(x)), LOG10_E));
}

double scr_log1p(double x)
{
    double value;
    if (fabs(x) < 0x1p-54) return x;
    return odd_log(1 + x, &value) ? value : rounded(log_of(d2_of_sum(1, x)));
}

double scr_atanh(double x)
{
    double size = fabs(x), value;
    if (!(size < 1)) return size == 1 ? x / 0. : NAN;
    if (size < 0x1p-30) return x;
    if (size <= 0.17)
        value = rounded(atanh_series(d2(size)));
    else
        value = 0.5 * rounded(log_of(d2_div(d2_of_sum(1, size), d2_of_sum(1, -size))));
    return copysign(value, x);
}

/* ---- powers ---- */

// whole: 1, odd: 2, else 0
static int wholeness(double y)
{
    if (y != rint(y)) return 0;
    return fabs(y) < 0x1p53 && fmod(y, 2) != 0 ? 2 : 1;
}

double scr_pow(double x, double y)
{
    if (x == 1 || y == 0) return 1;
    if (isnan(x) || isnan(y)) return x + y;
    double size = fabs(x);
    int whole = wholeness(y);
    double sign = signbit(x) && whole == 2 ? -1 : 1;
    if (isinf(y)) return size == 1 ? 1 : (size > 1) == (y > 0) ? INFINITY : 0;
    if (size == 0 || isinf(x)) return sign * ((size == 0) == (y > 0) ? 0 : INFINITY);
    if (x < 0 && !whole) return NAN;
    if (size == 1) return sign;
    double2 l = log_of(d2(size));
    // far beyond what exponents hold; y may be too large for an exact product
    if (fabs(y) > 0x1p70 || fabs(y * l.hi) > 800) return sign * ((l.hi > 0) == (y > 0) ? INFINITY : 0);
    if (fabs(y) < 0x1p-70) return 1;
    return sign * exp_of(d2_mul(l, d2(y)));
}

// y <- y (y^3 + 2 m)/(2 y^3 + m), the error of which is 2/3 of the cube of that before (Halley), from a third of the
// bits, which are nearly a logarithm: 0.04, 4e-5, 5e-14; and one step of Newton's method with an exact residual
static double cbrt_of(double m)
{
    union {
        double number;
        uint64_t bits;
    } y = {m};
    y.bits = y.bits / 3 + (uint64_t)(0x1p52 * (682 - 0.033));
    for (int n = 0; n < 2; n++) {
        double cube = y.number * y.number * y.number;
        y.number *= (cube + 2 * m) / (2 * cube + m);
    }
    double2 square = d2_of_product(y.number, y.number);
    double2 left = d2_sub(d2(m), d2_mul(square, d2(y.number)));
    return y.number + left.hi / (3 * square.hi);
}

double scr_cbrt(double x)
{
    double size = fabs(x);
    if (x == 0 || !isfinite(x)) return x;
    // products of halves shall neither overflow nor vanish
    double root = size < 0x1p-900  ? 0x1p-100 * cbrt_of(0x1p300 * size)
                  : size > 0x1p900 ? 0x1p100 * cbrt_of(0x1p-300 * size)
                                   : cbrt_of(size);
    return copysign(root, x);
}

double scr_hypot(double x, double y)
{
    if (isinf(x) || isinf(y)) return INFINITY;
    if (isnan(x) || isnan(y)) return NAN;
    double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    if (b == 0 || b < a * 0x1p-60) return a;
    int e;
    a = frexp(a, &e), b = ldexp(b, -e);
    return ldexp(rounded(d2_sqrt(d2_add(d2_of_product(a, a), d2_of_product(b, b)))), e);
}

/* ---- circular functions ---- */

// binary digits of 2/pi after a word of zeros
static const uint64_t two_over_pi[] = {0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
                                       0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
                                       0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
                                       0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
                                       0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
                                       0xf0cfbc209af4361d};

// 64 digits from digit `first` on
static uint64_t digits(int first)
{
    int word = first / 64, shift = first % 64;
    uint64_t high = two_over_pi[word] << shift;
    return shift ? high | two_over_pi[word + 1] >> (64 - shift) : high;
}

/* x = (quarter + f) pi/2, |f| <= 1/2; returns f pi/2. x is m 2^e with a whole m below 2^53, so that only digits of 2/pi
 * from 2^(2 - e) down make more than whole turns: 256 of them times m, modulo 2^256, are the quarter in two digits and
 * f in 254 (Payne & Hanek 1983). f of a double is never below 2^-64. */
static double2 reduce(double x, unsigned *quarter)
{
    if (fabs(x) <= 0.785) {
        *quarter = 0;
        return d2(x);
    }
    int e;
    uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &e), 53);
    int first = 64 + e - 53 - 2;
    uint64_t product[4];
    unsigned __int128 carry = 0;
    for (int k = 3; k >= 0; k--) {
        carry += (unsigned __int128)m * digits(first + 64 * k);
        product[k] = (uint64_t)carry;
        carry >>= 64;
    }
    *quarter = (unsigned)(product[0] >> 62);
    unsigned __int128 part =
        (unsigned __int128)(product[0] << 2 | product[1] >> 62) << 64 | (product[1] << 2 | product[2] >> 62);
    // from one half on: the next quarter
    *quarter += (unsigned)(part >> 127);
    __int128 f = (__int128)part >> 1;
    double high = (double)f, low = (double)(f - (__int128)high);
    double2 angle = d2_mul(d2_scale(d2_of_ordered(high, low), 0x1p-127), HALF_PI);
    if (x > 0) return angle;
    *quarter = -*quarter;
    return d2_negative(angle);
}

// |r| <= pi/4
static double2 sin_series(double2 r)
{
    // -1/7! ... 1/21!
    static const double tail[] = {
        -1 / 5040.,          1 / 362880.,          -1 / 39916800.,           1 / 6227020800.,
        -1 / 1307674368000., 1 / 355687428096000., -1 / 121645100408832000., 1 / 51090942171709440000.};
    double2 z = d2_mul(r, r);
    double2 s = d2_add(OVER_120, d2(z.hi * polynomial(z.hi, tail, sizeof tail / sizeof *tail)));
    s = d2_sub(d2_mul(z, s), SIXTH);
    return d2_add(r, d2_mul(r, d2_mul(z, s)));
}

static double2 cos_series(double2 r)
{
    // -1/6! ... 1/20!
    static const double tail[] = {
        -1 / 720.,         1 / 40320.,          -1 / 3628800.,          1 / 479001600.,
        -1 / 87178291200., 1 / 20922789888000., -1 / 6402373705728000., 1 / 2432902008176640000.};
    double2 z = d2_mul(r, r);
    double2 s = d2_add(OVER_24, d2(z.hi * polynomial(z.hi, tail, sizeof tail / sizeof *tail)));
    s = d2_sub(d2_mul(z, s), d2(0.5));
    return d2_add(d2(1), d2_mul(z, s));
}

// the sine of an angle so many quarters of a turn ahead
static double2 sin_at(double2 angle, unsigned quarter)
{
    double2 s = quarter & 1 ? cos_series(angle) : sin_series(angle);
    return quarter & 2 ? d2_negative(s) : s;
}

// small angles need no second double: what is added to 1 or x is below 2^-7 of it
#define SMALL 0.125

double scr_sin(double x)
{
    if (!isfinite(x)) return x - x;
    if (fabs(x) < 0x1p-27) return x;
    if (fabs(x) < SMALL) {
        static const double c[] = {-1 / 6., 1 / 120., -1 / 5040., 1 / 362880., -1 / 39916800.};
        return x + x * (x * x) * polynomial(x * x, c, sizeof c / sizeof *c);
    }
    unsigned quarter;
    double2 angle = reduce(x, &quarter);
    return rounded(sin_at(angle, quarter));
}

double scr_cos(double x)
{
    if (!isfinite(x)) return x - x;
    if (fabs(x) < SMALL) {
        static const double c[] = {-0.5, 1 / 24., -1 / 720., 1 / 40320., -1 / 3628800.};
        return 1 + x * x * polynomial(x * x, c, sizeof c / sizeof *c);
    }
    unsigned quarter;
    double2 angle = reduce(x, &quarter);
    return rounded(sin_at(angle, quarter + 1));
}

double scr_tan(double x)
{
    if (!isfinite(x)) return x - x;
    if (fabs(x) < 0x1p-27) return x;
    unsigned quarter;
    double2 angle = reduce(x, &quarter);
    return rounded(d2_div(sin_at(angle, quarter), sin_at(angle, quarter + 1)));
}

/* ---- their inverses ---- */

// atan(k/16)
static const double2 arcs[] = {{0, 0},
                               {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
                               {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                               {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
                               {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                               {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
                               {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                               {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
                               {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                               {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
                               {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                               {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
                               {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                               {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
                               {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                               {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
                               {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

// atan(y/x) for 0 <= y <= x: atan(c) + atan(t), c = k/16 near y/x and t = (y - c x)/(x + c y), |t| <= 1/32
static double2 arc_below(double2 y, double2 x)
{
    // 1/5 ... 1/13, signs in turn
    static const double tail[] = {1 / 5., -1 / 7., 1 / 9., -1 / 11., 1 / 13.};
    int k = (int)rint(16 * (y.hi / x.hi));
    double2 c = d2(k / 16.);
    double2 t = k ? d2_div(d2_sub(y, d2_mul(c, x)), d2_add(x, d2_mul(c, y))) : d2_div(y, x);
    double2 z = d2_mul(t, t);
    double2 s = d2_sub(d2(z.hi * polynomial(z.hi, tail, sizeof tail / sizeof *tail)), THIRD);
    return d2_add(arcs[k], d2_add(t, d2_mul(t, d2_mul(z, s))));
}

// the angle from 0 to pi of a point with y >= 0; its coordinates are of order one, or one is far below the other
static double2 arc_of(double2 y, double2 x)
{
    double2 across = x.hi < 0 ? d2_negative(x) : x;
    double2 arc = y.hi <= across.hi ? arc_below(y, across) : d2_sub(HALF_PI, arc_below(across, y));
    return x.hi < 0 ? d2_sub(PI, arc) : arc;
}

double scr_atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) return x + y;
    double up = fabs(y), along = fabs(x), large = fmax(up, along), value;
    if (large == 0 || isinf(large)) {
        // points of the axes and of the diagonals
        double side = large == 0 || isinf(x) ? copysign(1, x) : 0;
        value = rounded(arc_of(d2(isinf(y) ? 1 : 0), d2(side)));
    } else if (up < along * 0x1p-60 && x > 0) {
        value = up / along;
    } else {
        int e;
        frexp(large, &e);
        value = rounded(arc_of(d2(ldexp(up, -e)), d2(ldexp(x, -e))));
    }
    return copysign(value, y);
}

/* ---- four at once ---- */

/* For wider registers too, as SCR_CLONED (kernel/lanes.h): the machine chooses. All is inline in it, so that nobody
 * passes vectors. */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__clang__)
#    define CLONED __attribute__((target_clones("avx2", "default")))
#else
#    define CLONED
#endif
#define INLINE static inline __attribute__((always_inline))

typedef int64_t four_bits __attribute__((vector_size(32)));

INLINE four four_where(four_bits mask, four a, four b)
{
    return (four)((mask & (four_bits)a) | (~mask & (four_bits)b));
}

INLINE four2 four2_where(four_bits mask, four2 a, four2 b)
{
    return (four2){four_where(mask, a.hi, b.hi), four_where(mask, a.lo, b.lo)};
}

INLINE four four_of(double a)
{
    return (four){a, a, a, a};
}

INLINE four2 four2_of(double2 a)
{
    return (four2){four_of(a.hi), four_of(a.lo)};
}

// as arc_below; c = 0 changes nothing
INLINE four2 arcs_below(four2 y, four2 x)
{
    const four big = four_of(0x1.8p52);
    four nearest = (16 * (y.hi / x.hi) + big) - big;
    const double2 *arc[4];
    for (int l = 0; l < 4; l++) arc[l] = &arcs[(int)nearest[l]];
    four2 known = {{arc[0]->hi, arc[1]->hi, arc[2]->hi, arc[3]->hi}, {arc[0]->lo, arc[1]->lo, arc[2]->lo, arc[3]->lo}};
    four2 c = f2_of(nearest / 16);
    four2 t = f2_div(f2_sub(y, f2_mul(c, x)), f2_add(x, f2_mul(c, y)));
    four2 z = f2_mul(t, t);
    four sum = four_of(1 / 13.);
    sum = sum * z.hi + four_of(-1 / 11.);
    sum = sum * z.hi + four_of(1 / 9.);
    sum = sum * z.hi + four_of(-1 / 7.);
    sum = sum * z.hi + four_of(1 / 5.);
    four2 s = f2_sub(f2_of(z.hi * sum), four2_of(THIRD));
    return f2_add(known, f2_add(t, f2_mul(t, f2_mul(z, s))));
}

// as arc_of, of lengths that are not negative
INLINE four arcs_of(four up, four x)
{
    four along = (four)((four_bits)x & INT64_MAX);
    four_bits behind = x < 0, low = up <= along;
    four2 arc = arcs_below(f2_of(four_where(low, up, along)), f2_of(four_where(low, along, up)));
    arc = four2_where(low, arc, f2_sub(four2_of(HALF_PI), arc));
    arc = four2_where(behind, f2_sub(four2_of(PI), arc), arc);
    return arc.hi + arc.lo;
}

// four of them that are neither too small nor too large, nor nearly ahead; false: nothing was done
INLINE bool atan2_four(const four *from, double *to)
{
    four y = from[0], x = from[1];
    four up = (four)((four_bits)y & INT64_MAX), along = (four)((four_bits)x & INT64_MAX);
    four large = four_where(up < along, along, up);
    // not a number is odd too
    four_bits usual = (along <= large) & (large > 0x1p-900) & (large < 0x1p900),
              ahead = (up < along * 0x1p-60) & (x > 0);
    four_bits odd = ~usual | ahead;
    if (odd[0] | odd[1] | odd[2] | odd[3]) return false;
    // by the power of two above the larger: exact
    four scale = (four)((2045 - ((four_bits)large >> 52)) << 52);
    four_bits value = (four_bits)arcs_of(up * scale, x * scale) | ((four_bits)y & INT64_MIN);
    __builtin_memcpy(to, &value, sizeof value);
    return true;
}

CLONED static void atan2_many(const double *y, const double *x, int count, double *to)
{
    for (int k = 0; k < count; k += 4) {
        four from[2] = {four_of(1), four_of(1)};
        double value[4];
        int n = count - k < 4 ? count - k : 4;
        for (int l = 0; l < n; l++) from[0][l] = y[k + l], from[1][l] = x[k + l];
        bool done = atan2_four(from, value);
        for (int l = 0; l < n; l++) to[k + l] = done ? value[l] : scr_atan2(y[k + l], x[k + l]);
    }
}

// apart from it, since what chooses a clone would be seen in the shared library
void scr_atan2_many(const double *y, const double *x, int count, double *to)
{
    atan2_many(y, x, count, to);
}

double scr_atan(double x)
{
    return scr_atan2(x, 1);
}

// sqrt(1 - x^2)
static double2 beside(double x)
{
    return d2_sqrt(d2_mul(d2_of_sum(1, -x), d2_of_sum(1, x)));
}

double scr_asin(double x)
{
    double size = fabs(x);
    if (!(size <= 1)) return NAN;
    return size < 0x1p-27 ? x : copysign(rounded(arc_of(d2(size), beside(x))), x);
}

double scr_acos(double x)
{
    if (!(fabs(x) <= 1)) return NAN;
    if (fabs(x) < 0x1p-60) return rounded(HALF_PI);
    return rounded(arc_of(beside(x), d2(x)));
}

/* ---- the error function ---- */

// erf x = 2/sqrt(pi) e^(-x^2) (x + 2 x^3/3 + 4 x^5/15 + ...), 0 <= x <= 1: all terms have one sign
static double2 erf_series(double x)
{
    double2 term = d2(x), sum = term, z = d2_of_product(x, x);
    for (int n = 1; n <= 40; n++) {
        term = d2_div(d2_mul(d2_scale(term, 2), z), d2(2 * n + 1));
        sum = d2_add(sum, term);
    }
    int k;
    double2 r = exp_parts(d2_negative(z), &k);
    double2 bell = d2_scale(d2_add(d2(1), r), ldexp(1, k));
    return d2_mul(TWO_OVER_SQRT_PI, d2_mul(bell, sum));
}

// erfc x = e^(-x^2)/sqrt(pi) 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + ...)))), x >= 1 (Laplace), with as many terms as it
// needs; over 2^k
static double2 erfc_fraction(double x, int *k)
{
    double2 below = d2(x);
    for (int n = 20 + (int)(220 / (x * x)); n > 0; n--) below = d2_add(d2(x), d2_div(d2(0.5 * n), below));
    double2 r = exp_parts(d2_negative(d2_of_product(x, x)), k);
    return d2_mul(d2_add(d2(1), r), d2_div(d2_scale(TWO_OVER_SQRT_PI, 0.5), below));
}

double scr_erfc(double x)
{
    if (isnan(x)) return x;
    if (x > 27.5) return 0;
    if (x < -6) return 2;
    double size = fabs(x);
    if (size < 0x1p-60) return 1;
    if (size <= 1) {
        double2 e = erf_series(size);
        return rounded(d2_add(d2(1), x > 0 ? d2_negative(e) : e));
    }
    int k;
    double2 e = erfc_fraction(size, &k);
    if (x > 0) return ldexp(rounded(e), k);
    return rounded(d2_sub(d2(2), d2_scale(e, ldexp(1, k))));
}
