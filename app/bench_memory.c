/* Peak memory of a dense bed, per grain. The bed is hexagonally close packed and pressed by 0.01 %: six contacts per
 * grain, twice as many as a random packing has, so the figure is an upper bound. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// grains of diameter d in rows of `side`, as CSV
static bool write_bed(FILE *out, int grains, int side, double d)
{
    double a = 0.9999 * d;
    fprintf(out, "x,y,z,diameter\n");
    for (int n = 0; n < grains; n++) {
        int i = n % side, j = n / side % side, k = n / side / side;
        double x = a * (i + 0.5 * ((j + k) % 2)), y = a * sqrt(0.75) * (j + k % 2 / 3.0);
        fprintf(out, "%.9g,%.9g,%.9g,%.9g\n", d + x, d + y, d + a * sqrt(2.0 / 3) * k, d);
    }
    return fflush(out) == 0;
}

static int memory(const bench_def *def)
{
    int grains = def->grains ? def->grains : 1000000;
    int side = (int)ceil(cbrt(grains));
    const char *tmp = getenv("TMPDIR");
    char path[1024], text[4096];
    snprintf(path, sizeof path, "%s/scree-bed-XXXXXX", tmp && *tmp ? tmp : P_tmpdir);
    double d = 0.01, size = d * (side + 3);
    int file = mkstemp(path);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    bool ok = out && write_bed(out, grains, side, d);
    if (out) fclose(out);
    snprintf(text, sizeof text,
             "scree: 1\ndomain: {box: [[0, 0, 0], [%.9g, %.9g, %.9g]], boundary: stop}\n"
             "materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}\n"
             "contacts: {any: {stiffness: 1e5}}\n"
             "bodies: {bed: {from: table, material: glass, file: \"%s\"}}\n"
             "walls: {box: {shape: box, material: glass, box: [[0, 0, 0], [%.9g, %.9g, %.9g]]}}\n"
             "stepper: soft\ntime: {end: 1}\n",
             size, size, size, path, size, size, size);
    scree_simulation *s = ok ? bench_simulation(text, 0, false) : NULL;
    unlink(path);
    if (!s || bench_advance(s, def->steps ? def->steps : 40) < 0) return 1;
    scree_stats stats = scree_simulation_stats(s);
    double bytes = (double)scree_peak_memory() / (double)stats.bodies;
    printf("%lld grains, %.2f contacts and %.2f listed pairs per grain, %lld list builds\n",
           (long long)stats.bodies, (double)stats.contacts / (double)stats.bodies,
           (double)stats.pairs / (double)stats.bodies, (long long)stats.rebuilds);
    scree_simulation_destroy(s);
    figure("memory.grains", (double)stats.bodies, "%.0f", "-");
    figure("memory.bytes_per_grain", bytes, "%.1f", "byte");
    return 0;
}

const bench bench_memory = {"memory", "peak memory of a dense bed of 1 000 000 grains", memory};
