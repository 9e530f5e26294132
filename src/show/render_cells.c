#include "show/render_cells.h"

#include <stdlib.h>

void scr_drawn_cells_deinit(scr_drawn_cells *d)
{
    scr_shown_cells_deinit(&d->shown);
    free(d->first);
    free(d->corners);
    free(d->values);
    *d = (scr_drawn_cells){0};
}

// rigid cells have gaps between them, through which one looks at their sides
static void add_sides(scr_drawn_cells *d, bool all, const double *values)
{
    const scr_polyhedra *m = d->shown.mesh;
    size_t count = 0, corners = 0;
    for (size_t f = 0; f < m->face_count; f++) {
        if (!all && !d->shown.open[f]) continue;
        for (int s = 0; s < 2; s++) {
            int32_t cell = m->cells[2 * f + (size_t)s];
            if (cell == SCR_NO_CELL) continue;
            if (values) d->values[count] = values[cell];
            d->first[count++] = (uint32_t)corners;
            corners += scr_shown_face(&d->shown, f, (size_t)cell, d->corners + corners);
        }
    }
    d->first[count] = (uint32_t)corners;
    d->polygons = (scr_picture_polygons){.points = d->shown.place,
                                         .first = d->first,
                                         .corners = d->corners,
                                         .value = values ? d->values : NULL,
                                         .count = count};
}

scree_status scr_drawn_cells_read(const scr_archive *a, int frame, bool rigid, double warp,
                                  const double *values, scr_drawn_cells *d, scree_report *report)
{
    *d = (scr_drawn_cells){0};
    scree_status status = scr_shown_cells_read(a, frame, rigid, warp, &d->shown, report);
    if (status) return status;
    const scr_polyhedra *m = d->shown.mesh;
    d->warp = d->shown.warp;
    d->first = malloc((2 * m->face_count + 1) * sizeof *d->first);
    d->corners = malloc((2 * m->corner_count + 1) * sizeof *d->corners);
    d->values = malloc((2 * m->face_count + 1) * sizeof *d->values);
    if (!d->first || !d->corners || !d->values)
        return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory to draw cells");
    add_sides(d, rigid, values);
    return SCREE_OK;
}
