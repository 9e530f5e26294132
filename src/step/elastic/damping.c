/* Damping of elastic solids: stages of half a step at the beginning and at the end of each step, where velocities and
 * positions belong to the same time. Between them the step is the undamped one, whose energy does not drift; and a
 * stage changes nothing but kinetic energy, so what it takes is known exactly.
 *
 * Proportional to mass, and sponges:   v <- v exp(-c dt/2),   L <- L exp(-c dt/2).                        (1)
 *
 * Proportional to stiffness (factor B): links resist the rates of what they store energy in. With arms to the middle of
 * the two points of the face, q' = q +- Du/2, so that the angular momentum stays,
 *
 *   Du' = v_b - v_a + w_b x q_b' - w_a x q_a',   eps' from Du' as eps from Du,
 *   f = B [k Du' + push of lambda eps_a', lambda eps_b' (kernel/link.h)],
 *   T = B R_a [(b_s + b_t) w_n, (b_n + b_t) w_s, (b_n + b_s) w_t],
 *   w = w_b - w_a in the triad of a,   v <- v + dt/2 F/m,   L <- L + dt/2 M.                                  (2)
 *
 * In held directions the support takes the drag, does the work, and the links turn it to heat (supports.c).
 *
 * A mode of frequency omega keeps the part 1 - B omega^2 dt/2 of its velocity in a stage: bound.c sees to it that
 * this is not negative. The stability of the step itself is not touched. */
#include <math.h>

#include "base/memory.h"
#include "base/status.h"
#include "exec/cpu/threads.h"
#include "kernel/link.h"
#include "math/elementary.h"
#include "step/elastic/work.h"

static size_t block_end(const scr_world *w, size_t block)
{
    size_t end = (block + 1) * SCR_BLOCK, count = w->cells.table.count;
    return end < count ? end : count;
}

// per second, of a cell where it was in the reference state
static double rate_of(const scr_world *w, size_t k)
{
    double rate = w->solids[w->cells.solid[k]].damping;
    vec3 home = v3_load(w->cells.home + 4 * k);
    for (int i = 0; i < w->sponge_count; i++) {
        const scr_sponge *s = &w->sponges[i];
        double depth = 1 + v3_dot(v3_sub(home, s->point), s->normal) / s->width;
        if (depth > 0) rate += s->rate * depth * depth;
    }
    return rate;
}

void scr_elastic_damping_open(elastic_work *k)
{
    const scr_world *w = k->task.world;
    elastic_damping *d = &k->damping;
    size_t cells = w->cells.table.count;
    d->by_mass = w->sponge_count > 0;
    for (int i = 0; i < w->solid_count; i++) {
        d->by_mass |= w->solids[i].damping > 0;
        d->by_stiffness |= w->solids[i].stiffness_damping > 0;
    }
    if (d->by_mass) {
        d->rate = SCR_TAKE(&k->arena, double, cells);
        d->factor = SCR_TAKE(&k->arena, double, cells);
        for (size_t c = 0; c < cells && d->rate; c++) d->rate[c] = rate_of(w, c);
    }
    if (d->by_stiffness) {
        d->drag = SCR_TAKE(&k->arena, double, 8 * cells);
        d->swell = SCR_TAKE(&k->arena, double, cells);
    }
}

static double kinetic(const scr_cells *c, size_t k)
{
    return scr_cell_translation(c, k) + scr_cell_rotation(c, k);
}

// the momentum of a cell that is held in its turns is as prescribed; one that is held in some keeps from them
static bool turns_by_itself(const scr_cells *c, size_t k)
{
    return (c->held[k] >> 3 & 7) != 7;
}

/* ---- proportional to mass ---- */

static void slow_block(void *work, size_t index)
{
    elastic_work *e = work;
    scr_cells *c = &e->task.world->cells;
    size_t block = elastic_own_block(e, index);
    double taken = 0;
    for (size_t k = block * SCR_BLOCK, end = block_end(e->task.world, block); k < end; k++) {
        if (!(e->damping.rate[k] > 0)) continue;
        double before = kinetic(c, k), left = e->damping.factor[k];
        for (int axis = 0; axis < 3; axis++) {
            if (!(c->held[k] >> axis & 1)) c->velocity[4 * k + axis] *= left;
            if (turns_by_itself(c, k)) c->momentum[4 * k + axis] *= left;
        }
        taken += before - kinetic(c, k);
    }
    e->task.sums[block].taken = taken;
}

/* ---- proportional to stiffness ---- */

// a link now, with the rate of its gap and the arms to the middle of the face
typedef struct {
    size_t cell[2];
    link_shape shape;
    link_end end[2];
    link_state state;
    vec3 rate, arm[2], spin[2];
} moving;

static rvec to_rvec(vec3 a)
{
    return (rvec){a.x, a.y, a.z};
}

static vec3 to_v3(rvec a)
{
    return v3(a.x, a.y, a.z);
}

static moving moving_link(const scr_world *w, size_t link)
{
    const scr_cells *c = &w->cells;
    const scr_links *l = &w->links;
    const double *arm = l->arm + 6 * link, *frame = l->frame + 6 * link, *stiff = l->stiff + 4 * link;
    moving m = {.shape = {.n = to_rvec(v3_load(frame)),
                          .s = to_rvec(v3_load(frame + 3)),
                          .k = stiff[0],
                          .b = {stiff[1], stiff[2], stiff[3]},
                          .half = 0.5 * l->area[link],
                          .part = l->share[4 * link + 3],
                          .skew = to_rvec(v3_load(l->share + 4 * link))}};
    for (int side = 0; side < 2; side++) {
        size_t k = m.cell[side] = (size_t)l->cell[2 * link + (size_t)side];
        quat q = scr_cell_turn(c, k);
        m.shape.arm[side] = to_rvec(v3_load(arm + 3 * side));
        m.end[side] = (link_end){to_rvec(v3_load(c->displacement + 4 * k)), q.w, {q.x, q.y, q.z}};
        m.spin[side] = scr_cell_spin(c, k);
    }
    m.shape.centred = w->solids[c->solid[m.cell[0]]].normal == SCR_LINK_CENTRE_LINE;
    m.state = link_state_of(&m.shape, &m.end[0], &m.end[1]);
    vec3 half = v3_scale(0.5, to_v3(m.state.gap));
    for (int side = 0; side < 2; side++) {
        vec3 face = to_v3(rv_add(m.shape.arm[side], m.state.less[0][side]));
        m.arm[side] = side ? v3_sub(face, half) : v3_add(face, half);
        vec3 v = v3_add(v3_load(c->velocity + 4 * m.cell[side]), v3_cross(m.spin[side], m.arm[side]));
        m.rate = side ? v3_add(m.rate, v) : v3_sub(m.rate, v);
    }
    return m;
}

static double damping_of(const scr_world *w, const elastic_run *run)
{
    return w->solids[run->solid].stiffness_damping;
}

static void rates_block(void *work, size_t index)
{
    const elastic_work *e = work;
    size_t block = elastic_busy_block(e, index);
    const scr_world *w = e->task.world;
    const elastic_plan *p = &e->task.plan;
    size_t cells = w->cells.table.count;
    for (size_t k = block * SCR_BLOCK; k < block_end(w, block); k++) e->damping.swell[k] = 0;
    for (size_t s = p->block_slots[block]; s < p->block_slots[block + 1]; s++) p->halo_strain[2 * s] = 0;
    for (size_t r = p->block_runs[block]; r < p->block_runs[block + 1]; r++) {
        if (!(damping_of(w, &p->runs[r]) > 0)) continue;
        for (size_t k = p->runs[r].first; k < p->runs[r].end; k++) {
            moving m = moving_link(w, k);
            link_volumes v = link_swell(&m.shape, &m.state, to_rvec(m.rate));
            size_t sink = p->sink[k];
            e->damping.swell[m.cell[0]] += v.of[0];
            *(sink < cells ? e->damping.swell + sink : p->halo_strain + 2 * (sink - cells)) += v.of[1];
        }
    }
}

static void rates_end_block(void *work, size_t index)
{
    const elastic_work *e = work;
    size_t block = elastic_own_block(e, index);
    const elastic_plan *p = &e->task.plan;
    for (size_t k = p->block_inbox[block]; k < p->block_inbox[block + 1]; k++)
        e->damping.swell[p->slot_cell[p->inbox[k]]] += p->halo_strain[2 * (size_t)p->inbox[k]];
    for (size_t k = block * SCR_BLOCK; k < block_end(e->task.world, block); k++)
        e->damping.swell[k] /= e->task.world->cells.bulk[2 * k];
}

static void add_to(double *row, vec3 force, vec3 torque)
{
    v3_store(row, v3_add(v3_load(row), force));
    v3_store(row + 4, v3_add(v3_load(row + 4), torque));
}

// (2): the link's resistance to its rates
static void resist(const elastic_work *e, const elastic_run *run, size_t link)
{
    const scr_world *w = e->task.world;
    const elastic_plan *p = &e->task.plan;
    size_t cells = w->cells.table.count, sink = p->sink[link];
    moving m = moving_link(w, link);
    double damping = damping_of(w, run);
    const double *swell = e->damping.swell;
    link_push push = link_push_of(&m.shape, &m.state, run->lambda * swell[m.cell[0]], run->lambda * swell[m.cell[1]]);
    vec3 f = v3_scale(damping, v3_axpy(to_v3(push.whole), m.shape.k, m.rate));
    quat q = scr_cell_turn(&w->cells, m.cell[0]);
    vec3 n = quat_turn(q, to_v3(m.shape.n)), s = quat_turn(q, to_v3(m.shape.s));
    vec3 t = v3_cross(n, s), turning = v3_sub(m.spin[1], m.spin[0]);
    const double *b = m.shape.b;
    vec3 torque = v3_scale((b[1] + b[2]) * v3_dot(turning, n), n);
    torque = v3_axpy(torque, (b[0] + b[2]) * v3_dot(turning, s), s);
    torque = v3_scale(damping, v3_axpy(torque, (b[0] + b[1]) * v3_dot(turning, t), t));
    add_to(e->damping.drag + 8 * m.cell[0], f, v3_add(torque, v3_cross(m.arm[0], f)));
    add_to(sink < cells ? e->damping.drag + 8 * sink : p->halo + 8 * (sink - cells), v3_scale(-1, f),
           v3_scale(-1, v3_add(torque, v3_cross(m.arm[1], f))));
}

static void drag_block(void *work, size_t index)
{
    const elastic_work *e = work;
    size_t block = elastic_busy_block(e, index);
    const elastic_plan *p = &e->task.plan;
    for (size_t k = 8 * block * SCR_BLOCK; k < 8 * block_end(e->task.world, block); k++) e->damping.drag[k] = 0;
    for (size_t k = 8 * (size_t)p->block_slots[block]; k < 8 * (size_t)p->block_slots[block + 1]; k++) p->halo[k] = 0;
    for (size_t r = p->block_runs[block]; r < p->block_runs[block + 1]; r++)
        if (damping_of(e->task.world, &p->runs[r]) > 0)
            for (size_t k = p->runs[r].first; k < p->runs[r].end; k++) resist(e, &p->runs[r], k);
}

static void drag_end_block(void *work, size_t index)
{
    elastic_work *e = work;
    size_t block = elastic_own_block(e, index);
    const elastic_plan *p = &e->task.plan;
    scr_cells *c = &e->task.world->cells;
    double half = 0.5 * e->task.dt, taken = 0;
    for (size_t k = p->block_inbox[block]; k < p->block_inbox[block + 1]; k++) {
        const double *from = p->halo + 8 * (size_t)p->inbox[k];
        add_to(e->damping.drag + 8 * (size_t)p->slot_cell[p->inbox[k]], v3_load(from), v3_load(from + 4));
    }
    for (size_t k = block * SCR_BLOCK; k < block_end(e->task.world, block); k++) {
        const double *drag = e->damping.drag + 8 * k;
        double before = kinetic(c, k);
        for (int axis = 0; axis < 3; axis++)
            if (!(c->held[k] >> axis & 1)) c->velocity[4 * k + axis] += half * c->velocity[4 * k + 3] * drag[axis];
        if (turns_by_itself(c, k)) {
            vec3 torque = v3_load(drag + 4);
            torque = v3_add(torque, scr_elastic_turn_reaction(c, k, torque));
            v3_store(c->momentum + 4 * k, v3_axpy(v3_load(c->momentum + 4 * k), half, torque));
        }
        taken += before - kinetic(c, k);
    }
    e->task.sums[block].taken = taken;
}

/* ---- both ---- */

static void add_up(elastic_work *k)
{
    const elastic_plan *p = &k->task.plan;
    for (size_t b = p->own_first; b < p->own_end; b++)
        scr_total_add(&k->task.world->ledger.booked.absorbed, k->task.sums[b].taken);
}

void scr_elastic_damp(elastic_work *k)
{
    elastic_damping *d = &k->damping;
    if (d->by_mass) {
        size_t cells = k->task.world->cells.table.count;
        for (size_t c = 0; d->dt != k->task.dt && c < cells; c++)
            d->factor[c] = scr_exp(-0.5 * d->rate[c] * k->task.dt);
        d->dt = k->task.dt;
        elastic_each_own(k, slow_block);
        add_up(k);
    }
    if (d->by_stiffness) {
        scr_elastic_cut_tell(k, ELASTIC_SPEED);
        elastic_each_busy(k, rates_block);
        elastic_each_own(k, rates_end_block);
        scr_elastic_cut_tell(k, ELASTIC_RATE);
        elastic_each_busy(k, drag_block);
        elastic_each_own(k, drag_end_block);
        add_up(k);
        scr_elastic_supports_drag(k->task.world, d->drag);
    }
}
