/* `scree help --man`: the manual page, from the tables of commands. The build writes it beside the program, `make
 * install` puts it where man looks. */
#include <string.h>

#include "manual.h"

#define INDENT 2  /* spaces before an option in a line of help */
#define RIGHT  21 /* where the right column begins, unless the left one is longer */

// text as roff takes it literally
static void write_text(const char *text, size_t length, FILE *file)
{
    for (size_t k = 0; k < length; k++) {
        bool first = k == 0 || text[k - 1] == '\n';
        if (first && (text[k] == '.' || text[k] == '\'')) fputs("\\&", file);
        if (text[k] == '\\')
            fputs("\\e", file);
        else if (text[k] == '-')
            fputs("\\-", file);
        else
            fputc(text[k], file);
    }
}

// at two spaces, or at one just before the right column
size_t app_left_column(const char *option, size_t length)
{
    for (size_t k = 0; k + 2 <= length; k++)
        if (option[k] == ' ' && option[k + 1] == ' ') return k;
    size_t last = RIGHT - INDENT - 1;
    return length > last && option[last] == ' ' ? last : length;
}

// lines of help: those that begin with an option are tagged paragraphs, the others go on or stand alone
static void write_help(const char *help, FILE *file)
{
    bool tagged = false;
    for (const char *line = help; *line;) {
        size_t length = strcspn(line, "\n"), skip = strspn(line, " ");
        const char *text = line + skip;
        size_t rest = length - skip;
        if (!strncmp(text, "--", 2)) {
            size_t left = app_left_column(text, rest), gap = strspn(text + left, " ");
            fputs(".TP\n.B ", file);
            write_text(text, left, file);
            fputc('\n', file);
            text += left + gap, rest -= left + gap;
            tagged = true;
        } else if (skip <= INDENT && tagged) {
            fputs(".PP\n", file);
            tagged = false;
        }
        write_text(text, rest, file);
        fputc('\n', file);
        line += length + (line[length] == '\n');
    }
}

void app_write_manual(FILE *file)
{
    fprintf(file, ".TH SCREE 1 \"\" \"Scree %s\" \"User Commands\"\n", scree_version());
    fputs(
        ".SH NAME\nscree \\- discrete element simulation of sand, grains, powders, rock and "
        "elastic solids\n.SH SYNOPSIS\n.B scree\n.I COMMAND\n[\\fIargument\\fR ...]\n.SH DESCRIPTION\n"
        "A scene file describes bodies, walls, materials and the time to simulate; Scree checks it, runs it and writes "
        "results in an HDF5 "
        "file.\n.B scree help\n.I KEY\nexplains a key of a scene,\n.B scree help "
        "scene\nlists the "
        "sections,\n.B scree init \\-\\-list\nthe examples to start from.\n.SH COMMANDS\n",
        file);
    for (int k = 0; app_commands[k]; k++) {
        const app_command *c = app_commands[k];
        fputs(".SS ", file);
        fprintf(file, "\"scree %s ", c->name);
        write_text(c->usage, strlen(c->usage), file);
        fputs("\"\n", file);
        write_text(c->doc, strlen(c->doc), file);
        fputs(".\n", file);
        write_help(c->help, file);
        if (c->list) fputs(".PP\n.nf\n", file), c->list(file), fputs(".fi\n", file);
    }
    fputs(".SH EXIT STATUS\n0 on success, 1 when a run or a comparison fails or standard "
          "output is lost, 2 for wrong "
          "input (nothing has "
          "been written), 128 plus the signal's number after a signal: the last state is in a "
          "checkpoint.\n"
          ".SH EXAMPLES\n.nf\nscree init drop\nscree run drop.yaml\nscree render drop.h5\n.fi\n",
          file);
}
