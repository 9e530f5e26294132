#include "app.h"

static int compare(int argc, char **argv)
{
    scree_compare_def def = {.out = stdout};
    const app_option options[] = {
        {"output", &def.output, NULL, NULL, NULL},
        {"force", NULL, &def.force, NULL, NULL},
        {"table", NULL, &def.table_only, NULL, NULL},
        {0},
    };
    if (!app_options(&app_compare, &argc, argv, options)) return 2;
    if (argc < 3) return app_usage(&app_compare);
    def.results = (const char *const *)argv + 1;
    def.count = argc - 1;
    scree_report report;
    scree_report_init(&report);
    scree_compare_result result;
    scree_status status = scree_compare(&def, &result, &report);
    if (!status && !def.table_only) printf("report.html, table.csv and %d plots in %s\n", result.plots, result.folder);
    return app_end(status, &report);
}

const app_command app_compare = {
    .name = "compare",
    .usage = "RESULTS RESULTS... [options]",
    .doc = "compare runs of one scene, for example with and without reduction",
    .help = "  --output DIR       folder for report.html, plots and table.csv (default: NAME-compare "
            "beside the\n"
            "                     first results)\n"
            "  --force            overwrite existing files (" APP_FORCE ")\n"
            "  --table            only the table on the terminal\n"
            "The first results are the reference. At the last time common to both: run time,\n"
            "grains, surface, speeds, energies, and every column of the observers they share, with\n"
            "the largest and the root mean square difference along time.\n",
    .main = compare,
};
