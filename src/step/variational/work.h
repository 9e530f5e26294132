/* What the parts of the variational stepper share. See variational.c for the method.
 *
 * A sub-step goes from t to t + h; its stage is at t + s, s = theta h. Unknowns are the way U of each body until
 * the stage and its rotation times its radius, as rows of eight (solve/minimise.h). The world stays as it is at
 * the start until the sub-step is committed. */
#ifndef SCREE_STEP_VARIATIONAL_WORK_H
#define SCREE_STEP_VARIATIONAL_WORK_H

#include "collide/box.h"
#include "collide/touch.h"
#include "kernel/law/bond.h"
#include "kernel/potential.h"
#include "math/sym3.h"
#include "solve/minimise.h"
#include "step/variational/variational.h"

/* ---- contacts ---- */

typedef enum {
    VAR_PAIR,  /* of two bodies */
    VAR_PLANE, /* of a body and a plane */
    VAR_FACE   /* of a body and another face: found anew at each evaluation, here for what is lagged only */
} var_kind;

/* A pair that may touch in the sub-step. */
typedef struct {
    double d[3];         /* x_i - x_j at the start; a plane: its normal at the stage */
    double reach;        /* r_i + r_j; a plane: radius less the height of the centre at the start */
    double curvature;    /* 1/r_i + 1/r_j */
    uint32_t i, j, sink; /* rows; where the share of j goes */
    uint32_t pair;       /* of scr_pairs, or of scr_wall_pairs */
    int32_t lag;         /* of the block's lagged contacts, -1: none */
    uint16_t law, kind;
} var_near;

/* What contacts with walls and those that resist rolling have beside. */
typedef struct {
    rvec shift, lever; /* of a wall: its way until the stage, the point of contact from its reference */
    double push;       /* elastic force at the stage; of faces, between stage and end */
    double roll_k, roll_spring, roll_limit; /* rolling resistance, as the friction of var_lag; 0: none */
    rvec roll_q;
    double roll_radius; /* R* */
} var_more;

/* Damping and friction of a contact, with the geometry that it has at the predicted stage; in the order of use. */
typedef struct {
    rvec n;                 /* normal */
    double eta;             /* normal damper over s [N/m] */
    double k;               /* tangential spring and damper, k_t + eta_t/s; 0: no friction */
    double arm[2];          /* over the radii */
    var_more *more;         /* NULL: two bodies that roll freely */
    double limit;           /* mu F_n */
    rvec q;                 /* k_t h: the force of the spring at the start */
    double kt;              /* k_t */
    double before, overlap; /* normal load and overlap at the start; of no meaning unless it was there */
    bool was;
} var_lag;

/* Second derivative of a contact at the last evaluation: elastic, along n n + across (1 - n n); a damper, damp m m;
 * what slides is kept apart. A vector and the number after it are loaded at once (four.h). */
typedef struct {
    rvec n;
    double along;
    rvec m; /* lagged normal */
    double damp;
    double across;
    uint32_t i, j, sink; /* j: UINT32_MAX for a wall */
    int32_t roll;        /* of the block's rolling records, -1: none */
    bool slides;         /* it has a var_slide */
} var_record;

/* Friction, hold (1 - m m) - drop q q; a face that bends has a drop alone. */
typedef struct {
    rvec q;
    double drop, hold;
    double arm[2];
} var_slide;

typedef struct {
    double hold, drop, radius; /* on R* (rotation of i less that of j) x m */
    rvec q;
    double inverse[2]; /* 1/r_i, 1/r_j */
} var_roll;

/* ---- bonds ---- */

/* A bond with the geometry of the predicted stage. */
typedef struct {
    rvec d;            /* x_i - x_j at the start */
    rvec n;            /* normal at the predicted stage */
    double arm;        /* half the distance there */
    rvec shear, bend;  /* springs turned into the plane of n */
    double inverse[2]; /* 1/r_i, 1/r_j */
    /* second derivative at the last evaluation */
    rvec now;
    double along, across;
} var_bond;

/* ---- walls ---- */

typedef enum { VAR_AT_START, VAR_AT_STAGE, VAR_AT_END } var_moment;

/* A plane that is a contact by itself, at all moments of the sub-step. */
typedef struct {
    uint32_t face;
    vec3 axis[VAR_AT_END + 1], point[VAR_AT_END + 1];
} var_plane;

/* A wall in the sub-step: poses at the start, at the stage, at the end. */
typedef struct {
    pose start, stage, end;
    double travel;
    scr_servo_state held;
} var_wall;

/* Halves of rows as vectors, and four numbers that lie anywhere. */
typedef double var_row __attribute__((vector_size(32), may_alias));
typedef double var_four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t var_bits __attribute__((vector_size(32), may_alias));

typedef struct {
    /* of an evaluation */
    double energy, scale, gradient2, floor2, moved2;
    /* of a commit */
    double damping, friction, rolling, numerical, elastic_normal, elastic_tangential, elastic_rolling, appeared,
        group_work, box_work;
    scr_box_sum inner; /* sum F d^T, where the box deforms */
    double strongest;  /* elastic normal force [N] */
    double worst;      /* overlap, over what it may be at most */
    int64_t contacts;
    /* of the predicted ways */
    double strayed2, ahead2, gone2;
} var_sums;

typedef struct {
    double damping, numerical, elastic, broken, energy, scale, floor2, strongest;
    int64_t pulled, sheared;
} var_bond_sums;

#define VAR_WALL_SUMS  6     /* force and torque about the wall's reference point */
#define VAR_BOND_CHUNK 256   /* bonds of a chunk */
#define VAR_TURNING    0.125 /* of mass over s^2 that the turning of a normal may take */
#define VAR_DIAGONAL   12    /* of a row: symmetric blocks of displacement and rotation */
#define VAR_LEAN       4     /* numbers of a row where rotations are left out */
#define VAR_MASS       4     /* of a row: mass/s^2, inertia/(radius s)^2, mass, 1/radius; 0 where nothing moves it */

/* ---- the work of a stepper ---- */

/* What a sub-step is for: how elastic forces are taken, and what else is. */
typedef enum {
    VAR_BOOKS,    /* nothing moves: forces of the start, and books */
    VAR_LINEAR,   /* elastic forces are those of the start */
    VAR_EXACT,    /* elastic forces keep the energy (secant.c) */
    VAR_MIDPOINT, /* elastic forces are those of the stage */
    /* on the way to rest, where time stands still (rest.c) */
    VAR_RELAX,
    VAR_DIRECT, /* from rest, directions by a factor of the matrix */
    VAR_FALL    /* evaluations are for gradients alone, dampers are left out */
} var_mode;

/* The sub-step. */
typedef struct {
    var_mode mode;
    double theta, h, s, time; /* `time` is its start */
    double over;              /* 1/theta */
    double way;               /* that bodies should get in it at most [m]; 0: any */
    double from, span;        /* time and length of prescribed motion in it; on the way to rest apart from `time` */
} var_problem;

/* Rows of bodies. */
typedef struct {
    double *u;        /* the solution */
    double *guess;    /* the predicted one, where contacts were looked for */
    double *diagonal; /* inverses on the diagonal */
    double *mass;
    double *halo;    /* diagonal blocks of halo slots */
    var_sums *sums;  /* one per block */
    const double *x; /* rows of the evaluation that is under way */
    double *g;       /* where its gradient or product goes */
} var_rows;

/* Contacts that may act, by block, from block_pairs[b] + block_walls[b] on. */
typedef struct {
    double room;  /* how far from the predicted ways the list reaches */
    double ahead; /* how far from them iterations begin */
    double reach; /* how far from them the contacts gathered are all that act */
    var_near *near;
    double *shift; /* of each: the way of the image of the second body against it until the stage */
    var_lag *lag;
    var_more *more;
    var_record *record;
    var_slide *slide; /* of the same numbers as records */
    var_roll *roll;
    uint32_t *count;  /* four per block: near, lag, record, roll */
    bool rolls;       /* some law has rolling resistance */
    double strongest; /* elastic force of a contact or of a bond at the last commit [N] */
} var_contact_set;

/* Of these contacts those that are nearly touching, while grains fall (lean.c). */
typedef struct {
    uint32_t *count; /* two per block: pairs, planes */
    double *around;  /* where bodies were then, rows of VAR_LEAN */
    double room;     /* how far from there they may get [m] */
    int64_t served;  /* evaluations */
    bool due;        /* for being chosen again */
} var_close_set;

typedef struct {
    var_wall *at;
    double *loads;
    uint8_t *quiet;    /* flags of wall pairs, all zero: contacts are found without touching histories */
    bool *plain;       /* of each face: a plane that no other of its wall is nearly parallel to */
    var_plane *planes; /* those faces ... */
    uint32_t *plane;   /* ... and which of them a face is */
    size_t plane_count;
    bool faced;             /* some face is not such a plane */
    scr_drive_step *drives; /* of groups of prescribed motion */
} var_wall_set;

typedef struct {
    var_bond *at;
    double *loads; /* twelve per bond: rows of eight without their zeros, of both bodies */
    uint32_t *start, *entry;
    var_bond_sums *sums;
    double strongest; /* elastic force of a bond at the last commit [N] */
} var_bond_set;

typedef struct {
    scr_minimiser minimiser;
    struct var_matrix *matrix; /* for VAR_DIRECT; of rest.c */
    int64_t lists;             /* so far */
    bool coarse;               /* it was said that rounding leaves more than is wanted */
    double told;               /* when rest.c last said how far it is [s] */
} var_solver;

typedef struct {
    scr_world *world;
    scr_pairs *pairs;
    scr_step *step;
    const scr_variational_def *def;
    scr_images images;
    var_problem sub;
    var_rows rows;
    var_contact_set contacts;
    var_close_set close;
    var_wall_set walls;
    var_bond_set bonds;
    var_solver solver;
} var_work;

static inline bool var_is(const var_work *w, var_mode mode)
{
    return w->sub.mode == mode;
}
/* Elastic forces are those of the start. */
static inline bool var_is_linear(const var_work *w)
{
    return w->sub.mode <= VAR_LINEAR;
}
/* Prescribed motion has a time of its own. */
static inline bool var_is_paced(const var_work *w)
{
    return w->sub.mode >= VAR_RELAX;
}

static inline size_t var_base(const var_work *w, size_t block)
{
    return w->pairs->block_pairs[block] + (size_t)w->pairs->block_walls[block];
}

static inline size_t var_block_first(const var_work *w, size_t block)
{
    return scr_block_first(&w->world->blocks, block);
}

static inline size_t var_block_end(const var_work *w, size_t block)
{
    return scr_block_end(&w->world->blocks, block);
}

static inline rvec var_vector(const double *row)
{
    return (rvec){row[0], row[1], row[2]};
}
static inline rvec var_of(vec3 v)
{
    return (rvec){v.x, v.y, v.z};
}
static inline vec3 var_vec3(rvec v)
{
    return v3(v.x, v.y, v.z);
}
static inline void var_add(double *row, double s, rvec v)
{
    row[0] += s * v.x, row[1] += s * v.y, row[2] += s * v.z;
}

/* Where the share of the second body goes, in rows of eight. */
static inline double *var_sink(const var_work *w, double *rows, uint32_t sink)
{
    size_t bodies = w->world->bodies.table.count;
    return sink < bodies ? rows + 8 * (size_t)sink : w->pairs->halo + 8 * (sink - bodies);
}

// the row b as its image in a box that deforms has it; out of line, so that loops of other boxes stay as they are
static __attribute__((noinline, cold)) const double *var_image(const var_work *w, const var_near *n, const double *b,
                                                               double room[SCR_ROW])
{
    const double *shift = w->contacts.shift + 3 * (n - w->contacts.near);
    for (int k = 0; k < SCR_ROW; k++) room[k] = k < 3 ? b[k] + shift[k] : b[k];
    return room;
}

/* The row of the second body of a pair; in a box that deforms that of its image, which `room` is for. */
static inline const double *var_second(const var_work *w, const var_near *n, const double *rows, double room[SCR_ROW])
{
    const double *b = rows + SCR_ROW * (size_t)n->j;
    return w->images.deforms ? var_image(w, n, b, room) : b;
}

/* Relative displacement at a lagged contact until the stage, from the rows of both (b: NULL for a wall). */
static inline rvec var_slip(const var_lag *l, const double *a, const double *b)
{
    rvec u = rv_sub(var_vector(a), b ? var_vector(b) : l->more->shift);
    rvec turn = rv_scale(l->arm[0], var_vector(a + 4));
    if (b) turn = rv_axpy(turn, l->arm[1], var_vector(b + 4));
    return rv_add(u, rv_cross(l->n, turn));
}

static inline bool var_rolls(const var_lag *l)
{
    return l->more && l->more->roll_k > 0;
}

/* The pseudo-displacement of rolling. */
static inline rvec var_rolled(rvec n, double radius, const double inverse[2], const double *a, const double *b)
{
    rvec turn = rv_scale(inverse[0], var_vector(a + 4));
    if (b) turn = rv_axpy(turn, -inverse[1], var_vector(b + 4));
    return rv_scale(radius, rv_cross(turn, n));
}

/* Of x over a plane. */
static inline double var_height(const var_plane *plane, var_moment when, vec3 x)
{
    return v3_dot(plane->axis[when], v3_sub(x, plane->point[when]));
}

/* Velocity of a wall's surface at a point `lever` from its reference. */
static inline rvec var_wall_velocity(const scr_wall *wall, rvec lever)
{
    return var_of(v3_add(wall->velocity, v3_cross(wall->spin, var_vec3(lever))));
}

/* Adds s a a, or s times the unit, to a symmetric block (xx, yy, zz, xy, xz, yz). */
static inline void var_outer(double *block, double s, rvec a)
{
    block[0] += s * a.x * a.x, block[1] += s * a.y * a.y, block[2] += s * a.z * a.z;
    block[3] += s * a.x * a.y, block[4] += s * a.x * a.z, block[5] += s * a.y * a.z;
}
static inline void var_unit(double *block, double s)
{
    block[0] += s, block[1] += s, block[2] += s;
}

/* Whether a stiffness is small against mass over s^2 of the lighter of two bodies that can move (j: UINT32_MAX for
 * none). On the way to rest all are taken: without them Newton's method is slow where grains press, and directions end
 * at negative curvature. */
static inline bool var_is_light(const var_work *w, double stiffness, uint32_t i, uint32_t j)
{
    const double *motion = w->world->bodies.motion;
    double inverse = motion[4 * (size_t)i + 3];
    if (j != UINT32_MAX && motion[4 * (size_t)j + 3] > inverse) inverse = motion[4 * (size_t)j + 3];
    return var_is_paced(w) || stiffness * (inverse * w->sub.s * w->sub.s) < VAR_TURNING;
}

/* pace.c: walls and groups of prescribed motion in a load step. */
int64_t scr_var_parts(const var_work *work, double from, double span, double most);
double scr_var_wall_share(const scr_world *world, double from, double span);
double scr_var_group_share(const scr_world *world, double from, double span);

/* variational.c: the work of a stepper, which is zero; a sub-step from `time` on of length h. */
typedef enum { VAR_SOLVED, VAR_TOO_LONG, VAR_TOO_FAR, VAR_FAILED } var_verdict;
scree_status scr_var_open(scr_step *step, const scr_variational_def *def, bool resumed, scree_report *report);
void scr_var_close(scr_step *step);
/* Forces and books at the present time, without moving anything. */
void scr_var_books(scr_step *step);
var_verdict scr_var_sub_step(scr_step *step, double time, double h, double smallest, scree_status *status,
                             scree_report *report);
scree_status scr_var_renew(scr_step *step, scree_report *report);
scree_status scr_var_save(scr_step *step, scree_report *report);
scree_status scr_var_contacts(scr_step *step, scr_contact_row **rows, size_t *count, scree_report *report);
double scr_var_smallest_radius(const scr_bodies *bodies);

/* adapt.c: how far grains may get in a part of a step, over the smallest radius (0: any way); how often a step can be
 * halved, and how often it should be for bodies to keep to `way`; whether they have got far beyond it at the
 * solution. */
double scr_var_motion(const scr_variational_def *def, bool chosen);
int64_t scr_var_most_level(const scr_variational_def *def, double dt);
int64_t scr_var_wanted_level(const var_work *work, double time, double way);
bool scr_var_got_too_far(const var_work *work, double way);
void scr_var_count_part(scr_tally *tally, double h);

/* Of the radius: an overlap that is smaller than this is none, without gravity. */
#define VAR_PRESSES 1e-10

/* fall.c: grains without friction fall, loose or not, until `enough` of the largest contact force is left. */
scree_status scr_var_fall(scr_step *step, double smallest, double enough, bool loose, scree_report *report);
/* local.c: grains that have more than `enough` of the largest contact force left, each moved alone by no more than
 * `slack` from where the list was made; `most` of them. False: no memory. */
typedef struct {
    double left;           /* before, of the largest contact force */
    int64_t active, moved; /* grains that began, and moves */
    int64_t waits;         /* for a new list */
    bool done;             /* none is left that has more */
} var_local_tally;
bool scr_var_local(var_work *work, double slack, double enough, int64_t most, var_local_tally *tally);
/* stability.c: the lowest eigenvalue at the present places [1/s^2], bodies that are `out` left out; NAN: not found. */
double scr_var_lowest_eigenvalue(var_work *work, const uint8_t *out, double memory);
/* rest.c: says how far it is, now and then. */
void scr_var_rest_progress(scr_step *step, double left, double sigma);

/* begin.c: room for the present list; rows and contacts of a sub-step as predicted. False: a body is out of the
 * reach of the list. */
scree_status scr_var_reserve(var_work *work, scree_report *report);
void scr_var_deinit(var_work *work);
void scr_var_predict(var_work *work);
/* Largest way by which bodies are off what the list expects; and how far the rows that iterations begin with are from
 * the predicted ones. */
double scr_var_strayed(var_work *work, double *ahead);
/* Contacts that act for some way no further than `room` from the predicted one. */
void scr_var_gather(var_work *work, double room);
/* What friction feels of a normal force: nothing where it pulls, or its size with `pull: allowed`. */
SCR_INLINE double var_load(const scr_law *law, double force)
{
    return law->pull == SCR_PULL_ALLOWED ? fabs(force) : r_max(force, 0);
}

/* New limits of friction from the normal forces at the solution. */
void scr_var_update_limits(var_work *work);

/* evaluate.c: the objective. */
scr_objective scr_var_objective(var_work *work);
/* lean.c: the gradient alone, of contacts without dampers and of weights; rows have VAR_LEAN numbers. */
scr_value scr_var_evaluate_lean(void *work, const double *x, double *gradient);
/* ... of faces that are not planes (evaluate.c); the strongest force. */
double scr_var_lean_faces(var_work *work, size_t block);
/* secant.c: an elastic force that keeps the energy over the sub-step: force/mean times the way between the centres at
 * the stage (a plane: force times its normal), `along` its derivative. */
typedef struct {
    double force, along, mean;
} var_secant;
var_secant scr_var_secant_of(const var_work *work, const var_near *near, rvec way);

/* Contacts with faces of a body at the last evaluation, or at given places. */
int scr_var_faces(const var_work *work, uint32_t from, uint32_t to, vec3 place, bool bends, scr_touch *touches);
/* The elastic force at the solution that belongs to a lagged contact with a face. */
double scr_var_face_push(const var_work *work, const var_near *near, const var_lag *lag);

/* The second derivative of one contact at the last evaluation times rows a and b (NULL for a wall), added to qi and
 * qj; and of one bond, into its twelve loads; with `turns` false without what the turning of its normal takes. */
void scr_var_times(const var_record *record, const var_slide *slide, const var_roll *roll, const double *a,
                   const double *b, double *qi, double *qj);
void scr_var_bond_times(const var_work *work, size_t bond, const double *a, const double *b, bool turns, double *load);

/* bonds.c */
void scr_var_bonds_predict(var_work *work);
void scr_var_bonds_evaluate(var_work *work);
void scr_var_bonds_product(var_work *work, const double *p);
void scr_var_bonds_collect(const var_work *work, double *rows, size_t block);
void scr_var_bonds_diagonal(const var_work *work, double *diagonal, size_t block);
void scr_var_bonds_commit(var_work *work);
scree_status scr_var_bonds_index(var_work *work, scree_report *report);

/* commit.c: histories, energies, and the bodies to the end of the sub-step. */
void scr_var_commit(var_work *work);

/* walls.c: where walls are in the sub-step (true: one has come or gone); as if it had not begun. */
bool scr_var_walls_prepare(var_work *work);
void scr_var_walls_undo(var_work *work);
void scr_var_walls_pose(var_work *work, var_moment when);
void scr_var_planes_place(var_work *work);
void scr_var_walls_add_up(var_work *work);

#endif
