#include "observe/smooth.h"

#include <math.h>

#include "base/memory.h"
#include "math/elementary.h"

static double reach_of(const scr_smooth *s)
{
    return s->kernel == SCR_KERNEL_GAUSSIAN ? 4 * s->width : 2 * s->width;
}

bool scr_smooth_init(scr_smooth *s, const scr_bins *bins, int kernel, double width)
{
    *s = (scr_smooth){.bins = bins, .kernel = kernel, .width = width};
    size_t all = 1;
    bool ok = true;
    for (int d = 0; d < 3; d++) {
        double length = bins->upper[d] - bins->lower[d], most = 2 * reach_of(s) / bins->edge[d] + 3;
        s->endless[d] = bins->period[d] > 0 && length >= bins->period[d] * (1 - 1e-9);
        if (bins->count[d] == 1) most = 1;
        // beyond a whole period all points are in reach, each once
        s->room[d] = most > bins->count[d] ? bins->count[d] : (int)most;
        all *= (size_t)s->room[d];
        s->weight[d] = scr_memory_new((size_t)s->room[d], sizeof **s->weight);
        s->place[d] = scr_memory_new((size_t)s->room[d], sizeof **s->place);
        ok = ok && s->weight[d] && s->place[d];
    }
    if (kernel == SCR_KERNEL_LUCY) s->all = scr_memory_new(all, sizeof *s->all);
    return ok && (kernel != SCR_KERNEL_LUCY || s->all);
}

void scr_smooth_deinit(scr_smooth *s)
{
    for (int d = 0; d < 3; d++) scr_memory_free(s->weight[d]), scr_memory_free(s->place[d]);
    scr_memory_free(s->all);
    *s = (scr_smooth){0};
}

// grid points in reach of u along one axis, with their distances; u from the lower end of the box
static void list_points(scr_smooth *s, int d, double u)
{
    const scr_bins *b = s->bins;
    double edge = b->edge[d], reach = reach_of(s);
    int n = b->count[d], near = (int)floor(u / edge), first, last;
    s->count[d] = 0;
    if (n == 1) {
        s->place[d][0] = 0, s->weight[d][0] = 0, s->count[d] = 1;
        return;
    }
    near = near < 0 ? 0 : near > n - 1 ? n - 1 : near;
    double low = ceil((u - reach) / edge - 0.5), high = floor((u + reach) / edge - 0.5);
    if (!s->endless[d]) low = fmax(low, 0), high = fmin(high, n - 1);
    // of an endless axis no more than one period, about the point
    if (high - low > n - 1) low = near - n / 2, high = low + n - 1;
    first = (int)low, last = (int)high;
    if (first > last) first = last = near;
    for (int k = first; k <= last && s->count[d] < s->room[d]; k++) {
        int m = s->count[d]++;
        s->place[d][m] = ((k % n) + n) % n;
        s->weight[d][m] = first == last ? 0 : (k + 0.5) * edge - u;
    }
}

static size_t bin_of(const scr_smooth *s, int i, int j, int k)
{
    const int *n = s->bins->count;
    return ((size_t)s->place[2][k] * (size_t)n[1] + (size_t)s->place[1][j]) * (size_t)n[0] + (size_t)s->place[0][i];
}

// (1): a product of the axes, each normalised
static void share_gaussian(scr_smooth *s, double amount, scr_bins_share *share, void *context)
{
    for (int d = 0; d < 3; d++) {
        double sum = 0, *w = s->weight[d];
        for (int k = 0; k < s->count[d]; k++) {
            double q = w[k] / s->width;
            w[k] = scr_exp(-0.5 * q * q);
            sum += w[k];
        }
        for (int k = 0; k < s->count[d]; k++) w[k] /= sum;
    }
    for (int k = 0; k < s->count[2]; k++)
        for (int j = 0; j < s->count[1]; j++) {
            double part = amount * s->weight[2][k] * s->weight[1][j];
            for (int i = 0; i < s->count[0]; i++) share(context, bin_of(s, i, j, k), part * s->weight[0][i]);
        }
}

// (2)
static double lucy(const scr_smooth *s, double r2)
{
    double q = sqrt(r2) / (2 * s->width);
    return q < 1 ? (1 + 3 * q) * (1 - q) * (1 - q) * (1 - q) : 0;
}

static void share_lucy(scr_smooth *s, double amount, scr_bins_share *share, void *context)
{
    double sum = 0, nearest = INFINITY;
    size_t n = 0, best = 0;
    for (int k = 0; k < s->count[2]; k++)
        for (int j = 0; j < s->count[1]; j++)
            for (int i = 0; i < s->count[0]; i++, n++) {
                double x = s->weight[0][i], y = s->weight[1][j], z = s->weight[2][k], r2 = x * x + y * y + z * z;
                s->all[n] = lucy(s, r2);
                sum += s->all[n];
                if (r2 < nearest) nearest = r2, best = n;
            }
    if (!(sum > 0)) s->all[best] = sum = 1;
    n = 0;
    for (int k = 0; k < s->count[2]; k++)
        for (int j = 0; j < s->count[1]; j++)
            for (int i = 0; i < s->count[0]; i++, n++)
                if (s->all[n] > 0) share(context, bin_of(s, i, j, k), amount * s->all[n] / sum);
}

void scr_smooth_point(scr_smooth *s, vec3 x, double amount, scr_bins_share *share, void *context)
{
    const scr_bins *b = s->bins;
    for (int d = 0; d < 3; d++) {
        double u = (&x.x)[d] - b->lower[d], length = b->upper[d] - b->lower[d];
        if (b->period[d] > 0) u -= b->period[d] * floor(u / b->period[d]);
        // the border belongs to the box, with what rounding makes of it
        if (u > length && b->period[d] > 0 && u - b->period[d] > -1e-12 * b->period[d]) u = 0;
        if (!(u >= -1e-12 * length) || u > length * (1 + 1e-12)) return;
        list_points(s, d, u);
    }
    if (s->kernel == SCR_KERNEL_GAUSSIAN)
        share_gaussian(s, amount, share, context);
    else
        share_lucy(s, amount, share, context);
}

void scr_smooth_line(scr_smooth *s, vec3 from, vec3 along, scr_bins_share *share, void *context)
{
    static const double node[3] = {-0.7745966692414834, 0, 0.7745966692414834},
                        weight[3] = {5.0 / 18, 4.0 / 9, 5.0 / 18};
    double pieces = fmin(fmax(ceil(v3_norm(along) / s->width), 1), 1000);
    for (int k = 0; k < (int)pieces; k++)
        for (int m = 0; m < 3; m++) {
            double t = (k + 0.5 + 0.5 * node[m]) / pieces;
            scr_smooth_point(s, v3_axpy(from, t, along), weight[m] / pieces, share, context);
        }
}
