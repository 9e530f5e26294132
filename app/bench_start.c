/* Start-up: from the text of a scene to a simulation that can step (reading, generating, checks, the first neighbour
 * list and the first forces), of 1 000 000 grains on all threads. Wall time and CPU time, best of some
 * rounds.
 *
 *   lattice  a simple cubic lattice on a plane, in which neighbours touch
 *   random   random sequential insertion to a solid fraction of 0.19
 *   table    the lattice from a CSV file */
#include "bench.h"

#include <math.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *const variants[] = {"lattice", "random", "table"};
enum { LATTICE, RANDOM, TABLE, VARIANTS };

// grains of diameter 1, `side` of them along each edge of the box
static bool write_table(const char *path, int side)
{
    FILE *out = fopen(path, "w");
    if (!out) return false;
    fprintf(out, "x,y,z,diameter\n");
    for (int n = 0; n < side * side * side; n++)
        fprintf(out, "%.9g,%.9g,%.9g,1\n", n % side + 0.5, n / side % side + 0.5, n / side / side + 0.5);
    return fclose(out) == 0;
}

static void write_scene(char *text, size_t size, int variant, int side, const char *table)
{
    char from[2400];
    if (variant == LATTICE)
        snprintf(from, sizeof from, "lattice, diameter: 1");
    else if (variant == RANDOM)
        snprintf(from, sizeof from, "random, diameter: 0.715, count: %d", side * side * side);
    else
        snprintf(from, sizeof from, "table, file: \"%s\"", table);
    snprintf(text, size,
             "scree: 1\ndomain: {box: [[0, 0, 0], [%d, %d, %d]], periodic: [x, y]}\n"
             "materials: {glass: {density: 1, restitution: 0.5, friction: 0.5}}\n"
             "contacts: {any: {stiffness: 1e5}}\n"
             "bodies: {bed: {material: glass, from: %s}}\n"
             "walls: {floor: {shape: plane, material: glass}}\n"
             "stepper: soft\ntime: {end: 1}\n",
             side, side, side, from);
}

typedef struct {
    double wall, cpu; /* [s] */
    scree_stats stats;
} cost;

static bool one_round(const char *text, int threads, cost *best)
{
    double wall = now(), cpu = bench_cpu();
    bench_world w = bench_open(text, (scree_simulation_def){.threads = threads});
    wall = now() - wall, cpu = bench_cpu() - cpu;
    if (!w.simulation) return false;
    if (wall < best->wall) best->wall = wall;
    if (cpu < best->cpu) best->cpu = cpu;
    best->stats = scree_simulation_stats(w.simulation);
    bench_close(&w);
    return true;
}

static void say(const char *variant, const cost *c)
{
    char name[64];
    printf("%-8s %lld grains, %.2f listed pairs per grain: wall time %.2f s, CPU time %.2f s\n", variant,
           (long long)c->stats.bodies, (double)c->stats.pairs / (double)c->stats.bodies, c->wall, c->cpu);
    snprintf(name, sizeof name, "start.%s.wall", variant);
    figure(name, c->wall, "%.3f", "s");
    snprintf(name, sizeof name, "start.%s.cpu", variant);
    figure(name, c->cpu, "%.3f", "s");
}

static int start(const bench_def *def)
{
    bool any = !def->only, ok = true;
    for (int v = 0; v < VARIANTS; v++) any |= def->only && !strcmp(def->only, variants[v]);
    if (!any) return bench_no_variant(def->only);
    int side = (int)ceil(cbrt(def->grains ? def->grains : 1000000) - 1e-9), rounds = def->rounds ? def->rounds : 3;
    bench_folder folder;
    char table[2300], text[3000];
    if (!bench_folder_make(&folder, NULL)) return 1;
    bench_folder_file(&folder, "grains.csv", table);
    ok = write_table(table, side);
    for (int v = 0; v < VARIANTS && ok; v++) {
        if (def->only && strcmp(def->only, variants[v]) != 0) continue;
        cost best = {.wall = INFINITY, .cpu = INFINITY};
        write_scene(text, sizeof text, v, side, table);
        for (int k = 0; k < rounds && ok; k++) ok = one_round(text, def->threads, &best);
        if (ok) say(variants[v], &best);
    }
    bench_folder_remove(&folder);
    return ok ? 0 : 1;
}

const bench bench_start_up = {"start", "from a scene of 1 000 000 grains to the first step", start};
