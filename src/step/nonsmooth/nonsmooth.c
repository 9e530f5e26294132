/* The nonsmooth stepper. A step, at most `substeps` times:
 *
 *   contacts at the present positions; aggregates split; impacts; contacts and gravity together;
 *   aggregates merge; positions.
 *
 * (Servin & Wang 2015, algorithm 1.) */
#include "step/nonsmooth/nonsmooth.h"

#include <math.h>

#include "base/buffer.h"
#include "base/log.h"
#include "base/os.h"
#include "collide/pairs.h"
#include "step/nonsmooth/work.h"

#define SORT_EVERY 512 /* steps between two sorts of the bodies */
#define NEAR       0.2 /* of the smaller radius: grains so near can meet after a blow from a third */

static double or_none(double x)
{
    return isnan(x) ? INFINITY : x;
}

// not a number is auto, negative is none
static double or_preset(double x, bool paper, double preset, double ours)
{
    return isnan(x) ? (paper ? preset : ours) : x < 0 ? INFINITY : x;
}

static int count_or(double x, bool paper, int preset, int ours)
{
    return isnan(x) ? (paper ? preset : ours) : (int)x;
}

static ns_settings settings_of(const scr_nonsmooth_def *d, const scr_world *w)
{
    double dt = w->clock.dt, h = dt / (double)d->substeps, g = scr_gravity_most(w), fall = g * dt;
    bool paper = d->preset == SCR_PRESET_SERVIN2015;
    // cold sweeps end early, and piles creep faster than grains may that merge
    bool creeps = paper || d->start == SCR_START_COLD;
    ns_settings set = {
        .sweeps = (int)d->sweeps,
        .impact_sweeps = (int)d->impact_sweeps,
        .substeps = (int)d->substeps,
        .warm = d->start == SCR_START_WARM,
        .precise = d->precision == SCR_PRECISION_DOUBLE,
        .effective_radius = d->rolling_radius == SCR_ROLLING_EFFECTIVE,
        .impact_speed = isnan(d->impact_speed) ? fall : d->impact_speed,
        .push = or_none(d->push),
        .tolerance = d->tolerance,
        .nonconvergence = isnan(d->nonconvergence) ? fall : d->nonconvergence,
        .tau = isnan(d->stabilisation) ? 2 * dt : d->stabilisation,
        .margin = isnan(d->anticipation) ? g * h * h : d->anticipation,
        .near = isnan(d->anticipation) ? NEAR : 0,
        .ahead = isnan(d->anticipation),
        .relaxation = d->relaxation,
        .reduce = d->reduction == SCR_REDUCTION_ON,
        .merge_approach = or_none(d->merge_approach),
        .merge_separation = or_none(d->merge_separation),
        .merge_sliding = or_none(d->merge_sliding),
        .merge_spin = or_none(d->merge_spin),
        .merge_normal_change = h * or_none(d->merge_normal_acceleration),
        .merge_sliding_change = h * or_none(d->merge_sliding_acceleration),
        .merge_spin_change = h * or_none(d->merge_spin_acceleration),
        .free_least = count_or(d->free_aggregates, paper, 2, 0),
        .split_approach = or_none(d->split_approach),
        .split_separation = or_none(d->split_separation),
        .split_sliding = or_none(d->split_sliding),
        .split_spin = or_none(d->split_spin),
        .split_depth = (int)d->split_depth,
        .trial_sweeps = count_or(d->trial_sweeps, paper, 50, 10),
        .trial_every = count_or(d->trial_every, paper, 1, 2),
        .trial_layers = count_or(d->trial_layers, paper, 0, 4),
        .trial_warm = d->trial_start ? d->trial_start - 1 == SCR_START_WARM : !paper,
        .trial_force = or_preset(d->trial_force, creeps, 0.15, 0.05),
        .trial_approach = or_preset(d->trial_approach, paper, 2.6, INFINITY),
        .trial_separation = or_preset(d->trial_separation, paper, 0.26, INFINITY),
        .trial_sliding = or_preset(d->trial_sliding, paper, 0.26, INFINITY),
    };
    double slow = fmin(set.merge_sliding, fmin(set.merge_approach, set.merge_separation));
    set.merge_drift = or_preset(d->merge_drift, creeps, INFINITY, slow);
    set.trial_velocities = fmin(fmin(set.trial_approach, set.trial_separation), set.trial_sliding) < INFINITY;
    return set;
}

static void close(scr_step *s)
{
    ns_work *k = s->work;
    if (!k) return;
    scr_tiles_deinit(&k->space.tiles);
    scr_frozen_deinit(&k->growth.frozen);
    scr_ns_find_close(k);
    scr_pgs_destroy(k->problem.pgs);
    scr_pgs_destroy(k->trial.pgs);
    scr_memory_free(k->space.carriers), scr_memory_free(k->contacts.sorter.room);
    scr_free_all(k->space.awake, k->space.way);
    scr_free_all(k->contacts.all, k->contacts.problem, k->contacts.beside, k->contacts.outcome, k->contacts.blows,
                 k->contacts.on_walls, k->contacts.memory, k->contacts.carried);
    scr_free_all(k->problem.rows, k->problem.slot, k->problem.moved, k->problem.bodies, k->problem.before,
                 k->problem.outer);
    scr_free_all(k->rigids.inverse, k->rigids.loaded, k->rigids.was_loaded, k->rigids.riders, k->rigids.members,
                 k->rigids.touched, k->rigids.expected, k->joints.rows, k->joints.notes);
    scr_free_all(k->growth.link_first, k->growth.link_next, k->growth.queue, k->growth.joined, k->growth.tree,
                 k->growth.tree_size);
    scr_free_all(k->split.marked, k->split.rows, k->split.struck, k->split.thawed, k->watch.rows, k->watch.watched);
    scr_free_all(k->trial.near, k->trial.near_rows, k->trial.edges, k->trial.bodies, k->trial.contacts,
                 k->trial.problem, k->trial.beside, k->trial.edge);
    scr_memory_free(k);
    s->work = NULL;
}

// bodies that leave go, all others into order; then everything anew
static scree_status reload(scr_step *s, scree_report *report)
{
    scree_status lost = scr_ns_leaves(s) ? scr_ns_leave(s, report) : SCREE_OK;
    if (lost && lost != SCREE_E_RUN) return lost;
    bool done = false;
    scree_status status = lost ? SCREE_OK : scr_ns_reorder(s, &done, report);
    if (!status && !done) status = scr_ns_save(s, report);
    if (status || done) return status;
    // a lost grain is reported once
    scr_tidy how = {.wrap = true, .sort = true, .leave = !lost};
    status = scr_bodies_tidy(&s->pairs, s->world, how, report);
    if (status && status != SCREE_E_RUN) return status;
    if (!lost) lost = status;
    status = scr_ns_load(s, report);
    return status ? status : lost;
}

// grains that are part of aggregates; what never moves is not a grain
static void count_members(scr_step *s)
{
    const ns_work *k = s->work;
    s->last.merged = s->last.aggregates = 0;
    for (int f = 1; f < k->space.carrier_count; f++) {
        size_t members = k->space.carriers[f].members - (f == SCR_CARRIER_REST ? k->sub.held : 0);
        s->last.merged += (int64_t)members;
        s->last.aggregates += members > 0;
    }
    const scr_world *w = s->world;
    for (size_t n = (size_t)w->part_count; n < w->rigids.table.count; n++)
        s->last.aggregates += w->rigids.kind[n] == SCR_RIGID_AGGREGATE && !ns_is_gone(w, n);
    for (uint32_t i = 0; w->rigids.table.count && i < w->bodies.table.count; i++)
        s->last.merged += scr_ns_in_aggregate(w, i);
}

static scree_status measure_state(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scree_status status = scr_ns_find(s, report);
    if (!status) status = scr_ns_gather(s, false, report);
    if (status) return status;
    k->sub.unsolved = true;
    scr_ns_count_contacts(s);
    count_members(s);
    return SCREE_OK;
}

// of a sub-step, and what follows for contacts that relax as the settings say
static void set_length(ns_work *k, double dt)
{
    k->sub.h = dt / k->set.substeps;
    k->sub.y = scr_ns_relaxed(k->set.tau, k->sub.h);
    k->sub.pace = scr_ns_pace(k->sub.y, k->sub.h);
}

static scree_status open(scr_step *s, bool resumed, scree_report *report)
{
    scr_world *w = s->world;
    ns_work *k = s->work = scr_memory_new(1, sizeof *k);
    if (!k) return scr_no_memory(report, "the integrator");
    k->set = settings_of(s->def, w);
    set_length(k, w->clock.dt);
    k->space.carrier_count = scr_carrier_of_rigid(w, w->part_count); // clumps are none for others
    k->space.carriers = scr_memory_new((size_t)k->space.carrier_count, sizeof *k->space.carriers);
    k->problem.pgs = scr_pgs_create();
    k->trial.pgs = scr_pgs_create();
    if (!k->space.carriers || !k->problem.pgs || !k->trial.pgs || !scr_contacts_widen(&w->contacts) ||
        !scr_ns_find_open(k, w))
        return scr_no_memory(report, "the integrator");
    scr_ns_set_carriers(k, w, w->clock.time);
    scree_status status = scr_ns_load(s, report);
    if (!status && k->set.margin > 2 * k->space.radius_min)
        status = scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                          "stepper.anticipation is %.3g m, more than the smallest diameter, %.3g m: contacts that "
                          "cannot close would be included in the solve",
                          k->set.margin, 2 * k->space.radius_min);
    if (!status && !resumed) status = reload(s, report);
    if (!status) status = measure_state(s, report);
    if (!status && !resumed && !scr_ns_recount(k, &w->ledger)) status = scr_no_memory(report, "contacts");
    if (!status && !resumed) w->ledger.elastic_normal = scr_ns_stored(s) + w->ledger.frozen;
    return status;
}

static scree_status substep(scr_step *s, double from, double to, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    double t0 = scr_seconds();
    k->sub.end = to;
    scr_gravity_set(w, 0.5 * (from + to));
    scr_ns_set_carriers(k, w, from);
    scree_status status = scr_ns_find(s, report);
    if (status) return status;
    k->sub.walls_changed |= scr_ns_move_walls(k, w, from, to);
    scr_ns_aim_groups(w, from, to);
    status = scr_ns_gather(s, true, report);
    if (!status && k->set.reduce) status = scr_ns_split(s, report);
    if (status) return status;
    double t1 = scr_seconds();
    status = scr_ns_solve(s, report);
    k->sub.unsolved = false;
    if (!status && k->set.reduce) status = scr_ns_merge(s, report);
    if (!status && !scr_ns_remember(k)) status = scr_no_memory(report, "impulses");
    if (status) return status;
    double t2 = scr_seconds();
    s->last.solved = (int64_t)k->contacts.count;
    count_members(s);
    status = scr_ns_advance(s, from, to, report);
    s->times.neighbours += t1 - t0;
    s->times.forces += t2 - t1;
    s->times.integrate += scr_seconds() - t2;
    return status;
}

#define FEW 3 /* times that a change is said; all are counted */

static void say_boost(const scr_step *s, const char *why, int64_t times)
{
    const ns_work *k = s->work;
    int64_t boost = s->world->tally.boost;
    if (times > FEW) return;
    scr_say("step %lld: %s%d sweeps from now on%s%s", (long long)s->world->clock.step, why, k->set.sweeps << boost,
            boost == NS_MOST_BOOST ? ", from zero" : "", times == FEW ? "; more such changes are only counted" : "");
}

static void count_sweeps(scr_step *s)
{
    scr_tally *t = &s->world->tally;
    t->swept_steps++;
    t->step_sweeps += s->last.sweeps;
    if (s->last.sweeps > t->most_sweeps) t->most_sweeps = s->last.sweeps;
}

// Energy is the witness: contacts only lose it. When the sum of all losses falls, the solver feeds some in.
static void watch_energy(scr_step *s)
{
    enum { EVERY = 16, CALM = 32 };
    const ns_work *k = s->work;
    scr_world *w = s->world;
    scr_tally *t = &w->tally;
    const scr_ledger *l = &w->ledger;
    if (!k->set.warm || w->clock.step % EVERY) return;
    // overlaps that are found late bring energy that was in no contact: that is not the solver's doing; of others
    // that are not as expected it is
    double lost =
        l->damping + l->friction + l->rolling + l->numerical + t->arrived + t->halted - t->unforeseen - t->unsolved;
    double kinetic = 0;
    for (size_t n = 0; n < k->problem.row_count; n++)
        kinetic += 0.5 / k->problem.bodies[n].inverse_mass * v3_dot(k->problem.bodies[n].v, k->problem.bodies[n].v);
    for (size_t n = 0; n < k->rigids.count; n++) {
        const scr_pgs_body *b = &k->problem.bodies[k->problem.row_count + n];
        if (ns_is_gone(w, n)) continue;
        kinetic += 0.5 * (k->rigids.loaded[n].mass * v3_dot(b->v, b->v) +
                          v3_dot(b->w, sym3_times(k->rigids.loaded[n].inertia, b->w)));
    }
    bool fed = lost - t->lost < -0.02 * kinetic - 1e-9 * fabs(lost);
    t->lost = lost;
    // one such look may be a beginning or a blow
    bool again = fed && t->fed;
    t->calm = fed ? 0 : t->calm + 1;
    t->fed = fed;
    if (again && t->boost < NS_MOST_BOOST) {
        t->boost++, t->doubled++;
        t->fed = 0;
        say_boost(s, "impulses that start from the last step's feed energy in: ", t->doubled);
    } else if (t->boost && t->calm == CALM) {
        t->boost--, t->halved++;
        t->calm = 0;
        say_boost(s, "calm for some time: ", t->halved);
    }
}

// what the sweeps left undone is counted, and said once
static scree_status judge(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scr_world *w = s->world;
    const scr_nonsmooth_def *def = s->def;
    w->tally.worst_residual = fmax(w->tally.worst_residual, s->last.residual);
    if (!(s->last.residual > k->set.nonconvergence)) return SCREE_OK;
    w->tally.unconverged++;
    if (def->on_nonconvergence == SCR_NONCONVERGENCE_STOP)
        return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                        "step %lld, time %.9g s: after %lld sweeps velocities at contacts still "
                        "change by %.3g m/s in a sweep, more than stepper.nonconvergence, %.3g m/s",
                        (long long)w->clock.step, w->clock.time, (long long)s->last.sweeps, s->last.residual,
                        k->set.nonconvergence);
    if (w->tally.unconverged == 1)
        scr_say("step %lld has not converged: after %lld sweeps velocities still change by %.3g m/s "
                "in a sweep; such steps are counted",
                (long long)w->clock.step, (long long)s->last.sweeps, s->last.residual);
    return SCREE_OK;
}

// what gets this far in a step, in diameters of the smallest grain, has no contacts worth the name
#define TOO_FAR 10

static scree_status refuse_pace(const scr_step *s, size_t i, scree_report *report)
{
    const ns_work *k = s->work;
    const scr_world *w = s->world;
    double speed = v3_norm(v3_load(w->bodies.motion + 4 * i)), d = 2 * k->space.radius_min;
    const char *step = k->set.substeps > 1 ? "sub-step" : "step";
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "step %lld, time %.9g s: grain %lld moves at %.3g m/s and would travel %.3g m in a %s, through any "
                    "obstacle, more than %d times the smallest diameter, %.3g m; time.step is %.4g s, and %.3g s keeps "
                    "it within the radius",
                    (long long)w->clock.step, w->clock.time, (long long)w->bodies.id[i], speed, speed * k->sub.h, step,
                    TOO_FAR, d, w->clock.dt, 0.5 * d / speed * k->set.substeps);
}

// grains must not become so fast that a search for what they meet makes no sense
static scree_status check_pace(const scr_step *s, scree_report *report)
{
    const ns_work *k = s->work;
    const scr_bodies *b = &s->world->bodies;
    double most = TOO_FAR * 2 * k->space.radius_min / k->sub.h;
    for (size_t word = 0; word < b->table.count / 64 + 1; word++)
        for (uint64_t bits = k->space.awake[word]; bits; bits &= bits - 1) {
            size_t i = ns_lowest(word, bits);
            vec3 v = v3_load(b->motion + 4 * i);
            if (v3_dot(v, v) > most * most) return refuse_pace(s, i, report);
        }
    return SCREE_OK;
}

static scree_status step(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scr_clock *clock = &s->world->clock;
    scree_status status = SCREE_OK;
    s->last.sweeps = 0;
    s->last.residual = s->last.worst_overlap = 0;
    bool sort = clock->step % SORT_EVERY == SORT_EVERY - 1;
    if (sort)
        status = reload(s, report);
    else if (k->sub.leaving)
        status = scr_ns_leave(s, report);
    set_length(k, clock->dt);
    if (!status) status = check_pace(s, report);
    double start = clock->time;
    for (int n = 0; n < k->set.substeps && !status; n++) {
        double to = n + 1 == k->set.substeps ? start + clock->dt : start + (n + 1) * k->sub.h;
        k->sub.first = n == 0;
        status = substep(s, start + n * k->sub.h, to, report);
    }
    if (status) return status;
    scr_clock_tick(clock);
    scr_gravity_set(s->world, clock->time);
    count_sweeps(s);
    watch_energy(s);
    return judge(s, report);
}

static scree_status renew(scr_step *s, scree_report *report)
{
    ns_work *k = s->work;
    scree_status status = scr_ns_reserve(s, report);
    for (; k->space.placed < s->world->bodies.table.count && !status; k->space.placed++)
        if (!scr_ns_place(k, s->world, (uint32_t)k->space.placed)) status = scr_no_memory(report, "grid cells");
    if (!status && scr_ns_leaves(s)) status = scr_ns_leave(s, report);
    return status;
}

const scr_stepper scr_nonsmooth_stepper = {
    .variant = {"nonsmooth", "contacts as constraints on velocities, projected Gauss-Seidel, rigid aggregates",
                scr_nonsmooth_params, sizeof(scr_nonsmooth_def)},
    .traits = scr_nonsmooth_traits,
    .reports = scr_nonsmooth_reports,
    .lines = scr_nonsmooth_lines,
    .report = scr_nonsmooth_report,
    .judge = scr_nonsmooth_judge,
    .check = scr_nonsmooth_check,
    .open = open,
    .step = step,
    .renew = renew,
    .leaves = scr_ns_leaves,
    .near = scr_ns_in_box,
    .save = scr_ns_save,
    .catch_up = scr_ns_catch_up,
    .count = scr_ns_count_contacts,
    .close = close,
    .contacts = scr_ns_contacts,
};
