/* Frames as blocks (view/answers.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "show/cells.h"
#include "show/render_colour.h"
#include "view/answers.h"

static scree_status done(const scr_block *out, scree_report *report)
{
    if (!out->failed) return SCREE_OK;
    return scr_no_memory(report, "an answer");
}

/* ---- grains ---- */

scree_status scr_view_grains(const scr_viewer *v, int frame, scr_block *out, scree_report *report)
{
    double *place = NULL, *radius = NULL, *id = NULL;
    size_t count = 0, radii = 0;
    int width = 3;
    // a frame of solids alone need not have places of grains
    bool any = scr_archive_frame(v->archive, frame).bodies > 0;
    scree_status status = SCREE_OK;
    if (any) status = scr_archive_read(v->archive, frame, "position", &place, &count, &width, report);
    if (!status && any) status = scr_archive_read(v->archive, frame, "radius", &radius, &radii, &width, report);
    if (!status && any) status = scr_archive_read(v->archive, frame, "id", &id, &radii, &width, report);
    float *row = status ? NULL : scr_block_add(out, "grains", SCR_BLOCK_F32, 4, count);
    for (size_t k = 0; row && k < count; k++, row += 4) {
        for (size_t d = 0; d < 3; d++) row[d] = (float)(place[3 * k + d] - v->origin[d]);
        row[3] = (float)radius[k];
    }
    uint32_t *name = status ? NULL : scr_block_add(out, "ids", SCR_BLOCK_U32, 1, count);
    for (size_t k = 0; name && k < count; k++) name[k] = (uint32_t)id[k];
    free(place), free(radius), free(id);
    return status ? status : done(out, report);
}

scree_status scr_view_values(const scr_viewer *v, int frame, const char *by, scr_block *out, scree_report *report)
{
    scr_colouring c = {0};
    scree_status status = scr_colouring_read(v->archive, frame, by, &c, report);
    size_t grains = (size_t)scr_archive_frame(v->archive, frame).bodies;
    size_t cells = scr_archive_mesh(v->archive, NULL)->cell_count;
    if (!status && c.grains) scr_block_add_f32(out, "grains", 1, grains, c.grains, NULL);
    if (!status && c.cells) scr_block_add_f32(out, "cells", 1, cells, c.cells, NULL);
    scr_colouring_deinit(&c);
    return status ? status : done(out, report);
}

/* ---- walls ---- */

scree_status scr_view_walls(const scr_viewer *v, int frame, scr_block *out, scree_report *report)
{
    int count;
    const scr_face *faces = scr_archive_faces(v->archive, frame, &count);
    vec3 origin = v3_load(v->origin);
    float *row = scr_block_add(out, "faces", SCR_BLOCK_F32, 18, (size_t)count);
    for (int k = 0; row && k < count; k++, row += 18) {
        const scr_face *f = &faces[k];
        vec3 p = v3_sub(f->point, origin);
        const double numbers[18] = {f->kind,      f->wall,      p.x,          p.y,          p.z,          f->axis.x,
                                    f->axis.y,    f->axis.z,    f->length,    f->radius[0], f->radius[1], f->edge[0].x,
                                    f->edge[0].y, f->edge[0].z, f->edge[1].x, f->edge[1].y, f->edge[1].z, f->solid};
        for (int n = 0; n < 18; n++) row[n] = (float)numbers[n];
    }
    return done(out, report);
}

/* ---- contacts and bonds ---- */

scree_status scr_view_contacts(const scr_viewer *v, int frame, scr_block *out, scree_report *report)
{
    enum { PLACE, BRANCH, NORMAL, TANGENTIAL, COLUMNS };
    static const char *const names[COLUMNS] = {"position", "branch", "normal_force", "tangential_force"};
    double *column[COLUMNS] = {0};
    size_t count = 0;
    int width;
    scree_status status = SCREE_OK;
    for (int k = 0; !status && k < COLUMNS; k++)
        status = scr_archive_contacts(v->archive, frame, names[k], &column[k], &count, &width, report);
    float *row = status ? NULL : scr_block_add(out, "contacts", SCR_BLOCK_F32, 8, count);
    for (size_t k = 0; row && k < count; k++, row += 8) {
        const double *place = column[PLACE] + 3 * k, *branch = column[BRANCH] + 3 * k;
        for (int d = 0; d < 3; d++) {
            row[d] = (float)(place[d] - v->origin[d]);
            row[3 + d] = (float)(place[d] - branch[d] - v->origin[d]);
        }
        row[6] = (float)column[NORMAL][k];
        row[7] = (float)v3_norm(v3_load(column[TANGENTIAL] + 3 * k));
    }
    for (int k = 0; k < COLUMNS; k++) free(column[k]);
    return status ? status : done(out, report);
}

scree_status scr_view_bonds(const scr_viewer *v, int frame, scr_block *out, scree_report *report)
{
    double *ids = NULL, *first = NULL, *second = NULL;
    size_t grains = 0, count = 0;
    int width;
    scree_status status = scr_archive_read(v->archive, frame, "id", &ids, &grains, &width, report);
    if (!status) status = scr_archive_bonds(v->archive, frame, &first, &second, &count, report);
    uint32_t *row = status ? NULL : scr_block_add(out, "bonds", SCR_BLOCK_U32, 2, count);
    for (size_t k = 0; row && k < count; k++, row += 2) {
        const double *a = bsearch(&first[k], ids, grains, sizeof *ids, scr_by_f64);
        const double *b = bsearch(&second[k], ids, grains, sizeof *ids, scr_by_f64);
        // a grain that is not there bonds with itself: nothing is drawn
        if (a && b) row[0] = (uint32_t)(a - ids), row[1] = (uint32_t)(b - ids);
    }
    free(ids), free(first), free(second);
    return status ? status : done(out, report);
}

/* ---- cells ---- */

// sides of cells at faces that are open, or at all; the order of corners is as seen from outside the cell
static void add_sides(const scr_shown_cells *s, bool inside, scr_block *out)
{
    const scr_polyhedra *m = s->mesh;
    size_t sides = 0, corners = 0;
    for (size_t f = 0; f < m->face_count; f++) {
        if (!inside && !s->open[f]) continue;
        size_t both = m->cells[2 * f + 1] == SCR_NO_CELL ? 1 : 2;
        sides += both, corners += both * (m->first[f + 1] - m->first[f]);
    }
    // each of these may move the block: fill one before the next is added
    uint32_t *first = scr_block_add(out, "first", SCR_BLOCK_U32, 1, sides + 1), at = 0;
    for (size_t f = 0, n = 0; first && f < m->face_count; f++)
        for (int side = 0; side < 2 && (inside || s->open[f]); side++) {
            if (m->cells[2 * f + (size_t)side] == SCR_NO_CELL) continue;
            first[n++] = at, at += m->first[f + 1] - m->first[f], first[n] = at;
        }
    uint32_t *cell = scr_block_add(out, "cell", SCR_BLOCK_U32, 1, sides);
    for (size_t f = 0, n = 0; cell && f < m->face_count; f++)
        for (int side = 0; side < 2 && (inside || s->open[f]); side++)
            if (m->cells[2 * f + (size_t)side] != SCR_NO_CELL) cell[n++] = (uint32_t)m->cells[2 * f + (size_t)side];
    uint32_t *corner = scr_block_add(out, "corners", SCR_BLOCK_U32, 1, corners);
    for (size_t f = 0, n = 0; corner && f < m->face_count; f++)
        for (int side = 0; side < 2 && (inside || s->open[f]); side++) {
            int32_t of = m->cells[2 * f + (size_t)side];
            if (of == SCR_NO_CELL) continue;
            uint32_t count = scr_shown_face(s, f, (size_t)of, corner + n);
            for (uint32_t k = 0; side && k < count / 2; k++) {
                uint32_t swap = corner[n + k];
                corner[n + k] = corner[n + count - 1 - k], corner[n + count - 1 - k] = swap;
            }
            n += count;
        }
}

scree_status scr_view_cells(const scr_viewer *v, int frame, const char *warp, bool inside, scr_block *out,
                            scree_report *report)
{
    char *end = NULL;
    double factor = !warp ? 1 : !strcmp(warp, "auto") ? NAN : strtod(warp, &end);
    if (end && (end == warp || *end || !isfinite(factor)))
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "warp is '%s', not a number or auto", warp);
    if (!scr_archive_mesh(v->archive, NULL)->cell_count)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there are no elastic solids");
    scr_shown_cells s = {0};
    scree_status status = scr_shown_cells_read(v->archive, frame, false, factor, &s, report);
    if (!status) {
        double *chosen = scr_block_add(out, "warp", SCR_BLOCK_F64, 1, 1);
        if (chosen) *chosen = s.warp;
        scr_block_add_f32(out, "points", 3, s.point_count, s.place, v->origin);
        add_sides(&s, inside, out);
    }
    scr_shown_cells_deinit(&s);
    return status ? status : done(out, report);
}

/* ---- series ---- */

scree_status scr_view_series(const scr_viewer *v, int series, scr_block *out, scree_report *report)
{
    int count;
    const scr_series_info *all = scr_archive_series(v->archive, &count);
    if (series < 0 || series >= count)
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = v->path},
                        "has no series %d: there are %d, counted from 0", series, count);
    const scr_series_info *s = &all[series];
    scree_status status = SCREE_OK;
    for (int c = 0; !status && c < s->column_count; c++) {
        char name[16];
        snprintf(name, sizeof name, "%d", c);
        double *values = scr_block_add(out, name, SCR_BLOCK_F64, s->widths[c], s->count);
        if (values) status = scr_archive_series_read(v->archive, series, c, values, report);
    }
    return status ? status : done(out, report);
}
