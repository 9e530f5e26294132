#include "app.h"

#include <stdlib.h>

static int advise(int argc, char **argv)
{
    scree_setting settings[APP_SETTINGS];
    int setting_count = 0;
    const char *threads = NULL;
    bool json = false;
    scree_simulation_def def = scree_simulation_def_default();
    const app_option options[] = {{"set", NULL, NULL, settings, &setting_count},
                                  {"threads", &threads, NULL, NULL, NULL},
                                  {"from", &def.from, NULL, NULL, NULL},
                                  {"json", NULL, &json, NULL, NULL},
                                  {0}};
    if (!app_options(&app_advise, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_advise);
    if (threads && !app_int("threads", threads, 1, 4096, &def.threads)) return 2;

    scree_report report;
    scree_report_init(&report);
    scree_scene *scene;
    scree_status status = scree_scene_open(argv[1], settings, setting_count, &scene, &report);
    if (!status) status = (json ? scree_scene_advise_json : scree_scene_advise)(scene, &def, stdout, &report);
    scree_scene_close(scene);
    return app_end(status, &report);
}

const app_command app_advise = {
    .name = "advise",
    .usage = "SCENE [options]",
    .doc = "estimate the cost of a scene and check its parameters against each other, without "
           "running it",
    .help = "  --set PATH=VALUE   change a key of the scene first; repeatable\n"
            "  --threads N        number of threads to time (default: all cores)\n"
            "  --from FILE        assume a start from the last state of these results\n"
            "  --json             the numbers and the advice as JSON, in SI units\n"
            "Time scales, overlaps, size ratio, steps, run time and memory; one second of steps is "
            "timed and discarded.\n",
    .main = advise,
};
