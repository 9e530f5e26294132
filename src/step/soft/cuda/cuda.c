/* The operations of the soft stepper on a GPU: bodies and histories live there while steps run.
 *
 * Up to BATCH steps are launched one after the other and the host asks once, for a kernel whose list has become too old
 * does nothing (soft_control.stop): then the host is set back to the step that was reached, makes a new list and goes
 * on. Bodies come and leave, and are sorted, on the CPU, at the steps of fixed numbers where that is due
 * (collide/pairs.h). So is the state at the start: forces at time zero are those of the CPU's own phases. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/os.h"
#include "step/soft/cpu/contacts.h"
#include "step/soft/cuda/state.h"
#include "step/soft/ops.h"

static void close_state(void *state)
{
    soft_cuda *k = state;
    if (k->device) scr_soft_cuda_free(k);
    scr_soft_close(&k->cpu);
    scr_soft_pack_deinit(&k->pack);
    scr_memory_free(k->saved);
    scr_memory_free(k->saved_walls);
    scr_memory_free(k->drive_at);
    scr_device_close(k->device);
    scr_memory_free(k);
}

static scree_status open_state(scr_step *s, bool resumed, void **state, scree_report *report)
{
    soft_cuda *k = scr_memory_new(1, sizeof *k);
    if (!k) return scr_no_memory(report, "the integrator");
    *state = k;
    k->free = scr_device_info_of(s->device.number).free;
    scree_status status = scr_device_open(s->device.number, &k->device, report);
    if (status) return status;
    // forces at time zero, and the list: by the phases of the CPU
    void *cpu = NULL;
    status = scr_soft_cpu.open(s, resumed, &cpu, report);
    if (cpu) k->cpu = *(soft_work *)cpu;
    scr_memory_free(cpu);
    return status ? status : scr_soft_cuda_push(s, k, SOFT_BODIES | SOFT_CONTACTS, report);
}

/* ---- steps ---- */

#define MANY_BODIES 100000 /* whose kernels take longer to do nothing than the host to ask */

static bool ends_all(scree_status status)
{
    return status && status != SCREE_E_RUN;
}

// in the world, with a new list made by the CPU, and back
static scree_status relist(scr_step *s, soft_cuda *k, bool between, scree_report *report)
{
    double t0 = scr_seconds();
    bool made = false;
    scree_status own = between ? SCREE_OK : scr_soft_cuda_relist(s, k, NULL, &made, report);
    if (own || made) {
        if (!own && !scr_soft_cuda_reserve_record(s, k, report)) own = SCREE_E_MEMORY;
        s->times.neighbours += scr_seconds() - t0;
        return own;
    }
    scree_status status = scr_soft_cuda_fetch(s, k, SOFT_BODIES | SOFT_PAIRS | SOFT_LOSSES_SO_FAR, report);
    scree_status lost = SCREE_OK;
    if (!status) lost = between ? scr_soft_renew(s, &k->cpu, report) : scr_soft_refresh(s, &k->cpu, report);
    if (ends_all(lost)) return lost;
    if (!status) status = scr_soft_cuda_push(s, k, SOFT_BODIES | SOFT_CONTACTS, report);
    if (!status && !scr_soft_cuda_reserve_record(s, k, report)) return SCREE_E_MEMORY;
    s->times.neighbours += scr_seconds() - t0;
    scr_device_lap(k->device, "list by the CPU");
    return status ? status : lost;
}

// whether bodies are to be sorted before the next step, come or leave
static scree_status is_due(scr_step *s, soft_cuda *k, bool *due, bool *leaving, scree_report *report)
{
    const scr_clock *c = &s->world->clock;
    *due = *leaving = false;
    if (c->step % SCR_LOOK_EVERY || (c->rebuilds == 1 && c->listed == c->time)) return SCREE_OK;
    unsigned who;
    scree_status status = scr_soft_cuda_look(s, k, &who, report);
    *leaving = who & SOFT_LEAVING;
    *due = who || c->step % SCR_SORT_EVERY == 0;
    scr_device_lap(k->device, "look");
    return status;
}

static scree_status sort(scr_step *s, soft_cuda *k, bool *sorted, scree_report *report)
{
    double t0 = scr_seconds();
    scree_status status = scr_soft_cuda_sort(s, k, sorted, report);
    s->times.neighbours += scr_seconds() - t0;
    return status;
}

// what the kernels that move bodies on from the clock's time need to know
static void aim(scr_step *s, soft_cuda *k)
{
    const scr_world *w = s->world;
    soft_tile *t = &k->tile;
    t->step = w->clock.dt;
    t->gravity[0] = w->gravity.x, t->gravity[1] = w->gravity.y, t->gravity[2] = w->gravity.z;
    t->age = (float)(scr_clock_ahead(&w->clock, 1) - k->listed);
    // a little less: spots and ages are rounded
    double slack = 0.5 * w->clock.skin, most = fmax(t->unit[0], fmax(t->unit[1], t->unit[2]));
    slack = fmax(slack * (1 - 1e-4) - 8 * most, 0);
    t->slack2 = (float)(slack * slack);
}

// the clock ticks and walls move, those with a servo only where the forces on them are known (not `ahead`); true: the
// list is too old for where they are then
static bool arrive(scr_step *s, soft_cuda *k, bool ahead)
{
    scr_clock *c = &s->world->clock;
    bool outlived = scr_clock_ahead(c, 1) - k->listed > k->horizon || c->horizon < 0;
    double before = c->time;
    k->next_opening = c->step == 0 ? 0.25 * c->dt : 0;
    scr_clock_tick(c);
    k->gravity_before = s->world->gravity;
    if (k->pulls) s->world->gravity = scr_gravity_at(&s->world->gravity_law, c->time);
    if (ahead && k->others.servo) return outlived | scr_soft_others_foresee(&k->others, s, before);
    return outlived | scr_soft_walls_move(s->world, &s->pairs.walls, before);
}

static void save_time(scr_step *s, soft_cuda *k, int at)
{
    size_t walls = (size_t)s->world->wall_count;
    k->saved[at] = s->world->clock;
    if (walls) memcpy(k->saved_walls + (size_t)at * walls, s->world->walls, walls * sizeof *s->world->walls);
}

static void restore_time(scr_step *s, soft_cuda *k, int at)
{
    size_t walls = (size_t)s->world->wall_count;
    s->world->clock = k->saved[at];
    if (k->pulls) s->world->gravity = scr_gravity_at(&s->world->gravity_law, s->world->clock.time);
    if (walls) memcpy(s->world->walls, k->saved_walls + (size_t)at * walls, walls * sizeof *s->world->walls);
}

// how groups go on from the clock's time, and what gravity changes by there: since the step before, where `ends`, and
// until the next, where `begins`
static void aim_works(scr_step *s, soft_cuda *k, int node, bool ends, bool begins)
{
    scr_world *w = s->world;
    const scr_clock *c = &w->clock;
    soft_tile *t = &k->tile;
    size_t groups = (size_t)w->group_count;
    vec3 change = {0, 0, 0};
    if (!t->works) return;
    if (k->pulls && ends) change = v3_scale(0.5, v3_sub(w->gravity, k->gravity_before));
    if (k->pulls && begins)
        change = v3_axpy(change, 0.5, v3_sub(scr_gravity_at(&w->gravity_law, scr_clock_ahead(c, 1)), w->gravity));
    v3_store(t->change, change);
    t->drive = NULL;
    if (!k->drives) return;
    scr_drive_step *here = k->drive_at + (size_t)node * groups;
    double pace = 1 - c->lag;
    for (size_t g = 0; g < groups; g++) {
        if (!w->groups[g].drive.moves) continue;
        here[g] = scr_drive_over(&w->groups[g].drive, c->time, pace * c->dt);
        if (pace != 1) here[g].spin = pace > 0 ? v3_scale(pace, here[g].spin) : v3(0, 0, 0);
    }
    scr_device_copy_in(k->device, k->drive + (size_t)node * groups, here, groups * sizeof *here);
    t->drive = k->drive + (size_t)node * groups;
}

// forces where bodies are, then on to the next place, or to the end of the step
static void evaluate(scr_step *s, soft_cuda *k, int node, bool last, bool look)
{
    soft_tile *t = &k->tile;
    aim(s, k);
    t->dt = s->world->clock.dt;
    t->opening = k->next_opening;
    t->kicks = last ? 1 : 2, t->look = look, t->node = node;
    t->watch = (s->world->clock.step + 1) % SCR_LOOK_EVERY == 0;
    t->record = look && s->want_contacts ? k->record : NULL;
    aim_works(s, k, node, true, !last);
    if (look) scr_device_fill(k->device, &t->control->worst, 0, sizeof t->control->worst);
    void *stream = scr_device_stream(k->device);
    scr_soft_cuda_pass(k, node);
    if (k->others.any) scr_soft_others_launch(&k->others, k->device, s, t, node - 1);
    scr_soft_tile_forces(stream, t);
    scr_soft_heavy_forces(stream, t);
    scr_soft_cuda_turn(k);
}

/* A stretch of steps between two checks for bodies that enter or leave. */
typedef struct {
    int64_t most, done; /* steps, and evaluations so far */
    bool begun;         /* on the way to the next place */
    bool arrived;       /* the clock has ticked */
    bool old;           /* the list serves no longer where bodies are */
    bool final;         /* the state is read at its end */
} leg;

static void begin(scr_step *s, soft_cuda *k)
{
    soft_tile *t = &k->tile;
    aim(s, k);
    t->node = 0;
    t->watch = (s->world->clock.step + 1) % SCR_LOOK_EVERY == 0;
    aim_works(s, k, 0, false, true);
    t->place_to = k->place[k->now], t->motion_to = k->motion[k->now], t->spin_to = k->spin[k->now];
    t->spot_to = k->spot[k->now];
    scr_soft_tile_begin(scr_device_stream(k->device), t);
    scr_soft_cuda_aim(k);
}

// steps to launch at once: kernels beyond the end of the list take time to do nothing, and so does asking
static int ahead(const scr_step *s, const soft_cuda *k, const leg *l)
{
    const scr_clock *c = &s->world->clock;
    int64_t most = l->most - l->done < k->batch ? l->most - l->done : k->batch;
    // a list lasts about as long as the one before, which the horizon exceeds by a quarter
    double left = (0.8 * k->horizon - (c->time - k->listed)) / c->dt;
    int least = k->tile.bodies < MANY_BODIES ? 8 : 4;
    if (left < (double)most) most = left < least ? (most < least ? most : least) : (int64_t)left;
    return (int)most;
}

// the clock and walls are to be those of the step that was reached; those with servos go the way again that they went
// on the device
static void finish_batch(scr_step *s, soft_cuda *k, leg *l, bool arrived, int launched, int reached)
{
    bool servo = k->others.servo, moved_on = l->arrived && reached == launched;
    scr_soft_others_fetch_sums(&k->others, k->device, s->world, reached);
    if (servo || reached < launched) restore_time(s, k, servo ? 0 : reached);
    for (int n = 0; n < reached; n++) {
        if (servo && (n || !arrived)) arrive(s, k, false);
        if (k->others.walls) scr_soft_others_book(&k->others, s, n);
    }
    if (servo && moved_on) arrive(s, k, false);
    l->arrived = moved_on;
    // what was launched beyond the end of the list did nothing
    for (int n = reached; n < launched; n++) scr_soft_cuda_turn(k);
}

// launches some steps, and finds out how far they got
static scree_status batch(scr_step *s, soft_cuda *k, leg *l, scree_report *report)
{
    soft_control c = {.stop = INT_MAX, .deep = INT_MAX};
    int launched = 0, most = ahead(s, k, l);
    bool arrived = l->arrived;
    k->current = 0, k->summed = false;
    scr_device_copy_in(k->device, k->tile.control, &c, sizeof c);
    if (k->others.walls) scr_soft_others_begin(&k->others, k->device, s->world);
    if (!l->begun) begin(s, k);
    l->begun = true;
    while (launched < most) {
        save_time(s, k, launched);
        bool old = !l->arrived && arrive(s, k, true);
        l->arrived = true;
        if (old) {
            l->old = true;
            break;
        }
        launched++;
        bool last = l->done + launched == l->most;
        evaluate(s, k, launched, last, last && l->final);
        l->arrived = false;
    }
    scr_device_lap(k->device, "steps");
    scr_device_copy_out(k->device, &c, k->tile.control, sizeof c);
    scr_device_lap(k->device, "asking");
    int reached = c.stop < launched ? c.stop : launched;
    finish_batch(s, k, l, arrived, launched, reached);
    s->world->clock.broken_tension += (int64_t)c.broken[0], s->world->clock.broken_shear += (int64_t)c.broken[1];
    if (c.stop != INT_MAX) {
        if (!l->arrived) l->old |= arrive(s, k, false);
        l->arrived = true, l->old |= c.watched != SOFT_IS_OUT;
    }
    l->done += reached;
    // a body is about to leave: it ends with the next step
    if (c.watched & SOFT_IS_OUT && l->done < l->most) {
        if (l->done + 1 < l->most) l->final = false;
        l->most = l->done + 1;
    }
    k->tile.room = scr_soft_cuda_room(k, c.most);
    k->told = c;
    scree_status status = scr_device_status(k->device, report);
    if (!status && !scr_soft_cuda_book_passages(s, k)) status = scr_no_memory(report, "passages through planes");
    if (!status && c.deep <= reached) status = scr_soft_cuda_deep(s, c.deep < launched || l->done < l->most, report);
    return status;
}

static scree_status walk(scr_step *s, soft_cuda *k, leg *l, scree_report *report)
{
    scree_status status = SCREE_OK;
    while (l->done < l->most) {
        scree_status lost = SCREE_OK, ran;
        if (l->old) lost = relist(s, k, false, report);
        if (ends_all(lost)) return lost;
        l->old = false;
        // a lost grain ends the run, but the step is finished first
        if (lost) status = lost, l->most = l->done + 1, l->final = true;
        double t0 = scr_seconds();
        ran = batch(s, k, l, report);
        s->times.forces += scr_seconds() - t0;
        if (ran) return ran;
    }
    return status;
}

static scree_status advance(scr_step *s, void *state, int64_t most, int64_t *done, scree_report *report)
{
    soft_cuda *k = state;
    bool contacts = s->want_contacts;
    scree_status status = SCREE_OK;
    scr_device_lap(k->device, "host");
    if (k->others.walls) scr_soft_others_anchor(&k->others, s->world);
    for (*done = 0; *done < most && !status;) {
        bool due, leaving, sorted = false;
        status = is_due(s, k, &due, &leaving, report);
        if (!status && due && !leaving) status = sort(s, k, &sorted, report);
        if (!status && due && !sorted) status = relist(s, k, true, report);
        if (ends_all(status)) return status;
        int64_t every = s->world->outlet_count ? SCR_LOOK_EVERY : SCR_SORT_EVERY;
        int64_t look = every - s->world->clock.step % every;
        leg l = {.most = most - *done < look ? most - *done : look};
        if (status) l.most = 1;
        l.final = status || *done + l.most == most;
        s->want_contacts = contacts && *done + l.most == most;
        if (!scr_soft_cuda_reserve_record(s, k, report)) return SCREE_E_MEMORY;
        scree_status walked = walk(s, k, &l, report);
        *done += l.done;
        if (walked) status = walked;
    }
    s->want_contacts = contacts;
    return status;
}

const char *scr_soft_cuda_lacks(const scr_step *s)
{
    const scr_world *w = s->world;
    if (s->no_ledger) return "it always keeps the energy ledger";
    if (w->domain.box.deforms) return "a periodic box that deforms is for the CPU";
    return NULL;
}

/* ---- the world and what is kept elsewhere ---- */

static scree_status renew(scr_step *s, void *state, scree_report *report)
{
    soft_cuda *k = state;
    scree_status status = scr_soft_cuda_fetch(s, k, SOFT_PAIRS | SOFT_ENERGIES, report);
    scree_status lost = status ? status : scr_soft_renew(s, &k->cpu, report);
    if (ends_all(lost)) return lost;
    status = scr_soft_cuda_push(s, k, SOFT_BODIES | SOFT_CONTACTS, report);
    return status ? status : lost;
}

static scree_status fetch(scr_step *s, void *state, unsigned parts, scree_report *report)
{
    soft_cuda *k = state;
    scr_device_lap(k->device, "host");
    scree_status status = scr_soft_cuda_fetch(
        s, k, (parts & SOFT_BODIES) | (parts & SOFT_CONTACTS ? SOFT_PAIRS : 0) | (parts & SOFT_ENERGIES), report);
    scr_device_lap(k->device, "fetch");
    if (!status && parts & SOFT_CONTACTS) status = scr_pairs_save(&s->pairs, s->world, report);
    return status;
}

static scree_status push(scr_step *s, void *state, unsigned parts, scree_report *report)
{
    soft_cuda *k = state;
    // others see to it where bodies have come: renew
    if (!(parts & SOFT_BODIES) || s->world->bodies.table.count != k->tile.bodies) return SCREE_OK;
    scr_soft_cuda_push_bodies(s, k);
    return scr_device_status(k->device, report);
}

static scree_status contacts(scr_step *s, void *state, scr_contact_row **rows, size_t *count, scree_report *report)
{
    scree_status status =
        scr_soft_cuda_fetch(s, state, SOFT_BODIES | SOFT_PAIRS | SOFT_RECORDS | SOFT_ENERGIES, report);
    return status ? status : scr_soft_contacts(s, 0, rows, count, report);
}

static scree_status energies(scr_step *s, void *state, double sums[3], scree_report *report)
{
    soft_cuda *k = state;
    scr_device_lap(k->device, "host");
    scree_status status = scr_soft_cuda_sum_up(s, k, sums, report);
    scr_device_lap(k->device, "energies");
    return status;
}

const soft_ops scr_soft_cuda = {
    .name = "gpu",
    .lazy = true,
    .open = open_state,
    .close = close_state,
    .advance = advance,
    .renew = renew,
    .fetch = fetch,
    .push = push,
    .contacts = contacts,
    .energies = energies,
};
