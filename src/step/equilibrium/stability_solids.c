/* Whether an equilibrium of elastic solids is stable: the lowest eigenvalue of K v = lambda M v (solve/lanczos.h), K
 * the tangent of the motions that no support holds, M their masses and moments of inertia. Loads that follow and
 * couples have no potential; of them K has the symmetric half, which knows nothing of flutter. */
#include <math.h>

#include "solve/lanczos.h"
#include "step/equilibrium/equilibrium.h"

static void fill(void *context, double tau)
{
    scr_equilibrium *e = context;
    scr_tangent_assemble(&e->tangent, e->elastic->factor, NULL, NULL);
    if (tau > 0) scr_tangent_add_masses(&e->tangent, tau);
}

static bool weigh(void *context, const double *x, double *y)
{
    const scr_equilibrium *e = context;
    scr_tangent_weigh(&e->tangent, x, y);
    return true;
}

static bool has_potential(const scr_load *load)
{
    bool couple = false;
    for (size_t i = 0; i < load->entry_count; i++) couple |= v3_norm(load->entries[i].couple) > 0;
    return !load->follows && !couple;
}

double scr_equilibrium_lowest(scr_equilibrium *e, scree_report *report)
{
    const scr_world *w = e->world;
    for (int k = 0; k < w->load_count; k++)
        if (!has_potential(&w->loads[k]))
            scr_warn(report, SCR_NOWHERE,
                     "statics.stability: the load %s %s and has no potential; the eigenvalue is "
                     "that of the symmetric part of the tangent, and does not indicate flutter",
                     w->loads[k].name, w->loads[k].follows ? "follows its cells" : "is a couple");
    if (!e->tangent.size || !scr_sparse_tell(e->tangent.sparse).direct) return NAN;
    int64_t cell;
    double fastest = 2 / scr_elastic_bound(w, &cell);
    return scr_lowest_eigenvalue(&(scr_pencil){e, e->tangent.sparse, fastest * fastest, fill, weigh});
}
