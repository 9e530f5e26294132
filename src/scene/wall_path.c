#include "scene/wall_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/os.h"
#include "scene/columns.h"

#define MOST_ROWS 10000000

enum { TIME, X, ANGLE = X + 3, KINDS };

static const scr_column_kind kinds[KINDS] = {[TIME] = {"time", "t", "s"},
                                             [X] = {"x", NULL, "m"},
                                             [X + 1] = {"y", NULL, "m"},
                                             [X + 2] = {"z", NULL, "m"},
                                             [ANGLE] = {"angle", "rotation", "rad"}};

static scree_status read_rows(scr_columns *t, double **table, int *rows)
{
    double values[KINDS];
    for (bool good; scr_columns_row(t, values, &good);) {
        if (!good) continue;
        if (*rows && !(values[TIME] > (*table)[KINDS * (*rows - 1)]))
            scr_file_error(&t->errors, t->line, 0, "time is %g s, must be later than %g s", values[TIME],
                           (*table)[KINDS * (*rows - 1)]);
        if (*rows == MOST_ROWS || !scr_reserve(table, (size_t)KINDS * (size_t)(*rows + 1))) {
            scr_file_error(&t->errors, t->line, 0, "no memory for more than %d rows", *rows);
            return SCREE_E_MEMORY;
        }
        memcpy(*table + (size_t)KINDS * (size_t)(*rows)++, values, sizeof values);
    }
    if (!*rows) scr_file_error(&t->errors, 0, 0, "has no rows");
    return t->errors.errors ? SCREE_E_INPUT : SCREE_OK;
}

/* ---- in the scene ---- */

// linear between rows, constant beyond them; column 0 is the time
static double value_at(const scr_matrix *m, double t, int column)
{
    if (!m->count) return 0;
    int k = 0;
    while (k + 1 < m->count && m->rows[(k + 1) * m->width] <= t) k++;
    const double *row = m->rows + k * m->width, *next = k + 1 < m->count ? row + m->width : row;
    double span = next[0] - row[0], part = span > 0 ? fmin(fmax((t - row[0]) / span, 0), 1) : 0;
    return row[column] + part * (next[column] - row[column]);
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// a row for every time that either table has
static scree_status join(const scr_wall_path_def *def, double **table, int *rows, scree_report *report)
{
    const scr_matrix *places = &def->table, *angles = &def->angles;
    size_t most = (size_t)places->count + (size_t)angles->count, count = 0;
    double *times = NULL;
    scree_status status =
        scr_reserve_all(report, "the path of a wall", SCR_ROOM(times, most), SCR_ROOM(*table, most * KINDS));
    if (status) return status;
    for (int k = 0; k < places->count; k++) times[count++] = places->rows[k * places->width];
    for (int k = 0; k < angles->count; k++) times[count++] = angles->rows[k * angles->width];
    qsort(times, count, sizeof *times, rising);
    for (size_t k = 0; k < count; k++) {
        if (k && times[k] == times[k - 1]) continue;
        double *row = *table + (size_t)KINDS * (size_t)(*rows)++;
        row[TIME] = times[k];
        for (int d = 0; d < 3; d++) row[X + d] = value_at(places, times[k], 1 + d);
        row[ANGLE] = value_at(angles, times[k], 1);
    }
    scr_buffer_free(times);
    return SCREE_OK;
}

/* ---- from a file ---- */

scree_status scr_wall_path_read(const scr_scene *scene, const scr_item *wall, double **table, int *rows,
                                scree_report *report)
{
    const scr_wall_def *def = wall->def;
    const char *file = ((const scr_wall_path_def *)def->path.def)->file;
    *table = NULL, *rows = 0;
    if (!file) return join(def->path.def, table, rows, report);
    char *path = scr_scene_file(scene, file), *text = NULL;
    size_t size = 0;
    if (!path) return SCREE_E_MEMORY;
    text = scr_file_read(path, SCR_FILE_BYTES, &size, report);
    scree_status status = SCREE_E_INPUT;
    scr_columns t = {.kinds = kinds, .kind_count = KINDS, .what = "places", .errors = {path, report, 0}};
    if (!text) {
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &def->path, "file"),
                 "walls.%s.path.file is '%s', which cannot be read", wall->name, file);
    } else if (scr_columns_open(&t, text, size)) {
        if (!t.has[TIME])
            scr_file_error(&t.errors, t.line, 0, "a column time is missing");
        else if (t.has[ANGLE] && !def->rotation.def)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, wall, "path"),
                     "walls.%s.path has angles, the axis must be given under rotation", wall->name);
        else if (!t.errors.errors)
            status = read_rows(&t, table, rows);
    }
    free(text);
    free(path);
    return status;
}
