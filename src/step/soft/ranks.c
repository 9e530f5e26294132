#include "step/soft/ranks.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "base/os.h"
#include "comm/reports.h"
#include "comm/share.h"
#include "exec/cpu/threads.h"
#include "step/soft/cpu/contacts.h"
#include "step/soft/cpu/phases.h"
#include "step/soft/ops.h"
#include "world/energy.h"
#include "world/ledger.h"

typedef struct {
    scr_comm *comm;
    scr_share share;
    scr_world part;      /* rank 0: beside the world that is whole; elsewhere the step's own world is the part */
    scr_step step;       /* of the part */
    const soft_ops *ops; /* of the part */
    void *cpu;           /* what they keep */
    bool joined;         /* it has a part */
    scr_comm_count sent; /* in steps */
    int64_t opened;      /* the step then */
    double seconds;      /* in steps since */
    double processor;    /* the same, CPU time of this rank [s] */
    /* rank 0 */
    unsigned stale;  /* soft_parts of the whole that are not those of now */
    bool evaluated;  /* there are sums of blocks: a resumed run begins without */
    soft_sums *sums; /* scratch: of all blocks; buffers */
    soft_bond_sums *bond_sums;
    double *wall_loads;
    int64_t *totals; /* of the ledger, planes and walls: SCR_TOTAL_ROW each */
    scr_ranks_balance balance;
    int writers; /* of the ranks, where the world is small */
} soft_ranks;

/* ---- orders ---- */

static void command(scr_comm *c, soft_order order)
{
    scr_comm_broadcast(c, &order, sizeof order);
}

void scr_soft_ranks_dismiss(scr_comm *c)
{
    command(c, (soft_order){.kind = SOFT_ORDER_QUIT});
}

void scr_soft_order_send(scr_comm *c, soft_order order, const scr_scene *scene)
{
    const char *path = scr_scene_path(scene), *text = scr_scene_text(scene);
    order.path = strlen(path) + 1, order.text = strlen(text) + 1;
    order.threads = scr_threads();
    command(c, order);
    scr_comm_broadcast(c, (void *)(uintptr_t)path, order.path);
    scr_comm_broadcast(c, (void *)(uintptr_t)text, order.text);
}

bool scr_soft_order_scene(scr_comm *c, const soft_order *order, char **path, char **text)
{
    *path = malloc(order->path), *text = malloc(order->text);
    if (!*path || !*text) return false;
    scr_comm_broadcast(c, *path, order->path);
    scr_comm_broadcast(c, *text, order->text);
    return true;
}

/* ---- opening ---- */

// the state of a wall, of which all ranks know the rest
static void tell_wall(scr_comm *c, scr_wall *w)
{
    struct {
        pose pose, anchor, base;
        vec3 velocity, spin, force, torque;
        double travel;
        scr_servo_state held;
        bool active, fresh;
    } s = {w->pose,   w->anchor, w->base, w->velocity, w->spin, w->force,
           w->torque, w->travel, w->held, w->active,   w->fresh};
    scr_comm_broadcast(c, &s, sizeof s);
    w->pose = s.pose, w->anchor = s.anchor, w->base = s.base;
    w->velocity = s.velocity, w->spin = s.spin, w->force = s.force, w->torque = s.torque;
    w->travel = s.travel, w->held = s.held, w->active = s.active, w->fresh = s.fresh;
}

// planes are those of rank 0: a part counts what passes there, from zero
static void tell_flows(soft_ranks *r)
{
    scr_world *w = r->step.world;
    size_t bytes = sizeof *w->flows;
    scr_comm_broadcast(r->comm, &w->flow_count, sizeof w->flow_count);
    scr_flow *flows = calloc((size_t)w->flow_count + 1, bytes);
    if (!flows) scr_comm_no_memory("planes");
    scr_copy(flows, w->flows, r->comm->rank ? 0 : (size_t)w->flow_count * bytes);
    scr_comm_broadcast(r->comm, flows, (size_t)w->flow_count * bytes);
    for (int k = 0; k < w->flow_count; k++) {
        flows[k].name = NULL, flows[k].near = NULL, flows[k].near_list = -1;
        memset(flows[k].count, 0, sizeof flows[k].count);
        memset(flows[k].sum, 0, sizeof flows[k].sum);
        if (!scr_flow_bins_open(&flows[k].bins)) scr_comm_no_memory("planes");
    }
    w->flows = flows;
}

// what a scene alone does not tell: the clock, laws that follow from the bodies, walls on their way
static void tell_state(soft_ranks *r)
{
    scr_comm *c = r->comm;
    scr_world *w = r->step.world;
    size_t laws = (size_t)w->material_count * (size_t)w->material_count;
    if (!w->laws && !(w->laws = scr_memory_new(laws + 1, sizeof *w->laws))) scr_comm_no_memory("laws");
    scr_comm_broadcast(c, w->laws, laws * sizeof *w->laws);
    scr_comm_broadcast(c, &w->clock, sizeof w->clock);
    scr_comm_broadcast(c, &w->gravity, sizeof w->gravity);
    for (int k = 0; k < w->wall_count; k++) tell_wall(c, &w->walls[k]);
    tell_flows(r);
    if (w->cells.table.count) scr_share_tell_cells(c, w);
}

// counts of all ranks are added to those of rank 0, losses to what the whole has; loads of walls are those of all ranks
static void begin_books(soft_ranks *r)
{
    scr_world *w = r->step.world;
    w->ledger = (scr_ledger){0};
    if (!r->comm->rank) return;
    w->clock.broken_tension = w->clock.broken_shear = 0;
    for (int k = 0; k < w->wall_count; k++) {
        if (!w->walls[k].motion.servo) w->walls[k].force = w->walls[k].torque = v3(0, 0, 0);
        memset(w->walls[k].load, 0, sizeof w->walls[k].load);
    }
}

#define PIECE_GRAINS 10000000 /* that one rank writes, where there are others; SCREE_PIECE_GRAINS: another number */

// one of each machine writes, and more where there are so many grains that one should not have them
static void choose_writers(soft_ranks *r, size_t grains)
{
    scr_comm *c = r->comm;
    const char *asked = getenv("SCREE_PIECE_GRAINS");
    double most = asked && atof(asked) >= 1 ? atof(asked) : PIECE_GRAINS, need = ceil((double)grains / most);
    r->writers = c->writers;
    if (need > c->writers && !getenv("SCREE_WRITERS")) c->writers = need < c->size ? (int)need : c->size;
    scr_comm_broadcast(c, &c->writers, sizeof c->writers);
}

static scree_status join(soft_ranks *r, bool resumed, scree_report *report)
{
    int before = report->count;
    scr_world *w = r->step.world;
    tell_state(r);
    begin_books(r);
    w->share = &r->share;
    r->joined = true;
    r->evaluated = !resumed;
    r->ops = r->step.stepper->on_rank;
    scree_status status = r->ops->open(&r->step, resumed, &r->cpu, report);
    r->opened = w->clock.step;
    return scr_comm_agree(r->comm, status, before, report);
}

static bool copy_cell_contacts(scr_world *part, const scr_world *whole)
{
    const scr_table *from = &whole->cell_contacts.table;
    scr_table *to = &part->cell_contacts.table;
    scr_cell_contacts_init(&part->cell_contacts);
    if (!scr_table_reserve(to, from->count + 1)) return false;
    to->count = from->count;
    for (int k = 0; from->count && k < to->field_count; k++)
        memcpy(scr_table_array(to, &to->fields[k]), scr_table_array(from, &from->fields[k]),
               from->count * scr_field_row(&to->fields[k]));
    return true;
}

// the world of rank 0's part: what does not change is shared with the whole, and so are cells, of which it moves some
static bool make_part(soft_ranks *r, const scr_world *whole)
{
    scr_world *p = &r->part;
    *p = *whole;
    scr_bodies_init(&p->bodies);
    scr_contacts_init(&p->contacts);
    scr_bonds_init(&p->bonds);
    p->blocks = (scr_blocks){0};
    p->walls = NULL, p->supports = NULL, p->loads = NULL;
    if (!scr_reserve(&p->walls, (size_t)p->wall_count + 1) ||
        !scr_reserve(&p->supports, (size_t)p->support_count + 1) || !scr_reserve(&p->loads, (size_t)p->load_count + 1))
        return false;
    scr_copy(p->walls, whole->walls, (size_t)p->wall_count * sizeof *p->walls);
    scr_copy(p->supports, whole->supports, (size_t)p->support_count * sizeof *p->supports);
    scr_copy(p->loads, whole->loads, (size_t)p->load_count * sizeof *p->loads);
    return copy_cell_contacts(p, whole);
}

static void leave(soft_ranks *r)
{
    if (r->cpu) r->ops->close(r->cpu);
    scr_pairs_deinit(&r->step.pairs);
    if (r->share.whole) {
        scr_flows_deinit(&r->part);
        scr_table_deinit(&r->part.bodies.table);
        scr_table_deinit(&r->part.contacts.table);
        scr_table_deinit(&r->part.bonds.table);
        scr_blocks_deinit(&r->part.blocks);
        scr_table_deinit(&r->part.cell_contacts.table);
        scr_free_all(r->part.walls, r->part.supports, r->part.loads);
    }
    if (r->joined) r->comm->writers = r->writers;
    scr_share_deinit(&r->share);
    scr_free_all(r->sums, r->bond_sums, r->wall_loads, r->totals);
}

// what ranks had to tell each other in steps, new lists and sorts among them, on average
static void say_traffic(soft_ranks *r)
{
    double steps = (double)(r->step.world->clock.step - r->opened), ranks = r->comm->size;
    int64_t sent[] = {r->sent.messages, r->sent.bytes, (int64_t)scr_peak_memory(), (int64_t)(1e9 * r->processor)};
    int64_t reductions = r->sent.reductions;
    scr_comm_add(r->comm, sent, 4);
    if (r->comm->rank || steps < 1) return;
    scr_say("memory at most: %.1f MB on rank 0, %.1f MB on average", 1e-6 * (double)scr_peak_memory(),
            1e-6 * (double)sent[2] / ranks);
    scr_say("%.0f ranks: steps took %.4g s, CPU time %.4g s; per step a rank sent %.3g messages, %.4g kB, and took "
            "part in %.3g reductions; load imbalance (max over mean pairs) %.3g, worst %.3g, of grains and contacts "
            "%.3g; repartitioned %lld times between sorts",
            ranks, r->seconds, 1e-9 * (double)sent[3], (double)sent[0] / ranks / steps,
            1e-3 * (double)sent[1] / ranks / steps, (double)reductions / steps, r->balance.pairs, r->balance.worst,
            r->balance.cost, (long long)r->share.recuts);
}

static void close(void *state)
{
    soft_ranks *r = state;
    command(r->comm, (soft_order){.kind = SOFT_ORDER_CLOSE});
    if (r->joined) say_traffic(r);
    leave(r);
    scr_memory_free(r);
}

static scree_status fetch(scr_step *s, void *state, unsigned parts, scree_report *report);

// the part that rank 0 has made becomes that of its share; the whole knows how many there are
static void take_part(soft_ranks *r, scr_step *s)
{
    scr_world *whole = s->world;
    size_t all = scr_share_bodies(whole);
    scr_share *share = whole->share;
    r->share = *share;
    scr_memory_free(share);
    whole->share = NULL;
    r->part.bodies = whole->bodies, r->part.contacts = whole->contacts, r->part.blocks = whole->blocks;
    scr_bodies_init(&whole->bodies);
    scr_contacts_init(&whole->contacts);
    // blocks of a checkpoint, which are not cut anew before the next sort
    const scr_blocks *blocks = &r->share.blocks;
    whole->blocks = (scr_blocks){0};
    scr_comm_need(scr_reserve(&whole->blocks.start, blocks->count + 1), "blocks");
    if (blocks->count) memcpy(whole->blocks.start, blocks->start, (blocks->count + 1) * sizeof *blocks->start);
    whole->blocks.count = blocks->count;
    whole->bodies.table.count = all;
    r->step.pairs = s->pairs;
    s->pairs = (scr_pairs){0};
}

static void tell_scene(scr_comm *c, const scr_step *s, bool resumed, bool made)
{
    soft_order order = {.kind = SOFT_ORDER_OPEN,
                        .resumed = resumed,
                        .contacts = s->want_contacts,
                        .no_ledger = s->no_ledger,
                        .keep_spent = s->keep_spent,
                        .made = made};
    scr_soft_order_send(c, order, s->divide);
}

static scree_status open(scr_step *s, bool resumed, void **state, scree_report *report)
{
    scr_comm *c = scr_comm_world();
    soft_ranks *r = *state = scr_memory_new(1, sizeof *r);
    if (!r) return scr_no_memory(report, "the integrator");
    r->comm = c;
    int before = report->count;
    bool made = s->world->share;
    tell_scene(c, s, resumed, made);
    scree_status status = scr_comm_agree(c, SCREE_OK, before, report);
    if (status) return status;
    if (!(made || scr_share_init(&r->share, c)) || !make_part(r, s->world)) scr_comm_no_memory("a part of the world");
    r->step = *s;
    r->step.world = &r->part;
    r->step.pairs = (scr_pairs){0}; // those of the whole stay there
    if (made) take_part(r, s);
    r->share.whole = s->world;
    if (!resumed) scr_ledger_book_excess(&s->world->ledger);
    choose_writers(r, s->world->bodies.table.count);
    status = join(r, resumed, report);
    r->stale = SOFT_BODIES | SOFT_CONTACTS | SOFT_ENERGIES;
    // a failure leaves a state that can be looked at, too; of a divided world the reader fetches
    bool divided = scr_step_is_divided(s);
    scree_status fetched = fetch(s, r, divided && !status ? SOFT_ENERGIES : r->stale, report);
    if (divided && !status) scr_share_let_go(&r->share);
    if (resumed) s->last.contacts = (int64_t)(s->world->contacts.table.count + s->world->cell_contacts.table.count);
    return status ? status : fetched;
}

/* ---- fetching ---- */

// blocks' sums into the whole, in the order of blocks, as on one rank
static void take_sums(scr_step *s, soft_ranks *r, size_t blocks, size_t bond_blocks)
{
    scr_ledger *l = &s->world->ledger;
    l->elastic_normal = l->elastic_tangential = l->elastic_rolling = 0;
    l->excess_damping = l->excess_rolling = l->elastic_bond = 0;
    s->last = (scr_step_report){0};
    for (size_t b = 0; b < blocks; b++) {
        const soft_sums *sum = &r->sums[b];
        l->elastic_normal += sum->elastic_normal;
        l->elastic_tangential += sum->elastic_tangential;
        l->elastic_rolling += sum->elastic_rolling;
        l->excess_damping += sum->excess_damping;
        l->excess_rolling += sum->excess_rolling;
        s->last.contacts += sum->contacts;
        if (sum->worst > s->last.worst_overlap) s->last.worst_overlap = sum->worst;
    }
    for (size_t b = 0; b < bond_blocks; b++) l->elastic_bond += r->bond_sums[b].elastic;
}

static void take_walls(const soft_ranks *r, scr_world *whole, size_t blocks)
{
    size_t stride = SOFT_WALL_SUMS * (size_t)whole->wall_count;
    for (int m = 0; m < whole->wall_count; m++) {
        const double *on = r->wall_loads + SOFT_WALL_SUMS * m;
        double sum[SOFT_WALL_SUMS];
        for (int d = 0; d < SOFT_WALL_SUMS; d++) sum[d] = scr_sum(on + d, blocks, stride);
        // that of a servo is exact
        if (!whole->walls[m].motion.servo) whole->walls[m].force = v3_load(sum);
        whole->walls[m].torque = v3_load(sum + 3);
    }
}

// total number k of a world: accounts of the ledger, sums of planes, loads on walls
static scr_total *total_of(scr_world *w, size_t k)
{
    size_t flows = SCR_FLOW_SUMS * (size_t)w->flow_count;
    if (k < SCR_BOOKED) return scr_ledger_totals(&w->ledger) + k;
    k -= SCR_BOOKED;
    if (k < flows) return &w->flows[k / SCR_FLOW_SUMS].sum[k % SCR_FLOW_SUMS];
    k -= flows;
    return &w->walls[k / SOFT_WALL_SUMS].load[k % SOFT_WALL_SUMS];
}

// to the whole: what all ranks have booked, and what has passed planes, since the last fetch; their loads on walls
static void fetch_totals(soft_ranks *r, scr_world *part, scr_world *whole)
{
    size_t sums = SCR_BOOKED + SCR_FLOW_SUMS * (size_t)part->flow_count;
    size_t count = sums + SOFT_WALL_SUMS * (size_t)part->wall_count;
    if (!scr_reserve(&r->totals, count * SCR_TOTAL_ROW)) scr_comm_abort(1, "no memory for energies");
    for (size_t k = 0; k < count; k++) {
        scr_total *own = total_of(part, k);
        scr_total_pack(own, r->totals + k * SCR_TOTAL_ROW);
        if (k < sums) *own = (scr_total){0};
    }
#define F(name, ...) assert(part->ledger.name == 0); // a part has nothing that is not in totals
    SCREE_LOSS_ACCOUNTS(F)
    SCREE_WORK_ACCOUNTS(F)
#undef F
    part->ledger = (scr_ledger){0};
    scr_comm_add(r->comm, r->totals, (int)(count * SCR_TOTAL_ROW));
    for (size_t k = 0; whole && k < count; k++) {
        scr_total *to = total_of(whole, k);
        if (k >= sums) *to = (scr_total){0};
        scr_total_join(to, r->totals + k * SCR_TOTAL_ROW);
    }
}

// what ranks have counted since the last fetch, `own` on this one
static void fetch_count(soft_ranks *r, int64_t *own, size_t count, int64_t *whole)
{
    scr_comm_add(r->comm, own, (int)count);
    for (size_t k = 0; whole && k < count; k++) whole[k] += own[k];
    memset(own, 0, count * sizeof *own);
}

static void fetch_counts(soft_ranks *r, scr_world *part, scr_world *whole)
{
    for (int k = 0; k < part->flow_count; k++) {
        scr_flow *own = &part->flows[k], *to = whole ? &whole->flows[k] : NULL;
        size_t bins = scr_flow_bins_number(&own->bins);
        fetch_count(r, own->count, 2, to ? to->count : NULL);
        if (bins) fetch_count(r, own->bins.passed, bins, to ? to->bins.passed : NULL);
    }
}

static double over_mean(double most, int64_t sum, int ranks)
{
    return sum > 0 ? most * ranks / (double)sum : 1;
}

// how evenly pairs and costs are divided
static void weigh(soft_ranks *r, int64_t pairs, int64_t cost)
{
    int64_t sums[] = {pairs, cost};
    double most[] = {(double)pairs, (double)cost};
    scr_comm_add(r->comm, sums, 2);
    scr_comm_most(r->comm, most, 2);
    scr_ranks_balance *b = &r->balance;
    b->ranks = r->comm->size;
    b->pairs = over_mean(most[0], sums[0], r->comm->size), b->cost = over_mean(most[1], sums[1], r->comm->size);
    if (b->pairs > b->worst) b->worst = b->pairs;
}

// a resumed run has no sums yet: what is stored is as the checkpoint has it
static void fetch_energies(scr_step *s, soft_ranks *r)
{
    soft_books books = r->ops->books(r->cpu);
    const scr_pairs *p = &r->step.pairs;
    scr_world *w = r->step.world;
    size_t own = books.of_blocks ? p->own_end - p->own_first : 0, loads = SOFT_WALL_SUMS * (size_t)w->wall_count;
    const soft_sums *sums = books.of_blocks ? books.of_blocks + p->own_first : NULL;
    const double *on_walls = books.of_blocks ? books.on_walls + p->own_first * loads : NULL;
    size_t blocks = scr_share_collect(&r->share, sums, own, sizeof *r->sums, &r->sums);
    size_t numbers = scr_share_collect(&r->share, on_walls, own * loads, sizeof *r->wall_loads, &r->wall_loads);
    const soft_bond_sums *of_bonds = books.of_bonds ? books.of_bonds + p->own_first : NULL;
    size_t bond_blocks =
        scr_share_collect(&r->share, of_bonds, of_bonds ? own : 0, sizeof *r->bond_sums, &r->bond_sums);
    fetch_totals(r, w, s ? s->world : NULL);
    if (w->flow_count) fetch_counts(r, w, s ? s->world : NULL);
    int64_t counts[] = {w->clock.broken_tension, w->clock.broken_shear, (int64_t)p->count, (int64_t)p->walls.count,
                        (int64_t)p->halo_count};
    int64_t cost = (int64_t)scr_bodies_own(&w->bodies);
    for (size_t b = 0; b < own; b++) cost += sums[b].contacts;
    weigh(r, counts[2] + counts[3], cost);
    scr_comm_add(r->comm, counts, 5);
    if (!s) return;
    s->balance = r->balance;
    scr_world *whole = s->world;
    whole->clock.broken_tension = counts[0], whole->clock.broken_shear = counts[1];
    s->pairs.count = (size_t)counts[2], s->pairs.walls.count = (size_t)counts[3];
    s->pairs.halo_count = (size_t)counts[4];
    s->pairs.grid.level_count = p->grid.level_count;
    memcpy(s->pairs.grid.levels, p->grid.levels, sizeof p->grid.levels);
    s->times = r->step.times;
    if (r->evaluated) take_sums(s, r, blocks, bond_blocks);
    if (r->evaluated && books.of_blocks) take_walls(r, whole, blocks);
    (void)numbers;
}

// on all ranks; s is the step of the whole, on rank 0
static scree_status carry_out_fetch(scr_step *s, soft_ranks *r, unsigned parts, scree_report *report)
{
    scree_status status = SCREE_OK;
    scr_share_follow(&r->share, r->step.world);
    if (parts & SOFT_BODIES) scr_share_gather(&r->share, r->step.world);
    if (parts & SOFT_ENERGIES) fetch_energies(s, r);
    if (parts & SOFT_CONTACTS) {
        status = scr_share_must(&r->share, r->ops->fetch(&r->step, r->cpu, SOFT_CONTACTS, report), report);
        scr_share_gather_contacts(&r->share, r->step.world);
    }
    if (r->ops->gather) r->ops->gather(&r->step, r->cpu, parts, r->evaluated, s);
    return status;
}

// bodies come with all that is beside them: what is taken from a part would hide what sums of all have brought
static scree_status fetch(scr_step *s, void *state, unsigned parts, scree_report *report)
{
    soft_ranks *r = state;
    parts &= r->stale;
    if (!parts) return SCREE_OK;
    parts |= SOFT_ENERGIES;
    command(r->comm, (soft_order){.kind = SOFT_ORDER_FETCH, .parts = parts});
    r->stale &= ~parts;
    return carry_out_fetch(s, r, parts, report);
}

/* ---- steps ---- */

static scree_status carry_out_advance(soft_ranks *r, const soft_order *order, int64_t *done, scree_report *report)
{
    int messages = report->count;
    r->step.want_contacts = order->contacts;
    r->evaluated = true;
    double begun = scr_seconds(), processor = scr_processor_seconds();
    scr_comm_count before = r->comm->count;
    scree_status status =
        scr_comm_agree(r->comm, r->ops->advance(&r->step, r->cpu, order->most, done, report), messages, report);
    r->seconds += scr_seconds() - begun;
    r->processor += scr_processor_seconds() - processor;
    r->sent.messages += r->comm->count.messages - before.messages;
    r->sent.bytes += r->comm->count.bytes - before.bytes;
    r->sent.reductions += r->comm->count.reductions - before.reductions;
    return status;
}

static scree_status advance(scr_step *s, void *state, int64_t most, int64_t *done, scree_report *report)
{
    soft_ranks *r = state;
    soft_order order = {.kind = SOFT_ORDER_ADVANCE, .most = most, .contacts = s->want_contacts};
    command(r->comm, order);
    r->stale = SOFT_BODIES | SOFT_CONTACTS | SOFT_ENERGIES;
    scree_status status = carry_out_advance(r, &order, done, report);
    s->world->clock.step = r->part.clock.step, s->world->clock.time = r->part.clock.time;
    return status;
}

static scree_status carry_out_renew(soft_ranks *r, scree_report *report)
{
    int before = report->count;
    r->share.renewed = true;
    return scr_comm_agree(r->comm, r->ops->renew(&r->step, r->cpu, report), before, report);
}

// the whole was fetched before it was changed
static scree_status renew(scr_step *s, void *state, scree_report *report)
{
    soft_ranks *r = state;
    scree_status status = fetch(s, state, SOFT_BODIES, report);
    if (status) return status;
    r->part.clock.next_id = s->world->clock.next_id;
    command(r->comm, (soft_order){.kind = SOFT_ORDER_RENEW});
    r->stale = SOFT_BODIES | SOFT_CONTACTS | SOFT_ENERGIES;
    return carry_out_renew(r, report);
}

/* ---- contacts with their forces ---- */

/* Contacts stand in this order: of bodies, with walls, with cells. */
enum { OF_BODIES, OF_WALLS, OF_CELLS, OF_ALL };

static int kind_of(const scr_world *w, const scr_contact_row *row)
{
    if (row->body[1] >= 0) return OF_BODIES;
    return scr_cell_of_row(w, row->body[1]) < 0 ? OF_WALLS : OF_CELLS;
}

// of each kind as on one rank; rows as the whole has them
static size_t collect_rows(soft_ranks *r, scr_contact_row *own, size_t count, int kind, scr_contact_row **all)
{
    scr_contact_row *some = NULL;
    size_t n = 0;
    if (!scr_reserve(&some, count + 1)) scr_comm_no_memory("contacts");
    for (size_t k = 0; k < count; k++) {
        if (kind_of(r->step.world, &own[k]) != kind) continue;
        some[n] = own[k];
        some[n].body[0] = (int32_t)r->share.row[own[k].body[0]];
        if (kind == OF_BODIES) some[n].body[1] = (int32_t)r->share.row[own[k].body[1]];
        n++;
    }
    n = scr_share_collect(&r->share, some, n, sizeof *some, all);
    scr_buffer_free(some);
    return n;
}

/* A contact with a cell, by the id of its grain. */
typedef struct {
    int64_t id;
    size_t number;
} named_row;

static int by_id(const void *a, const void *b)
{
    const named_row *x = a, *y = b;
    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : (x->number > y->number) - (x->number < y->number);
}

// those with cells, which stand in the order of ids; those of a grain come from one rank
static void sort_by_ids(const scr_world *whole, scr_contact_row *rows, size_t count)
{
    named_row *names = NULL;
    scr_contact_row *sorted = NULL;
    if (!scr_reserve(&names, count + 1) || !scr_reserve(&sorted, count + 1)) scr_comm_no_memory("contacts");
    for (size_t k = 0; k < count; k++) names[k] = (named_row){whole->bodies.id[rows[k].body[0]], k};
    qsort(names, count, sizeof *names, by_id);
    for (size_t k = 0; k < count; k++) sorted[k] = rows[names[k].number];
    scr_copy(rows, sorted, count * sizeof *rows);
    scr_free_all(names, sorted);
}

static scree_status carry_out_contacts(soft_ranks *r, scr_contact_row **rows, size_t *count, scree_report *report)
{
    scr_contact_row *own = NULL, *all[OF_ALL] = {0};
    size_t mine, found[OF_ALL], before = 0;
    scr_share_must(&r->share, r->ops->contacts(&r->step, r->cpu, &own, &mine, report), report);
    for (int kind = 0; kind < OF_ALL; kind++) found[kind] = collect_rows(r, own, mine, kind, &all[kind]);
    scr_memory_free(own);
    scree_status status = SCREE_OK;
    if (rows) {
        *count = found[OF_BODIES] + found[OF_WALLS] + found[OF_CELLS];
        *rows = scr_memory_new(*count + 1, sizeof **rows);
        if (!*rows) status = scr_no_memory(report, "contacts");
        sort_by_ids(r->share.whole, all[OF_CELLS], found[OF_CELLS]);
        for (int k = 0; *rows && k < OF_ALL; before += found[k++])
            scr_copy(*rows + before, all[k], found[k] * sizeof **rows);
    }
    scr_free_all(all[OF_BODIES], all[OF_WALLS], all[OF_CELLS]);
    return status;
}

static scree_status contacts(scr_step *s, void *state, scr_contact_row **rows, size_t *count, scree_report *report)
{
    soft_ranks *r = state;
    (void)s;
    command(r->comm, (soft_order){.kind = SOFT_ORDER_CONTACTS});
    return carry_out_contacts(r, rows, count, report);
}

/* ---- energies of bodies ---- */

/* What some rows have, one after the other: a whole run of them, added up, or one. */
typedef struct {
    int64_t rows;
    double energy[3];
} run_sum;

static void add_row(const scr_world *w, size_t i, double energy[3])
{
    energy[0] += scr_body_translation(&w->bodies, i);
    energy[1] += scr_body_rotation(&w->bodies, i);
    energy[2] += scr_body_potential(w, i);
}

// runs as scr_world_energies has them are of global rows; those that others have a part of are given row by row
static size_t list_runs(const soft_ranks *r, run_sum **list)
{
    const scr_world *w = r->step.world;
    size_t first = r->share.first[r->comm->rank], own = scr_bodies_own(&w->bodies), count = 0;
    if (!scr_reserve(list, own / SCR_ENERGY_RUN + 2 * SCR_ENERGY_RUN + 2)) scr_comm_no_memory("energies");
    for (size_t k = 0; k < own;) {
        bool whole = (first + k) % SCR_ENERGY_RUN == 0 && k + SCR_ENERGY_RUN <= own;
        run_sum sum = {.rows = whole ? SCR_ENERGY_RUN : 1};
        for (size_t end = k + (size_t)sum.rows; k < end; k++) add_row(w, w->bodies.low + k, sum.energy);
        (*list)[count++] = sum;
    }
    return count;
}

static void carry_out_energies(soft_ranks *r, double sums[3])
{
    run_sum *own = NULL, *all = NULL;
    double run[3] = {0};
    int64_t row = 0;
    size_t count = list_runs(r, &own);
    count = scr_share_collect(&r->share, own, count, sizeof *own, &all);
    for (int d = 0; sums && d < 3; d++) sums[d] = 0;
    for (size_t k = 0; sums && k < count; k++) {
        for (int d = 0; d < 3; d++) run[d] += all[k].energy[d];
        row += all[k].rows;
        if (row % SCR_ENERGY_RUN && k + 1 < count) continue;
        for (int d = 0; d < 3; d++) sums[d] += run[d], run[d] = 0;
    }
    scr_free_all(own, all);
}

static scree_status energies(scr_step *s, void *state, double sums[3], scree_report *report)
{
    soft_ranks *r = state;
    scree_status status = fetch(s, state, SOFT_ENERGIES, report);
    if (status) return status;
    command(r->comm, (soft_order){.kind = SOFT_ORDER_ENERGIES});
    carry_out_energies(r, sums);
    return SCREE_OK;
}

/* ---- output ---- */

static scree_status carry_out_work(scr_step *s, soft_ranks *r, const soft_order *o, const void *order, void *result,
                                   scree_report *report)
{
    scr_contact_row *rows = NULL;
    scr_rank_view view = {.world = r->step.world, .share = &r->share};
    int before = report->count;
    if (o->needs & SCR_NEED_HISTORY)
        scr_share_must(&r->share, r->ops->fetch(&r->step, r->cpu, SOFT_CONTACTS, report), report);
    if (o->needs & SCR_NEED_ROWS)
        scr_share_must(&r->share, r->ops->contacts(&r->step, r->cpu, &rows, &view.row_count, report), report);
    if (o->needs & SCR_NEED_REST) {
        scr_share_gather_bonds(&r->share, r->step.world);
        if (r->ops->gather) r->ops->gather(&r->step, r->cpu, SOFT_BODIES, r->evaluated, s);
    }
    view.rows = rows;
    scree_status status = scr_comm_agree(r->comm, r->step.rank_work(&view, order, result, report), before, report);
    scr_memory_free(rows);
    return status;
}

scree_status scr_soft_everywhere(scr_step *s, void *state, const void *order, size_t bytes, unsigned needs,
                                 void *result, scree_report *report)
{
    soft_ranks *r = state;
    soft_order o = {.kind = SOFT_ORDER_WORK, .needs = needs, .bytes = bytes};
    scree_status status = needs & SCR_NEED_REST ? fetch(s, state, SOFT_ENERGIES, report) : SCREE_OK;
    if (status) return status;
    command(r->comm, o);
    scr_comm_broadcast(r->comm, (void *)(uintptr_t)order, bytes);
    return carry_out_work(s, r, &o, order, result, report);
}

static void obey_work(soft_ranks *r, const soft_order *o, scree_report *report)
{
    char *order = NULL;
    if (!scr_reserve(&order, o->bytes + 1)) scr_comm_no_memory("an order");
    scr_comm_broadcast(r->comm, order, o->bytes);
    carry_out_work(NULL, r, o, order, NULL, report);
    scr_buffer_free(order);
}

const soft_ops scr_soft_ranks = {
    .name = "ranks",
    .lazy = true,
    .open = open,
    .close = close,
    .advance = advance,
    .renew = renew,
    .fetch = fetch,
    .contacts = contacts,
    .energies = energies,
};

/* ---- other ranks ---- */

// false: the run is closed
static bool obey(soft_ranks *r, const soft_order *order, scree_report *report)
{
    int64_t done;
    switch (order->kind) {
    case SOFT_ORDER_ADVANCE: carry_out_advance(r, order, &done, report); return true;
    case SOFT_ORDER_RENEW: carry_out_renew(r, report); return true;
    case SOFT_ORDER_FETCH: carry_out_fetch(NULL, r, order->parts, report); return true;
    case SOFT_ORDER_CONTACTS: carry_out_contacts(r, NULL, NULL, report); return true;
    case SOFT_ORDER_ENERGIES: carry_out_energies(r, NULL); return true;
    case SOFT_ORDER_WORK: obey_work(r, order, report); return true;
    default: return false;
    }
}

void scr_soft_ranks_serve(scr_comm *c, scr_step *s, const soft_order *order, scree_status status, scree_report *report)
{
    soft_ranks r = {.comm = c};
    soft_order next = {.kind = SOFT_ORDER_CLOSE};
    if (!scr_comm_agree(c, status, 0, report)) {
        scr_share *made = s->world->share;
        if (made) {
            scr_share_bodies(s->world); // for rank 0
            r.share = *made;
            scr_memory_free(made);
            scr_flows_deinit(s->world); // those of rank 0 count
        } else if (!scr_share_init(&r.share, c)) {
            scr_comm_no_memory("a part of the world");
        }
        s->want_contacts = order->contacts, s->no_ledger = order->no_ledger, s->keep_spent = order->keep_spent;
        r.step = *s;
        s->pairs = (scr_pairs){0};
        choose_writers(&r, 0);
        join(&r, order->resumed, report);
    }
    do scr_comm_broadcast(c, &next, sizeof next);
    while (obey(&r, &next, report));
    if (r.joined) say_traffic(&r);
    leave(&r);
}
