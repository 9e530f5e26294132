/* `energy: exact`: elastic forces that take just the energy that contacts gain from start to end of the sub-step (the
 * discrete gradient of Gonzalez 1996 for central forces). With the ways r0 and r1 = r0 + 2 U between the centres,
 *
 *   F = f (r0 + r1)/(|r0| + |r1|),   f = (V(delta1) - V(delta0))/(delta1 - delta0)                        (1)
 *
 * F.(r1 - r0) = V(delta0) - V(delta1): with the midpoint rule for velocities the energy is kept, whatever the step.
 * F points along the way at the middle of the step, so that the angular momentum is kept as well.
 *
 * (1) has no potential: its derivative, with e = (r0 + r1)/(|r0| + |r1|) and n1 = r1/|r1|,
 *
 *   2 f' e n1 - 2 f/(|r0| + |r1|) (1 - e n1),                                                             (2)
 *
 * is not symmetric where the pair turns in the step. Newton's method has it with both e and n1 along r0 + r1, and the
 * norm of the forces left over decides about a step instead of an energy (solve/minimise.h). */
#include <math.h>

#include "step/variational/work.h"

static var_secant secant_of(const var_work *w, const var_near *n, double start, double end)
{
    contact_push c = contact_secant_of(&w->world->laws[n->law], start, end, n->curvature);
    return (var_secant){.force = c.force, .along = 2 * c.stiffness, .mean = 1};
}

// walls that move meet the body at their place of the end, with the normal of the stage
static var_secant plane_secant(const var_work *w, const var_near *n, rvec way)
{
    const var_plane *plane = &w->walls.planes[w->walls.plane[w->pairs->walls.face[n->pair]]];
    const double *place = w->world->bodies.place + 4 * (size_t)n->i;
    double start = place[3] - var_height(plane, VAR_AT_START, v3_load(place));
    double end = place[3] - var_height(plane, VAR_AT_END, v3_load(place));
    return secant_of(w, n, start, end - 2 * rv_dot(var_vector(n->d), way));
}

var_secant scr_var_secant_of(const var_work *w, const var_near *n, rvec way)
{
    if (n->kind != VAR_PAIR) return plane_secant(w, n, way);
    rvec d = var_vector(n->d), last = rv_axpy(d, 2, way);
    double start = sqrt(rv_dot(d, d)), end = sqrt(rv_dot(last, last));
    var_secant s = secant_of(w, n, n->reach - start, n->reach - end);
    s.mean = 0.5 * (start + end);
    return s;
}
