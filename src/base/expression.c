/* Recursive descent that evaluates as it reads (see expression.h). Lists made on the way belong to
 * the evaluation and go when it ends. After a failure nothing is computed any more: every step looks
 * at `failed` first. */
#include "base/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"

#define DEPTH     64 /* brackets within brackets */
#define ARGUMENTS 4
#define NAME      128

typedef struct scrap {
    struct scrap *next;
    double rows[];
} scrap;

typedef struct {
    const char *text, *at;
    const scr_names *names;
    scrap *scraps;
    int depth;
    bool failed;
    char *why;
    size_t why_size;
} reader;

static scr_operand number_of(double value)
{
    return (scr_operand){.number = value};
}

static scr_operand fail(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static scr_operand fail(reader *r, const char *format, ...)
{
    if (!r->failed) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(r->why, r->why_size, format, arguments);
        va_end(arguments);
    }
    r->failed = true;
    return number_of(NAN);
}

static scr_operand fail_here(reader *r, const char *wanted)
{
    if (!*r->at) return fail(r, "%s is missing at the end", wanted);
    return fail(r, "%s is expected at '%.24s'", wanted, r->at);
}

static void *no_rows(reader *r, size_t count)
{
    fail(r, "no memory for a list of %zu rows", count);
    return NULL;
}

static double *new_rows(reader *r, size_t count)
{
    scrap *s = malloc(sizeof *s + (count + 1) * sizeof(double));
    if (!s) return no_rows(r, count);
    s->next = r->scraps;
    r->scraps = s;
    return s->rows;
}

/* ---- words ---- */

static void skip(reader *r)
{
    while (isspace((unsigned char)*r->at)) r->at++;
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

// takes a sign (and not the beginning of a longer one)
static bool take(reader *r, const char *sign)
{
    skip(r);
    size_t n = strlen(sign);
    if (r->failed || strncmp(r->at, sign, n)) return false;
    if (isalpha((unsigned char)*sign) && is_name_character(r->at[n])) return false;
    r->at += n;
    return true;
}

/* ---- value by value ---- */

typedef double (*function3)(double, double, double);

static double add3(double a, double b, double c)
{
    return (void)c, a + b;
}
static double sub3(double a, double b, double c)
{
    return (void)c, a - b;
}
static double mul3(double a, double b, double c)
{
    return (void)c, a * b;
}
static double div3(double a, double b, double c)
{
    return (void)c, a / b;
}
static double pow3(double a, double b, double c)
{
    return (void)c, scr_pow(a, b);
}
static double and3(double a, double b, double c)
{
    return (void)c, a != 0 && b != 0;
}
static double or3(double a, double b, double c)
{
    return (void)c, a != 0 || b != 0;
}
static double not3(double a, double b, double c)
{
    return (void)b, (void)c, a == 0;
}
static double neg3(double a, double b, double c)
{
    return (void)b, (void)c, -a;
}
static double less3(double a, double b, double c)
{
    return (void)c, a < b;
}
static double most3(double a, double b, double c)
{
    return (void)c, a <= b;
}
static double more3(double a, double b, double c)
{
    return (void)c, a > b;
}
static double least3(double a, double b, double c)
{
    return (void)c, a >= b;
}
static double same3(double a, double b, double c)
{
    return (void)c, a == b;
}
static double other3(double a, double b, double c)
{
    return (void)c, a != b;
}
static double if3(double a, double b, double c)
{
    return a != 0 ? b : c;
}
static double min3(double a, double b, double c)
{
    return (void)c, fmin(a, b);
}
static double max3(double a, double b, double c)
{
    return (void)c, fmax(a, b);
}
static double atan23(double a, double b, double c)
{
    return (void)c, scr_atan2(a, b);
}
static double hypot3(double a, double b, double c)
{
    return (void)c, scr_hypot(a, b);
}
static double deg1(double a)
{
    return a * 180 / M_PI;
}
static double rad1(double a)
{
    return a * M_PI / 180;
}

// the common length of lists, 0 where all are numbers; false when they do not agree
static bool common_length(reader *r, const scr_operand *a, int n, size_t *count, bool *list)
{
    *list = false, *count = 0;
    for (int k = 0; k < n; k++) {
        if (!a[k].list) continue;
        if (*list && a[k].count != *count) {
            fail(r, "lists of %zu and %zu rows cannot be combined", *count, a[k].count);
            return false;
        }
        *list = true, *count = a[k].count;
    }
    return true;
}

static const double *times_of(const scr_operand *a, int n)
{
    for (int k = 0; k < n; k++)
        if (a[k].list && a[k].times) return a[k].times;
    return NULL;
}

static double row_of(const scr_operand *a, size_t k)
{
    return a->list ? a->rows[k] : a->number;
}

static scr_operand each(reader *r, function3 f, const scr_operand *a, int n)
{
    scr_operand x[3] = {a[0], n > 1 ? a[1] : number_of(0), n > 2 ? a[2] : number_of(0)};
    size_t count;
    bool list;
    if (r->failed || !common_length(r, x, 3, &count, &list)) return number_of(NAN);
    if (!list) return number_of(f(x[0].number, x[1].number, x[2].number));
    double *rows = new_rows(r, count);
    for (size_t k = 0; rows && k < count; k++) rows[k] = f(row_of(&x[0], k), row_of(&x[1], k), row_of(&x[2], k));
    return (scr_operand){.list = true, .rows = rows, .times = times_of(x, 3), .count = count};
}

static scr_operand each1(reader *r, double (*f)(double), const scr_operand *a)
{
    if (r->failed) return number_of(NAN);
    if (!a->list) return number_of(f(a->number));
    double *rows = new_rows(r, a->count);
    for (size_t k = 0; rows && k < a->count; k++) rows[k] = f(a->rows[k]);
    return (scr_operand){.list = true, .rows = rows, .times = a->times, .count = a->count};
}

static scr_operand both(reader *r, function3 f, scr_operand a, scr_operand b)
{
    return each(r, f, (scr_operand[]){a, b}, 2);
}

// the rows where the condition is true
static scr_operand filter(reader *r, scr_operand a, scr_operand condition)
{
    scr_operand x[2] = {a, condition};
    size_t count, kept = 0;
    bool list;
    if (r->failed || !common_length(r, x, 2, &count, &list)) return number_of(NAN);
    if (!condition.list) return fail(r, "the condition after 'where' must be a list");
    double *rows = new_rows(r, count), *times = new_rows(r, count);
    const double *from = times_of(x, 2);
    for (size_t k = 0; rows && times && k < count; k++) {
        if (condition.rows[k] == 0 || isnan(condition.rows[k])) continue;
        rows[kept] = row_of(&a, k);
        times[kept++] = from ? from[k] : 0;
    }
    return (scr_operand){.list = true, .rows = rows, .times = from ? times : NULL, .count = r->failed ? 0 : kept};
}

/* ---- list to number ---- */

typedef double (*reduction)(const double *x, size_t n);

static double first1(const double *x, size_t n)
{
    return n ? x[0] : NAN;
}
static double last1(const double *x, size_t n)
{
    return n ? x[n - 1] : NAN;
}
static double rows1(const double *x, size_t n)
{
    return (void)x, (double)n;
}
static double sum1(const double *x, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += x[k];
    return sum;
}
static double mean1(const double *x, size_t n)
{
    return n ? sum1(x, n) / (double)n : NAN;
}
static double count1(const double *x, size_t n)
{
    size_t count = 0;
    for (size_t k = 0; k < n; k++) count += x[k] != 0 && !isnan(x[k]);
    return (double)count;
}
// a row that is not a number is no smallest and no largest
static double min1(const double *x, size_t n)
{
    double least = NAN;
    for (size_t k = 0; k < n; k++) least = fmin(least, x[k]);
    return least;
}
static double max1(const double *x, size_t n)
{
    double most = NAN;
    for (size_t k = 0; k < n; k++) most = fmax(most, x[k]);
    return most;
}
static double std1(const double *x, size_t n)
{
    double mean = mean1(x, n), sum = 0;
    for (size_t k = 0; k < n; k++) sum += (x[k] - mean) * (x[k] - mean);
    return n > 1 ? sqrt(sum / (double)(n - 1)) : NAN;
}
static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median1(const double *x, size_t n)
{
    double *sorted = n ? malloc(n * sizeof *sorted) : NULL;
    if (!sorted) return NAN;
    memcpy(sorted, x, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_size);
    double middle = n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
    free(sorted);
    return middle;
}

static scr_operand reduce(reader *r, reduction f, const scr_operand *a)
{
    if (r->failed) return number_of(NAN);
    return number_of(a->list ? f(a->rows, a->count) : f(&a->number, 1));
}

/* ---- lists along time ---- */

static bool has_times(reader *r, const scr_operand *a, const char *function)
{
    if (r->failed) return false;
    if (a->list && a->times) return true;
    fail(r, "%s needs a list that has times, such as a column of an observer", function);
    return false;
}

static double interpolate(double t, double t0, double t1, double a, double b)
{
    return t1 > t0 ? a + (b - a) * (t - t0) / (t1 - t0) : b;
}

static scr_operand value_at(reader *r, const scr_operand *a)
{
    if (!has_times(r, a, "at")) return number_of(NAN);
    if (a[1].list) return fail(r, "at(list, time) needs one time");
    double t = a[1].number;
    const double *x = a->rows, *times = a->times;
    if (!a->count || !(t >= times[0] && t <= times[a->count - 1])) {
        // the end of a run is a step or two off the time asked for
        if (a->count && t > times[a->count - 1] && t <= times[a->count - 1] * (1 + 1e-6))
            return number_of(x[a->count - 1]);
        return number_of(NAN);
    }
    size_t k = 0;
    while (k + 1 < a->count && times[k + 1] < t) k++;
    if (k + 1 == a->count) return number_of(x[k]);
    return number_of(interpolate(t, times[k], times[k + 1], x[k], x[k + 1]));
}

static scr_operand first_time(reader *r, const scr_operand *a)
{
    if (!has_times(r, a, "when")) return number_of(NAN);
    for (size_t k = 0; k < a->count; k++)
        if (a->rows[k] != 0 && !isnan(a->rows[k])) return number_of(a->times[k]);
    return number_of(NAN);
}

static scr_operand crossing_time(reader *r, const scr_operand *a)
{
    if (!has_times(r, a, "crossing")) return number_of(NAN);
    if (a[1].list) return fail(r, "crossing(list, level) needs one level");
    for (size_t k = 1; k < a->count; k++) {
        double before = a->rows[k - 1] - a[1].number, now = a->rows[k] - a[1].number;
        if ((before < 0 && now >= 0) || (before > 0 && now <= 0))
            return number_of(a->times[k - 1] + (a->times[k] - a->times[k - 1]) * before / (before - now));
    }
    return number_of(NAN);
}

static scr_operand integral(reader *r, const scr_operand *a)
{
    if (!has_times(r, a, "integral")) return number_of(NAN);
    double sum = 0;
    for (size_t k = 1; k < a->count; k++) sum += 0.5 * (a->rows[k] + a->rows[k - 1]) * (a->times[k] - a->times[k - 1]);
    return number_of(sum);
}

// of the straight line nearest to the points (x, y)
static scr_operand slope(reader *r, const scr_operand *a)
{
    if (r->failed) return number_of(NAN);
    if (!a[0].list || !a[1].list || a[0].count != a[1].count)
        return fail(r, "slope(y, x) needs two lists of the same length");
    double x = mean1(a[1].rows, a[1].count), y = mean1(a[0].rows, a[0].count), xx = 0, xy = 0;
    for (size_t k = 0; k < a[0].count; k++) {
        xx += (a[1].rows[k] - x) * (a[1].rows[k] - x);
        xy += (a[1].rows[k] - x) * (a[0].rows[k] - y);
    }
    return number_of(xy / xx);
}

// even steps from one number to another
static scr_operand range(reader *r, const scr_operand *a)
{
    if (r->failed) return number_of(NAN);
    double count = a[2].number;
    if (a[0].list || a[1].list || a[2].list || !(count >= 2 && count <= 1e6))
        return fail(r, "range(from, to, count) needs three numbers, count from 2 to 1000000");
    size_t n = (size_t)count;
    double *rows = new_rows(r, n);
    for (size_t k = 0; rows && k < n; k++)
        rows[k] = a[0].number + (a[1].number - a[0].number) * (double)k / (double)(n - 1);
    return (scr_operand){.list = true, .rows = rows, .count = rows ? n : 0};
}

// y at each x, linear between the rows (xs, ys), whose xs rise
static scr_operand look_up(reader *r, const scr_operand *a)
{
    if (r->failed) return number_of(NAN);
    size_t n = a[1].count;
    if (!a[1].list || !a[2].list || a[2].count != n || !n)
        return fail(r, "interpolate(x, xs, ys) needs two lists of the same length");
    const double *xs = a[1].rows, *ys = a[2].rows;
    size_t count = a[0].list ? a[0].count : 1;
    double *rows = new_rows(r, count);
    for (size_t i = 0; rows && i < count; i++) {
        double x = a[0].list ? a[0].rows[i] : a[0].number;
        if (x < xs[0] || x > xs[n - 1])
            return fail(r, "interpolate: %g is outside the list, %g to %g", x, xs[0], xs[n - 1]);
        size_t low = 0, high = n - 1;
        while (high - low > 1) {
            size_t middle = (low + high) / 2;
            if (xs[middle] <= x)
                low = middle;
            else
                high = middle;
        }
        rows[i] = isnan(x) || isnan(xs[low]) ? NAN : interpolate(x, xs[low], xs[high], ys[low], ys[high]);
    }
    if (!a[0].list) return number_of(rows ? rows[0] : NAN);
    return (scr_operand){.list = true, .rows = rows, .times = a[0].times, .count = rows ? count : 0};
}

// how many of xs lie below each x
static scr_operand below(reader *r, const scr_operand *a)
{
    if (r->failed) return number_of(NAN);
    if (!a[1].list) return fail(r, "below(x, xs) needs a list of xs");
    size_t count = a[0].list ? a[0].count : 1;
    double *rows = new_rows(r, count);
    for (size_t i = 0; rows && i < count; i++) {
        double x = a[0].list ? a[0].rows[i] : a[0].number;
        rows[i] = isnan(x) ? NAN : 0;
        for (size_t k = 0; k < a[1].count; k++) rows[i] += a[1].rows[k] < x;
    }
    if (!a[0].list) return number_of(rows ? rows[0] : NAN);
    return (scr_operand){.list = true, .rows = rows, .times = a[0].times, .count = rows ? count : 0};
}

// a row and the square cell it is in
typedef struct {
    double i, j, z;
    size_t row;
} cell_row;

static int by_cell(const void *a, const void *b)
{
    const cell_row *p = a, *q = b;
    if (p->i != q->i) return p->i < q->i ? -1 : 1;
    if (p->j != q->j) return p->j < q->j ? -1 : 1;
    if (p->z != q->z) return p->z > q->z ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

// which rows are the highest of their cell
static scr_operand tops(reader *r, const scr_operand *a)
{
    if (r->failed) return number_of(NAN);
    size_t n = a[0].count;
    if (!a[0].list || !a[1].list || !a[2].list || a[1].count != n || a[2].count != n || a[3].list ||
        isnan(a[3].number) || !(a[3].number > 0))
        return fail(r, "tops(x, y, z, cell) needs three lists of the same length and a size");
    double *rows = new_rows(r, n);
    cell_row *list = malloc((n + 1) * sizeof *list);
    if (rows && !list) no_rows(r, n);
    for (size_t k = 0; rows && list && k < n; k++) {
        rows[k] = 0;
        list[k] = (cell_row){floor(a[0].rows[k] / a[3].number), floor(a[1].rows[k] / a[3].number), a[2].rows[k], k};
    }
    if (rows && list) qsort(list, n, sizeof *list, by_cell);
    for (size_t k = 0; rows && list && k < n; k++)
        if (!k || list[k].i != list[k - 1].i || list[k].j != list[k - 1].j) rows[list[k].row] = 1;
    free(list);
    return (scr_operand){.list = true, .rows = rows, .count = rows && !r->failed ? n : 0};
}

/* ---- functions by name ---- */

typedef struct {
    const char *name;
    int arguments;
    double (*one)(double);
    function3 more;
    reduction reduce;
    scr_operand (*along)(reader *r, const scr_operand *arguments);
} function;

static const function functions[] = {
    {"sin", 1, scr_sin, NULL, NULL, NULL},
    {"cos", 1, scr_cos, NULL, NULL, NULL},
    {"tan", 1, scr_tan, NULL, NULL, NULL},
    {"asin", 1, scr_asin, NULL, NULL, NULL},
    {"acos", 1, scr_acos, NULL, NULL, NULL},
    {"atan", 1, scr_atan, NULL, NULL, NULL},
    {"sqrt", 1, sqrt, NULL, NULL, NULL},
    {"abs", 1, fabs, NULL, NULL, NULL},
    {"exp", 1, scr_exp, NULL, NULL, NULL},
    {"log", 1, scr_log, NULL, NULL, NULL},
    {"log10", 1, scr_log10, NULL, NULL, NULL},
    {"floor", 1, floor, NULL, NULL, NULL},
    {"ceil", 1, ceil, NULL, NULL, NULL},
    {"round", 1, round, NULL, NULL, NULL},
    {"deg", 1, deg1, NULL, NULL, NULL},
    {"rad", 1, rad1, NULL, NULL, NULL},
    {"atan2", 2, NULL, atan23, NULL, NULL},
    {"hypot", 2, NULL, hypot3, NULL, NULL},
    {"min", 2, NULL, min3, NULL, NULL},
    {"max", 2, NULL, max3, NULL, NULL},
    {"if", 3, NULL, if3, NULL, NULL},
    {"first", 1, NULL, NULL, first1, NULL},
    {"last", 1, NULL, NULL, last1, NULL},
    {"min", 1, NULL, NULL, min1, NULL},
    {"max", 1, NULL, NULL, max1, NULL},
    {"mean", 1, NULL, NULL, mean1, NULL},
    {"std", 1, NULL, NULL, std1, NULL},
    {"sum", 1, NULL, NULL, sum1, NULL},
    {"count", 1, NULL, NULL, count1, NULL},
    {"rows", 1, NULL, NULL, rows1, NULL},
    {"median", 1, NULL, NULL, median1, NULL},
    {"at", 2, NULL, NULL, NULL, value_at},
    {"when", 1, NULL, NULL, NULL, first_time},
    {"crossing", 2, NULL, NULL, NULL, crossing_time},
    {"integral", 1, NULL, NULL, NULL, integral},
    {"slope", 2, NULL, NULL, NULL, slope},
    {"interpolate", 3, NULL, NULL, NULL, look_up},
    {"below", 2, NULL, NULL, NULL, below},
    {"range", 3, NULL, NULL, NULL, range},
    {"tops", 4, NULL, NULL, NULL, tops},
    {0},
};

static bool is_function(const char *name)
{
    for (const function *f = functions; f->name; f++)
        if (!strcmp(f->name, name)) return true;
    return false;
}

static scr_operand call(reader *r, const char *name, const scr_operand *arguments, int count)
{
    for (const function *f = functions; f->name; f++) {
        if (strcmp(f->name, name) || f->arguments != count) continue;
        if (f->one) return each1(r, f->one, arguments);
        if (f->more) return each(r, f->more, arguments, count);
        if (f->reduce) return reduce(r, f->reduce, arguments);
        return f->along(r, arguments);
    }
    return fail(r, "%s does not take %d value%s", name, count, count == 1 ? "" : "s");
}

/* ---- grammar ---- */

static scr_operand read_where(reader *r);

static scr_operand find(reader *r, const char *name, const double *argument)
{
    scr_operand found = {0};
    if (r->failed) return number_of(NAN);
    if (!strcmp(name, "pi") && !argument) return number_of(M_PI);
    char why[SCR_EXPRESSION_WHY] = "";
    if (r->names && r->names->find && r->names->find(r->names->context, name, argument, &found, why, sizeof why))
        return found;
    if (*why) return fail(r, "%s", why);
    return fail(r, "there is no %s '%s'", argument ? "function" : "name", name);
}

static scr_operand read_call(reader *r, const char *name)
{
    scr_operand a[ARGUMENTS] = {{0}};
    int count = 0;
    if (!take(r, ")")) {
        do {
            scr_operand value = read_where(r);
            if (count < ARGUMENTS) a[count] = value;
            count++;
        } while (take(r, ","));
        if (!r->failed && !take(r, ")")) return fail_here(r, "')'");
    }
    if (r->failed) return number_of(NAN);
    if (count > ARGUMENTS) return fail(r, "%s does not take %d values", name, count);
    if (is_function(name)) return call(r, name, a, count);
    if (count != 1 || a[0].list) return fail(r, "%s(...) needs one number in brackets", name);
    return find(r, name, &a[0].number);
}

static scr_operand read_name(reader *r)
{
    char name[NAME];
    size_t n = 0;
    while (is_name_character(r->at[n])) n++;
    if (n >= sizeof name) return fail(r, "a name of %zu letters is too long", n);
    memcpy(name, r->at, n);
    name[n] = 0;
    r->at += n;
    if (!strcmp(name, "and") || !strcmp(name, "or") || !strcmp(name, "where"))
        return fail(r, "a value is expected before '%s'", name);
    if (take(r, "(")) return read_call(r, name);
    if (is_function(name)) return fail(r, "%s needs its values in brackets", name);
    return find(r, name, NULL);
}

// the factor of the unit after a number, where there are units; 1 without
static double read_unit(reader *r)
{
    char why[SCR_EXPRESSION_WHY];
    double factor = 1;
    size_t length = 0;
    if (!r->names->unit) return 1;
    skip(r);
    if (!r->names->unit(r->names->context, r->at, &length, &factor, why, sizeof why)) fail(r, "%s", why);
    r->at += length;
    return factor;
}

static scr_operand read_number(reader *r)
{
    char *end;
    double value = strtod(r->at, &end);
    // 3x is neither a number nor a name
    if (is_name_character(*end)) return fail(r, "'%.24s' is not a number", r->at);
    r->at = end;
    return number_of(value * read_unit(r));
}

static scr_operand read_primary(reader *r)
{
    if (take(r, "(")) {
        scr_operand value = read_where(r);
        if (!r->failed && !take(r, ")")) return fail_here(r, "')'");
        return value;
    }
    skip(r);
    if (r->failed) return number_of(NAN);
    if (isdigit((unsigned char)*r->at) || (*r->at == '.' && isdigit((unsigned char)r->at[1]))) return read_number(r);
    if (isalpha((unsigned char)*r->at) || *r->at == '_') return read_name(r);
    return fail_here(r, "a value");
}

static scr_operand read_unary(reader *r)
{
    if (r->depth++ > DEPTH) fail(r, "more than %d levels", DEPTH);
    scr_operand value;
    if (take(r, "-")) {
        value = read_unary(r);
        value = each(r, neg3, &value, 1);
    } else {
        take(r, "+");
        value = read_primary(r);
        if (take(r, "^")) value = both(r, pow3, value, read_unary(r));
    }
    r->depth--;
    return value;
}

static scr_operand read_product(reader *r)
{
    scr_operand value = read_unary(r);
    for (;;) {
        if (take(r, "*"))
            value = both(r, mul3, value, read_unary(r));
        else if (take(r, "/"))
            value = both(r, div3, value, read_unary(r));
        else
            return value;
    }
}

static scr_operand read_sum(reader *r)
{
    scr_operand value = read_product(r);
    for (;;) {
        if (take(r, "+"))
            value = both(r, add3, value, read_product(r));
        else if (take(r, "-"))
            value = both(r, sub3, value, read_product(r));
        else
            return value;
    }
}

static scr_operand read_comparison(reader *r)
{
    static const struct {
        const char *sign;
        function3 f;
    } signs[] = {{"<=", most3}, {">=", least3}, {"==", same3}, {"!=", other3}, {"<", less3}, {">", more3}};
    scr_operand value = read_sum(r);
    for (int k = 0; k < 6; k++)
        if (take(r, signs[k].sign)) return both(r, signs[k].f, value, read_sum(r));
    return value;
}

static scr_operand read_not(reader *r)
{
    if (!take(r, "not")) return read_comparison(r);
    if (r->depth++ > DEPTH) fail(r, "more than %d levels", DEPTH);
    scr_operand value = read_not(r);
    r->depth--;
    return each(r, not3, &value, 1);
}

static scr_operand read_and(reader *r)
{
    scr_operand value = read_not(r);
    while (take(r, "and")) value = both(r, and3, value, read_not(r));
    return value;
}

static scr_operand read_or(reader *r)
{
    scr_operand value = read_and(r);
    while (take(r, "or")) value = both(r, or3, value, read_and(r));
    return value;
}

static scr_operand read_where(reader *r)
{
    scr_operand value = read_or(r);
    while (take(r, "where")) value = filter(r, value, read_or(r));
    return value;
}

static scr_operand read_all(reader *r)
{
    scr_operand value = read_where(r);
    skip(r);
    if (!r->failed && *r->at) fail(r, "unexpected '%.24s' at the end", r->at);
    return value;
}

static void clear(reader *r)
{
    for (scrap *s = r->scraps, *next; s; s = next) {
        next = s->next;
        free(s);
    }
}

bool scr_expression_number(const char *text, const scr_names *names, double *value, char *why, size_t why_size)
{
    reader r = {.text = text, .at = text, .names = names, .why = why, .why_size = why_size};
    scr_operand result = read_all(&r);
    if (!r.failed && result.list)
        fail(&r, "the result is a list of %zu rows: reduce it, for example with last()", result.count);
    clear(&r);
    *value = result.number;
    return !r.failed;
}

static double *copy(reader *r, const double *rows, size_t count)
{
    double *mine = malloc((count + 1) * sizeof *mine);
    if (mine && count) memcpy(mine, rows, count * sizeof *mine);
    return mine ? mine : no_rows(r, count);
}

bool scr_expression_value(const char *text, const scr_names *names, scr_operand *value, double **rows, double **times,
                          char *why, size_t why_size)
{
    reader r = {.text = text, .at = text, .names = names, .why = why, .why_size = why_size};
    *value = read_all(&r);
    *rows = *times = NULL;
    if (!r.failed && value->list) {
        value->rows = *rows = copy(&r, value->rows, value->count);
        if (value->times) value->times = *times = copy(&r, value->times, value->count);
    }
    clear(&r);
    return !r.failed;
}
