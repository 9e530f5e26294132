/* Steppers: each is one table. A stepper owns its whole step() and calls shared phases (collide/);
 * all state is in the world, what it keeps in `work` is scratch. */
#ifndef SCREE_STEP_STEPPER_H
#define SCREE_STEP_STEPPER_H

#include "collide/pairs.h"
#include "scene/scene.h"
#include "scree/scree.h"
#include "world/world.h"

typedef scree_statics scr_statics_report;

/* What the last step found; part of the run's output. */
typedef struct {
    int64_t contacts;     /* that touch; where they are solved for: that carry something */
    int64_t candidates;   /* where they are solved for: all that were, those of aggregates too */
    bool unfinished;      /* it failed half-way: the world is that of no moment */
    double worst_overlap; /* largest overlap over the smaller radius */
    /* of steppers that solve for their contacts */
    int64_t sweeps;                    /* of the last step, impacts not counted */
    double residual;                   /* [m/s] that the last sweep left; of an implicit step: relative to its forces */
    int64_t inner, halvings, substeps; /* of an implicit step, whose sweeps are those of Newton's method: iterations of
                                       conjugate gradients, halvings, and sub-steps done */
    /* of the reduction to aggregates; what adds up over steps is in world->tally */
    int64_t merged;     /* grains that are part of an aggregate */
    int64_t aggregates; /* kinematic and free ones */
    int64_t solved;     /* contacts that were solved for */
    scr_statics_report statics;
} scr_step_report;

/* A contact of a grain as observers see it, at the end of the last step. Those between cells, and of cells with walls,
 * are in world->cell_contacts only; the forces on walls have them. */
typedef struct {
    int32_t body[2]; /* rows of scr_bodies; the second is -1 - face for a wall's face, and scr_row_cell for a cell */
    vec3 point;      /* where they touch: in the middle of the overlap */
    vec3 normal;     /* unit, from the second to the first */
    vec3 branch;     /* from the second centre (a wall: from `point`) to the first */
    vec3 force;      /* on the first */
    vec3 couple;     /* torque of rolling and twisting on the first */
    double overlap;  /* [m] */
    double spent;    /* energy dissipated in this contact since it began [J] */
} scr_contact_row;

/* A cell of an elastic solid as the second of a contact: numbers beyond those of faces. */
static inline int32_t scr_row_cell(const scr_world *w, int32_t cell)
{
    return -1 - w->face_count - cell;
}
/* The cell of such a number, or -1. */
static inline int32_t scr_cell_of_row(const scr_world *w, int32_t second)
{
    return second < -w->face_count ? -1 - w->face_count - second : -1;
}

/* Where the time goes [s], since the stepper was opened. */
typedef struct {
    double integrate, neighbours, forces;
} scr_step_times;

/* How evenly ranks share the work, when it was last looked at: what the fullest of them has, over the mean. */
typedef struct {
    int64_t ranks;       /* 0: not known */
    double pairs, worst; /* pairs of the neighbour list, walls too; and at worst since the world was divided */
    double cost;         /* bodies and contacts */
} scr_ranks_balance;

struct scr_stepper;
struct scr_rank_ops;
struct scr_share;

/* The part of a rank, for output of divided worlds without the whole (scr_step.rank_work). */
typedef struct {
    const scr_world *world; /* own bodies between ghosts */
    struct scr_share *share;
    const scr_contact_row *rows; /* contacts of the last step that are this rank's; where they are needed */
    size_t row_count;
} scr_rank_view;
/* On all ranks at once, with the same order; `result` is rank 0's, NULL elsewhere. */
typedef scree_status scr_rank_work(const scr_rank_view *part, const void *order, void *result, scree_report *report);
typedef enum {
    SCR_NEED_ROWS = 1,    /* contacts with their forces */
    SCR_NEED_HISTORY = 2, /* contacts of the part with their histories */
    SCR_NEED_REST = 4     /* rank 0's world is up to date but for bodies and their contacts */
} scr_rank_needs;

/* How a step deals with contacts. */
typedef enum {
    SCR_CONTACTS_RESOLVED, /* springs: the step is short against the shortest contact */
    SCR_CONTACTS_IMPLICIT, /* springs with all their numbers, in steps of any length */
    SCR_CONTACTS_SOLVED /* constraints that it solves for: springs beside the normal one have no meaning, and all that
                              limits the step is how far grains get in it */
} scr_contact_treatment;

/* What the run wants to know of a stepper with its parameters. In statics they begin as those of the scene's own
 * stepper: laws are the same, so that a run can go on from a state of rest. */
typedef struct {
    scr_contact_treatment contacts;
    bool lists;         /* finds contacts by a neighbour list that serves for several steps (scr_world_lists) */
    double skin;        /* ... of this skin [m]; NAN: to be chosen */
    int substeps;       /* of a step, each with its own detection of contacts */
    bool pulls;         /* contacts may pull while they part, whatever the scene says */
    bool keeps;         /* slip: damper, whatever the scene says */
    bool traps;         /* small grains between large ones, above a ratio of sizes (Vyas et al. 2025) */
    int resolves;       /* implicit: steps that a contact should take; 0: it need not be resolved */
    double least, most; /* implicit: bounds of the step [s]; most 0 or NAN: it is chosen */
    bool reduces;       /* grains may become part of aggregates */
    bool moves_solids;  /* elastic solids: cells and links */
    /* Runs on with overlaps up to the radius, as fast grains make them in long steps. */
    bool holds_deep;
    /* Has contacts between groups that nothing can push, of which one moves as prescribed. */
    bool held_pairs;
    bool gpu;           /* there are steps of it for a GPU */
    int ports_every;    /* steps between two looks at inlets and outlets */
    bool rows_ready;    /* rows of bodies are up to date after each step, without catch_up */
    bool load_steps;    /* a step is a load step and finds a state of rest; there is a frame of each */
    bool moves_to_rest; /* ... by motion, whose own step is scr_step.inner_dt */
    bool ranks;         /* its world can be divided among ranks */
    bool deforms;       /* has periodic boxes that deform */
    char words[96];     /* a few words about how it steps */
} scr_stepper_traits;

/* Where steps are computed. `auto`: on a GPU where there is one, it can do the scene, and is faster. */
typedef enum { SCR_DEVICE_AUTO, SCR_DEVICE_CPU, SCR_DEVICE_GPU } scr_device_kind;
typedef struct {
    bool given;  /* else as the stepper's parameters say */
    int kind;    /* scr_device_kind */
    int number;  /* of the GPU */
    bool on_gpu; /* what was chosen; after open */
} scr_device_choice;

typedef struct {
    const struct scr_stepper *stepper;
    const void *def;           /* the stepper's parameters */
    const void *scene_def;     /* those of the scene's own stepper: the same, but in statics */
    scr_stepper_traits traits; /* of the stepper with these parameters */
    scr_world *world;
    scr_pairs pairs;
    bool no_ledger;  /* leave energies out: only to measure what they cost */
    bool keep_spent; /* energy dissipated per contact is asked for; before open */
    bool auto_step;  /* the time step was left to us; before open */
    /* where there are several ranks, the world of this scene is divided among them; NULL: it stays here; before open */
    const scr_scene *divide;
    scr_rank_work *rank_work;  /* what ranks do for output; before open */
    scr_device_choice device;  /* before open */
    double inner_dt;           /* statics that moves: the time step within a load step [s]; before open */
    struct scr_pushes *pushes; /* forces from outside, where contacts are solved for: elsewhere they are kicks
                                * (run/push.h); NULL: none */
    bool want_contacts;        /* the next step shall keep the forces of its contacts for `contacts` */
    scr_step_report last;
    scr_ranks_balance balance;
    scr_step_times times;
    void *work;
} scr_step;

/* A number that a stepper reports: a member of scree_stats. */
typedef struct {
    const char *name, *unit, *doc;
    scr_scalar type; /* SCR_U8: bool */
    size_t offset;
    bool column; /* of the observer `solver` too */
} scr_reported;

/* A line of text about them and the numbers of steps, bodies and cells, said where all that `when` names are above
 * zero, or !NAME at or below: "NAME&!OTHER"; "": always. {NAME} stands for a number, {NAME:.3g} for one in the format
 * %.3g, {NAME%:.3g} for a hundred times that, {NAME/1e6:.3g} for a millionth. */
typedef struct {
    const char *when, *text;
} scr_report_line;

typedef struct scr_stepper {
    scr_variant variant; /* name, doc, parameters */
    /* Fills in the traits; those that it leaves are as they were. */
    void (*traits)(const void *def, scr_stepper_traits *traits);
    /* Whether another stepper is to take its place, as the world turned out to be; NULL: never. */
    const struct scr_stepper *(*instead)(const void *def, const scr_world *world);
    /* What the scene asks for and this stepper cannot do (errors) or does not use (a warning); NULL: nothing. */
    void (*check)(const scr_scene *scene, const scr_item *item, scree_report *report);
    /* The word of the law between materials a and b that this stepper cannot have, and *why with what to do instead;
     * none: NULL. NULL: it has all. */
    const scr_law_word *(*refuses)(const scr_world *world, int a, int b, const char **why);
    /* What of the world it cannot do, when that is built; NULL: nothing. */
    scree_status (*check_world)(const scr_world *world, const scr_scene *scene, scree_report *report);
    /* The longest step that is stable for what this stepper alone knows of [s], INFINITY: any; the one to take where
     * nothing else limits it; and what limits it, in words. NULL: only contacts and bonds do. */
    double (*limit)(const scr_step *step, double *advised, char *words, size_t size);
    /* How it divides a step of this length, given or `chosen`, in words; false: it does not. NULL: never. */
    bool (*adapts)(const void *def, double dt, bool chosen, char *words, size_t size);
    /* Makes the world ready for step(): neighbour list, forces at the present time. A resumed world
     * has its forces and anchors already and continues bit for bit. */
    scree_status (*open)(scr_step *step, bool resumed, scree_report *report);
    /* One step. The caller counts the passages through planes after it (scr_step_advance does), if it did not. */
    scree_status (*step)(scr_step *step, scree_report *report);
    /* Up to `most` steps without output, each with the passages through planes that it brings (scr_flows_update),
     * as if they were done one by one; the last one keeps forces of contacts where they are wanted. *done are those
     * that were begun: all of them, or up to the one that failed. NULL: one step after the other. */
    scree_status (*advance)(scr_step *step, int64_t most, int64_t *done, scree_report *report);
    /* Between two steps: bodies were added at the end of the table, or some are to leave. */
    scree_status (*renew)(scr_step *step, scree_report *report);
    /* Between two steps: velocities and spins in the world were changed by others. NULL: it looks there itself. */
    scree_status (*kicked)(scr_step *step, scree_report *report);
    /* Everything that a checkpoint needs and that lives elsewhere while steps run (contacts with their
     * history) into the world. Changes nothing for the steps to come. */
    scree_status (*save)(scr_step *step, scree_report *report);
    /* Before output: what costs time and no step depends on is brought up to date. NULL: nothing. */
    void (*catch_up)(scr_step *step);
    /* The same for the ledger and the report alone, with the energies of translation, rotation and gravity of all
     * bodies; false: all must be brought up to date. NULL: always so. */
    bool (*sum_up)(scr_step *step, double sums[3]);
    /* Counts the contacts of the last step into the report, where the step itself does not; may be NULL. */
    void (*count)(scr_step *step);
    /* What it reports of its steps, and how a run says it at its end; both end with a NULL name. `report` fills in what
     * is beyond contacts and statics. NULL: nothing. */
    const scr_reported *reports;
    const scr_report_line *lines;
    void (*report)(const scr_step *step, scree_stats *stats);
    /* At the end of a run: warnings about what its steps have found. NULL: none. */
    void (*judge)(const scr_step *step, scree_report *report);
    void (*close)(scr_step *step);
    /* The contacts of the last step, which `want_contacts` was set for (or open). The caller frees
     * *rows with scr_memory_free. */
    scree_status (*contacts)(scr_step *step, scr_contact_row **rows, size_t *count, scree_report *report);
    /* Where the world is divided among ranks: all of them do `rank_work` with this order, of so many bytes. NULL: it
     * is never divided. */
    scree_status (*everywhere)(scr_step *step, const void *order, size_t bytes, unsigned needs, void *result,
                               scree_report *report);
    /* What it does on a rank of several with its part of the world, for whoever divides it; NULL: it is never
     * divided. */
    const struct scr_rank_ops *on_rank;
    /* Whether some outlet would take some body now, where it knows who can have come there; NULL: all are looked at. */
    bool (*leaves)(scr_step *step);
    /* Rows of bodies that may reach into a box, and perhaps others, each once, into `rows`, which has room for all;
     * false: it does not know. NULL: never. */
    bool (*near)(const scr_step *step, vec3 low, vec3 high, uint32_t *rows, size_t *count);
} scr_stepper;

extern const scr_stepper *const scr_steppers[]; /* that a scene can name; ends with NULL */

/* The stepper that a scene asks for, or the one that finds its states of rest: with parameters, traits and a report. */
scr_step scr_step_choose(const scr_scene *scene, bool statics);
/* The world is there, without its bodies: the stepper may hand over to another, which then checks the scene. */
void scr_step_meet(scr_step *step, const scr_scene *scene, scree_report *report);

/* Before the world is read or changed: it is as the last step left it. */
void scr_step_catch_up(scr_step *step);
/* Whether some outlet would take some body now. */
bool scr_step_leaves(scr_step *step);
/* Energies as the last step left them; of the world only the ledger, and the report, are up to date then. */
scree_energies scr_step_energies(scr_step *step);
/* Whether the world is divided among several machines: frames and checkpoints are in pieces then; do not ask
 * for all bodies without need. */
bool scr_step_is_divided(const scr_step *step);
/* Steps as scr_stepper.advance says, by the stepper's own means or one after the other. */
scree_status scr_step_advance(scr_step *step, int64_t most, int64_t *done, scree_report *report);
scree_status scr_step_each(scr_step *step, int64_t most, int64_t *done, scree_report *report);

#endif
