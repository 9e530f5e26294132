/* Loads on elastic solids (world/loads.h), and their work. With power P = sum of F.v + M.omega and the swelling of
 * traction faces, which changes the energy stored at a fixed state, by the trapezoidal rule
 *
 *   W <- W + dt/2 (P_n + P_n+1) + (a_n+1 - a_n)/2 sum of swell (lambda eps_n + lambda eps_n+1).       (1) */
#include "comm/share.h"
#include "step/elastic/work.h"

void scr_elastic_loads_signal(elastic_work *k)
{
    const scr_world *w = k->task.world;
    for (int l = 0; l < w->load_count; l++) {
        k->before[l] = k->factor[l];
        k->factor[l] = scr_signal_then(w, &w->loads[l].signal, w->clock.time);
    }
}

// entries are sorted by cell: the first of those from `cell` on
static size_t entry_of(const scr_load *load, size_t cell)
{
    size_t low = 0, high = load->entry_count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (load->entries[mid].cell < cell)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

void scr_elastic_loads_swell(elastic_work *k, size_t first, size_t end)
{
    scr_world *w = k->task.world;
    for (int l = 0; l < w->load_count; l++) {
        const scr_load *load = &w->loads[l];
        for (size_t e = entry_of(load, first); e < load->entry_count && load->entries[e].cell < end; e++)
            w->cells.bulk[2 * (size_t)load->entries[e].cell + 1] += k->factor[l] * load->entries[e].swell;
    }
}

// (1) of world/loads.h
static void push_of(const scr_cells *c, const scr_load *load, const scr_load_entry *e, double a, vec3 *force,
                    vec3 *torque)
{
    quat q = scr_cell_turn(c, e->cell);
    vec3 f = v3_scale(a, e->force), m = v3_scale(a, e->couple);
    *force = load->follows ? quat_turn(q, f) : f;
    *torque = v3_add(v3_cross(quat_turn(q, e->arm), *force), load->follows ? quat_turn(q, m) : m);
}

void scr_elastic_loads_push(elastic_work *k, size_t first, size_t end)
{
    scr_world *w = k->task.world;
    for (int l = 0; l < w->load_count; l++) {
        const scr_load *load = &w->loads[l];
        for (size_t i = entry_of(load, first); i < load->entry_count && load->entries[i].cell < end; i++) {
            vec3 force, torque;
            const scr_load_entry *e = &load->entries[i];
            double *row = w->cells.load + 8 * (size_t)e->cell;
            push_of(&w->cells, load, e, k->factor[l], &force, &torque);
            v3_store(row, v3_add(v3_load(row), force));
            v3_store(row + 4, v3_add(v3_load(row + 4), torque));
        }
    }
}

void scr_elastic_loads_work(elastic_work *k, bool begins)
{
    scr_world *w = k->task.world;
    const scr_cells *c = &w->cells;
    for (int l = 0; l < w->load_count; l++) {
        scr_load *load = &w->loads[l];
        // at the beginning of a step the signals are not those of its end yet
        double a = k->factor[l];
        double next = begins ? scr_signal_then(w, &load->signal, scr_clock_ahead(&w->clock, 1)) : a;
        double change = begins ? next - a : a - k->before[l];
        for (size_t i = 0; i < load->entry_count; i++) {
            const scr_load_entry *e = &load->entries[i];
            vec3 force, torque;
            if (!scr_share_owns_cell(w->share, e->cell)) continue;
            push_of(c, load, e, a, &force, &torque);
            double power = v3_dot(force, v3_load(c->velocity + 4 * (size_t)e->cell)), work;
            power += v3_dot(torque, scr_cell_spin(c, e->cell));
            work = 0.5 * w->clock.dt * power;
            if (e->swell != 0)
                work += 0.5 * change * e->swell * scr_cell_lambda(w, e->cell) * c->bulk[2 * (size_t)e->cell + 1];
            scr_total_add(&load->work, work);
            scr_total_add(&w->ledger.booked.load_work, work);
        }
    }
}
