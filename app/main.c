#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const app_command *const app_commands[] = {
    &app_run,       &app_equilibrate, &app_check,  &app_advise,  &app_init,    &app_info, &app_export,  &app_pack,
    &app_unpack,    &app_render,      &app_plot,   &app_convert, &app_report,  &app_view, &app_compare, &app_sweep,
    &app_reproduce, &app_bench,       &app_schema, &app_help,    &app_version, NULL};

int app_usage(const app_command *command)
{
    fprintf(stderr, "usage: scree %s %s\n%s", command->name, command->usage, command->help);
    if (command->list) command->list(stderr);
    return 2;
}

/* ---- standard output ---- */

// a file that is opened later must not get the number of a stream that the caller has closed: words would be written
// into it. What is opened here cannot be written to
static void hold_streams(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd) _exit(1);
}

// a reader that has seen enough, as `head`, ends a program without a word, as the signal does
static void end_with_reader(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    struct sigaction now;
    bool broken = poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
    if (broken && !sigaction(SIGPIPE, NULL, &now) && now.sa_handler == SIG_DFL) raise(SIGPIPE);
}

// an answer that was lost is a failure, whatever else went well: the exit code
static int close_output(int code)
{
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout)) return code;
    int why = errno;
    end_with_reader();
    fprintf(stderr, "scree: standard output cannot be written%s%s: output is lost\n", why ? ": " : "",
            why ? strerror(why) : "");
    return code ? code : 1;
}

/* ---- options ---- */

// the argument is cut at its first =
static bool take_setting(char *text, const app_option *option)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text || *option->setting_count >= APP_SETTINGS) {
        fprintf(stderr,
                "scree: --%s %s: a change is written path.to.key=value, as in time.end=2 (at most %d of them)\n",
                option->name, text, APP_SETTINGS);
        return false;
    }
    *equals = 0;
    option->settings[(*option->setting_count)++] = (scree_setting){text, equals + 1};
    return true;
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

// an option's word without its dashes; NULL: not an option. -o is short for --output
static const char *option_word(const char *argument)
{
    if (argument[0] != '-' || !argument[1]) return NULL;
    if (argument[1] == '-') return argument + 2;
    bool is = !strncmp(argument, "-o", 2) && (!argument[2] || argument[2] == '=');
    return is ? (argument[2] ? "output=" : "output") : argument + 1;
}

static const app_option *option_find(const char *word, size_t length, const app_option *options)
{
    for (const app_option *o = options; o->name; o++)
        if (strlen(o->name) == length && !strncmp(o->name, word, length)) return o;
    return NULL;
}

static bool no_option(const app_command *command, const char *argument, const app_option *options)
{
    const char *words[64] = {NULL}, *meant = NULL;
    char *word = strndup(argument, strcspn(argument, "="));
    int count = 0;
    for (const app_option *o = options; o->name && count < 63; o++) words[count++] = o->name;
    if (word) meant = scree_nearest(word + strspn(word, "-"), words);
    fprintf(stderr, "scree %s: unknown option %s", command->name, word ? word : argument);
    if (meant) fprintf(stderr, ", did you mean --%s?", meant);
    fprintf(stderr, "\n`scree help %s` lists the options\n", command->name);
    free(word);
    return false;
}

static bool take_option(const app_command *command, int argc, char **argv, int *at, const app_option *options)
{
    char *argument = argv[*at], *value = strchr(argument, '=');
    const char *word = option_word(argument);
    const app_option *o = option_find(word, strcspn(word, "="), options);
    // a long option has two dashes
    if (!o || word == argument + 1) return no_option(command, argument, options);
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

static bool asks_for_help(const char *argument)
{
    return !strcmp(argument, "--help") || !strcmp(argument, "-h");
}

bool app_options(const app_command *command, int *argc, char **argv, const app_option *options)
{
    int kept = 1;
    for (int k = 1; k < *argc; k++) {
        if (!option_word(argv[k])) {
            argv[kept++] = argv[k];
            continue;
        }
        if (asks_for_help(argv[k]))
            exit(close_output(app_help.main(2, (char *[]){"help", (char *)command->name, NULL})));
        if (!take_option(command, *argc, argv, &k, options)) return false;
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
        fprintf(stderr, "scree: --%s is '%s', must be an integer from %d to %d\n", option, text, low, high);
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
    fprintf(stderr, "scree: --%s is '%s', must be a number\n", option, text);
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

const char *app_command_near(const char *name)
{
    const char *words[64] = {NULL};
    for (int k = 0; app_commands[k] && k < 63; k++) words[k] = app_commands[k]->name;
    return scree_nearest(name, words);
}

static int no_command(const char *name)
{
    const char *meant = app_command_near(name);
    fprintf(stderr, "scree: unknown command '%s'", name);
    if (meant) fprintf(stderr, ", did you mean '%s'?", meant);
    fprintf(stderr, "\n`scree help` lists the commands\n");
    return 2;
}

static int obey(int argc, char **argv)
{
    if (argc < 2) return app_help.main(1, argv), 2;
    const char *name = argv[1];
    if (!strcmp(name, "--version")) name = "version";
    if (asks_for_help(name)) name = "help";
    for (int k = 0; app_commands[k]; k++)
        if (!strcmp(app_commands[k]->name, name)) return app_commands[k]->main(argc - 1, argv + 1);
    return no_command(name);
}

int main(int argc, char **argv)
{
    hold_streams();
    wait_politely(argv);
    if (scree_ranks_serve()) return 0;
    return close_output(obey(argc, argv));
}
