/* Numbers per grain that a frame does not hold but that follow from what it holds.
 *
 *   coordination   contacts of the grain, with grains, walls and solids; needs the contacts
 *   pressure       p = 1/(3 V) sum over its contacts of f . (x - c), f the force on it at c, x its centre: minus a
 *                  third of the trace of its mean stress (Weber 1966), positive where it is pressed; needs the contacts
 *   kinetic_energy m v^2/2 + J w^2/2, J = 2/5 m r^2; needs mass, velocity, spin and radius
 *   fragment       smallest id of the grains that hang together with it by bonds; needs bonds
 *   displacement   |x - x_0| since the first frame, through periodic sides; NAN for grains that came later */
#ifndef SCREE_SHOW_DERIVED_H
#define SCREE_SHOW_DERIVED_H

#include "observe/results.h"

/* Names and units; ends with a NULL name. */
typedef struct {
    const char *name, *unit;
    bool of_contacts, of_bonds;
    const char *needs[4]; /* views */
} scr_derived;
extern const scr_derived scr_derived_values[];

/* The one of this name that the frame has all for; NULL: there is none. */
const scr_derived *scr_derived_find(const scr_archive *archive, int frame, const char *name);
/* One number per grain, malloc'ed. */
scree_status scr_derived_read(const scr_archive *archive, int frame, const scr_derived *derived, double **values,
                              scree_report *report);

#endif
