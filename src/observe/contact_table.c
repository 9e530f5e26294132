#include "observe/contact_table.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST,
    SECOND,
    WALL,
    POINT,
    NORMAL,
    NORMAL_FORCE,
    TANGENTIAL_FORCE,
    COUPLE,
    OVERLAP,
    DISSIPATED,
    POSITION,
    BRANCH
};

const scr_contact_column scr_contact_columns[] = {
    [FIRST] = {"first", "", 1, true, "id of the grain; of two the smaller id"},
    [SECOND] = {"second", "", 1, true, "id of the other grain; 0 for a wall; of a solid the cell"},
    [WALL] = {"wall", "", 1, true,
              "index of the wall, in the order of the scene; -1 for a grain, -2, -3, ... for the "
              "solids"},
    [POINT] = {"point", "m", 3, false, "where they touch: in the middle of the overlap"},
    [NORMAL] = {"normal", "", 3, false, "unit vector from the second to the first"},
    [NORMAL_FORCE] = {"normal_force", "N", 1, false, "force on the first along the normal: positive where they push"},
    [TANGENTIAL_FORCE] = {"tangential_force", "N", 3, false, "tangential force on the first"},
    [COUPLE] = {"couple", "N m", 3, false, "torque of rolling and twisting on the first"},
    [OVERLAP] = {"overlap", "m", 1, false, "overlap"},
    [DISSIPATED] = {"dissipated", "J", 1, false, "energy lost in this contact since it began"},
    [POSITION] = {"position", "m", 3, false, "centre of the first"},
    [BRANCH] = {"branch", "m", 3, false, "from the centre of the second (a wall: from the point) to that of the first"},
    {0},
};

typedef struct {
    const scr_world *world;
    const scr_contact_row *row;
    int64_t first, second; // ids
    int64_t wall;
    int swap; // the row has the partners the other way round
} entry;

static entry entry_of(const scr_world *w, const scr_contact_row *row)
{
    entry e = {.world = w, .row = row, .first = w->bodies.id[row->body[0]], .wall = -1};
    int32_t cell = scr_cell_of_row(w, row->body[1]);
    if (cell >= 0) {
        e.second = cell, e.wall = -2 - w->cells.solid[cell];
        return e;
    }
    if (row->body[1] < 0) {
        e.wall = w->faces[-1 - row->body[1]].wall;
        return e;
    }
    e.second = w->bodies.id[row->body[1]];
    e.swap = e.second < e.first;
    if (e.swap) {
        int64_t id = e.first;
        e.first = e.second, e.second = id;
    }
    return e;
}

static int by_ids(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    if (x->second != y->second) return x->second < y->second ? -1 : 1;
    // of faces of walls: in the order of faces
    return (x->row->body[1] < y->row->body[1]) - (x->row->body[1] > y->row->body[1]);
}

static void put(const entry *e, int column, double *out)
{
    const scr_contact_row *r = e->row;
    double sign = e->swap ? -1 : 1;
    double normal = v3_dot(r->force, r->normal);
    vec3 centre = v3_load(e->world->bodies.place + 4 * (size_t)r->body[0]);
    switch (column) {
    case POINT: v3_store(out, r->point); break;
    case NORMAL: v3_store(out, v3_scale(sign, r->normal)); break;
    case NORMAL_FORCE: *out = normal; break;
    case TANGENTIAL_FORCE: v3_store(out, v3_scale(sign, v3_axpy(r->force, -normal, r->normal))); break;
    case COUPLE: v3_store(out, v3_scale(sign, r->couple)); break;
    case OVERLAP: *out = r->overlap; break;
    case DISSIPATED: *out = r->spent; break;
    case POSITION: v3_store(out, e->swap ? v3_sub(centre, r->branch) : centre); break;
    case BRANCH: v3_store(out, v3_scale(sign, r->branch)); break;
    }
}

typedef struct {
    const entry *entries;
    int column;
} source;

static void fill_numbers(const void *context, size_t first, size_t count, void *block)
{
    const source *s = context;
    size_t width = (size_t)scr_contact_columns[s->column].width;
    for (size_t k = 0; k < count; k++) put(&s->entries[first + k], s->column, (double *)block + k * width);
}

static void fill_integers(const void *context, size_t first, size_t count, void *block)
{
    const source *s = context;
    int64_t *out = block;
    for (size_t k = 0; k < count; k++) {
        const entry *e = &s->entries[first + k];
        out[k] = s->column == FIRST ? e->first : s->column == SECOND ? e->second : e->wall;
    }
}

// in the order of ids; NULL when memory is exhausted
static entry *sorted_entries(const scr_world *world, const scr_frame_contacts *contacts)
{
    entry *entries = malloc((contacts->count + 1) * sizeof *entries);
    if (!entries) return NULL;
    for (size_t k = 0; k < contacts->count; k++) entries[k] = entry_of(world, &contacts->rows[k]);
    qsort(entries, contacts->count, sizeof *entries, by_ids);
    return entries;
}

bool scr_contact_table_fill(const scr_world *world, const scr_frame_contacts *contacts, scree_contact *out)
{
    entry *entries = sorted_entries(world, contacts);
    for (size_t k = 0; entries && k < contacts->count; k++) {
        const entry *e = &entries[k];
        out[k] = (scree_contact){.first = e->first, .second = e->second, .wall = e->wall};
        put(e, POINT, out[k].point);
        put(e, NORMAL, out[k].normal);
        put(e, BRANCH, out[k].branch);
        put(e, COUPLE, out[k].couple);
        put(e, OVERLAP, &out[k].overlap);
        put(e, DISSIPATED, &out[k].dissipated);
        v3_store(out[k].force, v3_scale(e->swap ? -1 : 1, e->row->force));
    }
    bool good = entries;
    free(entries);
    return good;
}

scree_status scr_contact_table_write(scr_h5 *file, const scr_world *world, const scr_frame_contacts *contacts)
{
    entry *entries = sorted_entries(world, contacts);
    if (!entries) return scr_h5_no_memory(file, "/contacts");
    scree_status status = scr_h5_group(file, "/contacts");
    for (int c = 0; !status && scr_contact_columns[c].name; c++) {
        const scr_contact_column *column = &scr_contact_columns[c];
        char path[64];
        source from = {entries, c};
        snprintf(path, sizeof path, "/contacts/%s", column->name);
        scr_h5_set set = {path, column->integer ? SCR_H5_I64 : SCR_H5_F64, column->width, column->unit, column->doc};
        status =
            scr_h5_write_blocks(file, &set, contacts->count, column->integer ? fill_integers : fill_numbers, &from);
    }
    free(entries);
    return status;
}

/* ---- without a world ---- */

void scr_contact_table_flatten(const scr_world *world, const scr_frame_contacts *contacts, scr_flat_contact *out)
{
    for (size_t k = 0; k < contacts->count; k++) {
        entry e = entry_of(world, &contacts->rows[k]);
        out[k] = (scr_flat_contact){.first = e.first, .second = e.second, .wall = e.wall, .face = e.row->body[1]};
        double *to = out[k].numbers;
        for (int c = 0; scr_contact_columns[c].name; c++) {
            if (scr_contact_columns[c].integer) continue;
            put(&e, c, to);
            to += scr_contact_columns[c].width;
        }
    }
}

static int flat_by_ids(const void *a, const void *b)
{
    const scr_flat_contact *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    if (x->second != y->second) return x->second < y->second ? -1 : 1;
    return (x->face < y->face) - (x->face > y->face);
}

typedef struct {
    const scr_flat_contact *rows;
    size_t offset, bytes; // of the column in a row
} flat_source;

static void fill_flat(const void *context, size_t first, size_t count, void *block)
{
    const flat_source *s = context;
    for (size_t k = 0; k < count; k++)
        memcpy((char *)block + k * s->bytes, (const char *)&s->rows[first + k] + s->offset, s->bytes);
}

scree_status scr_contact_table_write_flat(scr_h5 *file, scr_flat_contact *rows, size_t count)
{
    size_t integers = 0, numbers = offsetof(scr_flat_contact, numbers);
    qsort(rows, count, sizeof *rows, flat_by_ids);
    scree_status status = scr_h5_group(file, "/contacts");
    for (int c = 0; !status && scr_contact_columns[c].name; c++) {
        const scr_contact_column *column = &scr_contact_columns[c];
        char path[64];
        size_t *at = column->integer ? &integers : &numbers;
        flat_source from = {rows, *at, 8 * (size_t)column->width};
        snprintf(path, sizeof path, "/contacts/%s", column->name);
        scr_h5_set set = {path, column->integer ? SCR_H5_I64 : SCR_H5_F64, column->width, column->unit, column->doc};
        status = scr_h5_write_blocks(file, &set, count, fill_flat, &from);
        *at += from.bytes;
    }
    return status;
}

uint64_t scr_contact_table_size(const scr_frame_contacts *contacts)
{
    uint64_t width = 0;
    for (int c = 0; scr_contact_columns[c].name; c++) width += (uint64_t)scr_contact_columns[c].width;
    return 8 * width * contacts->count + 16384;
}
