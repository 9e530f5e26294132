/* Elastic solids that touch walls, grains or each other, at rest together with the grains: contacts have their laws,
 * histories and friction as in any run, and all moves with the elastic stepper, damped until it rests.
 *
 * One step is one load step. In its first RAMP steps of motion time goes on from load step to load step, and with it
 * walls and groups of prescribed motion, signals, loads, supports and gravity; then it stands still (scr_clock.lag).
 * After each step of motion
 *
 *   v <- v (2 - c dt)/(2 + c dt),   c = 2 omega,   omega^2 = sum v.(F_before - F)/(dt sum v.m v),        (1)
 *
 * Rayleigh's quotient of the motion as it is (Underwood 1983): so what is slowest does not swing, and what is loose
 * falls freely. All rests when the forces that are left are small, and still are after all was stopped: then nothing
 * viscous is among them.
 *
 * Every load step begins with a new neighbour list and all at rest, so that the world between two of them is all there
 * is to know. What (1) takes, and the kinetic energy of what is stopped, is booked as absorbed; gravity that does not
 * act in full is work of loads. The closure is that of the elastic stepper. Links do not break. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "base/os.h"
#include "math/elementary.h"
#include "step/elastic/work.h"
#include "step/equilibrium/rattlers.h"
#include "step/equilibrium/solids.h"
#include "world/energy.h"

#define RAMP     1000  /* steps of motion in which the load goes on */
#define MOST     1     /* of c dt */
#define NEARLY   1e-6  /* what may be left where it does not become less */
#define PATIENCE 20000 /* steps of motion in which less must be left */
#define NONE     1e-3  /* of the largest force in a load step: less is none */
#define LESS     0.9
#define TALK     5 /* seconds between two lines on how far it is */

typedef struct {
    elastic_work *elastic; /* that of the motion; NULL: it has not begun */
    bool resumed;          /* what is opened has its list and forces already */
    double size;           /* of a cell, mean [m]: torques are compared with forces through it */
    double *force;         /* one step before: 8 per cell, then 8 per grain */
    double most, scale;    /* largest force in this load step, and what forces are compared with [N] */
    double told;           /* [s] when something was said */
    bool coarse;           /* an equilibrium was taken with more left than the tolerance, and it was said */
    scr_statics_report tell;
} settle_work;

/* ---- motion within ---- */

// the clock of motion, at which time stands still; that of load steps is kept
static scr_clock begin_motion(scr_step *s)
{
    scr_clock *c = &s->world->clock, load = *c;
    c->dt = s->inner_dt, c->lag = 1;
    c->base_time = c->time, c->base_step = c->step;
    return load;
}

static void end_motion(scr_step *s, const scr_clock *load)
{
    scr_clock *c = &s->world->clock;
    c->dt = load->dt, c->lag = 0;
    c->base_time = load->base_time, c->base_step = load->base_step;
    c->time = load->time, c->step = load->step;
}

// with a new list, from the world alone
static scree_status reopen(scr_step *s, scree_report *report)
{
    settle_work *k = s->work;
    scree_status status = SCREE_OK;
    scr_clock load = begin_motion(s);
    if (k->elastic) status = scr_elastic_save(s, k->elastic, report);
    scr_elastic_destroy(k->elastic);
    k->elastic = NULL;
    if (!status) status = scr_elastic_create(s->world, &k->elastic, report);
    if (!status) status = scr_elastic_begin(s, k->elastic, k->resumed, report);
    if (k->elastic && !k->resumed) k->elastic->fracture.on = false;
    k->resumed = false;
    end_motion(s, &load);
    size_t rows = 8 * (s->world->cells.table.count + s->world->bodies.table.count);
    if (status) return status;
    return scr_reserve(&k->force, rows) ? SCREE_OK : scr_no_memory(report, "statics");
}

static void stop(scr_world *w)
{
    double translation, rotation, potential;
    scr_world_energies(w, &translation, &rotation, &potential);
    w->ledger.absorbed += translation + rotation;
    for (size_t k = 0; k < w->cells.table.count; k++) {
        memset(w->cells.velocity + 4 * k, 0, 3 * sizeof(double));
        memset(w->cells.momentum + 4 * k, 0, 3 * sizeof(double));
    }
    for (size_t i = 0; i < w->bodies.table.count; i++) {
        memset(w->bodies.motion + 4 * i, 0, 3 * sizeof(double));
        memset(w->bodies.spin + 4 * i, 0, 3 * sizeof(double));
    }
}

static void finish(scr_step *s)
{
    settle_work *k = s->work;
    if (!k) return;
    scr_elastic_destroy(k->elastic);
    scr_buffer_free(k->force);
    scr_memory_free(k);
    s->work = NULL;
}

// part of loads and gravity without a signal at the present time
static double part_now(const scr_step *s)
{
    const scr_statics_def *def = s->def;
    return def->ramp ? s->world->clock.time / ((double)def->steps * s->world->clock.dt) : 1;
}

static scree_status open(scr_step *s, bool resumed, scree_report *report)
{
    scr_world *w = s->world;
    const scr_statics_def *def = s->def;
    settle_work *k = s->work = scr_memory_new(1, sizeof *k);
    if (!k) return scr_no_memory(report, "statics");
    double volume = 0;
    for (size_t c = 0; c < w->cells.table.count; c++) volume += scr_cell_volume(&w->cells, c);
    k->size = scr_cbrt(volume / (double)w->cells.table.count);
    k->resumed = resumed;
    k->tell.lowest = NAN;
    k->tell.unknowns = 6 * (int64_t)(w->cells.table.count + w->bodies.table.count);
    if (def->ramp) w->ramp = (double)def->steps * w->clock.dt;
    w->load_share = part_now(s);
    scr_say("statics: solids are in contact: equilibrium by damped dynamics, time step %.4g s, at most %lld time steps "
            "per load step",
            s->inner_dt, (long long)def->iterations);
    stop(w);
    scree_status status = reopen(s, report);
    s->last.statics = k->tell;
    return status;
}

/* ---- motion ---- */

typedef struct {
    double left, most;   /* largest force that is left, and of all that act [N] */
    double power, heavy; /* sums of (1): v.(F_before - F), v.m v */
} measure;

// forces of weight, loads and supports on cells; what no support holds is left
static void measure_cells(const settle_work *k, const scr_world *w, measure *m)
{
    const scr_cells *c = &w->cells;
    for (size_t n = 0; n < c->table.count; n++) {
        const double *load = c->load + 8 * n, *before = k->force + 8 * n;
        vec3 weight = v3_scale(scr_cell_mass(c, n), w->gravity);
        const double all[6] = {load[0] + weight.x, load[1] + weight.y, load[2] + weight.z, load[4], load[5], load[6]};
        for (int d = 0; d < 6; d++) {
            double size = fabs(all[d]) / (d < 3 ? 1 : k->size);
            m->most = fmax(m->most, size);
            // fmax would pass over what is not a number
            if (!(c->held[n] >> d & 1)) m->left = size <= m->left ? m->left : size;
        }
        vec3 v = v3_load(c->velocity + 4 * n), spin = scr_cell_spin(c, n);
        m->power += v3_dot(v, v3_sub(v3_load(before), v3_load(load))) +
                    v3_dot(spin, v3_sub(v3_load(before + 4), v3_load(load + 4)));
        m->heavy += scr_cell_mass(c, n) * v3_dot(v, v) + v3_dot(spin, v3_load(c->momentum + 4 * n));
        m->most = fmax(m->most, v3_norm(weight));
    }
    const elastic_work *e = k->elastic;
    for (int l = 0; l < w->load_count; l++)
        for (size_t i = 0; i < w->loads[l].entry_count; i++) {
            const scr_load_entry *entry = &w->loads[l].entries[i];
            double size = fmax(v3_norm(entry->force), v3_norm(entry->couple) / k->size);
            m->most = fmax(m->most, fabs(e->factor[l]) * size);
        }
    m->most = fmax(m->most, scr_elastic_contacts_strongest(&e->contacts));
}

static void measure_grains(const settle_work *k, const scr_world *w, measure *m)
{
    const scr_bodies *b = &w->bodies;
    const double *force = k->force + 8 * w->cells.table.count;
    for (size_t i = 0; i < b->table.count; i++) {
        const double *v = b->motion + 4 * i, *spin = b->spin + 4 * i, *load = b->load + 8 * i;
        if (!(v[3] > 0)) continue;
        vec3 f = v3_axpy(v3_load(load), 1 / v[3], w->gravity);
        double size = fmax(v3_norm(f), v3_norm(v3_load(load + 4)) / b->place[4 * i + 3]);
        m->left = size <= m->left ? m->left : size;
        m->most = fmax(m->most, fmax(size, v3_norm(w->gravity) / v[3]));
        m->power += v3_dot(v3_load(v), v3_sub(v3_load(force + 8 * i), v3_load(load))) +
                    v3_dot(v3_load(spin), v3_sub(v3_load(force + 8 * i + 4), v3_load(load + 4)));
        m->heavy += 2 * (scr_body_translation(b, i) + scr_body_rotation(b, i));
    }
}

// (1)
static void damp(scr_world *w, const measure *m, double dt)
{
    double square = m->heavy > 0 ? m->power / (dt * m->heavy) : 0;
    double c = square > 0 ? fmin(2 * sqrt(square) * dt, MOST) : 0, keep = (2 - c) / (2 + c);
    w->ledger.absorbed += 0.5 * (1 - keep * keep) * m->heavy;
    for (size_t k = 0; k < w->cells.table.count; k++)
        for (size_t d = 4 * k; d < 4 * k + 3; d++) w->cells.velocity[d] *= keep, w->cells.momentum[d] *= keep;
    for (size_t i = 0; i < w->bodies.table.count; i++)
        for (size_t d = 4 * i; d < 4 * i + 3 && w->bodies.motion[4 * i + 3] > 0; d++)
            w->bodies.motion[d] *= keep, w->bodies.spin[d] *= keep;
}

// one step of it; what is left, as part of the largest force
static scree_status move(scr_step *s, vec3 gravity, double part, double *left, scree_report *report)
{
    settle_work *k = s->work;
    scr_world *w = s->world;
    size_t cells = 8 * w->cells.table.count;
    scr_copy(k->force, w->cells.load, cells * sizeof(double));
    scr_copy(k->force + cells, w->bodies.load, 8 * w->bodies.table.count * sizeof(double));
    if (!scr_gravity_varies(&w->gravity_law)) scr_gravity_change(w, v3_scale(part, gravity));
    scree_status status = scr_elastic_step(s, k->elastic, report);
    measure m = {0};
    measure_cells(k, w, &m);
    measure_grains(k, w, &m);
    damp(w, &m, w->clock.dt);
    // where nothing acts any more, what did is the measure
    k->most = fmax(k->most, m.most);
    k->scale = fmax(m.most, NONE * k->most);
    *left = m.left == 0 ? 0 : m.left / k->scale;
    k->tell.iterations++;
    return status;
}

static void say_progress(const scr_step *s, settle_work *k, const scr_clock *load, double left)
{
    double now = scr_seconds();
    if (k->told == 0) k->told = now;
    if (scr_log_is_quiet() || now - k->told < TALK) return;
    k->told = now;
    fprintf(stderr, "load step %lld: %.3g of the largest force is left, %lld contacts\n",
            (long long)(load->step - load->base_step + 1), left, (long long)s->last.contacts);
}

static void warn_coarse(settle_work *k, double tolerance, double left, scree_report *report)
{
    if (k->coarse) return;
    k->coarse = true;
    scr_warn(report, SCR_NOWHERE,
             "%.2g of the largest force is left, more than statics.tolerance, %.2g, and it does "
             "not decrease further. The same may hold for later load steps",
             left, tolerance);
}

// to the time `to` of the load, and to rest
static scree_status settle(scr_step *s, const scr_clock *load, double to, scree_report *report)
{
    const scr_statics_def *def = s->def;
    settle_work *k = s->work;
    scr_clock *c = &s->world->clock;
    vec3 gravity = s->world->gravity;
    double left = INFINITY, best = INFINITY, end = (double)def->steps * load->dt;
    int64_t since = 0;
    bool stopped = false, found = false;
    scree_status status = SCREE_OK;
    k->most = 0;
    c->lag = 1 - (to - c->time) / (RAMP * c->dt);
    for (int64_t n = 0; n < def->iterations && !found && !scr_signal_pending(); n++) {
        if (n == RAMP) c->time = c->base_time = to, c->base_step = c->step, c->lag = 1;
        double part = def->ramp ? scr_clock_ahead(c, 1) / end : 1;
        status = move(s, gravity, part, &left, report);
        say_progress(s, k, load, left);
        if (status) break;
        if (n < RAMP) continue;
        if (left < LESS * best) best = left, since = n;
        bool good = left <= def->tolerance, tired = n - since > PATIENCE && left < NEARLY;
        if (tired && !good) warn_coarse(k, def->tolerance, left, report);
        found = tired || (good && stopped);
        if ((stopped = good)) stop(s->world);
    }
    k->tell.left = left;
    if (!scr_gravity_varies(&s->world->gravity_law)) scr_gravity_change(s->world, gravity);
    if (status || found) return status;
    if (scr_signal_pending()) return scr_statics_stopped(load, report);
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "load step %lld: solids and grains do not come to rest, %.3g of the largest "
                    "force is left; more iterations (statics.iterations), more load steps "
                    "(statics.steps) or a larger statics.tolerance may help",
                    (long long)load->step + 1, left);
}

/* ---- load steps ---- */

static scree_status say_rest(const scr_step *s, scree_report *report)
{
    const settle_work *k = s->work;
    const elastic_contacts *c = &k->elastic->contacts;
    scr_arena arena = {0};
    uint32_t *on_cells = SCR_TAKE(&arena, uint32_t, scr_elastic_contacts_grains(c, NULL));
    double *z = SCR_TAKE(&arena, double, s->world->bodies.table.count);
    scree_status status = scr_arena_status(&arena, report, "rattlers");
    if (!status) {
        size_t count = scr_elastic_contacts_grains(c, on_cells);
        scr_rattlers r = scr_rattlers_find(s->world, &s->pairs, on_cells, count, z);
        scr_rattlers_say(&r, k->tell.left, "force", k->scale, s->last.contacts);
    }
    scr_arena_deinit(&arena);
    return status;
}

static scree_status step(scr_step *s, scree_report *report)
{
    const scr_statics_def *def = s->def;
    settle_work *k = s->work;
    scr_world *w = s->world;
    double to = scr_clock_ahead(&w->clock, 1);
    scree_status status = reopen(s, report);
    scr_clock load = begin_motion(s);
    if (!status) status = settle(s, &load, to, report);
    end_motion(s, &load);
    stop(w);
    s->last.unfinished = status != SCREE_OK;
    if (!status) scr_clock_tick(&w->clock);
    w->load_share = k->tell.load = part_now(s);
    s->last.statics = k->tell;
    if (status || w->clock.step - w->clock.base_step < def->steps) return status;
    return say_rest(s, report);
}

static scree_status save(scr_step *s, scree_report *report)
{
    const settle_work *k = s->work;
    return scr_elastic_save(s, k->elastic, report);
}

static scree_status contacts(scr_step *s, scr_contact_row **rows, size_t *count, scree_report *report)
{
    const settle_work *k = s->work;
    return scr_elastic_rows(s, k->elastic, rows, count, report);
}

/* ---- table ---- */

static void check(const scr_scene *scene, const scr_item *stepper, scree_report *report)
{
    const scr_item *statics = &scr_scene_items(scene, "statics")->items[0];
    scr_elastic_stepper.check(scene, stepper, report);
    scr_statics_refuse_servos(scene, report);
    if (((const scr_statics_def *)statics->def)->stability)
        scr_warn(report, scr_item_place(scene, statics, "stability"),
                 "statics.stability: solids touch here, and their contacts have no second derivative; no eigenvalue is "
                 "computed");
}

static void traits(const void *statics, scr_stepper_traits *t)
{
    const scr_statics_def *def = statics;
    t->load_steps = t->moves_to_rest = t->holds_deep = t->held_pairs = true;
    snprintf(t->words, sizeof t->words, "solids and grains come to rest, %lld load steps", (long long)def->steps);
}

const scr_stepper scr_settle_stepper = {
    .variant = {"settle", "equilibria of elastic solids that touch", NULL, sizeof(scr_statics_def)},
    .traits = traits,
    .reports = scr_statics_reports,
    .lines = scr_statics_lines,
    .check = check,
    .refuses = scr_elastic_refuses,
    .limit = scr_elastic_limit,
    .open = open,
    .step = step,
    .renew = reopen,
    .save = save,
    .close = finish,
    .contacts = contacts,
};
