#include "world/gravity.h"

#include <math.h>
#include <stdlib.h>

#include "world/energy.h"

#define ROUNDING 1e-13

void scr_gravity_deinit(scr_gravity *g)
{
    scr_signal_deinit(&g->signal);
    free(g->table);
    g->table = NULL;
}

bool scr_gravity_varies(const scr_gravity *g)
{
    return g->table || g->signal.kind != SCR_SIGNAL_CONSTANT;
}

vec3 scr_gravity_at(const scr_gravity *g, double time)
{
    if (!scr_gravity_varies(g)) return g->full;
    if (!g->table) {
        // zeros of a sine are zeros: statics asks whether there is gravity at all
        double part = scr_signal_at(&g->signal, time);
        bool none = fabs(part) < ROUNDING * scr_signal_most(&g->signal);
        return v3_scale(none ? 0 : part, g->full);
    }
    return v3(scr_table_at(g->table, g->rows, 4, 1, time), scr_table_at(g->table, g->rows, 4, 2, time),
              scr_table_at(g->table, g->rows, 4, 3, time));
}

double scr_gravity_most(const scr_world *w)
{
    const scr_gravity *g = &w->gravity_law;
    if (!scr_gravity_varies(g)) return v3_norm(w->gravity);
    if (!g->table) return scr_signal_most(&g->signal) * v3_norm(g->full);
    double most = 0;
    for (int k = 0; k < g->rows; k++) most = fmax(most, v3_norm(v3_load(g->table + 4 * k + 1)));
    return most;
}

vec3 scr_gravity_extent(const scr_world *w)
{
    const scr_gravity *g = &w->gravity_law;
    if (!scr_gravity_varies(g)) return w->gravity;
    if (!g->table) return v3_scale(scr_signal_most(&g->signal), g->full);
    double most[3] = {0};
    for (int k = 0; k < g->rows; k++)
        for (int d = 0; d < 3; d++) most[d] = fmax(most[d], fabs(g->table[4 * k + 1 + d]));
    return v3_load(most);
}

/* ---- changes ---- */

// energy of a change at the places there are, of what is moved here
static void book(scr_world *w, vec3 change)
{
    if (v3_dot(change, change) == 0) return;
    scr_total *work = &w->ledger.booked.load_work;
    vec3 present = w->gravity;
    w->gravity = change;
    for (size_t i = w->bodies.low; i < scr_bodies_end(&w->bodies); i++)
        if (!scr_carrier_is_clump(w, w->bodies.carrier[i])) scr_total_add(work, scr_body_potential(w, i));
    for (size_t k = 0; k < w->rigids.table.count; k++)
        if (w->rigids.kind[k] != SCR_RIGID_AGGREGATE) scr_total_add(work, scr_rigid_potential(w, k));
    for (size_t k = w->cells.low; k < w->cells.table.count - w->cells.high; k++)
        scr_total_add(work, scr_cell_potential(w, k));
    w->gravity = present;
}

void scr_gravity_change(scr_world *w, vec3 next)
{
    book(w, v3_sub(next, w->gravity));
    w->gravity = next;
}

void scr_gravity_set(scr_world *w, double time)
{
    if (!scr_gravity_varies(&w->gravity_law)) return;
    scr_gravity_change(w, scr_gravity_at(&w->gravity_law, time));
}

void scr_gravity_begin(scr_world *w)
{
    if (!scr_gravity_varies(&w->gravity_law)) return;
    vec3 next = scr_gravity_at(&w->gravity_law, scr_clock_ahead(&w->clock, 1));
    book(w, v3_scale(0.5, v3_sub(next, w->gravity)));
}

void scr_gravity_end(scr_world *w)
{
    if (!scr_gravity_varies(&w->gravity_law)) return;
    vec3 next = scr_gravity_at(&w->gravity_law, w->clock.time);
    book(w, v3_scale(0.5, v3_sub(next, w->gravity)));
    w->gravity = next;
}
