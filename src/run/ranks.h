/* Ranks beside the one that runs the program: they do their parts of its steps. */
#ifndef SCREE_RUN_RANKS_H
#define SCREE_RUN_RANKS_H

#include "build/simulation.h"
#include "comm/comm.h"

/* How many threads a rank has by default: its share of the machine. 0: there is one rank, and it has all. */
int scr_ranks_threads(void);

/* Before a simulation is prepared: where several ranks can make it, all ranks begin with it, and its world has a share.
 * Where there are ranks and it cannot, that is said. */
void scr_ranks_start(const scr_scene *scene, const scree_simulation_def *def, scree_simulation *simulation);

#endif
