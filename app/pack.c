/* Results as one file and back. */
#include "app.h"

static int pack(int argc, char **argv)
{
    const char *output = NULL;
    bool force = false;
    const app_option options[] = {{"output", &output, NULL, NULL, NULL}, {"force", NULL, &force, NULL, NULL}, {0}};
    if (!app_options(&app_pack, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_pack);
    scree_report report;
    scree_report_init(&report);
    return app_end(scree_results_pack(argv[1], output, force, stdout, &report), &report);
}

static int unpack(int argc, char **argv)
{
    const char *output = NULL;
    const app_option options[] = {{"output", &output, NULL, NULL, NULL}, {0}};
    if (!app_options(&app_unpack, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_unpack);
    scree_report report;
    scree_report_init(&report);
    return app_end(scree_results_unpack(argv[1], output, stdout, &report), &report);
}

const app_command app_pack = {
    .name = "pack",
    .usage = "RESULTS [--output FILE] [--force]",
    .doc = "pack results (index, frames, checkpoints) into a single file",
    .help = "  --output FILE      a tar archive (default: the results' name with .tar)\n"
            "  --force            overwrite an existing file (" APP_FORCE ")\n",
    .main = pack,
};

const app_command app_unpack = {
    .name = "unpack",
    .usage = "FILE [--output FOLDER]",
    .doc = "unpack a packed results file",
    .help = "  --output FOLDER    where to put them (default: here); nothing is overwritten\n",
    .main = unpack,
};
