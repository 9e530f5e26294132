#include "show/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "show/export_frame.h"

/* ---- frames ---- */

static bool view_is_integer(const char *name)
{
    scr_bodies bodies;
    const scr_view *view = scr_body_view(name);
    scr_bodies_init(&bodies);
    return view && scr_table_field(&bodies.table, view->field)->type != SCR_F64;
}

static scree_status view_read(const scr_archive *a, scr_export_frame *f, const char *name, scree_report *report)
{
    size_t bodies;
    if (f->view_count == SCR_EXPORT_VIEWS) return SCREE_OK;
    scr_export_view *v = &f->views[f->view_count];
    scree_status status = scr_archive_read(a, f->number, name, &v->data, &bodies, &v->width, report);
    if (status) return status;
    v->name = name;
    v->unit = scr_archive_unit(a, f->number, name);
    v->integer = view_is_integer(name);
    f->view_count++;
    return SCREE_OK;
}

// the columns of the contacts as views of a frame
static scree_status contacts_read(const scr_archive *a, scr_export_frame *f, scree_report *report)
{
    scree_status status = SCREE_OK;
    for (const scr_contact_column *c = scr_contact_columns; !status && c->name; c++) {
        scr_export_view *v = &f->views[f->view_count];
        status = scr_archive_contacts(a, f->number, c->name, &v->data, &f->bodies, &v->width, report);
        if (!status && v->width != c->width)
            status = scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "the contacts' %s has %d components, not %d", c->name,
                              v->width, c->width);
        v->name = c->name, v->unit = c->unit, v->integer = c->integer;
        f->view_count++;
    }
    return status;
}

scree_status scr_export_frame_read(const scr_archive *a, int number, bool contacts, scr_export_frame *f,
                                   scree_report *report)
{
    scr_frame_info info = scr_archive_frame(a, number);
    *f = (scr_export_frame){.number = number,
                            .step = info.step,
                            .time = info.time,
                            .bodies = (size_t)info.bodies,
                            .domain = scr_archive_frame_domain(a, number),
                            .contacts = contacts};
    f->materials = scr_archive_materials(a, &f->material_count);
    if (contacts) return contacts_read(a, f, report);
    // position first of all: it opens the frame, with a message when it cannot be
    double *probe;
    size_t bodies;
    int width;
    scree_status status = scr_archive_read(a, number, "position", &probe, &bodies, &width, report);
    free(probe);
    if (status) return status;
    if (width != 3) return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "positions have %d components, not 3", width);
    const char *const *names = scr_archive_views(a, number);
    for (const scr_view *v = scr_body_views; !status && v->name; v++)
        if (scr_name_is_among(names, v->name)) status = view_read(a, f, v->name, report);
    for (int k = 0; !status && names[k]; k++)
        if (!scr_body_view(names[k])) status = view_read(a, f, names[k], report);
    return status;
}

void scr_export_frame_deinit(scr_export_frame *f)
{
    for (int k = 0; k < f->view_count; k++) free(f->views[k].data);
    f->view_count = 0;
}

const scr_export_view *scr_export_frame_view(const scr_export_frame *f, const char *name)
{
    for (int k = 0; k < f->view_count; k++)
        if (!strcmp(f->views[k].name, name)) return &f->views[k];
    return NULL;
}

int64_t scr_export_integer(double value)
{
    return fabs(value) < 9e18 ? (int64_t)value : 0;
}

/* ---- the whole ---- */

typedef struct {
    const char *word, *ending;
    scr_export_writer *writer; // NULL: one file per frame
    const scr_output_kind *kind;
} format;

static const format formats[] = {
    [SCR_EXPORT_VTP] = {"vtp", ".pvd", NULL, NULL},
    [SCR_EXPORT_DUMP] = {"dump", ".dump", scr_export_dump, &scr_dump_kind},
    [SCR_EXPORT_XYZ] = {"xyz", ".xyz", scr_export_xyz, &scr_xyz_kind},
    [SCR_EXPORT_CSV] = {"csv", ".csv", scr_export_csv, &scr_csv_kind},
    [SCR_EXPORT_VTU] = {"vtu", ".pvd", NULL, NULL},
    [SCR_EXPORT_VTI] = {"vti", ".pvd", NULL, NULL},
    [SCR_EXPORT_VTKHDF] = {"vtkhdf", ".vtkhdf", NULL, NULL},
    [SCR_EXPORT_HDF] = {"hdf", ".hdf.series", NULL, NULL},
    [SCR_EXPORT_XDMF] = {"xdmf", ".xdmf", NULL, NULL},
};
#define FORMAT_COUNT ((int)(sizeof formats / sizeof *formats))

bool scr_export_format_find(const char *word, scr_export_format *found)
{
    if (!word) return *found = SCR_EXPORT_AUTO, true;
    for (int k = 0; k < FORMAT_COUNT; k++)
        if (!strcmp(formats[k].word, word)) return *found = (scr_export_format)k, true;
    return false;
}

static bool has_solids(const scr_archive *a)
{
    int count;
    scr_archive_solids(a, &count);
    return count > 0;
}

static scr_export_format choose(const scr_archive *a, const scr_export_def *def)
{
    if (def->format != SCR_EXPORT_AUTO) return def->format;
    if (def->series) return SCR_EXPORT_CSV;
    return def->rigid || (has_solids(a) && !def->contacts) ? SCR_EXPORT_VTU : SCR_EXPORT_VTP;
}

static bool cut_ending(char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);
    if (length <= end || strcmp(text + length - end, ending)) return false;
    text[length - end] = 0;
    return true;
}

// the output's path without its ending
static char *stem_of(const scr_export_def *def, const format *f)
{
    char *stem = strdup(def->output ? def->output : def->results);
    if (!stem) return NULL;
    if (!def->output) {
        // beside the results, under their name and what it is that is written
        const char *what = def->series ? def->series : def->contacts ? "contacts" : NULL;
        char *longer = NULL;
        cut_ending(stem, ".h5");
        if (what && asprintf(&longer, "%s-%s", stem, what) < 0) longer = NULL;
        if (!what) return stem;
        free(stem);
        return longer;
    }
    if (cut_ending(stem, f->ending) || f->writer) return stem;
    static const char *const others[] = {".vtp", ".vtu", ".vti", ".hdf"};
    for (size_t k = 0; k < sizeof others / sizeof *others && !cut_ending(stem, others[k]); k++) continue;
    return stem;
}

static int *numbers_chosen(const scr_archive *a, const scr_export_def *def, int *count, scree_report *report)
{
    int all = scr_archive_frame_count(a);
    int first = def->first < 0 ? def->first + all : def->first;
    int last = def->last < 0 ? def->last + all : def->last;
    *count = 0;
    if (first < 0 || last >= all || first > last || def->every < 1) {
        scr_fail(report, SCREE_E_INPUT, (scree_place){.file = def->results},
                 "has %d frames, counted from 0: frames %d to %d, every %d, cannot be exported", all, def->first,
                 def->last, def->every);
        return NULL;
    }
    int *numbers = malloc(((size_t)(last - first) / (size_t)def->every + 1) * sizeof *numbers);
    for (int64_t k = first; numbers && k <= last; k += def->every) numbers[(*count)++] = (int)k;
    if (!numbers) scr_no_memory(report, "an export");
    return numbers;
}

static scree_status write_text(const scr_archive *a, const char *path, const scr_export_def *def, const int *numbers,
                               int count, scree_report *report)
{
    scr_output file;
    const format *f = &formats[def->format];
    bool contacts = def->contacts;
    const scr_output_kind *kind = contacts ? &scr_contacts_kind : f->kind;
    scree_status status = scr_output_open(&file, path, kind, def->force, report);
    if (status) return status;
    for (int k = 0; !status && k < count; k++) {
        scr_export_frame frame;
        status = scr_export_frame_read(a, numbers[k], contacts, &frame, report);
        if (!status) f->writer(file.out, &frame, k == 0);
        scr_export_frame_deinit(&frame);
        if (ferror(file.out)) break;
    }
    return scr_output_close(&file, status, report);
}

static scree_status write_vtk(const scr_vtk_plan *plan, const scr_export_def *def, scree_report *report)
{
    switch (def->format) {
    case SCR_EXPORT_VTU: return scr_export_vtu(plan, report);
    case SCR_EXPORT_VTKHDF: return scr_export_vtkhdf(plan, report);
    case SCR_EXPORT_HDF: return scr_export_hdf(plan, report);
    case SCR_EXPORT_XDMF: return scr_export_xdmf(plan, def->results, report);
    default: return scr_export_vtp(plan, report);
    }
}

// *path is set even when writing fails
static scree_status write_chosen(const scr_archive *a, const scr_export_def *def, const int *numbers, int count,
                                 char **path, scree_report *report)
{
    const format *f = &formats[def->format];
    char *stem = stem_of(def, f);
    scree_status status;
    if (!stem || asprintf(path, "%s%s", stem, f->ending) < 0) {
        *path = NULL;
        status = scr_no_memory(report, "an export");
    } else if (f->writer) {
        status = write_text(a, *path, def, numbers, count, report);
    } else {
        scr_vtk_plan plan = {a, stem, numbers, count, def->contacts, def->rigid, def->force};
        status = write_vtk(&plan, def, report);
    }
    free(stem);
    return status;
}

// cells are not grains: without any, the files would be empty
static scree_status check_grains(const scr_archive *a, const scr_export_def *def, const int *numbers, int count,
                                 scree_report *report)
{
    if (def->format == SCR_EXPORT_VTU || def->contacts || !has_solids(a)) return SCREE_OK;
    for (int k = 0; k < count; k++)
        if (scr_archive_frame(a, numbers[k]).bodies) return SCREE_OK;
    return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = def->results},
                    "no grains in these results, so nothing for %s; cells of elastic solids go to "
                    "vtu",
                    formats[def->format].word);
}

static scree_status write_frames(const scr_archive *a, const scr_export_def *def, char **path, int *frames,
                                 scree_report *report)
{
    int *numbers = numbers_chosen(a, def, frames, report);
    scree_status status = numbers ? check_grains(a, def, numbers, *frames, report) : SCREE_E_INPUT;
    if (!status) status = write_chosen(a, def, numbers, *frames, path, report);
    free(numbers);
    return status;
}

static scree_status write_series(const scr_archive *a, const scr_export_def *def, char **path, int *count,
                                 scree_report *report)
{
    size_t rows = 0;
    const format *f = &formats[def->format];
    char *stem = stem_of(def, f);
    scree_status status;
    int series = scr_export_series_find(a, def->results, def->series, report);
    if (series < 0) {
        *path = NULL;
        status = SCREE_E_INPUT;
    } else if (!stem || asprintf(path, "%s%s", stem, f->ending) < 0) {
        *path = NULL;
        status = scr_no_memory(report, "an export");
    } else if (def->format == SCR_EXPORT_VTI) {
        status = scr_export_vti(a, series, def, stem, &rows, report);
    } else {
        status = scr_export_series(a, series, def, *path, &rows, report);
    }
    *count = (int)rows;
    free(stem);
    return status;
}

static scree_status check_def(const scr_export_def *def, scree_report *report)
{
    if (def->contacts && def->format != SCR_EXPORT_VTP && def->format != SCR_EXPORT_CSV)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "contacts can be exported as vtp or csv, not as %s",
                        formats[def->format].word);
    if (def->series && (def->contacts || (def->format != SCR_EXPORT_CSV && def->format != SCR_EXPORT_VTI)))
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "a series can be exported as csv or vti, without contacts");
    if (def->format == SCR_EXPORT_VTI && !def->series)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "vti is for a series on a grid: name it with --series");
    if (def->rigid && def->format != SCR_EXPORT_VTU)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "rigid cells can be exported as vtu, not as %s",
                        formats[def->format].word);
    return SCREE_OK;
}

scree_status scr_export_write(const scr_export_def *def, char **written, int *frames, scree_report *report)
{
    if (written) *written = NULL;
    scr_archive *a = scr_archive_open(def->results, report);
    if (!a) return SCREE_E_INPUT;
    scr_export_def own = *def;
    own.format = choose(a, def);
    char *path = NULL;
    int count = 0;
    scree_status status = check_def(&own, report);
    if (!status)
        status =
            own.series ? write_series(a, &own, &path, &count, report) : write_frames(a, &own, &path, &count, report);
    if (frames) *frames = status ? 0 : count;
    if (!status && written)
        *written = path;
    else
        free(path);
    scr_archive_close(a);
    return status;
}
