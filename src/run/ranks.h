/* Ranks beside the one that runs the program: they do their parts of its steps. */
#ifndef SCREE_RUN_RANKS_H
#define SCREE_RUN_RANKS_H

#include "comm/comm.h"

/* How many threads a rank has where nobody says: its share of the machine. 0: there is one rank, and it has all. */
int scr_ranks_threads(void);

#endif
