/* Contacts for the solver: geometry, the impulses they start from, rows, coefficients, targets and velocities, in one
 * pass over what was found; by drawers (find.c), which do not depend on each other.
 *
 * Of the continuous stage (Servin & Wang 2015, with the signs of docs/theory-nonsmooth.md)
 *
 *   0 <= n.u + S_n ln + b_n  perpendicular to  ln >= 0,   b_n = -(4/h) Y delta - Y n.u_before         (1)
 *   Y = 1/(1 + 4 tau/h),   S_n = 4 Y/(h^2 k)                                                          (2)
 *
 * For Hertz contacts, F = K delta^(3/2), the gap is delta^(5/4), and (1) is divided by its slope: 4/5 delta in b_n,
 * and 1/k = 4/(5 K delta^(1/2)). */
#include "base/buffer.h"
#include "collide/pairs.h"
#include "exec/reduce.h"
#include "kernel/contact.h"
#include "step/nonsmooth/joints.h"
#include "step/nonsmooth/springs.h"

/* ---- one contact ---- */

vec3 scr_ns_wall_velocity(const ns_work *k, const scr_world *w, int wall, vec3 point)
{
    const scr_wall *m = &w->walls[wall];
    vec3 lever = v3_sub(point, k->space.carriers[scr_carrier_of_wall(wall)].reference);
    return v3_add(m->velocity, v3_cross(m->spin, lever));
}

// velocity of a still body's point, and its spin
static void still_motion(const ns_work *k, const scr_world *w, const ns_contact *c, uint32_t body, vec3 point, vec3 *u,
                         vec3 *spin)
{
    int carrier = SCR_CARRIER_NONE;
    if (body & NS_WALL) {
        int wall = w->faces[ns_face(c)].wall;
        *u = scr_ns_wall_velocity(k, w, wall, point);
        *spin = w->walls[wall].spin;
        return;
    }
    carrier = w->bodies.carrier[body];
    if (carrier == SCR_CARRIER_NONE || ns_in_clump(w, body)) { // held, or seen from a trial
        const double *x = w->bodies.place + 4 * (size_t)body;
        *spin = v3_load(w->bodies.spin + 4 * (size_t)body);
        *u = v3_add(v3_load(w->bodies.motion + 4 * (size_t)body), v3_cross(*spin, v3_sub(point, v3_load(x))));
        return;
    }
    const ns_carrier *f = &k->space.carriers[carrier];
    *spin = f->spin;
    *u = v3_add(f->velocity, v3_cross(f->spin, v3_sub(point, f->reference)));
}

static double inverse_mass_of(const ns_work *k, const scr_world *w, const ns_contact *c, int end)
{
    uint32_t body = end ? ns_second(c) : ns_first(c);
    int rigid = c->general ? scr_ns_rigid_of(w, c, end) : -1;
    if (rigid >= 0) return 1 / k->rigids.loaded[rigid].mass;
    return body & NS_WALL ? 0 : w->bodies.motion[4 * (size_t)body + 3];
}

// the length in the bound of rolling torques
static double rolling_radius(const ns_work *k, double ra, double rb)
{
    if (rb == 0) return ra;
    return k->set.effective_radius ? ra * rb / (ra + rb) : ra < rb ? ra : rb;
}

void scr_ns_fill(const ns_work *k, const scr_world *w, ns_contact *c, uint32_t a, uint32_t b, scr_pgs_contact *p)
{
    uint32_t first = ns_first(c), second = ns_second(c);
    const scr_law *law = c->law;
    double ra = ns_radius(w, first), rb = ns_radius(w, second);
    c->turned = a == SCR_PGS_STILL;
    p->a = c->turned ? b : a;
    p->b = c->turned ? a : b;
    p->normal = c->turned ? v3_scale(-1, c->normal) : c->normal;
    p->arm[0] = c->turned ? rb : ra;
    p->arm[1] = c->turned ? ra : rb;
    if (c->general) {
        p->beside->u0 = p->beside->w0 = v3(0, 0, 0);
        p->beside->lever[0] = scr_ns_lever(k, w, c, c->turned);
        p->beside->lever[1] = scr_ns_lever(k, w, c, !c->turned);
    } else if (p->b != SCR_PGS_STILL) {
        p->beside = NULL;
    }
    if (p->b == SCR_PGS_STILL) {
        uint32_t body = c->turned ? first : second;
        uint32_t moving = c->turned ? second : first;
        bool wall = (body | moving) & NS_WALL;
        vec3 x = v3_load(w->bodies.place + 4 * (size_t)(moving & NS_WALL ? first : moving));
        // a grain's own surface, a wall's
        double reach = wall ? ra - c->overlap : p->arm[0];
        vec3 point = v3_axpy(x, reach, moving & NS_WALL ? c->normal : p->normal);
        still_motion(k, w, c, body, point, &p->beside->u0, &p->beside->w0);
        p->arm[1] = 0;
    }
    double length = rolling_radius(k, ra, rb);
    p->mu = law->kt > 0 ? law->mu : 0;
    // without friction there is no rolling resistance either
    p->roll = p->mu > 0 ? rolling_limit(law, length) : 0;
    p->twist = 0;
    if (law->twisting != SCR_TWISTING_NONE)
        p->twist = twisting_limit(law, length, hertz_radius(length, c->overlap > 0 ? c->overlap : 0));
    if (c->turned) p->lt = v3_scale(-1, p->lt), p->lr = v3_scale(-1, p->lr);
    // the normal has turned since the impulse was solved for
    p->lt = v3_axpy(p->lt, -v3_dot(p->lt, p->normal), p->normal);
    double m = 1 / (inverse_mass_of(k, w, c, 0) + inverse_mass_of(k, w, c, 1));
    c->damping_time = scr_law_needs_speed(law) ? 0 : law->eta_root * sqrt(m) / law->kn; // of restitution
}

void scr_ns_aim(const ns_work *k, ns_contact *c, double normal_velocity, scr_pgs_contact *p)
{
    double h = k->sub.h, y = k->sub.y, pace = k->sub.pace;
    if (c->damping_time > k->set.tau) y = scr_ns_relaxed(c->damping_time, h), pace = scr_ns_pace(y, h);
    contact_gap gap = scr_law_normal(c->law)->gap(c->law, c->radius, c->overlap);
    double all = pace * gap.depth, push = all < k->set.push ? all : k->set.push;
    // what is open may close, but no further
    p->target = c->overlap > 0 ? -push - y * normal_velocity : -c->overlap / h;
    p->give = 4 * y * gap.compliance / (h * h);
    c->held_back = all > push ? (all - push) / p->give : 0;
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
                      .radius = ns_effective_radius(x[3], y[3]),
                      .law = scr_world_law(w, w->bodies.material[i], w->bodies.material[j])};
    c->normal = distance > 0 ? v3_scale(1 / distance, v3_load(d)) : v3(0, 0, 1);
}

static const scr_law *wall_law(const scr_world *w, uint64_t key)
{
    uint32_t i = (uint32_t)(key >> 32), face = (uint32_t)key & ~NS_WALL;
    return scr_world_law(w, w->bodies.material[i], w->faces[face].material);
}

void scr_ns_measure(const ns_work *k, const scr_world *w, uint64_t key, ns_contact *c)
{
    if (!(key & NS_WALL)) {
        measure(w, &k->space.images, key, c);
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
                      .radius = x[3],
                      .law = wall_law(w, key)};
}

/* ---- rows ---- */

static void load_row(ns_work *k, const scr_world *w, size_t n, uint32_t row)
{
    const scr_bodies *b = &w->bodies;
    size_t i = row;
    k->problem.rows[n] = row;
    k->problem.slot[i] = (uint32_t)n;
    k->problem.bodies[n] = (scr_pgs_body){.v = v3_load(b->motion + 4 * i),
                                          .inverse_mass = b->motion[4 * i + 3],
                                          .w = v3_load(b->spin + 4 * i),
                                          .inverse_inertia = b->spin[4 * i + 3]};
}

typedef struct {
    ns_work *k;
    const scr_world *w;
} task;

static void load_rows_of(void *context, size_t from, size_t to)
{
    const task *t = context;
    for (size_t n = from; n < to; n++) load_row(t->k, t->w, n, t->k->find.rows[n]);
}

// grains that move by themselves, then rigid bodies
static void load_rows(ns_work *k, const scr_world *w)
{
    size_t rows = 0, members = 0;
    if (!w->rigids.table.count) {
        scr_each_rows(rows = k->find.row_count, load_rows_of, &(task){k, w});
    } else {
        for (size_t n = 0; n < k->find.row_count; n++)
            if (ns_in_clump(w, k->find.rows[n]))
                k->rigids.members[members++] = k->find.rows[n];
            else
                load_row(k, w, rows++, k->find.rows[n]);
    }
    k->problem.row_count = rows;
    k->rigids.member_count = members;
    scr_ns_rigids_load(k, w);
}

// the row of the problem that an end of a contact is, SCR_PGS_STILL: none
static uint32_t row_of(const ns_work *k, const scr_world *w, const ns_contact *c, int end)
{
    uint32_t body = end ? ns_second(c) : ns_first(c);
    int rigid = k->rigids.count ? scr_ns_rigid_of(w, c, end) : -1;
    if (rigid >= 0) return (uint32_t)k->problem.row_count + (uint32_t)rigid;
    return (body & NS_WALL) || ns_is_still(w, body) ? SCR_PGS_STILL : k->problem.slot[body];
}

/* ---- all contacts ---- */

// why a contact overlaps: impulses are those of the step before
static scr_depth depth_of(const ns_work *k, const ns_contact *c, double ln)
{
    if (!(ln > 0)) return SCR_DEPTH_LATE;
    return ln > 0.5 * k->sub.h * ns_spring(c, c->overlap).force ? SCR_DEPTH_SOFT : SCR_DEPTH_LEFT;
}

static void look_at_overlap(const ns_work *k, const scr_world *w, const ns_contact *c, double ln, ns_seen *seen)
{
    if (!(c->overlap > 0)) return;
    double ra = ns_radius(w, ns_first(c)), rb = ns_radius(w, ns_second(c));
    double smaller = rb > 0 ? fmin(ra, rb) : ra;
    seen->worst = fmax(seen->worst, c->overlap / smaller);
    if (!(ln > 0)) seen->arrived += ns_spring(c, c->overlap).energy;
    if (!(c->overlap > 2 * smaller * fmax(seen->deepest, w->tally.deepest))) return;
    seen->deepest = c->overlap / (2 * smaller);
    seen->kind = depth_of(k, c, ln);
}

static void set_up(const ns_work *k, const scr_world *w, ns_contact *c, scr_pgs_contact *p, ns_seen *seen)
{
    uint32_t a = row_of(k, w, c, 0), b = row_of(k, w, c, 1);
    vec3 u, spin;
    p->a = a, p->b = b;
    p->beside = &k->contacts.beside[p - k->contacts.problem];
    if (a == SCR_PGS_STILL && b == SCR_PGS_STILL) {
        seen->still++;
        return;
    }
    c->general = k->rigids.count && (scr_ns_rigid_of(w, c, 0) >= 0 || scr_ns_rigid_of(w, c, 1) >= 0);
    scr_ns_fill(k, w, c, a, b, p);
    scr_ns_relative(c, p, k->problem.bodies, &u, &spin);
    c->normal_before = v3_dot(u, p->normal);
    if (k->set.reduce) {
        c->sliding_before = v3_norm(v3_axpy(u, -c->normal_before, p->normal));
        c->spin_before = v3_norm(spin);
    }
    scr_ns_aim(k, c, c->normal_before, p);
    seen->hits += ns_hits(k, c);
    look_at_overlap(k, w, c, p->ln, seen);
}

// two that are not solved for: where one runs against the other, or will in this step, members are to be set free
static bool meet(ns_work *k, const scr_world *w, const ns_contact *c)
{
    const double *x = w->bodies.place + 4 * (size_t)ns_first(c);
    vec3 point = v3_axpy(v3_load(x), x[3], c->normal), u[2], spin[2];
    still_motion(k, w, c, ns_first(c), point, &u[0], &spin[0]);
    still_motion(k, w, c, ns_second(c), point, &u[1], &spin[1]);
    vec3 apart = v3_sub(u[1], u[0]);
    double closes = k->set.ahead ? k->sub.h * fmax(0, -v3_dot(apart, c->normal)) : 0;
    if (c->overlap + closes <= 0 || !scr_ns_strikes(&k->set, apart)) return true;
    bool ok = true;
    if (scr_ns_is_member(w, ns_first(c))) ok &= scr_ns_struck(k, ns_first(c));
    if (scr_ns_is_member(w, ns_second(c))) ok &= scr_ns_struck(k, ns_second(c));
    return ok;
}

// those that are not solved for go
static bool leave_out(ns_work *k, const scr_world *w)
{
    ns_contact_set *all = &k->contacts;
    size_t kept = 0;
    bool ok = true;
    all->on_wall_count = 0;
    for (size_t n = 0; n < all->count; n++) {
        if (all->problem[n].a == SCR_PGS_STILL) { // the first is solved for, if one is
            ok &= meet(k, w, &all->all[n]);
            continue;
        }
        if (ns_is_wall(&all->all[n])) all->on_walls[all->on_wall_count++] = (uint32_t)kept;
        all->all[kept] = all->all[n];
        all->problem[kept++] = all->problem[n];
    }
    all->count = kept;
    return ok;
}

static void start_from(scr_pgs_contact *p, const ns_memory *m)
{
    p->ln = m ? m->ln : 0;
    p->lt = m ? m->lt : v3(0, 0, 0);
    p->lr = m ? m->lr : v3(0, 0, 0);
}

typedef struct {
    ns_work *k;
    const scr_world *w;
    bool set_up;
    uint32_t first_wall[NS_PARTS + 1]; /* of each drawer */
    ns_seen seen[NS_PARTS];
} gathering;

// what will be read of the second body of a pair
static inline void fetch(const ns_work *k, const scr_world *w, uint64_t key)
{
    const scr_bodies *b = &w->bodies;
    size_t j = (uint32_t)key;
    __builtin_prefetch(b->place + 4 * j);
    __builtin_prefetch(b->motion + 4 * j);
    __builtin_prefetch(b->carrier + j);
    __builtin_prefetch(b->material + j);
    __builtin_prefetch(k->problem.bodies + k->problem.slot[j]);
}

static void gather_drawer(void *context, size_t d)
{
    gathering *g = context;
    ns_work *k = g->k;
    const uint64_t *keys = k->find.keys + k->find.first[d];
    size_t n = k->contacts.first[d], wall = g->first_wall[d], last = g->first_wall[d + 1];
    size_t count = k->find.count[d], past = scr_ns_memory_from(k, (uint64_t)(d << k->find.shift) << 32);
    ns_seen seen = {0};
    for (size_t m = 0; m < count || wall < last; n++) {
        ns_contact *c = &k->contacts.all[n];
        scr_pgs_contact *p = &k->contacts.problem[n];
        const ns_on_wall *on = &k->find.walls[wall];
        if (wall < last && (m == count || on->start.key < keys[m])) {
            *c = (ns_contact){.key = on->start.key,
                              .normal = on->normal,
                              .overlap = on->overlap,
                              .radius = ns_radius(g->w, (uint32_t)(on->start.key >> 32)),
                              .law = wall_law(g->w, on->start.key)};
            start_from(p, &on->start);
            k->contacts.on_walls[wall++] = (uint32_t)n;
        } else {
            uint64_t key = keys[m++];
            if (m + NS_AHEAD < count) fetch(k, g->w, keys[m + NS_AHEAD]);
            measure(g->w, &k->space.images, key, c);
            while (past < k->contacts.memory_count && k->contacts.memory[past].key < key) past++;
            bool had = past < k->contacts.memory_count && k->contacts.memory[past].key == key;
            start_from(p, had ? &k->contacts.memory[past] : NULL);
        }
        if (g->set_up) set_up(k, g->w, c, p, &seen);
    }
    g->seen[d] = seen;
}

// how many contacts each drawer has
static void divide(gathering *g)
{
    ns_work *k = g->k;
    uint32_t *first = k->contacts.first;
    size_t wall = 0;
    first[0] = 0;
    for (int d = 0; d < k->find.drawers; d++) {
        uint64_t end = (uint64_t)(d + 1) << k->find.shift << 32;
        g->first_wall[d] = (uint32_t)wall;
        while (wall < k->find.wall_count && k->find.walls[wall].start.key < end) wall++;
        first[d + 1] = first[d] + k->find.count[d] + (uint32_t)wall - g->first_wall[d];
    }
    g->first_wall[k->find.drawers] = (uint32_t)wall;
    k->contacts.count = first[k->find.drawers];
}

static void join_seen(ns_seen *all, const ns_seen *part)
{
    all->still += part->still;
    all->hits += part->hits;
    all->worst = fmax(all->worst, part->worst);
    all->arrived += part->arrived;
    if (part->deepest > all->deepest) all->deepest = part->deepest, all->kind = part->kind;
}

scree_status scr_ns_gather(scr_step *s, bool set_up, scree_report *report)
{
    ns_work *k = s->work;
    const scr_world *w = s->world;
    gathering g = {.k = k, .w = w, .set_up = set_up};
    k->contacts.struck = false;
    if (!scr_ns_sort_found(k, w)) return scr_no_memory(report, "contacts");
    divide(&g);
    size_t count = k->contacts.count;
    if (!scr_reserve_each(SCR_ROOM(k->contacts.all, count), SCR_ROOM(k->contacts.problem, count),
                          SCR_ROOM(k->contacts.beside, count), SCR_ROOM(k->contacts.on_walls, k->find.wall_count)))
        return scr_no_memory(report, "contacts");
    if (set_up) {
        k->split.struck_count = 0;
        load_rows(k, w);
        scr_ns_joints_build(k, w, k->sub.end);
    }
    ns_each(count, (size_t)k->find.drawers, k->contacts.first, gather_drawer, &g);
    k->contacts.on_wall_count = k->find.wall_count;
    k->contacts.seen = (ns_seen){0};
    for (int d = 0; d < k->find.drawers; d++) join_seen(&k->contacts.seen, &g.seen[d]);
    if (k->contacts.seen.still && !leave_out(k, w)) return scr_no_memory(report, "contacts");
    return SCREE_OK;
}
