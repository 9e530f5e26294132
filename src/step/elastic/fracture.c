/* Brittle fracture (docs/theory-elastic.md, fracture). A link breaks where its stress at the edge of the face is too
 * large, as in a beam. With F its force on a cell, n its normal, S its area, D the distance of the centres, (a, b, c)
 * the turn of one cell against the other about n and the axes s, t of the face, and half widths w of a rectangle of the
 * same moments, S w^2/3 = int x^2 dA,
 *
 *   s = F.n/S + E/D (|b| w_t + |c| w_s),   t = |F - (F.n) n|/S + G/D |a| sqrt(w_s^2 + w_t^2),
 *   (max(s, 0)/tensile_strength)^2 + (t/shear_strength)^2 >= 1   or   W/S >= fracture_energy.              (1)
 *
 * W is the energy set free. The link's own U_t and U_f vanish, its share g leaves the sums of its cells (link_swell),
 * and its face becomes free on both sides, h from their centres or pivots:
 *
 *   Vt' = Vt + nu/(1 - 2 nu) S h,   eps' = (Vt eps - g)/Vt',
 *   W = U_t + U_f + sum over both cells of lambda/2 (Vt eps^2 - Vt' eps'^2),                               (2)
 *
 * and likewise for the curvature of shells. Vt is what minimises the energy over the displacement of a free face, so W
 * is not negative where the distance of the centres is 2 h and the face is in their middle. Links of one step break one
 * after the other, in their order.
 *
 * Then forces are made anew at the same place, so that the next half kick sees the broken body. What its free faces do
 * where they are pressed together is said in collide/cell_touch.h. */
#include "step/elastic/fracture.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "comm/share.h"
#include "exec/cpu/threads.h"
#include "kernel/link.h"
#include "math/elementary.h"
#include "step/elastic/work.h"

typedef struct {
    size_t cell[2];
    link_shape shape;
    link_end end[2];
    link_state state;
    link_result result;
} link_now;

static rvec to_rvec(vec3 a)
{
    return (rvec){a.x, a.y, a.z};
}

static double lambda_of(const scr_world *w, size_t link)
{
    return scr_cell_lambda(w, (size_t)w->links.cell[2 * link]);
}

// without its forces
static link_now link_place(const scr_world *w, size_t link)
{
    const scr_cells *c = &w->cells;
    const scr_links *l = &w->links;
    const double *frame = l->frame + 6 * link, *stiff = l->stiff + 4 * link;
    const scr_solid *solid = &w->solids[c->solid[l->cell[2 * link]]];
    link_now n = {.shape = {.n = to_rvec(v3_load(frame)),
                            .s = to_rvec(v3_load(frame + 3)),
                            .k = stiff[0],
                            .b = {stiff[1], stiff[2], stiff[3]},
                            .half = 0.5 * l->area[link],
                            .part = l->share[4 * link + 3],
                            .skew = to_rvec(v3_load(l->share + 4 * link)),
                            .centred = solid->normal == SCR_LINK_CENTRE_LINE,
                            .shell = solid->thickness > 0}};
    for (int side = 0; side < 2; side++) {
        size_t k = n.cell[side] = (size_t)l->cell[2 * link + (size_t)side];
        quat q = scr_cell_turn(c, k);
        n.shape.arm[side] = to_rvec(v3_load(l->arm + 6 * link + 3 * (size_t)side));
        n.end[side] = (link_end){to_rvec(v3_load(c->displacement + 4 * k)), q.w, {q.x, q.y, q.z}};
        if (n.shape.shell) n.shape.d[side] = to_rvec(v3_load(w->shells.director + 4 * k));
    }
    n.state = link_state_of(&n.shape, &n.end[0], &n.end[1]);
    return n;
}

static double pressure_of(const scr_world *w, const link_now *n, int side, double lambda)
{
    return lambda * w->cells.bulk[2 * n->cell[side] + 1];
}

static link_now link_at(const scr_world *w, size_t link)
{
    link_now n = link_place(w, link);
    double lambda = lambda_of(w, link);
    n.result = link_force(&n.shape, &n.end[0], &n.end[1], &n.state, pressure_of(w, &n, 0, lambda),
                          pressure_of(w, &n, 1, lambda));
    return n;
}

/* ---- energy ---- */

// volume and sum of a cell without a link: V' and x' = (V x - g)/V'; what V x^2 loses
typedef struct {
    double volume, mean, lost;
} without;

static without take_out(double volume, double mean, double share, double gain)
{
    without o = {.volume = volume + gain};
    o.mean = (volume * mean - share) / o.volume;
    o.lost = volume * mean * mean - o.volume * o.mean * o.mean;
    return o;
}

static double poisson_of(const scr_world *w, size_t link)
{
    return w->materials[w->solids[w->cells.solid[w->links.cell[2 * link]]].material].poisson;
}

static without bulk_without(const scr_world *w, size_t link, const link_now *n, int side)
{
    const double *bulk = w->cells.bulk + 2 * n->cell[side];
    double nu = poisson_of(w, link);
    double gain = nu / (1 - 2 * nu) * w->links.area[link] * scr_link_height(&w->cells, &w->links, link, side);
    return take_out(bulk[0], bulk[1], link_swell(&n->shape, &n->state, n->state.gap).of[side], gain);
}

static without bend_without(const scr_world *w, size_t link, const link_now *n, int side)
{
    const double *bend = w->shells.bend + 2 * n->cell[side];
    double nu = poisson_of(w, link);
    double gain = nu / (1 - nu) * w->links.area[link] * scr_link_height(&w->cells, &w->links, link, side);
    return take_out(bend[0], bend[1], link_bend(&n->shape, &n->state), gain);
}

static double released(const scr_world *w, size_t link, const link_now *n)
{
    double energy = n->result.energy, lambda = lambda_of(w, link);
    for (int side = 0; side < 2; side++) {
        energy += 0.5 * lambda * bulk_without(w, link, n, side).lost;
        if (!n->shape.shell) continue;
        // Kb kap^2/2, whatever Vk is
        double before = w->shells.bend[2 * n->cell[side] + 1], after = bend_without(w, link, n, side).mean;
        double stiff = w->shells.director[4 * n->cell[side] + 3];
        energy += 0.5 * stiff * (before * before - after * after);
    }
    return energy;
}

double scr_elastic_released(const scr_world *w, size_t link)
{
    link_now n = link_at(w, link);
    return released(w, link, &n);
}

void scr_elastic_break(scr_world *w, size_t link, int fate)
{
    link_now n = link_at(w, link);
    w->links.fate[link] = fate;
    for (int side = 0; side < 2; side++) {
        without bulk = bulk_without(w, link, &n, side);
        if (n.shape.shell) {
            without bend = bend_without(w, link, &n, side);
            w->shells.bend[2 * n.cell[side]] = bend.volume;
            w->shells.bend[2 * n.cell[side] + 1] = bend.mean;
        }
        w->cells.bulk[2 * n.cell[side]] = bulk.volume;
        w->cells.bulk[2 * n.cell[side] + 1] = bulk.mean;
    }
}

/* ---- which links break ---- */

// stresses of bending and twisting at the edge of the face
static void bending_of(const scr_world *w, const scr_solid *solid, size_t link, const link_now *n, double *normal,
                       double *shear)
{
    const scr_material *m = &w->materials[solid->material];
    const double *b = n->shape.b;
    double area = w->links.area[link], distance = scr_lame_twice_mu(m->young, m->poisson) * area / n->shape.k;
    double along_s = sqrt(fmax(3 * (b[0] + b[1]) * distance / (m->young * area), 0));
    double along_t = sqrt(fmax(3 * (b[0] + b[2]) * distance / (m->young * area), 0));
    rvec turn = link_turn_between(&n->end[0], &n->end[1]);
    rvec third = rv_cross(n->shape.n, n->shape.s);
    double a = 2 * rv_dot(turn, n->shape.n), s = 2 * rv_dot(turn, n->shape.s), t = 2 * rv_dot(turn, third);
    *normal = m->young / distance * (fabs(s) * along_t + fabs(t) * along_s);
    *shear = 0.5 * scr_lame_twice_mu(m->young, m->poisson) / distance * fabs(a) * scr_hypot(along_s, along_t);
}

static int judge(const scr_world *w, const scr_solid *solid, size_t link)
{
    link_now n = link_at(w, link);
    double area = w->links.area[link], bent, twisted;
    bending_of(w, solid, link, &n, &bent, &twisted);
    rvec normal = n.state.normal;
    double length = sqrt(rv_dot(normal, normal)), pull = rv_dot(n.result.force, normal) / length;
    rvec across = rv_axpy(n.result.force, -pull / length, normal);
    double tension = fmax(pull / area + bent, 0) / solid->tensile_strength;
    double shear = (sqrt(rv_dot(across, across)) / area + twisted) / solid->shear_strength;
    if (tension * tension + shear * shear >= 1) return tension >= shear ? SCR_LINK_TENSION : SCR_LINK_SHEAR;
    if (isinf(solid->fracture_energy)) return SCR_LINK_HOLDS;
    return released(w, link, &n) >= solid->fracture_energy * area ? SCR_LINK_ENERGY : SCR_LINK_HOLDS;
}

static bool can_break(const scr_solid *s)
{
    return isfinite(s->tensile_strength) || isfinite(s->shear_strength) || isfinite(s->fracture_energy);
}

// links that the forces have marked (loops_text.h)
static void judge_block(void *work, size_t index)
{
    elastic_work *e = work;
    size_t block = elastic_own_block(e, index);
    const scr_world *w = e->task.world;
    const elastic_plan *p = &e->task.plan;
    int64_t found = 0, left = e->task.sums[block].doubtful;
    for (size_t r = p->block_runs[block]; r < p->block_runs[block + 1] && left; r++) {
        const scr_solid *solid = &w->solids[p->runs[r].solid];
        if (!can_break(solid)) continue;
        for (size_t k = p->runs[r].first; k < p->runs[r].end && left; k++) {
            if (e->fracture.verdict[k] != ELASTIC_DOUBTFUL) continue;
            e->fracture.verdict[k] = (uint8_t)judge(w, solid, k);
            found += e->fracture.verdict[k] != SCR_LINK_HOLDS;
            left--;
        }
    }
    e->fracture.found[block] = found;
}

/* ---- the step ---- */

void scr_elastic_fracture_open(elastic_work *e)
{
    const scr_world *w = e->task.world;
    elastic_fracture *f = &e->fracture;
    for (int k = 0; k < w->solid_count; k++) f->on |= can_break(&w->solids[k]);
    if (!f->on) return;
    f->verdict = e->task.verdict = SCR_TAKE(&e->arena, uint8_t, w->links.table.count);
    f->found = SCR_TAKE(&e->arena, int64_t, e->task.plan.block_count);
}

scree_status scr_elastic_fracture_break(elastic_work *e, scr_step *s, scree_report *report)
{
    elastic_fracture *f = &e->fracture;
    scr_world *w = s->world;
    for (size_t k = 0; k < w->links.table.count; k++) {
        if (w->links.fate[k] != SCR_LINK_HOLDS || f->verdict[k] == SCR_LINK_HOLDS || f->verdict[k] == ELASTIC_DOUBTFUL)
            continue;
        double energy = scr_elastic_released(w, k);
        if (scr_share_leads(w->share)) scr_total_add(&w->ledger.booked.cracked, energy);
        scr_elastic_break(w, k, f->verdict[k]);
    }
    scr_cells_label(w);
    if (!scr_elastic_plan_renew(&e->task.plan, w)) return scr_no_memory(report, "fracture");
    e->task.dt = 0; // nothing moves
    scr_elastic_forces(e);
    scr_elastic_supports_rest(w);
    scree_status status = scr_share_must(w->share, scr_elastic_contacts_renew(&e->contacts, s, report), report);
    if (!status) scr_elastic_cut_ask(e);
    return status;
}

/* A link that breaks. */
typedef struct {
    uint32_t link, fate;
} broken;

// all ranks learn which links break, and where all cells are: each breaks all of them, in their order
static void tell_verdicts(elastic_work *e)
{
    const scr_world *w = e->task.world;
    const elastic_plan *p = &e->task.plan;
    broken *own = NULL, *all = NULL;
    uint64_t count = 0;
    bool room = true;
    for (size_t k = p->block_links[p->own_first]; k < p->block_links[p->own_end]; k++) {
        uint8_t v = e->fracture.verdict[k];
        if (w->links.fate[k] == SCR_LINK_HOLDS && v != SCR_LINK_HOLDS && v != ELASTIC_DOUBTFUL)
            room &= scr_push(own, count, (broken){(uint32_t)k, v});
    }
    count = scr_share_collect(w->share, own, count, sizeof *own, &all);
    scr_comm_broadcast(w->share->comm, &count, sizeof count);
    room &= scr_reserve(&all, count + 1);
    scr_comm_need(room, "links that break");
    scr_comm_broadcast(w->share->comm, all, count * sizeof *all);
    memset(e->fracture.verdict, SCR_LINK_HOLDS, w->links.table.count);
    for (size_t k = 0; k < count; k++) e->fracture.verdict[all[k].link] = (uint8_t)all[k].fate;
    scr_elastic_cut_tell_all(e, ELASTIC_MOTION);
    scr_elastic_cut_tell_all(e, ELASTIC_STRAIN);
    scr_free_all(own, all);
}

scree_status scr_elastic_fracture_step(elastic_work *e, scr_step *s, scree_report *report)
{
    const elastic_plan *p = &e->task.plan;
    int64_t found = 0, doubtful = 0;
    if (!e->fracture.on) return SCREE_OK;
    for (size_t b = p->own_first; b < p->own_end; b++) doubtful += e->task.sums[b].doubtful;
    if (doubtful) elastic_each_own(e, judge_block);
    for (size_t b = p->own_first; doubtful && b < p->own_end; b++) found += e->fracture.found[b];
    if (!scr_share_any(s->world->share, found > 0)) return SCREE_OK;
    if (s->world->share) tell_verdicts(e);
    return scr_elastic_fracture_break(e, s, report);
}
