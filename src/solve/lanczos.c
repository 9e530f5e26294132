#include "solve/lanczos.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

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

double scr_largest_eigenvalue(const scr_operator *o, int steps, double tolerance)
{
    size_t n = o->size;
    if ((size_t)steps > n) steps = (int)n;
    double *basis = scr_memory_new((size_t)(steps + 1) * n + 1, sizeof *basis);
    double *alpha = scr_memory_new((size_t)(2 * steps) + 2, sizeof *alpha), *beta = alpha + steps;
    double found = NAN;
    bool ok = basis && alpha;
    if (ok) {
        scatter(n, basis);
        double size = sqrt(dot(n, basis, basis));
        for (size_t k = 0; k < n; k++) basis[k] /= size;
    }
    for (int k = 0, settled = 0; ok && k < steps && settled < 3; k++) {
        const double *v = basis + (size_t)k * n;
        double *next = basis + (size_t)(k + 1) * n;
        ok = o->apply(o->context, v, next);
        alpha[k] = dot(n, v, next);
        // twice is enough
        for (int pass = 0; pass < 2; pass++)
            for (int l = 0; l <= k; l++) {
                const double *q = basis + (size_t)l * n;
                double part = dot(n, q, next);
                for (size_t c = 0; c < n; c++) next[c] -= part * q[c];
            }
        beta[k] = sqrt(dot(n, next, next));
        double before = found;
        found = largest(k + 1, alpha, beta);
        settled = fabs(found - before) <= tolerance * fabs(found) ? settled + 1 : 0;
        if (!(beta[k] > 1e-14 * fabs(found))) break;
        for (size_t c = 0; c < n; c++) next[c] /= beta[k];
    }
    scr_memory_free(basis);
    scr_memory_free(alpha);
    return ok ? found : NAN;
}
