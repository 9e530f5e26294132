/* The soft stepper: velocity-Verlet with contact forces from the half-step velocities (Vyas et al. 2025).
 *
 *   v_h = v + dt/2 a(t);   x <- x + dt v_h;   F(x, v_h);   v = v_h + dt/2 a(t + dt)
 *
 * `improved` evaluates the contact velocity with the normal of the half step, where it belongs, and turns
 * the tangential spring through it; `standard` uses the normal of the full step as other codes do. See
 * kernel/contact.h for the contact itself. With damping both are of first order in dt. */
#include "step/soft/soft.h"

#include "base/memory.h"
#include "base/os.h"
#include "step/soft/phases.h"

static void close(scr_step *s)
{
    if (!s->work) return;
    scr_soft_close(s->work);
    scr_memory_free(s->work);
    s->work = NULL;
}

// the books of contacts begin with those of the run: at zero, with what is in excess now
static void open_books(scr_pairs *p)
{
    for (size_t k = 0; k < p->count; k++)
        if (p->touch[k]) p->wide[8 * k + 4] = -p->record[8 * k + 3];
    for (size_t k = 0; k < p->walls.count; k++)
        if (p->walls.touch[k]) p->walls.wide[8 * k + 4] = -p->walls.record[8 * k + 3];
}

static scree_status open(scr_step *s, bool resumed, scree_report *report)
{
    const scr_soft_def *def = s->def;
    soft_work *k = s->work = scr_memory_new(1, sizeof *k);
    if (!k) return scr_fail(report, SCREE_E_MEMORY, SCR_NOWHERE, "no memory for the integrator");
    scree_status status = scr_soft_open(s, k, def->scheme == SCR_SCHEME_IMPROVED,
                                        def->conventions == SCR_CONVENTIONS_LAMMPS, resumed, report);
    if (status || resumed) return status;
    // forces now, without moving anything
    soft_losses losses = scr_soft_losses_of(&s->world->ledger);
    k->task.dt = 0;
    status = scr_soft_forces(s, k, report);
    if (!status) status = scr_soft_end(s, k, report);
    scr_soft_losses_set(&s->world->ledger, losses);
    if (k->task.spent && k->task.record) open_books(&s->pairs);
    return status;
}

static scree_status renew(scr_step *s, scree_report *report)
{
    return scr_soft_renew(s, s->work, report);
}

/* A step is: begin, go (to the next place, with the forces there), end. A lost grain ends the run, but the step is
 * finished first: the state stays one that can be looked at. */

static bool ends_all(scree_status status)
{
    return status && status != SCREE_E_RUN;
}

static scree_status begin(scr_step *s, scree_report *report)
{
    double t0 = scr_seconds();
    scree_status status = scr_pairs_are_due(s->world) ? renew(s, report) : SCREE_OK;
    if (ends_all(status)) return status;
    double t1 = scr_seconds();
    scr_gravity_begin(s->world);
    scr_soft_begin(s, s->work);
    s->times.neighbours += t1 - t0;
    s->times.integrate += scr_seconds() - t1;
    return status;
}

static scree_status go(scr_step *s, scree_status status, scree_report *report)
{
    double t0 = scr_seconds();
    bool stale = scr_soft_arrive(s, s->work);
    scr_gravity_end(s->world);
    scree_status lost = stale ? scr_soft_refresh(s, s->work, report) : SCREE_OK;
    if (ends_all(lost)) return lost;
    double t1 = scr_seconds();
    scree_status forces = scr_soft_forces(s, s->work, report);
    s->times.neighbours += t1 - t0;
    s->times.forces += scr_seconds() - t1;
    return forces ? forces : status ? status : lost;
}

static scree_status end(scr_step *s, scree_status status, scree_report *report)
{
    double t0 = scr_seconds();
    scree_status overlap = scr_soft_end(s, s->work, report);
    s->times.integrate += scr_seconds() - t0;
    return status ? status : overlap;
}

static void turn(scr_step *s)
{
    double t0 = scr_seconds();
    scr_gravity_begin(s->world);
    scr_soft_turn(s, s->work);
    s->times.integrate += scr_seconds() - t0;
}

static scree_status step(scr_step *s, scree_report *report)
{
    scree_status status = begin(s, report);
    if (!ends_all(status)) status = go(s, status, report);
    return ends_all(status) ? status : end(s, status, report);
}

// bodies are where they are at the end of a step before its last kick: passages are counted then, and where all is well
// the next step begins with the end of this one
static scree_status advance(scr_step *s, int64_t most, int64_t *done, scree_report *report)
{
    bool contacts = s->want_contacts, begun = false;
    scree_status status = SCREE_OK;
    for (*done = 0; *done < most && !status;) {
        ++*done;
        s->want_contacts = contacts && *done == most;
        if (!begun) status = begin(s, report);
        if (!ends_all(status)) status = go(s, status, report);
        if (ends_all(status)) return status;
        scr_flows_update(s->world);
        begun = !status && *done < most && scr_soft_goes_on(s, s->work);
        if (begun)
            turn(s);
        else
            status = end(s, status, report);
    }
    return status;
}

static scree_status save(scr_step *s, scree_report *report)
{
    return scr_pairs_save(&s->pairs, s->world, report);
}

static scree_status contacts(const scr_step *s, scr_contact_row **rows, size_t *count, scree_report *report)
{
    return scr_soft_contacts(s, 0, rows, count, report);
}

static const scr_param params[] = {
    {"scheme", NULL, SCR_CHOICE, NULL, "improved", "improved standard", offsetof(scr_soft_def, scheme),
     "`improved`: velocity-Verlet with the normal of the half step (Vyas et al. 2025), right at "
     "every size "
     "ratio. `standard`: as other codes; large grains can trap small ones.",
     NULL},
    {"conventions", NULL, SCR_CHOICE, NULL, "scree", "scree lammps", offsetof(scr_soft_def, conventions),
     "`lammps` as LAMMPS' gran/hooke/history (all its digits) and gran/hertz/history: lever arm = "
     "radius, `pull: allowed` with friction by the size of the force, `slip: damper`, spring "
     "projected without keeping its length. For comparisons only.",
     NULL},
    {"skin", NULL, SCR_REAL, "m", "auto", "> 0 | auto", offsetof(scr_soft_def, skin),
     "Pairs that come closer than this are kept in the neighbour list, which is built again when a "
     "grain has strayed half of it from where its velocity would have taken it. A matter of speed: "
     "results are the same to the last bit. auto: a sixteenth of the smallest diameter.",
     NULL},
    {0},
};

static void traits(const void *soft, scr_stepper_traits *t)
{
    const scr_soft_def *def = soft;
    bool lammps = def->conventions == SCR_CONVENTIONS_LAMMPS;
    t->contacts = SCR_CONTACTS_RESOLVED;
    t->skin = def->skin;
    t->pulls = t->keeps = lammps;
    t->traps = def->scheme == SCR_SCHEME_STANDARD;
    t->held_pairs = true;
    t->ports_every = SCR_LOOK_EVERY;
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
                     "%s.%s: the integrator soft has no %s; leave it out, or use the integrator "
                     "nonsmooth",
                     sections[s], items->items[k].name, sections[s]);
    }
    const scr_items *groups = scr_scene_items(scene, "bodies");
    for (int k = 0; k < groups->count; k++)
        if (((const scr_bodies_def *)groups->items[k].def)->clump.def)
            scr_fail(
                report, SCREE_E_INPUT, scr_item_place(scene, &groups->items[k], "clump"),
                "bodies.%s.clump: the integrator soft has no clumps; leave it out, or use the integrator nonsmooth",
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
    .save = save,
    .close = close,
    .contacts = contacts,
};
