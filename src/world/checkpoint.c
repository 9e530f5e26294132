#include "world/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "world/carrier.h"
#include "world/checkpoint_items.h"
#include "world/ids.h"

_Static_assert((int)SCR_F64 == SCR_H5_F64 && (int)SCR_I64 == SCR_H5_I64 && (int)SCR_I32 == SCR_H5_I32 &&
                   (int)SCR_U8 == SCR_H5_U8,
               "field types and file types are the same list");

// rows are counted in 32 bits, and -1 - face must fit too
#define MOST_ROWS (3 * SCR_MOST_BODIES) // of contacts; bodies are far fewer

/* ---- single numbers of the world: clock, ledger and tally ---- */

typedef struct {
    const char *group, *name;
    scr_scalar type;
    size_t offset; // into scr_world
} number;

static const number numbers[] = {
#define F(member, type) {"/clock", #member, SCR_FIELD_TYPE(type), offsetof(scr_world, clock.member)},
    SCR_CLOCK_NUMBERS(F)
#undef F
#define F(member, ...) {"/ledger", #member, SCR_F64, offsetof(scr_world, ledger.member)},
        SCR_LEDGER_NUMBERS(F)
#undef F
#define F(member, type) {"/tally", #member, SCR_FIELD_TYPE(type), offsetof(scr_world, tally.member)},
            SCR_TALLY_NUMBERS(F)
#undef F
};
#define NUMBER_COUNT (sizeof numbers / sizeof *numbers)
static scree_status numbers_write(scr_h5 *file, const scr_world *world)
{
    scr_h5_group(file, "/clock");
    scr_h5_group(file, "/ledger");
    scree_status status = scr_h5_group(file, "/tally");
    for (size_t k = 0; !status && k < NUMBER_COUNT; k++) {
        const number *n = &numbers[k];
        const void *value = (const char *)world + n->offset;
        status = n->type == SCR_F64 ? scr_h5_set_f64(file, n->group, n->name, value, 1)
                                    : scr_h5_set_i64(file, n->group, n->name, value, 1);
    }
    return status;
}

static scree_status numbers_read(const scr_h5 *file, scr_world *world)
{
    scree_status status = SCREE_OK;
    for (size_t k = 0; !status && k < NUMBER_COUNT; k++) {
        const number *n = &numbers[k];
        void *value = (char *)world + n->offset;
        status = n->type == SCR_F64 ? scr_h5_get_f64(file, n->group, n->name, value, 1)
                                    : scr_h5_get_i64(file, n->group, n->name, value, 1);
        if (!status && n->type == SCR_F64 && !isfinite(*(double *)value))
            status = scr_h5_wrong(file, n->group, "has a number that is not finite");
        if (!status && n->type == SCR_I64 && *(int64_t *)value < 0)
            status = scr_h5_wrong(file, n->group, "has a count that is negative");
    }
    return status;
}

/* ---- totals (math/total.h) ---- */

scree_status scr_totals_write(scr_h5 *file, const char *name, const char *unit, const scr_total *totals, size_t count)
{
    scr_h5_set set = {name, SCR_H5_I64, SCR_TOTAL_ROW, unit,
                      "sums without rounding: digits of 32 bits, the first is 2^-320; whether a term was no number"};
    int64_t *rows = scr_memory_new(count + 1, SCR_TOTAL_ROW * sizeof *rows);
    if (!rows) return scr_h5_no_memory(file, name);
    for (size_t k = 0; k < count; k++) scr_total_pack(&totals[k], rows + k * SCR_TOTAL_ROW);
    scree_status status = scr_h5_write(file, &set, count, rows);
    scr_memory_free(rows);
    return status;
}

scree_status scr_totals_read(const scr_h5 *file, const char *name, scr_total *totals, size_t count)
{
    scr_h5_set set = {name, SCR_H5_I64, SCR_TOTAL_ROW, NULL, NULL};
    int64_t *rows = scr_memory_new(count + 1, SCR_TOTAL_ROW * sizeof *rows);
    scree_status status = rows ? scr_h5_read(file, &set, count, rows) : scr_h5_no_memory(file, name);
    for (size_t k = 0; !status && k < count; k++) {
        totals[k] = (scr_total){0};
        if (!scr_total_is_row(rows + k * SCR_TOTAL_ROW))
            status = scr_h5_wrong(file, name, "has a number that is not finite");
        else
            scr_total_join(&totals[k], rows + k * SCR_TOTAL_ROW);
    }
    scr_memory_free(rows);
    return status;
}

#define WALL_TOTALS 6

// accounts in the order of their list, walls in that of theirs
static scree_status books_write(scr_h5 *file, const scr_world *w)
{
    size_t loads = WALL_TOTALS * (size_t)w->wall_count;
    scr_total *all = scr_memory_new(loads + 1, sizeof *all);
    if (!all) return scr_h5_no_memory(file, "/ledger/walls");
    for (size_t k = 0; k < loads; k++) all[k] = w->walls[k / WALL_TOTALS].load[k % WALL_TOTALS];
    scr_ledger ledger = w->ledger;
    scree_status status = scr_totals_write(file, "/ledger/booked", "J", scr_ledger_totals(&ledger), SCR_BOOKED);
    if (!status) status = scr_totals_write(file, "/ledger/walls", "N, N m", all, loads);
    scr_memory_free(all);
    return status;
}

// after walls
static scree_status books_read(const scr_h5 *file, scr_world *w)
{
    size_t loads = WALL_TOTALS * (size_t)w->wall_count;
    scr_total *all = scr_memory_new(loads + 1, sizeof *all);
    if (!all) return scr_h5_no_memory(file, "/ledger/walls");
    scree_status status = scr_totals_read(file, "/ledger/booked", scr_ledger_totals(&w->ledger), SCR_BOOKED);
    if (!status) status = scr_totals_read(file, "/ledger/walls", all, loads);
    for (size_t k = 0; !status && k < loads; k++) w->walls[k / WALL_TOTALS].load[k % WALL_TOTALS] = all[k];
    scr_memory_free(all);
    return status;
}

/* ---- tables ---- */

// a body's carrier was called frame when the format was made
static char *field_path(const char *group, const scr_field *f)
{
    return scr_h5_path(group, strcmp(f->name, "carrier") ? f->name : "frame");
}

static scree_status table_write(scr_h5 *file, const char *group, const scr_table *table)
{
    scr_h5_group(file, group);
    scree_status status = scr_h5_set_i64(file, group, "count", &(int64_t){(int64_t)table->count}, 1);
    const scr_field *f;
    for (int k = 0; !status && (f = scr_table_flagged(table, SCR_STATE, k)); k++) {
        char *path = field_path(group, f);
        if (!path) return scr_h5_no_memory(file, group);
        scr_h5_set set = {path, (scr_h5_type)f->type, f->width, f->unit, f->doc};
        status = scr_h5_write(file, &set, table->count, scr_table_array(table, f));
        free(path);
    }
    return status;
}

// type and shape of one field's dataset, before any memory is taken for the table
static scree_status field_check(const scr_h5 *file, const char *path, const scr_field *f, size_t count)
{
    scr_h5_type type;
    size_t rows;
    int width;
    scree_status status = scr_h5_shape(file, path, &type, &rows, &width);
    if (status) return status;
    if ((int)type != (int)f->type || rows != count || width != f->width)
        return scr_h5_wrong(file, path, "has the wrong type or shape");
    return SCREE_OK;
}

// behind the rows that the table has
static scree_status field_read(const scr_h5 *file, const char *group, const scr_table *table, const scr_field *f,
                               size_t rows, size_t first, size_t count)
{
    char *path = field_path(group, f), *array = scr_table_array(table, f);
    if (!path) return scr_h5_no_memory(file, group);
    scr_h5_set set = {path, (scr_h5_type)f->type, f->width, NULL, NULL};
    scree_status status =
        scr_h5_read_rows(file, &set, rows, first, count, array ? array + table->count * scr_field_row(f) : NULL);
    free(path);
    return status;
}

static scree_status fields_check(const scr_h5 *file, const char *group, const scr_table *table, size_t rows)
{
    const scr_field *f;
    scree_status status = SCREE_OK;
    for (int k = 0; !status && (f = scr_table_flagged(table, SCR_STATE, k)); k++) {
        char *path = field_path(group, f);
        status = path ? field_check(file, path, f, rows) : scr_h5_no_memory(file, group);
        free(path);
    }
    return status;
}

static scree_status count_read(const scr_h5 *file, const char *group, size_t before, size_t *count)
{
    int64_t rows = 0;
    scree_status status = scr_h5_get_i64(file, group, "count", &rows, 1);
    if (!status && (rows < 0 || rows > (int64_t)MOST_ROWS - (int64_t)before))
        status = scr_h5_wrong(file, group, "has an impossible count");
    *count = status ? 0 : (size_t)rows;
    return status;
}

// some of the file's rows behind those that are there
static scree_status rows_read(const scr_h5 *file, const char *group, scr_table *table, size_t rows, size_t first,
                              size_t count)
{
    const scr_field *f;
    scree_status status = fields_check(file, group, table, rows);
    if (!status && !scr_table_reserve(table, table->count + count)) status = scr_h5_no_memory(file, group);
    for (int k = 0; !status && (f = scr_table_flagged(table, SCR_STATE, k)); k++)
        status = field_read(file, group, table, f, rows, first, count);
    if (!status) table->count += count;
    return status;
}

// rows behind those that are there
static scree_status table_read(const scr_h5 *file, const char *group, scr_table *table)
{
    size_t count;
    scree_status status = count_read(file, group, table->count, &count);
    return status ? status : rows_read(file, group, table, count, 0, count);
}

/* ---- what a step relies on ---- */

// every number of every floating point field, without knowing what it means
static scree_status finite_check(const scr_h5 *file, const char *group, const scr_table *table)
{
    for (int k = 0; k < table->field_count; k++) {
        const scr_field *f = &table->fields[k];
        if (f->type != SCR_F64) continue;
        const double *data = scr_table_array(table, f);
        for (size_t n = 0; n < table->count * (size_t)f->width; n++) {
            if (isfinite(data[n])) continue;
            char what[128];
            snprintf(what, sizeof what, "has a %s that is not finite in row %zu", f->name, n / (size_t)f->width);
            return scr_h5_wrong(file, group, what);
        }
    }
    return SCREE_OK;
}

static const char *body_fault(const scr_world *w, size_t k)
{
    const scr_bodies *b = &w->bodies;
    if (b->id[k] < 0) return "has an id that is negative";
    if (!(b->place[4 * k + 3] > 0)) return "has a radius that is not positive";
    if (!(b->motion[4 * k + 3] >= 0) || !(b->spin[4 * k + 3] >= 0) || !(b->mass[k] > 0))
        return "has a mass that is not positive";
    if (b->material[k] < 0 || b->material[k] >= w->material_count) return "refers to a material that does not exist";
    if (b->carrier[k] < 0 || b->carrier[k] >= scr_carrier_count(w)) return "refers to a carrier that does not exist";
    if (b->group[k] < 0 || b->group[k] >= w->group_count) return "refers to a group that does not exist";
    return NULL;
}

static scree_status bodies_check(const scr_h5 *file, const scr_world *w)
{
    scree_status status = finite_check(file, "/bodies", &w->bodies.table);
    for (size_t k = 0; !status && k < w->bodies.table.count; k++) {
        const char *fault = body_fault(w, k);
        if (fault) status = scr_h5_wrong(file, "/bodies", fault);
    }
    return status;
}

static const scr_h5_set blocks_set = {"/blocks", SCR_H5_I32, 1, "",
                                      "first row of each block of bodies, and the end of the last"};

static scree_status blocks_write(scr_h5 *file, const scr_world *w)
{
    return scr_h5_write(file, &blocks_set, w->blocks.count ? w->blocks.count + 1 : 0, w->blocks.start);
}

// blocks that are not too long, of rows that there are; those of bodies that have just come are made with the next list
static scree_status blocks_read(const scr_h5 *file, scr_world *w, size_t bodies)
{
    scr_blocks *b = &w->blocks;
    scr_h5_type type;
    size_t rows;
    int width;
    scree_status status = scr_h5_shape(file, blocks_set.name, &type, &rows, &width);
    if (status || !rows) return status;
    if (type != SCR_H5_I32 || width != 1 || rows > bodies + 2)
        return scr_h5_wrong(file, blocks_set.name, "has the wrong type or shape");
    if (!scr_reserve(&b->start, rows)) return scr_h5_no_memory(file, blocks_set.name);
    status = scr_h5_read(file, &blocks_set, rows, b->start);
    bool good = !status && b->start[0] == 0 && b->start[rows - 1] <= bodies;
    for (size_t k = 0; good && k + 1 < rows; k++)
        good = b->start[k + 1] >= b->start[k] && b->start[k + 1] - b->start[k] <= SCR_BLOCK;
    if (!status && !good) return scr_h5_wrong(file, blocks_set.name, "does not fit the bodies");
    b->count = rows - 1;
    return status;
}

// contacts and bonds find the rows of their bodies
static scree_status contacts_find(const scr_h5 *file, scr_world *w, const scr_ids *ids)
{
    scr_contacts *c = &w->contacts;
    for (size_t k = 0; k < c->table.count; k++) {
        bool wall = c->partner[k] < 0;
        int64_t i = scr_ids_row(ids, c->body[k]), j = wall ? c->partner[k] : scr_ids_row(ids, c->partner[k]);
        if (i < 0 || (wall ? j < -(int64_t)w->face_count : j < 0) || i == j)
            return scr_h5_wrong(file, "/contacts", "refers to a body or face that does not exist");
        c->row[2 * k] = (int32_t)i, c->row[2 * k + 1] = (int32_t)j;
    }
    return finite_check(file, "/contacts", &c->table);
}

static scree_status bonds_find(const scr_h5 *file, scr_world *w, const scr_ids *ids)
{
    scr_bonds *b = &w->bonds;
    for (size_t k = 0; k < b->table.count; k++) {
        int64_t i = scr_ids_row(ids, b->body[k]), j = scr_ids_row(ids, b->partner[k]);
        if (i < 0 || j < 0 || i == j) return scr_h5_wrong(file, "/bonds", "refers to a body that does not exist");
        b->row[2 * k] = (int32_t)i, b->row[2 * k + 1] = (int32_t)j;
        if (b->law[k] < 0 || b->law[k] >= w->bond_law_count)
            return scr_h5_wrong(file, "/bonds", "refers to a law that does not exist");
        if (!(b->shape[2 * k] > 0) || !(b->shape[2 * k + 1] > 0))
            return scr_h5_wrong(file, "/bonds", "has a length or radius that is not positive");
    }
    return finite_check(file, "/bonds", &b->table);
}

static scree_status names_find(const scr_h5 *file, scr_world *w)
{
    scr_ids ids;
    if (!scr_ids_init(&ids, &w->bodies)) return scr_h5_no_memory(file, "/bodies");
    scree_status status = ids.twice ? scr_h5_wrong(file, "/bodies", "has the same id twice") : SCREE_OK;
    if (!status) status = contacts_find(file, w, &ids);
    if (!status) status = bonds_find(file, w, &ids);
    scr_ids_deinit(&ids);
    return status;
}

/* ---- the whole ---- */

uint64_t scr_checkpoint_size(const scr_world *world)
{
    uint64_t size = 65536 +
                    8192 * (uint64_t)(world->wall_count + world->material_count + world->group_count +
                                      world->flow_count + world->inlet_count + world->outlet_count) +
                    128 * (uint64_t)world->face_count;
    size += sizeof(scr_law) * (uint64_t)world->material_count * (uint64_t)world->material_count;
    size += 8192 * (uint64_t)(world->part_count + world->joint_count);
    size += 8192 * (uint64_t)(world->solid_count + world->load_count + world->support_count);
    size += scr_cell_mesh_size(world);
    const scr_table *tables[] = {&world->bodies.table, &world->contacts.table,     &world->bonds.table,
                                 &world->rigids.table, &world->cells.table,        &world->links.table,
                                 &world->shells.table, &world->cell_contacts.table};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        size += tables[t]->count * scr_table_row(tables[t], SCR_STATE);
    return size;
}

static scree_status solids_write(scr_h5 *file, const scr_world *world)
{
    scree_status status = scr_solids_write(file, world);
    if (!status) status = scr_cell_mesh_write(file, world);
    if (!status) status = table_write(file, "/cells", &world->cells.table);
    if (!status) status = table_write(file, "/links", &world->links.table);
    if (!status) status = table_write(file, "/shells", &world->shells.table);
    if (!status) status = table_write(file, "/cell_contacts", &world->cell_contacts.table);
    return status ? status : scr_loads_write(file, world);
}

static scree_status solids_read(const scr_h5 *file, scr_world *world)
{
    scree_status status = scr_solids_read(file, world);
    if (!status) status = scr_cell_mesh_read(file, world);
    if (!status) status = table_read(file, "/cells", &world->cells.table);
    if (!status) status = table_read(file, "/links", &world->links.table);
    if (!status) status = table_read(file, "/shells", &world->shells.table);
    if (!status) status = table_read(file, "/cell_contacts", &world->cell_contacts.table);
    if (!status) status = finite_check(file, "/cells", &world->cells.table);
    if (!status) status = finite_check(file, "/links", &world->links.table);
    if (!status) status = finite_check(file, "/shells", &world->shells.table);
    if (!status) status = finite_check(file, "/cell_contacts", &world->cell_contacts.table);
    if (!status) status = scr_cells_check(file, world);
    return status ? status : scr_loads_read(file, world);
}

static scree_status contacts_write(scr_h5 *file, const scr_world *world)
{
    scree_status status = table_write(file, "/contacts", &world->contacts.table);
    int64_t wide = scr_contacts_are_wide(&world->contacts);
    return status ? status : scr_h5_set_i64(file, "/contacts", "wide", &wide, 1);
}

static scree_status contacts_read(const scr_h5 *file, scr_world *world)
{
    int64_t wide = 0;
    scree_status status = scr_h5_get_i64(file, "/contacts", "wide", &wide, 1);
    if (!status && wide && !scr_contacts_widen(&world->contacts)) status = scr_h5_no_memory(file, "/contacts");
    return status ? status : table_read(file, "/contacts", &world->contacts.table);
}

static void versions_write(scr_h5 *file)
{
    scr_h5_set_text(file, "/", "format", "scree-checkpoint");
    scr_h5_set_i64(file, "/", "format_version", &(int64_t){SCR_CHECKPOINT_VERSION}, 1);
    scr_h5_set_text(file, "/", "scree_version", SCREE_VERSION);
}

scree_status scr_checkpoint_put_piece(scr_h5 *file, const scr_world *world)
{
    versions_write(file);
    scree_status status = table_write(file, "/bodies", &world->bodies.table);
    return status ? status : contacts_write(file, world);
}

scree_status scr_checkpoint_put(scr_h5 *file, const scr_world *world)
{
    versions_write(file);
    scree_status status = numbers_write(file, world);
    if (!status) status = scr_domain_write(file, world);
    if (!status) status = scr_box_write(file, world);
    if (!status) status = scr_names_write(file, world);
    if (!status) status = scr_walls_write(file, world, true);
    if (!status) status = books_write(file, world);
    if (!status) status = scr_laws_write(file, world);
    if (!status) status = scr_stages_write(file, world);
    if (!status) status = scr_flows_write(file, world);
    if (!status) status = scr_ports_write(file, world);
    if (!status) status = table_write(file, "/bodies", &world->bodies.table);
    if (!status) status = blocks_write(file, world);
    if (!status) status = contacts_write(file, world);
    if (!status) status = scr_bond_laws_write(file, world);
    if (!status) status = table_write(file, "/bonds", &world->bonds.table);
    if (!status) status = scr_parts_write(file, world);
    if (!status) status = scr_joints_write(file, world);
    if (!status) status = table_write(file, "/rigids", &world->rigids.table);
    return status ? status : solids_write(file, world);
}

scree_status scr_checkpoint_write(const char *path, const scr_world *world, uint64_t *digest, scree_report *report)
{
    scr_h5 *file = scr_h5_create(path, report);
    if (!file) return SCREE_E_IO;
    scree_status status = scr_checkpoint_put(file, world);
    if (!status) return scr_h5_finish(file, SCR_CHECKPOINT_KIND, NULL, digest);
    scr_h5_discard(file);
    return status;
}

// a state that an older Scree wrote lacks what this one needs; its frames and series can still be read
static scree_status version_check(const scr_h5 *file)
{
    int64_t version = 0;
    scree_status status = scr_h5_version_check(file, SCR_CHECKPOINT_VERSION);
    if (!status) status = scr_h5_get_i64(file, "/", "format_version", &version, 1);
    if (!status && version < SCR_CHECKPOINT_VERSION)
        status = scr_h5_wrong(file, "the checkpoint",
                              "was written by an older version of Scree and cannot be continued by this one");
    return status;
}

bool scr_checkpoint_is_older(const char *path)
{
    scree_report unheard;
    scree_report_init(&unheard);
    int64_t version = 0;
    scr_h5 *file = scr_h5_open(path, SCR_CHECKPOINT_KIND, NULL, &unheard);
    bool older = file && !scr_h5_get_i64(file, "/", "format_version", &version, 1) && version > 0 &&
                 version < SCR_CHECKPOINT_VERSION;
    scr_h5_close(file);
    scree_report_deinit(&unheard);
    return older;
}

static scree_status piece_read(const char *path, int64_t digest, scr_world *world, scree_report *report)
{
    scr_h5 *file = scr_h5_open(path, SCR_CHECKPOINT_KIND, NULL, report);
    if (!file) return SCREE_E_INPUT;
    scree_status status = version_check(file);
    if (!status && (int64_t)scr_h5_digest(file) != digest)
        status = scr_h5_wrong(file, "/", "is not the piece of a checkpoint that the index refers to");
    if (!status) status = table_read(file, "/bodies", &world->bodies.table);
    if (!status) status = contacts_read(file, world);
    scr_h5_close(file);
    return status;
}

/* ---- bodies and contacts ---- */

static scree_status rows_of_all(scr_h5 *file, const scr_checkpoint_pieces *pieces, scr_world *world,
                                scree_report *report)
{
    scree_status status = table_read(file, "/bodies", &world->bodies.table);
    if (!status) status = contacts_read(file, world);
    for (int k = 0; !status && k < pieces->count; k++)
        status = piece_read(pieces->paths[k], pieces->digests[k], world, report);
    return status ? status : blocks_read(file, world, world->bodies.table.count);
}

/* The files of a checkpoint that a rank reads some rows of: the first is the checkpoint itself. */
typedef struct {
    scr_h5 **files; /* a buffer */
    int count;
} file_list;

static scr_h5 *open_one(const char *path, bool look, scree_report *report)
{
    return look ? scr_h5_open(path, SCR_CHECKPOINT_KIND, NULL, report)
                : scr_h5_open_unread(path, SCR_CHECKPOINT_KIND, report);
}

static scree_status open_pieces(file_list *l, const scr_checkpoint_pieces *pieces, scree_report *report)
{
    const scr_checkpoint_rows *own = pieces->own;
    scree_status status = SCREE_OK;
    for (int k = 0; !status && k < pieces->count; k++) {
        scr_h5 *file = open_one(pieces->paths[k], (k + 1) % own->size == own->rank, report);
        if (!file) return SCREE_E_INPUT;
        if (!scr_push(l->files, l->count, file)) return scr_h5_close(file), scr_no_memory(report, "a checkpoint");
        status = version_check(file);
        if (!status && (int64_t)scr_h5_digest(file) != pieces->digests[k])
            status = scr_h5_wrong(file, "/", "is not the piece of a checkpoint that the index refers to");
    }
    return status;
}

static scree_status count_rows(const file_list *l, const char *group, size_t *count)
{
    scree_status status = SCREE_OK;
    *count = 0;
    for (int k = 0; k < l->count && !status; k++) {
        size_t own;
        status = count_read(l->files[k], group, *count, &own);
        *count += own;
    }
    return status;
}

// of the rows of all files, which follow one another, those of [from, to)
static scree_status read_between(const file_list *l, const char *group, scr_table *table, size_t from, size_t to)
{
    scree_status status = SCREE_OK;
    for (size_t k = 0, first = 0, own; k < (size_t)l->count && !status; k++, first += own) {
        status = count_read(l->files[k], group, first, &own);
        size_t low = from > first ? from - first : 0, high = to > first ? to - first : 0;
        if (high > own) high = own;
        if (!status && low < high) status = rows_read(l->files[k], group, table, own, low, high - low);
    }
    return status;
}

// what one rank reads of bodies: whole blocks
static scree_status bodies_between(const file_list *l, scr_checkpoint_rows *own, scr_world *w)
{
    scree_status status = count_rows(l, "/bodies", &own->bodies);
    if (!status) status = blocks_read(l->files[0], w, own->bodies);
    if (status) return status;
    if (!scr_blocks_extend(&w->blocks, own->bodies)) return scr_h5_no_memory(l->files[0], "/blocks");
    size_t blocks = w->blocks.count, rank = (size_t)own->rank, size = (size_t)own->size;
    own->first = blocks ? w->blocks.start[blocks * rank / size] : 0;
    size_t end = blocks ? w->blocks.start[blocks * (rank + 1) / size] : 0;
    return read_between(l, "/bodies", &w->bodies.table, own->first, end);
}

static scree_status contacts_between(const file_list *l, scr_checkpoint_rows *own, scr_world *w)
{
    scr_contacts *c = &w->contacts;
    int64_t wide = 0, any = 0;
    scree_status status = count_rows(l, "/contacts", &own->contacts);
    for (int k = 0; k < l->count && !status; k++, any |= wide)
        status = scr_h5_get_i64(l->files[k], "/contacts", "wide", &wide, 1);
    if (!status && any && !scr_contacts_widen(c)) status = scr_h5_no_memory(l->files[0], "/contacts");
    size_t rank = (size_t)own->rank, size = (size_t)own->size;
    if (!status)
        status =
            read_between(l, "/contacts", &c->table, own->contacts * rank / size, own->contacts * (rank + 1) / size);
    for (size_t k = 0; k < c->table.count && !status; k++)
        if (c->body[k] < 0 || c->partner[k] < -(int64_t)w->face_count || c->body[k] == c->partner[k])
            status = scr_h5_wrong(l->files[0], "/contacts", "refers to a body or face that does not exist");
    return status;
}

static scree_status own_rows(scr_h5 *file, const scr_checkpoint_pieces *pieces, scr_world *world, scree_report *report)
{
    file_list l = {0};
    if (!scr_push(l.files, l.count, file)) return scr_no_memory(report, "a checkpoint");
    scree_status status = open_pieces(&l, pieces, report);
    if (!status) status = bodies_between(&l, pieces->own, world);
    if (!status) status = contacts_between(&l, pieces->own, world);
    for (int k = 1; k < l.count; k++) scr_h5_close(l.files[k]);
    scr_buffer_free(l.files);
    return status;
}

scree_status scr_checkpoint_read(const char *path, scr_world *world, uint64_t *digest, scree_report *report)
{
    return scr_checkpoint_read_pieces(path, &(scr_checkpoint_pieces){0}, world, digest, report);
}

scree_status scr_checkpoint_read_pieces(const char *path, const scr_checkpoint_pieces *pieces, scr_world *world,
                                        uint64_t *digest, scree_report *report)
{
    const scr_checkpoint_rows *own = pieces->own;
    scr_h5 *file = open_one(path, !own || own->rank == 0, report);
    if (!file) return SCREE_E_INPUT;
    if (digest) *digest = scr_h5_digest(file);
    scree_status status = version_check(file);
    if (!status) status = numbers_read(file, world);
    if (!status) status = scr_domain_read(file, world);
    if (!status) status = scr_box_read(file, world);
    if (!status) status = scr_names_read(file, world);
    if (!status) status = scr_walls_read(file, world, world->material_count);
    if (!status) status = books_read(file, world);
    if (!status) status = scr_laws_read(file, world);
    if (!status) status = scr_stages_read(file, world);
    if (!status) status = scr_flows_read(file, world);
    if (!status) status = scr_ports_read(file, world);
    if (!status) status = (own ? own_rows : rows_of_all)(file, pieces, world, report);
    if (!status) status = scr_bond_laws_read(file, world);
    if (!status) status = table_read(file, "/bonds", &world->bonds.table);
    if (!status) status = scr_parts_read(file, world);
    if (!status) status = scr_joints_read(file, world);
    if (!status) status = table_read(file, "/rigids", &world->rigids.table);
    if (!status) status = finite_check(file, "/rigids", &world->rigids.table);
    if (!status) status = scr_rigids_check(file, world);
    if (!status) status = solids_read(file, world);
    if (!status) status = bodies_check(file, world);
    if (!status) status = own ? finite_check(file, "/contacts", &world->contacts.table) : names_find(file, world);
    if (!status && own && world->bonds.table.count)
        status = scr_h5_wrong(file, "/bonds", "cannot be read by several ranks");
    scr_h5_close(file);
    return status;
}
