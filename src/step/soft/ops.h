/* What the soft stepper does to whole arrays, as a table of coarse operations: an implementation is one such table.
 *
 * Coarse, because the fast ones fuse: the end of a step and the beginning of the next are one pass over the bodies on a
 * CPU and may be one kernel on a device, without synchronisation in between. All implementations leave the same
 * state, to the last bit.
 *
 * The world is the owner of all state between two calls. What an implementation keeps elsewhere while steps run it
 * brings there when it is fetched, and takes what others have changed there when it is pushed. Clock, walls, groups,
 * gravity, flows and what was lost so far are few: the world has them at the end of each call. */
#ifndef SCREE_STEP_SOFT_OPS_H
#define SCREE_STEP_SOFT_OPS_H

#include "step/soft/soft.h"
#include "step/soft/sums.h"

/* Parts of the world. */
typedef enum {
    SOFT_BODIES = 1,   /* all rows of scr_bodies, and the states of bonds */
    SOFT_CONTACTS = 2, /* scr_world.contacts, with their histories */
    SOFT_ENERGIES = 4  /* what the ledger has as stored now, and step->last */
} soft_parts;

/* On a rank of several it is scr_stepper.on_rank, also of steppers that have more than bodies. */
typedef struct scr_rank_ops {
    const char *name;
    bool lazy; /* what it keeps is fetched on demand, not after every call */
    /* Makes the world ready for steps, as scr_stepper.open says. *state is what it keeps; also after a failure, to be
     * closed. */
    scree_status (*open)(scr_step *step, bool resumed, void **state, scree_report *report);
    void (*close)(void *state);
    /* Steps, as scr_stepper.advance says, with new lists on the way. */
    scree_status (*advance)(scr_step *step, void *state, int64_t most, int64_t *done, scree_report *report);
    /* A new list between two steps: bodies were added to the world, or some are to leave. */
    scree_status (*renew)(scr_step *step, void *state, scree_report *report);
    /* These parts into the world, or from there; push NULL: it looks there itself. */
    scree_status (*fetch)(scr_step *step, void *state, unsigned parts, scree_report *report);
    scree_status (*push)(scr_step *step, void *state, unsigned parts, scree_report *report);
    /* The contacts of the last step with their forces, as scr_stepper.contacts says. */
    scree_status (*contacts)(scr_step *step, void *state, scr_contact_row **rows, size_t *count, scree_report *report);
    /* Of an implementation that can work on a part of a divided world (ranks.h): the sums of its blocks of bodies; */
    soft_books (*books)(const void *state);
    /* and what all ranks have beside bodies, contacts of bodies and books of these, into the whole: the world of step
     * `whole` on rank 0, elsewhere NULL. `evaluated`: steps were done. NULL: there is nothing else. */
    void (*gather)(const scr_step *part, void *state, unsigned parts, bool evaluated, scr_step *whole);
    /* Energies of all bodies, as scr_world_energies has them, without their rows; NULL: they are fetched. */
    scree_status (*energies)(scr_step *step, void *state, double sums[3], scree_report *report);
} soft_ops;

/* `gpu` without CUDA has no functions, and is never chosen. */
extern const soft_ops scr_soft_cpu, scr_soft_cuda;
extern const soft_ops scr_soft_ranks; /* where there are several ranks */
/* scr_stepper.everywhere, of worlds that it divides. */
scree_status scr_soft_everywhere(scr_step *step, void *state, const void *order, size_t bytes, unsigned needs,
                                 void *result, scree_report *report);
/* What of the world a GPU cannot do, in words; NULL: nothing. */
const char *scr_soft_cuda_lacks(const scr_step *step);

#endif
