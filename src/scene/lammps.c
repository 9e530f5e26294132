/* Grains from a LAMMPS data file of atom style sphere:
 *   Atoms # sphere      id type diameter density x y z [nx ny nz]
 *   Velocities          id vx vy vz wx wy wz
 * The first line is a comment; header lines (`32000 atoms`, `0 40 xlo xhi`) come before the first
 * section; sections that say nothing about grains are passed over. Numbers are taken as SI. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/os.h"
#include "scene/generators.h"
#include "scene/tree.h"

typedef enum { HEADER, OTHER, ATOMS, VELOCITIES } part;

enum { MOST_FIELDS = 12 };

typedef struct {
    char *at;
    int line;
    char *comment; /* after # on the current line, or NULL */
    part part;
    double atoms; /* promised by the header, -1 when it says nothing */
    bool seen_atoms;
    scr_rows rows;
    size_t *by_id; /* rows in the order of their ids, once velocities are read */
    scr_file_errors errors;
} data_file;

// ---- lines ----

// cuts the next line that is not blank off, its comment set aside
static char *next_line(data_file *d)
{
    while (d->at && *d->at) {
        char *line = d->at, *end = strchr(line, '\n');
        d->at = end ? end + 1 : NULL;
        if (end) *end = 0;
        d->line++;
        char *hash = strchr(line, '#');
        if (hash) *hash = 0;
        d->comment = hash ? hash + 1 : NULL;
        line += strspn(line, " \t\r");
        size_t length = strlen(line);
        while (length && strchr(" \t\r", line[length - 1])) line[--length] = 0;
        if (*line && d->line > 1) return line;
    }
    return NULL;
}

// cuts the line into fields; the number of them may be larger than `most`, then those are not cut
static int split(char *line, char **fields, int most)
{
    int count = 0;
    for (char *p = line; *p; count++) {
        char *end = p + strcspn(p, " \t");
        if (count < most) fields[count] = p;
        p = end + strspn(end, " \t");
        if (count < most) *end = 0;
    }
    return count;
}

static bool read_numbers(data_file *d, char *line, double *values, int count, int more)
{
    char *fields[MOST_FIELDS];
    int n = split(line, fields, MOST_FIELDS);
    if (n != count && n != more)
        return scr_file_error(&d->errors, d->line, 0, "there are %d fields, must be %d or %d", n, count, more);
    for (int k = 0; k < count; k++)
        if (!scr_field_number(fields[k], &values[k]))
            return scr_file_error(&d->errors, d->line, (int)(fields[k] - line) + 1, "field %d is %s, must be a number",
                                  k + 1, scr_quote(fields[k]).text);
    return true;
}

static bool is_id(double value)
{
    return value >= 1 && value <= 0x1p53 && value == floor(value);
}

// ---- header and sections ----

static void begin_atoms(data_file *d)
{
    char style[32] = "";
    if (d->comment) sscanf(d->comment, " %31s", style);
    if (style[0] && strcmp(style, "sphere"))
        scr_file_error(&d->errors, d->line, 0, "atom style is %s, must be sphere", scr_quote(style).text);
    if (d->seen_atoms) scr_file_error(&d->errors, d->line, 0, "a second section Atoms");
    d->seen_atoms = true;
    d->part = ATOMS;
}

static scree_status sort_ids(data_file *d);

// a line that begins with a letter opens a section
static scree_status begin_section(data_file *d, const char *line)
{
    scree_status status = SCREE_OK;
    if (!strncmp(line, "Atoms", 5)) {
        begin_atoms(d);
    } else if (!strncmp(line, "Velocities", 10)) {
        if (!d->seen_atoms)
            scr_file_error(&d->errors, d->line, 0, "section Velocities comes before Atoms");
        else
            status = sort_ids(d);
        d->part = VELOCITIES;
    } else {
        d->part = OTHER;
    }
    return status;
}

static void read_header(data_file *d, const char *line)
{
    size_t n = strcspn(line, " \t");
    const char *rest = line + n + strspn(line + n, " \t");
    if (strcmp(rest, "atoms")) return;
    char number[32];
    snprintf(number, sizeof number, "%.*s", (int)(n < 31 ? n : 31), line);
    if (!scr_field_number(number, &d->atoms) || d->atoms < 0)
        scr_file_error(&d->errors, d->line, 1, "number of atoms is %s", scr_quote(number).text);
}

// ---- atoms ----

static scree_status read_atom(data_file *d, char *line)
{
    double v[7];
    if (!read_numbers(d, line, v, 7, 10)) return SCREE_OK;
    if (!is_id(v[0]) || !is_id(v[1])) {
        scr_file_error(&d->errors, d->line, 0, "id %g and type %g must be whole numbers from 1", v[0], v[1]);
        return SCREE_OK;
    }
    scr_row row = {.line = d->line, .type = (int64_t)v[1]};
    row.grain = (scr_grain){.id = (int64_t)v[0], .position = v3_load(v + 4), .radius = v[2] / 2, .density = v[3]};
    if (!scr_row_check(&d->errors, &row)) return SCREE_OK;
    scr_rows *rows = &d->rows;
    if (!scr_reserve(&rows->items, rows->count + 1)) return SCREE_E_MEMORY;
    rows->items[rows->count++] = row;
    return SCREE_OK;
}

// ---- velocities ----

static int by_id(const void *a, const void *b, void *context)
{
    const scr_rows *rows = context;
    int64_t x = rows->items[*(const size_t *)a].grain.id, y = rows->items[*(const size_t *)b].grain.id;
    return (x > y) - (x < y);
}

static scree_status sort_ids(data_file *d)
{
    free(d->by_id);
    d->by_id = malloc((d->rows.count + 1) * sizeof *d->by_id);
    if (!d->by_id) return SCREE_E_MEMORY;
    for (size_t k = 0; k < d->rows.count; k++) d->by_id[k] = k;
    qsort_r(d->by_id, d->rows.count, sizeof *d->by_id, by_id, &d->rows);
    return SCREE_OK;
}

static scr_row *find_row(data_file *d, int64_t id)
{
    size_t low = 0, high = d->rows.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        scr_row *row = &d->rows.items[d->by_id[middle]];
        if (row->grain.id == id) return row;
        if (row->grain.id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void read_velocity(data_file *d, char *line)
{
    double v[7];
    if (!read_numbers(d, line, v, 7, 7)) return;
    scr_row *row = d->by_id && is_id(v[0]) ? find_row(d, (int64_t)v[0]) : NULL;
    // after an error the atom may be missing for that reason
    if (!row && !d->errors.errors)
        scr_file_error(&d->errors, d->line, 0, "velocity of id %g, which is not an atom of the file", v[0]);
    if (!row) return;
    row->grain.velocity = v3_load(v + 1);
    row->grain.spin = v3_load(v + 4);
}

// ---- the file ----

static scree_status read_lines(data_file *d)
{
    scree_status status = SCREE_OK;
    for (char *line; !status && (line = next_line(d));) {
        if (isalpha((unsigned char)line[0]))
            status = begin_section(d, line);
        else if (d->part == HEADER)
            read_header(d, line);
        else if (d->part == ATOMS)
            status = read_atom(d, line);
        else if (d->part == VELOCITIES)
            read_velocity(d, line);
    }
    if (!status && !d->seen_atoms) scr_file_error(&d->errors, 0, 0, "has no section Atoms");
    if (!status && !d->errors.errors && d->atoms >= 0 && d->atoms != (double)d->rows.count)
        scr_file_error(&d->errors, 0, 0, "has %zu atoms, its header says %.0f", d->rows.count, d->atoms);
    return status ? status : d->errors.errors ? SCREE_E_INPUT : SCREE_OK;
}

scree_status scr_generate_lammps(scr_generator *g)
{
    const scr_bodies_lammps_def *def = g->group->variant_def;
    char *path = scr_scene_file(g->scene, def->file);
    if (!path) return SCREE_E_MEMORY;
    size_t size = 0;
    char *text = scr_file_read(path, SCR_FILE_BYTES, &size, g->report);
    if (!text)
        scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "file"),
                 "bodies.%s.file is '%s', which cannot be read", g->group->name, def->file);
    // an editor may have put a byte order mark before the title
    bool marked = text && !strncmp(text, "\xef\xbb\xbf", 3);
    data_file d = {.at = marked ? text + 3 : text, .atoms = -1, .errors = {path, g->report, 0}};
    scree_status status = SCREE_E_INPUT;
    if (text && strlen(text) != size)
        scr_file_error(&d.errors, 0, 0, "byte %zu is zero, a data file must be text%s", strlen(text) + 1,
                       scr_text_hint(text));
    else if (text)
        status = read_lines(&d);
    if (!status) status = scr_rows_deliver(g, &d.rows, def->type, &d.errors);
    scr_buffer_free(d.rows.items);
    free(d.by_id);
    free(text);
    free(path);
    return status;
}
