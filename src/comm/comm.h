/* Ranks: processes that share one world, and how bytes travel between them.
 *
 * There is one implementation in a program, and the build chooses it: serial.c, where there is one rank and every call
 * is trivial, or mpi.c. What is done with it (ownership of bodies, ghosts, gathering) is in share.h, and knows
 * nothing of messages.
 *
 * All ranks call the same functions in the same order. Reductions are least, most, any and sums of whole numbers, which
 * have no order: there is no sum of floating-point numbers over ranks. */
#ifndef SCREE_COMM_COMM_H
#define SCREE_COMM_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What has been sent by this rank so far. */
typedef struct {
    int64_t messages, bytes; /* to single ranks */
    int64_t reductions;      /* over all of them */
} scr_comm_count;

typedef struct {
    int rank, size;
    int node_size; /* ranks on this machine */
    int cores;     /* of this machine that any of them may run on */
    int writers;   /* ranks that write: as many as there are machines, or SCREE_WRITERS of the environment */
    scr_comm_count count;
} scr_comm;

/* Which of the writers has what a rank gives away, and the rank of a writer: rank 0 is the first. Those of a writer are
 * neighbours, so that in the order of writers they are in the order of ranks; where ranks fill one machine after the
 * other, they are those of a machine. */
static inline int scr_comm_writer_of(const scr_comm *comm, int rank)
{
    return (int)((int64_t)rank * comm->writers / comm->size);
}
static inline int scr_comm_writer(const scr_comm *comm, int writer)
{
    return (int)(((int64_t)writer * comm->size + comm->writers - 1) / comm->writers);
}

/* The ranks of this process. The first call joins them. */
scr_comm *scr_comm_world(void);
/* Leaves them; the last call. */
void scr_comm_leave(void);
/* Something cannot be told to the others any more: says `text` and ends all ranks with this exit code. */
void scr_comm_abort(int code, const char *text) __attribute__((noreturn));
/* The same where memory is exhausted in the middle of a conversation: "no memory for `what`". */
void scr_comm_no_memory(const char *what) __attribute__((noreturn));
static inline void scr_comm_need(bool room, const char *what)
{
    if (!room) scr_comm_no_memory(what);
}

/* ---- over all ranks: each gets the result ---- */

void scr_comm_least(scr_comm *comm, double *values, int count);
void scr_comm_most(scr_comm *comm, double *values, int count);
unsigned scr_comm_any(scr_comm *comm, unsigned bits); /* bits that any of them has */
/* The same in two calls: *bits belongs to it between them, where a trade may be started, and no other reduction. */
void scr_comm_any_start(scr_comm *comm, unsigned *bits);
void scr_comm_any_finish(scr_comm *comm);
void scr_comm_add(scr_comm *comm, int64_t *values, int count);
/* `bytes` of each rank, in the order of ranks, into `all`. */
void scr_comm_gather_all(scr_comm *comm, const void *own, size_t bytes, void *all);
/* From rank 0 to all. */
void scr_comm_broadcast(scr_comm *comm, void *data, size_t bytes);

/* ---- from rank to rank ---- */

void scr_comm_send(scr_comm *comm, int to, const void *data, size_t bytes);
void scr_comm_receive(scr_comm *comm, int from, void *data, size_t bytes);

/* What two ranks have for each other; either may be nothing. */
typedef struct {
    int rank;
    const void *out;
    void *in;
    size_t out_bytes, in_bytes;
} scr_parcel;
/* All parcels at once. Between start and finish nothing else is sent, and what they name is left alone. */
void scr_comm_trade_start(scr_comm *comm, const scr_parcel *parcels, int count);
/* Whether they have come; asking helps them on. */
bool scr_comm_trade_done(scr_comm *comm);
void scr_comm_trade_finish(scr_comm *comm);
static inline void scr_comm_trade(scr_comm *comm, const scr_parcel *parcels, int count)
{
    scr_comm_trade_start(comm, parcels, count);
    scr_comm_trade_finish(comm);
}

#endif
