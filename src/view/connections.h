/* The connections of the viewer's server, and how long each may take: a request must have arrived within `patience`, an
 * answer be taken at SCR_SLOWEST bytes a second or faster, counted from its beginning. The library's own limit counts
 * from the last byte, so that a client that drips would never be closed.
 *
 * The server's thread tells of what happens to a connection; another thread sweeps. */
#ifndef SCREE_VIEW_CONNECTIONS_H
#define SCREE_VIEW_CONNECTIONS_H

#include <pthread.h>
#include <stddef.h>

#define SCR_CONNECTIONS 256 /* at once */
#define SCR_SLOWEST     1e5 /* bytes of an answer a second */

typedef struct {
    int socket;      /* -1: this place is free */
    double deadline; /* on the clock of scr_seconds */
} scr_connection;

typedef struct {
    pthread_mutex_t mutex;
    double patience; /* [s] */
    scr_connection all[SCR_CONNECTIONS];
} scr_connections;

void scr_connections_init(scr_connections *connections, double patience);
void scr_connections_deinit(scr_connections *connections);
/* A new one, whose first request is awaited; NULL: there are as many as there may be. */
scr_connection *scr_connections_add(scr_connections *connections, int socket);
void scr_connections_remove(scr_connections *connections, scr_connection *connection);
/* The next request is awaited; an answer of so many bytes is sent. */
void scr_connections_await(scr_connections *connections, scr_connection *connection);
void scr_connections_send(scr_connections *connections, scr_connection *connection, size_t bytes);
/* Shuts those whose time is over; the server then closes them. */
void scr_connections_sweep(scr_connections *connections);

#endif
