/* Contacts as observers see them. Pairs that are so near that they were solved for, but carry nothing, are none. */
#include "base/buffer.h"
#include "step/nonsmooth/work.h"

// before the first step nothing has been solved for: then what overlaps is in contact
static bool carries(const ns_work *k, size_t n)
{
    if (k->contacts.problem[n].ln > 0 || (k->sub.unsolved && k->contacts.all[n].overlap > 0)) return true;
    return k->contacts.struck && v3_dot(k->contacts.blows[n].impulse, k->contacts.blows[n].impulse) > 0;
}

void scr_ns_count_contacts(scr_step *s)
{
    const ns_work *k = s->work;
    scr_step_report *last = &s->last;
    last->contacts = 0, last->candidates = (int64_t)k->growth.frozen.count;
    for (size_t n = 0; n < k->contacts.count; n++) {
        if (k->contacts.all[n].froze) continue; // among those within aggregates
        last->candidates++;
        last->contacts += carries(k, n);
    }
    for (size_t n = 0; n < k->growth.frozen.used; n++)
        last->contacts += k->growth.frozen.edges[n].end[0] != SCR_FROZEN_NONE && k->growth.frozen.edges[n].ln > 0;
}

static scr_contact_row row_of(const scr_world *w, const ns_contact *c, vec3 impulse, vec3 couple, double h)
{
    uint32_t i = ns_first(c);
    const double *x = w->bodies.place + 4 * (size_t)i;
    scr_contact_row row = {.body = {(int32_t)i, ns_is_wall(c) ? -1 - ns_face(c) : (int32_t)ns_second(c)},
                           .normal = v3_scale(-1, c->normal),
                           .overlap = c->overlap,
                           .force = v3_scale(-1 / h, impulse),
                           .couple = v3_scale(-1 / h, couple)};
    row.point = v3_axpy(v3_load(x), x[3] - 0.5 * c->overlap, c->normal);
    double reach =
        ns_is_wall(c) ? x[3] - 0.5 * c->overlap : x[3] + w->bodies.place[4 * (size_t)ns_second(c) + 3] - c->overlap;
    row.branch = v3_scale(-reach, c->normal);
    return row;
}

scree_status scr_ns_contacts(scr_step *s, scr_contact_row **rows, size_t *count, scree_report *report)
{
    const ns_work *k = s->work;
    const scr_world *w = s->world;
    *count = 0;
    *rows = scr_memory_new(k->contacts.count + k->growth.frozen.count + 1, sizeof **rows);
    if (!*rows) return scr_no_memory(report, "contacts");
    for (size_t n = 0; n < k->contacts.count; n++) {
        const ns_contact *c = &k->contacts.all[n];
        vec3 impulse, couple;
        if (c->froze || !carries(k, n)) continue; // what froze comes below
        ns_impulse(k, n, &impulse, &couple);
        (*rows)[(*count)++] = row_of(w, c, impulse, couple, k->sub.h);
    }
    for (size_t n = 0; n < k->growth.frozen.used; n++) {
        const scr_frozen_edge *e = &k->growth.frozen.edges[n];
        if (e->end[0] == SCR_FROZEN_NONE || !(e->ln > 0)) continue;
        ns_contact c;
        scr_ns_measure(k, w, (uint64_t)e->end[0] << 32 | e->end[1], &c);
        vec3 impulse = v3_axpy(e->lt, e->ln, c.normal);
        (*rows)[(*count)++] = row_of(w, &c, impulse, e->lr, k->sub.h);
    }
    return SCREE_OK;
}
