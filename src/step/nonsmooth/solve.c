/* The two stages of a step (Servin & Wang 2015, with the signs of docs/theory-nonsmooth.md): impacts, then the
 * continuous stage (setup.c).
 *
 * Energy over a step, with the impulse P of a contact on its second body and end velocities: the work of gravity
 * and contacts is m g.v h + P.u, and what the step loses by itself is 1/2 m |dv|^2. So friction never gives
 * energy back, and a pile at rest loses none. Sums are taken by parts of the contacts and of the rows, in order. */
#include "base/buffer.h"
#include "base/log.h"
#include "exec/reduce.h"
#include "step/nonsmooth/joints.h"
#include "step/nonsmooth/springs.h"

/* ---- energy ---- */

// contacts between two that are not are left out when they are set up
static bool is_solved_for(const scr_world *w, const ns_contact *c)
{
    for (int end = 0; end < 2; end++) {
        uint32_t body = end ? ns_second(c) : ns_first(c);
        if (scr_ns_rigid_of(w, c, end) >= 0 || (!(body & NS_WALL) && !ns_is_still(w, body))) return true;
    }
    return false;
}

double scr_ns_stored(const scr_step *s)
{
    const ns_work *k = s->work;
    double sum = 0;
    for (size_t n = 0; n < k->contacts.count; n++)
        if (is_solved_for(s->world, &k->contacts.all[n]))
            sum += ns_spring(&k->contacts.all[n], k->contacts.all[n].overlap).energy;
    return sum;
}

/* Work of a contact's impulses on both bodies, at some velocity. */
typedef struct {
    double normal, tangential, rolling;
} works;

static works works_at(const scr_pgs_contact *p, vec3 u, vec3 w)
{
    return (works){p->ln * v3_dot(p->normal, u), v3_dot(p->lt, u), v3_dot(p->lr, w)};
}

// work on a body that is not solved for
static double work_on_still(const scr_pgs_contact *p)
{
    if (p->b != SCR_PGS_STILL) return 0;
    return v3_dot(v3_axpy(p->lt, p->ln, p->normal), p->beside->u0) + v3_dot(p->lr, p->beside->w0);
}

// Where sweeps have not solved a row, its velocity is not the one that belongs to its impulse by the row's law. Losses
// are those of the law; the work of the rest is in no account, and the ledger does not close by it.
static double lawful_velocity(const scr_pgs_contact *p, double u)
{
    double v = -(p->target + p->give * p->ln);
    return p->ln > 0 ? v : fmax(u, v);
}

// friction that holds creeps, and where it is at its bound it takes
static double lawful_work(double work, double impulse_squared, double bound, double give)
{
    double creep = -give * impulse_squared, nearly = 1 - 1e-5;
    return impulse_squared < nearly * bound * bound ? creep : fmin(work, creep);
}

static works lawful_works(const scr_pgs_problem *q, const scr_pgs_contact *p, vec3 u, vec3 w)
{
    works law = {.normal = p->ln * lawful_velocity(p, v3_dot(p->normal, u)),
                 .tangential = lawful_work(v3_dot(p->lt, u), v3_dot(p->lt, p->lt), p->mu * p->ln, q->give_tangential)};
    // twisting has a bound of its own, or the one of rolling
    double along = q->twist_apart ? v3_dot(p->lr, p->normal) : 0;
    vec3 rest = v3_axpy(p->lr, -along, p->normal);
    law.rolling = lawful_work(v3_dot(rest, w), v3_dot(rest, rest), p->roll * p->ln, q->give_rolling) +
                  lawful_work(along * v3_dot(p->normal, w), along * along, p->twist * p->ln, q->give_rolling);
    return law;
}

/* What a part of the contacts adds to the accounts. */
typedef struct {
    double damping, friction, rolling, numerical, wall_work, group_work, unsolved;
    double found, gain; /* energy stored, and what the step adds to it */
} books;

static void join_books(void *all, const void *part)
{
    books *a = all;
    const books *b = part;
    a->damping += b->damping, a->friction += b->friction, a->rolling += b->rolling, a->numerical += b->numerical;
    a->wall_work += b->wall_work, a->group_work += b->group_work;
    a->unsolved += b->unsolved, a->found += b->found, a->gain += b->gain;
}

static void enter(scr_world *w, const books *b)
{
    scr_ledger *l = &w->ledger;
    l->damping += b->damping, l->friction += b->friction, l->rolling += b->rolling, l->numerical += b->numerical;
    l->wall_work += b->wall_work, l->group_work += b->group_work;
    w->tally.unsolved += b->unsolved;
}

// work on walls and what moves with them belongs to walls, on held groups to groups
static void book_still(const scr_world *w, const ns_contact *c, double work, books *b)
{
    if (work == 0) return;
    uint32_t body = c->turned ? ns_first(c) : ns_second(c);
    bool group = !(body & NS_WALL) && w->bodies.carrier[body] == SCR_CARRIER_NONE;
    *(group ? &b->group_work : &b->wall_work) -= work;
}

/* ---- stages ---- */

scr_pgs_problem scr_ns_problem(const ns_work *k, const scr_world *w)
{
    scr_pgs_problem problem = {.bodies = k->problem.bodies,
                               .body_count = k->problem.row_count + k->rigids.count,
                               .general_first = k->problem.row_count,
                               .inverse_inertia = (const double(*)[6])k->rigids.inverse,
                               .rows = k->joints.rows,
                               .row_count = k->joints.count,
                               .contacts = k->contacts.problem,
                               .contact_count = k->contacts.count,
                               .give_tangential = 1e-6 / k->sub.h,
                               .give_rolling = 1e-6 / k->sub.h};
    for (int n = 0; n < w->material_count * w->material_count; n++)
        problem.twist_apart |= w->laws[n].twisting != SCR_TWISTING_NONE;
    return problem;
}

typedef struct {
    ns_work *k;
    scr_world *w;
    const scr_pgs_problem *problem;
} stage;

/* ---- impacts ---- */

// contacts that close fast bounce with their restitution, all others must not close
static void aim_impacts(void *context, size_t from, size_t to)
{
    const stage *s = context;
    const ns_work *k = s->k;
    for (size_t n = from; n < to; n++) {
        scr_pgs_contact *p = &k->contacts.problem[n];
        const ns_contact *c = &k->contacts.all[n];
        ns_blow *blow = &k->contacts.blows[n];
        double e = isnan(c->law->restitution) ? 0 : c->law->restitution;
        blow->start = (ns_memory){.ln = p->ln, .lt = p->lt, .lr = p->lr};
        p->target = ns_hits(k, c) ? e * c->normal_before : c->overlap > 0 ? 0 : -c->overlap / k->sub.h;
        p->give = 0;
        p->ln = 0, p->lt = p->lr = v3(0, 0, 0);
        scr_ns_relative(c, p, k->problem.bodies, &blow->u, &blow->w);
    }
}

// Works of an impact are those at the mean of the velocities before and after; what friction seems to give in blows at
// several contacts is the collision's. Unsolved is by how much the losses of the law are more than what has gone.
static void book_impact(const stage *s, const ns_contact *c, const ns_blow *blow, const scr_pgs_contact *p, vec3 u,
                        vec3 w, books *b)
{
    works start = works_at(p, blow->u, blow->w), end = works_at(p, u, w), law = lawful_works(s->problem, p, u, w);
    double tangential = 0.5 * (start.tangential + law.tangential);
    double rolling = 0.5 * (start.rolling + law.rolling);
    b->damping -= 0.5 * (start.normal + law.normal) + fmax(tangential, 0) + fmax(rolling, 0);
    b->friction -= fmin(tangential, 0);
    b->rolling -= fmin(rolling, 0);
    b->unsolved += 0.5 * (end.normal - law.normal + end.tangential - law.tangential + end.rolling - law.rolling);
    book_still(s->w, c, work_on_still(p), b);
}

// books; the impulses that have waited come back; targets of the continuous stage, from the velocities after impacts
static void end_impacts(void *context, size_t from, size_t to, void *part)
{
    const stage *s = context;
    for (size_t n = from; n < to; n++) {
        scr_pgs_contact *p = &s->k->contacts.problem[n];
        ns_contact *c = &s->k->contacts.all[n];
        ns_blow *blow = &s->k->contacts.blows[n];
        double sign = c->turned ? -1 : 1;
        vec3 u, w;
        scr_ns_relative(c, p, s->k->problem.bodies, &u, &w);
        book_impact(s, c, blow, p, u, w, part);
        blow->impulse = v3_scale(sign, v3_axpy(p->lt, p->ln, p->normal));
        blow->couple = v3_scale(sign, p->lr);
        p->ln = blow->start.ln, p->lt = blow->start.lt, p->lr = blow->start.lr;
        scr_ns_aim(s->k, c, v3_dot(u, p->normal), p);
    }
}

static void count_swept(const ns_work *k, scr_tally *t, int sweeps)
{
    t->solved_sweeps += (double)sweeps * (double)k->contacts.count;
    t->all_sweeps += (double)sweeps * (double)(k->contacts.count + k->growth.frozen.count);
}

static bool impact_stage(stage *s)
{
    ns_work *k = s->k;
    size_t count = k->contacts.count;
    if (!k->contacts.seen.hits || !k->set.impact_sweeps) return true;
    if (!scr_reserve(&k->contacts.blows, count)) return false;
    scr_each_rows(count, aim_impacts, s);
    scr_ns_joints_impact(k);
    scr_pgs_options options = {.sweeps = k->set.impact_sweeps,
                               .precise = k->set.precise}; // few sweeps: not over-relaxed
    if (scr_pgs_solve(k->problem.pgs, s->problem, &options).sweeps < 0) return false;
    scr_ns_joints_impact_end(k, s->w);
    books all = {0};
    scr_reduce(count, end_impacts, join_books, s, &all, sizeof all);
    enter(s->w, &all);
    k->contacts.struck = true;
    count_swept(k, &s->w->tally, k->set.impact_sweeps);
    return true;
}

/* ---- the continuous stage ---- */

static void start_cold(void *context, size_t from, size_t to)
{
    const stage *s = context;
    for (size_t n = from; n < to; n++) {
        scr_pgs_contact *p = &s->k->contacts.problem[n];
        p->ln = 0, p->lt = p->lr = v3(0, 0, 0);
    }
}

static void fall(void *context, size_t from, size_t to)
{
    const stage *s = context;
    for (size_t n = from; n < to; n++) {
        scr_pgs_body *b = &s->k->problem.bodies[n];
        s->k->problem.before[n] = *b;
        b->v = v3_axpy(b->v, s->k->sub.h, s->w->gravity);
        if (s->k->problem.pushed) scr_ns_push_row(s->k, n, b);
    }
}

static bool continuous_stage(scr_step *step, stage *s)
{
    ns_work *k = s->k;
    scr_world *w = s->w;
    if (!ns_starts_warm(k, w)) scr_each_rows(k->contacts.count, start_cold, s);
    scr_ns_joints_aim(k, w);
    if (!scr_ns_push(k, w, step->pushes)) return false;
    scr_each_rows(k->problem.row_count + k->rigids.count, fall, s);
    scr_pgs_options options = {.sweeps = k->set.sweeps << w->tally.boost,
                               .tolerance = k->set.tolerance,
                               .precise = k->set.precise,
                               .relaxation = k->set.relaxation};
    scr_pgs_result result = scr_pgs_solve(k->problem.pgs, s->problem, &options);
    if (result.sweeps < 0) return false;
    step->last.sweeps += result.sweeps;
    step->last.residual = fmax(step->last.residual, result.residual);
    count_swept(k, &w->tally, result.sweeps);
    return true;
}

// of a contact whose push-out nothing bounds
static double unbound_impulse(const ns_contact *c, const scr_pgs_contact *p, double v)
{
    return fmax(0, c->held_back - (p->target + v) / p->give);
}

// Of the work of a normal impulse the spring has its part, the bound of the push-out what it keeps back, the damper the
// rest. Unsolved is by how much the losses of the law are more than what has gone.
static void book_contact(const stage *s, const ns_contact *c, const scr_pgs_contact *p, ns_outcome *o, books *b)
{
    double h = s->k->sub.h, u = v3_dot(p->normal, o->u), v = lawful_velocity(p, u), then = c->overlap - h * u;
    o->energy = o->gain = o->taken = 0;
    // open, and it stays so
    if (!(p->ln > 0) && !(c->overlap > 0) && !(then > 0)) return;
    works done = works_at(p, o->u, o->w), law = lawful_works(s->problem, p, o->u, o->w);
    contact_push now = ns_spring(c, c->overlap), end = ns_spring(c, then);
    double lawful = c->overlap - h * v, pressed = ns_pressed_in(now, c->overlap);
    o->energy = now.energy;
    o->gain = end.energy - now.energy;
    o->taken = ns_pressed_in(end, then) - pressed;
    double lost = -law.normal - (ns_pressed_in(ns_spring(c, lawful), lawful) - pressed);
    double cut = c->held_back > 0 ? v * (unbound_impulse(c, p, v) - p->ln) : 0;
    b->found += o->energy, b->gain += o->gain;
    b->damping += lost - cut;
    b->numerical += cut;
    b->friction -= law.tangential;
    b->rolling -= law.rolling;
    b->unsolved += lost + done.normal + o->taken + done.tangential - law.tangential + done.rolling - law.rolling;
    book_still(s->w, c, work_on_still(p), b);
}

static void book_contacts(void *context, size_t from, size_t to, void *part)
{
    const stage *s = context;
    const ns_work *k = s->k;
    for (size_t n = from; n < to; n++) {
        const ns_contact *c = &k->contacts.all[n];
        const scr_pgs_contact *p = &k->contacts.problem[n];
        ns_outcome o;
        if (n + NS_AHEAD < to && p[NS_AHEAD].b != SCR_PGS_STILL) __builtin_prefetch(k->problem.bodies + p[NS_AHEAD].b);
        scr_ns_relative(c, p, k->problem.bodies, &o.u, &o.w);
        book_contact(s, c, p, &o, part);
        if (k->set.reduce) k->contacts.outcome[n] = o;
    }
}

// velocities and forces to the grains; what the step loses by itself
static void store_rows(void *context, size_t from, size_t to, void *part)
{
    const stage *s = context;
    scr_bodies *b = &s->w->bodies;
    double h = s->k->sub.h, *lost = part;
    for (size_t n = from; n < to; n++) {
        const scr_pgs_body *now = &s->k->problem.bodies[n], *then = &s->k->problem.before[n];
        vec3 gain = v3_sub(now->v, then->v), turn = v3_sub(now->w, then->w);
        *lost += 0.5 * (v3_dot(gain, gain) / now->inverse_mass + v3_dot(turn, turn) / now->inverse_inertia);
        size_t i = s->k->problem.rows[n];
        vec3 dv = v3_sub(now->v, v3_load(b->motion + 4 * i)), dw = v3_sub(now->w, v3_load(b->spin + 4 * i));
        vec3 a = v3_sub(v3_scale(1 / h, dv), s->w->gravity);
        v3_store(b->load + 8 * i, v3_scale(b->mass[i], a));
        v3_store(b->load + 8 * i + 4, v3_scale(1 / (h * now->inverse_inertia), dw));
        if (s->k->problem.pushed) scr_ns_push_leave(s->k, n, b->load + 8 * i);
        v3_store(b->motion + 4 * i, now->v);
        v3_store(b->spin + 4 * i, now->w);
    }
}

static void join_lost(void *all, const void *part)
{
    *(double *)all += *(const double *)part;
}

// energies of the continuous stage, and grains as they are after it
static void close_books(stage *s)
{
    scr_ledger *l = &s->w->ledger;
    books all = {0};
    double lost = 0;
    scr_reduce(s->k->contacts.count, book_contacts, join_books, s, &all, sizeof all);
    scr_reduce(s->k->problem.row_count, store_rows, join_lost, s, &lost, sizeof lost);
    enter(s->w, &all);
    // Overlaps differ slightly from the expected ones, and contacts that form within a step start with an overlap whose
    // energy no account covers: it is part of the energy balance error.
    s->w->tally.unforeseen += all.found + l->frozen - l->elastic_normal;
    l->elastic_normal = all.found + all.gain + l->frozen;
    l->numerical += lost + scr_ns_rigids_loss(s->k, s->w);
    l->load_work += scr_ns_push_work(s->k);
    scr_ns_joints_end(s->k, s->w);
}

// the deepest contact, and energy that no account covers
static double take_note(const ns_seen *seen, scr_world *w)
{
    scr_tally *t = &w->tally;
    t->arrived += seen->arrived;
    if (seen->deepest > t->deepest) {
        t->deepest = seen->deepest;
        t->deepest_time = w->clock.time;
        t->deepest_kind = seen->kind;
    }
    return seen->worst;
}

scree_status scr_ns_solve(scr_step *step, scree_report *report)
{
    ns_work *k = step->work;
    scr_world *w = step->world;
    scr_pgs_problem problem = scr_ns_problem(k, w);
    stage s = {k, w, &problem};
    step->last.worst_overlap = fmax(step->last.worst_overlap, take_note(&k->contacts.seen, w));
    bool ok = scr_pgs_prepare(k->problem.pgs, &problem) && impact_stage(&s) &&
              (!k->set.reduce || scr_reserve(&k->contacts.outcome, k->contacts.count)) && continuous_stage(step, &s);
    if (!ok) return scr_no_memory(report, "the solver");
    close_books(&s);
    scr_ns_rigids_store(k, w);
    if (!scr_ns_react(k, w)) return scr_no_memory(report, "forces on walls");
    return SCREE_OK;
}
