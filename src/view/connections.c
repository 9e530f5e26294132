#include "view/connections.h"

#include <sys/socket.h>

#include "base/os.h"

void scr_connections_init(scr_connections *c, double patience)
{
    pthread_mutex_init(&c->mutex, NULL);
    c->patience = patience;
    for (int k = 0; k < SCR_CONNECTIONS; k++) c->all[k] = (scr_connection){.socket = -1};
}

void scr_connections_deinit(scr_connections *c)
{
    pthread_mutex_destroy(&c->mutex);
}

scr_connection *scr_connections_add(scr_connections *c, int socket)
{
    scr_connection *found = NULL;
    pthread_mutex_lock(&c->mutex);
    for (int k = 0; k < SCR_CONNECTIONS && !found; k++)
        if (c->all[k].socket < 0) found = &c->all[k];
    if (found) *found = (scr_connection){socket, scr_seconds() + c->patience};
    pthread_mutex_unlock(&c->mutex);
    return found;
}

// before the socket is closed, so that no other one is shut by its number
void scr_connections_remove(scr_connections *c, scr_connection *one)
{
    if (!one) return;
    pthread_mutex_lock(&c->mutex);
    one->socket = -1;
    pthread_mutex_unlock(&c->mutex);
}

void scr_connections_send(scr_connections *c, scr_connection *one, size_t bytes)
{
    if (!one) return;
    pthread_mutex_lock(&c->mutex);
    one->deadline = scr_seconds() + c->patience + (double)bytes / SCR_SLOWEST;
    pthread_mutex_unlock(&c->mutex);
}

void scr_connections_await(scr_connections *c, scr_connection *one)
{
    scr_connections_send(c, one, 0);
}

void scr_connections_sweep(scr_connections *c)
{
    double now = scr_seconds();
    pthread_mutex_lock(&c->mutex);
    for (int k = 0; k < SCR_CONNECTIONS; k++)
        if (c->all[k].socket >= 0 && now > c->all[k].deadline) shutdown(c->all[k].socket, SHUT_RDWR);
    pthread_mutex_unlock(&c->mutex);
}
