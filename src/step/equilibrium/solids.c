/* Equilibria of elastic solids under loads that grow in steps: F = 0, M = 0 for all motions that no support holds
 * (docs/theory-elastic.md, section 9).
 *
 * One step of this stepper is one load step: load step k of N is at the time k/N of time.end. Loads act as in (1) of
 * equilibrium.h; where a signal changes by more than 2/N, as at a jump, the step is divided so that it does not.
 * From the last equilibrium the next is sought by Newton's method, plain, then guarded; when both fail the load is
 * raised by half as much first, and by more again after two successes. Or by dynamic relaxation.
 *
 * Cells have no velocity here. The ledger books the work of loads and supports with the mean of the forces at both ends
 * of a load step: what does not close is of second order in its size, and turns are counted the short way, below pi.
 * While gravity does not act in full, what carries the rest is a load. A start that is not an equilibrium (ramp: no)
 * moves under forces that nothing balances; their work is absorbed. */
#include "step/equilibrium/solids.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os.h"
#include "math/elementary.h"
#include "step/equilibrium/equilibrium.h"

#define HALVINGS 10 /* of a load step, most */

/* ---- open and close ---- */

// mean size of cells, and of all together
static void set_sizes(scr_equilibrium *e)
{
    const scr_cells *c = &e->world->cells;
    double volume = 0;
    vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_scale(-1, low);
    for (size_t k = 0; k < c->table.count; k++) {
        vec3 x = v3_load(c->home + 4 * k);
        volume += scr_cell_volume(c, k);
        low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    e->size = scr_cbrt(volume / (double)c->table.count);
    e->reach = v3_norm(v3_sub(high, low)) + e->size;
    for (size_t l = 0; l < e->world->links.table.count; l++)
        e->stiffest = fmax(e->stiffest, e->world->links.stiff[4 * l]);
}

static scree_status make_rooms(scr_equilibrium *e, scree_report *report)
{
    const scr_world *w = e->world;
    size_t n = w->cells.table.count, motions = e->tangent.size;
    struct {
        double **rows;
        size_t count;
    } rooms[] = {{&e->support, (size_t)w->support_count},
                 {&e->force, motions},
                 {&e->last, motions},
                 {&e->way, motions},
                 {&e->mass, motions},
                 {&e->given, 6 * n},
                 {&e->place, 8 * n},
                 {&e->reaction, 6 * n},
                 {&e->found.place, 8 * n},
                 {&e->found.swelling, n},
                 {&e->found.reaction, 6 * n},
                 {&e->found.factor, (size_t)w->load_count},
                 {&e->found.force, motions}};
    for (size_t k = 0; k < sizeof rooms / sizeof *rooms; k++)
        *rooms[k].rows = SCR_TAKE(&e->arena, double, rooms[k].count);
    return scr_arena_status(&e->arena, report, "statics");
}

static void finish(scr_step *s)
{
    scr_equilibrium *e = s->work;
    if (!e) return;
    scr_elastic_contacts_close(&e->contacts);
    scr_pairs_deinit(&e->inner.pairs);
    scr_elastic_destroy(e->elastic);
    scr_tangent_deinit(&e->tangent);
    scr_arena_deinit(&e->arena);
    scr_memory_free(e);
    s->work = NULL;
}

static void say_system(const scr_equilibrium *e)
{
    if (e->def->method == SCR_STATICS_RELAXATION) {
        scr_say("statics: %zu unknowns, dynamic relaxation", e->tangent.size);
        return;
    }
    scr_sparse_report r = scr_sparse_tell(e->tangent.sparse);
    scr_say("statics: %zu unknowns, %zu numbers in the tangent; %s, factor of %.3g MB%s", r.size, r.entries,
            r.direct ? "Cholesky" : "conjugate gradients", 1e-6 * r.factor_bytes,
            r.direct ? "" : " would not fit (statics.memory)");
}

static double end_of(const scr_equilibrium *e)
{
    return (double)e->def->steps * e->world->clock.dt;
}

// reactions as observers see them; what gravity does not carry yet is not a reaction
static void show_supports(scr_equilibrium *e)
{
    vec3 gravity = e->world->gravity;
    e->world->gravity = v3_scale(e->gravity, gravity);
    scr_elastic_supports_rest(e->world);
    e->world->gravity = gravity;
}

// everything at rest; forces as they are there
static void begin(scr_equilibrium *e)
{
    scr_world *w = e->world;
    for (size_t k = 0; k < w->cells.table.count; k++) {
        memset(w->cells.velocity + 4 * k, 0, 3 * sizeof(double));
        memset(w->cells.momentum + 4 * k, 0, 3 * sizeof(double));
    }
    e->part = (double)(w->clock.step - w->clock.base_step) / (double)e->def->steps;
    scr_equilibrium_load(e, e->part);
    scr_equilibrium_forces(e);
    scr_equilibrium_mark(e);
    show_supports(e);
}

static scree_status open(scr_step *s, bool resumed, scree_report *report)
{
    (void)resumed;
    scr_world *w = s->world;
    scr_equilibrium *e = s->work = scr_memory_new(1, sizeof *e);
    if (!e) return scr_no_memory(report, "statics");
    e->def = s->def, e->world = w, e->tell = &s->last.statics;
    e->inner = (scr_step){.world = w};
    scree_status status = scr_elastic_create(w, &e->elastic, report);
    if (status) return status;
    status = scr_elastic_contacts_open(&e->contacts, &e->inner, e->elastic->loops, report);
    if (status) return status;
    double memory = scr_statics_memory(e->def);
    bool matrix = e->def->method != SCR_STATICS_RELAXATION || e->def->stability;
    status = scr_tangent_create(&e->tangent, w, matrix ? memory : -1, report);
    if (status) return status;
    if ((status = make_rooms(e, report))) return status;
    set_sizes(e);
    say_system(e);
    begin(e);
    return SCREE_OK;
}

/* ---- load steps ---- */

static scr_search attempt(scr_equilibrium *e)
{
    if (e->def->method == SCR_STATICS_RELAXATION) return scr_relaxation(e);
    scr_search how = scr_newton(e, false);
    if (how != SCR_NOT_FOUND) return how;
    scr_equilibrium_return(e);
    return scr_newton(e, true);
}

static scree_status give_up(const scr_equilibrium *e, scree_report *report)
{
    const char *why = "", *hint = "more load steps (statics.steps), a prescribed displacement "
                                  "instead of a load, or method: relaxation may help";
    if (e->def->method == SCR_STATICS_RELAXATION)
        hint = "more iterations (statics.iterations) or load steps may help";
    else if (!e->tell->stable)
        why = ": the tangent is not positive definite, so this may be a limit of stability";
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "no equilibrium was found beyond %.6g of the load (%.2g of the largest force "
                    "is left)%s; %s",
                    e->part, e->left, why, hint);
}

// to the last equilibrium and its load
static void go_back(scr_equilibrium *e)
{
    scr_equilibrium_return(e);
    scr_equilibrium_load(e, e->part);
    scr_equilibrium_forces(e);
}

// Newton's method ends where its steps are rounding errors: the tolerance may ask for more
static void judge_left(scr_equilibrium *e, double part, scree_report *report)
{
    if (e->left <= e->def->tolerance || e->coarse) return;
    e->coarse = true;
    scr_warn(report, SCR_NOWHERE,
             "at %.6g of the load %.2g of the largest force is left, more than statics.tolerance, "
             "%.2g: motions are down to rounding errors and no better equilibrium can be found. "
             "The same may hold for later load steps",
             part, e->left, e->def->tolerance);
}

// to the next load step, in smaller steps where needed
static scree_status raise_load(scr_equilibrium *e, double to, scree_report *report)
{
    double pieces = fmax(1, ceil(0.5 * (double)e->def->steps * scr_equilibrium_change(e, e->part, to)));
    double most = (to - e->part) / pieces, stride = most, least = stride * scr_pow(0.5, HALVINGS);
    int good = 0;
    while (e->part < to) {
        double next = e->part + stride < to - 0.5 * least ? e->part + stride : to;
        scr_equilibrium_load(e, next);
        scr_search how = attempt(e);
        if (how == SCR_NO_ROOM || how == SCR_STOPPED) {
            go_back(e);
            return how == SCR_STOPPED ? scr_statics_stopped(&e->world->clock, report)
                                      : scr_no_memory(report, "statics");
        }
        if (how == SCR_FOUND) {
            judge_left(e, next, report);
            scr_equilibrium_book(e);
            scr_equilibrium_mark(e);
            e->part = next;
            if (++good % 2 == 0) stride = fmin(2 * stride, most);
            continue;
        }
        scr_equilibrium_return(e);
        good = 0;
        e->tell->halved++;
        if ((stride *= 0.5) < least) {
            scree_status status = give_up(e, report);
            go_back(e);
            return status;
        }
    }
    return SCREE_OK;
}

static void tell(scr_equilibrium *e)
{
    scr_statics_report *t = e->tell;
    t->load = e->part;
    t->left = e->left;
    t->unknowns = (int64_t)e->tangent.size;
    if (!e->tangent.sparse) return;
    scr_sparse_report r = scr_sparse_tell(e->tangent.sparse);
    t->factored = r.factored;
    t->factor_bytes = r.factor_bytes;
    t->direct = r.direct;
}

// contacts have no forces here: an equilibrium in which something touches is none
static scree_status refuse_contacts(scr_equilibrium *e, scree_report *report)
{
    char who[256];
    // overlaps that are too large are not news here
    scree_report unheard;
    scree_report_init(&unheard);
    scree_status status = scr_elastic_contacts_forces(&e->contacts, &e->inner, 0, 0, &unheard);
    scree_report_deinit(&unheard);
    if (status && status != SCREE_E_RUN) return scr_no_memory(report, "statics");
    if (!scr_elastic_contacts_touch(&e->contacts, who, sizeof who)) return SCREE_OK;
    return scr_fail(report, SCREE_E_RUN, SCR_NOWHERE,
                    "at %.6g of the load %s touch, but Newton's method does not support contacts; use statics.method: "
                    "relaxation, or `scree run` with damping",
                    e->part, who);
}

static scree_status judge_stability(scr_equilibrium *e, scree_report *report)
{
    double lowest = e->tell->lowest = scr_equilibrium_lowest(e, report);
    if (isnan(lowest) && scr_signal_pending()) return scr_statics_stopped_looking(report);
    scr_statics_say_stability(lowest, e->tangent.size ? "statics.memory is too small" : "all is held", "");
    if (!isnan(lowest)) e->tell->stable = lowest > 0;
    return SCREE_OK;
}

static scree_status step(scr_step *s, scree_report *report)
{
    scr_equilibrium *e = s->work;
    scr_clock *clock = &s->world->clock;
    double start = scr_seconds();
    double to = (double)(clock->step + 1 - clock->base_step) / (double)e->def->steps;
    scree_status status = raise_load(e, to, report);
    if (!status) status = refuse_contacts(e, report);
    // a load step that was not reached is not counted, but the state is shown at the load it has
    s->last.unfinished = status == SCREE_E_INTERRUPT;
    if (status)
        clock->time = e->part * end_of(e);
    else
        scr_clock_tick(clock);
    if (!status && e->def->stability && clock->step - clock->base_step == e->def->steps)
        status = judge_stability(e, report);
    tell(e);
    show_supports(e);
    s->times.forces += scr_seconds() - start;
    return status;
}

// all state is in the world already
static scree_status save(scr_step *s, scree_report *report)
{
    (void)s, (void)report;
    return SCREE_OK;
}

static scree_status contacts(scr_step *s, scr_contact_row **rows, size_t *count, scree_report *report)
{
    (void)s;
    *count = 0;
    *rows = scr_memory_new(1, sizeof **rows);
    return *rows ? SCREE_OK : scr_no_memory(report, "statics");
}

/* ---- tables ---- */

static void check(const scr_scene *scene, const scr_item *stepper, scree_report *report)
{
    static const char *const strengths[] = {"tensile_strength", "shear_strength", "fracture_energy"};
    (void)stepper;
    const scr_items *solids = scr_scene_items(scene, "solids");
    const scr_statics_def *statics = scr_scene_def(scene, "statics");
    const scr_items *groups = scr_scene_items(scene, "bodies");
    for (int n = 0; n < groups->count && statics->method == SCR_STATICS_NEWTON; n++)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &groups->items[n], NULL),
                 "bodies.%s: statics.method is newton, which does not move grains; use auto or relaxation",
                 groups->items[n].name);
    for (int n = 0; n < solids->count; n++) {
        const scr_item *item = &solids->items[n];
        const scr_solid_def *def = item->def;
        const double values[] = {def->tensile_strength, def->shear_strength, def->fracture_energy};
        for (int k = 0; k < 3; k++)
            if (isfinite(values[k]))
                scr_warn(report, scr_item_place(scene, item, strengths[k]),
                         "solids.%s.%s: links do not break in statics", item->name, strengths[k]);
    }
}

static const scr_stepper *instead(const void *statics, const scr_world *w)
{
    const scr_statics_def *def = statics;
    bool touch = w->solids_touch && (w->wall_count || w->solid_count > 1);
    if (def->method == SCR_STATICS_RELAXATION) touch = w->solids_touch;
    if (def->method == SCR_STATICS_NEWTON) touch = false;
    bool moves = touch || (w->group_count && def->method != SCR_STATICS_NEWTON);
    return moves ? &scr_settle_stepper : NULL;
}

static void traits(const void *statics, scr_stepper_traits *t)
{
    const scr_statics_def *def = statics;
    t->load_steps = t->holds_deep = true;
    t->held_pairs = false;
    t->ports_every = 1;
    snprintf(t->words, sizeof t->words, "statics, %lld load steps", (long long)def->steps);
}

const scr_stepper scr_statics_stepper = {
    .variant = {"statics", "equilibria of elastic solids", NULL, sizeof(scr_statics_def)},
    .traits = traits,
    .reports = scr_statics_reports,
    .lines = scr_statics_lines,
    .instead = instead,
    .check = check,
    .check_world = scr_check_rigid_motions,
    .open = open,
    .step = step,
    .renew = save,
    .save = save,
    .close = finish,
    .contacts = contacts,
};
