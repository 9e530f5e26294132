/* A simulation: a world with its stepper, ready to advance. */
#ifndef SCREE_BUILD_SIMULATION_H
#define SCREE_BUILD_SIMULATION_H

#include "scene/scene.h"
#include "scree/scree.h"
#include "step/stepper.h"

struct scr_ports;
struct scr_pushes;

#define SCR_VIEW_NAME 48

struct scree_simulation {
    const scr_scene *scene;
    scr_world world;
    scr_step step;
    bool resumed;            /* continues a run bit for bit */
    bool adopted;            /* its bodies come from results: resumed, or the start of a new run */
    bool changed;            /* resumed, but the scene says other things than before */
    double closure;          /* of the ledger when the run was stopped [J] */
    struct scr_ports *ports; /* inlets and outlets at work */
    bool opened;             /* the stepper holds resources */
    bool wants_contacts;     /* an observer or the output asks for the forces of contacts */
    bool contacts_known;     /* the stepper can tell them as they are now */
    int list_every;          /* as in scree_simulation_def */
    int threads;             /* likewise: the caller that advances it sets them */

    /* what programs do to it: scree/live.h */
    struct scr_pushes *pushes; /* forces from outside; NULL: none */
    scree_step_calls calls;    /* of each step */
    bool pushed;               /* those of `calls.push` are for bodies where they are now */
    bool edited;               /* views may have been written to: lists and forces must be renewed */
    double edit_closure;       /* of the ledger before that [J] */
    double *members;           /* rows of spheres of clumps before that, of the first `noted` rows */
    size_t noted;
    char (*view_names)[SCR_VIEW_NAME]; /* of views that have other names elsewhere: cells. and more */
};

struct scree_scene {
    scr_scene *scene;
};

/* World, stepper, laws, time step, stage by stage; the stepper is not opened yet. Where the world has a share already
 * (build/divided.h), all ranks do it together. */
scree_status scr_simulation_build(const scr_scene *scene, const scree_simulation_def *def, scree_simulation *simulation,
                                  scree_report *report);

/* Its stage alone, without bodies, laws and a time step: for ranks that get them from another. */
scree_status scr_simulation_stage(const scr_scene *scene, scree_simulation *simulation, scree_report *report);

/* What cannot be done by several ranks, where there are several. */
void scr_check_ranks(const scr_step *step, const scr_scene *scene, scree_report *report);
/* The simulation of the stage that follows the one that `before` has come to the end of, whose world it takes over:
 * `before` is only to be destroyed then. Its stepper is closed, its contacts are saved. */
scree_status scr_simulation_build_next(scree_simulation *before, const scree_simulation_def *def,
                                       scree_simulation *simulation, scree_report *report);
/* Whether the later stages of a scene can be built, as far as that can be known before they begin. */
scree_status scr_stages_try(const scr_scene *scene, const scree_simulation_def *def, scree_report *report);

/* Physics of the scene as built: overlaps at the start, bodies outside, periodic lengths. */
scree_status scr_check_world(scree_simulation *simulation, scree_report *report);

#endif
