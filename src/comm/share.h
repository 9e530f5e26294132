/* A world that is divided among ranks: ownership of bodies, what each knows of the others', and how the whole is put
 * together again (scr_world.share; NULL: the world is whole, and nothing here does anything).
 *
 * Rows of all ranks together have one order, that of a world on one rank: the row of a body there is its global row. It
 * is cut at borders of blocks (world/blocks.h) into one run for each rank, which owns these bodies. Beside them a rank
 * has ghosts, copies of bodies of others that its own may touch, and its table is in the order of global rows:
 *
 *   ghosts of lower ranks | own bodies | ghosts of higher ranks
 *
 * So the first body of a pair, the order of pairs within a block and the order of blocks are those of the whole. A pair
 * whose first body is a ghost is computed here too, for its share of the second; its energies are the business of the
 * rank that owns the first. Nothing is sent back.
 *
 * Ghosts are chosen when a list is built: all possible partners in it. While it lasts, each step brings them place,
 * motion and spin. Bodies change their ranks when they are sorted; those that leave in between only make runs shorter.
 * When some come, and where there are bonds, rank 0 has all of them for a moment.
 *
 * A world may be divided from the start, each rank having made some of the bodies (build/divided.h): the first sort
 * brings them to their owners, and nobody ever had all of them.
 *
 * Contacts and bonds of the part are those with a body of its own, or two; rows in them are local, but global between
 * scr_share_bare and scr_share_ghosts. */
#ifndef SCREE_COMM_SHARE_H
#define SCREE_COMM_SHARE_H

#include "comm/comm.h"
#include "world/world.h"

#define SCR_PAIR_COST 2 /* of a pair in a step, over that of a body: somewhat more than measured, for even pairs */

/* A body that has left: where it was along the curve, its id, in which outlet (-1: none), with how much mass [kg]. */
typedef struct {
    uint64_t key;
    int64_t id, outlet;
    double mass;
} scr_leaver;

/* Another rank that we share a border with. */
typedef struct {
    int rank;
    uint32_t *rows; /* of our bodies that it has as ghosts, counted from our first one, ascending; a buffer */
    size_t row_count;
    size_t first, count;   /* our ghosts that it owns: local rows */
    uint32_t *tell, *hear; /* of both those that the list has pairs with: rows as above, and local rows; buffers */
    size_t tell_count, hear_count;
    double *out, *in; /* messages of a step; buffers */
} scr_peer;

/* Blocks of the list that are worked on together: running sums of what they cost, and how many there are. */
typedef struct {
    uint32_t *block, *cost; /* buffers */
    size_t count;
} scr_turn;

typedef struct scr_share {
    scr_comm *comm;
    scr_world *whole;  /* on rank 0: all bodies, contacts and bonds, when they were last gathered; else NULL */
    bool renewed;      /* the whole, not the parts, is what counts: it is new, or has been changed */
    uint64_t *first;   /* global row of each rank's first body, and the end: size + 1; a buffer */
    scr_blocks blocks; /* of the whole */
    uint32_t *row;     /* global row of each local row; a buffer */
    int64_t *bond;     /* number in the whole of each bond; a buffer */
    bool named;        /* rows of contacts are found by ids when there are ghosts again */
    scr_leaver *left;  /* own bodies that have left since that was told, in the order of rows; a buffer */
    size_t left_count;
    uint64_t *cells;  /* first cell of each rank's run of elastic cells, and the end: size + 1; a buffer */
    bool touch_cells; /* cells can touch bodies: those near them are ghosts, too */
    double *extra;    /* spheres around own cells of which bodies must be known, 4 numbers each; a buffer */
    size_t extra_count;
    uint64_t *extras; /* how many each rank has; a buffer */
    scr_peer *peers;  /* room for all ranks; a buffer */
    int peer_count;
    scr_parcel *parcels;  /* scratch, as many */
    uint8_t *used;        /* of each local row: the list has a pair with it; a buffer */
    uint32_t *weight;     /* likewise: how many pairs of the list it is the first of, when rows are sorted; a buffer */
    size_t weight_count;  /* 0: not known */
    uint64_t *block_cost; /* of own blocks in the present list, and the global row that each begins with; buffers */
    uint64_t *block_row;
    size_t cost_count;
    uint64_t *next;     /* as `first`, where the curve is to be cut anew between two sorts; a buffer */
    bool recut;         /* it is */
    int64_t recuts;     /* how often that was done */
    scr_turn turns[2];  /* blocks that need no ghosts, and those that wait for them */
    double *boxes[3];   /* scratch: own, of a peer, of all ranks; buffers */
    char *bytes[2];     /* scratch; buffers */
    uint32_t *list;     /* scratch; a buffer */
    scr_contacts aside; /* of a checkpoint that ranks read in parts: contacts whose bodies are others' business */
    bool has_aside;     /* they are still to be dealt out, on all ranks */
} scr_share;

/* All but `whole`. False when memory is exhausted. */
bool scr_share_init(scr_share *share, scr_comm *comm);
void scr_share_deinit(scr_share *share);

/* ---- partition and migration (share.c) ---- */

/* The whole is divided: blocks go to ranks so that costs are alike, bodies, contacts and bonds after them, and the part
 * has no ghosts. */
void scr_share_scatter(scr_share *share, scr_world *part);
/* The bodies of all parts into the whole: all that is state, and bonds. */
void scr_share_gather(scr_share *share, const scr_world *part);
/* Contacts of all parts, as scr_pairs_save left them there, into the whole, in the order of one rank. */
void scr_share_gather_contacts(scr_share *share, const scr_world *part);
/* The whole has no rows of bodies and contacts until they are gathered again; it knows how many bodies there are. */
void scr_share_let_go(scr_share *share);
/* Bonds of all parts into the whole; and the clock, walls and gravity, which all ranks have alike. */
void scr_share_gather_bonds(scr_share *share, const scr_world *part);
void scr_share_follow(scr_share *share, const scr_world *part);
/* Contacts whose first body is the rank's own, as rows of the part's table: of bodies, then with walls. A buffer. */
size_t scr_share_own_contacts(const scr_world *part, uint32_t **list);
/* An own body is about to leave. */
void scr_share_note_left(scr_share *share, scr_leaver leaver);
/* Rank 0 books those that have left: in the order of the curve, else of rows. */
void scr_share_book_left(scr_share *share, scr_world *part, bool along_curve);
/* Own bodies have left a bare part, and none has changed ranks: where all rows are now. Contacts find their
 * bodies by ids. */
void scr_share_shorten(scr_share *share, scr_world *part);
/* `count` items of `size` bytes of each rank after each other, on rank 0 into *all, a buffer; how many there are.
 * Elsewhere 0. */
size_t scr_share_collect(scr_share *share, const void *own, size_t count, size_t size, void *all);
/* The same on all ranks. */
size_t scr_share_collect_all(scr_share *share, const void *own, size_t count, size_t size, void *all);

/* Items of `size` bytes for the ranks that write (writers.c): counts[k] of them for writer k, one after the other. On a
 * writer those of all ranks, in their order, in *in, a buffer, and how many came from each in `from`; how many there
 * are. Elsewhere 0. */
size_t scr_share_deliver(scr_share *share, const char *items, const uint64_t *counts, size_t size, char **in,
                         uint64_t *from);

/* Items of `size` bytes from all to all (trade.c): counts[r] of them for rank r, one after the other. Those that come,
 * in the order of ranks, in *in, a buffer, and how many from each in `from`, unless NULL; how many there are. */
size_t scr_share_trade(scr_share *share, const char *items, const uint64_t *counts, size_t size, char **in,
                       uint64_t *from);

/* All bodies into the order of the curve, where key_of is the place of a row along it, and to the ranks that own them
 * then (migrate.c); of bonds there are none. The part is bare afterwards. */
void scr_share_migrate(scr_share *share, scr_world *part, uint64_t (*key_of)(const scr_world *world, size_t row));

/* The part has rows of a checkpoint, after those of lower ranks, in whole blocks, and any of its contacts; its blocks
 * are those of all bodies. Contacts are put aside: where they belong is found when it is known who owns which
 * bodies. */
void scr_share_adopt(scr_share *share, scr_world *part);
/* Contacts that were put aside, to the owners of both of their bodies; they find their rows with the next ghosts. */
void scr_share_deal(scr_share *share, scr_world *part);

/* Whether pairs of the present list would be shared more evenly if the curve were cut elsewhere, at borders of its
 * blocks: then share->recut and share->next say where. The same answer on all ranks. */
bool scr_share_cut_is_due(scr_share *share);
/* A bare part whose contacts have global rows gets the bodies between its new cuts; rows do not change. */
void scr_share_recut(scr_share *share, scr_world *part);

/* ---- ghosts (ghosts.c) ---- */

/* The part loses its ghosts; rows of contacts and bonds become global. */
void scr_share_bare(scr_share *share, scr_world *part);
/* A bare part gets new ones: all bodies whose anchor is nearer than `gap` to the surface of one of its own; and those
 * that bonds tie them to. */
void scr_share_ghosts(scr_share *share, scr_world *part, double gap);
/* Rows of bodies that stay within the list while it is built (collide/stay.h): global before scr_share_bare, local
 * again after scr_share_ghosts. Their order is the same. */
void scr_share_name(const scr_share *share, uint32_t *rows, size_t count);
void scr_share_find(const scr_share *share, const scr_world *part, uint32_t *rows, size_t count);
/* Only ghosts that are `used` and not of a frozen group are told of from now on, until there are new ones. */
void scr_share_prune(scr_share *share, const scr_world *part);
/* Their place, motion and spin as they are now. Between the two, the part may work on what needs no ghosts. */
void scr_share_send(scr_share *share, const scr_world *part);
void scr_share_receive(scr_share *share, scr_world *part);

/* ---- cells of elastic solids (cells.c): all ranks have all cells and links, and each moves a run of blocks ---- */

/* Whose cells are whose: blocks of cells, by the number of their links. */
void scr_share_cut_cells(scr_share *share, scr_world *world);
static inline bool scr_share_owns_cell(const scr_share *share, size_t cell)
{
    return !share || (cell >= share->cells[share->comm->rank] && cell < share->cells[share->comm->rank + 1]);
}
int scr_share_cell_owner(const scr_share *share, size_t cell);
/* Cells, links and contacts of cells as rank 0 has them. */
void scr_share_tell_cells(scr_comm *comm, scr_world *world);
/* State of all cells to rank 0; `width` numbers of each cell to all ranks, own rows being there. */
void scr_share_gather_cells(scr_share *share, const scr_world *part);
void scr_share_spread_cells(scr_share *share, double *rows, size_t width);

/* ---- over all ranks; alone where share is NULL ---- */

static inline unsigned scr_share_any(scr_share *share, unsigned bits)
{
    return share ? scr_comm_any(share->comm, bits) : bits;
}
static inline void scr_share_least(scr_share *share, double *values, int count)
{
    if (share) scr_comm_least(share->comm, values, count);
}
static inline void scr_share_most(scr_share *share, double *values, int count)
{
    if (share) scr_comm_most(share->comm, values, count);
}
static inline int64_t scr_share_sum(scr_share *share, int64_t number)
{
    if (share) scr_comm_add(share->comm, &number, 1);
    return number;
}
/* How many bodies all of them have. */
static inline size_t scr_share_bodies(const scr_world *world)
{
    return (size_t)scr_share_sum(world->share, (int64_t)scr_bodies_own(&world->bodies));
}
/* The worst status of all. */
static inline scree_status scr_share_agree(scr_share *share, scree_status status)
{
    double worst = (double)status;
    scr_share_most(share, &worst, 1);
    return (scree_status)worst;
}
/* Whether this rank speaks for the world: the only one, or the first. */
static inline bool scr_share_leads(const scr_share *share)
{
    return !share || share->comm->rank == 0;
}
/* A failure that others cannot learn of in time ends all ranks; where there are no others, it is returned. */
scree_status scr_share_must(scr_share *share, scree_status status, const scree_report *report);

#endif
