/* What the parts of the elastic stepper share: its scratch. */
#ifndef SCREE_STEP_ELASTIC_WORK_H
#define SCREE_STEP_ELASTIC_WORK_H

#include "exec/cpu/threads.h"
#include "step/elastic/contacts.h"
#include "step/elastic/cut.h"
#include "step/elastic/elastic.h"
#include "step/elastic/fracture.h"
#include "step/elastic/loops.h"
#include "step/soft/cpu/phases.h"

/* Damping: see damping.c. */
typedef struct {
    bool by_mass, by_stiffness;
    double dt;      /* that the factors are made for */
    double *rate;   /* per cell [1/s] */
    double *factor; /* per cell: what is left of its momentum after half a step */
    double *drag;   /* 8 per cell: force, 0, torque, 0 of stiffness damping */
    double *swell;  /* per cell: rate of its change of volume [1/s] */
} elastic_damping;

typedef struct {
    elastic_task task;
    const elastic_loops *loops;
    elastic_damping damping;
    elastic_contacts contacts;
    elastic_fracture fracture;
    elastic_cut cut;
    soft_work soft; /* grains and walls */
    bool has_soft;
    double *lambda;  /* of each solid [Pa] */
    double *factor;  /* of each load: signal at the end of the step, */
    double *before;  /* and at its beginning */
    double *turns;   /* at the start of the step, of cells with some turns held (supports.c) */
    scr_arena arena; /* of all that does not grow */
} elastic_work;

/* Blocks whose cells are moved here, by their index among them; those with links to work on, likewise. */
static inline size_t elastic_own_block(const elastic_work *k, size_t index)
{
    return k->task.plan.own_first + index;
}
static inline size_t elastic_busy_block(const elastic_work *k, size_t index)
{
    return k->task.plan.busy[index];
}
static inline void elastic_each_own(elastic_work *k, scr_work *work)
{
    scr_each(k->task.plan.own_end - k->task.plan.own_first, NULL, work, k);
}
static inline void elastic_each_busy(elastic_work *k, scr_work *work)
{
    scr_each(k->task.plan.busy_count, k->task.plan.busy_links, work, k);
}

/* ---- elastic.c ---- */

/* The scratch of a step: what forces of links and loads need. The caller destroys it, whatever the status. */
scree_status scr_elastic_create(scr_world *world, elastic_work **work, scree_report *report);
void scr_elastic_destroy(elastic_work *work);
/* What the stepper's table does, with work that is the caller's: settle.c has a step of its own around it. */
scree_status scr_elastic_begin(scr_step *s, elastic_work *work, bool resumed, scree_report *report);
scree_status scr_elastic_step(scr_step *s, elastic_work *work, scree_report *report);
/* Between two steps. */
scree_status scr_elastic_renew(scr_step *s, elastic_work *work, scree_report *report);
scree_status scr_elastic_save(scr_step *s, const elastic_work *work, scree_report *report);
scree_status scr_elastic_rows(const scr_step *s, const elastic_work *work, scr_contact_row **rows, size_t *count,
                              scree_report *report);
/* eps, kap, forces and torques of links and loads at the present state, with the factors of loads as they are; then,
 * where task.dt is not zero, the second half kick. */
void scr_elastic_forces(elastic_work *work);

/* ---- loads.c: what loads do to the cells [first, end) ---- */

/* Values of the signals at the present time; those of the step before are kept. */
void scr_elastic_loads_signal(elastic_work *work);
/* Into the sums inside eps. */
void scr_elastic_loads_swell(elastic_work *work, size_t first, size_t end);
/* Forces and torques into the rows of cells. */
void scr_elastic_loads_push(elastic_work *work, size_t first, size_t end);
/* Half a step's work of all loads, with motions and forces as they are now. */
void scr_elastic_loads_work(elastic_work *work, bool begins);

/* ---- supports.c ---- */

/* Where a support has its cells: (2) of world/loads.h for a factor s of its motion. */
typedef struct {
    double shift; /* s */
    quat turn;    /* R */
} elastic_placement;
elastic_placement scr_elastic_place(const scr_support *support, double factor);
vec3 scr_elastic_displacement(const scr_support *support, const elastic_placement *place, vec3 home);

/* The part along held axes that takes from an impulse, or a torque, what would turn a cell about them. */
vec3 scr_elastic_turn_reaction(const scr_cells *cells, size_t k, vec3 impulse);
/* Before the first step: places and velocities as prescribed; the forces of supports, once those of links are there. */
void scr_elastic_supports_begin(scr_world *world);
void scr_elastic_supports_rest(scr_world *world);
/* Scratch; and before the drift: where cells are of which only some turns are held. */
void scr_elastic_supports_open(elastic_work *work);
void scr_elastic_supports_keep(elastic_work *work);
/* After the drift: cells to where their supports are at the end of the step, which has not been ticked yet. */
void scr_elastic_supports_move(elastic_work *work);
/* After the second half kick, with the time at the end of the step. */
void scr_elastic_supports_end(scr_world *world);

/* Half a step against the drag of stiffness damping on held motions, 8 numbers per cell as in elastic_damping. */
void scr_elastic_supports_drag(scr_world *world, const double *drag);

/* ---- damping.c ---- */

/* Scratch, from the arena of the work. */
void scr_elastic_damping_open(elastic_work *work);
/* Half a step of it; what it takes from the kinetic energy goes to the ledger. */
void scr_elastic_damp(elastic_work *work);

/* ---- fracture.c ---- */

/* Scratch, from the arena of the work. */
void scr_elastic_fracture_open(elastic_work *work);
/* After a step: links that are too much strained break. */
scree_status scr_elastic_fracture_step(elastic_work *work, scr_step *step, scree_report *report);
/* Those of them that have a verdict. */
scree_status scr_elastic_fracture_break(elastic_work *work, scr_step *step, scree_report *report);

/* ---- cut.c; nothing happens where there is one rank ---- */

/* Lists are new: which cells of others are needed. */
void scr_elastic_cut_ask(elastic_work *work);
/* These numbers of own cells to the ranks that need them; of all cells to all. */
void scr_elastic_cut_tell(elastic_work *work, elastic_news news);
void scr_elastic_cut_tell_all(const elastic_work *work, elastic_news news);

/* ---- bound.c ---- */

/* The longest stable step [s], INFINITY without links, NAN without memory; which cell limits it, or -1. */
double scr_elastic_bound(const scr_world *world, int64_t *cell);

/* As scr_stepper.limit: of the links, with the scene's parameters. */
double scr_elastic_limit(const scr_step *step, double *advised, char *words, size_t size);

#endif
