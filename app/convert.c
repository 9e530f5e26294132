#include <string.h>

#include "app.h"
#include "scree/convert.h"

// in.hopper, hopper.in, hopper.liggghts: hopper.yaml
static void name_output(const char *input, char *out, size_t size)
{
    const char *base = strrchr(input, '/');
    base = base ? base + 1 : input;
    size_t folder = (size_t)(base - input);
    if (!strncmp(base, "in.", 3) && base[3]) base += 3;
    const char *dot = strrchr(base, '.');
    int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    snprintf(out, size, "%.*s%.*s.yaml", (int)folder, input, length, base);
}

static int convert(int argc, char **argv)
{
    bool force = false;
    const char *output = NULL;
    char name[4096];
    int left = 0;
    const app_option options[] = {{"output", &output, NULL, NULL, NULL}, {"force", NULL, &force, NULL, NULL}, {0}};
    if (!app_options(&app_convert, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_convert);
    name_output(argv[1], name, sizeof name);
    scree_report report;
    scree_report_init(&report);
    scree_status status = scree_convert(argv[1], output ? output : name, force, stdout, &left, &report);
    if (!status)
        printf("wrote %s; %d command%s not translated, or only in part\n", output ? output : name, left,
               left == 1 ? " was" : "s were");
    return app_end(status, &report);
}

const app_command app_convert = {
    .name = "convert",
    .usage = "INPUT [options]",
    .doc = "make a scene of a LIGGGHTS or LAMMPS (granular) input",
    .help = "  --output FILE      where to write it (default: beside the input, its name with .yaml)\n"
            "  --force            overwrite an existing file (" APP_FORCE ")\n"
            "Commands without an equivalent are listed with their line, here and at the end of the scene.\n",
    .main = convert,
};
