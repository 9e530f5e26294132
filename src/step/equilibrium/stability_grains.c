/* Whether grains at rest are stable: the lowest eigenvalue of K v = lambda M v (solve/lanczos.h), K the second
 * derivative of the energy with all that the turning of normals takes, M the masses (and moments of inertia, where
 * something resists rotation). Contacts that slide have no stiffness along their slip, those that stick have their
 * springs. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/lanczos.h"
#include "step/variational/matrix.h"

#define LONG 1e15 /* s: no inertia in the objective */

typedef struct {
    const var_work *w;
    var_matrix *m;
    double *mass; // of each unknown
} pencil;

static bool weigh(void *context, const double *x, double *y)
{
    const pencil *p = context;
    for (size_t k = 0; k < p->m->size; k++) y[k] = p->mass[k] * x[k];
    return true;
}

static void fill(void *context, double tau)
{
    const pencil *p = context;
    scr_var_matrix_fill(p->m, p->w, true, false);
    double *v = scr_sparse_values(p->m->sparse);
    for (size_t k = 0; k < p->m->size; k++) v[p->m->first[k]] += tau * p->mass[k];
}

// the second derivative where the grains are
static void evaluate_here(var_work *w)
{
    size_t n = w->world->bodies.table.count;
    w->sub.h = w->sub.s = LONG, w->sub.time = w->world->clock.listed, w->sub.span = 0;
    scr_var_walls_prepare(w);
    scr_var_predict(w);
    scr_clear(w->rows.u, SCR_ROW * n * sizeof *w->rows.u);
    scr_clear(w->rows.guess, SCR_ROW * n * sizeof *w->rows.guess);
    scr_var_gather(w, 0);
    scr_objective o = scr_var_objective(w);
    o.evaluate(o.context, w->rows.u, w->solver.minimiser.gradient);
}

static void set_masses(pencil *p)
{
    const var_work *w = p->w;
    for (size_t i = 0; i < w->world->bodies.table.count; i++)
        for (int c = 0; c < p->m->width && p->m->number[i] >= 0; c++)
            p->mass[p->m->number[i] + c] = w->rows.mass[VAR_MASS * i + (size_t)(c / 3)] * w->sub.s * w->sub.s;
}

// stiffness over mass of the stiffest unknown
static double fastest(pencil *p)
{
    double most = 0;
    fill(p, 0);
    const double *v = scr_sparse_values(p->m->sparse);
    for (size_t k = 0; k < p->m->size; k++) most = fmax(most, fabs(v[p->m->first[k]]) / fmax(p->mass[k], 1e-300));
    return most;
}

double scr_var_lowest_eigenvalue(var_work *w, const uint8_t *out, double memory)
{
    var_matrix m = {.out = out, .memory = memory, .still = true};
    pencil p = {.w = w, .m = &m};
    double lowest = NAN;
    evaluate_here(w);
    if (scr_var_matrix_pattern(&m, w) && scr_sparse_tell(m.sparse).direct &&
        (p.mass = scr_memory_new(m.size + 1, sizeof *p.mass))) {
        set_masses(&p);
        lowest = scr_lowest_eigenvalue(&(scr_pencil){&p, m.sparse, fastest(&p), fill, weigh});
    }
    scr_memory_free(p.mass);
    scr_var_matrix_deinit(&m);
    return lowest;
}
