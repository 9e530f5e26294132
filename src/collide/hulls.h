/* The hull of elastic solids: the cells that have a free face, as polyhedra in the reference state, with the cell's
 * centre as origin. Made from mesh and links; anew when links break. */
#ifndef SCREE_COLLIDE_HULLS_H
#define SCREE_COLLIDE_HULLS_H

#include "shape/convex.h"
#include "world/world.h"

#define SCR_NO_HULL (-1)

/* Arrays are buffers. */
typedef struct {
    size_t count;
    int32_t *cell;     /* of each hull, ascending */
    scr_convex *shape; /* of each hull; views into what follows */
    uint32_t *start;   /* 5 per hull: where its corners, faces, face list, around, edges begin */
    int32_t *of_cell;  /* of each cell: its hull, or SCR_NO_HULL */
    int32_t *of_face;  /* of each face of the mesh: its link, or -1 */
    double most;       /* largest radius of a hull [m] */
    double least;

    vec3 *corners, *normal;
    double *offset, *top, *share;
    int32_t *point; /* of each corner: point of the mesh; -1: the middle of a warped face */
    int32_t *face;  /* of each face: that of the mesh */
    uint8_t *free;
    uint16_t *first, *around;
    scr_convex_edge *edges;
    size_t used[5];
    scr_cell_faces faces;
} scr_hulls;

scree_status scr_hulls_build(scr_hulls *hulls, const scr_world *world, scree_report *report);
void scr_hulls_deinit(scr_hulls *hulls);

/* From the reference state, with the cell's centre as origin, to where the cell is now. */
static inline pose scr_hull_pose(const scr_world *w, int32_t cell)
{
    return quat_pose(scr_cell_turn(&w->cells, (size_t)cell), scr_cell_centre(&w->cells, (size_t)cell));
}
/* The centre of the sphere around a hull, now. */
static inline vec3 scr_hull_centre(const scr_world *w, const scr_hulls *h, size_t hull)
{
    size_t c = (size_t)h->cell[hull];
    return v3_add(scr_cell_centre(&w->cells, c), quat_turn(scr_cell_turn(&w->cells, c), h->shape[hull].centre));
}

/* Whether two cells can touch. Cells of two solids can. Of one solid: cells that share no corner can, as where a
 * plate folds onto itself; cells with a broken link between them; cells that share a corner or an edge only once they
 * are parts of different fragments. */
bool scr_hulls_may_touch(const scr_hulls *hulls, const scr_world *world, size_t a, size_t b);
/* Whether they stand together in the mesh: cells of one solid with a common corner. */
bool scr_hulls_share_corner(const scr_hulls *hulls, const scr_world *world, size_t a, size_t b);

/* The cell that is glued to this face of a hull, or -1. */
int32_t scr_hull_across(const scr_hulls *hulls, const scr_world *world, size_t hull, int face);

#endif
