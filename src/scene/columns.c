#include "scene/columns.h"

#include <string.h>

#include "base/os.h"
#include "scene/tree.h"

// ---- lines and fields ----

// cuts the next line off; NULL at the end
static char *next_line(scr_columns *t)
{
    while (t->at && *t->at) {
        char *line = t->at, *end = strchr(line, '\n');
        t->at = end ? end + 1 : NULL;
        if (end) *end = 0;
        t->line++;
        size_t length = strlen(line);
        while (length && strchr(" \t\r", line[length - 1])) line[--length] = 0;
        char *start = line + strspn(line, " \t");
        if (*start && *start != '#') return line;
    }
    return NULL;
}

// cuts the next field off, without blanks and quotes around it; NULL after the last
static char *next_field(const scr_columns *t, char **rest)
{
    if (!*rest) return NULL;
    char *field = *rest;
    if (t->separator == ' ') field += strspn(field, " \t");
    char *end = t->separator == ' ' ? strpbrk(field, " \t") : strchr(field, t->separator);
    *rest = end ? end + 1 : NULL;
    if (end) *end = 0;
    field += strspn(field, " \t\"");
    size_t length = strlen(field);
    while (length && strchr(" \t\"", field[length - 1])) field[--length] = 0;
    return field;
}

// ---- header ----

static int kind_of(const scr_columns *t, const char *name)
{
    for (int k = 0; k < t->kind_count; k++)
        if (!strcmp(t->kinds[k].name, name) || scr_words_index(t->kinds[k].also, name) >= 0) return k;
    return -1;
}

// `name [unit]`, `name (unit)` or `name`: cuts the unit off
static char *split_unit(char *field)
{
    char *open = strpbrk(field, "[(");
    if (!open) return NULL;
    char *close = strpbrk(open, "])");
    if (close) *close = 0;
    *open = 0;
    size_t length = strlen(field);
    while (length && field[length - 1] == ' ') field[--length] = 0;
    return open + 1;
}

static void read_unit(scr_columns *t, scr_column *c, const char *name, const char *unit, int at)
{
    char why[120];
    scr_unit wanted;
    scr_unit_parse(t->kinds[c->kind].unit, &wanted, why, sizeof why);
    if (!scr_unit_parse(unit, &c->unit, why, sizeof why))
        scr_file_error(&t->errors, t->line, at, "column %s: %s", name, why);
    else if (!scr_unit_fits(&c->unit, &wanted))
        scr_file_error(&t->errors, t->line, at, "column %s: unit %s cannot be converted to %s", name,
                       scr_quote(unit).text, t->kinds[c->kind].unit[0] ? t->kinds[c->kind].unit : "a number");
}

static void warn_unknown(scr_columns *t, const char *name, int at)
{
    scr_nearest nearest = {.wanted = name};
    for (int k = 0; k < t->kind_count; k++) scr_nearest_offer(&nearest, t->kinds[k].name);
    bool near = nearest.found && strlen(name) > 2;
    scr_warn(t->errors.report, (scree_place){t->errors.file, t->line, at, NULL},
             "column %s is not known and ignored%s%s%s", scr_quote(name).text, near ? ", did you mean '" : "",
             near ? nearest.found : "", near ? "'?" : "");
}

static void add_column(scr_columns *t, char *field, int at)
{
    scr_column *c = &t->columns[t->column_count++];
    const char *unit = split_unit(field);
    c->kind = kind_of(t, field);
    c->unit = (scr_unit){.factor = 1};
    if (c->kind < 0) {
        warn_unknown(t, field, at);
        return;
    }
    if (t->has[c->kind]) scr_file_error(&t->errors, t->line, at, "column %s is given twice", t->kinds[c->kind].name);
    t->has[c->kind] = true;
    if (unit) read_unit(t, c, field, unit, at);
}

bool scr_columns_open(scr_columns *t, char *text, size_t size)
{
    if (strlen(text) != size)
        return scr_file_error(&t->errors, 0, 0, "byte %zu is zero, a table must be text%s", strlen(text) + 1,
                              scr_text_hint(text));
    // spreadsheets put a byte order mark before the header
    t->at = text + (strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3);
    char *line = next_line(t);
    if (!line) return scr_file_error(&t->errors, 0, 0, "is empty, must be a table of %s", t->what);
    t->separator = strchr(line, ',') ? ',' : strchr(line, ';') ? ';' : strchr(line, '\t') ? '\t' : ' ';
    for (char *rest = line, *field; (field = next_field(t, &rest));) {
        if (t->column_count == SCR_MOST_COLUMNS)
            return scr_file_error(&t->errors, t->line, 0, "there are more than %d columns", SCR_MOST_COLUMNS);
        add_column(t, field, (int)(field - line) + 1);
    }
    return true;
}

// ---- rows ----

static bool read_field(scr_columns *t, const scr_column *c, const char *field, int at, double *value)
{
    size_t length = scr_number_length(field);
    if (length && !field[length] && scr_number_read(field, length, &c->unit, value)) return true;
    return scr_file_error(&t->errors, t->line, at, "%s is %s, must be a number", t->kinds[c->kind].name,
                          scr_quote(field).text);
}

static bool read_fields(scr_columns *t, char *line, double *values)
{
    int k = 0;
    bool good = true;
    for (char *rest = line, *field; (field = next_field(t, &rest)); k++) {
        if (k >= t->column_count || t->columns[k].kind < 0) continue;
        int at = (int)(field - line) + 1;
        good = read_field(t, &t->columns[k], field, at, &values[t->columns[k].kind]) && good;
    }
    if (k != t->column_count)
        return scr_file_error(&t->errors, t->line, 0, "there are %d fields, the first line names %d", k,
                              t->column_count);
    return good;
}

bool scr_columns_row(scr_columns *t, double *values, bool *good)
{
    char *line = next_line(t);
    if (!line) return false;
    for (int k = 0; k < t->kind_count; k++) values[k] = 0;
    *good = read_fields(t, line, values);
    return true;
}
