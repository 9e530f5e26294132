/* The world: all state of a simulation. Steppers move it, observers read it, checkpoints store it.
 *
 * Everything that a later step depends on is here: nothing of it hides in a stepper, so that a
 * world read back from a checkpoint continues bit for bit. */
#ifndef SCREE_WORLD_WORLD_H
#define SCREE_WORLD_WORLD_H

#include "base/status.h"
#include "kernel/law.h"
#include "math/total.h"
#include "math/vec3.h"
#include "scree/energies.h"
#include "world/blocks.h"
#include "world/bodies.h"
#include "world/bonds.h"
#include "world/box.h"
#include "world/cell_contacts.h"
#include "world/cells.h"
#include "world/contacts.h"
#include "world/drive.h"
#include "world/flow.h"
#include "world/gravity.h"
#include "world/joint.h"
#include "world/loads.h"
#include "world/ports.h"
#include "world/receiver.h"
#include "world/resolved.h"
#include "world/rigids.h"
#include "world/stages.h"
#include "world/wall.h"

typedef struct {
    vec3 lower, upper; /* [m] */
    bool periodic[3];
    bool delete_escaped; /* a body that leaves through an open side is removed, else the run stops */
    scr_box box;         /* of a domain that deforms */
} scr_domain;

typedef struct {
    char *name;
    double density, young, poisson; /* [kg/m^3], [Pa], [-]; NAN when unknown */
} scr_material;

typedef struct {
    char *name;
    int material;
    bool frozen;
    scr_drive drive; /* how it moves as prescribed, if it does */
} scr_group;

/* Whether nothing can push the bodies of a group: they have no inverse mass and no energy. */
static inline bool scr_group_held(const scr_group *group)
{
    return group->frozen || group->drive.moves;
}

/* The energy ledger [J]: sums over the whole run and what is stored now (scree/energies.h); F(name, ...). What was
 * there at the start plus work done equals what is there now plus what was lost; the difference is the closure error.
 *
 * An account is a double plus a total. What blocks, bodies and contacts of soft and elastic steps lose is added to the
 * total, `booked.NAME`: it has no order, and ranks, each with a part of it, come to the same bits. Integrators of one
 * rank, and what happens to the whole world between two steps, may add to the double. */
#define SCR_LEDGER_NUMBERS(F)                                                            \
    F(initial, "mechanical energy at the start")                                         \
    SCREE_LOSS_ACCOUNTS(F)                                                               \
    F(excess_damping, "to be added to damping, as things are now; see kernel/contact.h") \
    F(excess_rolling, "to be added to rolling")                                          \
    SCREE_WORK_ACCOUNTS(F)                                                               \
    SCREE_ELASTIC_ACCOUNTS(F)                                                            \
    F(frozen, "of elastic_normal, in contacts within aggregates")

/* Time, and what a restarted world needs to rebuild the very same neighbour list. */
#define SCR_CLOCK_NUMBERS(F)                                                                      \
    F(time, double)            /* [s]: base_time + (step - base_step) dt, which does not drift */ \
    F(step, int64_t)           /* steps done */                                                   \
    F(dt, double)              /* [s] */                                                          \
    F(base_time, double)       /* [s] when dt was last changed */                                 \
    F(base_step, int64_t)      /* step when dt was last changed */                                \
    F(next_id, int64_t)        /* for the next body that is given one */                          \
    F(removed_count, int64_t)  /* bodies that left through an open side */                        \
    F(broken_tension, int64_t) /* bonds broken by tension so far */                               \
    F(broken_shear, int64_t)   /* bonds broken by shear so far */                                 \
    F(skin, double)            /* of the neighbour list [m]; 0: see scr_world_lists */            \
    F(listed, double)          /* [s] when the neighbour list was built */                        \
    F(horizon, double)         /* [s] how long it can serve at most */                            \
    F(rebuilds, int64_t)       /* of the neighbour list so far */                                 \
    F(curve, double) /* [m] cells of the curve that rows follow: the smallest diameter that the scene allows */

/* What steppers that solve for their contacts have done since the run began; and what of it was before the last
 * row of the observer `solver`, so that the next row counts from there. */
#define SCR_TALLY_NUMBERS(F)                                                                    \
    F(unconverged, int64_t)   /* steps whose residual was too large */                          \
    F(worst_residual, double) /* of all steps [m/s] */                                          \
    F(halvings, int64_t)      /* of implicit steps that did not converge */                     \
    F(rejected, int64_t)      /* of implicit steps in which grains got too far */               \
    F(parts, int64_t)         /* implicit steps, those that a step was divided into counted */  \
    F(part_sum, double)       /* of their lengths [s] */                                        \
    F(part_least, double)     /* the shortest [s] */                                            \
    F(part_most, double)      /* the longest [s] */                                             \
    F(strongest, double)      /* force of a contact or bond in the last of them [N] */          \
    F(merges, int64_t)        /* grains merged into aggregates */                               \
    F(splits, int64_t)        /* grains split off */                                            \
    F(solved_sweeps, double)  /* contacts times sweeps that were done, trial solves too */      \
    F(all_sweeps, double)     /* what they would have been without reduction */                 \
    F(boost, int64_t)         /* sweeps are multiplied by 2 to this power */                    \
    F(calm, int64_t)          /* looks since that was changed at which all was well */          \
    F(fed, int64_t)           /* 1: at the last look losses had become less */                  \
    F(lost, double)           /* energy lost up to the last look [J] */                         \
    F(arrived, double)        /* energy of overlaps that were there when they were found [J] */ \
    F(unforeseen, double)     /* energy of overlaps that nothing has paid for [J] */            \
    F(unsolved, double)       /* energy of rows that sweeps have not solved [J] */              \
    F(halted, double)         /* what grains that merge would have got by falling [J] */        \
    F(doubled, int64_t)       /* how often that was raised, */                                  \
    F(halved, int64_t)        /* and lowered */                                                 \
    F(swept_steps, int64_t)   /* steps in which there were sweeps, */                           \
    F(step_sweeps, int64_t)   /* the sweeps of all of them, impacts not counted, */             \
    F(most_sweeps, int64_t)   /* and the most in one step */                                    \
    F(deepest, double)        /* overlap of all steps, over the smaller diameter, */            \
    F(deepest_time, double)   /* when it was found [s], */                                      \
    F(deepest_kind, int64_t)  /* and why it was there: scr_depth */                             \
    F(mark_time, double)      /* of the last row [s] */                                         \
    F(mark_merges, int64_t)                                                                     \
    F(mark_splits, int64_t)                                                                     \
    F(mark_solved_sweeps, double)                                                               \
    F(mark_all_sweeps, double)

/* Why a contact that is solved for overlaps: it was found late, a spring of its stiffness would under its force, or
 * sweeps ended too early. */
typedef enum { SCR_DEPTH_LATE, SCR_DEPTH_SOFT, SCR_DEPTH_LEFT } scr_depth;

#define F(member, ...) double member;
typedef struct {
    SCR_LEDGER_NUMBERS(F)
#undef F
#define F(member, ...) scr_total member;
    struct {
        SCREE_LOSS_ACCOUNTS(F)
        SCREE_WORK_ACCOUNTS(F)
    } booked;
} scr_ledger;
#undef F
#define F(...) +1
enum { SCR_BOOKED = SCREE_LOSS_ACCOUNTS(F) SCREE_WORK_ACCOUNTS(F) };
#undef F
/* A lost or work account, as it stands. */
#define SCR_ACCOUNT(ledger, name) ((ledger)->name + scr_total_value(&(ledger)->booked.name))
/* All totals of a ledger, SCR_BOOKED of them. */
static inline scr_total *scr_ledger_totals(scr_ledger *ledger)
{
    return (scr_total *)&ledger->booked;
}

#define F(member, type) type member;
typedef struct {
    SCR_CLOCK_NUMBERS(F)
    double lag; /* part of a step by which time does not go on: 0, or 1 while statics waits for rest */
} scr_clock;

typedef struct {
    SCR_TALLY_NUMBERS(F)
} scr_tally;
#undef F

typedef struct scr_world {
    scr_domain domain;
    scr_box_drive box;       /* how it deforms */
    vec3 gravity;            /* now */
    scr_gravity gravity_law; /* as a function of time; made from the scene */
    scr_material *materials;
    int material_count;
    scr_law *laws;       /* material_count squared, symmetric: laws[a * material_count + b] */
    uint64_t law_source; /* digest of the definitions the laws were derived from */
    scr_group *groups;
    int group_count;
    bool *apart; /* group_count squared, symmetric: these groups do not touch; NULL: all do */
    scr_wall *walls;
    int wall_count;
    scr_face *faces; /* of all walls, those of a wall together; in their rest frames; a buffer */
    int face_count;
    scr_flow *flows; /* planes through which grains are counted */
    int flow_count;
    scr_inlet *inlets;
    int inlet_count;
    scr_outlet *outlets;
    int outlet_count;
    scr_resolved *resolved; /* where aggregates are split */
    int resolved_count;

    scr_bond_law *bond_laws;
    int bond_law_count;

    scr_part *parts; /* of the rigid bodies, the first part_count are parts */
    int part_count;
    scr_joint *joints;
    int joint_count;

    scr_solid *solids; /* elastic bodies */
    int solid_count;
    bool solids_touch; /* each other, walls, grains and fragments: the scene has laws for it */
    scr_cells cells;
    scr_links links;
    scr_shells shells;
    scr_cell_contacts cell_contacts; /* current after each evaluation of forces */
    scr_polyhedra mesh;              /* of all solids, in the reference state: its cells are those of `cells` */
    int32_t *border; /* of each face of the mesh: scr_border; of no meaning between two cells; a buffer */
    scr_patch *patches;
    int patch_count;
    scr_support *supports;
    int support_count;
    scr_load *loads;
    int load_count;
    scr_sponge *sponges;
    int sponge_count;
    double load_share;       /* of constant signals that acts: 1, or less on the way to an equilibrium (statics) */
    double ramp;             /* [s] statics: as long as this is not zero, load_share grows with time as time/ramp */
    scr_receiver *receivers; /* places where observers listen */
    int receiver_count;

    scr_bodies bodies;
    scr_blocks blocks; /* of the bodies */
    scr_rigids rigids;
    scr_contacts contacts; /* touching contacts; current only after scr_pairs_save (collide/) */
    scr_bonds bonds;
    scr_ledger ledger;
    scr_clock clock;
    scr_tally tally;
    struct scr_share *share; /* of a world that is divided among ranks (comm/share.h); NULL: it is whole */
    scr_stage *stages;       /* begun so far */
    int stage_count;
} scr_world;

void scr_world_init(scr_world *world);
void scr_world_deinit(scr_world *world);

static inline const scr_law *scr_world_law(const scr_world *w, int a, int b)
{
    return &w->laws[a * w->material_count + b];
}

/* Distance from x to a wall's face where it is now, and the unit normal from it towards x. */
static inline double scr_world_face_distance(const scr_world *w, int face, vec3 x, vec3 *normal)
{
    const pose *p = &w->walls[w->faces[face].wall].pose;
    scr_near near = scr_face_nearest(&w->faces[face], pose_point_back(p, x));
    *normal = pose_vector(p, near.normal);
    return near.distance;
}

/* The box of a wall's faces in its rest frame; true when it has a plane, which ends nowhere: then as
 * far from its reference point as the domain has corners. */
bool scr_world_wall_box(const scr_world *world, const scr_wall *wall, vec3 *lower, vec3 *upper);

/* The gap over which some contact can still attract, where no body is larger than `radius` [m]. */
double scr_world_range(const scr_world *world, double radius);

/* Two bodies that move against each other, about as fast as any two do: a lower bound of the largest relative speed,
 * the largest difference of velocities along one axis, and the two bodies. Where there are walls, one that rests counts
 * as a body, of row -1. */
typedef struct {
    double speed; /* [m/s] */
    int64_t who[2];
} scr_fastest;
scr_fastest scr_world_fastest(const scr_world *world);

/* Whether bodies of groups a and b pass through each other. */
static inline bool scr_world_apart(const scr_world *w, int a, int b)
{
    return w->apart && w->apart[a * w->group_count + b];
}

/* Whether bodies of two groups that nothing can push (scr_group_held) act on each other: one moves against the other.
 * Frozen ones among each other, and those of one group, never do. */
static inline bool scr_world_held_meet(const scr_world *w, int a, int b)
{
    return a != b && (w->groups[a].drive.moves || w->groups[b].drive.moves);
}
/* The first two such groups that do not ignore each other; false: there are none. */
bool scr_world_held_groups(const scr_world *world, int *a, int *b);
/* 1/m_i + 1/m_j as contacts count it, damping above all: a body that nothing can push is infinitely heavy, but of two
 * such bodies both have their own mass. */
double scr_world_inverse_mass(const scr_world *world, size_t i, size_t j);

/* Whether steps find contacts by a neighbour list, or anew each time. As it is of the stepper that the world was made
 * for (scr_stepper_traits.lists): a world that is taken over by one of the other kind tells by it. */
static inline bool scr_world_lists(const scr_world *w)
{
    return w->clock.skin > 0;
}

/* How far time goes on in a step [s]. */
static inline double scr_clock_span(const scr_clock *c)
{
    return (1 - c->lag) * c->dt;
}

/* The time some steps from now, as the clock will have it. */
static inline double scr_clock_ahead(const scr_clock *c, double steps)
{
    return c->base_time + ((double)(c->step - c->base_step) + steps) * scr_clock_span(c);
}

/* One step later. */
static inline void scr_clock_tick(scr_clock *clock)
{
    clock->step++;
    clock->time = scr_clock_ahead(clock, 0);
}

/* Digest of the state: the sum modulo 2^64 of one number for each body (id, place, motion, spin), contact (ids,
 * history), bond, pose of a wall, port, rigid body, joint and cell. It has no order, of rows or of anything. The
 * ledger is not part of it. Contacts must be current. */
uint64_t scr_world_digest(const scr_world *world);
/* What own bodies of a part of a divided world, and these contacts, add to it. */
uint64_t scr_world_digest_part(const scr_world *part, const uint32_t *contacts, size_t count);

#endif
