#include "app.h"

static void say(const scree_run_result *r)
{
    const scree_energies *e = &r->energies;
    scree_stats_print(&r->stats, stdout);
    double stored = scree_energies_sum(e, SCREE_ELASTIC);
    printf("energy stored %.9g J, work of loads %.9g J, of supports %.9g J, of walls and groups "
           "%.9g J\n%s\n",
           stored, e->load_work, e->support_work, e->wall_work + e->group_work, r->balance);
    printf("time %.2f s, started in %.3f s\n", r->seconds, r->start_seconds);
}

static void set(scree_setting *settings, int *count, const char *path, const char *value)
{
    if (value) settings[(*count)++] = (scree_setting){path, value};
}

static int equilibrate(int argc, char **argv)
{
    scree_setting settings[APP_SETTINGS + 3];
    int setting_count = 0;
    const char *threads = NULL, *steps = NULL, *method = NULL;
    bool stability = false;
    scree_run_def def = scree_run_def_default();
    def.simulation.statics = true;
    const app_option options[] = {
        {"set", NULL, NULL, settings, &setting_count},
        {"steps", &steps, NULL, NULL, NULL},
        {"method", &method, NULL, NULL, NULL},
        {"stability", NULL, &stability, NULL, NULL},
        {"threads", &threads, NULL, NULL, NULL},
        {"output", &def.output, NULL, NULL, NULL},
        {"from", &def.simulation.from, NULL, NULL, NULL},
        {"resume", &def.simulation.resume, NULL, NULL, NULL},
        {"force", NULL, &def.force, NULL, NULL},
        {"quiet", NULL, &def.simulation.quiet, NULL, NULL},
        {0},
    };
    if (!app_options(&app_equilibrate, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_equilibrate);
    if (threads && !app_int("threads", threads, 1, 4096, &def.simulation.threads)) return 2;
    set(settings, &setting_count, "statics.steps", steps);
    set(settings, &setting_count, "statics.method", method);
    set(settings, &setting_count, "statics.stability", stability ? "yes" : NULL);
    return app_run_scene(argv[1], settings, setting_count, &def, say);
}

const app_command app_equilibrate = {
    .name = "equilibrate",
    .usage = "SCENE [options]",
    .doc = "find the static equilibrium of elastic solids under their loads, of grains, or of both",
    .help = "  --steps N          number of load steps from zero to full load (statics.steps); "
            "each is a frame\n"
            "  --method METHOD    auto, newton or relaxation (statics.method)\n"
            "  --stability        the lowest eigenvalue of the last state (statics.stability)\n"
            "  --set PATH=VALUE   change a key of the scene; repeatable\n"
            "  --threads N        number of threads (default: all cores); the results do not "
            "depend on it\n"
            "  --output FILE      results file (default: the scene's name with .h5)\n"
            "  --from FILE        start from the last state of these results\n"
            "  --resume FILE      continue these results from their last checkpoint, bit for bit\n"
            "  --force            replace results of an earlier run, or another file (never a scene)\n"
            "  --quiet            print only the digest, the results file and errors\n"
            "Time in the results is the load fraction, 0 to 1, times time.end. `scree run --from` "
            "continues from the last state.\n",
    .main = equilibrate,
};
