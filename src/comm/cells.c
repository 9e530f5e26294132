/* Elastic solids of a divided world. All ranks have all cells, links and the mesh, which never change their rows; each
 * moves the cells of a run of blocks and knows of the others what it needs (step/elastic/cut.h). */
#include <string.h>

#include "base/buffer.h"
#include "comm/share.h"

static void need(bool room)
{
    scr_comm_need(room, "cells");
}

/* ---- which rank moves which cells ---- */

// what a block costs: its cells, and the links of which they are first
static uint64_t *costs_of(const scr_world *w, size_t blocks)
{
    uint64_t *cost = NULL;
    need(scr_reserve(&cost, blocks + 1));
    for (size_t k = 0; k < w->cells.table.count; k++) cost[k / SCR_BLOCK]++;
    for (size_t k = 0; k < w->links.table.count; k++) cost[(size_t)w->links.cell[2 * k] / SCR_BLOCK] += 4;
    return cost;
}

void scr_share_cut_cells(scr_share *s, scr_world *w)
{
    size_t cells = w->cells.table.count, blocks = (cells + SCR_BLOCK - 1) / SCR_BLOCK, b = 0;
    uint64_t *cost = costs_of(w, blocks), total = 0, before = 0, size = (uint64_t)s->comm->size;
    for (size_t k = 0; k < blocks; k++) total += cost[k];
    s->cells[0] = 0, s->cells[size] = cells;
    for (uint64_t r = 1; r < size; r++) {
        double want = (double)total * (double)r / (double)size;
        while (b < blocks && (double)before + 0.5 * (double)cost[b] < want) before += cost[b++];
        s->cells[r] = b < blocks ? b * SCR_BLOCK : cells;
    }
    w->cells.low = s->cells[s->comm->rank], w->cells.high = cells - s->cells[s->comm->rank + 1];
    scr_buffer_free(cost);
}

int scr_share_cell_owner(const scr_share *s, size_t cell)
{
    int low = 0, high = s->comm->size;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (s->cells[middle] <= cell)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- from rank 0 to all ---- */

// a table that the scene has made alike on all ranks, or of which rank 0 alone knows the length
static void tell_table(scr_comm *c, scr_table *table, bool same)
{
    uint64_t count = table->count;
    scr_comm_broadcast(c, &count, sizeof count);
    if (same && count != table->count) scr_comm_abort(1, "the solids of this rank differ from those of rank 0");
    need(scr_table_reserve(table, count + SCR_SPARE_ROWS));
    table->count = count;
    const scr_field *f;
    for (int k = 0; count && (f = scr_table_flagged(table, SCR_STATE, k)); k++)
        scr_comm_broadcast(c, scr_table_array(table, f), count * scr_field_row(f));
}

void scr_share_tell_cells(scr_comm *c, scr_world *w)
{
    tell_table(c, &w->cells.table, true);
    tell_table(c, &w->links.table, true);
    tell_table(c, &w->shells.table, true);
    tell_table(c, &w->cell_contacts.table, false);
}

/* ---- together again ---- */

// what steps change; rank 0 has its own rows in place
static void gather_rows(scr_share *s, double *rows, size_t width)
{
    scr_comm *c = s->comm;
    size_t row = width * sizeof *rows;
    if (c->rank) {
        uint64_t first = s->cells[c->rank];
        scr_comm_send(c, 0, rows + first * width, (s->cells[c->rank + 1] - first) * row);
        return;
    }
    for (int r = 1; r < c->size; r++)
        scr_comm_receive(c, r, rows + s->cells[r] * width, (s->cells[r + 1] - s->cells[r]) * row);
}

void scr_share_gather_cells(scr_share *s, const scr_world *part)
{
    const scr_cells *c = &part->cells;
    gather_rows(s, c->displacement, 4);
    gather_rows(s, c->velocity, 4);
    gather_rows(s, c->momentum, 4);
    gather_rows(s, c->turn, 4);
    gather_rows(s, c->load, 8);
    gather_rows(s, c->bulk, 2);
    if (part->shells.table.count) gather_rows(s, part->shells.bend, 2);
}

void scr_share_spread_cells(scr_share *s, double *rows, size_t width)
{
    scr_comm *c = s->comm;
    size_t row = width * sizeof *rows;
    uint64_t own = s->cells[c->rank], count = s->cells[c->rank + 1] - own;
    int n = 0;
    for (int r = 0; r < c->size; r++)
        if (r != c->rank)
            s->parcels[n++] = (scr_parcel){r, rows + own * width, rows + s->cells[r] * width, count * row,
                                           (s->cells[r + 1] - s->cells[r]) * row};
    scr_comm_trade(c, s->parcels, n);
}
