/* What output costs: a run of many grains that writes a frame every 50 steps, beside the same run without frames.
 *
 * Three numbers tell it. `held` is how long steps waited for output: copying the frame, and where the disk or the
 * processor is too slow also the frames before. `writer` is CPU time of the thread that writes: where a core is free
 * it costs nothing, where all are busy it is taken from steps. `cpu` is what the whole process spent more.
 *
 * Memory that a virtual machine has not used yet is slow to write to for the first time (110 MB/s), and files go
 * through it. So a file as large as all that a variant writes is written and removed before the first, and each
 * variant's results are removed behind it: all of them write to memory that was used before. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVERY = 50 };

typedef struct {
    const char *name, *output; /* more keys of the section */
    bool frames;
} variant;

static const variant variants[] = {
    {"without", "", false},
    {"plain", ", compress: none", true},
    {"double", "", true},
    {"single", ", precision: single", true},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

typedef struct {
    double seconds, cpu, held, writer; /* [s] */
    double bytes;                      /* of a frame */
    uint64_t digest;
} measured;

// dense and stirred: body-centred cubic, pressed by 0.01 %, four contacts per grain, and all move
static bool write_bed(const char *path, int side, double d, double a)
{
    FILE *out = fopen(path, "w");
    if (!out) return false;
    uint64_t dice = 1;
    fprintf(out, "x,y,z,diameter,vx,vy,vz\n");
    for (int n = 0; n < 2 * side * side * side; n++) {
        int i = n / 2 % side, j = n / 2 / side % side, k = n / 2 / side / side;
        double shift = 0.25 + 0.5 * (n % 2), v[3];
        for (int c = 0; c < 3; c++) {
            dice = dice * 6364136223846793005u + 1442695040888963407u;
            v[c] = 0.2 * ((double)(dice >> 40) / (1 << 24) - 0.5);
        }
        fprintf(out, "%.12g,%.12g,%.12g,%.12g,%.6f,%.6f,%.6f\n", a * (i + shift), a * (j + shift), a * (k + shift), d,
                v[0], v[1], v[2]);
    }
    return fclose(out) == 0;
}

static void scene_text(char *text, size_t size, const char *bed, double edge, int steps, const variant *v)
{
    double dt = 5e-6, end = steps * dt;
    snprintf(text, size,
             "scree: 1\ngravity: [0, 0, 0]\n"
             "domain: {box: [[0, 0, 0], [%.12g, %.12g, %.12g]], periodic: [x, y, z]}\n"
             "materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}\n"
             "contacts: {any: {stiffness: 1e5}}\n"
             "bodies: {bed: {from: table, material: glass, file: \"%s\"}}\n"
             "stepper: soft\ntime: {end: %.12g, step: %.9g}\n"
             "output: {every: %.12g, checkpoint: %.12g%s}\n",
             edge, edge, edge, bed, end, dt, v->frames ? EVERY * dt : end, end, v->output);
}

// steps begin: what was spent before is not theirs
static void note_start(void *context, const char *path)
{
    (void)path;
    *(double *)context = bench_cpu();
}

// of a frame behind the first, which has what is written once
static double frame_bytes(const char *path)
{
    char name[1200];
    struct stat info;
    snprintf(name, sizeof name, "%s.data/frame-00000001.h5", path);
    return stat(name, &info) ? 0 : (double)info.st_size;
}

// a folder, or a results file and the folder beside it
static void remove_results(const char *path)
{
    char command[2400];
    snprintf(command, sizeof command, "rm -rf '%s' '%s.data'", path, path);
    if (system(command)) fprintf(stderr, "%s cannot be removed\n", path);
}

static bool measure(const char *folder, int side, int steps, const variant *v, measured *m)
{
    char text[4096], path[1100], bed[1100];
    double d = 0.01, a = 0.9999 * d * 2 / sqrt(3), cpu = 0;
    scree_report report;
    scree_run_result result;
    scree_report_init(&report);
    snprintf(bed, sizeof bed, "%s/bed.csv", folder);
    scene_text(text, sizeof text, bed, a * side, steps, v);
    snprintf(path, sizeof path, "%s/%s.h5", folder, v->name);
    scree_scene *scene = NULL;
    scree_run_def def = scree_run_def_default();
    def.output = path;
    def.simulation.quiet = true;
    def.simulation.device = "cpu";
    def.ready = note_start;
    def.context = &cpu;
    bool ok = write_bed(bed, side, d, a) && !scree_scene_parse(text, "bench.yaml", NULL, 0, &scene, &report) &&
              !scree_run(scene, &def, &result, &report);
    if (ok)
        *m = (measured){.seconds = result.seconds,
                        .cpu = bench_cpu() - cpu,
                        .held = result.output_seconds,
                        .writer = result.writer_seconds,
                        .bytes = frame_bytes(path),
                        .digest = result.digest};
    scree_report_print(&report, stderr);
    scree_report_deinit(&report);
    scree_scene_close(scene);
    remove_results(path);
    return ok;
}

// the least of each number: other work on the machine only adds
static void keep_best(measured *best, const measured *m)
{
    best->seconds = fmin(best->seconds, m->seconds);
    best->cpu = fmin(best->cpu, m->cpu);
    best->held = fmin(best->held, m->held);
    best->writer = fmin(best->writer, m->writer);
    best->bytes = m->bytes;
    best->digest = m->digest;
}

static void say(const variant *v, const measured *m, const measured *without, int frames, double grains)
{
    char name[64];
    printf("%-14s %8.2f s, CPU %8.2f s, held %6.3f s, writer %6.2f s, %7.2f MB a frame, digest %016llx\n", v->name,
           m->seconds, m->cpu, m->held, m->writer, 1e-6 * m->bytes, (unsigned long long)m->digest);
    if (!v->frames) return;
    // the last frame is written without them, too
    double more = frames - 1, share = 100 * frames / more;
    const struct {
        const char *what, *unit;
        double value;
    } figures[] = {
        {"loss", "%", share * (m->seconds / without->seconds - 1)},
        {"held", "%", share * (m->held - without->held) / without->seconds},
        {"writer", "%", share * (m->writer - without->writer) / without->cpu},
        {"cpu", "%", share * (m->cpu / without->cpu - 1)},
        {"writer_per_frame", "s", (m->writer - without->writer) / more},
        {"bytes_per_grain", "byte", m->bytes / grains},
    };
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
        snprintf(name, sizeof name, "output.%s.%s", v->name, figures[k].what);
        figure(name, figures[k].value, "%.3g", figures[k].unit);
    }
}

// grains of a frame and of a checkpoint, with their contacts, are less than this [bytes]
enum { WARM = 1024, WARM_BLOCK = 1 << 20 };

static bool warm_memory(const char *folder, double grains, int frames)
{
    char path[1100];
    snprintf(path, sizeof path, "%s/warm", folder);
    FILE *out = fopen(path, "w");
    char *block = calloc(1, WARM_BLOCK);
    bool ok = out && block;
    for (double left = grains * (WARM + 100.0 * frames); ok && left > 0; left -= WARM_BLOCK)
        ok = fwrite(block, 1, WARM_BLOCK, out) == WARM_BLOCK;
    free(block);
    if (out) ok = !fclose(out) && ok;
    return !unlink(path) && ok;
}

static int output(const bench_def *def)
{
    int side = (int)ceil(cbrt(0.5 * (def->grains ? def->grains : 1000000)) - 1e-9),
        steps = def->steps ? def->steps : 4 * EVERY;
    const char *tmp = getenv("TMPDIR");
    char folder[1024];
    measured best[VARIANTS];
    int known = !def->only;
    for (int v = 0; v < VARIANTS; v++) known |= def->only && !strcmp(def->only, variants[v].name);
    if (!known) return bench_no_variant(def->only);
    if (steps < 2 * EVERY) steps = 2 * EVERY;
    snprintf(folder, sizeof folder, "%s/scree-bench-XXXXXX", tmp && *tmp ? tmp : P_tmpdir);
    if (!mkdtemp(folder)) return 1;
    double grains = 2 * pow(side, 3);
    bool ok = warm_memory(folder, grains, steps / EVERY);
    for (int round = 0; ok && round < (def->rounds ? def->rounds : 3); round++)
        for (int v = 0; ok && v < VARIANTS; v++) {
            if (def->only && v && strcmp(def->only, variants[v].name)) continue;
            measured m;
            ok = measure(folder, side, steps, &variants[v], &m);
            if (!round) best[v] = m;
            if (ok) keep_best(&best[v], &m);
        }
    remove_results(folder);
    printf("%.0f grains, %d steps, a frame every %d\n", grains, steps, EVERY);
    for (int v = 0; ok && v < VARIANTS; v++)
        if (!def->only || !v || !strcmp(def->only, variants[v].name))
            say(&variants[v], &best[v], &best[0], steps / EVERY, grains);
    return ok ? 0 : 1;
}

const bench bench_output = {"output", "what frames cost a run of 1 000 000 grains, a frame every 50 steps", output};
