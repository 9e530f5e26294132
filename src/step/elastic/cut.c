#include "step/elastic/cut.h"

#include <string.h>

#include "base/buffer.h"
#include "step/elastic/work.h"

#define MOST_NUMBERS 13

static void need(bool room)
{
    scr_comm_need(room, "cells of other ranks");
}

void scr_elastic_cut_deinit(elastic_cut *c)
{
    for (size_t k = 0; k < scr_room_of(c->peers); k++) {
        const elastic_peer *p = &c->peers[k];
        scr_free_all(p->out, p->in, p->out_numbers, p->in_numbers);
    }
    scr_free_all(c->peers, c->wanted);
    *c = (elastic_cut){0};
}

/* ---- asking ---- */

static void mark_wanted(elastic_work *k)
{
    const scr_world *w = k->task.world;
    const elastic_plan *p = &k->task.plan;
    const elastic_contacts *e = &k->contacts;
    uint8_t *wanted = k->cut.wanted;
    memset(wanted, 0, w->cells.table.count);
    for (size_t r = 0; r < p->block_runs[p->block_count]; r++)
        for (size_t n = p->runs[r].first; n < p->runs[r].end; n++)
            wanted[w->links.cell[2 * n]] = wanted[w->links.cell[2 * n + 1]] = 1;
    for (size_t n = 0; e->on && n < e->places.named_count; n++) wanted[e->pairs.hulls.cell[e->places.named[n]]] = 1;
}

static void trade_counts(elastic_cut *c, scr_share *s)
{
    uint64_t(*counts)[2] = NULL;
    int n = 0;
    need(scr_reserve(&counts, (size_t)s->comm->size));
    for (int r = 0; r < s->comm->size; r++) {
        counts[r][0] = c->peers[r].in_count;
        if (r != s->comm->rank) s->parcels[n++] = (scr_parcel){r, &counts[r][0], &counts[r][1], 8, 8};
    }
    scr_comm_trade(s->comm, s->parcels, n);
    for (int r = 0; r < s->comm->size; r++) c->peers[r].out_count = r == s->comm->rank ? 0 : counts[r][1];
    scr_buffer_free(counts);
}

// peers stand in the order of ranks, all of them, until those that have nothing to say to us are left out
static void trade_lists(elastic_cut *c, scr_share *s)
{
    int n = 0;
    for (int r = 0; r < s->comm->size; r++) {
        elastic_peer *p = &c->peers[r];
        need(scr_reserve(&p->out, p->out_count + 1) && scr_reserve(&p->out_numbers, MOST_NUMBERS * p->out_count + 1) &&
             scr_reserve(&p->in_numbers, MOST_NUMBERS * p->in_count + 1));
        if (p->out_count || p->in_count)
            s->parcels[n++] = (scr_parcel){r, p->in, p->out, 4 * p->in_count, 4 * p->out_count};
    }
    scr_comm_trade(s->comm, s->parcels, n);
}

void scr_elastic_cut_ask(elastic_work *k)
{
    const scr_world *w = k->task.world;
    scr_share *s = w->share;
    elastic_cut *c = &k->cut;
    if (!s) return;
    need(scr_reserve(&c->peers, (size_t)s->comm->size) && scr_reserve(&c->wanted, w->cells.table.count + 1));
    mark_wanted(k);
    for (int r = 0; r < s->comm->size; r++) {
        elastic_peer *p = &c->peers[r];
        p->rank = r, p->in_count = p->out_count = 0;
        for (uint64_t cell = s->cells[r]; r != s->comm->rank && cell < s->cells[r + 1]; cell++)
            if (c->wanted[cell]) need(scr_push(p->in, p->in_count, (uint32_t)cell));
    }
    c->peer_count = s->comm->size;
    trade_counts(c, s);
    trade_lists(c, s);
}

/* ---- telling ---- */

// where the numbers are: rows of `width`, of which `count` from `from` on are meant
typedef struct {
    double *rows;
    size_t width, from, count;
} column;

static int columns_of(const elastic_work *k, elastic_news news, column to[4])
{
    const scr_world *w = k->task.world;
    const scr_cells *c = &w->cells;
    int n = 0;
    if (news == ELASTIC_MOTION) {
        to[n++] = (column){c->displacement, 4, 0, 3};
        to[n++] = (column){c->turn, 4, 0, 4};
    }
    if (news == ELASTIC_MOTION || news == ELASTIC_SPEED) {
        to[n++] = (column){c->velocity, 4, 0, 3};
        to[n++] = (column){c->momentum, 4, 0, 3};
    }
    if (news == ELASTIC_STRAIN) {
        to[n++] = (column){c->bulk, 2, 1, 1};
        if (w->shells.table.count) to[n++] = (column){w->shells.bend, 2, 1, 1};
    }
    if (news == ELASTIC_RATE) to[n++] = (column){k->damping.swell, 1, 0, 1};
    return n;
}

static size_t numbers_of(const column *columns, int count)
{
    size_t numbers = 0;
    for (int n = 0; n < count; n++) numbers += columns[n].count;
    return numbers;
}

void scr_elastic_cut_tell(elastic_work *k, elastic_news news)
{
    scr_share *s = k->task.world->share;
    const elastic_cut *c = &k->cut;
    column columns[4];
    if (!s) return;
    int count = columns_of(k, news, columns), n = 0;
    size_t bytes = numbers_of(columns, count) * sizeof(double);
    for (int r = 0; r < c->peer_count; r++) {
        const elastic_peer *p = &c->peers[r];
        double *to = p->out_numbers;
        if (!p->in_count && !p->out_count) continue;
        for (size_t m = 0; m < p->out_count; m++)
            for (int i = 0; i < count; to += columns[i++].count)
                memcpy(to, columns[i].rows + columns[i].width * p->out[m] + columns[i].from,
                       columns[i].count * sizeof *to);
        s->parcels[n++] =
            (scr_parcel){p->rank, p->out_numbers, p->in_numbers, bytes * p->out_count, bytes * p->in_count};
    }
    scr_comm_trade(s->comm, s->parcels, n);
    for (int r = 0; r < c->peer_count; r++) {
        const elastic_peer *p = &c->peers[r];
        const double *from = p->in_numbers;
        for (size_t m = 0; m < p->in_count; m++)
            for (int i = 0; i < count; from += columns[i++].count)
                memcpy(columns[i].rows + columns[i].width * p->in[m] + columns[i].from, from,
                       columns[i].count * sizeof *from);
    }
}

void scr_elastic_cut_tell_all(const elastic_work *k, elastic_news news)
{
    scr_share *s = k->task.world->share;
    column columns[4];
    int count = s ? columns_of(k, news, columns) : 0;
    for (int n = 0; n < count; n++) scr_share_spread_cells(s, columns[n].rows, columns[n].width);
}
