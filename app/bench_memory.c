/* Peak memory of a dense bed, per grain. */
#include "bench.h"

#include <math.h>
#include <stdio.h>

static int memory(const bench_def *def)
{
    int grains = def->grains ? def->grains : 1000000;
    int side = (int)ceil(cbrt(grains));
    // touching rows of equal grains, each held by its neighbours: about as many contacts as a packing has
    char text[2048];
    double d = 0.01, width = d * (side + 1), height = 1.2 * d * (side + 2);
    snprintf(text, sizeof text,
             "scree: 1\ndomain: {box: [[0, 0, 0], [%.9g, %.9g, %.9g]], boundary: stop}\n"
             "materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}\n"
             "contacts: {any: {stiffness: 1e5}}\n"
             "bodies: {bed: {from: lattice, kind: hcp, material: glass, diameter: %.9g, spacing: %.9g, count: "
             "%d, region: {shape: box, box: [[0, 0, 0], [%.9g, %.9g, %.9g]]}}}\n"
             "walls: {box: {shape: box, material: glass, box: [[0, 0, 0], [%.9g, %.9g, %.9g]]}}\n"
             "stepper: soft\ntime: {end: 1}\n",
             width, width, height, d, 0.9999 * d, grains, width, width, height, width, width, height);
    scree_simulation *s = bench_simulation(text, 0, false);
    if (!s || bench_advance(s, def->steps ? def->steps : 40) < 0) return 1;
    scree_stats stats = scree_simulation_stats(s);
    double bytes = (double)scree_peak_memory() / (double)stats.bodies;
    printf("%lld grains, %.2f contacts and %.2f listed pairs per grain\n", (long long)stats.bodies,
           (double)stats.contacts / (double)stats.bodies, (double)stats.pairs / (double)stats.bodies);
    scree_simulation_destroy(s);
    figure("memory.grains", (double)stats.bodies, "%.0f", "-");
    figure("memory.bytes_per_grain", bytes, "%.1f", "byte");
    return 0;
}

const bench bench_memory = {"memory", "peak memory of a dense bed of 1 000 000 grains", memory};
