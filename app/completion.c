/* `scree help --completion SHELL`: the words that bash, zsh or fish offer, from the tables of commands. The build
 * writes the scripts beside the program, `make install` puts them where the shells look. */
#include <string.h>

#include "manual.h"

/* ---- options in lines of help ---- */

typedef struct {
    const char *name, *doc; /* not terminated */
    size_t length, doc_length;
    bool value; /* it takes one */
} word;

typedef void take(const word *option, FILE *file);

// each --word of one line; a value that follows the last belongs to all: `--low, --high X`
static void each_in_line(const char *line, size_t length, take *each, FILE *file)
{
    size_t left = app_left_column(line, length), gap = strspn(line + left, " ");
    word w = {.doc = line + left + gap, .doc_length = left + gap < length ? length - left - gap : 0};
    const char *last = line, *end = line + left;
    for (const char *k = line; k + 2 < end; k++)
        if (!strncmp(k, "--", 2)) last = k;
    size_t name = strspn(last, "abcdefghijklmnopqrstuvwxyz-");
    w.value = last + name < end;
    for (const char *k = line; k + 2 < end; k++) {
        if (strncmp(k, "--", 2)) continue;
        w.name = k + 2, w.length = strspn(w.name, "abcdefghijklmnopqrstuvwxyz-");
        each(&w, file);
        k += w.length + 1;
    }
}

// those of lines that begin with one, and --help
static void each_option(const app_command *command, take *each, FILE *file)
{
    each_in_line("--help  list the options", 24, each, file);
    for (const char *line = command->help; *line;) {
        size_t length = strcspn(line, "\n"), skip = strspn(line, " ");
        if (skip < length && !strncmp(line + skip, "--", 2)) each_in_line(line + skip, length - skip, each, file);
        line += length + (line[length] == '\n');
    }
}

// text inside quotes: without what ends them or has a meaning there
static void write_plain(const char *text, size_t length, FILE *file)
{
    for (size_t k = 0; k < length; k++) fputc(strchr("'\\[]:`$\"", text[k]) ? ' ' : text[k], file);
}

static void write_names(FILE *file)
{
    for (int k = 0; app_commands[k]; k++) fprintf(file, "%s%s", k ? " " : "", app_commands[k]->name);
}

/* ---- bash ---- */

static void bash_option(const word *w, FILE *file)
{
    fprintf(file, " --%.*s", (int)w->length, w->name);
}

static void write_options(const app_command *command, FILE *file)
{
    each_option(command, bash_option, file);
}

static void write_bash(FILE *file)
{
    fputs("# bash completion for scree\n"
          "_scree()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} words= names=\n"
          "    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        COMPREPLY=($(compgen -W \"",
          file);
    write_names(file);
    fputs("\" -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", file);
    for (int k = 0; app_commands[k]; k++) {
        fprintf(file, "    %s) words=\"", app_commands[k]->name);
        write_options(app_commands[k], file);
        fputs("\" ;;\n", file);
    }
    // what a command takes besides options, as the program itself lists it
    fputs("    esac\n"
          "    case ${COMP_WORDS[1]}:$word in\n"
          "    *:-*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) && return ;;\n"
          "    help:*) names=\"",
          file);
    write_names(file);
    fputs(" scene\" ;;\n"
          "    init:*) names=$(scree init --list 2>/dev/null | awk '{print $1}') ;;\n"
          "    reproduce:*) names=$(scree reproduce 2>/dev/null | awk '{print $1}') ;;\n"
          "    esac\n"
          "    [[ -n $names ]] && COMPREPLY=($(compgen -W \"$names\" -- \"$word\"))\n"
          "    ((${#COMPREPLY[@]})) || COMPREPLY=($(compgen -f -- \"$word\"))\n"
          "}\n"
          "complete -o filenames -F _scree scree\n",
          file);
}
/* ---- zsh ---- */

static void zsh_option(const word *w, FILE *file)
{
    fprintf(file, " \\\n            '*--%.*s[", (int)w->length, w->name);
    write_plain(w->doc, w->doc_length, file);
    fprintf(file, "]%s'", w->value ? ":value:_files" : "");
}

static void write_zsh(FILE *file)
{
    fputs("#compdef scree\n"
          "_scree()\n{\n"
          "    local -a commands names\n"
          "    commands=(\n",
          file);
    for (int k = 0; app_commands[k]; k++) {
        fprintf(file, "        '%s:", app_commands[k]->name);
        write_plain(app_commands[k]->doc, strlen(app_commands[k]->doc), file);
        fputs("'\n", file);
    }
    fputs("    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    names=()\n"
          "    case $words[2] in\n"
          "    help) names=(${commands%%:*} scene) ;;\n"
          "    init) names=(${(f)\"$(scree init --list 2>/dev/null | awk '{print $1}')\"}) ;;\n"
          "    reproduce) names=(${(f)\"$(scree reproduce 2>/dev/null | awk '{print $1}')\"}) ;;\n"
          "    esac\n"
          "    ((${#names})) && [[ $PREFIX != -* ]] && compadd -a names\n"
          "    case $words[2] in\n",
          file);
    for (int k = 0; app_commands[k]; k++) {
        fprintf(file, "    %s)\n        shift words; ((CURRENT--))\n        _arguments", app_commands[k]->name);
        each_option(app_commands[k], zsh_option, file);
        fputs(" \\\n            '*:file:_files' ;;\n", file);
    }
    fputs("    esac\n}\n"
          "[[ $funcstack[1] == _scree ]] && _scree \"$@\" || compdef _scree scree\n",
          file);
}

/* ---- fish ---- */

static const app_command *fish_command; // whose options are written

static void fish_option(const word *w, FILE *file)
{
    fprintf(file, "complete -c scree -n '__fish_seen_subcommand_from %s' -l %.*s%s -d '", fish_command->name,
            (int)w->length, w->name, w->value ? " -r" : "");
    write_plain(w->doc, w->doc_length, file);
    fputs("'\n", file);
}

static void write_fish(FILE *file)
{
    fputs("# fish completion for scree\n", file);
    for (int k = 0; app_commands[k]; k++) {
        fish_command = app_commands[k];
        fprintf(file, "complete -c scree -f -n __fish_use_subcommand -a %s -d '", fish_command->name);
        write_plain(fish_command->doc, strlen(fish_command->doc), file);
        fputs("'\n", file);
        each_option(fish_command, fish_option, file);
    }
    fputs("complete -c scree -n '__fish_seen_subcommand_from help' -a '", file);
    write_names(file);
    fputs(" scene'\n"
          "complete -c scree -n '__fish_seen_subcommand_from init' -a '(scree init --list 2>/dev/null | string replace "
          "-r \" .*\" \"\")'\n"
          "complete -c scree -n '__fish_seen_subcommand_from reproduce' -a '(scree reproduce 2>/dev/null | string "
          "replace -r \" .*\" \"\")'\n",
          file);
}

bool app_write_completion(const char *shell, FILE *file)
{
    static const struct {
        const char *name;
        void (*write)(FILE *file);
    } shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
    for (size_t k = 0; k < sizeof shells / sizeof *shells; k++)
        if (!strcmp(shells[k].name, shell ? shell : "bash")) return shells[k].write(file), true;
    return false;
}
