/* Opening and closing results that are written (observe/results.h). Of other folders only that of the replaced index is
 * removed, and what is marked as left over (results_files.h). */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "observe/archive_index.h"
#include "observe/results_inside.h"

/* ---- opening and closing ---- */

void scr_results_remove(const scr_results *r, scr_entries *files)
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
    scr_queue_free(r->queue);
    scr_h5_discard(r->file);
    scr_h5_store_free(r->store);
    // what no index names cannot be reached
    scr_results_remove(r, &r->fresh);
    if (!r->published && r->folder && r->lock >= 0) scr_data_remove(r->folder);
    if (r->lock >= 0) close(r->lock);
    if (r->old_lock >= 0) close(r->old_lock);
    scr_entries_deinit(&r->frames);
    scr_entries_deinit(&r->checkpoints);
    scr_entries_deinit(&r->piece_entries);
    scr_entries_deinit(&r->condemned);
    scr_entries_deinit(&r->fresh);
    free(r->path), free(r->scene_path), free(r->scene_text), free(r->title);
    free(r->before), free(r->words);
    free(r->folder), free(r->old_folder);
    scree_report_deinit(&r->report);
    free(r);
}

static scr_results *results_new(const char *path, const scr_results_scene *scene, scree_report *report)
{
    scr_results *r = calloc(1, sizeof *r);
    if (r) {
        *r = (scr_results){.lock = -1,
                           .old_lock = -1,
                           .standing = -1,
                           .run = scr_run_id_new(),
                           .queue = scr_queue_new(),
                           .store = scr_h5_store_new()};
        scree_report_init(&r->report);
        r->path = strdup(path);
        r->scene_path = strdup(scene->path ? scene->path : "");
        r->scene_text = strdup(scene->text ? scene->text : "");
        r->title = strdup(scene->title ? scene->title : "");
        time_t now = time(NULL);
        struct tm utc;
        if (gmtime_r(&now, &utc)) strftime(r->created, sizeof r->created, "%Y-%m-%dT%H:%M:%SZ", &utc);
        if (r->path && r->scene_path && r->scene_text && r->title && r->queue && r->store) return r;
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

// a copied index is replaced, the folder of the one it was copied from stays
static void copy_leave(scr_results *r)
{
    char *owner = r->old_folder ? scr_data_owner(r->path, r->old_folder) : NULL;
    if (!owner) return;
    free(owner), free(r->old_folder);
    if (r->old_lock >= 0) close(r->old_lock);
    r->old_folder = NULL, r->old_lock = -1;
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
    if (!status) copy_leave(r);
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
                     "the scene has no series '%s' with the same columns: its earlier rows are dropped",
                     a->series[p].name);
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
    scr_data_sweep(r->folder, &a->frames, &a->checkpoints, &a->pieces);
    scr_data_tidy(r->path, r->folder, &r->run);
}

// checkpoints with which stages begin are kept
static void mark_stages(scr_results *r, const scr_archive *a)
{
    int count;
    const scr_stage *stages = scr_archive_stages(a, &count);
    for (int k = 0; k < r->checkpoints.count; k++)
        for (int n = 0; n < count; n++) r->checkpoints.items[k].stays |= r->checkpoints.items[k].step == stages[n].step;
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
        !entries_continue(r, &a->checkpoints, step, &r->checkpoints) ||
        !entries_continue(r, &a->pieces, step, &r->piece_entries))
        return scr_no_memory_in(report, a->path, "continuing it");
    mark_stages(r, a);
    r->divided = r->piece_entries.count;
    r->standing = step;
    r->spent = (scr_spent){a->checkpoints.items[k].seconds, a->checkpoints.items[k].processor};
    leftovers_remove(r, a);
    return series_continue(a, series, series_count, scr_number_meant(a->checkpoints.items[k].time), report);
}

// a copied index names the folder of the original, whose checkpoints a run that continued there would remove
static scree_status copy_refuse(const scr_results *r, scree_report *report)
{
    char *owner = r->folder ? scr_data_owner(r->path, r->folder) : NULL;
    if (!owner) return SCREE_OK;
    scr_fail(report, SCREE_E_INPUT, (scree_place){.file = r->path},
             "is a copy of the index %s: its frames and checkpoints are in %s, which belongs to that one. Resume the "
             "original, start a run of its own with --from, or copy results with `scree pack` and `scree unpack`",
             owner, r->folder);
    free(owner);
    return SCREE_E_INPUT;
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
    if (!status) status = copy_refuse(r, report);
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
