/* The inner loops of projected Gauss-Seidel. Built from one text (pgs_text.h) for several instruction sets and
 * both precisions; all of one precision give the same bits.
 *
 * Contacts lie in blocks of as many as there are lanes, apart by kind: pairs of spheres read the least, spheres
 * against still partners one row each, and whatever touches a general body reads levers and inverse inertias.
 * Each contact has a slot among those of its kind; slots of a colour follow each other. Slots do not depend on
 * the number of lanes, which divides PGS_GROUP; lanes that are left empty at a colour's end solve nothing.
 *
 * Inside, numbers are in units of their own, powers of two, so that squares of the impulses of fine powders fit
 * into single precision: a mass M and a length L. Velocities stay as they are, spins are times L, impulses over M,
 * angular impulses over M L, arms over L.
 *
 * The normal impulse is kept as what it differs from where it started: `change` = ln - ln0 >= `least` = -ln0.
 * With `offset` = target + S_n ln0, taken in double precision, (1) reads n.u + offset + S_n change >= 0, in which
 * nothing large cancels near rest.
 *
 * A block of which no contact carried anything after the last sweep, and none does after this one's normal part, is
 * left as it is: all else would add zeros. Rows hold no -0, so that not even a sign depends on which blocks these
 * are. */
#ifndef SCREE_SOLVE_PGS_LOOPS_H
#define SCREE_SOLVE_PGS_LOOPS_H

#include "solve/pgs.h"

#define PGS_GROUP 16 /* slots of a colour begin at multiples of this */
/* Beside the kind of a contact: it found no colour; its rows are in different chunks (pgs_plan.h); it carried nothing
 * when it was given. */
#define PGS_SERIAL  0x80
#define PGS_BETWEEN 0x40
#define PGS_OPEN    0x20
#define PGS_KIND    0x0f

enum { PGS_PAIR, PGS_ALONE, PGS_GENERAL, PGS_KINDS };
enum { PGS_GIVE, PGS_MU, PGS_ROLL, PGS_TWIST, PGS_COEFFICIENTS };

typedef struct {
    const scr_pgs_problem *problem;
    const scr_pgs_body *start; /* rows after the impulses at the start */
    const uint32_t *slot;      /* of each contact, among those of its kind */
    const uint8_t *kind;       /* and flags */
    uint32_t first[PGS_KINDS]; /* the first contact of each kind */
    void *rows;                /* eight numbers each: v, 1/m, w, 1/I; after the last, empty ones */
    size_t chunks, chunk_rows; /* see pgs_plan.h */
    void *blocks[PGS_KINDS];
    size_t block_count[PGS_KINDS];
    void *coefficients[PGS_KINDS];           /* block_count of each of S_n, mu, roll, twist, apart */
    bool alike[PGS_KINDS][PGS_COEFFICIENTS]; /* the first block's serve all */
    void *joints;
    double relaxation;             /* of normal impulses */
    double mass, length;           /* units, powers of two */
    double over_mass, over_length; /* their inverses, which are exact */
} pgs_task;

/* Empty rows, which stand where there is no body: a cache line or two for each part, so that threads do not meet
 * there. */
enum { PGS_EMPTY = 4 };

static inline uint32_t pgs_empty_row(const pgs_task *t, size_t part, int kind)
{
    return (uint32_t)(t->problem->body_count + PGS_EMPTY * part + (size_t)kind);
}

typedef struct {
    int lanes;
    size_t number_bytes, block_bytes[PGS_KINDS], coefficient_bytes, joint_bytes;
    /* Velocities of bodies [from, to); the empty rows when to is the last. */
    void (*pack_bodies)(const pgs_task *task, size_t from, size_t to);
    /* Contacts of a list into their slots. Coefficients that are not those of the kind's
     * first contact clear `alike`. */
    void (*pack)(const pgs_task *task, const uint32_t *list, size_t count, bool alike[PGS_KINDS][PGS_COEFFICIENTS]);
    /* Slots [from, to) of a kind, in a part, solve nothing. */
    void (*clear)(const pgs_task *task, size_t part, int kind, size_t from, size_t to);
    /* Once through the blocks [from, to), of which those from `open` on may carry nothing: never so in the first sweep,
     * where friction may be left without a normal impulse. With `check` the largest change of a velocity [m/s], else
     * 0. */
    double (*sweep)(const pgs_task *task, int kind, size_t from, size_t open, size_t to, bool check);
    /* Impulses of these contacts back from their slots. */
    void (*unpack)(const pgs_task *task, const uint32_t *list, size_t count);
    /* Joints' rows, one after the other; only where there is one lane. */
    void (*pack_joints)(const pgs_task *task);
    double (*sweep_joints)(const pgs_task *task);
    void (*unpack_joints)(const pgs_task *task);
} pgs_loops;

extern const pgs_loops scr_pgs_loops_portable, scr_pgs_loops_avx2, scr_pgs_loops_avx512, scr_pgs_loops_serial;
extern const pgs_loops scr_pgs_precise_portable, scr_pgs_precise_avx2, scr_pgs_precise_avx512, scr_pgs_precise_serial;

#endif
