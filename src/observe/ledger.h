/* The energy ledger as a series: an account per column. */
#ifndef SCREE_OBSERVE_LEDGER_H
#define SCREE_OBSERVE_LEDGER_H

#include "observe/observer.h"

extern const scr_observer scr_ledger_observer;

#endif
