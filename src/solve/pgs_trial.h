/* A packing to try the solver on, for tests and benchmarks: spheres of two sizes on a jittered lattice, about two
 * contacts each, on a floor, under gravity; one step of 5 ms with the numbers of Servin & Wang 2015. Rows are in
 * spatial order (a Morton curve), contacts in the order of rows. */
#ifndef SCREE_SOLVE_PGS_TRIAL_H
#define SCREE_SOLVE_PGS_TRIAL_H

#include "solve/pgs.h"

/* About `contacts` of them. Bodies, contacts and nothing else belong to the caller: scr_pgs_trial_free. False when
 * memory is exhausted. */
bool scr_pgs_trial_make(scr_pgs_problem *problem, size_t contacts, uint64_t seed);
void scr_pgs_trial_free(scr_pgs_problem *problem);

#endif
