#include "scene/columns.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/os.h"
#include "scene/tree.h"

// ---- lines and fields ----

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

// cuts the next line off; NULL at the end
static char *next_line(scr_columns *t)
{
    while (t->at && *t->at) {
        char *line = t->at, *end = strchr(line, '\n'), *last = end ? end : line + strlen(line);
        t->at = end ? end + 1 : NULL;
        t->line++;
        while (last > line && (is_blank(last[-1]) || last[-1] == '\r')) last--;
        *last = 0;
        const char *start = line;
        while (is_blank(*start)) start++;
        if (*start && *start != '#') return line;
    }
    return NULL;
}

// cuts the next field off, without blanks and quotes around it; NULL after the last
static char *next_field(char separator, char **rest)
{
    if (!*rest) return NULL;
    char *field = *rest;
    if (separator == ' ') field += strspn(field, " \t");
    if (separator == ' ' && !*field) return *rest = NULL, NULL;
    char *end = separator == ' ' ? strpbrk(field, " \t") : strchr(field, separator);
    *rest = end ? end + 1 : NULL;
    if (!end) end = field + strlen(field);
    while (field < end && (is_blank(*field) || *field == '"')) field++;
    while (end > field && (is_blank(end[-1]) || end[-1] == '"')) end--;
    *end = 0;
    return field;
}

static char separator_of(const char *line)
{
    return strchr(line, ',') ? ',' : strchr(line, ';') ? ';' : strchr(line, '\t') ? '\t' : ' ';
}

// whether all fields of the line are numbers; the line stays whole
static bool is_row(const char *line, char separator)
{
    char *copy = strdup(line);
    bool numbers = copy != NULL;
    for (char *rest = copy, *field; numbers && (field = next_field(separator, &rest));) {
        size_t length = scr_number_length(field);
        numbers = length && !field[length];
    }
    free(copy);
    return numbers;
}

// ---- header ----

static bool is_among(const char *words, const char *name)
{
    const char *cursor = words, *word;
    size_t length, own = strlen(name);
    while ((word = scr_words_next(&cursor, &length)))
        if (length == own && !strncasecmp(word, name, length)) return true;
    return false;
}

static int kind_of(const scr_columns *t, const char *name)
{
    for (int k = 0; k < t->kind_count; k++)
        if (!(t->called && t->called[k]) && (!strcasecmp(t->kinds[k].name, name) || is_among(t->kinds[k].also, name)))
            return k;
    return -1;
}

// `PosX [mm]` without its unit: length of the name
static size_t name_length(const char *called)
{
    size_t length = strcspn(called, "[(");
    while (length && called[length - 1] == ' ') length--;
    return length;
}

// the number of a column that is known by number; 0: by name
static int number_of(const char *called)
{
    size_t length = name_length(called);
    for (size_t k = 0; k < length; k++)
        if (!isdigit((unsigned char)called[k])) return 0;
    return length && length < 6 ? atoi(called) : 0;
}

// the kind that the caller says is in this column: by its name, with or without the unit, or its number
static int called_kind(const scr_columns *t, const char *name, const char *whole, int number)
{
    for (int k = 0; t->called && k < t->kind_count; k++) {
        const char *called = t->called[k];
        if (!called) continue;
        size_t length = name_length(called);
        if (number_of(called) == number || !strcmp(called, whole) ||
            (length == strlen(name) && !strncmp(called, name, length)))
            return k;
    }
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
    const char *fits = t->kinds[c->kind].unit ? t->kinds[c->kind].unit : "";
    scr_unit_parse(fits, &wanted, why, sizeof why);
    if (!scr_unit_parse(unit, &c->unit, why, sizeof why))
        scr_file_error(&t->errors, t->line, at, "column %s: %s", name, why);
    else if (!t->kinds[c->kind].unit || !scr_unit_fits(&c->unit, &wanted))
        scr_file_error(&t->errors, t->line, at, "column %s: unit %s cannot be converted to %s", name,
                       scr_quote(unit).text,
                       fits[0]                  ? fits
                       : t->kinds[c->kind].unit ? "a number"
                                                : "a word");
}

static void warn_unknown(scr_columns *t, const char *name, int at)
{
    scr_nearest nearest = {.wanted = name};
    for (int k = 0; k < t->kind_count; k++) scr_nearest_offer(&nearest, t->kinds[k].name);
    bool near = nearest.found && strlen(name) > 2;
    scr_warn(t->errors.report, (scree_place){t->errors.file, t->line, at, NULL}, "unknown column %s is ignored%s%s%s",
             scr_quote(name).text, near ? ", did you mean '" : "", near ? nearest.found : "", near ? "'?" : "");
}

// the unit that the caller gives a column, if any, in `room`
static const char *called_unit(const scr_columns *t, int kind, char *room, size_t size)
{
    const char *called = t->called ? t->called[kind] : NULL, *open = called ? strpbrk(called, "[(") : NULL;
    if (!open) return NULL;
    snprintf(room, size, "%.*s", (int)strcspn(open + 1, "])"), open + 1);
    return room;
}

static void add_column(scr_columns *t, char *field, int at)
{
    scr_column *c = &t->columns[t->column_count++];
    char whole[128], room[64];
    snprintf(whole, sizeof whole, "%s", field);
    const char *unit = split_unit(field);
    c->kind = called_kind(t, field, whole, t->column_count);
    bool called = c->kind >= 0;
    if (!called) c->kind = kind_of(t, field);
    c->unit = (scr_unit){.factor = 1};
    if (c->kind < 0) {
        if (!t->called) warn_unknown(t, field, at);
        return;
    }
    if (t->has[c->kind]) scr_file_error(&t->errors, t->line, at, "column %s is given twice", t->kinds[c->kind].name);
    t->has[c->kind] = true;
    const char *own = called ? called_unit(t, c->kind, room, sizeof room) : NULL;
    if (own || unit) read_unit(t, c, field, own ? own : unit, at);
}

// `x [mm] y [mm]`: a unit on its own belongs to the column before it
static void add_columns(scr_columns *t, char *line)
{
    char *rest = line, *field = next_field(t->separator, &rest);
    while (field && t->column_count < SCR_MOST_COLUMNS) {
        char text[256], *next = next_field(t->separator, &rest);
        int at = (int)(field - line) + 1;
        bool unit = t->separator == ' ' && next && (*next == '[' || *next == '(');
        snprintf(text, sizeof text, "%s%s", field, unit ? next : "");
        if (unit) next = next_field(t->separator, &rest);
        add_column(t, text, at);
        field = next;
    }
    if (field) scr_file_error(&t->errors, t->line, 0, "there are more than %d columns", SCR_MOST_COLUMNS);
}

// no names: columns are known by number, as many as the line has fields
static void number_columns(scr_columns *t, const char *line)
{
    char *copy = strdup(line), empty[1] = "";
    for (char *rest = copy; copy && t->column_count < SCR_MOST_COLUMNS && next_field(t->separator, &rest);) {
        empty[0] = 0;
        add_column(t, empty, 0);
    }
    free(copy);
}

// what the caller calls a column must be there
static void check_called(scr_columns *t)
{
    for (int k = 0; t->called && k < t->kind_count; k++)
        if (t->called[k] && !t->has[k])
            scr_file_error(&t->errors, t->line, 0, "there is no column %s for columns.%s: the table has %d columns",
                           scr_quote(t->called[k]).text, t->kinds[k].name, t->column_count);
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
    t->separator = separator_of(line);
    t->again = is_row(line, t->separator);
    if (t->again && !t->called)
        return scr_file_error(
            &t->errors, t->line, 0,
            "the first line contains only numbers: it must name the columns, or `columns` must give their numbers");
    if (t->again)
        number_columns(t, line);
    else
        add_columns(t, line);
    t->first = line;
    check_called(t);
    return true;
}

// ---- rows ----

static bool read_field(scr_columns *t, const scr_column *c, const char *field, int at, double *value)
{
    if (!t->kinds[c->kind].unit) {
        char why[160] = "must be a number";
        if (t->word && t->word(t->context, c->kind, field, value, why, sizeof why)) return true;
        return scr_file_error(&t->errors, t->line, at, "%s is %s, %s", t->kinds[c->kind].name, scr_quote(field).text,
                              why);
    }
    size_t length = scr_number_length(field);
    if (length && !field[length] && scr_number_read(field, length, &c->unit, value)) return true;
    return scr_file_error(&t->errors, t->line, at, "%s is %s, must be a number", t->kinds[c->kind].name,
                          scr_quote(field).text);
}

static bool read_fields(scr_columns *t, char *line, double *values)
{
    int k = 0;
    bool good = true;
    // names between tabs, numbers between blanks
    char separator = t->separator == '\t' && !strchr(line, '\t') ? ' ' : t->separator;
    for (char *rest = line, *field; (field = next_field(separator, &rest)); k++) {
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
    char *line = t->again ? t->first : next_line(t);
    t->again = false;
    if (!line) return false;
    for (int k = 0; k < t->kind_count; k++) values[k] = 0;
    *good = read_fields(t, line, values);
    return true;
}
