#include "shape/clump.h"

#include <math.h>
#include <stdlib.h>

#include "math/elementary.h"

#define NODES 32

/* Integrals over a solid or a slice of it. Those over slices leave out what z makes of them. */
typedef struct {
    double volume, x, y, z, xx, yy, zz, xy, xz, yz;
} moments;

typedef struct {
    const double (*s)[4];
    int count;
    double *events; // z, sorted
    int event_count;
    double (*gaps)[2]; // room for the covered parts of one circle
    moments sum;
} cut;

/* ---- spheres ---- */

static double distance2(const double *a, const double *b)
{
    double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

// whether sphere k is part of another; of two equal ones the later is
static bool is_inside_another(const double (*s)[4], int count, int k)
{
    for (int j = 0; j < count; j++) {
        if (j == k) continue;
        double room = s[j][3] - s[k][3], d2 = distance2(s[j], s[k]);
        if (room < 0 || d2 > room * room) continue;
        if (d2 > 0 || room > 0 || j < k) return true;
    }
    return false;
}

static bool touches_another(const double (*s)[4], int count, int k)
{
    for (int j = 0; j < count; j++) {
        double reach = s[j][3] + s[k][3];
        if (j != k && distance2(s[j], s[k]) < reach * reach) return true;
    }
    return false;
}

static void add_ball(moments *m, const double *s)
{
    double v = 4 * M_PI / 3 * s[3] * s[3] * s[3], q = v * s[3] * s[3] / 5;
    m->volume += v;
    m->x += v * s[0], m->y += v * s[1], m->z += v * s[2];
    m->xx += v * s[0] * s[0] + q, m->yy += v * s[1] * s[1] + q, m->zz += v * s[2] * s[2] + q;
    m->xy += v * s[0] * s[1], m->xz += v * s[0] * s[2], m->yz += v * s[1] * s[2];
}

/* ---- z at which arcs come and go ---- */

static void add_event(cut *c, double z)
{
    if (isfinite(z)) c->events[c->event_count++] = z;
}

// the circle in which two spheres meet: centre m, radius h, unit normal n; false: there is none
static bool circle_of(const double *a, const double *b, vec3 *m, vec3 *n, double *h)
{
    vec3 d = v3_sub(v3_load(b), v3_load(a));
    double l = v3_norm(d), along = (l * l + a[3] * a[3] - b[3] * b[3]) / (2 * l);
    double h2 = a[3] * a[3] - along * along;
    if (!(l > 0) || h2 <= 0) return false;
    *n = v3_scale(1 / l, d), *h = sqrt(h2);
    *m = v3_axpy(v3_load(a), along, *n);
    return true;
}

// where the circle of a and b meets the sphere c
static void add_triple(cut *c, vec3 m, vec3 n, double h, const double *s)
{
    vec3 d = v3_sub(v3_load(s), m);
    vec3 flat = v3_axpy(d, -v3_dot(d, n), n); // towards s, in the plane of the circle
    double q = v3_norm(flat), rest2 = s[3] * s[3] - v3_dot(d, n) * v3_dot(d, n);
    if (!(q > 0)) return;
    double along = (h * h + q * q - rest2) / (2 * q), side2 = h * h - along * along;
    if (side2 < 0) return;
    vec3 e = v3_scale(1 / q, flat), f = v3_cross(n, e);
    double side = sqrt(side2);
    add_event(c, m.z + along * e.z + side * f.z);
    add_event(c, m.z + along * e.z - side * f.z);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void find_events(cut *c)
{
    for (int a = 0; a < c->count; a++) {
        add_event(c, c->s[a][2] - c->s[a][3]);
        add_event(c, c->s[a][2] + c->s[a][3]);
        for (int b = a + 1; b < c->count; b++) {
            vec3 m, n;
            double h;
            if (!circle_of(c->s[a], c->s[b], &m, &n, &h)) continue;
            double up = h * sqrt(fmax(0, 1 - n.z * n.z));
            add_event(c, m.z - up);
            add_event(c, m.z + up);
            for (int k = b + 1; k < c->count; k++) add_triple(c, m, n, h, c->s[k]);
        }
    }
    qsort(c->events, (size_t)c->event_count, sizeof *c->events, ascending);
}

/* ---- a slice ---- */

// (1) along an arc of the circle (x, y, r) from angle a to b
static void add_arc(moments *m, double x, double y, double r, double a, double b)
{
    double sa = scr_sin(a), ca = scr_cos(a), sb = scr_sin(b), cb = scr_cos(b), t = b - a;
    double s1 = sb - sa, c1 = cb - ca; // differences of sine and cosine
    double s2 = sb * cb - sa * ca, s3 = sb * sb * sb - sa * sa * sa;
    double c3 = cb * cb * cb - ca * ca * ca;
    double cc = 0.5 * (t + s2), ss = 0.5 * (t - s2); // integrals of cos^2, sin^2
    double ccc = s1 - s3 / 3, sss = -c1 + c3 / 3;    // of cos^3, sin^3
    double cccc = 0.75 * cc + 0.25 * (cb * cb * cb * sb - ca * ca * ca * sa);
    double ssss = 0.75 * ss - 0.25 * (sb * sb * sb * cb - sa * sa * sa * ca);
    double cs = 0.5 * (sb * sb - sa * sa); // of cos sin
    double ccs = -c3 / 3;                  // of cos^2 sin
    double cccs = -0.25 * (cb * cb * cb * cb - ca * ca * ca * ca);
    m->volume += 0.5 * r * (r * t + x * s1 - y * c1);
    m->x += 0.5 * r * (x * x * s1 + 2 * x * r * cc + r * r * ccc);
    m->y += 0.5 * r * (-y * y * c1 + 2 * y * r * ss + r * r * sss);
    m->xx += r / 3 * (x * x * x * s1 + 3 * x * x * r * cc + 3 * x * r * r * ccc + r * r * r * cccc);
    m->yy += r / 3 * (-y * y * y * c1 + 3 * y * y * r * ss + 3 * y * r * r * sss + r * r * r * ssss);
    // x^2 y cos = (x + r c)^2 (y + r s) c
    m->xy +=
        0.5 * r * (y * (x * x * s1 + 2 * x * r * cc + r * r * ccc) + r * (x * x * cs + 2 * x * r * ccs + r * r * cccs));
}

static int by_start(const void *a, const void *b)
{
    return ascending(a, b);
}

// radius of a sphere's disc at z, squared; negative: it is not there
static double disc2(const double *s, double z)
{
    return (s[3] - (z - s[2])) * (s[3] + (z - s[2]));
}

static int cover(double (*gaps)[2], int n, double from, double to)
{
    // angles from 0 to 2 pi; what goes beyond is cut in two
    double turn = 2 * M_PI, shift = turn * floor(from / turn);
    from -= shift, to -= shift;
    gaps[n][0] = from, gaps[n++][1] = fmin(to, turn);
    if (to > turn) gaps[n][0] = 0, gaps[n++][1] = to - turn;
    return n;
}

// the parts of circle k that no other disc covers
static void add_circle(cut *c, int k, double z, moments *m)
{
    const double *s = c->s[k];
    double r2 = disc2(s, z);
    if (r2 <= 0) return;
    double r = sqrt(r2);
    int n = 0;
    for (int j = 0; j < c->count; j++) {
        double q2 = disc2(c->s[j], z);
        if (j == k || q2 <= 0) continue;
        double dx = c->s[j][0] - s[0], dy = c->s[j][1] - s[1], q = sqrt(q2), d = scr_hypot(dx, dy);
        if (d >= r + q || d <= r - q) continue; // apart, or within this one
        if (d <= q - r) return;                 // this one is within it
        double half = scr_acos(fmax(-1, fmin(1, (r2 + d * d - q2) / (2 * r * d))));
        double middle = scr_atan2(dy, dx);
        n = cover(c->gaps, n, middle - half, middle + half);
    }
    qsort(c->gaps, (size_t)n, sizeof *c->gaps, by_start);
    double at = 0;
    for (int g = 0; g < n; g++) {
        if (c->gaps[g][0] > at) add_arc(m, s[0], s[1], r, at, c->gaps[g][0]);
        at = fmax(at, c->gaps[g][1]);
    }
    if (at < 2 * M_PI) add_arc(m, s[0], s[1], r, at, 2 * M_PI);
}

static void add_slice(cut *c, double z, double weight)
{
    moments m = {0}, *sum = &c->sum;
    for (int k = 0; k < c->count; k++) add_circle(c, k, z, &m);
    sum->volume += weight * m.volume;
    sum->x += weight * m.x, sum->y += weight * m.y, sum->z += weight * z * m.volume;
    sum->xx += weight * m.xx, sum->yy += weight * m.yy, sum->xy += weight * m.xy;
    sum->zz += weight * z * z * m.volume;
    sum->xz += weight * z * m.x, sum->yz += weight * z * m.y;
}

/* ---- Gauss's rule ---- */

// nodes and weights in (-1, 1): roots of Legendre's polynomial by Newton's method
static void gauss(double node[NODES], double weight[NODES])
{
    for (int k = 0; k < NODES; k++) {
        double x = scr_cos(M_PI * (k + 0.75) / (NODES + 0.5)), slope = 1;
        for (int n = 0; n < 100; n++) {
            double p = 1, before = 0;
            for (int j = 0; j < NODES; j++) {
                double next = ((2 * j + 1) * x * p - j * before) / (j + 1);
                before = p, p = next;
            }
            slope = NODES * (x * p - before) / (x * x - 1);
            double step = p / slope;
            x -= step;
            if (fabs(step) < 1e-16) break;
        }
        node[k] = x, weight[k] = 2 / ((1 - x * x) * slope * slope);
    }
}

static void add_slices(cut *c)
{
    double node[NODES], weight[NODES];
    gauss(node, weight);
    find_events(c);
    for (int k = 1; k < c->event_count; k++) {
        double middle = 0.5 * (c->events[k - 1] + c->events[k]);
        double half = 0.5 * (c->events[k] - c->events[k - 1]);
        if (!(half > 0)) continue;
        for (int n = 0; n < NODES; n++) {
            double angle = 0.5 * M_PI * node[n];
            add_slice(c, middle + half * scr_sin(angle), weight[n] * half * 0.5 * M_PI * scr_cos(angle));
        }
    }
}

/* ---- the whole ---- */

static scr_clump_shape solid_of(const moments *m)
{
    scr_clump_shape s = {.volume = m->volume};
    s.centre = v3_scale(1 / m->volume, v3(m->x, m->y, m->z));
    vec3 c = s.centre;
    double xx = m->xx - m->x * c.x, yy = m->yy - m->y * c.y, zz = m->zz - m->z * c.z;
    s.inertia = (sym3){yy + zz, xx + zz, xx + yy, -(m->xy - m->x * c.y), -(m->xz - m->x * c.z), -(m->yz - m->y * c.z)};
    return s;
}

bool scr_clump_solid(const double (*spheres)[4], int count, scr_clump_shape *solid)
{
    size_t n = (size_t)count;
    double(*kept)[4] = malloc(n * sizeof *kept);
    moments balls = {0};
    int overlapping = 0;
    if (!kept) return false;
    for (int k = 0; k < count; k++) {
        if (is_inside_another(spheres, count, k)) continue;
        if (!touches_another(spheres, count, k))
            add_ball(&balls, spheres[k]);
        else
            for (int d = 0; d < 4; d++) kept[overlapping][d] = spheres[k][d];
        overlapping += touches_another(spheres, count, k);
    }
    size_t o = (size_t)overlapping;
    cut c = {.s = (const double(*)[4])kept, .count = overlapping, .sum = balls};
    c.events = malloc((2 * o + o * o + o * o * o / 3 + 1) * sizeof *c.events);
    c.gaps = malloc((2 * o + 1) * sizeof *c.gaps);
    bool good = c.events && c.gaps;
    if (good && overlapping) add_slices(&c);
    if (good) *solid = solid_of(&c.sum);
    free(c.events), free(c.gaps), free(kept);
    return good;
}
