/* What can be seen of the cells of elastic solids: numbers per cell, derived from the state where they are not in it.
 *
 * A link pulls its first cell with the force f = k Du + p n at the arm q_a from its centre, the second with -f at q_b,
 * p = S (lambda eps of a + of b)/2 (docs/theory-elastic.md). The stress of a cell is the mean over its volume,
 *
 *   sigma = 1/V sum of sym(f (x) q),                                                               (1)
 *
 * over its links, the loads on it, its contacts, and the faces of symmetry, on which a mirror image pulls with
 * lambda S eps n. Tension is positive. In a uniform strain it is exact: sum of S n (x) q = V 1. The forces of a cell's
 * contacts are known as a sum, what is left of the force on it; it is taken to act in the middle of their points. What
 * a support holds is not in it.
 *
 * The energy of a cell is its own of volume and curvature, lambda Vt eps^2/2 + Kb kap^2/2, and half that of each
 * of its links: their sum over all cells is the whole. */
#ifndef SCREE_OBSERVE_CELL_VIEWS_H
#define SCREE_OBSERVE_CELL_VIEWS_H

#include "base/h5.h"
#include "world/world.h"

typedef struct {
    const char *name, *unit;
    int width;
    bool integer;
    bool always; /* every frame holds it */
    const char *doc;
    /* Width numbers per cell into `out`; false when memory is exhausted. */
    bool (*fill)(const scr_world *world, double *out);
} scr_cell_view;

/* In the order in which they are shown; ends with a NULL name. */
extern const scr_cell_view scr_cell_views[];
const scr_cell_view *scr_cell_view_find(const char *name);

/* (1) of all cells, six numbers each: xx, yy, zz, xy, xz, yz [Pa]. False when memory is exhausted. */
bool scr_cells_stress(const scr_world *world, double *out);
/* Energies of all cells [J]. */
void scr_cells_energy(const scr_world *world, double *out);
/* From six numbers of a tensor. */
double scr_stress_pressure(const double stress[6]); /* minus a third of the trace */
double scr_stress_mises(const double stress[6]);

/* Group /cells of a frame: the views named in `fields` that cells have, and those of every frame; /broken: faces of
 * the mesh whose links have broken, and how. */
scree_status scr_cell_frame_write(scr_h5 *file, const scr_world *world, const char *const *fields, int field_count);
/* Bytes that it takes, at most. */
uint64_t scr_cell_frame_size(const scr_world *world, const char *const *fields, int field_count);

#endif
