/* Results for programs: the archive behind public names (scree/results.h). */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "observe/results.h"
#include "scree/scree.h"

#define OF_CELLS    "cells."
#define OF_CONTACTS "contacts."

struct scree_results {
    scr_archive *archive;
    /* names of the views of one frame, with their prefixes; -1: of none */
    int frame;
    char **names; /* a buffer */
    int name_count;
};

scree_status scree_results_open(const char *path, scree_results **results, scree_report *report)
{
    *results = calloc(1, sizeof **results);
    if (!*results) return scr_no_memory(report, "results");
    (*results)->frame = -1;
    (*results)->archive = scr_archive_open(path, report);
    if ((*results)->archive) return SCREE_OK;
    free(*results);
    *results = NULL;
    return report->count ? report->messages[report->count - 1].status : SCREE_E_INPUT;
}

static void forget_names(scree_results *r)
{
    for (int k = 0; k < r->name_count; k++) free(r->names[k]);
    r->name_count = 0, r->frame = -1;
}

void scree_results_close(scree_results *r)
{
    if (!r) return;
    forget_names(r);
    scr_buffer_free(r->names);
    scr_archive_close(r->archive);
    free(r);
}

scree_results_facts scree_results_describe(const scree_results *r)
{
    const scr_archive *a = r->archive;
    scree_results_facts f = {.scene = scr_archive_scene_text(a),
                             .scene_path = scr_archive_scene_path(a),
                             .title = scr_archive_title(a),
                             .said = scr_archive_words(a),
                             .version = scr_archive_version(a),
                             .created = scr_archive_created(a),
                             .live = scr_archive_is_live(a),
                             .frames = scr_archive_frame_count(a)};
    scr_archive_series(a, &f.series);
    scr_archive_walls(a, &f.walls);
    scr_archive_groups(a, &f.groups);
    scr_archive_materials(a, &f.materials);
    return f;
}

const char *scree_results_wall(const scree_results *r, int wall)
{
    int count;
    const scr_wall *walls = scr_archive_walls(r->archive, &count);
    return wall >= 0 && wall < count ? walls[wall].name : NULL;
}

const char *scree_results_group(const scree_results *r, int group)
{
    int count;
    const scr_group *groups = scr_archive_groups(r->archive, &count);
    return group >= 0 && group < count ? groups[group].name : NULL;
}

const char *scree_results_material(const scree_results *r, int material)
{
    int count;
    const scr_material *materials = scr_archive_materials(r->archive, &count);
    return material >= 0 && material < count ? materials[material].name : NULL;
}

/* ---- frames ---- */

scree_frame scree_results_frame(const scree_results *r, int frame)
{
    scr_frame_info info = scr_archive_frame(r->archive, frame);
    return (scree_frame){info.step, info.bodies, info.time};
}

static bool add_name(scree_results *r, const char *prefix, const char *name)
{
    char *text;
    if (asprintf(&text, "%s%s", prefix, name) < 0) return false;
    if (scr_push(r->names, r->name_count, text)) return true;
    free(text);
    return false;
}

// what a frame holds; where memory is exhausted, what there is room for
static void list_names(scree_results *r, int frame)
{
    forget_names(r);
    const char *const *names = scr_archive_views(r->archive, frame);
    for (; names && *names; names++)
        if (!add_name(r, "", *names)) return;
    for (names = scr_archive_cell_views(r->archive, frame); names && *names; names++)
        if (!add_name(r, OF_CELLS, *names)) return;
    bool contacts = scr_archive_contact_count(r->archive, frame) >= 0;
    for (const scr_contact_column *c = scr_contact_columns; contacts && c->name; c++)
        if (!add_name(r, OF_CONTACTS, c->name)) return;
    r->frame = frame;
}

const char *scree_results_view_name(const scree_results *results, int frame, int number)
{
    scree_results *r = (scree_results *)results; // remembers what it listed
    if (r->frame != frame) list_names(r, frame);
    return number >= 0 && number < r->name_count ? r->names[number] : NULL;
}

// the name behind a prefix, or NULL
static const char *after(const char *view, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(view, prefix, length) ? NULL : view + length;
}

const char *scree_results_unit(const scree_results *r, int frame, const char *view)
{
    const char *of_cells = after(view, OF_CELLS), *of_contacts = after(view, OF_CONTACTS);
    if (of_cells) return scr_archive_cell_unit(r->archive, frame, of_cells);
    if (!of_contacts) return scr_archive_unit(r->archive, frame, view);
    for (const scr_contact_column *c = scr_contact_columns; c->name; c++)
        if (!strcmp(c->name, of_contacts)) return c->unit;
    return "";
}

scree_status scree_results_read(const scree_results *r, int frame, const char *view, double **data, int64_t *rows,
                                int *width, scree_report *report)
{
    const char *of_cells = after(view, OF_CELLS), *of_contacts = after(view, OF_CONTACTS);
    size_t count = 0;
    int frames = scr_archive_frame_count(r->archive);
    *data = NULL, *rows = 0, *width = 0;
    if (frame < 0 || frame >= frames)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no frame %d, only 0 to %d", frame, frames - 1);
    scree_status status;
    if (of_contacts) {
        status = scr_archive_contacts(r->archive, frame, of_contacts, data, &count, width, report);
    } else if (of_cells) {
        status = scr_archive_cells(r->archive, frame, of_cells, data, width, report);
        count = scr_archive_mesh(r->archive, NULL)->cell_count;
    } else {
        status = scr_archive_read(r->archive, frame, view, data, &count, width, report);
    }
    *rows = (int64_t)count;
    return status;
}

/* ---- series ---- */

scree_series scree_results_series(const scree_results *r, int number)
{
    int count;
    const scr_series_info *s = scr_archive_series(r->archive, &count);
    if (number < 0 || number >= count) return (scree_series){0};
    s += number;
    return (scree_series){.name = s->name,
                          .type = s->kind,
                          .columns = (const char *const *)s->columns,
                          .units = (const char *const *)s->units,
                          .widths = s->widths,
                          .column_count = s->column_count,
                          .rows = (int64_t)s->count,
                          .bins = s->bins,
                          .bin_width = s->bin_width,
                          .bin_name = s->bin_name,
                          .bin_unit = s->bin_unit,
                          .bin_values = s->bin_values};
}

scree_status scree_results_series_read(const scree_results *r, int number, int column, double **data,
                                       scree_report *report)
{
    scree_series s = scree_results_series(r, number);
    *data = NULL;
    if (column < 0 || column >= s.column_count)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no column %d of series %d", column, number);
    *data = malloc(((size_t)s.rows * (size_t)s.widths[column] + 1) * sizeof **data);
    if (!*data) return scr_no_memory(report, "a series");
    return scr_archive_series_read(r->archive, number, column, *data, report);
}
