/* A simulation at work, for programs that look into it and change it between two steps: views of its arrays, setters,
 * forces from outside, calls before and after each step, grains that come and go, walls, observers, contacts,
 * checkpoints.
 *
 * All that happens here happens between two calls of scree_simulation_advance, or in the calls that a step makes
 * (scree_simulation_on_step). One thread at a time for each simulation. */
#ifndef SCREE_LIVE_H
#define SCREE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scree/status.h"

#include "scree/begin.h"

typedef struct scree_simulation scree_simulation;

/* ---- time ---- */

typedef struct {
    double time, dt; /* [s] */
    int64_t step;
} scree_clock;
/* What costs nothing to know: scree_simulation_stats counts contacts. */
scree_clock scree_simulation_clock(const scree_simulation *simulation);

/* Steps until the clock has reached `time` [s], and none where it has: the first step at or beyond it. */
scree_status scree_simulation_advance_until(scree_simulation *simulation, double time, scree_report *report);
/* How many steps that would be. */
int64_t scree_simulation_steps_until(const scree_simulation *simulation, double time);
/* When the scene ends, and how far apart its frames are [s]. */
double scree_simulation_end(const scree_simulation *simulation);
double scree_simulation_every(const scree_simulation *simulation);

/* ---- views ---- */

typedef enum { SCREE_F64, SCREE_I64, SCREE_I32, SCREE_U8 } scree_scalar;

/* What may be done with a view. */
enum {
    SCREE_VIEW_WRITABLE = 1, /* after scree_simulation_edit */
    SCREE_VIEW_COPIED = 2    /* computed when asked for: there is no array; read it with scree_simulation_read */
};

/* A window on an array of the simulation: `rows` rows of `width` numbers. */
typedef struct {
    const char *name, *unit, *doc;
    scree_scalar type;
    int width;        /* numbers of a row, one behind the other */
    int64_t rows;     /* bodies, or cells of elastic solids where the name begins with `cells.` */
    ptrdiff_t stride; /* bytes from a row to the next */
    unsigned flags;
    void *data; /* the first number of the first row; NULL: SCREE_VIEW_COPIED, or no rows */
} scree_view;

/* All views there are, by number and by name (docs/format.md has the names). No copy is made. Rows are in the order of
 * memory, which changes while steps run: the view `id` identifies the body of a row, and as long as
 * scree_simulation_row_version stays the same no row has moved. A pointer can be read as long as the simulation lives,
 * whatever happens; but it shows what is there now only until the version changes. */
int scree_simulation_view_count(const scree_simulation *simulation);
scree_view scree_simulation_view(scree_simulation *simulation, int number);
scree_status scree_simulation_view_find(scree_simulation *simulation, const char *name, scree_view *view,
                                        scree_report *report);
uint64_t scree_simulation_row_version(const scree_simulation *simulation);

/* To be called before writing through views that are SCREE_VIEW_WRITABLE: position, velocity, spin, radius and mass of
 * grains (of which inverse masses and moments of inertia follow). Writing without this call corrupts the run.
 * The next advance, digest, observe, contacts or write first renews what follows from them: neighbour lists and forces
 * at the present time; histories of contacts that still touch are kept. Energy that the change brought is booked as
 * `inserted`. Spheres of clumps move with their clump alone: what is written to one is refused when that is renewed.
 * Not with reduction: on, and not in statics. */
scree_status scree_simulation_edit(scree_simulation *simulation, scree_report *report);
/* Renews at once, and checks what was written: numbers must be finite, radii and masses positive, grains within the
 * domain. SCREE_E_INPUT: they are not, and must be mended first. Nothing to do without an edit. */
scree_status scree_simulation_renew(scree_simulation *simulation, scree_report *report);

/* ---- forces from outside ---- */

/* From now on these forces [N] and torques [N m] act on these grains, three numbers each, in every step and beside all
 * others, until they are set anew; ids are those of grains that are there, torques may be NULL. A count of 0 ends it.
 * They act as half a kick before and after each step, which makes a velocity-Verlet step of them; with the integrator
 * nonsmooth over the whole step, beside gravity, and a sphere of a clump hands its force on to the clump. Their work is
 * booked as `load_work`. They are not part of checkpoints. Grains that leave take their forces with them. Not with
 * reduction: on, and not in statics. */
scree_status scree_simulation_push(scree_simulation *simulation, const int64_t *ids, const double *forces,
                                   const double *torques, int64_t count, scree_report *report);
/* The same with a force for each row, in the order of memory: forces of views' rows without a search. */
scree_status scree_simulation_push_rows(scree_simulation *simulation, const double *forces, const double *torques,
                                        int64_t rows, scree_report *report);

/* ---- calls of each step ---- */

/* What is not SCREE_OK ends the advance and is its status. */
typedef scree_status scree_step_call(void *context, scree_simulation *simulation, scree_report *report);

/* Each may be NULL. None may advance. */
typedef struct {
    /* Before a step and after it: they may read, edit, push, insert and remove. */
    scree_step_call *before, *after;
    /* External forces, set anew for the present positions of bodies. It is called before the first step, and in each
     * step when bodies are at their new positions, before its last half kick: forces that depend on them are then
     * integrated to second order. It may read and push. */
    scree_step_call *push;
    void *context; /* for all of them */
} scree_step_calls;

/* From now on, copied; NULL: none. Steps are then done one by one. */
void scree_simulation_on_step(scree_simulation *simulation, const scree_step_calls *calls);

/* ---- grains that come and go ---- */

typedef struct {
    int group;          /* as in scree_simulation_group; gives the material */
    double position[3]; /* [m] */
    double radius;      /* [m] */
    double velocity[3]; /* [m/s] */
    double spin[3];     /* [rad/s] */
    double density;     /* [kg/m^3]; NAN: the material's */
} scree_grain;

/* Grains at the end of the tables; ids gets their numbers and may be NULL. Their energy is booked as `inserted`.
 * A group of clumps gets clumps, each around a position with the radius of the sphere around it; ids has the first
 * sphere of each, the others follow it. */
scree_status scree_simulation_insert(scree_simulation *simulation, const scree_grain *grains, int64_t count,
                                     int64_t *ids, scree_report *report);
/* Takes grains out, with their contacts and bonds. Their energy is booked as `removed`. Of a clump all spheres or
 * none. */
scree_status scree_simulation_remove(scree_simulation *simulation, const int64_t *ids, int64_t count,
                                     scree_report *report);

/* Names of the groups of bodies and of the materials, by the numbers that views have; NULL beyond the last. */
const char *scree_simulation_group(const scree_simulation *simulation, int group);
const char *scree_simulation_material(const scree_simulation *simulation, int material);

/* ---- walls ---- */

typedef struct {
    const char *name, *shape, *material;
    double position[3];               /* of its reference point [m] */
    double velocity[3], spin[3];      /* of that point, and about it [m/s, rad/s] */
    double force[3], torque[3];       /* of the grains on the wall, about that point [N, N m] */
    bool active;                      /* it is there */
    bool servo;                       /* it follows a force: */
    double target, measured, travel;  /* the force it shall feel and feels along its axis [N]; how far it went [m] */
    double own_velocity[3], own_rate; /* as set below or in the scene [m/s, rad/s] */
} scree_wall;

/* By number, in the order of the scene. */
int scree_simulation_wall_count(const scree_simulation *simulation);
scree_wall scree_simulation_wall(const scree_simulation *simulation, int wall);
/* The number of a wall of this name, -1: there is none. */
int scree_simulation_wall_find(const scree_simulation *simulation, const char *name);
/* From now on it moves on from where it is: with another velocity [m/s], turning at another rate about the axis that
 * the scene gives it [rad/s], towards another target of its servo [N]. Walls that a part carries cannot be set. */
scree_status scree_simulation_wall_velocity(scree_simulation *simulation, int wall, const double velocity[3],
                                            scree_report *report);
scree_status scree_simulation_wall_rate(scree_simulation *simulation, int wall, double rate, scree_report *report);
scree_status scree_simulation_wall_target(scree_simulation *simulation, int wall, double target, scree_report *report);

/* ---- contacts ---- */

/* A contact of a grain after the last step. */
typedef struct {
    int64_t first, second; /* ids, of two grains the smaller first; second is 0 for a wall, of a solid the cell */
    int64_t wall;          /* number of the wall; -1: two grains; -2, -3, ...: an elastic solid */
    double point[3];       /* where they touch: in the middle of the overlap [m] */
    double normal[3];      /* unit vector from the second to the first */
    double branch[3];      /* from the centre of the second (a wall: from the point) to that of the first [m] */
    double force[3];       /* on the first [N] */
    double couple[3];      /* torque of rolling and twisting on the first [N m] */
    double overlap;        /* [m] */
    double dissipated;     /* energy lost in this contact since it began, where the scene asks for it [J] */
} scree_contact;

/* All of them in the order of ids; the caller frees *contacts. They are kept from the last step of an advance where
 * scree_simulation_def.contacts is set or an observer needs them. */
scree_status scree_simulation_contacts(scree_simulation *simulation, scree_contact **contacts, int64_t *count,
                                       scree_report *report);

/* ---- observers ---- */

typedef struct {
    char name[64], unit[32];
    int width; /* 1, or the number of bins */
} scree_column;

/* Names and types of the observers: those of the scene, the ledger, and of integrators that report the solver; NULL
 * beyond the last. */
const char *scree_simulation_observer(const scree_simulation *simulation, int number, const char **type);
/* The columns of one, for scree_simulation_observe; the caller frees *columns. */
scree_status scree_simulation_columns(scree_simulation *simulation, const char *observer, scree_column **columns,
                                      int *count, scree_report *report);

/* ---- checkpoints ---- */

/* The state as a results file with one frame and one checkpoint, for scree_simulation_def.resume and .from. One rule
 * for all files: see outputs in scree/scree.h. */
scree_status scree_simulation_write(scree_simulation *simulation, const char *path, bool force, scree_report *report);

#include "scree/end.h"

#endif
