/* Rows into their order where most grains sleep. Everything that names rows gets the new numbers in place: contacts
 * within aggregates, impulses of the last step, cells.
 *
 * The long way (nonsmooth.c) writes all contacts into the world's table, sorts bodies and reads everything back. It may
 * do more than change rows: grains leave or are brought back into a periodic domain, contacts come into aggregates or
 * out of them, cells get other sizes. Where one of this is so, or may be, nothing is done here: so both ways give the
 * same, but for the order of lists, and levels, on which no result depends. */
#include "base/buffer.h"
#include "collide/leaving.h"
#include "step/nonsmooth/work.h"
#include "world/outlets.h"

static size_t count_awake(const ns_work *k, const scr_world *w)
{
    size_t count = 0;
    for (size_t word = 0; word < w->bodies.table.count / 64 + 1; word++)
        count += (size_t)__builtin_popcountll(k->space.awake[word]);
    return count;
}

// cells that grains have left would stay for ever
static bool cells_are_in_use(const scr_tiles *c)
{
    size_t empty = 0;
    for (uint32_t tile = 0; tile < c->tile_count; tile++) empty += scr_tile_is_empty(c, tile);
    return 4 * empty <= c->tile_count + 256;
}

// whether loading row i would leave it as it is
static bool stays(const ns_work *k, const scr_world *w, uint32_t i)
{
    const scr_bodies *b = &w->bodies;
    const double *x = b->place + 4 * (size_t)i, *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    for (int d = 0; d < 3; d++)
        if (!(x[d] >= lower[d] && x[d] < upper[d])) return false;
    bool moves = b->motion[4 * (size_t)i + 3] > 0;
    int32_t level = k->growth.frozen.level[i];
    if (b->carrier[i] == SCR_CARRIER_NONE)
        return level < 0 && !(w->groups[b->group[i]].frozen && !w->groups[b->group[i]].drive.moves);
    if (!moves) return level == 0;
    return k->set.reduce && level > 0 && scr_frozen_is_carried(&k->growth.frozen, i);
}

static bool wall_is_there(const scr_world *w, uint32_t body)
{
    return !(body & NS_WALL) || w->walls[w->faces[body & ~NS_WALL].wall].active;
}

// contacts within aggregates, and those that are not, would stay so
static bool contacts_stay(const ns_work *k, const scr_world *w)
{
    const scr_frozen *f = &k->growth.frozen;
    bool joins;
    for (size_t n = 0; n < f->used; n++) {
        const scr_frozen_edge *e = &f->edges[n];
        if (e->end[0] == SCR_FROZEN_NONE) continue;
        if (!wall_is_there(w, e->end[1]) || !scr_ns_is_within(w, e->end[0], e->end[1], &joins) || joins != e->joins)
            return false;
    }
    for (size_t n = 0; n < k->contacts.memory_count; n++) {
        uint32_t i = (uint32_t)(k->contacts.memory[n].key >> 32), j = (uint32_t)k->contacts.memory[n].key;
        if (!wall_is_there(w, j) || scr_ns_is_within(w, i, j, &joins)) return false;
    }
    return true;
}

static bool only_rows_change(const ns_work *k, const scr_world *w)
{
    size_t count = w->bodies.table.count;
    double low, high;
    if (w->rigids.table.count || w->domain.box.deforms || k->space.placed != count || k->split.pending) return false;
    if (4 * count_awake(k, w) > count || !cells_are_in_use(&k->space.tiles)) return false;
    scr_ns_radii(w, &low, &high);
    if (low != k->space.radius_min || high != k->space.radius_max) return false;
    if (scr_outlets_next(w, 0) < count) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!stays(k, w, i)) return false;
    return contacts_stay(k, w);
}

// impulses of the last step in the order of their new keys
static bool renumber_memory(ns_work *k, const uint32_t *new_row)
{
    ns_contact_set *all = &k->contacts;
    for (size_t n = 0; n < all->memory_count; n++) {
        ns_memory *m = &all->memory[n];
        uint32_t i = new_row[m->key >> 32], j = (uint32_t)m->key;
        if (!(j & NS_WALL)) j = new_row[j];
        double sign = i < j ? 1 : -1; // impulses are those on the second
        *m = (ns_memory){.key = ns_key(i, j), .ln = m->ln, .lt = v3_scale(sign, m->lt), .lr = v3_scale(sign, m->lr)};
    }
    return scr_sort(&all->sorter, all->memory, all->memory_count, sizeof *all->memory, scr_by_u64);
}

// who is awake, and where the members of each carrier are
static void count_all(ns_work *k, const scr_world *w)
{
    const scr_bodies *b = &w->bodies;
    scr_clear(k->space.awake, scr_room_of(k->space.awake) * sizeof *k->space.awake);
    scr_clear(k->space.way, scr_room_of(k->space.way) * sizeof *k->space.way);
    for (int f = 0; f < k->space.carrier_count; f++) k->space.carriers[f].members = 0;
    k->sub.held = 0;
    for (uint32_t i = 0; i < b->table.count; i++) {
        scr_ns_count_in(k, w, i);
        k->sub.held += b->carrier[i] == SCR_CARRIER_REST && b->motion[4 * (size_t)i + 3] == 0;
    }
}

scree_status scr_ns_reorder(scr_step *s, bool *done, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    const uint32_t *new_row;
    size_t count = w->bodies.table.count;
    *done = count && only_rows_change(k, w);
    if (!*done) return SCREE_OK;
    if (!scr_bodies_sort(&s->pairs, w, &new_row)) return scr_no_memory(report, "sorting %zu bodies", count);
    if (new_row) {
        scr_frozen_renumber(&k->growth.frozen, new_row, count);
        scr_tiles_renumber(&k->space.tiles, new_row, count, k->problem.moved); // of the last step
        if (!renumber_memory(k, new_row)) return scr_no_memory(report, "contacts");
    }
    count_all(k, w);
    k->contacts.count = k->contacts.on_wall_count = 0; // those found before name other rows
    k->watch.on = k->sub.known = false;
    return SCREE_OK;
}
