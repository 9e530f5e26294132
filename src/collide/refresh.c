/* Keeping the neighbour list true while bodies move: contacts survive wrapping, removal and
 * sorting. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "collide/bonds.h"
#include "collide/order.h"
#include "collide/pairs.h"
#include "kernel/contact.h"
#include "world/energy.h"

#define SHORTEST_LIFE 8 /* steps: a list that looks ahead shall last as long */

scree_status scr_pairs_save(const scr_pairs *p, scr_world *w, scree_report *report)
{
    size_t touching = 0;
    for (size_t k = 0; k < p->count; k++) touching += p->touch[k];
    for (size_t k = 0; k < p->walls.count; k++) touching += p->walls.touch[k];
    scr_contacts *c = &w->contacts;
    c->table.count = 0;
    if (!scr_table_reserve(&c->table, touching))
        return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for %zu contacts", touching);
    size_t n = 0;
    for (size_t k = 0; k < p->count; k++) {
        if (!p->touch[k]) continue;
        c->body[n] = (int32_t)p->first[k];
        c->partner[n] = (int32_t)p->second[k];
        if (c->wide) memcpy(c->wide + 8 * n, p->wide + 8 * k, 8 * sizeof *p->wide);
        memcpy(c->history + 4 * n++, p->history + 4 * k, 4 * sizeof *p->history);
    }
    for (size_t k = 0; k < p->walls.count; k++) {
        if (!p->walls.touch[k]) continue;
        c->body[n] = (int32_t)p->walls.body[k];
        c->partner[n] = -1 - (int32_t)p->walls.face[k];
        if (c->wide) memcpy(c->wide + 8 * n, p->walls.wide + 8 * k, 8 * sizeof *p->wide);
        memcpy(c->history + 4 * n++, p->walls.history + 4 * k, 4 * sizeof *p->history);
    }
    c->table.count = n;
    return SCREE_OK;
}

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
    // a clump is where its centre is
    int frame = w->bodies.frame[i];
    const double *x = scr_frame_is_clump(w, frame) ? w->rigids.centre + 4 * (size_t)scr_frame_rigid(w, frame)
                                                   : w->bodies.place + 4 * i;
    bool inside = true;
    for (int d = 0; d < 3; d++) inside &= w->domain.periodic[d] || (x[d] >= lower[d] && x[d] <= upper[d]);
    return inside;
}

static fate confine(scr_world *w, size_t i)
{
    const double lower[3] = {w->domain.lower.x, w->domain.lower.y, w->domain.lower.z};
    const double upper[3] = {w->domain.upper.x, w->domain.upper.y, w->domain.upper.z};
    double *x = w->bodies.place + 4 * i;
    if (!isfinite(x[0] + x[1] + x[2])) return NOT_FINITE;
    for (int d = 0; d < 3; d++)
        if (w->domain.periodic[d] && !wrap(&x[d], &w->bodies.image[4 * i + d], lower[d], upper[d] - lower[d]))
            return TOO_FAR;
    if (scr_outlet_of(w, i) >= 0) return TAKEN;
    return is_inside(w, i) ? STAYS : ESCAPED;
}

void scr_world_wrap(scr_world *w)
{
    for (size_t i = 0; i < w->bodies.table.count; i++) confine(w, i);
}

static scree_status report_body(const scr_world *w, size_t i, const char *what, const char *hint, scree_report *report)
{
    const double *x = w->bodies.place + 4 * i;
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "step %lld, time %.9g s: grain %lld %s, position (%.9g, %.9g, %.9g) m%s", (long long)w->clock.step,
                    w->clock.time, (long long)w->bodies.id[i], what, x[0], x[1], x[2], hint);
}

// a contact vanishes with a removed body: what its springs held is gone
static void release_contact(scr_world *w, size_t k)
{
    const scr_contacts *c = &w->contacts;
    size_t i = (size_t)c->body[k];
    const double *x = w->bodies.place + 4 * i;
    const double *h = c->history + 4 * k;
    double overlap;
    int other;
    if (c->partner[k] < 0) {
        int face = -1 - c->partner[k];
        vec3 normal;
        overlap = x[3] - scr_world_face_distance(w, face, v3_load(x), &normal);
        other = w->faces[face].material;
    } else {
        const double *y = w->bodies.place + 4 * (size_t)c->partner[k];
        scr_images images = scr_images_of(&w->domain);
        double d[3];
        for (int k3 = 0; k3 < 3; k3++) d[k3] = scr_nearest_image(&images, k3, x[k3] - y[k3]);
        overlap = x[3] + y[3] - v3_norm(v3_load(d));
        other = w->bodies.material[c->partner[k]];
    }
    const scr_law *law = scr_world_law(w, w->bodies.material[i], other);
    double mass = w->bodies.motion[4 * i + 3], curvature = 1 / x[3];
    if (c->partner[k] >= 0) {
        mass = scr_world_inverse_mass(w, i, (size_t)c->partner[k]);
        curvature += 1 / w->bodies.place[4 * (size_t)c->partner[k] + 3];
    }
    contact_history history = {.h = {h[0], h[1], h[2]}, .viscous = h[3]};
    if (c->wide) {
        const double *m = c->wide + 8 * k;
        history.roll = (rvec){m[0], m[1], m[2]}, history.twist = m[3], history.residual = m[5];
    }
    w->ledger.removed += contact_stored(law, overlap, mass, curvature, &history);
}

// energy that leaves with a body: in the middle of a step its velocity is that of the half step, and
// `ahead` of acceleration (with the forces of the last evaluation) is still to come
static double body_energy(const scr_world *w, size_t i, double ahead)
{
    const scr_bodies *b = &w->bodies;
    const double *v = b->motion + 4 * i, *f = b->load + 8 * i;
    if (v[3] == 0) return 0;
    vec3 a = v3_axpy(w->gravity, v[3], v3_load(f));
    vec3 full = v3_axpy(v3_load(v), ahead, a);
    return 0.5 * b->mass[i] * v3_dot(full, full) + scr_body_rotation(b, i) + scr_body_potential(w, i);
}

// contacts follow their bodies to their new rows, or vanish with them (UINT32_MAX)
static void renumber_contacts(scr_world *w, const uint32_t *new_row, bool springs)
{
    scr_contacts *c = &w->contacts;
    size_t n = 0;
    for (size_t k = 0; k < c->table.count; k++) {
        uint32_t a = new_row[c->body[k]];
        int64_t b = c->partner[k] < 0 ? c->partner[k] : (int64_t)new_row[c->partner[k]];
        if (a == UINT32_MAX || b == UINT32_MAX) {
            if (springs) release_contact(w, k);
            continue;
        }
        scr_contacts_copy(c, n, k);
        c->body[n] = (int32_t)a;
        c->partner[n++] = (int32_t)b;
    }
    c->table.count = n;
}

// the sort works in the arrays of the grid, which is about to be built anew
static bool borrow(scr_pairs *p, size_t count, scr_order *order)
{
    if (!scr_grid_reserve(&p->grid, count) ||
        !scr_memory_reserve(&p->sort_key, &p->sort_capacity, count, 0, sizeof *p->sort_key))
        return false;
    *order = (scr_order){{p->grid.cell_key, p->sort_key}, {p->grid.cell, p->grid.members}};
    return true;
}

// who leaves, with its energy; a clump is counted with the first of its spheres
static void book_leaving(scr_world *w, size_t i, int outlet, double ahead)
{
    int rigid = scr_frame_rigid(w, w->bodies.frame[i]);
    bool clump = scr_frame_is_clump(w, w->bodies.frame[i]), first = true;
    if (clump) {
        first = w->rigids.source[rigid] != SCR_RIGID_GONE;
        w->rigids.source[rigid] = SCR_RIGID_GONE;
    }
    if (clump && first)
        w->ledger.removed += scr_rigid_translation(&w->rigids, (size_t)rigid) +
                             scr_rigid_rotation(&w->rigids, (size_t)rigid) + scr_rigid_potential(w, (size_t)rigid);
    if (!clump) w->ledger.removed += body_energy(w, i, ahead);
    if (outlet < 0) {
        w->clock.removed_count += first;
    } else {
        w->outlets[outlet].count += first;
        w->outlets[outlet].mass += w->bodies.mass[i];
    }
}

// order[0] with the bodies that leave moved to its end; the number that stay
static size_t drop_leaving(scr_order *o, scr_world *w, double ahead)
{
    uint32_t *order = o->order[0], *gone = o->order[1];
    size_t n = w->bodies.table.count, kept = 0, lost = 0;
    for (size_t k = 0; k < n; k++) {
        size_t i = order[k];
        int outlet = scr_outlet_of(w, i);
        // where escape ends the run, who escaped stays for the person who will look
        if (outlet < 0 && (!w->domain.delete_escaped || is_inside(w, i))) {
            order[kept++] = order[k];
            continue;
        }
        gone[lost++] = order[k];
        scr_flows_pass(w, i);
        book_leaving(w, i, outlet, ahead);
    }
    scr_copy(order + kept, gone, lost * sizeof *order);
    return kept;
}

// bodies into the rows given by order[0], of which the first `kept` stay, contacts after them
static void apply_order(scr_order *o, scr_world *w, size_t kept, double ahead, bool springs)
{
    uint32_t *order = o->order[0], *new_row = o->order[1];
    memset(new_row, 0xff, w->bodies.table.count * sizeof *new_row);
    for (size_t k = 0; k < kept; k++) new_row[order[k]] = (uint32_t)k;
    renumber_contacts(w, new_row, springs);
    scr_bonds_renumber(w, new_row, 2 * ahead);
    scr_table_reorder(&w->bodies.table, order);
    w->bodies.table.count = kept;
    scr_rigids_drop(w);
}

// wraps and counts bodies outside; the first that may not be there is reported
static scree_status confine_all(scr_world *w, size_t *leaving, scree_report *report)
{
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < w->bodies.table.count; i++) {
        fate f = confine(w, i);
        if (f == NOT_FINITE && !status) status = report_body(w, i, "has a position that is not a number", "", report);
        if (f == TOO_FAR && !status)
            status = report_body(w, i, "has crossed the periodic domain too often to count", "", report);
        if (f == ESCAPED && !w->domain.delete_escaped && !status)
            status = report_body(w, i, "left the domain", "; with domain.boundary: delete it would be removed", report);
        *leaving += f == TAKEN || (f == ESCAPED && w->domain.delete_escaped);
    }
    return status;
}

// contacts with walls that are gone let go
static void drop_absent_walls(scr_world *w, bool springs)
{
    scr_contacts *c = &w->contacts;
    size_t n = 0;
    for (size_t k = 0; k < c->table.count; k++) {
        bool stays = c->partner[k] >= 0 || w->walls[w->faces[-1 - c->partner[k]].wall].active;
        if (stays)
            scr_contacts_copy(c, n++, k);
        else if (springs)
            release_contact(w, k);
    }
    c->table.count = n;
}

// how far cells may grow for the sake of the horizon: half a small grain, and no image may meet itself
static double room_to_sweep(const scr_world *w)
{
    const scr_bodies *b = &w->bodies;
    double small = INFINITY, large = 0;
    for (size_t i = 0; i < b->table.count; i++) {
        small = fmin(small, b->place[4 * i + 3]);
        large = fmax(large, b->place[4 * i + 3]);
    }
    double reach = w->clock.skin + scr_world_range(w, large), room = small + 0.5 * reach;
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    const double length[3] = {size.x, size.y, size.z};
    for (int d = 0; d < 3; d++)
        if (w->domain.periodic[d]) room = fmin(room, 0.5 * length[d] - 2 * large - reach);
    return room;
}

// the time until a body that goes on as it does is half the skin beyond an open side: it must be noticed
static double time_inside(const scr_world *w)
{
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    double slack = 0.5 * w->clock.skin, time = INFINITY;
    for (size_t i = 0; i < w->bodies.table.count; i++)
        for (int d = 0; d < 3; d++) {
            double x = w->bodies.place[4 * i + d], u = w->bodies.drift[4 * i + d];
            if (w->domain.periodic[d] || u == 0) continue;
            time = fmin(time, ((u > 0 ? upper[d] + slack : lower[d] - slack) - x) / u);
        }
    return time;
}

static double fastest_drift(const scr_bodies *b)
{
    double fastest2 = 0;
    for (size_t i = 0; i < b->table.count; i++) {
        vec3 u = v3_load(b->drift + 4 * i);
        fastest2 = fmax(fastest2, v3_dot(u, u));
    }
    return sqrt(fastest2);
}

// Bodies are expected to go on as they do. The horizon follows how long lists have lasted: longer while
// they reach it, little more than their life when bodies leave their slack before. In a box too small to
// look ahead for `least` bodies are expected to rest, and the slack alone decides.
static void set_anchors(scr_world *w, double least)
{
    scr_bodies *b = &w->bodies;
    scr_clock *c = &w->clock;
    size_t n = b->table.count;
    scr_copy(b->anchor, b->place, 4 * n * sizeof *b->anchor);
    for (size_t i = 0; i < n; i++) {
        memcpy(b->drift + 4 * i, b->motion + 4 * i, 3 * sizeof *b->drift);
        b->drift[4 * i + 3] = 0;
    }
    double life = c->time - c->listed;
    if (!(c->horizon > 0) || c->rebuilds <= 1)
        c->horizon = 32 * c->dt;
    else
        c->horizon = life > c->horizon ? 2 * c->horizon : fmax(1.25 * life, 4 * c->dt);
    c->listed = c->time;
    c->horizon = fmax(fmin(c->horizon, time_inside(w)), c->dt);
    double room = room_to_sweep(w), fastest = scr_fastest_relative(w);
    // walls are listed as far as a body gets: about its diameter
    if (w->wall_count) fastest = fmax(fastest, 0.5 * fastest_drift(b));
    if (fastest * c->horizon <= room) return;
    c->horizon = room / fastest;
    if (c->horizon >= least) return;
    scr_clear(b->drift, 4 * n * sizeof *b->drift);
    c->horizon = 1e6 * c->dt;
}

static double smallest_radius(const scr_bodies *b)
{
    double smallest = b->place[3];
    for (size_t k = 1; k < b->table.count; k++) smallest = fmin(smallest, b->place[4 * k + 3]);
    return smallest;
}

scree_status scr_bodies_tidy(scr_pairs *p, scr_world *w, scr_tidy how, scree_report *report)
{
    scr_bodies *b = &w->bodies;
    size_t n = b->table.count, leaving = 0;
    scree_status lost = confine_all(w, &leaving, report);
    drop_absent_walls(w, how.springs);

    // sorting also closes the gaps of removed bodies
    if (leaving || (n && how.sort)) {
        // by cells of the smallest body: the curve of coarser ones leaves those of a cell in any order
        double edge = 2 * smallest_radius(b) + w->clock.skin;
        scr_order order;
        if (!borrow(p, n, &order))
            return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory to sort %zu bodies", n);
        scr_order_morton(&order, &w->domain, b->place, n, edge);
        apply_order(&order, w, leaving ? drop_leaving(&order, w, how.ahead) : n, how.ahead, how.springs);
    }
    return lost;
}

// bodies into the domain and into order, then a new list; world->contacts must be current. After
// SCREE_E_RUN the list is whole all the same, so that the step can be finished and the state kept.
static scree_status renew(scr_pairs *p, scr_world *w, double ahead, double least, scree_report *report)
{
    scr_tidy how = {.sort = w->clock.rebuilds % SCR_SORT_EVERY == 0, .springs = true, .ahead = ahead};
    scree_status lost = scr_bodies_tidy(p, w, how, report);
    if (lost && lost != SCREE_E_RUN) return lost;
    w->clock.rebuilds++;

    set_anchors(w, least);
    for (int k = 0; k < w->wall_count; k++) w->walls[k].anchor = w->walls[k].pose;
    scree_status status = scr_pairs_build(p, w, report);
    return status ? status : lost;
}

scree_status scr_pairs_adopt(scr_pairs *p, scr_world *w, scree_report *report)
{
    return renew(p, w, 0, SHORTEST_LIFE * w->clock.dt, report);
}

scree_status scr_pairs_adopt_for(scr_pairs *p, scr_world *w, double span, scree_report *report)
{
    return renew(p, w, 0, span, report);
}

scree_status scr_pairs_refresh(scr_pairs *p, scr_world *w, scree_report *report)
{
    scree_status status = scr_pairs_save(p, w, report);
    return status ? status : renew(p, w, 0.5 * w->clock.dt, SHORTEST_LIFE * w->clock.dt, report);
}
