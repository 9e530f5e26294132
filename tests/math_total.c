/* Totals: the same bits in any order and grouping, beside sums of whole numbers; ends of the range; products. */
#include "math/total.h"

#include <float.h>

#include "base/random.h"
#include "check.h"

__extension__ typedef __int128 whole;

enum { COUNT = 3000 };

static scr_total total_of(const double *x, int count)
{
    scr_total t = {0};
    for (int k = 0; k < count; k++) scr_total_add(&t, x[k]);
    return t;
}

static double sum_of(const double *x, int count)
{
    scr_total t = total_of(x, count);
    return scr_total_value(&t);
}

static bool equal(const scr_total *a, const scr_total *b)
{
    int64_t x[SCR_TOTAL_ROW], y[SCR_TOTAL_ROW];
    scr_total_pack(a, x), scr_total_pack(b, y);
    return !memcmp(x, y, sizeof x);
}

static void shuffle(double *x, int count, scr_random *r)
{
    for (int k = count - 1; k > 0; k--) {
        int other = (int)(scr_random_unit(r) * (k + 1));
        double y = x[k];
        x[k] = x[other], x[other] = y;
    }
}

// n 2^power, with the number of bits that is asked for
static double term(scr_random *r, int bits, int power)
{
    return ldexp(floor(ldexp(scr_random_between(r, -1, 1), bits)), power);
}

// terms of one unit: the truth is a sum of whole numbers, rounded once
static void check_whole_numbers(scr_random *r)
{
    double x[COUNT];
    bool good = true;
    for (int power = -320; power <= 64; power += 16) {
        whole truth = 0;
        for (int k = 0; k < COUNT; k++) {
            x[k] = term(r, k % 54, power);
            truth += (whole)ldexp(x[k], -power);
        }
        good &= sum_of(x, COUNT) == ldexp((double)truth, power);
    }
    CHECK(good);
}

// terms of all sizes, in random orders, cut into runs that are added up apart, as numbers of several ranks are
static void check_groups(scr_random *r)
{
    double x[COUNT];
    for (int k = 0; k < COUNT; k++) x[k] = term(r, 53, -300 + (int)(scr_random_unit(r) * 360));
    for (int k = 0; k < COUNT / 3; k++) x[3 * k] = -x[3 * k + 1]; // most of it cancels
    scr_total all = total_of(x, COUNT);
    double value = scr_total_value(&all);
    bool same = true;
    for (int round = 0; round < 50; round++) {
        scr_total joined = {0};
        int64_t sum[SCR_TOTAL_ROW] = {0}, row[SCR_TOTAL_ROW];
        shuffle(x, COUNT, r);
        for (int from = 0, to; from < COUNT; from = to) {
            to = from + 1 + (int)(scr_random_unit(r) * (COUNT - from));
            scr_total part = total_of(x + from, to - from);
            scr_total_pack(&part, row);
            for (int k = 0; k < SCR_TOTAL_ROW; k++) sum[k] += row[k];
            if (round % 2) scr_total_join(&joined, row);
        }
        if (round % 2 == 0) scr_total_join(&joined, sum);
        same &= equal(&joined, &all) && scr_total_value(&joined) == value;
        scr_total_pack(&joined, row);
        same &= scr_total_is_row(row);
    }
    CHECK(same);
}

static void check_rounding(void)
{
    CHECK(sum_of((double[]){1e30, 1, -1e30}, 3) == 1);
    CHECK(sum_of((double[]){-1e30, -1e-60, 1e30}, 3) == -1e-60);
    CHECK(sum_of((double[]){0x1p53, 1}, 2) == 0x1p53);               // a tie goes to the even one,
    CHECK(sum_of((double[]){0x1p53, 1, 0x1p-320}, 3) == 0x1p53 + 2); // and is none with a quantum more
    CHECK(sum_of((double[]){0x1p53, 1, -0x1p-320}, 3) == 0x1p53);    // or less
    CHECK(sum_of((double[]){-0x1p53, -1, -0x1p-300}, 3) == -0x1p53 - 2);
    CHECK(sum_of((double[]){0x1p53, 3}, 2) == 0x1p53 + 4);
    CHECK(sum_of((double[]){0.1, -0.1}, 2) == 0);
    CHECK(sum_of(NULL, 0) == 0);
}

static void check_ends(void)
{
    CHECK(sum_of((double[]){0x1p-320}, 1) == 0x1p-320);
    CHECK(sum_of((double[]){-0x1.8p-320}, 1) == -0x1p-320); // what is below a quantum is dropped, term by term
    CHECK(sum_of((double[]){0x1p-321, 0x1p-321, DBL_TRUE_MIN, DBL_MIN}, 4) == 0);
    CHECK(sum_of((double[]){0x1.fffffffffffffp-269}, 1) == 0x1.fffffffffffffp-269 - 0x1p-321);
    CHECK(sum_of((double[]){0x1.fffffffffffffp-268}, 1) == 0x1.fffffffffffffp-268);
    CHECK(sum_of((double[]){0x1.fffffffffffffp127}, 1) == 0x1.fffffffffffffp127);
    CHECK(sum_of((double[]){-0x1.fffffffffffffp127, 0x1p-320, 0x1.fffffffffffffp127}, 3) == 0x1p-320);
    static const double wild[] = {0x1p128, -0x1p128, DBL_MAX, INFINITY, -INFINITY, NAN};
    for (int k = 0; k < 6; k++) CHECK(isnan(sum_of((double[]){1, wild[k], -wild[k]}, 3)));
    int64_t row[SCR_TOTAL_ROW];
    scr_total lost = total_of(wild, 1), sum = {0};
    scr_total_pack(&lost, row);
    CHECK(!scr_total_is_row(row));
    scr_total_join(&sum, row);
    CHECK(isnan(scr_total_value(&sum)));
}

// so many terms that digits must be carried on the way, of one sign, and nearly as many of the other
static void check_many(void)
{
    scr_total t = {0};
    const double x = 0x1.fffffffffffffp126;
    const int64_t count = 1 << 22;
    for (int64_t k = 0; k < count; k++) {
        if (k % 1000 == 0) t.terms = (1u << 30) - 1;
        scr_total_add(&t, x);
    }
    CHECK(scr_total_value(&t) == x * (double)count);
    scr_total_add(&t, 0x1p-200);
    for (int64_t k = 0; k < count; k++) scr_total_add(&t, -x);
    CHECK(scr_total_value(&t) == 0x1p-200);
    scr_total_add(&t, -0x1p-199);
    CHECK(scr_total_value(&t) == -0x1p-200);
}

static void check_products(scr_random *r)
{
    bool same = true, right = true;
    for (int round = 0; round < 200; round++) {
        scr_total all = {0}, part[3] = {0}, of_all = {0}, of_parts = {0}, small = {0}, product = {0};
        double by = scr_total_coarse(term(r, 53, -190 + round));
        for (int k = 0; k < 30; k++) {
            double x = scr_total_coarse(term(r, 53, -200 + (int)(scr_random_unit(r) * 200)));
            scr_total_add(&all, x), scr_total_add(&part[k % 3], x);
        }
        scr_total_add_times(&of_all, &all, by);
        for (int k = 0; k < 3; k++) scr_total_add_times(&of_parts, &part[k], by);
        same &= equal(&of_all, &of_parts) && scr_total_value(&of_all) != 0;
        // beside whole numbers
        double n = term(r, 53, 0), m = term(r, 53, 0);
        scr_total_add(&small, ldexp(n, -100));
        scr_total_add_times(&product, &small, ldexp(m, -90));
        right &= scr_total_value(&product) == ldexp((double)((whole)n * (whole)m), -190);
    }
    CHECK(same);
    CHECK(right);
    CHECK(scr_total_coarse(0x1p-160) == 0x1p-160 && scr_total_coarse(-0x1.8p-158) == -0x1.8p-158);
    CHECK(scr_total_coarse(0x1p-162) == 0 && scr_total_coarse(1.0 / 3) == 1.0 / 3);
}

int main(void)
{
    scr_random r = {.key = 5};
    check_whole_numbers(&r);
    check_groups(&r);
    check_rounding();
    check_ends();
    check_many();
    check_products(&r);
    return check_done();
}
