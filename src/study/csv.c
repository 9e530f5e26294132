#include "study/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/os.h"

#define BYTES ((size_t)64 << 20)

void scr_csv_deinit(scr_csv *t)
{
    for (int k = 0; k < t->width; k++) free(t->names[k]);
    free(t->names);
    free(t->columns);
    *t = (scr_csv){0};
}

static char *trim(char *text)
{
    while (*text == ' ' || *text == '"') text++;
    size_t n = strlen(text);
    while (n && strchr(" \"\r", text[n - 1])) text[--n] = 0;
    return text;
}

// the next line that says something, cut off from the rest
static char *next_line(char **rest)
{
    while (*rest && **rest) {
        char *line = *rest, *end = strchr(line, '\n');
        *rest = end ? end + 1 : NULL;
        if (end) *end = 0;
        if (*line != '#' && line[strspn(line, " \r")]) return line;
    }
    return NULL;
}

static bool take_names(scr_csv *t, char *line)
{
    int commas = 0;
    for (const char *p = line; *p; p++) commas += *p == ',';
    t->names = calloc((size_t)commas + 1, sizeof *t->names);
    for (char *name; t->names && (name = strsep(&line, ","));)
        if (!(t->names[t->width++] = strdup(trim(name)))) return false;
    return t->names != NULL;
}

static void take_row(scr_csv *t, char *line, size_t rows)
{
    for (int k = 0; k < t->width; k++) {
        char *text = strsep(&line, ","), *end = text;
        double value = text ? strtod(text, &end) : NAN;
        t->columns[(size_t)k * rows + t->count] = end == text ? NAN : value;
    }
    t->count++;
}

scree_status scr_csv_read(scr_csv *t, const char *path, scree_report *report)
{
    *t = (scr_csv){0};
    size_t rows = 1;
    char *text = scr_file_read(path, BYTES, NULL, report), *rest = text;
    if (!text) return SCREE_E_INPUT;
    for (const char *p = text; *p; p++) rows += *p == '\n';
    char *line = next_line(&rest);
    if (!line || !take_names(t, line)) {
        free(text);
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = path}, "is empty");
    }
    double *wide = calloc((size_t)t->width * rows, sizeof *wide);
    t->columns = wide;
    while (wide && (line = next_line(&rest))) take_row(t, line, rows);
    // column by column, without room between
    for (int k = 1; wide && k < t->width; k++)
        memmove(wide + (size_t)k * t->count, wide + (size_t)k * rows, t->count * sizeof *wide);
    free(text);
    if (wide) return SCREE_OK;
    return scr_no_memory_in(report, path, "the table");
}

static bool find(void *context, const char *name, const double *argument, scr_operand *found, char *why, size_t size)
{
    const scr_csv *t = context;
    *why = 0;
    for (int k = 0; !argument && k < t->width; k++) {
        if (strcmp(t->names[k], name)) continue;
        *found = (scr_operand){.list = true, .rows = t->columns + (size_t)k * t->count, .count = t->count};
        return true;
    }
    snprintf(why, size, "the file has no column '%s'", name);
    return false;
}

scr_names scr_csv_names(scr_csv *table)
{
    return (scr_names){.find = find, .context = table};
}
