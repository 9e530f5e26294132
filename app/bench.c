#include "bench.h"
#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const bench *const benches[] = {
    &bench_chute,     &bench_settled,   &bench_ratio,    &bench_memory,   &bench_machine, &bench_solver,
    &bench_nonsmooth, &bench_reduction, &bench_accuracy, &bench_scene,    &bench_elastic, &bench_variational,
    &bench_ramp,      &bench_output,    &bench_threads,  &bench_start_up, &bench_gpu,     NULL};

static FILE *figures; // as JSON, where that is asked for

void figure(const char *name, double value, const char *format, const char *unit)
{
    char text[64];
    snprintf(text, sizeof text, format, value);
    if (figures)
        fprintf(figures, "%s\n    {\"name\": \"%s\", \"value\": %s, \"unit\": \"%s\"}", ftell(figures) ? "," : "", name,
                isfinite(value) ? text : "null", unit);
    else
        printf("figure %s %s %s\n", name, text, unit);
    fflush(stdout);
}

void bench_figures(const char *group, const char *variant, double rate, double cpu_rate, double kinetic,
                   double rotation, const scree_stats *stats)
{
    const struct {
        const char *name, *format, *unit;
        double value;
    } all[] = {
        {"rate", "%.4g", "particle-steps/s", rate},
        {"cpu_rate", "%.4g", "particle-steps/s", cpu_rate},
        {"contacts", "%.0f", "-", (double)stats->contacts},
        {"pairs", "%.0f", "-", (double)stats->pairs},
        {"kinetic", "%.9g", "-", kinetic},
        {"rotational", "%.9g", "-", rotation},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char text[96];
        snprintf(text, sizeof text, "%s.%s.%s", group, variant, all[k].name);
        figure(text, all[k].value, all[k].format, all[k].unit);
    }
}

int bench_no_variant(const char *variant)
{
    fprintf(stderr, "scree bench: this benchmark has no variant '%s'\n", variant);
    return 2;
}

bench_world bench_open(const char *text, scree_simulation_def def)
{
    if (!def.device) def.device = "cpu"; // what a GPU does is for bench/gpu
    scree_report report;
    scree_report_init(&report);
    bench_world w = {0};
    def.quiet = true;
    if (!scree_scene_parse(text, "bench.yaml", NULL, 0, &w.scene, &report))
        scree_simulation_create(w.scene, &def, &w.simulation, &report);
    if (!w.simulation) scree_report_print(&report, stderr);
    scree_report_deinit(&report);
    return w;
}

void bench_close(bench_world *world)
{
    scree_simulation_destroy(world->simulation);
    scree_scene_close(world->scene);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_advance(scree_simulation *simulation, int64_t steps)
{
    scree_report report;
    scree_report_init(&report);
    double start = now();
    scree_status status = scree_simulation_advance(simulation, steps, &report);
    double seconds = now() - start;
    scree_report_print(&report, stderr);
    scree_report_deinit(&report);
    return status ? -1 : seconds;
}

// words go to standard error, and standard output gets one object with the figures
static int run_json(const bench *b, const bench_def *def)
{
    char *text = NULL;
    size_t size = 0;
    fflush(stdout);
    int out = dup(STDOUT_FILENO);
    figures = open_memstream(&text, &size);
    if (out < 0 || !figures || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return perror("scree bench"), 1;
    int code = b->main(def);
    fflush(stdout);
    fclose(figures);
    if (dup2(out, STDOUT_FILENO) < 0) return perror("scree bench"), 1;
    close(out);
    printf("{\n  \"bench\": \"%s\",\n  \"version\": \"%s\",\n  \"figures\": [%s]\n}\n", b->name, scree_version(), text);
    free(text);
    return code;
}

static int run(int argc, char **argv)
{
    scree_setting settings[APP_SETTINGS];
    bench_def def = {.settings = settings};
    bool json = false;
    const char *steps = NULL, *grains = NULL, *rounds = NULL, *ratio = NULL, *sweeps = NULL, *threads = NULL;
    const app_option options[] = {
        {"state", &def.state, NULL, NULL, NULL},
        {"lammps", &def.lammps, NULL, NULL, NULL},
        {"steps", &steps, NULL, NULL, NULL},
        {"grains", &grains, NULL, NULL, NULL},
        {"only", &def.only, NULL, NULL, NULL},
        {"rounds", &rounds, NULL, NULL, NULL},
        {"ratio", &ratio, NULL, NULL, NULL},
        {"sweeps", &sweeps, NULL, NULL, NULL},
        {"threads", &threads, NULL, NULL, NULL},
        {"warm", NULL, &def.warm, NULL, NULL},
        {"quick", NULL, &def.quick, NULL, NULL},
        {"full", NULL, &def.full, NULL, NULL},
        {"json", NULL, &json, NULL, NULL},
        {"most", NULL, &def.most, NULL, NULL},
        {"set", NULL, NULL, settings, &def.setting_count},
        {0},
    };
    if (!app_options(&app_bench, &argc, argv, options)) return 2;
    if (rounds && !app_int("rounds", rounds, 1, 1000, &def.rounds)) return 2;
    if (steps && !app_int("steps", steps, 1, 1 << 30, &def.steps)) return 2;
    if (grains && !app_int("grains", grains, 1, 1 << 30, &def.grains)) return 2;
    if (sweeps && !app_int("sweeps", sweeps, 1, 1000000, &def.sweeps)) return 2;
    if (threads && !app_int("threads", threads, 1, 64, &def.threads)) return 2;
    if (ratio && !app_int("ratio", ratio, 1, 1000, &def.ratio)) return 2;
    int code = -1;
    for (int k = 0; argc == 2 && benches[k]; k++)
        if (!strcmp(benches[k]->name, argv[1])) code = json ? run_json(benches[k], &def) : benches[k]->main(&def);
    if (code >= 0) return code;
    if (argc == 2) fprintf(stderr, "scree bench: there is no benchmark '%s'\n", argv[1]);
    return app_usage(&app_bench);
}

static void list(FILE *file)
{
    fputs("benchmarks:\n", file);
    for (int k = 0; benches[k]; k++) fprintf(file, "  %-18s %s\n", benches[k]->name, benches[k]->doc);
}

const app_command app_bench = {
    .name = "bench",
    .usage = "NAME [options]",
    .doc = "measure speed and memory, side by side with LAMMPS where it is installed",
    .help = "  --state FILE       grains to start from, as CSV (default: made and kept in the cache);\n"
            "                     bed makes this file when it is not there; reduction, accuracy: a "
            "folder\n"
            "                     that keeps states; scene: the scene\n"
            "  --lammps PROGRAM   LAMMPS to compare with (default: lmp)\n"
            "  --steps N          steps to time\n"
            "  --only VARIANT     one variant alone, as named in the figures: standard, improved, ...\n"
            "  --rounds N         rounds in which all take turns; the best counts\n"
            "  --grains N         size of the problem\n"
            "  --ratio R          bed: diameter of large grains over that of the fines\n"
            "  --sweeps N         reduction: sweeps of both sides (default: 150)\n"
            "  --threads N        threads: largest number; start: number (default: one per core)\n"
            "  --most             threads: the largest number alone, and only where there is a target\n"
            "  --warm             reduction: they start from the impulses of the last step\n"
            "  --set PATH=VALUE   reduction: change the scenes that are timed; repeatable\n"
            "  --full             reduction: the long ones too: belts of 30 000 and 90 000 grains, "
            "pile of 100 000\n"
            "  --quick            reduction, accuracy, threads: small problems, as a functional test\n"
            "  --json             the figures as JSON; messages go to standard error\n",
    .list = list,
    .main = run,
};
