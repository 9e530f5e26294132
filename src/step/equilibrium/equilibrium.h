/* What Newton's method (newton.c) and dynamic relaxation (relaxation.c) share on the way to equilibrium of elastic
 * solids: the part of the load that acts, forces that are left, and motions of the cells.
 *
 * Loads and prescribed supports act with the factor
 *
 *   s x 1           where their signal is constant: it grows with the part s of the load, 0 to 1,
 *   signal(s T)     otherwise, T = time.end, at the ends of load steps; before the first it is 0, so that no load
 *                   is there at once, and within a load step it is linear                            (1)
 *
 * and gravity with s, or as it varies. What is left at a cell is the force of links, loads and gravity in the
 * directions that no support holds; in the others its opposite is the reaction. */
#ifndef SCREE_STEP_EQUILIBRIUM_EQUILIBRIUM_H
#define SCREE_STEP_EQUILIBRIUM_EQUILIBRIUM_H

#include "step/elastic/work.h"
#include "step/equilibrium/solids.h"
#include "step/equilibrium/tangent.h"

/* A state that was found, to go back to and to count the work from. */
typedef struct {
    double *place;    /* 8 per cell: displacement, 0, turn */
    double *swelling; /* eps of cells */
    double *reaction; /* 6 per cell: force and torque of supports */
    double *factor;   /* of loads */
    double *force;    /* left */
    double gravity;   /* factor of it, */
    vec3 pull;        /* and itself, where it varies */
    double left;
} scr_found;

typedef struct {
    const scr_statics_def *def;
    scr_world *world;
    scr_step inner;            /* of its list of walls, for contacts */
    elastic_work *elastic;     /* forces of links and loads */
    elastic_contacts contacts; /* of what touches, which must be nothing */
    scr_tangent tangent;
    double size;     /* of a cell, mean [m]: torques are compared with forces through it */
    double reach;    /* of displacements that mean something: size of the bodies [m] */
    double stiffest; /* link [N/m] */
    double part;     /* of the load, for which an equilibrium was found */
    double gravity;  /* factor of gravity */
    double *support; /* factor of each support */
    double *force;   /* left, of the free motions */
    double *last;    /* the same, one iteration before */
    double *way;     /* of the free motions */
    double *mass;    /* of the free motions, for relaxation */
    double *given;   /* 6 per cell: what is missing to where supports want them */
    double *place;   /* 8 per cell: where a way starts */
    double *reaction;
    scr_found found;
    double left; /* largest of `force` over the largest load or reaction, torques over `size` */
    bool coarse; /* an equilibrium was taken with more left than the tolerance, and it was said */
    scr_statics_report *tell;
    scr_arena arena; /* of the rows above */
} scr_equilibrium;

/* How a search ends. STOPPED: a signal asks the program to end. */
typedef enum { SCR_FOUND, SCR_NOT_FOUND, SCR_NO_ROOM, SCR_STOPPED } scr_search;

/* For the part s of the load. */
void scr_equilibrium_load(scr_equilibrium *e, double part);
/* The largest change of a factor between two parts of one load step. */
double scr_equilibrium_change(const scr_equilibrium *e, double from, double to);
/* Forces at the present state. */
void scr_equilibrium_forces(scr_equilibrium *e);
/* Fills `given`; the largest of it, turns times size [m]. */
double scr_equilibrium_missing(scr_equilibrium *e);
/* From `place` (scr_equilibrium_keep) by `s` times way and given. */
void scr_equilibrium_keep(scr_equilibrium *e);
void scr_equilibrium_move(scr_equilibrium *e, double s);

/* The state is one that was found: here starts the work that is counted next. Back to it. The work since then, into
 * the ledger, loads and supports, by the trapezoidal rule. */
void scr_equilibrium_mark(scr_equilibrium *e);
void scr_equilibrium_return(scr_equilibrium *e);
void scr_equilibrium_book(scr_equilibrium *e);

/* Towards equilibrium from where the cells are. */
scr_search scr_newton(scr_equilibrium *e, bool guarded);
scr_search scr_relaxation(scr_equilibrium *e);

/* The lowest eigenvalue of the tangent against the masses [1/s^2] at the present state, which is an equilibrium; NAN:
 * none was found (stability.c). */
double scr_equilibrium_lowest(scr_equilibrium *e, scree_report *report);

#endif
