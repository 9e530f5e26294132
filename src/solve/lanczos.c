#include "solve/lanczos.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

#define STEPS     80
#define TOLERANCE 1e-9
#define FIRST     1e-12 /* of the largest eigenvalue: the first shift that is tried */

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

// eigenvalues of the tridiagonal matrix (alpha, beta) that are larger than x, by Sturm's sequence
static int larger(int n, const double *alpha, const double *beta, double x)
{
    int count = 0;
    double d = 1;
    for (int k = 0; k < n; k++) {
        d = alpha[k] - x - (k ? beta[k - 1] * beta[k - 1] / d : 0);
        if (d == 0) d = 1e-300;
        count += d > 0;
    }
    return count;
}

static double largest(int n, const double *alpha, const double *beta)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < n; k++) {
        double off = (k ? fabs(beta[k - 1]) : 0) + (k + 1 < n ? fabs(beta[k]) : 0);
        low = fmin(low, alpha[k] - off), high = fmax(high, alpha[k] + off);
    }
    for (int k = 0; k < 200 && high - low > 1e-15 * (fabs(low) + fabs(high)); k++) {
        double middle = 0.5 * (low + high);
        *(larger(n, alpha, beta, middle) ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

// numbers that no symmetry of the problem has
static void scatter(size_t n, double *x)
{
    uint64_t seed = 88172645463325252u;
    for (size_t k = 0; k < n; k++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        x[k] = (double)(seed >> 11) * 0x1p-53 - 0.5;
    }
}

// from next what it has of the vectors before, in the product with M; twice is enough. Its size then; NAN: failed
static double make_orthogonal(const scr_operator *o, const double *basis, int count, double *next, double *heavy)
{
    size_t n = o->size;
    for (int pass = 0; pass < 2; pass++) {
        if (!o->weigh(o->context, next, heavy)) return NAN;
        for (int l = 0; l < count; l++) {
            const double *q = basis + (size_t)l * n;
            double part = dot(n, q, heavy);
            for (size_t c = 0; c < n; c++) next[c] -= part * q[c];
        }
    }
    return o->weigh(o->context, next, heavy) ? sqrt(fmax(dot(n, next, heavy), 0)) : NAN;
}

double scr_largest_eigenvalue(const scr_operator *o, int steps, double tolerance)
{
    size_t n = o->size;
    if ((size_t)steps > n) steps = (int)n;
    scr_arena arena = {0};
    double *basis = SCR_TAKE(&arena, double, (size_t)(steps + 1) * n);
    double *alpha = SCR_TAKE(&arena, double, (size_t)steps);
    double *beta = SCR_TAKE(&arena, double, (size_t)steps);
    double *heavy = SCR_TAKE(&arena, double, n);
    double found = NAN, size = 0;
    bool ok = !arena.failed;
    if (ok) {
        scatter(n, basis);
        size = make_orthogonal(o, basis, 0, basis, heavy);
        ok = size > 0;
        for (size_t c = 0; ok && c < n; c++) basis[c] /= size;
    }
    for (int k = 0, steady = 0; ok && k < steps && steady < 3; k++) {
        const double *v = basis + (size_t)k * n;
        double *next = basis + (size_t)(k + 1) * n;
        ok = o->weigh(o->context, v, heavy) && o->apply(o->context, v, next);
        alpha[k] = dot(n, heavy, next);
        beta[k] = make_orthogonal(o, basis, k + 1, next, heavy);
        double before = found;
        found = largest(k + 1, alpha, beta);
        steady = fabs(found - before) <= tolerance * fabs(found) ? steady + 1 : 0;
        ok &= isfinite(beta[k]);
        if (!(beta[k] > 1e-14 * fabs(found))) break;
        for (size_t c = 0; c < n; c++) next[c] /= beta[k];
    }
    scr_arena_deinit(&arena);
    return ok ? found : NAN;
}

/* ---- the lowest of a pencil ---- */

// (K + tau M)^-1 M
static bool soften(void *context, const double *x, double *y)
{
    const scr_pencil *p = context;
    return p->weigh(p->context, x, y) && scr_sparse_solve(p->sparse, y, y) == SCR_SPARSE_READY;
}

static bool weigh(void *context, const double *x, double *y)
{
    const scr_pencil *p = context;
    return p->weigh(p->context, x, y);
}

static scr_sparse_state factor(const scr_pencil *p, double tau)
{
    p->fill(p->context, tau);
    return scr_sparse_factor(p->sparse, 0);
}

double scr_lowest_eigenvalue(const scr_pencil *p)
{
    double tau = 0;
    scr_sparse_state state = factor(p, tau);
    while (state == SCR_SPARSE_INDEFINITE && tau < 10 * p->fastest) {
        tau = tau > 0 ? 10 * tau : FIRST * p->fastest;
        state = factor(p, tau);
    }
    if (state != SCR_SPARSE_READY) return NAN;
    scr_operator o = {(void *)p, scr_sparse_tell(p->sparse).size, soften, weigh};
    return 1 / scr_largest_eigenvalue(&o, STEPS, TOLERANCE) - tau;
}
