/* Rows of grains read from a data file: numbers, checks, and delivery to the group (see
 * generators.h). */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "scene/generators.h"
#include "scene/text_part.h"
#include "scene/tree.h"
#include "scene/unit.h"

bool scr_file_error(scr_file_errors *errors, int line, int column, const char *format, ...)
{
    errors->errors++;
    scree_place at = {.file = errors->file, .line = line, .column = column};
    if (errors->errors > SCR_FILE_ERRORS) return false;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    scr_fail(errors->report, SCREE_E_INPUT, at, "%s", text);
    if (errors->errors == SCR_FILE_ERRORS)
        scr_fail(errors->report, SCREE_E_INPUT, (scree_place){.file = errors->file},
                 "further errors in this file are not listed");
    return false;
}

bool scr_field_number(const char *text, double *value)
{
    static const scr_unit plain = {.factor = 1};
    size_t length = scr_number_length(text);
    return length && !text[length] && scr_number_read(text, length, &plain, value);
}

static bool is_finite(vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

bool scr_row_check(scr_file_errors *errors, const scr_row *row)
{
    const scr_grain *g = &row->grain;
    if (!(g->radius > 0) || !isfinite(g->radius))
        return scr_file_error(errors, row->line, 0, "the grain's radius is %g, must be > 0", g->radius);
    if (!isnan(g->density) && !(g->density > 0))
        return scr_file_error(errors, row->line, 0, "the grain's density is %g, must be > 0", g->density);
    if (!is_finite(g->position) || !is_finite(g->velocity) || !is_finite(g->spin))
        return scr_file_error(errors, row->line, 0, "a number of this grain is too large");
    return true;
}

// ---- ids ----

typedef struct {
    int64_t id;
    int line; /* 0: of an earlier group */
} id_line;

static int by_id(const void *a, const void *b)
{
    const id_line *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static size_t collect_ids(const scr_generator *g, const scr_rows *rows, int64_t type, id_line *ids)
{
    size_t count = 0;
    for (size_t k = 0; k < g->grains->count; k++)
        if (g->grains->items[k].id) ids[count++] = (id_line){g->grains->items[k].id, 0};
    for (size_t k = 0; k < rows->count; k++) {
        const scr_row *row = &rows->items[k];
        bool taken = row->grain.id && (!type || row->type == type);
        if (taken) ids[count++] = (id_line){row->grain.id, row->line};
    }
    return count;
}

// every id once, in this file and in the groups before
static scree_status check_ids(const scr_generator *g, const scr_rows *rows, int64_t type, scr_file_errors *errors)
{
    id_line *ids = malloc((g->grains->count + rows->count + 1) * sizeof *ids);
    if (!ids) return SCREE_E_MEMORY;
    size_t count = collect_ids(g, rows, type, ids);
    qsort(ids, count, sizeof *ids, by_id);
    for (size_t k = 1; k < count; k++) {
        if (ids[k].id != ids[k - 1].id || !ids[k].line) continue;
        if (ids[k - 1].line)
            scr_file_error(errors, ids[k].line, 0, "id %lld is given twice, first on line %d", (long long)ids[k].id,
                           ids[k - 1].line);
        else
            scr_file_error(errors, ids[k].line, 0, "id %lld belongs to a grain of an earlier group already",
                           (long long)ids[k].id);
    }
    free(ids);
    return errors->errors ? SCREE_E_INPUT : SCREE_OK;
}

/* ---- where ranks have rows of a file each ---- */

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// ids and lines to the ranks that are asked about them: the id, divided by the number of ranks, leaves theirs
static size_t send_ids(const scr_grains_ranks *ranks, const scr_rows *rows, int64_t type, id_line **in)
{
    size_t size = (size_t)ranks->size, *at = NULL;
    uint64_t *counts = NULL;
    id_line *out = NULL;
    ranks->need(scr_reserve(&counts, size) && scr_reserve(&at, size + 1) && scr_reserve(&out, rows->count + 1));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < rows->count; k++) {
            const scr_row *row = &rows->items[k];
            if (!row->grain.id || (type && row->type != type)) continue;
            size_t home = (size_t)(row->grain.id % (int64_t)size);
            if (pass)
                out[at[home]++] = (id_line){row->grain.id, row->line};
            else
                counts[home]++;
        }
        for (size_t r = 0; !pass && r < size; r++) at[r + 1] = at[r] + counts[r];
    }
    char *bytes = NULL;
    size_t count = ranks->trade(ranks->context, (const char *)out, counts, sizeof *out, &bytes);
    ranks->need(scr_reserve(in, count + 1));
    if (count) memcpy(*in, bytes, count * sizeof **in);
    scr_free_all(counts, at, out, bytes);
    return count;
}

static bool is_known(const scr_grains *grains, int64_t id)
{
    return grains->id_count && bsearch(&id, grains->ids, grains->id_count, sizeof id, by_number);
}

// each rank looks at those that are its business, and keeps them for the groups to come
static scree_status check_ids_of_all(const scr_generator *g, const scr_rows *rows, int64_t type,
                                     scr_file_errors *errors)
{
    scr_grains *grains = g->grains;
    id_line *ids = NULL;
    size_t count = send_ids(grains->ranks, rows, type, &ids);
    qsort(ids, count, sizeof *ids, by_id);
    for (size_t k = 0; k < count; k++) {
        if (k && ids[k].id == ids[k - 1].id)
            scr_file_error(errors, ids[k].line, 0, "id %lld is given twice, first on line %d", (long long)ids[k].id,
                           ids[k - 1].line);
        else if (is_known(grains, ids[k].id))
            scr_file_error(errors, ids[k].line, 0, "id %lld belongs to a grain of an earlier group already",
                           (long long)ids[k].id);
    }
    grains->ranks->need(scr_reserve(&grains->ids, grains->id_count + count + 1));
    for (size_t k = 0; k < count; k++) grains->ids[grains->id_count++] = ids[k].id;
    qsort(grains->ids, grains->id_count, sizeof *grains->ids, by_number);
    scr_buffer_free(ids);
    return scr_ranks_any(grains->ranks, errors->errors) ? SCREE_E_INPUT : SCREE_OK;
}

static scree_status deliver_part(scr_generator *g, const scr_rows *rows, int64_t type, scr_file_errors *errors)
{
    scr_grains *grains = g->grains;
    int64_t taken = 0, before = 0, all = scr_ranks_sum(grains->ranks, (int64_t)rows->count, NULL);
    for (size_t k = 0; k < rows->count; k++) taken += !type || rows->items[k].type == type;
    grains->made = scr_ranks_sum(grains->ranks, taken, &before);
    if (!grains->made && type)
        scr_file_error(errors, 0, 0, "has no grain of type %lld among its %lld", (long long)type, (long long)all);
    else if (!grains->made)
        scr_file_error(errors, 0, 0, "has no grains");
    scree_status status = check_ids_of_all(g, rows, type, errors);
    if (status) return status;
    if (!scr_reserve(&grains->items, grains->count + (size_t)taken)) return SCREE_E_MEMORY;
    for (size_t k = 0; k < rows->count; k++) {
        scr_grain grain = rows->items[k].grain;
        if (type && rows->items[k].type != type) continue;
        if (!grain.id) grain.id = -1 - before++;
        scr_generator_put(g, grains->count++, grain);
    }
    return SCREE_OK;
}

scree_status scr_rows_deliver(scr_generator *g, scr_rows *rows, int64_t type, scr_file_errors *errors)
{
    if (g->grains->ranks) return deliver_part(g, rows, type, errors);
    if (errors->errors) return SCREE_E_INPUT;
    size_t taken = 0;
    for (size_t k = 0; k < rows->count; k++) taken += !type || rows->items[k].type == type;
    if (!taken && type)
        scr_file_error(errors, 0, 0, "has no grain of type %lld among its %zu", (long long)type, rows->count);
    else if (!taken)
        scr_file_error(errors, 0, 0, "has no grains");
    scree_status status = check_ids(g, rows, type, errors);
    if (status) return status;
    if (!scr_generator_reserve(g, taken)) return SCREE_E_MEMORY;
    for (size_t k = 0; k < rows->count; k++) {
        const scr_row *row = &rows->items[k];
        if ((!type || row->type == type) && !scr_generator_add(g, row->grain)) return SCREE_E_MEMORY;
    }
    return SCREE_OK;
}
