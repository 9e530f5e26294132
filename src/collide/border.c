#include "collide/border.h"

#include <string.h>

#include "base/buffer.h"
#include "comm/share.h"

static void need(bool room)
{
    scr_comm_need(room, "ghosts");
}

static bool is_ghost(const scr_bodies *b, uint32_t row)
{
    return row < b->low || row >= scr_bodies_end(b);
}

// which ghosts some pair or bond has: those of blocks that need some
static void mark_used(const scr_pairs *p, const scr_world *w)
{
    uint8_t *used = w->share->used;
    const scr_turn *outer = &w->share->turns[1];
    memset(used, w->share->touch_cells, w->bodies.table.count);
    for (size_t n = 0; n < outer->count; n++)
        for (uint32_t k = p->block_pairs[outer->block[n]]; k < p->block_pairs[outer->block[n] + 1]; k++)
            used[p->first[k]] = used[p->second[k]] = 1;
    for (size_t k = 0; k < 2 * w->bonds.table.count; k++) used[w->bonds.row[k]] = 1;
}

// whether forces of a block's pairs can be computed before ghosts have come
static bool needs_none(const scr_pairs *p, const scr_world *w, size_t block)
{
    if (block < p->own_first || block >= p->own_end) return false;
    for (uint32_t k = p->block_pairs[block]; k < p->block_pairs[block + 1]; k++)
        if (is_ghost(&w->bodies, p->second[k])) return false;
    return true;
}

static void enlist(scr_turn *t, const scr_pairs *p, size_t block)
{
    uint32_t pairs = p->block_pairs[block + 1] - p->block_pairs[block];
    t->block[t->count] = (uint32_t)block;
    t->cost[t->count + 1] = t->cost[t->count] + pairs + 1;
    t->count++;
}

// pairs whose first body is a ghost are computed for the second one's sake: they are a cost of its block
static void add_ghost_pairs(const scr_pairs *p, const scr_world *w, uint64_t *cost)
{
    for (size_t b = 0; b < p->block_count; b++) {
        if (b >= p->own_first && b < p->own_end) continue;
        for (uint32_t k = p->block_pairs[b]; k < p->block_pairs[b + 1]; k++)
            cost[scr_block_of(&w->blocks, p->second[k]) - p->own_first] += SCR_PAIR_COST;
    }
}

// what own blocks cost, by pairs, with walls too, and bodies, and where they begin
static void list_costs(const scr_pairs *p, const scr_world *w)
{
    scr_share *s = w->share;
    size_t count = p->own_end - p->own_first;
    need(scr_reserve(&s->block_cost, count + 1) && scr_reserve(&s->block_row, count + 1));
    for (size_t k = 0; k < count; k++) {
        size_t b = p->own_first + k, first = scr_block_first(&w->blocks, b);
        uint64_t pairs = p->block_pairs[b + 1] - p->block_pairs[b], walls = p->block_walls[b + 1] - p->block_walls[b];
        s->block_cost[k] = SCR_PAIR_COST * (pairs + walls) + (scr_block_end(&w->blocks, b) - first);
        s->block_row[k] = s->row[first];
    }
    add_ghost_pairs(p, w, s->block_cost);
    s->cost_count = count;
}

void scr_pairs_border(const scr_pairs *p, scr_world *w)
{
    scr_share *s = w->share;
    need(scr_reserve(&s->used, w->bodies.table.count + 1));
    for (int k = 0; k < 2; k++) {
        scr_turn *t = &s->turns[k];
        need(scr_reserve(&t->block, p->block_count + 1) && scr_reserve(&t->cost, p->block_count + 2));
        t->count = 0, t->cost[0] = 0;
    }
    for (size_t b = 0; b < p->block_count; b++) enlist(&s->turns[!needs_none(p, w, b)], p, b);
    list_costs(p, w);
    mark_used(p, w);
    scr_share_prune(s, w);
}
