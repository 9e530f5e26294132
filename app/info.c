#include "app.h"

static int info(int argc, char **argv)
{
    bool json = false;
    const app_option options[] = {{"json", NULL, &json, NULL, NULL}, {0}};
    if (!app_options(&app_info, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_info);
    scree_report report;
    scree_report_init(&report);
    return app_end((json ? scree_results_info_json : scree_results_info)(argv[1], stdout, &report), &report);
}

const app_command app_info = {
    .name = "info",
    .usage = "RESULTS [--json]",
    .doc = "list the contents of a results file",
    .help = "  --json             the same as JSON, with all frames\n",
    .main = info,
};
