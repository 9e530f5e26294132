#include "step/equilibrium/equilibrium.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"

#define TURNS 0x38
#define NOISE 1e-15 /* forces less than this times stiffness and displacement are rounding */

/* ---- what acts ---- */

// of a signal at the end of a load step; before the first nothing acts
static double factor_after(const scr_equilibrium *e, const scr_signal *signal, double step)
{
    if (e->def->ramp && step == 0) return 0;
    double steps = (double)e->def->steps;
    return scr_signal_at(signal, step / steps * (steps * e->world->clock.dt));
}

// (1)
static double factor_of(const scr_equilibrium *e, const scr_signal *signal, double part)
{
    if (signal->kind == SCR_SIGNAL_CONSTANT) return e->def->ramp ? part : 1;
    double steps = part * (double)e->def->steps, before = floor(steps + 1e-9);
    double a = factor_after(e, signal, before);
    if (steps - before < 1e-9) return a;
    return a + (steps - before) * (factor_after(e, signal, before + 1) - a);
}

// the same of gravity that varies
static vec3 gravity_after(const scr_equilibrium *e, double step)
{
    if (e->def->ramp && step == 0) return v3(0, 0, 0);
    return scr_gravity_at(&e->world->gravity_law, step * e->world->clock.dt);
}

static vec3 gravity_of(const scr_equilibrium *e, double part)
{
    double steps = part * (double)e->def->steps, before = floor(steps + 1e-9);
    vec3 a = gravity_after(e, before);
    if (steps - before < 1e-9) return a;
    return v3_axpy(a, steps - before, v3_sub(gravity_after(e, before + 1), a));
}

void scr_equilibrium_load(scr_equilibrium *e, double part)
{
    const scr_world *w = e->world;
    for (int k = 0; k < w->load_count; k++) e->elastic->factor[k] = factor_of(e, &w->loads[k].signal, part);
    for (int k = 0; k < w->support_count; k++) e->support[k] = factor_of(e, &w->supports[k].signal, part);
    e->gravity = e->world->load_share = e->def->ramp ? part : 1;
    if (!scr_gravity_varies(&w->gravity_law)) return;
    e->gravity = 1;
    e->world->gravity = gravity_of(e, part);
}

double scr_equilibrium_change(const scr_equilibrium *e, double from, double to)
{
    const scr_world *w = e->world;
    double most = 0;
    for (int k = 0; k < w->load_count + w->support_count; k++) {
        const scr_signal *signal = k < w->load_count ? &w->loads[k].signal : &w->supports[k - w->load_count].signal;
        most = fmax(most, fabs(factor_of(e, signal, to) - factor_of(e, signal, from)));
    }
    if (scr_gravity_varies(&w->gravity_law)) {
        vec3 change = v3_sub(gravity_of(e, to), gravity_of(e, from));
        most = fmax(most, v3_norm(change) / scr_gravity_most(w));
    }
    return most;
}

// the largest load on a cell, torques over size
static double largest_load(const scr_equilibrium *e)
{
    const scr_world *w = e->world;
    double most = 0, g = fabs(e->gravity) * v3_norm(w->gravity);
    for (int k = 0; k < w->load_count; k++)
        for (size_t i = 0; i < w->loads[k].entry_count; i++) {
            const scr_load_entry *entry = &w->loads[k].entries[i];
            double size = fmax(v3_norm(entry->force), v3_norm(entry->couple) / e->size);
            most = fmax(most, fabs(e->elastic->factor[k]) * size);
        }
    for (size_t k = 0; k < w->cells.table.count; k++) most = fmax(most, g * scr_cell_mass(&w->cells, k));
    return most;
}

// where nothing pulls, forces of rounded displacements are all there is
static double noise(const scr_equilibrium *e)
{
    double far = 0;
    for (size_t k = 0; k < e->world->cells.table.count; k++)
        far = fmax(far, v3_norm(v3_load(e->world->cells.displacement + 4 * k)));
    return NOISE * e->stiffest * far;
}

void scr_equilibrium_forces(scr_equilibrium *e)
{
    const scr_world *w = e->world;
    scr_elastic_forces(e->elastic);
    double left = 0, most = fmax(largest_load(e), noise(e) / e->def->tolerance);
    for (size_t k = 0; k < w->cells.table.count; k++) {
        vec3 weight = v3_scale(e->gravity * scr_cell_mass(&w->cells, k), w->gravity);
        const double *load = w->cells.load + 8 * k;
        const double all[6] = {load[0] + weight.x, load[1] + weight.y, load[2] + weight.z, load[4], load[5], load[6]};
        for (size_t c = 0; c < 6; c++) {
            int64_t at = e->tangent.number[6 * k + c];
            double size = fabs(all[c]) / (c < 3 ? 1 : e->size);
            e->reaction[6 * k + c] = at < 0 ? -all[c] : 0;
            if (at < 0) {
                most = fmax(most, size);
                continue;
            }
            e->force[at] = all[c];
            // fmax would pass over what is not a number
            left = size <= left ? left : size;
        }
    }
    e->left = left == 0 ? 0 : left / most;
}

/* ---- motions ---- */

// the turn q as an angle, the short way
static vec3 angle_of(quat q)
{
    vec3 v = v3(q.x, q.y, q.z);
    double s = v3_norm(v);
    if (q.w < 0) v = v3_scale(-1, v), q.w = -q.w;
    return v3_scale(s > 1e-8 ? 2 * scr_atan2(s, q.w) / s : 2, v);
}

double scr_equilibrium_missing(scr_equilibrium *e)
{
    const scr_world *w = e->world;
    const scr_cells *c = &w->cells;
    double most = 0;
    for (int n = 0; n < w->support_count; n++) {
        const scr_support *s = &w->supports[n];
        const scr_patch *patch = &w->patches[s->patch];
        elastic_placement place = scr_elastic_place(s, e->support[n]);
        for (size_t i = 0; i < patch->cell_count; i++) {
            size_t k = patch->cells[i];
            vec3 u = scr_elastic_displacement(s, &place, v3_load(c->home + 4 * k));
            vec3 way = v3_sub(u, v3_load(c->displacement + 4 * k)), angle = {0};
            if ((s->holds & TURNS) == TURNS)
                angle = angle_of(quat_mul(place.turn, quat_conjugate(scr_cell_turn(c, k))));
            const double all[6] = {way.x, way.y, way.z, angle.x, angle.y, angle.z};
            for (size_t d = 0; d < 6; d++) {
                if (!(s->holds >> d & 1)) continue;
                e->given[6 * k + d] = all[d];
                most = fmax(most, fabs(all[d]) * (d < 3 ? 1 : e->size));
            }
        }
    }
    // what is left of a motion by rounding is none
    return most > 1e-14 * e->reach ? most : 0;
}

void scr_equilibrium_keep(scr_equilibrium *e)
{
    const scr_cells *c = &e->world->cells;
    for (size_t k = 0; k < c->table.count; k++) {
        memcpy(e->place + 8 * k, c->displacement + 4 * k, 3 * sizeof(double));
        memcpy(e->place + 8 * k + 4, c->turn + 4 * k, 4 * sizeof(double));
    }
}

void scr_equilibrium_move(scr_equilibrium *e, double s)
{
    scr_cells *c = &e->world->cells;
    for (size_t k = 0; k < c->table.count; k++) {
        double d[6];
        for (size_t i = 0; i < 6; i++) {
            int64_t at = e->tangent.number[6 * k + i];
            d[i] = at >= 0 ? e->way[at] : e->given[6 * k + i];
        }
        const double *from = e->place + 8 * k;
        v3_store(c->displacement + 4 * k, v3_axpy(v3_load(from), s, v3_load(d)));
        quat turn = quat_mul(quat_exp(v3_scale(s, v3_load(d + 3))), quat_load(from + 4));
        quat_store(c->turn + 4 * k, quat_unit(turn));
    }
}

/* ---- states that were found, and the work between two of them ---- */

void scr_equilibrium_mark(scr_equilibrium *e)
{
    const scr_world *w = e->world;
    scr_found *f = &e->found;
    for (size_t k = 0; k < w->cells.table.count; k++) {
        memcpy(f->place + 8 * k, w->cells.displacement + 4 * k, 3 * sizeof(double));
        memcpy(f->place + 8 * k + 4, w->cells.turn + 4 * k, 4 * sizeof(double));
        f->swelling[k] = w->cells.bulk[2 * k + 1];
    }
    memcpy(f->reaction, e->reaction, 6 * w->cells.table.count * sizeof(double));
    memcpy(f->factor, e->elastic->factor, (size_t)w->load_count * sizeof(double));
    memcpy(f->force, e->force, e->tangent.size * sizeof(double));
    f->gravity = e->gravity;
    f->pull = w->gravity;
    f->left = e->left;
}

void scr_equilibrium_return(scr_equilibrium *e)
{
    scr_cells *c = &e->world->cells;
    for (size_t k = 0; k < c->table.count; k++) {
        memcpy(c->displacement + 4 * k, e->found.place + 8 * k, 3 * sizeof(double));
        memcpy(c->turn + 4 * k, e->found.place + 8 * k + 4, 4 * sizeof(double));
    }
}

// how a cell has moved since the mark: its centre, and by which angle
static vec3 moved(const scr_equilibrium *e, size_t k, vec3 *angle)
{
    const scr_cells *c = &e->world->cells;
    quat before = quat_load(e->found.place + 8 * k + 4), now = scr_cell_turn(c, k);
    *angle = angle_of(quat_mul(now, quat_conjugate(before)));
    return v3_sub(v3_load(c->displacement + 4 * k), v3_load(e->found.place + 8 * k));
}

static double entry_work(const scr_equilibrium *e, const scr_load *load, const scr_load_entry *entry, double before,
                         double now)
{
    const scr_world *w = e->world;
    size_t k = entry->cell;
    quat turn[2] = {quat_load(e->found.place + 8 * k + 4), scr_cell_turn(&w->cells, k)};
    vec3 angle, way = moved(e, k, &angle);
    way = v3_add(way, v3_sub(quat_turn(turn[1], entry->arm), quat_turn(turn[0], entry->arm)));
    vec3 f[2], m[2];
    for (int side = 0; side < 2; side++) {
        double a = side ? now : before;
        f[side] = v3_scale(a, load->follows ? quat_turn(turn[side], entry->force) : entry->force);
        m[side] = v3_scale(a, load->follows ? quat_turn(turn[side], entry->couple) : entry->couple);
    }
    double swelling = scr_cell_lambda(w, k) * (e->found.swelling[k] + w->cells.bulk[2 * k + 1]) * entry->swell;
    return 0.5 * (v3_dot(v3_add(f[0], f[1]), way) + v3_dot(v3_add(m[0], m[1]), angle) + (now - before) * swelling);
}

static void book_supports(scr_equilibrium *e)
{
    scr_world *w = e->world;
    for (int n = 0; n < w->support_count; n++) {
        scr_support *s = &w->supports[n];
        const scr_patch *patch = &w->patches[s->patch];
        double work = 0;
        for (size_t i = 0; i < patch->cell_count; i++) {
            size_t k = patch->cells[i];
            vec3 angle, way = moved(e, k, &angle);
            const double all[6] = {way.x, way.y, way.z, angle.x, angle.y, angle.z};
            for (size_t d = 0; d < 6; d++)
                if (s->holds >> d & 1) work += 0.5 * (e->found.reaction[6 * k + d] + e->reaction[6 * k + d]) * all[d];
        }
        scr_total_add(&s->felt[SCR_FELT_WORK], work);
        w->ledger.support_work += work;
    }
}

// work of the forces that nothing balanced at the mark, half of them on average: the start was not an equilibrium
static double unbalanced_work(const scr_equilibrium *e)
{
    double work = 0;
    if (e->found.left <= e->def->tolerance) return 0;
    for (size_t k = 0; k < e->world->cells.table.count; k++) {
        vec3 angle, way = moved(e, k, &angle);
        const double all[6] = {way.x, way.y, way.z, angle.x, angle.y, angle.z};
        for (size_t d = 0; d < 6; d++) {
            int64_t at = e->tangent.number[6 * k + d];
            if (at >= 0) work += 0.5 * e->found.force[at] * all[d];
        }
    }
    return work;
}

void scr_equilibrium_book(scr_equilibrium *e)
{
    scr_world *w = e->world;
    for (int n = 0; n < w->load_count; n++) {
        scr_load *load = &w->loads[n];
        double work = 0;
        for (size_t i = 0; i < load->entry_count; i++)
            work += entry_work(e, load, &load->entries[i], e->found.factor[n], e->elastic->factor[n]);
        scr_total_add(&load->work, work);
        w->ledger.load_work += work;
    }
    // gravity that does not act in full yet: the rest is carried
    double carried = 0.5 * (e->found.gravity + e->gravity) - 1;
    for (size_t k = 0; carried != 0 && k < w->cells.table.count; k++) {
        vec3 angle, way = moved(e, k, &angle);
        w->ledger.load_work += carried * scr_cell_mass(&w->cells, k) * v3_dot(w->gravity, way);
    }
    // gravity that has changed, at the mean of the places
    vec3 change = v3_sub(w->gravity, e->found.pull);
    for (size_t k = 0; v3_dot(change, change) > 0 && k < w->cells.table.count; k++) {
        vec3 angle, way = moved(e, k, &angle);
        vec3 mean = v3_axpy(scr_cell_centre(&w->cells, k), -0.5, way);
        w->ledger.load_work -= scr_cell_mass(&w->cells, k) * v3_dot(change, mean);
    }
    w->ledger.absorbed += unbalanced_work(e);
    book_supports(e);
}
