/* The soft stepper over ranks: rank 0 has the world, drives the run and writes; all ranks have a part of the bodies
 * and do their steps (comm/share.h) with the loops of cpu/. What rank 0 is asked for becomes an order, which all ranks
 * carry out together.
 *
 * The world on rank 0 is current when it is fetched, which is done on demand. */
#ifndef SCREE_STEP_SOFT_RANKS_H
#define SCREE_STEP_SOFT_RANKS_H

#include "comm/comm.h"
#include "step/stepper.h"

typedef enum {
    SOFT_ORDER_QUIT,  /* the program ends */
    SOFT_ORDER_BUILD, /* ranks make a world together (build/divided.h); its scene follows, and how it is to be made */
    SOFT_ORDER_OPEN,  /* a world is divided, or its parts are ready; its scene follows */
    SOFT_ORDER_ADVANCE,
    SOFT_ORDER_RENEW,
    SOFT_ORDER_FETCH,
    SOFT_ORDER_CONTACTS,
    SOFT_ORDER_ENERGIES,
    SOFT_ORDER_WORK, /* for output; what follows */
    SOFT_ORDER_CLOSE
} soft_order_kind;

typedef struct {
    soft_order_kind kind;
    int64_t most;   /* steps */
    unsigned parts; /* soft_parts to fetch */
    unsigned needs; /* scr_rank_needs of the work */
    uint64_t bytes; /* of what follows: the work */
    bool contacts;  /* keep forces of the last step */
    bool resumed;   /* the world continues a run */
    bool no_ledger, keep_spent;
    bool made; /* by all ranks, by the order before this one */
    int threads;
    uint64_t path, text; /* bytes of what follows: of the scene */
} soft_order;

/* On rank 0: an order with a scene, whose `path` and `text` are set here. */
void scr_soft_order_send(scr_comm *comm, soft_order order, const scr_scene *scene);
/* On other ranks: the scene of an order, both malloc'ed. */
bool scr_soft_order_scene(scr_comm *comm, const soft_order *order, char **path, char **text);
/* There: a world without bodies, as the scene builds it (`status` and `report`: whether it could), or with those that
 * this rank has made, carries out orders until the run is closed. */
void scr_soft_ranks_serve(scr_comm *comm, scr_step *step, const soft_order *open, scree_status status,
                          scree_report *report);
/* On rank 0: the others leave. */
void scr_soft_ranks_dismiss(scr_comm *comm);

#endif
