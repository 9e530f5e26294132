/* Free aggregates: grains that move as one and rest on nothing become a rigid body (Servin & Wang 2015, section 3.1,
 * with the spins that equations (9) and (10) leave out). With members i at d_i from the centre,
 *
 *   M V = sum m_i v_i,   I = sum (2/5 m_i r_i^2 + m_i [d_i]),   L = sum (2/5 m_i r_i^2 w_i + m_i d_i x v_i). (1)
 *
 * Members look around as free grains do; contacts among them are frozen. When some split off, those left that
 * still hang together, and are enough, are aggregates again, by (1) with the velocities they have. Aggregates are
 * rows of the world's rigid bodies; rows of those that are gone are used again, the first one first, so that
 * rows follow from the state alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "collide/pairs.h"
#include "step/nonsmooth/work.h"

static size_t least_of(const ns_work *k)
{
    return k->set.free_least > 2 ? (size_t)k->set.free_least : 2;
}

bool scr_ns_free_reserve(ns_work *k, const scr_world *w)
{
    size_t rigids = w->rigids.table.count + 1, bodies = w->bodies.table.count + 1;
    return scr_reserve_each(SCR_ROOM(k->rigids.touched, rigids), SCR_ROOM(k->rigids.expected, rigids),
                            SCR_ROOM(k->growth.joined, bodies), SCR_ROOM(k->growth.tree, bodies + rigids + 1),
                            SCR_ROOM(k->growth.tree_size, bodies + rigids + 1));
}

/* ---- rows ---- */

// the first row that is gone, or a new one, for which there is room
static size_t find_row(scr_world *w)
{
    scr_rigids *r = &w->rigids;
    for (size_t n = (size_t)w->part_count; n < r->table.count; n++)
        if (r->kind[n] == SCR_RIGID_AGGREGATE && ns_is_gone(w, n)) return n;
    return scr_rigid_add(r, SCR_RIGID_AGGREGATE, -1, v3(0, 0, 0), 1, v3(1, 1, 1), quat_one());
}

// room for so many more
static bool reserve_rows(ns_work *k, scr_world *w, size_t more)
{
    size_t count = w->rigids.table.count + more;
    if (!scr_table_reserve(&w->rigids.table, count)) return false;
    count += w->bodies.table.count;
    return scr_reserve(&k->problem.bodies, count) && scr_reserve(&k->problem.before, count);
}

// after rows were added; what the step has found out of the others is kept
static bool reserve_for_rows(ns_work *k, const scr_world *w)
{
    return scr_reserve(&k->rigids.inverse, w->rigids.table.count) && scr_ns_loads_reserve(k, w) &&
           scr_ns_free_reserve(k, w);
}

/* ---- making ---- */

// places of grains, the first one's image for all; false when they reach too far around a periodic box
static bool is_compact(const scr_world *w, const uint32_t *rows, size_t count)
{
    scr_images images = scr_images_of(&w->domain);
    const double *size = &w->domain.upper.x, *low = &w->domain.lower.x;
    const double *x = w->bodies.place + 4 * (size_t)rows[0];
    for (size_t n = 1; n < count; n++)
        for (int d = 0; d < 3; d++) {
            double way = scr_nearest_image(&images, d, w->bodies.place[4 * (size_t)rows[n] + d] - x[d]);
            if (w->domain.periodic[d] && fabs(way) > 0.25 * (size[d] - low[d])) return false;
        }
    return true;
}

static vec3 place_by(const scr_world *w, const scr_images *images, size_t i, const double *x)
{
    double at[3];
    for (int d = 0; d < 3; d++) at[d] = x[d] + scr_nearest_image(images, d, w->bodies.place[4 * i + d] - x[d]);
    return v3_load(at);
}

// (1) into a row of the rigid bodies; velocities are those of the grains
static void form(scr_world *w, size_t n, const uint32_t *rows, size_t count)
{
    scr_bodies *b = &w->bodies;
    scr_rigids *r = &w->rigids;
    scr_images images = scr_images_of(&w->domain);
    double origin[3], mass = 0, energy = 0;
    vec3 centre = v3(0, 0, 0), momentum = v3(0, 0, 0), turning = v3(0, 0, 0), moments, axes[3];
    memcpy(origin, b->place + 4 * (size_t)rows[0], sizeof origin);
    for (size_t m = 0; m < count; m++) {
        size_t i = rows[m];
        mass += b->mass[i];
        centre = v3_axpy(centre, b->mass[i], v3_sub(place_by(w, &images, i, origin), v3_load(origin)));
        momentum = v3_axpy(momentum, b->mass[i], v3_load(b->motion + 4 * i));
    }
    centre = v3_axpy(v3_load(origin), 1 / mass, centre);
    sym3 inertia = {0};
    for (size_t m = 0; m < count; m++) {
        size_t i = rows[m];
        double radius = b->place[4 * i + 3], own = 0.4 * b->mass[i] * radius * radius;
        vec3 d = v3_sub(place_by(w, &images, i, origin), centre), v = v3_load(b->motion + 4 * i);
        vec3 spin = v3_load(b->spin + 4 * i);
        inertia = sym3_add(inertia, sym3_point(b->mass[i], d));
        inertia = sym3_add(inertia, (sym3){.xx = own, .yy = own, .zz = own});
        turning = v3_axpy(v3_axpy(turning, own, spin), b->mass[i], v3_cross(d, v));
        energy += 0.5 * (b->mass[i] * v3_dot(v, v) + own * v3_dot(spin, spin));
    }
    sym3_principal(inertia, &moments, axes);
    quat turn = quat_of_axes(axes);
    for (size_t m = 0; m < count; m++) {
        size_t i = rows[m];
        vec3 d = v3_sub(place_by(w, &images, i, origin), centre);
        v3_store(b->anchor + 4 * i, quat_turn_back(turn, d));
        b->anchor[4 * i + 3] = b->place[4 * i + 3];
        b->carrier[i] = scr_carrier_of_rigid(w, (int)n);
    }
    v3_store(r->centre + 4 * n, centre);
    r->centre[4 * n + 3] = mass;
    v3_store(r->velocity + 4 * n, v3_scale(1 / mass, momentum));
    r->velocity[4 * n + 3] = 1 / mass;
    v3_store(r->inertia + 4 * n, moments);
    v3_store(r->momentum + 4 * n, turning);
    quat_store(r->turn + 4 * n, turn);
    memset(r->load + 8 * n, 0, 8 * sizeof *r->load);
    memset(r->image + 4 * n, 0, 4 * sizeof *r->image);
    r->source[n] = -1;
    w->ledger.merging += energy - scr_rigid_translation(r, n) - scr_rigid_rotation(r, n);
}

/* ---- merging ---- */

bool scr_ns_in_aggregate(const scr_world *w, uint32_t i)
{
    int rigid = ns_rigid(w, i);
    return rigid >= 0 && w->rigids.kind[rigid] == SCR_RIGID_AGGREGATE;
}

void scr_ns_free_update(const ns_work *k, scr_world *w, uint32_t i)
{
    scr_bodies *b = &w->bodies;
    size_t n = (size_t)ns_rigid(w, i);
    const scr_pgs_body *body = &k->problem.bodies[k->problem.row_count + n];
    vec3 arm = quat_turn(quat_load(w->rigids.turn + 4 * n), v3_load(b->anchor + 4 * (size_t)i));
    v3_store(b->motion + 4 * (size_t)i, v3_add(body->v, v3_cross(body->w, arm)));
    v3_store(b->spin + 4 * (size_t)i, body->w);
}

static uint32_t root_of(uint32_t *tree, uint32_t n)
{
    while (tree[n] != n) n = tree[n] = tree[tree[n]];
    return n;
}

// tree_size: grains of each root
static bool unite(ns_work *k, const scr_world *w)
{
    size_t nodes = k->problem.row_count + k->rigids.count;
    bool any = false;
    for (size_t n = 0; n < nodes; n++) k->growth.tree[n] = (uint32_t)n, k->growth.tree_size[n] = 0;
    for (size_t n = 0; n < k->contacts.count; n++) {
        const ns_contact *c = &k->contacts.all[n];
        if (!c->joins) continue;
        uint32_t a = scr_ns_node_of(k, w, ns_first(c)), b = scr_ns_node_of(k, w, ns_second(c));
        if (a == UINT32_MAX || b == UINT32_MAX) continue;
        a = root_of(k->growth.tree, a), b = root_of(k->growth.tree, b);
        if (a == b) continue;
        k->growth.tree[a > b ? a : b] = a > b ? b : a;
        any = true;
    }
    return any;
}

// all members of a component, which is of more than one node
static bool merge_component(ns_work *k, scr_world *w, uint32_t *rows, size_t count)
{
    size_t row = SIZE_MAX, fresh = 0;
    if (!is_compact(w, rows, count)) return true;
    if (!scr_sort(&k->contacts.sorter, rows, count, sizeof *rows, scr_by_u32)) return false;
    for (size_t m = 0; m < count; m++) {
        if (!scr_ns_in_aggregate(w, rows[m])) {
            k->rigids.members[k->rigids.member_count++] = rows[m];
            fresh++;
            continue;
        }
        size_t rigid = (size_t)ns_rigid(w, rows[m]);
        scr_ns_free_update(k, w, rows[m]);
        w->rigids.source[rigid] = SCR_RIGID_GONE;
        if (rigid < row) row = rigid;
    }
    if (row == SIZE_MAX) row = find_row(w);
    form(w, row, rows, count);
    w->tally.merges += (int64_t)fresh;
    return true;
}

bool scr_ns_free_merge(ns_work *k, scr_world *w)
{
    size_t nodes = k->problem.row_count + k->rigids.count, count = 0, members = k->rigids.member_count;
    bool ok = true;
    if (!k->set.free_least) return true;
    if (!scr_ns_free_reserve(k, w)) return false;
    if (!unite(k, w)) return true;
    if (!reserve_rows(k, w, k->problem.row_count / 2 + 1)) return false;
    // rows of components, one after the other; those of one node are left out
    for (size_t n = 0; n < k->problem.row_count; n++)
        if (ns_is_free(w, k->problem.rows[n])) k->growth.tree_size[root_of(k->growth.tree, (uint32_t)n)]++;
    for (size_t m = 0; m < members; m++)
        if (scr_ns_in_aggregate(w, k->rigids.members[m]))
            k->growth.tree_size[root_of(k->growth.tree, scr_ns_node_of(k, w, k->rigids.members[m]))]++;
    uint32_t *start = k->growth.tree_size;
    for (size_t n = 0; n < nodes; n++) {
        uint32_t size = start[n];
        start[n] = (uint32_t)count;
        count += size;
    }
    start[nodes] = (uint32_t)count;
    for (size_t n = 0; n < k->problem.row_count; n++)
        if (ns_is_free(w, k->problem.rows[n]))
            k->growth.joined[start[root_of(k->growth.tree, (uint32_t)n)]++] = k->problem.rows[n];
    for (size_t m = 0; m < members; m++)
        if (scr_ns_in_aggregate(w, k->rigids.members[m]))
            k->growth.joined[start[root_of(k->growth.tree, scr_ns_node_of(k, w, k->rigids.members[m]))]++] =
                k->rigids.members[m];
    // start has moved to the end of each; grains come before aggregates, so that a root which is an aggregate has
    // only such, and is to be left when it is alone
    for (size_t n = k->problem.row_count; n < nodes; n++) {
        uint32_t root = root_of(k->growth.tree, (uint32_t)n);
        if (root != n && root >= k->problem.row_count) k->rigids.touched[root - k->problem.row_count] = 1;
    }
    for (size_t n = 0, from = 0; n < nodes; from = start[n], n++) {
        size_t size = start[n] - from;
        if (size < least_of(k) || (n >= k->problem.row_count && !k->rigids.touched[n - k->problem.row_count])) continue;
        ok &= merge_component(k, w, k->growth.joined + from, size);
    }
    scr_clear(k->rigids.touched, k->rigids.count * sizeof *k->rigids.touched);
    return ok && reserve_for_rows(k, w);
}

size_t scr_ns_free_leave(ns_work *k, scr_world *w, uint32_t body, uint32_t *rows)
{
    scr_frozen *f = &k->growth.frozen;
    int carrier = w->bodies.carrier[body];
    size_t count = 0;
    w->rigids.source[ns_rigid(w, body)] = SCR_RIGID_GONE;
    for (size_t m = 0; m < k->rigids.member_count; m++)
        if (w->bodies.carrier[k->rigids.members[m]] == carrier) scr_ns_free_update(k, w, k->rigids.members[m]);
    rows[count++] = body;
    k->growth.frozen.level[body] = 0;
    for (size_t at = 0; at < count; at++)
        for (uint32_t e = f->first[rows[at]]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, rows[at])) {
            uint32_t other = scr_frozen_other(f, e, rows[at]);
            if (!f->edges[e].joins || (other & SCR_FROZEN_WALL) || w->bodies.carrier[other] != carrier ||
                f->level[other] >= 0)
                continue;
            f->level[other] = f->level[rows[at]] + 1;
            rows[count++] = other;
        }
    // no row is left behind
    for (size_t m = 0; m < k->rigids.member_count; m++) {
        uint32_t i = k->rigids.members[m];
        if (w->bodies.carrier[i] != carrier || f->level[i] >= 0) continue;
        f->level[i] = 1;
        rows[count++] = i;
    }
    // sums must not depend on how the graph came about
    return scr_sort(&k->contacts.sorter, rows, count, sizeof *rows, scr_by_u32) ? count : 0;
}

/* ---- splitting ---- */

// rows of an aggregate that hang together with rows[0], to the front; their number
static size_t component(ns_work *k, const scr_world *w, uint32_t *rows, size_t count)
{
    scr_frozen *f = &k->growth.frozen;
    int carrier = w->bodies.carrier[rows[0]];
    size_t found = 0;
    uint32_t *queue = k->growth.tree; // scratch
    queue[found++] = rows[0];
    f->level[rows[0]] = 0;
    for (size_t at = 0; at < found; at++)
        for (uint32_t e = f->first[queue[at]]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, queue[at])) {
            uint32_t other = scr_frozen_other(f, e, queue[at]);
            if (!f->edges[e].joins || (other & SCR_FROZEN_WALL) || w->bodies.carrier[other] != carrier ||
                f->level[other] >= 0)
                continue;
            f->level[other] = 0;
            queue[found++] = other;
        }
    // rows that were found go to the front, both in their order
    size_t kept = 0, left = 0;
    for (size_t n = 0; n < count; n++) {
        if (f->level[rows[n]] < 0)
            queue[found + left++] = rows[n];
        else
            rows[kept++] = rows[n];
    }
    scr_copy(rows + kept, queue + found, left * sizeof *rows);
    for (size_t n = 0; n < kept; n++) f->level[rows[n]] = -1;
    return kept;
}

static bool rebuild(ns_work *k, scr_world *w, uint32_t *rows, size_t count, size_t rigid)
{
    bool used = false;
    w->rigids.source[rigid] = SCR_RIGID_GONE;
    while (count) {
        size_t size = component(k, w, rows, count);
        if (size >= least_of(k)) {
            form(w, used ? find_row(w) : rigid, rows, size);
            used = true;
        } else {
            for (size_t n = 0; n < size; n++)
                if (!scr_ns_mark(k, w, rows[n]) || !scr_ns_set_free(k, w, rows[n])) return false;
        }
        rows += size, count -= size;
    }
    return true;
}

bool scr_ns_free_rebuild(ns_work *k, scr_world *w)
{
    size_t rigids = k->rigids.count, count = 0;
    bool any = false;
    k->growth.joined_count = 0;
    for (size_t n = 0; n < rigids && !any; n++) any = k->rigids.touched[n];
    if (!any) return true;
    if (!reserve_rows(k, w, k->rigids.member_count / 2 + 1)) return false;
    for (size_t n = 0; n < rigids; n++) {
        if (!k->rigids.touched[n]) continue;
        size_t from = count;
        for (size_t m = 0; m < k->rigids.member_count; m++)
            if (ns_rigid(w, k->rigids.members[m]) == (int)n) k->growth.joined[count++] = k->rigids.members[m];
        k->rigids.touched[n] = 0;
        if (!rebuild(k, w, k->growth.joined + from, count - from, n)) return false;
    }
    k->growth.joined_count = count;
    // contacts that joined nothing may be between two aggregates now
    for (size_t n = 0; n < count; n++)
        if (!scr_ns_thaw(k, w, k->growth.joined[n], true)) return false;
    return reserve_for_rows(k, w);
}

bool scr_ns_free_release(ns_work *k, scr_world *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->bodies.table.count; i++) {
        if (!scr_ns_in_aggregate(w, i)) continue;
        if (!scr_ns_is_outside(w, w->bodies.place + 4 * (size_t)i) && scr_outlet_of(w, i) < 0) continue;
        k->rigids.touched[ns_rigid(w, i)] = any = true;
    }
    if (!any) return true;
    k->split.thawed_count = k->split.lost_count = 0;
    if (!scr_reserve(&k->growth.queue, 64)) return false;
    for (uint32_t i = 0; i < w->bodies.table.count; i++) {
        if (!scr_ns_in_aggregate(w, i) || !k->rigids.touched[ns_rigid(w, i)]) continue;
        w->rigids.source[ns_rigid(w, i)] = SCR_RIGID_GONE;
        if (!scr_ns_set_free(k, w, i)) return false;
    }
    scr_clear(k->rigids.touched, w->rigids.table.count * sizeof *k->rigids.touched);
    return scr_ns_remember_thawed(k, &w->ledger);
}

void scr_ns_free_check(const ns_work *k, scr_world *w)
{
    scr_rigids *r = &w->rigids;
    for (uint32_t i = 0; i < w->bodies.table.count; i++)
        if (scr_ns_in_aggregate(w, i)) k->rigids.touched[ns_rigid(w, i)] = 1;
    for (size_t n = 0; n < r->table.count; n++) {
        if (r->kind[n] == SCR_RIGID_AGGREGATE && !k->rigids.touched[n]) r->source[n] = SCR_RIGID_GONE;
        k->rigids.touched[n] = 0;
    }
}

/* ---- trial ---- */

void scr_ns_free_expect(ns_work *k, const scr_world *w)
{
    const scr_bodies *b = &w->bodies;
    const scr_rigids *r = &w->rigids;
    scr_clear(k->rigids.expected, r->table.count * sizeof *k->rigids.expected);
    for (size_t n = 0; n < k->trial.near_count; n++) {
        size_t i = k->trial.near_rows[n];
        if (!scr_ns_in_aggregate(w, (uint32_t)i)) continue;
        size_t rigid = (size_t)ns_rigid(w, (uint32_t)i);
        const scr_pgs_body *body = &k->trial.bodies[k->problem.slot[i]];
        vec3 arm = quat_turn(quat_load(r->turn + 4 * rigid), v3_load(b->anchor + 4 * i));
        double own = 0.4 * b->mass[i] * b->place[4 * i + 3] * b->place[4 * i + 3];
        vec3 *sum = k->rigids.expected[rigid];
        sum[0] = v3_axpy(sum[0], b->mass[i], body->v);
        sum[1] = v3_axpy(v3_axpy(sum[1], own, body->w), b->mass[i], v3_cross(arm, body->v));
    }
    for (size_t n = (size_t)w->part_count; n < r->table.count; n++) {
        vec3 *sum = k->rigids.expected[n];
        sum[0] = v3_scale(r->velocity[4 * n + 3], sum[0]);
        sum[1] = sym3_times(scr_rigid_inverse_inertia(r, n), sum[1]);
    }
}

vec3 scr_ns_free_velocity(const ns_work *k, const scr_world *w, uint32_t i)
{
    size_t rigid = (size_t)ns_rigid(w, i);
    vec3 arm = quat_turn(quat_load(w->rigids.turn + 4 * rigid), v3_load(w->bodies.anchor + 4 * (size_t)i));
    return v3_add(k->rigids.expected[rigid][0], v3_cross(k->rigids.expected[rigid][1], arm));
}
