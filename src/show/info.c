#include "show/info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "observe/balance.h"

static void print_head(FILE *out, const char *label)
{
    fprintf(out, "  %-12s", label);
}

static void print_scene(FILE *out, const scr_archive *a)
{
    if (*scr_archive_title(a)) {
        print_head(out, "title");
        fputs(scr_archive_title(a), out);
        fputc('\n', out);
    }
    print_head(out, "scene");
    fputs(scr_archive_scene_path(a), out);
    fprintf(out, " (%zu bytes, stored with the results)\n", strlen(scr_archive_scene_text(a)));
    scr_domain d = scr_archive_domain(a);
    print_head(out, "domain");
    fprintf(out, "[%g, %g, %g] to [%g, %g, %g] m", d.lower.x, d.lower.y, d.lower.z, d.upper.x, d.upper.y, d.upper.z);
    if (d.periodic[0] || d.periodic[1] || d.periodic[2])
        fprintf(out, ", periodic in%s%s%s", d.periodic[0] ? " x" : "", d.periodic[1] ? " y" : "",
                d.periodic[2] ? " z" : "");
    fputc('\n', out);
}

static void print_frames(FILE *out, const scr_archive *a)
{
    int count = scr_archive_frame_count(a);
    print_head(out, "frames");
    if (count == 0) {
        fprintf(out, "none\n");
        return;
    }
    scr_frame_info first = scr_archive_frame(a, 0), last = scr_archive_frame(a, count - 1);
    fprintf(out, "%d, from %g s to %g s, steps %lld to %lld\n", count, first.time, last.time, (long long)first.step,
            (long long)last.step);
    print_head(out, "grains");
    fprintf(out, "%lld in the first frame, %lld in the last\n", (long long)first.bodies, (long long)last.bodies);
    if (last.spent.seconds > 0) {
        print_head(out, "steps took");
        fprintf(out, "wall time %.3g s, CPU time %.3g s\n", last.spent.seconds, last.spent.processor);
    }
    print_head(out, "device");
    fprintf(out, "%s\n", scr_archive_device(a));
    scr_ranks_balance balance = scr_archive_balance(a);
    if (balance.ranks > 1) {
        print_head(out, "ranks");
        fprintf(out, "%lld; load imbalance (max over mean pairs) %.3g, worst %.3g, of grains and contacts %.3g\n",
                (long long)balance.ranks, balance.pairs, balance.worst, balance.cost);
    }
    int64_t contacts = scr_archive_contact_count(a, count - 1);
    if (contacts >= 0) {
        print_head(out, "contacts");
        fprintf(out, "%lld with their forces in the last frame\n", (long long)contacts);
    }
    print_head(out, "fields");
    const char *const *views = scr_archive_views(a, count - 1);
    for (int k = 0; views[k]; k++) {
        const char *unit = scr_archive_unit(a, count - 1, views[k]);
        fprintf(out, "%s", k ? ", " : "");
        fputs(views[k], out);
        if (*unit) fprintf(out, " [%s]", unit);
    }
    fprintf(out, "%s\n", views[0] ? "" : "the last frame cannot be read");
}

// how many different numbers there are; -1: the frame does not say
static int64_t fragment_count(const scr_archive *a, int frame)
{
    double *data = NULL;
    int width;
    scree_report unheard;
    scree_report_init(&unheard);
    size_t cells = scr_archive_mesh(a, NULL)->cell_count;
    scree_status status = scr_archive_cells(a, frame, "fragment", &data, &width, &unheard);
    scree_report_deinit(&unheard);
    if (status) return -1;
    qsort(data, cells, sizeof *data, scr_by_f64);
    int64_t kinds = 0;
    for (size_t k = 0; k < cells; k++) kinds += !k || data[k] != data[k - 1];
    free(data);
    return kinds;
}

static void print_broken(FILE *out, const scr_archive *a, int frame)
{
    static const char *const words[] = {"", "tension", "shear", "energy"};
    int32_t *faces, *fates;
    size_t count;
    scree_report unheard;
    scree_report_init(&unheard);
    scree_status status = scr_archive_broken(a, frame, &faces, &fates, &count, &unheard);
    scree_report_deinit(&unheard);
    if (status) return;
    fprintf(out, ", %zu broken in the last frame", count);
    for (int fate = SCR_LINK_TENSION; fate <= SCR_LINK_ENERGY; fate++) {
        size_t n = 0;
        for (size_t k = 0; k < count; k++) n += fates[k] == fate;
        if (n) fprintf(out, ", %zu by %s", n, words[fate]);
    }
    free(faces), free(fates);
}

static void print_solids(FILE *out, const scr_archive *a)
{
    int solids, materials, frames = scr_archive_frame_count(a);
    const scr_solid *s = scr_archive_solids(a, &solids);
    const scr_material *m = scr_archive_materials(a, &materials);
    const scr_polyhedra *mesh = scr_archive_mesh(a, NULL);
    if (!solids) return;
    for (int k = 0; k < solids; k++) {
        print_head(out, k ? "" : "solids");
        fputs(s[k].name, out);
        fprintf(out, ": %d cells of ", s[k].cell_count);
        fputs(m[s[k].material].name, out);
        if (s[k].thickness > 0) fprintf(out, ", a shell %g m thick", s[k].thickness);
        fputc('\n', out);
    }
    size_t links = 0;
    for (size_t f = 0; f < mesh->face_count; f++) links += mesh->cells[2 * f + 1] != SCR_NO_CELL;
    print_head(out, "cells");
    fprintf(out, "%zu, %zu links", mesh->cell_count, links);
    if (frames > 0) {
        int64_t fragments = fragment_count(a, frames - 1);
        print_broken(out, a, frames - 1);
        if (fragments >= 0) fprintf(out, ", %lld fragment%s", (long long)fragments, fragments == 1 ? "" : "s");
    }
    fputc('\n', out);
    if (frames == 0) return;
    print_head(out, "cell fields");
    const char *const *views = scr_archive_cell_views(a, frames - 1);
    for (int k = 0; views[k]; k++) {
        const char *unit = scr_archive_cell_unit(a, frames - 1, views[k]);
        fprintf(out, "%s", k ? ", " : "");
        fputs(views[k], out);
        if (*unit) fprintf(out, " [%s]", unit);
    }
    fputc('\n', out);
}

static void print_checkpoints(FILE *out, const scr_archive *a)
{
    int count = scr_archive_checkpoint_count(a);
    print_head(out, "checkpoints");
    for (int k = 0; k < count; k++) {
        scr_frame_info c = scr_archive_checkpoint(a, k);
        fprintf(out, "%sstep %lld (%g s)", k ? ", " : "", (long long)c.step, c.time);
    }
    fprintf(out, "%s\n", count ? "" : "none");
}

static void print_names(FILE *out, const scr_archive *a)
{
    int materials, groups;
    const scr_material *m = scr_archive_materials(a, &materials);
    const scr_group *g = scr_archive_groups(a, &groups);
    print_head(out, "materials");
    for (int k = 0; k < materials; k++) {
        fprintf(out, "%s", k ? ", " : "");
        fputs(m[k].name, out);
        fprintf(out, " (%g kg/m^3)", m[k].density);
    }
    fputc('\n', out);
    print_head(out, "groups");
    for (int k = 0; k < groups; k++) {
        fprintf(out, "%s", k ? ", " : "");
        fputs(g[k].name, out);
        fprintf(out, " of ");
        fputs(m[g[k].material].name, out);
        if (g[k].frozen) fprintf(out, ", frozen");
    }
    fputc('\n', out);
}

static void print_walls(FILE *out, const scr_archive *a)
{
    int walls, materials;
    const scr_wall *w = scr_archive_walls(a, &walls);
    const scr_material *m = scr_archive_materials(a, &materials);
    for (int k = 0; k < walls; k++) {
        print_head(out, k ? "" : "walls");
        fputs(w[k].name, out);
        fprintf(out, ": ");
        fputs(w[k].shape, out);
        fprintf(out, " of ");
        fputs(m[w[k].material].name, out);
        fprintf(out, ", force on it (%.6g, %.6g, %.6g) N", w[k].force.x, w[k].force.y, w[k].force.z);
        const vec3 moved = v3_sub(scr_wall_reference(&w[k]), w[k].reference);
        if (v3_norm(moved) > 0) fprintf(out, ", moved by (%g, %g, %g) m", moved.x, moved.y, moved.z);
        fputc('\n', out);
    }
}

// the last row of a column: its number, or the range of its bins
static void print_column(FILE *out, const scr_series_info *s, int c, const double *last)
{
    double low = INFINITY, high = -INFINITY;
    print_head(out, "");
    fprintf(out, "  %-20s ", s->columns[c]);
    for (int k = 0; k < s->widths[c]; k++) low = fmin(low, last[k]), high = fmax(high, last[k]);
    if (s->widths[c] == 1)
        fprintf(out, "%.10g %s\n", last[0], s->units[c]);
    else if (low <= high)
        fprintf(out, "%.6g to %.6g %s in %d bins\n", low, high, s->units[c], s->widths[c]);
    else
        fprintf(out, "no number in %d bins\n", s->widths[c]);
}

static scree_status print_series(FILE *out, const scr_archive *a, int k, scree_report *report)
{
    int count;
    const scr_series_info *s = &scr_archive_series(a, &count)[k];
    size_t wide = s->bins > 1 ? (size_t)s->bins : 1;
    double *values = malloc((s->count * wide + 1) * sizeof *values);
    if (!values) return scr_no_memory(report, "series");
    print_head(out, k ? "" : "series");
    fputs(s->name, out);
    fprintf(out, " (%s): %zu rows%s\n", s->kind, s->count, s->count ? ", the last one:" : "");
    scree_status status = SCREE_OK;
    for (int c = 0; !status && s->count > 0 && c < s->column_count; c++) {
        status = scr_archive_series_read(a, k, c, values, report);
        if (!status) print_column(out, s, c, values + (s->count - 1) * (size_t)s->widths[c]);
    }
    free(values);
    return status;
}

static scree_status print_balance(FILE *out, const scr_archive *a, scree_report *report)
{
    scr_balance balance;
    char text[SCR_BALANCE_TEXT];
    scree_status status = scr_balance_of_archive(a, &balance, report);
    if (status || isnan(balance.turned)) return status;
    scr_balance_text(&balance, text);
    print_head(out, "energy");
    fprintf(out, "%s\n", text + strlen("energy "));
    return SCREE_OK;
}

static void print_size(FILE *out, const char *what, uint64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double size = (double)bytes;
    int u = 0;
    while (size >= 1000 && u < 4) size /= 1000, u++;
    fprintf(out, "%s %.*f %s", what, u ? 1 : 0, size, units[u]);
}

static void print_sizes(FILE *out, const scr_archive *a)
{
    uint64_t index, frames, checkpoints;
    scr_archive_sizes(a, &index, &frames, &checkpoints);
    print_head(out, "on disk");
    print_size(out, "index", index);
    print_size(out, ", frames", frames);
    print_size(out, ", checkpoints", checkpoints);
    fputc('\n', out);
}

// an index can be shown without its frames, but their owner should know what is missing
static void frames_check(const scr_archive *a, scree_report *report)
{
    int count = scr_archive_frame_count(a), width;
    double *data = NULL;
    size_t bodies;
    scree_report wrong;
    scree_report_init(&wrong);
    if (count > 0 && !scr_archive_views(a, count - 1)[0] &&
        scr_archive_read(a, count - 1, "position", &data, &bodies, &width, &wrong) && wrong.count)
        scr_warn(report, (scree_place){.file = wrong.messages[0].file}, "%s", wrong.messages[0].text);
    scree_report_deinit(&wrong);
    free(data);
}

static void print_stages(FILE *out, const scr_archive *a)
{
    int count;
    const scr_stage *stages = scr_archive_stages(a, &count);
    for (int k = 0; k < count; k++) {
        print_head(out, k ? "" : "stages");
        fprintf(out, "%s from %.9g s, step %lld\n", stages[k].name, stages[k].time, (long long)stages[k].step);
    }
}

scree_status scr_info_write(const char *path, FILE *out, scree_report *report)
{
    scr_archive *a = scr_archive_open(path, report);
    if (!a) return SCREE_E_INPUT;
    fprintf(out, "%s: results of Scree %s, begun %s\n", path, scr_archive_version(a), scr_archive_created(a));
    print_scene(out, a);
    print_frames(out, a);
    print_checkpoints(out, a);
    print_stages(out, a);
    print_names(out, a);
    print_walls(out, a);
    print_solids(out, a);
    int series;
    scree_status status = SCREE_OK;
    scr_archive_series(a, &series);
    for (int k = 0; !status && k < series; k++) status = print_series(out, a, k, report);
    if (!status) status = print_balance(out, a, report);
    if (!status) print_sizes(out, a);
    frames_check(a, report);
    scr_archive_close(a);
    return status;
}
