/* The energy balance of a run, with a verdict.
 *
 * The error is the ledger's closure (observe/ledger.h) at its last row. It is compared with the energy turned over, the
 * largest at any row of
 *
 *   T = 1/2 sum |E_a(t) - E_a(0)|      what is in another form than at the start, and of
 *   K                                  the kinetic energy (an elastic impact leaves no trace in T)
 *
 * over the accounts a: kinetic; potential, without what grains brought that came and took that left, since it counts
 * from anywhere; elastic; lost; put in by work. */
#ifndef SCREE_OBSERVE_BALANCE_H
#define SCREE_OBSERVE_BALANCE_H

#include "observe/results.h"

#define SCR_BALANCE_FINE  0.01 /* of what was turned over */
#define SCR_BALANCE_LARGE 0.05

typedef struct {
    double error, turned; /* [J] */
    const char *finer;    /* what makes it less: see scr_balance_finer */
} scr_balance;

/* Smaller steps of time, or of load; or more sweeps. Constant text. */
const char *scr_balance_finer(bool statics, bool sweeps);

/* Of the series of a ledger. */
scr_balance scr_balance_of_series(const scr_series *ledger, const char *finer);
/* Of results; turned NAN where they have no ledger with rows. */
scree_status scr_balance_of_archive(const scr_archive *archive, scr_balance *balance, scree_report *report);

/* At most SCR_BALANCE_FINE. */
bool scr_balance_is_fine(const scr_balance *balance);
/* `energy balance error -0.0021 J, 0.6 % of 0.35 J exchanged: fine`, or what to do. */
#define SCR_BALANCE_TEXT 240
void scr_balance_text(const scr_balance *balance, char text[SCR_BALANCE_TEXT]);

#endif
