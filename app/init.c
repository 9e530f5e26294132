#include "app.h"

#include <errno.h>
#include <string.h>

static int list_examples(void)
{
    for (const scree_example *e = scree_examples(); e->name; e++)
        printf("%-12s %s\n", e->name, e->doc);
    return 0;
}

// never over a file that is there
static int write_example(const scree_example *example, const char *path)
{
    FILE *out = fopen(path, "wx");
    if (!out) {
        fprintf(stderr, "scree init: %s cannot be written: %s\n", path, strerror(errno));
        return errno == EEXIST ? 2 : 1;
    }
    int bad = fputs(example->text, out) < 0;
    bad |= fclose(out) != 0;
    if (bad) {
        fprintf(stderr, "scree init: %s cannot be written: %s\n", path, strerror(errno));
        remove(path);
        return 1;
    }
    printf("wrote %s; try: scree run %s\n", path, path);
    return 0;
}

static int init(int argc, char **argv)
{
    bool list = false;
    const char *output = NULL;
    const app_option options[] = {
        {"list", NULL, &list, NULL, NULL}, {"output", &output, NULL, NULL, NULL}, {0}};
    if (!app_options(&app_init, &argc, argv, options)) return 2;
    if (list) return list_examples();
    if (argc != 2) return app_usage(&app_init);
    for (const scree_example *e = scree_examples(); e->name; e++) {
        if (strcmp(e->name, argv[1])) continue;
        char path[256];
        snprintf(path, sizeof path, "%s.yaml", e->name);
        return write_example(e, output ? output : path);
    }
    fprintf(stderr, "scree init: there is no example '%s'; these are:\n", argv[1]);
    list_examples();
    return 2;
}

const app_command app_init = {
    .name = "init",
    .usage = "NAME | --list",
    .doc = "write a commented example scene that runs",
    .help = "  --list             list the examples\n"
            "  --output FILE      where to write it (default: NAME.yaml); never over an existing "
            "file\n",
    .main = init,
};
