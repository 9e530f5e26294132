/* The inner loops of the elastic stepper, one block of cells at a time. Built from one text (loops_text.h) for several
 * instruction sets; all give the same bits and the machine chooses at start. */
#ifndef SCREE_STEP_ELASTIC_LOOPS_H
#define SCREE_STEP_ELASTIC_LOOPS_H

#include "step/elastic/plan.h"
#include "world/world.h"

/* What a block adds up. */
typedef struct {
    double links;     /* U_t + U_f [J] */
    double cells;     /* U_d + U_k [J] */
    double taken;     /* by damping [J] */
    int64_t lost;     /* first cell whose turn was not found, or -1 */
    int64_t doubtful; /* links that may break */
} elastic_sums;

#define ELASTIC_DOUBTFUL 255 /* of a link, beside scr_link_fate: not far from breaking */

/* A contact of a cell: what the law is given, and what it returns. */
typedef struct {
    const scr_law *law;
    vec3 normal, normal_half, velocity, turning, spin; /* as contact_state and pair_velocity() have them */
    double overlap, radius, inverse_mass, inverse_inertia;
    bool was, ended;            /* it touched at the last evaluation; it cannot touch now */
    double history[4], wide[4]; /* given and returned, as those of world/cell_contacts.h */
    bool touches;
    vec3 force, couple;
    double sums[8]; /* damping, friction, rolling; stored normal, tangential, rolling; excess of damping, rolling [J] */
} elastic_meeting;

typedef struct {
    scr_world *world;
    elastic_plan plan;
    double dt;
    elastic_sums *sums; /* one per block */
    uint8_t *verdict;   /* of each link: SCR_LINK_HOLDS or ELASTIC_DOUBTFUL; NULL: nothing can break */
} elastic_task;

typedef struct {
    /* v += dt/2 a, L += dt/2 M, u += dt v, q turns; without a hitch, or sums.lost says where */
    void (*kick_drift)(const elastic_task *task, size_t block);
    /* sums in the changes of volume, and of curvature, of the block's links into rows and halo slots */
    void (*strains)(const elastic_task *task, size_t block);
    /* forces and torques of the block's links into rows and halo slots; their energy; which of them may break */
    void (*forces)(const elastic_task *task, size_t block);
    /* v += dt/2 a, L += dt/2 M */
    void (*kick)(const elastic_task *task, size_t block);
    /* forces of contacts; dt and opening as contact_force() has them */
    void (*meet)(elastic_meeting *meetings, size_t count, double dt, double opening);
} elastic_loops;

extern const elastic_loops scr_elastic_loops_portable, scr_elastic_loops_avx2, scr_elastic_loops_avx512;

#endif
