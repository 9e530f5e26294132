/* Contacts of cells in a step of the elastic stepper: with grains, walls and other cells (collide/cell_touch.h), by the
 * laws of the soft stepper (kernel/contact.h). */
#ifndef SCREE_STEP_ELASTIC_CONTACTS_H
#define SCREE_STEP_ELASTIC_CONTACTS_H

#include "collide/cell_touch.h"
#include "comm/share.h"
#include "math/exact.h"
#include "step/elastic/loops.h"
#include "step/stepper.h"

/* Energies, as soft_sums; in the order of elastic_meeting. */
typedef struct {
    double damping, friction, rolling;
    double elastic_normal, elastic_tangential, elastic_rolling;
    double excess_damping, excess_rolling;
} elastic_contact_sums;

/* What one contact does. */
typedef struct {
    bool touches;
    elastic_contact_sums sums;
    vec3 force, couple; /* on the first [N, N m] */
    double normal;      /* normal part of the force [N] */
    double stored;      /* in the normal spring [J] */
    double history[4], wide[4];
    scr_cell_touch touch; /* last: few have all sides */
} elastic_contact;

/* What a block of groups has found: contacts one behind the other, each with the sides that it has. */
typedef struct {
    char *items;
    size_t bytes; /* of `items` */
    size_t kept;  /* contacts that have a row in the next table */
    bool deep;    /* some overlap is too large */
    bool failed;
} elastic_contact_block;

static inline size_t elastic_contact_size(const scr_cell_touch *touch)
{
    return offsetof(elastic_contact, touch) + offsetof(scr_cell_touch, side) +
           (size_t)touch->side_count * sizeof *touch->side;
}

/* The contacts of a block, for (c = elastic_first(b); c < elastic_end(b); c = elastic_next(c)). */
static inline elastic_contact *elastic_first(const elastic_contact_block *b)
{
    return (elastic_contact *)b->items;
}
static inline elastic_contact *elastic_end(const elastic_contact_block *b)
{
    return b->items ? (elastic_contact *)(b->items + b->bytes) : NULL;
}
static inline elastic_contact *elastic_next(const elastic_contact *c)
{
    return (elastic_contact *)((char *)c + elastic_contact_size(&c->touch));
}

/* What a contact has stored, and its partners: as world/cell_contacts.h says. */
typedef struct {
    int64_t first;
    int64_t kind;
    double stored[5]; /* normal, tangential, rolling; excess of damping, rolling [J] */
} elastic_book;

typedef struct {
    bool on; /* something can touch */
    scr_cell_pairs pairs;
    scr_hull_places places;
    scr_cell_finder finder;
    const elastic_loops *loops;
    double dt, opening;
    elastic_contact_block *blocks;
    size_t block_count, group_count;
    uint32_t *first_pair;           /* of each group of cells: running number of its first pair */
    int16_t *parting;               /* of each pair of cells: a face that has parted it, or -1 */
    uint8_t *visited;               /* rows of world->cell_contacts that have been looked at */
    double *grain_push, *cell_push; /* 8 per grain of the list, 8 per hull */
    scr_exact *wall_push;           /* 6 per wall */
    scr_cell_contacts next;         /* the table of this evaluation, while that of the last is read */
    int64_t count;                  /* that touch */

    /* On a rank of several, contacts of own grains and cells; a contact counts where its grain, or the first cell, is
     * owned. */
    bool stale;          /* lists are made anew in this evaluation */
    bool complete;       /* histories of all contacts with grains are here */
    uint8_t *mine;       /* of each row of world->cell_contacts: it counts here */
    elastic_book *books; /* of those that count here, at the last evaluation */
    size_t book_count;
} elastic_contacts;

/* scr_stepper.refuses: what cells cannot have. */
const scr_law_word *scr_elastic_refuses(const scr_world *world, int a, int b, const char **why);
scree_status scr_elastic_contacts_open(elastic_contacts *contacts, scr_step *step, const elastic_loops *loops,
                                       scree_report *report);
void scr_elastic_contacts_close(elastic_contacts *contacts);

/* ---- on a rank of several (contacts_ranks.c) ---- */

/* Before ghosts are chosen: where own cells are. */
scree_status scr_elastic_contacts_tell(elastic_contacts *contacts, const scr_step *step, scree_report *report);
/* Whether some rank's lists of contacts are too old while that of grains is not: it is to be made anew with them. */
bool scr_elastic_contacts_are_far(const elastic_contacts *contacts, const scr_step *step);
/* Whether lists of contacts are to be made now, on all ranks. */
bool scr_elastic_contacts_are_stale(const elastic_contacts *contacts, const scr_step *step, bool grains);
/* Before lists are made: histories of all contacts with grains to all ranks; others are here already. */
void scr_elastic_contacts_join(elastic_contacts *contacts, scr_world *world);
/* The contacts of all ranks into the table of the whole, on rank 0 (else NULL), in the order of one rank. */
void scr_elastic_contacts_gather(const elastic_contacts *contacts, const scr_world *part, scr_world *whole);
/* What all ranks' contacts have stored, how many there are, and what they do to walls, to what the whole has of
 * others. */
void scr_elastic_contacts_books(const elastic_contacts *contacts, const scr_world *part, scr_step *whole);

/* Forces at the present places, with the velocities of the half step: into grain_push, cell_push and wall_push. dt:
 * since the last evaluation, 0 when the run opens. SCREE_E_RUN: some overlap is too large; all else was done. */
scree_status scr_elastic_contacts_forces(elastic_contacts *contacts, scr_step *step, double dt, double opening,
                                         scree_report *report);
/* Links have broken: a new hull. */
scree_status scr_elastic_contacts_renew(elastic_contacts *contacts, scr_step *step, scree_report *report);
/* Adds those of cells [first, end) to their rows. */
void scr_elastic_contacts_push(const elastic_contacts *contacts, scr_world *world, size_t first, size_t end);
/* The largest force of a contact in the last evaluation [N]. */
double scr_elastic_contacts_strongest(const elastic_contacts *contacts);
/* Rows of the grains that touch cells, once for each contact; how many (`rows` may be NULL). */
size_t scr_elastic_contacts_grains(const elastic_contacts *contacts, uint32_t *rows);
/* Whether something touches, and which bodies, in words. */
bool scr_elastic_contacts_touch(const elastic_contacts *contacts, char *text, size_t size);
/* When a run opens: what contacts have in excess of their losses is taken off, as scr_soft_losses_set does. */
void scr_elastic_contacts_owe(const elastic_contacts *contacts, scr_world *world);
/* Energies into the ledger, counts into step->last; after those of grains. */
void scr_elastic_contacts_add_up(const elastic_contacts *contacts, scr_step *step);
/* Contacts of grains with cells as rows for observers, behind the first *count. */
void scr_elastic_contacts_rows(const elastic_contacts *contacts, const scr_world *world, scr_contact_row *rows,
                               size_t *count);

#endif
