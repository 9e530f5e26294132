/* Division of work, made once when the stepper opens: cells in blocks of SCR_BLOCK rows, the links of a block (those
 * whose first cell is in it) in runs that belong to one solid, and the halo. A link adds to its second cell's row where
 * that is in the same block, else to a slot of its own block; after a barrier each block collects the slots that are
 * meant for its cells, in the order of slots. So each sum has one order, whatever the number of threads.
 *
 * On a rank of several (comm/share.h) the links of its own blocks are worked on, and those of others that lead to its
 * own cells: slots that these collect are complete. Foreign rows have anything in them until they are told. */
#ifndef SCREE_STEP_ELASTIC_PLAN_H
#define SCREE_STEP_ELASTIC_PLAN_H

#include "base/arena.h"
#include "collide/pairs.h"
#include "scree/status.h"
#include "world/world.h"

/* Links [first, end) of one solid and block. */
typedef struct {
    uint32_t first, end;
    int32_t solid;
    double lambda; /* of the solid's material [Pa] */
} elastic_run;

typedef struct {
    size_t block_count;
    size_t own_first, own_end;   /* blocks whose cells are moved here: all */
    uint32_t *busy, *busy_links; /* blocks with links to work on; running sums of what they cost */
    size_t busy_count;
    uint32_t *block_links;               /* block_count + 1: the links of a block, also what it costs */
    uint32_t *block_runs;                /* block_count + 1 */
    elastic_run *runs;                   /* of links that hold */
    bool *block_round;                   /* all cells have axes of one: no need to turn to them */
    uint32_t *sink;                      /* of each link: row of the second cell, or number of cells + slot */
    uint32_t *slot_cell;                 /* cell of each slot */
    uint32_t *block_slots, *block_inbox; /* block_count + 1: slots that it fills, that it collects */
    uint32_t *inbox;                     /* slots by collecting block */
    size_t slot_count;
    double *halo;        /* 8 per slot: force, 0, torque, 0 */
    double *halo_strain; /* 2 per slot: sums for eps and kap */
    scr_arena arena;     /* all but the runs */
} elastic_plan;

scree_status scr_elastic_plan_build(elastic_plan *plan, const scr_world *world, scree_report *report);
/* Runs anew, after links have broken; false when memory is exhausted. */
bool scr_elastic_plan_renew(elastic_plan *plan, const scr_world *world);
void scr_elastic_plan_deinit(elastic_plan *plan);

#endif
