/* One rank: no communication. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/comm.h"

scr_comm *scr_comm_world(void)
{
    // not counted: it is never written
    static const scr_comm alone = {.size = 1, .node_size = 1, .cores = 1, .writers = 1};
    return (scr_comm *)(uintptr_t)&alone;
}

void scr_comm_leave(void) {}

void scr_comm_abort(int code, const char *text)
{
    fprintf(stderr, "error: %s\n", text);
    exit(code);
}

void scr_comm_least(scr_comm *comm, double *values, int count)
{
    (void)comm, (void)values, (void)count;
}

void scr_comm_most(scr_comm *comm, double *values, int count)
{
    (void)comm, (void)values, (void)count;
}

unsigned scr_comm_any(scr_comm *comm, unsigned bits)
{
    (void)comm;
    return bits;
}

static _Thread_local unsigned asked; // by scr_comm_any_start

void scr_comm_any_start(scr_comm *comm, unsigned bits)
{
    (void)comm;
    asked = bits;
}

unsigned scr_comm_any_finish(scr_comm *comm)
{
    (void)comm;
    return asked;
}

void scr_comm_add(scr_comm *comm, int64_t *values, int count)
{
    (void)comm, (void)values, (void)count;
}

void scr_comm_gather_all(scr_comm *comm, const void *own, size_t bytes, void *all)
{
    (void)comm;
    memcpy(all, own, bytes);
}

void scr_comm_broadcast(scr_comm *comm, void *data, size_t bytes)
{
    (void)comm, (void)data, (void)bytes;
}

void scr_comm_send(scr_comm *comm, int to, const void *data, size_t bytes)
{
    (void)comm, (void)to, (void)data, (void)bytes;
}

void scr_comm_receive(scr_comm *comm, int from, void *data, size_t bytes)
{
    (void)comm, (void)from, (void)data, (void)bytes;
}

void scr_comm_trade_start(scr_comm *comm, const scr_parcel *parcels, int count)
{
    (void)comm, (void)parcels, (void)count;
}

bool scr_comm_trade_done(scr_comm *comm)
{
    (void)comm;
    return true;
}

void scr_comm_trade_finish(scr_comm *comm)
{
    (void)comm;
}
