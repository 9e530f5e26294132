#include "show/render_cells.h"

#include <stdlib.h>

#include "base/memory.h"

void scr_drawn_cells_deinit(scr_drawn_cells *d)
{
    scr_shown_cells_deinit(&d->shown);
    free(d->first);
    free(d->corners);
    free(d->values);
    free(d->cracked);
    *d = (scr_drawn_cells){0};
}

static bool has_corner(const scr_polyhedra *m, size_t face, uint32_t point)
{
    for (uint32_t n = m->first[face]; n < m->first[face + 1]; n++)
        if (m->corners[n] == point) return true;
    return false;
}

// whether an edge of a cell's side is one of a face of it that has broken open: where a crack comes to the surface
static bool is_crack(const scr_shown_cells *s, size_t cell, uint32_t from, uint32_t to)
{
    const scr_polyhedra *m = s->mesh;
    for (uint32_t k = s->of.first[cell]; k < s->of.first[cell + 1]; k++) {
        size_t face = s->of.faces[k];
        bool within = m->cells[2 * face + 1] != SCR_NO_CELL;
        bool seam = m->shift && v3_norm(v3_load(m->shift + 3 * face)) > 0;
        if (within && !seam && s->open[face] && has_corner(m, face, from) && has_corner(m, face, to)) return true;
    }
    return false;
}

static void mark_cracks(scr_drawn_cells *d, size_t face, size_t cell, bool *out)
{
    const scr_polyhedra *m = d->shown.mesh;
    uint32_t count = m->first[face + 1] - m->first[face];
    const uint32_t *corner = m->corners + m->first[face];
    bool border = m->cells[2 * face + 1] == SCR_NO_CELL;
    for (uint32_t n = 0; n < count; n++)
        out[n] = border && d->shown.broken && is_crack(&d->shown, cell, corner[n], corner[(n + 1) % count]);
}

// by the middle of its corners
static bool is_hidden(const scr_shown_cells *s, const scr_clip *clip, int32_t cell)
{
    vec3 sum = v3(0, 0, 0);
    uint32_t first = s->first[cell], count = s->first[cell + 1] - first;
    for (uint32_t k = first; k < first + count && clip->side; k++)
        sum = v3_axpy(sum, 1.0 / count, v3_load(s->place + 3 * (size_t)s->shown[k]));
    return scr_clip_hides(clip, sum);
}

// rigid cells have gaps between them, through which one looks at their sides; a cut shows those behind it
static void add_sides(scr_drawn_cells *d, bool all, const double *values, const scr_clip *clip)
{
    const scr_polyhedra *m = d->shown.mesh;
    size_t count = 0, corners = 0;
    for (size_t f = 0; f < m->face_count; f++) {
        const int32_t *pair = m->cells + 2 * f;
        bool hidden[2] = {is_hidden(&d->shown, clip, pair[0]), false};
        if (pair[1] != SCR_NO_CELL) hidden[1] = is_hidden(&d->shown, clip, pair[1]);
        if (!all && !d->shown.open[f] && hidden[0] == hidden[1]) continue;
        for (int s = 0; s < 2; s++) {
            int32_t cell = pair[s];
            if (cell == SCR_NO_CELL || hidden[s]) continue;
            if (values) d->values[count] = values[cell];
            d->first[count++] = (uint32_t)corners;
            mark_cracks(d, f, (size_t)cell, d->cracked + corners);
            corners += scr_shown_face(&d->shown, f, (size_t)cell, d->corners + corners);
        }
    }
    d->first[count] = (uint32_t)corners;
    d->polygons = (scr_picture_polygons){.points = d->shown.place,
                                         .first = d->first,
                                         .corners = d->corners,
                                         .cracked = d->cracked,
                                         .value = values ? d->values : NULL,
                                         .count = count};
}

scree_status scr_drawn_cells_read(const scr_archive *a, int frame, bool rigid, double warp, const double *values,
                                  const scr_clip *clip, scr_drawn_cells *d, scree_report *report)
{
    *d = (scr_drawn_cells){0};
    scree_status status = scr_shown_cells_read(a, frame, rigid, warp, &d->shown, report);
    if (status) return status;
    const scr_polyhedra *m = d->shown.mesh;
    d->warp = d->shown.warp;
    d->first = malloc((2 * m->face_count + 1) * sizeof *d->first);
    d->corners = malloc((2 * m->corner_count + 1) * sizeof *d->corners);
    d->values = malloc((2 * m->face_count + 1) * sizeof *d->values);
    d->cracked = malloc((2 * m->corner_count + 1) * sizeof *d->cracked);
    if (!d->first || !d->corners || !d->values || !d->cracked) return scr_no_memory(report, "cells to draw");
    add_sides(d, rigid, values, clip);
    return SCREE_OK;
}
