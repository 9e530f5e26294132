#include "step/soft/cpu/bonds.h"

#include <string.h>

#include "base/buffer.h"
#include "collide/bins.h"
#include "collide/bonds.h"
#include "exec/cpu/threads.h"

#define CHUNK 256 /* bonds */

static size_t chunks_of(const scr_world *w)
{
    return (w->bonds.table.count + CHUNK - 1) / CHUNK;
}

void scr_soft_bonds_deinit(soft_bonds *b)
{
    scr_free_all(b->load, b->start, b->entry, b->counts, b->sums);
    *b = (soft_bonds){0};
}

static uint32_t row_of_entry(const void *rows, uint32_t entry)
{
    return (uint32_t)((const int32_t *)rows)[entry];
}

scree_status scr_soft_bonds_index(soft_bonds *b, const scr_world *w, scree_report *report)
{
    const scr_bonds *bonds = &w->bonds;
    size_t count = bonds->table.count, bodies = w->bodies.table.count;
    if (!count) return SCREE_OK;
    if (!scr_reserve(&b->load, 12 * count) || !scr_reserve(&b->start, bodies + 2) ||
        !scr_reserve(&b->entry, 2 * count) || !scr_reserve(&b->counts, chunks_of(w)) ||
        !scr_reserve(&b->sums, w->blocks.count + 1))
        return scr_no_memory(report, "%zu bonds", count);
    scr_bins_fill(b->start, bodies, b->entry, 2 * count, row_of_entry, bonds->row);
    return SCREE_OK;
}

/* ---- forces ---- */

typedef struct {
    soft_bonds *bonds;
    const soft_task *task;
} job;

static void store3(double *row, rvec v)
{
    row[0] = v.x, row[1] = v.y, row[2] = v.z;
}

static void bond(const job *j, size_t k, soft_bond_counts *count)
{
    scr_world *w = j->task->world;
    double *load = j->bonds->load + 12 * k;
    if (w->bonds.fate[k] != SCR_BOND_HOLDS) {
        memset(load, 0, 12 * sizeof *load);
        return;
    }
    bond_state c = scr_bond_state(w, &j->task->images, k);
    bond_history h = scr_bond_history(&w->bonds, k);
    bond_result r = bond_force(j->task->improved, j->task->dt, &c, &h);
    scr_bond_remember(&w->bonds, k, &h);
    store3(load, r.force), store3(load + 3, r.lever), store3(load + 6, r.couple);
    load[9] = r.damping, load[10] = r.elastic, load[11] = r.broken;
    // the owner of the first body counts it
    size_t first = (size_t)w->bonds.row[2 * k];
    bool own = first >= w->bodies.low && first < scr_bodies_end(&w->bodies);
    if (r.tension) count->pulled += own, w->bonds.fate[k] = SCR_BOND_TENSION;
    if (r.shear) count->sheared += own, w->bonds.fate[k] = SCR_BOND_SHEAR;
}

static void chunk(void *context, size_t index)
{
    const job *j = context;
    size_t end = (index + 1) * CHUNK, count = j->task->world->bonds.table.count;
    soft_bond_counts broke = {0};
    for (size_t k = index * CHUNK; k < (end < count ? end : count); k++) bond(j, k, &broke);
    j->bonds->counts[index] = broke;
}

void scr_soft_bonds_forces(soft_bonds *b, const soft_task *task)
{
    scr_world *w = task->world;
    size_t chunks = chunks_of(w);
    scr_each(chunks, NULL, chunk, &(job){b, task});
    for (size_t k = 0; k < chunks; k++) {
        w->clock.broken_tension += b->counts[k].pulled;
        w->clock.broken_shear += b->counts[k].sheared;
    }
}

void scr_soft_bonds_collect(soft_bonds *b, const soft_task *task, size_t block)
{
    scr_world *w = task->world;
    if (!w->bonds.table.count) return;
    soft_bond_sums sum = {0};
    size_t end = scr_block_end(&w->blocks, block);
    for (size_t i = scr_block_first(&w->blocks, block); i < end; i++) {
        double *to = w->bodies.load + 8 * i;
        for (uint32_t e = b->start[i]; e < b->start[i + 1]; e++) {
            const double *from = b->load + 12 * (size_t)(b->entry[e] / 2);
            double sign = b->entry[e] % 2 ? -1 : 1;
            for (int d = 0; d < 3; d++) {
                to[d] += sign * from[d];
                to[4 + d] += from[3 + d] + sign * from[6 + d];
            }
            if (sign > 0) sum.damping += from[9], sum.elastic += from[10], sum.broken += from[11];
        }
    }
    b->sums[block] = sum;
}

void scr_soft_bonds_add_up(const soft_bonds *b, soft_task *task)
{
    scr_ledger *l = &task->world->ledger;
    l->elastic_bond = 0;
    if (!task->world->bonds.table.count) return;
    for (size_t k = task->pairs->own_first; k < task->pairs->own_end; k++) {
        scr_total_add(&l->booked.damping, b->sums[k].damping);
        scr_total_add(&l->booked.broken, b->sums[k].broken);
        l->elastic_bond += b->sums[k].elastic;
    }
}
