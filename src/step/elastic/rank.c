/* The elastic stepper on a part of a divided world: operations as those of the soft stepper (step/soft/ranks.h). */
#include "base/buffer.h"
#include "collide/flows.h"
#include "step/elastic/work.h"
#include "step/soft/cpu/contacts.h"
#include "step/soft/ops.h"

// works of supports and loads begin at zero, beside what they were
static scree_status begin_books(elastic_work *k, scr_world *w, scree_report *report)
{
    k->base = SCR_TAKE(&k->arena, double, (size_t)(w->support_count + w->load_count));
    scree_status status = scr_arena_status(&k->arena, report, "the integrator");
    double *base = k->base;
    for (int i = 0; !status && i < w->support_count; i++) *base++ = w->supports[i].work, w->supports[i].work = 0;
    for (int i = 0; !status && i < w->load_count; i++) *base++ = w->loads[i].work, w->loads[i].work = 0;
    return status;
}

static scree_status open(scr_step *s, bool resumed, void **state, scree_report *report)
{
    elastic_work *k = NULL;
    scree_status status = scr_elastic_create(s->world, &k, report);
    *state = k;
    if (!status) status = begin_books(k, s->world, report);
    scr_share_must(s->world->share, status, report);
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

/* Of a support; loads have work alone. */
typedef struct {
    double force[3], torque[3], work;
} reaction;

static void gather_reactions(elastic_work *k, const scr_world *part, scr_world *whole)
{
    size_t supports = (size_t)part->support_count, count = supports + (size_t)part->load_count;
    reaction *own = NULL, *all = NULL;
    if (!scr_reserve(&own, count + 1)) scr_comm_no_memory("supports");
    for (size_t i = 0; i < supports; i++) {
        const scr_support *s = &part->supports[i];
        v3_store(own[i].force, s->force), v3_store(own[i].torque, s->torque), own[i].work = s->work;
    }
    for (size_t i = supports; i < count; i++) own[i].work = part->loads[i - supports].work;
    size_t found = scr_share_collect(part->share, own, count, sizeof *own, &all);
    for (size_t i = 0; whole && i < count; i++) {
        vec3 force = v3(0, 0, 0), torque = v3(0, 0, 0);
        double work = k->base[i];
        for (size_t n = i; n < found; n += count) {
            force = v3_add(force, v3_load(all[n].force)), torque = v3_add(torque, v3_load(all[n].torque));
            work += all[n].work;
        }
        if (i < supports)
            whole->supports[i].force = force, whole->supports[i].torque = torque, whole->supports[i].work = work;
        else
            whole->loads[i - supports].work = work;
    }
    scr_free_all(own, all);
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
    gather_reactions(k, part, w);
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
