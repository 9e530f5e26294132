#include "run/edit.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "build/build.h"
#include "build/rigids.h"
#include "collide/bonds.h"
#include "comm/comm.h"
#include "run/members.h"
#include "world/ids.h"
#include "world/ledger.h"

scree_status scr_edit_check(const scree_simulation *s, const char *verb, scree_report *report)
{
    if (scr_comm_world()->size > 1)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "grains cannot be %s on several ranks", verb);
    if (s->step.traits.load_steps)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "grains cannot be %s in statics, where all that acts is in the scene", verb);
    if (s->step.traits.reduces)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "grains cannot be %s where the integrator merges them into rigid aggregates, whose members do "
                        "not move by themselves; set stepper.reduction to off",
                        verb);
    return SCREE_OK;
}

scree_status scree_simulation_edit(scree_simulation *s, scree_report *report)
{
    if (s->edited) return SCREE_OK;
    scree_status status = scr_edit_check(s, "written", report);
    scr_step_catch_up(&s->step);
    if (!status) status = s->step.stepper->save(&s->step, report);
    if (!status && !scr_members_note(s)) status = scr_no_memory(report, "spheres of clumps");
    if (status) return status;
    s->edit_closure = scr_ledger_energies(&s->world).closure;
    s->edited = true;
    s->pushed = false;
    return SCREE_OK;
}

/* ---- what was written ---- */

static scree_status wrong(const scr_world *w, size_t i, const char *what, double value, const char *allowed,
                          scree_report *report)
{
    return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "grain %lld: %s is %g, must be %s", (long long)w->bodies.id[i],
                    what, value, allowed);
}

static scree_status check_place(const scr_world *w, size_t i, scree_report *report)
{
    static const char *const names[] = {"position x", "position y", "position z"};
    const double *x = w->bodies.place + 4 * i, *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    if (!(x[3] > 0) || isinf(x[3])) return wrong(w, i, "radius", x[3], "above 0 and finite", report);
    for (int d = 0; d < 3; d++) {
        if (!isfinite(x[d])) return wrong(w, i, names[d], x[d], "finite", report);
        bool open = w->domain.periodic[d] || w->domain.delete_escaped;
        if (!open && (x[d] < lower[d] || x[d] > upper[d])) return wrong(w, i, names[d], x[d], "in the domain", report);
    }
    return SCREE_OK;
}

static scree_status check_body(const scr_world *w, size_t i, scree_report *report)
{
    const scr_bodies *b = &w->bodies;
    scree_status status = check_place(w, i, report);
    for (int d = 0; d < 3 && !status; d++) {
        if (!isfinite(b->motion[4 * i + d])) status = wrong(w, i, "velocity", b->motion[4 * i + d], "finite", report);
        if (!isfinite(b->spin[4 * i + d])) status = wrong(w, i, "spin", b->spin[4 * i + d], "finite", report);
    }
    if (!status && (!(b->mass[i] > 0) || isinf(b->mass[i])))
        status = wrong(w, i, "mass", b->mass[i], "above 0 and finite", report);
    return status;
}

// inverse mass and inertia; a held grain has none, and is moved by its group alone
static void derive(scr_world *w, size_t i)
{
    scr_bodies *b = &w->bodies;
    double r = b->place[4 * i + 3];
    if (scr_group_held(&w->groups[b->group[i]])) {
        scr_clear(b->motion + 4 * i, 4 * sizeof(double));
        scr_clear(b->spin + 4 * i, 4 * sizeof(double));
        return;
    }
    b->motion[4 * i + 3] = 1 / b->mass[i];
    b->spin[4 * i + 3] = 1 / (0.4 * b->mass[i] * r * r);
}

// on which side of the observed planes all are: a grain that was put elsewhere has not passed them
static void stand_anew(scr_world *w)
{
    for (size_t i = 0; i < w->bodies.table.count; i++) {
        w->bodies.side[i] = 0;
        scr_flows_pass(w, i);
    }
}

// the integrator on the world as it is now; world->contacts are current
static scree_status open_again(scree_simulation *s, scree_report *report)
{
    s->step.stepper->close(&s->step);
    scr_pairs_deinit(&s->step.pairs);
    s->step.pairs = (scr_pairs){0};
    s->step.want_contacts = s->wants_contacts;
    scree_status status = s->step.stepper->open(&s->step, false, report);
    s->contacts_known = s->wants_contacts && !status;
    return status;
}

scree_status scree_simulation_renew(scree_simulation *s, scree_report *report)
{
    scr_world *w = &s->world;
    scree_status status = SCREE_OK;
    if (!s->edited) return SCREE_OK;
    status = scr_members_check(s, report);
    for (size_t i = 0; i < w->bodies.table.count && !status; i++)
        if (!scr_is_member(w, i)) status = check_body(w, i, report);
    if (status) return status;
    for (size_t i = 0; i < w->bodies.table.count; i++)
        if (!scr_is_member(w, i)) derive(w, i);
    scr_build_drives(w);
    scr_build_curve(w);
    stand_anew(w);
    status = open_again(s, report);
    if (status) return status;
    s->edited = false;
    w->ledger.inserted += scr_ledger_energies(w).closure - s->edit_closure;
    return SCREE_OK;
}

/* ---- grains that come ---- */

static scree_status check_grain(const scree_simulation *s, const scree_grain *g, int64_t number, scree_report *report)
{
    const scr_world *w = &s->world;
    const double *lower = &w->domain.lower.x, *upper = &w->domain.upper.x;
    bool good = g->group >= 0 && g->group < w->group_count && g->radius > 0 && isfinite(g->radius) &&
                (isnan(g->density) || (g->density > 0 && isfinite(g->density)));
    for (int d = 0; d < 3; d++) {
        good &= isfinite(g->velocity[d]) && isfinite(g->spin[d]) && isfinite(g->position[d]);
        good &= w->domain.periodic[d] || (g->position[d] >= lower[d] && g->position[d] <= upper[d]);
    }
    if (good) return SCREE_OK;
    return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                    "grain %lld to insert: group %d (0 to %d), radius %g m (above 0), position (%g, %g, %g) m (in the "
                    "domain), velocity, spin and density must be finite",
                    (long long)number, g->group, w->group_count - 1, g->radius, g->position[0], g->position[1],
                    g->position[2]);
}

// grains of one group: spheres, or clumps where it has them
static scree_status add(scree_simulation *s, const scree_grain *grains, int64_t count, int64_t *ids,
                        scree_report *report)
{
    scr_world *w = &s->world;
    int group = grains[0].group;
    scr_clump_form form;
    if (!scr_clump_form_of(&form, s->scene, &scr_scene_items(s->scene, "bodies")->items[group]) ||
        !scr_build_reserve(w, &form, (size_t)count))
        return scr_no_memory(report, "grains");
    for (int64_t k = 0; k < count; k++) {
        const scree_grain *g = &grains[k];
        scr_grain grain = {.id = w->clock.next_id,
                           .position = v3_load(g->position),
                           .radius = g->radius,
                           .density = g->density,
                           .velocity = v3_load(g->velocity),
                           .spin = v3_load(g->spin)};
        if (ids) ids[k] = grain.id;
        scr_build_grain(w, &form, &grain, group, (uint64_t)grain.id, true);
    }
    return SCREE_OK;
}

scree_status scree_simulation_insert(scree_simulation *s, const scree_grain *grains, int64_t count, int64_t *ids,
                                     scree_report *report)
{
    scr_world *w = &s->world;
    scree_status status = scr_edit_check(s, "inserted", report);
    for (int64_t k = 0; k < count && !status; k++) status = check_grain(s, &grains[k], k, report);
    scr_step_catch_up(&s->step);
    size_t now = w->bodies.table.count;
    if (!status && count > (int64_t)(SCR_MOST_BODIES - now))
        status = scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "at most %zu grains are possible", SCR_MOST_BODIES);
    if (!status) status = scree_simulation_edit(s, report);
    for (int64_t k = 0, next; k < count && !status; k = next) {
        for (next = k + 1; next < count && grains[next].group == grains[k].group;) next++;
        status = add(s, grains + k, next - k, ids ? ids + k : NULL, report);
    }
    return status ? status : scree_simulation_renew(s, report);
}

/* ---- grains that go ---- */

// the rows of grains that stay before the others, and where each goes; the number that stay, or -1 and a message
static int64_t divide(const scr_world *w, const int64_t *ids, int64_t count, uint32_t *order, uint32_t *new_row,
                      scree_report *report)
{
    const scr_bodies *b = &w->bodies;
    size_t n = b->table.count, kept = 0, lost = n;
    scr_ids known;
    bool good = scr_ids_init(&known, b);
    if (!good) scr_no_memory(report, "ids of grains");
    for (size_t i = 0; i < n; i++) new_row[i] = 0;
    for (int64_t k = 0; k < count && good; k++) {
        int64_t row = scr_ids_row(&known, ids[k]);
        good = row >= 0;
        if (good)
            new_row[row] = UINT32_MAX;
        else
            scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no grain of id %lld", (long long)ids[k]);
    }
    scr_ids_deinit(&known);
    if (!good) return -1;
    for (size_t i = 0; i < n; i++) {
        if (new_row[i] == UINT32_MAX)
            order[--lost] = (uint32_t)i;
        else
            new_row[i] = (uint32_t)kept, order[kept++] = (uint32_t)i;
    }
    return (int64_t)kept;
}

// contacts of grains that stay, by their new rows
static void follow_contacts(scr_contacts *c, const uint32_t *new_row)
{
    size_t n = 0;
    for (size_t k = 0; k < c->table.count; k++) {
        int32_t i = c->row[2 * k], j = c->row[2 * k + 1];
        if (new_row[i] == UINT32_MAX || (j >= 0 && new_row[j] == UINT32_MAX)) continue;
        scr_table_copy(&c->table, n, k);
        c->row[2 * n] = (int32_t)new_row[i];
        if (j >= 0) c->row[2 * n + 1] = (int32_t)new_row[j];
        n++;
    }
    c->table.count = n;
}

scree_status scree_simulation_remove(scree_simulation *s, const int64_t *ids, int64_t count, scree_report *report)
{
    scr_world *w = &s->world;
    scree_status status = scree_simulation_renew(s, report);
    scr_step_catch_up(&s->step);
    size_t n = w->bodies.table.count;
    if (!status) status = scr_edit_check(s, "removed", report);
    if (status || count == 0) return status;
    uint32_t *order = scr_memory_new(n + 1, sizeof *order), *new_row = scr_memory_new(n + 1, sizeof *new_row);
    if (!order || !new_row) status = scr_no_memory(report, "rows of grains");
    int64_t kept = status ? -1 : divide(w, ids, count, order, new_row, report);
    if (!status && kept < 0) status = SCREE_E_INPUT;
    if (!status) status = scr_members_whole(w, new_row, report);
    if (!status) status = scree_simulation_edit(s, report);
    if (!status && !scr_bonds_renumber(&s->step.pairs, w, new_row)) status = scr_no_memory(report, "bonds");
    if (!status) {
        scr_members_leave(w, new_row);
        follow_contacts(&w->contacts, new_row);
        scr_table_reorder(&w->bodies.table, order);
        w->bodies.table.count = (size_t)kept;
        scr_rigids_drop(w);
        s->noted = 0; // nothing has been written, and rows are others
        double inserted = w->ledger.inserted;
        status = scree_simulation_renew(s, report);
        // what is there no more has left, rather than come with the opposite sign
        w->ledger.removed -= w->ledger.inserted - inserted;
        w->ledger.inserted = inserted;
    }
    scr_memory_free(order);
    scr_memory_free(new_row);
    return status;
}
