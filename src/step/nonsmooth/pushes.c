/* Forces from outside (world/pushes.h). Over a sub-step they act beside gravity,
 *
 *   v <- v + h F/m,   w <- w + h I^-1 T,   work h (F.v + T.w) at the velocities of its end,
 *
 * so that the account of energy of solve.c holds for them as it does for gravity. A sphere of a rigid body hands its
 * force on to the body, with the torque about the body's centre. What never moves is not pushed. */
#include "world/pushes.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "step/nonsmooth/work.h"

// the row of the problem that a body belongs to, SCR_PGS_STILL: none; and where its force acts, from the centre
static uint32_t row_of(const ns_work *k, const scr_world *w, uint32_t i, vec3 *arm)
{
    int rigid = ns_rigid(w, i);
    *arm = v3(0, 0, 0);
    if (rigid < 0) return ns_is_free(w, i) ? k->problem.slot[i] : SCR_PGS_STILL;
    quat turn = quat_load(w->rigids.turn + 4 * (size_t)rigid);
    *arm = v3_add(quat_turn(turn, v3_load(w->bodies.anchor + 4 * (size_t)i)), k->rigids.loaded[rigid].offset);
    return (uint32_t)k->problem.row_count + (uint32_t)rigid;
}

bool scr_ns_push(ns_work *k, const scr_world *w, scr_pushes *pushes)
{
    size_t rows = k->problem.row_count + k->rigids.count;
    k->problem.pushed = pushes != NULL;
    if (!pushes) return true;
    if (!scr_pushes_find(pushes, &w->bodies) || !scr_reserve(&k->problem.outer, rows)) return false;
    scr_clear(k->problem.outer, rows * sizeof *k->problem.outer);
    for (size_t n = 0; n < pushes->count; n++) {
        const double *load = pushes->load + 6 * n;
        vec3 arm, force = v3_load(load), torque = v3_load(load + 3);
        uint32_t row = pushes->row[n] == SCR_PUSHES_NOBODY ? SCR_PGS_STILL : row_of(k, w, pushes->row[n], &arm);
        if (row == SCR_PGS_STILL) continue;
        ns_outer *o = &k->problem.outer[row];
        o->impulse = v3_axpy(o->impulse, k->sub.h, force);
        o->turn = v3_axpy(o->turn, k->sub.h, v3_add(torque, v3_cross(arm, force)));
    }
    return true;
}

void scr_ns_push_row(const ns_work *k, size_t row, scr_pgs_body *b)
{
    const ns_outer *o = &k->problem.outer[row];
    b->v = v3_axpy(b->v, b->inverse_mass, o->impulse);
    if (row < k->problem.row_count) {
        b->w = v3_axpy(b->w, b->inverse_inertia, o->turn);
        return;
    }
    const double *i = k->rigids.inverse[row - k->problem.row_count];
    sym3 inverse = {i[0], i[1], i[2], i[3], i[4], i[5]};
    b->w = v3_add(b->w, sym3_times(inverse, o->turn));
}

double scr_ns_push_work(const ns_work *k)
{
    double work = 0;
    for (size_t n = 0; k->problem.pushed && n < k->problem.row_count + k->rigids.count; n++)
        work += v3_dot(k->problem.outer[n].impulse, k->problem.bodies[n].v) +
                v3_dot(k->problem.outer[n].turn, k->problem.bodies[n].w);
    return work;
}

void scr_ns_push_leave(const ns_work *k, size_t row, double *load)
{
    const ns_outer *o = &k->problem.outer[row];
    v3_store(load, v3_axpy(v3_load(load), -1 / k->sub.h, o->impulse));
    v3_store(load + 4, v3_axpy(v3_load(load + 4), -1 / k->sub.h, o->turn));
}
