/* What ranks give to those of them that write. */
#include <string.h>

#include "base/buffer.h"
#include "comm/share.h"

static void need(bool room)
{
    scr_comm_need(room, "what is written");
}

/* What goes to writers and, on one of them, comes from each rank: `out` and `in` are bytes by writer and by rank. */
static void trade(scr_share *s, const char *items, const uint64_t *out, char *room, const uint64_t *in)
{
    scr_comm *c = s->comm;
    int count = 0, writer = 0;
    for (int r = 0; r < c->size; r++) {
        bool writes = writer < c->writers && scr_comm_writer(c, writer) == r;
        size_t sent = writes ? out[writer] : 0, received = in[r];
        if (r == c->rank)
            scr_copy(room, items, sent);
        else if (sent || received)
            s->parcels[count++] = (scr_parcel){r, items, room, sent, received};
        items += sent, room += r == c->rank ? sent : received, writer += writes;
    }
    scr_comm_trade(c, s->parcels, count);
}

size_t scr_share_deliver(scr_share *s, const char *items, const uint64_t *counts, size_t size, char **in,
                         uint64_t *from)
{
    scr_comm *c = s->comm;
    uint64_t *bytes = NULL, *lengths = NULL, total = 0;
    int own = scr_comm_writer_of(c, c->rank);
    bool writes = scr_comm_writer(c, own) == c->rank;
    need(scr_reserve(&bytes, (size_t)c->writers) && scr_reserve(&lengths, (size_t)c->size));
    // first how many, which everybody tells every writer
    for (int k = 0; k < c->writers; k++) bytes[k] = sizeof *counts;
    for (int r = 0; r < c->size; r++) lengths[r] = writes ? sizeof *from : 0;
    trade(s, (const char *)counts, bytes, (char *)from, lengths);
    for (int k = 0; k < c->writers; k++) bytes[k] = counts[k] * size;
    for (int r = 0; r < c->size; r++) total += writes ? from[r] : 0, lengths[r] = writes ? from[r] * size : 0;
    need(scr_reserve(in, total * size + 1));
    trade(s, items, bytes, *in, lengths);
    scr_free_all(bytes, lengths);
    return total;
}
