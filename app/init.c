#include "app.h"

#include <string.h>

static int list_examples(void)
{
    for (const scree_example *e = scree_examples(); e->name; e++) printf("%-12s %s\n", e->name, e->doc);
    return 0;
}

static int write_example(const scree_example *example, const char *path, bool force)
{
    scree_report report;
    scree_report_init(&report);
    scree_status status = scree_example_write(example, path, force, &report);
    if (!status)
        printf("wrote %s%s%s; try: scree run %s\n", path, example->file ? " and " : "",
               example->file ? example->file : "", path);
    return app_end(status, &report);
}

static int init(int argc, char **argv)
{
    bool list = false, force = false;
    const char *output = NULL;
    const app_option options[] = {{"list", NULL, &list, NULL, NULL},
                                  {"output", &output, NULL, NULL, NULL},
                                  {"force", NULL, &force, NULL, NULL},
                                  {0}};
    if (!app_options(&app_init, &argc, argv, options)) return 2;
    if (list) return list_examples();
    if (argc != 2) return app_usage(&app_init);
    for (const scree_example *e = scree_examples(); e->name; e++) {
        if (strcmp(e->name, argv[1])) continue;
        char path[256];
        snprintf(path, sizeof path, "%s.yaml", e->name);
        return write_example(e, output ? output : path, force);
    }
    fprintf(stderr, "scree init: unknown example '%s'; available:\n", argv[1]);
    list_examples();
    return 2;
}

const app_command app_init = {
    .name = "init",
    .usage = "NAME | --list",
    .doc = "write a commented example scene, ready to run",
    .help = "  --list             list the examples\n"
            "  --output FILE      where to write it (default: NAME.yaml)\n"
            "  --force            overwrite an existing file (" APP_FORCE ")\n",
    .main = init,
};
