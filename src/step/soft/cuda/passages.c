/* The host's part of flows.h. */
#include <stdlib.h>

#include "base/memory.h"
#include "step/soft/cuda/state.h"

#define ROOM(number, array, count, width) \
    scr_device_reserve(k->device, &k->array, &k->capacity[number], (size_t)(count), 0, (width) * sizeof *k->array)
#define PASSAGES ((size_t)1 << 20) /* that there is room for at least */

bool scr_soft_cuda_push_flows(scr_step *s, soft_cuda *k)
{
    const scr_world *w = s->world;
    size_t n = w->bodies.table.count, each = n * (size_t)w->flow_count, room = each > PASSAGES ? each : PASSAGES;
    k->flows = (soft_flows){.bodies = (uint32_t)n, .planes = w->flow_count};
    if (!each) return true;
    if (!ROOM(94, side, n, 1) || !ROOM(95, passages, room, 1) || !ROOM(96, passage_count, 1, 1)) return false;
    if (room / each < (size_t)k->batch) k->batch = (int)(room / each);
    for (int f = 0; f < w->flow_count; f++) k->flows.plane[f] = scr_flow_plane_of(w, &w->flows[f]);
    k->flows.side = k->side, k->flows.passage = k->passages, k->flows.count = k->passage_count;
    k->flows.mass = k->mass, k->flows.image = k->image, k->flows.group = k->group, k->flows.control = k->control;
    scr_device_fill(k->device, k->passage_count, 0, sizeof *k->passage_count);
    scr_soft_cuda_push_sides(s, k);
    return true;
}

void scr_soft_cuda_push_sides(scr_step *s, soft_cuda *k)
{
    const scr_bodies *b = &s->world->bodies;
    if (k->flows.side) scr_device_copy_in(k->device, k->side, b->side, b->table.count * sizeof *b->side);
}

void scr_soft_cuda_fetch_sides(scr_step *s, soft_cuda *k)
{
    const scr_bodies *b = &s->world->bodies;
    if (k->flows.side) scr_device_copy_out(k->device, b->side, k->side, b->table.count * sizeof *b->side);
}

void scr_soft_cuda_pass(soft_cuda *k, int node)
{
    if (!k->flows.side) return;
    k->flows.place = k->tile.place, k->flows.node = node;
    scr_soft_flows_pass(scr_device_stream(k->device), &k->flows);
}

static int by_step_and_row(const void *a, const void *b)
{
    const soft_passage *p = a, *q = b;
    if (p->node != q->node) return p->node < q->node ? -1 : 1;
    if (p->plane != q->plane) return p->plane < q->plane ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

bool scr_soft_cuda_book_passages(scr_step *s, soft_cuda *k)
{
    uint32_t count = 0;
    if (!k->flows.side) return true;
    scr_device_copy_out(k->device, &count, k->passage_count, sizeof count);
    if (!count) return true;
    soft_passage *all = scr_memory_new(count, sizeof *all);
    if (!all) return false;
    scr_device_copy_out(k->device, all, k->passages, count * sizeof *all);
    scr_device_fill(k->device, k->passage_count, 0, sizeof *k->passage_count);
    qsort(all, count, sizeof *all, by_step_and_row);
    for (uint32_t n = 0; n < count; n++)
        scr_flow_count(&s->world->flows[all[n].plane], all[n].against, all[n].mass, v3_load(all[n].place));
    scr_memory_free(all);
    return true;
}
