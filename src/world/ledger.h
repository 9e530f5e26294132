/* The energy ledger as a whole: where the energy is, where it went, and whether that adds up. */
#ifndef SCREE_WORLD_LEDGER_H
#define SCREE_WORLD_LEDGER_H

#include "world/world.h"

/* All accounts now, and the closure. */
scree_energies scr_ledger_energies(const scr_world *world);
/* The same, where others have added up the energies of bodies: translation, rotation, gravity. */
scree_energies scr_ledger_energies_of(const scr_world *world, const double sums[3]);
/* Before forces are evaluated anew, without a step: what damping and rolling exceed their accounts by is booked. */
void scr_ledger_book_excess(scr_ledger *ledger);
/* Kinetic, potential and elastic energy [J]. */
double scr_ledger_mechanical(const scree_energies *energies);
/* What is there, plus what was lost, less what was brought [J]: it changes only by what the ledger does not know. */
double scr_ledger_balance(const scree_energies *energies);

#endif
