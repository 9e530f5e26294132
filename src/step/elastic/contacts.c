/* Groups of what is near (a grain with its cells, a cell with its walls, a pair of cells) are worked off in fixed
 * blocks, each by one thread and into a list of its own; forces, energies and the new table are then added contact by
 * contact. So nothing depends on the number of threads.
 *
 * A cell's face is flat: a grain on it has R* = its radius. Where no sphere takes part a cell counts with the radius of
 * the ball of its volume. A cell counts with its own mass. Normal and tangential forces of a contact act along one line
 * and at one point on both sides, so momentum and angular momentum are kept to round-off. Contacts of a grain with
 * cells and of corners with a plane have a potential. Where the overlap of two cells changes its shape the shares of
 * its corners change too, and that is not part of the force: such contacts make or lose a little energy, which the
 * ledger shows as closure. */
#include "step/elastic/contacts.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "exec/cpu/threads.h"
#include "math/elementary.h"

#define GROUPS 64 /* of a block */
#define MEET   64 /* contacts whose law is worked off together */

#define EACH(c, b) (elastic_contact *c = elastic_first(b); c < elastic_end(b); c = elastic_next(c))

/* ---- one contact ---- */

static size_t hull_of(const elastic_contacts *e, int32_t cell)
{
    return (size_t)e->pairs.hulls.of_cell[cell];
}

static const scr_law *law_of(const scr_world *w, const scr_cell_touch *t)
{
    int first =
        t->kind == SCR_MEET_GRAIN_CELL ? w->bodies.material[t->body] : w->solids[w->cells.solid[t->first]].material;
    int second =
        t->kind == SCR_MEET_CELL_WALL ? w->faces[t->second].material : w->solids[w->cells.solid[t->second]].material;
    return scr_world_law(w, first, second);
}

// sizes, and how the two turn against each other
static void measure(const elastic_contacts *e, const scr_cell_touch *t, elastic_meeting *m)
{
    const scr_world *w = e->finder.world;
    const scr_cells *c = &w->cells;
    const scr_hull_places *p = &e->places;
    size_t near = hull_of(e, t->side[0].cell);
    vec3 spin = t->ended ? scr_cell_spin(c, (size_t)t->side[0].cell) : p->spin[near];
    m->law = law_of(w, t);
    m->spin = spin;
    m->turning = v3(0, 0, 0);
    m->inverse_mass = c->velocity[4 * (size_t)t->side[0].cell + 3];
    m->inverse_inertia = p->inverse[near];
    double curvature = 1 / p->ball[near];
    if (t->kind == SCR_MEET_GRAIN_CELL) {
        size_t i = t->body;
        vec3 own = v3_load(w->bodies.spin + 4 * i);
        double radius = w->bodies.place[4 * i + 3];
        m->spin = v3_sub(own, spin);
        m->turning = v3_scale(t->ended ? radius : radius - 0.5 * t->overlap, own);
        m->inverse_mass += w->bodies.motion[4 * i + 3];
        m->inverse_inertia += w->bodies.spin[4 * i + 3];
        curvature = 1 / radius;
    } else if (t->kind == SCR_MEET_CELL_WALL) {
        m->spin = v3_sub(spin, w->walls[w->faces[t->second].wall].spin);
    } else {
        size_t other = (size_t)t->side[1].cell, far = hull_of(e, t->side[1].cell);
        m->spin = v3_sub(spin, t->ended ? scr_cell_spin(c, other) : p->spin[far]);
        m->inverse_mass += c->velocity[4 * other + 3];
        m->inverse_inertia += p->inverse[far];
        curvature += 1 / p->ball[far];
    }
    m->radius = 1 / curvature;
}

// whether what measure() finds of a contact is that of the one before it
static bool is_alike(const scr_cell_touch *t, const scr_cell_touch *before)
{
    return t->kind == SCR_MEET_CELL_CELL && before->kind == t->kind && !t->ended && !before->ended &&
           before->first == t->first && before->second == t->second;
}

// `before`: that of the same two cells, or NULL
static void prepare(const elastic_contacts *e, const scr_cell_touch *t, const elastic_meeting *before,
                    elastic_meeting *m)
{
    if (before) {
        m->law = before->law, m->spin = before->spin, m->turning = before->turning, m->radius = before->radius;
        m->inverse_mass = before->inverse_mass, m->inverse_inertia = before->inverse_inertia;
    } else {
        measure(e, t, m);
    }
    m->normal = t->normal, m->normal_half = t->normal_half, m->velocity = t->velocity;
    m->overlap = t->overlap, m->ended = t->ended;
    const scr_cell_contacts *old = &e->finder.world->cell_contacts;
    m->was = t->row >= 0 && old->touches[t->row];
    memset(m->history, 0, sizeof m->history), memset(m->wide, 0, sizeof m->wide);
    if (!m->was) return;
    memcpy(m->history, old->history + 4 * t->row, sizeof m->history);
    memcpy(m->wide, old->wide + 4 * t->row, sizeof m->wide);
}

// what a contact does, by its share
static void conclude(const elastic_meeting *m, elastic_contact *c)
{
    double share = c->touch.share;
    c->touches = m->touches;
    c->force = v3_scale(share, m->force);
    c->couple = v3_scale(share, m->couple);
    c->normal = m->touches ? v3_dot(c->force, c->touch.normal) : 0;
    c->sums = (elastic_contact_sums){.damping = share * m->sums[0],
                                     .friction = share * m->sums[1],
                                     .rolling = share * m->sums[2],
                                     .elastic_normal = share * m->sums[3],
                                     .elastic_tangential = share * m->sums[4],
                                     .elastic_rolling = share * m->sums[5],
                                     .excess_damping = share * m->sums[6],
                                     .excess_rolling = share * m->sums[7]};
    c->stored = m->touches ? c->sums.elastic_normal : 0;
    memcpy(c->history, m->history, sizeof c->history);
    memcpy(c->wide, m->wide, sizeof c->wide);
}

static bool is_kept(const elastic_contact *c)
{
    return c->touches || (!c->touch.ended && c->touch.offset > 0);
}

// the largest overlap that a contact may have [m]
static double most_overlap(const elastic_contacts *e, const scr_cell_touch *t)
{
    if (t->kind != SCR_MEET_GRAIN_CELL) return e->places.ball[hull_of(e, t->side[0].cell)];
    return e->finder.world->bodies.place[4 * (size_t)t->body + 3];
}

/* ---- blocks of groups ---- */

// finds the contacts of group g: grains first, then walls, then pairs of cells
static int find(const elastic_contacts *e, size_t g, scr_cell_touch *touches)
{
    const scr_cell_pairs *p = &e->pairs;
    if (g < p->grains.count) return scr_cell_touch_grain(&e->finder, g, touches);
    g -= p->grains.count;
    if (g < p->walls.count) return scr_cell_touch_walls(&e->finder, g, touches);
    g -= p->walls.count;
    return scr_cell_touch_cells(&e->finder, e->first_pair[g], p->cells.items[g], &e->parting[g], touches);
}

/* Contacts of a block whose law is still to be worked off: the last of its items. */
typedef struct {
    elastic_meeting meeting[MEET];
    size_t from; // the first of them, in bytes
    size_t count;
} waiting;

static void work_off(const elastic_contacts *e, elastic_contact_block *b, waiting *w)
{
    e->loops->meet(w->meeting, w->count, e->dt, e->opening);
    elastic_contact *c = (elastic_contact *)(b->items + w->from);
    for (size_t k = 0; k < w->count; k++, c = elastic_next(c)) {
        conclude(&w->meeting[k], c);
        b->kept += is_kept(c);
        b->deep |= c->touches && c->touch.overlap > most_overlap(e, &c->touch);
    }
    w->from = b->bytes, w->count = 0;
}

static bool append(elastic_contact_block *b, const scr_cell_touch *t)
{
    size_t end = b->bytes + elastic_contact_size(t);
    if (end > scr_room_of(b->items) && !scr_reserve(&b->items, 2 * end)) return false; // not often
    scr_cell_touch_copy(&((elastic_contact *)(b->items + b->bytes))->touch, t);
    b->bytes = end;
    return true;
}

static void work_block(void *context, size_t block)
{
    elastic_contacts *e = context;
    elastic_contact_block *b = &e->blocks[block];
    scr_cell_touch touches[2 * SCR_MOST_CELL_TOUCHES];
    waiting w;
    w.from = w.count = 0;
    b->bytes = b->kept = 0, b->deep = b->failed = false;
    size_t end = (block + 1) * GROUPS < e->group_count ? (block + 1) * GROUPS : e->group_count;
    for (size_t g = block * GROUPS; g < end; g++) {
        int n = find(e, g, touches);
        for (int k = 0; k < n && !b->failed; k++) {
            bool alike = k > 0 && w.count > 0 && is_alike(&touches[k], &touches[k - 1]);
            b->failed = !append(b, &touches[k]);
            prepare(e, &touches[k], alike ? &w.meeting[w.count - 1] : NULL, &w.meeting[w.count]);
            if (touches[k].row >= 0) e->visited[touches[k].row] = 1;
            if (++w.count == MEET) work_off(e, b, &w);
        }
        if (b->failed) return;
    }
    work_off(e, b, &w);
}

// whether cells of a row of the last evaluation are still of the hull, which another scene may have changed
static bool has_hulls(const elastic_contacts *e, size_t row)
{
    const scr_cell_contacts *old = &e->finder.world->cell_contacts;
    const int32_t *of_cell = e->pairs.hulls.of_cell;
    if (of_cell[old->first[row]] == SCR_NO_HULL) return false;
    return old->kind[row] == SCR_MEET_CELL_WALL || of_cell[old->second[row]] != SCR_NO_HULL;
}

// contacts whose partners are no longer near each other, as where a wall has gone
static bool end_others(elastic_contacts *e)
{
    const scr_cell_contacts *old = &e->finder.world->cell_contacts;
    elastic_contact_block *b = &e->blocks[e->block_count - 1];
    for (size_t row = 0; row < old->table.count; row++) {
        if (e->visited[row] || !old->touches[row] || old->kind[row] == SCR_MEET_GRAIN_CELL) continue;
        if (!has_hulls(e, row)) continue;
        scr_cell_touch t;
        elastic_meeting m;
        size_t at = b->bytes;
        scr_cell_touch_over(&e->finder, row, &t);
        if (!append(b, &t)) return false;
        prepare(e, &t, NULL, &m);
        e->loops->meet(&m, 1, e->dt, e->opening);
        conclude(&m, (elastic_contact *)(b->items + at));
    }
    return true;
}

/* ---- forces to cells ---- */

static void add_to(double *row, vec3 force, vec3 torque)
{
    v3_store(row, v3_add(v3_load(row), force));
    v3_store(row + 4, v3_add(v3_load(row + 4), torque));
}

static double *cell_row(const elastic_contacts *e, int32_t cell)
{
    return e->cell_push + 8 * (size_t)e->pairs.hulls.of_cell[cell];
}

static void scatter_grain(const elastic_contacts *e, const elastic_contact *c, size_t group)
{
    const scr_cell_touch *t = &c->touch;
    vec3 along = v3_axpy(c->force, -c->normal, t->normal);
    vec3 on_grain = along;
    for (int k = 0; k < t->side_count; k++) {
        const scr_cell_side *side = &t->side[k];
        vec3 press = v3_scale(-c->normal, side->push);
        vec3 drag = v3_scale(-side->grip, along);
        // the normal force acts on a line through the grain's centre
        vec3 torque = v3_add(v3_cross(v3_sub(side->arm, t->point), press), v3_cross(side->arm, drag));
        torque = v3_axpy(torque, c->normal, side->twist);
        on_grain = v3_sub(on_grain, press);
        if (k == 0) torque = v3_sub(torque, c->couple);
        add_to(cell_row(e, side->cell), v3_add(press, drag), torque);
    }
    add_to(e->grain_push + 8 * group, on_grain, v3_add(v3_cross(t->point, along), c->couple));
}

static void scatter_cells(const elastic_contacts *e, const elastic_contact *c)
{
    const scr_world *w = e->finder.world;
    const scr_cell_touch *t = &c->touch;
    vec3 back = v3_scale(-1, c->force);
    add_to(cell_row(e, t->side[0].cell), c->force, v3_add(v3_cross(t->side[0].arm, c->force), c->couple));
    if (t->kind == SCR_MEET_CELL_CELL) {
        add_to(cell_row(e, t->side[1].cell), back, v3_sub(v3_cross(t->side[1].arm, back), c->couple));
        return;
    }
    int number = w->faces[t->second].wall;
    const scr_wall *wall = &w->walls[number];
    vec3 at = v3_add(scr_cell_centre(&w->cells, (size_t)t->first), t->point);
    vec3 torque = v3_sub(v3_cross(v3_sub(at, scr_wall_reference(wall)), back), c->couple);
    scr_exact *on = e->wall_push + 6 * (size_t)number;
    for (int d = 0; d < 3; d++) on[d] += scr_exact_of((&back.x)[d]), on[3 + d] += scr_exact_of((&torque.x)[d]);
}

// one rank of those that know a contact counts it
static bool counts_here(const scr_world *w, const scr_cell_touch *t)
{
    if (t->kind != SCR_MEET_GRAIN_CELL) return scr_share_owns_cell(w->share, (size_t)t->first);
    return t->body >= w->bodies.low && t->body < scr_bodies_end(&w->bodies);
}

static void note(elastic_contacts *e, const elastic_contact *c)
{
    const elastic_contact_sums *s = &c->sums;
    e->books[e->book_count++] = (elastic_book){
        c->touch.first,
        c->touch.kind,
        {s->elastic_normal, s->elastic_tangential, s->elastic_rolling, s->excess_damping, s->excess_rolling}};
}

// all that a row has
static void store(scr_cell_contacts *to, const elastic_contact *c)
{
    const scr_cell_touch *t = &c->touch;
    size_t n = to->table.count++;
    to->first[n] = t->first, to->kind[n] = t->kind, to->second[n] = t->second;
    to->feature[2 * n] = t->feature[0], to->feature[2 * n + 1] = t->feature[1];
    to->touches[n] = c->touches;
    memcpy(to->history + 4 * n, c->history, sizeof c->history);
    memcpy(to->wide + 4 * n, c->wide, sizeof c->wide);
    v3_store(to->normal + 4 * n, t->normal), to->normal[4 * n + 3] = t->share;
    v3_store(to->place + 4 * n, t->point), to->place[4 * n + 3] = t->offset;
    to->stored[n] = c->stored;
}

// ranks agree on which one counts a contact
static void count_contact(elastic_contacts *e, const scr_world *w, const elastic_contact *c)
{
    bool here = counts_here(w, &c->touch);
    if (w->share && is_kept(c)) e->mine[e->next.table.count] = here;
    if (c->touches && here) e->count++;
    if (w->share && c->touches && here) note(e, c);
}

// the group of grains whose number in the list of rows is wanted: blocks know groups in the order of ids
static scree_status scatter(elastic_contacts *e, scr_step *s, scree_report *report)
{
    scr_world *w = s->world;
    size_t kept = 0;
    for (size_t b = 0; b < e->block_count; b++) kept += e->blocks[b].kept;
    if (!scr_table_reserve(&e->next.table, kept) || !scr_reserve(&e->mine, w->share ? kept + 1 : 1) ||
        !scr_reserve(&e->books, w->share ? kept + 1 : 1))
        return scr_no_memory(report, "contacts of cells");
    e->next.table.count = 0, e->next.table.moves++, e->count = 0, e->book_count = 0, e->complete = false;
    size_t group = 0;
    for (size_t b = 0; b < e->block_count; b++)
        for
            EACH(c, &e->blocks[b])
            {
                count_contact(e, w, c);
                if (is_kept(c)) store(&e->next, c);
                if (!c->touches) continue;
                if (c->touch.kind != SCR_MEET_GRAIN_CELL) {
                    scatter_cells(e, c);
                    continue;
                }
                while (e->pairs.by_id[group].id != (uint64_t)c->touch.first) group++;
                scatter_grain(e, c, e->pairs.by_id[group].at);
            }
    scr_cell_contacts last = w->cell_contacts;
    w->cell_contacts = e->next;
    e->next = last;
    return SCREE_OK;
}

// which bodies touch, in words
static void name_partners(const scr_world *w, const scr_cell_touch *t, char *text, size_t size)
{
    const char *solid = w->solids[w->cells.solid[t->side[0].cell]].name;
    if (t->kind == SCR_MEET_GRAIN_CELL)
        snprintf(text, size, "grain %lld and cell %d of the solid %.60s", (long long)t->first, t->second, solid);
    else if (t->kind == SCR_MEET_CELL_WALL)
        snprintf(text, size, "cell %lld of the solid %.60s and the wall %.60s", (long long)t->first, solid,
                 w->walls[w->faces[t->second].wall].name);
    else
        snprintf(text, size, "cells %lld and %d (%.60s, %.60s)", (long long)t->first, t->second, solid,
                 w->solids[w->cells.solid[t->second]].name);
}

static scree_status check_overlaps(const elastic_contacts *e, const scr_step *s, scree_report *report)
{
    const scr_world *w = s->world;
    for (size_t b = 0; b < e->block_count; b++)
        for
            EACH(c, &e->blocks[b])
            {
                const scr_cell_touch *t = &c->touch;
                if (!e->blocks[b].deep) break;
                double most = most_overlap(e, t);
                if (!c->touches || t->overlap <= most) continue;
                char who[256];
                name_partners(w, t, who, sizeof who);
                vec3 x = scr_cell_centre(&w->cells, (size_t)t->side[0].cell);
                return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                                "step %lld, time %.9g s: %s overlap by %.4g m, more than %.4g m, near (%.6g, %.6g, "
                                "%.6g) m; a stiffer contact or a smaller step is needed",
                                (long long)w->clock.step, w->clock.time, who, t->overlap, most, x.x, x.y, x.z);
            }
    return SCREE_OK;
}

/* ---- the evaluation ---- */

// running numbers of pairs: whose first cell each has
static scree_status number_groups(elastic_contacts *e, const scr_world *w, scree_report *report)
{
    const scr_cell_pairs *p = &e->pairs;
    size_t pairs = p->cells.item_count;
    e->group_count = p->grains.count + p->walls.count + pairs;
    size_t blocks = e->group_count / GROUPS + 1;
    scree_status status = scr_reserve_all(
        report, "contacts of cells", SCR_ROOM(e->first_pair, pairs + 1), SCR_ROOM(e->parting, pairs + 1),
        SCR_ROOM(e->blocks, blocks), SCR_ROOM(e->grain_push, 8 * p->grains.count),
        SCR_ROOM(e->cell_push, 8 * p->hulls.count), SCR_ROOM(e->wall_push, 6 * (size_t)w->wall_count));
    if (status) return status;
    e->block_count = blocks;
    for (size_t k = 0; k < pairs; k++) e->parting[k] = -1;
    for (size_t k = 0; k < p->cells.count; k++)
        for (uint32_t n = p->cells.first[k]; n < p->cells.first[k + 1]; n++) e->first_pair[n] = p->cells.owner[k];
    return SCREE_OK;
}

static scree_status refresh(elastic_contacts *e, scr_step *s, scree_report *report)
{
    if (s->world->share) scr_elastic_contacts_join(e, s->world);
    scree_status status = scr_cell_pairs_build(&e->pairs, s->world, s->pairs.walls.extents, report);
    if (!status) status = scr_hull_places_name(&e->places, &e->pairs, s->world, report);
    return status ? status : number_groups(e, s->world, report);
}

static bool has_cells(const scr_world *w, int material)
{
    for (int k = 0; k < w->solid_count; k++)
        if (w->solids[k].material == material) return true;
    return false;
}

// where the overlap of two cells changes its shape, the normal law must be one of the overlap alone
const scr_law_word *scr_elastic_refuses(const scr_world *w, int a, int b, const char **why)
{
    *why = "cells of an elastic solid cannot have; give it another normal law";
    const scr_law_word *word = scr_law_word_of("normal", (int)scr_world_law(w, a, b)->normal);
    bool on = w->solids_touch && (has_cells(w, a) || has_cells(w, b));
    return on && word->traits & SCR_WORD_REMEMBERS ? word : NULL;
}

scree_status scr_elastic_contacts_open(elastic_contacts *e, scr_step *s, const elastic_loops *loops,
                                       scree_report *report)
{
    const scr_world *w = s->world;
    e->on = w->solids_touch && w->cells.table.count > 0;
    if (!e->on) return SCREE_OK;
    e->loops = loops;
    e->complete = true;
    scr_cell_contacts_init(&e->next);
    e->finder = (scr_cell_finder){.world = w, .pairs = &e->pairs, .places = &e->places, .improved = true};
    if (!scr_wall_pairs_prepare(&s->pairs.walls, w)) return scr_no_memory(report, "walls");
    return refresh(e, s, report);
}

void scr_elastic_contacts_close(elastic_contacts *e)
{
    scr_cell_pairs_deinit(&e->pairs);
    scr_hull_places_deinit(&e->places);
    for (size_t b = 0; b < scr_room_of(e->blocks); b++) scr_free_all(e->blocks[b].items);
    scr_free_all(e->blocks, e->first_pair, e->parting, e->visited, e->grain_push, e->cell_push, e->wall_push);
    scr_free_all(e->mine, e->books);
    if (e->next.table.fields) scr_table_deinit(&e->next.table);
}

scree_status scr_elastic_contacts_forces(elastic_contacts *e, scr_step *s, double dt, double opening,
                                         scree_report *report)
{
    scr_world *w = s->world;
    if (!e->on) return SCREE_OK;
    if (w->share ? e->stale : scr_cell_pairs_stale(&e->pairs, w, s->pairs.walls.extents)) {
        scree_status status = refresh(e, s, report);
        if (status) return status;
    }
    size_t rows = w->cell_contacts.table.count;
    if (!scr_reserve(&e->visited, rows + 1)) return scr_no_memory(report, "contacts of cells");
    memset(e->visited, 0, rows + 1);
    scr_clear(e->grain_push, 8 * e->pairs.grains.count * sizeof(double));
    scr_clear(e->cell_push, 8 * e->pairs.hulls.count * sizeof(double));
    scr_clear(e->wall_push, 6 * (size_t)w->wall_count * sizeof *e->wall_push);
    e->dt = e->finder.dt = dt, e->opening = opening;
    scr_hull_places_update(&e->places, &e->pairs, w);
    scr_each(e->block_count, NULL, work_block, e);
    bool failed = !end_others(e);
    for (size_t b = 0; b < e->block_count; b++) failed |= e->blocks[b].failed;
    if (failed) return scr_no_memory(report, "contacts of cells");
    scree_status status = scatter(e, s, report);
    return status ? status : check_overlaps(e, s, report);
}

scree_status scr_elastic_contacts_renew(elastic_contacts *e, scr_step *s, scree_report *report)
{
    if (!e->on) return SCREE_OK;
    scree_status status = scr_hulls_build(&e->pairs.hulls, s->world, report);
    return status ? status : refresh(e, s, report);
}

void scr_elastic_contacts_push(const elastic_contacts *e, scr_world *w, size_t first, size_t end)
{
    const scr_hulls *h = &e->pairs.hulls;
    size_t low = 0, high = e->on ? h->count : 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((size_t)h->cell[middle] < first)
            low = middle + 1;
        else
            high = middle;
    }
    for (; e->on && low < h->count && (size_t)h->cell[low] < end; low++) {
        double *row = w->cells.load + 8 * (size_t)h->cell[low];
        for (int d = 0; d < 8; d++) row[d] += e->cell_push[8 * low + (size_t)d];
    }
}

double scr_elastic_contacts_strongest(const elastic_contacts *e)
{
    double most2 = 0;
    for (size_t b = 0; e->on && b < e->block_count; b++)
        for
            EACH(c, &e->blocks[b]) most2 = fmax(most2, v3_dot(c->force, c->force));
    return sqrt(most2);
}

size_t scr_elastic_contacts_grains(const elastic_contacts *e, uint32_t *rows)
{
    size_t count = 0;
    for (size_t b = 0; e->on && b < e->block_count; b++)
        for
            EACH(c, &e->blocks[b])
            {
                if (!c->touches || c->touch.kind != SCR_MEET_GRAIN_CELL) continue;
                if (rows) rows[count] = (uint32_t)c->touch.body;
                count++;
            }
    return count;
}

bool scr_elastic_contacts_touch(const elastic_contacts *e, char *text, size_t size)
{
    for (size_t b = 0; e->on && b < e->block_count; b++)
        for
            EACH(c, &e->blocks[b])
            {
                if (!c->touches) continue;
                name_partners(e->finder.world, &c->touch, text, size);
                return true;
            }
    return false;
}

void scr_elastic_contacts_add_up(const elastic_contacts *e, scr_step *s)
{
    scr_ledger *l = &s->world->ledger;
    if (!e->on) return;
    // contact by contact: blocks are others after a restart
    for (size_t b = 0; b < e->block_count; b++)
        for
            EACH(c, &e->blocks[b])
            {
                const elastic_contact_sums *sum = &c->sums;
                if (!counts_here(s->world, &c->touch)) continue;
                scr_total_add(&l->booked.damping, sum->damping);
                scr_total_add(&l->booked.friction, sum->friction);
                scr_total_add(&l->booked.rolling, sum->rolling);
                l->elastic_normal += sum->elastic_normal;
                l->elastic_tangential += sum->elastic_tangential;
                l->elastic_rolling += sum->elastic_rolling;
                l->excess_damping += sum->excess_damping;
                l->excess_rolling += sum->excess_rolling;
            }
    s->last.contacts += e->count;
}

void scr_elastic_contacts_owe(const elastic_contacts *e, scr_world *w)
{
    for (size_t b = 0; e->on && b < e->block_count; b++)
        for
            EACH(c, &e->blocks[b])
            {
                if (!counts_here(w, &c->touch)) continue;
                scr_total_add(&w->ledger.booked.damping, -c->sums.excess_damping);
                scr_total_add(&w->ledger.booked.rolling, -c->sums.excess_rolling);
            }
}

void scr_elastic_contacts_rows(const elastic_contacts *e, const scr_world *w, scr_contact_row *rows, size_t *count)
{
    for (size_t b = 0; e->on && b < e->block_count; b++)
        for
            EACH(c, &e->blocks[b])
            {
                const scr_cell_touch *t = &c->touch;
                if (!c->touches || t->kind != SCR_MEET_GRAIN_CELL || !counts_here(w, t)) continue;
                vec3 x = v3_load(w->bodies.place + 4 * (size_t)t->body);
                rows[(*count)++] = (scr_contact_row){.body = {(int32_t)t->body, scr_row_cell(w, t->second)},
                                                     .point = v3_add(x, t->point),
                                                     .normal = t->normal,
                                                     .branch = v3_scale(-1, t->point),
                                                     .force = c->force,
                                                     .couple = c->couple,
                                                     .overlap = t->overlap};
            }
}
