/* Reports of all ranks as one. */
#ifndef SCREE_COMM_REPORTS_H
#define SCREE_COMM_REPORTS_H

#include "base/status.h"
#include "comm/comm.h"

#define SCR_RANK_MESSAGES 20 /* that others have to say, at most */

/* What each rank's report has from message `before` on becomes part of rank 0's: first its own, then what others have
 * to say that is not there yet, in the order of ranks. On all ranks at the same time. */
void scr_comm_report(scr_comm *comm, scree_report *report, int before);

/* The worst status of all ranks; where it is none of success, with their reports as above. */
scree_status scr_comm_agree(scr_comm *comm, scree_status status, int before, scree_report *report);

#endif
