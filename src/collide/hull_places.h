/* Where the cells of the hull are at one evaluation: their polyhedra in place, and what contacts ask of a cell again
 * and again. Made once for all hulls that some list names, so that a cell with many neighbours is not moved for each.
 */
#ifndef SCREE_COLLIDE_HULL_PLACES_H
#define SCREE_COLLIDE_HULL_PLACES_H

#include "collide/cell_pairs.h"

typedef struct {
    /* of each hull; filled where `named` */
    scr_convex *shape;
    vec3 *spin; /* [1/s] */
    /* of each hull, for good */
    double *ball;    /* radius of the ball of its volume [m] */
    double *inverse; /* of the mean moment of inertia [1/(kg m^2)] */
    size_t *row[2];  /* count + 1 each: rows of the last evaluation's contacts with walls, with cells (as first) */

    uint32_t *named; /* hulls that a list has */
    size_t named_count;
    uint8_t *marked;
    vec3 *corners, *normal;
    double *offset, *top;
} scr_hull_places;

void scr_hull_places_deinit(scr_hull_places *places);
/* After the lists were made anew. */
scree_status scr_hull_places_name(scr_hull_places *places, const scr_cell_pairs *pairs, const scr_world *world,
                                  scree_report *report);
/* The present places and spins, by all threads; where contacts of the last evaluation are. */
void scr_hull_places_update(scr_hull_places *places, const scr_cell_pairs *pairs, const scr_world *world);

#endif
