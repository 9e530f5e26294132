#include "step/elastic/plan.h"

#include <string.h>

#include "base/buffer.h"
#include "comm/share.h"

void scr_elastic_plan_deinit(elastic_plan *p)
{
    scr_buffer_free(p->runs);
    scr_arena_deinit(&p->arena);
    *p = (elastic_plan){0};
}

static size_t block_of(const scr_links *l, size_t link)
{
    return (size_t)l->cell[2 * link] / SCR_BLOCK;
}

// whether a link is worked on here
static bool is_here(const scr_world *w, size_t k)
{
    const int32_t *cell = w->links.cell + 2 * k;
    return scr_share_owns_cell(w->share, (size_t)cell[0]) || scr_share_owns_cell(w->share, (size_t)cell[1]);
}

// whether a run that holds link k goes on with link k + 1
static bool goes_on(const scr_world *w, size_t k)
{
    const scr_links *l = &w->links;
    return k + 1 < l->table.count && l->fate[k + 1] == SCR_LINK_HOLDS && block_of(l, k + 1) == block_of(l, k) &&
           is_here(w, k + 1) && w->cells.solid[l->cell[2 * k + 2]] == w->cells.solid[l->cell[2 * k]];
}

bool scr_elastic_plan_renew(elastic_plan *p, const scr_world *w)
{
    const scr_links *l = &w->links;
    size_t links = l->table.count, runs = 0;
    for (size_t k = 0; k < links; k++) runs += l->fate[k] == SCR_LINK_HOLDS && is_here(w, k) && !goes_on(w, k);
    if (!scr_reserve(&p->runs, runs)) return false;
    runs = 0;
    for (size_t block = 0, k = 0; block < p->block_count; block++) {
        p->block_runs[block] = (uint32_t)runs;
        for (; k < p->block_links[block + 1]; k++) {
            if (l->fate[k] != SCR_LINK_HOLDS || !is_here(w, k)) continue;
            size_t first = k, cell = (size_t)l->cell[2 * k];
            while (goes_on(w, k)) k++;
            p->runs[runs++] =
                (elastic_run){(uint32_t)first, (uint32_t)k + 1, w->cells.solid[cell], scr_cell_lambda(w, cell)};
        }
    }
    p->block_runs[p->block_count] = (uint32_t)runs;
    return true;
}

// own blocks, and those of others with links to own cells, broken or not: their slots are collected
static void find_busy(elastic_plan *p, const scr_world *w)
{
    const scr_share *s = w->share;
    p->own_first = s ? (s->cells[s->comm->rank] + SCR_BLOCK - 1) / SCR_BLOCK : 0;
    p->own_end = s ? (s->cells[s->comm->rank + 1] + SCR_BLOCK - 1) / SCR_BLOCK : p->block_count;
    p->busy_count = 0;
    for (size_t b = 0, cost = 0; b < p->block_count; b++) {
        size_t links = 0;
        for (size_t k = p->block_links[b]; k < p->block_links[b + 1]; k++) links += is_here(w, k);
        if (!links && (b < p->own_first || b >= p->own_end)) continue;
        p->busy[p->busy_count++] = (uint32_t)b;
        p->busy_links[p->busy_count] = (uint32_t)(cost += links);
    }
}

// links by block of their first cell
static bool divide(elastic_plan *p, const scr_world *w)
{
    const scr_links *l = &w->links;
    size_t blocks = p->block_count, links = l->table.count;
    p->block_links = SCR_TAKE(&p->arena, uint32_t, blocks + 1);
    p->block_runs = SCR_TAKE(&p->arena, uint32_t, blocks + 1);
    p->block_round = SCR_TAKE(&p->arena, bool, blocks);
    p->busy = SCR_TAKE(&p->arena, uint32_t, blocks);
    p->busy_links = SCR_TAKE(&p->arena, uint32_t, blocks + 1);
    if (p->arena.failed) return false;
    for (size_t block = 0, k = 0; block < blocks; block++) {
        p->block_links[block] = (uint32_t)k;
        while (k < links && block_of(l, k) == block) k++;
    }
    p->block_links[blocks] = (uint32_t)links;
    for (size_t block = 0; block < blocks; block++) p->block_round[block] = true;
    for (size_t k = 0; k < w->cells.table.count; k++) p->block_round[k / SCR_BLOCK] &= w->cells.axes[4 * k] == 1;
    find_busy(p, w);
    return scr_elastic_plan_renew(p, w);
}

// a slot for each cell outside that some links of the block lead to; numbers them when `sink` is there
static size_t slots_of(elastic_plan *p, const scr_world *w, size_t block, uint32_t *mark, size_t first)
{
    const scr_links *l = &w->links;
    size_t count = 0, cells = w->cells.table.count;
    for (size_t k = p->block_links[block]; k < p->block_links[block + 1]; k++) {
        uint32_t b = (uint32_t)l->cell[2 * k + 1];
        if (b / SCR_BLOCK == block) {
            p->sink[k] = b;
            continue;
        }
        // marks of earlier blocks are of slots before the first of this one
        if (mark[b] <= first) mark[b] = (uint32_t)(first + ++count);
        p->sink[k] = (uint32_t)(cells + mark[b] - 1);
    }
    return count;
}

static void sort_inboxes(elastic_plan *p)
{
    uint32_t *at = p->block_inbox;
    for (size_t s = 0; s < p->slot_count; s++) at[p->slot_cell[s] / SCR_BLOCK + 1]++;
    for (size_t b = 0; b < p->block_count; b++) at[b + 1] += at[b];
    for (size_t s = 0; s < p->slot_count; s++) p->inbox[at[p->slot_cell[s] / SCR_BLOCK]++] = (uint32_t)s;
    for (size_t b = p->block_count; b > 0; b--) at[b] = at[b - 1];
    at[0] = 0;
}

static bool make_halo(elastic_plan *p, const scr_world *w)
{
    const scr_links *l = &w->links;
    size_t cells = w->cells.table.count;
    uint32_t *mark = scr_memory_new(cells + 1, sizeof *mark);
    p->sink = SCR_TAKE(&p->arena, uint32_t, l->table.count);
    p->block_slots = SCR_TAKE(&p->arena, uint32_t, p->block_count + 1);
    p->block_inbox = SCR_TAKE(&p->arena, uint32_t, p->block_count + 2);
    bool ok = mark && !p->arena.failed;
    size_t slots = 0;
    for (size_t block = 0; ok && block < p->block_count; block++) {
        p->block_slots[block] = (uint32_t)slots;
        slots += slots_of(p, w, block, mark, slots);
        p->block_slots[block + 1] = (uint32_t)slots;
    }
    scr_memory_free(mark);
    if (!ok) return false;
    p->slot_count = slots;
    p->slot_cell = SCR_TAKE(&p->arena, uint32_t, slots);
    p->inbox = SCR_TAKE(&p->arena, uint32_t, slots);
    p->halo = SCR_TAKE(&p->arena, double, 8 * slots);
    p->halo_strain = SCR_TAKE(&p->arena, double, 2 * slots);
    if (p->arena.failed) return false;
    for (size_t k = 0; k < l->table.count; k++)
        if (p->sink[k] >= cells) p->slot_cell[p->sink[k] - cells] = (uint32_t)l->cell[2 * k + 1];
    sort_inboxes(p);
    return true;
}

scree_status scr_elastic_plan_build(elastic_plan *p, const scr_world *w, scree_report *report)
{
    *p = (elastic_plan){.block_count = (w->cells.table.count + SCR_BLOCK - 1) / SCR_BLOCK};
    if (2 * w->links.table.count > UINT32_MAX)
        return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE, "%zu links between cells are too many", w->links.table.count);
    if (divide(p, w) && make_halo(p, w)) return SCREE_OK;
    return scr_no_memory(report, "the elastic integrator");
}
