/* Grains from a CSV table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/os.h"
#include "scene/columns.h"
#include "scene/text_part.h"

// as scr_table_columns_def
enum { ID, TYPE, RADIUS, DIAMETER, DENSITY, X, VX = X + 3, WX = VX + 3, MATERIAL = WX + 3, GROUP, KINDS };
_Static_assert(KINDS == SCR_TABLE_COLUMNS, "a key of `columns` for every column");

static const scr_column_kind kinds[KINDS] = {
    [ID] = {"id", "particle grain", ""},
    [TYPE] = {"type", NULL, ""},
    [RADIUS] = {"radius", "r rad", "m"},
    [DIAMETER] = {"diameter", "d diam", "m"},
    [DENSITY] = {"density", "rho", "kg/m^3"},
    [X] = {"x", "x0 position_x pos_x posx position.x positionx", "m"},
    [X + 1] = {"y", "x1 position_y pos_y posy position.y positiony", "m"},
    [X + 2] = {"z", "x2 position_z pos_z posz position.z positionz", "m"},
    [VX] = {"vx", "velocity_x vel_x velx velocity.x velocityx", "m/s"},
    [VX + 1] = {"vy", "velocity_y vel_y vely velocity.y velocityy", "m/s"},
    [VX + 2] = {"vz", "velocity_z vel_z velz velocity.z velocityz", "m/s"},
    [WX] = {"wx", "omegax omega_x spin_x spin.x angvelx", "rad/s"},
    [WX + 1] = {"wy", "omegay omega_y spin_y spin.y angvely", "rad/s"},
    [WX + 2] = {"wz", "omegaz omega_z spin_z spin.z angvelz", "rad/s"},
    [MATERIAL] = {"material", "mat", NULL},
    [GROUP] = {"group", NULL, NULL},
};

static void check_columns(scr_columns *t)
{
    for (int k = 0; k < 3; k++)
        if (!t->has[X + k])
            scr_file_error(&t->errors, t->line, 0,
                           "column %s is missing; the first line must name the columns x y z and "
                           "radius or diameter",
                           kinds[X + k].name);
    if (t->has[RADIUS] && t->has[DIAMETER])
        scr_file_error(&t->errors, t->line, 0, "the table has columns radius and diameter: leave one of them out");
    if (!t->has[RADIUS] && !t->has[DIAMETER])
        scr_file_error(&t->errors, t->line, 0, "a column radius or diameter is missing");
}

// material: its name, or its number in the scene from 0; group: whether it is the one that is read
static bool word(void *context, int kind, const char *text, double *value, char *why, size_t size)
{
    const scr_generator *g = context;
    if (kind == GROUP) {
        const char *wanted = ((const scr_bodies_table_def *)g->group->variant_def)->rows;
        *value = !wanted || !strcmp(wanted, text);
        return true;
    }
    const scr_items *all = scr_scene_items(g->scene, "materials");
    scr_nearest nearest = {.wanted = text};
    for (int k = 0; k < all->count; k++) {
        if (!strcmp(all->items[k].name, text)) return *value = k, true;
        scr_nearest_offer(&nearest, all->items[k].name);
    }
    if (scr_field_number(text, value) && *value >= 0 && *value < all->count && *value == floor(*value)) return true;
    snprintf(why, size, "which is not defined under materials%s%.60s%s", nearest.found ? ", did you mean '" : "",
             nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
    return false;
}

static bool is_whole(double value, double low)
{
    return value >= low && value <= 0x1p53 && value == floor(value);
}

static bool make_row(scr_columns *t, const double *v, scr_row *row)
{
    if (t->has[ID] && !is_whole(v[ID], 1))
        return scr_file_error(&t->errors, t->line, 0, "id is %g, must be a whole number from 1", v[ID]);
    if (t->has[TYPE] && !is_whole(v[TYPE], 0))
        return scr_file_error(&t->errors, t->line, 0, "type is %g, must be a whole number from 0", v[TYPE]);
    *row = (scr_row){.line = t->line, .type = (int64_t)v[TYPE]};
    row->grain = (scr_grain){.id = (int64_t)v[ID],
                             .position = v3_load(v + X),
                             .radius = t->has[RADIUS] ? v[RADIUS] : v[DIAMETER] / 2,
                             .density = t->has[DENSITY] ? v[DENSITY] : NAN,
                             .material = t->has[MATERIAL] ? (int)v[MATERIAL] + 1 : 0,
                             .velocity = v3_load(v + VX),
                             .spin = v3_load(v + WX)};
    return scr_row_check(&t->errors, row);
}

// lines that are left, and the one at hand: no fewer than rows
static size_t count_lines(const scr_columns *t)
{
    size_t count = 2;
    for (const char *at = t->at; at && (at = strchr(at, '\n')); at++) count++;
    return count;
}

static scree_status read_rows(scr_columns *t, scr_rows *rows)
{
    double values[KINDS];
    if (!scr_reserve(&rows->items, rows->count + count_lines(t))) return SCREE_E_MEMORY;
    for (bool good; scr_columns_row(t, values, &good);) {
        scr_row row;
        if (!good || (t->has[GROUP] && !values[GROUP]) || !make_row(t, values, &row)) continue;
        if (!scr_reserve(&rows->items, rows->count + 1)) return SCREE_E_MEMORY;
        rows->items[rows->count++] = row;
    }
    return t->errors.errors ? SCREE_E_INPUT : SCREE_OK;
}

#define HEAD ((size_t)1 << 20) /* bytes of the file in which names of columns must stand, where ranks read it */

static scr_columns columns_of(scr_generator *g, const char *path)
{
    const scr_bodies_table_def *def = g->group->variant_def;
    scr_columns t = {.kinds = kinds,
                     .kind_count = KINDS,
                     .what = "grains",
                     .errors = {path, g->report, 0},
                     .word = word,
                     .context = g};
    if (def->columns.def) t.called = ((const scr_table_columns_def *)def->columns.def)->name;
    return t;
}

static scree_status no_file(const scr_generator *g)
{
    const scr_bodies_table_def *def = g->group->variant_def;
    return scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "file"),
                    "bodies.%s.file is '%s', which cannot be read", g->group->name, def->file);
}

static scree_status read_table(scr_generator *g, scr_columns *t, scr_rows *rows)
{
    size_t size = 0;
    scree_status status = SCREE_E_INPUT;
    char *text = scr_file_read(t->errors.file, SCR_FILE_BYTES, &size, g->report);
    if (!text) no_file(g);
    if (text && scr_columns_open(t, text, size)) {
        check_columns(t);
        if (!t->errors.errors) status = read_rows(t, rows);
    }
    free(text);
    return status;
}

// each rank reads the names of the columns, and its own lines
static scree_status read_part(scr_generator *g, scr_columns *t, scr_rows *rows)
{
    scr_text_part part;
    char *head = NULL;
    bool good = scr_text_part_open(&part, g, t->errors.file);
    if (!good) no_file(g);
    size_t size = good ? scr_text_part_head(&part, HEAD, &head) : 0;
    good = good && scr_columns_open(t, head, size);
    if (good) check_columns(t);
    bool bad = scr_ranks_any(g->grains->ranks, !good || t->errors.errors);
    if (!bad) {
        const char *from = t->again ? t->first : t->at;
        int line = t->line - t->again;
        t->again = false;
        bad = !scr_text_part_read(&part, from ? (uint64_t)(from - head) : part.size, line, &t->errors);
        t->at = part.text, t->line = part.line;
    }
    scree_status status = bad ? SCREE_E_INPUT : read_rows(t, rows);
    scr_buffer_free(head);
    scr_text_part_close(&part);
    return scr_ranks_any(g->grains->ranks, status) ? SCREE_E_INPUT : SCREE_OK;
}

scree_status scr_generate_table(scr_generator *g)
{
    const scr_bodies_table_def *def = g->group->variant_def;
    const scr_grains_ranks *ranks = g->grains->ranks;
    char *path = scr_scene_file(g->scene, def->file);
    if (!path) return SCREE_E_MEMORY;
    scr_rows rows = {0};
    scr_columns t = columns_of(g, path);
    scree_status status = ranks ? read_part(g, &t, &rows) : read_table(g, &t, &rows);
    int64_t count = (int64_t)rows.count;
    if (!status && ranks) count = scr_ranks_sum(ranks, count, NULL);
    if (!status && def->type && !t.has[TYPE])
        status =
            scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "type"),
                     "bodies.%s.type is %lld, but the table has no column type", g->group->name, (long long)def->type);
    if (!status && def->rows && !t.has[GROUP])
        status = scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "rows"),
                          "bodies.%s.rows is '%.60s', but the table has no column group", g->group->name, def->rows);
    if (!status && def->rows && !count)
        status = scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "rows"),
                          "bodies.%s.rows is '%.60s', but no row of the table has this in its column group",
                          g->group->name, def->rows);
    if (!status) status = scr_rows_deliver(g, &rows, def->type, &t.errors);
    scr_buffer_free(rows.items);
    free(path);
    return status;
}
