/* Newton's method: K d = F for the free motions, K the tangent (tangent.h) and F the forces that are left.
 *
 * Plain, it takes every step whole, unless that would turn a cell by more than TURN. In slender bodies this goes
 * through states of large energy, which the next iterations take away at once: a method that insists on less energy in
 * every step would creep along. It converges in 4 to 8 iterations, or not at all.
 *
 * Guarded, a step is shortened until the forces at its end do not push back with more than part BACK of the power with
 * which those at its start pushed on,
 *
 *   F(s).d >= -BACK |F(0).d|,                                                                        (1)
 *
 * so that the potential falls along d wherever F(s).d falls steadily; this needs no potential, which loads that follow
 * do not have, and no differences of large numbers.
 *
 * Beyond a limit of stability K is not positive definite. Plain, the method goes on along the equilibria it is on,
 * which a disturbance would let it leave, and says so. Guarded, the scaled diagonal of K is raised until it is
 * positive, so that every step leads downwards. */
#include <math.h>
#include <string.h>

#include "step/equilibrium/equilibrium.h"

#define TURN     0.5 /* most that a cell turns in an iteration [rad] */
#define BACK     0.8
#define CUTS     12 /* of a step, most */
#define PLAIN    20 /* iterations, most */
#define GUARDED  60
#define SHIFT    1e-4  /* of the diagonal: the first that is tried; then ten times as much */
#define ROUNDING 1e-13 /* a step this small, of size, is not a step any more */
#define NEARLY   1e-6  /* then this part of the load may be left */

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

static void assemble(scr_equilibrium *e, const double *given)
{
    memcpy(e->way, e->force, e->tangent.size * sizeof *e->way);
    scr_tangent_assemble(&e->tangent, e->elastic->factor, given, e->way);
}

// the way from here; guarded, with a shift where it would lead upwards
static scr_sparse_state solve(scr_equilibrium *e, const double *given, bool guarded)
{
    scr_sparse *sparse = e->tangent.sparse;
    assemble(e, given);
    scr_sparse_state state = scr_sparse_factor(sparse, 0);
    if (state == SCR_SPARSE_READY) state = scr_sparse_solve(sparse, e->way, e->way);
    e->tell->stable = state == SCR_SPARSE_READY;
    if (state == SCR_SPARSE_INDEFINITE && !guarded) {
        assemble(e, given);
        state = scr_sparse_factor_signs(sparse);
        if (state == SCR_SPARSE_READY) return scr_sparse_solve(sparse, e->way, e->way);
    }
    for (double shift = SHIFT; state == SCR_SPARSE_INDEFINITE && shift < 100; shift *= 10) {
        assemble(e, given);
        state = scr_sparse_factor(sparse, shift);
        if (state == SCR_SPARSE_READY) state = scr_sparse_solve(sparse, e->way, e->way);
    }
    return state;
}

// largest turn of a cell on its way, and largest motion of all in terms of size
static double largest_turn(const scr_equilibrium *e, double *motion)
{
    double turn = 0, most = 0;
    for (size_t k = 0; k < e->world->cells.table.count; k++) {
        double d[6];
        for (size_t c = 0; c < 6; c++) {
            int64_t n = e->tangent.number[6 * k + c];
            d[c] = n >= 0 ? e->way[n] : e->given[6 * k + c];
        }
        double angle = v3_norm(v3_load(d + 3));
        turn = fmax(turn, angle);
        most = fmax(most, fmax(angle, v3_norm(v3_load(d)) / e->size));
    }
    *motion = most;
    return turn;
}

// (1); the part of the step that was taken
static double search(scr_equilibrium *e, double s)
{
    size_t n = e->tangent.size;
    double start = fabs(dot(n, e->last, e->way));
    for (int cut = 0; cut < CUTS; cut++) {
        double end = dot(n, e->force, e->way);
        if (end >= -BACK * start) break;
        // where the power would be zero if it fell linearly
        double part = start / (start - end);
        s *= isfinite(part) ? fmax(part, 0.1) : 0.1;
        scr_equilibrium_move(e, s);
        scr_equilibrium_forces(e);
    }
    return s;
}

scr_search scr_newton(scr_equilibrium *e, bool guarded)
{
    int most = guarded ? GUARDED : PLAIN;
    scr_equilibrium_forces(e);
    for (int k = 0; k < most; k++) {
        double missing = scr_equilibrium_missing(e), motion;
        if (!(missing > 0) && e->left <= e->def->tolerance) return SCR_FOUND;
        scr_sparse_state state = solve(e, missing > 0 ? e->given : NULL, guarded);
        if (state == SCR_SPARSE_NO_MEMORY) return SCR_NO_ROOM;
        if (state == SCR_SPARSE_STOPPED) return SCR_STOPPED;
        if (state != SCR_SPARSE_READY) return SCR_NOT_FOUND;
        e->tell->iterations++;
        double turn = largest_turn(e, &motion), s = turn > TURN ? TURN / turn : 1;
        if (!isfinite(motion)) return SCR_NOT_FOUND;
        memcpy(e->last, e->force, e->tangent.size * sizeof *e->last);
        scr_equilibrium_keep(e);
        scr_equilibrium_move(e, s);
        scr_equilibrium_forces(e);
        if (guarded && !(missing > 0)) search(e, s);
        if (!isfinite(e->left)) return SCR_NOT_FOUND;
        if (motion < ROUNDING && e->left < NEARLY) return SCR_FOUND;
    }
    return SCR_NOT_FOUND;
}
