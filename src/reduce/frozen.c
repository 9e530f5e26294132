#include "reduce/frozen.h"

#include <string.h>

#include "base/buffer.h"

void scr_frozen_deinit(scr_frozen *f)
{
    scr_free_all(f->edges, f->first, f->level, f->mark, f->queue, f->orphans);
    *f = (scr_frozen){0};
}

void scr_frozen_clear(scr_frozen *f)
{
    f->count = f->used = 0;
    f->free = SCR_FROZEN_NONE;
    for (size_t k = 0; k < f->rows; k++) f->first[k] = SCR_FROZEN_NONE, f->level[k] = -1;
}

bool scr_frozen_reserve(scr_frozen *f, size_t rows)
{
    if (rows <= f->rows) return true;
    if (!scr_reserve_each(SCR_ROOM(f->first, rows), SCR_ROOM(f->level, rows), SCR_ROOM(f->mark, rows),
                          SCR_ROOM(f->queue, rows), SCR_ROOM(f->orphans, rows)))
        return false;
    if (!f->rows) f->free = SCR_FROZEN_NONE;
    for (size_t k = f->rows; k < rows; k++) {
        f->first[k] = SCR_FROZEN_NONE;
        f->level[k] = -1;
        f->mark[k] = 0;
    }
    f->rows = rows;
    return true;
}

uint32_t scr_frozen_add(scr_frozen *f, const scr_frozen_edge *edge)
{
    uint32_t n = f->free;
    if (n != SCR_FROZEN_NONE) {
        f->free = f->edges[n].next[0];
    } else {
        if (!scr_reserve(&f->edges, f->used + 1)) return SCR_FROZEN_NONE;
        n = (uint32_t)f->used++;
    }
    scr_frozen_edge *e = &f->edges[n];
    *e = *edge;
    for (int k = 0; k < 2; k++) {
        if (e->end[k] & SCR_FROZEN_WALL) continue;
        e->next[k] = f->first[e->end[k]];
        f->first[e->end[k]] = n;
    }
    f->count++;
    return n;
}

static void unlink_edge(scr_frozen *f, uint32_t edge, uint32_t row)
{
    uint32_t *at = &f->first[row];
    while (*at != edge) at = &f->edges[*at].next[f->edges[*at].end[0] != row];
    *at = scr_frozen_next(f, edge, row);
}

void scr_frozen_remove(scr_frozen *f, uint32_t edge)
{
    for (int k = 0; k < 2; k++)
        if (!(f->edges[edge].end[k] & SCR_FROZEN_WALL)) unlink_edge(f, edge, f->edges[edge].end[k]);
    f->edges[edge].next[0] = f->free;
    f->edges[edge].end[0] = SCR_FROZEN_NONE;
    f->free = edge;
    f->count--;
}

// the smaller end first; impulses are those on the second
static void put_in_order(scr_frozen_edge *e)
{
    if (e->end[0] < e->end[1]) return;
    uint32_t end = e->end[0], next = e->next[0];
    e->end[0] = e->end[1], e->next[0] = e->next[1];
    e->end[1] = end, e->next[1] = next;
    e->lt = v3_scale(-1, e->lt), e->lr = v3_scale(-1, e->lr);
}

void scr_frozen_move(scr_frozen *f, uint32_t from, uint32_t to)
{
    for (uint32_t e = f->first[from], next; e != SCR_FROZEN_NONE; e = next) {
        next = scr_frozen_next(f, e, from);
        f->edges[e].end[f->edges[e].end[0] != from] = to;
        put_in_order(&f->edges[e]);
    }
    f->first[to] = f->first[from], f->level[to] = f->level[from];
    f->first[from] = SCR_FROZEN_NONE, f->level[from] = -1;
}

void scr_frozen_renumber(scr_frozen *f, const uint32_t *new_row, size_t count)
{
    for (size_t n = 0; n < f->used; n++) {
        scr_frozen_edge *e = &f->edges[n];
        if (e->end[0] == SCR_FROZEN_NONE) continue;
        for (int k = 0; k < 2; k++)
            if (!(e->end[k] & SCR_FROZEN_WALL)) e->end[k] = new_row[e->end[k]];
        put_in_order(e);
    }
    for (size_t k = 0; k < count; k++)
        f->queue[new_row[k]] = f->first[k], f->orphans[new_row[k]] = (uint32_t)f->level[k];
    memcpy(f->first, f->queue, count * sizeof *f->first);
    memcpy(f->level, f->orphans, count * sizeof *f->level);
}

/* ---- what carries what ---- */

enum { ORPHAN = 1 };

// the smallest level next to a row, of those that are carried; -1: there is none
static int32_t carried_by(const scr_frozen *f, uint32_t row)
{
    int32_t least = -1;
    for (uint32_t e = f->first[row]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, row)) {
        if (!f->edges[e].joins) continue;
        uint32_t other = scr_frozen_other(f, e, row);
        if (other & SCR_FROZEN_WALL) return 0;
        if (f->mark[other] || f->level[other] < 0) continue;
        if (least < 0 || f->level[other] < least) least = f->level[other];
    }
    return least;
}

bool scr_frozen_is_carried(const scr_frozen *f, uint32_t row)
{
    for (uint32_t e = f->first[row]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, row)) {
        uint32_t other = scr_frozen_other(f, e, row);
        if (!f->edges[e].joins) continue;
        if ((other & SCR_FROZEN_WALL) || (f->level[other] >= 0 && f->level[other] < f->level[row])) return true;
    }
    return false;
}

// gives orphans that still hang together with someone new levels; those that do not stay in f->orphans
static size_t carry_again(scr_frozen *f, size_t count)
{
    size_t queued = 0;
    for (size_t k = 0; k < count; k++)
        if (carried_by(f, f->orphans[k]) >= 0) f->queue[queued++] = f->orphans[k];
    while (queued) {
        uint32_t row = f->queue[--queued];
        if (!f->mark[row]) continue;
        f->level[row] = carried_by(f, row) + 1;
        f->mark[row] = 0;
        for (uint32_t e = f->first[row]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, row)) {
            uint32_t other = scr_frozen_other(f, e, row);
            if (f->edges[e].joins && !(other & SCR_FROZEN_WALL) && f->mark[other] && queued < scr_room_of(f->queue))
                f->queue[queued++] = other;
        }
    }
    size_t left = 0;
    for (size_t k = 0; k < count; k++)
        if (f->mark[f->orphans[k]]) f->orphans[left++] = f->orphans[k];
    for (size_t k = 0; k < left; k++) f->mark[f->orphans[k]] = 0;
    return left;
}

bool scr_frozen_level_all(scr_frozen *f, size_t *orphans)
{
    size_t count = 0;
    // a row may be queued once per edge
    if (!scr_reserve(&f->queue, f->rows + 2 * f->count + 1)) return false;
    for (size_t k = 0; k < f->rows; k++)
        if (f->level[k] > 0) f->mark[k] = ORPHAN, f->orphans[count++] = (uint32_t)k;
    *orphans = carry_again(f, count);
    return true;
}

bool scr_frozen_unsupported(scr_frozen *f, const uint32_t *rows, size_t count, size_t *orphans)
{
    size_t queued = 0, found = 0;
    if (!scr_reserve(&f->queue, f->rows + 2 * f->count + count + 1)) return false;
    for (size_t k = 0; k < count; k++) f->queue[queued++] = rows[k];
    while (queued) {
        uint32_t row = f->queue[--queued];
        if (f->mark[row] || f->level[row] <= 0) continue;
        int32_t below = carried_by(f, row);
        if (below >= 0 && below < f->level[row]) continue;
        f->mark[row] = ORPHAN;
        f->orphans[found++] = row;
        for (uint32_t e = f->first[row]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, row)) {
            uint32_t other = scr_frozen_other(f, e, row);
            if (!(other & SCR_FROZEN_WALL) && !f->mark[other] && f->level[other] > f->level[row])
                f->queue[queued++] = other;
        }
    }
    *orphans = carry_again(f, found);
    return true;
}
