/* From what is near a cell to contacts.
 *
 * A sphere against the cells of a solid: each cell has one point of its free surface that is nearest (shape/convex.h),
 * with overlap d_k and normal n_k. Cells whose normals differ by less than 20 degrees stand for one smooth surface and
 * make one contact: the least displacement u of the sphere that frees it from all of them, as (1) of collide/touch.h,
 * where each may fall short by e s_k at a price:
 *
 *   V = min of |u|^2/2 + e/2 sum of s_k^2   with u.n_k >= d_k - e s_k;   u = sum of s_k n_k, s_k >= 0      (1)
 *   D = sqrt(2 (1 + e) V)                                                                                  (2)
 *
 * D, the overlap of the contact, is that of the cell where there is one, and a smooth function of all d_k and n_k:
 * where a sphere rolls from one cell to the next, the first hands the load to the second over a way of about sqrt(2 e R
 * D). On a plane D is larger by e/4 (two cells) to 3e/8 (four) at their common border. Each cell takes its part of the
 * gradient of D,
 *
 *   dD = (1 + e)/D sum of s_k (d(d_k) - u.d(n_k)),                                                          (3)
 *
 * so that nothing is gained or lost, whatever the strains. A cell whose nearest point lies on an edge or corner of a
 * glued face, and whose neighbour there is nearer, has no contact of its own.
 *
 * A cell against walls: the points of shape/convex.h; where one corner or edge meets several faces of a wall with
 * normals that differ by less than 20 degrees, the deepest of them. Two cells: the points of shape/convex.h.
 *
 * Offsets. Which faces or edges of two cells meet can change at once, and with it the overlap that the law feels; and
 * cells of one solid overlap by their strain when links break under pressure. Neither may bring energy. So two cells
 * that begin to touch, or touch with other parts than before, get the least offset o >= 0 for which
 *
 *   sum over the points of share U(overlap - o) <= energy that the pair had stored before.                   (4)
 *
 * It presses with what exceeds the offset, which becomes less as they part. (At the start of a run only cells that
 * share a corner get one.)
 *
 * Each contact is matched with what was there at the last evaluation: by the same parts, else with one that is left
 * over and near, so that springs of friction follow a contact over edges and borders. */
#ifndef SCREE_COLLIDE_CELL_TOUCH_H
#define SCREE_COLLIDE_CELL_TOUCH_H

#include <stddef.h>
#include <string.h>

#include "collide/cell_pairs.h"
#include "collide/hull_places.h"

#define SCR_MOST_CELL_TOUCHES 64 /* contacts of one grain, one cell with walls, or two cells, and as many that end */

#define SCR_MOST_SIDES_MEET 8 /* cells that make one contact with a grain: the deepest */

/* What takes the force: cells of the second side, or the first. */
typedef struct {
    int32_t cell;
    vec3 push;   /* its part of a normal force of 1 N on a grain, through the grain's centre */
    vec3 twist;  /* torque on the cell that goes with it [m] */
    double grip; /* its part of all else; the sum is 1 */
    vec3 arm;    /* from the cell's centre to the point of contact [m] */
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
    vec3 point;    /* from the centre of the first [m] */
    vec3 velocity; /* of the first against the second at the point, half a step ago, without a grain's spin [m/s] */
    uint32_t body; /* row of the grain */
    int side_count;
    /* of the second; cell and wall: of the first; two cells: of the first, of the second */
    scr_cell_side side[SCR_MOST_SIDES_MEET];
} scr_cell_touch;

/* Only the sides that it has. */
static inline void scr_cell_touch_copy(scr_cell_touch *to, const scr_cell_touch *from)
{
    memcpy(to, from, offsetof(scr_cell_touch, side) + (size_t)from->side_count * sizeof *from->side);
}

typedef struct {
    const scr_world *world;
    const scr_cell_pairs *pairs;
    const scr_hull_places *places; /* of this evaluation; NULL: cells are moved as they are met */
    double dt;                     /* of the step: velocities are those of its middle [s] */
    bool improved;                 /* normal_half is wanted */
} scr_cell_finder;

/* Contacts of group g of pairs->by_id, of pairs->walls, of pair number n of pairs->cells (owner of group g); also those
 * that have ended. Returns how many. */
int scr_cell_touch_grain(const scr_cell_finder *finder, size_t g, scr_cell_touch *touches);
int scr_cell_touch_walls(const scr_cell_finder *finder, size_t g, scr_cell_touch *touches);
/* A contact of a cell, with a wall or a cell, that is there no more. */
void scr_cell_touch_over(const scr_cell_finder *finder, size_t row, scr_cell_touch *touch);
/* `parting`: scratch of this pair, -1 at first, a face that has parted it; or NULL. */
int scr_cell_touch_cells(const scr_cell_finder *finder, size_t a, size_t b, int16_t *parting, scr_cell_touch *touches);

#endif
