/* The box in a soft step: it moves with the bodies, and does work through its sides (world/box.h, equation 2), half of
 * it with the forces before the motion and half with those after it, as kicks have it.
 *
 * The forces are those that were recorded for observers: a pass over the pairs that touch finds which of them act
 * through a side. */
#include "step/soft/cpu/box.h"

#include "base/buffer.h"
#include "collide/bonds.h"
#include "exec/cpu/threads.h"
#include "exec/reduce.h"

void scr_soft_box_begin(scr_step *s, soft_work *k)
{
    scr_world *w = s->world;
    if (!scr_box_due(w, SCR_BOX_EVERY)) return;
    // bodies checked before have another velocity now
    if (scr_box_steer(w, SCR_BOX_EVERY * scr_clock_span(&w->clock))) k->calm = 0;
}

bool scr_soft_box_move(soft_work *k)
{
    scr_world *w = k->task.world;
    if (!w->domain.box.deforms) return false;
    w->ledger.box_work += 0.5 * k->task.dt * scr_box_power(w);
    scr_box_move(w, scr_clock_span(&w->clock));
    k->task.images = scr_images_of(&w->domain);
    return scr_box_strayed(w, w->clock.time, 0);
}

typedef struct {
    const soft_task *task;
    bool inner; /* sum F d^T is wanted, too */
    soft_box_sums *blocks;
} counting;

// one force on the first body, from the second at x - d
static void add_force(soft_box_sums *t, bool inner, const scr_images *images, const double *x, const double *y,
                      vec3 force)
{
    double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    vec3 straight = v3_load(d);
    scr_image_nearest(images, d, NULL);
    if (inner) scr_box_sum_add(&t->inner, force, v3_load(d));
    vec3 h = v3_sub(straight, v3_load(d));
    if (h.x == 0 && h.y == 0 && h.z == 0) return;
    t->sides[0] += force.x * h.x, t->sides[1] += force.y * h.y, t->sides[2] += force.z * h.z;
    t->sides[3] += force.x * h.y, t->sides[4] += force.x * h.z, t->sides[5] += force.y * h.z;
}

static void count_block(void *context, size_t block)
{
    const counting *c = context;
    const scr_pairs *p = c->task->pairs;
    const double *place = c->task->world->bodies.place;
    soft_box_sums sum = {0};
    for (size_t k = p->block_pairs[block]; k < p->block_pairs[block + 1] && (c->inner || p->block_images[block]); k++)
        if (p->touch[k])
            add_force(&sum, c->inner, &c->task->images, place + 4 * (size_t)p->first[k],
                      place + 4 * (size_t)p->second[k], v3_load(p->record + 8 * k));
    c->blocks[block] = sum;
}

static void count_bonds(void *context, size_t from, size_t to, void *part)
{
    const counting *c = context;
    const scr_world *w = c->task->world;
    for (size_t k = from; k < to; k++) {
        vec3 branch, force = scr_bond_force(w, &c->task->images, k, &branch);
        if (w->bonds.fate[k] != SCR_BOND_HOLDS) continue;
        add_force(part, c->inner, &c->task->images, w->bodies.place + 4 * (size_t)w->bonds.row[2 * k],
                  w->bodies.place + 4 * (size_t)w->bonds.row[2 * k + 1], force);
    }
}

static void join(void *all, const void *part)
{
    soft_box_sums *a = all;
    const soft_box_sums *b = part;
    for (int k = 0; k < SCR_BOX_PARTS; k++) a->sides[k] += b->sides[k];
    scr_box_sum_join(&a->inner, &b->inner);
}

scree_status scr_soft_box_reserve(soft_work *k, scree_report *report)
{
    if (!k->task.world->domain.box.deforms) return SCREE_OK;
    if (!scr_reserve(&k->box_sums, k->task.pairs->block_count + 1)) return scr_no_memory(report, "block sums");
    return SCREE_OK;
}

void scr_soft_box_book(soft_work *k)
{
    scr_world *w = k->task.world;
    if (!w->domain.box.deforms) return;
    counting c = {&k->task, scr_box_due(w, SCR_BOX_EVERY), k->box_sums};
    soft_box_sums all = {0}, bonds = {0};
    scr_each(k->task.pairs->block_count, k->task.pairs->block_pairs, count_block, &c);
    scr_reduce(w->bonds.table.count, count_bonds, join, &c, &bonds, sizeof bonds);
    for (size_t b = 0; b < k->task.pairs->block_count; b++) join(&all, &k->box_sums[b]);
    join(&all, &bonds);
    for (int n = 0; n < SCR_BOX_PARTS; n++) w->box.now.sides[n] = all.sides[n];
    if (c.inner) scr_box_sum_values(&all.inner, w->box.now.inner);
    w->ledger.box_work += 0.5 * k->task.dt * scr_box_power(w);
}
