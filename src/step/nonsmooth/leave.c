/* Grains that leave, in outlets or beyond the domain. They take along what their contacts store, the last rows take
 * their places, and everything that names rows follows: this costs what those that leave and those that move touch, not
 * what there is. Rows are sorted now and then (nonsmooth.c). */
#include "base/buffer.h"
#include "collide/leaving.h"
#include "collide/pairs.h"
#include "step/nonsmooth/springs.h"
#include "step/nonsmooth/work.h"

#define NOBODY UINT32_MAX

/* Which rows leave, and how many stay; where rows beyond those go: NOBODY, they leave too. */
typedef struct {
    const uint32_t *rows;
    size_t count, kept;
    uint32_t *to;
} leaving;

// the place of a row among those that leave, or of the first after it
static size_t place_of(const leaving *l, uint32_t row)
{
    size_t low = 0, high = l->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (l->rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool leaves(const leaving *l, uint32_t row)
{
    size_t n = place_of(l, row);
    return n < l->count && l->rows[n] == row;
}

// the row that a row, or a wall's face, becomes
static uint32_t new_row(const leaving *l, uint32_t row)
{
    if (row & NS_WALL) return row;
    if (row >= l->kept) return l->to[row - l->kept];
    return leaves(l, row) ? NOBODY : row;
}

// the last rows that stay fill the places of those that leave, from the first on
static void choose_rows(leaving *l)
{
    size_t hole = 0;
    for (size_t n = 0; n < l->count; n++) {
        uint32_t row = (uint32_t)(l->kept + n);
        l->to[n] = leaves(l, row) ? NOBODY : l->rows[hole++];
    }
}

// they take along what their contacts store
static void release(scr_ledger *l, double energy)
{
    l->removed += energy;
    l->elastic_normal -= energy;
}

// impulses of the last step: those of rows that leave are gone, with what their contacts store; others go to
// their new places in the order of keys
static bool follow_memory(ns_work *k, scr_world *w, const leaving *l)
{
    ns_contact_set *all = &k->contacts;
    size_t kept = 0;
    double stored = 0;
    k->split.thawed_count = 0;
    for (size_t n = 0; n < all->memory_count; n++) {
        ns_memory m = all->memory[n];
        uint32_t i = new_row(l, (uint32_t)(m.key >> 32)), j = new_row(l, (uint32_t)m.key);
        if (i == NOBODY || j == NOBODY) {
            ns_contact c;
            scr_ns_measure(k, w, m.key, &c);
            stored += ns_spring(&c, c.overlap).energy;
            continue;
        }
        uint64_t key = ns_key(i, j);
        if (key == m.key) {
            all->memory[kept++] = m;
            continue;
        }
        double sign = i < j ? 1 : -1; // impulses are those on the second
        m = (ns_memory){.key = key, .ln = m.ln, .lt = v3_scale(sign, m.lt), .lr = v3_scale(sign, m.lr)};
        if (!scr_push(k->split.thawed, k->split.thawed_count, (ns_thawed){.start = m})) return false;
    }
    all->memory_count = kept;
    release(&w->ledger, stored);
    return scr_ns_remember_thawed(k, &w->ledger);
}

// row i is in no aggregate any more; members that touched it are noted: they may have lost what carries them
static bool let_go(ns_work *k, scr_world *w, uint32_t i)
{
    scr_frozen *f = &k->growth.frozen;
    for (uint32_t e; (e = f->first[i]) != SCR_FROZEN_NONE; scr_frozen_remove(f, e)) {
        uint32_t other = scr_frozen_other(f, e, i);
        if (!(other & SCR_FROZEN_WALL) && !scr_push(k->growth.queue, k->split.lost_count, other)) return false;
        release(&w->ledger, f->edges[e].energy);
        w->ledger.frozen -= f->edges[e].energy;
        k->trial.balanced = false;
    }
    f->level[i] = -1;
    k->sub.held -= w->bodies.carrier[i] == SCR_CARRIER_REST && w->bodies.motion[4 * (size_t)i + 3] == 0;
    scr_ns_displace(k, w, i);
    k->space.way[i] = 0;
    return true;
}

static bool move(ns_work *k, scr_world *w, uint32_t from, uint32_t to)
{
    scr_ns_displace(k, w, from);
    scr_table_copy(&w->bodies.table, to, from);
    scr_frozen_move(&k->growth.frozen, from, to);
    k->space.way[to] = k->space.way[from], k->space.way[from] = 0;
    return scr_ns_place(k, w, to);
}

static void follow_watch(ns_work *k, const leaving *l)
{
    size_t kept = 0;
    if (!k->watch.on) return;
    for (size_t n = 0; n < k->watch.count; n++) k->watch.watched[k->watch.rows[n]] = 0;
    for (size_t n = 0; n < k->watch.count; n++) {
        uint32_t row = new_row(l, k->watch.rows[n]);
        if (row == NOBODY) continue;
        k->watch.watched[row] = 1;
        k->watch.rows[kept++] = row;
    }
    k->watch.count = kept;
}

// those that nothing carries any more split off in the next step, and those that were to
static bool find_orphans(ns_work *k, const leaving *l)
{
    size_t kept = 0;
    for (size_t n = 0; n < k->split.pending; n++)
        if (!scr_push(k->growth.queue, k->split.lost_count, k->growth.frozen.orphans[n])) return false;
    for (size_t n = 0; n < k->split.lost_count; n++) {
        uint32_t row = new_row(l, k->growth.queue[n]);
        if (row != NOBODY) k->growth.queue[kept++] = row;
    }
    return scr_frozen_unsupported(&k->growth.frozen, k->growth.queue, kept, &k->split.pending);
}

static bool take_out(ns_work *k, scr_world *w, const leaving *l)
{
    bool ok = follow_memory(k, w, l);
    k->split.lost_count = 0;
    for (size_t n = 0; n < l->count && ok; n++) ok = let_go(k, w, l->rows[n]);
    scr_bodies_count_out(w, l->rows, l->count);
    for (size_t n = 0; n < l->count && ok; n++)
        if (l->to[n] != NOBODY) ok = move(k, w, (uint32_t)(l->kept + n), l->to[n]);
    w->bodies.table.count = k->space.placed = l->kept;
    follow_watch(k, l);
    if (w->rigids.table.count) scr_rigids_drop(w);
    return ok && find_orphans(k, l) && scr_blocks_extend(&w->blocks, l->kept);
}

/* ---- who leaves ---- */

// when the next outlet opens
static double next_opening(const scr_world *w)
{
    double next = INFINITY;
    for (int n = 0; n < w->outlet_count; n++)
        if (w->outlets[n].start > w->clock.time) next = fmin(next, w->outlets[n].start);
    return next;
}

// Whether only awake grains can be in an outlet or outside the domain: sleeping ones have not moved, unless a carrier
// carries them. The awake grains are then in k->find.rows.
static bool only_awake_leave(ns_work *k, const scr_world *w)
{
    if (!k->sub.known || w->clock.time >= k->sub.opens || k->set.substeps > 1 || w->rigids.table.count) return false;
    for (int f = SCR_CARRIER_REST + 1; f < k->space.carrier_count; f++)
        if (k->space.carriers[f].members) return false;
    for (int g = 0; g < w->group_count; g++)
        if (w->groups[g].drive.moves) return false;
    scr_ns_list_awake(k, w);
    return 4 * k->find.row_count < w->bodies.table.count; // one by one they take longer
}

bool scr_ns_leaves(scr_step *s)
{
    ns_work *k = s->work;
    const scr_world *w = s->world;
    if (k->sub.leaving || !w->outlet_count) return k->sub.leaving;
    if (only_awake_leave(k, w)) {
        for (size_t n = 0; n < k->find.row_count; n++)
            if (scr_outlet_of(w, k->find.rows[n]) >= 0) return true;
        return false;
    }
    k->sub.known = !scr_outlets_are_due(w);
    k->sub.opens = next_opening(w);
    return !k->sub.known;
}

// of those in k->find.rows, which are not clumps
static size_t find_among_awake(const ns_work *k, const scr_world *w, uint32_t *rows, bool *lost)
{
    size_t found = 0;
    *lost = false;
    for (size_t n = 0; n < k->find.row_count; n++) {
        uint32_t i = k->find.rows[n];
        const double *x = w->bodies.place + 4 * (size_t)i;
        bool leaves = scr_outlet_of(w, i) >= 0;
        if (!leaves && scr_ns_is_outside(w, x))
            leaves = w->domain.delete_escaped && isfinite(x[0] + x[1] + x[2]), *lost |= !leaves;
        if (leaves) rows[found++] = i;
    }
    return found;
}

static size_t find_leaving(ns_work *k, const scr_world *w, uint32_t *rows, bool *lost)
{
    if (only_awake_leave(k, w)) return find_among_awake(k, w, rows, lost);
    k->sub.known = true;
    k->sub.opens = next_opening(w);
    return scr_bodies_leaving(w, rows, lost);
}

scree_status scr_ns_leave(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    bool lost;
    if (w->rigids.table.count && !scr_ns_free_release(k, w)) return scr_no_memory(report, "aggregates that split");
    // rows of the problem are those of a step
    leaving l = {.rows = k->problem.rows, .to = k->problem.moved};
    l.count = find_leaving(k, w, k->problem.rows, &lost);
    l.kept = w->bodies.table.count - l.count;
    choose_rows(&l);
    k->sub.leaving = false;
    k->contacts.count = k->contacts.on_wall_count = k->problem.row_count = 0; // those found before name other rows
    if (l.count && !take_out(k, w, &l)) return scr_no_memory(report, "grains that leave");
    return lost ? scr_bodies_look(w, report) : SCREE_OK;
}
