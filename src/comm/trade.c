/* Items from all ranks to all. */
#include "base/buffer.h"
#include "comm/share.h"

static void need(bool room)
{
    scr_comm_need(room, "what other ranks send");
}

// first how many everybody has for everybody
static void trade_counts(scr_share *s, const uint64_t *out, uint64_t *in)
{
    scr_comm *c = s->comm;
    int n = 0;
    for (int r = 0; r < c->size; r++)
        if (r != c->rank) s->parcels[n++] = (scr_parcel){r, &out[r], &in[r], sizeof *out, sizeof *in};
    in[c->rank] = out[c->rank];
    scr_comm_trade(c, s->parcels, n);
}

size_t scr_share_trade(scr_share *s, const char *items, const uint64_t *counts, size_t size, char **in, uint64_t *from)
{
    scr_comm *c = s->comm;
    uint64_t *coming = NULL, total = 0;
    need(scr_reserve(&coming, (size_t)c->size));
    trade_counts(s, counts, coming);
    for (int r = 0; r < c->size; r++) total += coming[r];
    need(scr_reserve(in, total * size + 1));
    char *to = *in;
    int n = 0;
    for (int r = 0; r < c->size; r++) {
        size_t out_bytes = counts[r] * size, in_bytes = coming[r] * size;
        if (r == c->rank)
            scr_copy(to, items, in_bytes);
        else if (out_bytes || in_bytes)
            s->parcels[n++] = (scr_parcel){r, items, to, out_bytes, in_bytes};
        items += out_bytes, to += in_bytes;
        if (from) from[r] = coming[r];
    }
    scr_comm_trade(c, s->parcels, n);
    scr_buffer_free(coming);
    return total;
}
