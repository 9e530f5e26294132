/* Writing frames, checkpoints and the index (observe/results.h).
 *
 * What is on disk is always described by the index at `path`, and everything it links to stays as
 * it is until another index has taken its place: new files get names that are free, and files that
 * are no longer wanted are removed only after an index without them stands.
 *
 * All that is done on disk is done by jobs of one queue, in order: a file is begun, filled (base/h5.h: written later)
 * and ended. The caller only copies; with a thread for the queue it goes on meanwhile. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/os.h"
#include "exec/cpu/threads.h"
#include "observe/bond_table.h"
#include "observe/cell_views.h"
#include "observe/results_inside.h"
#include "world/checkpoint.h"

// a file system should not be filled to its last byte by us
#define SPACE_MARGIN     ((uint64_t)1 << 20)
#define CHECKPOINTS_KEPT 2
#define COPY_ROWS        ((size_t)4096) // that a thread copies at once
// beyond two frames: what may wait to be written [bytes]
#define QUEUE_LEAST ((size_t)64 << 20)

/* ---- what the caller adds ---- */

void scr_results_spent_set(scr_results *r, scr_spent spent)
{
    r->spent = spent;
}

scr_spent scr_results_spent(const scr_results *r)
{
    return r->spent;
}

void scr_results_store_set(scr_results *r, bool single, bool compress)
{
    scr_h5_store_set(r->store, single, compress);
}

void scr_results_balance_set(scr_results *r, scr_ranks_balance balance)
{
    r->balance = balance;
}

void scr_results_device_set(scr_results *r, const char *device)
{
    snprintf(r->device, sizeof r->device, "%s", device);
}

void scr_results_words_set(scr_results *r, const char *words)
{
    free(r->words);
    r->words = NULL;
    if (!r->before)
        r->words = strdup(words);
    else if (asprintf(&r->words, "%s\n%s", r->before, words) < 0)
        r->words = NULL;
}

/* ---- jobs ---- */

static scree_status no_memory(const scr_results *r, scree_report *report)
{
    return scr_no_memory_in(report, r->path, "results");
}

bool scr_results_thread(scr_results *r)
{
    scr_queue_limit(r->queue, QUEUE_LEAST);
    return scr_queue_start(r->queue);
}

double scr_results_thread_seconds(const scr_results *r)
{
    return scr_queue_processor_seconds(r->queue);
}

double scr_results_publishing(const scr_results *r)
{
    return r->publishing;
}

static bool said_before(const scree_report *report, int k)
{
    for (int j = 0; j < k; j++)
        if (!strcmp(report->messages[j].text, report->messages[k].text)) return true;
    return false;
}

// what jobs had to say, once all are done; what they warn of for many files alike, once
static void tell(scr_results *r, scree_report *report)
{
    for (int k = 0; k < r->report.count; k++) {
        const scree_message *m = &r->report.messages[k];
        scree_place at = {.file = m->file};
        if (m->severity == SCREE_WARNING && said_before(&r->report, k)) continue;
        if (m->severity == SCREE_WARNING)
            scr_warn(report, at, "%s", m->text);
        else
            scr_fail(report, m->status, at, "%s", m->text);
    }
    scree_report_deinit(&r->report);
}

scree_status scr_results_look(scr_results *r, scree_report *report)
{
    return r->failed ? scr_results_wait(r, report) : SCREE_OK;
}

scree_status scr_results_wait(scr_results *r, scree_report *report)
{
    scr_queue_wait(r->queue);
    tell(r, report);
    scree_status status = r->failed;
    r->failed = SCREE_OK;
    return status;
}

int64_t scr_results_standing(scr_results *r)
{
    scr_queue_wait(r->queue);
    return r->standing;
}

static void fail(scr_results *r, scree_status status)
{
    if (status && !r->failed) r->failed = status;
}

static scree_status space_check(scr_results *r, uint64_t need)
{
    uint64_t room = scr_free_space(r->folder);
    if (room >= need + SPACE_MARGIN) return SCREE_OK;
    return scr_fail(&r->report, SCREE_E_IO, (scree_place){.file = r->path},
                    "cannot be written: %.1f MB are needed and %.1f MB are free on its disk",
                    1e-6 * (double)(need + SPACE_MARGIN), 1e-6 * (double)room);
}

// a name in the data folder that no file has: STEM.h5, STEM-2.h5, ...
static char *name_free(const scr_results *r, const char *stem, char name[64])
{
    struct stat info;
    for (int k = 1; k < 1000000; k++) {
        snprintf(name, 64, k > 1 ? "%s-%d.h5" : "%s.h5", stem, k);
        char *path = scr_data_file(r->folder, name);
        if (!path || lstat(path, &info)) return path;
        free(path);
    }
    return NULL;
}

typedef enum { FRAME, CHECKPOINT, INDEX } file_kind;

// begins and ends a file, and what a file needs in between that only jobs know
typedef struct {
    scr_job job;
    scr_results *results;
    file_kind kind;
    scr_entry entry;
    uint64_t size;     // that it may need [bytes]
    bool whole;        // all of it was given
    scr_piece *pieces; // that it has, malloc'ed; the end frees them
    int piece_count;
} task;

// the path of a new file, and its name in the entry; NULL: no memory
static char *data_path(scr_results *r, file_kind kind)
{
    char stem[48];
    int number = r->frames.count;
    if (number > 0 && r->frames.items[number - 1].step == r->entry.step) number--;
    if (kind == FRAME)
        snprintf(stem, sizeof stem, "frame-%08d", number);
    else
        snprintf(stem, sizeof stem, "checkpoint-%" PRId64, r->entry.step);
    return name_free(r, stem, r->entry.file);
}

static scree_status file_create(scr_results *r, const task *t)
{
    // the index has a link for each frame
    scree_status status = space_check(r, t->size + (t->kind == INDEX ? 512 * (uint64_t)r->frames.count : 0));
    if (status) return status;
    char *path = t->kind == INDEX ? strdup(r->path) : data_path(r, t->kind);
    if (!path) return scr_no_memory_in(&r->report, r->path, t->kind == CHECKPOINT ? "a checkpoint" : "a frame");
    r->file = scr_h5_create(path, &r->report);
    free(path);
    return r->file ? SCREE_OK : SCREE_E_IO;
}

static void file_begin(scr_job *job)
{
    const task *t = (const task *)job;
    scr_results *r = t->results;
    r->begun = scr_seconds();
    if (r->file) scr_h5_store_forget(r->store, r->entry.file);
    r->entry = t->entry;
    scr_h5_discard(r->file);
    r->file = NULL;
    // no frame may need one whose place it takes
    const scr_entry *last = r->frames.count ? &r->frames.items[r->frames.count - 1] : NULL;
    if (last && t->kind == FRAME && last->step == t->entry.step) scr_h5_store_forget(r->store, last->file);
    if (!r->failed) fail(r, file_create(r, t));
}

// a file that is no longer wanted, and its pieces
static bool condemn(scr_results *r, const scr_entry *entry)
{
    scr_entries *pieces = &r->piece_entries;
    int kept = 0;
    bool ok = scr_entries_add(&r->condemned, entry);
    for (int k = 0; k < pieces->count; k++) {
        if (!ok || !scr_piece_belongs(pieces->items[k].file, entry->file))
            pieces->items[kept++] = pieces->items[k];
        else
            ok = scr_entries_add(&r->condemned, &pieces->items[k]);
    }
    pieces->count = kept;
    return ok;
}

static bool pieces_add(scr_results *r, const task *t)
{
    bool ok = true;
    for (int k = 0; ok && k < t->piece_count; k++) {
        scr_entry piece = r->entry;
        piece.bodies = t->pieces[k].bodies, piece.digest = t->pieces[k].digest;
        scr_piece_name(piece.file, r->entry.file, k + 1);
        ok = scr_entries_add(&r->fresh, &piece) && scr_entries_add(&r->piece_entries, &piece);
    }
    return ok;
}

// the last entry is of the same step: the new one takes its place
static scree_status entry_add(scr_results *r, scr_entries *list, const task *t)
{
    const scr_entry *entry = &r->entry;
    bool ok = scr_entries_add(&r->fresh, entry);
    if (ok && list->count > 0 && list->items[list->count - 1].step == entry->step)
        ok = condemn(r, &list->items[--list->count]);
    return ok && scr_entries_add(list, entry) && pieces_add(r, t) ? SCREE_OK : no_memory(r, &r->report);
}

// only the last checkpoints are wanted, and those with which stages begin
static void checkpoints_thin(scr_results *r)
{
    scr_entries *list = &r->checkpoints;
    for (int k = 0; k + CHECKPOINTS_KEPT < list->count;) {
        if (list->items[k].stays || !condemn(r, &list->items[k])) {
            k++;
            continue;
        }
        list->count--;
        memmove(list->items + k, list->items + k + 1, (size_t)(list->count - k) * sizeof *list->items);
    }
}

static scree_status index_finish(scr_results *r);

static void file_end(scr_job *job)
{
    task *t = (task *)job;
    scr_results *r = t->results;
    scr_h5 *file = r->file;
    uint64_t *digest = (uint64_t *)&r->entry.digest;
    scree_status status = SCREE_OK;
    if (!file) {
        free(t->pieces);
        return;
    }
    if (!t->whole)
        scr_h5_discard(file);
    else if (t->kind == INDEX)
        status = index_finish(r);
    else
        status = scr_h5_finish(file, t->kind == FRAME ? SCR_FRAME_KIND : SCR_CHECKPOINT_KIND, NULL, digest);
    r->file = NULL;
    if (!status && t->whole && t->kind == FRAME) status = entry_add(r, &r->frames, t);
    if (!status && t->whole && t->kind == CHECKPOINT) status = entry_add(r, &r->checkpoints, t);
    if (status || !t->whole) scr_h5_store_forget(r->store, r->entry.file);
    checkpoints_thin(r);
    free(t->pieces);
    fail(r, status);
}

static scree_status task_push(scr_results *r, void (*run)(scr_job *), const task *what, scree_report *report)
{
    task *t = malloc(sizeof *t);
    if (!t) return no_memory(r, report);
    *t = *what;
    t->job = (scr_job){.run = run, .size = sizeof *t};
    t->results = r;
    scr_queue_push(r->queue, &t->job);
    return SCREE_OK;
}

static int64_t rows_of(const scr_results *r, const scr_world *world)
{
    int64_t sum = 0;
    for (int k = 0; k < r->piece_count; k++) sum += r->pieces[k].bodies;
    return r->pieces ? sum : (int64_t)world->bodies.table.count;
}

// a file for the caller to fill, of the state of this clock; NULL with a message
static scr_h5 *begin(scr_results *r, file_kind kind, const scr_world *world, uint64_t size, scree_report *report)
{
    task t = {.kind = kind,
              .size = size,
              .entry = {.step = world->clock.step,
                        .time = scr_number_meant(world->clock.time),
                        .bodies = rows_of(r, world),
                        .seconds = r->spent.seconds,
                        .processor = r->spent.processor,
                        .stays = scr_stage_step(world) == world->clock.step}};
    scr_h5 *file = scr_h5_later(r->path, r->queue, &r->file, report);
    if (!file || !task_push(r, file_begin, &t, report)) return file;
    scr_h5_close(file);
    return NULL;
}

// all of it was given, or `status` says why not
static scree_status end(scr_results *r, file_kind kind, scr_h5 *file, scree_status status, scree_report *report)
{
    scr_h5_close(file);
    task t = {.kind = kind, .whole = !status};
    if (r->pieces && kind != INDEX) {
        t.pieces = malloc(((size_t)r->piece_count + 1) * sizeof *t.pieces);
        t.piece_count = t.pieces ? r->piece_count : 0;
        if (t.pieces) memcpy(t.pieces, r->pieces, (size_t)r->piece_count * sizeof *t.pieces);
        t.whole = t.whole && t.pieces;
        r->pieces = NULL, r->piece_count = 0;
    }
    scree_status pushed = task_push(r, file_end, &t, report);
    if (pushed) free(t.pieces);
    if (!status) status = pushed;
    return status ? status : scr_results_look(r, report);
}

/* ---- pieces ---- */

scree_status scr_results_pieces_path(scr_results *r, bool checkpoint, const scr_world *world, char **path,
                                     scree_report *report)
{
    scree_status status = scr_results_wait(r, report);
    r->entry.step = world->clock.step;
    *path = data_path(r, checkpoint ? CHECKPOINT : FRAME);
    return status || *path ? status : no_memory(r, report);
}

void scr_results_pieces_set(scr_results *r, const scr_piece *pieces, int count)
{
    r->pieces = pieces, r->piece_count = count;
    r->divided = true;
}

// what is in the pieces is not in the file itself
static scr_world head_of(const scr_results *r, const scr_world *world)
{
    scr_world head = *world;
    if (r->pieces) head.bodies.table.count = head.contacts.table.count = 0;
    return head;
}

static int64_t version_of(const scr_results *r)
{
    return r->divided ? SCR_RESULTS_VERSION : SCR_RESULTS_WITHOUT_PIECES;
}

/* ---- frames and checkpoints ---- */

typedef struct {
    const char *from; // first row's first byte of the view
    size_t row, bytes, count;
    char *to;
} columns;

static void rows_copy(void *context, size_t block)
{
    const columns *c = context;
    size_t first = block * COPY_ROWS, end = first + COPY_ROWS < c->count ? first + COPY_ROWS : c->count;
    for (size_t k = first; k < end; k++) memcpy(c->to + k * c->bytes, c->from + k * c->row, c->bytes);
}

// rows as they are in memory; the writer sorts them by id
static scree_status view_write(scr_h5 *file, const scr_bodies *bodies, const scr_view *view)
{
    const scr_field *field = scr_table_field(&bodies->table, view->field);
    size_t scalar = scr_scalar_size(field->type), count = bodies->table.count;
    const char *array = scr_table_array(&bodies->table, field);
    columns c = {.from = array ? array + (size_t)view->first * scalar : NULL,
                 .row = scr_field_row(field),
                 .bytes = (size_t)view->width * scalar,
                 .count = count};
    c.to = malloc(count * c.bytes + 1);
    if (!c.to) return scr_h5_no_memory(file, view->name);
    scr_each((count + COPY_ROWS - 1) / COPY_ROWS, NULL, rows_copy, &c);
    scr_h5_set set = {view->name, (scr_h5_type)field->type, view->width, view->unit, view->doc};
    return scr_h5_write_column(file, &set, count, c.to);
}

static bool named_before(const char *const *fields, int k)
{
    for (int j = 0; j < k; j++)
        if (!strcmp(fields[j], fields[k])) return true;
    return !strcmp(fields[k], "id");
}

static uint64_t frame_size(const scr_world *world, const char *const *fields, int field_count)
{
    uint64_t row = 8;
    for (int k = 0; k < field_count; k++) {
        const scr_view *view = scr_body_view(fields[k]);
        if (view) row += 8 * (uint64_t)view->width;
    }
    return row * world->bodies.table.count + 32768 + 8192 * (uint64_t)world->wall_count +
           scr_cell_frame_size(world, fields, field_count) + scr_bond_table_size(world);
}

// what a frame holds
typedef struct {
    const scr_world *world;
    const char *const *fields;
    int field_count;
    const scr_frame_contacts *contacts; // NULL: none
    const scr_results *results;
} frame;

static int64_t contacts_of(const frame *f)
{
    const scr_results *r = f->results;
    int64_t sum = 0;
    for (int k = 0; k < r->piece_count; k++) sum += r->pieces[k].contacts;
    if (r->pieces) return sum < 0 ? -1 : sum;
    return f->contacts ? (int64_t)f->contacts->count : -1;
}

static scree_status bodies_write(scr_h5 *file, const frame *f)
{
    const scr_bodies *b = &f->world->bodies;
    scr_h5_order(file, b->id, b->table.count);
    scree_status status = view_write(file, b, scr_body_view("id"));
    for (int k = 0; !status && k < f->field_count; k++)
        if (!named_before(f->fields, k) && scr_body_view(f->fields[k]))
            status = view_write(file, b, scr_body_view(f->fields[k]));
    return status;
}

static const scr_h5_set frame_box = {
    SCR_FRAME_BOX, SCR_H5_F64, SCR_FRAME_BOX_NUMBERS, "m, m/s",
    "where the domain deforms: its lower and upper corner now, the offsets xy, xz, yz of images across its sides, and "
    "how fast lengths and offsets change"};

static scree_status box_write(scr_h5 *file, const scr_domain *d)
{
    double row[SCR_FRAME_BOX_NUMBERS];
    if (!d->box.deforms) return SCREE_OK;
    v3_store(row, d->lower), v3_store(row + 3, d->upper);
    memcpy(row + 6, d->box.tilt, 3 * sizeof *row);
    memcpy(row + 9, d->box.speed, SCR_BOX_PARTS * sizeof *row);
    scr_h5_group(file, "/domain");
    return scr_h5_write(file, &frame_box, 1, row);
}

static scree_status frame_write(scr_h5 *file, const frame *f)
{
    const scr_world *world = f->world;
    int64_t contacts = contacts_of(f);
    scr_h5_set_text(file, "/", "format", "scree-frame");
    scr_h5_set_i64(file, "/", "format_version", &(int64_t){version_of(f->results)}, 1);
    scr_h5_set_i64(file, "/", "step", &world->clock.step, 1);
    scr_h5_set_f64(file, "/", "time", &(double){scr_number_meant(world->clock.time)}, 1);
    scr_h5_set_i64(file, "/", "contacts", &contacts, 1);
    scree_status status = scr_walls_write(file, world, false);
    if (!status) status = box_write(file, &world->domain);
    scr_h5_store_use(file, f->results->store);
    if (!status && !f->results->pieces) status = bodies_write(file, f);
    if (!status && world->cells.table.count) status = scr_cell_frame_write(file, world, f->fields, f->field_count);
    if (!status && f->contacts) status = scr_contact_table_write(file, world, f->contacts);
    if (!status && world->bonds.table.count) status = scr_bond_table_write(file, world);
    return status;
}

scree_status scr_results_frame(scr_results *r, const scr_world *world, const char *const *fields, int field_count,
                               const scr_frame_contacts *contacts, scree_report *report)
{
    for (int k = 0; k < field_count; k++)
        if (!scr_body_view(fields[k]) && !scr_cell_view_find(fields[k]))
            return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no field '%s'", fields[k]);
    scr_world head = head_of(r, world);
    uint64_t size = frame_size(&head, fields, field_count);
    if (contacts) size += scr_contact_table_size(contacts);
    scr_queue_limit(r->queue, 2 * size + QUEUE_LEAST);
    scr_h5 *file = begin(r, FRAME, world, size, report);
    if (!file) return SCREE_E_MEMORY;
    return end(r, FRAME, file, frame_write(file, &(frame){&head, fields, field_count, contacts, r}), report);
}

scree_status scr_results_checkpoint(scr_results *r, const scr_world *world, scree_report *report)
{
    scr_world head = head_of(r, world);
    scr_h5 *file = begin(r, CHECKPOINT, world, scr_checkpoint_size(&head), report);
    if (!file) return SCREE_E_MEMORY;
    return end(r, CHECKPOINT, file, scr_checkpoint_put(file, &head), report);
}

/* ---- the index ---- */

typedef struct {
    const scr_series *series;
    const scr_series_column *column;
} column_source;

static void column_fill(const void *context, size_t first, size_t count, void *block)
{
    const column_source *from = context;
    const scr_series *s = from->series;
    size_t wide = (size_t)from->column->width;
    double *to = block;
    for (size_t k = 0; k < count; k++)
        memcpy(to + k * wide, s->rows + (first + k) * s->width + from->column->first, wide * sizeof *to);
}

// where the bins of a series are: beside the series, since their rows are not rows of time
static scree_status bins_write(scr_h5 *file, const scr_series *s)
{
    const scr_series_axis *axis = &s->axis;
    char *path = scr_h5_path("/bins", s->name);
    if (!path) return scr_h5_no_memory(file, "/bins");
    scr_h5_set set = {path, SCR_H5_F64, axis->width, axis->unit, axis->doc};
    scr_h5_write(file, &set, (size_t)axis->count, axis->values);
    scree_status status = scr_h5_set_text(file, path, "name", axis->name);
    free(path);
    return status;
}

static scree_status series_write(scr_h5 *file, const scr_series *s, int64_t index)
{
    char *group = scr_h5_path("/series", s->name);
    if (!group) return scr_h5_no_memory(file, "/series");
    scr_h5_group(file, group);
    scr_h5_set_text(file, group, "name", s->name);
    scr_h5_set_text(file, group, "kind", s->kind ? s->kind : "");
    scr_h5_set_i64(file, group, "index", &index, 1);
    scr_h5_set_i64(file, group, "bins", &(int64_t){s->axis.count}, 1);
    scree_status status = scr_h5_set_i64(file, group, "rows", &(int64_t){(int64_t)s->count}, 1);
    for (int c = 0; !status && c < s->column_count; c++) {
        const scr_series_column *column = &s->columns[c];
        column_source from = {s, column};
        char *path = scr_h5_path(group, column->name);
        if (!path) status = scr_h5_no_memory(file, group);
        if (status) break;
        scr_h5_set set = {path, SCR_H5_F64, column->width, column->unit ? column->unit : "", column->doc};
        scr_h5_write_blocks(file, &set, s->count, column_fill, &from);
        scr_h5_set_text(file, path, "name", column->name);
        status = scr_h5_set_i64(file, path, "column", &(int64_t){c}, 1);
        free(path);
    }
    free(group);
    return status || !s->axis.count ? status : bins_write(file, s);
}

static scree_status head_write(scr_h5 *file, const scr_results *r, const scr_world *world)
{
    scr_h5_set_text(file, "/", "format", "scree-results");
    scr_h5_set_i64(file, "/", "format_version", &(int64_t){version_of(r)}, 1);
    scr_h5_set_text(file, "/", "scree_version", SCREE_VERSION);
    scr_h5_set_text(file, "/", "created", r->created);
    scr_h5_set_text(file, "/", "run", r->run.text);
    scr_h5_set_text(file, "/", "title", r->title);
    scr_h5_set_text(file, "/", "units", "SI; each dataset has its unit as an attribute");
    scr_h5_set_i64(file, "/", "step", &world->clock.step, 1);
    scr_h5_set_f64(file, "/", "time", &(double){scr_number_meant(world->clock.time)}, 1);
    if (*r->device) scr_h5_set_text(file, "/", "device", r->device);
    if (r->balance.ranks > 1) {
        scr_h5_set_i64(file, "/", "ranks", &r->balance.ranks, 1);
        scr_h5_set_f64(file, "/", "ranks_balance", (double[]){r->balance.pairs, r->balance.worst, r->balance.cost}, 3);
    }
    scr_h5_write_text(file, "/scene/text", r->scene_text);
    if (r->words) scr_h5_write_text(file, "/scene/words", r->words);
    return scr_h5_write_text(file, "/scene/path", r->scene_path);
}

// the new index stands: what only the old one needed can go
static void clean_up(scr_results *r)
{
    scr_results_remove(r, &r->condemned);
    r->fresh.count = 0;
    if (r->old_folder) scr_data_remove(r->old_folder);
    if (r->old_lock >= 0) close(r->old_lock);
    free(r->old_folder);
    r->old_folder = NULL, r->old_lock = -1;
}

// The first index of this run. Up to its rename the folder belongs to no index; from then on the old one
// is, and the marks say so. Between them and the rename there is no moment in which a crash could
// make a folder look left over that an index needs.
static scree_status index_place_first(scr_results *r, scr_h5 *file, const char *folder)
{
    char replaced[64];
    scr_data_replaced(replaced, &r->run);
    scree_status status = scr_h5_seal(file, SCR_INDEX_KIND, folder);
    if (!status && r->old_folder) scr_data_mark(r->old_folder, replaced);
    if (!status) scr_data_unmark(r->folder, SCR_DATA_UNPUBLISHED);
    status = scr_h5_place(file);
    // it may stand although something failed behind the rename
    char *standing = scr_data_of(r->path);
    r->published = !status || (standing && !strcmp(standing, r->folder));
    free(standing);
    if (!r->published) {
        scr_data_mark(r->folder, SCR_DATA_UNPUBLISHED);
        if (r->old_folder) scr_data_unmark(r->old_folder, replaced);
    }
    return status;
}

static scree_status index_finish(scr_results *r)
{
    const char *folder = scr_base_name(r->folder);
    scree_status status =
        r->published ? scr_h5_finish(r->file, SCR_INDEX_KIND, folder, NULL) : index_place_first(r, r->file, folder);
    r->publishing = scr_seconds() - r->begun;
    if (!status) clean_up(r);
    if (!status && r->checkpoints.count) r->standing = r->checkpoints.items[r->checkpoints.count - 1].step;
    return status;
}

// the lists as they are when all files before the index are written
static void lists_write(scr_job *job)
{
    scr_results *r = ((const task *)job)->results;
    const char *folder = scr_base_name(r->folder);
    if (!r->file) return;
    scr_entries_write(r->file, "frames", folder, &r->frames);
    scr_entries_write(r->file, "checkpoints", folder, &r->checkpoints);
    if (r->piece_entries.count) scr_entries_write(r->file, "pieces", folder, &r->piece_entries);
}

static scree_status index_write(scr_results *r, scr_h5 *file, const scr_world *world, const scr_series *series,
                                int series_count, scree_report *report)
{
    scree_status status = head_write(file, r, world);
    if (!status) status = scr_domain_write(file, world);
    if (!status) status = scr_names_write(file, world);
    if (!status) status = scr_walls_write(file, world, true);
    if (!status) status = scr_stages_write(file, world);
    if (!status && world->solid_count) status = scr_solids_write(file, world);
    if (!status && world->solid_count) status = scr_cell_mesh_write(file, world);
    if (!status) status = task_push(r, lists_write, &(task){0}, report);
    if (!status) status = scr_h5_group(file, "/series");
    if (!status) status = scr_h5_group(file, "/bins");
    for (int k = 0; !status && k < series_count; k++) status = series_write(file, &series[k], k);
    return status;
}

static uint64_t index_size(const scr_results *r, const scr_world *world, const scr_series *series, int series_count)
{
    uint64_t size = strlen(r->scene_text) + (r->words ? strlen(r->words) : 0) + 65536 + scr_cell_mesh_size(world);
    for (int k = 0; k < series_count; k++)
        size += 8 * series[k].count * series[k].width + 1024 * (uint64_t)series[k].column_count +
                8 * (uint64_t)(series[k].axis.count * series[k].axis.width);
    return size;
}

scree_status scr_results_publish(scr_results *r, const scr_world *world, const scr_series *series, int series_count,
                                 scree_report *report)
{
    scr_h5 *file = begin(r, INDEX, world, index_size(r, world, series, series_count), report);
    if (!file) return SCREE_E_MEMORY;
    return end(r, INDEX, file, index_write(r, file, world, series, series_count, report), report);
}
