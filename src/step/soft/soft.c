/* The soft stepper: velocity-Verlet with contact forces from the half-step velocities (Vyas et al. 2025).
 *
 *   v_h = v + dt/2 a(t);   x <- x + dt v_h;   F(x, v_h);   v = v_h + dt/2 a(t + dt)
 *
 * `improved` evaluates the contact velocity with the normal of the half step, where it belongs, and turns
 * the tangential spring through it; `standard` uses the normal of the full step as other codes do. See
 * kernel/contact.h for the contact itself. With damping both are of first order in dt. */
#include "step/soft/soft.h"

#include "base/log.h"
#include "base/memory.h"
#include "comm/comm.h"
#include "exec/cuda/device.h"
#include "kernel/contact.h"
#include "step/soft/trial.h"

static void close(scr_step *s)
{
    soft_run *r = s->work;
    if (r && r->state) r->ops->close(r->state);
    scr_memory_free(r);
    s->work = NULL;
}

#define FEW 2000 /* grains: fewer than this are not worth a GPU, nor to try it */

// why steps cannot be on the GPU that is asked for; NULL: they can
static const char *lacks(const scr_step *s, char *text, size_t size)
{
    int count = scr_device_count();
    if (!count) {
        snprintf(text, size, "no GPU found (%s)", scr_device_missing());
        return text;
    }
    if (s->device.number >= count) {
        snprintf(text, size, "there %s %d, counted from 0", count == 1 ? "is" : "are", count);
        return text;
    }
    scr_device_info info = scr_device_info_of(s->device.number);
    if (!info.usable) {
        snprintf(text, size, "this program has no code for %s (compute capability %d.%d)", info.name, info.major,
                 info.minor);
        return text;
    }
    // 1.1 kB per grain in a flow and in a bed at rest, 1.9 where contacts remember more than their spring
    const scr_world *w = s->world;
    bool lammps = ((const scr_soft_def *)s->def)->conventions == SCR_CONVENTIONS_LAMMPS;
    bool wide = contact_kind_of_all(w->laws, w->material_count * w->material_count, lammps) == CONTACT_ANY;
    size_t grains = w->bodies.table.count, each = s->keep_spent ? 2800 : wide ? 2200 : 1500;
    if (grains * each > info.free) {
        snprintf(text, size, "it has %.3g GiB free, and %zu grains need about %.3g: at most %zu would fit",
                 (double)info.free / (1 << 30), grains, (double)(grains * each) / (1 << 30), info.free / each);
        return text;
    }
    return scr_soft_cuda_lacks(s);
}

// by the command line, else the scene; `auto` tries both, or says why not
static scree_status choose(scr_step *s, soft_run *r, scree_report *report)
{
    const scr_soft_def *def = s->def;
    int kind = s->device.given ? s->device.kind : def->device;
    bool ranks = s->divide && scr_comm_world()->size > 1;
    r->ops = ranks ? &scr_soft_ranks : &scr_soft_cpu;
    if (ranks && kind == SCR_DEVICE_GPU)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "a run on several processes computes on CPUs: use --device cpu, or one process");
    if (ranks) return SCREE_OK;
    if (kind == SCR_DEVICE_CPU) return SCREE_OK;
    size_t grains = s->world->bodies.table.count;
    if (kind == SCR_DEVICE_AUTO && (grains < FEW || !scr_device_count())) return SCREE_OK;
    char text[256];
    const char *why = lacks(s, text, sizeof text);
    if (why && kind == SCR_DEVICE_GPU)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "gpu:%d cannot be used: %s; with device cpu, or auto, the scene runs on the CPU",
                        s->device.number, why);
    if (why) {
        scr_say("on the CPU, not on gpu:%d: %s", s->device.number, why);
        return SCREE_OK;
    }
    if (kind == SCR_DEVICE_AUTO) {
        r->part = SOFT_TRIAL_CPU;
        return SCREE_OK;
    }
    r->ops = &scr_soft_cuda;
    s->device.on_gpu = true;
    scr_say("steps on gpu:%d, %s", s->device.number, scr_device_info_of(s->device.number).name);
    return SCREE_OK;
}

static scree_status open(scr_step *s, bool resumed, scree_report *report)
{
    soft_run *r = s->work = scr_memory_new(1, sizeof *r);
    if (!r) return scr_no_memory(report, "the integrator");
    scree_status status = choose(s, r, report);
    return status ? status : r->ops->open(s, resumed, &r->state, report);
}

static scree_status renew(scr_step *s, scree_report *report)
{
    const soft_run *r = s->work;
    scree_status status = r->ops->push ? r->ops->push(s, r->state, SOFT_BODIES, report) : SCREE_OK;
    return status ? status : r->ops->renew(s, r->state, report);
}

static scree_status kicked(scr_step *s, scree_report *report)
{
    const soft_run *r = s->work;
    return r->ops->push ? r->ops->push(s, r->state, SOFT_BODIES, report) : SCREE_OK;
}

// steps by one device
static scree_status advance_there(scr_step *s, soft_run *r, int64_t most, int64_t *done, scree_report *report)
{
    double t0 = scr_soft_trial_clock(r);
    scree_status status = r->ops->advance(s, r->state, most, done, report);
    scr_soft_trial_count(r, *done, scr_soft_trial_clock(r) - t0);
    return status;
}

// while both devices are tried, somewhere else from time to time
static scree_status advance_all(scr_step *s, soft_run *r, int64_t most, int64_t *done, scree_report *report)
{
    bool contacts = s->want_contacts;
    scree_status status = SCREE_OK;
    for (*done = 0; *done < most && !status;) {
        int64_t some = 0;
        status = scr_soft_trial_go_on(s, r, report);
        if (status) break;
        int64_t next = scr_soft_trial_most(r, most - *done);
        s->want_contacts = contacts && *done + next == most;
        status = advance_there(s, r, next, &some, report);
        *done += some;
    }
    s->want_contacts = contacts;
    return status;
}

static scree_status advance(scr_step *s, int64_t most, int64_t *done, scree_report *report)
{
    soft_run *r = s->work;
    scree_status status = advance_all(s, r, most, done, report);
    if (r->ops->lazy && !status) return SCREE_OK;
    // a run that ends leaves a state that can be looked at; not where memory or a device failed
    if (status && status != SCREE_E_RUN && status != SCREE_E_INTERRUPT) return status;
    unsigned parts = scr_step_is_divided(s) ? SOFT_ENERGIES : SOFT_BODIES | SOFT_ENERGIES;
    scree_status fetched = r->state ? r->ops->fetch(s, r->state, parts, report) : SCREE_OK;
    return status ? status : fetched;
}

// a device looks itself, when steps go on
static bool leaves(scr_step *s)
{
    const soft_run *r = s->work;
    return !r->ops->lazy && scr_outlets_are_due(s->world);
}

// passages through planes are counted in it: once more changes nothing
static scree_status step(scr_step *s, scree_report *report)
{
    int64_t done;
    return advance(s, 1, &done, report);
}

static void catch_up(scr_step *s)
{
    const soft_run *r = s->work;
    scree_report unheard; // what fails there ends the program
    scree_report_init(&unheard);
    if (r->ops->lazy) r->ops->fetch(s, r->state, SOFT_BODIES | SOFT_ENERGIES, &unheard);
    scree_report_deinit(&unheard);
}

static bool sum_up(scr_step *s, double sums[3])
{
    const soft_run *r = s->work;
    scree_report unheard;
    if (!r->ops->energies) return false;
    scree_report_init(&unheard);
    scree_status status = r->ops->energies(s, r->state, sums, &unheard);
    scree_report_deinit(&unheard);
    return !status;
}

static scree_status save(scr_step *s, scree_report *report)
{
    const soft_run *r = s->work;
    return r->ops->fetch(s, r->state, r->ops->lazy ? ~0u : SOFT_CONTACTS, report);
}

static scree_status everywhere(scr_step *s, const void *order, size_t bytes, unsigned needs, void *result,
                               scree_report *report)
{
    const soft_run *r = s->work;
    return scr_soft_everywhere(s, r->state, order, bytes, needs, result, report);
}

static scree_status contacts(scr_step *s, scr_contact_row **rows, size_t *count, scree_report *report)
{
    const soft_run *r = s->work;
    return r->ops->contacts(s, r->state, rows, count, report);
}

static const scr_param params[] = {
    {"scheme", NULL, SCR_CHOICE, NULL, "improved", "improved standard", offsetof(scr_soft_def, scheme),
     "`improved`: velocity-Verlet with the normal of the half step (Vyas et al. 2025), correct at every size ratio. "
     "`standard`: as in other codes; large grains can trap small ones.",
     NULL},
    {"conventions", NULL, SCR_CHOICE, NULL, "scree", "scree lammps", offsetof(scr_soft_def, conventions),
     "`lammps`: as LAMMPS' gran/hooke/history (equal in all digits) and gran/hertz/history: lever arm = radius, `pull: "
     "allowed` with friction by the size of the force, `slip: damper`, spring projected without keeping its length. "
     "For comparisons only.",
     NULL},
    {"skin", NULL, SCR_REAL, "m", "auto", "> 0 | auto", offsetof(scr_soft_def, skin),
     "Pairs closer than this are kept in the neighbour list, which is rebuilt when a "
     "grain has deviated by half of it from uniform motion. It affects speed only: "
     "results are the same to the last bit. auto: a sixteenth of the smallest diameter.",
     NULL},
    {"device", NULL, SCR_CHOICE, NULL, "auto", "auto cpu gpu", offsetof(scr_soft_def, device),
     "Where steps are computed; the state is the same to the last bit. `auto`: on a GPU, if there is one that supports "
     "the scene and whose first steps are faster than those of the CPU. `--device` of a run takes "
     "precedence.",
     NULL},
    {0},
};

static void traits(const void *soft, scr_stepper_traits *t)
{
    const scr_soft_def *def = soft;
    bool lammps = def->conventions == SCR_CONVENTIONS_LAMMPS;
    t->contacts = SCR_CONTACTS_RESOLVED;
    t->lists = true, t->skin = def->skin;
    t->pulls = t->keeps = lammps;
    t->traps = def->scheme == SCR_SCHEME_STANDARD;
    t->held_pairs = true;
    t->gpu = true;
    t->ports_every = SCR_LOOK_EVERY;
    t->ranks = true;
    t->deforms = true;
    snprintf(t->words, sizeof t->words, "scheme %s%s", def->scheme == SCR_SCHEME_IMPROVED ? "improved" : "standard",
             lammps ? " with LAMMPS conventions" : "");
}

// bodies beyond spheres are solved for, not pushed by springs
static void check(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    static const char *const sections[] = {"parts", "joints"};
    (void)item;
    for (int s = 0; s < 2; s++) {
        const scr_items *items = scr_scene_items(scene, sections[s]);
        for (int k = 0; k < items->count; k++)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &items->items[k], NULL),
                     "%s.%s: the integrator soft does not support %s; leave it out, or use the integrator nonsmooth",
                     sections[s], items->items[k].name, sections[s]);
    }
    const scr_items *groups = scr_scene_items(scene, "bodies");
    for (int k = 0; k < groups->count; k++)
        if (((const scr_bodies_def *)groups->items[k].def)->clump.def)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &groups->items[k], "clump"),
                     "bodies.%s.clump: the integrator soft does not support clumps; leave it out, or use the "
                     "integrator nonsmooth",
                     groups->items[k].name);
}

const scr_stepper scr_soft_stepper = {
    .variant = {"soft", "explicit soft-sphere DEM with improved velocity-Verlet", params, sizeof(scr_soft_def)},
    .traits = traits,
    .check = check,
    .open = open,
    .step = step,
    .advance = advance,
    .renew = renew,
    .kicked = kicked,
    .save = save,
    .catch_up = catch_up,
    .sum_up = sum_up,
    .leaves = leaves,
    .close = close,
    .contacts = contacts,
    .everywhere = everywhere,
    .on_rank = &scr_soft_cpu,
};
