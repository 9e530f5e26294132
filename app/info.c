#include "app.h"

static int info(int argc, char **argv)
{
    const app_option options[] = {{0}};
    if (!app_options(&app_info, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_info);
    scree_report report;
    scree_report_init(&report);
    return app_end(scree_results_info(argv[1], stdout, &report), &report);
}

const app_command app_info = {
    .name = "info",
    .usage = "RESULTS",
    .doc = "list the contents of a results file",
    .help = "",
    .main = info,
};
