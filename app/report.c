#include <string.h>

#include "app.h"

// results.h5 -> results.html
static void page_path(const char *results, char *path, size_t size)
{
    const char *slash = strrchr(results, '/'), *dot = strrchr(results, '.');
    int stem = dot && dot > (slash ? slash + 1 : results) ? (int)(dot - results) : (int)strlen(results);
    snprintf(path, size, "%.*s.html", stem, results);
}

static int report(int argc, char **argv)
{
    scree_page_def def = {0};
    char path[4096];
    const app_option options[] = {
        {"output", &def.output, NULL, NULL, NULL}, {"force", NULL, &def.force, NULL, NULL}, {0}};
    if (!app_options(&app_report, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_report);
    def.results = argv[1];
    page_path(def.results, path, sizeof path);
    if (!def.output) def.output = path;
    scree_report messages;
    scree_report_init(&messages);
    scree_status status = scree_results_report(&def, &messages);
    if (!status) printf("%s\n", def.output);
    return app_end(status, &messages);
}

const app_command app_report = {
    .name = "report",
    .usage = "RESULTS [options]",
    .doc = "write a self-contained HTML report of a run: images, energy balance, observers, "
           "parameters, the scene",
    .help = "  --output FILE      the page (default: the results' name with .html)\n"
            "  --force            overwrite an existing file (" APP_FORCE ")\n",
    .main = report,
};
