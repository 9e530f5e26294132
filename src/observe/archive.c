/* Reading results: frames, checkpoints and series of an index (observe/results.h). */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "comm/share.h"
#include "observe/archive_index.h"
#include "world/checkpoint.h"

#define SOURCES_KEPT 16

/* ---- opening ---- */

scr_archive *scr_archive_open(const char *path, scree_report *report)
{
    scr_archive *a = calloc(1, sizeof *a);
    if (!a || !(a->path = strdup(path))) {
        scr_no_memory_in(report, path, "opening it");
        free(a);
        return NULL;
    }
    scr_world_init(&a->world);
    scr_world_init(&a->frame_world);
    a->index = scr_h5_open(path, SCR_INDEX_KIND, &a->reader, report);
    if (a->index) a->folder = scr_data_of(path);
    if (a->index && !a->folder) scr_h5_wrong(a->index, "/", "does not name its data folder");
    if (a->folder && !scr_archive_index_read(a, report)) return a;
    scr_archive_close(a);
    return NULL;
}

static void views_free(char **views, char **units)
{
    for (int k = 0; views && units && views[k]; k++) free(units[k]);
    free(units);
    free(views);
}

static void frame_close(scr_archive *a)
{
    views_free(a->views, a->units);
    views_free(a->cell_views, a->cell_units);
    for (int k = 0; k < a->piece_count; k++) scr_h5_close(a->piece_files[k]);
    a->piece_count = 0;
    scr_h5_close(a->frame);
    scr_world_deinit(&a->frame_world);
    scr_world_init(&a->frame_world);
    a->frame = NULL;
    a->views = a->units = a->cell_views = a->cell_units = NULL;
}

static void sources_close(scr_archive *a)
{
    for (int k = 0; k < a->source_count; k++) scr_h5_close(a->sources[k].file);
    a->source_count = 0;
}

void scr_archive_close(scr_archive *a)
{
    if (!a) return;
    frame_close(a);
    sources_close(a);
    scr_free_all(a->sources, a->piece_files);
    scr_world_deinit(&a->frame_world);
    scr_world_deinit(&a->world);
    for (int k = 0; k < a->series_count; k++) scr_series_info_deinit(&a->series[k]);
    free(a->series);
    scr_entries_deinit(&a->frames);
    scr_entries_deinit(&a->checkpoints);
    scr_entries_deinit(&a->pieces);
    scr_h5_close(a->index);
    scr_h5_reader_end(&a->reader);
    free(a->scene_text), free(a->scene_path), free(a->title), free(a->words);
    free(a->version), free(a->created), free(a->device);
    free(a->path), free(a->folder);
    free(a);
}

/* ---- what the index says ---- */

const char *scr_archive_scene_text(const scr_archive *a)
{
    return a->scene_text;
}

bool scr_name_is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name)) names++;
    return *names != NULL;
}

scr_ranks_balance scr_archive_balance(const scr_archive *a)
{
    return a->balance;
}

const char *scr_archive_device(const scr_archive *a)
{
    return a->device ? a->device : "CPU";
}

const char *scr_archive_words(const scr_archive *a)
{
    return a->words;
}

const char *scr_archive_scene_path(const scr_archive *a)
{
    return a->scene_path;
}

const char *scr_archive_title(const scr_archive *a)
{
    return a->title;
}

const char *scr_archive_version(const scr_archive *a)
{
    return a->version;
}

const char *scr_archive_created(const scr_archive *a)
{
    return a->created;
}

uint64_t scr_archive_digest(const scr_archive *a)
{
    return scr_h5_digest(a->index);
}

uint64_t scr_archive_frame_digest(const scr_archive *a, int frame)
{
    return frame < 0 || frame >= a->frames.count ? 0 : (uint64_t)a->frames.items[frame].digest;
}

const char *scr_archive_run(const scr_archive *a)
{
    return a->run.text;
}

bool scr_archive_is_live(const scr_archive *a)
{
    return scr_data_is_locked(a->folder);
}

scr_domain scr_archive_domain(const scr_archive *a)
{
    return a->world.domain;
}

const scr_stage *scr_archive_stages(const scr_archive *a, int *count)
{
    *count = a->world.stage_count;
    return a->world.stages;
}

const scr_material *scr_archive_materials(const scr_archive *a, int *count)
{
    *count = a->world.material_count;
    return a->world.materials;
}

const scr_group *scr_archive_groups(const scr_archive *a, int *count)
{
    *count = a->world.group_count;
    return a->world.groups;
}

const scr_wall *scr_archive_walls(const scr_archive *a, int *count)
{
    *count = a->world.wall_count;
    return a->world.walls;
}

static scr_frame_info entry_info(const scr_entries *entries, int k)
{
    if (k < 0 || k >= entries->count) return (scr_frame_info){.step = -1};
    const scr_entry *e = &entries->items[k];
    return (scr_frame_info){.step = e->step, .time = e->time, .bodies = e->bodies, .spent = {e->seconds, e->processor}};
}

int scr_archive_frame_count(const scr_archive *a)
{
    return a->frames.count;
}

scr_frame_info scr_archive_frame(const scr_archive *a, int frame)
{
    return entry_info(&a->frames, frame);
}

int scr_archive_checkpoint_count(const scr_archive *a)
{
    return a->checkpoints.count;
}

scr_frame_info scr_archive_checkpoint(const scr_archive *a, int checkpoint)
{
    return entry_info(&a->checkpoints, checkpoint);
}

const scr_series_info *scr_archive_series(const scr_archive *a, int *count)
{
    *count = a->series_count;
    return a->series;
}

scree_status scr_archive_series_read(const scr_archive *a, int series, int column, double *values, scree_report *report)
{
    const scr_series_info *s = &a->series[series];
    char *group = scr_h5_path("/series", s->name);
    char *path = group ? scr_h5_path(group, s->columns[column]) : NULL;
    scr_h5_report_to(a->index, report);
    scree_status status = path ? scr_h5_read_f64(a->index, path, s->count, s->widths[column], values)
                               : scr_h5_no_memory(a->index, s->name);
    free(group), free(path);
    return status;
}

static uint64_t file_size(const scr_archive *a, const char *file)
{
    struct stat info;
    char *path = scr_data_file(a->folder, file);
    uint64_t size = path && !stat(path, &info) ? (uint64_t)info.st_size : 0;
    free(path);
    return size;
}

// with the pieces of those whose names begin so
static uint64_t entries_size(const scr_archive *a, const scr_entries *entries, const char *begin)
{
    uint64_t size = 0;
    for (int k = 0; k < entries->count; k++) size += file_size(a, entries->items[k].file);
    for (int k = 0; k < a->pieces.count; k++)
        if (!strncmp(a->pieces.items[k].file, begin, strlen(begin))) size += file_size(a, a->pieces.items[k].file);
    return size;
}

void scr_archive_sizes(const scr_archive *a, uint64_t *index, uint64_t *frames, uint64_t *checkpoints)
{
    if (index) *index = scr_h5_size(a->index);
    if (frames) *frames = entries_size(a, &a->frames, "frame-");
    if (checkpoints) *checkpoints = entries_size(a, &a->checkpoints, "checkpoint-");
}

/* ---- frames ---- */

// names of the views in a group and their units; a frame without bodies still has its datasets
static scree_status views_read(const scr_h5 *file, const char *group, char ***views, char ***units)
{
    int count;
    scree_status status = scr_h5_list(file, group, true, views, &count);
    if (status) return status;
    *units = calloc((size_t)count + 1, sizeof **units);
    if (!*units) return scr_h5_no_memory(file, group);
    for (int k = 0; !status && k < count; k++) {
        char *path = scr_h5_path(group, (*views)[k]);
        status = path ? scr_h5_get_text(file, path, "unit", &(*units)[k]) : scr_h5_no_memory(file, group);
        free(path);
    }
    return status;
}

// of grains, and of cells where the frame has them
static scree_status all_views_read(scr_archive *a)
{
    scree_status status = views_read(a->piece_count ? a->piece_files[0] : a->frame, "/", &a->views, &a->units);
    if (!status && scr_h5_has(a->frame, "/cells"))
        status = views_read(a->frame, "/cells", &a->cell_views, &a->cell_units);
    return status;
}

// the wall of the index with this name, their count when it is not there
static int index_wall(const scr_archive *a, const char *name)
{
    for (int k = 0; k < a->world.wall_count; k++)
        if (!strcmp(a->world.walls[k].name, name)) return k;
    return a->world.wall_count;
}

// faces of a wall as a frame has them; those of a mesh are in the index alone
static const scr_face *faces_of(const scr_archive *a, const scr_wall *wall, int *count)
{
    const scr_world *from = &a->frame_world;
    int known = index_wall(a, wall->name);
    if (!wall->face_count && known < a->world.wall_count) {
        const scr_wall *same = &a->world.walls[known];
        if (!strcmp(same->shape, wall->shape)) from = &a->world, wall = same;
    }
    *count = wall->face_count;
    return from->faces ? from->faces + wall->first_face : NULL;
}

// the walls of that moment, where they were; their numbers become those of the index
static scree_status frame_walls_read(scr_archive *a)
{
    scr_world *w = &a->frame_world;
    scree_status status = scr_walls_read(a->frame, w, INT_MAX);
    int room = 0, count, n = 0;
    for (int k = 0; !status && k < w->wall_count; k++) faces_of(a, &w->walls[k], &count), room += count;
    scr_face *placed = NULL;
    if (!status && !scr_reserve(&placed, (size_t)room)) status = scr_h5_no_memory(a->frame, "/walls");
    for (int k = 0; !status && k < w->wall_count; k++) {
        const scr_wall *wall = &w->walls[k];
        const scr_face *faces = faces_of(a, wall, &count);
        for (int f = 0; f < count && wall->active; f++) {
            placed[n] = scr_face_moved(&faces[f], &wall->pose);
            placed[n++].wall = index_wall(a, wall->name);
        }
    }
    if (status) return status;
    scr_buffer_free(w->faces);
    w->faces = placed, w->face_count = n;
    return SCREE_OK;
}

scree_status scr_archive_data_check(const scr_archive *a, const char *file, scree_report *report)
{
    struct stat info;
    char *path = scr_data_file(a->folder, file);
    bool there = path && !lstat(path, &info), folder = !lstat(a->folder, &info);
    free(path);
    if (there) return SCREE_OK;
    if (folder)
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = a->path},
                        "%s is missing in %s, which belongs to it", file, a->folder);
    return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = a->path},
                    "the folder %s is missing: this file is only the index, frames and checkpoints are "
                    "in that folder beside it. Copy both, or make one file of them with `scree pack`",
                    a->folder);
}

// a file of a frame, as the index means it; NULL with a message
static scr_h5 *file_open(scr_archive *a, const scr_entry *e, scree_report *report)
{
    if (scr_archive_data_check(a, e->file, report)) return NULL;
    char *path = scr_data_file(a->folder, e->file);
    scr_h5 *file = path ? scr_h5_open(path, SCR_FRAME_KIND, &a->reader, report) : NULL;
    if (!path) scr_no_memory_in(report, a->path, "reading it");
    free(path);
    if (!file || (int64_t)scr_h5_digest(file) == e->digest) return file;
    scr_h5_wrong(file, "/", "is not the frame that the index refers to");
    scr_h5_close(file);
    return NULL;
}

// the file of another frame, by its name; NULL with a message
static scr_h5 *source_open(scr_archive *a, const char *name, scree_report *report)
{
    int k = 0, s = 0;
    while (k < a->frames.count && strcmp(a->frames.items[k].file, name)) k++;
    if (k == a->frames.count || k == a->frame_number) {
        scr_h5_wrong(a->frame, "/", "shares a dataset with a file that is no other frame of the index");
        return NULL;
    }
    while (s < a->source_count && a->sources[s].frame != k) s++;
    if (s < a->source_count) return scr_h5_report_to(a->sources[s].file, report), a->sources[s].file;
    scr_h5 *file = file_open(a, &a->frames.items[k], report);
    if (!file) return NULL;
    if (scr_push(a->sources, a->source_count, (struct scr_source){k, file})) return file;
    scr_no_memory_in(report, a->path, "reading it");
    scr_h5_close(file);
    return NULL;
}

// what is written once is in the file of an earlier frame
static scree_status sources_attach(scr_archive *a, scree_report *report)
{
    char **names;
    int count;
    scree_status status = scr_h5_shared(a->frame, &names, &count);
    for (int k = 0; !status && k < count; k++) {
        scr_h5 *source = source_open(a, names[k], report);
        status = source ? scr_h5_attach(a->frame, names[k], source) : SCREE_E_INPUT;
    }
    free(names);
    return status;
}

// files with its rows of bodies and contacts, where there are several
static scree_status pieces_open(scr_archive *a, const scr_entry *frame, scree_report *report)
{
    const scr_entries *list = &a->pieces;
    int64_t bodies = 0;
    for (int k = 0; k < list->count; k++) {
        if (!scr_piece_belongs(list->items[k].file, frame->file)) continue;
        scr_h5 *file = file_open(a, &list->items[k], report);
        if (!file) return SCREE_E_INPUT;
        bodies += list->items[k].bodies;
        if (scr_push(a->piece_files, a->piece_count, file)) continue;
        scr_h5_close(file);
        return scr_no_memory_in(report, a->path, "reading it");
    }
    if (!a->piece_count || bodies == frame->bodies) return SCREE_OK;
    return scr_h5_wrong(a->frame, "/", "has pieces with another number of bodies than the index says");
}

// opens a frame unless it is the open one
scree_status scr_archive_frame_open(const scr_archive *constant, int frame, scree_report *report)
{
    scr_archive *a = (scr_archive *)constant; // what is open is a cache
    if (frame < 0 || frame >= a->frames.count)
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = a->path},
                        "has no frame %d: there are %d, counted from 0", frame, a->frames.count);
    if (a->frame && a->frame_number == frame) {
        scr_h5_report_to(a->frame, report);
        for (int k = 0; k < a->piece_count; k++) scr_h5_report_to(a->piece_files[k], report);
        return SCREE_OK;
    }
    frame_close(a);
    // those of the next frames are few, and mostly the same
    if (a->source_count > SOURCES_KEPT) sources_close(a);
    a->frame = file_open(a, &a->frames.items[frame], report);
    if (!a->frame) return SCREE_E_INPUT;
    a->frame_number = frame;
    scree_status status = sources_attach(a, report);
    if (!status) status = pieces_open(a, &a->frames.items[frame], report);
    if (!status) status = all_views_read(a);
    if (!status) status = scr_h5_get_i64(a->frame, "/", "contacts", &a->frame_contacts, 1);
    if (!status) status = frame_walls_read(a);
    if (status) frame_close(a);
    return status;
}

// how many rows the pieces have, all of one width
static scree_status pieces_shape(const scr_archive *a, const char *set, size_t *count, int *width)
{
    scr_h5_type type;
    size_t rows = 0;
    int wide = 0;
    *count = 0;
    for (int k = 0; k < a->piece_count; k++) {
        scree_status status = scr_h5_shape(a->piece_files[k], set, &type, &rows, &wide);
        if (status) return status;
        if (k && wide != *width)
            return scr_h5_wrong(a->piece_files[k], set, "has another number of columns than in other pieces");
        *count += rows, *width = wide;
    }
    return SCREE_OK;
}

// rows of all pieces, one after the other
static scree_status pieces_read(const scr_archive *a, const char *set, int64_t rows, double **data, size_t *count,
                                int *width, scree_report *report)
{
    scr_h5_type type;
    size_t here, done = 0;
    scree_status status = pieces_shape(a, set, count, width);
    if (!status && (int64_t)*count != rows)
        status = scr_h5_wrong(a->frame, set, "has another number of rows in its pieces than the frame says");
    if (status) return status;
    double *values = malloc((*count * (size_t)*width + 1) * sizeof *values);
    if (!values) return scr_no_memory_in(report, a->path, "%s of %zu rows", set, *count);
    for (int k = 0; !status && k < a->piece_count; k++) {
        status = scr_h5_shape(a->piece_files[k], set, &type, &here, width);
        if (!status) status = scr_h5_read_f64(a->piece_files[k], set, here, *width, values + done * (size_t)*width);
        done += here;
    }
    if (status)
        free(values);
    else
        *data = values;
    return status;
}

// rows of bodies and contacts
static scree_status rows_read(const scr_archive *a, const char *set, int64_t rows, double **data, size_t *count,
                              int *width, scree_report *report)
{
    return (a->piece_count ? pieces_read : scr_archive_set_read)(a, set, rows, data, count, width, report);
}

scree_status scr_archive_set_read(const scr_archive *a, const char *set, int64_t rows, double **data, size_t *count,
                                  int *width, scree_report *report)
{
    scr_h5_type type;
    scree_status status = scr_h5_shape(a->frame, set, &type, count, width);
    if (!status && (int64_t)*count != rows)
        status = scr_h5_wrong(a->frame, set, "has another number of rows than the frame says");
    if (status) return status;
    double *values = malloc((*count * (size_t)*width + 1) * sizeof *values);
    if (!values) return scr_no_memory_in(report, a->path, "%s of %zu rows", set, *count);
    status = scr_h5_read_f64(a->frame, set, *count, *width, values);
    if (status)
        free(values);
    else
        *data = values;
    return status;
}

// readers take the numbers of known sets by their places: another width would lead them astray
static scree_status width_check(const scr_archive *a, const char *set, int known, int width, double **data)
{
    if (!known || width == known) return SCREE_OK;
    free(*data);
    *data = NULL;
    return scr_h5_wrong(a->frame, set, "has the wrong number of columns");
}

scree_status scr_archive_read(const scr_archive *a, int frame, const char *view, double **data, size_t *bodies,
                              int *width, scree_report *report)
{
    *data = NULL;
    const scr_view *known = scr_body_view(view);
    scree_status status = scr_archive_frame_open(a, frame, report);
    if (!status) status = rows_read(a, view, a->frames.items[frame].bodies, data, bodies, width, report);
    return status ? status : width_check(a, view, known ? known->width : 0, *width, data);
}

scree_status scr_archive_stored(const scr_archive *a, int frame, const char *view, scr_h5_type *type, int *width,
                                char **place, scree_report *report)
{
    size_t rows;
    *place = NULL;
    scree_status status = scr_archive_frame_open(a, frame, report);
    char *name = status ? NULL : scr_h5_path("", view);
    // of a frame in pieces, the first of them: no file has it all
    if (name) status = scr_h5_shape(a->piece_count ? a->piece_files[0] : a->frame, name, type, &rows, width);
    if (name && !status && a->piece_count) return free(name), status;
    const char *home = name ? scr_h5_home(a->frame, name) : NULL, *slash = strrchr(a->folder, '/');
    if (name &&
        asprintf(place, "%s/%s:%s", slash ? slash + 1 : a->folder, home ? home : a->frames.items[frame].file, name) < 0)
        *place = NULL;
    free(name);
    return status || *place ? status : scr_no_memory_in(report, a->path, "reading it");
}

scree_status scr_archive_contacts(const scr_archive *a, int frame, const char *column, double **data, size_t *contacts,
                                  int *width, scree_report *report)
{
    char path[64];
    *data = NULL;
    scree_status status = scr_archive_frame_open(a, frame, report);
    if (status) return status;
    if (a->frame_contacts < 0)
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = a->path},
                        "frame %d contains no contacts: add output: {contacts: true} to the scene", frame);
    const scr_contact_column *known = scr_contact_columns;
    while (known->name && strcmp(known->name, column)) known++;
    snprintf(path, sizeof path, "/contacts/%.40s", column);
    status = rows_read(a, path, a->frame_contacts, data, contacts, width, report);
    return status ? status : width_check(a, path, known->width, *width, data);
}

bool scr_archive_has_bonds(const scr_archive *a, int frame)
{
    scree_report unheard;
    scree_report_init(&unheard);
    bool has = !scr_archive_frame_open(a, frame, &unheard) && scr_h5_has(a->frame, "/bonds");
    scree_report_deinit(&unheard);
    return has;
}

scree_status scr_archive_bonds(const scr_archive *a, int frame, double **first, double **second, size_t *count,
                               scree_report *report)
{
    int width;
    *first = *second = NULL, *count = 0;
    scree_status status = scr_archive_frame_open(a, frame, report);
    if (status || !scr_h5_has(a->frame, "/bonds")) return status;
    scr_h5_type type;
    status = scr_h5_shape(a->frame, "/bonds/first", &type, count, &width);
    int64_t rows = (int64_t)*count;
    if (!status) status = scr_archive_set_read(a, "/bonds/first", rows, first, count, &width, report);
    if (!status) status = width_check(a, "/bonds/first", 1, width, first);
    if (!status) status = scr_archive_set_read(a, "/bonds/second", rows, second, count, &width, report);
    if (!status) status = width_check(a, "/bonds/second", 1, width, second);
    if (!status) return SCREE_OK;
    free(*first);
    *first = NULL, *count = 0;
    return status;
}

bool scr_archive_frame_is_open(const scr_archive *a, int frame)
{
    scree_report report;
    scree_report_init(&report);
    scree_status status = scr_archive_frame_open(a, frame, &report);
    scree_report_deinit(&report);
    return status == SCREE_OK;
}

scr_domain scr_archive_frame_domain(const scr_archive *a, int frame)
{
    const scr_h5_set set = {SCR_FRAME_BOX, SCR_H5_F64, SCR_FRAME_BOX_NUMBERS, "", ""};
    scr_domain d = scr_archive_domain(a);
    double row[SCR_FRAME_BOX_NUMBERS];
    scree_report unheard;
    scree_report_init(&unheard);
    bool there = !scr_archive_frame_open(a, frame, &unheard) && scr_h5_has(a->frame, SCR_FRAME_BOX) &&
                 !scr_h5_read(a->frame, &set, 1, row);
    for (int k = 0; there && k < SCR_FRAME_BOX_NUMBERS; k++) there = isfinite(row[k]);
    scree_report_deinit(&unheard);
    if (!there) return d;
    d.lower = v3_load(row), d.upper = v3_load(row + 3);
    d.box.deforms = true;
    memcpy(d.box.tilt, row + 6, sizeof d.box.tilt);
    memcpy(d.box.speed, row + 9, sizeof d.box.speed);
    return d;
}

int64_t scr_archive_contact_count(const scr_archive *a, int frame)
{
    return scr_archive_frame_is_open(a, frame) ? a->frame_contacts : -1;
}

const char *const *scr_archive_views(const scr_archive *a, int frame)
{
    static const char *const none[] = {NULL};
    return scr_archive_frame_is_open(a, frame) ? (const char *const *)a->views : none;
}

const char *scr_archive_unit(const scr_archive *a, int frame, const char *view)
{
    if (scr_archive_frame_is_open(a, frame))
        for (int k = 0; a->views[k]; k++)
            if (!strcmp(a->views[k], view)) return a->units[k];
    return "";
}

const scr_face *scr_archive_faces(const scr_archive *a, int frame, int *count)
{
    *count = 0;
    if (!scr_archive_frame_is_open(a, frame)) return NULL;
    *count = a->frame_world.face_count;
    return a->frame_world.faces;
}

const scr_wall *scr_archive_frame_walls(const scr_archive *a, int frame, int *count)
{
    *count = 0;
    if (!scr_archive_frame_is_open(a, frame)) return NULL;
    *count = a->frame_world.wall_count;
    return a->frame_world.walls;
}

bool scr_archive_reports(const scr_archive *a, const char *column)
{
    for (int k = 0; k < a->series_count; k++) {
        const scr_series_info *s = &a->series[k];
        if (strcmp(s->kind, "solver")) continue;
        for (int c = 0; c < s->column_count; c++)
            if (!strcmp(s->columns[c], column)) return true;
    }
    return false;
}

/* ---- checkpoints ---- */

// its pieces; `pieces` has what was listed, in any case
static scree_status list_pieces(const scr_archive *a, const scr_entry *of, scr_checkpoint_pieces *pieces,
                                int64_t **digests, scree_report *report)
{
    const scr_entries *list = &a->pieces;
    scree_status status = SCREE_OK;
    for (int k = 0; !status && k < list->count; k++) {
        const scr_entry *e = &list->items[k];
        if (!scr_piece_belongs(e->file, of->file)) continue;
        int n = pieces->count;
        status = scr_archive_data_check(a, e->file, report);
        char *path = status ? NULL : scr_data_file(a->folder, e->file);
        if (path && scr_reserve(digests, (size_t)n + 1) && scr_push(pieces->paths, pieces->count, path)) {
            (*digests)[n] = e->digest;
            continue;
        }
        free(path);
        if (!status) status = scr_no_memory_in(report, a->path, "reading it");
    }
    pieces->digests = *digests;
    return status;
}

// where the world is divided (build/divided.h), the rows of this rank
static scree_status read_one(const scr_archive *a, int k, scr_world *world, scree_report *report)
{
    const scr_entry *e = &a->checkpoints.items[k];
    uint64_t digest;
    scr_share *share = world->share;
    scr_checkpoint_rows own = {0};
    scr_checkpoint_pieces pieces = {.own = share ? &own : NULL};
    int64_t *digests = NULL;
    if (share) own.rank = share->comm->rank, own.size = share->comm->size;
    scree_status status = scr_archive_data_check(a, e->file, report);
    if (status) return status;
    char *path = scr_data_file(a->folder, e->file);
    if (!path) return scr_no_memory_in(report, a->path, "reading it");
    status = list_pieces(a, e, &pieces, &digests, report);
    if (!status) status = scr_checkpoint_read_pieces(path, &pieces, world, &digest, report);
    for (int n = 0; n < pieces.count; n++) free(pieces.paths[n]);
    scr_free_all(pieces.paths, digests);
    if (!status && ((int64_t)digest != e->digest || world->clock.step != e->step))
        status = scr_fail(report, SCREE_E_INPUT, (scree_place){.file = path},
                          "is not the checkpoint that the index refers to");
    free(path);
    return status;
}

// on all ranks the same one
static scree_status checkpoint_read(const scr_archive *a, int k, scr_world *world, scree_report *report)
{
    scr_share *share = world->share;
    scree_status status = scr_share_agree(share, read_one(a, k, world, report));
    if (status) {
        scr_world_deinit(world);
        scr_world_init(world);
        world->share = share;
    }
    return status;
}

static bool is_older(const scr_archive *a, int k)
{
    char *path = scr_data_file(a->folder, a->checkpoints.items[k].file);
    bool older = path && scr_checkpoint_is_older(path);
    free(path);
    return older;
}

// the first error of `from` becomes a warning of `to`
static void pass_as_warning(const scree_report *from, scree_report *to)
{
    if (from->count > 0)
        scr_warn(to, (scree_place){.file = from->messages[0].file}, "%s; an earlier checkpoint is used",
                 from->messages[0].text);
}

scree_status scr_archive_world(const scr_archive *a, int64_t step, scr_world *world, scree_report *report)
{
    scree_place at = {.file = a->path};
    int last = a->checkpoints.count - 1;
    if (last < 0) return scr_fail(report, SCREE_E_INPUT, at, "has no checkpoint to continue from");
    for (int k = last; k >= 0; k--) {
        if (step >= 0 && a->checkpoints.items[k].step != step) continue;
        if (step >= 0 || k == 0) return checkpoint_read(a, k, world, report);
        scree_report attempt;
        scree_report_init(&attempt);
        scree_status status = checkpoint_read(a, k, world, &attempt);
        // the ones before are older still
        bool older = status && scr_share_any(world->share, is_older(a, k));
        if (status && !older) pass_as_warning(&attempt, report);
        scree_report_deinit(&attempt);
        if (!status) return SCREE_OK;
        if (older)
            return scr_fail(report, SCREE_E_INPUT, at,
                            "was written by an older version of Scree and cannot be continued by this one: run the "
                            "scene again (frames and series can still be read)");
    }
    return scr_fail(report, SCREE_E_INPUT, at, "has no checkpoint of step %lld", (long long)step);
}
