#include "solve/sparse.h"

#include <cholmod.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/os.h"
#include "solve/supernodes.h"

#define CG_TOLERANCE 1e-10 /* of the residual against the right-hand side */
#define CG_MOST      20000 /* iterations */

struct scr_sparse {
    cholmod_common common;
    cholmod_sparse *a;            /* lower triangle */
    cholmod_factor *plan;         /* the order of unknowns, and supernodes */
    scr_supernodes *factor;       /* L L^T of matrices that are positive */
    cholmod_factor *signs;        /* L D L^T of others; made when first needed */
    bool by_signs;                /* the one to solve with */
    cholmod_dense *b, *x, *y, *e; /* of solutions: kept, so that solving does not allocate */
    double *scale;                /* S of (1) */
    double *work[4];              /* of conjugate gradients */
    scr_sparse_report tell;
};

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "a sparse matrix");
}

static bool copy_pattern(scr_sparse *s, size_t size, const int64_t *first, const int64_t *rows)
{
    size_t entries = (size_t)first[size];
    s->a = cholmod_l_allocate_sparse(size, size, entries, true, true, -1, CHOLMOD_REAL, &s->common);
    if (!s->a) return false;
    SuiteSparse_long *p = s->a->p, *i = s->a->i;
    for (size_t c = 0; c <= size; c++) p[c] = first[c];
    for (size_t k = 0; k < entries; k++) i[k] = rows[k];
    return true;
}

scree_status scr_sparse_create(size_t size, const int64_t *first, const int64_t *rows, double memory,
                               scr_sparse **sparse, scree_report *report)
{
    *sparse = NULL;
    scr_sparse *s = calloc(1, sizeof *s);
    if (!s) return no_memory(report);
    cholmod_l_start(&s->common);
    s->common.print = 0;
    s->common.supernodal = CHOLMOD_SUPERNODAL;
    s->tell.size = size, s->tell.entries = (size_t)first[size];
    s->scale = scr_memory_new(size + 1, sizeof *s->scale);
    if (s->scale && copy_pattern(s, size, first, rows)) s->plan = cholmod_l_analyze(s->a, &s->common);
    if (s->plan) {
        s->tell.factor_bytes = 8.0 * (double)s->plan->xsize;
        s->tell.flops = s->common.fl;
        s->tell.direct = s->tell.factor_bytes <= memory;
        if (!s->tell.direct) cholmod_l_free_factor(&s->plan, &s->common);
    }
    // no analysis at all for want of memory: there will be none for the factor either
    if (!s->a || !s->scale) {
        scr_sparse_destroy(s);
        return no_memory(report);
    }
    for (int k = 0; k < 4 && !s->tell.direct; k++)
        if (!(s->work[k] = scr_memory_new(size + 1, sizeof *s->work[k]))) {
            scr_sparse_destroy(s);
            return no_memory(report);
        }
    *sparse = s;
    return SCREE_OK;
}

void scr_sparse_destroy(scr_sparse *s)
{
    if (!s) return;
    scr_supernodes_destroy(s->factor);
    cholmod_l_free_factor(&s->plan, &s->common);
    cholmod_l_free_factor(&s->signs, &s->common);
    cholmod_l_free_sparse(&s->a, &s->common);
    cholmod_l_free_dense(&s->b, &s->common);
    cholmod_l_free_dense(&s->x, &s->common);
    cholmod_l_free_dense(&s->y, &s->common);
    cholmod_l_free_dense(&s->e, &s->common);
    cholmod_l_finish(&s->common);
    scr_memory_free(s->scale);
    for (int k = 0; k < 4; k++) scr_memory_free(s->work[k]);
    free(s);
}

double *scr_sparse_values(scr_sparse *s)
{
    return s->a->x;
}

scr_sparse_report scr_sparse_tell(const scr_sparse *s)
{
    return s->tell;
}

/* ---- the matrix ---- */

// (1); the first entry of a column is that of the diagonal
static void scale(scr_sparse *s)
{
    const SuiteSparse_long *p = s->a->p, *i = s->a->i;
    double *v = s->a->x;
    size_t n = s->a->ncol;
    for (size_t c = 0; c < n; c++) {
        double diagonal = fabs(v[p[c]]);
        s->scale[c] = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
    }
    for (size_t c = 0; c < n; c++)
        for (SuiteSparse_long k = p[c]; k < p[c + 1]; k++) v[k] *= s->scale[c] * s->scale[i[k]];
}

static bool make_factor(scr_sparse *s)
{
    const cholmod_factor *l = s->plan;
    scr_supernode_plan plan = {.size = l->n,
                               .count = l->nsuper,
                               .numbers = l->xsize,
                               .first = l->super,
                               .begin = l->pi,
                               .place = l->px,
                               .row = l->s,
                               .order = l->Perm};
    s->factor = scr_supernodes_create(&plan, s->a->p, s->a->i);
    return s->factor != NULL;
}

static scr_sparse_state prepare_gradients(scr_sparse *s, double shift)
{
    const SuiteSparse_long *p = s->a->p;
    double *v = s->a->x;
    for (size_t c = 0; c < s->a->ncol; c++) {
        v[p[c]] += shift;
        if (!(v[p[c]] > 0)) return SCR_SPARSE_INDEFINITE;
    }
    return SCR_SPARSE_READY;
}

scr_sparse_state scr_sparse_factor(scr_sparse *s, double shift)
{
    if (scr_signal_pending()) return SCR_SPARSE_STOPPED;
    scale(s);
    s->tell.factored++;
    if (!s->tell.direct) return prepare_gradients(s, shift);
    if (!s->factor && !make_factor(s)) return SCR_SPARSE_NO_MEMORY;
    s->by_signs = false;
    if (scr_supernodes_factor(s->factor, s->a->x, shift, scr_signal_pending)) return SCR_SPARSE_READY;
    return scr_signal_pending() ? SCR_SPARSE_STOPPED : SCR_SPARSE_INDEFINITE;
}

// the order that was found for the other factor serves this one
static bool analyse_signs(scr_sparse *s)
{
    cholmod_common *c = &s->common;
    int supernodal = c->supernodal, methods = c->nmethods, ordering = c->method[0].ordering;
    c->supernodal = CHOLMOD_SIMPLICIAL;
    c->nmethods = 1;
    c->method[0].ordering = CHOLMOD_GIVEN;
    c->final_ll = false;
    s->signs = cholmod_l_analyze_p(s->a, s->plan->Perm, NULL, 0, c);
    c->supernodal = supernodal, c->nmethods = methods, c->method[0].ordering = ordering;
    return s->signs != NULL;
}

// CHOLMOD would ask for four threads in loops that are too short for them: half of the time was spent waiting
static bool factor_signs(scr_sparse *s)
{
    int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(0);
    cholmod_l_factorize_p(s->a, (double[2]){0}, NULL, 0, s->signs, &s->common);
    omp_set_max_active_levels(levels);
    return s->common.status == CHOLMOD_OK && s->signs->minor == s->a->ncol;
}

scr_sparse_state scr_sparse_factor_signs(scr_sparse *s)
{
    if (scr_signal_pending()) return SCR_SPARSE_STOPPED;
    if (!s->tell.direct) return SCR_SPARSE_INDEFINITE;
    if (!s->signs && !analyse_signs(s)) return SCR_SPARSE_NO_MEMORY;
    scale(s);
    s->tell.factored++;
    s->by_signs = true;
    if (factor_signs(s)) return SCR_SPARSE_READY;
    return s->common.status == CHOLMOD_OUT_OF_MEMORY ? SCR_SPARSE_NO_MEMORY : SCR_SPARSE_INDEFINITE;
}

/* ---- conjugate gradients ---- */

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

// y = A x
static void multiply(const cholmod_sparse *a, const double *x, double *y)
{
    const SuiteSparse_long *p = a->p, *i = a->i;
    const double *v = a->x;
    memset(y, 0, a->ncol * sizeof *y);
    for (size_t c = 0; c < a->ncol; c++) {
        double sum = v[p[c]] * x[c];
        for (SuiteSparse_long k = p[c] + 1; k < p[c + 1]; k++) {
            y[i[k]] += v[k] * x[c];
            sum += v[k] * x[i[k]];
        }
        y[c] += sum;
    }
}

// y = M^-1 x, M = (D + L) D^-1 (D + L)^T
static void precondition(const cholmod_sparse *a, const double *x, double *y)
{
    const SuiteSparse_long *p = a->p, *i = a->i;
    const double *v = a->x;
    size_t n = a->ncol;
    memcpy(y, x, n * sizeof *y);
    for (size_t c = 0; c < n; c++) {
        double z = y[c] / v[p[c]];
        for (SuiteSparse_long k = p[c] + 1; k < p[c + 1]; k++) y[i[k]] -= v[k] * z;
    }
    for (size_t c = n; c-- > 0;) {
        double sum = y[c];
        for (SuiteSparse_long k = p[c] + 1; k < p[c + 1]; k++) sum -= v[k] * y[i[k]];
        y[c] = sum / v[p[c]];
    }
}

// x holds the right-hand side, then the solution
static scr_sparse_state iterate(scr_sparse *s, double *x)
{
    size_t n = s->a->ncol;
    double *r = s->work[0], *z = s->work[1], *d = s->work[2], *q = s->work[3];
    memcpy(r, x, n * sizeof *r);
    memset(x, 0, n * sizeof *x);
    double goal = CG_TOLERANCE * CG_TOLERANCE * dot(n, r, r);
    if (!(goal > 0)) return SCR_SPARSE_READY;
    precondition(s->a, r, z);
    memcpy(d, z, n * sizeof *d);
    double rz = dot(n, r, z);
    for (int k = 0; k < CG_MOST; k++, s->tell.iterations++) {
        if (scr_signal_pending()) return SCR_SPARSE_STOPPED;
        multiply(s->a, d, q);
        double curvature = dot(n, d, q);
        if (!(curvature > 0)) return SCR_SPARSE_INDEFINITE;
        double step = rz / curvature;
        for (size_t c = 0; c < n; c++) x[c] += step * d[c], r[c] -= step * q[c];
        if (dot(n, r, r) <= goal) return SCR_SPARSE_READY;
        precondition(s->a, r, z);
        double before = rz;
        rz = dot(n, r, z);
        for (size_t c = 0; c < n; c++) d[c] = z[c] + rz / before * d[c];
    }
    return SCR_SPARSE_SLOW;
}

/* ---- solution ---- */

scr_sparse_state scr_sparse_solve(scr_sparse *s, const double *b, double *x)
{
    size_t n = s->a->ncol;
    if (scr_signal_pending()) return SCR_SPARSE_STOPPED;
    if (!s->tell.direct) {
        for (size_t c = 0; c < n; c++) x[c] = s->scale[c] * b[c];
        scr_sparse_state state = iterate(s, x);
        for (size_t c = 0; c < n; c++) x[c] *= s->scale[c];
        return state;
    }
    if (!s->by_signs) {
        for (size_t c = 0; c < n; c++) x[c] = s->scale[c] * b[c];
        scr_supernodes_solve(s->factor, x, x);
        for (size_t c = 0; c < n; c++) x[c] *= s->scale[c];
        return SCR_SPARSE_READY;
    }
    if (!s->b) s->b = cholmod_l_allocate_dense(n, 1, n, CHOLMOD_REAL, &s->common);
    if (!s->b) return SCR_SPARSE_NO_MEMORY;
    double *right = s->b->x;
    for (size_t c = 0; c < n; c++) right[c] = s->scale[c] * b[c];
    if (!cholmod_l_solve2(CHOLMOD_A, s->signs, s->b, NULL, &s->x, NULL, &s->y, &s->e, &s->common))
        return SCR_SPARSE_NO_MEMORY;
    const double *found = s->x->x;
    for (size_t c = 0; c < n; c++) x[c] = s->scale[c] * found[c];
    return SCR_SPARSE_READY;
}
