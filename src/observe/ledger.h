/* The energy ledger: where the energy is and where it went. */
#ifndef SCREE_OBSERVE_LEDGER_H
#define SCREE_OBSERVE_LEDGER_H

#include "observe/observer.h"

typedef struct {
    double translation, rotation, gravity;
    double mechanical;                 /* these and what is stored in contacts */
    double damping, friction, rolling; /* dissipated since the start */
    double closure;                    /* mechanical + lost - brought in - initial */
} scr_energies;

scr_energies scr_ledger_energies(const scr_world *world);

extern const scr_observer scr_ledger_observer;

#endif
