#include "app.h"

#include <stdlib.h>

static int run(int argc, char **argv)
{
    scree_setting settings[APP_SETTINGS];
    const char *over[APP_SETTINGS], *measures[APP_SETTINGS], *jobs = NULL;
    scree_sweep_def def = {.settings = settings, .over = over, .measures = measures};
    const app_option options[] = {
        {"set", NULL, NULL, settings, &def.setting_count},
        {"output", &def.output, NULL, NULL, NULL},
        {"jobs", &jobs, NULL, NULL, NULL},
        {"keep", NULL, &def.keep, NULL, NULL},
        {"fresh", NULL, &def.fresh, NULL, NULL},
        {"force", NULL, &def.force, NULL, NULL},
        {"quiet", NULL, &def.quiet, NULL, NULL},
        {"over", over, NULL, NULL, &def.over_count},
        {"measure", measures, NULL, NULL, &def.measure_count},
        {0},
    };
    if (!app_options(&app_sweep, &argc, argv, options)) return 2;
    if (argc != 2 || !def.over_count) return app_usage(&app_sweep);
    if (jobs && !app_int("jobs", jobs, 1, 256, &def.jobs)) return 2;
    def.scene = argv[1];
    scree_report report;
    scree_report_init(&report);
    scree_sweep_result result;
    scree_status status = scree_sweep(&def, &result, &report);
    if (!status) {
        if (!def.quiet)
            printf("%ld run%s, %ld of them done before, %ld failed\n", result.runs, result.runs == 1 ? "" : "s",
                   result.known, result.failed);
        printf("table %s\n", result.output);
    }
    int code = app_end(status, &report);
    if (status == SCREE_E_INTERRUPT) return 128 + result.signal;
    return code ? code : result.failed > 0;
}

const app_command app_sweep = {
    .name = "sweep",
    .usage = "SCENE --over PATH=VALUES [options]",
    .doc = "run a scene over a range of parameters, on all cores, and collect the results in one "
           "table",
    .help = "  --over PATH=VALUES a key and its values, for example "
            "materials.glass.friction=0.1:1:0.1\n"
            "                     (from:to:step), values.ratio=1:100:*10 (from:to:*factor) or\n"
            "                     stepper.scheme=improved,standard; repeatable, all combinations run\n"
            "  --measure WHAT     a column of the table: probe.z:last, or NAME=EXPRESSION such as\n"
            "                     'angle=last(deg(atan2(fine.y, fine.z)) where fine.fz > 0)'; "
            "repeatable\n"
            "  --set PATH=VALUE   a change applied to all runs; repeatable\n"
            "  --output FILE      the table (default: the scene's name with .csv)\n"
            "  --jobs N           runs at once (default: all cores)\n"
            "  --keep             keep the results of every run, in FILE.runs\n"
            "  --fresh            run everything again\n"
            "  --force            overwrite an existing file (" APP_FORCE ")\n"
            "  --quiet            print only the path of the table, and errors\n"
            "If interrupted, the same command continues where it stopped. A failed run is a row with\n"
            "its message; the exit code is then 1.\n",
    .main = run,
};
