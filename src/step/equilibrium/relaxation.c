/* Dynamic relaxation: the cells move under the forces that are left, with masses that suit their stiffness and just so
 * much damping that the slowest motion does not swing (Underwood 1983). Needs no matrix, many iterations, and finds its
 * way through snaps. With steps of one unit of time,
 *
 *   v <- ((2 - c) v + 2 F/M)/(2 + c),   x <- x + v,   M = sum |K_ij| / 4 x MARGIN,                    (1)
 *   c = 2 omega,   omega^2 = v.(F_before - F)/(v.M v),                                               (2)
 *
 * M being large enough that (1) is stable (Gershgorin), and (2) Rayleigh's quotient of the motion as it is. */
#include <math.h>
#include <string.h>

#include "base/os.h"
#include "step/equilibrium/equilibrium.h"

#define MARGIN 1.2
#define RENEW  1000 /* iterations after which the masses are made anew */
#define TURN   0.3  /* most that a cell turns in an iteration [rad] */

static void set_masses(scr_equilibrium *e, double *mass)
{
    scr_tangent_row_sums(&e->tangent, e->elastic->factor, mass);
    for (size_t k = 0; k < e->tangent.size; k++) mass[k] *= 0.25 * MARGIN;
}

static void cap(double *way, size_t n, double most)
{
    for (size_t k = 0; k < n; k++) way[k] = fmax(-most, fmin(most, way[k]));
}

static void advance(scr_equilibrium *e, const double *mass, double c)
{
    size_t n = e->tangent.size;
    for (size_t k = 0; k < n; k++) e->way[k] = ((2 - c) * e->way[k] + 2 * e->force[k] / mass[k]) / (2 + c);
    for (size_t k = 0; k < 6 * e->world->cells.table.count; k++) {
        int64_t at = e->tangent.number[k];
        if (at >= 0 && k % 6 >= 3) cap(e->way + at, 1, TURN);
    }
    memcpy(e->last, e->force, n * sizeof *e->last);
    scr_equilibrium_keep(e);
    scr_equilibrium_move(e, 1);
    scr_equilibrium_forces(e);
}

// (2)
static double damping(const scr_equilibrium *e, const double *mass)
{
    double stiff = 0, heavy = 0;
    for (size_t k = 0; k < e->tangent.size; k++) {
        stiff += e->way[k] * (e->last[k] - e->force[k]);
        heavy += e->way[k] * mass[k] * e->way[k];
    }
    return heavy > 0 && stiff > 0 ? fmin(2 * sqrt(stiff / heavy), 1.9) : 0;
}

scr_search scr_relaxation(scr_equilibrium *e)
{
    double *mass = e->mass, c = 0;
    // what is prescribed goes to its place at once
    memset(e->way, 0, e->tangent.size * sizeof *e->way);
    scr_equilibrium_missing(e);
    scr_equilibrium_keep(e);
    scr_equilibrium_move(e, 1);
    memset(e->given, 0, 6 * e->world->cells.table.count * sizeof *e->given);
    scr_equilibrium_forces(e);
    for (int64_t k = 0; k < e->def->iterations; k++) {
        if (e->left <= e->def->tolerance) return SCR_FOUND;
        if (scr_signal_pending()) return SCR_STOPPED;
        if (k % RENEW == 0) set_masses(e, mass);
        advance(e, mass, c);
        c = damping(e, mass);
        e->tell->iterations++;
        if (!isfinite(e->left)) return SCR_NOT_FOUND;
    }
    return SCR_NOT_FOUND;
}
