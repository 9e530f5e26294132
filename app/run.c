#include <stdlib.h>
#include <unistd.h>

#include "viewer.h"

static void say_solids(const scree_stats *s)
{
    if (!s->cells) return;
    printf("solids %lld cells, %lld links", (long long)s->cells, (long long)s->links);
    if (s->broken_links)
        printf("; %lld links broken, %lld fragments", (long long)s->broken_links, (long long)s->fragments);
    printf("\n");
}

static void say(const scree_run_result *result)
{
    const scree_energies *e = &result->energies;
    const scree_stats *s = &result->stats;
    double lost = scree_energies_sum(e, SCREE_LOST);
    printf("steps %lld, time %.9g s", (long long)s->step, s->time);
    if (s->bodies || !s->cells) printf(", %lld grains", (long long)s->bodies);
    printf(", %lld contacts\n", (long long)s->contacts);
    printf("energy kinetic %.6g J, dissipated %.6g J\n", e->translation + e->rotation, lost);
    printf("%s\n", result->balance);
    say_solids(s);
    scree_stats_print(s, stdout);
    printf("speed %.4g particle-steps/s in %.2f s, started in %.3f s\n",
           result->seconds > 0 ? result->particle_steps / result->seconds : 0, result->seconds, result->start_seconds);
}

// on a terminal the user decides; elsewhere nothing is replaced
static bool may_replace(const char *output)
{
    char answer[16] = "";
    if (!isatty(0) || !isatty(2)) return false;
    fprintf(stderr, "%s contains results of an earlier run. Replace them? [y/N] ", output);
    fflush(stderr);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

int app_run_scene(const char *path, const scree_setting *settings, int setting_count, const scree_run_def *def,
                  void (*tell)(const scree_run_result *result))
{
    scree_report report;
    scree_report_init(&report);
    scree_scene *scene;
    scree_run_result result = {0};
    scree_run_def own = *def;
    own.replace = may_replace;
    scree_status status = scree_scene_open(path, settings, setting_count, &scene, &report);
    if (!status) status = scree_run(scene, &own, &result, &report);
    scree_scene_close(scene);
    if (!status || status == SCREE_E_INTERRUPT) {
        if (!def->simulation.quiet) tell(&result);
        printf("digest %016llx\n", (unsigned long long)result.digest);
        printf("results %s\n", result.output);
    }
    int code = app_end(status, &report);
    return status == SCREE_E_INTERRUPT ? 128 + result.signal : code;
}

static int run(int argc, char **argv)
{
    scree_setting settings[APP_SETTINGS];
    int setting_count = 0;
    const char *threads = NULL, *port = NULL, *frame = NULL;
    int port_number;
    bool view = false, no_open = false;
    scree_run_def def = scree_run_def_default();
    const app_option options[] = {
        {"set", NULL, NULL, settings, &setting_count},
        {"threads", &threads, NULL, NULL, NULL},
        {"device", &def.simulation.device, NULL, NULL, NULL},
        {"output", &def.output, NULL, NULL, NULL},
        {"resume", &def.simulation.resume, NULL, NULL, NULL},
        {"from", &def.simulation.from, NULL, NULL, NULL},
        {"frame", &frame, NULL, NULL, NULL},
        {"stage", &def.simulation.stage, NULL, NULL, NULL},
        {"force", NULL, &def.force, NULL, NULL},
        {"quiet", NULL, &def.simulation.quiet, NULL, NULL},
        {"view", NULL, &view, NULL, NULL},
        {"port", &port, NULL, NULL, NULL},
        {"no-open", NULL, &no_open, NULL, NULL},
        {0},
    };
    if (!app_options(&app_run, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_run);
    if (threads && !app_int("threads", threads, 1, 4096, &def.simulation.threads)) return 2;
    if (frame && !app_int("frame", frame, -(1 << 30), 1 << 30, &def.simulation.frame)) return 2;
    def.simulation.at_frame = frame != NULL;
    if (port && !app_int("port", port, 0, 65535, &port_number)) return 2;
    app_viewer viewer = {.open = !no_open, .port = port};
    if (view) def.ready = app_viewer_start, def.context = &viewer;
    int code = app_run_scene(argv[1], settings, setting_count, &def, say);
    // a signal meant both
    app_viewer_end(&viewer, code < 128);
    return code;
}

const app_command app_run = {
    .name = "run",
    .usage = "SCENE [options]",
    .doc = "run a scene",
    .help = "  --set PATH=VALUE   change a key of the scene, for example --set time.end=2; repeatable\n"
            "  --threads N        number of threads (default: all cores); the results do not depend on "
            "it\n"
            "  --device D         auto, cpu, gpu, or gpu:N among several (default: as the scene says, auto);\n"
            "                     the results do not depend on it\n"
            "  --output FILE      results file (default: the scene's name with .h5)\n"
            "  --resume FILE      continue these results from their last checkpoint, bit for bit\n"
            "  --from FILE        start a new run from the last state of these results\n"
            "  --frame N          with --from: from this frame instead, counted from 0; -1: the last one\n"
            "  --from STAGE       continue the results of this scene from the start of a stage, replacing what "
            "followed\n"
            "  --stage STAGE      with --from FILE: the stage that the new run begins with\n"
            "  --force            replace results of an earlier run, or another file (never a scene); without it\n"
            "                     scree asks on a terminal, and elsewhere replaces nothing\n"
            "  --quiet            print only the digest, the results file and errors\n"
            "  --view             watch the run live in a browser (see `scree help view`)\n"
            "  --port N           with --view: port on 127.0.0.1 (default: any free port)\n"
            "  --no-open          with --view: only print the address\n"
            "Ctrl-C and SIGTERM write a checkpoint and end the run; a second Ctrl-C ends it "
            "immediately.\n",
    .main = run,
};
