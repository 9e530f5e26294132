/* The two stages of a step (Servin & Wang 2015, with the signs of docs/theory-nonsmooth.md): impacts, then the
 * continuous stage
 *
 *   0 <= n.u + S_n ln + b_n  perpendicular to  ln >= 0,   b_n = -(4/h) Y delta - Y n.u_before         (1)
 *   Y = 1/(1 + 4 tau/h),   S_n = 4 Y/(h^2 k)                                                          (2)
 *
 * For Hertz contacts, F = K delta^(3/2), the gap is delta^(5/4), and (1) is divided by its slope: 4/5 delta in b_n,
 * and 1/k = 4/(5 K delta^(1/2)).
 *
 * Energy over a step, with the impulse P of a contact on its second body and end velocities: the work of gravity
 * and contacts is m g.v h + P.u, and what the step loses by itself is 1/2 m |dv|^2. So friction never gives
 * energy back, and a pile at rest loses none. */
#include <math.h>

#include "base/buffer.h"
#include "base/log.h"
#include "step/nonsmooth/joints.h"
#include "step/nonsmooth/work.h"

/* ---- setting up ---- */

vec3 ns_wall_velocity(const ns_work *k, const scr_world *w, int wall, vec3 point)
{
    const scr_wall *m = &w->walls[wall];
    vec3 lever = v3_sub(point, k->space.frames[scr_frame_of_wall(wall)].reference);
    return v3_add(m->velocity, v3_cross(m->spin, lever));
}

// velocity of a still body's point, and its spin
static void still_motion(const ns_work *k, const scr_world *w, const ns_contact *c, uint32_t body, vec3 point, vec3 *u,
                         vec3 *spin)
{
    int frame = SCR_FRAME_NONE;
    if (body & NS_WALL) {
        int wall = w->faces[ns_face(c)].wall;
        *u = ns_wall_velocity(k, w, wall, point);
        *spin = w->walls[wall].spin;
        return;
    }
    frame = w->bodies.frame[body];
    if (frame == SCR_FRAME_NONE || ns_in_clump(w, body)) { // held, or seen from a trial
        const double *x = w->bodies.place + 4 * (size_t)body;
        *spin = v3_load(w->bodies.spin + 4 * (size_t)body);
        *u = v3_add(v3_load(w->bodies.motion + 4 * (size_t)body), v3_cross(*spin, v3_sub(point, v3_load(x))));
        return;
    }
    const ns_frame *f = &k->space.frames[frame];
    *spin = f->spin;
    *u = v3_add(f->velocity, v3_cross(f->spin, v3_sub(point, f->reference)));
}

static double radius_of(const scr_world *w, uint32_t body)
{
    return body & NS_WALL ? 0 : w->bodies.place[4 * (size_t)body + 3];
}

static double inverse_mass_of(const ns_work *k, const scr_world *w, const ns_contact *c, int end)
{
    uint32_t body = end ? ns_second(c) : ns_first(c);
    int rigid = c->general ? ns_rigid_of(w, c, end) : -1;
    if (rigid >= 0) return 1 / k->rigids.loaded[rigid].mass;
    return body & NS_WALL ? 0 : w->bodies.motion[4 * (size_t)body + 3];
}

// the length in the bound of rolling torques
static double rolling_radius(const ns_work *k, double ra, double rb)
{
    if (rb == 0) return ra;
    return k->set.effective_radius ? ra * rb / (ra + rb) : fmin(ra, rb);
}

void ns_fill(const ns_work *k, const scr_world *w, ns_contact *c, uint32_t a, uint32_t b, scr_pgs_contact *p)
{
    uint32_t first = ns_first(c), second = ns_second(c);
    const scr_law *law = c->law;
    double ra = radius_of(w, first), rb = radius_of(w, second);
    c->turned = a == SCR_PGS_STILL;
    p->a = c->turned ? b : a;
    p->b = c->turned ? a : b;
    p->normal = c->turned ? v3_scale(-1, c->normal) : c->normal;
    p->arm[0] = c->turned ? rb : ra;
    p->arm[1] = c->turned ? ra : rb;
    p->u0 = p->w0 = v3(0, 0, 0);
    if (c->general) {
        p->lever[0] = ns_lever(k, w, c, c->turned);
        p->lever[1] = ns_lever(k, w, c, !c->turned);
    }
    if (p->b == SCR_PGS_STILL) {
        uint32_t body = c->turned ? first : second;
        uint32_t moving = c->turned ? second : first;
        bool wall = (body | moving) & NS_WALL;
        vec3 x = v3_load(w->bodies.place + 4 * (size_t)(moving & NS_WALL ? first : moving));
        // a grain's own surface, a wall's
        double reach = wall ? ra - c->overlap : p->arm[0];
        still_motion(k, w, c, body, v3_axpy(x, reach, moving & NS_WALL ? c->normal : p->normal), &p->u0, &p->w0);
        p->arm[1] = 0;
    }
    double length = rolling_radius(k, ra, rb);
    p->mu = law->kt > 0 ? law->mu : 0;
    // without friction there is no rolling resistance either
    bool rolls = law->rolling != SCR_ROLLING_NONE && p->mu > 0;
    p->roll = rolls ? law->rolling_mu * length : 0;
    p->twist = law->twisting == SCR_TWISTING_SDS        ? law->twisting_mu * length
               : law->twisting == SCR_TWISTING_MARSHALL ? 2.0 / 3 * sqrt(length * fmax(c->overlap, 0)) * law->mu
                                                        : 0;
    if (c->turned) p->lt = v3_scale(-1, p->lt), p->lr = v3_scale(-1, p->lr);
    // the normal has turned since the impulse was solved for
    p->lt = v3_axpy(p->lt, -v3_dot(p->lt, p->normal), p->normal);
    double m = 1 / (inverse_mass_of(k, w, c, 0) + inverse_mass_of(k, w, c, 1));
    c->damping_time = scr_law_scales(law) ? 0 : law->eta_root * sqrt(m) / law->kn; // of restitution
}

static double effective_radius(const scr_world *w, const ns_contact *c)
{
    double ra = radius_of(w, ns_first(c)), rb = radius_of(w, ns_second(c));
    return rb > 0 ? ra * rb / (ra + rb) : ra;
}

void ns_aim(const ns_work *k, const scr_world *w, ns_contact *c, double normal_velocity, scr_pgs_contact *p)
{
    double h = k->sub.h, y = 1 / (1 + 4 * fmax(k->set.tau, c->damping_time) / h);
    contact_gap gap = scr_law_normal(c->law)->gap(c->law, effective_radius(w, c), c->overlap);
    // what is open may close, but no further
    double push = fmin(4 / h * y * gap.depth, k->set.push);
    p->target = c->overlap > 0 ? -push - y * normal_velocity : -c->overlap / h;
    p->give = 4 * y * gap.compliance / (h * h);
    c->held_back = (4 / h * y * gap.depth - push) / p->give;
}

void ns_relative(const ns_contact *c, const scr_pgs_contact *p, const scr_pgs_body *bodies, vec3 *u, vec3 *w)
{
    const scr_pgs_body *a = &bodies[p->a];
    if (c->general) {
        *u = v3_sub(p->u0, v3_add(a->v, v3_cross(a->w, p->lever[0])));
        *w = v3_sub(p->w0, a->w);
        if (p->b == SCR_PGS_STILL) return;
        const scr_pgs_body *b = &bodies[p->b];
        *u = v3_add(*u, v3_add(b->v, v3_cross(b->w, p->lever[1])));
        *w = v3_add(*w, b->w);
        return;
    }
    vec3 spin = v3_scale(p->arm[0], a->w), v = v3_scale(-1, a->v), turn = v3_scale(-1, a->w);
    if (p->b != SCR_PGS_STILL) {
        const scr_pgs_body *b = &bodies[p->b];
        spin = v3_axpy(spin, p->arm[1], b->w);
        v = v3_add(v, b->v);
        turn = v3_add(turn, b->w);
    }
    *u = v3_add(v3_sub(v, v3_cross(spin, p->normal)), p->u0);
    *w = v3_add(turn, p->w0);
}

/* ---- energy ---- */

// the spring of a contact that is `overlap` deep
static contact_push spring_of(const scr_world *w, const ns_contact *c, double overlap)
{
    return scr_law_normal(c->law)->potential(c->law, effective_radius(w, c), fmax(overlap, 0));
}

static double stored(const scr_world *w, const ns_contact *c, double overlap)
{
    return spring_of(w, c, overlap).energy;
}

// integral of the spring's force, a power of the overlap, from where the contact opens: F delta/(1 + n), n = F' delta/F
static double pressed_in(const scr_world *w, const ns_contact *c, double overlap)
{
    if (!(overlap > 0)) return 0;
    contact_push push = spring_of(w, c, overlap);
    return push.force * push.force * overlap / (push.force + push.stiffness * overlap);
}

// What the spring takes when the overlap changes. It is not made from stored(): were one of the two wrong, the ledger
// would not close.
static double taken_by_spring(const scr_world *w, const ns_contact *c, double from, double to)
{
    return pressed_in(w, c, to) - pressed_in(w, c, from);
}

// contacts between two that are not are left out by ns_set_up
static bool is_solved_for(const scr_world *w, const ns_contact *c)
{
    for (int end = 0; end < 2; end++) {
        uint32_t body = end ? ns_second(c) : ns_first(c);
        if (ns_rigid_of(w, c, end) >= 0 || (!(body & NS_WALL) && !ns_is_still(w, body))) return true;
    }
    return false;
}

double ns_stored(const scr_step *s)
{
    const ns_work *k = s->work;
    double sum = 0;
    for (size_t n = 0; n < k->contacts.count; n++)
        if (is_solved_for(s->world, &k->contacts.all[n]))
            sum += stored(s->world, &k->contacts.all[n], k->contacts.all[n].overlap);
    return sum;
}

static bool leaves(const scr_world *w, uint32_t body)
{
    if (body & NS_WALL) return false;
    return scr_outlet_of(w, body) >= 0 ||
           (w->domain.delete_escaped && ns_is_outside(w, w->bodies.place + 4 * (size_t)body));
}

void ns_release_stored(const ns_work *k, scr_world *w)
{
    double sum = 0;
    for (size_t n = 0; n < k->contacts.memory_count; n++) {
        ns_contact c;
        ns_measure(w, k->contacts.memory[n].key, &c);
        if (leaves(w, ns_first(&c)) || leaves(w, ns_second(&c))) sum += stored(w, &c, c.overlap);
    }
    w->ledger.removed += sum;
    w->ledger.elastic_normal -= sum;
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
    return v3_dot(v3_axpy(p->lt, p->ln, p->normal), p->u0) + v3_dot(p->lr, p->w0);
}

// Where sweeps have not solved a row, its velocity is not the one that belongs to its impulse by the row's law. Losses
// are those of the law; what the rest of the velocity does is nobody's, and the ledger does not close by it.
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

// work on walls and what moves with them belongs to walls, on held groups to groups
static void book_still(scr_world *w, const ns_contact *c, double work)
{
    if (work == 0) return;
    uint32_t body = c->turned ? ns_first(c) : ns_second(c);
    bool group = !(body & NS_WALL) && w->bodies.frame[body] == SCR_FRAME_NONE;
    *(group ? &w->ledger.group_work : &w->ledger.wall_work) -= work;
}

/* ---- stages ---- */

scr_pgs_problem ns_problem(const ns_work *k, const scr_world *w)
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

// impacts: contacts that close fast bounce with their restitution, all others must not close
static bool hits(const ns_work *k, const ns_contact *c)
{
    return c->normal_before < -fmax(k->set.impact_speed, -c->overlap / k->sub.h);
}

// Works of an impact are those at the mean of the velocities before and after; what friction seems to give in blows at
// several contacts is the collision's. Returned is by how much the losses of the law are more than what has gone.
static double book_impact(scr_ledger *l, const scr_pgs_problem *q, const ns_contact *c, const scr_pgs_contact *p,
                          const scr_pgs_body *bodies)
{
    vec3 u, w;
    ns_relative(c, p, bodies, &u, &w);
    works start = works_at(p, c->u, c->w), end = works_at(p, u, w), law = lawful_works(q, p, u, w);
    double tangential = 0.5 * (start.tangential + law.tangential);
    double rolling = 0.5 * (start.rolling + law.rolling);
    l->damping -= 0.5 * (start.normal + law.normal) + fmax(tangential, 0) + fmax(rolling, 0);
    l->friction -= fmin(tangential, 0);
    l->rolling -= fmin(rolling, 0);
    return 0.5 * (end.normal - law.normal + end.tangential - law.tangential + end.rolling - law.rolling);
}

static bool impact_stage(scr_step *s, scr_pgs_problem *problem)
{
    ns_work *k = s->work;
    scr_ledger *l = &s->world->ledger;
    size_t count = 0;
    for (size_t n = 0; n < k->contacts.count; n++) count += hits(k, &k->contacts.all[n]);
    if (!count || !k->set.impact_sweeps) return true;
    for (size_t n = 0; n < k->contacts.count; n++) {
        scr_pgs_contact *p = &k->contacts.problem[n];
        ns_contact *c = &k->contacts.all[n];
        double e = isnan(c->law->restitution) ? 0 : c->law->restitution;
        c->start = (ns_memory){.ln = p->ln, .lt = p->lt, .lr = p->lr};
        p->target = hits(k, c) ? e * c->normal_before : c->overlap > 0 ? 0 : -c->overlap / k->sub.h;
        p->give = 0;
        p->ln = 0, p->lt = p->lr = v3(0, 0, 0);
        ns_relative(c, p, k->problem.bodies, &c->u, &c->w);
    }
    ns_joints_impact(k);
    scr_pgs_options options = {.sweeps = k->set.impact_sweeps,
                               .precise = k->set.precise}; // few sweeps: not over-relaxed
    if (scr_pgs_solve(k->problem.pgs, problem, &options).sweeps < 0) return false;
    ns_joints_impact_end(k, s->world);
    for (size_t n = 0; n < k->contacts.count; n++) {
        scr_pgs_contact *p = &k->contacts.problem[n];
        ns_contact *c = &k->contacts.all[n];
        s->world->tally.unsolved += book_impact(l, problem, c, p, k->problem.bodies);
        book_still(s->world, c, work_on_still(p));
        double sign = c->turned ? -1 : 1;
        c->hit = v3_scale(sign, v3_axpy(p->lt, p->ln, p->normal));
        c->hit_couple = v3_scale(sign, p->lr);
        p->ln = c->start.ln, p->lt = c->start.lt, p->lr = c->start.lr;
    }
    s->world->tally.solved_sweeps += (double)k->set.impact_sweeps * (double)k->contacts.count;
    s->world->tally.all_sweeps += (double)k->set.impact_sweeps * (double)(k->contacts.count + k->growth.frozen.count);
    return true;
}

static bool continuous_stage(scr_step *s, scr_pgs_problem *problem)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    bool warm = ns_starts_warm(k, w);
    for (size_t n = 0; n < k->contacts.count; n++) {
        scr_pgs_contact *p = &k->contacts.problem[n];
        vec3 u, spin;
        ns_relative(&k->contacts.all[n], p, k->problem.bodies, &u, &spin);
        ns_aim(k, w, &k->contacts.all[n], v3_dot(u, p->normal), p);
        if (!warm) p->ln = 0, p->lt = p->lr = v3(0, 0, 0);
    }
    ns_joints_aim(k, w);
    for (size_t n = 0; n < k->problem.row_count + k->rigids.count; n++) {
        k->problem.before[n] = k->problem.bodies[n];
        k->problem.bodies[n].v = v3_axpy(k->problem.bodies[n].v, k->sub.h, w->gravity);
    }
    scr_pgs_options options = {.sweeps = k->set.sweeps << w->tally.boost,
                               .tolerance = k->set.tolerance,
                               .precise = k->set.precise,
                               .relaxation = k->set.relaxation};
    scr_pgs_result result = scr_pgs_solve(k->problem.pgs, problem, &options);
    if (result.sweeps < 0) return false;
    s->last.sweeps += result.sweeps;
    s->last.residual = fmax(s->last.residual, result.residual);
    w->tally.solved_sweeps += (double)result.sweeps * (double)k->contacts.count;
    w->tally.all_sweeps += (double)result.sweeps * (double)(k->contacts.count + k->growth.frozen.count);
    return true;
}

// of a contact whose push-out nothing bounds
static double unbound_impulse(const ns_contact *c, const scr_pgs_contact *p, double v)
{
    return fmax(0, c->held_back - (p->target + v) / p->give);
}

// Of the work of a normal impulse the spring has its part, the bound of the push-out what it keeps back, the damper the
// rest. Returned is by how much the losses of the law are more than what has gone.
static double book_contact(const ns_work *k, scr_world *w, const scr_pgs_problem *q, const ns_contact *c,
                           const scr_pgs_contact *p)
{
    scr_ledger *l = &w->ledger;
    works done = works_at(p, c->u, c->w), law = lawful_works(q, p, c->u, c->w);
    double v = lawful_velocity(p, v3_dot(p->normal, c->u));
    double lost = -law.normal - taken_by_spring(w, c, c->overlap, c->overlap - k->sub.h * v);
    double cut = c->held_back > 0 ? v * (unbound_impulse(c, p, v) - p->ln) : 0;
    l->damping += lost - cut;
    l->numerical += cut;
    l->friction -= law.tangential;
    l->rolling -= law.rolling;
    return lost + done.normal + c->taken + done.tangential - law.tangential + done.rolling - law.rolling;
}

// energies of the continuous stage
static void book(scr_step *s, const scr_pgs_problem *problem)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    scr_ledger *l = &w->ledger;
    double found = 0, gain = 0;
    for (size_t n = 0; n < k->contacts.count; n++) {
        ns_contact *c = &k->contacts.all[n];
        const scr_pgs_contact *p = &k->contacts.problem[n];
        ns_relative(c, p, k->problem.bodies, &c->u, &c->w);
        double then = c->overlap - k->sub.h * v3_dot(p->normal, c->u);
        c->energy = stored(w, c, c->overlap);
        c->gain = stored(w, c, then) - c->energy;
        c->taken = taken_by_spring(w, c, c->overlap, then);
        found += c->energy, gain += c->gain;
        w->tally.unsolved += book_contact(k, w, problem, c, p);
        book_still(w, c, work_on_still(p));
    }
    // Overlaps are not quite as they were expected, and what came too near within a step has one from nowhere: nobody
    // pays for it, and the ledger does not close by it.
    w->tally.unforeseen += found + l->frozen - l->elastic_normal;
    l->elastic_normal = found + gain + l->frozen;
    for (size_t n = 0; n < k->problem.row_count; n++) {
        const scr_pgs_body *now = &k->problem.bodies[n], *then = &k->problem.before[n];
        vec3 dv = v3_sub(now->v, then->v), dw = v3_sub(now->w, then->w);
        l->numerical += 0.5 * (v3_dot(dv, dv) / now->inverse_mass + v3_dot(dw, dw) / now->inverse_inertia);
    }
    l->numerical += ns_rigids_loss(k, w);
    ns_joints_end(k, w);
}

// grains that move by themselves, then rigid bodies
static void load_rows(ns_work *k, const scr_world *w)
{
    const scr_bodies *b = &w->bodies;
    size_t words = b->table.count / 64 + 1, n = 0, members = 0;
    for (size_t word = 0; word < words; word++)
        for (uint64_t bits = k->space.awake[word]; bits; bits &= bits - 1) {
            size_t i = ns_lowest(word, bits);
            if (ns_in_clump(w, (uint32_t)i)) {
                k->rigids.members[members++] = (uint32_t)i;
                continue;
            }
            k->problem.rows[n] = (uint32_t)i;
            k->problem.slot[i] = (uint32_t)n;
            k->problem.bodies[n++] = (scr_pgs_body){.v = v3_load(b->motion + 4 * i),
                                                    .inverse_mass = b->motion[4 * i + 3],
                                                    .w = v3_load(b->spin + 4 * i),
                                                    .inverse_inertia = b->spin[4 * i + 3]};
        }
    k->problem.row_count = n;
    k->rigids.member_count = members;
    ns_rigids_load(k, w);
}

// the row of the problem that an end of a contact is, SCR_PGS_STILL: none
static uint32_t row_of(const ns_work *k, const scr_world *w, const ns_contact *c, int end)
{
    uint32_t body = end ? ns_second(c) : ns_first(c);
    int rigid = ns_rigid_of(w, c, end);
    if (rigid >= 0) return (uint32_t)k->problem.row_count + (uint32_t)rigid;
    return (body & NS_WALL) || ns_is_still(w, body) ? SCR_PGS_STILL : k->problem.slot[body];
}

static void store_rows(const ns_work *k, scr_world *w)
{
    scr_bodies *b = &w->bodies;
    for (size_t n = 0; n < k->problem.row_count; n++) {
        size_t i = k->problem.rows[n];
        vec3 dv = v3_sub(k->problem.bodies[n].v, v3_load(b->motion + 4 * i));
        vec3 dw = v3_sub(k->problem.bodies[n].w, v3_load(b->spin + 4 * i));
        vec3 a = v3_sub(v3_scale(1 / k->sub.h, dv), w->gravity);
        v3_store(b->load + 8 * i, v3_scale(b->mass[i], a));
        v3_store(b->load + 8 * i + 4, v3_scale(1 / (k->sub.h * k->problem.bodies[n].inverse_inertia), dw));
        v3_store(b->motion + 4 * i, k->problem.bodies[n].v);
        v3_store(b->spin + 4 * i, k->problem.bodies[n].w);
    }
}

// two that are not solved for: where one runs against the other, members are to be set free
static bool meet(ns_work *k, const scr_world *w, const ns_contact *c)
{
    const double *x = w->bodies.place + 4 * (size_t)ns_first(c);
    vec3 point = v3_axpy(v3_load(x), x[3], c->normal), u[2], spin[2];
    still_motion(k, w, c, ns_first(c), point, &u[0], &spin[0]);
    still_motion(k, w, c, ns_second(c), point, &u[1], &spin[1]);
    if (c->overlap <= 0 || !ns_strikes(&k->set, v3_sub(u[1], u[0]))) return true;
    bool ok = true;
    if (ns_is_member(w, ns_first(c))) ok &= ns_struck(k, ns_first(c));
    if (ns_is_member(w, ns_second(c))) ok &= ns_struck(k, ns_second(c));
    return ok;
}

bool ns_set_up(scr_step *s)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    size_t kept = 0;
    bool ok = true;
    k->split.struck_count = 0;
    load_rows(k, w);
    ns_joints_build(k, w, k->sub.end);
    for (size_t n = 0; n < k->contacts.count; n++) {
        ns_contact *c = &k->contacts.all[n];
        scr_pgs_contact *p = &k->contacts.problem[n];
        uint32_t a = row_of(k, w, c, 0), b = row_of(k, w, c, 1);
        if (a == SCR_PGS_STILL && b == SCR_PGS_STILL) {
            ok &= meet(k, w, c);
            continue;
        }
        *(c = &k->contacts.all[kept]) = k->contacts.all[n];
        *(p = &k->contacts.problem[kept++]) = k->contacts.problem[n];
        c->general = ns_rigid_of(w, c, 0) >= 0 || ns_rigid_of(w, c, 1) >= 0;
        ns_fill(k, w, c, a, b, p);
        vec3 u, spin;
        ns_relative(c, p, k->problem.bodies, &u, &spin);
        c->normal_before = v3_dot(u, p->normal);
        c->sliding_before = v3_norm(v3_axpy(u, -c->normal_before, p->normal));
        c->spin_before = v3_norm(spin);
    }
    k->contacts.count = kept;
    return ok;
}

// why a contact overlaps: impulses are those of the step before
static scr_depth depth_of(const ns_work *k, const scr_world *w, const ns_contact *c, double ln)
{
    if (!(ln > 0)) return SCR_DEPTH_LATE;
    return ln > 0.5 * k->sub.h * spring_of(w, c, c->overlap).force ? SCR_DEPTH_SOFT : SCR_DEPTH_LEFT;
}

// the deepest contact, and what nobody paid for
static double look_at_overlaps(const ns_work *k, scr_world *w)
{
    double worst = 0;
    scr_tally *t = &w->tally;
    for (size_t n = 0; n < k->contacts.count; n++) {
        const ns_contact *c = &k->contacts.all[n];
        double ln = k->contacts.problem[n].ln;
        if (!(c->overlap > 0)) continue;
        double ra = radius_of(w, ns_first(c)), rb = radius_of(w, ns_second(c));
        double smaller = rb > 0 ? fmin(ra, rb) : ra;
        worst = fmax(worst, c->overlap / smaller);
        if (!(ln > 0)) t->arrived += stored(w, c, c->overlap);
        if (!(c->overlap > 2 * smaller * t->deepest)) continue;
        t->deepest = c->overlap / (2 * smaller);
        t->deepest_time = w->clock.time;
        t->deepest_kind = depth_of(k, w, c, ln);
    }
    return worst;
}

scree_status ns_solve(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    s->last.worst_overlap = fmax(s->last.worst_overlap, look_at_overlaps(k, w));
    scr_pgs_problem problem = ns_problem(k, w);
    if (!scr_pgs_prepare(k->problem.pgs, &problem)) return scr_no_memory(report, "the solver");
    if (!impact_stage(s, &problem) || !continuous_stage(s, &problem)) return scr_no_memory(report, "the solver");
    book(s, &problem);
    store_rows(k, w);
    ns_rigids_store(k, w);
    if (!ns_react(k, w)) return scr_no_memory(report, "forces on walls");
    return SCREE_OK;
}
