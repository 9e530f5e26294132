/* Whether grains at rest are stable: the lowest eigenvalue lambda of
 *
 *   K v = lambda M v,                                                                                (1)
 *
 * K the second derivative of the energy with all that the turning of normals takes, M the masses (and moments of
 * inertia, where something resists rotation). lambda is the square of the lowest angular frequency; below zero the state
 * is unstable. Contacts that slide have no stiffness along their slip, those that stick have their springs.
 *
 * By Lanczos' method (solve/lanczos.h) on M^1/2 (K + tau M)^-1 M^1/2, whose largest eigenvalue is 1/(lambda + tau). tau
 * is zero where K is positive, and else raised until K + tau M is: then it is above -lambda, and by less than ten
 * times. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/lanczos.h"
#include "step/variational/matrix.h"

#define STEPS     80
#define TOLERANCE 1e-9
#define LONG      1e15 /* s: no inertia in the objective */

typedef struct {
    var_matrix *m;
    double *root; // of the mass of each unknown
} pencil;

static bool apply(void *context, const double *x, double *y)
{
    const pencil *p = context;
    for (size_t k = 0; k < p->m->size; k++) y[k] = p->root[k] * x[k];
    if (scr_sparse_solve(p->m->sparse, y, y) != SCR_SPARSE_READY) return false;
    for (size_t k = 0; k < p->m->size; k++) y[k] *= p->root[k];
    return true;
}

// the second derivative where the grains are
static void evaluate_here(var_work *w)
{
    size_t n = w->world->bodies.table.count;
    w->h = w->s = LONG, w->time = w->world->clock.listed, w->span = 0;
    var_walls_prepare(w);
    var_predict(w);
    memset(w->u, 0, SCR_ROW * n * sizeof *w->u);
    memset(w->guess, 0, SCR_ROW * n * sizeof *w->guess);
    var_gather(w, 0);
    scr_objective o = var_objective(w);
    o.evaluate(o.context, w->u, w->minimiser.gradient);
}

static void set_roots(const var_work *w, pencil *p)
{
    for (size_t i = 0; i < w->world->bodies.table.count; i++)
        for (int c = 0; c < p->m->width && p->m->number[i] >= 0; c++) {
            double mass = w->mass[VAR_MASS * i + (size_t)(c / 3)] * w->s * w->s;
            p->root[p->m->number[i] + c] = sqrt(mass);
        }
}

// K + tau M ready to solve with
static scr_sparse_state factor(const var_work *w, const pencil *p, double tau)
{
    var_matrix_fill(p->m, w, true, false);
    double *v = scr_sparse_values(p->m->sparse);
    for (size_t k = 0; k < p->m->size; k++) v[p->m->first[k]] += tau * p->root[k] * p->root[k];
    return scr_sparse_factor(p->m->sparse, 0);
}

// stiffness over mass of the stiffest unknown
static double fastest(const var_work *w, const pencil *p)
{
    double most = 0;
    var_matrix_fill(p->m, w, true, false);
    const double *v = scr_sparse_values(p->m->sparse);
    for (size_t k = 0; k < p->m->size; k++)
        most = fmax(most, fabs(v[p->m->first[k]]) / fmax(p->root[k] * p->root[k], 1e-300));
    return most;
}

double var_lowest_eigenvalue(var_work *w, const uint8_t *out, double memory)
{
    var_matrix m = {.out = out, .memory = memory};
    pencil p = {.m = &m};
    double lowest = NAN;
    evaluate_here(w);
    if (var_matrix_pattern(&m, w) && scr_sparse_tell(m.sparse).direct &&
        (p.root = scr_memory_new(m.size + 1, sizeof *p.root))) {
        set_roots(w, &p);
        double scale = fastest(w, &p), tau = 0;
        scr_sparse_state state = factor(w, &p, 0);
        for (tau = 0; state == SCR_SPARSE_INDEFINITE && tau < 10 * scale;) {
            tau = tau > 0 ? 10 * tau : 1e-12 * scale;
            state = factor(w, &p, tau);
        }
        if (state == SCR_SPARSE_READY)
            lowest =
                1 / scr_largest_eigenvalue(&(scr_operator){&p, m.size, apply}, STEPS, TOLERANCE) -
                tau;
    }
    scr_memory_free(p.root);
    var_matrix_deinit(&m);
    return lowest;
}
