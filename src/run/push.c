#include "run/push.h"

#include <math.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "run/edit.h"
#include "world/pushes.h"

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "forces from outside");
}

static bool takes_forces(const scree_simulation *s)
{
    return s->step.traits.contacts == SCR_CONTACTS_SOLVED;
}

// (1) for one body; the energy that it brings
static double kick(scr_bodies *b, size_t i, const double *load, double h)
{
    double *v = b->motion + 4 * i, *w = b->spin + 4 * i, r = b->place[4 * i + 3];
    double mass = b->mass[i], inertia = 0.4 * mass * r * r, work = 0;
    for (int d = 0; d < 3; d++) {
        double dv = h * load[d] * v[3], dw = h * load[3 + d] * w[3];
        work += mass * dv * (v[d] + 0.5 * dv) + inertia * dw * (w[d] + 0.5 * dw);
        v[d] += dv, w[d] += dw;
    }
    return work;
}

static scree_status kick_all(scree_simulation *s, scree_report *report)
{
    scr_pushes *p = s->pushes;
    scr_bodies *b = &s->world.bodies;
    s->step.pushes = takes_forces(s) ? p : NULL;
    if (!p || takes_forces(s)) return SCREE_OK;
    scr_step_catch_up(&s->step);
    if (!scr_pushes_find(p, b)) return no_memory(report);
    double h = 0.5 * s->world.clock.dt, work = 0;
    for (size_t k = 0; k < p->count; k++)
        if (p->row[k] != SCR_PUSHES_NOBODY) work += kick(b, p->row[k], p->load + 6 * k, h);
    s->world.ledger.load_work += work;
    return s->step.stepper->kicked ? s->step.stepper->kicked(&s->step, report) : SCREE_OK;
}

static scree_status ask(scree_simulation *s, scree_report *report)
{
    s->pushed = true;
    return s->calls.push ? s->calls.push(s->calls.context, s, report) : SCREE_OK;
}

scree_status scr_pushes_begin(scree_simulation *s, scree_report *report)
{
    scree_status status = s->pushed ? SCREE_OK : ask(s, report);
    return status ? status : kick_all(s, report);
}

scree_status scr_pushes_end(scree_simulation *s, scree_report *report)
{
    scree_status status = ask(s, report);
    return status ? status : kick_all(s, report);
}

/* ---- setting them ---- */

static scree_status check_push(const scree_simulation *s, const double *forces, const double *torques, int64_t count,
                               scree_report *report)
{
    scree_status status = scr_edit_check(s, "pushed", report);
    if (!status && count < 0)
        status = scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "number of forces is %lld", (long long)count);
    for (int64_t k = 0; k < 3 * count && !status; k++)
        if (!isfinite(forces[k]) || (torques && !isfinite(torques[k])))
            status = scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "force or torque %lld is not a finite number",
                              (long long)(k / 3));
    return status;
}

// room for all, with loads filled in
static scree_status take_loads(scree_simulation *s, const double *forces, const double *torques, size_t count,
                               scree_report *report)
{
    if (!s->pushes) s->pushes = calloc(1, sizeof *s->pushes);
    scr_pushes *p = s->pushes;
    if (!p) return no_memory(report);
    p->count = 0;
    if (!scr_reserve_each(SCR_ROOM(p->id, count), SCR_ROOM(p->load, 6 * count), SCR_ROOM(p->row, count)))
        return no_memory(report);
    for (size_t k = 0; k < 3 * count; k++) {
        p->load[k / 3 * 6 + k % 3] = forces[k];
        p->load[k / 3 * 6 + 3 + k % 3] = torques ? torques[k] : 0;
    }
    p->count = count;
    return SCREE_OK;
}

static scree_status end_pushes(scree_simulation *s)
{
    scr_pushes_destroy(s->pushes);
    s->pushes = s->step.pushes = NULL;
    return SCREE_OK;
}

scree_status scree_simulation_push(scree_simulation *s, const int64_t *ids, const double *forces, const double *torques,
                                   int64_t count, scree_report *report)
{
    if (count == 0) return end_pushes(s);
    scr_step_catch_up(&s->step);
    scree_status status = check_push(s, forces, torques, count, report);
    if (!status) status = take_loads(s, forces, torques, (size_t)count, report);
    if (status) return status;
    scr_copy(s->pushes->id, ids, (size_t)count * sizeof *ids);
    s->pushes->moves = s->world.bodies.table.moves - 1;
    if (!scr_pushes_find(s->pushes, &s->world.bodies)) status = no_memory(report);
    for (size_t k = 0; k < (size_t)count && !status; k++)
        if (s->pushes->row[k] == SCR_PUSHES_NOBODY)
            status = scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no grain of id %lld", (long long)ids[k]);
    if (status) end_pushes(s);
    return status;
}

scree_status scree_simulation_push_rows(scree_simulation *s, const double *forces, const double *torques, int64_t rows,
                                        scree_report *report)
{
    const scr_bodies *b = &s->world.bodies;
    scr_step_catch_up(&s->step);
    if (rows != (int64_t)b->table.count)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "forces for %lld rows, but there are %zu grains",
                        (long long)rows, b->table.count);
    if (rows == 0) return end_pushes(s);
    scree_status status = check_push(s, forces, torques, rows, report);
    if (!status) status = take_loads(s, forces, torques, (size_t)rows, report);
    if (status) return status;
    scr_copy(s->pushes->id, b->id, (size_t)rows * sizeof *b->id);
    for (size_t k = 0; k < (size_t)rows; k++) s->pushes->row[k] = (uint32_t)k;
    s->pushes->moves = b->table.moves;
    return SCREE_OK;
}
