/* The surfaces of elastic solids as polygons for a picture: the border, and faces that fracture has opened. */
#ifndef SCREE_SHOW_RENDER_CELLS_H
#define SCREE_SHOW_RENDER_CELLS_H

#include "observe/results.h"
#include "show/cells.h"
#include "show/picture.h"
#include "show/render_clip.h"

typedef struct {
    scr_shown_cells shown;
    scr_picture_polygons polygons; /* of what follows */
    uint32_t *first, *corners;
    double *values;
    bool *cracked;
    double warp; /* displacements are shown so many times as large */
} scr_drawn_cells;

/* `values` of all cells, or NULL. Cells on the hidden side of the clip are left out. `rigid` and `warp` as in
 * show/cells.h. Free with deinit, also after an error. */
scree_status scr_drawn_cells_read(const scr_archive *archive, int frame, bool rigid, double warp, const double *values,
                                  const scr_clip *clip, scr_drawn_cells *cells, scree_report *report);
void scr_drawn_cells_deinit(scr_drawn_cells *cells);

#endif
