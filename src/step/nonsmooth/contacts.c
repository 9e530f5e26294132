/* Contacts at the positions of the step's beginning, with the impulses they had in the last step. Only rows that are
 * awake look around: what is part of an aggregate costs nothing. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "collide/pairs.h"
#include "collide/touch.h"
#include "step/nonsmooth/work.h"
#include "world/frame.h"

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "contacts");
}

/* ---- bodies in and out ---- */

scree_status ns_reserve(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    size_t n = s->world->bodies.table.count, words = n / 64 + 1;
    size_t rows = n + s->world->rigids.table.count;
    if (!scr_tiles_reserve(&k->space.cells, n) || !scr_frozen_reserve(&k->growth.frozen, n) ||
        !ns_rigids_reserve(k, s->world))
        return no_memory(report);
    return scr_reserve_all(report, "grains", SCR_ROOM(k->space.awake, words), SCR_ROOM(k->space.way, n),
                           SCR_ROOM(k->problem.slot, n), SCR_ROOM(k->problem.rows, n), SCR_ROOM(k->watch.rows, n),
                           SCR_ROOM(k->watch.watched, n), SCR_ROOM(k->problem.bodies, rows),
                           SCR_ROOM(k->problem.before, rows), SCR_ROOM(k->rigids.members, n));
}

static void set_awake(ns_work *k, uint32_t i, bool awake)
{
    uint64_t bit = 1ull << (i % 64);
    k->space.awake[i / 64] = awake ? k->space.awake[i / 64] | bit : k->space.awake[i / 64] & ~bit;
}

static bool is_awake(const ns_work *k, uint32_t i)
{
    return k->space.awake[i / 64] >> (i % 64) & 1;
}

static void grow_box(ns_frame *f, vec3 x)
{
    if (f->members == 1) f->low = f->high = x;
    for (int d = 0; d < 3; d++) {
        double at = (&x.x)[d], *low = &f->low.x + d, *high = &f->high.x + d;
        if (at < *low) *low = at;
        if (at > *high) *high = at;
    }
}

// whether a body of radius r at x (in the frame's coordinates) may touch a member; periodic axes have no box
static bool is_near(const ns_work *k, const ns_frame *f, vec3 x, double r, double way)
{
    double reach = (1 + k->set.near) * r + k->space.radius_max + k->set.margin + way;
    for (int d = 0; d < 3; d++) {
        double at = (&x.x)[d];
        if (k->space.cells.length[d] == 0 && (at < (&f->low.x)[d] - reach || at > (&f->high.x)[d] + reach))
            return false;
    }
    return true;
}

bool ns_place(ns_work *k, const scr_world *w, uint32_t i)
{
    const scr_bodies *b = &w->bodies;
    const double *x = b->place + 4 * (size_t)i;
    int frame = b->frame[i];
    if (ns_in_clump(w, i)) frame = SCR_FRAME_NONE; // it moves by itself
    bool member = frame != SCR_FRAME_NONE;
    bool awake = !member && b->motion[4 * (size_t)i + 3] > 0;
    set_awake(k, i, awake);
    if (!awake) k->space.way[i] = 0;
    if (member) k->space.frames[frame].members++;
    // what rests shares its cells with what is free
    if (!member || frame == SCR_FRAME_REST)
        return scr_tiles_enter(&k->space.cells, i, SCR_FRAME_NONE, v3_load(x), x[3]);
    vec3 at = v3_load(b->anchor + 4 * (size_t)i);
    grow_box(&k->space.frames[frame], at);
    return scr_tiles_enter(&k->space.cells, i, frame, at, x[3]);
}

void ns_displace(ns_work *k, const scr_world *w, uint32_t i)
{
    int frame = w->bodies.frame[i];
    if (frame != SCR_FRAME_NONE && !ns_in_clump(w, i)) k->space.frames[frame].members--;
    scr_tiles_leave(&k->space.cells, i, w->bodies.place[4 * (size_t)i + 3]);
    set_awake(k, i, false);
}

// grains that never move rest from the beginning
static void rest_frozen(const scr_world *w, size_t i)
{
    const scr_bodies *b = &w->bodies;
    const scr_group *group = &w->groups[b->group[i]];
    if (!group->frozen || group->drive.moves || b->frame[i]) return;
    b->frame[i] = SCR_FRAME_REST;
    memcpy(b->anchor + 4 * i, b->place + 4 * i, 4 * sizeof *b->anchor);
}

/* ---- impulses ---- */

const ns_memory *ns_recall(const ns_work *k, uint64_t key)
{
    size_t low = 0, high = k->contacts.memory_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (k->contacts.memory[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < k->contacts.memory_count && k->contacts.memory[low].key == key ? &k->contacts.memory[low] : NULL;
}

bool ns_is_within(const scr_world *w, uint32_t i, uint32_t j, bool *joins)
{
    int frame = w->bodies.frame[i];
    bool wall = j & NS_WALL;
    int face = wall ? (int)(j & ~NS_WALL) : -1;
    *joins = false;
    if (frame == SCR_FRAME_NONE || scr_frame_is_clump(w, frame)) return false;
    const scr_law *law =
        scr_world_law(w, w->bodies.material[i], wall ? w->faces[face].material : w->bodies.material[j]);
    bool sticks = law->kt > 0 && law->mu > 0;
    if (!wall) {
        *joins = sticks;
        return w->bodies.frame[j] == frame;
    }
    int carrier = w->faces[face].wall, own = ns_frame_of_wall(w, carrier);
    *joins = sticks && frame == own;
    // what is solved for feels the walls of others, and others its walls
    return frame == own || (scr_frame_rigid(w, frame) < 0 && !w->walls[carrier].carried);
}

static bool take_contacts(ns_work *k, scr_world *w)
{
    const scr_contacts *c = &w->contacts;
    if (!scr_reserve(&k->contacts.memory, c->table.count + 1)) return false;
    k->contacts.memory_count = 0;
    for (size_t n = 0; n < c->table.count; n++) {
        uint32_t i = (uint32_t)c->body[n];
        uint32_t j = c->partner[n] < 0 ? NS_WALL | (uint32_t)(-1 - c->partner[n]) : (uint32_t)c->partner[n];
        double sign = i < j ? 1 : -1;
        const double *h = c->history + 4 * n, *wide = c->wide + 8 * n;
        ns_memory m = {
            .key = ns_key(i, j), .ln = h[3], .lt = v3_scale(sign, v3_load(h)), .lr = v3_scale(sign, v3_load(wide))};
        scr_frozen_edge edge = {
            .end = {(uint32_t)(m.key >> 32), (uint32_t)m.key}, .ln = m.ln, .lt = m.lt, .lr = m.lr, .energy = wide[3]};
        if (c->partner[n] < 0 && !w->walls[w->faces[-1 - c->partner[n]].wall].active) continue;
        if (!ns_is_within(w, edge.end[0], edge.end[1], &edge.joins))
            k->contacts.memory[k->contacts.memory_count++] = m;
        else if (scr_frozen_add(&k->growth.frozen, &edge) == SCR_FROZEN_NONE)
            return false;
    }
    return scr_sort(&k->contacts.sorter, k->contacts.memory, k->contacts.memory_count, sizeof *k->contacts.memory,
                    scr_by_u64);
}

bool ns_recount(ns_work *k, scr_ledger *l)
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

scree_status ns_load(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    const scr_bodies *b = &w->bodies;
    scree_status status = ns_reserve(s, report);
    if (status) return status;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < b->table.count; i++) {
        low = fmin(low, b->place[4 * i + 3]);
        high = fmax(high, b->place[4 * i + 3]);
    }
    for (int n = 0; n < w->inlet_count; n++) {
        low = fmin(low, w->inlets[n].radius[0]);
        high = fmax(high, w->inlets[n].radius[1]);
    }
    if (!(high > 0)) low = high = 1;
    k->space.radius_min = low, k->space.radius_max = high;
    k->sub.held = 0;
    k->contacts.count = 0; // those found before name other rows
    if (!scr_tiles_init(&k->space.cells, &w->domain, low, high)) return no_memory(report);
    scr_clear(k->space.awake, scr_room_of(k->space.awake) * sizeof *k->space.awake);
    scr_clear(k->space.way, scr_room_of(k->space.way) * sizeof *k->space.way);
    scr_frozen_clear(&k->growth.frozen);
    for (int f = 0; f < k->space.frame_count; f++) k->space.frames[f].members = 0;
    for (uint32_t i = 0; i < b->table.count; i++) {
        if (!k->set.reduce && ns_is_member(w, i)) b->frame[i] = SCR_FRAME_NONE;
        rest_frozen(w, i);
        k->sub.held += b->frame[i] == SCR_FRAME_REST && b->motion[4 * (size_t)i + 3] == 0;
        // whether a clump leaves is known from its centre
        bool clump = scr_frame_is_clump(w, b->frame[i]);
        if (b->frame[i] && !ns_in_clump(w, i)) k->growth.frozen.level[i] = b->motion[4 * (size_t)i + 3] > 0;
        k->sub.leaving |= !clump && ns_is_outside(w, b->place + 4 * (size_t)i);
        if (!ns_place(k, w, i)) return no_memory(report);
    }
    k->space.placed = b->table.count;
    k->watch.on = false;
    ns_free_check(k, w);
    if (!take_contacts(k, w) || !scr_frozen_level_all(&k->growth.frozen, &k->split.pending)) return no_memory(report);
    return SCREE_OK;
}

scree_status ns_save(scr_step *s, scree_report *report)
{
    const ns_work *k = s->work;
    scr_contacts *c = &s->world->contacts;
    size_t count = k->contacts.memory_count + k->growth.frozen.count, n = 0;
    c->table.count = 0;
    if (!scr_table_reserve(&c->table, count)) return no_memory(report);
    scr_clear(c->wide, 8 * count * sizeof *c->wide);
    for (size_t m = 0; m < k->contacts.memory_count; m++, n++) {
        const ns_memory *from = &k->contacts.memory[m];
        uint32_t j = (uint32_t)from->key;
        c->body[n] = (int32_t)(from->key >> 32);
        c->partner[n] = j & NS_WALL ? -1 - (int32_t)(j & ~NS_WALL) : (int32_t)j;
        v3_store(c->history + 4 * n, from->lt);
        c->history[4 * n + 3] = from->ln;
        v3_store(c->wide + 8 * n, from->lr);
    }
    for (size_t m = 0; m < k->growth.frozen.used; m++) {
        const scr_frozen_edge *from = &k->growth.frozen.edges[m];
        if (from->end[0] == SCR_FROZEN_NONE) continue;
        uint32_t j = from->end[1];
        c->body[n] = (int32_t)from->end[0];
        c->partner[n] = j & NS_WALL ? -1 - (int32_t)(j & ~NS_WALL) : (int32_t)j;
        v3_store(c->history + 4 * n, from->lt);
        c->history[4 * n + 3] = from->ln;
        v3_store(c->wide + 8 * n, from->lr);
        c->wide[8 * n++ + 3] = from->energy;
    }
    c->table.count = n;
    return SCREE_OK;
}

/* ---- finding ---- */

static bool add_key(ns_work *k, uint64_t key)
{
    return scr_push(k->contacts.keys, k->contacts.key_count, key);
}

// the largest speed of what looks around for nothing and shares the cells of what is free
static double speed_of_groups(const scr_world *w)
{
    const scr_bodies *b = &w->bodies;
    double most = 0;
    for (int g = 0; g < w->group_count; g++)
        for (size_t i = 0; w->groups[g].drive.moves && i < b->table.count; i++)
            if (b->group[i] == g) most = fmax(most, v3_norm(v3_load(b->motion + 4 * i)));
    return most;
}

// A step moves grains by their velocities: what can meet in it must be known before. Speeds are those against the mean
// of all, so that a flow as a whole meets nobody; who is struck gets about as fast as who struck him. Against what does
// not look around, which is no part of the mean, it is the speed towards that (still_way).
void ns_measure_ways(ns_work *k, const scr_world *w, bool anew)
{
    const scr_bodies *b = &w->bodies;
    size_t words = b->table.count / 64 + 1;
    vec3 sum = v3(0, 0, 0);
    double count = 0;
    if (!k->set.ahead) return;
    k->space.group_speed = speed_of_groups(w);
    for (size_t word = 0; word < words; word++)
        for (uint64_t bits = k->space.awake[word]; bits; bits &= bits - 1, count++)
            sum = v3_add(sum, v3_load(b->motion + 4 * (size_t)ns_lowest(word, bits)));
    if (count == 0) return;
    vec3 mean = v3_scale(1 / count, sum);
    for (size_t word = 0; word < words; word++)
        for (uint64_t bits = k->space.awake[word]; bits; bits &= bits - 1) {
            size_t i = ns_lowest(word, bits);
            double way = fmin(k->sub.h * v3_norm(v3_sub(v3_load(b->motion + 4 * i), mean)), 2 * b->place[4 * i + 3]);
            k->space.way[i] = anew ? way : fmax(way, k->space.way[i]);
        }
}

// how far a body gets in a step against something of that velocity, at most its diameter
static double still_way(const ns_work *k, const scr_world *w, uint32_t i, vec3 velocity)
{
    if (!k->set.ahead) return 0;
    vec3 v = v3_sub(v3_load(w->bodies.motion + 4 * (size_t)i), velocity);
    return fmin(k->sub.h * v3_norm(v), 2 * w->bodies.place[4 * (size_t)i + 3]);
}

// the gap at which two bodies are looked at
static double margin_of(const ns_work *k, const scr_world *w, uint32_t i, uint32_t j)
{
    double r = fmin(w->bodies.place[4 * (size_t)i + 3], w->bodies.place[4 * (size_t)j + 3]);
    double way = k->space.way[i] + k->space.way[j];
    if (!is_awake(k, i) || !is_awake(k, j)) {
        uint32_t still = is_awake(k, j) ? i : j, other = still == j ? i : j;
        vec3 v = v3_load(w->bodies.motion + 4 * (size_t)still);
        way = fmax(way, still_way(k, w, other, v));
    }
    return k->set.margin + k->set.near * r + way;
}

// how far around itself a body looks for rows of a frame (SCR_FRAME_NONE: free ones and those that rest)
static double way_of(const ns_work *k, const scr_world *w, uint32_t i, int frame, vec3 velocity)
{
    double way = 2 * k->space.way[i];
    if (!k->set.ahead) return way;
    if (frame == SCR_FRAME_NONE && !k->space.frames[SCR_FRAME_REST].members && k->space.group_speed == 0) return way;
    double most = 2 * w->bodies.place[4 * (size_t)i + 3];
    return fmax(way, fmin(still_way(k, w, i, velocity) + k->sub.h * k->space.group_speed, most));
}

static bool is_close(const ns_work *k, const scr_world *w, const scr_images *images, uint32_t i, uint32_t j)
{
    const double *x = w->bodies.place + 4 * (size_t)i, *y = w->bodies.place + 4 * (size_t)j;
    double d2 = 0, reach = x[3] + y[3] + margin_of(k, w, i, j);
    for (int d = 0; d < 3; d++) {
        double gap = scr_nearest_image(images, d, y[d] - x[d]);
        d2 += gap * gap;
    }
    return d2 < reach * reach;
}

// of two that look around, the one that gets further finds
static bool finds(const ns_work *k, uint32_t i, uint32_t j)
{
    if (!is_awake(k, j)) return true;
    return k->space.way[i] == k->space.way[j] ? i < j : k->space.way[i] > k->space.way[j];
}

bool ns_near(ns_work *k, int frame, vec3 x, double r, size_t *count)
{
    while ((*count = scr_tiles_near(&k->space.cells, frame, x, r, k->space.near, scr_room_of(k->space.near))) >
           scr_room_of(k->space.near))
        if (!scr_reserve(&k->space.near, 2 * *count)) return false;
    return true;
}

// rows of a frame around body i
static bool look_around(ns_work *k, const scr_world *w, const scr_images *images, uint32_t i, int frame, vec3 x,
                        double way)
{
    double radius = w->bodies.place[4 * (size_t)i + 3];
    double r = radius + k->set.margin + k->set.near * radius + way;
    size_t n;
    if (!ns_near(k, frame, x, r, &n)) return false;
    for (size_t m = 0; m < n; m++) {
        uint32_t j = k->space.near[m];
        if (j == i || !finds(k, i, j) || !is_close(k, w, images, i, j)) continue;
        if (scr_world_apart(w, w->bodies.group[i], w->bodies.group[j])) continue;
        if (w->bodies.frame[i] && w->bodies.frame[i] == w->bodies.frame[j]) continue; // a clump
        if (!add_key(k, ns_key(i, j))) return false;
    }
    return true;
}

// whether a contact of a member with a wall matters: one of them is a part's, or the wall moves as prescribed, and
// the member does not move with it
static bool concerns(const scr_world *w, uint32_t i, uint32_t face)
{
    int frame = ns_frame_of_wall(w, w->faces[face].wall);
    return frame != w->bodies.frame[i] && (frame != SCR_FRAME_REST || ns_rigid(w, i) >= 0);
}

bool ns_find_walls(ns_work *k, scr_world *w, uint32_t i)
{
    bool member = ns_is_member(w, i) && !ns_in_clump(w, i);
    const double *x = w->bodies.place + 4 * (size_t)i;
    scr_touch touches[2 * SCR_MOST_TOUCHES];
    vec3 v = v3_load(w->bodies.motion + 4 * (size_t)i);
    double base = k->set.margin + (member ? 0 : k->set.near * x[3]), most = 2 * x[3];
    double ahead = member || !k->set.ahead ? 0 : k->sub.h;
    double margin = base + fmax(k->space.way[i], fmin(ahead * v3_norm(v), most));
    k->walls.finder.count = 0;
    if (!scr_walls_search(&k->walls.finder, &k->walls.pairs, w, i, x, margin + 0.02 * x[3])) return false;
    if (!k->walls.finder.count) return true;
    size_t n = k->walls.finder.count;
    if (!scr_wall_pairs_reserve(&k->walls.pairs, n, true)) return false;
    for (size_t m = 0; m < n; m++) {
        uint32_t face = k->walls.finder.found[m].face;
        const ns_memory *had = ns_recall(k, ns_key(i, NS_WALL | face));
        double *history = k->walls.pairs.history + 4 * m, *wide = k->walls.pairs.wide + 8 * m;
        memset(history, 0, 4 * sizeof *history);
        memset(wide, 0, 8 * sizeof *wide);
        k->walls.pairs.body[m] = i;
        k->walls.pairs.face[m] = face;
        k->walls.pairs.gap[m] = -INFINITY; // nobody may be passed over
        k->walls.pairs.law[m] = (uint16_t)(w->bodies.material[i] * w->material_count + w->faces[face].material);
        if ((k->walls.pairs.touch[m] = had != NULL)) {
            v3_store(history, had->lt);
            history[3] = had->ln;
            v3_store(wide, had->lr);
        }
    }
    scr_touch_options options = {.far_arm = true, .margin = margin};
    int count = scr_touches_find(w, &k->walls.pairs, 0, (uint32_t)n, options, touches);
    if (!scr_reserve(&k->walls.found, k->walls.count + (size_t)count)) return false;
    for (int m = 0; m < count; m++) {
        const scr_touch *t = &touches[m];
        uint32_t face = k->walls.pairs.face[t->pair];
        // what comes towards the wall, or may be pushed there
        double way = fmax(k->space.way[i], fmin(-ahead * v3_dot(v, t->normal), most));
        if (!(t->overlap > -(base + way))) continue;
        if (member && !concerns(w, i, face)) continue;
        const double *history = k->walls.pairs.history + 4 * (size_t)t->pair;
        k->walls.found[k->walls.count++] = (ns_on_wall){
            .contact = {.key = ns_key(i, NS_WALL | face),
                        .normal = v3_scale(-1, t->normal),
                        .overlap = t->overlap,
                        .law = &w->laws[k->walls.pairs.law[t->pair]]},
            .start = {
                .ln = history[3], .lt = v3_load(history), .lr = v3_load(k->walls.pairs.wide + 8 * (size_t)t->pair)}};
    }
    return true;
}

// least significant digit first; only digits that some key has
static bool sort_keys(ns_work *k)
{
    enum { BITS = 11, SIZE = 1 << BITS };
    static const int shifts[] = {0, 11, 22, 32, 43, 54};
    uint64_t any = 0;
    bool sorted = true;
    for (size_t n = 0; n < k->contacts.key_count; n++) {
        any |= k->contacts.keys[n];
        sorted &= !n || k->contacts.keys[n - 1] <= k->contacts.keys[n];
    }
    if (sorted) return true;
    if (!scr_reserve(&k->contacts.keys_aside, scr_room_of(k->contacts.keys))) return false;
    for (size_t d = 0; d < sizeof shifts / sizeof *shifts; d++) {
        uint64_t mask = shifts[d] == 22 ? (1 << 10) - 1 : SIZE - 1;
        if (!(any >> shifts[d] & mask)) continue;
        uint32_t start[SIZE + 1] = {0};
        for (size_t n = 0; n < k->contacts.key_count; n++) start[(k->contacts.keys[n] >> shifts[d] & mask) + 1]++;
        for (int n = 0; n < SIZE; n++) start[n + 1] += start[n];
        for (size_t n = 0; n < k->contacts.key_count; n++)
            k->contacts.keys_aside[start[k->contacts.keys[n] >> shifts[d] & mask]++] = k->contacts.keys[n];
        uint64_t *swap = k->contacts.keys;
        k->contacts.keys = k->contacts.keys_aside, k->contacts.keys_aside = swap;
    }
    return true;
}

static bool sort_walls(ns_work *k)
{
    return scr_sort(&k->contacts.sorter, k->walls.found, k->walls.count, sizeof *k->walls.found, scr_by_u64);
}

// geometry of a pair
static void measure(const scr_world *w, const scr_images *images, uint64_t key, ns_contact *c)
{
    uint32_t i = (uint32_t)(key >> 32), j = (uint32_t)key;
    const double *x = w->bodies.place + 4 * (size_t)i, *y = w->bodies.place + 4 * (size_t)j;
    double d[3];
    for (int n = 0; n < 3; n++) d[n] = scr_nearest_image(images, n, y[n] - x[n]);
    double distance = v3_norm(v3_load(d));
    *c = (ns_contact){.key = key,
                      .overlap = x[3] + y[3] - distance,
                      .law = scr_world_law(w, w->bodies.material[i], w->bodies.material[j])};
    c->normal = distance > 0 ? v3_scale(1 / distance, v3_load(d)) : v3(0, 0, 1);
}

void ns_measure(const scr_world *w, uint64_t key, ns_contact *c)
{
    scr_images images = scr_images_of(&w->domain);
    if (!(key & NS_WALL)) {
        measure(w, &images, key, c);
        return;
    }
    uint32_t i = (uint32_t)(key >> 32);
    int face = (int)(key & ~NS_WALL & 0xffffffffu);
    const double *x = w->bodies.place + 4 * (size_t)i;
    vec3 normal;
    double distance = scr_world_face_distance(w, face, v3_load(x), &normal);
    *c = (ns_contact){.key = key,
                      .normal = v3_scale(-1, normal),
                      .overlap = x[3] - distance,
                      .law = scr_world_law(w, w->bodies.material[i], w->faces[face].material)};
}

static void start_from(scr_pgs_contact *p, const ns_memory *m)
{
    p->ln = m ? m->ln : 0;
    p->lt = m ? m->lt : v3(0, 0, 0);
    p->lr = m ? m->lr : v3(0, 0, 0);
}

scree_status ns_gather(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    const scr_world *w = s->world;
    scr_images images = scr_images_of(&w->domain);
    size_t most = k->contacts.key_count + k->walls.count;
    if (!sort_keys(k) || !sort_walls(k) ||
        !scr_reserve_each(SCR_ROOM(k->contacts.all, most), SCR_ROOM(k->contacts.problem, most)))
        return no_memory(report);
    size_t n = 0, wall = 0, past = 0;
    for (size_t m = 0; m <= k->contacts.key_count; m++) {
        uint64_t key = m < k->contacts.key_count ? k->contacts.keys[m] : UINT64_MAX;
        for (; wall < k->walls.count && k->walls.found[wall].contact.key < key; wall++) {
            // found twice, when its body split off
            if (wall + 1 < k->walls.count && k->walls.found[wall + 1].contact.key == k->walls.found[wall].contact.key)
                continue;
            k->contacts.all[n] = k->walls.found[wall].contact;
            start_from(&k->contacts.problem[n++], &k->walls.found[wall].start);
        }
        if (m == k->contacts.key_count || (m && key == k->contacts.keys[m - 1])) continue;
        measure(w, &images, key, &k->contacts.all[n]);
        if (k->contacts.all[n].overlap <= -margin_of(k, w, (uint32_t)(key >> 32), (uint32_t)key)) continue;
        while (past < k->contacts.memory_count && k->contacts.memory[past].key < key) past++;
        bool had = past < k->contacts.memory_count && k->contacts.memory[past].key == key;
        start_from(&k->contacts.problem[n++], had ? &k->contacts.memory[past] : NULL);
    }
    k->contacts.count = n;
    return SCREE_OK;
}

static bool look_in_frames(ns_work *k, const scr_world *w, const scr_images *images, uint32_t i)
{
    const double *place = w->bodies.place + 4 * (size_t)i;
    vec3 x = v3_load(place);
    double way = way_of(k, w, i, SCR_FRAME_NONE, v3(0, 0, 0));
    if (!look_around(k, w, images, i, SCR_FRAME_NONE, x, way)) return false;
    for (int f = SCR_FRAME_REST + 1; f < k->space.frame_count; f++) {
        if (!k->space.frames[f].members || f == w->bodies.frame[i]) continue;
        vec3 at = pose_point_back(&k->space.frames[f].now, x);
        way = way_of(k, w, i, f, ns_frame_velocity(&k->space.frames[f], x));
        if (is_near(k, &k->space.frames[f], at, place[3], way) && !look_around(k, w, images, i, f, at, way))
            return false;
    }
    return true;
}

bool ns_look(ns_work *k, scr_world *w, uint32_t i)
{
    scr_images images = scr_images_of(&w->domain);
    if (!look_in_frames(k, w, &images, i)) return false;
    return !w->wall_count || ns_find_walls(k, w, i);
}

// groups that move as prescribed, for the members of aggregates that they run into
static bool look_from_groups(ns_work *k, const scr_world *w)
{
    scr_images images = scr_images_of(&w->domain);
    for (int g = 0; g < w->group_count; g++) {
        if (!w->groups[g].drive.moves) continue;
        for (uint32_t i = 0; i < w->bodies.table.count; i++) {
            if (w->bodies.group[i] != g) continue;
            if (!look_in_frames(k, w, &images, i)) return false;
        }
    }
    return true;
}

scree_status ns_detect(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    size_t words = w->bodies.table.count / 64 + 1;
    ns_measure_ways(k, w, true);
    k->contacts.key_count = k->walls.count = 0;
    for (size_t word = 0; word < words; word++)
        for (uint64_t bits = k->space.awake[word]; bits; bits &= bits - 1) {
            uint32_t i = ns_lowest(word, bits);
            if (!ns_look(k, w, i)) return no_memory(report);
        }
    if (k->growth.frozen.count && !(ns_look_from_walls(k, w) && ns_loads_look(k, w) && look_from_groups(k, w)))
        return no_memory(report);
    return ns_gather(s, report);
}

bool ns_remember(ns_work *k)
{
    if (!scr_reserve(&k->contacts.memory, k->contacts.count)) return false;
    k->contacts.memory_count = 0;
    for (size_t n = 0; n < k->contacts.count; n++) {
        const ns_contact *c = &k->contacts.all[n];
        const scr_pgs_contact *p = &k->contacts.problem[n];
        double sign = c->turned ? -1 : 1;
        if (!(p->ln > 0) || c->froze) continue;
        k->contacts.memory[k->contacts.memory_count++] =
            (ns_memory){.key = c->key, .ln = p->ln, .lt = v3_scale(sign, p->lt), .lr = v3_scale(sign, p->lr)};
    }
    return true;
}
