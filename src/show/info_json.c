/* What is in a results file, for a program: `scree info --json`. One object; what is not there is an empty list, what
 * is not a number null. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "observe/balance.h"
#include "show/info.h"

// a list: its opening, a comma between items
static const char *next(int k)
{
    return k ? ",\n    {" : "\n    {";
}

static void write_domain(FILE *out, const scr_archive *a)
{
    scr_domain d = scr_archive_domain(a);
    scr_json_key(out, ",\n  ", "domain");
    scr_json_key(out, "{", "lower");
    scr_json_numbers(out, (const double[]){d.lower.x, d.lower.y, d.lower.z}, 3);
    scr_json_key(out, ",", "upper");
    scr_json_numbers(out, (const double[]){d.upper.x, d.upper.y, d.upper.z}, 3);
    scr_json_key(out, ",", "periodic");
    for (int k = 0; k < 3; k++) fprintf(out, "%s%s", k ? "," : "[", d.periodic[k] ? "true" : "false");
    fputs("]}", out);
}

static void write_moment(FILE *out, scr_frame_info f)
{
    scr_json_key_number(out, "", "step", (double)f.step);
    scr_json_key_number(out, ",", "time", f.time);
    scr_json_key_number(out, ",", "grains", (double)f.bodies);
    scr_json_key_number(out, ",", "wall_seconds", f.spent.seconds);
    scr_json_key_number(out, ",", "cpu_seconds", f.spent.processor);
    fputc('}', out);
}

static void write_moments(FILE *out, const scr_archive *a)
{
    scr_json_key(out, ",\n  ", "frames");
    fputc('[', out);
    for (int k = 0; k < scr_archive_frame_count(a); k++) {
        fputs(next(k), out);
        write_moment(out, scr_archive_frame(a, k));
    }
    fputc(']', out);
    scr_json_key(out, ",\n  ", "checkpoints");
    fputc('[', out);
    for (int k = 0; k < scr_archive_checkpoint_count(a); k++) {
        fputs(next(k), out);
        write_moment(out, scr_archive_checkpoint(a, k));
    }
    fputc(']', out);
}

typedef const char *unit_of(const scr_archive *a, int frame, const char *view);

static void write_fields(FILE *out, const scr_archive *a, const char *key, const char *const *views, unit_of *unit)
{
    scr_json_key(out, ",\n  ", key);
    fputc('[', out);
    for (int k = 0; views && views[k]; k++) {
        scr_json_key_text(out, next(k), "name", views[k]);
        scr_json_key_text(out, ",", "unit", unit(a, scr_archive_frame_count(a) - 1, views[k]));
        fputc('}', out);
    }
    fputc(']', out);
}

static void write_names(FILE *out, const scr_archive *a)
{
    int materials, groups, solids;
    const scr_material *m = scr_archive_materials(a, &materials);
    const scr_group *g = scr_archive_groups(a, &groups);
    const scr_solid *s = scr_archive_solids(a, &solids);
    scr_json_key(out, ",\n  ", "materials");
    fputc('[', out);
    for (int k = 0; k < materials; k++) {
        scr_json_key_text(out, next(k), "name", m[k].name);
        scr_json_key_number(out, ",", "density", m[k].density);
        fputc('}', out);
    }
    scr_json_key(out, "],\n  ", "groups");
    fputc('[', out);
    for (int k = 0; k < groups; k++) {
        scr_json_key_text(out, next(k), "name", g[k].name);
        scr_json_key_text(out, ",", "material", m[g[k].material].name);
        fprintf(out, ",\"frozen\":%s}", g[k].frozen ? "true" : "false");
    }
    scr_json_key(out, "],\n  ", "solids");
    fputc('[', out);
    for (int k = 0; k < solids; k++) {
        scr_json_key_text(out, next(k), "name", s[k].name);
        scr_json_key_text(out, ",", "material", m[s[k].material].name);
        scr_json_key_number(out, ",", "cells", s[k].cell_count);
        fputc('}', out);
    }
    fputc(']', out);
}

static void write_walls(FILE *out, const scr_archive *a)
{
    int walls, materials;
    const scr_wall *w = scr_archive_walls(a, &walls);
    const scr_material *m = scr_archive_materials(a, &materials);
    scr_json_key(out, ",\n  ", "walls");
    fputc('[', out);
    for (int k = 0; k < walls; k++) {
        scr_json_key_text(out, next(k), "name", w[k].name);
        scr_json_key_text(out, ",", "shape", w[k].shape);
        scr_json_key_text(out, ",", "material", m[w[k].material].name);
        scr_json_key(out, ",", "force");
        scr_json_numbers(out, (const double[]){w[k].force.x, w[k].force.y, w[k].force.z}, 3);
        scr_json_key(out, ",", "shift");
        scr_json_numbers(out, (const double[]){w[k].pose.shift.x, w[k].pose.shift.y, w[k].pose.shift.z}, 3);
        fputc('}', out);
    }
    fputc(']', out);
}

// the columns of a series with their last row
static scree_status write_columns(FILE *out, const scr_archive *a, int k, const scr_series_info *s,
                                  scree_report *report)
{
    size_t wide = s->bins > 1 ? (size_t)s->bins : 1;
    double *values = malloc((s->count * wide + 1) * sizeof *values);
    if (!values) return scr_no_memory(report, "series");
    scree_status status = SCREE_OK;
    for (int c = 0; !status && c < s->column_count; c++) {
        scr_json_key_text(out, c ? ",\n      {" : "\n      {", "name", s->columns[c]);
        scr_json_key_text(out, ",", "unit", s->units[c]);
        scr_json_key(out, ",", "last");
        status = s->count ? scr_archive_series_read(a, k, c, values, report) : SCREE_OK;
        const double *last = values + (s->count ? s->count - 1 : 0) * (size_t)s->widths[c];
        if (status || !s->count)
            fputs("null", out);
        else if (s->widths[c] == 1)
            scr_json_number(out, *last);
        else
            scr_json_numbers(out, last, s->widths[c]);
        fputc('}', out);
    }
    free(values);
    return status;
}

static scree_status write_series(FILE *out, const scr_archive *a, scree_report *report)
{
    int count;
    const scr_series_info *s = scr_archive_series(a, &count);
    scree_status status = SCREE_OK;
    scr_json_key(out, ",\n  ", "series");
    fputc('[', out);
    for (int k = 0; !status && k < count; k++) {
        scr_json_key_text(out, next(k), "name", s[k].name);
        scr_json_key_text(out, ",", "type", s[k].kind);
        scr_json_key_number(out, ",", "rows", (double)s[k].count);
        scr_json_key(out, ",", "columns");
        fputc('[', out);
        status = write_columns(out, a, k, &s[k], report);
        fputs("]}", out);
    }
    fputc(']', out);
    return status;
}

static scree_status write_balance(FILE *out, const scr_archive *a, scree_report *report)
{
    scr_balance balance;
    scree_status status = scr_balance_of_archive(a, &balance, report);
    if (status) return status;
    scr_json_key(out, ",\n  ", "energy_balance");
    if (isnan(balance.turned)) return fputs("null", out), SCREE_OK;
    scr_json_key_number(out, "{", "error", balance.error);
    scr_json_key_number(out, ",", "exchanged", balance.turned);
    fprintf(out, ",\"fine\":%s}", scr_balance_is_fine(&balance) ? "true" : "false");
    return SCREE_OK;
}

static void write_sizes(FILE *out, const scr_archive *a)
{
    uint64_t index, frames, checkpoints;
    scr_archive_sizes(a, &index, &frames, &checkpoints);
    scr_json_key(out, ",\n  ", "bytes");
    scr_json_key_number(out, "{", "index", (double)index);
    scr_json_key_number(out, ",", "frames", (double)frames);
    scr_json_key_number(out, ",", "checkpoints", (double)checkpoints);
    fputs("}\n}\n", out);
}

static scree_status write_object(const scr_archive *a, const char *path, FILE *out, scree_report *report)
{
    int last = scr_archive_frame_count(a) - 1;
    scr_json_key_text(out, "{\n  ", "results", path);
    scr_json_key_text(out, ",\n  ", "version", scr_archive_version(a));
    scr_json_key_text(out, ",\n  ", "created", scr_archive_created(a));
    scr_json_key_text(out, ",\n  ", "device", scr_archive_device(a));
    scr_json_key_text(out, ",\n  ", "title", scr_archive_title(a));
    scr_json_key_text(out, ",\n  ", "scene", scr_archive_scene_path(a));
    write_domain(out, a);
    write_moments(out, a);
    write_fields(out, a, "fields", last < 0 ? NULL : scr_archive_views(a, last), scr_archive_unit);
    write_fields(out, a, "cell_fields", last < 0 ? NULL : scr_archive_cell_views(a, last), scr_archive_cell_unit);
    scr_json_key_number(
        out, ",\n  ", "contacts",
        last < 0 || scr_archive_contact_count(a, last) < 0 ? NAN : (double)scr_archive_contact_count(a, last));
    write_names(out, a);
    write_walls(out, a);
    scree_status status = write_series(out, a, report);
    if (!status) status = write_balance(out, a, report);
    if (!status) write_sizes(out, a);
    return status;
}

scree_status scr_info_json(const char *path, FILE *out, scree_report *report)
{
    scr_archive *a = scr_archive_open(path, report);
    if (!a) return SCREE_E_INPUT;
    // all or nothing: a text that ends in the middle is no JSON
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    scree_status status = memory ? write_object(a, path, memory, report) : scr_no_memory(report, "info");
    if (memory && fclose(memory) && !status) status = scr_no_memory(report, "info");
    if (!status) fwrite(text, 1, size, out);
    free(text);
    scr_archive_close(a);
    return status;
}
