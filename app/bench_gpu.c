/* Steps on a GPU, and beside it on all cores: particle-steps per second, with lists and sorts, through the loop of a
 * run with an energy observer every 1000 steps. What steps wait for output at the start and the end is not counted.
 * Figures are printed as they come, first those of the GPU. --only: part of the name of a figure, as bed.2000000.rate,
 * cpu_rate (all rows on cores); --quick: small scenes, to see that it works.
 *
 * The chute is that of --state (CSV with id, type, diameter, density, places, velocities, spins; type 2 is frozen),
 * also copied in its periodic plane. The bed is simple cubic and pressed, so that each grain has six contacts and all
 * rest; in the one of ratio 20 large grains take the place of small ones. The hopper is a mesh, filled with grains that
 * fall. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    bench_folder folder;
    const char *state, *only;
    bool quick, cpu; /* cpu: rows on all cores now */
    int copied;      /* side of the chute that is written */
} bench_gpu_work;

/* A scene, of which so many steps are timed. */
typedef struct {
    const char *name;
    double dt;
    int steps, cpu_steps; /* on the GPU, and on all cores; 0: not there */
    char text[3000];
} timed;

static const char *figure_of(const bench_gpu_work *w, const char *name, char text[128])
{
    snprintf(text, 128, "gpu.%s.%s", name, w->cpu ? "cpu_rate" : "rate");
    return text;
}

static int steps_of(const bench_gpu_work *w, const timed *t)
{
    char name[128];
    if (w->only && !strstr(figure_of(w, t->name, name), w->only)) return 0;
    return w->cpu ? t->cpu_steps : t->steps;
}

static bool run(const bench_gpu_work *w, const timed *t, int steps, const char *device, scree_run_result *result)
{
    char path[2300], text[4096], name[2300];
    double end = steps * t->dt;
    bench_folder_file(&w->folder, "run.h5", path);
    bench_folder_file(&w->folder, "scene.yaml", name);
    snprintf(text, sizeof text,
             "%stime: {end: %.17g, step: %.17g}\noutput: {every: %.17g, checkpoint: %.17g, fields: [position]}\n"
             "observers: {energies: {type: ledger, every: %.17g}}\n",
             t->text, end, t->dt, end, end, 1000 * t->dt);
    scree_report report;
    scree_scene *scene = NULL;
    scree_run_def def = scree_run_def_default();
    def.output = path, def.force = true;
    def.simulation.quiet = !getenv("SCREE_GPU_TIMES") && !getenv("SCREE_GPU_MEMORY");
    def.simulation.device = device;
    scree_report_init(&report);
    bool ok = !scree_scene_parse(text, name, NULL, 0, &scene, &report) && !scree_run(scene, &def, result, &report);
    if (!ok) scree_report_print(&report, stderr);
    scree_report_deinit(&report);
    scree_scene_close(scene);
    return ok;
}

// on one device; where a scene is measured on both, their digests need not agree: the numbers of steps differ
static void measure(const bench_gpu_work *w, const timed *t)
{
    char name[128];
    scree_run_result r;
    if (!run(w, t, w->quick ? 3 : steps_of(w, t), w->cpu ? "cpu" : "gpu", &r)) return;
    double seconds = r.seconds - r.output_seconds;
    printf("%s on the %s: %lld grains, %lld contacts, %lld steps in %.3f s, started in %.1f s, digest %016llx\n",
           t->name, w->cpu ? "CPU" : "GPU", (long long)r.stats.bodies, (long long)r.stats.contacts,
           (long long)r.stats.step, seconds, r.start_seconds, (unsigned long long)r.digest);
    figure(figure_of(w, t->name, name), r.particle_steps / seconds, "%.4g", "particle-steps/s");
    fflush(stdout);
}

/* ---- chute ---- */

#define HOOKE                                                                                                      \
    "{stiffness: 200000, stiffness_ratio: 0.2857142857142857, friction: 0.5, damping: viscous, damping_rate: 50, " \
    "damping_ratio: 0}"
#define HERTZ "{normal: hertz}"
#define GRAIN "{density: 1, young: 2.457e7, poisson: 0.3, restitution: 0.5, friction: 0.5}"

// the grains of one type, side by side
static bool copy_type(const bench_gpu_work *w, int type, int side, const char *name)
{
    char path[2300], line[512];
    bench_folder_file(&w->folder, name, path);
    FILE *in = fopen(w->state, "r"), *out = fopen(path, "w");
    bool ok = in && out && fgets(line, sizeof line, in);
    if (ok) fprintf(out, "diameter,x,y,z,vx,vy,vz,wx,wy,wz\n");
    while (ok && fgets(line, sizeof line, in)) {
        double v[13];
        int n = 0;
        for (char *at = line; n < 13; n++, at += *at == ',') v[n] = strtod(at, &at);
        char rest[200]; // the same for all copies
        snprintf(rest, sizeof rest, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", v[6], v[7], v[8], v[9], v[10], v[11], v[12]);
        for (int k = 0; (int)v[1] == type && k < side * side; k++)
            fprintf(out, "%.9g,%.9g,%.9g,%s\n", v[2], v[4] + 40 * (k / side), v[5] + 20 * (k % side), rest);
    }
    if (in) fclose(in);
    return (!out || !fclose(out)) && ok;
}

// the two laws of one size have the same grains
static bool copy_grains(bench_gpu_work *w, int side)
{
    if (w->copied == side) return true;
    w->copied = 0;
    if (!copy_type(w, 1, side, "flow.csv") || !copy_type(w, 2, side, "base.csv")) return false;
    w->copied = side;
    return true;
}

static void chute(bench_gpu_work *w, int side, bool hertz, int steps, int cpu_steps)
{
    char name[64];
    timed t = {.name = name, .dt = 1e-4, .steps = steps, .cpu_steps = cpu_steps};
    if (w->quick && side > 2) side = 2;
    snprintf(name, sizeof name, "chute.%d.%s", 32000 * side * side, hertz ? "hertz" : "hooke");
    if (!w->state || !steps_of(w, &t) || !copy_grains(w, side)) return;
    snprintf(t.text, sizeof t.text,
             "scree: 1\ndomain: {box: [[0, 0, -1], [%d, %d, 60]], periodic: [x, y], boundary: stop}\n"
             "gravity: [=sin(26*pi/180), 0, =-cos(26*pi/180)]\nmaterials: {grain: %s}\ncontacts: {any: %s}\n"
             "bodies:\n  flow: {from: table, file: flow.csv, material: grain}\n"
             "  base: {from: table, file: base.csv, material: grain, frozen: true}\n",
             40 * side, 20 * side, hertz ? GRAIN : "{density: 1}", hertz ? HERTZ : HOOKE);
    measure(w, &t);
}

/* ---- beds ---- */

#define LARGE   20     /* diameter of large grains */
#define APART   26     /* in each direction, of which there are five, in one seven */
#define SPACING 0.9995 /* of the lattice */

// small grains on a lattice, but where large ones are
static bool write_lattice(const bench_gpu_work *w, const int side[3], bool large)
{
    char path[2300], at_text[400][16]; // coordinates
    bench_folder_file(&w->folder, "bed.csv", path);
    FILE *out = fopen(path, "w");
    if (!out) return false;
    for (int k = 0; k < 400; k++) snprintf(at_text[k], sizeof at_text[k], "%.9g", SPACING * (k + 0.5));
    fprintf(out, "diameter,x,y,z\n");
    for (int n = 0; n < side[0] * side[1] * side[2]; n++) {
        const int at[3] = {n % side[0], n / side[0] % side[1], n / side[0] / side[1]};
        double d2 = 0;
        bool middle = true;
        for (int d = 0; d < 3; d++) {
            int from = at[d] % APART - APART / 2;
            d2 += from * from, middle &= large && from == 0;
        }
        if (large && !middle && d2 < (0.5 * LARGE + 0.5) * (0.5 * LARGE + 0.5)) continue;
        fprintf(out, "%d,%s,%s,%s\n", middle ? LARGE : 1, at_text[at[0]], at_text[at[1]], at_text[at[2]]);
    }
    return !fclose(out);
}

static void bed(const bench_gpu_work *w, const char *name, int side, int up, bool large, int steps, int cpu_steps)
{
    timed t = {.name = name, .dt = 1e-4, .steps = steps, .cpu_steps = cpu_steps};
    if (w->quick) side = up = large ? 2 * APART : 20;
    if (!steps_of(w, &t) || !write_lattice(w, (const int[3]){side, side, up}, large)) return;
    snprintf(t.text, sizeof t.text,
             "scree: 1\ngravity: [0, 0, 0]\ndomain: {box: [[0, 0, 0], [%.9g, %.9g, %.9g]], periodic: [x, y, z]}\n"
             "materials: {grain: %s}\ncontacts: {any: %s}\n"
             "bodies: {bed: {from: table, file: bed.csv, material: grain}}\n",
             SPACING * side, SPACING * side, SPACING * up, GRAIN, HERTZ);
    measure(w, &t);
}

/* ---- hopper ---- */

typedef struct {
    double radius, height;
    int rows; /* of triangles to the next */
} ring;

static bool write_hopper(const bench_gpu_work *w, const ring *rings, int count, int around)
{
    char path[2300];
    int rows = 0;
    bench_folder_file(&w->folder, "hopper.obj", path);
    FILE *out = fopen(path, "w");
    if (!out) return false;
    for (int k = 0; k < count; k++)
        for (int m = 0; m < (k + 1 < count ? rings[k].rows : 1); m++, rows++) {
            const ring *a = &rings[k], *b = &rings[k + 1 < count ? k + 1 : k];
            double part = k + 1 < count ? (double)m / a->rows : 0, r = a->radius + part * (b->radius - a->radius),
                   z = a->height + part * (b->height - a->height);
            for (int j = 0; j < around; j++) {
                double angle = 6.283185307179586 * j / around;
                fprintf(out, "v %.9g %.9g %.9g\n", r * cos(angle), r * sin(angle), z);
            }
        }
    for (int m = 0; m + 1 < rows; m++)
        for (int j = 0; j < around; j++) {
            int p = m * around + j + 1, q = m * around + (j + 1) % around + 1;
            fprintf(out, "f %d %d %d\nf %d %d %d\n", p, q, p + around, q, q + around, p + around);
        }
    return !fclose(out);
}

static void hopper(const bench_gpu_work *w, int steps, int cpu_steps)
{
    timed t = {.name = "hopper", .dt = 1e-4, .steps = steps, .cpu_steps = cpu_steps};
    const double part = w->quick ? 0.2 : 1; // of all lengths
    const ring rings[] = {
        {10 * part, 0, w->quick ? 9 : 90}, {52 * part, 40 * part, w->quick ? 2 : 10}, {52 * part, 180 * part, 0}};
    if (!steps_of(w, &t) || !write_hopper(w, rings, 3, w->quick ? 50 : 500)) return;
    snprintf(t.text, sizeof t.text,
             "scree: 1\ngravity: [0, 0, -1]\nvalues: {s: %g}\n"
             "domain: {box: [[=-55*s, =-55*s, -2], [=55*s, =55*s, =185*s]], boundary: stop}\n"
             "materials: {grain: %s}\ncontacts: {any: %s}\n"
             "walls:\n  hopper: {shape: mesh, file: hopper.obj, material: grain}\n"
             "  floor: {shape: plane, material: grain}\n"
             "bodies:\n"
             "  cone: {from: lattice, kind: fcc, material: grain, diameter: 1, spacing: 1.001, velocity: [0, 0, -4], "
             "region: {shape: frustum, from: [0, 0, 0.6], to: [0, 0, =40*s], radius_from: =10*s-0.5, radius_to: "
             "=52*s-1}}\n"
             "  shaft: {from: lattice, kind: fcc, material: grain, diameter: 1, spacing: 1.001, velocity: [0, 0, -4], "
             "region: {shape: cylinder, from: [0, 0, =40*s+0.6], to: [0, 0, =114*s], radius: =52*s-0.7}}\n",
             part, GRAIN, HERTZ);
    measure(w, &t);
}

static void rows(bench_gpu_work *w, bool full)
{
    if (!w->quick) chute(w, 8, false, 4000, 40);
    if (!w->quick) chute(w, 8, true, 3000, 0);
    chute(w, 4, false, 8000, 200);
    chute(w, 1, false, 40000, 2000);
    chute(w, 1, true, 20000, 0);
    bed(w, "bed.2000000", 126, 126, false, 2000, 40);
    bed(w, "ratio", 5 * APART, 7 * APART, true, 2000, 20);
    hopper(w, 4000, 80);
    if (full) bed(w, "bed.32000000", 318, 318, false, 2000, 0);
}

static int gpu(const bench_def *def)
{
    bench_gpu_work w = {.state = def->state, .only = def->only, .quick = def->quick};
    if (!scree_gpus()) {
        fprintf(stderr, "there is no GPU: %s\n", scree_gpus_missing());
        return 77;
    }
    if (!bench_folder_make(&w.folder, NULL)) return 1;
    if (!w.state) fprintf(stderr, "no chute: --state gives its grains\n");
    for (int cpu = 0; cpu < 2; cpu++) {
        w.cpu = cpu;
        rows(&w, def->full);
    }
    bench_folder_remove(&w.folder);
    return 0;
}

const bench bench_gpu = {"gpu", "steps on a GPU, and on all cores; --full: a bed of 32 000 000 grains too", gpu};
