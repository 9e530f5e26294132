/* The elastic stepper on a part of a divided world: operations as those of the soft stepper (step/soft/ranks.h). */
#include <string.h>

#include "base/buffer.h"
#include "collide/flows.h"
#include "step/elastic/work.h"
#include "step/soft/cpu/contacts.h"
#include "step/soft/ops.h"

// works of supports and loads are added to those that the whole has
static void begin_books(scr_world *w)
{
    for (int i = 0; i < w->support_count; i++) w->supports[i].felt[SCR_FELT_WORK] = (scr_total){0};
    for (int i = 0; i < w->load_count; i++) w->loads[i].work = (scr_total){0};
}

static scree_status open(scr_step *s, bool resumed, void **state, scree_report *report)
{
    elastic_work *k = NULL;
    scree_status status = scr_elastic_create(s->world, &k, report);
    *state = k;
    scr_share_must(s->world->share, status, report);
    begin_books(s->world);
    return scr_elastic_begin(s, k, resumed, report);
}

static void close(void *state)
{
    scr_elastic_destroy(state);
}

static scree_status advance(scr_step *s, void *state, int64_t most, int64_t *done, scree_report *report)
{
    bool contacts = s->want_contacts;
    scree_status status = SCREE_OK;
    for (*done = 0; *done < most && !status; ++*done) {
        s->want_contacts = contacts && *done + 1 == most;
        status = scr_elastic_step(s, state, report);
        scr_flows_update(s->world);
    }
    return status;
}

static scree_status renew(scr_step *s, void *state, scree_report *report)
{
    return scr_elastic_renew(s, state, report);
}

static scree_status fetch(scr_step *s, void *state, unsigned parts, scree_report *report)
{
    return parts & SOFT_CONTACTS ? scr_elastic_save(s, state, report) : SCREE_OK;
}

static scree_status contacts(scr_step *s, void *state, scr_contact_row **rows, size_t *count, scree_report *report)
{
    return scr_elastic_rows(s, state, rows, count, report);
}

static soft_books books(const void *state)
{
    const elastic_work *k = state;
    if (!k || !k->has_soft) return (soft_books){0};
    return scr_soft_books(&k->soft);
}

/* ---- the whole ---- */

// number k of those of supports, then of loads
static scr_total *total_of(scr_world *w, size_t k)
{
    size_t supports = SCR_FELT_SUMS * (size_t)w->support_count;
    return k < supports ? &w->supports[k / SCR_FELT_SUMS].felt[k % SCR_FELT_SUMS] : &w->loads[k - supports].work;
}

// forces are those of now, works those since the last time
static void gather_reactions(scr_world *part, scr_world *whole)
{
    size_t count = SCR_FELT_SUMS * (size_t)part->support_count + (size_t)part->load_count;
    int64_t *rows = NULL;
    if (!scr_reserve(&rows, count * SCR_TOTAL_ROW + 1)) scr_comm_no_memory("supports");
    for (size_t k = 0; k < count; k++) scr_total_pack(total_of(part, k), rows + k * SCR_TOTAL_ROW);
    scr_comm_add(part->share->comm, rows, (int)(count * SCR_TOTAL_ROW));
    for (int i = 0; whole && i < whole->support_count; i++)
        memset(whole->supports[i].felt, 0, SCR_FELT_WORK * sizeof(scr_total));
    for (size_t k = 0; whole && k < count; k++) scr_total_join(total_of(whole, k), rows + k * SCR_TOTAL_ROW);
    begin_books(part);
    scr_buffer_free(rows);
}

// blocks' energies, in the order of blocks
static void gather_energy(const elastic_work *k, const scr_world *part, scr_world *whole)
{
    const elastic_plan *p = &k->task.plan;
    elastic_sums *all = NULL;
    size_t count =
        scr_share_collect(part->share, k->task.sums + p->own_first, p->own_end - p->own_first, sizeof *all, &all);
    double energy = 0;
    for (size_t b = 0; b < count; b++) energy += all[b].links + all[b].cells;
    if (whole) whole->ledger.elastic_solid = energy;
    scr_buffer_free(all);
}

static void gather(const scr_step *s, void *state, unsigned parts, bool evaluated, scr_step *whole)
{
    elastic_work *k = state;
    const scr_world *part = s->world;
    scr_world *w = whole ? whole->world : NULL;
    if (parts & SOFT_BODIES) scr_share_gather_cells(part->share, part);
    if (parts & (SOFT_BODIES | SOFT_CONTACTS)) scr_elastic_contacts_gather(&k->contacts, part, w);
    if (!(parts & SOFT_ENERGIES) || !evaluated) return;
    gather_reactions(s->world, w);
    gather_energy(k, part, w);
    scr_elastic_contacts_books(&k->contacts, part, whole);
}

const soft_ops scr_elastic_rank = {
    .name = "elastic",
    .open = open,
    .close = close,
    .advance = advance,
    .renew = renew,
    .fetch = fetch,
    .contacts = contacts,
    .books = books,
    .gather = gather,
};
