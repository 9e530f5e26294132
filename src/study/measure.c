#include "study/measure.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observe/observer.h"

#define DEPTH 16 /* definitions within definitions */

/* A list that was asked for, kept until the scope ends. */
typedef struct kept {
    struct kept *next;
    char *name; /* with the argument of a view */
    scr_operand value;
    double *rows, *times; /* owned */
} kept;

struct scr_scope {
    const scr_scene *scene;
    const scr_archive *archive;
    const scr_definition *definitions;
    kept *list;
    int depth;
    double now; /* time of the frame that `each` is at; NAN: none */
};

scr_scope *scr_scope_create(const scr_scene *scene, const scr_archive *archive, const scr_definition *definitions)
{
    scr_scope *scope = calloc(1, sizeof *scope);
    if (scope) *scope = (scr_scope){scene, archive, definitions, NULL, 0, NAN};
    return scope;
}

void scr_scope_destroy(scr_scope *scope)
{
    if (!scope) return;
    for (kept *k = scope->list, *next; k; k = next) {
        next = k->next;
        free(k->name);
        free(k->rows);
        free(k->times);
        free(k);
    }
    free(scope);
}

// keeps the lists under that name, or frees them
static bool keep(scr_scope *s, const char *name, scr_operand value, double *rows, double *times)
{
    kept *k = calloc(1, sizeof *k);
    char *copy = strdup(name);
    if (!k || !copy) {
        free(k), free(copy), free(rows), free(times);
        return false;
    }
    value.rows = rows, value.times = times;
    *k = (kept){s->list, copy, value, rows, times};
    s->list = k;
    return true;
}

static bool no_memory(const char *name, char *why, size_t size)
{
    snprintf(why, size, "no memory for '%s'", name);
    return false;
}

static bool find_kept(const scr_scope *s, const char *name, scr_operand *found)
{
    for (const kept *k = s->list; k; k = k->next)
        if (!strcmp(k->name, name)) return *found = k->value, true;
    return false;
}

/* ---- definitions ---- */

static bool find_definition(scr_scope *s, const char *name, scr_operand *found, char *why, size_t size)
{
    const scr_definition *d = s->definitions;
    while (d && d->name && strcmp(d->name, name)) d++;
    if (!d || !d->name) return false;
    if (s->depth >= DEPTH) {
        snprintf(why, size, "'%s' is defined by itself, or over more than %d others", name, DEPTH);
        return false;
    }
    scr_names names = scr_scope_names(s);
    scr_operand value;
    double *rows, *times;
    char inner[SCR_EXPRESSION_WHY];
    s->depth++;
    bool good = scr_expression_value(d->text, &names, &value, &rows, &times, inner, sizeof inner);
    s->depth--;
    if (!good) {
        snprintf(why, size, "in '%.60s': %.160s", name, inner);
        return false;
    }
    if (keep(s, name, value, rows, times)) return find_kept(s, name, found);
    return no_memory(name, why, size);
}

/* ---- columns of observers ---- */

static bool split(const char *name, char *head, size_t size, const char **tail)
{
    const char *dot = strchr(name, '.');
    if (!dot || (size_t)(dot - name) >= size) return false;
    memcpy(head, name, (size_t)(dot - name));
    head[dot - name] = 0;
    *tail = dot + 1;
    return true;
}

static void list_series(const scr_series_info *all, int count, char *why, size_t size)
{
    size_t used = strlen(why);
    for (int k = 0; k < count && used < size; k++)
        used += (size_t)snprintf(why + used, size - used, "%s%s", k ? ", " : "", all[k].name);
}

// a column over time; a binned one over its bins, in the row nearest to `time`
static bool read_column(scr_scope *s, const char *name, int series, int column, const double *time, scr_operand *found,
                        char *why, size_t size)
{
    int count;
    const scr_series_info *info = &scr_archive_series(s->archive, &count)[series];
    size_t width = (size_t)info->widths[column], row = 0;
    double *rows = malloc((info->count * width + 1) * sizeof *rows);
    double *times = malloc((info->count + 1) * sizeof *times);
    scree_report report;
    scree_report_init(&report);
    bool good = rows && times && info->count > 0 &&
                !scr_archive_series_read(s->archive, series, column, rows, &report) &&
                !scr_archive_series_read(s->archive, series, 0, times, &report);
    scree_report_deinit(&report);
    if (!good) {
        free(rows), free(times);
        snprintf(why, size, "the series '%s' cannot be read, or is empty", info->name);
        return false;
    }
    scr_operand value = {.list = true, .count = info->count};
    if (time) {
        for (size_t k = 0; k < info->count; k++)
            if (fabs(times[k] - *time) <= fabs(times[row] - *time)) row = k;
        memmove(rows, rows + row * width, width * sizeof *rows);
        free(times);
        times = NULL;
        value.count = width;
    }
    return keep(s, name, value, rows, times) && find_kept(s, name, found);
}

// where the bins of a series are
static bool read_bins(scr_scope *s, const char *name, const scr_series_info *info, scr_operand *found)
{
    double *rows = malloc(((size_t)info->bins + 1) * sizeof *rows);
    for (int k = 0; rows && k < info->bins; k++) rows[k] = info->bin_values[(size_t)k * (size_t)info->bin_width];
    scr_operand value = {.list = true, .count = (size_t)info->bins};
    return rows && keep(s, name, value, rows, NULL) && find_kept(s, name, found);
}

static bool find_column(scr_scope *s, const char *name, const char *head, const char *tail, const double *time,
                        scr_operand *found, char *why, size_t size)
{
    int count;
    const scr_series_info *all = scr_archive_series(s->archive, &count);
    for (int k = 0; k < count; k++) {
        if (strcmp(all[k].name, head)) continue;
        if (all[k].bins && !strcmp(all[k].bin_name, tail)) return read_bins(s, name, &all[k], found);
        for (int c = 0; c < all[k].column_count; c++) {
            if (strcmp(all[k].columns[c], tail)) continue;
            if ((all[k].widths[c] > 1) == (time != NULL)) return read_column(s, name, k, c, time, found, why, size);
            snprintf(why, size,
                     time ? "'%s.%s' is a time series: at(%s.%s, time) is its value at a time"
                          : "'%s.%s' has a number for each bin: %s.%s(time) is one profile",
                     head, tail, head, tail);
            return false;
        }
        snprintf(why, size, "the observer '%s' has no column '%s'; `scree info` lists them", head, tail);
        return false;
    }
    snprintf(why, size, "there is no observer '%s'; there are ", head);
    list_series(all, count, why, size);
    return false;
}

// without results: whether there will be such a column
static bool foresee_column(const scr_scope *s, const char *head, const char *tail, scr_operand *found, char *why,
                           size_t size)
{
    static const double nothing[2] = {NAN, NAN}, times[2] = {0, 1};
    const scr_item *item = scr_scene_find(s->scene, "observers", head);
    const char *kind = item && item->variant ? item->variant->name : head;
    // these two run without being asked for
    if (!item && strcmp(head, "ledger") && strcmp(head, "solver")) {
        const scr_items *all = scr_scene_items(s->scene, "observers");
        scr_nearest nearest = {.wanted = head};
        for (int k = 0; k < all->count; k++) scr_nearest_offer(&nearest, all->items[k].name);
        snprintf(why, size, "the scene has no observer '%s'%s%s%s", head, nearest.found ? ", did you mean '" : "",
                 nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
        return false;
    }
    const scr_observer *observer = scr_observer_find(kind);
    *found = (scr_operand){.list = true, .rows = nothing, .times = times, .count = 2};
    if (observer && scr_observer_may_have(observer, s->scene, tail)) return true;
    snprintf(why, size, "the observer '%s' (%s) has no column '%s'", head, kind, tail);
    return false;
}

/* ---- frames ---- */

static int nearest_frame(const scr_archive *archive, double time)
{
    int best = -1, count = scr_archive_frame_count(archive);
    double distance = INFINITY;
    for (int k = 0; k < count; k++) {
        double d = fabs(scr_archive_frame(archive, k).time - time);
        if (d <= distance) best = k, distance = d;
    }
    return best;
}

// what a list of one moment is kept under
static void time_key(const char *head, const char *tail, double time, char *key, size_t size)
{
    snprintf(key, size, "%.60s.%.60s(%.17g)", head, tail, time);
}

// which number of a row a word means: of a vector, a quaternion or a tensor
static int axis_of(const char *text, int width)
{
    static const char *const quaternion[] = {"w", "x", "y", "z"};
    static const char *const tensor[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    const char *const *words = width == 6 ? tensor : quaternion + (width < 4);
    if (width == 1) return *text ? -1 : 0;
    for (int k = 0; k < width && k < 6; k++)
        if (!strcmp(words[k], text)) return k;
    return -1;
}

/* Views of grains and cells and columns of contacts are read alike. */
typedef scree_status (*frame_reader)(const scr_archive *archive, int frame, const char *view, double **data,
                                     size_t *rows, int *width, scree_report *report);

// one column of a view in a frame; malloc'ed
static double *view_column(const scr_archive *archive, frame_reader read, int frame, const char *view, const char *word,
                           size_t *bodies)
{
    double *data = NULL, *column = NULL;
    int width = 0, axis = -1;
    scree_report report;
    scree_report_init(&report);
    if (!read(archive, frame, view, &data, bodies, &width, &report)) axis = axis_of(word, width);
    if (axis >= 0) column = malloc((*bodies + 1) * sizeof *column);
    for (size_t k = 0; column && k < *bodies; k++) column[k] = data[k * (size_t)width + (size_t)axis];
    scree_report_deinit(&report);
    free(data);
    return column;
}

// the position as if nothing were periodic
static double *path_column(const scr_archive *archive, int frame, const char *word, size_t *bodies)
{
    int axis = axis_of(word, 3);
    if (axis < 0) return NULL;
    double *place = view_column(archive, scr_archive_read, frame, "position", word, bodies);
    double *image = view_column(archive, scr_archive_read, frame, "image", word, bodies);
    scr_domain domain = scr_archive_domain(archive);
    vec3 size = v3_sub(domain.upper, domain.lower);
    double length = axis == 0 ? size.x : axis == 1 ? size.y : size.z;
    for (size_t k = 0; place && image && k < *bodies; k++) place[k] += image[k] * length;
    if (!image) free(place), place = NULL;
    free(image);
    return place;
}

static scree_status read_cells(const scr_archive *archive, int frame, const char *view, double **data, size_t *rows,
                               int *width, scree_report *report)
{
    *rows = scr_archive_mesh(archive, NULL)->cell_count;
    return scr_archive_cells(archive, frame, view, data, width, report);
}

// what frames have lists of, and how they are read
static frame_reader reader_of(const char *head)
{
    if (!strcmp(head, "grains")) return scr_archive_read;
    if (!strcmp(head, "cells")) return read_cells;
    if (!strcmp(head, "contacts")) return scr_archive_contacts;
    return NULL;
}

// words that are not free for observers
static const char *taken(const scr_scope *s, const char *head)
{
    return s->scene && scr_scene_find(s->scene, "observers", head)
               ? "; the observer of this name cannot be named in measures, since the word denotes the contents of "
                 "frames: give it another name"
               : "";
}

static bool find_view(scr_scope *s, const char *head, const char *name, double time, scr_operand *found, char *why,
                      size_t size)
{
    char view[64];
    const char *axis = "";
    if (!split(name, view, sizeof view, &axis)) snprintf(view, sizeof view, "%s", name);
    int frame = nearest_frame(s->archive, time);
    scr_operand value = {.list = true};
    double *rows = NULL;
    if (frame >= 0 && !strcmp(head, "grains") && !strcmp(view, "path"))
        rows = path_column(s->archive, frame, axis, &value.count);
    else if (frame >= 0)
        rows = view_column(s->archive, reader_of(head), frame, view, axis, &value.count);
    if (!rows) {
        snprintf(why, size, "frames contain no '%s.%s(...)': see `output` of the scene%s", head, name, taken(s, head));
        return false;
    }
    char key[200];
    time_key(head, name, time, key, sizeof key);
    return keep(s, key, value, rows, NULL) && find_kept(s, key, found);
}

// what the index says of each frame
static bool find_frames(scr_scope *s, const char *name, const char *tail, scr_operand *found, char *why, size_t size)
{
    static const char *const words[] = {"time", "step", "bodies", "seconds", "processor", NULL};
    int word = 0, count = s->archive ? scr_archive_frame_count(s->archive) : 2;
    while (words[word] && strcmp(words[word], tail)) word++;
    if (!words[word]) {
        snprintf(why, size, "frames have no '%s'; there are time, step, bodies, seconds, processor%s", tail,
                 taken(s, "frames"));
        return false;
    }
    double *rows = malloc(((size_t)count + 1) * sizeof *rows);
    double *times = malloc(((size_t)count + 1) * sizeof *times);
    for (int k = 0; rows && times && k < count; k++) {
        scr_frame_info f = {.time = k};
        if (s->archive) f = scr_archive_frame(s->archive, k);
        const double values[] = {f.time, (double)f.step, (double)f.bodies, f.spent.seconds, f.spent.processor};
        rows[k] = values[word], times[k] = f.time;
    }
    if (!rows || !times) {
        free(rows), free(times);
        return no_memory(name, why, size);
    }
    scr_operand value = {.list = true, .count = (size_t)count};
    return keep(s, name, value, rows, times) && find_kept(s, name, found);
}

// a definition for each frame in turn, in which `now` is the frame's time
static bool find_each(scr_scope *s, const char *name, const char *tail, scr_operand *found, char *why, size_t size)
{
    const scr_definition *d = s->definitions;
    while (d && d->name && strcmp(d->name, tail)) d++;
    const char *text = d && d->name ? d->text : !strcmp(tail, "now") ? "now" : NULL;
    int count = s->archive ? scr_archive_frame_count(s->archive) : 2;
    if (!text) {
        snprintf(why, size, "'%s': there is no definition '%s'", name, tail);
        return false;
    }
    double *rows = malloc(((size_t)count + 1) * sizeof *rows);
    double *times = malloc(((size_t)count + 1) * sizeof *times);
    bool good = rows && times;
    if (!good) no_memory(name, why, size);
    for (int k = 0; good && k < count; k++) {
        times[k] = s->archive ? scr_archive_frame(s->archive, k).time : k;
        // nothing that depends on another moment may be found again
        scr_scope *moment = scr_scope_create(s->scene, s->archive, s->definitions);
        char inner[SCR_EXPRESSION_WHY] = "no memory";
        if (moment) moment->now = times[k], moment->depth = s->depth + 1;
        scr_names names = scr_scope_names(moment);
        good = moment && moment->depth < DEPTH && scr_expression_number(text, &names, &rows[k], inner, sizeof inner);
        if (!good) snprintf(why, size, "in '%.60s': %.160s", name, inner);
        scr_scope_destroy(moment);
    }
    if (!good) {
        free(rows), free(times);
        return false;
    }
    scr_operand value = {.list = true, .count = (size_t)count};
    return keep(s, name, value, rows, times) && find_kept(s, name, found);
}

/* ---- all names ---- */

// HEAD.TAIL(time): frames, and profiles of observers
static bool find_moment(scr_scope *s, const char *name, double time, scr_operand *found, char *why, size_t size)
{
    static const double nothing[2] = {NAN, NAN};
    char head[64], key[200];
    const char *tail;
    if (!split(name, head, sizeof head, &tail)) return false;
    time_key(head, tail, time, key, sizeof key);
    if (find_kept(s, key, found)) return true;
    if (!s->archive) {
        *found = (scr_operand){.list = true, .rows = nothing, .count = 2};
        if (reader_of(head)) return true;
        bool good = foresee_column(s, head, tail, found, why, size);
        found->times = NULL;
        return good;
    }
    if (reader_of(head)) return find_view(s, head, tail, time, found, why, size);
    return find_column(s, key, head, tail, &time, found, why, size);
}

static bool find(void *context, const char *name, const double *argument, scr_operand *found, char *why, size_t size)
{
    scr_scope *s = context;
    char head[64];
    const char *tail;
    *found = (scr_operand){0};
    *why = 0;
    if (argument) return find_moment(s, name, *argument, found, why, size);
    if (find_kept(s, name, found)) return true;
    if (find_definition(s, name, found, why, size)) return true;
    if (*why) return false;
    if (s->scene && scr_scene_value(s->scene, name, &found->number)) return true;
    if (!isnan(s->now) && !strcmp(name, "now")) return found->number = s->now, true;
    if (!split(name, head, sizeof head, &tail)) return false;
    if (!strcmp(head, "each")) return find_each(s, name, tail, found, why, size);
    if (!strcmp(head, "frames")) return find_frames(s, name, tail, found, why, size);
    if (reader_of(head)) {
        snprintf(why, size, "'%s' needs a time in brackets%s", name, taken(s, head));
        return false;
    }
    return s->archive ? find_column(s, name, head, tail, NULL, found, why, size)
                      : foresee_column(s, head, tail, found, why, size);
}

scr_names scr_scope_names(scr_scope *scope)
{
    return (scr_names){.find = find, .context = scope};
}

bool scr_measure_expand(const char *text, char *expression, size_t size)
{
    const char *colon = strchr(text, ':');
    bool short_form = colon && colon > text && isalpha((unsigned char)colon[1]);
    for (const char *p = text; short_form && p < colon; p++)
        short_form = isalnum((unsigned char)*p) || *p == '_' || *p == '.';
    for (const char *p = colon ? colon + 1 : ""; short_form && *p; p++) short_form = isalnum((unsigned char)*p);
    int length = short_form ? snprintf(expression, size, "%s(%.*s)", colon + 1, (int)(colon - text), text)
                            : snprintf(expression, size, "%s", text);
    return (size_t)length < size;
}
