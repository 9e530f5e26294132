/* Bodies in and out of the cells, and the impulses of contacts from step to step. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "collide/pairs.h"
#include "step/nonsmooth/work.h"
#include "world/carrier.h"

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "contacts");
}

/* ---- bodies in and out ---- */

scree_status scr_ns_reserve(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    size_t n = s->world->bodies.table.count, words = n / 64 + 1;
    size_t rows = n + s->world->rigids.table.count;
    if (!scr_tiles_reserve(&k->space.tiles, n) || !scr_frozen_reserve(&k->growth.frozen, n) ||
        !scr_ns_rigids_reserve(k, s->world))
        return no_memory(report);
    return scr_reserve_all(report, "grains", SCR_ROOM(k->space.awake, words), SCR_ROOM(k->space.way, n),
                           SCR_ROOM(k->find.rows, n), SCR_ROOM(k->problem.slot, n), SCR_ROOM(k->problem.rows, n),
                           SCR_ROOM(k->problem.moved, n), SCR_ROOM(k->watch.rows, n), SCR_ROOM(k->watch.watched, n),
                           SCR_ROOM(k->problem.bodies, rows), SCR_ROOM(k->problem.before, rows),
                           SCR_ROOM(k->rigids.members, n));
}

static void set_awake(ns_work *k, uint32_t i, bool awake)
{
    uint64_t bit = 1ull << (i % 64);
    k->space.awake[i / 64] = awake ? k->space.awake[i / 64] | bit : k->space.awake[i / 64] & ~bit;
}

static void grow_box(ns_carrier *f, vec3 x)
{
    if (f->members == 1) f->low = f->high = x;
    for (int d = 0; d < 3; d++) {
        double at = (&x.x)[d], *low = &f->low.x + d, *high = &f->high.x + d;
        if (at < *low) *low = at;
        if (at > *high) *high = at;
    }
}

int scr_ns_count_in(ns_work *k, const scr_world *w, uint32_t i)
{
    const scr_bodies *b = &w->bodies;
    int carrier = b->carrier[i];
    if (ns_in_clump(w, i)) carrier = SCR_CARRIER_NONE; // it moves by itself
    bool member = carrier != SCR_CARRIER_NONE;
    bool awake = !member && b->motion[4 * (size_t)i + 3] > 0;
    set_awake(k, i, awake);
    if (!awake) k->space.way[i] = 0;
    if (member) k->space.carriers[carrier].members++;
    // what rests shares its cells with what is free
    if (!member || carrier == SCR_CARRIER_REST) return SCR_CARRIER_NONE;
    grow_box(&k->space.carriers[carrier], v3_load(b->anchor + 4 * (size_t)i));
    return carrier;
}

bool scr_ns_place(ns_work *k, const scr_world *w, uint32_t i)
{
    int carrier = scr_ns_count_in(k, w, i);
    const double *x = w->bodies.place + 4 * (size_t)i, *anchor = w->bodies.anchor + 4 * (size_t)i;
    return scr_tiles_enter(&k->space.tiles, i, carrier, v3_load(carrier ? anchor : x), x[3]);
}

void scr_ns_displace(ns_work *k, const scr_world *w, uint32_t i)
{
    int carrier = w->bodies.carrier[i];
    if (carrier != SCR_CARRIER_NONE && !ns_in_clump(w, i)) k->space.carriers[carrier].members--;
    scr_tiles_leave(&k->space.tiles, i, w->bodies.place[4 * (size_t)i + 3]);
    set_awake(k, i, false);
}

// grains that never move rest from the beginning
static void rest_frozen(scr_world *w, size_t i)
{
    scr_bodies *b = &w->bodies;
    const scr_group *group = &w->groups[b->group[i]];
    if (!group->frozen || group->drive.moves || b->carrier[i]) return;
    b->carrier[i] = SCR_CARRIER_REST;
    memcpy(b->anchor + 4 * i, b->place + 4 * i, 4 * sizeof *b->anchor);
}

/* ---- impulses ---- */

size_t scr_ns_memory_from(const ns_work *k, uint64_t key)
{
    size_t low = 0, high = k->contacts.memory_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (k->contacts.memory[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool scr_ns_is_within(const scr_world *w, uint32_t i, uint32_t j, bool *joins)
{
    int carrier = w->bodies.carrier[i];
    bool wall = j & NS_WALL;
    int face = wall ? (int)(j & ~NS_WALL) : -1;
    *joins = false;
    if (carrier == SCR_CARRIER_NONE || scr_carrier_is_clump(w, carrier)) return false;
    const scr_law *law =
        scr_world_law(w, w->bodies.material[i], wall ? w->faces[face].material : w->bodies.material[j]);
    bool sticks = law->kt > 0 && law->mu > 0;
    if (!wall) {
        *joins = sticks;
        return w->bodies.carrier[j] == carrier;
    }
    int surface = w->faces[face].wall, own = ns_carrier_of_wall(w, surface);
    *joins = sticks && carrier == own;
    // what is solved for feels the walls of others, and others its walls
    return carrier == own || (scr_carrier_rigid(w, carrier) < 0 && !w->walls[surface].carried);
}

static bool take_contacts(ns_work *k, scr_world *w)
{
    const scr_contacts *c = &w->contacts;
    if (!scr_reserve(&k->contacts.memory, c->table.count + 1)) return false;
    k->contacts.memory_count = 0;
    for (size_t n = 0; n < c->table.count; n++) {
        int32_t partner = c->row[2 * n + 1];
        uint32_t i = (uint32_t)c->row[2 * n], j = partner < 0 ? NS_WALL | (uint32_t)(-1 - partner) : (uint32_t)partner;
        double sign = i < j ? 1 : -1;
        const double *h = c->history + 4 * n, *wide = c->wide + 8 * n;
        ns_memory m = {
            .key = ns_key(i, j), .ln = h[3], .lt = v3_scale(sign, v3_load(h)), .lr = v3_scale(sign, v3_load(wide))};
        scr_frozen_edge edge = {
            .end = {(uint32_t)(m.key >> 32), (uint32_t)m.key}, .ln = m.ln, .lt = m.lt, .lr = m.lr, .energy = wide[3]};
        if (partner < 0 && !w->walls[w->faces[-1 - partner].wall].active) continue;
        if (!scr_ns_is_within(w, edge.end[0], edge.end[1], &edge.joins))
            k->contacts.memory[k->contacts.memory_count++] = m;
        else if (scr_frozen_add(&k->growth.frozen, &edge) == SCR_FROZEN_NONE)
            return false;
    }
    return scr_sort(&k->contacts.sorter, k->contacts.memory, k->contacts.memory_count, sizeof *k->contacts.memory,
                    scr_by_u64);
}

bool scr_ns_recount(ns_work *k, scr_ledger *l)
{
    double sum = 0;
    size_t n = 0;
    if (!scr_reserve(&k->split.thawed, k->growth.frozen.count + 1)) return false;
    for (size_t m = 0; m < k->growth.frozen.used; m++) {
        const scr_frozen_edge *e = &k->growth.frozen.edges[m];
        if (e->end[0] == SCR_FROZEN_NONE) continue;
        k->split.thawed[n++] =
            (ns_thawed){.start = {.key = (uint64_t)e->end[0] << 32 | e->end[1]}, .energy = e->energy};
    }
    if (!scr_sort(&k->contacts.sorter, k->split.thawed, n, sizeof *k->split.thawed, scr_by_u64)) return false;
    for (size_t m = 0; m < n; m++) sum += k->split.thawed[m].energy;
    l->removed += l->frozen - sum;
    l->elastic_normal -= l->frozen - sum;
    l->frozen = sum;
    return true;
}

void scr_ns_radii(const scr_world *w, double *least, double *most)
{
    const scr_bodies *b = &w->bodies;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < b->table.count; i++) {
        double radius = b->place[4 * i + 3];
        low = radius < low ? radius : low, high = radius > high ? radius : high;
    }
    for (int n = 0; n < w->inlet_count; n++) {
        low = fmin(low, w->inlets[n].radius[0]);
        high = fmax(high, w->inlets[n].radius[1]);
    }
    if (!(high > 0)) low = high = 1;
    *least = low, *most = high;
}

scree_status scr_ns_load(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    scr_bodies *b = &w->bodies;
    scree_status status = scr_ns_reserve(s, report);
    if (status) return status;
    double low, high;
    scr_ns_radii(w, &low, &high);
    k->space.radius_min = low, k->space.radius_max = high;
    k->space.images = scr_images_of(&w->domain);
    k->sub.held = 0;
    k->sub.known = false;
    k->contacts.count = k->contacts.on_wall_count = 0; // those found before name other rows
    // so that cells next to each other hold all that a slow grain looks for
    double wide = (k->set.ahead ? 1.2 : 1 + 0.5 * k->set.near + 0.5 * k->set.margin / low) * (1 + 1e-6);
    if (!scr_tiles_init(&k->space.tiles, &w->domain, wide * low, wide * high)) return no_memory(report);
    scr_clear(k->space.awake, scr_room_of(k->space.awake) * sizeof *k->space.awake);
    scr_clear(k->space.way, scr_room_of(k->space.way) * sizeof *k->space.way);
    scr_frozen_clear(&k->growth.frozen);
    for (int f = 0; f < k->space.carrier_count; f++) k->space.carriers[f].members = 0;
    for (uint32_t i = 0; i < b->table.count; i++) {
        if (!k->set.reduce && scr_ns_is_member(w, i)) b->carrier[i] = SCR_CARRIER_NONE;
        rest_frozen(w, i);
        k->sub.held += b->carrier[i] == SCR_CARRIER_REST && b->motion[4 * (size_t)i + 3] == 0;
        // whether a clump leaves is known from its centre
        bool clump = scr_carrier_is_clump(w, b->carrier[i]);
        if (b->carrier[i] && !ns_in_clump(w, i)) k->growth.frozen.level[i] = b->motion[4 * (size_t)i + 3] > 0;
        k->sub.leaving |= !clump && scr_ns_is_outside(w, b->place + 4 * (size_t)i);
        if (!scr_ns_place(k, w, i)) return no_memory(report);
    }
    k->space.placed = b->table.count;
    k->watch.on = false;
    scr_ns_free_check(k, w);
    if (!take_contacts(k, w) || !scr_frozen_level_all(&k->growth.frozen, &k->split.pending)) return no_memory(report);
    return SCREE_OK;
}

static void name_contact(scr_contacts *c, size_t n, const scr_bodies *b, uint32_t i, uint32_t j)
{
    scr_contact_join(c, n, b, i, j & NS_WALL ? -1 - (int32_t)(j & ~NS_WALL) : (int32_t)j);
}

scree_status scr_ns_save(scr_step *s, scree_report *report)
{
    const ns_work *k = s->work;
    const scr_bodies *b = &s->world->bodies;
    scr_contacts *c = &s->world->contacts;
    size_t count = k->contacts.memory_count + k->growth.frozen.count, n = 0;
    c->table.count = 0;
    if (!scr_table_reserve(&c->table, count)) return no_memory(report);
    scr_clear(c->wide, 8 * count * sizeof *c->wide);
    for (size_t m = 0; m < k->contacts.memory_count; m++, n++) {
        const ns_memory *from = &k->contacts.memory[m];
        name_contact(c, n, b, (uint32_t)(from->key >> 32), (uint32_t)from->key);
        v3_store(c->history + 4 * n, from->lt);
        c->history[4 * n + 3] = from->ln;
        v3_store(c->wide + 8 * n, from->lr);
    }
    for (size_t m = 0; m < k->growth.frozen.used; m++) {
        const scr_frozen_edge *from = &k->growth.frozen.edges[m];
        if (from->end[0] == SCR_FROZEN_NONE) continue;
        name_contact(c, n, b, from->end[0], from->end[1]);
        v3_store(c->history + 4 * n, from->lt);
        c->history[4 * n + 3] = from->ln;
        v3_store(c->wide + 8 * n, from->lr);
        c->wide[8 * n++ + 3] = from->energy;
    }
    c->table.count = n;
    return SCREE_OK;
}

/* ---- after the step ---- */

typedef struct {
    ns_work *k;
    size_t count[NS_PARTS]; /* impulses of each part of the contacts */
} remembering;

static size_t start_of(const remembering *r, size_t part)
{
    return r->k->contacts.count * part / NS_PARTS;
}

static void remember_part(void *context, size_t part)
{
    remembering *r = context;
    const ns_contact_set *all = &r->k->contacts;
    size_t from = start_of(r, part), end = start_of(r, part + 1);
    ns_memory *to = all->memory + from;
    for (size_t n = from; n < end; n++) {
        const ns_contact *c = &all->all[n];
        const scr_pgs_contact *p = &all->problem[n];
        double sign = c->turned ? -1 : 1;
        if (!(p->ln > 0) || c->froze) continue;
        *to++ = (ns_memory){.key = c->key, .ln = p->ln, .lt = v3_scale(sign, p->lt), .lr = v3_scale(sign, p->lr)};
    }
    r->count[part] = (size_t)(to - all->memory) - from;
}

bool scr_ns_remember(ns_work *k)
{
    remembering r = {.k = k};
    size_t count = 0;
    if (!scr_reserve(&k->contacts.memory, k->contacts.count)) return false;
    ns_each(k->contacts.count, NS_PARTS, NULL, remember_part, &r);
    // parts one after the other, without the places of those that carry nothing
    for (size_t part = 0; part < NS_PARTS; part++) {
        if (!r.count[part]) continue;
        memmove(k->contacts.memory + count, k->contacts.memory + start_of(&r, part), r.count[part] * sizeof(ns_memory));
        count += r.count[part];
    }
    k->contacts.memory_count = count;
    return true;
}
