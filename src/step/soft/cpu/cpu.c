/* The operations of the soft stepper on the CPU: bodies stay in the world, contacts in the pairs. */
#include "base/memory.h"
#include "base/os.h"
#include "collide/flows.h"
#include "step/soft/cpu/box.h"
#include "step/soft/cpu/contacts.h"
#include "step/soft/cpu/phases.h"
#include "step/soft/ops.h"

static void close(void *state)
{
    scr_soft_close(state);
    scr_memory_free(state);
}

// the books of contacts begin with those of the run: at zero, with what is in excess now; the sign of a zero excess may
// depend on the lanes beside it, so it is not handed on
static void open_books(scr_pairs *p)
{
    for (size_t k = 0; k < p->count; k++)
        if (p->touch[k]) p->wide[8 * k + 4] = 0 - p->record[8 * k + 3];
    for (size_t k = 0; k < p->walls.count; k++)
        if (p->walls.touch[k]) p->walls.wide[8 * k + 4] = 0 - p->walls.record[8 * k + 3];
}

static scree_status open(scr_step *s, bool resumed, void **state, scree_report *report)
{
    const scr_soft_def *def = s->def;
    soft_work *k = *state = scr_memory_new(1, sizeof *k);
    if (!k) return scr_no_memory(report, "the integrator");
    scree_status status = scr_soft_open(s, k, def->scheme == SCR_SCHEME_IMPROVED,
                                        def->conventions == SCR_CONVENTIONS_LAMMPS, resumed, report);
    if (status || resumed) return status;
    // forces now, without moving anything
    soft_losses losses = scr_soft_losses_of(&s->world->ledger);
    k->task.dt = 0;
    status = scr_soft_forces(s, k, report);
    if (!status) status = scr_soft_end(s, k, report);
    scr_soft_losses_set(&s->world->ledger, &losses, k);
    if (k->task.spent && k->task.record) open_books(&s->pairs);
    return status;
}

/* ---- steps ---- */

/* A step is: begin, go (to the next place, with the forces there), end. A lost grain ends the run, but the step is
 * finished first: the state stays one that can be looked at. */

static bool ends_all(scree_status status)
{
    return status && status != SCREE_E_RUN;
}

static scree_status begin(scr_step *s, soft_work *k, scree_report *report)
{
    double t0 = scr_seconds();
    scree_status status = scr_pairs_are_due(s->world) ? scr_soft_renew(s, k, report) : SCREE_OK;
    if (ends_all(status)) return status;
    double t1 = scr_seconds();
    scr_soft_box_begin(s, k);
    scr_gravity_begin(s->world);
    scr_soft_begin(s, k);
    s->times.neighbours += t1 - t0;
    s->times.integrate += scr_seconds() - t1;
    return status;
}

static scree_status go(scr_step *s, soft_work *k, scree_status status, scree_report *report)
{
    double t0 = scr_seconds();
    bool stale = scr_soft_arrive(s, k);
    scr_gravity_end(s->world);
    scree_status lost = stale ? scr_soft_refresh(s, k, report) : SCREE_OK;
    if (ends_all(lost)) return lost;
    double t1 = scr_seconds();
    scree_status forces = scr_soft_forces(s, k, report);
    s->times.neighbours += t1 - t0;
    s->times.forces += scr_seconds() - t1;
    return forces ? forces : status ? status : lost;
}

static scree_status end(scr_step *s, soft_work *k, scree_status status, scree_report *report)
{
    double t0 = scr_seconds();
    scree_status overlap = scr_soft_end(s, k, report);
    s->times.integrate += scr_seconds() - t0;
    return status ? status : overlap;
}

static void turn(scr_step *s, soft_work *k)
{
    double t0 = scr_seconds();
    scr_gravity_begin(s->world);
    scr_soft_turn(s, k);
    s->times.integrate += scr_seconds() - t0;
}

// bodies are where they are at the end of a step before its last kick: passages are counted then, and where all is well
// the next step begins with the end of this one
static scree_status advance(scr_step *s, void *state, int64_t most, int64_t *done, scree_report *report)
{
    soft_work *k = state;
    bool contacts = s->want_contacts, begun = false;
    scree_status status = SCREE_OK;
    for (*done = 0; *done < most && !status;) {
        ++*done;
        s->want_contacts = contacts && *done == most;
        if (!begun) status = begin(s, k, report);
        if (!ends_all(status)) status = go(s, k, status, report);
        if (ends_all(status)) return status;
        scr_flows_update(s->world);
        begun = !status && *done < most && scr_soft_goes_on(s, k);
        if (begun)
            turn(s, k);
        else
            status = end(s, k, status, report);
    }
    return status;
}

/* ---- the world and what is kept elsewhere ---- */

static scree_status renew(scr_step *s, void *state, scree_report *report)
{
    return scr_soft_renew(s, state, report);
}

static scree_status fetch(scr_step *s, void *state, unsigned parts, scree_report *report)
{
    (void)state;
    return parts & SOFT_CONTACTS ? scr_pairs_save(&s->pairs, s->world, report) : SCREE_OK;
}

static scree_status contacts(scr_step *s, void *state, scr_contact_row **rows, size_t *count, scree_report *report)
{
    (void)state;
    return scr_soft_contacts(s, 0, rows, count, report);
}

static soft_books books(const void *state)
{
    const soft_work *k = state;
    return k ? scr_soft_books(k) : (soft_books){0};
}

const soft_ops scr_soft_cpu = {
    .name = "cpu",
    .open = open,
    .close = close,
    .advance = advance,
    .renew = renew,
    .fetch = fetch,
    .contacts = contacts,
    .books = books,
};
