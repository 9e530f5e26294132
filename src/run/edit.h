/* Changes from outside: what was written through views, grains that a program puts in or takes out. What follows from
 * the state is then renewed as for a world that comes from another run: the integrator is opened again on it, with the
 * histories of contacts that still touch. What that does to the energy is booked, so that the balance closes. */
#ifndef SCREE_RUN_EDIT_H
#define SCREE_RUN_EDIT_H

#include "build/simulation.h"

/* Whether its grains can be changed at all; `verb` is what was attempted: "written", "pushed". */
scree_status scr_edit_check(const scree_simulation *simulation, const char *verb, scree_report *report);

#endif
