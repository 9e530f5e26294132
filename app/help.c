#include <string.h>

#include "manual.h"

static int help(int argc, char **argv)
{
    bool man = false, completion = false;
    const app_option options[] = {{"man", NULL, &man, NULL, NULL}, {"completion", NULL, &completion, NULL, NULL}, {0}};
    if (!app_options(&app_help, &argc, argv, options)) return 2;
    if (man) return app_write_manual(stdout), 0;
    if (completion) {
        if (app_write_completion(argc > 1 ? argv[1] : NULL, stdout)) return 0;
        fprintf(stderr, "scree help: --completion is for bash, zsh or fish, not for %s\n", argv[1]);
        return 2;
    }
    if (argc > 1) {
        for (int k = 0; app_commands[k]; k++)
            if (!strcmp(app_commands[k]->name, argv[1])) {
                const app_command *c = app_commands[k];
                printf("scree %s %s\n  %s\n%s", c->name, c->usage, c->doc, c->help);
                if (c->list) c->list(stdout);
                return 0;
            }
        scree_report report;
        scree_report_init(&report);
        int code = app_end(scree_help_write(argv[1], stdout, &report), &report);
        const char *meant = code ? app_command_near(argv[1]) : NULL;
        if (meant) fprintf(stderr, "of commands, did you mean '%s'?\n", meant);
        return code;
    }
    printf("Scree %s: discrete element simulation of granular matter and elastic solids\n\n"
           "usage: scree COMMAND ...\n",
           scree_version());
    for (int k = 0; app_commands[k]; k++) printf("  %-11s %s\n", app_commands[k]->name, app_commands[k]->doc);
    printf("\nscree help COMMAND lists a command's options, scree help KEY explains a key of a scene\n"
           "(scree help scene lists the sections). First steps: scree init drop; scree run "
           "drop.yaml;\n"
           "scree render drop.h5\n");
    return 0;
}

const app_command app_help = {
    .name = "help",
    .usage = "[COMMAND | KEY]",
    .doc = "show help on a command or on a key of scene files",
    .help = "  --man              the manual page, for man\n"
            "  --completion SHELL the completion script for bash, zsh or fish\n",
    .main = help,
};
