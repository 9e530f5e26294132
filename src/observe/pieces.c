#include "observe/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/h5_store.h"
#include "base/number.h"
#include "collide/pairs.h"
#include "comm/share.h"
#include "observe/results_files.h"
#include "world/checkpoint.h"

static void need(bool room)
{
    scr_comm_need(room, "what is written");
}

/* ---- orders ---- */

void scr_pieces_order_fields(scr_pieces_order *order, const char *const *fields, int field_count)
{
    for (int k = 0; k < field_count && order->field_count < SCR_PIECES_FIELDS; k++) {
        bool known = !scr_body_view(fields[k]) || !strcmp(fields[k], "id");
        for (int j = 0; j < order->field_count; j++) known |= !strcmp(order->fields[j], fields[k]);
        if (!known) snprintf(order->fields[order->field_count++], sizeof *order->fields, "%s", fields[k]);
    }
}

unsigned scr_pieces_needs(const scr_pieces_order *order)
{
    switch (order->kind) {
    case SCR_PIECES_FRAME: return SCR_NEED_REST | (order->contacts ? SCR_NEED_ROWS : 0);
    case SCR_PIECES_CHECKPOINT:
    case SCR_PIECES_DIGEST: return SCR_NEED_REST | SCR_NEED_HISTORY;
    default: return 0;
    }
}

/* ---- the file of a writer ---- */

static bool is_writer(const scr_comm *c)
{
    return scr_comm_writer(c, scr_comm_writer_of(c, c->rank)) == c->rank;
}

static scr_h5 *piece_create(const scr_comm *c, const scr_pieces_order *o, scree_report *report)
{
    char name[64], *path;
    const char *file = scr_base_name(o->path);
    scr_piece_name(name, file, scr_comm_writer_of(c, c->rank) + 1);
    if (asprintf(&path, "%.*s%s", (int)(file - o->path), o->path, name) < 0) return NULL;
    scr_h5 *made = scr_h5_create(path, report);
    free(path);
    return made;
}

static scree_status piece_finish(scr_h5 *file, const char *kind, scree_status status, scr_piece *piece)
{
    uint64_t digest;
    if (status) {
        scr_h5_discard(file);
        return status;
    }
    status = scr_h5_finish(file, kind, NULL, &digest);
    piece->digest = (int64_t)digest;
    return status;
}

// what writers have written becomes known to rank 0
static void collect_pieces(scr_share *s, const scr_piece *own, scr_piece *result)
{
    const scr_comm *c = s->comm;
    scr_piece *all = NULL;
    need(scr_reserve(&all, (size_t)c->size));
    scr_comm_gather_all(s->comm, own, sizeof *own, all);
    for (int k = 0; result && k < c->writers; k++) result[k] = all[scr_comm_writer(c, k)];
    scr_buffer_free(all);
}

/* ---- frames ---- */

// the writer of an id: ids are divided evenly
static int writer_of(const scr_comm *c, const scr_pieces_order *o, int64_t id)
{
    if (id < 0 || o->ids <= 0) return 0;
    __int128 writer = (__int128)id * c->writers / (o->ids + 1);
    return writer < c->writers ? (int)writer : c->writers - 1;
}

/* Items of equal size that are put in the order of their writers. */
typedef struct {
    uint64_t *counts; /* of each writer; buffers */
    char **at;
    char *items, *in;
    uint64_t *from;
    size_t size, total;
} sorting;

static void sorting_open(sorting *s, const scr_comm *c, size_t size)
{
    *s = (sorting){.size = size};
    need(scr_reserve(&s->counts, (size_t)c->writers) && scr_reserve(&s->at, (size_t)c->writers) &&
         scr_reserve(&s->from, (size_t)c->size));
}

static void sorting_room(sorting *s, const scr_comm *c)
{
    size_t before = 0, count = 0;
    for (int k = 0; k < c->writers; k++) count += s->counts[k];
    need(scr_reserve(&s->items, count * s->size + 1));
    for (int k = 0; k < c->writers; before += s->counts[k++]) s->at[k] = s->items + before * s->size;
}

static char *sorting_place(sorting *s, int writer)
{
    char *place = s->at[writer];
    s->at[writer] += s->size;
    return place;
}

static void sorting_deliver(sorting *s, scr_share *share)
{
    s->total = scr_share_deliver(share, s->items, s->counts, s->size, &s->in, s->from);
    scr_buffer_free(s->items);
    s->items = NULL;
}

static void sorting_close(sorting *s)
{
    scr_free_all(s->counts, s->at, s->items, s->in, s->from);
}

/* A view as a column of items. */
typedef struct {
    const scr_view *view;
    const char *array;
    size_t row, offset, bytes; /* in the table; where it stands in an item */
    scr_h5_type type;
} column;

static column column_of(const scr_bodies *b, const char *name, size_t offset)
{
    const scr_view *view = scr_body_view(name);
    const scr_field *field = scr_table_field(&b->table, view->field);
    size_t scalar = scr_scalar_size(field->type);
    const char *array = scr_table_array(&b->table, field);
    return (column){.view = view,
                    .array = array ? array + (size_t)view->first * scalar : NULL,
                    .row = scr_field_row(field),
                    .offset = offset,
                    .bytes = (size_t)view->width * scalar,
                    .type = (scr_h5_type)field->type};
}

// own bodies to the writers of their ids
static void deliver_bodies(const scr_rank_view *v, const scr_pieces_order *o, const column *columns, sorting *s)
{
    const scr_bodies *b = &v->world->bodies;
    const scr_comm *c = v->share->comm;
    for (size_t i = b->low; i < scr_bodies_end(b); i++) s->counts[writer_of(c, o, b->id[i])]++;
    sorting_room(s, c);
    for (size_t i = b->low; i < scr_bodies_end(b); i++) {
        char *item = sorting_place(s, writer_of(c, o, b->id[i]));
        for (const column *k = columns; k->view; k++) memcpy(item + k->offset, k->array + i * k->row, k->bytes);
    }
    sorting_deliver(s, v->share);
}

static scree_status column_write(scr_h5 *file, const column *k, const sorting *s)
{
    char *data = malloc(s->total * k->bytes + 1);
    if (!data) return scr_h5_no_memory(file, k->view->name);
    for (size_t n = 0; n < s->total; n++) memcpy(data + n * k->bytes, s->in + n * s->size + k->offset, k->bytes);
    scr_h5_set set = {k->view->name, k->type, k->view->width, k->view->unit, k->view->doc};
    return scr_h5_write_column(file, &set, s->total, data);
}

// the id is the first column
static scree_status bodies_write(scr_h5 *file, const column *columns, const sorting *s)
{
    int64_t *ids = malloc((s->total + 1) * sizeof *ids);
    if (!ids) return scr_h5_no_memory(file, "/id");
    for (size_t n = 0; n < s->total; n++) memcpy(&ids[n], s->in + n * s->size, sizeof *ids);
    scree_status status = scr_h5_order(file, ids, s->total);
    free(ids);
    for (const column *k = columns; !status && k->view; k++) status = column_write(file, k, s);
    return status;
}

static void deliver_contacts(const scr_rank_view *v, const scr_pieces_order *o, sorting *s)
{
    const scr_comm *c = v->share->comm;
    scr_flat_contact *flat = NULL;
    need(scr_reserve(&flat, v->row_count + 1));
    scr_contact_table_flatten(v->world, &(scr_frame_contacts){v->rows, v->row_count}, flat);
    for (size_t k = 0; k < v->row_count; k++) s->counts[writer_of(c, o, flat[k].first)]++;
    sorting_room(s, c);
    for (size_t k = 0; k < v->row_count; k++)
        memcpy(sorting_place(s, writer_of(c, o, flat[k].first)), &flat[k], sizeof *flat);
    scr_buffer_free(flat);
    sorting_deliver(s, v->share);
}

static scree_status frame_put(scr_h5 *file, const scr_rank_view *v, const scr_pieces_order *o, const column *columns,
                              const sorting *bodies, sorting *contacts)
{
    const scr_clock *clock = &v->world->clock;
    scr_h5_store *store = scr_h5_store_new();
    if (!store) return scr_h5_no_memory(file, "/");
    scr_h5_store_set(store, o->single, o->compress);
    scr_h5_set_text(file, "/", "format", "scree-frame");
    scr_h5_set_i64(file, "/", "format_version", &(int64_t){SCR_RESULTS_VERSION}, 1);
    scr_h5_set_i64(file, "/", "step", &clock->step, 1);
    scr_h5_set_f64(file, "/", "time", &(double){scr_number_meant(clock->time)}, 1);
    scr_h5_store_use(file, store);
    scree_status status = bodies_write(file, columns, bodies);
    if (!status && o->contacts)
        status = scr_contact_table_write_flat(file, (scr_flat_contact *)(void *)contacts->in, contacts->total);
    scr_h5_store_use(file, NULL);
    scr_h5_store_free(store);
    return status;
}

static scree_status write_frame(const scr_rank_view *v, const scr_pieces_order *o, scr_piece *result,
                                scree_report *report)
{
    scr_comm *c = v->share->comm;
    column columns[SCR_PIECES_FIELDS + 2] = {column_of(&v->world->bodies, "id", 0)};
    size_t size = columns[0].bytes;
    for (int k = 0; k < o->field_count; k++) {
        columns[k + 1] = column_of(&v->world->bodies, o->fields[k], size);
        size += columns[k + 1].bytes;
    }
    sorting bodies, contacts;
    sorting_open(&bodies, c, size);
    sorting_open(&contacts, c, sizeof(scr_flat_contact));
    deliver_bodies(v, o, columns, &bodies);
    if (o->contacts) deliver_contacts(v, o, &contacts);
    scr_piece part = {.bodies = (int64_t)bodies.total, .contacts = o->contacts ? (int64_t)contacts.total : -1};
    scree_status status = SCREE_OK;
    if (is_writer(c)) {
        scr_h5 *file = piece_create(c, o, report);
        status = file ? frame_put(file, v, o, columns, &bodies, &contacts) : SCREE_E_IO;
        status = file ? piece_finish(file, SCR_FRAME_KIND, status, &part) : status;
    }
    sorting_close(&bodies), sorting_close(&contacts);
    collect_pieces(v->share, &part, result);
    return status;
}

/* ---- checkpoints ---- */

// one field of all ranks of a writer, in their order, into its array there; how many rows came
static size_t deliver_field(scr_share *s, const char *from, const uint32_t *rows, size_t count, size_t row,
                            scr_table *to, const scr_field *field)
{
    scr_comm *c = s->comm;
    sorting t;
    sorting_open(&t, c, row);
    t.counts[scr_comm_writer_of(c, c->rank)] = count;
    sorting_room(&t, c);
    for (size_t k = 0; k < count; k++) memcpy(t.items + k * row, from + rows[k] * row, row);
    sorting_deliver(&t, s);
    need(scr_table_reserve(to, t.total + 1));
    scr_copy(scr_table_array(to, field), t.in, t.total * row);
    sorting_close(&t);
    return t.total;
}

// rows of a table, field by field, so that no second copy of all of it is needed
static void deliver_rows(scr_share *s, const scr_table *from, const uint32_t *rows, size_t count, scr_table *to)
{
    const scr_field *f;
    size_t total = 0;
    for (int k = 0; (f = scr_table_flagged(from, SCR_STATE, k)); k++)
        total = deliver_field(s, scr_table_array(from, f), rows, count, scr_field_row(f), to,
                              scr_table_flagged(to, SCR_STATE, k));
    to->count = is_writer(s->comm) ? total : 0;
}

static scree_status write_checkpoint(const scr_rank_view *v, const scr_pieces_order *o, scr_piece *result,
                                     scree_report *report)
{
    scr_comm *c = v->share->comm;
    const scr_bodies *b = &v->world->bodies;
    uint32_t *rows = NULL;
    scr_world piece;
    scr_world_init(&piece);
    if (scr_contacts_are_wide(&v->world->contacts)) {
        need(scr_table_reserve(&piece.contacts.table, 1) && scr_contacts_widen(&piece.contacts));
    }
    need(scr_reserve(&rows, scr_bodies_own(b) + 1));
    for (size_t k = 0; k < scr_bodies_own(b); k++) rows[k] = (uint32_t)(b->low + k);
    deliver_rows(v->share, &b->table, rows, scr_bodies_own(b), &piece.bodies.table);
    size_t contacts = scr_share_own_contacts(v->world, &rows);
    deliver_rows(v->share, &v->world->contacts.table, rows, contacts, &piece.contacts.table);
    scr_buffer_free(rows);
    scr_piece part = {.bodies = (int64_t)piece.bodies.table.count, .contacts = (int64_t)piece.contacts.table.count};
    scree_status status = SCREE_OK;
    if (is_writer(c)) {
        scr_h5 *file = piece_create(c, o, report);
        status = file ? scr_checkpoint_put_piece(file, &piece) : SCREE_E_IO;
        status = file ? piece_finish(file, SCR_CHECKPOINT_KIND, status, &part) : status;
    }
    scr_world_deinit(&piece);
    collect_pieces(v->share, &part, result);
    return status;
}

/* ---- questions ---- */

static void sum_digest(const scr_rank_view *v, uint64_t *result)
{
    uint32_t *rows = NULL;
    size_t count = scr_share_own_contacts(v->world, &rows);
    int64_t sum = (int64_t)scr_world_digest_part(v->world, rows, count);
    scr_buffer_free(rows);
    // modulo 2^64, as the sum of one rank is
    scr_comm_add(v->share->comm, &sum, 1);
    if (result) *result = (uint64_t)sum;
}

static void ask_finite(const scr_rank_view *v, bool *result)
{
    const scr_bodies *b = &v->world->bodies;
    unsigned wrong = 0;
    for (size_t k = 4 * b->low; k < 4 * scr_bodies_end(b); k++)
        wrong |= !isfinite(b->place[k]) || !isfinite(b->motion[k]) || !isfinite(b->spin[k]);
    wrong = scr_comm_any(v->share->comm, wrong);
    if (result) *result = !wrong;
}

scree_status scr_pieces_carry_out(const scr_rank_view *v, const void *order, void *result, scree_report *report)
{
    const scr_pieces_order *o = order;
    switch (o->kind) {
    case SCR_PIECES_FRAME: return write_frame(v, o, result, report);
    case SCR_PIECES_CHECKPOINT: return write_checkpoint(v, o, result, report);
    case SCR_PIECES_DIGEST: sum_digest(v, result); return SCREE_OK;
    case SCR_PIECES_LOOK: return scr_bodies_look(v->world, report);
    case SCR_PIECES_FINITE: ask_finite(v, result); return SCREE_OK;
    }
    return SCREE_OK;
}
