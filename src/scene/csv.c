/* Grains from a CSV table. The first line that is neither empty nor a comment (#) names the
 * columns, in any order, each with an optional unit: `x [mm]`. Fields are separated by commas,
 * semicolons, tabs or spaces, whichever the first line uses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/os.h"
#include "scene/generators.h"
#include "scene/tree.h"
#include "scene/unit.h"

enum { ID, TYPE, RADIUS, DIAMETER, DENSITY, X, VX = X + 3, WX = VX + 3, KINDS = WX + 3 };

static const struct {
    const char *name, *also, *unit;
} kinds[KINDS] = {
    [ID] = {"id", "ID particle grain", ""},
    [TYPE] = {"type", NULL, ""},
    [RADIUS] = {"radius", "r Radius", "m"},
    [DIAMETER] = {"diameter", "d Diameter", "m"},
    [DENSITY] = {"density", "rho Density", "kg/m^3"},
    [X] = {"x", "X x0 position_x pos_x position.x", "m"},
    [X + 1] = {"y", "Y x1 position_y pos_y position.y", "m"},
    [X + 2] = {"z", "Z x2 position_z pos_z position.z", "m"},
    [VX] = {"vx", "velocity_x vel_x velocity.x", "m/s"},
    [VX + 1] = {"vy", "velocity_y vel_y velocity.y", "m/s"},
    [VX + 2] = {"vz", "velocity_z vel_z velocity.z", "m/s"},
    [WX] = {"wx", "omegax omega_x spin_x spin.x", "rad/s"},
    [WX + 1] = {"wy", "omegay omega_y spin_y spin.y", "rad/s"},
    [WX + 2] = {"wz", "omegaz omega_z spin_z spin.z", "rad/s"},
};

enum { MOST_COLUMNS = 256 };

typedef struct {
    int kind; /* -1: ignored */
    scr_unit unit;
} column;

typedef struct {
    char *at; /* rest of the text */
    int line;
    char separator;
    column columns[MOST_COLUMNS];
    int column_count;
    bool has[KINDS];
    scr_file_errors errors;
} table;

// ---- lines and fields ----

// cuts the next line off; NULL at the end
static char *next_line(table *t)
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
static char *next_field(const table *t, char **rest)
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

static int kind_of(const char *name)
{
    for (int k = 0; k < KINDS; k++)
        if (!strcmp(kinds[k].name, name) || scr_words_index(kinds[k].also, name) >= 0) return k;
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

static void read_unit(table *t, column *c, const char *name, const char *unit, int at)
{
    char why[120];
    scr_unit wanted;
    scr_unit_parse(kinds[c->kind].unit, &wanted, why, sizeof why);
    if (!scr_unit_parse(unit, &c->unit, why, sizeof why))
        scr_file_error(&t->errors, t->line, at, "column %s: %s", name, why);
    else if (!scr_unit_fits(&c->unit, &wanted))
        scr_file_error(&t->errors, t->line, at, "column %s: unit %s cannot be converted to %s",
                       name, scr_quote(unit).text,
                       kinds[c->kind].unit[0] ? kinds[c->kind].unit : "a number");
}

static void warn_unknown(table *t, const char *name, int at)
{
    scr_nearest nearest = {.wanted = name};
    for (int k = 0; k < KINDS; k++) scr_nearest_offer(&nearest, kinds[k].name);
    bool near = nearest.found && strlen(name) > 2;
    scr_warn(t->errors.report, (scree_place){t->errors.file, t->line, at, NULL},
             "column %s is not known and ignored%s%s%s", scr_quote(name).text,
             near ? ", did you mean '" : "", near ? nearest.found : "", near ? "'?" : "");
}

static void add_column(table *t, char *field, int at)
{
    column *c = &t->columns[t->column_count++];
    const char *unit = split_unit(field);
    c->kind = kind_of(field);
    c->unit = (scr_unit){.factor = 1};
    if (c->kind < 0) {
        warn_unknown(t, field, at);
        return;
    }
    if (t->has[c->kind])
        scr_file_error(&t->errors, t->line, at, "column %s stands twice", kinds[c->kind].name);
    t->has[c->kind] = true;
    if (unit) read_unit(t, c, field, unit, at);
}

static void check_columns(table *t)
{
    for (int k = 0; k < 3; k++)
        if (!t->has[X + k])
            scr_file_error(&t->errors, t->line, 0,
                           "column %s is missing; the first line must name the columns x y z and "
                           "radius or diameter",
                           kinds[X + k].name);
    if (t->has[RADIUS] && t->has[DIAMETER])
        scr_file_error(&t->errors, t->line, 0,
                       "there are columns radius and diameter, one must go");
    if (!t->has[RADIUS] && !t->has[DIAMETER])
        scr_file_error(&t->errors, t->line, 0, "a column radius or diameter is missing");
}

static bool read_header(table *t)
{
    char *line = next_line(t);
    if (!line) return scr_file_error(&t->errors, 0, 0, "is empty, must be a table of grains");
    t->separator = strchr(line, ',')    ? ','
                   : strchr(line, ';')  ? ';'
                   : strchr(line, '\t') ? '\t'
                                        : ' ';
    for (char *rest = line, *field; (field = next_field(t, &rest));) {
        if (t->column_count == MOST_COLUMNS)
            return scr_file_error(&t->errors, t->line, 0, "there are more than %d columns",
                                  MOST_COLUMNS);
        add_column(t, field, (int)(field - line) + 1);
    }
    check_columns(t);
    return !t->errors.errors;
}

// ---- rows ----

static bool read_field(table *t, const column *c, const char *field, int at, double *value)
{
    size_t length = scr_number_length(field);
    if (length && !field[length] && scr_number_read(field, length, &c->unit, value)) return true;
    return scr_file_error(&t->errors, t->line, at, "%s is %s, must be a number",
                          kinds[c->kind].name, scr_quote(field).text);
}

static bool read_fields(table *t, char *line, double *values)
{
    int k = 0;
    bool good = true;
    for (char *rest = line, *field; (field = next_field(t, &rest)); k++) {
        if (k >= t->column_count || t->columns[k].kind < 0) continue;
        int at = (int)(field - line) + 1;
        good = read_field(t, &t->columns[k], field, at, &values[t->columns[k].kind]) && good;
    }
    if (k != t->column_count)
        return scr_file_error(&t->errors, t->line, 0,
                              "there are %d fields, the first line names %d", k, t->column_count);
    return good;
}

static bool is_whole(double value, double low)
{
    return value >= low && value <= 0x1p53 && value == floor(value);
}

static bool make_row(table *t, const double *v, scr_row *row)
{
    if (t->has[ID] && !is_whole(v[ID], 1))
        return scr_file_error(&t->errors, t->line, 0, "id is %g, must be a whole number from 1",
                              v[ID]);
    if (t->has[TYPE] && !is_whole(v[TYPE], 0))
        return scr_file_error(&t->errors, t->line, 0, "type is %g, must be a whole number from 0",
                              v[TYPE]);
    *row = (scr_row){.line = t->line, .type = (int64_t)v[TYPE]};
    row->grain = (scr_grain){.id = (int64_t)v[ID],
                             .position = v3_load(v + X),
                             .radius = t->has[RADIUS] ? v[RADIUS] : v[DIAMETER] / 2,
                             .density = t->has[DENSITY] ? v[DENSITY] : NAN,
                             .velocity = v3_load(v + VX),
                             .spin = v3_load(v + WX)};
    return scr_row_check(&t->errors, row);
}

static scree_status read_rows(table *t, scr_rows *rows)
{
    for (char *line; (line = next_line(t));) {
        double values[KINDS] = {0};
        scr_row row;
        if (!read_fields(t, line, values) || !make_row(t, values, &row)) continue;
        if (!scr_memory_reserve(&rows->items, &rows->capacity, rows->count + 1, rows->count,
                                sizeof *rows->items))
            return SCREE_E_MEMORY;
        rows->items[rows->count++] = row;
    }
    return t->errors.errors ? SCREE_E_INPUT : SCREE_OK;
}

scree_status scr_generate_table(scr_generator *g)
{
    const scr_bodies_table_def *def = g->group->variant_def;
    char *path = scr_scene_file(g->scene, def->file);
    if (!path) return SCREE_E_MEMORY;
    size_t size = 0;
    char *text = scr_file_read(path, SCR_FILE_BYTES, &size, g->report);
    if (!text)
        scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "file"),
                 "bodies.%s.file is '%s', which cannot be read", g->group->name, def->file);
    scr_rows rows = {0};
    // spreadsheets put a byte order mark before the header
    bool marked = text && !strncmp(text, "\xef\xbb\xbf", 3);
    table t = {.at = marked ? text + 3 : text, .errors = {path, g->report, 0}};
    scree_status status = SCREE_E_INPUT;
    if (text && strlen(text) != size)
        scr_file_error(&t.errors, 0, 0, "byte %zu is zero, a table must be text%s",
                       strlen(text) + 1, scr_text_hint(text));
    else if (text && read_header(&t))
        status = read_rows(&t, &rows);
    if (!status && def->type && !t.has[TYPE])
        status = scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "type"),
                          "bodies.%s.type is %lld, but the table has no column type",
                          g->group->name, (long long)def->type);
    if (!status) status = scr_rows_deliver(g, &rows, def->type, &t.errors);
    scr_memory_free(rows.items);
    free(text);
    free(path);
    return status;
}
