#include "app.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const app_command *const app_commands[] = {
    &app_run,       &app_equilibrate, &app_check,  &app_advise, &app_init,    &app_info,
    &app_export,    &app_render,      &app_report, &app_view,   &app_compare, &app_sweep,
    &app_reproduce, &app_bench,       &app_schema, &app_help,   &app_version, NULL};

int app_usage(const app_command *command)
{
    fprintf(stderr, "usage: scree %s %s\n%s", command->name, command->usage, command->help);
    return 2;
}

static bool take_setting(const char *text, const app_option *option)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || *option->setting_count >= APP_SETTINGS) {
        fprintf(stderr,
                "scree: --%s %s: a change is written path.to.key=value (at most %d of them)\n",
                option->name, text, APP_SETTINGS);
        return false;
    }
    scree_setting *s = &option->settings[(*option->setting_count)++];
    s->path = strndup(text, (size_t)(equals - text));
    s->value = equals + 1;
    return s->path != NULL;
}

static bool take_text(const char *text, const app_option *option)
{
    if (*option->setting_count >= APP_SETTINGS) {
        fprintf(stderr, "scree: --%s can be given %d times\n", option->name, APP_SETTINGS);
        return false;
    }
    option->text[(*option->setting_count)++] = text;
    return true;
}

static bool take_option(const app_command *command, int argc, char **argv, int *at,
                        const app_option *options)
{
    char *name = argv[*at] + 2, *value = strchr(name, '=');
    size_t length = value ? (size_t)(value - name) : strlen(name);
    for (const app_option *o = options; o->name; o++) {
        if (strlen(o->name) != length || strncmp(o->name, name, length)) continue;
        if (o->flag) return *o->flag = true;
        if (value)
            value++;
        else if (*at + 1 < argc)
            value = argv[++*at];
        else {
            fprintf(stderr, "scree %s: --%s needs a value\n", command->name, o->name);
            return false;
        }
        if (o->settings) return take_setting(value, o);
        if (o->setting_count) return take_text(value, o);
        *o->text = value;
        return true;
    }
    fprintf(stderr, "scree %s: there is no option %s\n", command->name, argv[*at]);
    return false;
}

bool app_options(const app_command *command, int *argc, char **argv, const app_option *options)
{
    int kept = 1;
    for (int k = 1; k < *argc; k++) {
        if (strncmp(argv[k], "--", 2)) {
            argv[kept++] = argv[k];
            continue;
        }
        if (!strcmp(argv[k], "--help"))
            exit(app_help.main(2, (char *[]){"help", (char *)command->name, NULL}));
        if (!take_option(command, *argc, argv, &k, options)) {
            app_usage(command);
            return false;
        }
    }
    *argc = kept;
    return true;
}

bool app_int(const char *option, const char *text, int low, int high, int *value)
{
    char *end;
    errno = 0;
    long v = strtol(text, &end, 10);
    if (errno || end == text || *end || v < low || v > high) {
        fprintf(stderr, "scree: --%s is '%s', a whole number from %d to %d is needed\n", option,
                text, low, high);
        return false;
    }
    *value = (int)v;
    return true;
}

bool app_real(const char *option, const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end != text && !*end && isfinite(*value)) return true;
    fprintf(stderr, "scree: --%s is '%s', a number is needed\n", option, text);
    return false;
}

int app_end(scree_status status, scree_report *report)
{
    scree_report_print(report, stderr);
    scree_report_deinit(report);
    return scree_status_exit_code(status);
}

// Threads that wait by spinning steal the cores of those they wait for when the machine is busy
// (measured: seven times slower with two threads on two loaded cores). The OpenMP library reads how
// long to spin before main() begins, so the program starts itself once more with a short spin,
// unless the user has chosen.
static void wait_politely(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT")) return;
    setenv("GOMP_SPINCOUNT", "4000", 1);
    execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    wait_politely(argv);
    if (argc < 2) return app_help.main(1, argv), 2;
    const char *name = argv[1];
    if (!strcmp(name, "--version")) name = "version";
    if (!strcmp(name, "--help") || !strcmp(name, "-h")) name = "help";
    for (int k = 0; app_commands[k]; k++)
        if (!strcmp(app_commands[k]->name, name)) return app_commands[k]->main(argc - 1, argv + 1);
    fprintf(stderr, "scree: there is no command '%s'; `scree help` lists them\n", name);
    return 2;
}
