/* Grains from a LAMMPS data file of atom style sphere:
 *   Atoms # sphere      id type diameter density x y z [nx ny nz]
 *   Velocities          id vx vy vz wx wy wz
 * The first line is a comment; header lines (`32000 atoms`, `0 40 xlo xhi`) come before the first
 * section; sections that say nothing about grains are passed over. Numbers are taken as SI. */
#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/os.h"
#include "scene/text_part.h"
#include "scene/tree.h"

typedef enum { HEADER, OTHER, ATOMS, VELOCITIES } part;

enum { MOST_FIELDS = 12 };

/* A line of the section Velocities: id, velocity, spin. */
typedef struct {
    int64_t id;
    double v[6];
    int line;
} velocity;

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
    const scr_grains_ranks *ranks; /* that have lines of it each; NULL: all are here */
    velocity *velocities;          /* there: until their atoms are known; a buffer */
    size_t velocity_count;
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
        else if (!d->ranks)
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

static void no_atom(data_file *d, int line, double id)
{
    scr_file_error(&d->errors, line, 0, "velocity of id %g, which is not an atom of the file", id);
}

static scree_status read_velocity(data_file *d, char *line)
{
    double v[7];
    if (!read_numbers(d, line, v, 7, 7)) return SCREE_OK;
    if (d->ranks && is_id(v[0])) {
        velocity own = {.id = (int64_t)v[0], .line = d->line};
        memcpy(own.v, v + 1, sizeof own.v);
        return scr_push(d->velocities, d->velocity_count, own) ? SCREE_OK : SCREE_E_MEMORY;
    }
    scr_row *row = d->by_id && is_id(v[0]) ? find_row(d, (int64_t)v[0]) : NULL;
    // after an error the atom may be missing for that reason
    if (!row && !d->errors.errors) no_atom(d, d->line, v[0]);
    if (!row) return SCREE_OK;
    row->grain.velocity = v3_load(v + 1);
    row->grain.spin = v3_load(v + 4);
    return SCREE_OK;
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
            status = read_velocity(d, line);
    }
    return status;
}

// what the header says, and what there is
static scree_status check_atoms(data_file *d, int64_t count)
{
    if (!d->seen_atoms) scr_file_error(&d->errors, 0, 0, "has no section Atoms");
    if (!d->errors.errors && d->atoms >= 0 && d->atoms != (double)count)
        scr_file_error(&d->errors, 0, 0, "has %lld atoms, its header says %.0f", (long long)count, d->atoms);
    return d->errors.errors ? SCREE_E_INPUT : SCREE_OK;
}

static scree_status no_file(const scr_generator *g)
{
    const scr_bodies_lammps_def *def = g->group->variant_def;
    return scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "file"),
                    "bodies.%s.file is '%s', which cannot be read", g->group->name, def->file);
}

static scree_status read_file(const scr_generator *g, data_file *d)
{
    size_t size = 0;
    char *text = scr_file_read(d->errors.file, SCR_FILE_BYTES, &size, g->report);
    if (!text) return no_file(g);
    // an editor may have put a byte order mark before the title
    bool marked = !strncmp(text, "\xef\xbb\xbf", 3);
    d->at = marked ? text + 3 : text;
    scree_status status = SCREE_E_INPUT;
    if (strlen(text) != size)
        scr_file_error(&d->errors, 0, 0, "byte %zu is zero, a data file must be text%s", strlen(text) + 1,
                       scr_text_hint(text));
    else
        status = read_lines(d);
    free(text);
    return status ? status : check_atoms(d, (int64_t)d->rows.count);
}

// ---- the file in parts ----

/* What a rank's lines say to those that come after them. */
typedef struct {
    int part; /* of the last heading among them; -1: there is none */
    bool atoms;
} state;

static int part_of(const char *heading)
{
    return !strncmp(heading, "Atoms", 5) ? ATOMS : !strncmp(heading, "Velocities", 10) ? VELOCITIES : OTHER;
}

static state look_for_headings(const char *text, bool title)
{
    state s = {.part = -1};
    for (const char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        const char *first = line + strspn(line, " \t\r");
        if (isalpha((unsigned char)*first) && !title) s.part = part_of(first), s.atoms |= s.part == ATOMS;
        title = false;
        if (!end) break;
    }
    return s;
}

// the section in which a rank's lines begin; whether there are atoms at all
static bool take_state(data_file *d, state own)
{
    state *all = NULL;
    bool any = false;
    d->ranks->need(scr_reserve(&all, (size_t)d->ranks->size));
    d->ranks->gather(d->ranks->context, &own, sizeof own, all);
    d->part = HEADER, d->seen_atoms = false;
    for (int r = 0; r < d->ranks->size; r++) {
        any |= all[r].atoms;
        if (r < d->ranks->rank && all[r].part >= 0) d->part = (part)all[r].part;
        if (r < d->ranks->rank) d->seen_atoms |= all[r].atoms;
    }
    scr_buffer_free(all);
    return any;
}

// the number of atoms that the header says, whoever has that line
static void share_promise(data_file *d)
{
    double *all = NULL;
    d->ranks->need(scr_reserve(&all, (size_t)d->ranks->size));
    d->ranks->gather(d->ranks->context, &d->atoms, sizeof d->atoms, all);
    for (int r = 0; r < d->ranks->size; r++) d->atoms = all[r] > d->atoms ? all[r] : d->atoms;
    scr_buffer_free(all);
}

// items to the rank that their id, divided by the number of ranks, leaves; `id` is where an item has it. What comes
// takes their place in *items, a buffer
static size_t send_home(const scr_grains_ranks *ranks, void *items, size_t count, size_t size, size_t id)
{
    size_t ranks_count = (size_t)ranks->size, *at = NULL;
    uint64_t *counts = NULL;
    char *out = NULL, *in = NULL, *from;
    memcpy(&from, items, sizeof from);
    ranks->need(scr_reserve(&counts, ranks_count) && scr_reserve(&at, ranks_count + 1) &&
                scr_reserve(&out, count * size + 1));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < count; k++) {
            int64_t number;
            memcpy(&number, from + k * size + id, sizeof number);
            size_t home = (size_t)(number % (int64_t)ranks_count);
            if (pass)
                memcpy(out + at[home]++ * size, from + k * size, size);
            else
                counts[home]++;
        }
        for (size_t r = 0; !pass && r < ranks_count; r++) at[r + 1] = at[r] + counts[r];
    }
    size_t coming = ranks->trade(ranks->context, out, counts, size, &in);
    ranks->need(scr_buffer_reserve(items, coming + 1, size));
    memcpy(&from, items, sizeof from);
    memcpy(from, in, coming * size);
    scr_free_all(counts, at, out, in);
    return coming;
}

// atoms and their velocities meet
static scree_status join_velocities(data_file *d)
{
    d->rows.count = send_home(d->ranks, &d->rows.items, d->rows.count, sizeof *d->rows.items,
                              offsetof(scr_row, grain) + offsetof(scr_grain, id));
    d->velocity_count =
        send_home(d->ranks, &d->velocities, d->velocity_count, sizeof *d->velocities, offsetof(velocity, id));
    d->ranks->need(!sort_ids(d));
    for (size_t k = 0; k < d->velocity_count; k++) {
        const velocity *v = &d->velocities[k];
        scr_row *row = find_row(d, v->id);
        if (!row) {
            no_atom(d, v->line, (double)v->id);
            continue;
        }
        row->grain.velocity = v3_load(v->v);
        row->grain.spin = v3_load(v->v + 3);
    }
    return scr_ranks_any(d->ranks, d->errors.errors) ? SCREE_E_INPUT : SCREE_OK;
}

static scree_status read_part(const scr_generator *g, data_file *d)
{
    scr_text_part p;
    bool good = scr_text_part_open(&p, g, d->errors.file);
    if (!good) no_file(g);
    good = !scr_ranks_any(d->ranks, !good) && scr_text_part_read(&p, 0, 0, &d->errors);
    scree_status status = SCREE_E_INPUT;
    if (good) {
        bool any = take_state(d, look_for_headings(p.text, p.first == 0));
        d->at = p.text, d->line = p.line;
        status = read_lines(d);
        d->seen_atoms = any;
        share_promise(d);
        // where there are errors, atoms are missing for that reason
        bool bad = scr_ranks_any(d->ranks, status || d->errors.errors);
        int64_t count = scr_ranks_sum(d->ranks, (int64_t)d->rows.count, NULL);
        if (!status && (!bad || !any)) status = check_atoms(d, count);
        if (bad && !status) status = SCREE_E_INPUT;
    }
    scr_text_part_close(&p);
    if (scr_ranks_any(d->ranks, status)) return status ? status : SCREE_E_INPUT;
    return join_velocities(d);
}

scree_status scr_generate_lammps(scr_generator *g)
{
    const scr_bodies_lammps_def *def = g->group->variant_def;
    char *path = scr_scene_file(g->scene, def->file);
    if (!path) return SCREE_E_MEMORY;
    data_file d = {.atoms = -1, .errors = {path, g->report, 0}, .ranks = g->grains->ranks};
    scree_status status = d.ranks ? read_part(g, &d) : read_file(g, &d);
    if (!status) status = scr_rows_deliver(g, &d.rows, def->type, &d.errors);
    scr_free_all(d.rows.items, d.velocities);
    free(d.by_id);
    free(path);
    return status;
}
