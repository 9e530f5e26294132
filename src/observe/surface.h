/* The free surface of a bed of grains, and its slope.
 *
 * Seen from above the bed is divided into cells of about equal area. The grain that sticks out most of each cell
 * makes the surface there, and through the surface goes a line or a plane by least squares,
 *
 *   h = a + b s + c t,     h = z + r sqrt(1 + b^2 + c^2)                                     (1)
 *
 * where h is the height at which a plane of that slope touches the grain from above, straight over its centre.
 * What sticks out depends on the slope, so this is repeated until the grains stay the same. Cells off by more
 * than three times the root mean square (a grain in flight, a hole) are left out of the fit. */
#ifndef SCREE_OBSERVE_SURFACE_H
#define SCREE_OBSERVE_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A grain: the cell it is in, where it is across (s, t), the height of its centre, its radius. */
typedef struct {
    int64_t cell;
    double s, t, z, r;
} scr_surface_grain;

typedef struct {
    bool tilted;      /* fit c too; else t is ignored */
    bool by_height;   /* the window is one of fitted heights, else of s */
    double low, high; /* the window: only there is the surface fitted */
} scr_surface_def;

typedef struct {
    double a, b, c; /* NaN when there are not enough cells */
    double rms;     /* of the cells about the fit [m] */
    int cells;      /* that were fitted */
} scr_surface;

/* Sorts `grains` by cell. */
scr_surface scr_surface_fit(scr_surface_grain *grains, size_t count, const scr_surface_def *def);

#endif
