/* Projected Gauss-Seidel for contacts and joints at the level of velocities.
 *
 * Unknowns are impulses. For each contact between rows a and b (normal n from a to b, relative velocity
 * u = u_b - u_a at the point of contact, relative spin w = w_b - w_a):
 *
 *   0 <= n.u + S_n ln + target   perpendicular to   ln >= 0                                     (1)
 *   lt = the tangential impulse that makes u_t + S_t lt vanish, at most mu ln                   (2)
 *   lr = the angular impulse that makes w + S_r lr vanish, at most roll ln                      (3)
 *
 * (Servin & Wang 2015, with the signs of docs/theory-nonsmooth.md.) An impulse acts with + on b and with
 * - on a. For joints and motors there are rows of their own,
 *
 *   G v + S l = rhs,   low <= l <= high,                                                        (4)
 *
 * which each sweep solves before the contacts, in their order.
 *
 * Contacts are coloured: no two of a colour share a row that is solved for, so that a colour can be
 * worked off in vectors and by threads. Within a colour the order of contacts does not matter; colours
 * are the same for any number of threads and any instruction set, and so are the bits. Give contacts in
 * an order in which neighbours in space are near each other.
 *
 * Sweeps run in single precision on the deviation from where the impulses at the start lead; impulses at the
 * start and the sum of all impulses at the end are applied to the bodies in double precision, equal and
 * opposite, so that momentum is kept to the last bits of a double. `precise` sweeps in double too. */
#ifndef SCREE_SOLVE_PGS_H
#define SCREE_SOLVE_PGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/vec3.h"

#define SCR_PGS_STILL UINT32_MAX /* a partner that is not solved for: it goes on as it does */

/* A row of velocities. */
typedef struct {
    vec3 v; /* of the centre [m/s] */
    double inverse_mass;
    vec3 w;                 /* [rad/s] */
    double inverse_inertia; /* of a sphere; general bodies: not used, see the problem */
} scr_pgs_body;

/* What pairs of spheres do not have. It is apart because all contacts are read several times in a step. */
typedef struct {
    vec3 lever[2]; /* arms as vectors from the centres; only read where a or b is general */
    vec3 u0, w0;   /* velocity of a still partner at the point of contact, and its spin; else 0 */
} scr_pgs_beside;

typedef struct {
    uint32_t a, b;          /* rows; b may be SCR_PGS_STILL, a is solved for */
    scr_pgs_beside *beside; /* of the caller; NULL: none of it is read, or still partners rest */
    vec3 normal;            /* unit, from a to b */
    double arm[2];          /* spheres: distance of the point of contact from their centres along the normal */
    double target;          /* of (1) [m/s] */
    double give;            /* S_n [1/kg] */
    double mu;
    double roll;  /* [m]: coefficient of rolling times rolling radius */
    double twist; /* [m]: the same of twisting, where it is apart */
    double ln;    /* impulses: where to start from, and the solution [N s], [N m s] */
    vec3 lt, lr;
} scr_pgs_contact;

/* A scalar row (4) of a joint: one of the bodies may be SCR_PGS_STILL, its velocity is in rhs then. */
typedef struct {
    uint32_t a, b;
    vec3 linear[2], angular[2]; /* G: of a and b */
    double rhs, give, low, high;
    double impulse; /* where to start from, and the solution */
} scr_pgs_row;

typedef struct {
    scr_pgs_body *bodies; /* in: free velocities; out: the solution */
    size_t body_count;
    size_t general_first;               /* rows from here on are general bodies */
    const double (*inverse_inertia)[6]; /* of those, in the world: xx, yy, zz, xy, xz, yz */
    scr_pgs_contact *contacts;
    size_t contact_count;
    scr_pgs_row *rows;
    size_t row_count;
    double give_tangential, give_rolling; /* S_t [1/kg], S_r [1/(kg m^2)] */
    bool twist_apart; /* lr's part along the normal is bounded by twist ln, the rest by roll ln; else
                         roll bounds all three components together */
} scr_pgs_problem;

typedef struct {
    int sweeps;       /* at most */
    double tolerance; /* stop when the residual is below [m/s]; 0: never */
    bool precise;
    double relaxation; /* normal impulses change by so many times what would solve (1); 0: once */
} scr_pgs_options;

typedef struct {
    int sweeps;      /* done */
    double residual; /* largest change of a normal or tangential velocity that the last sweep made at a
                        contact, and of a joint's row [m/s] */
    int colours;
    size_t serial; /* contacts that found no colour: solved one by one */
    size_t places; /* of contacts in a sweep: those given and lanes left empty */
} scr_pgs_result;

typedef struct scr_pgs scr_pgs; /* room to work in */
scr_pgs *scr_pgs_create(void);
void scr_pgs_destroy(scr_pgs *pgs);

/* Colours and geometry of the problem's contacts. False when memory is exhausted. Once per set of contacts: several
 * solves may follow in which targets, give, coefficients and impulses differ. */
bool scr_pgs_prepare(scr_pgs *pgs, const scr_pgs_problem *problem);
scr_pgs_result scr_pgs_solve(scr_pgs *pgs, const scr_pgs_problem *problem, const scr_pgs_options *options);

#endif
