/* What the benchmarks of the stepper `nonsmooth` share: states, steps that are timed, and what is measured of them. */
#include "bench.h"

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void bench_set(bench_settings *s, const char *path, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(s->values[s->count], sizeof s->values[0], format, list);
    va_end(list);
    s->all[s->count] = (scree_setting){path, s->values[s->count]};
    s->count++;
}

// settings hold pointers to their own values
static scree_scene *read_scene(const char *text, const bench_settings *settings, scree_report *r)
{
    scree_setting all[BENCH_SETTINGS];
    for (int k = 0; k < settings->count; k++) all[k] = (scree_setting){settings->all[k].path, settings->values[k]};
    scree_scene *scene = NULL;
    scree_scene_parse(text, "bench.yaml", all, settings->count, &scene, r);
    return scene;
}

double bench_make(const char *text, const bench_settings *settings, const char *from, const char *output)
{
    scree_report report;
    scree_report_init(&report);
    scree_run_def def = scree_run_def_default();
    def.simulation = (scree_simulation_def){.threads = 1, .quiet = true, .from = from};
    def.output = output;
    double start = bench_cpu();
    scree_scene *scene = read_scene(text, settings, &report);
    scree_run_result result;
    bool ok = scene && !scree_run(scene, &def, &result, &report);
    double seconds = bench_cpu() - start;
    if (!ok) unlink(output);
    scree_scene_close(scene);
    // the step of 5 ms is that of the paper: it is not worth a warning here
    if (!ok) scree_report_print(&report, stderr);
    scree_report_deinit(&report);
    return ok ? seconds : -1;
}

bench_world bench_start(const char *text, const bench_settings *settings, const char *from)
{
    scree_report report;
    scree_report_init(&report);
    scree_simulation_def def = {.threads = settings->threads ? settings->threads : 1, .quiet = true, .from = from};
    bench_world w = {.scene = read_scene(text, settings, &report)};
    if (w.scene) scree_simulation_create(w.scene, &def, &w.simulation, &report);
    if (!w.simulation) scree_report_print(&report, stderr);
    scree_report_deinit(&report);
    return w;
}

bool bench_steps(scree_simulation *s, int64_t steps, bench_cost *cost)
{
    *cost = (bench_cost){.steps = steps};
    scree_stats before = scree_simulation_stats(s), now = before;
    for (int64_t k = 0; k < steps; k++) {
        double start = bench_cpu();
        if (bench_advance(s, 1) < 0) return false;
        double seconds = bench_cpu() - start;
        now = scree_simulation_stats(s);
        cost->cpu += seconds;
        cost->dearest = fmax(cost->dearest, seconds);
        if (now.solved) cost->busy++, cost->busy_cpu += seconds;
        cost->h += now.reduction / (double)steps;
    }
    cost->grains = now.bodies;
    double all = now.all_sweeps - before.all_sweeps;
    cost->active = all > 0 ? (now.solved_sweeps - before.solved_sweeps) / all : 0;
    return true;
}

double bench_observe(scree_simulation *s, const char *observer, const char *column)
{
    scree_report report;
    scree_report_init(&report);
    double *values = NULL, value = NAN;
    int count = 0;
    if (!scree_simulation_observe(s, observer, column, &values, &count, &report) && count > 0) value = values[0];
    free(values);
    scree_report_print(&report, stderr);
    scree_report_deinit(&report);
    return value;
}

double *bench_view(const scree_simulation *s, const char *view, int64_t *bodies)
{
    scree_report report;
    scree_report_init(&report);
    double *data = NULL;
    int width;
    scree_simulation_read(s, view, &data, bodies, &width, &report);
    scree_report_print(&report, stderr);
    scree_report_deinit(&report);
    return data;
}

/* ---- states ---- */

bool bench_folder_make(bench_folder *f, const char *kept)
{
    const char *shared = getenv("TMPDIR");
    f->temporary = !kept;
    if (kept)
        snprintf(f->path, sizeof f->path, "%s", kept);
    else
        snprintf(f->path, sizeof f->path, "%s/scree-bench-XXXXXX", shared ? shared : "/tmp");
    bool ok = kept ? !mkdir(f->path, 0777) || errno == EEXIST : mkdtemp(f->path) != NULL;
    if (!ok) fprintf(stderr, "scree bench: %s cannot be made: %s\n", f->path, strerror(errno));
    return ok;
}

static int remove_one(const char *path, const struct stat *what, int kind, struct FTW *where)
{
    (void)what, (void)kind, (void)where;
    return remove(path);
}

void bench_folder_remove(const bench_folder *f)
{
    if (f->temporary) nftw(f->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

bool bench_folder_file(const bench_folder *f, const char *name, char path[2300])
{
    snprintf(path, 2300, "%s/%s", f->path, name);
    return access(path, R_OK) == 0;
}

/* ---- what is seen ---- */

static double slope_of(const double *x, const double *z, int n)
{
    double sx = 0, sz = 0, sxx = 0, sxz = 0;
    for (int k = 0; k < n; k++) sx += x[k], sz += z[k], sxx += x[k] * x[k], sxz += x[k] * z[k];
    return atan(-(n * sxz - sx * sz) / (n * sxx - sx * sx)) * 180 / M_PI;
}

// line through those that topped the columns of d x d when it began and are above the lowest layer
static double tagged_angle(const double *before, const double *after, int64_t n)
{
    enum { SIDE = 15 };
    int64_t top[SIDE][SIDE];
    memset(top, -1, sizeof top);
    for (int64_t i = 0; i < n; i++) {
        int a = (int)fmin(fmax(before[3 * i] / BENCH_DIAMETER, 0), SIDE - 1);
        int b = (int)fmin(fmax(before[3 * i + 1] / BENCH_DIAMETER, 0), SIDE - 1);
        if (top[a][b] < 0 || before[3 * i + 2] > before[3 * top[a][b] + 2]) top[a][b] = i;
    }
    double x[SIDE * SIDE], z[SIDE * SIDE];
    int count = 0;
    for (int k = 0; k < SIDE * SIDE; k++) {
        int64_t i = top[k / SIDE][k % SIDE];
        if (i < 0 || after[3 * i + 2] < BENCH_DIAMETER) continue;
        x[count] = after[3 * i], z[count++] = after[3 * i + 2];
    }
    return slope_of(x, z, count);
}

bool bench_heap_of(scree_simulation *s, const double *before, bench_heap *heap)
{
    int64_t n = 0;
    double *x = bench_view(s, "position", &n), *m = bench_view(s, "mass", &n);
    if (x && m) {
        double all = 0, out = 0, height = 0;
        for (int64_t i = 0; i < n; i++) {
            all += m[i];
            height += m[i] * x[3 * i + 2];
            if (x[3 * i] > 15 * BENCH_DIAMETER) out += m[i];
        }
        *heap = (bench_heap){.slope = bench_observe(s, "bank", "angle"),
                             .height = bench_observe(s, "bank", "height") / BENCH_DIAMETER,
                             .runout = out / all,
                             .middle = height / all / BENCH_DIAMETER,
                             .tagged = tagged_angle(before, x, n)};
    }
    bool ok = x && m;
    free(x);
    free(m);
    return ok;
}

bool bench_turn(scree_simulation *s, int64_t steps, bench_cost *cost, bench_flowing *seen)
{
    enum { EVERY = 10 };
    *cost = (bench_cost){0};
    double angle = 0, square = 0, kinetic = 0, lift = 0, h = 0, solved = 0;
    int samples = 0;
    while (cost->steps < steps) {
        bench_cost part;
        if (!bench_steps(s, EVERY, &part)) return false;
        cost->grains = part.grains;
        cost->steps += part.steps;
        cost->cpu += part.cpu;
        cost->dearest = fmax(cost->dearest, part.dearest);
        h += part.h;
        solved += part.active;
        double a = bench_observe(s, "surface", "angle");
        angle += a, square += a * a;
        kinetic += scree_simulation_energies(s).translation;
        lift += bench_observe(s, "surface", "highest") / BENCH_DIAMETER;
        samples++;
    }
    cost->h = h / samples;
    cost->active = solved / samples;
    angle /= samples;
    *seen = (bench_flowing){.angle = angle,
                            .spread = sqrt(fmax(0, square / samples - angle * angle)),
                            .kinetic = kinetic / samples,
                            .lift = lift / samples};
    return true;
}
