#include "app.h"

static int list(const char *folder)
{
    scree_report report;
    scree_report_init(&report);
    return app_end(scree_cases_write(folder, stdout, &report), &report);
}

static int run(int argc, char **argv)
{
    bool all = false, quick = false, longer = false, full = false;
    const char *jobs = NULL;
    scree_reproduce_def def = {.out = stdout};
    const app_option options[] = {
        {"all", NULL, &all, NULL, NULL},
        {"quick", NULL, &quick, NULL, NULL},
        {"long", NULL, &longer, NULL, NULL},
        {"full", NULL, &full, NULL, NULL},
        {"plot", &def.plots, NULL, NULL, NULL},
        {"report", &def.page, NULL, NULL, NULL},
        {"markdown", &def.markdown, NULL, NULL, NULL},
        {"results", &def.results, NULL, NULL, NULL},
        {"cases", &def.folder, NULL, NULL, NULL},
        {"jobs", &jobs, NULL, NULL, NULL},
        {"fresh", NULL, &def.fresh, NULL, NULL},
        {"force", NULL, &def.force, NULL, NULL},
        {"quiet", NULL, &def.quiet, NULL, NULL},
        {0},
    };
    if (!app_options(&app_reproduce, &argc, argv, options)) return 2;
    if (quick + longer + full > 1 || (all && argc > 1)) return app_usage(&app_reproduce);
    if (jobs && !app_int("jobs", jobs, 1, 256, &def.jobs)) return 2;
    if (argc < 2 && !all) return list(def.folder);
    def.cases = (const char *const *)argv + 1;
    def.case_count = argc - 1;
    def.set = full ? SCREE_FULL : longer ? SCREE_LONG : SCREE_QUICK;
    scree_report report;
    scree_report_init(&report);
    scree_reproduce_result result;
    scree_status status = scree_reproduce(&def, &result, &report);
    if (!status && def.page) printf("%s\n", def.page);
    if (!status && def.plots) printf("%d plots in %s\n", result.plots, def.plots);
    int code = app_end(status, &report);
    if (status == SCREE_E_INTERRUPT) return 128 + result.signal;
    return code ? code : result.failed > 0;
}

const app_command app_reproduce = {
    .name = "reproduce",
    .usage = "[CASE... | --all] [options]",
    .doc = "reproduce published results and compare with their reference values",
    .help = "  --all              all cases; without it and without names, the cases are listed\n"
            "  --quick            the runs that take seconds (default)\n"
            "  --long             also those that take minutes\n"
            "  --full             also those that take hours\n"
            "  --plot DIR         write plots, measured over reference, as SVG and PNG\n"
            "  --report FILE      one HTML page with all plots, numbers and verdicts\n"
            "  --markdown FILE    the numbers and verdicts as Markdown\n"
            "  --results DIR      keep the results there; if interrupted, the same command continues\n"
            "  --fresh            run everything again, ignoring what is in DIR\n"
            "  --cases DIR        folder of the cases (default: SCREE_CASES, or beside scree)\n"
            "  --jobs N           runs at once (default: all cores)\n"
            "  --force            overwrite existing files (" APP_FORCE ")\n"
            "  --quiet            no progress\n"
            "The exit code is 1 when a quantity misses its reference, unless its case declares "
            "that it differs.\n",
    .main = run,
};
