/* Loose grains without friction fall to where they rest: the first, rough part of their way to equilibrium (rest.c).
 *
 * Nothing on this way matters but where it ends, so it is made short: grains move in the potential V(x) alone with one
 * mass for all (solve/glide.h), and with contacts that are softened at first. All contact energies are taken times
 * sigma, such that the largest overlap is a fifth of a diameter: a fall takes some thousand steps then, whatever the
 * stiffness, and contacts are many, so that grains find their places quickly. Then sigma is raised to 1, ten times
 * each. A contact at the bottom carries about 3 W/n^(2/3), the weight of all over the grains of a layer; where overlaps
 * come out larger than two fifths, sigma is raised at once.
 *
 * The drag is a part of (g/d)^(1/2), the rate at which grains rearrange: much while contacts are soft, for what is
 * stored in them is set free when they are made stiffer, and little at the end, where it decides in how many saddles
 * the heap stays for long.
 *
 * Where few grains have more force than is wanted they creep, slide and bounce alone, and it is left to them (local.c),
 * for they would take thousands of steps of all.
 *
 * Ways are carried in the rows of spins, which nothing else uses here, when bodies are sorted. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/os.h"
#include "math/elementary.h"
#include "solve/glide.h"
#include "step/variational/work.h"

#define DEEP   0.2 /* overlap over the smallest diameter, with the first sigma */
#define DEEPER 0.4 /* ... that calls for the next */
#define RAISE  10
#define ROUGH  1e-2   /* of the largest contact force: what may be left before sigma is raised */
#define SOFT   1      /* drag over the rate, before */
#define STIFF  0.3    /* and after */
#define FEW    0.005  /* of the grains: those that go alone, */
#define MOVES  20     /* times each of all moved so, */
#define ROUNDS 40     /* with so many lists, at most */
#define WIDE   0.6    /* skin over the smallest diameter at first, */
#define NARROW 0.06   /* and at least; */
#define SHORT  40     /* steps that a list shall serve at least: else the next is wider, */
#define LASTS  160    /* and at most: else narrower, */
#define WIDER  1.5    /* so many times */
#define STEPS  200000 /* with one sigma, at most */
#define CAP    0.05   /* of the smallest radius: how far grains move in a step */
#define LONG   1e6    /* s of the objective: no inertia */

typedef struct {
    scr_step *step;
    var_work *w;
    double smallest;
    double force;   // expected at the bottom [N]
    double mass;    // of a grain [kg]
    double rate;    // at which they rearrange [1/s]
    double least;   // force that is none [N]
    double sigma;   // softness
    scr_law *stiff; // laws as they are
    size_t laws;
    scr_glide glide;
    double skin; // of the next list, over the smallest diameter
    bool placed; // single grains have found their places
} fall;

// stiffness of the stiffest law where it carries the expected force, and the force at a depth
static double stiffness_of(const fall *f, double depth, double *at)
{
    double most = 0;
    *at = 0;
    for (size_t k = 0; k < f->laws; k++) {
        double power = scr_law_normal(&f->stiff[k])->power;
        double push = f->sigma * contact_push_of(&f->stiff[k], depth, 1 / f->smallest).force;
        double overlap = depth * scr_pow(f->force / push, 1 / power);
        *at = fmax(*at, push);
        most = fmax(most, power * f->force / overlap);
    }
    return most;
}

static void soften(const fall *f)
{
    for (size_t k = 0; k < f->laws; k++) f->w->world->laws[k].kn = f->sigma * f->stiff[k].kn;
}

// a new list where the bodies are, and rows that start there
static scree_status look(fall *f, scree_report *report)
{
    var_work *w = f->w;
    scr_bodies *b = &w->world->bodies;
    w->world->clock.skin = f->skin * 2 * f->smallest;
    scree_status status = scr_var_renew(f->step, report);
    if (status) return status;
    size_t n = b->table.count;
    scr_var_walls_prepare(w);
    scr_var_predict(w);
    scr_clear(w->rows.u, SCR_ROW * n * sizeof *w->rows.u);
    scr_clear(w->rows.guess, SCR_ROW * n * sizeof *w->rows.guess);
    scr_clear(w->solver.minimiser.p, VAR_LEAN * n * sizeof *w->solver.minimiser.p);
    for (size_t i = 0; i < n; i++) {
        memcpy(w->solver.minimiser.p + VAR_LEAN * i, b->spin + 4 * i, 3 * sizeof(double));
        memset(b->spin + 4 * i, 0, 3 * sizeof(double));
    }
    scr_var_gather(w, 0.5 * w->world->clock.skin);
    return SCREE_OK;
}

// rows of x have `row` numbers
static void keep(var_work *w, const double *x, size_t row)
{
    scr_bodies *b = &w->world->bodies;
    for (size_t i = 0; i < b->table.count; i++) {
        if (!(b->motion[4 * i + 3] > 0)) continue;
        for (int d = 0; d < 3; d++) b->place[4 * i + d] += x[row * i + d];
        memcpy(b->spin + 4 * i, w->solver.minimiser.p + VAR_LEAN * i, 3 * sizeof(double));
    }
}

static void stop(scr_bodies *b)
{
    for (size_t i = 0; i < b->table.count; i++) memset(b->spin + 4 * i, 0, 3 * sizeof(double));
}

// lists cost as much as some ten steps: wide ones while much moves
static void adapt_skin(fall *f, int64_t served)
{
    if (served < SHORT) f->skin = fmin(f->skin * WIDER, WIDE);
    if (served > LASTS) f->skin = fmax(f->skin / WIDER, NARROW);
}

// downhill with one sigma
static scree_status descend(fall *f, double drag, double enough, double few, scree_report *report)
{
    var_work *w = f->w;
    int64_t most = f->glide.steps + STEPS;
    for (;;) {
        soften(f);
        scree_status status = look(f, report);
        if (status) return status;
        double slack = 0.5 * w->world->clock.skin, limit;
        double stiffness = stiffness_of(f, DEEPER * 2 * f->smallest, &limit);
        scr_glide_options options = {.stiffness = stiffness,
                                     .drag = drag * f->rate * SCR_GLIDE_STEP * sqrt(f->mass / stiffness),
                                     .cap = CAP * f->smallest,
                                     .enough = enough,
                                     .few = few,
                                     .least = f->least,
                                     .most_moved2 = slack * slack,
                                     .row = VAR_LEAN,
                                     .steps = most};
        int64_t before = f->glide.steps;
        scr_objective o = scr_var_objective(w);
        double *x = w->solver.minimiser.trial;
        scr_clear(x, VAR_LEAN * o.rows * sizeof *x);
        scr_outcome out = scr_glide_run(&f->glide, &w->solver.minimiser, &o, x, &options);
        keep(w, x, VAR_LEAN);
        adapt_skin(f, f->glide.steps - before);
        scr_var_rest_progress(f->step, f->glide.left, f->sigma);
        if (out != SCR_MOVED_FAR || scr_signal_pending()) break;
        if (f->glide.strongest > limit && f->sigma < 1) f->sigma = fmin(1, 2 * f->sigma);
    }
    stop(&w->world->bodies);
    if (isnan(f->glide.left))
        return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                        "forces are not finite; are two grains at the same position?");
    return SCREE_OK;
}

// grains that creep and slide alone
static scree_status place_singles(fall *f, double enough, scree_report *report)
{
    var_work *w = f->w;
    var_local_tally t = {0};
    int64_t most = MOVES * (int64_t)w->world->bodies.table.count;
    for (int k = 0; k < ROUNDS && !t.done && most > 0 && !scr_signal_pending(); k++) {
        scree_status status = look(f, report);
        if (status) return status;
        if (!scr_var_local(w, 0.5 * w->world->clock.skin, enough, most, &t))
            return scr_no_memory(report, "grains that move alone");
        keep(w, w->rows.u, SCR_ROW);
        most -= t.moved;
        scr_var_rest_progress(f->step, t.left, f->sigma);
    }
    stop(&w->world->bodies);
    f->placed = t.done;
    return SCREE_OK;
}

// with the stiffness that is until little is left
static scree_status come_to_rest(fall *f, double enough, scree_report *report)
{
    // without weight one that is alone rests anywhere
    double few = f->least > 0 ? 0 : FEW * (double)f->w->world->bodies.table.count;
    f->placed = true;
    scree_status status = descend(f, STIFF, enough, few, report);
    if (!status && few > 0 && f->glide.left > enough) status = place_singles(f, enough, report);
    return status || f->placed ? status : descend(f, STIFF, enough, 0, report);
}

// what is to be expected of grains: force of a contact, mass, rate
static void expect(fall *f)
{
    const scr_world *w = f->w->world;
    double mass = 0, count = 0, gravity = v3_norm(w->gravity);
    for (size_t i = 0; i < w->bodies.table.count; i++)
        if (w->bodies.motion[4 * i + 3] > 0) mass += 1 / w->bodies.motion[4 * i + 3], count++;
    f->mass = count > 0 ? mass / count : 0;
    if (gravity > 0) {
        f->force = 3 * gravity * mass / fmax(scr_pow(count, 2.0 / 3), 1);
        f->rate = sqrt(gravity / (2 * f->smallest));
        return;
    }
    f->force = f->w->contacts.strongest;
    f->rate = sqrt(f->force / (f->mass * 2 * f->smallest));
    for (size_t k = 0; k < f->laws; k++)
        f->least = fmax(f->least, contact_push_of(&w->laws[k], VAR_PRESSES * f->smallest, 1 / f->smallest).force);
}

scree_status scr_var_fall(scr_step *s, double smallest, double enough, bool loose, scree_report *report)
{
    var_work *w = s->work;
    scr_world *world = s->world;
    fall f = {.step = s,
              .w = w,
              .smallest = smallest,
              .sigma = 1,
              .skin = WIDE,
              .laws = (size_t)(world->material_count * world->material_count)};
    expect(&f);
    if (!(f.force > 0)) return SCREE_OK;
    f.stiff = scr_memory_new(f.laws, sizeof *f.stiff);
    if (!f.stiff) return scr_no_memory(report, "laws");
    scr_copy(f.stiff, world->laws, f.laws * sizeof *f.stiff);
    double skin = world->clock.skin, push;
    stiffness_of(&f, DEEP * 2 * smallest, &push);
    if (loose) f.sigma = fmin(1, f.force / push);
    w->sub.h = w->sub.s = LONG, w->sub.time = world->clock.listed;
    w->sub.mode = VAR_FALL;
    scree_status status = SCREE_OK;
    for (bool last = false; !last && !status && !scr_signal_pending();) {
        if (f.sigma > 0.5) f.sigma = 1;
        last = f.sigma == 1;
        status = last ? come_to_rest(&f, enough, report)
                      : descend(&f, SOFT, ROUGH, FEW * (double)world->bodies.table.count, report);
        f.sigma = fmin(1, RAISE * f.sigma);
    }
    scr_copy(world->laws, f.stiff, f.laws * sizeof *f.stiff);
    scr_memory_free(f.stiff);
    world->clock.skin = skin;
    w->sub.mode = VAR_RELAX;
    s->last.statics.iterations += f.glide.steps, s->last.statics.left = f.glide.left;
    return status;
}
