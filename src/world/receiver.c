#include "world/receiver.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "world/world.h"

static void empty(scr_receiver *r)
{
    free(r->first);
    free(r->entries);
    *r = (scr_receiver){.name = r->name};
}

void scr_receivers_deinit(scr_world *w)
{
    for (int k = 0; k < w->receiver_count; k++) {
        empty(&w->receivers[k]);
        free(w->receivers[k].name);
    }
    scr_buffer_free(w->receivers);
    w->receivers = NULL, w->receiver_count = 0;
}

const scr_receiver *scr_receiver_find(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->receiver_count; k++)
        if (!strcmp(w->receivers[k].name, name)) return &w->receivers[k];
    return NULL;
}

scr_receiver *scr_receiver_add(scr_world *w, const char *name)
{
    scr_receiver *there = (scr_receiver *)scr_receiver_find(w, name);
    if (there) {
        empty(there);
        return there;
    }
    char *copy = strdup(name);
    if (copy && scr_push(w->receivers, w->receiver_count, (scr_receiver){.name = copy}))
        return &w->receivers[w->receiver_count - 1];
    free(copy);
    return NULL;
}
