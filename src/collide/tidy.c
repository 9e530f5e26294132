/* Bodies brought back into their periodic domain, taken out where they leave, and sorted: contacts survive. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "collide/bonds.h"
#include "collide/box.h"
#include "collide/leaving.h"
#include "collide/order.h"
#include "collide/pairs.h"
#include "collide/save.h"
#include "collide/stay.h"
#include "comm/share.h"
#include "exec/cpu/threads.h"
#include "exec/reduce.h"
#include "kernel/contact.h"
#include "world/energy.h"
#include "world/outlets.h"

#define PARTS 64 /* that contacts and bodies are gone through in */

// a periodic coordinate back into the box, counting the crossings; false when there are more than
// can be counted
static bool wrap(double *x, int32_t *image, double lower, double length)
{
    double boxes = floor((*x - lower) / length);
    if (boxes == 0) return true;
    if (fabs(*image + boxes) > 1e9) return false;
    *x -= boxes * length;
    *image += (int32_t)boxes;
    // rounding may leave it exactly on the upper side
    if (*x >= lower + length) *x = lower, *image += 1;
    return true;
}

typedef enum { STAYS, TAKEN, ESCAPED, TOO_FAR, NOT_FINITE } fate; /* TAKEN: by an outlet */

static bool is_inside(const scr_world *w, size_t i)
{
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    vec3 at = scr_unit_place(w, i);
    const double *x = &at.x;
    bool inside = true;
    for (int d = 0; d < 3; d++) inside &= w->domain.periodic[d] || (x[d] >= lower[d] && x[d] <= upper[d]);
    return inside;
}

static bool is_finite(const scr_world *w, size_t i)
{
    const double *x = w->bodies.place + 4 * i;
    return isfinite(x[0] + x[1] + x[2]);
}

static fate fate_of(const scr_world *w, size_t i)
{
    if (!is_finite(w, i)) return NOT_FINITE;
    if (scr_outlet_of(w, i) >= 0) return TAKEN;
    return is_inside(w, i) ? STAYS : ESCAPED;
}

// back into the periodic domain; false when it has crossed too often
static bool wrap_body(scr_world *w, size_t i)
{
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    double *x = w->bodies.place + 4 * i;
    bool good = true;
    if (!is_finite(w, i) || w->domain.box.deforms) return true;
    for (int d = 0; d < 3 && good; d++)
        good = !w->domain.periodic[d] || wrap(&x[d], &w->bodies.image[4 * i + d], lower[d], upper[d] - lower[d]);
    return good;
}

static bool in_periodic(const scr_world *w, size_t i)
{
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    const double *x = w->bodies.place + 4 * i;
    bool in = true;
    for (int d = 0; d < 3; d++) in &= !w->domain.periodic[d] || (x[d] >= lower[d] && x[d] <= upper[d]);
    return in;
}

static void wrap_rows(void *world, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) wrap_body(world, i);
}

void scr_world_wrap(scr_world *w)
{
    scr_each_rows(w->bodies.table.count, wrap_rows, w);
}

/* A contact that vanishes: where it is, between what, and what it remembers. */
typedef struct {
    const scr_law *law;
    vec3 normal; /* from the second body or the wall to the first */
    double overlap, inverse_mass, curvature;
    contact_history history;
} ended;

static ended ended_of(const scr_world *w, size_t k)
{
    const scr_contacts *c = &w->contacts;
    size_t i = (size_t)c->row[2 * k];
    const double *x = w->bodies.place + 4 * i, *h = c->history + 4 * k;
    ended e = {.inverse_mass = w->bodies.motion[4 * i + 3],
               .curvature = 1 / x[3],
               .history = {.h = {h[0], h[1], h[2]}, .viscous = h[3]}};
    int other;
    int32_t partner = c->row[2 * k + 1];
    if (partner < 0) {
        int face = -1 - partner;
        e.overlap = x[3] - scr_world_face_distance(w, face, v3_load(x), &e.normal);
        other = w->faces[face].material;
    } else {
        size_t j = (size_t)partner;
        const double *y = w->bodies.place + 4 * j;
        double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
        const scr_images images = scr_images_of(&w->domain);
        scr_image_nearest(&images, d, NULL);
        double distance = v3_norm(v3_load(d));
        e.normal = v3_scale(1 / distance, v3_load(d));
        e.overlap = x[3] + y[3] - distance;
        e.inverse_mass = scr_world_inverse_mass(w, i, j);
        e.curvature += 1 / y[3];
        other = w->bodies.material[j];
    }
    e.law = scr_world_law(w, w->bodies.material[i], other);
    if (c->wide) {
        const double *m = c->wide + 8 * k;
        e.history.roll = (rvec){m[0], m[1], m[2]}, e.history.twist = m[3];
        e.history.residual = m[5];
    }
    return e;
}

// a body that stays does not feel the contact in its next half step: its force, and that of the tangential spring, less
// what dampers along the surface gave
static void unload(double *load, double radius, const ended *e, double sign)
{
    contact_options o = {.kind = CONTACT_ANY};
    contact_state c = {.n = {1, 0, 0},
                       .n_half = {1, 0, 0},
                       .delta = e->overlap,
                       .touch = -1,
                       .was = -1,
                       .inverse_mass = e->inverse_mass,
                       .radius = 1 / e->curvature};
    contact_sizes sizes = {.inverse_mass = 0};
    contact_sizes_update(&sizes, e->inverse_mass);
    contact_normal n = contact_normal_of(o, 0, &c, e->law, &sizes, e->history.residual);
    double kt = tangential_stiffness(e->law, n.radius);
    vec3 h = v3(e->history.h.x, e->history.h.y, e->history.h.z), along = v3_scale(-kt, h);
    vec3 force = v3_axpy(along, n.push - n.pull + e->history.viscous, e->normal);
    v3_store(load, v3_axpy(v3_load(load), -sign, force));
    vec3 twist = v3_scale(radius - 0.5 * e->overlap, v3_cross(e->normal, along));
    v3_store(load + 4, v3_add(v3_load(load + 4), twist));
}

static bool is_ghost(const scr_world *w, size_t i)
{
    return i < w->bodies.low || i >= scr_bodies_end(&w->bodies);
}

// a contact vanishes with a removed body: what its springs held is gone
static void release_contact(scr_world *w, size_t k, bool first_stays, bool second_stays)
{
    const scr_bodies *b = &w->bodies;
    ended e = ended_of(w, k);
    size_t i = (size_t)w->contacts.row[2 * k], j = (size_t)w->contacts.row[2 * k + 1];
    // the owner of the first body books it
    if (!is_ghost(w, i))
        scr_total_add(&w->ledger.booked.removed,
                      contact_stored(e.law, e.overlap, e.inverse_mass, e.curvature, &e.history));
    if (first_stays) unload(b->load + 8 * i, b->place[4 * i + 3], &e, 1);
    if (second_stays) unload(b->load + 8 * j, b->place[4 * j + 3], &e, -1);
}

static double body_energy(const scr_world *w, size_t i)
{
    const scr_bodies *b = &w->bodies;
    if (b->motion[4 * i + 3] == 0) return 0;
    return scr_body_translation(b, i) + scr_body_rotation(b, i) + scr_body_potential(w, i);
}

/* ---- contacts that vanish ---- */

/* With bodies that have no new row (UINT32_MAX), or, without new rows, with walls that are gone. */
typedef struct {
    scr_world *world;
    const uint32_t *new_row;
    uint32_t *gone;          /* their numbers, ascending */
    size_t start[PARTS + 1]; /* of each part of the contacts in it */
} vanishing;

static bool has_row(const vanishing *v, int32_t body)
{
    return body >= 0 && v->new_row[body] != UINT32_MAX;
}

static bool vanishes(const vanishing *v, size_t k)
{
    const scr_world *w = v->world;
    int32_t partner = w->contacts.row[2 * k + 1];
    if (!v->new_row) return partner < 0 && !w->walls[w->faces[-1 - partner].wall].active;
    return !has_row(v, w->contacts.row[2 * k]) || (partner >= 0 && !has_row(v, partner));
}

static void count_gone(void *context, size_t part)
{
    vanishing *v = context;
    size_t count = v->world->contacts.table.count, gone = 0;
    for (size_t k = count * part / PARTS, end = count * (part + 1) / PARTS; k < end; k++) gone += vanishes(v, k);
    v->start[part + 1] = gone;
}

static void note_gone(void *context, size_t part)
{
    const vanishing *v = context;
    size_t count = v->world->contacts.table.count, n = v->start[part];
    if (n == v->start[part + 1]) return;
    for (size_t k = count * part / PARTS, end = count * (part + 1) / PARTS; k < end; k++)
        if (vanishes(v, k)) v->gone[n++] = (uint32_t)k;
}

// drops them, with what their springs held; others take their places. False when memory is exhausted.
static bool drop_contacts(scr_pairs *p, scr_world *w, const uint32_t *new_row, bool springs)
{
    scr_contacts *c = &w->contacts;
    vanishing v = {.world = w, .new_row = new_row};
    scr_each(PARTS, NULL, count_gone, &v);
    for (int k = 0; k < PARTS; k++) v.start[k + 1] += v.start[k];
    size_t count = v.start[PARTS];
    if (count == 0) return true;
    if (!scr_reserve_kept(&p->row_entry, count, 0)) return false;
    v.gone = p->row_entry;
    scr_each(PARTS, NULL, note_gone, &v);
    for (size_t n = 0; n < count && springs; n++) {
        size_t k = v.gone[n];
        bool stays[2] = {new_row && has_row(&v, c->row[2 * k]), new_row && has_row(&v, c->row[2 * k + 1])};
        release_contact(w, k, stays[0], stays[1]);
    }
    for (size_t n = count; n-- > 0;) scr_table_copy(&c->table, v.gone[n], --c->table.count);
    return true;
}

static void renumber_rows(void *context, size_t from, size_t to)
{
    const vanishing *v = context;
    int32_t *row = v->world->contacts.row;
    for (size_t k = 2 * from; k < 2 * to; k++)
        if (row[k] >= 0) row[k] = (int32_t)v->new_row[row[k]];
}

/* ---- bodies that change their rows ---- */

// the sort works in the arrays of the grid, which is about to be built anew
static bool borrow(scr_pairs *p, size_t count, scr_order *order)
{
    if (!scr_grid_reserve(&p->grid, count) || !scr_reserve_kept(&p->sort_key, count, 0)) return false;
    // histories of the list are in world->contacts now: there is room in their array. While they stay, drifts give
    // theirs
    if (!p->stay && scr_room_of(p->history) < 4 * count &&
        !scr_reserve_kept(&p->sort_row, SCR_ORDER_ROW / sizeof *p->sort_row * count, 0))
        return false;
    *order = (scr_order){{p->grid.cell_key, p->sort_key}, {p->grid.cell, p->grid.members}};
    return true;
}

// what leaves, with its energy; a clump is counted with the first of its spheres
static void book_leaving(scr_world *w, size_t i, int outlet)
{
    int rigid = scr_carrier_rigid(w, w->bodies.carrier[i]);
    bool clump = scr_carrier_is_clump(w, w->bodies.carrier[i]), first = true;
    if (clump) {
        first = w->rigids.source[rigid] != SCR_RIGID_GONE;
        w->rigids.source[rigid] = SCR_RIGID_GONE;
    }
    if (clump && first)
        scr_total_add(&w->ledger.booked.removed, scr_rigid_translation(&w->rigids, (size_t)rigid) +
                                                     scr_rigid_rotation(&w->rigids, (size_t)rigid) +
                                                     scr_rigid_potential(w, (size_t)rigid));
    if (!clump) scr_total_add(&w->ledger.booked.removed, body_energy(w, i));
    if (w->share) {
        scr_share_note_left(w->share, (scr_leaver){scr_order_key(w, i), w->bodies.id[i], outlet, w->bodies.mass[i]});
    } else if (outlet < 0) {
        w->clock.removed_count += first;
    } else {
        w->outlets[outlet].count += first;
        w->outlets[outlet].mass += w->bodies.mass[i];
    }
}

/* Dividing the bodies, in the order of order[0], into those that stay and those that leave. */
typedef struct {
    const scr_world *world;
    scr_order *order;
    size_t kept[PARTS + 1]; /* before each part of them */
} dividing;

// where escape ends the run, the escaped body stays in the state that is written
static bool leaves(const scr_world *w, size_t i)
{
    return scr_outlet_of(w, i) >= 0 || (w->domain.delete_escaped && !is_inside(w, i));
}

static void count_kept(void *context, size_t part)
{
    dividing *l = context;
    size_t n = l->world->bodies.table.count, kept = 0;
    for (size_t k = n * part / PARTS, end = n * (part + 1) / PARTS; k < end; k++)
        kept += !leaves(l->world, l->order->order[0][k]);
    l->kept[part + 1] = kept;
}

static void divide_part(void *context, size_t part)
{
    const dividing *l = context;
    const uint32_t *order = l->order->order[0];
    uint32_t *out = l->order->order[1];
    size_t n = l->world->bodies.table.count, from = n * part / PARTS, end = n * (part + 1) / PARTS;
    size_t kept = l->kept[part], lost = l->kept[PARTS] + from - kept;
    for (size_t k = from; k < end; k++) out[leaves(l->world, order[k]) ? lost++ : kept++] = order[k];
}

// order[0] with the bodies that leave moved to its end; the number that stay
static size_t drop_leaving(scr_order *o, scr_world *w)
{
    dividing l = {.world = w, .order = o};
    scr_each(PARTS, NULL, count_kept, &l);
    for (int k = 0; k < PARTS; k++) l.kept[k + 1] += l.kept[k];
    scr_each(PARTS, NULL, divide_part, &l);
    scr_order_turn(o);
    for (size_t k = l.kept[PARTS]; k < w->bodies.table.count; k++) {
        size_t i = o->order[0][k];
        if (is_ghost(w, i)) continue;
        scr_flows_pass(w, i);
        book_leaving(w, i, scr_outlet_of(w, i));
    }
    return l.kept[PARTS];
}

// the next row from i on that is outside, the number of bodies when there is none: what is within the box needs no
// other look, unless it is a unit's
static size_t next_outside(const scr_world *w, size_t i)
{
    const double *x = w->bodies.place + 4 * i, *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    size_t end = w->bodies.table.count;
    for (bool units = w->rigids.table.count > 0; i < end; i++, x += 4) {
        bool within = x[0] >= lower[0] && x[0] <= upper[0] && x[1] >= lower[1] && x[1] <= upper[1] &&
                      x[2] >= lower[2] && x[2] <= upper[2];
        if ((units || !within) && !is_inside(w, i)) break;
    }
    return i;
}

size_t scr_bodies_leaving(const scr_world *w, uint32_t *rows, bool *lost)
{
    size_t count = 0, taken = scr_outlets_next(w, 0), outside = next_outside(w, 0);
    *lost = false;
    for (size_t i = taken < outside ? taken : outside; i < w->bodies.table.count;
         i = taken < outside ? taken : outside) {
        bool leaves = i == taken, inside = i != outside;
        if (!inside) outside = next_outside(w, i + 1);
        if (leaves)
            taken = scr_outlets_next(w, i + 1);
        else if (!inside)
            leaves = w->domain.delete_escaped && is_finite(w, i), *lost |= !leaves;
        if (leaves) rows[count++] = (uint32_t)i;
    }
    return count;
}

void scr_bodies_count_out(scr_world *w, const uint32_t *rows, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        scr_flows_pass(w, rows[k]);
        book_leaving(w, rows[k], scr_outlet_of(w, rows[k]));
    }
}

/* Where bodies go: the first `kept` of order[0] stay. */
typedef struct {
    scr_order *order;
    size_t kept;
} moving;

static void first_rows(void *context, size_t from, size_t to)
{
    const moving *m = context;
    for (size_t k = from; k < to; k++) m->order->order[0][k] = (uint32_t)k;
}

static void new_rows(void *context, size_t from, size_t to)
{
    const moving *m = context;
    const uint32_t *order = m->order->order[0];
    uint32_t *new_row = m->order->order[1];
    for (size_t k = from; k < to; k++) new_row[order[k]] = k < m->kept ? (uint32_t)k : UINT32_MAX;
}

// of SCR_ORDER_ROW bytes for each body; drifts and anchors are set anew before the list, and are scratch until then
static void *scratch_of(const scr_pairs *p, const scr_world *w)
{
    bool own = scr_room_of(p->sort_row) >= SCR_ORDER_ROW / sizeof *p->sort_row * w->bodies.table.count;
    return p->stay ? w->bodies.drift : own ? p->sort_row : p->history;
}

// bodies into the rows given by order[0], of which the first `kept` stay, contacts after them; false when memory is
// exhausted
static bool apply_order(scr_pairs *p, scr_order *o, scr_world *w, size_t kept, bool springs)
{
    scr_table *bodies = &w->bodies.table;
    uint32_t *new_row = o->order[1];
    scr_each_rows(bodies->count, new_rows, &(moving){o, kept});
    if (kept < bodies->count && !drop_contacts(p, w, new_row, springs)) return false;
    scr_each_rows(w->contacts.table.count, renumber_rows, &(vanishing){.world = w, .new_row = new_row});
    if (!scr_bonds_renumber(p, w, new_row)) return false;
    if (kept < bodies->count) scr_blocks_shorten(&w->blocks, new_row);
    if (p->stay && !scr_stay_move(p, w, new_row)) return false;
    scr_order_apply(o->order[0], bodies, scratch_of(p, w));
    bodies->count = kept;
    scr_rigids_drop(w);
    return true;
}

/* What became of the bodies: how many leave, and whether some may not be where they are. */
typedef struct {
    size_t leaving;
    bool lost;
} fates;

typedef struct {
    scr_world *world;
    scr_tidy how;
} confining;

static void confine_rows(void *context, size_t from, size_t to, void *part)
{
    const confining *c = context;
    scr_world *w = c->world;
    fates *all = part;
    for (size_t i = from; i < to; i++) {
        if (c->how.wrap) all->lost |= !wrap_body(w, i);
        fate f = c->how.leave ? fate_of(w, i) : is_finite(w, i) ? STAYS : NOT_FINITE;
        all->lost |= f == NOT_FINITE || (f == ESCAPED && !w->domain.delete_escaped);
        all->leaving += f == TAKEN || (f == ESCAPED && w->domain.delete_escaped);
    }
}

static void join_fates(void *all, const void *part)
{
    fates *a = all;
    const fates *b = part;
    a->leaving += b->leaving, a->lost |= b->lost;
}

// why a body may not be where it is, or NULL
static const char *loss_of(const scr_world *w, size_t i, scr_tidy how, const char **hint)
{
    fate f = fate_of(w, i);
    if (f == NOT_FINITE) return "has a position that is not a number";
    if (how.leave && f == ESCAPED && !w->domain.delete_escaped)
        return *hint = "; with domain.boundary: delete it would be removed", "left the domain";
    return how.wrap && !in_periodic(w, i) ? "has crossed the periodic domain too often to count" : NULL;
}

// the first that may not be where it is, by the rank that owns it; all ranks ask
static scree_status report_lost(const scr_world *w, scr_tidy how, scree_report *report)
{
    const char *what = NULL, *hint = "";
    size_t i = w->bodies.low, end = scr_bodies_end(&w->bodies);
    while (i < end && !(what = loss_of(w, i, how, &hint))) i++;
    uint64_t first = w->share ? w->share->first[w->share->comm->rank] : 0;
    double row = what ? (double)(first + i - w->bodies.low) : INFINITY, least = row;
    scr_share_least(w->share, &least, 1);
    if (!what || row != least) return least < INFINITY ? SCREE_E_RUN : SCREE_OK;
    const double *x = w->bodies.place + 4 * i;
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "step %lld, time %.9g s: grain %lld %s, position (%.9g, %.9g, %.9g) m%s", (long long)w->clock.step,
                    w->clock.time, (long long)w->bodies.id[i], what, x[0], x[1], x[2], hint);
}

static scree_status confine_all(scr_world *w, scr_tidy how, size_t *leaving, scree_report *report)
{
    fates all = {.lost = how.wrap && w->domain.box.deforms && !scr_box_wrap(w)};
    scr_reduce(w->bodies.table.count, confine_rows, join_fates, &(confining){w, how}, &all, sizeof all);
    *leaving = all.leaving;
    // ranks find out together which is the first
    return !all.lost ? SCREE_OK : w->share ? SCREE_E_RUN : report_lost(w, how, report);
}

scree_status scr_bodies_tidy(scr_pairs *p, scr_world *w, scr_tidy how, scree_report *report)
{
    scr_bodies *b = &w->bodies;
    size_t n = b->table.count, leaving = 0;
    scree_status lost = confine_all(w, how, &leaving, report);
    scr_order order;
    bool moves = leaving || (n && how.sort);
    if (!drop_contacts(p, w, NULL, how.springs) || !scr_blocks_extend(&w->blocks, n) ||
        (moves && !borrow(p, n, &order)))
        return scr_no_memory(report, "sorting %zu bodies", n);
    if (!moves) return lost;
    if (how.sort)
        moves = scr_order_morton(&order, w) || leaving;
    else
        scr_each_rows(n, first_rows, &(moving){&order, n});
    if (moves && !apply_order(p, &order, w, leaving ? drop_leaving(&order, w) : n, how.springs))
        return scr_no_memory(report, "sorting %zu bodies", n);
    // there is room, for they are not more than before; unless clumps make blocks shorter
    if (how.sort &&
        !scr_blocks_cut_units(&w->blocks, b->table.count, w->rigids.table.count ? scr_order_joined : NULL, w))
        return scr_no_memory(report, "sorting %zu bodies", n);
    return lost;
}

bool scr_bodies_sort(scr_pairs *p, scr_world *w, const uint32_t **new_row)
{
    size_t n = w->bodies.table.count;
    scr_order order;
    *new_row = NULL;
    if (!borrow(p, n, &order) || !scr_blocks_cut_units(&w->blocks, n, NULL, w)) return false;
    if (!scr_order_morton(&order, w)) return true;
    scr_each_rows(n, new_rows, &(moving){&order, n});
    *new_row = order.order[1];
    if (p->stay && !scr_stay_move(p, w, *new_row)) return false;
    scr_order_apply(order.order[0], &w->bodies.table, scratch_of(p, w));
    return true;
}

/* ---- a divided world ---- */

// rows change: rank 0 has all bodies for a moment, and each gets its part
static scree_status regroup(scr_pairs *p, scr_world *w, scr_tidy how, scree_report *report)
{
    scr_share *share = w->share;
    scree_status status = SCREE_OK;
    if (share->row) scr_share_gather_contacts(share, w); // else they are in the whole
    if (!share->renewed) scr_share_gather(share, w);
    if (share->whole) {
        if (!p->desk && !(p->desk = scr_memory_new(1, sizeof *p->desk)))
            return scr_share_must(share, scr_no_memory(report, "sorting"), report);
        status = scr_bodies_tidy(p->desk, share->whole, how, report);
        w->clock.removed_count = share->whole->clock.removed_count;
    }
    if (status != SCREE_E_RUN) scr_share_must(share, status, report);
    scr_share_scatter(share, w);
    return scr_share_agree(share, status);
}

// ghosts that leave, as their owners know too
static size_t count_leaving(const scr_world *w, size_t from, size_t to)
{
    size_t count = 0;
    for (size_t i = from; i < to; i++) count += leaves(w, i);
    return count;
}

// ghosts leave with the bodies that they are copies of
static scree_status tidy_part(scr_pairs *p, scr_world *w, scr_tidy how, scree_report *report)
{
    scr_bodies *b = &w->bodies;
    size_t low = 0, high = 0;
    how.sort = false;
    if (how.wrap) scr_world_wrap(w);
    if (how.leave) low = count_leaving(w, 0, b->low), high = count_leaving(w, scr_bodies_end(b), b->table.count);
    scree_status status = scr_bodies_tidy(p, w, how, report);
    if (status != SCREE_E_RUN) scr_share_must(w->share, status, report);
    b->low -= low, b->high -= high;
    status = scr_share_agree(w->share, status);
    return status == SCREE_E_RUN ? report_lost(w, how, report) : status;
}

scree_status scr_world_tidy(scr_pairs *p, scr_world *w, scr_tidy how, scree_report *report)
{
    scr_share *share = w->share;
    if (!share) return scr_bodies_tidy(p, w, how, report);
    if (how.leave && (share->renewed || w->bond_law_count)) return regroup(p, w, how, report);
    if (how.sort) scr_pairs_weigh(p, w);
    scree_status status = tidy_part(p, w, how, report);
    if (how.leave) scr_share_book_left(share, w, how.sort);
    if (how.sort) {
        scr_share_migrate(share, w, scr_order_key);
    } else {
        if (p->stay) scr_share_name(share, p->first, p->packed), scr_share_name(share, p->second, p->packed);
        scr_share_bare(share, w);
        if (how.leave) scr_share_shorten(share, w);
        if (how.recut) scr_share_recut(share, w);
    }
    return status;
}

/* ---- questions ---- */

// a diameter outside of a periodic domain
static bool is_astray(const scr_world *w, size_t i)
{
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    const double *x = w->bodies.place + 4 * i;
    bool astray = false;
    for (int d = 0; d < 3; d++)
        astray |= w->domain.periodic[d] && (x[d] < lower[d] - 2 * x[3] || x[d] > upper[d] + 2 * x[3]);
    return astray;
}

static void astray_rows(void *world, size_t from, size_t to, void *part)
{
    bool *astray = part;
    for (size_t i = from; i < to && !*astray; i++) *astray = is_astray(world, i);
}

static void leaving_rows(void *world, size_t from, size_t to, void *part)
{
    bool *leaves = part;
    for (size_t i = from; i < to && !*leaves; i++) *leaves = fate_of(world, i) != STAYS;
}

/* A question about rows, for those that are moved here. */
typedef struct {
    const scr_world *world;
    scr_reduce_part *rows;
} question;

static void own_rows(void *context, size_t from, size_t to, void *part)
{
    const question *q = context;
    size_t low = q->world->bodies.low;
    q->rows((void *)(uintptr_t)q->world, low + from, low + to, part);
}

static bool any(const scr_world *w, scr_reduce_part *rows)
{
    return scr_share_any(w->share, scr_reduce_any(scr_bodies_own(&w->bodies), own_rows, &(question){w, rows}));
}

bool scr_bodies_any_left(const scr_world *w)
{
    return any(w, leaving_rows);
}

bool scr_bodies_any_astray(const scr_world *w)
{
    return any(w, astray_rows);
}

scree_status scr_bodies_look(const scr_world *w, scree_report *report)
{
    return scr_bodies_any_left(w) ? report_lost(w, (scr_tidy){.leave = true}, report) : SCREE_OK;
}
