/* The elastic stepper: cells of elastic solids, RATTLE (Monasse & Mariotti 2012; docs/theory-elastic.md).
 *
 *   damping, half a step
 *   v += dt/2 F/m;  L += dt/2 M;   u += dt v;   q turns by dt of free motion with L (rattle.h)
 *   held and prescribed cells to their places
 *   eps of all cells, then forces and torques at the new place (kernel/link.h); loads
 *   v += dt/2 F/m;  L += dt/2 M
 *   held and prescribed cells
 *   damping, half a step; links that are too much strained break (fracture.c)
 *
 * Without damping this is symmetric in time and symplectic: energy oscillates by O(dt^2) and does not drift; momentum
 * and angular momentum of what is free are kept to round-off. The first step starts from the forces at its time, so it
 * is of second order too. */
#include "step/elastic/elastic.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/os.h"
#include "base/status.h"
#include "exec/cpu/threads.h"
#include "step/elastic/work.h"
#include "step/soft/cpu/contacts.h"
#include "step/soft/ops.h"

/* ---- phases ---- */

static size_t block_end(const scr_world *w, size_t block)
{
    size_t end = (block + 1) * SCR_BLOCK, count = w->cells.table.count;
    return end < count ? end : count;
}

static void kick_drift_block(void *work, size_t index)
{
    elastic_work *k = work;
    k->loops->kick_drift(&k->task, elastic_own_block(k, index));
}

static void strains_block(void *work, size_t index)
{
    elastic_work *k = work;
    k->loops->strains(&k->task, elastic_busy_block(k, index));
}

// sums to eps and kap, and the energy of both
static void strains_end_block(void *work, size_t index)
{
    elastic_work *k = work;
    size_t block = elastic_own_block(k, index);
    scr_world *w = k->task.world;
    const elastic_plan *p = &k->task.plan;
    bool shells = w->shells.table.count > 0;
    size_t first = block * SCR_BLOCK, end = block_end(w, block);
    for (size_t i = p->block_inbox[block]; i < p->block_inbox[block + 1]; i++) {
        size_t slot = p->inbox[i], cell = p->slot_cell[slot];
        w->cells.bulk[2 * cell + 1] += p->halo_strain[2 * slot];
        if (shells) w->shells.bend[2 * cell + 1] += p->halo_strain[2 * slot + 1];
    }
    scr_elastic_loads_swell(k, first, end);
    double energy = 0;
    for (size_t c = first; c < end; c++) {
        double *bulk = w->cells.bulk + 2 * c;
        bulk[1] /= bulk[0];
        energy += 0.5 * k->lambda[w->cells.solid[c]] * bulk[0] * bulk[1] * bulk[1];
    }
    for (size_t c = first; shells && c < end; c++) {
        double *bend = w->shells.bend + 2 * c;
        bend[1] /= bend[0];
        energy += 0.5 * w->shells.director[4 * c + 3] * bend[1] * bend[1];
    }
    k->task.sums[block].cells = energy;
}

static void forces_block(void *work, size_t index)
{
    elastic_work *k = work;
    k->loops->forces(&k->task, elastic_busy_block(k, index));
}

// a block may take its halo and move its cells as soon as all blocks have filled their slots
static void collect_block(void *work, size_t index)
{
    elastic_work *k = work;
    size_t block = elastic_own_block(k, index);
    scr_world *w = k->task.world;
    const elastic_plan *p = &k->task.plan;
    for (size_t i = p->block_inbox[block]; i < p->block_inbox[block + 1]; i++) {
        const double *from = p->halo + 8 * (size_t)p->inbox[i];
        double *to = w->cells.load + 8 * (size_t)p->slot_cell[p->inbox[i]];
        for (int d = 0; d < 8; d++) to[d] += from[d];
    }
    scr_elastic_loads_push(k, block * SCR_BLOCK, block_end(w, block));
    scr_elastic_contacts_push(&k->contacts, k->task.world, block * SCR_BLOCK, block_end(w, block));
    if (k->task.dt > 0) k->loops->kick(&k->task, block);
}

static void add_up(elastic_work *k)
{
    double energy = 0;
    const elastic_plan *p = &k->task.plan;
    for (size_t b = p->own_first; b < p->own_end; b++) energy += k->task.sums[b].links + k->task.sums[b].cells;
    k->task.world->ledger.elastic_solid = energy;
}

// forces at the present places with the loads' factors and contacts as they are, then the second half of the
// velocities (not when the run opens)
void scr_elastic_forces(elastic_work *k)
{
    elastic_each_busy(k, strains_block);
    elastic_each_own(k, strains_end_block);
    scr_elastic_cut_tell(k, ELASTIC_STRAIN);
    elastic_each_busy(k, forces_block);
    elastic_each_own(k, collect_block);
    add_up(k);
}

// what contacts hold is counted by the grains' phases, where there are any
static void clear_contacts(scr_step *s)
{
    scr_ledger *l = &s->world->ledger;
    l->elastic_normal = l->elastic_tangential = l->elastic_rolling = 0;
    l->excess_damping = l->excess_rolling = 0;
    s->last = (scr_step_report){0};
}

// on a rank: where cells of others are now, of all where lists are made
static void meet_others(scr_step *s, elastic_work *k)
{
    elastic_contacts *c = &k->contacts;
    if (!s->world->share) return;
    c->stale = c->on && scr_elastic_contacts_are_stale(c, s, k->has_soft);
    if (c->stale)
        scr_elastic_cut_tell_all(k, ELASTIC_MOTION);
    else
        scr_elastic_cut_tell(k, ELASTIC_MOTION);
}

static scree_status forces_and_kick(scr_step *s, elastic_work *k, scree_report *report)
{
    elastic_contacts *c = &k->contacts;
    meet_others(s, k);
    // an overlap that is too large ends the run, but the step is finished first
    double opening = s->world->clock.step == 1 ? 0.25 * k->task.dt : 0;
    scree_status overlap = scr_elastic_contacts_forces(c, s, k->task.dt, opening, report);
    if (overlap && overlap != SCREE_E_RUN) return scr_share_must(s->world->share, overlap, report);
    if (c->stale) scr_elastic_cut_ask(k);
    scree_status status = k->has_soft ? scr_soft_forces(s, &k->soft, report) : SCREE_OK;
    if (status) return status;
    scr_elastic_loads_signal(k);
    scr_elastic_forces(k);
    clear_contacts(s);
    if (k->has_soft) {
        k->soft.push = (soft_push){c->on ? c->pairs.grains.count : 0, c->pairs.grains.owner, c->grain_push};
        k->soft.task.wall_push = c->on ? c->wall_push : NULL;
        status = scr_soft_end(s, &k->soft, report);
    }
    scr_elastic_contacts_add_up(c, s);
    return overlap ? overlap : status;
}

// a cell that turns too far in one step: its links are torn by far, or the step is too long
static scree_status check_turns(const elastic_work *k, scree_report *report)
{
    const scr_world *w = k->task.world;
    int64_t lost = -1;
    const elastic_plan *p = &k->task.plan;
    for (size_t b = p->own_first; b < p->own_end && lost < 0; b++) lost = k->task.sums[b].lost;
    if (lost < 0) return SCREE_OK;
    vec3 x = scr_cell_centre(&w->cells, (size_t)lost);
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "step %lld, time %.9g s: the rotation of cell %lld of the solid %s at (%.6g, %.6g, %.6g) m in one "
                    "step was not found: it spins too fast for steps of %.4g s. Strains are too large for this step, "
                    "or the motion has become unstable",
                    (long long)w->clock.step, w->clock.time, (long long)lost, w->solids[w->cells.solid[lost]].name, x.x,
                    x.y, x.z, w->clock.dt);
}

/* ---- the stepper ---- */

void scr_elastic_destroy(elastic_work *k)
{
    if (!k) return;
    scr_elastic_plan_deinit(&k->task.plan);
    scr_elastic_cut_deinit(&k->cut);
    scr_elastic_contacts_close(&k->contacts);
    scr_soft_close(&k->soft);
    scr_arena_deinit(&k->arena);
    scr_memory_free(k);
}

scree_status scr_elastic_create(scr_world *w, elastic_work **work, scree_report *report)
{
    elastic_work *k = *work = scr_memory_new(1, sizeof *k);
    if (!k) return scr_no_memory(report, "the integrator");
    static const elastic_loops *const loops[] = {[SCR_VECTORS_PORTABLE] = &scr_elastic_loops_portable,
                                                 [SCR_VECTORS_AVX2] = &scr_elastic_loops_avx2,
                                                 [SCR_VECTORS_AVX512] = &scr_elastic_loops_avx512};
    k->loops = loops[scr_cpu_vectors()];
    k->task.world = w;
    // there already, unless the world was made by hand or read
    if (!scr_table_reserve(&w->cells.table, w->cells.table.count + SCR_SPARE_ROWS) ||
        !scr_table_reserve(&w->links.table, w->links.table.count + SCR_SPARE_ROWS))
        return scr_no_memory(report, "the integrator");
    if (w->share) scr_share_cut_cells(w->share, w);
    scree_status status = scr_elastic_plan_build(&k->task.plan, w, report);
    if (status) return status;
    scr_elastic_damping_open(k);
    scr_elastic_fracture_open(k);
    scr_elastic_supports_open(k);
    k->task.sums = SCR_TAKE(&k->arena, elastic_sums, k->task.plan.block_count);
    k->lambda = SCR_TAKE(&k->arena, double, (size_t)w->solid_count);
    k->factor = SCR_TAKE(&k->arena, double, (size_t)w->load_count);
    k->before = SCR_TAKE(&k->arena, double, (size_t)w->load_count);
    if ((status = scr_arena_status(&k->arena, report, "the integrator"))) return status;
    for (int i = 0; i < w->solid_count; i++) {
        const scr_material *m = &w->materials[w->solids[i].material];
        k->lambda[i] = scr_lame_lambda(m->young, m->poisson);
    }
    return SCREE_OK;
}

scree_status scr_elastic_begin(scr_step *s, elastic_work *k, bool resumed, scree_report *report)
{
    scree_status status = SCREE_OK;
    k->has_soft = s->world->group_count > 0 || s->world->wall_count > 0;
    status = scr_elastic_contacts_tell(&k->contacts, s, report);
    if (!status && k->has_soft) status = scr_soft_open(s, &k->soft, true, false, resumed, report);
    if (!status) status = scr_elastic_contacts_open(&k->contacts, s, k->loops, report);
    if (status) return scr_share_must(s->world->share, status, report);
    scr_elastic_cut_ask(k);
    if (resumed) {
        s->last.contacts += (int64_t)s->world->cell_contacts.table.count;
        scr_elastic_loads_signal(k);
        return SCREE_OK;
    }
    // forces now, without moving anything
    soft_losses losses = scr_soft_losses_of(&s->world->ledger);
    k->soft.task.dt = 0;
    scr_elastic_supports_begin(s->world);
    status = forces_and_kick(s, k, report);
    scr_elastic_supports_rest(s->world);
    scr_soft_losses_set(&s->world->ledger, &losses, &k->soft);
    scr_elastic_contacts_owe(&k->contacts, s->world);
    return status;
}

scree_status scr_elastic_renew(scr_step *s, elastic_work *k, scree_report *report)
{
    k->contacts.pairs.rebuilds = -1; // rows of grains are others
    scree_status status = scr_elastic_contacts_tell(&k->contacts, s, report);
    if (status) return status;
    return k->has_soft ? scr_soft_renew(s, &k->soft, report) : SCREE_OK;
}

// within a step
static scree_status renew_list(scr_step *s, elastic_work *k, scree_report *report)
{
    scree_status status = scr_elastic_contacts_tell(&k->contacts, s, report);
    return status ? status : scr_soft_refresh(s, &k->soft, report);
}

scree_status scr_elastic_step(scr_step *s, elastic_work *k, scree_report *report)
{
    scr_world *w = s->world;
    scree_status left = k->has_soft && scr_pairs_are_due(w) ? scr_elastic_renew(s, k, report) : SCREE_OK;
    if (left && left != SCREE_E_RUN) return left;
    double t0 = scr_seconds();
    k->task.dt = w->clock.dt;

    scr_elastic_damp(k);
    scr_elastic_loads_work(k, true);
    scr_elastic_supports_keep(k);
    scr_gravity_begin(w);
    elastic_each_own(k, kick_drift_block);
    scr_elastic_supports_move(k);
    bool stale = false;
    if (k->has_soft)
        scr_soft_begin(s, &k->soft), stale = scr_soft_arrive(s, &k->soft), scr_soft_await(s, &k->soft);
    else
        scr_clock_tick(&w->clock);
    scr_gravity_end(w);
    double t1 = scr_seconds();
    stale |= k->has_soft && scr_elastic_contacts_are_far(&k->contacts, s);
    scree_status lost = stale ? renew_list(s, k, report) : SCREE_OK;
    if (lost && lost != SCREE_E_RUN) return lost;
    double t2 = scr_seconds();
    // a turn that was not found ends the run, but the step is finished first: the state stays one that can be
    // looked at
    scree_status status = check_turns(k, report);
    scree_status forces = forces_and_kick(s, k, report);
    scr_elastic_supports_end(w);
    scr_elastic_loads_work(k, false);
    scr_elastic_damp(k);
    s->times.integrate += t1 - t0;
    s->times.neighbours += t2 - t1;
    s->times.forces += scr_seconds() - t2;
    unsigned bad = scr_share_any(w->share, (status ? 1u : 0) | (forces ? 2u : 0));
    if (!(bad & 1)) status = scr_elastic_fracture_step(k, s, report);
    if (left || lost) return left ? left : lost;
    if (bad && !status && !forces) return SCREE_E_RUN; // another rank says why
    return status ? status : forces;
}

// what is of cells is in the world already
scree_status scr_elastic_save(scr_step *s, const elastic_work *k, scree_report *report)
{
    return k->has_soft ? scr_pairs_save(&s->pairs, s->world, report) : SCREE_OK;
}

scree_status scr_elastic_rows(const scr_step *s, const elastic_work *k, scr_contact_row **rows, size_t *count,
                              scree_report *report)
{
    scree_status status = scr_soft_contacts(s, 0, rows, count, report);
    if (!status) scr_elastic_contacts_rows(&k->contacts, s->world, *rows, count);
    return status;
}

/* ---- the table's, with the work of the step ---- */

static bool is_divided(const scr_step *s)
{
    return s->divide && scr_comm_world()->size > 1;
}

static scree_status open(scr_step *s, bool resumed, scree_report *report)
{
    elastic_work *k = NULL;
    if (is_divided(s)) return scr_soft_ranks.open(s, resumed, &s->work, report);
    scree_status status = scr_elastic_create(s->world, &k, report);
    s->work = k;
    return status ? status : scr_elastic_begin(s, k, resumed, report);
}

static scree_status advance(scr_step *s, int64_t most, int64_t *done, scree_report *report)
{
    if (!is_divided(s)) return scr_step_each(s, most, done, report);
    scree_status status = scr_soft_ranks.advance(s, s->work, most, done, report);
    // a run that ends leaves a state that can be looked at
    if (status) scr_soft_ranks.fetch(s, s->work, SOFT_BODIES | SOFT_ENERGIES, report);
    return status;
}

// passages through planes are counted in those of ranks: once more changes nothing
static scree_status step(scr_step *s, scree_report *report)
{
    int64_t done;
    return is_divided(s) ? advance(s, 1, &done, report) : scr_elastic_step(s, s->work, report);
}

static void catch_up(scr_step *s)
{
    scree_report unheard; // what fails there ends the program
    if (!is_divided(s) || !s->work) return;
    scree_report_init(&unheard);
    scr_soft_ranks.fetch(s, s->work, SOFT_BODIES | SOFT_ENERGIES, &unheard);
    scree_report_deinit(&unheard);
}

static scree_status renew(scr_step *s, scree_report *report)
{
    return is_divided(s) ? scr_soft_ranks.renew(s, s->work, report) : scr_elastic_renew(s, s->work, report);
}

static scree_status save(scr_step *s, scree_report *report)
{
    return is_divided(s) ? scr_soft_ranks.fetch(s, s->work, ~0u, report) : scr_elastic_save(s, s->work, report);
}

static scree_status contacts(scr_step *s, scr_contact_row **rows, size_t *count, scree_report *report)
{
    return is_divided(s) ? scr_soft_ranks.contacts(s, s->work, rows, count, report)
                         : scr_elastic_rows(s, s->work, rows, count, report);
}

static scree_status everywhere(scr_step *s, const void *order, size_t bytes, unsigned needs, void *result,
                               scree_report *report)
{
    return scr_soft_everywhere(s, s->work, order, bytes, needs, result, report);
}

static void close(scr_step *s)
{
    if (is_divided(s) && s->work)
        scr_soft_ranks.close(s->work);
    else
        scr_elastic_destroy(s->work);
    s->work = NULL;
}

/* ---- the longest stable step ---- */

double scr_elastic_limit(const scr_step *s, double *advised, char *words, size_t size)
{
    const scr_world *w = s->world;
    const scr_elastic_def *def = s->scene_def; // in statics too
    bool small = def->strain == SCR_STRAIN_SMALL;
    int64_t cell;
    double bound = scr_elastic_bound(w, &cell);
    double part = small ? 0.8 : 0.5;
    *advised = part * bound;
    *words = 0;
    if (cell < 0) return bound;
    vec3 x = v3_load(w->cells.home + 4 * cell);
    snprintf(words, size,
             "bound of the links at cell %lld of the solid %.60s, (%.4g, %.4g, %.4g) m; %s strains "
             "take %g of it",
             (long long)cell, w->solids[w->cells.solid[cell]].name, x.x, x.y, x.z, small ? "small" : "large", part);
    return bound;
}

static void traits(const void *elastic, scr_stepper_traits *t)
{
    const scr_elastic_def *def = elastic;
    t->contacts = SCR_CONTACTS_RESOLVED;
    t->lists = true, t->skin = NAN;
    t->moves_solids = t->held_pairs = true;
    t->ranks = true;
    t->ports_every = SCR_LOOK_EVERY;
    snprintf(t->words, sizeof t->words, "RATTLE for elastic cells, %s strains",
             def->strain == SCR_STRAIN_SMALL ? "small" : "large");
}

// bodies beyond spheres are solved for, not pushed by springs
static void check(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    static const char *const sections[] = {"parts", "joints"};
    (void)item;
    for (int s = 0; s < 2; s++) {
        const scr_items *items = scr_scene_items(scene, sections[s]);
        for (int k = 0; k < items->count; k++)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &items->items[k], NULL),
                     "%s.%s: the integrator elastic does not support %s; leave it out, or use another integrator",
                     sections[s], items->items[k].name, sections[s]);
    }
    const scr_items *groups = scr_scene_items(scene, "bodies");
    for (int k = 0; k < groups->count; k++)
        if (((const scr_bodies_def *)groups->items[k].def)->clump.def)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &groups->items[k], "clump"),
                     "bodies.%s.clump: the integrator elastic does not support clumps; leave it out, or use the "
                     "integrator nonsmooth",
                     groups->items[k].name);
}

static const scr_param params[] = {
    {"strain", NULL, SCR_CHOICE, NULL, "large", "large small", offsetof(scr_elastic_def, strain),
     "How `time.step: auto` is chosen where links limit it. `large`: half of the stable step, for strains above one "
     "per cent, large rotations, or accurate energies. `small`: 0.8 of it, for waves of small strain.",
     NULL},
    {0},
};

const scr_stepper scr_elastic_stepper = {
    .variant = {"elastic", "elastic solids of rigid cells, RATTLE (Monasse & Mariotti 2012)", params,
                sizeof(scr_elastic_def)},
    .traits = traits,
    .check = check,
    .refuses = scr_elastic_refuses,
    .limit = scr_elastic_limit,
    .open = open,
    .step = step,
    .advance = advance,
    .renew = renew,
    .save = save,
    .catch_up = catch_up,
    .close = close,
    .contacts = contacts,
    .everywhere = everywhere,
    .on_rank = &scr_elastic_rank,
};
