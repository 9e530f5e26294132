/* The trial solve: would the aggregates hold if their grains were free? A few sweeps of the continuous stage with the
 * grains around what moves treated as free, started from the impulses they carry. Grains whose forces do not
 * balance,
 *
 *   |a| > xi (|g| + |f|),   a = (v_trial - v_aggregate)/h,  f = (v_trial - v)/h - g                     (1)
 *
 * split off; v_aggregate is what the aggregate is expected to do, which for all but parts is to go on as it
 * does. Impulses are written back, so that trials converge from step to step. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "step/nonsmooth/work.h"

/* ---- which grains are tried ---- */

static void take(ns_work *k, const scr_world *w, uint32_t body)
{
    if (!scr_ns_is_member(w, body)) return;
    uint64_t bit = 1ull << (body % 64);
    if (k->trial.near[body / 64] & bit) return;
    k->trial.near[body / 64] |= bit;
    k->trial.near_rows[k->trial.near_count++] = body;
}

// whether it is time for a look, where what changes by `change` from one to the next shall be seen after `part`
static bool is_due(const ns_work *k, const scr_world *w, double change, double part)
{
    double looks = floor(part / change);
    if (!(change > 0) || !(looks < 1e9)) return false;
    return looks < 1 || w->clock.step / k->set.trial_every % (int64_t)looks == 0;
}

// whether gravity has changed by a part of itself since the last time; judged by its present rate
static bool gravity_changes(const ns_work *k, const scr_world *w, double part)
{
    const scr_gravity *law = &w->gravity_law;
    if (!scr_gravity_varies(law)) return false;
    double before = scr_clock_ahead(&w->clock, -k->set.trial_every);
    vec3 change = v3_sub(scr_gravity_at(law, w->clock.time), scr_gravity_at(law, before));
    return is_due(k, w, v3_norm(change) / scr_gravity_most(w), part);
}

static bool speeds_up(const scr_world *w, const ns_carrier *f)
{
    return f->wall >= 0 && (w->walls[f->wall].motion.amplitude != 0 || w->walls[f->wall].motion.table_rows);
}

// Whether all members of a carrier are to be looked at, though nothing may touch them: what carries them speeds up and
// slows down, or has turned by some degrees since the last time
static bool is_restless(const ns_work *k, const scr_world *w, int carrier)
{
    const double tilt = 0.1;
    const ns_carrier *f = &k->space.carriers[carrier];
    double g = v3_norm(w->gravity);
    if (f->members && gravity_changes(k, w, tilt)) return true;
    if (carrier < scr_carrier_of_wall(0) || carrier >= scr_carrier_of_wall(w->wall_count) || !f->members) return false;
    if (speeds_up(w, f)) return true;
    double rate = v3_norm(v3_cross(f->spin, w->gravity)) / (g > 0 ? g : 1);
    return is_due(k, w, rate * w->clock.dt * k->set.trial_every, tilt);
}

static void take_restless(ns_work *k, const scr_world *w)
{
    for (int f = 0; f < k->space.carrier_count; f++) {
        if (!is_restless(k, w, f)) continue;
        for (size_t i = 0; i < w->bodies.table.count; i++)
            if (w->bodies.carrier[i] == f) take(k, w, (uint32_t)i);
    }
}

static void choose_near(ns_work *k, const scr_world *w)
{
    const scr_frozen *f = &k->growth.frozen;
    k->trial.near_count = 0;
    if (!k->set.trial_layers) {
        for (size_t i = 0; i < w->bodies.table.count; i++) take(k, w, (uint32_t)i);
        return;
    }
    for (size_t n = 0; n < k->contacts.count; n++) {
        take(k, w, ns_first(&k->contacts.all[n]));
        take(k, w, ns_second(&k->contacts.all[n]));
    }
    // loads of parts that turn or speed up: what held them need not hold them now
    for (size_t n = 0; n < k->rigids.rider_count; n++)
        if (scr_ns_loads_sway(k, w, ns_rigid(w, k->rigids.riders[n]))) take(k, w, k->rigids.riders[n]);
    size_t from = 0;
    for (int layer = 1; layer < k->set.trial_layers; layer++)
        for (size_t to = k->trial.near_count; from < to; from++) {
            uint32_t i = k->trial.near_rows[from];
            for (uint32_t e = f->first[i]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, i))
                take(k, w, scr_frozen_other(f, e, i));
        }
    take_restless(k, w);
    // free aggregates as a whole
    for (size_t n = 0; n < k->trial.near_count; n++)
        if (scr_ns_in_aggregate(w, k->trial.near_rows[n])) k->rigids.touched[ns_rigid(w, k->trial.near_rows[n])] = 1;
    for (size_t n = 0; n < k->rigids.member_count; n++)
        if (k->rigids.touched[ns_rigid(w, k->rigids.members[n])]) take(k, w, k->rigids.members[n]);
    scr_clear(k->rigids.touched, k->rigids.count * sizeof *k->rigids.touched);
}

// velocity and spin of a member
static void motion_of(const ns_work *k, const scr_world *w, uint32_t i, vec3 *v, vec3 *spin)
{
    *v = v3_load(w->bodies.motion + 4 * (size_t)i);
    *spin = v3_load(w->bodies.spin + 4 * (size_t)i);
    if (ns_in_clump(w, i)) return;
    const ns_carrier *f = &k->space.carriers[w->bodies.carrier[i]];
    *v = scr_ns_carrier_velocity(f, v3_load(w->bodies.place + 4 * (size_t)i));
    *spin = f->spin;
}

static bool is_near(const ns_work *k, uint32_t body)
{
    return k->trial.near[body / 64] >> (body % 64) & 1;
}

// rows of the trial: free grains as in the step, then those near in the order of rows
static void load_rows(ns_work *k, const scr_world *w)
{
    size_t words = w->bodies.table.count / 64 + 1, n = k->problem.row_count, m = 0;
    scr_copy(k->trial.bodies, k->problem.bodies, n * sizeof *k->problem.bodies);
    for (size_t word = 0; word < words; word++)
        for (uint64_t bits = k->trial.near[word]; bits; bits &= bits - 1) {
            uint32_t i = (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(bits);
            const double *v = w->bodies.motion + 4 * (size_t)i, *spin = w->bodies.spin + 4 * (size_t)i;
            k->problem.slot[i] = (uint32_t)n;
            k->trial.near_rows[m++] = i;
            // as it was: what carries it may have another velocity in this step
            k->trial.bodies[n++] =
                (scr_pgs_body){.v = v3_load(v), .inverse_mass = v[3], .w = v3_load(spin), .inverse_inertia = spin[3]};
        }
    k->trial.rows = n;
}

/* ---- what they touch ---- */

static uint32_t slot_of(const ns_work *k, const scr_world *w, uint32_t body)
{
    if (body & NS_WALL) return SCR_PGS_STILL;
    return ns_is_free(w, body) || is_near(k, body) ? k->problem.slot[body] : SCR_PGS_STILL;
}

static bool room(ns_work *k, size_t count)
{
    return scr_reserve_each(SCR_ROOM(k->trial.contacts, count), SCR_ROOM(k->trial.problem, count),
                            SCR_ROOM(k->trial.beside, count), SCR_ROOM(k->trial.edge, count));
}

static void add(ns_work *k, const scr_world *w, const ns_contact *c, const ns_memory *start, uint32_t edge)
{
    uint32_t a = slot_of(k, w, ns_first(c)), b = slot_of(k, w, ns_second(c));
    if (a == SCR_PGS_STILL && b == SCR_PGS_STILL) return; // of rigid bodies, which go on as they do
    size_t n = k->trial.count++;
    k->trial.contacts[n] = *c;
    k->trial.contacts[n].general = false;
    k->trial.edge[n] = edge;
    scr_pgs_contact *p = &k->trial.problem[n];
    *p = (scr_pgs_contact){.beside = &k->trial.beside[n]};
    if (k->set.trial_warm) p->ln = start->ln, p->lt = start->lt, p->lr = start->lr;
    scr_ns_fill(k, w, &k->trial.contacts[n], a, b, p);
}

static bool sort_edges(ns_work *k, size_t count)
{
    if (count > 32) return scr_sort(&k->contacts.sorter, k->trial.edges, count, sizeof *k->trial.edges, scr_by_u64);
    for (size_t n = 1; n < count; n++) {
        uint64_t one = k->trial.edges[n];
        size_t at = n;
        for (; at > 0 && k->trial.edges[at - 1] > one; at--) k->trial.edges[at] = k->trial.edges[at - 1];
        k->trial.edges[at] = one;
    }
    return true;
}

// edges of a row that is near, each once, in the order of their other ends
static bool add_edges(ns_work *k, const scr_world *w, uint32_t i)
{
    const scr_frozen *f = &k->growth.frozen;
    size_t count = 0;
    for (uint32_t e = f->first[i]; e != SCR_FROZEN_NONE; e = scr_frozen_next(f, e, i)) {
        uint32_t other = scr_frozen_other(f, e, i);
        bool wall = other & SCR_FROZEN_WALL;
        if (!wall && other < i && is_near(k, other)) continue;
        if (wall && !w->walls[w->faces[other & ~SCR_FROZEN_WALL].wall].active) continue;
        if (!scr_push(k->trial.edges, count, (uint64_t)other << 32 | e)) return false;
    }
    if (!sort_edges(k, count) || !room(k, k->trial.count + count)) return false;
    for (size_t n = 0; n < count; n++) {
        uint32_t edge = (uint32_t)k->trial.edges[n];
        const scr_frozen_edge *e = &f->edges[edge];
        ns_memory start = {.ln = e->ln, .lt = e->lt, .lr = e->lr};
        ns_contact c;
        scr_ns_measure(k, w, (uint64_t)e->end[0] << 32 | e->end[1], &c);
        add(k, w, &c, &start, edge);
    }
    return true;
}

static bool load_contacts(ns_work *k, const scr_world *w)
{
    k->trial.count = 0;
    if (!room(k, k->contacts.count)) return false;
    for (size_t n = 0; n < k->contacts.count; n++) {
        const ns_contact *c = &k->contacts.all[n];
        const scr_pgs_contact *p = &k->contacts.problem[n];
        double sign = c->turned ? -1 : 1;
        ns_memory start = {.ln = p->ln, .lt = v3_scale(sign, p->lt), .lr = v3_scale(sign, p->lr)};
        add(k, w, c, &start, SCR_FROZEN_NONE);
    }
    for (size_t n = 0; n < k->trial.near_count; n++)
        if (!add_edges(k, w, k->trial.near_rows[n])) return false;
    // the array may have moved while it grew
    for (size_t n = 0; n < k->trial.count; n++)
        if (k->trial.problem[n].beside) k->trial.problem[n].beside = &k->trial.beside[n];
    return true;
}

/* ---- the verdict ---- */

static void judge_forces(ns_work *k, const scr_world *w)
{
    double g = v3_norm(w->gravity);
    for (size_t n = 0; n < k->trial.near_count; n++) {
        uint32_t i = k->trial.near_rows[n];
        vec3 x = v3_load(w->bodies.place + 4 * (size_t)i), v, turn;
        motion_of(k, w, i, &v, &turn);
        vec3 dv = v3_sub(k->trial.bodies[k->problem.slot[i]].v, v);
        vec3 gain = scr_ns_in_aggregate(w, i) ? v3_sub(scr_ns_free_velocity(k, w, i), v)
                                              : scr_ns_loads_gain(k, w, w->bodies.carrier[i], x, &turn);
        vec3 a = v3_scale(1 / k->sub.h, v3_sub(dv, gain));
        vec3 force = v3_sub(v3_scale(1 / k->sub.h, dv), w->gravity);
        force = v3_sub(force, scr_ns_loads_swing(w, w->bodies.carrier[i], x));
        if (v3_norm(a) > k->set.trial_force * (g + v3_norm(force))) scr_ns_mark(k, w, i);
    }
}

static void judge_velocities(ns_work *k, const scr_world *w)
{
    for (size_t n = 0; n < k->trial.count; n++) {
        const scr_pgs_contact *p = &k->trial.problem[n];
        vec3 u, spin;
        scr_ns_relative(&k->trial.contacts[n], p, k->trial.bodies, &u, &spin);
        double normal = v3_dot(u, p->normal);
        double sliding = v3_norm(v3_axpy(u, -normal, p->normal));
        if (-normal <= k->set.trial_approach && normal <= k->set.trial_separation && sliding <= k->set.trial_sliding)
            continue;
        scr_ns_mark(k, w, ns_first(&k->trial.contacts[n]));
        scr_ns_mark(k, w, ns_second(&k->trial.contacts[n]));
    }
}

// carriers that are not solved for: as they will be at the end of the step
static void expect(ns_work *k, const scr_world *w)
{
    for (size_t n = 0; n < k->trial.count; n++) {
        const ns_contact *c = &k->trial.contacts[n];
        scr_pgs_contact *p = &k->trial.problem[n];
        uint32_t body = c->turned ? ns_first(c) : ns_second(c);
        if (p->b != SCR_PGS_STILL) continue;
        int carrier = body & NS_WALL ? ns_carrier_of_wall(w, w->faces[ns_face(c)].wall) : w->bodies.carrier[body];
        vec3 x = v3_load(w->bodies.place + 4 * (size_t)ns_first(c)), turn;
        p->beside->u0 = v3_add(p->beside->u0, scr_ns_loads_gain(k, w, carrier, x, &turn));
        p->beside->w0 = v3_add(p->beside->w0, turn);
    }
}

static void write_back(ns_work *k)
{
    for (size_t n = 0; n < k->trial.count; n++) {
        if (k->trial.edge[n] == SCR_FROZEN_NONE) continue;
        scr_frozen_edge *e = &k->growth.frozen.edges[k->trial.edge[n]];
        const scr_pgs_contact *p = &k->trial.problem[n];
        double sign = k->trial.contacts[n].turned ? -1 : 1;
        e->ln = p->ln;
        e->lt = v3_scale(sign, p->lt);
        e->lr = v3_scale(sign, p->lr);
    }
}

static bool reserve(ns_work *k, size_t count)
{
    return scr_reserve_each(SCR_ROOM(k->trial.near, count / 64 + 1), SCR_ROOM(k->trial.near_rows, count),
                            SCR_ROOM(k->trial.bodies, count));
}

static scr_pgs_problem trial_problem(const ns_work *k, const scr_world *w)
{
    scr_pgs_problem problem = scr_ns_problem(k, w);
    problem.bodies = k->trial.bodies;
    problem.body_count = problem.general_first = k->trial.rows;
    problem.row_count = 0;
    problem.contacts = k->trial.problem;
    problem.contact_count = k->trial.count;
    return problem;
}

static bool solve(ns_work *k, scr_world *w, int sweeps)
{
    scr_pgs_problem problem = trial_problem(k, w);
    scr_pgs_options options = {.sweeps = sweeps, .precise = k->set.precise};
    w->tally.solved_sweeps += (double)sweeps * (double)k->trial.count;
    return scr_pgs_prepare(k->trial.pgs, &problem) && scr_pgs_solve(k->trial.pgs, &problem, &options).sweeps >= 0;
}

static void forget_near(ns_work *k)
{
    for (size_t n = 0; n < k->trial.near_count; n++) k->trial.near[k->trial.near_rows[n] / 64] = 0;
}

scree_status scr_ns_try(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    scree_status failed = SCREE_OK;
    if (!reserve(k, w->bodies.table.count)) return scr_no_memory(report, "the trial solve");
    choose_near(k, w);
    if (!k->trial.near_count) return SCREE_OK;
    k->trial.balanced = false;
    load_rows(k, w);
    if (load_contacts(k, w)) {
        for (size_t n = 0; n < k->trial.count; n++) {
            scr_pgs_contact *p = &k->trial.problem[n];
            vec3 u, spin;
            scr_ns_relative(&k->trial.contacts[n], p, k->trial.bodies, &u, &spin);
            scr_ns_aim(k, &k->trial.contacts[n], v3_dot(u, p->normal), p);
        }
        if (w->part_count) expect(k, w);
        for (size_t n = 0; n < k->trial.rows; n++)
            k->trial.bodies[n].v = v3_axpy(k->trial.bodies[n].v, k->sub.h, w->gravity);
        for (size_t n = 0; w->part_count && n < k->trial.near_count; n++) {
            uint32_t i = k->trial.near_rows[n];
            vec3 x = v3_load(w->bodies.place + 4 * (size_t)i);
            vec3 swing = scr_ns_loads_swing(w, w->bodies.carrier[i], x);
            scr_pgs_body *body = &k->trial.bodies[k->problem.slot[i]];
            body->v = v3_axpy(body->v, k->sub.h, swing);
        }
        if (!solve(k, w, k->set.trial_sweeps)) failed = SCREE_E_MEMORY;
        scr_ns_free_expect(k, w);
        judge_forces(k, w);
        if (k->set.trial_velocities) judge_velocities(k, w);
        write_back(k);
    } else {
        failed = SCREE_E_MEMORY;
    }
    forget_near(k);
    return failed ? scr_no_memory(report, "the trial solve") : SCREE_OK;
}

/* ---- forces of what sleeps ----
 *
 * Grains merge while their forces do not quite balance, and what they carried then stays in the frozen contacts. When
 * no grain is awake, these impulses are solved for as between rigid bodies,
 *
 *   0 <= n.u  perpendicular to  ln >= 0,   u against the carrier,                                         (2)
 *
 * from where they are, now and then, until gravity is balanced. Nothing moves; forces on walls become right, and who
 * wakes up starts from better impulses. */

// part of the weight that impulses leave unbalanced; trial rows are at rest in their carriers
static double imbalance(ns_work *k, const scr_world *w)
{
    double left = 0, weight = 0;
    for (size_t n = 0; n < k->trial.rows; n++)
        k->problem.before[n].v = v3_scale(k->sub.h / k->trial.bodies[n].inverse_mass, w->gravity);
    for (size_t n = 0; n < k->trial.count; n++) {
        const scr_pgs_contact *p = &k->trial.problem[n];
        vec3 impulse = v3_axpy(p->lt, p->ln, p->normal);
        k->problem.before[p->a].v = v3_sub(k->problem.before[p->a].v, impulse);
        if (p->b != SCR_PGS_STILL) k->problem.before[p->b].v = v3_add(k->problem.before[p->b].v, impulse);
    }
    for (size_t n = 0; n < k->trial.rows; n++) {
        left += v3_norm(k->problem.before[n].v);
        weight += k->sub.h / k->trial.bodies[n].inverse_mass * v3_norm(w->gravity);
    }
    return weight > 0 ? left / weight : 0;
}

scree_status scr_ns_balance(scr_step *s, scree_report *report)
{
    enum { EVERY = 16, SWEEPS = 100 };
    const double enough = 1e-3;
    ns_work *k = s->work;
    scr_world *w = s->world;
    if (k->trial.balanced || w->clock.step % EVERY) return SCREE_OK;
    if (!reserve(k, w->bodies.table.count)) return scr_no_memory(report, "forces at rest");
    k->trial.near_count = 0;
    for (uint32_t i = 0; i < w->bodies.table.count; i++)
        if (ns_rigid(w, i) < 0 && !speeds_up(w, &k->space.carriers[w->bodies.carrier[i]])) take(k, w, i);
    load_rows(k, w);
    bool ok = load_contacts(k, w);
    k->trial.balanced = ok && imbalance(k, w) < enough;
    if (ok && !k->trial.balanced) {
        for (size_t n = 0; n < k->trial.count; n++) k->trial.problem[n].target = k->trial.problem[n].give = 0;
        for (size_t n = 0; n < k->trial.rows; n++)
            k->trial.bodies[n].v = v3_axpy(k->trial.bodies[n].v, k->sub.h, w->gravity);
        ok = solve(k, w, SWEEPS);
        if (ok) write_back(k);
    }
    forget_near(k);
    return ok ? SCREE_OK : scr_no_memory(report, "forces at rest");
}
