/* Gradings (see grading.h).
 *
 * A distribution is first written down as it is weighted: parts with a share w_i each, inside a
 * part a density x^e. Weighted by mass, the number of grains of a size goes as mass / x^3, so that
 *
 *   share of the number:   w_i int x^(e-3) dx / int x^e dx,   density inside: x^(e-3),
 *
 * and everything is divided by the sum. That is exact for uniform, power and table. The bell curves
 * are cut into PARTS pieces whose shares are differences of the error function, which is exact too;
 * inside a piece they are taken as even in x (normal) or ln x (lognormal). */
#include "scene/grading.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/elementary.h"

enum { PARTS = 1024 };

// ---- powers ----

// int of x^n from a to b, as a^(n+1) (e^((n+1) L) - 1) / (n+1) with L = ln(b/a); over a itself where
// the part has no width
static double power_integral(double a, double b, double n)
{
    if (a == b) return scr_pow(a, n);
    double p = n + 1, log_ratio = scr_log(b / a);
    return scr_pow(a, p) * (p == 0 ? log_ratio : scr_expm1(p * log_ratio) / p);
}

// the point below which a share u of x^n between a and b lies
static double power_quantile(double a, double b, double n, double u)
{
    if (n == 0) return a + (b - a) * u;
    double p = n + 1, log_ratio = scr_log(b / a);
    double x = a * (p == 0 ? scr_exp(u * log_ratio) : scr_exp(scr_log1p(u * scr_expm1(p * log_ratio)) / p));
    return fmin(fmax(x, a), b);
}

// share of the standard normal distribution between a and b; by the tail on their own side
static double normal_share(double a, double b)
{
    double flip = a + b < 0 ? -1 : 1, low = flip > 0 ? a : -b, high = flip > 0 ? b : -a;
    return 0.5 * (scr_erfc(low * M_SQRT1_2) - scr_erfc(high * M_SQRT1_2));
}

// ---- what the scene says ----

static bool has_sizes(const scr_item *group)
{
    return ((const scr_bodies_def *)group->def)->sizes.variant_def != NULL;
}

// limits of a lognormal distribution: given, or three sigma to either side
static void lognormal_limits(const scr_sizes_lognormal_def *d, double limits[2])
{
    memcpy(limits, d->limits, sizeof d->limits);
    for (int k = 0; k < 2 && isnan(d->limits[0]); k++) limits[k] = d->median * scr_exp((k ? 3 : -3) * d->sigma);
}

// smallest and largest size as the distribution calls it
static void size_range(const scr_item *sizes, double range[2])
{
    const char *name = sizes->variant->name;
    const void *d = sizes->variant_def;
    if (!strcmp(name, "uniform")) {
        memcpy(range, ((const scr_sizes_uniform_def *)d)->range, 2 * sizeof *range);
    } else if (!strcmp(name, "power")) {
        memcpy(range, ((const scr_sizes_power_def *)d)->range, 2 * sizeof *range);
    } else if (!strcmp(name, "normal")) {
        memcpy(range, ((const scr_sizes_normal_def *)d)->limits, 2 * sizeof *range);
    } else if (!strcmp(name, "lognormal")) {
        lognormal_limits(d, range);
    } else {
        const scr_matrix *t = &((const scr_sizes_table_def *)d)->table;
        int first = 0, last = t->count - 1;
        // rows that add nothing at the ends are not sizes
        while (first < last && t->rows[2 * (first + 1) + 1] == 0) first++;
        while (last > first && t->rows[2 * (last - 1) + 1] == 1) last--;
        range[0] = t->rows[2 * first], range[1] = t->rows[2 * last];
    }
}

void scr_grading_bounds(const scr_item *group, double radius[2])
{
    const scr_bodies_def *def = group->def;
    radius[0] = def->radius[0], radius[1] = def->radius[1];
    if (scr_item_has(group, "diameter"))
        for (int k = 0; k < 2; k++) radius[k] = def->diameter[k] / 2;
    if (!has_sizes(group)) return;
    const scr_sizes_def *sizes = def->sizes.def;
    size_range(&def->sizes, radius);
    for (int k = 0; k < 2 && sizes->of == SCR_SIZE_DIAMETER; k++) radius[k] /= 2;
}

// ---- parts ----

// the bell curve in z = (x - mean) / deviation, where x is the size or its logarithm
static void add_bell(scr_grading *g, const double range[2], double mean, double deviation, bool log_x)
{
    double a = log_x ? scr_log(range[0]) : range[0], b = log_x ? scr_log(range[1]) : range[1];
    double before = a;
    for (int k = 0; k < PARTS; k++) {
        double x = k == PARTS - 1 ? b : a + (b - a) * (k + 1) / PARTS;
        scr_grade *p = &g->parts[g->count];
        p->low = g->count ? g->parts[g->count - 1].high : range[0];
        p->high = k == PARTS - 1 ? range[1] : log_x ? scr_exp(x) : x;
        p->upto = normal_share((before - mean) / deviation, (x - mean) / deviation);
        before = x;
        g->count++;
    }
    g->exponent = log_x ? -1 : 0;
}

static void add_table(scr_grading *g, const scr_matrix *t)
{
    for (int k = 0; k < t->count; k++) {
        double size = t->rows[2 * k], before = k ? t->rows[2 * k - 1] : 0;
        double share = t->rows[2 * k + 1] - before;
        if (share > 0) g->parts[g->count++] = (scr_grade){k ? t->rows[2 * k - 2] : size, size, share};
    }
}

// parts with their shares as weighted, in sizes as the distribution calls them
static void add_parts(scr_grading *g, const scr_item *sizes)
{
    const char *name = sizes->variant->name;
    const void *d = sizes->variant_def;
    double range[2];
    size_range(sizes, range);
    if (!strcmp(name, "normal")) {
        const scr_sizes_normal_def *n = d;
        add_bell(g, range, n->mean, n->deviation, false);
    } else if (!strcmp(name, "lognormal")) {
        const scr_sizes_lognormal_def *n = d;
        add_bell(g, range, scr_log(n->median), n->sigma, true);
    } else if (!strcmp(name, "table")) {
        add_table(g, &((const scr_sizes_table_def *)d)->table);
    } else {
        if (!strcmp(name, "power")) g->exponent = ((const scr_sizes_power_def *)d)->exponent;
        g->parts[g->count++] = (scr_grade){range[0], range[1], 1};
    }
}

// from shares as weighted to cumulative shares of the number, from sizes to radii
static void finish_parts(scr_grading *g, const scr_sizes_def *def)
{
    double half = def->of == SCR_SIZE_DIAMETER ? 0.5 : 1, shift = 0, sum = 0;
    if (def->weighted == SCR_WEIGHTED_MASS) shift = -3;
    // relative to the smallest size, so that cubes of small numbers stay numbers
    double unit = g->parts[0].low;
    for (int k = 0; k < g->count; k++) {
        scr_grade *p = &g->parts[k];
        if (shift != 0)
            p->upto *= power_integral(p->low / unit, p->high / unit, g->exponent + shift) /
                       power_integral(p->low / unit, p->high / unit, g->exponent);
        sum += p->upto;
        p->low *= half, p->high *= half;
    }
    double upto = 0;
    for (int k = 0; k < g->count; k++) {
        upto += g->parts[k].upto / sum;
        g->parts[k].upto = upto;
    }
    g->parts[g->count - 1].upto = 1;
    g->exponent += shift;
}

bool scr_grading_init(scr_grading *g, const scr_item *group)
{
    *g = (scr_grading){0};
    scr_grading_bounds(group, g->radius);
    if (!has_sizes(group)) return true;
    const scr_item *sizes = &((const scr_bodies_def *)group->def)->sizes;
    size_t most = PARTS;
    if (!strcmp(sizes->variant->name, "table"))
        most = (size_t)((const scr_sizes_table_def *)sizes->variant_def)->table.count;
    g->parts = scr_memory_new(most, sizeof *g->parts);
    if (!g->parts) return false;
    add_parts(g, sizes);
    finish_parts(g, sizes->def);
    return true;
}

void scr_grading_deinit(scr_grading *g)
{
    scr_memory_free(g->parts);
    *g = (scr_grading){0};
}

double scr_grading_radius(const scr_grading *g, double u)
{
    if (!g->count) return g->radius[0] + (g->radius[1] - g->radius[0]) * u;
    // the first part that reaches beyond u
    int low = 0, high = g->count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (g->parts[middle].upto > u)
            high = middle;
        else
            low = middle + 1;
    }
    const scr_grade *p = &g->parts[low];
    double before = low ? g->parts[low - 1].upto : 0;
    if (p->low == p->high) return p->low;
    return power_quantile(p->low, p->high, g->exponent, (u - before) / (p->upto - before));
}

double scr_grading_moment(const scr_grading *g, double k)
{
    const scr_grade all = {g->radius[0], g->radius[1], 1};
    const scr_grade *parts = g->count ? g->parts : &all;
    double sum = 0, before = 0, unit = g->radius[0];
    for (int i = 0; i < (g->count ? g->count : 1); i++) {
        const scr_grade *p = &parts[i];
        double a = p->low / unit, b = p->high / unit;
        sum += (p->upto - before) * power_integral(a, b, g->exponent + k) / power_integral(a, b, g->exponent);
        before = p->upto;
    }
    return sum * scr_pow(unit, k);
}

// ---- checks ----

#define FAIL(key, ...) scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, sizes, key), __VA_ARGS__)

static void check_limits(const scr_scene *scene, const scr_item *sizes, double mean, double deviation, bool log_x,
                         scree_report *report)
{
    double range[2];
    size_range(sizes, range);
    if (!(range[0] < range[1])) {
        FAIL("limits", "sizes.limits are both %g m, the second must be larger than the first", range[0]);
        return;
    }
    for (int k = 0; k < 2 && log_x; k++) range[k] = scr_log(range[k]);
    double share = normal_share((range[0] - mean) / deviation, (range[1] - mean) / deviation);
    if (!(share > 1e-6))
        FAIL("limits", "sizes.limits leave a fraction of %.2g of the distribution: they must contain a part of it",
             share);
}

static void check_table(const scr_scene *scene, const scr_item *sizes, scree_report *report)
{
    const scr_matrix *t = &((const scr_sizes_table_def *)sizes->variant_def)->table;
    for (int k = 0; k < t->count; k++) {
        double size = t->rows[2 * k], fraction = t->rows[2 * k + 1];
        if (!(size > 0)) {
            FAIL("table", "row %d of sizes.table has size %g m, must be > 0", k + 1, size);
            return;
        }
        if (!(fraction >= 0 && fraction <= 1)) {
            FAIL("table", "row %d of sizes.table has fraction %g, must be in [0, 1]", k + 1, fraction);
            return;
        }
        if (k && (size < t->rows[2 * k - 2] || fraction < t->rows[2 * k - 1])) {
            FAIL("table",
                 "row %d of sizes.table is [%g m, %g] after [%g m, %g]: sizes and cumulative fractions must not "
                 "decrease",
                 k + 1, size, fraction, t->rows[2 * k - 2], t->rows[2 * k - 1]);
            return;
        }
    }
    if (t->count && t->rows[2 * t->count - 1] != 1)
        FAIL("table", "sizes.table ends with the fraction %g, the largest size must have 1 (100 %%)",
             t->rows[2 * t->count - 1]);
}

void scr_grading_check(const scr_scene *scene, const scr_item *sizes, scree_report *report)
{
    const char *name = sizes->variant->name;
    if (!strcmp(name, "normal")) {
        const scr_sizes_normal_def *d = sizes->variant_def;
        check_limits(scene, sizes, d->mean, d->deviation, false, report);
    } else if (!strcmp(name, "lognormal")) {
        const scr_sizes_lognormal_def *d = sizes->variant_def;
        check_limits(scene, sizes, scr_log(d->median), d->sigma, true, report);
    } else if (!strcmp(name, "table")) {
        check_table(scene, sizes, report);
    }
}
