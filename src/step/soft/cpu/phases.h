/* The phases of a soft step, for all steppers that move grains: begin (kick and drift), arrive, refresh the list,
 * forces, end (kick). Between outputs, turn is the end of a step and the beginning of the next in one
 * pass over the bodies. */
#ifndef SCREE_STEP_SOFT_CPU_PHASES_H
#define SCREE_STEP_SOFT_CPU_PHASES_H

#include "collide/box.h"
#include "step/soft/cpu/bonds.h"
#include "step/soft/cpu/groups.h"
#include "step/soft/cpu/loops.h"
#include "step/stepper.h"

/* Force and torque on some bodies that come from elsewhere: 8 numbers each, as scr_bodies.load. */
typedef struct {
    size_t count;
    const uint32_t *rows; /* ascending */
    const double *load;
} soft_push;

/* Of a box that deforms (world/box.h): S, and sum F d^T where it is wanted. */
typedef struct {
    double sides[SCR_BOX_PARTS];
    scr_box_sum inner;
} soft_box_sums;

typedef struct soft_work {
    soft_task task;
    const soft_loops *loops;
    soft_bonds bonds;
    soft_groups groups;
    soft_push push; /* of this evaluation; none: all zero */
    bool waiting;   /* ghosts are under way */
    int calm;       /* steps in which no body can leave its slack unless it is jolted */
    int wary;       /* steps in which all are looked at, whatever they do */
    double far;     /* overlap over the smaller radius that none can exceed one in a step that the list lasts for */
    bool fresh;     /* the list is new in this step, or before it */
    bool deep;      /* in this step some overlap may exceed one, on some rank */
    /* buffers, as those of task: */
    soft_box_sums *box_sums; /* one per block, where the box deforms */
    uint32_t *movers;        /* behind task.movers */
    size_t *movers_end;
} soft_work;

/* The neighbour list: of a resumed run as it was, else a new one. `work` is zero. */
scree_status scr_soft_open(scr_step *step, soft_work *work, bool improved, bool lammps, bool resumed,
                           scree_report *report);
void scr_soft_close(soft_work *work);

/* v += dt/2 a, x += dt v; groups follow their motion. */
void scr_soft_begin(scr_step *step, soft_work *work);
/* The clock ticks, walls follow their motion. True when the list is too old. Ghosts are under way: what follows here
 * waits for them where it needs them, others have to ask. */
bool scr_soft_arrive(scr_step *step, soft_work *work);
void scr_soft_await(scr_step *step, soft_work *work);
scree_status scr_soft_refresh(scr_step *step, soft_work *work, scree_report *report);
/* Between two steps: bodies were added, or scr_pairs_are_due. */
scree_status scr_soft_renew(scr_step *step, soft_work *work, scree_report *report);

/* Forces of all contacts and bonds. */
scree_status scr_soft_forces(scr_step *step, soft_work *work, scree_report *report);
/* Adds them up, v += dt/2 a (not when the run opens, with dt = 0), ledger, step->last. SCREE_E_RUN: some overlap is too
 * large. */
scree_status scr_soft_end(scr_step *step, soft_work *work, scree_report *report);

/* After the forces: whether the next step follows at once, without a new list before it, and this one is good. */
bool scr_soft_goes_on(const scr_step *step, soft_work *work);
/* The end of this step and the beginning of the next, in one pass over the bodies: the same bits as one after the
 * other. */
void scr_soft_turn(scr_step *step, soft_work *work);

/* What the last evaluation has added up. */
soft_books scr_soft_books(const soft_work *work);

/* Springs that the first evaluation of a run stretches take nothing from the bodies: what was lost so far stays as it
 * is. To be taken before it, and set after it; what blocks have in excess then is taken off. */
typedef struct {
#define F(loss, NAME) scr_total loss;
    CONTACT_LOSSES(F, F)
#undef F
} soft_losses;
soft_losses scr_soft_losses_of(scr_ledger *ledger);
void scr_soft_losses_set(scr_ledger *ledger, const soft_losses *losses, const soft_work *work);

#endif
