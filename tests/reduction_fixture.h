/* Grains that merge into aggregates: loose layers of rock, steps of 5 ms. */
#ifndef SCREE_TESTS_REDUCTION_FIXTURE_H
#define SCREE_TESTS_REDUCTION_FIXTURE_H

#include "base/random.h"
#include "run/simulation.h"
#include "stage.h"
#include "world/carrier.h"

#define R 6.5e-3
#define D (2 * R)

enum { MOST = 1200 };

typedef struct {
    const char *walls, *stepper, *resolved;
    double height; /* of the domain */
} setting;

static inline bool set(stage *s, const setting *c, const grain *g, int n)
{
    return stage_open(s, g, n,
                      "scree: 1\n"
                      "domain: {box: [[-2, -2, -0.5], [4, 2, 2]]}\n"
                      "materials:\n"
                      "  rock: {density: 3700, restitution: 0.18, friction: 0.91, "
                      "rolling_friction: 0.32}\n"
                      "  ice: {density: 3700, restitution: 0.18, friction: 0}\n"
                      "contacts:\n"
                      "  any: {stiffness: 3 kN/m, rolling: sds}\n"
                      "  rock/ice: {stiffness: 3 kN/m, friction: 0, rolling: none}\n"
                      "bodies:\n"
                      "  all: {from: table, file: @, type: 1, material: rock}\n"
                      "  fixed: {from: table, file: @, type: 2, material: rock, frozen: yes}\n"
                      "walls: {%s}\n"
                      "%s\n"
                      "stepper: {type: nonsmooth, reduction: %s}\n"
                      "time: {end: 100, step: 5 ms}\n",
                      c->walls, c->resolved ? c->resolved : "", c->stepper ? c->stepper : "on");
}

// layers of loose grains from the floor up; the last one is a stranger that never moves, far away
static inline int lay(grain *g, int nx, int ny, int nz, uint64_t seed)
{
    scr_random r = scr_random_stream(seed, 1);
    int n = 0;
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++, n++) {
                double pitch = 1.05 * D, j = 0.02 * D;
                double at[3] = {(x + 0.5) * pitch, (y + 0.5) * pitch, (z + 0.5) * pitch};
                g[n] = (grain){.radius = n % 2 ? R : R * 10 / 13, .type = 1};
                for (int d = 0; d < 3; d++) {
                    g[n].x[d] = at[d] + scr_random_between(&r, -j, j);
                    g[n].v[d] = scr_random_between(&r, -0.5, 0.5);
                }
            }
    g[n] = (grain){.x = {-1.5, -1.5, 1}, .radius = R, .type = 2};
    return n;
}

static inline scree_stats stats(const stage *s)
{
    return scree_simulation_stats(s->sim);
}

// what the ledger does not know but for overlaps that no step foresaw, over what was lost
static inline double closure(const stage *s)
{
    scree_energies e = scree_simulation_energies(s->sim);
    const scr_tally *t = &s->sim->world.tally;
    double lost = e.damping + e.friction + e.numerical + 1e-30;
    return fabs(e.closure - t->unforeseen - t->unsolved) / lost;
}

// the larger of what no step foresaw and what sweeps left, over the same
static inline double missing(const stage *s)
{
    scree_energies e = scree_simulation_energies(s->sim);
    const scr_tally *t = &s->sim->world.tally;
    return fmax(fabs(t->unforeseen), fabs(t->unsolved)) / (e.damping + e.friction + e.numerical + 1e-30);
}

// steps until all grains are part of aggregates; true when they are
static inline bool sleep_all(stage *s, int n, int most)
{
    for (int k = 0; k < most; k += 10) {
        stage_advance(s, 10);
        if (stats(s).merged == n) return true;
    }
    return false;
}

#endif
