#include "observe/surface.h"

#include <math.h>
#include <stdlib.h>

#define MOST_ROUNDS 20

static int by_cell(const void *a, const void *b)
{
    const scr_surface_grain *x = a, *y = b;
    if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
    // grains of a cell in an order of their own, whatever the order in memory
    if (x->z != y->z) return x->z < y->z ? -1 : 1;
    return (x->s > y->s) - (x->s < y->s);
}

static double height(const scr_surface_grain *g, double b, double c)
{
    return g->z + g->r * sqrt(1 + b * b + c * c);
}

/* Sums of a least-squares fit, about the first point so that no digits are lost. */
typedef struct {
    double n, s, t, h, ss, st, tt, sh, th, hh;
    double s0, t0, h0;
} sums;

static void add(sums *m, double s, double t, double h)
{
    if (m->n == 0) m->s0 = s, m->t0 = t, m->h0 = h;
    s -= m->s0, t -= m->t0, h -= m->h0;
    m->n++;
    m->s += s, m->t += t, m->h += h;
    m->ss += s * s, m->st += s * t, m->tt += t * t;
    m->sh += s * h, m->th += t * h, m->hh += h * h;
}

static scr_surface solve(const sums *m, bool tilted)
{
    scr_surface f = {NAN, NAN, NAN, NAN, (int)m->n};
    double n = m->n;
    if (n < 3) return f;
    double ss = m->ss - m->s * m->s / n, tt = m->tt - m->t * m->t / n;
    double st = m->st - m->s * m->t / n;
    double sh = m->sh - m->s * m->h / n, th = m->th - m->t * m->h / n;
    double det = ss * tt - st * st;
    // a bed one cell wide has no slope across
    if (tilted && det > 1e-9 * ss * tt) {
        f.b = (sh * tt - th * st) / det;
        f.c = (th * ss - sh * st) / det;
    } else if (ss > 0) {
        f.b = sh / ss;
        f.c = 0;
    } else {
        return f;
    }
    double left = m->hh - m->h * m->h / n - f.b * sh - f.c * th;
    f.rms = sqrt(fmax(left, 0) / n);
    f.a = m->h0 + m->h / n - f.b * (m->s0 + m->s / n) - f.c * (m->t0 + m->t / n);
    return f;
}

// the grain that sticks out most among those of one cell, from `first`; *next is the first of the next cell
static size_t top_of(const scr_surface_grain *g, size_t first, size_t count, double b, double c, size_t *next)
{
    size_t best = first, k = first;
    double most = -INFINITY;
    for (; k < count && g[k].cell == g[first].cell; k++) {
        double h = height(&g[k], b, c) - b * g[k].s - c * g[k].t;
        if (h > most) most = h, best = k;
    }
    *next = k;
    return best;
}

// one round: tops for the slope of `old`, a new fit through those in the window. The first round knows no fit.
static scr_surface fit_once(const scr_surface_grain *g, size_t count, const scr_surface_def *def,
                            const scr_surface *old, bool first)
{
    sums m = {0};
    double b = first ? 0 : old->b, c = first ? 0 : old->c;
    for (size_t k = 0, next; k < count; k = next) {
        const scr_surface_grain *top = &g[top_of(g, k, count, b, c, &next)];
        double h = height(top, b, c), fitted = old->a + b * top->s + c * top->t;
        double where = !def->by_height ? top->s : first ? h : fitted;
        if (where < def->low || where > def->high) continue;
        if (!first && fabs(h - fitted) > 3 * old->rms) continue;
        add(&m, top->s, def->tilted ? top->t : 0, h);
    }
    return solve(&m, def->tilted);
}

scr_surface scr_surface_fit(scr_surface_grain *g, size_t count, const scr_surface_def *def)
{
    qsort(g, count, sizeof *g, by_cell);
    scr_surface fit = {0};
    for (int round = 0; round < MOST_ROUNDS; round++) {
        scr_surface next = fit_once(g, count, def, &fit, round == 0);
        bool done = isnan(next.b) || (round > 0 && next.a == fit.a && next.b == fit.b);
        // too strict a window late in the iteration: what was found before stands
        if (isnan(next.b) && round > 1) return fit;
        fit = next;
        if (done) break;
    }
    return fit;
}
