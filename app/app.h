/* The command line: one file per subcommand, on the public API alone. */
#ifndef SCREE_APP_APP_H
#define SCREE_APP_APP_H

#include <stdbool.h>

#include "scree/scree.h"

typedef struct {
    const char *name;
    const char *usage;                  /* arguments */
    const char *doc;                    /* one line */
    const char *help;                   /* options, a line each */
    void (*list)(FILE *file);           /* what the help ends with; may be NULL */
    int (*main)(int argc, char **argv); /* argv[0] is the subcommand; returns the exit code */
} app_command;

extern const app_command app_run, app_equilibrate, app_check, app_advise, app_init, app_info, app_export, app_pack,
    app_unpack, app_render, app_plot, app_convert, app_report, app_view, app_compare, app_sweep, app_reproduce,
    app_bench, app_schema, app_help, app_version;
extern const app_command *const app_commands[]; /* ends with NULL */

/* The command whose name is nearest to a word; NULL: none is near. */
const char *app_command_near(const char *name);

/* An option of a subcommand: --name VALUE, or --name alone when `text` is NULL and `flag` is set.
 */
typedef struct {
    const char *name;
    const char **text;
    bool *flag;
    scree_setting *settings; /* repeatable NAME=VALUE */
    int *setting_count;      /* without `settings`: repeatable VALUE, `text` has APP_SETTINGS places */
} app_option;

#define APP_SETTINGS 64

/* What --force does not do, for the help of each command that writes a file. */
#define APP_FORCE "never a scene or results"

/* Takes the options out of argv; what is left are positional arguments, counted in *argc from
 * argv[1]. Returns false after a message on stderr when an option is unknown or lacks its value.
 * `options` ends with a NULL name. */
bool app_options(const app_command *command, int *argc, char **argv, const app_option *options);

/* Numbers in option values; false after a message. */
bool app_int(const char *option, const char *text, int low, int high, int *value);
bool app_real(const char *option, const char *text, double *value);

/* Prints the report, frees it, and gives the exit code for this status. */
int app_end(scree_status status, scree_report *report);

/* Usage message on stderr, exit code 2. */
int app_usage(const app_command *command);

/* Opens a scene, runs it as `def` says, lets `say` tell of the result unless that is to be quiet, prints digest and
 * results file. The exit code. */
int app_run_scene(const char *path, const scree_setting *settings, int setting_count, const scree_run_def *def,
                  void (*say)(const scree_run_result *result));

#endif
