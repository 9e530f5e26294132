/* The world: all state of a simulation. Steppers move it, observers read it, checkpoints store it.
 *
 * Everything that a later step depends on is here: nothing of it hides in a stepper, so that a
 * world read back from a checkpoint continues bit for bit. */
#ifndef SCREE_WORLD_WORLD_H
#define SCREE_WORLD_WORLD_H

#include "base/status.h"
#include "kernel/law.h"
#include "math/vec3.h"
#include "shape/face.h"
#include "world/bodies.h"
#include "world/contacts.h"

typedef struct {
    vec3 lower, upper; /* [m] */
    bool periodic[3];
    bool
        delete_escaped; /* a body that leaves through an open side is removed, else the run stops */
} scr_domain;

typedef struct {
    char *name;
    double density, young, poisson; /* [kg/m^3], [Pa], [-]; NAN when unknown */
} scr_material;

typedef struct {
    char *name;
    int material;
    bool frozen;
} scr_group;

typedef struct {
    char *name;
    char *shape; /* as in the scene: plane, box, cylinder, frustum, disc */
    int material;
    vec3 velocity; /* [m/s] */
    vec3 offset; /* how far it has moved since the start [m]; faces are given where the wall is now
                  */
    vec3 anchor; /* offset when the neighbour list was built [m] */
    vec3 force;  /* of the grains on the wall at the end of the last step [N] */
} scr_wall;

/* The energy ledger [J]: sums over the whole run, in the order of steps. What was there at the
 * start plus work done equals what is there now plus what was lost; the difference is the closure
 * error. */
typedef struct {
    double initial;        /* mechanical energy at the start */
    double damping;        /* dissipated by the viscous part of contacts */
    double friction;       /* dissipated by sliding */
    double wall_work;      /* done by moving walls on the bodies */
    double removed;        /* carried away by bodies that left the domain, with their contacts */
    double elastic_normal; /* stored in the contacts now */
    double elastic_tangential;
} scr_ledger;

typedef struct {
    double time;      /* [s]: base_time + (step - base_step) dt, so that it does not drift */
    int64_t step;     /* steps done */
    double dt;        /* [s] */
    double base_time; /* when dt was last changed */
    int64_t base_step;
    int64_t next_id;       /* for the next body that is given one */
    int64_t removed_count; /* bodies that left through an open side */
    /* neighbour list: kept so that a restarted world rebuilds the very same list */
    double skin;      /* [m] */
    int64_t rebuilds; /* so far */
} scr_clock;

typedef struct scr_world {
    scr_domain domain;
    vec3 gravity;
    scr_material *materials;
    int material_count;
    scr_law *laws;       /* material_count squared, symmetric: laws[a * material_count + b] */
    uint64_t law_source; /* digest of the definitions the laws were derived from */
    scr_group *groups;
    int group_count;
    scr_wall *walls;
    int wall_count;
    scr_face *faces; /* of all walls */
    int face_count;

    scr_bodies bodies;
    scr_contacts contacts; /* touching contacts; current only after scr_pairs_save (collide/) */
    scr_ledger ledger;
    scr_clock clock;
} scr_world;

void scr_world_init(scr_world *world);
void scr_world_deinit(scr_world *world);

static inline const scr_law *scr_world_law(const scr_world *w, int a, int b)
{
    return &w->laws[a * w->material_count + b];
}

/* One step later. */
static inline void scr_clock_tick(scr_clock *clock)
{
    clock->step++;
    clock->time = clock->base_time + (double)(clock->step - clock->base_step) * clock->dt;
}

/* Digest of the state in the order of ids: the same for any memory order. Contacts must be current.
 */
uint64_t scr_world_digest(const scr_world *world);

#endif
