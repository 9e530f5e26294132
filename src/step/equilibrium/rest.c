/* Grains at rest: the least potential energy, which is the limit of slow processes of the variational stepper.
 *
 * One step is one load step, and load step k of N is at the time k/N of time.end: walls and groups of prescribed motion
 * are then where they are at that time, and gravity has grown to k/N of itself (ramp: no: it acts in full at once), or
 * is as it varies at that time. Where something moves far against the grains the load step is divided (pace.c); all but
 * the last part end in rough equilibria. In each part, steps of backward Euler,
 *
 *   x <- argmin  sum m |X - x - s v|^2/(2 s^2) + V(X) + dampers + friction,                                     (1)
 *
 * are taken until the forces that are left are small against the largest contact force, or without gravity until no
 * overlap is left that presses. The motion of walls and groups is that of the first, so that springs of friction feel
 * it. Velocities are kept under gravity while the kinetic energy grows: what is loose falls; all is stopped when it
 * falls, and at every step when little is left. From rest (1) is the method of the proximal point: each minimum exists
 * although grains may be loose, and while s grows from step to step convergence becomes as fast as Newton's; directions
 * come from a factor of the second derivative there (matrix.h). It need not be a good one: each step leaves a tenth of
 * the forces that it finds. Loose grains without friction come so far in another way first, which is faster (fall.c),
 * and do again where Newton's method fails. Springs of
 * friction remember, as in any step.
 *
 * Energy. The work of walls and groups is that between equilibria, that of gravity which does not act in full is work
 * of loads. Booked as numerical, for nothing moves: what (1) loses or its dampers take, the kinetic energy of what is
 * stopped, what walls and groups did beyond that work, and what a fall sets free, which is not a motion of ours: the
 * potential energy that it loses. That of a fall is what the other accounts leave, so that the closure says nothing of
 * falls (tests/cli_variational.sh has what a column must lose); of all else it is what is left. */
#include "step/equilibrium/rest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os.h"
#include "step/equilibrium/rattlers.h"
#include "step/equilibrium/statics.h"
#include "step/variational/matrix.h"
#include "world/energy.h"
#include "world/ledger.h"

#define NEAR    0.02 /* of the smallest diameter: motion in (1) below which the next one may be longer */
#define FAR     0.1  /* ... above which it is shorter */
#define CALM    1e-3 /* of the largest contact force: when less is left every step starts from rest */
#define ROUGH   1e-4 /* ... that may be left at the end of a part that is not the last */
#define PART    0.1  /* of the smallest radius: how far walls and groups move in a part */
#define MOST    1e6  /* parts of a load step */
#define SETTLED 1e-5 /* of the largest contact force: what a fall leaves to Newton's method at first */
#define LOOSE   2    /* contacts of a grain, where a heap has three: with fewer grains are loose */
#define LENGTH  1e3  /* times the first length of (1): the length from which Newton's method starts */
#define MORE    4    /* times as long the next one is then */
#define TALK    5    /* seconds between two lines on how far it is */

#define BACKWARD_EULER(most)                                                                                 \
    {                                                                                                        \
        .order = 2, .theta = 1, .tolerance = 0.1, .iterations = (most), .friction_passes = 1, .halvings = 0, \
        .motion = -1                                                                                         \
    }
static const scr_variational_def backward_euler = BACKWARD_EULER(25);
// after a fall a factor costs as much as some hundred steps of it: where it does not serve at once the fall goes on
static const scr_variational_def after_fall = BACKWARD_EULER(6);

static scree_status open(scr_step *s, bool resumed, scree_report *report)
{
    if (!scr_world_lists(s->world)) s->world->clock.skin = scr_var_smallest_radius(&s->world->bodies) / 8;
    scree_status status = scr_var_open(s, &backward_euler, resumed, report);
    if (status) return status;
    var_work *w = s->work;
    w->sub.mode = VAR_RELAX;
    w->solver.matrix = scr_memory_new(1, sizeof *w->solver.matrix);
    if (!w->solver.matrix) return scr_no_memory(report, "statics");
    w->solver.matrix->memory = scr_statics_memory(s->def);
    return SCREE_OK;
}

static void finish(scr_step *s)
{
    var_work *w = s->work;
    if (w && w->solver.matrix) scr_var_matrix_deinit(w->solver.matrix);
    if (w) scr_memory_free(w->solver.matrix);
    scr_var_close(s);
}

void scr_var_rest_progress(scr_step *s, double left, double sigma)
{
    var_work *w = s->work;
    double now = scr_seconds();
    if (w->solver.told == 0) w->solver.told = now;
    if (scr_log_is_quiet() || now - w->solver.told < TALK) return;
    w->solver.told = now;
    fprintf(stderr, "load step %lld: %.3g of the largest contact force is left",
            (long long)(s->world->clock.step - s->world->clock.base_step + 1), left);
    if (sigma < 1) fprintf(stderr, ", with contacts %.3g times as stiff", sigma);
    fputc('\n', stderr);
}

/* ---- one part of a load step ---- */

static void stop(scr_world *w)
{
    scr_bodies *b = &w->bodies;
    for (size_t i = 0; i < b->table.count; i++) {
        w->ledger.numerical += scr_body_translation(b, i) + scr_body_rotation(b, i);
        memset(b->motion + 4 * i, 0, 3 * sizeof *b->motion);
        memset(b->spin + 4 * i, 0, 3 * sizeof *b->spin);
    }
}

typedef struct {
    double left;    // largest force or torque over radius that is left [N]
    double moved;   // largest way [m]
    double kinetic; // [J]
} motion;

static motion measure(const scr_world *w, double h)
{
    const scr_bodies *b = &w->bodies;
    motion r = {0};
    for (size_t i = 0; i < b->table.count; i++) {
        const double *v = b->motion + 4 * i, *load = b->load + 8 * i;
        if (!(v[3] > 0)) continue;
        vec3 force = v3_axpy(v3_load(load), 1 / v[3], w->gravity);
        r.left = fmax(r.left, v3_norm(force));
        if (b->spin[4 * i + 3] > 0) r.left = fmax(r.left, v3_norm(v3_load(load + 4)) / b->place[4 * i + 3]);
        r.moved = fmax(r.moved, h * v3_norm(v3_load(v)));
        r.kinetic += scr_body_translation(b, i) + scr_body_rotation(b, i);
    }
    return r;
}

// the work of forces that a step of (1) leaves unbalanced, for it is not an exact minimum
static double unbalanced_work(const var_work *w)
{
    double work = 0;
    for (size_t i = 0; i < w->world->bodies.table.count; i++) {
        const double *g = w->solver.minimiser.gradient + SCR_ROW * i, *u = w->rows.u + SCR_ROW * i;
        for (int d = 0; d < 3; d++) work -= g[d] * u[d] + g[4 + d] * u[4 + d];
    }
    return work;
}

// of the lightest body when something is pushed into it as far as it may move in a part [m/s^2]
static double push_of(const scr_world *w, double smallest)
{
    double push = 0;
    for (int k = 0; k < w->material_count * w->material_count; k++)
        push = fmax(push, contact_push_of(&w->laws[k], PART * smallest, 1 / smallest).force);
    return push;
}

// a length of (1) in which a body without contacts would move a little
static double first_length(const var_work *w, double smallest, bool moving)
{
    const scr_world *world = w->world;
    const scr_bodies *b = &world->bodies;
    double most2 = 0, lightest = 0;
    for (size_t i = 0; i < b->table.count; i++) {
        double inverse = b->motion[4 * i + 3];
        if (!(inverse > 0)) continue;
        vec3 a = v3_axpy(world->gravity, inverse, v3_load(b->load + 8 * i));
        most2 = fmax(most2, v3_dot(a, a));
        lightest = fmax(lightest, inverse);
    }
    double most = fmax(sqrt(most2), v3_norm(world->gravity));
    // what moves takes grains along: inertia that held them back would make contacts slip
    if (moving) most = lightest * CALM * fmax(w->contacts.strongest, CALM * push_of(world, smallest));
    return most > 0 ? sqrt(NEAR * 2 * smallest / most) : 1;
}

// no path of its own: the energy is a function of places alone
static bool is_smooth(const var_work *w)
{
    const scr_world *world = w->world;
    bool path = w->contacts.rolls || world->bonds.table.count > 0;
    for (int k = 0; k < world->material_count * world->material_count; k++) path |= contact_holds(&world->laws[k]);
    return !path;
}

// from here on all rests, and Newton's method has a matrix
static scree_status rest(scr_step *s, scree_report *report)
{
    stop(s->world);
    var_work *w = s->work;
    w->sub.mode = VAR_DIRECT;
    return scr_var_renew(s, report);
}

static scree_status fall(scr_step *s, double smallest, double settled, bool loose, scree_report *report)
{
    var_work *w = s->work;
    scree_energies before = scr_ledger_energies(s->world);
    w->sub.mode = VAR_RELAX;
    scree_status status = scr_var_fall(s, smallest, settled, loose, report);
    if (!status) status = rest(s, report);
    if (!status) scr_var_books(s);
    scree_energies after = scr_ledger_energies(s->world);
    s->world->ledger.numerical += scr_ledger_balance(&before) - scr_ledger_balance(&after);
    return status;
}

// nothing is left to solve for
static void warn_rounding(var_work *w, double tolerance, double left, scree_report *report)
{
    if (w->solver.coarse) return;
    w->solver.coarse = true;
    scr_warn(report, SCR_NOWHERE,
             "%.2g of the largest contact force is left, more than statics.tolerance, %.2g: with "
             "contacts this stiff, rounding of positions allows no less. The same may hold for later "
             "load steps",
             left, tolerance);
}

// the load's time goes on by `span`, and walls and groups may move in it; then all comes to rest
static scree_status come_to_rest(scr_step *s, double span, bool moving, double tolerance, scree_report *report)
{
    var_work *w = s->work;
    const scr_statics_def *def = s->def;
    scr_statics_report *tell = &s->last.statics;
    bool falls = v3_norm(s->world->gravity) > 0;
    // the age of the list is all that this time is for
    double smallest = scr_var_smallest_radius(&s->world->bodies), time = s->world->clock.listed;
    double h = first_length(w, smallest, moving), shortest = 1e-6 * h, kinetic = 0;
    double longer = LENGTH * h, longest = LENGTH * longer, settled = SETTLED;
    bool smooth = is_smooth(w), slides = falls && !moving && smooth;
    tell->left = INFINITY;
    w->sub.from = s->world->clock.time, w->sub.span = span;
    w->sub.mode = VAR_RELAX, w->def = slides ? &after_fall : &backward_euler;
    stop(s->world);
    scree_status status = SCREE_OK;
    if (slides) {
        bool loose = (double)s->last.contacts < LOOSE * (double)s->world->bodies.table.count;
        if ((status = fall(s, smallest, settled, loose, report))) return status;
        h = longer;
    }
    for (int64_t k = 0; k < def->iterations && !scr_signal_pending(); k++) {
        s->last.sweeps = s->last.inner = 0;
        var_verdict v = scr_var_sub_step(s, time, h, smallest, &status, report);
        tell->iterations += s->last.sweeps;
        if (v == VAR_FAILED || status) return status;
        if (v == VAR_TOO_LONG) {
            tell->halved++;
            if (slides && settled > tolerance) {
                settled = fmax(0.1 * settled, tolerance);
                if ((status = fall(s, smallest, settled, false, report))) return status;
                continue;
            }
            w->def = &backward_euler;
            if ((h *= 0.25) < shortest) break;
            continue;
        }
        s->world->ledger.numerical += unbalanced_work(w);
        time += h;
        motion r = measure(s->world, h);
        tell->left = r.left == 0 ? 0 : w->contacts.strongest > 0 ? r.left / w->contacts.strongest : INFINITY;
        bool from_rest = !falls || w->sub.span > 0;
        w->sub.span = 0;
        bool loose = !falls && !w->bonds.strongest && s->last.worst_overlap < VAR_PRESSES;
        if (loose) tell->left = 0;
        if (tell->left <= tolerance) return SCREE_OK;
        if (var_is(w, VAR_DIRECT) && s->last.sweeps == 0 && h == longest && tell->left < CALM) {
            warn_rounding(w, tolerance, tell->left, report);
            return SCREE_OK;
        }
        // what moves has pushed grains out of their places
        if (smooth && !slides) {
            slides = true, w->def = &after_fall;
            if ((status = fall(s, smallest, settled, false, report))) return status;
            h = longer;
            continue;
        }
        bool halt = from_rest || r.kinetic < kinetic || tell->left < CALM;
        if (halt) stop(s->world);
        kinetic = halt ? 0 : r.kinetic;
        double way = r.moved / (2 * smallest);
        if (way < NEAR) h = fmin(h * (var_is(w, VAR_DIRECT) ? MORE : 1.5), longest);
        if (way > FAR) h *= 0.5;
        scr_var_rest_progress(s, tell->left, 1);
        if (!var_is(w, VAR_DIRECT) && w->sub.span == 0 && tell->left < CALM && (status = rest(s, report)))
            return status;
    }
    if (scr_signal_pending()) return scr_statics_stopped(&s->world->clock, report);
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "load step %lld: grains do not come to rest, %.3g of the largest contact force "
                    "is left; more load steps (statics.steps) or a larger statics.tolerance may help",
                    (long long)s->world->clock.step + 1, tell->left);
}

/* ---- what it found ---- */

static void say_rest(const scr_step *s)
{
    var_work *w = s->work;
    scr_rattlers r = scr_rattlers_find(s->world, w->pairs, NULL, 0, w->rows.guess);
    scr_rattlers_say(&r, s->last.statics.left, "contact force", w->contacts.strongest, s->last.contacts);
}

// of all but rattlers
static scree_status judge_stability(scr_step *s, scree_report *report)
{
    const scr_statics_def *def = s->def;
    var_work *w = s->work;
    size_t n = s->world->bodies.table.count;
    uint8_t *out = scr_memory_new(n + 1, sizeof *out);
    if (!out) return scr_no_memory(report, "rattlers");
    scr_rattlers_find(s->world, w->pairs, NULL, 0, w->rows.guess);
    for (size_t i = 0; i < n; i++) out[i] = w->rows.guess[i] < 0;
    double lowest = scr_var_lowest_eigenvalue(w, out, scr_statics_memory(def));
    scr_memory_free(out);
    s->last.statics.lowest = lowest;
    if (isnan(lowest) && scr_signal_pending()) return scr_statics_stopped_looking(report);
    scr_statics_say_stability(lowest, "all are rattlers, or statics.memory is too small", ", rattlers left out");
    return SCREE_OK;
}

static void tell_matrix(scr_step *s)
{
    const var_matrix *m = ((var_work *)s->work)->solver.matrix;
    scr_statics_report *t = &s->last.statics;
    t->unknowns = (m->sparse ? m->width : 6) * (int64_t)s->world->bodies.table.count;
    if (!m->sparse) return;
    scr_sparse_report r = scr_sparse_tell(m->sparse);
    t->factored = m->factored + r.factored;
    t->factor_bytes = r.factor_bytes, t->direct = r.direct, t->stable = m->positive;
}

// to another time of the load, with what moves as prescribed
static scree_status advance(scr_step *s, double to, bool moving, double tolerance, scree_report *report)
{
    scr_world *world = s->world;
    scr_ledger *l = &world->ledger;
    double from = world->clock.time, span = to - from;
    double wall_work = l->wall_work + scr_var_wall_share(world, from, span);
    double group_work = l->group_work + scr_var_group_share(world, from, span);
    scree_status status = come_to_rest(s, span, moving, tolerance, report);
    stop(world);
    // where it failed before anything moved, it is the time before
    bool moved = ((var_work *)s->work)->sub.span == 0;
    world->clock.time = moved ? to : from;
    if (!moved) return status;
    double done = l->wall_work + l->group_work;
    l->wall_work = wall_work - scr_var_wall_share(world, to, -span);
    l->group_work = group_work - scr_var_group_share(world, to, -span);
    l->numerical += l->wall_work + l->group_work - done;
    return status;
}

// in parts in which nothing moves far
static scree_status raise_load(scr_step *s, scree_report *report)
{
    const scr_statics_def *def = s->def;
    scr_clock *clock = &s->world->clock;
    double from = clock->time, to = scr_clock_ahead(clock, 1);
    double most = PART * scr_var_smallest_radius(&s->world->bodies);
    int64_t parts = scr_var_parts(s->work, from, to - from, most);
    if (parts > MOST)
        return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                        "load step %lld: walls or groups move by more than %.3g radii of the smallest grain; use more "
                        "load steps (statics.steps), or an earlier time.end",
                        (long long)clock->step + 1, PART * MOST);
    double span = (to - from) / (double)(parts > 0 ? parts : 1);
    for (int64_t k = 1; k < parts; k++) {
        scree_status status = advance(s, from + (double)k * span, true, fmax(ROUGH, def->tolerance), report);
        if (status) return status;
    }
    return advance(s, to, parts > 0, def->tolerance, report);
}

static scree_status step(scr_step *s, scree_report *report)
{
    const scr_statics_def *def = s->def;
    scr_world *world = s->world;
    scr_clock *clock = &world->clock;
    double start = scr_seconds(), damping = world->ledger.damping;
    scr_gravity_set(world, scr_clock_ahead(clock, 1));
    int64_t number = clock->step + 1 - clock->base_step;
    bool varies = scr_gravity_varies(&world->gravity_law);
    double part = def->ramp ? (double)number / (double)def->steps : 1;
    vec3 gravity = world->gravity;
    if (s->want_contacts && !scr_pairs_reserve_record(&s->pairs)) return scr_no_memory(report, "contact forces");
    if (!varies) scr_gravity_change(world, v3_scale(part, gravity));
    scree_status status = raise_load(s, report);
    scr_gravity_change(world, gravity);
    stop(world);
    world->ledger.numerical += world->ledger.damping - damping;
    world->ledger.damping = damping;
    tell_matrix(s);
    s->times.forces += scr_seconds() - start;
    s->last.unfinished = status != SCREE_OK;
    if (status) return status;
    s->last.statics.load = part;
    scr_clock_tick(clock);
    if (number < def->steps) return SCREE_OK;
    say_rest(s);
    return def->stability ? judge_stability(s, report) : SCREE_OK;
}

static const scr_law_word *refuses(const scr_world *w, int a, int b, const char **why)
{
    const scr_law_word *word = scr_variational_refuses(w, a, b, why);
    *why =
        "has no potential, so equilibrate cannot find its state of rest; leave it out, or let the grains come to rest "
        "in a run with the integrator soft";
    return word;
}

static void check(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    (void)item;
    scr_variational_refuse(scene, report);
    scr_statics_refuse_servos(scene, report);
}

static void traits(const void *statics, scr_stepper_traits *t)
{
    const scr_statics_def *def = statics;
    t->load_steps = t->holds_deep = true;
    t->held_pairs = false;
    t->ports_every = 1;
    snprintf(t->words, sizeof t->words, "grains come to rest, %lld load steps", (long long)def->steps);
}

const scr_stepper scr_rest_stepper = {
    .variant = {"rest", "equilibria of grains", NULL, sizeof(scr_statics_def)},
    .traits = traits,
    .check = check,
    .refuses = refuses,
    .reports = scr_rest_reports,
    .lines = scr_statics_lines,
    .report = scr_variational_report,
    .open = open,
    .step = step,
    .renew = scr_var_renew,
    .save = scr_var_save,
    .close = finish,
    .contacts = scr_var_contacts,
};
