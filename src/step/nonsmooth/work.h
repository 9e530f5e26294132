/* What the parts of the nonsmooth stepper share. All of it is scratch: state is in the world (after
 * scr_stepper.save), and is read back by scr_ns_load. */
#ifndef SCREE_STEP_NONSMOOTH_WORK_H
#define SCREE_STEP_NONSMOOTH_WORK_H

#include <math.h>

#include "base/sort.h"
#include "collide/pairs.h"
#include "collide/tiles.h"
#include "collide/wall_pairs.h"
#include "exec/cpu/threads.h"
#include "reduce/frozen.h"
#include "solve/pgs.h"
#include "step/nonsmooth/nonsmooth.h"
#include "world/carrier.h"

/* The definition with everything that is auto or none as numbers. */
typedef struct {
    int sweeps, impact_sweeps, substeps;
    bool warm, precise, effective_radius;
    double impact_speed, push, tolerance, nonconvergence;
    double tau;    /* stabilisation [s] */
    double margin; /* gap at which a contact is looked at already [m], */
    double near;   /* plus this part of the smaller radius, */
    bool ahead;    /* plus how far both get in a step */
    double relaxation;
    bool reduce;
    double merge_approach, merge_separation, merge_sliding, merge_spin, merge_drift;
    double merge_normal_change, merge_sliding_change, merge_spin_change; /* over a step */
    int free_least;
    double split_approach, split_separation, split_sliding, split_spin;
    int split_depth;
    int trial_sweeps, trial_every, trial_layers;
    bool trial_warm, trial_velocities;
    double trial_force, trial_approach, trial_separation, trial_sliding;
} ns_settings;

/* Impulses that a contact starts from: those it had. */
typedef struct {
    uint64_t key;
    double ln;
    vec3 lt, lr;
} ns_memory;

/* A contact within an aggregate that becomes active. */
typedef struct {
    ns_memory start;
    double energy; /* that it stored [J] */
} ns_thawed;

/* An edge of the frozen graph by its key. */
typedef struct {
    uint64_t key;
    uint32_t edge;
} ns_held;

/* Warm start with too few sweeps feeds energy into stiff or high piles. When that is seen, sweeps are doubled, up to
 * so many times; the last time impulses start from zero. */
#define NS_MOST_BOOST 5

/* A contact at the positions of the step's beginning. Its impulses are in the problem's contact of the same
 * number. The first body is the one of the smaller row, or the one that touches a wall. */
#define NS_WALL 0x80000000u /* the second body is a wall's face */
typedef struct {
    uint64_t key; /* first row << 32 | second row, or NS_WALL + face: contacts are in this order */
    vec3 normal;  /* from the first to the second */
    double overlap;
    double radius; /* the effective one */
    const scr_law *law;
    double normal_before, sliding_before, spin_before; /* velocities when the step began; the last two where grains
                                                          merge */
    double damping_time;                               /* c of the law [s] */
    double held_back;                                  /* impulse that the bound of the push-out keeps back [N s] */
    bool turned;       /* in the problem the second body comes first: the first one is still */
    bool joins, froze; /* it may merge its bodies; it is within an aggregate now */
    bool general;      /* one of its bodies is a rigid body that is solved for */
} ns_contact;

/* The outcome of the step for a contact, for merging. */
typedef struct {
    vec3 u, w;           /* relative velocity and spin in the problem */
    double energy, gain; /* stored at its beginning, and what the step adds to that [J] */
    double taken;        /* what its spring takes in the step, from its force [J] */
} ns_outcome;

/* A contact in the impact stage. */
typedef struct {
    vec3 impulse, couple; /* on the second */
    vec3 u, w;            /* relative velocity and spin in the problem, before */
    ns_memory start;      /* impulses that wait meanwhile */
} ns_blow;

static inline uint32_t ns_first(const ns_contact *c)
{
    return (uint32_t)(c->key >> 32);
}
static inline uint32_t ns_second(const ns_contact *c)
{
    return (uint32_t)c->key;
}
static inline bool ns_is_wall(const ns_contact *c)
{
    return (c->key & NS_WALL) != 0;
}
static inline int ns_face(const ns_contact *c)
{
    return (int)(c->key & ~NS_WALL & 0xffffffffu);
}

/* A contact with a wall, as it is found. */
typedef struct {
    ns_memory start; /* its key, and the impulses it had */
    vec3 normal;
    double overlap;
} ns_on_wall;

/* How a carrier moves in this step. */
typedef struct {
    bool there;     /* grains may be members of it */
    int wall;       /* -1: what rests */
    pose now;       /* its coordinates to the world, at the beginning of the step */
    vec3 reference; /* a point of it at the beginning of the step, */
    pose after;     /* of its wall, at the end */
    vec3 velocity;  /* its velocity during the step, */
    vec3 spin;      /* and the spin */
    vec3 shown;     /* velocity that its members have: that of the last step */
    size_t members;
    vec3 low, high; /* box around the centres of all members it had, in its coordinates */
} ns_carrier;

/* A rigid body with the grains that are merged with it, at the beginning of the step. */
typedef struct {
    size_t members;
    double mass;
    vec3 offset, offset_within; /* from the common centre to its own; the same in the body frame */
    sym3 inertia, within;       /* about the common centre, in the world and in the body frame */
} ns_loaded;

/* What a row of a joint is. */
typedef struct {
    int joint, place;               /* which; number of its impulse in the joint */
    double gap;                     /* g */
    double speed;                   /* of the motor */
    double hit;                     /* impulse of the impact stage */
    double low, high, speed_before; /* aside while impacts are solved */
} ns_joint_note;

/* ---- the work of the stepper ---- */

/* The sub-step. */
typedef struct {
    double h;           /* [s] */
    double y;           /* Y of the settings' stabilisation (setup.c), */
    double pace;        /* 4 Y/h [1/s] */
    double end;         /* time when it is over [s] */
    size_t held;        /* bodies that rest for ever */
    bool first;         /* of a step */
    bool unsolved;      /* contacts are those before the first step */
    bool leaving;       /* someone is outside the domain */
    bool known;         /* nobody who sleeps is in an outlet that is open, */
    double opens;       /* until this time [s] */
    bool walls_changed; /* a wall has come or gone */
} ns_sub_step;

/* Where bodies are. */
typedef struct {
    scr_tiles tiles;
    scr_images images;    /* of the domain */
    size_t placed;        /* rows that are in them */
    uint64_t *awake;      /* a bit per row: it moves by itself, or may touch what does */
    double *way;          /* of rows awake: how far they get in a step, against the mean of all [m]; else 0 */
    double group_speed;   /* largest speed of groups that move as prescribed [m/s] */
    ns_carrier *carriers; /* scr_carrier_count */
    int carrier_count;
    double radius_min, radius_max;
} ns_space;

/* Loops over contacts and over rows that search for them have at most so many parts, by their numbers alone:
 * what is found and every sum is the same for any number of threads. */
#define NS_PARTS 64

/* Bodies that are second in a contact are anywhere in memory: they are fetched so many contacts ahead. */
#define NS_AHEAD 12

/* What a part of the searching rows has found. */
typedef struct {
    uint32_t *near;        /* rows around one body or one tile, */
    float *region;         /* of a tile: where they are */
    scr_wall_finder faces; /* faces around it, */
    scr_wall_pairs pairs;  /* and their histories; extents are borrowed */
    uint64_t *keys;        /* pairs */
    ns_on_wall *walls;
    size_t key_count, wall_count;
    uint32_t first[NS_PARTS]; /* of each drawer: how many keys; then where they go */
    size_t past;              /* of the impulses of the last step: its rows have none of those before */
    bool failed;              /* memory is exhausted */
} ns_finder;

/* Looking for contacts. Keys are sorted by drawers, each of so many rows of their first bodies. */
typedef struct {
    scr_wall_pairs walls_of; /* extents of walls alone */
    uint32_t *rows;          /* those that look around, ascending */
    size_t row_count;
    ns_finder *of;                /* NS_PARTS of them, */
    ns_finder one;                /* and a row that searches alone */
    bool by_tiles;                /* slow rows are searched by tiles */
    double edge;                  /* of the smallest cells [m] */
    bool half;                    /* all of them look around: half of the cells around each suffice */
    bool walls_move;              /* some wall does */
    int shift, drawers;           /* a drawer has 1 << shift rows */
    uint64_t *keys, *aside;       /* of all drawers */
    uint32_t *counts;             /* by rows, while a drawer is sorted */
    uint32_t first[NS_PARTS + 1]; /* of each drawer: its first key, */
    uint32_t count[NS_PARTS];     /* and how many there are, each once */
    ns_on_wall *walls;            /* in the order of keys, each once */
    size_t wall_count;
} ns_find_set;

/* What is known of the contacts when they are set up. */
typedef struct {
    size_t still;   /* contacts between two that are not solved for */
    size_t hits;    /* of impacts */
    double worst;   /* overlap over the smaller radius */
    double arrived; /* energy of overlaps that no account covers [J] */
    double deepest; /* overlap over the smaller diameter; 0: not deeper than before */
    scr_depth kind; /* why */
} ns_seen;

/* Contacts, in the order of keys. */
typedef struct {
    ns_contact *all;
    scr_pgs_contact *problem;
    scr_pgs_beside *beside; /* of the problem's contacts as they were found */
    ns_outcome *outcome;    /* where grains merge */
    ns_blow *blows;
    bool struck; /* there was an impact stage: blows are those of this step */
    size_t count;
    uint32_t first[NS_PARTS + 1]; /* of each drawer */
    uint32_t *on_walls;           /* numbers of those with walls */
    size_t on_wall_count;
    ns_seen seen;
    ns_memory *memory; /* of the last step, in the order of keys */
    size_t memory_count;
    scr_sorter sorter;
    ns_held *carried; /* of members, while their forces on walls are added up */
} ns_contact_set;

/* What forces from outside give a body in the sub-step. */
typedef struct {
    vec3 impulse, turn; /* [N s, N m s] */
} ns_outer;

/* Bodies that are solved for, in the order of rows. */
typedef struct {
    uint32_t *rows, *slot; /* row of each; number of each row */
    uint32_t *moved;       /* rows that leave their cells */
    size_t row_count;
    scr_pgs_body *bodies, *before; /* velocities; those before gravity and contacts */
    bool pushed;                   /* by forces from outside: */
    ns_outer *outer;
    scr_pgs *pgs;
} ns_problem_set;

/* Rigid bodies, solved for after the grains; the rows of their members. */
typedef struct {
    double (*inverse)[6];           /* inertia in the world, xx yy zz xy xz yz */
    ns_loaded *loaded, *was_loaded; /* now; before grains joined */
    uint32_t *riders;               /* rows of grains merged with parts, in their order */
    size_t count, rider_count;
    uint32_t *members; /* spheres of clumps, in the order of rows */
    size_t member_count;
    uint8_t *touched;    /* of each: an aggregate that someone left */
    vec3 (*expected)[2]; /* velocity and spin of free aggregates in the trial solve */
} ns_rigid_set;

typedef struct {
    scr_pgs_row *rows;
    ns_joint_note *notes;
    size_t count;
} ns_joint_set;

/* While aggregates grow: qualifying contacts by free end. */
typedef struct {
    scr_frozen frozen; /* contacts within aggregates */
    uint32_t *link_first, *link_next;
    uint32_t *queue;
    uint32_t *joined; /* rows that joined, or whose aggregate was made anew */
    size_t joined_count;
    uint32_t *tree, *tree_size; /* which of the problem's rows hang together */
} ns_growth;

/* While they split. */
typedef struct {
    uint8_t *marked;
    uint32_t *rows;
    size_t count, lost_count, pending;
    uint32_t *struck; /* members that something runs into */
    size_t struck_count;
    ns_thawed *thawed;
    size_t thawed_count;
} ns_split_set;

/* Travelling members that strangers are near to (watch.c). */
typedef struct {
    bool on;
    uint32_t *rows;
    uint8_t *watched;
    size_t count;
    double way; /* how far strangers can have come since that was known */
} ns_watch_set;

/* The trial solve: members that are looked at, and its own problem. */
typedef struct {
    bool balanced; /* forces within aggregates are, and nothing has merged or split since */
    uint64_t *near;
    uint32_t *near_rows;
    size_t near_count;
    scr_pgs *pgs;
    scr_pgs_body *bodies;
    size_t rows;
    ns_contact *contacts;
    scr_pgs_contact *problem;
    scr_pgs_beside *beside;
    uint64_t *edges; /* of one row: other end << 32 | edge */
    uint32_t *edge;  /* of each contact */
    size_t count;
} ns_trial_set;

typedef struct {
    ns_settings set;
    ns_sub_step sub;
    ns_space space;
    ns_find_set find;
    ns_contact_set contacts;
    ns_problem_set problem;
    ns_rigid_set rigids;
    ns_joint_set joints;
    ns_growth growth;
    ns_split_set split;
    ns_watch_set watch;
    ns_trial_set trial;
} ns_work;

/* Calls work(context, part) for all parts, which work off so many things together: few are done by this thread. */
static inline void ns_each(size_t things, size_t parts, const uint32_t *cost, scr_work *work, void *context)
{
    enum { FEW = 1000 };
    if (things >= FEW) {
        scr_each(parts, cost, work, context);
        return;
    }
    for (size_t n = 0; n < parts; n++) work(context, n);
}

/* The row of the lowest bit of a word of `awake`. */
static inline uint32_t ns_lowest(size_t word, uint64_t bits)
{
    return (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(bits);
}

/* Whether impulses start from those of the last step. */
static inline bool ns_starts_warm(const ns_work *k, const scr_world *w)
{
    return k->set.warm && w->tally.boost < NS_MOST_BOOST;
}

/* The carrier that grains at a wall can merge with. */
static inline int ns_carrier_of_wall(const scr_world *w, int wall)
{
    const scr_wall *m = &w->walls[wall];
    if (m->carried) return scr_carrier_of_rigid(w, m->carrier);
    return scr_wall_rests(m) ? SCR_CARRIER_REST : scr_carrier_of_wall(wall);
}

/* The rigid body that a body is part of, -1: none. */
static inline int ns_rigid(const scr_world *w, uint32_t i)
{
    return scr_carrier_rigid(w, w->bodies.carrier[i]);
}
/* Whether it is one of a clump or of a free aggregate: it looks around as free grains do. */
static inline bool ns_in_clump(const scr_world *w, uint32_t i)
{
    int rigid = ns_rigid(w, i);
    return rigid >= 0 && w->rigids.kind[rigid] != SCR_RIGID_PART;
}

/* ---- contacts.c ---- */

/* Room for all bodies of the world. */
scree_status scr_ns_reserve(scr_step *s, scree_report *report);
/* Cells, awake rows, impulses and contacts within aggregates from the world. */
scree_status scr_ns_load(scr_step *s, scree_report *report);
/* What contacts within aggregates store, from those that there are. */
bool scr_ns_recount(ns_work *k, scr_ledger *ledger);
/* The other way round. */
scree_status scr_ns_save(scr_step *s, scree_report *report);
/* The smallest and the largest radius there are, and that inlets may bring. */
void scr_ns_radii(const scr_world *w, double *least, double *most);
/* Rows along the curve of space (collide/order.h) without the way through the world's table of contacts, where little
 * is awake and scr_ns_save and scr_ns_load would change nothing but rows. *done: it is so. */
scree_status scr_ns_reorder(scr_step *s, bool *done, scree_report *report);
/* Row i is awake or not, and a member of its carrier; the carrier whose cells it is in. */
int scr_ns_count_in(ns_work *k, const scr_world *w, uint32_t i);
/* Row i into the cells of its carrier; out of them, before its carrier changes. */
bool scr_ns_place(ns_work *k, const scr_world *w, uint32_t i);
void scr_ns_displace(ns_work *k, const scr_world *w, uint32_t i);
/* The impulses that a contact had in the last step, or NULL; the first of those from a key on. */
size_t scr_ns_memory_from(const ns_work *k, uint64_t key);
/* Geometry of a contact as it is now; it may be open. */
void scr_ns_measure(const ns_work *k, const scr_world *w, uint64_t key, ns_contact *c);
/* Impulses of this step's contacts are those that the next step starts from; false when memory is
 * exhausted. */
bool scr_ns_remember(ns_work *k);
/* Whether a contact of body i with j (NS_WALL + face: a wall) is within an aggregate, or supports one of its
 * members; whether it joins what it is between. */
bool scr_ns_is_within(const scr_world *w, uint32_t i, uint32_t j, bool *joins);
static inline uint64_t ns_key(uint32_t i, uint32_t j)
{
    return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

/* ---- find.c ---- */

bool scr_ns_find_open(ns_work *k, const scr_world *w);
void scr_ns_find_close(ns_work *k);
/* Rows that are awake, into k->find.rows. */
void scr_ns_list_awake(ns_work *k, const scr_world *w);
/* How far rows that are awake get in a step; not anew: more have woken up, and none looks less far than before. */
void scr_ns_measure_ways(ns_work *k, const scr_world *w, bool anew);
/* Looks for contacts at the present positions. */
scree_status scr_ns_find(scr_step *s, scree_report *report);
/* Everything that body i touches is added to what was found. */
bool scr_ns_look(ns_work *k, scr_world *w, uint32_t i);
/* The walls that it touches. */
bool scr_ns_find_walls(ns_work *k, scr_world *w, uint32_t i);
/* Velocity of a wall at x, while contacts are looked for: that of the step before [m/s]. */
vec3 scr_ns_velocity_of_wall(const ns_work *k, const scr_world *w, int wall, vec3 x);
/* Rows of a carrier's cells around x (in its coordinates) into k->find.one.near: how many; false when memory is
 * exhausted. */
bool scr_ns_near(ns_work *k, int carrier, vec3 x, double r, size_t *count);
/* Rows that may reach into a box: the stepper's `near`. */
bool scr_ns_in_box(const scr_step *s, vec3 low, vec3 high, uint32_t *rows, size_t *count);
/* What was found into drawers and into order; false when memory is exhausted. */
bool scr_ns_sort_found(ns_work *k, const scr_world *w);

/* ---- setup.c ---- */

/* Whether nothing in this step changes the motion of body i. */
static inline bool ns_is_still(const scr_world *w, uint32_t i)
{
    return (w->bodies.carrier[i] != 0 && ns_rigid(w, i) < 0) || w->bodies.motion[4 * (size_t)i + 3] == 0;
}
/* Whether it is a grain that moves by itself. */
static inline bool ns_is_free(const scr_world *w, uint32_t i)
{
    return w->bodies.carrier[i] == 0 && w->bodies.motion[4 * (size_t)i + 3] > 0;
}
/* Velocity of a face's points. */
vec3 scr_ns_wall_velocity(const ns_work *k, const scr_world *w, int wall, vec3 point);

/* Numbers of a contact for the solver: rows by `slot` (SCR_PGS_STILL: not solved for). p->beside is room for what it
 * may have beside. */
void scr_ns_fill(const ns_work *k, const scr_world *w, ns_contact *c, uint32_t a, uint32_t b, scr_pgs_contact *p);
/* Target and give of the continuous stage, from the velocity u_n before it. */
/* Y of (2) of setup.c, and 4 Y/h. */
static inline double scr_ns_relaxed(double tau, double h)
{
    return 1 / (1 + 4 * tau / h);
}
static inline double scr_ns_pace(double y, double h)
{
    return 4 / h * y;
}
void scr_ns_aim(const ns_work *k, ns_contact *c, double normal_velocity, scr_pgs_contact *p);
/* Relative velocity of a contact of the problem, and relative spin. */
static inline void scr_ns_relative(const ns_contact *c, const scr_pgs_contact *p, const scr_pgs_body *bodies, vec3 *u,
                                   vec3 *w)
{
    const scr_pgs_body *a = &bodies[p->a];
    if (c->general) {
        *u = v3_sub(p->beside->u0, v3_add(a->v, v3_cross(a->w, p->beside->lever[0])));
        *w = v3_sub(p->beside->w0, a->w);
        if (p->b == SCR_PGS_STILL) return;
        const scr_pgs_body *b = &bodies[p->b];
        *u = v3_add(*u, v3_add(b->v, v3_cross(b->w, p->beside->lever[1])));
        *w = v3_add(*w, b->w);
        return;
    }
    vec3 spin = v3_scale(p->arm[0], a->w);
    if (p->b == SCR_PGS_STILL) {
        *u = v3_add(v3_sub(v3_scale(-1, a->v), v3_cross(spin, p->normal)), p->beside->u0);
        *w = v3_sub(p->beside->w0, a->w);
        return;
    }
    const scr_pgs_body *b = &bodies[p->b];
    *u = v3_sub(v3_sub(b->v, a->v), v3_cross(v3_axpy(spin, p->arm[1], b->w), p->normal));
    *w = v3_sub(b->w, a->w);
}
/* Impulses of a contact in the whole step, on its second body. */
static inline void ns_impulse(const ns_work *k, size_t n, vec3 *impulse, vec3 *couple)
{
    const scr_pgs_contact *p = &k->contacts.problem[n];
    double sign = k->contacts.all[n].turned ? -1 : 1;
    *impulse = v3_scale(sign, v3_axpy(p->lt, p->ln, p->normal));
    *couple = v3_scale(sign, p->lr);
    if (!k->contacts.struck) return;
    *impulse = v3_add(k->contacts.blows[n].impulse, *impulse);
    *couple = v3_add(k->contacts.blows[n].couple, *couple);
}
/* Whether a contact closes so fast that it is an impact. */
static inline bool ns_hits(const ns_work *k, const ns_contact *c)
{
    return c->normal_before < -k->set.impact_speed && c->normal_before < c->overlap / k->sub.h;
}

/* Makes k->contacts.all from what was found, with geometry and the impulses they had; `set_up`: and rows and contacts
 * for the solver, with velocities. */
scree_status scr_ns_gather(scr_step *s, bool set_up, scree_report *report);

/* ---- solve.c ---- */

scr_pgs_problem scr_ns_problem(const ns_work *k, const scr_world *w);
scree_status scr_ns_solve(scr_step *s, scree_report *report);
/* Energy stored in the contacts as they were found. */
double scr_ns_stored(const scr_step *s);

/* ---- pushes.c ---- */

/* Takes forces from outside up into the rows of the problem; NULL: there are none. False: memory is exhausted. */
bool scr_ns_push(ns_work *k, const scr_world *w, struct scr_pushes *pushes);
/* What they change of a row's velocities; the work they did, at the velocities of the end. */
void scr_ns_push_row(const ns_work *k, size_t row, scr_pgs_body *body);
double scr_ns_push_work(const ns_work *k);
/* Takes them out of a row's force and torque [N, N m], which are those of contacts: eight numbers, the torque at 4. */
void scr_ns_push_leave(const ns_work *k, size_t row, double *load);

/* ---- advance.c ---- */

/* Where carriers are at this time. */
void scr_ns_set_carriers(ns_work *k, scr_world *w, double time);
/* The velocities of walls that take them to where they are at the end of the step, when scr_ns_advance puts them
 * there; true when one has come or gone. */
bool scr_ns_move_walls(ns_work *k, scr_world *w, double from, double to);
/* Velocities of groups that move as prescribed. */
void scr_ns_aim_groups(scr_world *w, double from, double to);
/* Grains to where they are at the end of the step. */
scree_status scr_ns_advance(scr_step *s, double from, double to, scree_report *report);
bool scr_ns_is_outside(const scr_world *w, const double *x);
/* Periodic coordinates back into the box. */
void scr_ns_wrap(const scr_world *w, double *x, int32_t *image);
/* The place of a body, counted through periodic boundaries. */
vec3 scr_ns_unwrapped(const scr_world *w, uint32_t i);

/* ---- leave.c ---- */

/* Whether someone is in an outlet or outside the domain. */
bool scr_ns_leaves(scr_step *s);
/* Bodies in outlets and outside the domain go. SCREE_E_RUN: one is where it may not be, all else was done. */
scree_status scr_ns_leave(scr_step *s, scree_report *report);

/* ---- rigids.c ---- */

bool scr_ns_rigids_reserve(ns_work *k, const scr_world *w);
/* Their rows of the problem, after those of the grains; and what the solver made of them. */
void scr_ns_rigids_load(ns_work *k, const scr_world *w);
void scr_ns_rigids_store(const ns_work *k, scr_world *w);
/* Energy that the continuous stage loses by itself: 1/2 m |dv|^2 + 1/2 dw.I dw. */
double scr_ns_rigids_loss(const ns_work *k, const scr_world *w);
/* To the end of the step, with members and carried walls; false when memory is exhausted. */
bool scr_ns_rigids_advance(ns_work *k, scr_world *w);
/* The rigid body that an end of a contact belongs to, -1: none; the vector from the centre of what moves there to
 * the point of contact. */
int scr_ns_rigid_of(const scr_world *w, const ns_contact *c, int end);
vec3 scr_ns_lever(const ns_work *k, const scr_world *w, const ns_contact *c, int end);

/* ---- loads.c ---- */

bool scr_ns_loads_reserve(ns_work *k, const scr_world *w);
/* Parts with their loads: k->rigids.loaded. */
void scr_ns_loads_weigh(ns_work *k, const scr_world *w);
/* Everything that loads touch is added to what was found. */
bool scr_ns_loads_look(ns_work *k, scr_world *w);
/* Grains that joined parts in this step, with their own velocities: the momentum of all is that of the loaded
 * parts. */
void scr_ns_loads_join(ns_work *k, scr_world *w, const uint32_t *rows, size_t count);
/* A loaded part to the end of the step. */
void scr_ns_loads_advance(ns_work *k, scr_world *w, size_t rigid);
/* Whether a part turns or speeds up. */
bool scr_ns_loads_sway(const ns_work *k, const scr_world *w, int part);
/* The centrifugal acceleration of a member of a part. */
vec3 scr_ns_loads_swing(const scr_world *w, int carrier, vec3 x);
/* By how much the velocity of a carrier's point changes in a step, and its spin: as in the last step. */
vec3 scr_ns_loads_gain(const ns_work *k, const scr_world *w, int carrier, vec3 x, vec3 *spin);

/* ---- reactions.c ---- */

/* Forces on walls; and with those of contacts within aggregates. */
bool scr_ns_react(ns_work *k, scr_world *w); /* false when memory is exhausted */
void scr_ns_catch_up(scr_step *s);

/* ---- tell.c ---- */

/* How many contacts carry something, and how many were looked at, into s->last. */
void scr_ns_count_contacts(scr_step *s);
scree_status scr_ns_contacts(scr_step *s, scr_contact_row **rows, size_t *count, scree_report *report);

/* ---- strike.c ---- */

/* Contacts of members with walls that move are added to what was found. */
bool scr_ns_look_from_walls(ns_work *k, scr_world *w);
/* Whether a relative velocity sets a member free. */
bool scr_ns_strikes(const ns_settings *set, vec3 velocity);
/* Row i is to be set free; false when memory is exhausted. */
bool scr_ns_struck(ns_work *k, uint32_t i);

/* ---- free.c ---- */

bool scr_ns_free_reserve(ns_work *k, const scr_world *w);
/* A row of the rigid bodies that waits to be used again. */
static inline bool ns_is_gone(const scr_world *w, size_t rigid)
{
    return w->rigids.source[rigid] == SCR_RIGID_GONE;
}
/* Whether a body is a member of a free aggregate. */
bool scr_ns_in_aggregate(const scr_world *w, uint32_t i);
/* Velocity and spin of a member after the solve, into its row. */
void scr_ns_free_update(const ns_work *k, scr_world *w, uint32_t i);
/* Free grains and free aggregates that hang together become one. */
bool scr_ns_free_merge(ns_work *k, scr_world *w);
/* An aggregate is about to join a carrier: its members in the order of rows, with levels (of body: 0). Their number;
 * 0 when memory is exhausted. */
size_t scr_ns_free_leave(ns_work *k, scr_world *w, uint32_t body, uint32_t *rows);
/* Aggregates that have lost members (k->rigids.touched), from the remaining ones: k->growth.joined. */
bool scr_ns_free_rebuild(ns_work *k, scr_world *w);
/* Aggregates of which someone leaves the world go apart. */
bool scr_ns_free_release(ns_work *k, scr_world *w);
/* Rows of aggregates without members are removed. */
void scr_ns_free_check(const ns_work *k, scr_world *w);
/* Motion of aggregates after the trial solve; the velocity of a member by it. */
void scr_ns_free_expect(ns_work *k, const scr_world *w);
vec3 scr_ns_free_velocity(const ns_work *k, const scr_world *w, uint32_t i);

/* ---- merge.c, split.c, trial.c, watch.c ---- */

scree_status scr_ns_merge(scr_step *s, scree_report *report);
/* The row of the problem of what may join an aggregate: a free grain, a free aggregate; UINT32_MAX: another. */
uint32_t scr_ns_node_of(const ns_work *k, const scr_world *w, uint32_t body);
vec3 scr_ns_carrier_velocity(const ns_carrier *f, vec3 x);
/* Splits what is to split; contacts are those of k->contacts.all, and are found anew where it did. */
scree_status scr_ns_split(scr_step *s, scree_report *report);
bool scr_ns_is_member(const scr_world *w, uint32_t body);
/* A member is to split; false where it is not or was marked before. */
bool scr_ns_mark(ns_work *k, const scr_world *w, uint32_t body);
/* Marks members of moving carriers that run into what rests or is carried by others, and what they run into; false
 * when memory is exhausted. */
bool scr_ns_watch(ns_work *k, scr_world *w);
/* Members that a belt has carried past its end; those that it has carried over a seam rest on the next face. */
void scr_ns_mark_by_belts(ns_work *k, const scr_world *w);
/* A member that is new. */
void scr_ns_watch_row(ns_work *k, uint32_t i);
/* Row i moves by itself; its contacts are remembered with the impulses they carried. */
bool scr_ns_set_free(ns_work *k, scr_world *w, uint32_t i);
/* A row's contacts, or those with other carriers alone, are no longer frozen; then to what is remembered. */
bool scr_ns_thaw(ns_work *k, const scr_world *w, uint32_t i, bool others);
bool scr_ns_remember_thawed(ns_work *k, scr_ledger *ledger);
/* A trial solve marks members that do not hold. */
scree_status scr_ns_try(scr_step *s, scree_report *report);
/* When no grain is awake: impulses within aggregates towards balance. */
scree_status scr_ns_balance(scr_step *s, scree_report *report);

#endif
