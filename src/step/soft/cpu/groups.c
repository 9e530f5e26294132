#include "step/soft/cpu/groups.h"

#include "base/buffer.h"
#include "exec/cpu/threads.h"

void scr_soft_groups_deinit(soft_groups *g)
{
    scr_free_all(g->steps, g->work);
    *g = (soft_groups){0};
}

scree_status scr_soft_groups_reserve(soft_groups *g, const soft_task *task, scree_report *report)
{
    const scr_world *w = task->world;
    g->any = false;
    for (int k = 0; k < w->group_count; k++) g->any |= w->groups[k].drive.moves;
    if (!g->any) return SCREE_OK;
    if (scr_reserve(&g->steps, (size_t)w->group_count) && scr_reserve(&g->work, 2 * task->pairs->block_count + 1))
        return SCREE_OK;
    return scr_no_memory(report, "moving groups");
}

// the velocity that brings body i to its next place; periodic crossings do not bend the path
static void aim(scr_world *w, const scr_drive_step *step, size_t i, double dt)
{
    scr_bodies *b = &w->bodies;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    const double *x = b->place + 4 * i;
    const int32_t *n = b->image + 4 * i;
    vec3 at = v3(x[0] + n[0] * size.x, x[1] + n[1] * size.y, x[2] + n[2] * size.z);
    v3_store(b->motion + 4 * i, v3_scale(1 / dt, v3_sub(scr_drive_place(step, at), at)));
    v3_store(b->spin + 4 * i, step->spin);
}

void scr_soft_groups_aim(soft_groups *g, const soft_task *task)
{
    scr_world *w = task->world;
    if (!g->any) return;
    double pace = 1 - w->clock.lag;
    for (int k = 0; k < w->group_count; k++)
        if (w->groups[k].drive.moves) {
            g->steps[k] = scr_drive_over(&w->groups[k].drive, w->clock.time, pace * task->dt);
            if (pace != 1) g->steps[k].spin = pace > 0 ? v3_scale(pace, g->steps[k].spin) : v3(0, 0, 0);
        }
}

static double *work_of(soft_groups *g, const soft_task *task, soft_groups_half half)
{
    return g->work + (half == SOFT_GROUPS_BEGIN ? task->pairs->block_count : 0);
}

// the group does the opposite of the work of the forces on it
void scr_soft_groups_block(soft_groups *g, const soft_task *task, size_t block, soft_groups_half half)
{
    if (!g->any) return;
    scr_world *w = task->world;
    const scr_bodies *b = &w->bodies;
    size_t end = scr_block_end(&w->blocks, block);
    double work = 0;
    for (size_t i = scr_block_first(&w->blocks, block); i < end; i++) {
        int group = b->group[i];
        if (!w->groups[group].drive.moves) continue;
        if (half == SOFT_GROUPS_BEGIN) aim(w, &g->steps[group], i, task->dt);
        work -= v3_dot(v3_load(b->load + 8 * i), v3_load(b->motion + 4 * i)) +
                v3_dot(v3_load(b->load + 8 * i + 4), v3_load(b->spin + 4 * i));
    }
    work_of(g, task, half)[block] = work;
}

void scr_soft_groups_book(soft_groups *g, const soft_task *task, soft_groups_half half)
{
    if (!g->any) return;
    const scr_pairs *p = task->pairs;
    const double *work = work_of(g, task, half);
    for (size_t b = p->own_first; b < p->own_end; b++)
        scr_total_add(&task->world->ledger.booked.group_work, 0.5 * task->dt * work[b]);
}
