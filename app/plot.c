#include <math.h>
#include <string.h>

#include "app.h"

static int plot(int argc, char **argv)
{
    scree_plot_def def = scree_plot_def_default();
    const char *time = NULL, *y[APP_SETTINGS];
    char name[4096];
    const app_option options[] = {
        {"y", y, NULL, NULL, &def.y_count},          {"x", &def.x, NULL, NULL, NULL},
        {"map", &def.map, NULL, NULL, NULL},         {"slice", &def.slice, NULL, NULL, NULL},
        {"time", &time, NULL, NULL, NULL},           {"points", NULL, &def.points, NULL, NULL},
        {"title", &def.title, NULL, NULL, NULL},     {"x-label", &def.x_label, NULL, NULL, NULL},
        {"y-label", &def.y_label, NULL, NULL, NULL}, {"output", &def.output, NULL, NULL, NULL},
        {"force", NULL, &def.force, NULL, NULL},     {0},
    };
    if (!app_options(&app_plot, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_plot);
    if (time && !app_real("time", time, &def.time)) return 2;
    def.results = argv[1];
    def.y = y;
    if (!def.output) {
        size_t length = strlen(argv[1]);
        if (length > 3 && !strcmp(argv[1] + length - 3, ".h5")) length -= 3;
        snprintf(name, sizeof name, "%.*s-plot.png", (int)length, argv[1]);
        def.output = name;
    }
    scree_report report;
    scree_report_init(&report);
    scree_status status = scree_results_plot(&def, &report);
    if (!status) printf("%s\n", def.output);
    return app_end(status, &report);
}

const app_command app_plot = {
    .name = "plot",
    .usage = "RESULTS --y EXPRESSION [--x EXPRESSION] [options] | RESULTS --map SERIES.COLUMN [options]",
    .doc = "plot columns of observers as curves, or a field on a grid as a map",
    .help = "  --y EXPRESSION     the curve: a column such as torque.tz, or an expression of columns as in\n"
            "                     sweeps, e.g. '-top.fz/0.0025'; NAME=EXPRESSION names the curve; repeatable\n"
            "  --x EXPRESSION     abscissa (default: time)\n"
            "  --points           points rather than lines\n"
            "  --map SERIES.COLUMN  a column of the observers fields or grid, coloured by value\n"
            "  --time T           the row nearest to this time [s] (default: the last)\n"
            "  --slice y=0.01     of a grid in three dimensions: the layer nearest to this plane (default: the middle\n"
            "                     of the axis with the fewest bins)\n"
            "  --title, --x-label, --y-label TEXT\n"
            "  --output FILE      .png or .svg (default: the results' name with -plot.png)\n"
            "  --force            overwrite an existing file (" APP_FORCE ")\n",
    .main = plot,
};
