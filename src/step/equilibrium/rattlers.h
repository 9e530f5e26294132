/* Grains at rest: how many contacts they have, and which of them carry nothing. */
#ifndef SCREE_STEP_EQUILIBRIUM_RATTLERS_H
#define SCREE_STEP_EQUILIBRIUM_RATTLERS_H

#include "collide/pairs.h"

typedef struct {
    int least;            /* contacts of a grain that carries something: what balances its forces */
    size_t free, carried; /* grains that can move, those of them that are not rattlers */
    double mean;          /* contacts of these: the coordination number */
} scr_rattlers;

/* The contacts of each grain that are with other than rattlers, into z; of rattlers -1. Cells touch the grains
 * `on_cells`, once for each contact. */
scr_rattlers scr_rattlers_find(const scr_world *world, const scr_pairs *pairs, const uint32_t *on_cells,
                               size_t on_cell_count, double *z);
/* "at rest: ..." with what is left of the largest force, which is a `what`. */
void scr_rattlers_say(const scr_rattlers *rattlers, double left, const char *what, double strongest, int64_t contacts);

#endif
