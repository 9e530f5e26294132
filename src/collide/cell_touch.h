/* From what is near a cell to contacts.
 *
 * A sphere against the cells of a solid: each cell has one point of its free surface that is nearest (shape/convex.h).
 * Cells whose normals differ by less than 20 degrees stand for one smooth surface and make one contact, the least
 * displacement u of the sphere that frees it from all of them, as (1) of collide/touch.h; u is a sum of the normals of
 * at most three cells, u = sum of s_k n_k, and each takes the part s_k/|u| of the normal force along its own n_k. That
 * is the gradient of the contact's energy with regard to each cell, so nothing is gained or lost where a sphere rolls
 * from one cell to the next, whatever their strains. A cell whose nearest point lies on an edge or corner of a glued
 * face, and whose neighbour there is nearer, has no contact of its own.
 *
 * A cell against walls: the points of shape/convex.h; where one corner or edge meets several faces of a wall with
 * normals that differ by less than 20 degrees, the deepest of them. Two cells: the points of shape/convex.h.
 *
 * Each contact is matched with what was there at the last evaluation: by the same parts, else with one that is left
 * over and near, so that springs of friction follow a contact over edges and borders. */
#ifndef SCREE_COLLIDE_CELL_TOUCH_H
#define SCREE_COLLIDE_CELL_TOUCH_H

#include "collide/cell_pairs.h"

#define SCR_MOST_CELL_TOUCHES                                                                      \
    64 /* contacts of one grain, one cell with walls, or two cells, and as many that end */

/* Who takes the force: cells of the second side, or the first. */
typedef struct {
    int32_t cell;
    double part; /* of the normal force, along `normal` */
    double grip; /* of all else; the sum over a side is 1 */
    vec3 normal;
    vec3 arm; /* from the cell's centre to its point of contact [m] */
} scr_cell_side;

typedef struct {
    int kind; /* scr_meet */
    int64_t first;
    int32_t second, feature[2];
    int64_t row;    /* of world->cell_contacts: its history; -1: it is new */
    bool ended;     /* it touches no more */
    double overlap; /* [m], without the offset */
    double offset;  /* [m] */
    double share;
    vec3 normal, normal_half;
    vec3 point; /* from the centre of the first [m] */
    vec3
        velocity; /* of the first against the second at the point, half a step ago, without a grain's spin [m/s] */
    uint32_t body; /* row of the grain */
    int side_count;
    scr_cell_side side
        [3]; /* of the second; cell and wall: of the first; two cells: of the first, of the second */
} scr_cell_touch;

typedef struct {
    const scr_world *world;
    const scr_cell_pairs *pairs;
    double dt;     /* of the step: velocities are those of its middle [s] */
    bool improved; /* normal_half is wanted */
    bool newborn;  /* cells that could not touch before: overlaps become offsets */
} scr_cell_finder;

/* Contacts of group g of pairs->by_id, of pairs->walls, of pair number n of pairs->cells (owner of group g); also those
 * that have ended. Returns how many. */
int scr_cell_touch_grain(const scr_cell_finder *finder, size_t g, scr_cell_touch *touches);
int scr_cell_touch_walls(const scr_cell_finder *finder, size_t g, scr_cell_touch *touches);
/* A contact of a cell, with a wall or a cell, that is there no more. */
scr_cell_touch scr_cell_touch_over(const scr_cell_finder *finder, size_t row);
int scr_cell_touch_cells(const scr_cell_finder *finder, size_t a, size_t b,
                         scr_cell_touch *touches);

#endif
