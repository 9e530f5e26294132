/* The door to voro++, in C: cells one by one, as it computes them. Lengths are in units in which the distance of
 * seeds is about 1 (voro++ has absolute tolerances). */
#ifndef SCREE_SHAPE_VORONOI_CELLS_H
#define SCREE_SHAPE_VORONOI_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double low[3], high[3]; /* a box */
    bool periodic[3];
    const double *planes; /* 4 each: keeps n . x <= d; n a unit vector */
    int plane_count;
} scr_voronoi_space;

/* Faces of cell c: first_face[c] to first_face[c + 1] - 1; corners of face f: numbers corners[first_corner[f]] to
 * ... of places in x. Each cell has its own places. All from malloc. */
typedef struct {
    size_t *first_face, *first_corner;
    int *neighbour; /* per face: a seed; -1 to -6: the box; -7 - k: plane k */
    int *corners;
    double *x; /* 3 per place */
    size_t face_count, place_count;
    double *centres; /* 3 per cell */
} scr_voronoi_cells;

/* `only_centres`: without faces. Returns -1 when all is well, the number of a seed that has no cell, or
 * SCR_VORONOI_NO_MEMORY. */
#define SCR_VORONOI_NO_MEMORY (-2)
long scr_voronoi_cells_build(const scr_voronoi_space *space, const double *seeds, size_t count, bool only_centres,
                             scr_voronoi_cells *cells);
void scr_voronoi_cells_deinit(scr_voronoi_cells *cells);

/* The volume of what planes leave of a cube of half-width 2 about a point within; negative: nothing, or something
 * of the cube's border. */
double scr_voronoi_clip(const double *planes, int count, const double inside[3]);

#ifdef __cplusplus
}
#endif

#endif
