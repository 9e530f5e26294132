#include "scene/wall_path.h"

#include <stdlib.h>
#include <string.h>

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
    int room = 0;
    for (bool good; scr_columns_row(t, values, &good);) {
        if (!good) continue;
        if (*rows && !(values[TIME] > (*table)[KINDS * (*rows - 1)]))
            scr_file_error(&t->errors, t->line, 0, "time is %g s, must be later than %g s", values[TIME],
                           (*table)[KINDS * (*rows - 1)]);
        if (*rows == room) {
            room = 2 * room + 64;
            double *grown = room > MOST_ROWS ? NULL : realloc(*table, (size_t)room * KINDS * sizeof *grown);
            if (!grown) {
                scr_file_error(&t->errors, t->line, 0, "no memory for more than %d rows", *rows);
                return SCREE_E_MEMORY;
            }
            *table = grown;
        }
        memcpy(*table + (size_t)KINDS * (size_t)(*rows)++, values, sizeof values);
    }
    if (!*rows) scr_file_error(&t->errors, 0, 0, "has no rows");
    return t->errors.errors ? SCREE_E_INPUT : SCREE_OK;
}

scree_status scr_wall_path_read(const scr_scene *scene, const scr_item *wall, double **table, int *rows,
                                scree_report *report)
{
    const scr_wall_def *def = wall->def;
    const char *file = ((const scr_wall_path_def *)def->path.def)->file;
    char *path = scr_scene_file(scene, file), *text = NULL;
    size_t size = 0;
    *table = NULL, *rows = 0;
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
