#include "app.h"

static int view(int argc, char **argv)
{
    scree_view_def def = scree_view_def_default();
    const char *port = NULL, *patience = NULL;
    bool no_open = false;
    const app_option options[] = {
        {"port", &port, NULL, NULL, NULL},
        {"no-open", NULL, &no_open, NULL, NULL},
        {"patience", &patience, NULL, NULL, NULL},
        {0},
    };
    if (!app_options(&app_view, &argc, argv, options)) return 2;
    if (argc != 2 && argc != 3) return app_usage(&app_view);
    if (port && !app_int("port", port, 0, 65535, &def.port)) return 2;
    if (patience && !app_real("patience", patience, &def.patience)) return 2;
    if (!(def.patience > 0)) {
        fprintf(stderr, "scree: --patience is '%s', must be positive\n", patience);
        return 2;
    }
    def.open = !no_open;
    def.results = argv[1];
    if (argc == 3) def.beside = argv[2];
    scree_report report;
    scree_report_init(&report);
    return app_end(scree_results_view(&def, &report), &report);
}

const app_command app_view = {
    .name = "view",
    .usage = "RESULTS [OTHER] [options]",
    .doc = "view results in a browser, also during a run",
    .help = "  --port N           port on 127.0.0.1 (default: any free port)\n"
            "  --no-open          do not open a browser; the address is always printed\n"
            "  --patience S       seconds that a request may take to arrive (default 10); slower "
            "connections are closed\n"
            "With two results both are shown side by side, with one clock and one camera.\n"
            "Listens on localhost only. Press Ctrl-C to stop. `scree run --view` runs a "
            "scene\nand shows it at the same time.\n",
    .main = view,
};
