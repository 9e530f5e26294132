/* Peak memory of a dense bed, per grain. The bed is body-centred cubic and pressed by 0.01 %: four
 * contacts per grain, one more than a random packing has. It drifts through a periodic box by more than a diameter in
 * 64 steps, so that the neighbour list is built again while all contacts carry history, in the middle of a step and
 * with all bodies sorted anew: that is when most memory is in use. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// 2 side^3 grains of diameter d on a bcc lattice of edge a, as CSV
static bool write_bed(FILE *out, int side, double d, double a)
{
    fprintf(out, "x,y,z,diameter\n");
    for (int n = 0; n < 2 * side * side * side; n++) {
        int i = n / 2 % side, j = n / 2 / side % side, k = n / 2 / side / side;
        double shift = 0.25 + 0.5 * (n % 2);
        fprintf(out, "%.9g,%.9g,%.9g,%.9g\n", a * (i + shift), a * (j + shift), a * (k + shift), d);
    }
    return fflush(out) == 0;
}

static int memory(const bench_def *def)
{
    int grains = def->grains ? def->grains : 1000000;
    int side = (int)ceil(cbrt(grains / 2.0));
    const char *tmp = getenv("TMPDIR");
    char path[1024], text[4096];
    snprintf(path, sizeof path, "%s/scree-bed-XXXXXX", tmp && *tmp ? tmp : P_tmpdir);
    double d = 0.01, a = 0.9999 * d * 2 / sqrt(3), size = a * side;
    int file = mkstemp(path);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    bool ok = out && write_bed(out, side, d, a);
    if (out) fclose(out);
    snprintf(text, sizeof text,
             "scree: 1\ndomain: {box: [[0, 0, 0], [%.9g, %.9g, %.9g]], periodic: [x, y, z]}\n"
             "gravity: [0, 0, 0]\n"
             "materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}\n"
             "contacts: {any: {stiffness: 1e5}}\n"
             "bodies: {bed: {from: table, material: glass, file: \"%s\", velocity: [50, 0, 0]}}\n"
             "stepper: soft\ntime: {end: 1}\n",
             size, size, size, path);
    bench_world w = {0};
    if (ok) w = bench_open(text, scree_simulation_def_default());
    scree_simulation *s = w.simulation;
    unlink(path);
    if (!s || bench_advance(s, def->steps ? def->steps : 80) < 0) return 1;
    scree_stats stats = scree_simulation_stats(s);
    double bytes = (double)scree_peak_memory() / (double)stats.bodies;
    printf("%lld grains, %.2f contacts and %.2f listed pairs per grain, %lld list builds\n", (long long)stats.bodies,
           (double)stats.contacts / (double)stats.bodies, (double)stats.pairs / (double)stats.bodies,
           (long long)stats.rebuilds);
    bench_close(&w);
    figure("memory.grains", (double)stats.bodies, "%.0f", "-");
    figure("memory.bytes_per_grain", bytes, "%.1f", "byte");
    return 0;
}

const bench bench_memory = {"memory", "peak memory of a dense bed of 1 000 000 grains", memory};
