#include "step/soft/cpu/phases.h"

#include <math.h>
#include <stdio.h>

#include "base/buffer.h"
#include "comm/share.h"
#include "exec/cpu/threads.h"
#include "exec/reduce.h"
#include "kernel/contact.h"
#include "step/soft/cpu/box.h"
#include "step/soft/cpu/walls.h"
#include "world/ledger.h"

#define AHEAD 16 /* blocks whose sums are asked for ahead */

/* ---- phases ---- */

static void forces_block(void *work, size_t block)
{
    soft_work *k = work;
    k->loops->forces(&k->task, block);
}

/* Some blocks of a divided world. */
typedef struct {
    soft_work *work;
    const scr_turn *turn;
    size_t first;
} soft_turn;

static void add_push(const soft_work *k, size_t block)
{
    const soft_push *p = &k->push;
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->rows[middle] < scr_block_first(&k->task.world->blocks, block))
            low = middle + 1;
        else
            high = middle;
    }
    size_t end = scr_block_end(&k->task.world->blocks, block);
    for (; low < p->count && p->rows[low] < end; low++) {
        double *row = k->task.world->bodies.load + 8 * (size_t)p->rows[low];
        for (int d = 0; d < 8; d++) row[d] += p->load[8 * low + (size_t)d];
    }
}

// a pass over the bodies that are moved here
static size_t own_block(const soft_work *k, size_t index)
{
    return k->task.pairs->own_first + index;
}

static void each_own(soft_work *k, scr_work *work)
{
    scr_each(k->task.pairs->own_end - k->task.pairs->own_first, NULL, work, k);
}

static void begin_block(void *work, size_t index)
{
    soft_work *k = work;
    size_t block = own_block(k, index);
    scr_soft_groups_block(&k->groups, &k->task, block, SOFT_GROUPS_BEGIN);
    k->task.sums[block].stray = k->loops->begin(&k->task, block);
}

// a block may take its halo and move its bodies as soon as all blocks have filled their slots
static void collect_block(soft_work *k, size_t block)
{
    k->loops->collect(&k->task, block);
    scr_soft_bonds_collect(&k->bonds, &k->task, block);
    add_push(k, block);
    scr_soft_groups_block(&k->groups, &k->task, block, SOFT_GROUPS_END);
}

static void end_block(void *work, size_t index)
{
    soft_work *k = work;
    size_t block = own_block(k, index);
    collect_block(k, block);
    if (k->task.dt > 0) k->loops->kick(&k->task, block);
}

static void turn_block(void *work, size_t index)
{
    soft_work *k = work;
    size_t block = own_block(k, index);
    collect_block(k, block);
    scr_soft_groups_block(&k->groups, &k->task, block, SOFT_GROUPS_BEGIN);
    k->task.sums[block].stray = k->loops->turn(&k->task, block);
}

static void watch_block(void *work, size_t index)
{
    soft_work *k = work;
    size_t block = own_block(k, index);
    k->task.sums[block].stray = k->loops->watch(&k->task, block);
}

// what the pass that begins a step needs to know
static void aim(const scr_step *s, soft_work *k)
{
    const scr_clock *clock = &s->world->clock;
    k->task.dt = clock->dt;
    k->task.opening = clock->step == 0 ? 0.25 * clock->dt : 0;
    scr_soft_groups_aim(&k->groups, &k->task);
}

void scr_soft_begin(scr_step *s, soft_work *k)
{
    aim(s, k);
    k->task.calm = false;
    each_own(k, begin_block);
    scr_soft_groups_book(&k->groups, &k->task, SOFT_GROUPS_BEGIN);
}

// the sums of a block; other threads have written those that follow: they are asked for ahead
static const soft_sums *sums_of(const soft_work *k, size_t block)
{
    const soft_sums *sums = &k->task.sums[block];
    __builtin_prefetch((const char *)(sums + AHEAD));
    __builtin_prefetch((const char *)(sums + AHEAD) + 64);
    return sums;
}

#define DEEP (1u << 31) /* beside what blocks say: some overlap is large */

static unsigned stray_here(const soft_work *k)
{
    unsigned stray = 0;
    for (size_t b = k->task.pairs->own_first; b < k->task.pairs->own_end; b++) {
        const soft_sums *sums = sums_of(k, b);
        stray |= sums->stray | (sums->worst > k->far ? DEEP : 0);
    }
    return stray;
}

// `stray` of all ranks, who also agree on whether an overlap beyond the radius is possible in the step that begins
static unsigned agreed(soft_work *k, unsigned stray)
{
    k->deep = stray & DEEP;
    return stray & ~DEEP;
}

#define WARY 64 /* steps without looking ahead after a body was jolted */

// whether some body has left its slack. When all are far from it, and none is jolted, it is not checked for some steps
static bool is_stale(soft_work *k, unsigned stray)
{
    bool looked = !k->task.calm;
    if (stray & SOFT_JOLTED) {
        each_own(k, watch_block);
        stray = agreed(k, scr_share_any(k->task.world->share, stray_here(k)));
        looked = true;
        k->wary = WARY;
    }
    if (k->wary > 0) k->wary--;
    k->calm = !looked ? k->calm - 1 : stray || k->wary || k->groups.any ? 0 : SOFT_AHEAD - 1;
    return stray & SOFT_STALE;
}

bool scr_soft_arrive(scr_step *s, soft_work *k)
{
    scr_world *w = s->world;
    double before = w->clock.time;
    unsigned stray = stray_here(k);
    // ranks agree while ghosts are packed and sent
    if (w->share) {
        scr_comm_any_start(w->share->comm, &stray);
        scr_share_send(w->share, w);
        scr_comm_any_finish(w->share->comm);
    }
    bool stale = is_stale(k, agreed(k, stray));
    scr_clock_tick(&w->clock);
    stale |= scr_soft_walls_move(w, &s->pairs.walls, before);
    stale |= scr_soft_box_move(k);
    k->waiting = w->share;
    return stale;
}

void scr_soft_await(scr_step *s, soft_work *k)
{
    if (k->waiting) scr_share_receive(s->world->share, s->world);
    k->waiting = false;
}

static bool some_frozen(const scr_world *w)
{
    bool some = false;
    for (int g = 0; g < w->group_count; g++) some |= w->groups[g].frozen;
    return some;
}

// the bodies of a block that kicks and drifts are for
static void list_movers_of(void *work, size_t b)
{
    soft_work *k = work;
    const scr_world *w = k->task.world;
    size_t first = scr_block_first(&w->blocks, b), end = scr_block_end(&w->blocks, b), count = first;
    for (size_t i = first; i < end; i++)
        if (!w->groups[w->bodies.group[i]].frozen) k->movers[count++] = (uint32_t)i;
    k->movers_end[b] = count;
}

static bool list_movers(soft_work *k)
{
    const scr_world *w = k->task.world;
    size_t blocks = k->task.pairs->block_count;
    k->task.movers = NULL;
    if (!some_frozen(w)) return true;
    if (!scr_reserve(&k->movers, w->bodies.table.count + 1) || !scr_reserve(&k->movers_end, blocks + 1)) return false;
    scr_each(blocks, NULL, list_movers_of, k);
    k->task.movers = k->movers;
    k->task.movers_end = k->movers_end;
    return true;
}

static scree_status reserve_sums(soft_work *k, scree_report *report)
{
    size_t blocks = k->task.pairs->block_count, walls = (size_t)k->task.world->wall_count;
    k->fresh = true;
    if (!scr_reserve(&k->task.sums, blocks + 1) ||
        !scr_reserve(&k->task.wall_loads, SOFT_WALL_SUMS * walls * blocks + 1) || !list_movers(k))
        return scr_no_memory(report, "block sums");
    bool servo = false;
    for (size_t m = 0; m < walls; m++) servo |= k->task.world->walls[m].motion.servo;
    // a rank without blocks adds its nothing, too
    if (servo && !scr_reserve(&k->task.wall_exact, 3 * walls * blocks + 1)) return scr_no_memory(report, "block sums");
    scree_status status = scr_soft_groups_reserve(&k->groups, &k->task, report);
    if (!status) status = scr_soft_box_reserve(k, report);
    return status ? status : scr_soft_bonds_index(&k->bonds, k->task.world, report);
}

static void name_body(const scr_world *w, int64_t row, char *text, size_t size)
{
    if (row < 0)
        snprintf(text, size, "the walls");
    else
        snprintf(text, size, "grain %lld of %.60s", (long long)w->bodies.id[row], w->groups[w->bodies.group[row]].name);
}

/* The smallest body that can be pushed, the smallest of all, and the box of all velocities. */
typedef struct {
    double smallest, least, low[3], high[3];
} ways;

static void ways_of_rows(void *bodies, size_t from, size_t to, void *part)
{
    const scr_bodies *b = bodies;
    ways all = *(ways *)part;
    for (size_t i = from; i < to; i++) {
        const double *v = b->motion + 4 * i;
        for (int d = 0; d < 3; d++) {
            all.low[d] = v[d] < all.low[d] ? v[d] : all.low[d];
            all.high[d] = v[d] > all.high[d] ? v[d] : all.high[d];
        }
        double r = b->place[4 * i + 3];
        all.smallest = v[3] > 0 && r < all.smallest ? r : all.smallest;
        all.least = r < all.least ? r : all.least;
    }
    *(ways *)part = all;
}

static void join_ways(void *all, const void *part)
{
    ways *a = all;
    const ways *b = part;
    a->smallest = fmin(a->smallest, b->smallest), a->least = fmin(a->least, b->least);
    for (int d = 0; d < 3; d++) a->low[d] = fmin(a->low[d], b->low[d]), a->high[d] = fmax(a->high[d], b->high[d]);
}

// of all ranks, in one question
static ways ways_of_all(scr_world *w)
{
    double rest = w->wall_count ? 0 : INFINITY;
    ways all = {INFINITY, INFINITY, {rest, rest, rest}, {-rest, -rest, -rest}};
    scr_reduce(w->bodies.table.count, ways_of_rows, join_ways, &w->bodies, &all, sizeof all);
    double least[8] = {all.smallest, all.least,    all.low[0],   all.low[1],
                       all.low[2],   -all.high[0], -all.high[1], -all.high[2]};
    scr_share_least(w->share, least, 8);
    all.smallest = least[0], all.least = least[1];
    for (int d = 0; d < 3; d++) all.low[d] = least[2 + d], all.high[d] = -least[5 + d];
    return all;
}

static bool sides_move(const scr_world *w)
{
    bool any = w->domain.box.deforms;
    for (int k = 0; k < w->wall_count; k++) {
        const scr_motion *m = &w->walls[k].motion;
        any |= !scr_wall_rests(&w->walls[k]) || m->since > w->clock.time - w->clock.dt || m->until < INFINITY;
    }
    return any;
}

// Bodies of a list that lasts are not farther from where it expects them than its slack, before and after a step. So
// two of them get nearer by what they are expected to, and twice the slack of both; a thin wall counts a tenth more.
// Twice that, for rounding and for speeds that are those of the list. Walls that move are not looked at.
static double far_from_deep(const scr_world *w, const ways *all)
{
    double speed2 = 0;
    for (int d = 0; d < 3; d++) speed2 += (all->high[d] - all->low[d]) * (all->high[d] - all->low[d]);
    double nearer = sqrt(speed2) * w->clock.dt + 2 * w->clock.skin;
    return sides_move(w) ? -1 : 1 - 2 * nearer / all->least;
}

// Bodies that pass each other faster than this cannot be seen to touch: in one step by more than the smallest diameter.
// A check at each new list is enough: a body that fast leaves the slack of the list at once.
static scree_status check_ways(const scr_step *s, soft_work *k, scree_report *report)
{
    const scr_world *w = s->world;
    const ways all = ways_of_all(s->world);
    double smallest = all.smallest, dt = w->clock.dt, most = 0;
    k->far = far_from_deep(w, &all);
    // how far two bodies, or one and a wall at rest, get from each other in a step: the same answer on all ranks
    for (int d = 0; d < 3; d++) most = fmax(most, all.high[d] - all.low[d]);
    if (!(most * dt > 2 * smallest)) return SCREE_OK;
    // in a divided world the whole world knows its name
    if (w->share) scr_share_gather(w->share, w), w = w->share->whole;
    if (!w) return SCREE_E_RUN;
    scr_fastest f = scr_world_fastest(w);
    char name[2][96];
    for (int n = 0; n < 2; n++) name_body(w, f.who[n], name[n], sizeof name[n]);
    const double *x = w->bodies.place + 4 * (f.who[0] < 0 ? f.who[1] : f.who[0]);
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "step %lld, time %.9g s: %s and %s move against each other at %.4g m/s, %.3g m "
                    "in a step of %.4g s, which is further than the smallest diameter, %.3g m: "
                    "grains would pass through each other. At most %.3g s is possible at this "
                    "speed. The %s is at (%.6g, %.6g, %.6g) m",
                    (long long)w->clock.step, w->clock.time, name[0], name[1], f.speed, f.speed * dt, dt, 2 * smallest,
                    2 * smallest / f.speed, f.who[0] < 0 || f.who[1] < 0 ? "grain" : "first", x[0], x[1], x[2]);
}

// after a new list
static scree_status look_around(scr_step *s, soft_work *k, scree_status status, scree_report *report)
{
    k->far = -1; // until it is known
    if (!status) status = check_ways(s, k, report);
    if (status && status != SCREE_E_RUN) return status;
    k->calm = 0;
    scree_status sums = reserve_sums(k, report);
    return sums ? sums : status;
}

scree_status scr_soft_refresh(scr_step *s, soft_work *k, scree_report *report)
{
    scr_soft_await(s, k);
    return look_around(s, k, scr_pairs_refresh(&s->pairs, s->world, report), report);
}

scree_status scr_soft_renew(scr_step *s, soft_work *k, scree_report *report)
{
    return look_around(s, k, scr_pairs_renew(&s->pairs, s->world, report), report);
}

// blocks' sums into the ledger and the step report, in the order of blocks
static void add_up(scr_step *s, soft_work *k)
{
    scr_world *w = s->world;
    scr_ledger *l = &w->ledger;
    l->elastic_normal = l->elastic_tangential = l->elastic_rolling = 0;
    l->excess_damping = l->excess_rolling = 0;
    s->last = (scr_step_report){0};
    for (size_t b = s->pairs.own_first; b < s->pairs.own_end; b++) {
        const soft_sums *sum = sums_of(k, b);
#define F(loss, NAME) scr_total_add(&l->booked.loss, sum->loss);
        CONTACT_LOSSES(F, F)
#undef F
        l->elastic_normal += sum->elastic_normal;
        l->elastic_tangential += sum->elastic_tangential;
        l->excess_damping += sum->excess_damping;
        l->elastic_rolling += sum->elastic_rolling;
        l->excess_rolling += sum->excess_rolling;
        scr_total_add(&l->booked.inserted, sum->appeared);
        s->last.contacts += sum->contacts;
        if (sum->worst > s->last.worst_overlap) s->last.worst_overlap = sum->worst;
    }
    scr_soft_bonds_add_up(&k->bonds, &k->task);
    scr_soft_walls_add_up(&k->task);
}

// an overlap beyond the smaller radius means the contact law has lost: stop and say where
static scree_status check_overlap(const scr_step *s, const soft_work *k, scree_report *report)
{
    if (s->last.worst_overlap <= 1) return SCREE_OK;
    const scr_world *w = s->world;
    const scr_pairs *p = &s->pairs;
    size_t pair = 0;
    for (size_t b = p->own_first; b < p->own_end; b++)
        if (k->task.sums[b].worst == s->last.worst_overlap) pair = k->task.sums[b].worst_pair;
    bool wall = pair >= p->count;
    size_t i = wall ? p->walls.body[pair - p->count] : p->first[pair];
    const double *x = w->bodies.place + 4 * i;
    char partner[96];
    if (wall)
        snprintf(partner, sizeof partner, "wall %.64s", w->walls[w->faces[p->walls.face[pair - p->count]].wall].name);
    else
        snprintf(partner, sizeof partner, "grain %lld", (long long)w->bodies.id[p->second[pair]]);
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "step %lld, time %.9g s: grain %lld overlaps %s by more than the smaller radius "
                    "(nine tenths of it at a thin wall), position (%.9g, %.9g, %.9g) m; a stiffer "
                    "contact or a smaller step is needed",
                    (long long)w->clock.step, w->clock.time, (long long)w->bodies.id[i], partner, x[0], x[1], x[2]);
}

static void forces_turn(void *context, size_t index)
{
    const soft_turn *t = context;
    t->work->loops->forces(&t->work->task, t->turn->block[t->first + index]);
}

// some blocks of a turn
static void forces_some(soft_work *k, const scr_turn *turn, size_t first, size_t end)
{
    scr_each(end - first, turn->cost + first, forces_turn, &(soft_turn){k, turn, first});
}

#define GLANCES 64 /* at messages under way, while blocks that need no ghosts are worked on */
#define STRIDE  4  /* blocks of each thread between two glances, at least */

// first blocks that need no ghosts, while these are under way. A message advances when both sides poll: ranks with
// few such blocks would wait for ranks that poll rarely
static void forces_of_part(scr_step *s, soft_work *k)
{
    scr_share *share = s->world->share;
    const scr_turn *inner = &share->turns[0], *outer = &share->turns[1];
    bool done = !k->waiting;
    size_t stride = inner->count / GLANCES, least = STRIDE * (size_t)scr_threads();
    if (stride < least) stride = least;
    for (size_t first = 0, end; first < inner->count; first = end) {
        end = done || inner->count - first < stride ? inner->count : first + stride;
        forces_some(k, inner, first, end);
        if (!done) done = scr_comm_trade_done(share->comm);
    }
    scr_soft_await(s, k);
    forces_some(k, outer, 0, outer->count);
}

scree_status scr_soft_forces(scr_step *s, soft_work *k, scree_report *report)
{
    k->task.record = s->want_contacts || s->world->domain.box.deforms;
    if (k->task.record && !scr_pairs_reserve_record(&s->pairs)) return scr_no_memory(report, "contact forces");
    if (s->world->share)
        forces_of_part(s, k);
    else
        scr_each(s->pairs.block_count, s->pairs.block_pairs, forces_block, k);
    scr_soft_bonds_forces(&k->bonds, &k->task);
    scr_soft_box_book(k);
    return SCREE_OK;
}

static scree_status finish(scr_step *s, soft_work *k, scree_report *report)
{
    scr_soft_groups_book(&k->groups, &k->task, SOFT_GROUPS_END);
    add_up(s, k);
    return scr_share_agree(s->world->share, check_overlap(s, k, report));
}

scree_status scr_soft_end(scr_step *s, soft_work *k, scree_report *report)
{
    each_own(k, end_block);
    return finish(s, k, report);
}

// ranks need not ask each other where none can have such an overlap: not those of the step before on any of them, in a
// list that has lasted since
bool scr_soft_goes_on(const scr_step *s, soft_work *k)
{
    bool deep = false, possible = !s->world->share || k->deep || k->fresh;
    for (size_t b = s->pairs.own_first; b < s->pairs.own_end; b++) deep |= sums_of(k, b)->worst > 1;
    k->fresh = false;
    return !(possible && scr_share_any(s->world->share, deep)) && !scr_pairs_are_due(s->world) &&
           !scr_box_due(s->world, SCR_BOX_EVERY);
}

void scr_soft_turn(scr_step *s, soft_work *k)
{
    aim(s, k);
    k->task.calm = k->calm > 0 && s->world->clock.lag == 0;
    each_own(k, turn_block);
    scr_soft_groups_book(&k->groups, &k->task, SOFT_GROUPS_END);
    scr_soft_groups_book(&k->groups, &k->task, SOFT_GROUPS_BEGIN);
    add_up(s, k);
}

/* ---- beginning and end ---- */

void scr_soft_close(soft_work *k)
{
    scr_free_all(k->task.sums, k->task.wall_loads, k->movers, k->movers_end, k->task.wall_exact, k->box_sums);
    scr_soft_bonds_deinit(&k->bonds);
    scr_soft_groups_deinit(&k->groups);
}

scree_status scr_soft_open(scr_step *s, soft_work *k, bool improved, bool lammps, bool resumed, scree_report *report)
{
    static const soft_loops *const loops[] = {[SCR_VECTORS_PORTABLE] = &scr_soft_loops_portable,
                                              [SCR_VECTORS_AVX2] = &scr_soft_loops_avx2,
                                              [SCR_VECTORS_AVX512] = &scr_soft_loops_avx512};
    k->loops = loops[scr_cpu_vectors()];
    k->task = (soft_task){
        .world = s->world,
        .pairs = &s->pairs,
        .images = scr_images_of(&s->world->domain),
        .improved = improved,
        .lammps = lammps,
        .kind = contact_kind_of_all(s->world->laws, s->world->material_count * s->world->material_count, lammps),
        .spent = s->keep_spent && !s->no_ledger,
        .ledger = !s->no_ledger};
    if (k->task.images.deforms) k->task.kind = CONTACT_ANY; // there is one loop for all kinds
    bool wide = k->task.kind == CONTACT_ANY || k->task.spent;
    if (wide && !scr_contacts_widen(&s->world->contacts)) return scr_no_memory(report, "contacts");
    int groups[2];
    s->pairs.held = true;
    k->task.held = scr_world_held_groups(s->world, &groups[0], &groups[1]);
    // contacts that came with the world (from another run) are kept
    scree_status status =
        resumed ? scr_pairs_build(&s->pairs, s->world, report) : scr_pairs_adopt(&s->pairs, s->world, report);
    if (resumed) s->last.contacts = (int64_t)s->world->contacts.table.count;
    const ways all = ways_of_all(s->world);
    k->far = far_from_deep(s->world, &all);
    return status ? status : reserve_sums(k, report);
}

soft_books scr_soft_books(const soft_work *k)
{
    const soft_task *t = &k->task;
    return (soft_books){t->sums, t->wall_loads, t->world->bonds.table.count ? k->bonds.sums : NULL};
}

soft_losses scr_soft_losses_of(scr_ledger *l)
{
    scr_ledger_book_excess(l);
#define F(loss, NAME) .loss = l->booked.loss,
    return (soft_losses){CONTACT_LOSSES(F, F)};
#undef F
}

void scr_soft_losses_set(scr_ledger *l, const soft_losses *losses, const soft_work *k)
{
#define F(loss, NAME) l->booked.loss = losses->loss;
    CONTACT_LOSSES(F, F)
#undef F
    const scr_pairs *p = k->task.pairs;
    for (size_t b = p ? p->own_first : 0; p && b < p->own_end; b++) {
        scr_total_add(&l->booked.damping, -k->task.sums[b].excess_damping);
        scr_total_add(&l->booked.rolling, -k->task.sums[b].excess_rolling);
    }
}
