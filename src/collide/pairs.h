/* The neighbour list: pairs of bodies, and of bodies and wall faces, that may touch before the list
 * is built again, with the history of those that do.
 *
 * Bodies are taken in blocks (world/blocks.h). A pair belongs to the block of its first
 * body (scr_is_first): it is computed with that body first, and the pairs of a block are in the order of
 * (first row, second row). Its force on the second body goes to that body's row when it is in the same block,
 * else to a slot of the block's halo; after a barrier each block collects from the slots that concern its
 * bodies, in the order of the blocks that filled them. So no two blocks write to one place, and a body's sum is
 * taken in an order that depends on rows alone: not on the number of threads, and not on when the list was built
 * or how far it reaches, for pairs that do not touch add nothing.
 *
 * Rows depend on the scene and the number of the step alone: bodies leave, are brought back into a periodic
 * domain and are sorted at steps of fixed numbers, never because a list is new. */
#ifndef SCREE_COLLIDE_PAIRS_H
#define SCREE_COLLIDE_PAIRS_H

#include "collide/grid.h"
#include "collide/order.h"
#include "collide/wall_pairs.h"
#include "world/world.h"

#define SCR_MOST_PAIRS 0xffff0000u /* pairs and sinks are numbered in 32 bits */
#define SCR_LOOK_EVERY 64          /* steps between two checks for bodies that enter or leave */
#define SCR_CUT_AT     32          /* of these: where ranks look whether they share bodies evenly */
#define SCR_SORT_EVERY 1024        /* steps between two sorts of the bodies: a multiple of that */

struct scr_finder; /* scratch of one thread */

/* Arrays are buffers. */
typedef struct scr_pairs {
    /* pairs of bodies, by block */
    size_t count;
    uint32_t *first, *second; /* rows of the bodies */
    uint32_t *sink;           /* where the second body's share goes: its row, or body count + halo slot */
    uint16_t *law;            /* index into world->laws; not filled where there is only one */
    uint8_t *touch;           /* was in contact at the last force evaluation */
    double *history;          /* 4 per pair, as in scr_contacts */
    double *wide;             /* 8 per pair, as in scr_contacts; NULL where contacts are not wide */

    scr_wall_pairs walls; /* pairs of a body and a wall face, by block */

    /* forces of the last evaluation, for observers: 8 per pair, force, loss beyond what is booked,
     * couple, 0; only where touch is set, and only after scr_pairs_reserve_record */
    double *record;

    bool held; /* pairs of bodies that nothing can push are listed too, of groups that act on each other (as
                  scr_world_held_meet says); set before the list is built */

    bool stay;     /* contacts of bodies are in the list itself while it is built (collide/stay.h), */
    size_t packed; /* so many */

    double range;  /* gap over which contacts can still attract [m] */
    double stride; /* no two bodies got further apart in the last step [m]: contacts that end with it are listed,
                      too. Set before the list is built */
    double reach;  /* gap below which all pairs are listed [m] */

    /* by block of world->blocks: starts, block_count + 1 each */
    size_t block_count;
    size_t own_first, own_end; /* blocks of bodies that are moved here: all, but of ghosts (comm/share.h) */
    uint32_t *block_pairs, *block_walls, *block_halo, *block_inbox;
    uint32_t *block_images; /* whether some pair of the block is near through a periodic side */

    /* halo slots: accumulated force and torque (8), and the body each belongs to */
    size_t halo_count;
    double *halo;
    uint32_t *halo_body;
    uint32_t *inbox; /* slots in the order of the blocks that collect them */

    scr_grid grid;
    struct scr_finder *finders;
    int finder_count;                /* in use */
    uint64_t *sort_key;              /* for sorting, beside the grid's own arrays */
    double *sort_row;                /* the same, SCR_ORDER_ROW bytes per body, where the histories' array is shorter */
    uint32_t *row_start, *row_entry; /* contacts by body, while matching history */
    struct scr_pairs *desk;          /* for sorting the whole of a divided world; NULL: there is none */
} scr_pairs;

void scr_pairs_deinit(scr_pairs *pairs);

/* Builds the list from the anchors of bodies and walls, and hands the histories in world->contacts
 * to their pairs. Needs the skin in world->clock. */
scree_status scr_pairs_build(scr_pairs *pairs, scr_world *world, scree_report *report);
/* The same where it is known how fast drifts differ at most (scr_fastest_relative). */
scree_status scr_pairs_build_within(scr_pairs *pairs, scr_world *world, double fastest, scree_report *report);

/* The history of body i with j (a row, or -1 - face) if they were in contact when world->contacts was
 * saved: whether they were, and zeros if not. While the list is built. */
uint8_t scr_pairs_match(const scr_pairs *pairs, const scr_world *world, uint32_t i, int64_t j, double *history,
                        double *wide);

/* Of a divided world: how many pairs each row is the first of, for the ranks to share them evenly. */
void scr_pairs_weigh(const scr_pairs *pairs, const scr_world *world);

/* Contacts that touch now, with their history, into world->contacts. */
scree_status scr_pairs_save(const scr_pairs *pairs, scr_world *world, scree_report *report);

/* A new list between two steps, for a world that did not come from a checkpoint of the same run: all bodies into
 * the domain and into order, those that leave out of the table. The contacts are those in world->contacts (none, or
 * another run's). */
scree_status scr_pairs_adopt(scr_pairs *pairs, scr_world *world, scree_report *report);
/* The same for steps in which bodies get further than their slack: they are expected to go on as they do, though it be
 * for this time only [s]; 0: as for others. Bodies are sorted with every eighth list. */
scree_status scr_pairs_adopt_for(scr_pairs *pairs, scr_world *world, double span, scree_report *report);

/* Brings bodies that are outside a periodic domain back into it, counting the crossings. */
void scr_world_wrap(scr_world *world);

/* The list for the bodies where they are now, in the middle of a step. Rows do not change. SCREE_E_RUN: some place is
 * not a number; the list is whole all the same. */
scree_status scr_pairs_refresh(scr_pairs *pairs, scr_world *world, scree_report *report);

/* Whether something is to be done before a step of this number: it is the time to sort, or to look, and then some body
 * is to leave or is astray, which is a diameter outside of a periodic domain. */
bool scr_pairs_are_due(const scr_world *world);
/* Between two steps, after bodies were added at the end of the table or when something is due: bodies in outlets leave,
 * those outside the domain leave or are reported; when it is the time, or some body is astray, all are brought back
 * into the periodic domain and sorted. Then a new list. */
scree_status scr_pairs_renew(scr_pairs *pairs, scr_world *world, scree_report *report);

/* Bodies into the domain, those that leave out of the table, and into order; contacts in world->contacts
 * follow. Part of the above, and for steppers without a list: it lends its arrays. SCREE_E_RUN: a body is
 * where it may not be, all else was done. */
typedef struct {
    bool wrap, sort; /* places into the periodic domain; rows along a curve */
    bool leave;      /* bodies in outlets and outside the domain */
    bool recut;      /* ranks of a divided world share bodies more evenly; with none of the above */
    bool springs;    /* contacts that vanish hold the springs of kernel/contact.h: the ledger gets them */
} scr_tidy;
scree_status scr_bodies_tidy(scr_pairs *pairs, scr_world *world, scr_tidy how, scree_report *report);
/* The same of a world that may be divided: bodies go to the ranks that own them then. */
scree_status scr_world_tidy(scr_pairs *pairs, scr_world *world, scr_tidy how, scree_report *report);

/* SCREE_E_RUN: a body is where it may not be. For the end of a run, which may come between two looks. */
scree_status scr_bodies_look(const scr_world *world, scree_report *report);

/* Room for the forces of all pairs. */
bool scr_pairs_reserve_record(scr_pairs *pairs);

/* The list expects each body to go on with the velocity it had when the list was built: it holds all
 * pairs that come nearer than the skin on such paths before the horizon. So it serves while no body is
 * farther than half the skin from anchor + age drift, however fast they all move, and until the horizon.
 *
 * Squared distance from there at which a body makes the list too old. */
static inline double scr_pairs_slack2(const scr_world *world)
{
    return 0.25 * world->clock.skin * world->clock.skin;
}

/* No two bodies' drifts differ by more [m/s]. */
double scr_fastest_relative(const scr_world *world);

/* Age of the list at the end of the step that begins now [s]. */
static inline double scr_pairs_age(const scr_clock *c)
{
    return scr_clock_ahead(c, 1) - c->listed;
}

/* Box lengths and their inverses for the minimum image; both 0 along open axes. Of a box that deforms the offsets of
 * images and their speeds too (world/box.h). */
typedef struct {
    double length[3], inverse[3];
    bool deforms;
    double tilt[3], speed[SCR_BOX_PARTS];
} scr_images;
scr_images scr_images_of(const scr_domain *domain);

/* A difference of coordinates along axis d, brought to the nearest image. Adding 1.5 * 2^52 leaves
 * no room for a fraction: that rounds to the nearest whole number, in every width of vector alike.
 */
static inline double scr_nearest_image(const scr_images *m, int d, double x)
{
    const double big = 0x1.8p52;
    return x - m->length[d] * ((x * m->inverse[d] + big) - big);
}

/* A vector between two bodies, and the difference of their velocities unless NULL, to the nearest image in a box that
 * deforms: from the last axis to the first, for images across a side are shifted along those before. All images that
 * are nearer than half of the shortest length are found so. */
static inline void scr_image_deformed(const scr_images *m, double d[3], double dv[3])
{
    // the edge along each axis, as rows of H: lengths on the diagonal, offsets before it
    const double edge[3][3] = {
        {m->length[0], 0, 0}, {m->tilt[0], m->length[1], 0}, {m->tilt[1], m->tilt[2], m->length[2]}};
    const double speed[3][3] = {
        {m->speed[0], 0, 0}, {m->speed[3], m->speed[1], 0}, {m->speed[4], m->speed[5], m->speed[2]}};
    const double big = 0x1.8p52;
    for (int k = 2; k >= 0; k--) {
        double n = (d[k] * m->inverse[k] + big) - big;
        for (int a = 0; a <= k; a++) {
            d[a] -= n * edge[k][a];
            if (dv) dv[a] -= n * speed[k][a];
        }
    }
}

static inline void scr_image_nearest(const scr_images *m, double d[3], double dv[3])
{
    if (m->deforms) {
        scr_image_deformed(m, d, dv);
        return;
    }
    for (int k = 0; k < 3; k++) d[k] = scr_nearest_image(m, k, d[k]);
}

#endif
