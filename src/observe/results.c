/* Writing results (observe/results.h).
 *
 * What is on disk is always described by the index at `path`, and everything it links to stays as
 * it is until another index has taken its place: new files get names that are free, and files that
 * are no longer wanted are removed only after an index without them stands. Of other folders only
 * that of the replaced index is removed, and what is marked as left over (results_files.h). */
#include "observe/results.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/os.h"
#include "base/output.h"
#include "observe/archive_index.h"
#include "observe/bond_table.h"
#include "observe/cell_views.h"
#include "observe/results_files.h"
#include "world/checkpoint.h"

// a file system should not be filled to its last byte by us
#define SPACE_MARGIN     ((uint64_t)1 << 20)
#define CHECKPOINTS_KEPT 2

struct scr_results {
    char *path, *scene_path, *scene_text, *title;
    char *before, *words; // what the run said until it was resumed last, and since; NULL: nothing
    char created[32];
    scr_run_id run;
    char *folder;     // of this run's data
    char *old_folder; // of the index that stands here; removed after the first index; NULL: none
    int lock, old_lock;
    bool published;
    scr_entries frames, checkpoints;
    scr_entries condemned; // files to remove once the next index stands
    scr_entries fresh;     // files that no index knows yet
    scr_spent spent;
};

/* ---- opening and closing ---- */

static void files_remove(const scr_results *r, scr_entries *files)
{
    for (int k = 0; k < files->count; k++) {
        char *path = scr_data_file(r->folder, files->items[k].file);
        if (path) unlink(path);
        free(path);
    }
    files->count = 0;
}

void scr_results_destroy(scr_results *r)
{
    if (!r) return;
    // what no index knows nobody can reach
    files_remove(r, &r->fresh);
    if (!r->published && r->folder && r->lock >= 0) scr_data_remove(r->folder);
    if (r->lock >= 0) close(r->lock);
    if (r->old_lock >= 0) close(r->old_lock);
    scr_entries_deinit(&r->frames);
    scr_entries_deinit(&r->checkpoints);
    scr_entries_deinit(&r->condemned);
    scr_entries_deinit(&r->fresh);
    free(r->path), free(r->scene_path), free(r->scene_text), free(r->title);
    free(r->before), free(r->words);
    free(r->folder), free(r->old_folder);
    free(r);
}

static scr_results *results_new(const char *path, const scr_results_scene *scene, scree_report *report)
{
    scr_results *r = calloc(1, sizeof *r);
    if (r) {
        *r = (scr_results){.lock = -1, .old_lock = -1, .run = scr_run_id_new()};
        r->path = strdup(path);
        r->scene_path = strdup(scene->path ? scene->path : "");
        r->scene_text = strdup(scene->text ? scene->text : "");
        r->title = strdup(scene->title ? scene->title : "");
        time_t now = time(NULL);
        struct tm utc;
        if (gmtime_r(&now, &utc)) strftime(r->created, sizeof r->created, "%Y-%m-%dT%H:%M:%SZ", &utc);
        if (r->path && r->scene_path && r->scene_text && r->title) return r;
        scr_results_destroy(r);
    }
    scr_no_memory_in(report, path, "results");
    return NULL;
}

static bool is_results(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, "scree " SCR_INDEX_KIND "\n");
}

const scr_output_kind scr_results_kind = {.what = "results of a run", .is = is_results};

// may something of ours stand at this path?
static scree_status path_check(const char *path, bool force, scree_report *report)
{
    scree_place at = {.file = path};
    const char *name = scr_base_name(path);
    if (!*name || strchr(name, '\n') || strlen(name) > 200)
        return scr_fail(report, SCREE_E_INPUT, at, "is not a name for a results file");
    return scr_output_check(path, &scr_results_kind, force, report);
}

static scree_status no_memory(const scr_results *r, scree_report *report)
{
    return scr_no_memory_in(report, r->path, "results");
}

// the index that stands at the path is still the one that names this folder (NULL: none stands)
static scree_status standing_check(const scr_results *r, const char *folder, scree_report *report)
{
    char *now = scr_data_of(r->path);
    bool same = now && folder ? !strcmp(now, folder) : now == folder;
    free(now);
    if (same) return SCREE_OK;
    return scr_fail(report, SCREE_E_IO, (scree_place){.file = r->path}, "is being written by another run");
}

// holds the folder of the index that stands at the path, so that no other run changes either
static scree_status standing_lock(const scr_results *r, char **folder, int *lock, scree_report *report)
{
    *folder = scr_data_of(r->path);
    if (!*folder) return SCREE_OK;
    *lock = scr_data_lock(*folder, r->path, report);
    if (*lock == -1) return SCREE_E_IO;
    // another run may have finished between the two
    return standing_check(r, *folder, report);
}

// the first folder that is free; one that the old index needs is not
static scree_status folder_take(scr_results *r, scree_report *report)
{
    for (int number = 1; r->lock < 0; number++) {
        free(r->folder);
        r->folder = scr_data_folder(r->path, number);
        if (!r->folder) return no_memory(r, report);
        if (r->old_folder && !strcmp(r->old_folder, r->folder)) continue;
        r->lock = scr_data_take(r->folder, r->path, report);
        if (r->lock == -1) return SCREE_E_IO;
    }
    return SCREE_OK;
}

static scree_status create(const char *path, const scr_results_scene *scene, bool force, scr_results **out,
                           scree_report *report)
{
    *out = NULL;
    scree_status status = path_check(path, force, report);
    if (status) return status;
    scr_results *r = results_new(path, scene, report);
    if (!r) return SCREE_E_MEMORY;
    status = standing_lock(r, &r->old_folder, &r->old_lock, report);
    if (!status) {
        scr_run_id standing = scr_run_id_of(path);
        scr_data_tidy(path, r->old_folder, &standing);
        status = folder_take(r, report);
    }
    // where nothing stood there was nothing to hold: another run may have come and gone
    if (!status) status = standing_check(r, r->old_folder, report);
    if (status)
        scr_results_destroy(r);
    else
        *out = r;
    return status;
}

scree_status scr_results_create(const char *path, const scr_results_scene *scene, scr_results **out,
                                scree_report *report)
{
    return create(path, scene, false, out, report);
}

scree_status scr_results_force(const char *path, const scr_results_scene *scene, scr_results **out,
                               scree_report *report)
{
    return create(path, scene, true, out, report);
}

/* ---- continuing ---- */

static bool bins_match(const scr_series_axis *axis, const scr_series_info *past)
{
    if (axis->count != past->bins || (axis->count && axis->width != past->bin_width)) return false;
    for (int k = 0; k < axis->count * axis->width; k++)
        if (axis->values[k] != past->bin_values[k]) return false;
    return true;
}

static bool series_match(const scr_series *series, const scr_series_info *past)
{
    if (strcmp(series->name, past->name) || series->column_count != past->column_count) return false;
    for (int k = 0; k < past->column_count; k++)
        if (strcmp(series->columns[k].name, past->columns[k]) || series->columns[k].width != past->widths[k])
            return false;
    return bins_match(&series->axis, past);
}

// the past rows of one series up to `time`
static scree_status series_take(const scr_archive *a, int past, scr_series *series, double time, scree_report *report)
{
    size_t count = a->series[past].count, width = series->width, most = 1;
    for (int c = 0; c < series->column_count; c++)
        if ((size_t)series->columns[c].width > most) most = (size_t)series->columns[c].width;
    double *column = malloc((count * most + 1) * sizeof *column);
    double *rows = malloc((count + 1) * width * sizeof *rows);
    scree_status status = SCREE_OK;
    if (!column || !rows) status = scr_no_memory_in(report, a->path, "series");
    for (int c = 0; !status && c < series->column_count; c++) {
        size_t wide = (size_t)series->columns[c].width;
        status = scr_archive_series_read(a, past, c, column, report);
        for (size_t k = 0; !status && k < count; k++)
            memcpy(rows + k * width + series->columns[c].first, column + k * wide, wide * sizeof *rows);
    }
    for (size_t k = 0; !status && k < count; k++)
        if (!scr_series_add(series, rows + k * width)) status = scr_h5_no_memory(a->index, "/series");
    if (!status) scr_series_truncate(series, time);
    free(column), free(rows);
    return status;
}

static scree_status series_continue(const scr_archive *a, scr_series *series, int series_count, double time,
                                    scree_report *report)
{
    scree_status status = SCREE_OK;
    for (int p = 0; !status && p < a->series_count; p++) {
        int k = 0;
        while (k < series_count && !series_match(&series[k], &a->series[p])) k++;
        if (k < series_count)
            status = series_take(a, p, &series[k], time, report);
        else
            scr_warn(report, (scree_place){.file = a->path},
                     "series '%s' is not in this scene with the same columns: its past is dropped", a->series[p].name);
    }
    return status;
}

// entries up to `step` stay, later ones are condemned
static bool entries_continue(scr_results *r, const scr_entries *past, int64_t step, scr_entries *list)
{
    for (int k = 0; k < past->count; k++) {
        const scr_entry *e = &past->items[k];
        if (!scr_entries_add(e->step <= step ? list : &r->condemned, e)) return false;
    }
    return true;
}

// what a crashed run left beside and behind its last index
static void leftovers_remove(const scr_results *r, const scr_archive *a)
{
    char *unfinished;
    if (asprintf(&unfinished, "%s.tmp", r->path) >= 0) {
        unlink(unfinished);
        free(unfinished);
    }
    scr_data_sweep(r->folder, &a->frames, &a->checkpoints);
    scr_data_tidy(r->path, r->folder, &r->run);
}

static scree_status continue_from(scr_results *r, const scr_archive *a, int64_t step, scr_series *series,
                                  int series_count, scree_report *report)
{
    int k = 0;
    while (k < a->checkpoints.count && a->checkpoints.items[k].step != step) k++;
    if (k == a->checkpoints.count)
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = a->path}, "has no checkpoint of step %lld",
                        (long long)step);
    r->run = a->run;
    if (*a->words) r->before = strdup(a->words);
    snprintf(r->created, sizeof r->created, "%s", a->created);
    if (!entries_continue(r, &a->frames, step, &r->frames) ||
        !entries_continue(r, &a->checkpoints, step, &r->checkpoints))
        return scr_no_memory_in(report, a->path, "continuing it");
    r->spent = (scr_spent){a->checkpoints.items[k].seconds, a->checkpoints.items[k].processor};
    leftovers_remove(r, a);
    return series_continue(a, series, series_count, a->checkpoints.items[k].time, report);
}

scree_status scr_results_continue(const char *path, const scr_results_scene *scene, int64_t step, scr_series *series,
                                  int series_count, scr_results **out, scree_report *report)
{
    *out = NULL;
    scr_results *r = results_new(path, scene, report);
    if (!r) return SCREE_E_MEMORY;
    r->published = true;
    // first the lock, then the look: what is read stays true
    scree_status status = standing_lock(r, &r->folder, &r->lock, report);
    scr_archive *archive = status ? NULL : scr_archive_open(path, report);
    if (archive && r->lock < 0)
        status = scr_fail(report, SCREE_E_INPUT, (scree_place){.file = archive->folder}, "is missing");
    else if (archive)
        status = continue_from(r, archive, step, series, series_count, report);
    else if (!status)
        status = SCREE_E_INPUT;
    scr_archive_close(archive);
    if (status)
        scr_results_destroy(r);
    else
        *out = r;
    return status;
}

/* ---- frames and checkpoints ---- */

void scr_results_spent_set(scr_results *r, scr_spent spent)
{
    r->spent = spent;
}

scr_spent scr_results_spent(const scr_results *r)
{
    return r->spent;
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

static scree_status space_check(const scr_results *r, uint64_t need, scree_report *report)
{
    uint64_t room = scr_free_space(r->folder);
    if (room >= need + SPACE_MARGIN) return SCREE_OK;
    return scr_fail(report, SCREE_E_IO, (scree_place){.file = r->path},
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

// the last entry is of the same step: the new one takes its place
static scree_status entry_add(scr_results *r, scr_entries *list, const scr_entry *entry, scree_report *report)
{
    bool ok = scr_entries_add(&r->fresh, entry);
    if (ok && list->count > 0 && list->items[list->count - 1].step == entry->step)
        ok = scr_entries_add(&r->condemned, &list->items[--list->count]);
    return ok && scr_entries_add(list, entry) ? SCREE_OK : no_memory(r, report);
}

typedef struct {
    const char *from; // first row's first byte of the view
    size_t row, bytes;
    const uint32_t *order;
} gather;

static void gather_rows(const void *context, size_t first, size_t count, void *block)
{
    const gather *g = context;
    char *to = block;
    for (size_t k = 0; k < count; k++)
        memcpy(to + k * g->bytes, g->from + (size_t)g->order[first + k] * g->row, g->bytes);
}

static scree_status view_write(scr_h5 *file, const scr_bodies *bodies, const scr_view *view, const uint32_t *order)
{
    const scr_field *field = scr_table_field(&bodies->table, view->field);
    size_t scalar = scr_scalar_size(field->type);
    const char *array = scr_table_array(&bodies->table, field);
    gather g = {.from = array ? array + (size_t)view->first * scalar : NULL,
                .row = scr_field_row(field),
                .bytes = (size_t)view->width * scalar,
                .order = order};
    scr_h5_set set = {view->name, (scr_h5_type)field->type, view->width, view->unit, view->doc};
    return scr_h5_write_blocks(file, &set, bodies->table.count, gather_rows, &g);
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

static int64_t version_of(const scr_world *world)
{
    return world->solid_count ? SCR_RESULTS_SOLIDS : 1;
}

// what a frame holds
typedef struct {
    const scr_world *world;
    const char *const *fields;
    int field_count;
    const uint32_t *order;              // bodies in the order of ids
    const scr_frame_contacts *contacts; // NULL: none
} frame;

static scree_status frame_write(const char *path, const frame *f, uint64_t *digest, scree_report *report)
{
    const scr_world *world = f->world;
    int64_t contacts = f->contacts ? (int64_t)f->contacts->count : -1;
    scr_h5 *file = scr_h5_create(path, report);
    if (!file) return SCREE_E_IO;
    scr_h5_set_text(file, "/", "format", "scree-frame");
    scr_h5_set_i64(file, "/", "format_version", &(int64_t){version_of(world)}, 1);
    scr_h5_set_i64(file, "/", "step", &world->clock.step, 1);
    scr_h5_set_f64(file, "/", "time", &world->clock.time, 1);
    scr_h5_set_i64(file, "/", "contacts", &contacts, 1);
    scree_status status = view_write(file, &world->bodies, scr_body_view("id"), f->order);
    for (int k = 0; !status && k < f->field_count; k++)
        if (!named_before(f->fields, k) && scr_body_view(f->fields[k]))
            status = view_write(file, &world->bodies, scr_body_view(f->fields[k]), f->order);
    if (!status && world->cells.table.count) status = scr_cell_frame_write(file, world, f->fields, f->field_count);
    if (!status) status = scr_walls_write(file, world, false);
    if (!status && f->contacts) status = scr_contact_table_write(file, world, f->contacts);
    if (!status && world->bonds.table.count) status = scr_bond_table_write(file, world);
    if (!status) return scr_h5_finish(file, SCR_FRAME_KIND, NULL, digest);
    scr_h5_discard(file);
    return status;
}

scree_status scr_results_frame(scr_results *r, const scr_world *world, const char *const *fields, int field_count,
                               const scr_frame_contacts *contacts, scree_report *report)
{
    for (int k = 0; k < field_count; k++)
        if (!scr_body_view(fields[k]) && !scr_cell_view_find(fields[k]))
            return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no field '%s'", fields[k]);
    uint64_t size = frame_size(world, fields, field_count);
    if (contacts) size += scr_contact_table_size(contacts);
    scree_status status = space_check(r, size, report);
    if (status) return status;
    int number = r->frames.count;
    if (number > 0 && r->frames.items[number - 1].step == world->clock.step) number--;
    char stem[48];
    scr_entry entry = {.step = world->clock.step,
                       .time = world->clock.time,
                       .bodies = (int64_t)world->bodies.table.count,
                       .seconds = r->spent.seconds,
                       .processor = r->spent.processor};
    snprintf(stem, sizeof stem, "frame-%08d", number);
    char *path = name_free(r, stem, entry.file);
    uint32_t *order = scr_memory_new(world->bodies.table.count, sizeof *order);
    if (path && order) {
        scr_bodies_by_id(&world->bodies, order);
        frame f = {world, fields, field_count, order, contacts};
        status = frame_write(path, &f, (uint64_t *)&entry.digest, report);
    } else {
        status = scr_no_memory_in(report, r->path, "a frame");
    }
    scr_memory_free(order);
    free(path);
    return status ? status : entry_add(r, &r->frames, &entry, report);
}

scree_status scr_results_checkpoint(scr_results *r, const scr_world *world, scree_report *report)
{
    scree_status status = space_check(r, scr_checkpoint_size(world), report);
    if (status) return status;
    char stem[48];
    scr_entry entry = {.step = world->clock.step,
                       .time = world->clock.time,
                       .bodies = (int64_t)world->bodies.table.count,
                       .seconds = r->spent.seconds,
                       .processor = r->spent.processor};
    snprintf(stem, sizeof stem, "checkpoint-%" PRId64, entry.step);
    char *path = name_free(r, stem, entry.file);
    if (!path) return scr_no_memory_in(report, r->path, "a checkpoint");
    status = scr_checkpoint_write(path, world, (uint64_t *)&entry.digest, report);
    free(path);
    if (!status) status = entry_add(r, &r->checkpoints, &entry, report);
    // only the last ones are wanted
    while (!status && r->checkpoints.count > CHECKPOINTS_KEPT) {
        if (!scr_entries_add(&r->condemned, &r->checkpoints.items[0])) break;
        r->checkpoints.count--;
        memmove(r->checkpoints.items, r->checkpoints.items + 1,
                (size_t)r->checkpoints.count * sizeof *r->checkpoints.items);
    }
    return status;
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

// where the bins of a series are: beside the series, since their rows are no rows of time
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
    scr_h5_set_i64(file, "/", "format_version", &(int64_t){version_of(world)}, 1);
    scr_h5_set_text(file, "/", "scree_version", SCREE_VERSION);
    scr_h5_set_text(file, "/", "created", r->created);
    scr_h5_set_text(file, "/", "run", r->run.text);
    scr_h5_set_text(file, "/", "title", r->title);
    scr_h5_set_text(file, "/", "units", "SI; each dataset has its unit as an attribute");
    scr_h5_set_i64(file, "/", "step", &world->clock.step, 1);
    scr_h5_set_f64(file, "/", "time", &world->clock.time, 1);
    scr_h5_write_text(file, "/scene/text", r->scene_text);
    if (r->words) scr_h5_write_text(file, "/scene/words", r->words);
    return scr_h5_write_text(file, "/scene/path", r->scene_path);
}

// The first index of this run. Up to its rename the folder is nobody's; from then on the old one
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

static scree_status index_write(scr_results *r, const scr_world *world, const scr_series *series, int series_count,
                                scree_report *report)
{
    const char *folder = scr_base_name(r->folder);
    scr_h5 *file = scr_h5_create(r->path, report);
    if (!file) return SCREE_E_IO;
    scree_status status = head_write(file, r, world);
    if (!status) status = scr_domain_write(file, world);
    if (!status) status = scr_names_write(file, world);
    if (!status) status = scr_walls_write(file, world, true);
    if (!status && world->solid_count) status = scr_solids_write(file, world);
    if (!status && world->solid_count) status = scr_cell_mesh_write(file, world);
    if (!status) status = scr_entries_write(file, "frames", folder, &r->frames);
    if (!status) status = scr_entries_write(file, "checkpoints", folder, &r->checkpoints);
    if (!status) status = scr_h5_group(file, "/series");
    if (!status) status = scr_h5_group(file, "/bins");
    for (int k = 0; !status && k < series_count; k++) status = series_write(file, &series[k], k);
    if (!status && !r->published) return index_place_first(r, file, folder);
    if (!status) return scr_h5_finish(file, SCR_INDEX_KIND, folder, NULL);
    scr_h5_discard(file);
    return status;
}

static uint64_t index_size(const scr_results *r, const scr_world *world, const scr_series *series, int series_count)
{
    uint64_t size = strlen(r->scene_text) + (r->words ? strlen(r->words) : 0) + 65536 +
                    512 * (uint64_t)r->frames.count + scr_cell_mesh_size(world);
    for (int k = 0; k < series_count; k++)
        size += 8 * series[k].count * series[k].width + 1024 * (uint64_t)series[k].column_count +
                8 * (uint64_t)(series[k].axis.count * series[k].axis.width);
    return size;
}

// the new index stands: what only the old one needed can go
static void clean_up(scr_results *r)
{
    files_remove(r, &r->condemned);
    r->fresh.count = 0;
    if (r->old_folder) scr_data_remove(r->old_folder);
    if (r->old_lock >= 0) close(r->old_lock);
    free(r->old_folder);
    r->old_folder = NULL, r->old_lock = -1;
}

scree_status scr_results_publish(scr_results *r, const scr_world *world, const scr_series *series, int series_count,
                                 scree_report *report)
{
    scree_status status = space_check(r, index_size(r, world, series, series_count), report);
    if (!status) status = index_write(r, world, series, series_count, report);
    if (status) return status;
    clean_up(r);
    return SCREE_OK;
}
