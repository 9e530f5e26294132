/* The cells of elastic solids in one frame, as they are shown: where their corners are.
 *
 * A corner p of the mesh, as part of a cell with centre c, displacement u and turn R, has moved by
 *
 *   u + (R - 1)(p - c).                                                                            (1)
 *
 * Cells are rigid, so a corner is at other places for other cells. Shown smoothly, it moves by the mean of (1) over
 * the cells around it that hang together there, through faces whose links hold; shown as they are, each cell has
 * corners of its own. */
#ifndef SCREE_SHOW_CELLS_H
#define SCREE_SHOW_CELLS_H

#include "observe/results.h"

typedef struct {
    const scr_polyhedra *mesh; /* the archive's */
    scr_cell_faces of;
    bool *open; /* of each face: nothing holds there; on the border, broken, or across a periodic side */

    /* corners of cell c: first[c] to first[c + 1] - 1 */
    uint32_t *first;
    uint32_t *point; /* in the mesh */
    vec3 *offset;    /* how far from there: periodic meshes */
    uint32_t *shown; /* number of the point that is shown */

    /* points that are shown */
    double *moved; /* 3 each: (1), or its mean [m] */
    double *place; /* 3 each: reference place and `warp` times that [m] */
    size_t point_count;
    size_t broken;  /* links that have broken */
    double largest; /* displacement of a point [m] */
    double warp;    /* as it was chosen */
} scr_shown_cells;

/* `warp` exaggerates displacements; NAN: so that the largest is about a tenth of the solids' size, and edges become at
 * most half as long again (nothing folds), rounded to 1, 2 or 5 times a power of ten, at least 1. Free with deinit,
 * also after an error. */
scree_status scr_shown_cells_read(const scr_archive *archive, int frame, bool rigid, double warp,
                                  scr_shown_cells *cells, scree_report *report);
void scr_shown_cells_deinit(scr_shown_cells *cells);

/* The shown points of a face as a side of one of its cells, in the order of the mesh, into `corners`, which has room
 * for them; how many. They are counter-clockwise seen from outside the face's first cell. */
uint32_t scr_shown_face(const scr_shown_cells *cells, size_t face, size_t cell, uint32_t *corners);

#endif
