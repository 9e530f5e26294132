#include "observe/bins.h"

#include <math.h>

#include "math/elementary.h"

scr_bins scr_bins_of(const scr_domain *domain, vec3 lower, vec3 upper, const int count[3])
{
    scr_bins b;
    v3_store(b.lower, lower);
    v3_store(b.upper, upper);
    for (int d = 0; d < 3; d++) {
        b.count[d] = count[d];
        b.edge[d] = (b.upper[d] - b.lower[d]) / count[d];
        b.period[d] = domain->periodic[d] ? (&domain->upper.x)[d] - (&domain->lower.x)[d] : 0;
    }
    return b;
}

vec3 scr_bins_centre(const scr_bins *b, size_t bin)
{
    size_t nx = (size_t)b->count[0], ny = (size_t)b->count[1];
    const size_t place[3] = {bin % nx, bin / nx % ny, bin / nx / ny};
    double c[3];
    for (int d = 0; d < 3; d++) c[d] = b->lower[d] + ((double)place[d] + 0.5) * b->edge[d];
    return v3_load(c);
}

double scr_bins_volume(const scr_bins *b)
{
    return b->edge[0] * b->edge[1] * b->edge[2];
}

// bins by their places along the axes
static size_t bin_at(const scr_bins *b, const int at[3])
{
    return ((size_t)at[2] * (size_t)b->count[1] + (size_t)at[1]) * (size_t)b->count[0] + (size_t)at[0];
}

/* ---- spheres ---- */

// (1) volume of the sphere below u
static double cap(double r, double u)
{
    u = fmin(fmax(u, -r), r);
    return M_PI * (2 * r * r * r / 3 + u * (r * r - u * u / 3));
}

// area of the unit disc left of a
static double half_disc(double a)
{
    a = fmin(fmax(a, -1), 1);
    return M_PI_2 + scr_asin(a) + a * sqrt(1 - a * a);
}

// (2) area of the unit disc where x < a and y < b
static double quarter_disc(double a, double b)
{
    if (a <= -1 || b <= -1) return 0;
    if (a >= 1) return half_disc(b);
    if (b >= 1) return half_disc(a);
    if (a * a + b * b < 1)
        return 0.5 * (M_PI_2 + scr_asin(a) + scr_asin(b) + a * (b + sqrt(1 - a * a)) + b * (a + sqrt(1 - b * b)));
    // the corner lies outside
    if (a < 0 && b < 0) return 0;
    if (a < 0) return half_disc(a);
    if (b < 0) return half_disc(b);
    return half_disc(a) + half_disc(b) - M_PI;
}

typedef struct {
    const scr_bins *bins;
    double c[3], r; // centre and radius
    int first[3], last[3];
    bool cut[3];
    scr_bins_share *share;
    void *context;
} cutting;

// edge k along d, seen from the centre
static double edge_of(const cutting *t, int d, int k)
{
    return t->bins->lower[d] + k * t->bins->edge[d] - t->c[d];
}

// which bins the sphere reaches along d; false when none
static bool reach(cutting *t, int d)
{
    const scr_bins *b = t->bins;
    double low = t->c[d] - t->r, high = t->c[d] + t->r;
    if (high <= b->lower[d] || low >= b->upper[d]) return false;
    int last = b->count[d] - 1;
    double from = floor((low - b->lower[d]) / b->edge[d]);
    double to = floor((high - b->lower[d]) / b->edge[d]);
    t->first[d] = from < 0 ? 0 : from > last ? last : (int)from;
    t->last[d] = to < 0 ? 0 : to > last ? last : (int)to;
    t->cut[d] = t->first[d] != t->last[d] || low < b->lower[d] || high > b->upper[d];
    return true;
}

// one slab of the sphere, from u0 to u1 along the axis `main`, shared out among the bins across it
static void share_slab(const cutting *t, int main, int place, double u0, double u1, double volume)
{
    static const double node[3] = {0.2386191860831969, 0.6612093864662645, 0.9324695142031521};
    static const double weight[3] = {0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
    int p = (main + 1) % 3, q = (main + 2) % 3, at[3];
    double rho[6], w[6], whole = 0;
    u0 = fmax(u0, -t->r), u1 = fmin(u1, t->r);
    for (int k = 0; k < 6; k++) {
        double s = k < 3 ? -node[k] : node[k - 3];
        double u = 0.5 * (u0 + u1) + 0.5 * (u1 - u0) * s;
        rho[k] = sqrt(fmax(t->r * t->r - u * u, 0));
        w[k] = weight[k % 3] * rho[k] * rho[k];
        whole += M_PI * w[k];
    }
    if (!(whole > 0)) return;
    at[main] = place;
    for (at[p] = t->first[p]; at[p] <= t->last[p]; at[p]++)
        for (at[q] = t->first[q]; at[q] <= t->last[q]; at[q]++) {
            double a0 = edge_of(t, p, at[p]), a1 = edge_of(t, p, at[p] + 1);
            double b0 = edge_of(t, q, at[q]), b1 = edge_of(t, q, at[q] + 1), part = 0;
            for (int k = 0; k < 6; k++) {
                if (rho[k] <= 0) continue;
                double i = 1 / rho[k];
                part += w[k] * (quarter_disc(a1 * i, b1 * i) - quarter_disc(a0 * i, b1 * i) -
                                quarter_disc(a1 * i, b0 * i) + quarter_disc(a0 * i, b0 * i));
            }
            if (part > 0) t->share(t->context, bin_at(t->bins, at), volume * part / whole);
        }
}

static void share_image(cutting *t)
{
    if (!reach(t, 0) || !reach(t, 1) || !reach(t, 2)) return;
    int cuts = t->cut[0] + t->cut[1] + t->cut[2];
    int main = t->cut[0] ? 0 : t->cut[1] ? 1 : 2;
    int at[3] = {t->first[0], t->first[1], t->first[2]};
    if (cuts == 0) {
        t->share(t->context, bin_at(t->bins, at), cap(t->r, t->r));
        return;
    }
    for (int k = t->first[main]; k <= t->last[main]; k++) {
        double u0 = edge_of(t, main, k), u1 = edge_of(t, main, k + 1);
        double volume = cap(t->r, u1) - cap(t->r, u0);
        at[main] = k;
        if (volume <= 0) continue;
        if (cuts == 1)
            t->share(t->context, bin_at(t->bins, at), volume);
        else
            share_slab(t, main, k, u0, u1, volume);
    }
}

void scr_bins_sphere(const scr_bins *b, vec3 centre, double radius, scr_bins_share *share, void *context)
{
    cutting t = {.bins = b, .r = radius, .share = share, .context = context};
    int images[3];
    for (int d = 0; d < 3; d++) images[d] = b->period[d] > 0;
    for (int i = -images[0]; i <= images[0]; i++)
        for (int j = -images[1]; j <= images[1]; j++)
            for (int k = -images[2]; k <= images[2]; k++) {
                t.c[0] = centre.x + i * b->period[0];
                t.c[1] = centre.y + j * b->period[1];
                t.c[2] = centre.z + k * b->period[2];
                share_image(&t);
            }
}

/* ---- lines ---- */

// the bin of a point, or -1: outside the box
static int64_t bin_of(const scr_bins *b, const double *x)
{
    int at[3];
    for (int d = 0; d < 3; d++) {
        double u = x[d] - b->lower[d];
        // the image in the box, if there is one
        if (b->period[d] > 0) u -= b->period[d] * floor(u / b->period[d]);
        if (!(u >= 0) || u > b->upper[d] - b->lower[d]) return -1;
        int k = (int)(u / b->edge[d]);
        at[d] = k < b->count[d] ? k : b->count[d] - 1;
    }
    return (int64_t)bin_at(b, at);
}

// the next t > now at which the line x + t v crosses an edge of a bin along d, also in the images of the box
static double next_edge(const scr_bins *b, int d, double x, double v, double now)
{
    double best = 1;
    if (v == 0) return best;
    int images = b->period[d] > 0;
    for (int m = -images; m <= images; m++) {
        double lower = b->lower[d] + m * b->period[d];
        double u = (x + now * v - lower) / b->edge[d];
        double k = v > 0 ? floor(u) + 1 : ceil(u) - 1;
        k = v > 0 ? fmax(k, 0) : fmin(k, b->count[d]);
        if (k < 0 || k > b->count[d]) continue;
        double t = (lower + k * b->edge[d] - x) / v;
        if (t > now && t < best) best = t;
    }
    return best;
}

void scr_bins_line(const scr_bins *b, vec3 from, vec3 along, scr_bins_share *share, void *context)
{
    double x[3], v[3], middle[3], now = 0;
    v3_store(x, from);
    v3_store(v, along);
    while (now < 1) {
        double next = 1;
        for (int d = 0; d < 3; d++) next = fmin(next, next_edge(b, d, x[d], v[d], now));
        for (int d = 0; d < 3; d++) middle[d] = x[d] + 0.5 * (now + next) * v[d];
        int64_t bin = bin_of(b, middle);
        if (bin >= 0) share(context, (size_t)bin, next - now);
        now = next;
    }
}
